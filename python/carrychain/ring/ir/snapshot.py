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

    def is_still(self, function: Function) -> bool:
        """Whether nothing of the function has changed since."""
        return len(function.blocks) == len(self.of) and all(
            self._is_still(was, block)
            for was, block in zip(self.function.blocks, function.blocks, strict=True)
        )

    def _is_still(self, was: Block, block: Block) -> bool:
        end, ended = block.terminator, was.terminator
        return (
            self.of.get(block) is was
            and was.params == block.params
            and len(was.instructions) == len(block.instructions)
            and all(map(_is_same, was.instructions, block.instructions))
            and type(end) is type(ended)
            and end.args == ended.args
            and all(
                self.of.get(edge.block) is led.block and edge.args == led.args
                for edge, led in zip(end.edges, ended.edges, strict=True)
            )
            and (not isinstance(end, TrapTerminator) or _trap(end) == _trap(ended))
        )


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


def _is_same(was: Instruction, i: Instruction) -> bool:
    return (
        was.op == i.op
        and was.args == i.args
        and was.results is i.results
        and was.attribute == i.attribute
        and type(was.attribute) is type(i.attribute)
        and was.position == i.position
    )


def _trap(end: TrapTerminator) -> tuple:
    return end.message, end.position
