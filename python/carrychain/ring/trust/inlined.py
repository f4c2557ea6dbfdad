"""Shows that a function does the same after calls were replaced by copies of their callees' blocks.

The functions before and after are walked together. Each block and value before corresponds to one after, and
no two to the same one. Operations, attributes, trap messages and the arguments of edges are compared one to
one. Where a call was inlined, its block ends with a jump to a copy of the callee's entry. In the copy, the
call's arguments take the place of the callee's parameters. Each return of the callee is a jump to one block,
which continues behind the call, and whose parameters take the place of the call's results. A copy is compared
with its callee in the same way, except that no call in it may be inlined in turn.

By induction over the steps both runs do the same: outside of copies they take the same steps on the same
values; in a copy, the steps that the callee takes on the arguments. The callee is the function that is
compiled under that name. It was validated before, or restored to its original form. A callee that has not
been validated yet, as in a cycle of calls, is not accepted as a copy. Each value is defined in one place, so
none is overwritten while it is in use. A call traps if an argument is not of its parameter's type, but a copy
does not. So each argument must be shown to be of that type.

Positions are compared, too: those in a copy name the call that it replaces.
"""

from __future__ import annotations

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


class Callees:
    """Functions that have been shown, which others may have copies of; and the values and blocks of each."""

    def __init__(self, *functions: Function):
        self.functions: dict[str, Function] = {}
        self.held: set[Block | Value] = set()
        for function in functions:
            self.add(function)

    def add(self, function: Function) -> None:
        self.functions[function.name] = function
        self.held.update(function.blocks, function.values())


def check_inlined(before: Snapshot, after: Function, callees: Callees) -> None:
    """Raises CheckError, unless the function is shown to do what it did; the callees are validated."""
    _Inlined(before, after, callees).check()


@dataclass(eq=False)
class _Copy:
    """The function's own blocks, or the copy of a callee's blocks for one call."""

    # its values and blocks before, and what corresponds to them after
    values: dict[Value, Value] = field(default_factory=dict)
    blocks: dict[Block, Block] = field(default_factory=dict)
    # the positions of the calls that it replaces, innermost first
    callers: tuple[Position, ...] = ()
    positions: dict[int, Position] = field(default_factory=dict)
    # the call, as its block and index there; and the block that continues behind it
    call: tuple[Block, int] | None = None
    behind: Block | None = None


