"""Shows that a function which a pass has rewritten in place does what it did before.

Both are walked together, block by block. A block stands for the one that it was, and for those that were
merged into it. What has an effect must come in the same order, with the same operands: traps, stores, loads,
allocations, calls; then branches, with the same condition; then what is returned. A value that both functions
have is one number: its definition is the same, or `changed` shows that the new one yields that number. By
induction over the steps, both runs go the same way and show the same.

Where the rewritten function uses x for y, x = y is shown from what makes y: a check passes on its argument; a
select whose condition is known yields one side; a parameter is x if each edge that may be taken passes x, or
the parameter itself, and x is defined above the block. The last is an induction over the entries of the
block: x is not computed again without the block being entered again.

Each pass that does more is shown by a class of its own over this one. Nothing here is shared with a pass. The
ranges are those of the function before, as `check` has established them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain

from ..facts.plan import Range
from ..ir.cycles import depth_first
from ..ir.dominance import DominatorTree
from ..ir.errors import CheckError
from ..ir.form import (
    COMPARE,
    DIVISION,
    Array,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Return,
    TrapTerminator,
    Value,
)
from ..ir.snapshot import Snapshot
from . import bounds
from .ordered import OPPOSITE, Ordered

EFFECTS = frozenset(
    (*DIVISION, "isqrt", "expt", "narrow", "new", "load", "load_le", "load_be", "store", "call")
)
PASSED_ON = ("narrow", "assume")
COMMUTATIVE = frozenset(("add", "mul", "and", "ior", "xor", "eqv", "nand", "nor", "gcd", "eq", "ne"))

Ranges = dict[Value, Range]
BlockRanges = dict[Block, Ranges]


class Rewritten:
    """`ranges` and `facts` are those of the function before, whose blocks are the snapshot's."""

    def __init__(self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges):
        self.before, self.of, _ = before
        self.after = after
        self.ranges, self.facts = ranges, facts
        self.made = {r: i for i in self.before.instructions() for r in i.results}
        self.made_after = {r: i for i in after.instructions() for r in i.results}
        self.values_after = set(after.values())
        self.home: dict[Value, Block] = {}
        self.params: dict[Value, tuple[Block, int]] = {}
        for block in self.before.blocks:
            for at, param in enumerate(block.params):
                self.home[param], self.params[param] = block, (block, at)
            for i in block.instructions:
                self.home.update(dict.fromkeys(i.results, block))
        self.kept = {self.of[block]: block for block in after.blocks if block in self.of}
        # what each block of the function before may be passed, on edges that the walk has taken
        self.taken: dict[Block, list[list[Value]]] = {}
        self._wanted: list[tuple[Value, Value]] = []
        self._same: set[tuple[Value, Value]] = set()
        self._numbers: dict[Value, int | bool | None] = {}
        self._leads: dict[Block, list[Block]] = {}
        self._dominance: DominatorTree[Block] | None = None

    def refused(self, where: object, what: str) -> CheckError:
        return CheckError(
            f"@{self.after.name}: {where}: {what}", getattr(where, "position", self.after.position)
        )

    # The walk --------------------------------------------------------------------------------

    def check(self) -> None:
        """CheckError, if the function is not shown to do what it did."""
        entry = self.after.blocks[0]
        if self.of.get(entry) is not self.before.blocks[0] or entry.params != self.before.blocks[0].params:
            raise self.refused(entry.name, "the function begins elsewhere")
        if len(self.values_after) != sum(1 for _ in self.after.values()):
            raise self.refused(entry.name, "a value is defined twice")
        todo, seen, there = [entry], {entry}, set(self.after.blocks)
        while todo:
            block = todo.pop()
            if block not in there:
                raise self.refused(block.name, "the block is gone, and a run may still enter it")
            self._block(block)
            for edge in block.terminator.edges:
                if edge.block not in seen:
                    seen.add(edge.block)
                    todo.append(edge.block)
        while self._wanted:
            y, x = self._wanted.pop()
            if y is not x and not self._derived(y, x):
                raise self.refused(y, f"{x} is used for it, and is not shown to be the same")

    def _block(self, after: Block) -> None:
        before = self.of.get(after)
        if before is None:
            raise self.refused(after.name, "the block stands for none that was there")
        for param in after.params:
            if self.params.get(param, (None,))[0] is not before:
                self.new_param(param, after, before)
        effects = self._effects(before)
        for i in after.instructions:
            self._there(i.args, i)
            if i.op in EFFECTS:
                self._effect(i, effects, after)
            else:
                self._pure(i, after)
        for was in effects:
            if isinstance(was, Block):
                self._end(after, was)
            else:
                self.dropped(was)

    def _effects(self, block: Block) -> Iterator[Instruction | Block]:
        """What is done from the block's entry on, and the block whose terminator ends it."""
        passed = {block}
        while True:
            for i in block.instructions:
                if i.op in EFFECTS or self._has_effect_now(i):
                    yield i
            way = self._only_way(block)
            if way is None or way.block in self.kept:
                yield block
                return
            if way.block in passed:
                raise self.refused(block.name, "a loop without an end is gone")
            passed.add(way.block)
            self._take(block, way)
            block = way.block

    def _only_way(self, block: Block) -> Edge | None:
        """Where the block leads, if there is no choice."""
        end = block.terminator
        if isinstance(end, Jump):
            return end.to
        if isinstance(end, Branch):
            truth = self.number(end.condition)
            if truth is not None:
                return end.then if truth else end.otherwise
        return None

    def _effect(self, i: Instruction, effects: Iterator[Instruction | Block], block: Block) -> None:
        if self.inserted(i, block):
            return
        for was in effects:
            if isinstance(was, Block):
                break
            if was.results == i.results and (was.op == i.op or was.results):
                self.same_effect(was, i)
                return
            self.dropped(was)
        raise self.refused(i, "nothing was done here that this does")

    def _has_effect_now(self, i: Instruction) -> bool:
        """Whether what yields the value had no effect before the pass."""
        if len(i.results) != 1:
            return False
        new = self.made_after.get(i.results[0])
        return new is not None and new.op in EFFECTS

    def _pure(self, i: Instruction, block: Block) -> None:
        (result,) = i.results
        was = self.made.get(result)
        if (
            was is not None
            and was.op == i.op
            and was.attribute == i.attribute
            and len(was.args) == len(i.args)
        ):
            if was.args == i.args:
                return
            pairs = list(zip(was.args, i.args, strict=True))
            if i.op in COMMUTATIVE and was.args == i.args[::-1]:
                return
            if self.unchanged(was, i):
                self._wanted += pairs
                return
        if result in self.home:
            if not self.changed(result, i, self.home[result], block):
                raise self.refused(i, f"it is not shown to be what {was or 'the parameter'} is")
        elif not self.added(i, block):
            raise self.refused(i, "it was not there")

    def _there(self, used: Iterable[Value], where: object) -> None:
        for value in used:
            if value not in self.values_after:
                raise self.refused(where, f"it uses {value}, which is gone")

    def _end(self, after: Block, before: Block) -> None:
        end, was = after.terminator, before.terminator
        self._there(chain(end.args, *(edge.args for edge in end.edges)), after.name)
        way = self._only_way(before)
        if isinstance(end, Jump) and way is not None:
            return self._edge(end.to, way, after, before)
        match end, was:
            case Branch(condition, then, otherwise), Branch(condition_was, then_was, otherwise_was):
                self.equal(condition_was, condition)
                self._edge(then, then_was, after, before)
                self._edge(otherwise, otherwise_was, after, before)
            case Return(args), Return(args_were):
                self._equal_all(args_were, args, after.name)
            case TrapTerminator(message, position), TrapTerminator(message_was, position_was) if (
                message,
                position,
            ) == (message_was, position_was):
                pass
            case _:
                raise self.refused(after.name, f"it ends with {end}, and was to end with {was}")

    def _take(self, block: Block, edge: Edge) -> None:
        """An edge of the function before, which a run may take."""
        self.taken.setdefault(edge.block, []).append(edge.args)
        self._leads.setdefault(block, []).append(edge.block)

    def _edge(self, edge: Edge, was: Edge, block: Block, before: Block) -> None:
        self._take(before, was)
        if self.of.get(edge.block) is not was.block:
            raise self.refused(block.name, f"it leads to {edge.block.name} instead of {was.block.name}")
        if len(edge.args) != len(edge.block.params):
            raise self.refused(block.name, f"{edge.block.name} takes other arguments")
        passed = dict(zip(was.block.params, was.args, strict=True))
        for param, arg in zip(edge.block.params, edge.args, strict=True):
            if param in passed:
                self.equal(passed[param], arg)
            else:
                self.passed(param, arg, passed, block)

    def _equal_all(self, were: list[Value], args: list[Value], where: object) -> None:
        if len(were) != len(args):
            raise self.refused(where, "it takes more or less than it did")
        for y, x in zip(were, args, strict=True):
            self.equal(y, x)

    def equal(self, y: Value, x: Value) -> None:
        """What was y is now x: to be shown when the walk has ended."""
        if y is not x:
            if isinstance(y.type, Array) and y.type != x.type:
                raise self.refused(x, f"an array of {y.type} is one of {x.type}")
            self._wanted.append((y, x))

    # What a pass may do ----------------------------------------------------------------------

    def same_effect(self, was: Instruction, i: Instruction) -> None:
        """What now yields these values, or stores, stands where the other did: it has to be the same."""
        if (was.op, was.attribute, was.position) != (i.op, i.attribute, i.position):
            raise self.refused(i, f"it was {was}")
        self._equal_all(was.args, i.args, i)

    def dropped(self, was: Instruction) -> None:
        """What has an effect is gone: refused, if it may have had it."""
        if not self.harmless(was):
            raise self.refused(was, "it is gone, and may have had an effect")

    def harmless(self, i: Instruction) -> bool:
        if i.op not in EFFECTS:
            return True
        if i.op in DIVISION:
            known, divisor = self.ranges.get(i.args[1]), self.number(i.args[1])
            return bool(divisor) or (
                known is not None and bounds.both(bounds.of(known), bounds.single(0)) is None
            )
        if i.op == "narrow":
            passed = self._passed(i.args[0])
            return any(bounds.is_within(self.ranges.get(value), i.attribute) for value in passed)
        return False

    def unchanged(self, was: Instruction, i: Instruction) -> bool:
        """Whether the operation is as it was, and only its operands are written otherwise."""
        return True

    def changed(self, result: Value, i: Instruction, home: Block, block: Block) -> bool:
        """Whether the new definition yields what the value was: a number, here."""
        return i.op == "const" and _is(self.number(result), i.attribute)

    def inserted(self, i: Instruction, block: Block) -> bool:
        """Whether the instruction is new, and is shown to have no effect where it stands."""
        return False

    def added(self, i: Instruction, block: Block) -> bool:
        """Whether a new value without effect is accounted for."""
        return False

    def new_param(self, param: Value, after: Block, before: Block) -> None:
        raise self.refused(after.name, f"{param} was not there")

    def passed(self, param: Value, arg: Value, were: dict[Value, Value], block: Block) -> None:
        """A new parameter is given the argument, where the old ones were given these."""
        raise self.refused(block.name, f"{param} was not there")

    # What is one number ----------------------------------------------------------------------

    def _derived(self, y: Value, x: Value) -> bool:
        """Whether y, of the function before, is x; what that rests on is wanted, too."""
        were, those = {x}, self._passed(y)
        while (made := self.made_after.get(x) or self.made.get(x)) is not None and (
            same := self.passed_on_after(made)
        ) is not None:
            x = same
            were.add(x)
        y = those[-1]
        if not were.isdisjoint(those) or (y, x) in self._same:
            return True
        self._same.add((y, x))
        if (number := self.number(y)) is not None and _is(self._number_after(x), number):
            return True
        if self.shown_same(y, x):
            return True
        if y in self.params:
            return self._param_is(y, x)
        was, new = self.made.get(y), self.made_after.get(x)
        if was is None or new is None or was.op in EFFECTS or len(was.args) != len(new.args):
            return False
        if (was.op, was.attribute) != (new.op, new.attribute):
            return False
        self._wanted += zip(was.args, new.args, strict=True)
        return True

    def passed_on(self, made: Instruction) -> Value | None:
        """A value of the function before that is what the instruction yields, if there is one."""
        if made.op in PASSED_ON:
            return made.args[0]
        if made.op == "select" and (truth := self.number(made.args[0])) is not None:
            return made.args[1 if truth else 2]
        return None

    def passed_on_after(self, made: Instruction) -> Value | None:
        """The same of the function as it is now."""
        return Rewritten.passed_on(self, made)

    def shown_same(self, y: Value, x: Value) -> bool:
        """Whether y is x for a reason that the pass has; what that rests on is wanted, too."""
        return False

    def _passed(self, y: Value) -> list[Value]:
        """The value, what it is passed on from, and so on."""
        found = [y]
        while (made := self.made.get(y)) is not None and (same := self.passed_on(made)) is not None:
            found.append(y := same)
        return found

    def _param_is(self, y: Value, x: Value) -> bool:
        block, at = self.params[y]
        if x not in self.home or not self._above(x, block):
            return False
        for args in self.taken.get(block, ()):
            if args[at] is not y:
                self.equal(args[at], x)
        return block is not self.before.blocks[0]

    def _above(self, x: Value, block: Block) -> bool:
        """Whether x is computed before the block is entered, on every path to it."""
        if self._dominance is None:
            order = depth_first(self.before.blocks[0], self._led_to)
            self._dominance = DominatorTree(order, self._led_to)
        home = self.home[x]
        return home is not block and home in self._dominance.number and self._dominance.above(home, block)

    def _led_to(self, block: Block) -> list[Block]:
        return self._leads.get(block, [])

    def _number_after(self, x: Value) -> int | bool | None:
        made = self.made_after.get(x)
        return made.attribute if made is not None and made.op == "const" else self.number(x)

    def number(self, value: Value) -> int | bool | None:
        """The number that a value of the function before is, if it is always the same."""
        if value not in self._numbers:
            self._numbers[value] = None
            self._numbers[value] = self._number(value)
        return self._numbers[value]

    def _number(self, value: Value) -> int | bool | None:
        made = self.made.get(value)
        if isinstance(value.type, Int):
            known = self.ranges.get(value)
            if made is not None and made.op == "const":
                return made.attribute
            return (
                known.low if known is not None and known.low is not None and known.low == known.high else None
            )
        if made is None:
            return None
        match made.op:
            case "const":
                return made.attribute
            case "not":
                truth = self.number(made.args[0])
                return None if truth is None else not truth
            case "select":
                truth = self.number(made.args[0])
                return None if truth is None else self.number(made.args[1 if truth else 2])
            case op if op in COMPARE and isinstance(made.args[0].type, Int):
                return self._outcome(made)
        return None

    def _outcome(self, i: Instruction) -> bool | None:
        a, b = (self._set(arg, self.home[i.result]) for arg in i.args)
        if a is not None and b is not None:
            for op, outcome in ((i.op, False), (OPPOSITE[i.op], True)):
                if not _possible(op, a, b):
                    return outcome
        return self._by_order(i)

    def _set(self, value: Value, block: Block) -> bounds.Set | None:
        """Where the value lies when it is used in the block."""
        claim = self.ranges.get(value)
        if claim is None:
            return None
        known = bounds.of(claim)
        fact = self.facts.get(block, {}).get(value)
        if fact is not None and self.home.get(value) is not block:
            return bounds.both(known, bounds.of(fact))
        return known

    @cached_property
    def order(self) -> Ordered:
        return Ordered(self.before, self.ranges)

    def _by_order(self, i: Instruction) -> bool | None:
        block, (a, b) = self.home[i.result], i.args

        def less(x: Value, y: Value, by: int) -> bool:
            return self.order.at_most(x, y, block, by)

        match i.op:
            case "lt" | "ge" if less(a, b, 1):
                return i.op == "lt"
            case "lt" | "ge" if less(b, a, 0):
                return i.op == "ge"
            case "le" | "gt" if less(a, b, 0):
                return i.op == "le"
            case "le" | "gt" if less(b, a, 1):
                return i.op == "gt"
            case "eq" | "ne" if less(a, b, 1) or less(b, a, 1):
                return i.op == "ne"
        return None


def _is(a: int | bool | None, b: int | bool | None) -> bool:
    """Whether both are the same constant: True is no 1."""
    return a is not None and type(a) is type(b) and a == b


def _possible(op: str, a: bounds.Set, b: bounds.Set) -> bool:
    """Whether the comparison may hold of a member of each."""
    if op in ("gt", "ge"):
        op, a, b = ("lt" if op == "gt" else "le"), b, a
    if op == "eq":
        return bounds.both(a, b) is not None
    if op == "ne":
        return not (a[0] is not None and a[0] == a[1] == b[0] == b[1])
    gap = 1 if op == "lt" else 0
    below = bounds.within(None, None if b[1] is None else b[1] - gap)
    above = bounds.within(None if a[0] is None else a[0] + gap, None)
    return bounds.both(a, below) is not None and bounds.both(b, above) is not None
