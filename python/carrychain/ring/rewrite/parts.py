"""Computes values that no word holds in parts, if only the bits above some position are used.

A sum in two parts. With x = x' 2^s + u and y = y' 2^s + v, where u and v are the s low bits, x + y is (x' +
y') 2^s + u + v. Rounded down to 2^s it is x' + y' plus the carry of u + v. So the sum itself, one bit longer
than x and y, is not needed. In Montgomery's reduction it is the sum of two products of words, one bit longer
than a product. The same holds with - for +, where u - v carries -1 or nothing.

Values assembled bit by bit are split into the parts that they were assembled from. x | y, shifted, is x
shifted | y shifted; a shift up by n and then down by m loses nothing, and is a shift by n - m. So the bytes
of a hash's words, one above the other, are those of the words.
"""

from __future__ import annotations

from collections.abc import Callable

from ..facts.demand import exact_width
from ..facts.plan import ANY, Range
from ..ir.form import INT, Function, Instruction, Value
from ..machine.form import WIDTHS

JOINED = ("ior", "xor", "and")
# The most parts of a value.
PARTS = 16

# A value and its shift; or two of these, and the operator that joins them.
Moved = tuple


def in_parts(function: Function, ranges: dict[Value, Range]) -> bool:
    """Rewrites in place; whether anything changed (then ranges and demands must be recomputed)."""
    made_by = {r: i for i in function.instructions() for r in i.results}
    uses = function.uses()
    written: dict[Instruction, Callable[[Emit], None]] = {}
    for i in function.instructions():
        bits = _below(i, made_by, ranges)
        if bits and uses[i.args[0]] == 1:
            written[i] = lambda emit, i=i, bits=bits: _in_two(i, made_by[i.args[0]], bits, emit)
        elif moved := _joined(i, made_by, ranges):
            written[i] = lambda emit, i=i, moved=moved: _in_many(i, moved, emit)
    names = {value.name for value in function.values()} if written else set()
    for block in function.blocks:
        if not written.keys().isdisjoint(block.instructions):
            instructions: list[Instruction] = []
            for i in block.instructions:
                if i in written:
                    emit = Emit(i, names)
                    written[i](emit)
                    instructions += emit.made
                instructions.append(i)
            block.instructions = instructions
    return bool(written)


class Emit:
    """Makes new instructions before an instruction."""

    def __init__(self, root: Instruction, names: set[str]):
        self.root = root
        self.names = names
        self.made: list[Instruction] = []

    def __call__(self, op: str, *args: Value, attribute: int | None = None) -> Value:
        name, position = f"{self.root.result.name}.{len(self.made)}", self.root.position
        while name in self.names:
            name += "p"
        self.names.add(name)
        self.made.append(Instruction(op, [*args], [Value(name, INT, position)], attribute, position))
        return self.made[-1].result


def _below(i: Instruction, made_by: dict[Value, Instruction], ranges: dict[Value, Range]) -> int:
    """How far a sum that exceeds a word is shifted down; 0 if the instruction is something else."""
    if i.op != "shift" or i.args[0] not in made_by or made_by[i.args[0]].op not in ("add", "sub"):
        return 0
    by = ranges.get(i.args[1], ANY)
    apart = (
        by.low is not None
        and -WIDTHS[-1] < by.low == by.high < 0
        and exact_width(ranges.get(i.args[0], ANY)) is None
        and all(exact_width(ranges.get(x, ANY)) is not None for x in made_by[i.args[0]].args)
    )
    return -by.low if apart else 0


def _in_two(root: Instruction, total: Instruction, bits: int, emit: Emit) -> None:
    """Replaces the root by the sum of the two parts."""
    x, y = total.args
    count = root.args[1]
    above = emit(total.op, emit("shift", x, count), emit("shift", y, count))
    below = emit(total.op, emit("low", x, attribute=bits), emit("low", y, attribute=bits))
    root.op, root.args = "add", [above, emit("shift", below, count)]


def _joined(i: Instruction, made_by: dict[Value, Instruction], ranges: dict[Value, Range]) -> Moved | None:
    """A shift of a value that exceeds a word and was joined from others, as shifts of those; else None."""
    by = _known(i.args[1], ranges) if i.op == "shift" else None
    if by is None or by > 0:
        return None
    left = PARTS

    def moved(x: Value, by: int) -> Moved:
        nonlocal left
        made = made_by.get(x)
        if made is not None and left and exact_width(ranges.get(x, ANY)) is None:
            if made.op in JOINED:
                left -= 1
                a, b = (moved(arg, by) for arg in made.args)
                return made.op, a, b
            count = _known(made.args[1], ranges) if made.op == "shift" else None
            if count is not None and count >= 0:
                return moved(made.args[0], by + count)
        return x, by

    found = moved(i.args[0], by)
    return found if left and found != (i.args[0], by) else None


def _known(x: Value, ranges: dict[Value, Range]) -> int | None:
    known = ranges.get(x, ANY)
    return known.low if known.low == known.high else None


def _in_many(root: Instruction, moved: Moved, emit: Emit) -> None:
    def instruction(moved: Moved) -> tuple[str, list[Value]]:
        if len(moved) == 2:
            return "shift", [moved[0], emit("const", attribute=moved[1])]
        return moved[0], [emit(op, *args) for op, args in map(instruction, moved[1:])]

    root.op, root.args = instruction(moved)
