"""Comparisons that others decide: what ranges cannot say, as it is about two numbers at once.

Where `at + 32 <= n` was found, `at + 8 <= n` need not be asked; nor `i = 80` behind a loop that goes on while
`i < 80`, if i is never more. A fact is x + k <= y, of two values or of one and 0. It is known in a block if
every way there goes through an edge that is taken only where it holds: then it was so when that edge was
taken last, and both values have been made before that for the last time, as all ways to the block go
through what makes them and then through the edge.

Further facts are those of what makes a value: the lesser of two is at most each, n // c * c is at most n
for c > 0, and a sum with a constant is what it says. They chain: x + j <= y and y + k <= z make
x + j + k <= z. Where the lowest s bits of x and y are known, y - x is known modulo 2^s, and k may be the
next number that is congruent. prove/order.py shows each of these.
"""

from __future__ import annotations

from .dominance import Dominance
from .ir import Block, Branch, Function, Instruction, Int, Value
from .plan import Range
from .ranges import INVERSE, Found
from .simplify import outcome
from .transfer import Empty, intersection

# A value, the length of an array, or None for 0.
Base = Value | tuple[str, Value] | None
# Of x, each y and the greatest k: x + k <= y.
Facts = dict[Base, dict[Base, int]]

CHAIN = 4  # facts, at most
WIDEST = 64  # bits of a number that are looked at
LESS = {"lt": 1, "le": 0}
# A comparison as one of LESS, and whether its sides change places.
ORDERED = {"lt": ("lt", False), "le": ("le", False), "gt": ("lt", True), "ge": ("le", True)}


class Order:
    """What is known of the order of a function's values, in each block."""

    def __init__(self, function: Function, ranges: dict[Value, Range]):
        self.ranges = ranges
        self.made_by = {r: i for i in function.instructions() for r in i.results}
        self.dominance = Dominance(function)
        self.facts: dict[Block, Facts] = {}
        for at, block in enumerate(self.dominance.order):
            self.facts[block] = self._entering(block, at)

    def at_most(self, a: Value, b: Value, block: Block, less: int = 0) -> bool:
        """Whether a + less <= b in the block."""
        (x, j), (y, k) = self._linear(a), self._linear(b)
        return self._reaches(x, y, less + j - k, self.facts.get(block, {}), CHAIN)

    def ends_within(self, index: Value, count: int, array: Value, block: Block) -> bool:
        """Whether so many elements from the index on do not end behind the array."""
        (x, j), (y, k) = self._linear(index), self._length(array)
        return self._reaches(x, y, j + count - k, self.facts.get(block, {}), CHAIN)

    def _reaches(self, x: Base, y: Base, wanted: int, facts: Facts, left: int) -> bool:
        """Whether x + wanted <= y.

        For each base that so many facts lead to, the most that they add up to: ways that meet go on as one.
        """
        reached = {x: 0}
        for _ in range(left + 1):
            if y in reached and reached.pop(y) >= wanted:
                return True
            beyond: dict[Base, int] = {}
            for at, sum_ in reached.items():
                for z, k in (*facts.get(at, {}).items(), *self._made(at)):
                    if sum_ + k > beyond.get(z, sum_ + k - 1):
                        beyond[z] = sum_ + k
            reached = beyond
        return False

    # What branches say

    def _entering(self, block: Block, at: int) -> Facts:
        if not at:
            return {}
        facts = self.facts[self.dominance.order[self.dominance.last[at]]]
        before = self.dominance.before[block]
        if len(before) == 1 and isinstance(before[0].terminator, Branch):
            end = before[0].terminator
            facts = self._learnt(end.condition, end.then.block is block, facts)
        return facts

    def _learnt(self, condition: Value, truth: bool, facts: Facts) -> Facts:
        made = self.made_by.get(condition)
        if made is None:
            return facts
        if made.op == "not":
            return self._learnt(made.args[0], not truth, facts)
        if made.op == "select" and truth and self._constant(made.args[2]) is False:
            # both hold
            for part in made.args[:2]:
                facts = self._learnt(part, True, facts)
        op = made.op if truth else INVERSE.get(made.op)
        if op not in (*ORDERED, "eq") or not isinstance(made.args[0].type, Int):
            return facts
        (x, j), (y, k) = map(self._linear, made.args)
        if op == "eq":
            return self._with(y, x, k - j, self._with(x, y, j - k, facts))
        op, turned = ORDERED[op]
        if turned:
            x, j, y, k = y, k, x, j
        return self._with(x, y, j - k + LESS[op], facts)

    def _with(self, x: Base, y: Base, k: int, facts: Facts) -> Facts:
        """With x + k <= y, or the next number that is congruent with y - x."""
        (low_x, bits_x), (low_y, bits_y) = self._lowest(x), self._lowest(y)
        k += (low_y - low_x - k) % (1 << min(bits_x, bits_y))
        known = facts.get(x, {})
        return facts if known.get(y, k - 1) >= k else {**facts, x: {**known, y: k}}

    def _lowest(self, base: Base) -> tuple[int, int]:
        """The lowest bits, and how many of them are known."""
        if base is None:
            return 0, WIDEST
        known = self.ranges.get(base) if isinstance(base, Value) else None
        if known is None:
            return 0, 0
        bits = known.zeros | known.ones
        count = min((~bits & bits + 1).bit_length() - 1 if ~bits else WIDEST, WIDEST)
        return known.ones & (1 << count) - 1, count

    # What makes a value

    def _linear(self, value: Value) -> tuple[Base, int]:
        """A base and a constant whose sum is the value."""
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

    def _length(self, array: Value) -> tuple[Base, int]:
        """A base and a constant whose sum is the array's length."""
        made = self.made_by.get(array)
        return self._linear(made.args[0]) if made is not None and made.op == "new" else (("len", array), 0)

    def _constant(self, value: Value) -> int | bool | None:
        made = self.made_by.get(value)
        return made.attribute if made is not None and made.op == "const" else None

    def _made(self, x: Base) -> list[tuple[Base, int]]:
        """What is known of x by what makes it."""
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
                # the lesser of two
                most = sides if ordered == sides else []
        return [(y, -k) for y, k in map(self._linear, most)]


def decide(function: Function, found: Found) -> bool:
    """Makes constants of comparisons that others decide, in place; whether there were any."""
    ranges, facts = found
    order = Order(function, ranges)
    changed = False
    for block in order.dominance.order:
        # what is known where the block is entered, of what it does not make anew
        known = dict(facts.get(block, {}))
        for result in (r for i in block.instructions for r in i.results):
            known.pop(result, None)
        for i in block.instructions:
            if i.op in INVERSE and isinstance(i.args[0].type, Int):
                decided = _ordered(order, i, block)
                if decided is None and not known.keys().isdisjoint(i.args):
                    decided = _within(i, ranges, known)
                if decided is not None:
                    i.op, i.args, i.attribute = "const", [], decided
                    changed = True
    return changed


def _within(i: Instruction, ranges: dict[Value, Range], facts: dict[Value, Range]) -> bool | None:
    """The outcome, if what is known here of each side leaves only one."""
    try:
        here = {v: intersection(ranges[v], facts.get(v, ranges[v])) for v in i.args if v in ranges}
    except Empty:
        # never reached
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
