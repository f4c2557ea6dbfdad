"""Shows that a function whose long numbers were split into limbs does what it did before.

A number x of the function before is held in limbs l(0), l(1), ... of the function after: x is the sum of
l(k) 2^64k. A word that is computed from such numbers may be replaced by another value. The pass says which
values these are. Here each claim is shown, wherever both values are defined, by induction over the steps.

Parameters. Each edge passes the limbs of the argument, and each limb is from 0 to 2^64 - 1.

Operations. Let R be the result before, and S the sum l(k) 2^64k of the result's limbs. Both are polynomials
in the operands' limbs and in floors of such polynomials (polynomials.py). R and S lie from 0 to M - 1, for
some M = 2^m. What has to be shown depends on the operation:

  add, mul, select        R - S is a multiple of M: then R = S. `select` is y + c (x - y). A shift x 2^n is
                          included, for a constant n. For any other n, floor(x 2^n) is taken as unknown, and
                          floor(x 2^(n - s)) as its floor by 2^s.
  the k low bits of x     x - S is a multiple of M, where M divides 2^k.
  floor(x / 2^n)          x - 2^n S is D plus a multiple of 2^n M, for some D from 0 to 2^n - 1. Then R - S is
                          a multiple of M, so R = S.
  x modulo m = 2^k - c    in steps, each of which is one of the operations above. A fold replaces y by the
                          sum of its k low bits and c h, where h = floor(y / 2^k). That is y - m h, from 0 to
                          2^k - 1 + c h. After the last fold, y is below 2m. Let t = y + c, which is below
                          2^(k + 1). If t >= 2^k, then y >= m, and y - m = t - 2^k, the k low bits of t.
                          Otherwise y < m, and y is its own k low bits. Either way that is x modulo m.

The ranges bound the values of the function before. A new value is bounded by its definition. New instructions
have no effects. Everything else is compared as in rewritten.py. `check_defined` shows that each value is
defined where it is used.
"""

from __future__ import annotations

from ..facts.limbs import InLimbs, Limbs
from ..facts.plan import ANY
from ..ir.cycles import depth_first
from ..ir.form import Block, Bool, Edge, Function, Instruction, Int, Value
from ..ir.snapshot import Snapshot
from . import bounds
from .equal_values import BlockRanges, Ranges
from .polynomials import Atoms, Interval, Polynomial, constant, plus, times
from .rewritten import Rewritten

LIMB = 64


