# SPDX-License-Identifier: MIT
"""What a claim is given in place of a path: contents that are known, at random, and the bytes emulated."""

import numpy

from . import native, run
from .identity import Refused

ADDRESSES = 64  # bytes; a base is so many times something, and its offset


class Known:
    """An argument or a result, as a path's values are used."""

    def __init__(self, number):
        self.polynomial = number


class Array:
    """As path.Array: bytes in a region of their own."""

    def __init__(
        self, call, random, label, size, *, grain=8, known=True, writable=False, align=8, offset=0, below=None
    ):
        del known
        self.label, self.grain = label, grain
        self.stores = slice(size if writable else 0)
        self.data = native.words(random, -(-size // 8) + 1).view("u1")[:size].copy()
        if below is not None:
            number = self._number(self.data, 0, None) % below.before()
            self.data[:] = numpy.frombuffer(number.to_bytes(size, "little"), "u1")
        self.kept = self.data.copy()
        where = offset + align * int(random.integers(ADDRESSES // align)) if align < ADDRESSES else offset
        self.base = call.memory(self.data, offset=where)

    def before(self, first=0, end=None):
        return self._number(self.kept, first, end)

    def after(self, first=0, end=None):
        return self._number(self.data, first, end)

    def _number(self, data, first, end):
        end = len(data) if end is None else end * self.grain
        return int.from_bytes(data[first * self.grain : end].tobytes(), "little")

    def words(self):
        return int(self.kept[::2].sum(dtype="u8") + 256 * self.kept[1::2].sum(dtype="u8"))

    def at(self, index):
        return Known(self.base + index * self.grain)


class Emulated:
    """One call of a function of the image."""

    def __init__(self, image, random):
        self.called, self.random = run.Call(image), random
        self.arrays = []

    def array(self, label, count, **options):
        made = Array(self.called, self.random, label, count * options.get("grain", 8), **options)
        self.arrays.append(made)
        return made

    def output(self, label, count):
        return self.array(label, count, writable=True)

    def anything(self):
        return self.word("anything")

    def word(self, label, high=2**64 - 1):
        del label
        return Known(int(native.words(self.random, 1)[0]) % (high + 1))

    def odd(self, label, count):
        made = self.array(label, count)
        made.data[0] |= 1
        made.kept[0] |= 1
        return made, Known(-pow(made.before(), -1, 2**64) % 2**64)

    def inverse(self, k, i, m, j, bits):
        m.data[m.grain * j] |= 1
        m.kept[:] = m.data
        self.fill(k, i, -pow(self.part(m, j, bits), -1, 1 << bits) % (1 << bits))

    def part(self, array, index, bits):
        return array.after(index, index + 1) % (1 << bits)

    def fill(self, array, index, value):
        number = value.base if isinstance(value, Array) else value
        at = array.grain * index
        array.data[at : at + array.grain] = numpy.frombuffer(number.to_bytes(array.grain, "little"), "u1")
        array.kept[:] = array.data

    def integer(self, value, width):
        return Known(value | int(self.random.integers(1 << 63)) << width & (2**64 - 1))

    def number(self, value):
        return value

    def call(self, function, *arguments):
        numbers = [getattr(each, "base", getattr(each, "polynomial", each)) for each in arguments]
        try:
            result = self.called.run(function, *numbers, random=self.random)
        except run.Fault as fault:
            raise Refused(str(fault)) from None
        self.result = result
        for array in self.arrays:
            array.left = array.data.copy()
            before, after = array.kept.copy(), array.data.copy()
            before[array.stores] = after[array.stores] = 0
            if (before != after).any():
                raise Refused(f"{array.label} is written where it may not be")
        return Known(result)

    def same(self, image):
        """Whether the call does the same with an image's bytes; Fault."""
        for array in self.arrays:
            array.data[:] = array.kept
        result = self.called.again(image)
        return result == self.result and all((array.data == array.left).all() for array in self.arrays)

    @staticmethod
    def known(value):
        return value.polynomial

    def low(self, value, width):
        return Known(value.polynomial & ((1 << width) - 1))

    def equal(self, a, b, modulus=None):
        if (a - b) % modulus if modulus else a != b:
            raise Refused(f"{a:#x} is not {b:#x}")

    def only_zeros(self, a, data):
        if not a and data.kept.any():
            raise Refused(f"0, and {data.label} is not")

    def multiple(self, a, m, most):
        if a % m or not 0 <= a // m < most:
            raise Refused(f"{a:#x} is no multiple of {m:#x}")

    def reduced(self, r, product, m, n):
        self.equal(r.after() << 64 * n, product, m.before())
        if r.after() >= m.before():
            raise Refused(f"{r.after():#x} is not below {m.before():#x}")
