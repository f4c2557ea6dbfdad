"""IR names of a Lisp program's functions and arguments, which callers use: in lower case, and reversible.

Characters with a meaning in IR, letters that are lower-case in Lisp, and `$` itself are written in
hexadecimal between two `$`: %sq becomes $25$sq, and |sq| becomes $7371$.
"""

from __future__ import annotations

import re
from collections.abc import Container

TAKEN = re.compile(r"[\s(),:={}\[\]\"';%@|$]")


def _kept(character: str) -> bool:
    small = character.lower()
    return len(small) == 1 and small.upper() == character and not TAKEN.match(character)


def ir_name(name: str) -> str:
    """The IR name of the symbol with this name."""
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
    """The known name that is meant, written as in IR or as in Lisp; None if there is none."""
    bars = len(written) > 1 and written[0] == written[-1] == "|"
    read = ir_name(written[1:-1] if bars else written.upper())
    ways = (read, written) if "$" in written else (written, read)
    return next((each for each in ways if each in known), None)
