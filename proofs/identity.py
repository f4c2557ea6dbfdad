# SPDX-License-Identifier: MIT
"""The domain of exact integers: what a kernel computes, as polynomials in what it was given.

A value is an integer of 0 ... 2^width - 1.  Most are evaluated when they are asked for: of an
addition's flags hardly any is.  What is Undefined (a register before it was written) is an error then,
and not before.
"""

import contextlib
import functools
import operator

from .machine.domain import Domain
from .polynomials import Ring

PRODUCT = 64  # terms; a factor of more is named first


class Refused(Exception):
    """What could not be shown, or is wrong."""


class Undefined(Refused):
    """Something is read that was never written."""


def ones(width):
    return (1 << width) - 1


def signed(value, width):
    return value - (value >> (width - 1) << width)


class Value:
    """A polynomial, or how to make it; parts are values of which it is put together, lowest first.

    A bit's test says what it tells: ("=", x, c), (">", x, c), or of a sum's ("^", carry into it, other bit).
    """

    __slots__ = ("_made", "make", "origin", "parts", "test", "width")

    def __init__(self, width, made=None, make=None, parts=None, origin=None, test=None):
        self.width, self._made, self.make = width, made, make
        self.parts, self.origin, self.test = parts, origin, test

    @property
    def polynomial(self):
        if self._made is None:
            self._made, self.make = self.make(), None
        return self._made

    @property
    def constant(self):
        return self._made.constant if self._made is not None else None


class Vector:
    """Scalars side by side, the lowest first."""

    __slots__ = ("bits", "regrouped")

    def __init__(self, parts):
        self.bits = sum(part.width for part in parts)
        self.regrouped = {parts[0].width: parts}

    @property
    def parts(self):
        return next(iter(self.regrouped.values()))


