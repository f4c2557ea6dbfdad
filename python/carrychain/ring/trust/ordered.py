"""Inequalities between integers, derived from the branches on every path to a block.

A fact is x + k <= y, where k is a constant, and x and y are values, array lengths, or None, which stands for
0. These facts hold in a block:

- what a branch implies on an edge that is the only one into a dominator of the block: both values were
  computed before the branch, and neither is computed again on the way to the block without passing the branch
  again;
- the bounds of each value's range, as `check` has established them;
- a product n // c * c with c > 0 is at most n, and the minimum of two values is at most each.

A value that is another value plus a constant is written as that sum. Two facts with a common value are added.
If the lowest s bits of x and y are known, so is y - x modulo 2^s, and k is rounded up to it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from ..facts.plan import ANY, Range
from ..ir.dominance import Dominance
from ..ir.form import Block, Branch, Edge, Function, Instruction, Int, Value

Base = Value | tuple[str, Value] | None
Sums = dict[Base, int]
# another value, and a constant
Fact = tuple[Base, int]

LONGEST = 4  # facts in a chain
LEMMAS = ("mul", "select")  # of what makes these, `_greater` knows something
OPPOSITE = {"lt": "ge", "ge": "lt", "le": "gt", "gt": "le", "eq": "ne", "ne": "eq"}


class _Below:
    """Facts about one value, each of which holds in a block and in those that it dominates: from its place on
    to an end. They are put in by place."""

    def __init__(self) -> None:
        self._places: list[int] = []
        # the end, the fact, and the number of the fact around it
        self._facts: list[tuple[int, Fact, int]] = []

    def put(self, place: int, end: int, fact: Fact) -> None:
        around = self._around(len(self._facts) - 1, place)
        self._places.append(place)
        self._facts.append((end, fact, around))

    def at(self, place: int) -> Iterator[Fact]:
        """The facts that hold there."""
        number = self._around(bisect_right(self._places, place) - 1, place)
        while number >= 0:
            _, fact, number = self._facts[number]
            yield fact

    def _around(self, number: int, place: int) -> int:
        """The number of the fact, or of the nearest around it that has not ended at the place."""
        while number >= 0 and self._facts[number][0] <= place:
            number = self._facts[number][2]
        return number


class Ordered:
    def __init__(self, function: Function, ranges: dict[Value, Range]):
        self.ranges = ranges
        self.dominance = Dominance(function)
        self.made_by = {r: i for i in function.instructions() for r in i.results}
        self._lemmas: dict[Base, list[tuple[Base, int]]] | None = None
        self._homes: dict[Base, Block] = {}  # where the values of `_lemmas` are defined

    def at_most(self, a: Value, b: Value, block: Block, less: int, edge: Edge | None = None) -> bool:
        """Whether a + less <= b at the end of the block, or on this edge out of it."""
        (x, j), (y, k) = self._linear(a), self._linear(b)
        return self._reaches(x, y, less + j - k, block, edge)

    def ends_within(self, index: Value, count: int, array: Value, block: Block) -> bool:
        """Whether index + count is at most the array's length."""
        (x, j), (y, k) = self._linear(index), self._length(array)
        return self._reaches(x, y, count + j - k, block, None)

    def _reaches(self, x: Base, y: Base, wanted: int, block: Block, edge: Edge | None) -> bool:
        lesser, greater = self._edge(block, edge) if edge is not None else ({}, {})
        down = self._sums(x, lesser, y, block)
        if down.get(y, wanted - 1) >= wanted:
            return True
        if None not in down:
            return False
        up = self._sums(y, greater, x, block, upward=True)
        return None in up and down[None] + up[None] >= wanted

    def _sums(self, start: Base, on_edge: dict, end: Base, block: Block, upward: bool = False) -> Sums:
        """For each value reached by a chain of facts: the constant k of start + k <= value; upward, of
        value + k <= start."""
        facts = self._facts[1 if upward else 0]
        place = self.dominance.place[block]
        best: Sums = {start: 0}
        recent: Sums = {start: 0}
        for _ in range(LONGEST):
            beyond: Sums = {}
            for at, sum_ in recent.items():
                if at is None or at == end:
                    continue
                ways = [*on_edge.get(at, ())]
                if at in facts:
                    ways += facts[at].at(place)
                ways += self._lemmas_upward().get(at, ()) if upward else self._lemma(at)
                ends = self._ends(at)
                if upward and ends[0] is not None and self._is_above(at, block):
                    ways.append((None, ends[0]))
                if not upward and ends[1] is not None:
                    ways.append((None, -ends[1]))
                for to, k in ways:
                    if sum_ + k > best.get(to, sum_ + k - 1):
                        best[to] = beyond[to] = sum_ + k
            recent = beyond
        return best

    def _ends(self, base: Base) -> tuple[int | None, int | None]:
        if isinstance(base, tuple):
            return 0, None
        return self.ranges.get(base, ANY)[:2]

    # facts of branches

    @cached_property
    def _facts(self) -> tuple[dict[Base, _Below], dict[Base, _Below]]:
        """What branches say in each block that one edge leads to, by the lesser and by the greater value."""
        tables: tuple[dict[Base, _Below], dict[Base, _Below]] = ({}, {})
        dominance = self.dominance
        for block in dominance.downwards():
            before = dominance.before[block]
            if len(before) != 1 or not isinstance(before[0].terminator, Branch):
                continue
            (edge,) = [e for e in before[0].terminator.edges if e.block is block]
            place = dominance.place[block]
            for table, learnt in zip(tables, self._edge(before[0], edge), strict=True):
                for base, facts in learnt.items():
                    for fact in facts:
                        table.setdefault(base, _Below()).put(place, place + dominance.size[block], fact)
        return tables

    def _edge(self, block: Block, edge: Edge) -> tuple[dict, dict]:
        lesser: dict[Base, list] = {}
        greater: dict[Base, list] = {}
        end = block.terminator
        if isinstance(end, Branch) and end.then.block is not end.otherwise.block:
            for x, k, y in self._said(end.condition, edge is end.then):
                k += self._round_up(x, k, y)
                lesser.setdefault(x, []).append((y, k))
                greater.setdefault(y, []).append((x, k))
        return lesser, greater

    def _said(self, condition: Value, truth: bool) -> list[tuple[Base, int, Base]]:
        made = self.made_by.get(condition)
        if made is None:
            return []
        if made.op == "not":
            return self._said(made.args[0], not truth)
        if made.op == "select" and truth and self._constant(made.args[2]) is False:
            return self._said(made.args[0], True) + self._said(made.args[1], True)
        if made.op not in OPPOSITE or not isinstance(made.args[0].type, Int):
            return []
        (x, j), (y, k) = map(self._linear, made.args)
        match made.op if truth else OPPOSITE[made.op]:
            case "lt":
                return [(x, j - k + 1, y)]
            case "le":
                return [(x, j - k, y)]
            case "gt":
                return [(y, k - j + 1, x)]
            case "ge":
                return [(y, k - j, x)]
            case "eq":
                return [(x, j - k, y), (y, k - j, x)]
        return []

    def _round_up(self, x: Base, k: int, y: Base) -> int:
        """What to add to k to reach the next integer that y - x can be."""
        (a, bits_a), (b, bits_b) = self._low_bits(x), self._low_bits(y)
        return (b - a - k) % (1 << min(bits_a, bits_b))

    def _low_bits(self, base: Base) -> tuple[int, int]:
        """The known lowest bits, and their number."""
        if base is None:
            return 0, 64
        known = self.ranges.get(base) if not isinstance(base, tuple) else None
        if known is None:
            return 0, 0
        unknown = ~(known.zeros | known.ones)
        bits = min((unknown & -unknown).bit_length() - 1 if unknown else 64, 64)
        return known.ones & (1 << bits) - 1, bits

    # definitions of values

    def _constant(self, value: Value) -> int | bool | None:
        made = self.made_by.get(value)
        return made.attribute if made is not None and made.op == "const" else None

    def _linear(self, value: Value) -> tuple[Base, int]:
        """The value as the sum of another value and a constant."""
        more = 0
        while True:
            made = self.made_by.get(value)
            if made is None:
                return value, more
            match made.op:
                case "const":
                    return None, more + made.attribute
                case "narrow" | "assume":
                    value = made.args[0]
                case "len":
                    base, offset = self._length(made.args[0])
                    return base, more + offset
                case "add" if (by := self._constant(made.args[1])) is not None:
                    value, more = made.args[0], more + by
                case "add" if (by := self._constant(made.args[0])) is not None:
                    value, more = made.args[1], more + by
                case "sub" if (by := self._constant(made.args[1])) is not None:
                    value, more = made.args[0], more - by
                case _:
                    return value, more

    def _length(self, array: Value) -> tuple[Base, int]:
        made = self.made_by.get(array)
        if made is not None and made.op == "new":
            return self._linear(made.args[0])
        return ("len", array), 0

    def _lemma(self, base: Base) -> list[tuple[Base, int]]:
        """Upper bounds that follow from how the value is computed."""
        made = self.made_by.get(base) if isinstance(base, Value) else None
        if made is None:
            return []
        return [(y, -k) for y, k in map(self._linear, self._greater(made))]

    def _greater(self, made: Instruction) -> list[Value]:
        if made.op == "mul":
            quotient, c = self.made_by.get(made.args[0]), self._constant(made.args[1])
            if quotient is not None and quotient.op == "fdiv" and c is not None and c > 0:
                return quotient.args[:1] if self._constant(quotient.args[1]) == c else []
        if made.op == "select" and isinstance(made.results[0].type, Int):
            test, sides = self.made_by.get(made.args[0]), made.args[1:]
            if test is not None and test.op in ("lt", "le", "gt", "ge"):
                lesser = test.args if test.op[0] == "l" else test.args[::-1]
                return sides if lesser == sides else []
        return []

    def _lemmas_upward(self) -> dict[Base, list[tuple[Base, int]]]:
        if self._lemmas is None:
            self._lemmas = {}
            for block in self.dominance.order:
                for x in (i.result for i in block.instructions if i.op in LEMMAS):
                    for y, k in self._lemma(x):
                        self._lemmas.setdefault(y, []).append((x, k))
                        self._homes[x] = block
        return self._lemmas

    def _is_above(self, base: Base, block: Block) -> bool:
        """Whether the value was computed before the block: only then does its range hold there.

        Only a lemma can lead to a value computed elsewhere; the branches' facts cannot.
        """
        home = self._homes.get(base)
        return home is None or (home is not block and self.dominance.above(home, block))
