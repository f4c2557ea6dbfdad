"""Sums that no word holds, of which only what stands above some bit is used, made in two parts.

With x = x' 2^s + u and y = y' 2^s + v, where u and v are the s low bits, x + y is (x' + y') 2^s + u + v;
rounded down to 2^s it is x' + y' and what u + v carries over. So the sum itself, one bit longer than
x and y, is not needed: in Montgomery's reduction it is one of two products of words, and has a bit
more than a product. With - for + the same, where u - v carries -1 over, or nothing.
"""

from __future__ import annotations

from .demand import exact_width
from .ir import INT, Function, Instruction, Value
from .plan import ANY, WIDTHS, Range


def in_parts(function: Function, ranges: dict[Value, Range]) -> bool:
    """Rewrites in place; whether anything changed (ranges and demands must then be found anew)."""
    made_by = {r: i for i in function.instructions() for r in i.results}
    found = [(i, bits) for i in function.instructions() if (bits := _below(i, made_by, ranges))]
    uses = function.uses() if found else {}
    apart = {i: bits for i, bits in found if uses[i.args[0]] == 1}
    names = {value.name for value in function.values()} if apart else set()
    for block in function.blocks:
        if not apart.keys().isdisjoint(block.instructions):
            instructions: list[Instruction] = []
            for i in block.instructions:
                if i in apart:
                    instructions += _written(i, made_by[i.args[0]], apart[i], names)
                instructions.append(i)
            block.instructions = instructions
    return bool(apart)


def _below(i: Instruction, made_by: dict[Value, Instruction], ranges: dict[Value, Range]) -> int:
    """How far a sum of words, longer than any, is moved down; 0 if it is something else."""
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


def _written(root: Instruction, total: Instruction, bits: int, names: set[str]) -> list[Instruction]:
    """What comes before the root, which becomes the last sum."""
    made: list[Instruction] = []

    def emit(op: str, *args: Value, attribute: int | None = None) -> Value:
        name = f"{root.result.name}.{len(made)}"
        while name in names:
            name += "p"
        names.add(name)
        made.append(Instruction(op, [*args], [Value(name, INT, root.position)], attribute, root.position))
        return made[-1].result

    x, y = total.args
    count = root.args[1]
    above = emit(total.op, emit("shift", x, count), emit("shift", y, count))
    below = emit(total.op, emit("low", x, attribute=bits), emit("low", y, attribute=bits))
    root.op, root.args = "add", [above, emit("shift", below, count)]
    return made
