"""Shows that a range check of a running sum never fails, because a counter bounds its loop's iterations.

Let x and i be parameters of a block H, and x', i' what an edge into H passes for them. Each edge that may be
taken is of one of two kinds. A step: i' >= i + s for a constant s > 0, and x' <= x + m for a constant m,
where x and i are the values at the last entry to H. Or a start: i' >= a and x' <= b, for constants a and b.
After t steps since the last start, x <= b + m t and i >= a + s t, by induction over the entries to H. If i
never exceeds c, then t <= (c - a) / s. The other directions are the same for -x and -i. A value whose block H
dominates is computed after the last entry to H, from the values of that entry.
"""

from __future__ import annotations

from ..facts.plan import ANY, Plan
from ..ir.dominance import Dominance
from ..ir.form import Block, Edge, Instruction, Int, Value


class Induction:
    def __init__(self, plan: Plan, dominance: Dominance):
        self.plan = plan
        self.dominance = dominance
        self.made_by = {r: i for i in plan.function.instructions() for r in i.results}
        self._homes: dict[Value, Block] | None = None

    def hold(self, check: Instruction) -> bool:
        """Whether this narrow of a block's parameter never fails."""
        (x,), type_ = check.args, check.attribute
        if self.plan.facts is None or x in self.made_by or x in self.plan.function.params:
            return False
        ends = ((type_.low, -1), (type_.high, 1))
        return all(end is None or self._never_above(x, way * end, way) for end, way in ends)

    def _home(self, value: Value) -> Block:
        if self._homes is None:
            self._homes = {}
            for block in self.dominance.order:
                for v in (*block.params, *(r for i in block.instructions for r in i.results)):
                    self._homes[v] = block
        return self._homes[value]

    def _most(self, value: Value, way: int) -> int | None:
        """The greatest that way * value can be, by its range."""
        known = self.plan.ranges.get(value, ANY)
        end = known.high if way > 0 else known.low
        return None if end is None else end * way

    def _edges(self, block: Block) -> list[Edge]:
        return [
            edge
            for before in dict.fromkeys(self.dominance.before[block])
            if before in self.plan.facts
            for edge in before.terminator.edges
            if edge.block is block
        ]

    def _never_above(self, x: Value, end: int, way: int) -> bool:
        most = self._most(x, way)
        if most is not None and most <= end:
            return True
        head = self._home(x)
        return any(
            self._bounded(head, head.params.index(x), at, end, way, on)
            for at, i in enumerate(head.params)
            if i is not x and isinstance(i.type, Int)
            for on in (1, -1)
        )

    def _bounded(self, head: Block, at_x: int, at_i: int, end: int, way: int, on: int) -> bool:
        x, i = head.params[at_x], head.params[at_i]
        last = self._most(i, on)
        if last is None:
            return False
        step, more, first, begin = None, 0, None, None
        for edge in self._edges(head):
            back = self._grows(edge.args[at_i], i, -on, head, ())
            gain = self._grows(edge.args[at_x], x, way, head, ())
            if back is not None and back < 0 and gain is not None:
                step = -back if step is None else min(step, -back)
                more = max(more, gain)
                continue
            b, a = self._most(edge.args[at_x], way), self._most(edge.args[at_i], -on)
            if a is None or b is None:
                return False
            begin = b if begin is None else max(begin, b)
            first = -a if first is None else min(first, -a)
        if step is None or begin is None:
            return False
        return begin + more * (max(last - first, 0) // step) <= end

    def _grows(self, value: Value, x: Value, way: int, head: Block, seen: tuple[Value, ...]) -> int | None:
        """An upper bound of way * (value - x), where x is the value at the last entry to the head."""
        if value is x:
            return 0
        home = self._home(value)
        if value in seen or not self.dominance.above(head, home):
            return None
        seen = (*seen, value)
        made = self.made_by.get(value)
        if made is None:
            if home is head:
                return None
            at = home.params.index(value)
            return self._greatest([edge.args[at] for edge in self._edges(home)], x, way, head, seen)
        if made.op in ("narrow", "assume"):
            return self._grows(made.args[0], x, way, head, seen)
        if made.op == "select":
            return self._greatest(made.args[1:], x, way, head, seen)
        if made.op in ("add", "sub"):
            a, b = made.args
            pairs = [(a, b, way if made.op == "add" else -way)]
            if made.op == "add":
                pairs.append((b, a, way))
            for base, by, sign in pairs:
                most = self._most(by, sign)
                grown = None if most is None else self._grows(base, x, way, head, seen)
                if grown is not None:
                    return grown + most
        return None

    def _greatest(self, values: list[Value], x: Value, way: int, head: Block, seen: tuple) -> int | None:
        found = [self._grows(value, x, way, head, seen) for value in values]
        return None if not found or None in found else max(found)
