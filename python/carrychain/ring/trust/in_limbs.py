"""Shows that a function in which longer numbers are written in limbs does what it did before.

A number x of the function before is held in limbs l(0), l(1), ... of the function after: x is the sum of
l(k) 2^64k. A word that was computed of such numbers may be another value now. The pass says which values
these are; here that is shown for each, wherever both are defined, by induction over the steps.

A parameter: what is passed on each edge are the argument's limbs, each from 0 to 2^64 - 1.

An operation: its result R is a function of its operands, and these are what their limbs say. The result's
limbs are polynomials in the operands' limbs and in floors of such (polynomials.py), and so are their sum S
and what the operation yields:

  sums, products, select  which is y + c (x - y); and x 2^n for a constant n. For another n, floor(x 2^n) is
                          an unknown, and floor(x 2^(n - s)) its floor by 2^s. If R - S is a multiple of M,
                          and both R and S are from 0 to M - 1, then they are equal.
  the k low bits of x     for an M that divides 2^k it is enough that x - S is a multiple of M.
  floor(x / 2^n)          if x - 2^n S is a multiple of 2^n M and some D from 0 to 2^n - 1, then x / 2^n
                          rounded down is S and a multiple of M, and so it is S.
  x modulo m = 2^k - c    by steps, each of them such an operation. A fold takes y to the sum of its k low
                          bits and c h, for h = floor(y / 2^k): that is y - m h, from 0 to 2^k - 1 + c h. In
                          the end y is below 2m. Let t = y + c, which is below 2^(k + 1). If t >= 2^k, then
                          y >= m, and y - m is t - 2^k, the k low bits of t. If not, y is below m, and so its
                          k low bits. Either way that is x modulo m.

Where a number lies, the ranges say of the function before. Of a new value, what computes it says it. All that
is new is computed without effects. Everything else is compared as always (rewritten.py). That each value is
defined wherever it is used is left to `check_defined`.
"""

from __future__ import annotations

from ..facts.limbs import InLimbs, Limbs
from ..facts.plan import ANY
from ..ir.cycles import depth_first
from ..ir.form import Block, Bool, Edge, Function, Instruction, Int, Value
from ..ir.snapshot import Snapshot
from . import bounds
from .polynomials import Atoms, Polynomial, constant, plus, times
from .rewritten import BlockRanges, Ranges, Rewritten

LIMB = 64


