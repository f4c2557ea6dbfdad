"""Names of a Lisp program's functions and arguments in IR, and so for callers: lower case, and reversible.

Characters that mean something in IR, lower-case letters and `$` itself are written in hexadecimal between two
`$`: %sq is $25$sq, and |sq| is $7371$.
"""

from __future__ import annotations

import re
from collections.abc import Container

TAKEN = re.compile(r"[\s(),:={}\[\]\"';%@|$]")


def _kept(character: str) -> bool:
    small = character.lower()
    return len(small) == 1 and small.upper() == character and not TAKEN.match(character)


def ir_name(name: str) -> str:
    """Of a symbol of this name."""
    found, escaped = [], ""

    def close() -> None:
        if escaped:
            found.append(f"${escaped.encode('utf-8', 'surrogatepass').hex()}$")

    for at, each in enumerate(name):
        if _kept(each) and (at or not each.isdigit()):
            close()
            escaped = ""
            found.append(each.lower())
        else:
            escaped += each
    close()
    return "".join(found) or "$$"


def name_among(written: str, known: Container[str]) -> str | None:
    """Which of the known names is meant: as IR or Lisp writes it; None if none is."""
    bars = len(written) > 1 and written[0] == written[-1] == "|"
    read = ir_name(written[1:-1] if bars else written.upper())
    ways = (read, written) if "$" in written else (written, read)
    return next((each for each in ways if each in known), None)
