"""Shows that a value of the function after a pass is the number that one of the function before was.

Two functions are compared, of which `rewritten` shows that their runs go side by side. A value that both have
is the same number in both; that is shown there.

Where the function after uses x in place of y, x = y is shown from the definition of y. A check yields its
argument. A select whose condition is known yields one of its operands. A parameter is x if x is defined above
the block, and each edge that may be taken passes x or the parameter itself: by induction over the entries of
the block, as x is not computed again unless the block is entered again.

This module shares no code with the passes. The ranges are those of the function before, as `check` has
established them. A comparison of the function before is decided by the order that branches imply, or by the
sets that its sides are in. In a block that no run enters the two may differ. There the order comes first, as
the sets are tighter than those of the passes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ..facts.plan import Range
from ..ir.cycles import depth_first
from ..ir.dominance import DominatorTree
from ..ir.errors import CheckError
from ..ir.form import COMPARE, DIVISION, Array, Block, Edge, Function, Instruction, Int, Value
from ..ir.snapshot import Snapshot, same_attribute
from . import bounds
from .ordered import OPPOSITE, Ordered

EFFECTS = frozenset(
    (*DIVISION, "isqrt", "expt", "narrow", "new", "load", "load_le", "load_be", "store", "call")
)
PASSED_ON = ("narrow", "assume")
ZERO = bounds.single(0)

Ranges = dict[Value, Range]
BlockRanges = dict[Block, Ranges]


class EqualValues:
    """`ranges` and `facts` hold for the function before; `facts` is keyed by the snapshot's blocks."""

    def __init__(self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges):
        # blocks of the function after that have not changed
        self.still = before.still(after)
        self.before, self.of = before.function, before.of
        self.after = after
        self.ranges, self.facts = ranges, facts
        self.made, self.home, self.params = before.made, before.home, before.places
        self.made_after, self.home_after = before.made.copy(), before.home_there.copy()
        for block, copy in before.of.items():
            if block not in self.still:
                for i in copy.instructions:
                    for result in i.results:
                        self.made_after.pop(result, None)
                        self.home_after.pop(result, None)
                for param in copy.params:
                    self.home_after.pop(param, None)
        for block in after.blocks:
            if block in self.still:
                continue
            self.home_after.update(dict.fromkeys(block.params, block))
            for i in block.instructions:
                for result in i.results:
                    self.made_after[result], self.home_after[result] = i, block
        # by block of the function before: the arguments on each edge to it that the walk has taken
        self.taken: dict[Block, list[list[Value]]] = {}
        # whether these are all
        self._walked = False
        self._wanted: list[tuple[Value, Value]] = []
        self._same: set[tuple[Value, Value]] = set()
        self._numbers: dict[Value, int | bool | None] = {}
        self._sources: dict[Value, Value] = {}
        self._sources_after: dict[Value, Value] = {}
        self._fits: dict[Int, dict[Value, bool]] = {}
        self._leads: dict[Block, list[Block]] = {}
        self._dominance: DominatorTree[Block] | None = None

    def refused(self, where: object, what: str) -> CheckError:
        return CheckError(
            f"@{self.after.name}: {where}: {what}", getattr(where, "position", self.after.position)
        )

    # What is to be shown ---------------------------------------------------------------------

    def equal(self, y: Value, x: Value) -> None:
        """Requires x, which replaces y, to be shown equal when the walk has ended."""
        if y is not x:
            if isinstance(y.type, Array) and y.type != x.type:
                raise self.refused(x, f"an array of type {x.type} instead of {y.type}")
            self._wanted.append((y, x))

    def take(self, block: Block, edge: Edge) -> None:
        """Records an edge of the function before that a run may take."""
        self.taken.setdefault(edge.block, []).append(edge.args)
        self._leads.setdefault(block, []).append(edge.block)

    def walked(self) -> None:
        """Says that all edges that a run may take are known: parameters may follow from these."""
        self._walked = True
        for known in (self._numbers, self._sources, self._sources_after, self._fits):
            known.clear()

    def derive(self) -> None:
        """Raises CheckError, unless each pair that is required to be equal is shown so."""
        while self._wanted:
            y, x = self._wanted.pop()
            if y is not x and not self._derived(y, x):
                raise self.refused(y, f"replaced by {x}, which is not shown to be equal")

    def _derived(self, y: Value, x: Value) -> bool:
        """Whether y, of the function before, equals x, if the pairs added to `_wanted` are equal."""
        y = self._source(y)
        named = x
        while named not in self.home and (same := self._one_after(named)) is not None:
            named = same
        if named in self.home and self._source(named) is y:
            return True
        x = self._source_after(x)
        if x is y or (y, x) in self._same:
            return True
        self._same.add((y, x))
        if (number := self.number(y)) is not None and same_constant(self._number_after(x), number):
            return True
        if self.shown_same(y, x):
            return True
        if y in self.params:
            block = self.params[y][0]
            # what passes x on after may be what edges pass, and not be shown to pass it on before
            return self._param_is(y, named if named in self.home and self._above(named, block) else x)
        was, new = self.made.get(y), self.made_after.get(x)
        if was is None or new is None or was.op in EFFECTS or len(was.args) != len(new.args):
            return False
        if was.op != new.op or not same_attribute(was, new):
            return False
        self._wanted += zip(was.args, new.args, strict=True)
        return True

    def passed_on(self, made: Instruction) -> Value | None:
        """The operand that the instruction, of the function before, yields unchanged, or None."""
        if made.op in PASSED_ON:
            return made.args[0]
        if made.op == "select" and (truth := self.number(made.args[0])) is not None:
            return made.args[1 if truth else 2]
        return None

    def passed_on_after(self, made: Instruction) -> Value | None:
        """The same for an instruction of the function after."""
        return EqualValues.passed_on(self, made)

    def shown_same(self, y: Value, x: Value) -> bool:
        """Whether y equals x for a reason particular to the pass; its premises are added to `_wanted`."""
        return False

    def _one(self, value: Value) -> Value | None:
        made = self.made.get(value)
        if made is not None:
            return self.passed_on(made)
        return self._only_passed(value) if self._walked and value in self.params else None

    def _only_passed(self, param: Value) -> Value | None:
        """The value that every edge passes to the parameter, if it is defined above the block."""
        block, at = self.params[param]
        passed = {args[at] for args in self.taken.get(block, ())} - {param}
        if len(passed) != 1 or block is self.before.blocks[0]:
            return None
        (value,) = passed
        return value if value in self.home and self._above(value, block) else None

    def _one_after(self, value: Value) -> Value | None:
        made = self.made_after.get(value) or self.made.get(value)
        return self.passed_on_after(made) if made is not None else None

    def _source(self, value: Value) -> Value:
        """The innermost operand that the value, of the function before, is passed on from."""
        return _last(value, self._one, self._sources)

    def _source_after(self, value: Value) -> Value:
        """The same in the function after."""
        return _last(value, self._one_after, self._sources_after)

    def _is_fitting(self, value: Value, type_: Int) -> bool:
        """Whether the range of the value, or of one that it is passed on from, is within the type."""
        path, known = [], self._fits.setdefault(type_, {})
        at: Value | None = value
        while at is not None and at not in known:
            path.append(at)
            if bounds.is_within(self.ranges.get(at), type_):
                known[at] = True
                break
            at = self._one(at)
        known.update(dict.fromkeys(path, at is not None and known[at]))
        return known[value]

    def is_nonzero(self, value: Value) -> bool:
        """Whether 0 is not in the range of the value, of the function before, or of one that it is passed on
        from."""
        path: set[Value] = set()
        at: Value | None = value
        while at is not None and at not in path:
            known = self.ranges.get(at)
            if self.number(at) or (known is not None and bounds.both(bounds.of(known), ZERO) is None):
                return True
            path.add(at)
            at = self._one(at)
        return False

    def _param_is(self, y: Value, x: Value) -> bool:
        block, at = self.params[y]
        if x not in self.home or not self._above(x, block):
            return False
        for args in self.taken.get(block, ()):
            if args[at] is not y:
                self.equal(args[at], x)
        return block is not self.before.blocks[0]

    def _above(self, x: Value, block: Block) -> bool:
        """Whether the definition of x strictly dominates the block."""
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
        """The constant that a value of the function before always is, or None."""
        if value not in self._numbers:
            self._numbers[value] = None
            self._numbers[value] = self._number(value)
        return self._numbers[value]

    def _number(self, value: Value) -> int | bool | None:
        made = self.made.get(value)
        if made is None and (only := self._one(value)) is not None:
            return self.number(only)
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
        if (known := self._by_order(i)) is not None:
            return known
        a, b = (self._set(arg, self.home[i.result]) for arg in i.args)
        if a is not None and b is not None:
            for op, outcome in ((i.op, False), (OPPOSITE[i.op], True)):
                if not _possible(op, a, b):
                    return outcome
        return None

    def _set(self, value: Value, block: Block) -> bounds.Set | None:
        """The set in which the value lies where the block uses it."""
        claim = self.ranges.get(value)
        if claim is None:
            return None
        fact = self.facts.get(block, {}).get(value) if self.home.get(value) is not block else None
        return (
            bounds.tight(bounds.of(claim)) if fact is None else bounds.both(bounds.of(claim), bounds.of(fact))
        )

    @cached_property
    def order(self) -> Ordered:
        return Ordered(self.before, self.ranges)

    def _by_order(self, i: Instruction) -> bool | None:
        block, (a, b) = self.home[i.result], i.args

        def less(x: Value, y: Value, by: int) -> bool:
            return self.order.at_most(x, y, block, by)

        op = i.op
        if op in ("eq", "ne"):
            return op == "ne" if less(a, b, 1) or less(b, a, 1) else None
        if op in ("gt", "ge"):
            op, a, b = ("lt" if op == "gt" else "le"), b, a
        gap = 1 if op == "lt" else 0
        if less(a, b, gap):
            return True
        return False if less(b, a, 1 - gap) else None


def _last(value: Value, one: Callable[[Value], Value | None], known: dict[Value, Value]) -> Value:
    """The last of what one step after the other leads to; `known` has it for values that were asked about."""
    path = []
    while value not in known:
        path.append(value)
        further = one(value)
        if further is None:
            known[value] = value
        else:
            value = further
    known.update(dict.fromkeys(path, known[value]))
    return known[value]


def same_constant(a: int | bool | None, b: int | bool | None) -> bool:
    """Whether both are the same constant, of the same type: True is not 1."""
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
