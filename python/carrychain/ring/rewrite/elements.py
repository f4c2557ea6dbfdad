"""Turns arrays of integers of any size into arrays of words if all stored elements are known to fit.

An array that a function makes, and that is never visible outside, may have any element type that contains
everything that is stored in it, including its initial elements; what is loaded is then of that type, too. So
a type is tried, and ranges are computed with it. If every store fits, then by induction over the steps of a
run no element is ever of another type. The result must be checked before it is relied on.
"""

from __future__ import annotations

from ..facts.plan import Range
from ..facts.ranges import FoundRanges, Summaries, analyse
from ..ir.form import INT, Array, Function, Instruction, Int, Value, signed, unsigned

ANY_SIZE = Array(INT)
TYPES = [make(bits) for bits in (8, 16, 32, 64) for make in (unsigned, signed)]


def narrowed(function: Function, summaries: Summaries) -> tuple[set[Value], FoundRanges]:
    """Gives arrays narrower elements, in place; returns them, and the ranges with these elements.

    It must then be proven that everything stored in them fits.
    """
    classes = _classes(function)
    found = None
    # the types left to try, by the class's number
    tried = [0] * len(classes)
    writes = [[i for i in _writes(function) if array_of(i) in members] for members in classes]
    while True:
        for members, at in zip(classes, tried, strict=True):
            retype(function, members, TYPES[at] if at < len(TYPES) else INT)
        # with wider elements, ranges only grow
        found = analyse(function, summaries, found)
        moved = False
        for number, stores in enumerate(writes):
            at = tried[number]
            while at < len(TYPES) and not all(_fits(found, store, TYPES[at]) for store in stores):
                at += 1
            moved = moved or at > tried[number]
            tried[number] = at
        if not moved:
            break
    narrow = [members for members, at in zip(classes, tried, strict=True) if at < len(TYPES)]
    return set().union(*narrow), found


def array_of(instruction: Instruction) -> Value:
    return instruction.result if instruction.op == "new" else instruction.args[0]


def _writes(function: Function) -> list[Instruction]:
    return [i for i in function.instructions() if i.op in ("new", "store")]


def _fits(found: FoundRanges, write: Instruction, type_: Int) -> bool:
    known: Range | None = found[0].get(write.args[-1])
    # a value without a range is unreachable
    return known is None or (
        known.low is not None and known.high is not None and known.low in type_ and known.high in type_
    )


def _classes(function: Function) -> list[set[Value]]:
    """The arrays of integers of any size that stay within the function: classes of values that may alias."""
    parent: dict[Value | None, Value | None] = {None: None}

    def root(value: Value | None) -> Value | None:
        while parent.setdefault(value, value) is not value:
            value = parent[value]
        return value

    def join(a: Value | None, b: Value | None) -> None:
        a, b = root(a), root(b)
        # None stands for everything visible outside
        if a is not b:
            parent[b if a is None else a] = None if b is None else (a if a is None else b)

    arrays = {v for v in function.values() if v.type == ANY_SIZE}
    if not arrays:
        return []
    for param in function.params:
        if param in arrays:
            join(None, param)
    for block in function.blocks:
        for i in block.instructions:
            if i.op in ("load", "load_le", "load_be", "store", "len", "new"):
                continue
            for value in (*i.args, *i.results):
                if value in arrays:
                    join(i.results[0] if i.op == "select" else None, value)
        end = block.terminator
        for edge in end.edges:
            for passed, param in zip(edge.args, edge.block.params, strict=True):
                if param in arrays:
                    join(param, passed)
        if not end.edges:
            for value in end.args:
                if value in arrays:
                    join(None, value)
    classes: dict[Value, set[Value]] = {}
    for value in arrays:
        of = root(value)
        if of is not None:
            classes.setdefault(of, set()).add(value)
    return list(classes.values())


def retype(function: Function, members: set[Value], element: Int) -> None:
    """Gives these arrays, which must be whole classes, another type."""
    type_ = Array(element)
    for value in members:
        value.type = type_
    for i in function.instructions():
        if i.op == "new" and i.result in members:
            i.attribute = type_
