"""Modular exponentiation in constant time: fixed.h for ints and for NumPy arrays of words."""

import operator
from collections.abc import Callable, Sequence

from ._carrychain import ffi, lib
from .limbs import WORD_BITS, WORD_BYTES, pack, unpack
from .status import check
from .watch import interruptible

MAX_BITS = lib.CC_FZ_MAX_BITS

# A call into C does so many at most, a few full batches: who was interrupted soon stops.
AT_ONCE = 16
# Words cubed: below this the slowest tier is done in 0.3 s, and a thread not worth it.
_SHORT = 2**20

Operands = tuple[int, int, int]


def powmod(b: int, e: int, m: int) -> int:
    """``pow(b, e, m)`` in constant time, with the same results and exceptions as ``pow``.

    The running time depends on the length of ``m`` in words, the length of the longer of ``e`` and ``m``,
    whether ``m`` is odd, and the signs. It does not depend on the values, nor on which bits of ``e`` are set.
    This holds for the arithmetic in C. It does not hold for Python's own work before and after: converting an
    int takes time that depends on its length, a negative ``b`` is first reduced by Python's division, and no
    int is wiped from memory.

    ``e`` and ``m`` have at most 16384 bits (otherwise OverflowError); ``b`` may have any length. ValueError
    if ``m`` is 0, or if ``e`` is negative and ``b`` has no inverse. The GIL is released. For many powers
    modulo the same ``m``, or for exponents that are short or public, use ``Modulus(m)``.
    """
    (result,) = powers([operands(b, e, m)])
    return result


def powmod_many(bs: Sequence[int], es: Sequence[int], ms: Sequence[int]):
    """``[powmod(b, e, m) for b, e, m in zip(bs, es, ms)]``, several at once.

    Where it is faster, eight are computed at once by AVX-512 IFMA or four by AVX2; otherwise one at a time.

    All are computed at the width of the widest. If widths differ much, make one call per width.

    The arguments may also be three two-dimensional NumPy arrays of words (uint64, or uint32 on 32-bit
    machines), one number per row, least significant word first. The result is then such an array. Nothing is
    copied, and no Python int is created.
    """
    if all(getattr(each, "ndim", 0) == 2 for each in (bs, es, ms)):
        return _powers_of_arrays(bs, es, ms)
    if not len(bs) == len(es) == len(ms):
        raise ValueError(f"bs, es and ms must have equal lengths, not {len(bs)}, {len(es)} and {len(ms)}")
    return powers([operands(*each) for each in zip(bs, es, ms, strict=True)])


def index(value, name: str, what: str = "an integer") -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be {what}, not {type(value).__name__}") from None


def operands(b, e, m) -> Operands:
    """Checks ``powmod``'s arguments and returns those of ``powers``: for e < 0, b's inverse and -e."""
    b, e, m = index(b, "b"), index(e, "e"), index(m, "m")
    if m == 0:
        raise ValueError("m must not be 0")
    for name, value in (("e", e), ("m", m)):
        if value.bit_length() > MAX_BITS:
            raise OverflowError(f"{name} has {value.bit_length()} bits: powmod takes at most {MAX_BITS}")
    return (inverse_of(b, abs(m)), -e, m) if e < 0 else (b, e, m)


def inverse_of(a: int, m: int) -> int:
    n = words(m)
    r = pack([fitting(a, m, n)], n)
    invert(r, pack([m], n), n)
    return unpack(r, n)[0]


def widths(operands: Sequence[Operands]) -> tuple[int, int]:
    """The number of words of the widest modulus, and of the widest exponent or modulus."""
    n = max(words(m) for *_, m in operands)
    return n, max(n, *(words(e) for _, e, _ in operands))


def powers(operands: Sequence[Operands]) -> list[int]:
    if not operands:
        return []
    n, en = widths(operands)
    b = pack((fitting(b, abs(m), n) for b, _, m in operands), n)
    e = pack((e for _, e, _ in operands), en)
    m = pack((abs(m) for *_, m in operands), n)
    _compute(b, b, e, en, m, n, len(operands))
    # as pow: a remainder has the modulus's sign
    signed = zip((m for *_, m in operands), unpack(b, n), strict=True)
    return [r + m if m < 0 and r else r for m, r in signed]


def fitting(value: int, m: int, n: int) -> int:
    """A number congruent to ``value`` modulo ``m`` that fits in ``n`` words, as ``m`` does."""
    if value < 0:
        return value % m
    an = words(value)
    if an <= n:
        return value
    r = ffi.new("cc_word[]", n)
    check(lib.cc_fz_mod(r, pack([value], an), an, pack([m], n), n), "mod")
    return unpack(r, n)[0]


def invert(r, m, n: int) -> None:
    """r[n] = r^-1 mod m[n]. Raises ValueError, as pow does, if there is no inverse."""
    exists = ffi.new("cc_word *")
    check(lib.cc_fz_inverse(r, exists, r, m, n), "inverse")
    if not exists[0]:
        raise ValueError("base is not invertible for the given modulus")


def array_of_words(array, name: str):
    """Checks that a NumPy array holds one number per row, as contiguous words."""
    # whoever has such arrays has NumPy
    import numpy

    word = numpy.dtype(f"u{WORD_BYTES}")
    array = numpy.asarray(array)
    if array.dtype != word:
        raise TypeError(f"{name} must be of words, which are {word} here, not {array.dtype}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous: make a copy, as numpy.ascontiguousarray does")
    return array


def _powers_of_arrays(bs, es, ms):
    import numpy

    bs, es, ms = (array_of_words(each, "the arrays") for each in (bs, es, ms))
    for each in (es, ms):
        if each.shape != bs.shape:
            raise ValueError(f"the arrays must have the same shape, not {bs.shape} and {each.shape}")
    count, n = bs.shape
    if n * WORD_BITS > MAX_BITS:
        raise OverflowError(f"rows of {n * WORD_BITS} bits: powmod takes at most {MAX_BITS}")
    if not ms.any(axis=1).all():
        raise ValueError("m must not be 0")
    result = numpy.empty_like(bs)
    r, b, e, m = (ffi.from_buffer("cc_word[]", each) for each in (result, bs, es, ms))
    _compute(r, b, e, n, m, n, count)
    return result


def words(value: int) -> int:
    return max(-(-value.bit_length() // WORD_BITS), 1)


def _compute(r, b, e, en: int, m, n: int, count: int) -> None:
    def some(i: int, count: int) -> None:
        at, bits = i * n, en * WORD_BITS
        check(lib.cc_fz_powmod_many_bits(r + at, b + at, e + i * en, bits, m + at, n, count), "powmod")

    in_batches(some, count, n * n * en)


def in_batches(some: Callable[[int, int], None], count: int, cost: int) -> None:
    """Calls ``some(i, count)`` for consecutive batches until all are done.

    One item costs ``cost`` words cubed.
    """
    stopped = []

    def work() -> None:
        for i in range(0, count, AT_ONCE):
            if stopped:
                return
            some(i, min(AT_ONCE, count - i))

    if cost * count < _SHORT:
        work()
    else:
        interruptible(work, lambda: stopped.append(True))
