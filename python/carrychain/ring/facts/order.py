"""Comparisons implied by others: facts about two numbers at once, which ranges cannot express.

After `at + 32 <= n`, `at + 8 <= n` need not be tested; nor need `i = 80` after a loop that runs while `i <
80`, if i is never more. A fact is x + k <= y, for two values, or for a value and 0. It is known in a block if
every path to the block passes an edge that is taken only if the fact holds. It held when that edge was last
taken. Neither value has been computed again since, because every path to the block first passes their
definitions and then the edge.

Further facts follow from a value's definition: the minimum of two values is at most each, n // c * c is at
most n for c > 0, and a sum with a constant is that sum. Facts chain: x + j <= y and y + k <= z give x + j + k
<= z. If the lowest s bits of x and y are known, y - x is known modulo 2^s, and k is rounded up to it.
prove/order.py proves each of these.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from ..ir.dominance import Dominance
from ..ir.form import Block, Branch, Function, Instruction, Int, Value
from .plan import Range
from .ranges import INVERSE, FoundRanges, outcome
from .transfer import Empty, intersection

# A value, the length of an array, or None for 0.
OrderBase = Value | tuple[str, Value] | None
# For one base x: each other base y with the greatest k such that x + k <= y.
OrderFacts = dict[OrderBase, int]

CHAIN = 4  # facts, at most
WIDEST = 64  # low bits of a number that are considered
LESS = {"lt": 1, "le": 0}
# Each comparison as one of LESS, and whether its sides are swapped.
ORDERED = {"lt": ("lt", False), "le": ("le", False), "gt": ("lt", True), "ge": ("le", True)}


class _Table:
    """Facts by base and place. A fact holds in a block and in those it dominates, whose places follow.

    Facts are added in the order of places. For each base there is a list of dicts: a new dict begins where a
    fact begins to hold, and where it ends.
    """

    def __init__(self) -> None:
        self._begins: dict[OrderBase, list[int]] = {}
        self._facts: dict[OrderBase, list[OrderFacts]] = {}
        self._open: dict[OrderBase, list[tuple[int, OrderFacts]]] = {}

    def of(self, base: OrderBase, place: int) -> OrderFacts:
        at = bisect_right(self._begins.get(base, ()), place) - 1
        return self._facts[base][at] if at >= 0 else {}

    def put(self, base: OrderBase, other: OrderBase, k: int, place: int, end: int) -> None:
        self._close(base, place)
        open_ = self._open.setdefault(base, [])
        known = open_[-1][1] if open_ else {}
        if known.get(other, k - 1) < k:
            open_.append((end, {**known, other: k}))
            self._from(base, place, open_[-1][1])

    def close(self, end: int) -> None:
        for base in self._open:
            self._close(base, end)

    def _close(self, base: OrderBase, place: int) -> None:
        open_ = self._open.get(base)
        while open_ and open_[-1][0] <= place:
            end, _ = open_.pop()
            self._from(base, end, open_[-1][1] if open_ else {})

    def _from(self, base: OrderBase, place: int, facts: OrderFacts) -> None:
        self._begins.setdefault(base, []).append(place)
        self._facts.setdefault(base, []).append(facts)


class Order:
    """What is known about the order of a function's values in each block."""

    def __init__(self, function: Function, ranges: dict[Value, Range]):
        self.ranges = ranges
        self.made_by = {r: i for i in function.instructions() for r in i.results}
        self.dominance = Dominance(function)
        # facts by the lesser, and by the greater base. Facts about 0 are stored only at the other base: there
        # may be one for each value
        self.above, self.below = _Table(), _Table()
        for block in self.dominance.downwards():
            self._entering(block)
        for table in (self.above, self.below):
            table.close(len(self.dominance.order))
        # what _made says, by the greater base
        self.made: dict[OrderBase, list[tuple[OrderBase, int]]] = {}
        for x in self.made_by:
            for y, k in self._made(x):
                self.made.setdefault(y, []).append((x, k))

    def at_most(self, a: Value, b: Value, block: Block, less: int = 0) -> bool:
        """Whether a + less <= b in the block."""
        (x, j), (y, k) = self._linear(a), self._linear(b)
        return self._reaches(x, y, less + j - k, block)

    def ends_within(self, index: Value, count: int, array: Value, block: Block) -> bool:
        """Whether `count` elements from the index on end within the array."""
        (x, j), (y, k) = self._linear(index), self._length(array)
        return self._reaches(x, y, j + count - k, block)

    def _reaches(self, x: OrderBase, y: OrderBase, wanted: int, block: Block) -> bool:
        """Whether x + wanted <= y: by a chain of facts from x to y, or by one from each of them to 0."""
        place = self.dominance.place.get(block)
        to_zero: list[int | None] = []
        for sums in self._ways(x, y, place, self.above, self._made):
            if sums.get(y, wanted - 1) >= wanted:
                return True
            to_zero.append(sums.get(None))
        if all(sum_ is None for sum_ in to_zero):
            return False
        ways = self._ways(y, x, place, self.below, lambda base: self.made.get(base, ()))
        for more, sums in enumerate(ways):
            from_zero = sums.get(None)
            for sum_ in to_zero[: CHAIN + 1 - more] if from_zero is not None else ():
                if sum_ is not None and sum_ + from_zero >= wanted:
                    return True
        return False

    def _ways(
        self,
        start: OrderBase,
        end: OrderBase,
        place: int | None,
        table: _Table,
        made: Callable[[OrderBase], Iterable[tuple[OrderBase, int]]],
    ) -> Iterator[OrderFacts]:
        """For each base reached by a chain of no, one, two facts and so on, the greatest sum of constants.

        Only the best chain to a base is continued; none continues from 0 or from the end.
        """
        reached: OrderFacts = {start: 0}
        yield reached
        for _ in range(CHAIN):
            beyond: OrderFacts = {}
            for at, sum_ in reached.items():
                if at is None or at == end:
                    continue
                known = table.of(at, place).items() if place is not None else ()
                for z, k in (*known, *made(at)):
                    if sum_ + k > beyond.get(z, sum_ + k - 1):
                        beyond[z] = sum_ + k
            reached = beyond
            yield reached

    # What branches say

    def _entering(self, block: Block) -> None:
        before = self.dominance.before[block]
        if len(before) == 1 and isinstance(before[0].terminator, Branch):
            end = before[0].terminator
            self._learn(end.condition, end.then.block is block, block)

    def _learn(self, condition: Value, truth: bool, block: Block) -> None:
        made = self.made_by.get(condition)
        if made is None:
            return
        if made.op == "not":
            self._learn(made.args[0], not truth, block)
            return
        if made.op == "select" and truth and self._constant(made.args[2]) is False:
            # a conjunction
            for part in made.args[:2]:
                self._learn(part, True, block)
        op = made.op if truth else INVERSE.get(made.op)
        if op not in (*ORDERED, "eq") or not isinstance(made.args[0].type, Int):
            return
        (x, j), (y, k) = map(self._linear, made.args)
        if op == "eq":
            self._put(x, y, j - k, block)
            self._put(y, x, k - j, block)
            return
        op, turned = ORDERED[op]
        if turned:
            x, j, y, k = y, k, x, j
        self._put(x, y, j - k + LESS[op], block)

    def _put(self, x: OrderBase, y: OrderBase, k: int, block: Block) -> None:
        """Records x + k <= y, with k rounded up to what y - x can be."""
        (low_x, bits_x), (low_y, bits_y) = self._lowest(x), self._lowest(y)
        k += (low_y - low_x - k) % (1 << min(bits_x, bits_y))
        place = self.dominance.place[block]
        for table, base, other in ((self.above, x, y), (self.below, y, x)):
            if base is not None:
                table.put(base, other, k, place, place + self.dominance.size[block])

    def _lowest(self, base: OrderBase) -> tuple[int, int]:
        """The known lowest bits, and their number."""
        if base is None:
            return 0, WIDEST
        known = self.ranges.get(base) if isinstance(base, Value) else None
        if known is None:
            return 0, 0
        bits = known.zeros | known.ones
        count = min((~bits & bits + 1).bit_length() - 1 if ~bits else WIDEST, WIDEST)
        return known.ones & (1 << count) - 1, count

    # What makes a value

    def _linear(self, value: Value) -> tuple[OrderBase, int]:
        """The value as a base plus a constant."""
        constant = 0
        while (made := self.made_by.get(value)) is not None:
            if made.op == "const":
                return None, constant + made.attribute
            if made.op == "len":
                base, more = self._length(made.args[0])
                return base, constant + more
            if made.op in ("narrow", "assume"):
                value = made.args[0]
                continue
            if made.op not in ("add", "sub"):
                break
            a, b = made.args
            if made.op == "add" and self._constant(b) is None:
                a, b = b, a
            by = self._constant(b)
            if by is None:
                break
            value, constant = a, constant + (by if made.op == "add" else -by)
        return value, constant

    def _length(self, array: Value) -> tuple[OrderBase, int]:
        """The array's length as a base plus a constant."""
        made = self.made_by.get(array)
        return self._linear(made.args[0]) if made is not None and made.op == "new" else (("len", array), 0)

    def _constant(self, value: Value) -> int | bool | None:
        made = self.made_by.get(value)
        return made.attribute if made is not None and made.op == "const" else None

    def _made(self, x: OrderBase) -> list[tuple[OrderBase, int]]:
        """Upper bounds of x that follow from its definition."""
        made = self.made_by.get(x) if isinstance(x, Value) else None
        if made is None:
            return []
        most: list[Value] = []
        if made.op == "mul":
            quotient, c = self.made_by.get(made.args[0]), self._constant(made.args[1])
            if quotient is not None and quotient.op == "fdiv" and c is not None and c > 0:
                most = quotient.args[:1] if self._constant(quotient.args[1]) == c else []
        elif made.op == "select" and isinstance(made.result.type, Int):
            condition, *sides = made.args
            test = self.made_by.get(condition)
            if test is not None and test.op in ORDERED:
                ordered = test.args[::-1] if ORDERED[test.op][1] else test.args
                # the minimum of two
                most = sides if ordered == sides else []
        return [(y, -k) for y, k in map(self._linear, most)]


