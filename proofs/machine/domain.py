# SPDX-License-Identifier: MIT
"""What the meanings are written over: values of a width, and the operations on them.

A domain says what a value is; the meanings of instructions (integer.py, vector.py,
floating.py) are built from its operations alone, and so hold in each.  Where an operation
takes two values, the second may be a Python integer.  Shifts are by less than the width.

Scalars and vectors are different values: a vector is reached by its lanes only.
"""

from typing import NamedTuple


class Domain:
    """The operations that follow from others; a domain overrides those that it can do better."""

    # scalars, of one width; a condition is a value of one bit
    def add_carry(self, a, b, carry):
        """The sum's lower words and its carry; carry is one bit."""
        width = self.width(a)
        total = self.add(
            self.add(self.zext(a, width + 1), self.zext(b, width + 1)), self.zext(carry, width + 1)
        )
        return self.trunc(total, width), self.extract(total, width, 1)

    def sub_borrow(self, a, b, borrow):
        """a - b - borrow modulo 2^width, and the borrow."""
        width = self.width(a)
        total = self.sub(
            self.sub(self.zext(a, width + 1), self.zext(b, width + 1)), self.zext(borrow, width + 1)
        )
        return self.trunc(total, width), self.extract(total, width, 1)

    def mul_wide(self, a, b, signed=False):
        """The product's lower and upper half."""
        width = self.width(a)
        extend = self.sext if signed else self.zext
        product = self.mul(extend(a, 2 * width), extend(b, 2 * width))
        return self.trunc(product, width), self.extract(product, width, width)

    def sub(self, a, b):
        return self.add(a, self.add(self.not_(self._same(b, a)), 1))

    def neg(self, a):
        return self.sub(self.const(self.width(a), 0), a)

    def ne(self, a, b):
        return self.not_(self.eq(a, b))

    def ule(self, a, b):
        return self.not_(self.ult(self._same(b, a), a))

    def slt(self, a, b):
        top = 1 << (self.width(a) - 1)
        return self.ult(self.xor(a, top), self.xor(self._same(b, a), top))

    def trunc(self, a, width):
        return self.extract(a, 0, width)

    def bit(self, a, index):
        return self.extract(a, index, 1)

    def top(self, a):
        return self.bit(a, self.width(a) - 1)

    def _same(self, b, a):
        return self.const(self.width(a), b) if isinstance(b, int) else b

    # vectors
    def map(self, width, function, *vectors):
        """function of each lane of that width; its results are the lanes of the vector."""
        return self.vector(
            [function(*lanes) for lanes in zip(*(self.lanes(v, width) for v in vectors), strict=True)]
        )

    def conditions(self, width, function, *vectors):
        """A condition for each lane, as the bits of a scalar: lane 0's is the lowest."""
        found = [function(*lanes) for lanes in zip(*(self.lanes(v, width) for v in vectors), strict=True)]
        return self.concat(found)

    def blend(self, width, bits, a, b):
        """Lane i of a where bit i is set, of b elsewhere."""
        chosen = [
            self.select(self.bit(bits, i), x, y)
            for i, (x, y) in enumerate(zip(self.lanes(a, width), self.lanes(b, width), strict=True))
        ]
        return self.vector(chosen)

    def shuffle(self, width, vectors, indices):
        """Those lanes, counted over all vectors."""
        lanes = [lane for vector in vectors for lane in self.lanes(vector, width)]
        return self.vector([lanes[index] for index in indices])

    def splat(self, scalar, count):
        return self.vector([scalar] * count)

    def zero(self, bits):
        return self.splat(self.const(64, 0), bits // 64)

    def part(self, vector, low, bits):
        """bits of the vector from bit low on, both multiples of 64."""
        count = bits // 64
        return self.shuffle(64, [vector], range(low // 64, low // 64 + count))

    def extended(self, vector, bits):
        """The vector, zeros above it."""
        missing = bits - self.total(vector)
        if not missing:
            return vector
        return self.vector(self.lanes(vector, 64) + [self.const(64, 0)] * (missing // 64))

    def total(self, vector):
        return 64 * len(self.lanes(vector, 64))


class Bits(NamedTuple):
    width: int
    value: int


class Vector(NamedTuple):
    bits: int
    value: int


class Integers(Domain):
    """Values known: an integer and its width."""

    def const(self, width, value):
        return Bits(width, value & ((1 << width) - 1))

    def width(self, a):
        return a.width

    def _both(self, function, a, b):
        return self.const(a.width, function(a.value, b if isinstance(b, int) else b.value))

    def add(self, a, b):
        return self._both(int.__add__, a, b)

    def mul(self, a, b):
        return self._both(int.__mul__, a, b)

    def and_(self, a, b):
        return self._both(int.__and__, a, b)

    def or_(self, a, b):
        return self._both(int.__or__, a, b)

    def xor(self, a, b):
        return self._both(int.__xor__, a, b)

    def not_(self, a):
        return self.const(a.width, ~a.value)

    def shl(self, a, b):
        return self._both(int.__lshift__, a, b)

    def lshr(self, a, b):
        return self._both(int.__rshift__, a, b)

    def ashr(self, a, b):
        return self._both(int.__rshift__, Bits(a.width, self._signed(a)), b)

    def udiv(self, a, b):
        return self._both(int.__floordiv__, a, b)

    def eq(self, a, b):
        return Bits(1, int(a.value == self._same(b, a).value))

    def ult(self, a, b):
        return Bits(1, int(a.value < self._same(b, a).value))

    def select(self, condition, a, b):
        return a if condition.value else b

    def zext(self, a, width):
        return Bits(width, a.value)

    def sext(self, a, width):
        return self.const(width, self._signed(a))

    def extract(self, a, low, width):
        return self.const(width, a.value >> low)

    def concat(self, parts):
        """One value of them all, the first lowest."""
        value = width = 0
        for part in parts:
            value |= part.value << width
            width += part.width
        return Bits(width, value)

    def lanes(self, vector, width):
        return [self.const(width, vector.value >> low) for low in range(0, vector.bits, width)]

    def vector(self, lanes):
        return Vector(*self.concat(lanes))

    @staticmethod
    def _signed(a):
        return a.value - (a.value >> (a.width - 1) << a.width)
