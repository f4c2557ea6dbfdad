"""Vectors of words as Python ints of a stated length: limbs.h for the tests and the self-test."""

import sys
from array import array
from collections.abc import Iterable

from ._carrychain import ffi, lib

WORD_BITS = lib.CC_WORD_BITS
WORD_BYTES = WORD_BITS // 8


def vector(data: bytes):
    """A vector made from little-endian words."""
    words = ffi.new("cc_word[]", len(data) // WORD_BYTES)
    ffi.memmove(words, _swapped(data), len(data))
    return words


def data(vector) -> bytes:
    """The contents of a vector as little-endian words."""
    return _swapped(bytes(ffi.buffer(vector)))


def pack(values: Iterable[int], words: int):
    """A vector of the values, one after the other, each in the given number of words."""
    return vector(b"".join(value.to_bytes(words * WORD_BYTES, "little") for value in values))


def unpack(vector, words: int) -> list[int]:
    """The values in a vector, each of the given number of words."""
    held, size = data(vector), words * WORD_BYTES
    return [int.from_bytes(held[i : i + size], "little") for i in range(0, len(held), size)]


def _swapped(data: bytes) -> bytes:
    """Converts between little-endian words and the machine's own."""
    if sys.byteorder == "little":
        return data
    words = array("Q" if WORD_BYTES == 8 else "I", data)
    words.byteswap()
    return words.tobytes()


def _value(vector) -> int:
    return int.from_bytes(data(vector), "little")


def mul(a: int, an: int, b: int, bn: int) -> int:
    r = ffi.new("cc_word[]", an + bn)
    scratch = ffi.new("cc_word[]", lib.cc_limbs_mul_scratch(an, bn))
    lib.cc_limbs_mul(r, pack([a], an), an, pack([b], bn), bn, scratch)
    return _value(r)


def sqr(a: int, n: int) -> int:
    r = ffi.new("cc_word[]", 2 * n)
    lib.cc_limbs_sqr(r, pack([a], n), n, ffi.new("cc_word[]", lib.cc_limbs_sqr_scratch(n)))
    return _value(r)


def divrem(a: int, an: int, d: int, dn: int) -> tuple[int, int]:
    """Quotient and remainder, for an >= dn >= 1 and a nonzero top word of d."""
    if not (an >= dn >= 1 and d >> WORD_BITS * (dn - 1)):
        raise ValueError("divrem needs an >= dn >= 1 and a divisor of exactly dn words")
    q = ffi.new("cc_word[]", an - dn + 1)
    r = ffi.new("cc_word[]", dn)
    scratch = ffi.new("cc_word[]", lib.cc_natural_divrem_scratch(an, dn))
    lib.cc_natural_divrem(q, r, pack([a], an), an, pack([d], dn), dn, scratch)
    return _value(q), _value(r)