def decide(function: Function, found: FoundRanges) -> bool:
    """Replaces comparisons that are decided by others with constants, in place; whether there were any."""
    ranges, facts = found
    order = Order(function, ranges)
    changed = False
    for block in order.dominance.order:
        # facts at the block's entry about values that it does not define
        known = dict(facts.get(block, {}))
        for result in (r for i in block.instructions for r in i.results):
            known.pop(result, None)
        for i in block.instructions:
            if i.op in INVERSE and isinstance(i.args[0].type, Int):
                decided = _within(i, ranges, known)
                if decided is None:
                    decided = _ordered(order, i, block)
                if decided is not None:
                    i.op, i.args, i.attribute = "const", [], decided
                    changed = True
    return changed


def _within(i: Instruction, ranges: dict[Value, Range], facts: dict[Value, Range]) -> bool | None:
    """The outcome, if the ranges of both sides leave only one."""
    try:
        here = {v: intersection(ranges[v], facts.get(v, ranges[v])) for v in i.args if v in ranges}
    except Empty:
        # unreachable
        return None
    return outcome(i, here)


def _ordered(order: Order, i: Instruction, block: Block) -> bool | None:
    a, b = i.args
    if i.op in ("eq", "ne"):
        differ = order.at_most(a, b, block, 1) or order.at_most(b, a, block, 1)
        return (i.op == "ne") if differ else None
    op, turned = ORDERED[i.op]
    if turned:
        a, b = b, a
    if order.at_most(a, b, block, LESS[op]):
        return True
    return False if order.at_most(b, a, block, 1 - LESS[op]) else None
