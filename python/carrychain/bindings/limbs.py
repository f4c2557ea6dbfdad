"""Vectors of words as Python ints of a stated length: limbs.h for the tests and the self-test."""

from ._carrychain import ffi, lib

WORD_BITS = lib.CC_WORD_BITS


def _vector(value: int, words: int):
    size = WORD_BITS // 8
    data = value.to_bytes(words * size, "little")
    return ffi.new(
        "cc_word[]", [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
    )


def _value(vector) -> int:
    return int.from_bytes(b"".join(word.to_bytes(WORD_BITS // 8, "little") for word in vector), "little")


def mul(a: int, an: int, b: int, bn: int) -> int:
    r = ffi.new("cc_word[]", an + bn)
    scratch = ffi.new("cc_word[]", lib.cc_limbs_mul_scratch(an, bn))
    lib.cc_limbs_mul(r, _vector(a, an), an, _vector(b, bn), bn, scratch)
    return _value(r)


def sqr(a: int, n: int) -> int:
    r = ffi.new("cc_word[]", 2 * n)
    lib.cc_limbs_sqr(r, _vector(a, n), n, ffi.new("cc_word[]", lib.cc_limbs_sqr_scratch(n)))
    return _value(r)


def divrem(a: int, an: int, d: int, dn: int) -> tuple[int, int]:
    """Quotient and remainder, for an >= dn >= 1 and a top word of d that is not 0."""
    if not (an >= dn >= 1 and d >> WORD_BITS * (dn - 1)):
        raise ValueError("divrem needs an >= dn >= 1 and a divisor of exactly dn words")
    q = ffi.new("cc_word[]", an - dn + 1)
    r = ffi.new("cc_word[]", dn)
    scratch = ffi.new("cc_word[]", lib.cc_limbs_divrem_scratch(an, dn))
    lib.cc_limbs_divrem(q, r, _vector(a, an), an, _vector(d, dn), dn, scratch)
    return _value(q), _value(r)
