"""The checks of a function that earlier ones imply. LLVM finds them itself; a reader of C need not.

An array's length never changes. So where a check dominates another of the same array, the second can't fail
if it asks for no more.
"""

from __future__ import annotations

from ..ir.cycles import depth_first
from ..ir.dominance import DominatorTree
from ..machine.form import Const, MachineBlock, MachineFunction, Op, Operand

# (an array, an index or None for the array's beginning), and how many elements there are from there on
Asked = dict[tuple[Operand, Operand | None], int]


def implied(function: MachineFunction) -> set[Op]:
    order = depth_first(function.blocks[0], lambda block: list(block.end.blocks))
    tree: DominatorTree[MachineBlock] = DominatorTree(order, lambda block: block.end.blocks)
    known: list[Asked] = []
    found: set[Op] = set()
    for at, block in enumerate(order):
        here = dict(known[tree.last[at]]) if at else {}
        known.append(here)
        for op in block.ops:
            asked = _asked(op)
            if asked is None:
                continue
            *place, count = asked
            if here.get(tuple(place), 0) >= count:
                found.add(op)
            else:
                here[tuple(place)] = count
    return found


def _asked(op: Op) -> tuple[Operand, Operand | None, int] | None:
    """What a check asks for; None if it is more than that, or none."""
    if op.op == "bounds":
        array, index = op.args
        count = op.attribute
    elif op.op == "bounds_run":
        array, root, index, *least = op.args
        _, count, _ = op.attribute
        if least or not isinstance(root, Const):
            return None
    else:
        return None
    if isinstance(index, Const):
        return (array, None, index.value + count) if index.value >= 0 else None
    return array, index, count
