"""Arguments that carrychain run and carrychain explain share for Lisp and Python programs."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from pathlib import Path

from carrychain.bindings.bigint import from_decimal

from .failures import Failure, shown

INTEGER = re.compile(r"([+-]?)(?:(#x|0x)([0-9a-f]+)|(#o)([0-7]+)|(#b)([01]+)|([0-9]+))", re.IGNORECASE)
BASES = {2: 16, 4: 8, 6: 2}


@contextmanager
def complaints():
    """Turns an error in a program, its arguments or its run into one line."""
    from carrychain.ring.ir.errors import RingError

    try:
        yield
    except RingError as error:
        raise Failure(str(error)) from None


def integer(text: str) -> int:
    match = INTEGER.fullmatch(text.strip())
    if not match:
        raise ValueError(
            f"{shown(text)} is not an integer: write it in decimal, or in hexadecimal after #x or 0x"
        )
    sign = -1 if match[1] == "-" else 1
    for group, base in BASES.items():
        if match[group]:
            return sign * int(match[group + 1], base)
    return sign * from_decimal(match[8])


def content(name: str) -> bytes:
    """The bytes of a file; - is the standard input."""
    if name == "-":
        return sys.stdin.buffer.read()
    return Path(name).read_bytes()