class WrittenInLimbs(Rewritten):
    def __init__(
        self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges, witness: InLimbs
    ):
        super().__init__(before, after, ranges, facts)
        self.words = witness.words
        self.rests = witness.rests
        self.limbs = {v: [self._now(limb) for limb in limbs] for v, limbs in witness.limbs.items()}
        # by added parameter: the parameter before that it is a limb of, and the limb's index
        self.part_of: dict[Value, tuple[Value, int]] = {}
        # by edge: an argument before, the limbs that are passed after, and the parameter
        self.passing: list[tuple[Value, Limbs, Value]] = []
        # by added value: the block before that corresponds to the one that computes it
        self.blocks = {
            result: self.of.get(block)
            for block in after.blocks
            for i in block.instructions
            for result in i.results
            if result not in self.home
        }
        # parameters in limbs, and the numbers and words whose claims have been checked so far
        self.shown: set[Value] = set()
        self.sets: dict[Value, bounds.Set] = {}
        self.atoms = Atoms()
        # of the operation being checked: its operands' limbs, and the polynomials of values
        self.operands: set[Value] = set()
        self.polynomials: dict[Value, Polynomial] = {}

    def _now(self, value: Value | int) -> Value | int:
        """The value that replaces it in the function after."""
        for _ in self.words:
            if value not in self.words:
                break
            value = self.words[value]
        return value

    def check(self) -> None:
        for value, limbs in self.limbs.items():
            if value in self.params:
                self.shown.add(value)
                block = self.kept.get(self.params[value][0])
                for k, limb in enumerate(limbs):
                    new = block is not None and limb in block.params and limb not in self.home
                    if not new or limb in self.part_of or not isinstance(limb.type, Int):
                        raise self.refused(
                            value, f"its limb {limb} is no added parameter, or is a limb of two parameters"
                        )
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
                raise self.refused(
                    value, "claimed to be in limbs or replaced, but no reachable instruction computes it"
                )

    # The walk --------------------------------------------------------------------------------

    def added(self, i: Instruction, block: Block) -> bool:
        return i.op != "assume"

    def new_param(self, param: Value, after: Block, before: Block) -> None:
        of, _ = self.part_of.get(param, (None, 0))
        if of is None or self.params[of][0] is not before:
            super().new_param(param, after, before)

    def passed(self, param: Value, arg: Value, were: dict[Value, Value], block: Block) -> None:
        """`_edge_is` checks all limbs of a parameter together."""

    def _edge(self, edge: Edge, was: Edge, block: Block, before: Block) -> None:
        super()._edge(edge, was, block, before)
        given = dict(zip(edge.block.params, edge.args, strict=True))
        for param, arg in zip(was.block.params, was.args, strict=True):
            if param in self.limbs:
                limbs = [given.get(limb) for limb in self.limbs[param]]
                if None in limbs:
                    raise self.refused(block.name, f"does not pass all limbs of {param}")
                self.passing.append((arg, limbs, param))

    def _derived(self, y: Value, x: Value) -> bool:
        return (y in self.words and self._now(y) is x) or super()._derived(y, x)

    # Bounds of values ------------------------------------------------------------------------

    def _lies(self, value: Value | int) -> bounds.Set:
        """The set in which a value lies: by its range, or by its definition if it was added."""
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
        """The greatest that a number of the function before can be; refused unless its range is in [0, n]."""
        low, high, *_ = self._claimed(value)
        if low is None or high is None or low < 0:
            raise self.refused(value, "not shown to be non-negative and bounded")
        return high

    def _most_of(self, limbs: Limbs, where: object) -> int:
        """The greatest number that the limbs can hold, by the bounds of each."""
        found = 0
        for k, limb in enumerate(limbs):
            limb = self._now(limb)
            low, high, *_ = self._lies(limb)
            if isinstance(limb, Value) and not isinstance(limb.type, Int):
                raise self.refused(where, f"{limb} is no number")
            if low is None or high is None or low < 0:
                raise self.refused(where, f"{limb} is not shown to be non-negative and bounded")
            found += high << LIMB * k
        return found

    # Values as polynomials -------------------------------------------------------------------

    def _begin(self) -> None:
        """Starts the check of another operation."""
        self.operands, self.polynomials = set(), {}

    def _operand(self, value: Value) -> Polynomial:
        """The polynomial of a value of the function before, in its limbs."""
        if (value in self.limbs or value in self.words) and value not in self.shown:
            raise self.refused(value, "it is used before it is computed")
        return self._sum(self.limbs.get(value, [value]))

    def _sum(self, limbs: Limbs) -> Polynomial:
        """The number that the limbs hold, each of them an operand of the operation being checked."""
        found: Polynomial = {}
        for k, limb in enumerate(limbs):
            value = self._now(limb)
            self.operands.add(value)
            found = plus(found, self._polynomial(value), 1 << LIMB * k)
        return found

    def _polynomial(self, value: Value | int) -> Polynomial:
        """The polynomial of a value in the operands."""
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

    # The checks ------------------------------------------------------------------------------

    def _edge_is(self, value: Value, limbs: Limbs, param: Value) -> None:
        self._begin()
        p = self._operand(value)
        for limb in limbs:
            if self._most_of([limb], param) >> LIMB:
                raise self.refused(param, f"{limb} is passed, but not shown to be from 0 to 2^64 - 1")
        self._equal(p, limbs, self._most(param), param)

    def _computed(self, value: Value, i: Instruction) -> None:
        """Checks the limbs of a value, or the word that replaces it."""
        if value in self.limbs and value in self.words:
            raise self.refused(value, "claimed both to be in limbs and to be replaced by a word")
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
                raise self.refused(value, f"no rule for {i.op} in limbs")
        if value in self.words and self.blocks.get(limbs[0]) is self.home[value]:
            # both are computed in one block, so the new word has the old one's bounds, too
            found = bounds.both(self._lies(limbs[0]), self._claimed(value))
            self.sets[limbs[0]] = found or bounds.ANYTHING

    def _equal(self, p: Polynomial, limbs: Limbs, most: int, where: object, bits: int | None = None) -> None:
        """Shows that the limbs hold p, or its low bits, which is at most `most`."""
        above = self._most_of(limbs, where)
        modulus = max(above, most).bit_length()
        if bits is not None:
            modulus = min(modulus, bits)
        low, high = self._differs(plus(p, self._written(limbs), -1), modulus)
        if above >> modulus or low != 0 or high != 0:
            raise self.refused(where, f"{limbs} are not shown to be its limbs")

    def _floor(self, p: Polynomial, bits: int, limbs: Limbs, most: int, where: object) -> None:
        """Shows that the limbs hold floor(p / 2^bits), which is at most `most`."""
        modulus = max(self._most_of(limbs, where), most).bit_length() + bits
        low, high = self._differs(plus(p, self._written(limbs), -1 << bits), modulus)
        if low is None or high is None or high >> bits:
            raise self.refused(where, f"{limbs} are not shown to be its limbs")

    def _differs(self, p: Polynomial, bits: int) -> Interval:
        """An interval of p less some multiple of 2^bits: it begins from 0 to 2^bits - 1."""
        low, high = self.atoms.interval(self.atoms.modulo(p, bits))
        if low is None or high is None:
            return low, high
        return low % (1 << bits), high - (low >> bits << bits)

    def _written(self, limbs: Limbs) -> Polynomial:
        """The number that a result's limbs hold."""
        found: Polynomial = {}
        for k, limb in enumerate(limbs):
            found = plus(found, self._polynomial(self._now(limb)), 1 << LIMB * k)
        return found

    def _rest(self, value: Value, i: Instruction, limbs: Limbs) -> None:
        x, modulus = i.args[0], self.number(i.args[1])
        rest = self.rests.get(value)
        if rest is None or modulus is None or modulus < 1:
            raise self.refused(
                value, "no steps are given for this fmod, or its modulus is no positive constant"
            )
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
            raise self.refused(value, "after its folds the number may be twice the modulus or more")
        self._equal(plus(self._folded(x, y), constant(c)), rest.t, most + c, value)
        self._begin()
        self._floor(self._sum(rest.t), k, rest.over, (most + c) >> k, value)
        test = self.made_after.get(rest.test)
        if test is None or test.op != "ne" or len(rest.over) != 1:
            raise self.refused(value, "no test of the last quotient bit")
        self._begin()
        over, zero = self._sum(rest.over), self._polynomial(test.args[1])
        if zero or self._polynomial(test.args[0]) != over:
            raise self.refused(test, "does not compare the last quotient bit with 0")
        below, above = self._folded(x, y), self._sum(rest.t)
        chosen = self._yields("select", [self._sum([rest.test]), above, below])
        self._equal(chosen, rest.chosen, most + c, value)
        self._begin()
        self._equal(self._sum(rest.chosen), limbs, modulus - 1, value, k)

    def _folded(self, x: Value, y: Limbs | None) -> Polynomial:
        """The polynomial of x after the folds so far, which starts another check."""
        self._begin()
        return self._operand(x) if y is None else self._sum(y)


def _after(block: Block) -> list[Block]:
    return [edge.block for edge in block.terminator.edges]


def _is_single(known: bounds.Set) -> bool:
    return known[0] is not None and known[0] == known[1]
