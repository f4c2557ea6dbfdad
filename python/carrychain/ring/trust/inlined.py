"""Shows that a function does the same after calls were replaced by their callees' blocks.

Both forms are walked together. Each block and value of the function before has one that stands for it, and
nothing stands for two. Operations, attributes, traps' messages and what edges pass are compared one to one.
Where a call is left out, the block ends and jumps to a copy of the callee's blocks. There an argument stands
for each parameter, and each return jumps to one block, which goes on behind the call and whose parameters
stand for the call's results. A copy is compared with its callee in the same way, but for one thing: it calls
what the callee calls.

So by induction over the steps both runs do the same: between two calls they take the same steps on the same
values; in a copy, those that the callee takes on the arguments. The callee is the function that is compiled
under that name, which does what it did before: it was shown earlier, or put back. What is not yet shown, as
of functions that call each other, is not accepted as a copy. No value is overwritten while something else
stands for it, for each is defined in one place. Since a call traps where an argument is not of its
parameter's type, and a copy does not, each argument must be shown to be of that type.

Positions are compared, too: those of a copy name the call for which it is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..ir.errors import CheckError
from ..ir.form import (
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Position,
    Return,
    TrapTerminator,
    Type,
    Value,
    signed,
    unsigned,
)
from ..ir.snapshot import Snapshot


def check_inlined(before: Snapshot, after: Function, callees: Mapping[str, Function]) -> None:
    """CheckError, if the function is not shown to do what it did; the callees have been shown."""
    _Inlined(before, after, callees).check()


@dataclass(eq=False)
class _Copy:
    """The function's own blocks, or those of a callee for one call."""

    # what stands for its values and blocks
    values: dict[Value, Value] = field(default_factory=dict)
    blocks: dict[Block, Block] = field(default_factory=dict)
    # the calls that it is there for, the innermost first
    callers: tuple[Position, ...] = ()
    positions: dict[int, Position] = field(default_factory=dict)
    # the call, the block that it stands in and where; and the block that goes on behind it
    call: tuple[Block, int] | None = None
    behind: Block | None = None