class Exact(Domain):
    """Values over one ring.

    What an operation gives is tried beside what it means of integers, as each of the ring's steps is.
    """

    def __init__(self, seed=0):
        self.ring = Ring(seed)
        self.constants = {}

    # values
    def const(self, width, value):
        value &= (1 << width) - 1
        if (width, value) not in self.constants:
            self.constants[width, value] = Value(width, self.ring.number(value))
        return self.constants[width, value]

    def of(self, width, polynomial):
        return Value(width, polynomial)

    def undefined(self, width, what):
        def make():
            raise Undefined(f"{what} is read, and was never written")

        return Value(width, make=make)

    def width(self, a):
        return a.width

    def _lazy(self, width, meaning, function, *values):
        """A function of polynomials, as the meaning is of integers; at once if nothing is unknown."""
        values = [self._same(v, values[0]) for v in values]

        def made():
            polynomials = [v.polynomial for v in values]
            return self.ring.step("an operation", function(*polynomials), meaning, polynomials)

        if all(v.constant is not None for v in values):
            return Value(width, made())
        return Value(width, make=made)

    # what is put together of parts, and stays so
    def _pairs(self, a, b):
        """The parts of both, cut where either is; None if neither has any."""
        b = self._same(b, a)
        if not (a.parts or b.parts):
            return None
        ends = set()
        for value in (a, b):
            at = 0
            for part in value.parts or [value]:
                ends.add(at := at + part.width)
        ends = sorted(ends)
        places = list(zip([0, *ends], ends, strict=False))
        return [(self.extract(a, i, j - i), self.extract(b, i, j - i)) for i, j in places]

    def _joined(self, a, b, function):
        """The parts that a function gives of each pair; None if it has none of some."""
        pairs = self._pairs(a, b)
        parts = [function(x, y) for x, y in pairs] if pairs else [None]
        return None if any(part is None for part in parts) else self.concat(parts)

    def _single_bits(self, a):
        """A value's bits where each is a part or known, else None."""
        if any(part.width > 1 and part.constant is None for part in a.parts or [a]):
            return None
        return [self.extract(a, i, 1) for i in range(a.width)]

    def _rippled(self, a, b):
        """Carries of columns, by one addition of masks; None where a and b are no such masks.

        Column i has a value s < 2 2^k - 1, and c of them carries on into the next: floor((s + c) / 2^k), 0 or
        1.  It generates a carry if s > 2^k - 1, which is bit i + 1 of one mask, and propagates one if
        s = 2^k - 1, bit i of the other; bit 0 of the first is the carry into the lowest.  Not both, so
        in the sum of the masks bit i is that carry into column i, inverted where column i propagates.
        (test_proofs_identity.py has the proof, by z3.)
        """
        bits, others = self._single_bits(a), self._single_bits(b)
        if bits is None or others is None:
            return None
        if any(bit.test and bit.test[0] == "=" for bit in bits):
            bits, others = others, bits
        carry, total = bits[0], []
        into = functools.cache(lambda: self._carries(bits, others))
        for generates, propagates in zip([*bits[1:], self.const(1, 0)], others, strict=True):
            if propagates.constant == 0:
                total.append(carry)
            else:
                total.append(self._inverted(carry, propagates))
            if propagates.constant == generates.constant == 0:
                carry = self.const(1, 0)
                continue
            if not (propagates.test and generates.test):
                return None
            (equal, s, most), (above, same, also) = propagates.test, generates.test
            if (equal, above) != ("=", ">") or same is not s or also != most or most & (most + 1):
                return None
            carry = self._carried(s, carry, most, into, len(total))
        return self.concat(total) if carry.constant == 0 else None

    def _carries(self, generate, propagate):
        """Those into the columns, as the addition of the masks has them, in each world."""

        def mask(bits):
            found = zip(*(self._tested(bit) for bit in bits), strict=True)
            return [sum(bit << i for i, bit in enumerate(each)) for each in found]

        return [(x + y) ^ y for x, y in zip(mask(generate), mask(propagate), strict=True)]

    def _tested(self, bit):
        """A bit's value in each world, by what it tells where it is a test."""
        if not bit.test or bit.test[0] == "^":
            return self.ring.worlds().of(bit.polynomial)
        function = {"=": operator.eq, ">": operator.gt}[bit.test[0]]
        return [int(function(value, bit.test[2])) for value in self.ring.worlds().of(bit.test[1].polynomial)]

    def _carried(self, s, carry, most, into, column):
        def made():
            low, high = s.polynomial.range
            if low < 0 or high > 2 * most:
                raise Refused(f"a column has more than {2 * most:#x}: {s.polynomial}")
            carried = self.ring.divide(s.polynomial + carry.polynomial, most.bit_length())[0]
            self.ring.values("a column's carry", carried, [each >> column & 1 for each in into()])
            return carried

        return Value(1, make=made)

    def _inverted(self, carry, bit):
        def made():
            x, y = carry.polynomial, bit.polynomial
            return self.ring.step("inverted", x + y - x * y * 2, operator.xor, [x, y])

        return Value(1, make=made, test=("^", carry, bit))

    # sums and products
    def add_carry(self, a, b, carry):
        if carry.constant == 0 and (a.parts or b.parts):
            if a is b:
                return self.shl(a, 1), self.top(a)
            if (found := self._rippled(a, b)) is not None:
                return found, self.const(1, 0)
        return self._sum(a.width, lambda: a.polynomial + b.polynomial + carry.polynomial, 1)

    def sub_borrow(self, a, b, borrow):
        return self._sum(a.width, lambda: a.polynomial - b.polynomial - borrow.polynomial, -1)

    def _sum(self, width, total, sign):
        try:
            q, r = self.ring.divide(total(), width)  # which is the operation's meaning
        except Undefined as error:
            raised = str(error).partition(" is read")[0]
            return self.undefined(width, raised), self.undefined(1, raised)
        return Value(width, self.ring.named(r)), Value(1, q * sign)

    def add(self, a, b):
        b = self._same(b, a)
        for one, other in ((a, b), (b, a)):
            if one.parts and other.constant == 0:
                return one
        if (a.parts or b.parts) and (found := self._rippled(a, b)) is not None:
            return found
        return self._lazy(
            a.width,
            lambda x, y: (x + y) & ones(a.width),
            lambda x, y: self.ring.remainder(x + y, a.width),
            a,
            b,
        )

    def sub(self, a, b):
        return self._lazy(
            a.width,
            lambda x, y: (x - y) & ones(a.width),
            lambda x, y: self.ring.remainder(x - y, a.width),
            a,
            b,
        )

    def mul(self, a, b):
        factor = self._same(b, a).constant
        if a.parts and factor and factor & (factor - 1) == 0:
            return self.shl(a, factor.bit_length() - 1)
        return self._lazy(
            a.width,
            lambda x, y: x * y & ones(a.width),
            lambda x, y: self.ring.divide(self._product(x, y), a.width)[1],
            a,
            b,
        )

    def udiv(self, a, b):
        """Of what is known alone: its time depends on its operands."""
        x, y = a.polynomial.constant, self._same(b, a).polynomial.constant
        if x is None or not y:
            raise Refused("a division of a value")
        return self.const(a.width, x // y)

    def mul_wide(self, a, b, signed=False):
        if signed:  # the lower half is the same
            return self.mul(a, b), super().mul_wide(a, b, signed)[1]
        return [
            self._lazy(
                a.width,
                lambda x, y, shift=shift: x * y >> shift & ones(a.width),
                lambda x, y, half=half: self.ring.divide(self._product(x, y), a.width)[half],
                a,
                b,
            )
            for half, shift in ((1, 0), (0, a.width))
        ]

    def _product(self, x, y):
        if len(x.terms) * len(y.terms) > PRODUCT:
            x, y = self.ring.named(x), self.ring.named(y)
        return x * y

    # bits
    def _bits(self, x, low, width, whole):
        """So many from the lowest on, of a polynomial that has @whole."""
        if low:
            x = self.ring.divide(x, low)[0]
        return x if low + width >= whole else self.ring.divide(x, width)[1]

    def _pieces(self, x, mask, width):
        """(polynomial, where, bits, whether they are ones in the mask) of runs of equal bits of the mask."""
        at = 0
        while at < width:
            one = mask >> at & 1
            rest = ~(mask >> at) if one else mask >> at | 1 << width
            run = min((rest & -rest).bit_length() - 1, width - at)
            piece = x
            if at + run < width:
                x, piece = self.ring.divide(x, run)
            yield piece, at, run, one
            at += run

    def _masked(self, x, mask, width, function):
        """Σ function(piece, all ones of its bits, whether the mask has ones there)."""
        total = self.ring.number(0)
        for piece, at, run, one in self._pieces(x, mask, width):
            total = total + function(piece, (1 << run) - 1, one) * (1 << at)
        return total

    def _and(self, x, y, width):
        if x == y:
            return x
        most = ones(width)
        for a, b in ((x, y), (y, x)):  # one is all ones or zeros
            if all(c % most == 0 for c in b.terms.values()) and b.range[0] >= 0 and b.range[1] <= most:
                return a * b.over(most)
        if x.range[1] <= 1 and y.range[1] <= 1:
            return self.ring.number(0) if self._exclusive(x, y) else x * y
        for a, b in ((x, y), (y, x)):  # nothing in common
            if all(c % (1 << b.range[1].bit_length()) == 0 for c in a.terms.values()):
                return self.ring.number(0)
        raise Refused(f"the bits of two values are combined: {x} and {y}")

    def _exclusive(self, x, y):
        """Whether one carry is 0 where the other is 1: a + b that wrapped has room for a carry."""
        for one, other in ((x, y), (y, x)):
            first, second = (self._carry(each) for each in (one, other))
            if first is not None and second is not None:
                division = self.ring.quotients[second]
                ranges = zip(division.u.range, self._where(division.u, first).range, strict=True)
                (low, high), size = ranges, 1 << division.k
                if max(low) >= 0 and min(high) < size:  # both hold
                    self.ring.step("exclusive", other, old=self.ring.number(0), where=[(one, 1)])
                    return True
        return False

    def _carry(self, x):
        """The quotient that a polynomial is, and nothing else; or None."""
        (monomial, factor), *more = x.terms.items() or [((), 0)]
        if more or factor != 1 or len(monomial) != 1 or monomial[0] not in self.ring.quotients:
            return None
        return monomial[0]

    def _where(self, x, bit):
        """A polynomial where a carry is 1: by what it is the carry of.

        e = u - 2^k q - r is 0, and so x - y e is x, whatever y is: such a y that what r is made of goes.
        """
        ring, division = self.ring, self.ring.quotients.get(bit)
        if division:
            zero = division.u - division.q * (1 << division.k) - division.r
            for atom in sorted({atom for m in division.r.terms for atom in m}, reverse=True):
                factor, coefficient = ring.factor(x, atom), zero.terms.get((atom,))
                if factor.terms and coefficient and all(c % coefficient == 0 for c in factor.terms.values()):
                    x = ring.step("where, a remainder", x - factor.over(coefficient) * zero, old=x)
                    break
        return self.given(x, bit, 1)

    def given(self, x, bit, value):
        """A polynomial where an atom has that value."""
        ring = self.ring
        replaced = ring.replace(x, bit, ring.number(value))
        return ring.step("where", replaced, old=x, where=[(ring.atom_of(bit), value)])

    def _bitwise(self, meaning, a, b, masked, both):
        """masked(piece, all, one) where one is known; else both(x, y, x and y)."""

        def made(x, y):
            for known, other in ((y, x), (x, y)):
                if known.constant is not None:
                    return self._masked(other, known.constant, a.width, masked)
            return both(x, y, self._and(x, y, a.width))

        return self._lazy(a.width, meaning, made, a, b)

    def and_(self, a, b):
        if a.constant is not None:
            a, b = self._same(b, a), a
        mask = b if isinstance(b, int) else b.constant
        if mask and mask & (mask + 1) == 0 and mask.bit_length() < a.width:  # the lowest bits
            return self.zext(self.extract(a, 0, mask.bit_length()), a.width)
        return self._bitwise(
            operator.and_, a, b, lambda piece, most, one: piece * one, lambda x, y, common: common
        )

    def or_(self, a, b):
        def either(x, y):
            return y if x.constant == 0 else x if y.constant == 0 else None

        if (found := self._joined(a, b, either)) is not None:
            return found
        return self._bitwise(
            operator.or_,
            a,
            b,
            lambda piece, most, one: self.ring.number(most) if one else piece,
            self._either,
        )

    def _either(self, x, y, common):
        """x | y; of two bits one that is known to be one, as a carry that goes on has to be."""
        bits = x.range[1] <= 1 and y.range[1] <= 1
        return self.ring.bit(x + y - common) if bits else x + y - common

    def _same_bits(self, a, b):
        """Of one register, whatever it holds."""
        return not isinstance(b, int) and (a is b or (a.origin is not None and a.origin == b.origin))

    def xor(self, a, b):
        if self._same_bits(a, b):
            return self.const(a.width, 0)
        if (found := self._joined(a, b, self._other)) is not None:
            return found
        return self._bitwise(
            operator.xor,
            a,
            b,
            lambda piece, most, one: -piece + most if one else piece,
            lambda x, y, common: x + y - common * 2,
        )

    @staticmethod
    def _other(x, y):
        """x ^ y, where one is 0, or a sum's bit that the other has inverted."""
        for one, other in ((x, y), (y, x)):
            if one.constant == 0:
                return other
            if one.test and one.test[0] == "^" and one.test[2] is other:
                return one.test[1]
        return None

    def not_(self, a):
        return self._lazy(a.width, lambda x: x ^ ones(a.width), lambda x: -x + ones(a.width), a)

    def _count(self, b):
        count = b if isinstance(b, int) else b.polynomial.constant
        if count is None:
            raise Refused("a shift by a value")
        return count

    def shl(self, a, b):
        by = self._same(b, a).constant
        if a.parts and by is not None:
            return self.concat([self.const(by, 0), self.extract(a, 0, a.width - by)]) if by else a

        def shifted(x):
            by = self._count(b)
            return self._bits(x, 0, a.width - by, a.width) * (1 << by)

        return self._lazy(a.width, lambda x: x << self._count(b) & ones(a.width), shifted, a)

    def lshr(self, a, b):
        by = self._same(b, a).constant
        if a.parts and by is not None:
            return self.zext(self.extract(a, by, a.width - by), a.width)
        return self._lazy(
            a.width,
            lambda x: x >> self._count(b),
            lambda x: self.ring.divide(x, self._count(b))[0],
            a,
        )

    def ashr(self, a, b):
        def shifted(x):
            by = self._count(b)
            sign = self.ring.divide(x, a.width - 1)[0]
            return self.ring.divide(x, by)[0] + sign * (((1 << by) - 1) << (a.width - by))

        return self._lazy(a.width, lambda x: signed(x, a.width) >> self._count(b) & ones(a.width), shifted, a)

    # comparisons: a condition is a polynomial that is 0 or 1
    def _zero(self, x):
        low, high = x.range
        if low > 0 or high < 0:
            return self.ring.number(0)
        if low == high == 0:
            return self.ring.number(1)
        if (low, high) == (0, 1):
            return -x + 1
        if (low, high) == (-1, 0):
            return x + 1
        # 1 + floor(-|x| / 2^k), where x has but one sign: 0 or -1
        size = max(-low, high).bit_length()
        if low < 0 < high:
            for bit in {atom for m in x.terms for atom in m if self.ring.high[atom] == 1}:
                if all(bit in m for m in x.terms) and self._sign(self.ring.factor(x, bit), bit):
                    return self.ring.atom_of(bit) * -1 + 1
            raise Refused(f"a comparison whose outcome is open: {x} with 0")
        return self.ring.divide(-x if high > 0 else x, size)[0] + 1

    def _sign(self, x, bit):
        """Whether x is not 0 where the bit is 1, a carry."""
        low, high = self._where(x, bit).range
        return low > 0 or high < 0

    def eq(self, a, b):
        if self._same_bits(a, b):
            return self.const(1, 1)
        found = self._lazy(1, lambda x, y: int(x == y), lambda x, y: self._zero(x - y), a, b)
        if (known := self._same(b, a).constant) is not None:
            found.test = ("=", a, known)
        return found

    def ult(self, a, b):
        found = self._lazy(
            1, lambda x, y: int(x < y), lambda x, y: -self.ring.divide(x - y, a.width)[0], a, b
        )
        if a.constant is not None:
            found.test = (">", self._same(b, a), a.constant)
        return found

    def select(self, condition, a, b):
        known = condition.constant
        if known is not None:
            return a if known else b
        return self._lazy(
            a.width,
            lambda x, y, bit: x if bit else y,
            lambda x, y, bit: y + bit * (x - y),
            a,
            self._same(b, a),
            condition,
        )

    # widths
    def zext(self, a, width):
        if width == a.width:
            return a
        zeros = self.const(width - a.width, 0)
        return Value(width, a._made, lambda: a.polynomial, parts=[*(a.parts or [a]), zeros])

    def sext(self, a, width):
        def extended(x):
            sign = self.ring.divide(x, a.width - 1)[0]
            return x + sign * ((1 << width) - (1 << a.width))

        return self._lazy(width, lambda x: signed(x, a.width) & ones(width), extended, a)

    def extract(self, a, low, width):
        if low == 0 and width == a.width:
            return a
        if a.constant is not None:
            return self.const(width, a.constant >> low)
        if a.parts:
            return self._cut(a.parts, low, width)
        number, first, whole = a.origin or (id(a), 0, a)
        first += low  # of the whole: a part's part is cut where that is, and nowhere else

        def cut():
            x = whole.polynomial
            bits = self._bits(x, first, width, whole.width)
            return self.ring.step("bits", bits, lambda value: value >> first & ones(width), [x])

        return Value(width, make=cut, origin=(number, first, whole))

    def _cut(self, parts, low, width):
        taken, at = [], 0
        for part in parts:
            first, end = max(low, at), min(low + width, at + part.width)
            if first < end:
                taken.append(self.extract(part, first - at, end - first))
            at += part.width
        return self.concat(taken)

    def concat(self, parts):
        if len(parts) == 1:
            return parts[0]
        flat = []
        for part in (piece for each in parts for piece in (each.parts or [each])):
            before = flat[-1] if flat else None
            if before and before.origin and part.origin and before.origin[0] == part.origin[0]:
                _, low, whole = before.origin
                if low + before.width == part.origin[1]:  # side by side in one value
                    flat[-1] = self.extract(whole, low, before.width + part.width)
                    continue
            flat.append(part)
        if len(flat) == 1:
            return flat[0]

        def joined():
            total, at = self.ring.number(0), 0
            for part in flat:
                total = total + part.polynomial * (1 << at)
                at += part.width
            return total

        made = joined() if all(part.constant is not None for part in flat) else None
        return Value(sum(part.width for part in flat), made, joined, parts=flat)

    # vectors
    def lanes(self, vector, width):
        if width not in vector.regrouped:
            whole = self.concat(vector.parts)
            vector.regrouped[width] = [
                self.extract(whole, low, width) for low in range(0, vector.bits, width)
            ]
        return list(vector.regrouped[width])

    def vector(self, lanes):
        return Vector(list(lanes))

    def total(self, vector):
        return vector.bits


def force(value):
    """Evaluates what can be; what is put together of parts, or undefined, stays as it is."""
    if isinstance(value, Vector):
        for part in value.parts:
            force(part)
    elif not value.parts:
        with contextlib.suppress(Undefined):
            _ = value.polynomial


def _refused(self, *operands):
    raise Refused("doubles are not followed")


for _name in (
    *("fadd", "fsub", "fmul", "fdiv", "fma", "froundeven"),
    *("from_signed", "from_unsigned", "to_signed", "to_signed_truncated"),
):
    setattr(Exact, _name, _refused)