class WrittenInLimbs(Rewritten):
    def __init__(
        self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges, witness: InLimbs
    ):
        super().__init__(before, after, ranges, facts)
        self.words = witness.words
        self.rests = witness.rests
        self.limbs = {v: [self._now(limb) for limb in limbs] for v, limbs in witness.limbs.items()}
        # by the new parameter: the one that it is a limb of, and which
        self.part_of: dict[Value, tuple[Value, int]] = {}
        # what is passed on edges: an argument, the limbs and the parameter
        self.passing: list[tuple[Value, Limbs, Value]] = []
        # by a new value: the block where it is computed
        self.blocks = {
            result: self.of.get(block)
            for block in after.blocks
            for i in block.instructions
            for result in i.results
            if result not in self.home
        }
        # the numbers and words that have been shown to be what the pass says
        self.shown: set[Value] = set()
        self.sets: dict[Value, bounds.Set] = {}
        self.atoms = Atoms()
        # of the operation that is looked at
        self.operands: set[Value] = set()
        self.polynomials: dict[Value, Polynomial] = {}

    def _now(self, value: Value | int) -> Value | int:
        """What is used for the value now."""
        for _ in self.words:
            if value not in self.words:
                break
            value = self.words[value]
        return value

    def check(self) -> None:
        for value, limbs in self.limbs.items():
            if value in self.params:
                self.shown.add(value)
                for k, limb in enumerate(limbs):
                    if limb in self.home or limb in self.part_of:
                        raise self.refused(value, f"{limb} is not its limb alone")
                    self.part_of[limb] = value, k
        super().check()
        for block in depth_first(self.before.blocks[0], _after):
            for i in block.instructions:
                for result in i.results:
                    if result in self.limbs or result in self.words:
                        self._computed(result, i)
                        self.shown.add(result)
        for each in self.passing:
            self._edge_is(*each)
        for value in (*self.limbs, *self.words):
            if value not in self.shown or (value in self.words and value in self.params):
                raise self.refused(value, "nothing computes it")

    # The walk --------------------------------------------------------------------------------

    def added(self, i: Instruction, block: Block) -> bool:
        return True

    def new_param(self, param: Value, after: Block, before: Block) -> None:
        of, _ = self.part_of.get(param, (None, 0))
        if of is None or self.params[of][0] is not before:
            super().new_param(param, after, before)

    def passed(self, param: Value, arg: Value, were: dict[Value, Value], block: Block) -> None:
        """All limbs together are looked at in `_edge_is`."""

    def _edge(self, edge: Edge, was: Edge, block: Block, before: Block) -> None:
        super()._edge(edge, was, block, before)
        given = dict(zip(edge.block.params, edge.args, strict=True))
        for param, arg in zip(was.block.params, was.args, strict=True):
            if param in self.limbs:
                limbs = [given.get(limb) for limb in self.limbs[param]]
                if None in limbs:
                    raise self.refused(block.name, f"not all limbs of {param} are passed")
                self.passing.append((arg, limbs, param))

    def _derived(self, y: Value, x: Value) -> bool:
        return (y in self.words and self._now(y) is x) or super()._derived(y, x)

    # Where values lie ------------------------------------------------------------------------

    def _lies(self, value: Value | int) -> bounds.Set:
        """Of a value of the function before by its ranges, of a new one by what computes it."""
        if not isinstance(value, Value):
            return bounds.single(value)
        if value not in self.sets:
            if value in self.part_of:
                of, k = self.part_of[value]
                found = bounds.within(0, min(self._most(of) >> LIMB * k, (1 << LIMB) - 1))
            elif isinstance(value.type, Bool):
                found = bounds.within(0, 1)
            elif value in self.home:
                found = self._claimed(value)
            else:
                found = self._lies_made(self.made_after.get(value))
            self.sets[value] = (found and bounds.tight(found)) or bounds.ANYTHING
        return self.sets[value]

    def _claimed(self, value: Value) -> bounds.Set:
        number = self.number(value) if isinstance(value.type, Int) else None
        return bounds.of(self.ranges.get(value, ANY)) if number is None else bounds.single(number)

    def _lies_made(self, i: Instruction | None) -> bounds.Set | None:
        match i and i.op:
            case "const":
                return bounds.single(i.attribute)
            case "add" | "mul" | "shift":
                return bounds.BINARY[i.op](*map(self._lies, i.args))
            case "low":
                return bounds.low(i.attribute, self._lies(i.args[0]))
            case "select":
                return bounds.either(*map(self._lies, i.args[1:]))
        return bounds.ANYTHING

    def _most(self, value: Value) -> int:
        """The greatest that a number of the function before can be, which is not below 0."""
        low, high, *_ = self._claimed(value)
        if low is None or high is None or low < 0:
            raise self.refused(value, "it is not known to be from 0 to some number")
        return high

    def _most_of(self, limbs: Limbs, where: object) -> int:
        """The greatest that limbs can be together."""
        found = 0
        for k, limb in enumerate(limbs):
            low, high, *_ = self._lies(self._now(limb))
            if low is None or high is None or low < 0:
                raise self.refused(where, f"{limb} is not known to be from 0 to some number")
            found += high << LIMB * k
        return found

    # What values are -------------------------------------------------------------------------

    def _begin(self) -> None:
        """Another operation is looked at."""
        self.operands, self.polynomials = set(), {}

    def _operand(self, value: Value) -> Polynomial:
        """A value of the function before."""
        if (value in self.limbs or value in self.words) and value not in self.shown:
            raise self.refused(value, "it is used before it is computed")
        return self._sum(self.limbs.get(value, [value]))

    def _sum(self, limbs: Limbs) -> Polynomial:
        """What operands in limbs are together."""
        found: Polynomial = {}
        for k, limb in enumerate(limbs):
            value = self._now(limb)
            self.operands.add(value)
            found = plus(found, self._polynomial(value), 1 << LIMB * k)
        return found

    def _polynomial(self, value: Value | int) -> Polynomial:
        """What is computed of the operands."""
        if value not in self.polynomials:
            made = None if value in self.operands or value in self.home else self.made_after.get(value)
            found = None if made is None or _is_single(self._lies(value)) else self._made_of(made)
            self.polynomials[value] = self.atoms.atom(value, self._lies(value)) if found is None else found
        return self.polynomials[value]

    def _made_of(self, i: Instruction) -> Polynomial | None:
        if i.op == "low":
            return self.atoms.low(self._polynomial(i.args[0]), i.attribute)
        return self._yields(i.op, [self._polynomial(arg) for arg in i.args])

    def _yields(self, op: str, args: list[Polynomial]) -> Polynomial | None:
        match op:
            case "add":
                return plus(*args)
            case "mul":
                return times(*args)
            case "select":
                condition, x, y = args
                return plus(y, times(condition, plus(x, y, -1)))
            case "shift":
                return self._shifted(*args)
        return None

    def _shifted(self, p: Polynomial, count: Polynomial) -> Polynomial | None:
        """floor(p 2^count)."""
        by = count.get((), 0)
        count = plus(count, constant(by), -1)
        if count:
            if by > 0:
                return None
            known = bounds.shift(self.atoms.known(p), self.atoms.known(count))
            p = self.atoms.atom(("shift", frozenset(p.items()), frozenset(count.items())), known)
        return times(p, constant(1 << by)) if by >= 0 else self.atoms.floor(p, -by)

    # What is shown ---------------------------------------------------------------------------

    def _edge_is(self, value: Value, limbs: Limbs, param: Value) -> None:
        self._begin()
        p = self._operand(value)
        for limb in limbs:
            if self._most_of([limb], param) >> LIMB:
                raise self.refused(param, f"{limb} is passed, and is not shown to be a limb")
        self._equal(p, limbs, self._most(param), param)

    def _computed(self, value: Value, i: Instruction) -> None:
        """The limbs of a value, or the word that is used for it, are what it was."""
        if value in self.limbs and value in self.words:
            raise self.refused(value, "it is held in two ways")
        limbs = self.limbs[value] if value in self.limbs else [self._now(value)]
        most = self._most(value)
        number = self.number(value)
        self._begin()
        if number is not None and self._written(limbs) == constant(number):
            return
        self._begin()
        if i.op == "fmod":
            self._rest(value, i, limbs)
        else:
            p, *more = map(self._operand, i.args)
            if i.op == "low":
                self._equal(p, limbs, most, value, i.attribute)
            elif i.op == "shift" and (count := self.number(i.args[1])) is not None and count < 0:
                self._floor(p, -count, limbs, most, value)
            elif (yields := self._yields(i.op, [p, *more])) is not None:
                self._equal(yields, limbs, most, value)
            else:
                raise self.refused(value, f"{i.op} is not shown in limbs")
        if value in self.words and self.blocks.get(limbs[0]) is self.home[value]:
            # both are computed in one block, so that one always lies where the other did
            found = bounds.both(self._lies(limbs[0]), self._claimed(value))
            self.sets[limbs[0]] = found or bounds.ANYTHING

    def _equal(self, p: Polynomial, limbs: Limbs, most: int, where: object, bits: int | None = None) -> None:
        """p, or its low bits, is at most so much, and what these limbs are."""
        above = self._most_of(limbs, where)
        modulus = max(above, most).bit_length()
        if bits is not None:
            modulus = min(modulus, bits)
        differs = self.atoms.modulo(plus(p, self._written(limbs), -1), modulus)
        if above >> modulus or (differs and self.atoms.interval(differs) != (0, 0)):
            raise self.refused(where, f"{limbs} are not shown to be its limbs")

    def _floor(self, p: Polynomial, bits: int, limbs: Limbs, most: int, where: object) -> None:
        """floor(p / 2^bits) is at most so much, and what these limbs are."""
        modulus = max(self._most_of(limbs, where), most).bit_length() + bits
        differs = self.atoms.modulo(plus(p, self._written(limbs), -1 << bits), modulus)
        low, high = self.atoms.interval(differs)
        if low is None or high is None or low < 0 or high >> bits:
            raise self.refused(where, f"{limbs} are not shown to be its limbs")

    def _written(self, limbs: Limbs) -> Polynomial:
        """What a result's limbs are together."""
        found: Polynomial = {}
        for k, limb in enumerate(limbs):
            found = plus(found, self._polynomial(self._now(limb)), 1 << LIMB * k)
        return found

    def _rest(self, value: Value, i: Instruction, limbs: Limbs) -> None:
        x, modulus = i.args[0], self.number(i.args[1])
        rest = self.rests.get(value)
        if rest is None or modulus is None or modulus < 1:
            raise self.refused(value, "how it is computed is not said")
        k = modulus.bit_length()
        c = (1 << k) - modulus
        most = self._most(x)

        y: Limbs | None = None
        for fold in rest.folds:
            self._floor(self._folded(x, y), k, fold.high, most >> k, value)
            self._equal(self._folded(x, y), fold.low, (1 << k) - 1, value, k)
            self._begin()
            self._equal(times(self._sum(fold.high), constant(c)), fold.product, (most >> k) * c, value)
            self._begin()
            most = (1 << k) - 1 + (most >> k) * c
            self._equal(plus(self._sum(fold.low), self._sum(fold.product)), fold.sum, most, value)
            y = fold.sum
        if most >= 2 * modulus:
            raise self.refused(value, "a number is folded too seldom")
        self._equal(plus(self._folded(x, y), constant(c)), rest.t, most + c, value)
        self._begin()
        self._floor(self._sum(rest.t), k, rest.over, (most + c) >> k, value)
        test = self.made_after.get(rest.test)
        if test is None or test.op != "ne" or len(rest.over) != 1:
            raise self.refused(value, "nothing asks whether a number is left over")
        self._begin()
        over, zero = self._sum(rest.over), self._polynomial(test.args[1])
        if zero or self._polynomial(test.args[0]) != over:
            raise self.refused(test, "it asks something else")
        below, above = self._folded(x, y), self._sum(rest.t)
        chosen = self._yields("select", [self._sum([rest.test]), above, below])
        self._equal(chosen, rest.chosen, most + c, value)
        self._begin()
        self._equal(self._sum(rest.chosen), limbs, modulus - 1, value, k)

    def _folded(self, x: Value, y: Limbs | None) -> Polynomial:
        """x after the folds so far."""
        self._begin()
        return self._operand(x) if y is None else self._sum(y)


def _after(block: Block) -> list[Block]:
    return [edge.block for edge in block.terminator.edges]


def _is_single(known: bounds.Set) -> bool:
    return known[0] is not None and known[0] == known[1]