class _Inlined:
    def __init__(self, before: Snapshot, after: Function, callees: Mapping[str, Function]):
        self.before, self.of = before.function, before.of
        self.retyped = before.retyped()
        self.after = after
        self.callees = callees
        self.made = {r: i for i in self.before.instructions() for r in i.results}
        self.own = _Copy()
        self.stand: set[Block | Value] = set()
        # what is to be compared: a block from one of its instructions on, and the block that stands for that
        self.todo: list[tuple[_Copy, Block, int, Block]] = []

    def refused(self, where: object, what: str) -> CheckError:
        return CheckError(
            f"@{self.after.name}: {where}: {what}", getattr(where, "position", self.after.position)
        )

    def check(self) -> None:
        first, entry = self.before.blocks[0], self.after.blocks[0]
        if self.of.get(entry) is not first or entry.params != first.params:
            raise self.refused(entry.name, "the function begins elsewhere")
        for value in self.retyped:
            raise self.refused(value, "it was of another type")
        made = [*self.after.blocks, *self.after.values()]
        if len(set(made)) != len(made):
            raise self.refused(entry.name, "a value or block is there twice")
        self._enter(self.own, first, entry)
        while self.todo:
            self._block(*self.todo.pop())
        if not self.stand <= set(made):
            raise self.refused(entry.name, "a block is not among the function's")

    def _enter(self, copy: _Copy, block: Block, after: Block) -> None:
        self._bind(copy, block.params, after.params, block.name)
        self._stands(copy, block, after)

    def _stands(self, copy: _Copy, block: Block, after: Block) -> None:
        self._once(after, after.name)
        copy.blocks[block] = after
        self.todo.append((copy, block, 0, after))

    def _once(self, each: Block | Value, where: object) -> None:
        if each in self.stand:
            raise self.refused(where, f"{each} stands for two")
        self.stand.add(each)

    def _bind(self, copy: _Copy, were: list[Value], now: list[Value], where: object) -> None:
        """These are what those were, and are defined here."""
        if [value.type for value in were] != [value.type for value in now]:
            raise self.refused(where, "it yields other types")
        for was, value in zip(were, now, strict=True):
            self._once(value, where)
            copy.values[was] = value

    # One to one ------------------------------------------------------------------------------

    def _block(self, copy: _Copy, block: Block, at: int, after: Block) -> None:
        rest = block.instructions[at:]
        if len(after.instructions) > len(rest):
            raise self.refused(after.name, "it does more")
        for was, i in zip(rest, after.instructions, strict=False):
            self._instruction(copy, was, i)
        at += len(after.instructions)
        if at == len(block.instructions):
            self._end(copy, block, after)
        else:
            self._call(copy, block, at, after)

    def _instruction(self, copy: _Copy, was: Instruction, i: Instruction) -> None:
        if (was.op, was.attribute, type(was.attribute)) != (i.op, i.attribute, type(i.attribute)):
            raise self.refused(i, f"it was {was}")
        self._same(copy, was.args, i.args, i)
        self._placed(copy, was.position, i.position, i)
        self._bind(copy, was.results, i.results, i)

    def _same(self, copy: _Copy, were: list[Value], now: list[Value], where: object) -> None:
        if [copy.values.get(was) for was in were] != now:
            raise self.refused(where, f"it takes {now} for {were}")

    def _placed(self, copy: _Copy, was: Position | None, now: Position | None, where: object) -> None:
        if was is now is None or (was is not None and copy.positions.get(id(was)) is now):
            return
        if (
            was is None
            or now is None
            or (was.file, was.line, was.column) != (now.file, now.line, now.column)
            or was.callers + copy.callers != now.callers
        ):
            raise self.refused(where, "its position is another")
        copy.positions[id(was)] = now

    def _end(self, copy: _Copy, block: Block, after: Block) -> None:
        match block.terminator, after.terminator:
            case Jump(was), Jump(to):
                self._edge(copy, was, to, after)
            case Branch(was, then_was, otherwise_was), Branch(condition, then, otherwise):
                self._same(copy, [was], [condition], after.name)
                self._edge(copy, then_was, then, after)
                self._edge(copy, otherwise_was, otherwise, after)
            case Return(were), Return(args) if copy is self.own:
                self._same(copy, were, args, after.name)
            case Return(were), Jump(to) if copy is not self.own:
                self._same(copy, were, to.args, after.name)
                self._back(copy, to.block)
            case TrapTerminator(was, was_at), TrapTerminator(message, position) if was == message:
                self._placed(copy, was_at, position, after.name)
            case was, end:
                raise self.refused(after.name, f"it ends with {end}, and was to end with {was}")

    def _edge(self, copy: _Copy, was: Edge, edge: Edge, after: Block) -> None:
        self._same(copy, was.args, edge.args, after.name)
        if was.block not in copy.blocks:
            self._enter(copy, was.block, edge.block)
        if copy.blocks[was.block] is not edge.block or len(edge.args) != len(edge.block.params):
            raise self.refused(after.name, f"it leads to {edge.block.name} instead of {was.block.name}")

    # Calls -----------------------------------------------------------------------------------

    def _call(self, copy: _Copy, block: Block, at: int, after: Block) -> None:
        call, end = block.instructions[at], after.terminator
        callee = self.callees.get(call.attribute) if call.op == "call" and copy is self.own else None
        if callee is None or not isinstance(end, Jump) or end.to.args or end.to.block.params:
            raise self.refused(after.name, f"{call} is gone")
        args = [copy.values.get(arg) for arg in call.args]
        if len(args) != len(callee.params):
            raise self.refused(call, "the callee takes another number of arguments")
        for was, param in zip(call.args, callee.params, strict=True):
            if not self._is_of(was, param.type):
                raise self.refused(call, f"{was} is not shown to be a {param.type}")
        callers = (call.position, *call.position.callers) if call.position else ()
        inner = _Copy(dict(zip(callee.params, args, strict=True)), callers=callers, call=(block, at))
        self._stands(inner, callee.blocks[0], end.to.block)

    def _back(self, copy: _Copy, behind: Block) -> None:
        """The callee returns: to what goes on behind the call."""
        block, at = copy.call
        if copy.behind is None:
            copy.behind = behind
            self._bind(self.own, block.instructions[at].results, behind.params, behind.name)
            self._once(behind, behind.name)
            self.todo.append((self.own, block, at + 1, behind))
        if copy.behind is not behind:
            raise self.refused(behind.name, "a call returns to two places")

    def _is_of(self, value: Value, type_: Type) -> bool:
        """Whether the value is of a parameter's type."""
        if not isinstance(type_, Int):
            return value.type == type_
        return _within(self._type(value), type_)

    def _type(self, value: Value) -> Int:
        """What the value is sure to be of."""
        made = self.made.get(value)
        if made is None:
            return value.type if value in self.before.params else Int()
        match made.op:
            case "const":
                return Int(made.attribute, made.attribute)
            case "narrow" | "assume":
                return made.attribute
            case "low" | "rotl" | "load_le" | "load_be":
                return unsigned(made.attribute)
            case "field":
                return signed(made.attribute)
            case "load":
                return made.args[0].type.element
        return Int()


def _within(inner: Int, outer: Int) -> bool:
    return (outer.low is None or (inner.low is not None and outer.low <= inner.low)) and (
        outer.high is None or (inner.high is not None and inner.high <= outer.high)
    )
