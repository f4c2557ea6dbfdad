"""A function as it stands, to be compared with what a pass makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from .form import Block, Branch, Edge, Function, Instruction, Jump, Return, TrapTerminator


class Snapshot(NamedTuple):
    """The function's values, in blocks and instructions of the snapshot's own."""

    function: Function
    # by the block of the function, that of the snapshot
    of: dict[Block, Block]


def snapshot(function: Function) -> Snapshot:
    of = {block: Block(block.name, list(block.params)) for block in function.blocks}

    def edge(old: Edge) -> Edge:
        return Edge(of[old.block], list(old.args))

    for block, copy in of.items():
        copy.instructions = [
            Instruction(i.op, list(i.args), i.results, i.attribute, i.position) for i in block.instructions
        ]
        match block.terminator:
            case Jump(to):
                copy.terminator = Jump(edge(to))
            case Branch(condition, then, otherwise):
                copy.terminator = Branch(condition, edge(then), edge(otherwise))
            case Return(args):
                copy.terminator = Return(list(args))
            case TrapTerminator(message, position):
                copy.terminator = TrapTerminator(message, position)
    return Snapshot(replace(function, blocks=list(of.values())), of)