class _Inlined:
    def __init__(self, before: Snapshot, after: Function, callees: Callees):
        self.before, self.of = before.function, before.of
        self.called_alike, self.retyped = before.is_called_alike(after), before.retyped()
        self.after = after
        self.callees = callees
        self.made = {r: i for i in self.before.instructions() for r in i.results}
        self.own = _Copy()
        self.stand: set[Block | Value] = set()
        # to be compared: a block before, from an instruction's index on, and the block after
        self.todo: list[tuple[_Copy, Block, int, Block]] = []

    def refused(self, where: object, what: str) -> CheckError:
        return CheckError(
            f"@{self.after.name}: {where}: {what}", getattr(where, "position", self.after.position)
        )

    def check(self) -> None:
        first, entry = self.before.blocks[0], self.after.blocks[0]
        if self.of.get(entry) is not first or entry.params != first.params:
            raise self.refused(entry.name, "the entry is another block, or has other parameters")
        if not self.called_alike:
            raise self.refused(entry.name, "it has another name, other parameters or results")
        for value in self.retyped:
            raise self.refused(value, "its type was changed")
        made = [*self.after.blocks, *self.after.values()]
        held = set(made)
        if len(held) != len(made):
            raise self.refused(entry.name, "a block is listed twice, or a value defined twice")
        # a pass over one of them would change the other
        if not held.isdisjoint(self.callees.held):
            raise self.refused(entry.name, "a value or block is another function's, too")
        self._enter(self.own, first, entry)
        while self.todo:
            self._block(*self.todo.pop())
        if not self.stand <= held:
            raise self.refused(entry.name, "a block is reachable, but not in the function")

    def _enter(self, copy: _Copy, block: Block, after: Block) -> None:
        self._bind(copy, block.params, after.params, block.name)
        self._stands(copy, block, after)

    def _stands(self, copy: _Copy, block: Block, after: Block) -> None:
        self._once(after, after.name)
        copy.blocks[block] = after
        self.todo.append((copy, block, 0, after))

    def _once(self, each: Block | Value, where: object) -> None:
        if each in self.stand:
            raise self.refused(where, f"{each} corresponds to two blocks or values")
        self.stand.add(each)

    def _bind(self, copy: _Copy, were: list[Value], now: list[Value], where: object) -> None:
        """The values defined here correspond to those, one to one."""
        if [value.type for value in were] != [value.type for value in now]:
            raise self.refused(where, "defines values of other types")
        for was, value in zip(were, now, strict=True):
            self._once(value, where)
            copy.values[was] = value

    # One to one ------------------------------------------------------------------------------

    def _block(self, copy: _Copy, block: Block, at: int, after: Block) -> None:
        rest = block.instructions[at:]
        if len(after.instructions) > len(rest):
            raise self.refused(
                after.name, f"has {len(after.instructions)} instructions for the {len(rest)} of {block.name}"
            )
        for was, i in zip(rest, after.instructions, strict=False):
            self._instruction(copy, was, i)
        at += len(after.instructions)
        if at == len(block.instructions):
            self._end(copy, block, after)
        else:
            self._call(copy, block, at, after)

    def _instruction(self, copy: _Copy, was: Instruction, i: Instruction) -> None:
        if (was.op, was.attribute, type(was.attribute)) != (i.op, i.attribute, type(i.attribute)):
            raise self.refused(i, f"replaces {was}")
        self._same(copy, was.args, i.args, i)
        self._placed(copy, was.position, i.position, i)
        self._bind(copy, was.results, i.results, i)

    def _same(self, copy: _Copy, were: list[Value], now: list[Value], where: object) -> None:
        if [copy.values.get(was) for was in were] != now:
            raise self.refused(where, f"has the operands {now}, which do not correspond to {were}")

    def _placed(self, copy: _Copy, was: Position | None, now: Position | None, where: object) -> None:
        if was is now is None or (was is not None and copy.positions.get(id(was)) is now):
            return
        if (
            was is None
            or now is None
            or was != now
            or was.end != now.end
            or was.callers + copy.callers != now.callers
        ):
            raise self.refused(where, "its position was changed")
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
                raise self.refused(after.name, f"ends with {end} instead of {was}")

    def _edge(self, copy: _Copy, was: Edge, edge: Edge, after: Block) -> None:
        self._same(copy, was.args, edge.args, after.name)
        if was.block not in copy.blocks:
            self._enter(copy, was.block, edge.block)
        if copy.blocks[was.block] is not edge.block or len(edge.args) != len(edge.block.params):
            raise self.refused(after.name, f"leads to {edge.block.name} instead of {was.block.name}")

    # Calls -----------------------------------------------------------------------------------

    def _call(self, copy: _Copy, block: Block, at: int, after: Block) -> None:
        call, end = block.instructions[at], after.terminator
        functions = self.callees.functions
        callee = functions.get(call.attribute) if call.op == "call" and copy is self.own else None
        if callee is None or not isinstance(end, Jump) or end.to.args or end.to.block.params:
            raise self.refused(after.name, f"{call} was removed, but not inlined")
        args = [copy.values.get(arg) for arg in call.args]
        if len(args) != len(callee.params):
            raise self.refused(
                call, f"passes {len(args)} arguments to the {len(callee.params)} parameters of the callee"
            )
        for was, param in zip(call.args, callee.params, strict=True):
            if not self._is_of(was, param.type):
                raise self.refused(call, f"{was} is not shown to be of type {param.type}")
        callers = (call.position, *call.position.callers) if call.position else ()
        inner = _Copy(dict(zip(callee.params, args, strict=True)), callers=callers, call=(block, at))
        self._stands(inner, callee.blocks[0], end.to.block)

    def _back(self, copy: _Copy, behind: Block) -> None:
        """A return of the callee: it continues behind the call, at the same block as the others."""
        block, at = copy.call
        if copy.behind is None:
            copy.behind = behind
            self._bind(self.own, block.instructions[at].results, behind.params, behind.name)
            self._once(behind, behind.name)
            self.todo.append((self.own, block, at + 1, behind))
        if copy.behind is not behind:
            raise self.refused(behind.name, "the returns of one call lead to two blocks")

    def _is_of(self, value: Value, type_: Type) -> bool:
        """Whether the value is of a parameter's type."""
        if not isinstance(type_, Int):
            return value.type == type_
        return _within(self._type(value), type_)

    def _type(self, value: Value) -> Int:
        """A type that the value has, by its definition alone."""
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
