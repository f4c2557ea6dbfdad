"""Growing bytes, and concatenations of several.

Bytes are immutable, so `x += y` makes new bytes and copies x; a loop of this takes quadratic time. If a loop
does this, the name's bytes are held like a growing list (Growing): an array with room to spare, and the
number of bytes. The rest of the array belongs to the name alone, because reading the name gives a view of the
array's first items (`seen`), which is not a Growing. So exactly one name holds it. Only an addition to that
name writes to the array, after everything that any view shows, and the name then holds the longer bytes, so
nothing is written twice.
"""

from __future__ import annotations

from ...ir.interface import Union
from ..ssa import Tagged
from .build import PythonBuilder
from .kinds import BYTE, Buffer, Grown
from .sequences import extend, joined
from .values import Growing, Items, PythonValue

GROWN = Grown("bytes", BYTE)
VIEW = Buffer("bytes", BYTE, readonly=True, view=True)


def is_bytes(value: PythonValue) -> bool:
    return isinstance(value, Items | Growing) and value.maker == "bytes"


def seen(f: PythonBuilder, value: PythonValue) -> PythonValue:
    """A name's value, as reading the name yields it."""
    if isinstance(value, Growing) and value.maker == "bytes":
        items = f.items(value)
        return Items("bytes", items.array, None, f.length(items), readonly=True)
    if isinstance(value, Tagged) and GROWN in value.type.members:
        kinds = tuple(VIEW if kind == GROWN else kind for kind in value.type.members)
        return Tagged(Union(kinds), value.flags, [seen(f, each) for each in value.parts])
    return value


def longer(f: PythonBuilder, held: PythonValue, value: Items, more: PythonValue) -> Growing:
    """A name's bytes with more bytes appended. `held` is what the name holds for `value`, and the name is to
    hold the result.

    The name was not assigned since then, because expressions do not assign.
    """
    # within an open loop, the object keeps its identity
    growing = held if isinstance(held, Growing) else Growing("bytes", BYTE)
    if growing is not held:
        f.env[growing] = f.spare(value)
    extend(f, growing, more)
    return growing


def total(f: PythonBuilder, parts: list[PythonValue]) -> PythonValue:
    """Concatenates bytes in one step."""
    return parts[0] if len(parts) == 1 else joined(f, parts, "bytes", f.node)
