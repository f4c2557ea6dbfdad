"""A function as it stands, to be compared with what a pass makes of it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import NamedTuple

from .form import (
    Array,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Jump,
    Position,
    Return,
    TrapTerminator,
    Type,
    Value,
)

MAKE_ARRAYS = ("new", "global", "select", "call")


class Snapshot(NamedTuple):
    """A copy of the function: its own blocks and instructions, but the same values."""

    function: Function
    # by block of the function: its copy
    of: dict[Block, Block]
    # the types of arrays and of the function's parameters
    types: dict[Value, Type]
    # the parameters' names, and where they are
    params: dict[Value, tuple[str, Position | None]]
    # by instruction of the function: its copy
    copies: dict[Instruction, Instruction]

    def retyped(self) -> set[Value]:
        """The arrays and parameters whose type has changed since."""
        return {value for value, type_ in self.types.items() if value.type != type_}

    def is_called_alike(self, function: Function) -> bool:
        """Whether callers, and messages, still see the same name, parameters and results."""
        was = self.function
        return (
            was.name == function.name
            and was.results == function.results
            and was.interface == function.interface
            and was.inline == function.inline
            and same_position(was.position, function.position)
            and all(
                param.name == name and same_position(param.position, position)
                for param, (name, position) in self.params.items()
            )
        )

    def restore(self, function: Function) -> None:
        """Restores the function, in the snapshot's blocks."""
        for field in fields(function):
            setattr(function, field.name, getattr(self.function, field.name))
        for value, type_ in self.types.items():
            value.type = type_
        for param, (name, position) in self.params.items():
            param.name, param.position = name, position

    def is_still(self, function: Function) -> bool:
        """Whether the function has not changed since."""
        return (
            len(function.blocks) == len(self.of)
            and all(map(self._is_still, self.function.blocks, function.blocks))
            and not self.retyped()
            and self.is_called_alike(function)
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
            and (not isinstance(end, TrapTerminator) or same_trap(ended, end))
        )


def snapshot(function: Function, last: Snapshot | None = None) -> Snapshot:
    """A snapshot, which shares with the last one the copies of instructions that have not changed since."""
    of = {block: Block(block.name, list(block.params)) for block in function.blocks}
    known = {} if last is None else last.copies
    copies: dict[Instruction, Instruction] = {}

    def edge(old: Edge) -> Edge:
        return Edge(of[old.block], list(old.args))

    for block, copy in of.items():
        for i in block.instructions:
            was = known.get(i)
            if was is None or not _is_same(was, i):
                was = Instruction(i.op, list(i.args), list(i.results), i.attribute, i.position)
            copies[i] = was
            copy.instructions.append(was)
        match block.terminator:
            case Jump(to):
                copy.terminator = Jump(edge(to))
            case Branch(condition, then, otherwise):
                copy.terminator = Branch(condition, edge(then), edge(otherwise))
            case Return(args):
                copy.terminator = Return(list(args))
            case TrapTerminator(message, position):
                copy.terminator = TrapTerminator(message, position)
    was = replace(function, blocks=list(of.values()), results=list(function.results))
    params = {param: (param.name, param.position) for param in function.params}
    return Snapshot(was, of, _types(function), params, copies)


def _types(function: Function) -> dict[Value, Type]:
    types = {param: param.type for param in function.params}
    for block in function.blocks:
        types.update((param, param.type) for param in block.params if isinstance(param.type, Array))
        for i in block.instructions:
            if i.op in MAKE_ARRAYS:
                types.update((result, result.type) for result in i.results if isinstance(result.type, Array))
    return types


def _is_same(was: Instruction, i: Instruction) -> bool:
    return (
        was.op == i.op
        and was.args == i.args
        and was.results == i.results
        and same_attribute(was, i)
        and same_position(was.position, i.position)
    )


def same_attribute(was: Instruction, i: Instruction) -> bool:
    """Whether both have one attribute: True is no 1."""
    return was.attribute == i.attribute and type(was.attribute) is type(i.attribute)


def same_position(was: Position | None, now: Position | None) -> bool:
    """Whether both are one place, from its start to its end, inlined by the same calls."""
    return was is now or (was is not None and was == now and (was.end, was.callers) == (now.end, now.callers))


def same_trap(was: TrapTerminator, end: TrapTerminator) -> bool:
    return was.message == end.message and same_position(was.position, end.position)
