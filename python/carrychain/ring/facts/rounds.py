"""Finds checks of a sum that can never fail, because the loop's iterations are bounded.

A counter that ranges cannot bound is checked before each addition (counters.py). Let x and i be parameters of
a block H. Let each edge into H be one of these:

- step: i is at least its value at the last entry to H plus s, for a constant s > 0, and x at most its value
  there plus a constant M;
- start: i is at least l, and x is at most h.

Then x <= h + M (i - l) / s at every entry to H: at a start because i - l is not negative; after a step
because the right side grows by M or more, and x by no more. So if i <= u, then x <= h + M (u - l) / s, and a
check that x is no more than that never fails. The same holds with x or i negated.

For what an edge passes for x, its greatest growth over x is computed: 0 for x itself; for a sum of x and y,
the upper bound of y; for a select, or a parameter of another block, the maximum over the arguments. These
values are computed after the last entry to H if H dominates their blocks. The ranges used are those that the
checker has accepted. They hold as long as no check has failed, so the first check that fails cannot be one of
these.
"""

from __future__ import annotations

from functools import cached_property

from ..ir.dominance import Dominance
from ..ir.form import Block, Edge, Instruction, Int, Value
from .plan import ANY, Plan, Range


class Rounds:
    def __init__(self, plan: Plan):
        self.plan = plan

    @cached_property
    def _dominance(self) -> Dominance:
        return Dominance(self.plan.function)

    @cached_property
    def _made_by(self) -> dict[Value, Instruction]:
        return {r: i for i in self.plan.function.instructions() for r in i.results}

    @cached_property
    def _home(self) -> dict[Value, Block]:
        """The block of each parameter, and of each instruction's result."""
        found = {}
        for block in self._dominance.order:
            found.update(dict.fromkeys(block.params, block))
            for i in block.instructions:
                found.update(dict.fromkeys(i.results, block))
        return found

    def hold(self, check: Instruction) -> bool:
        """Whether this narrow never fails."""
        (x,), type_ = check.args, check.attribute
        if x in self._made_by or x in self.plan.function.params or self.plan.facts is None:
            return False
        return all(
            end is None or self._within(x, end, way) for end, way in ((type_.high, 1), (type_.low, -1))
        )

    def adds_up(self, x: Value) -> bool:
        """Whether an edge passes the parameter plus something other than 0 that is bounded on one side."""
        block = self._home.get(x)
        if block is None:
            return False
        passed = [edge.args[block.params.index(x)] for edge in self._edges(block)]
        return any(self._gain(value, x, way, block) not in (None, 0) for value in passed for way in (1, -1))

    def _within(self, x: Value, end: int, way: int) -> bool:
        """Whether way * x <= way * end for each value of the parameter x, where `way` is 1 or -1."""
        most = _most(self._range(x), way)
        if most is not None and most <= end * way:
            return True
        leaders = [p for p in self._home[x].params if p is not x and isinstance(p.type, Int)]
        return any(self._led(x, i, end * way, way, on) for i in leaders for on in (1, -1))

    def _led(self, x: Value, i: Value, end: int, way: int, on: int) -> bool:
        """Whether way * x <= end follows from the counter i, where on * i increases."""
        block = self._home[x]
        at_x, at_i = block.params.index(x), block.params.index(i)
        last = _most(self._range(i), on)
        steps, more, starts, first = [], [0], [], []
        for edge in self._edges(block):
            passed, led = edge.args[at_x], edge.args[at_i]
            step, gain = self._gain(led, i, -on, block), self._gain(passed, x, way, block)
            if step is not None and step < 0 and gain is not None:
                steps.append(-step)
                more.append(gain)
                continue
            start, begin = _most(self._range(passed), way), _most(self._range(led), -on)
            if start is None or begin is None:
                return False
            starts.append(start)
            first.append(-begin)
        if last is None or not steps or not starts:
            return False
        rounds = max(last - min(first), 0) // min(steps)
        return max(starts) + max(more) * rounds <= end

    def _edges(self, block: Block) -> list[Edge]:
        """The edges into the block that may be taken."""
        return [
            edge
            for before in self._dominance.before[block]
            if before in self.plan.facts
            for edge in before.terminator.edges
            if edge.block is block
        ]

    def _range(self, value: Value) -> Range:
        return self.plan.ranges.get(value, ANY)

    def _gain(
        self, value: Value, x: Value, way: int, head: Block, inside: tuple[Value, ...] = ()
    ) -> int | None:
        """An upper bound of way * (value - x), for the x with which `head` was last entered."""
        if value is x:
            return 0
        if value in inside or not self._dominance.above(head, self._home[value]):
            return None
        inside = (*inside, value)
        made = self._made_by.get(value)
        if made is None:
            if self._home[value] is head:
                return None
            at = self._home[value].params.index(value)
            return self._most_of(
                [edge.args[at] for edge in self._edges(self._home[value])], x, way, head, inside
            )
        match made.op:
            case "narrow" | "assume":
                return self._gain(made.args[0], x, way, head, inside)
            case "select":
                return self._most_of(made.args[1:], x, way, head, inside)
            case "add" | "sub":
                a, b = made.args
                for base, by, sign in ((a, b, 1 if made.op == "add" else -1), (b, a, 1)):
                    more = _most(self._range(by), way * sign)
                    if more is None or (base is b and made.op == "sub"):
                        continue
                    gain = self._gain(base, x, way, head, inside)
                    if gain is not None:
                        return gain + more
        return None

    def _most_of(self, values: list[Value], *rest) -> int | None:
        gains = [self._gain(value, *rest) for value in values]
        return None if None in gains else max(gains)


def _most(known: Range, way: int) -> int | None:
    """An upper bound of `way` times the value."""
    if way > 0:
        return known.high
    return None if known.low is None else -known.low
