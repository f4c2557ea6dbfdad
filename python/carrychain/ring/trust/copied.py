"""Shows that a function's copies for narrower arguments do what the function does.

A program is compiled with copies of one function: for integers that are words, for lists of words, for short
arrays, and one whose results are words, too. Callers ensure that the arguments are of the copy's parameter
types. So nothing else may differ, apart from what is stated here. Each copy is walked beside the function, as
`inlined` does: blocks, instructions, terminators and positions correspond one to one, and each value of the
copy stands for a value of the function. The copy may have more, if it cannot fail and has no effect:

- constants, lengths, and comparisons with constants, which are used in branches of the copy's own. Behind
  such a branch, its condition is known to hold.
- `narrow`, if what is known shows that its argument is of the type: it stands for its argument.
- a branch of the copy's own, if both ways do the same, and then meet: each passes values that stand for the
  same ones. In a copy for results that are words, one way may give up instead: then the caller calls the
  function. The function must not have stored anything that outlives it.
- a call of another copy in place of the function, if the arguments are of its types, and its arrays are as
  short as it assumes.

Lengths need not correspond: an array's length never changes. A copy for short arrays may assume of its own
arrays' lengths what its calls are shown to ensure.

By induction over the steps, both runs do the same on the same numbers, until the copy gives up. A value
stands for the other's latest definition: it is defined in the same step, or in a block that this step
dominates.

A list whose elements have a narrower type is a parameter, and stays in the function or goes to copies that
take such a list. `check_elements` shows that all stored numbers fit, by ranges that are checked for the copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..facts.plan import Range
from ..ir.callgraph import calls
from ..ir.errors import CheckError
from ..ir.form import (
    INT,
    Array,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Module,
    Return,
    TrapTerminator,
    Type,
    Value,
)
from ..ir.snapshot import same_attribute, same_position, same_trap
from .check import check_ranges
from .equal_values import BlockRanges, Ranges
from .narrow_elements import check_elements

LIST = Array(INT)
# What a value of the copy stands for: a value of the function, or the length of an array.
Number = Value | tuple[str, Value]
KnownEnds = dict[Number, tuple[int, int]]


@dataclass
class Copies:
    """A program with copies of one function, and what they claim."""

    module: Module
    # the function that they are copies of
    name: str
    # copies for short arrays, and the most elements
    short: dict[str, int] = field(default_factory=dict)
    # copies that may give up, and the message of the trap
    strict: dict[str, str] = field(default_factory=dict)
    # the ranges of copies for lists of words
    ranges: dict[str, tuple[Ranges, BlockRanges]] = field(default_factory=dict)
    # the ranges of other functions' results, which have been checked
    returned: dict[str, list[Range]] = field(default_factory=dict)

    def of(self, name: str, before: Module) -> str:
        return name if name in before.functions else self.name


def check_copies(before: Module, inlined: Module, copies: Copies) -> None:
    """Raises CheckError, unless each function with copies does what it did.

    `inlined` has the functions with their calls inlined, which have been shown to do the same.
    """
    if not before.functions.keys() <= copies.module.functions.keys() or before.arrays != copies.module.arrays:
        raise CheckError("a function or array is missing")
    passing: set[str] = set()
    for name, function in copies.module.functions.items():
        was = before.functions[copies.of(name, before)]
        forms = [was] if name in before.functions else [inlined.functions[copies.name], was]
        error = _differs(forms, function, before, copies)
        if error is not None:
            if was.name != copies.name or _differs([_call_of(was)], function, before, copies) is not None:
                raise error
            passing.add(name)
    for name in passing:
        if passing & calls(copies.module.functions[name]):
            raise CheckError(f"@{name}: it only calls what only calls others")
    if copies.strict and _stored(before)[copies.name]:
        raise CheckError(f"@{copies.name}: it stores to what outlives it, and has a copy that may give up")
    for name, (ranges, facts) in copies.ranges.items():
        check_ranges(copies.module.functions[name], ranges, facts, before, copies.returned)


def _differs(forms: list[Function], function: Function, before: Module, copies: Copies) -> CheckError | None:
    """Why the function does what none of these forms does: what keeps it from being the first."""
    errors: list[CheckError] = []
    for form in forms:
        try:
            _Copied(form, function, before, copies).check()
        except CheckError as error:
            errors.append(error)
        else:
            return None
    return errors[0]


def _call_of(function: Function) -> Function:
    """A function that does nothing but call this one."""
    params = [Value(p.name, p.type, p.position) for p in function.params]
    results = [Value("", type_) for type_ in function.results]
    call = Instruction("call", list(params), results, function.name)
    entry = Block("", params, [call], Return(list(results)))
    return Function(function.name, function.results, [entry], function.position, interface=function.interface)


def _stored(module: Module) -> dict[str, set[int | None]]:
    """By function: the parameters whose arrays it may store to; None for others that outlive it."""
    sources = {name: _sources(function) for name, function in module.functions.items()}
    stored: dict[str, set[int | None]] = {name: set() for name in module.functions}
    while True:
        was = {name: set(found) for name, found in stored.items()}
        for name, function in module.functions.items():
            for i in function.instructions():
                if i.op == "store":
                    stored[name] |= sources[name][i.args[0]]
                elif i.op == "call":
                    called = stored[i.attribute]
                    stored[name] |= called & {None}
                    for at in called - {None}:
                        stored[name] |= sources[name][i.args[at]]
        if stored == was:
            return stored


def _sources(function: Function) -> dict[Value, set[int | None]]:
    """Where each array may come from: the parameters, or None for elsewhere. One made here has no source."""
    found: dict[Value, set[int | None]] = {v: set() for v in function.values() if isinstance(v.type, Array)}
    flows: list[tuple[Value, Value]] = []
    for at, param in enumerate(function.params):
        if param in found:
            found[param].add(at)
    for i in function.instructions():
        for result in i.results:
            if result in found and i.op == "select":
                flows += [(result, arg) for arg in i.args[1:]]
            elif result in found and i.op != "new":
                found[result].add(None)
    for block in function.blocks:
        for edge in block.terminator.edges:
            flows += [each for each in zip(edge.block.params, edge.args, strict=True) if each[0] in found]
    changed = True
    while changed:
        changed = False
        for to, value in flows:
            if not found[value] <= found[to]:
                found[to] |= found[value]
                changed = True
    return found


class _Copied:
    def __init__(self, was: Function, now: Function, before: Module, copies: Copies):
        self.was, self.now = was, now
        self.before, self.copies = before, copies
        # what each value stands for
        self.numbers: dict[Value, Number] = {}
        # the copy's own constants and conditions
        self.constants: dict[Value, int] = {}
        self.conditions: dict[Value, list[tuple[Number, int | None, int | None]]] = {}
        self.made = {r: i for i in was.instructions() for r in i.results if i.op == "len"}
        # by block of the function, the copy's; and the copy's blocks that were walked
        self.blocks: dict[Block, Block] = {}
        self.walked: set[Block] = set()
        self.todo: list[tuple[Block, Block, KnownEnds]] = []
        self.lists: set[Value] = set()

    def refused(self, where: object, what: str) -> CheckError:
        return CheckError(f"@{self.now.name}: {where}: {what}", getattr(where, "position", None))

    def check(self) -> None:
        was, now = self.was, self.now
        if self.copies.module.functions.get(now.name) is not now:
            raise self.refused(now.name, "it has another name")
        if was.interface != now.interface or not same_position(was.position, now.position):
            raise self.refused(now.name, "it has another interface or position")
        strict = now.name in self.copies.strict
        for before, after in _pairs(was.results, now.results):
            if before != after and not (strict and before == INT and isinstance(after, Int)):
                raise self.refused(now.name, f"it returns {after} instead of {before}")
        if len(was.results) != len(now.results) or len(was.params) != len(now.params):
            raise self.refused(now.name, "it has other parameters or results")
        facts: KnownEnds = {}
        for before, param in zip(was.params, now.params, strict=True):
            narrower = before.type == INT and isinstance(param.type, Int)
            if before.name != param.name or not (narrower or self._holds(before.type, param)):
                raise self.refused(param, "it is another parameter")
            if now.name in self.copies.short and isinstance(param.type, Array):
                facts["len", before] = 0, self.copies.short[now.name]
        self._enter(was.blocks[0], now.blocks[0], facts)
        while self.todo:
            self._block(*self.todo.pop())
        if not self.walked <= set(now.blocks):
            raise self.refused(now.name, "a block is reachable, but not in the function")
        if self.lists:
            if now.name not in self.copies.ranges:
                raise self.refused(now.name, "nothing shows what its lists hold")
            check_elements(now, self.lists, self.copies.ranges[now.name][0])

    # Values ----------------------------------------------------------------------------------

    def _holds(self, type_: Type, value: Value) -> bool:
        """Whether the value's type is this one, or that of a list of words in place of a list."""
        if type_ == value.type:
            return True
        if type_ != LIST or not isinstance(value.type, Array) or value.type.text:
            return False
        self.lists.add(value)
        return None not in (value.type.element.low, value.type.element.high)

    def _number(self, value: Value) -> Number:
        """What a value of the function is."""
        length = self.made.get(value)
        return value if length is None else ("len", length.args[0])

    def _stands(self, were: Iterable[Value], now: Iterable[Value]) -> bool:
        """Whether the copy's values stand for these."""
        return list(map(self._number, were)) == list(map(self.numbers.get, now))

    def _bind(self, were: list[Value], now: list[Value], where: object) -> None:
        if len(were) != len(now):
            raise self.refused(where, "it defines other values")
        for was, value in zip(were, now, strict=True):
            if value in self.numbers:
                raise self.refused(where, f"{value} is defined twice")
            self.numbers[value] = self._number(was)

    # Blocks ----------------------------------------------------------------------------------

    def _enter(self, was: Block, now: Block, facts: KnownEnds) -> None:
        self._bind(was.params, now.params, now.name)
        for before, param in zip(was.params, now.params, strict=True):
            if was is not self.was.blocks[0] and not self._holds(before.type, param):
                raise self.refused(param, f"it is of type {param.type} instead of {before.type}")
        self.blocks[was] = now
        self.todo.append((was, now, facts))

    def _block(self, was: Block, now: Block, facts: KnownEnds, at: int = 0) -> None:
        """Walks both blocks to their ends; and what follows the copy's own branches."""
        while True:
            at = self._instructions(was, at, now, facts)
            end = now.terminator
            if not (isinstance(end, Branch) and end.condition in self.conditions):
                self._end(was, at, now)
                return
            holds = self._known(facts, self.conditions[end.condition])
            if end.then.args or end.otherwise.args:
                raise self.refused(now.name, "its own branch passes values")
            if self._gives_up(end.otherwise.block):
                now, facts = end.then.block, holds
                continue
            met = [
                self._way(was, at, way, known)
                for way, known in ((end.then.block, holds), (end.otherwise.block, facts))
            ]
            if met[0] is None and met[1] is None:
                return
            if None in met or met[0][0] is not met[1][0] or met[0][1:] != met[1][1:]:
                raise self.refused(now.name, "both ways of its own branch do not meet")
            now, at, numbers = met[0]
            for number, param in _pairs(numbers, now.params):
                type_ = number.type if isinstance(number, Value) else INT
                if param in self.numbers or not self._holds(type_, param):
                    raise self.refused(now.name, f"{param} is not what meets there")
                self.numbers[param] = number
            facts = {}

    def _way(self, was: Block, at: int, now: Block, facts: KnownEnds) -> tuple[Block, int, list] | None:
        """One way of the copy's own branch: to where it goes on, and with what; None if it returns."""
        at = self._instructions(was, at, now, facts)
        end = now.terminator
        if isinstance(end, Return):
            self._end(was, at, now)
            return None
        if now.params or not isinstance(end, Jump):
            raise self.refused(now.name, "a way of its own branch does something else")
        numbers = [self.numbers.get(arg) for arg in end.to.args]
        if None in numbers:
            raise self.refused(now.name, "passes what the function has not")
        for arg, param in _pairs(end.to.args, end.to.block.params):
            if arg.type != param.type:
                raise self.refused(now.name, f"passes {arg} as {param.type}")
        return end.to.block, at, numbers

    def _gives_up(self, block: Block) -> bool:
        message = self.copies.strict.get(self.now.name)
        end = block.terminator
        return (
            message is not None
            and not block.instructions
            and isinstance(end, TrapTerminator)
            and end.message == message
        )

    def _instructions(self, was: Block, at: int, now: Block, facts: KnownEnds) -> int:
        """Walks the copy's instructions; returns how many of the function's have been done."""
        if now in self.walked:
            raise self.refused(now.name, "it stands in two places")
        self.walked.add(now)
        for i in now.instructions:
            while at < len(was.instructions) and not self._is_same(was.instructions[at], i, facts):
                if was.instructions[at].op != "len":
                    break
                at += 1
            else:
                if at < len(was.instructions):
                    self._bind(was.instructions[at].results, i.results, i)
                    at += 1
                    continue
            self._own(i, facts)
        while at < len(was.instructions) and was.instructions[at].op == "len":
            at += 1
        return at

    def _is_same(self, was: Instruction, i: Instruction, facts: KnownEnds) -> bool:
        if was.op != i.op or len(was.args) != len(i.args) or not self._stands(was.args, i.args):
            return False
        if i.op == "call":
            return self._calls(was, i, facts)
        if not same_attribute(was, i) or not same_position(was.position, i.position):
            return False
        of_arrays = i.op == "select" and isinstance(i.result.type, Array)
        if of_arrays and any(arg.type != i.result.type for arg in i.args[1:]):
            return False
        return all(
            before.type == result.type or (i.op == "select" and self._holds(before.type, result))
            for before, result in _pairs(was.results, i.results)
        )

    def _calls(self, was: Instruction, i: Instruction, facts: KnownEnds) -> bool:
        """Whether it calls the same function, or a copy of it that takes these arguments."""
        name, copies = i.attribute, self.copies
        callee = copies.module.functions.get(name)
        if callee is None or copies.of(name, self.before) != was.attribute:
            return False
        if not same_position(was.position, i.position):
            return False
        if name in copies.strict and name != self.now.name:
            return False
        params = self.before.functions[was.attribute].params
        for arg, param, before in zip(i.args, callee.params, params, strict=True):
            if arg.type != param.type and (param.type != before.type or isinstance(param.type, Array)):
                return False
            if isinstance(arg.type, Array) and name in copies.short:
                most = facts.get(("len", self.numbers[arg]), (0, None))[1]
                if most is None or most > copies.short[name]:
                    return False
        return [result.type for result in i.results] == callee.results

    def _own(self, i: Instruction, facts: KnownEnds) -> None:
        """An instruction that the function has not: it cannot fail, and has no effect."""
        numbers = [self.numbers.get(arg) for arg in i.args]
        match i.op:
            case "const" if type(i.attribute) is int:
                self.constants[i.result] = i.attribute
                return
            case "ge" | "le" if numbers[0] is not None and i.args[1] in self.constants:
                end = self.constants[i.args[1]]
                ends = (end, None) if i.op == "ge" else (None, end)
                self.conditions[i.result] = [(numbers[0], *ends)]
                return
            case "select" if i.args[0] is i.args[2] and all(arg in self.conditions for arg in i.args):
                self.conditions[i.result] = self.conditions[i.args[0]] + self.conditions[i.args[1]]
                return
            case "len" if isinstance(numbers[0], Value):
                self.numbers[i.result] = "len", numbers[0]
                return
            case "narrow" if numbers[0] in facts:
                low, high = facts[numbers[0]]
                if None not in (low, high) and low in i.attribute and high in i.attribute:
                    self.numbers[i.result] = numbers[0]
                    return
        raise self.refused(i, "the function does not do this")

    def _known(self, facts: KnownEnds, more: list[tuple[Number, int | None, int | None]]) -> KnownEnds:
        known = dict(facts)
        for number, low, high in more:
            least, most = known.get(number, (None, None))
            low = least if low is None else low if least is None else max(low, least)
            high = most if high is None else high if most is None else min(high, most)
            known[number] = low, high
        return known

    # Ends ------------------------------------------------------------------------------------

    def _end(self, was: Block, at: int, now: Block) -> None:
        before, end = was.terminator, now.terminator
        if at < len(was.instructions) or type(before) is not type(end):
            raise self.refused(now.name, f"ends with {end} where {was.name} does something else")
        if isinstance(end, TrapTerminator):
            if not same_trap(before, end):
                raise self.refused(now.name, "another trap")
            return
        if not self._stands(before.args, end.args):
            raise self.refused(now.name, f"ends with {end} instead of {before}")
        if isinstance(end, Return):
            for arg, type_, of in zip(end.args, self.now.results, self.was.results, strict=True):
                if arg.type != type_ and (type_ != of or isinstance(type_, Array)):
                    raise self.refused(now.name, f"{arg} is returned as {type_}")
        for edge, to in zip(before.edges, end.edges, strict=True):
            self._edge(edge, to, now)

    def _edge(self, was: Edge, edge: Edge, now: Block) -> None:
        if not self._stands(was.args, edge.args):
            raise self.refused(now.name, f"passes {edge.args} instead of {was.args}")
        if was.block not in self.blocks:
            self._enter(was.block, edge.block, {})
        if self.blocks[was.block] is not edge.block:
            raise self.refused(now.name, f"leads to {edge.block.name} instead of {was.block.name}")
        for arg, param in _pairs(edge.args, edge.block.params):
            if isinstance(param.type, Array) and arg.type != param.type:
                raise self.refused(now.name, f"passes {arg} as {param.type}")


def _pairs(a: list, b: list) -> Iterable[tuple]:
    return zip(a, b, strict=True)
