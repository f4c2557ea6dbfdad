"""A function as it stands, to be compared with what a pass makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, fields, replace

from .dominance import DominatorTree
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
    Terminator,
    TrapTerminator,
    Type,
    Value,
)

MAKE_ARRAYS = ("new", "global", "select", "call")


@dataclass(eq=False)
class Snapshot:
    """A copy of the function: its own blocks and instructions, but the same values."""

    function: Function
    # by block of the function: its copy
    of: dict[Block, Block]
    # the types of arrays and of the function's parameters
    types: dict[Value, Type] = field(default_factory=dict)
    # the parameters' names, and where they are
    params: dict[Value, tuple[str, Position | None]] = field(default_factory=dict)
    # where each value is defined, in the copies and in the function: by an instruction, in a block
    made: dict[Value, Instruction] = field(default_factory=dict)
    home: dict[Value, Block] = field(default_factory=dict)
    made_there: dict[Value, Instruction] = field(default_factory=dict)
    home_there: dict[Value, Block] = field(default_factory=dict)
    # by parameter of a block: the block's copy, and its index
    places: dict[Value, tuple[Block, int]] = field(default_factory=dict)
    # by block of the function: the values from other blocks that it uses, if they were asked for
    taken: dict[Block, list[Value]] = field(default_factory=dict)
    # the dominators of the function's blocks, if they were asked for
    tree: DominatorTree[Block] | None = None

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
        for each in fields(function):
            setattr(function, each.name, getattr(self.function, each.name))
        for value, type_ in self.types.items():
            value.type = type_
        for param, (name, position) in self.params.items():
            param.name, param.position = name, position

    def is_still(self, function: Function) -> bool:
        """Whether the function has not changed since."""
        return (
            list(map(self.of.get, function.blocks)) == self.function.blocks
            and all(map(self._is_still, self.function.blocks, function.blocks))
            and not self.retyped()
            and self.is_called_alike(function)
        )

    def still(self, function: Function) -> set[Block]:
        """The function's blocks that have not changed since; each leads to blocks that it led to."""
        of = self.of
        return {block for block in function.blocks if block in of and self._is_still(of[block], block)}

    def _is_still(self, was: Block, block: Block) -> bool:
        return (
            was.params == block.params
            and len(was.instructions) == len(block.instructions)
            and _are_same(was.instructions, block.instructions)
            and self._ends_alike(was.terminator, block.terminator)
        )

    def _ends_alike(self, was: Terminator, end: Terminator) -> bool:
        match end, was:
            case Jump(), Jump():
                return self._is_same_edge(was.to, end.to)
            case Branch(), Branch():
                return (
                    was.condition is end.condition
                    and self._is_same_edge(was.then, end.then)
                    and self._is_same_edge(was.otherwise, end.otherwise)
                )
            case Return(), Return():
                return was.args == end.args
            case TrapTerminator(), TrapTerminator():
                return same_trap(was, end)
        return False

    def _is_same_edge(self, was: Edge, edge: Edge) -> bool:
        return self.of.get(edge.block) is was.block and was.args == edge.args

    def leads_alike(self, function: Function, still: Set[Block]) -> bool:
        """Whether the function has the same blocks, with the same edges. `still` are unchanged blocks."""
        of = self.of
        return len(function.blocks) == len(of) and all(
            block in still
            or (
                block in of
                and [of.get(edge.block) for edge in block.terminator.edges]
                == [edge.block for edge in of[block].terminator.edges]
            )
            for block in function.blocks
        )

    def follow(self, function: Function, still: Set[Block]) -> None:
        """Becomes a snapshot of the function as it stands, in place.

        `still` are its blocks that have not changed since: their copies are kept, as are those of other
        instructions that have not changed.
        """
        if not self.leads_alike(function, still):
            self.tree = None
        kept = self._forget(function, still)
        of = self.of
        self.of = {block: of.get(block) or Block(block.name) for block in function.blocks}
        for block in function.blocks:
            if block not in still:
                self._copy(block, kept)
        blocks = list(self.of.values())
        self.function = replace(function, blocks=blocks, results=list(function.results))
        self.params = {param: (param.name, param.position) for param in function.params}
        self.types.update((param, param.type) for param in function.params)
        for value in self.types:
            self.types[value] = value.type

    def _forget(self, function: Function, still: Set[Block]) -> dict[Instruction, Instruction]:
        """Forgets what the other blocks defined, except by instructions that have not changed.

        Returns these: by instruction of the function, its copy.
        """
        there, kept = set(function.blocks), {}
        for block, copy in self.of.items():
            if block in still:
                continue
            self.taken.pop(block, None)
            for param in copy.params:
                for known in (self.home, self.home_there, self.places, self.types):
                    known.pop(param, None)
            now = set(block.instructions) if block in there else ()
            for was in copy.instructions:
                i = self.made_there.get(was.results[0]) if was.results else None
                if i in now and _are_same((was,), (i,)):
                    kept[i] = was
                    continue
                for result in was.results:
                    for known in (self.home, self.home_there, self.made, self.made_there, self.types):
                        known.pop(result, None)
        return kept

    def _copy(self, block: Block, kept: dict[Instruction, Instruction]) -> None:
        copy = self.of[block]
        copy.params, copy.instructions = list(block.params), []
        for at, param in enumerate(block.params):
            self.home[param], self.home_there[param], self.places[param] = copy, block, (copy, at)
            if isinstance(param.type, Array):
                self.types[param] = param.type
        for i in block.instructions:
            was = kept.get(i)
            if was is not None:
                copy.instructions.append(was)
                continue
            was = Instruction(i.op, list(i.args), list(i.results), i.attribute, i.position)
            copy.instructions.append(was)
            for result in i.results:
                self.home[result], self.home_there[result] = copy, block
                self.made[result], self.made_there[result] = was, i
                if i.op in MAKE_ARRAYS and isinstance(result.type, Array):
                    self.types[result] = result.type
        match block.terminator:
            case Jump(to):
                copy.terminator = Jump(self._edge(to))
            case Branch(condition, then, otherwise):
                copy.terminator = Branch(condition, self._edge(then), self._edge(otherwise))
            case Return(args):
                copy.terminator = Return(list(args))
            case TrapTerminator(message, position):
                copy.terminator = TrapTerminator(message, position)

    def _edge(self, edge: Edge) -> Edge:
        return Edge(self.of[edge.block], list(edge.args))

    def taken_by(self, block: Block) -> list[Value]:
        """The values from other blocks that a block of the function uses, which has not changed since."""
        taken = self.taken.get(block)
        if taken is None:
            end = block.terminator
            used = {arg: None for i in block.instructions for arg in i.args}
            used.update(dict.fromkeys(end.args))
            for edge in end.edges:
                used.update(dict.fromkeys(edge.args))
            taken = [value for value in used if self.home_there.get(value) is not block]
            self.taken[block] = taken
        return taken


def snapshot(function: Function) -> Snapshot:
    made = Snapshot(function, {})
    made.follow(function, frozenset())
    return made


def _are_same(were: Iterable[Instruction], now: Iterable[Instruction]) -> bool:
    for was, i in zip(were, now, strict=True):
        if was.op != i.op or was.args != i.args or was.results != i.results:
            return False
        if not (was.attribute is i.attribute or same_attribute(was, i)):
            return False
        if was.position is not i.position and not same_position(was.position, i.position):
            return False
    return True


def same_attribute(was: Instruction, i: Instruction) -> bool:
    """Whether both have one attribute: True is no 1."""
    a, b = was.attribute, i.attribute
    return a is b or (a == b and type(a) is type(b))


def same_position(was: Position | None, now: Position | None) -> bool:
    """Whether both are one place, from its start to its end, inlined by the same calls."""
    return was is now or (was is not None and was == now and (was.end, was.callers) == (now.end, now.callers))


def same_trap(was: TrapTerminator, end: TrapTerminator) -> bool:
    return was.message == end.message and same_position(was.position, end.position)
