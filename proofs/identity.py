# SPDX-License-Identifier: MIT
"""The domain of exact integers: what a kernel computes, as polynomials in what it was given.

A value is an integer of 0 ... 2^width - 1.  Most are evaluated when they are asked for: of an
addition's flags hardly any is.  What is Undefined (a register before it was written) is an error then,
and not before.
"""

import contextlib

from .machine.domain import Domain
from .polynomials import Ring

PRODUCT = 64  # terms; a factor of more is named first


class Refused(Exception):
    """What could not be shown, or is wrong."""


class Undefined(Refused):
    """Something is read that was never written."""


class Value:
    """A polynomial, or how to make it; parts are values of which it is put together, lowest first."""

    __slots__ = ("_made", "make", "origin", "parts", "width")

    def __init__(self, width, made=None, make=None, parts=None, origin=None):
        self.width, self._made, self.make = width, made, make
        self.parts, self.origin = parts, origin

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
    """Values over one ring."""

    def __init__(self):
        self.ring = Ring()
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

    def _lazy(self, width, function, *values):
        """At once if nothing is unknown."""
        values = [self._same(v, values[0]) for v in values]
        if all(v.constant is not None for v in values):
            return Value(width, function(*(v.polynomial for v in values)))
        return Value(width, make=lambda: function(*(v.polynomial for v in values)))

    # sums and products
    def add_carry(self, a, b, carry):
        return self._sum(a.width, lambda: a.polynomial + b.polynomial + carry.polynomial, 1)

    def sub_borrow(self, a, b, borrow):
        return self._sum(a.width, lambda: a.polynomial - b.polynomial - borrow.polynomial, -1)

    def _sum(self, width, total, sign):
        try:
            q, r = self.ring.divide(total(), width)
        except Undefined as error:
            raised = str(error).partition(" is read")[0]
            return self.undefined(width, raised), self.undefined(1, raised)
        return Value(width, self.ring.named(r)), Value(1, q * sign)

    def add(self, a, b):
        return self._lazy(a.width, lambda x, y: self.ring.remainder(x + y, a.width), a, b)

    def sub(self, a, b):
        return self._lazy(a.width, lambda x, y: self.ring.remainder(x - y, a.width), a, b)

    def mul(self, a, b):
        return self._lazy(a.width, lambda x, y: self.ring.divide(self._product(x, y), a.width)[1], a, b)

    def mul_wide(self, a, b, signed=False):
        if signed:  # the lower half is the same
            return self.mul(a, b), super().mul_wide(a, b, signed)[1]
        return [
            self._lazy(
                a.width, lambda x, y, half=half: self.ring.divide(self._product(x, y), a.width)[half], a, b
            )
            for half in (1, 0)
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
        ones = (1 << width) - 1
        for a, b in ((x, y), (y, x)):  # one is all ones or zeros
            if all(c % ones == 0 for c in b.terms.values()) and b.range[0] >= 0 and b.range[1] <= ones:
                return a * b.over(ones)
        if x.range[1] <= 1 and y.range[1] <= 1:
            return x * y
        for a, b in ((x, y), (y, x)):  # nothing in common
            if all(c % (1 << b.range[1].bit_length()) == 0 for c in a.terms.values()):
                return self.ring.number(0)
        raise Refused(f"the bits of two values are combined: {x} and {y}")

    def _bitwise(self, a, b, masked, both):
        """masked(piece, all, one) where one is known; else both(x, y, x and y)."""

        def made(x, y):
            for known, other in ((y, x), (x, y)):
                if known.constant is not None:
                    return self._masked(other, known.constant, a.width, masked)
            return both(x, y, self._and(x, y, a.width))

        return self._lazy(a.width, made, a, b)

    def and_(self, a, b):
        mask = b if isinstance(b, int) else b.constant
        if mask and mask & (mask + 1) == 0 and mask.bit_length() < a.width:  # the lowest bits
            return self.zext(self.extract(a, 0, mask.bit_length()), a.width)
        return self._bitwise(a, b, lambda piece, ones, one: piece * one, lambda x, y, common: common)

    def or_(self, a, b):
        return self._bitwise(
            a,
            b,
            lambda piece, ones, one: self.ring.number(ones) if one else piece,
            lambda x, y, common: x + y - common,
        )

    def _same_bits(self, a, b):
        """Of one register, whatever it holds."""
        return not isinstance(b, int) and (a is b or (a.origin is not None and a.origin == b.origin))

    def xor(self, a, b):
        if self._same_bits(a, b):
            return self.const(a.width, 0)
        return self._bitwise(
            a,
            b,
            lambda piece, ones, one: -piece + ones if one else piece,
            lambda x, y, common: x + y - common * 2,
        )

    def not_(self, a):
        return self._lazy(a.width, lambda x: -x + ((1 << a.width) - 1), a)

    def _count(self, b):
        count = b if isinstance(b, int) else b.polynomial.constant
        if count is None:
            raise Refused("a shift by a value")
        return count

    def shl(self, a, b):
        def shifted(x):
            by = self._count(b)
            return self._bits(x, 0, a.width - by, a.width) * (1 << by)

        return self._lazy(a.width, shifted, a)

    def lshr(self, a, b):
        return self._lazy(a.width, lambda x: self.ring.divide(x, self._count(b))[0], a)

    def ashr(self, a, b):
        def shifted(x):
            by = self._count(b)
            sign = self.ring.divide(x, a.width - 1)[0]
            return self.ring.divide(x, by)[0] + sign * (((1 << by) - 1) << (a.width - by))

        return self._lazy(a.width, shifted, a)

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
        """Whether x is not 0 where the bit is 1, a carry: by what it is the carry of."""
        division = self.ring.quotients.get(bit)
        for atom in [m[0] for m in division.r.terms if m] if division else ():
            x = self.ring.replace(x, atom, division.u - division.q * (1 << division.k))
        low, high = self.ring.replace(x, bit, self.ring.number(1)).range
        return low > 0 or high < 0

    def eq(self, a, b):
        if self._same_bits(a, b):
            return self.const(1, 1)
        return self._lazy(1, lambda x, y: self._zero(x - y), a, b)

    def ult(self, a, b):
        return self._lazy(1, lambda x, y: -self.ring.divide(x - y, a.width)[0], a, b)

    def select(self, condition, a, b):
        known = condition.constant
        if known is not None:
            return a if known else b
        return self._lazy(a.width, lambda x, y: y + condition.polynomial * (x - y), a, b)

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

        return self._lazy(width, extended, a)

    def extract(self, a, low, width):
        if low == 0 and width == a.width:
            return a
        if a.constant is not None:
            return self.const(width, a.constant >> low)
        if a.parts:
            return self._cut(a.parts, low, width)
        origin = a.origin or (id(a), 0, a)
        return Value(
            width,
            make=lambda: self._bits(a.polynomial, low, width, a.width),
            origin=(origin[0], origin[1] + low, origin[2]),
        )

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
        flat = [piece for part in parts for piece in (part.parts or [part])]

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
