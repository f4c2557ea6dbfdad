"""Modular exponentiation in constant time: fixed.h for ints and for NumPy's arrays of words."""

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
    """``pow(b, e, m)``, by cc_fz_powmod_bits() and cc_fz_inverse(): the same result, the same exceptions.

    The time shows how many words ``m`` takes, how many the wider of ``e`` and ``m``, whether ``m`` is odd,
    and the signs; not the values, nor which bits of ``e`` are set. This holds for the arithmetic in C. It
    does not for what Python does before and after: ints are converted in a time that shows their length, a
    negative ``b`` is first reduced by Python's own division, and no int is wiped from memory.

    ``e`` and ``m`` have 16384 bits at most (OverflowError); ``b`` may have any number. ValueError if ``m``
    is 0, or if ``e`` is negative and ``b`` has no inverse. The GIL is released. ``Modulus(m)`` is for many
    powers modulo one ``m``, and for exponents that are short, or may show.
    """
    (result,) = powers([operands(b, e, m)])
    return result


def powmod_many(bs: Sequence[int], es: Sequence[int], ms: Sequence[int]):
    """``[powmod(b, e, m) for b, e, m in zip(bs, es, ms)]``, several at once.

    Eight by AVX-512 IFMA, four by AVX2, where that is faster; else one by one.

    All are computed at the widths of the widest: sort what differs much into calls of its own.

    Three two-dimensional NumPy arrays of words (uint64; uint32 where that is the machine's word), a number
    a row, least significant word first, give such an array: without a copy, and without a Python int.
    """
    if all(getattr(each, "ndim", 0) == 2 for each in (bs, es, ms)):
        return _powers_of_arrays(bs, es, ms)
    if not len(bs) == len(es) == len(ms):
        raise ValueError(f"as many of each are needed, not {len(bs)}, {len(es)} and {len(ms)}")
    return powers([operands(*each) for each in zip(bs, es, ms, strict=True)])


def index(value, name: str, what: str = "an integer") -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be {what}, not {type(value).__name__}") from None


def operands(b, e, m) -> Operands:
    """What ``powers`` takes, for what ``powmod`` is asked: checked, and for e < 0 b's inverse and -e."""
    b, e, m = index(b, "b"), index(e, "e"), index(m, "m")
    if m == 0:
        raise ValueError("m must not be 0")
    for name, value in (("e", e), ("m", m)):
        if value.bit_length() > MAX_BITS:
            raise OverflowError(f"{name} has {value.bit_length()} bits: powmod takes {MAX_BITS} at most")
    return (inverse_of(b, abs(m)), -e, m) if e < 0 else (b, e, m)


def inverse_of(a: int, m: int) -> int:
    n = words(m)
    r = pack([fitting(a, m, n)], n)
    invert(r, pack([m], n), n)
    return unpack(r, n)[0]


def widths(operands: Sequence[Operands]) -> tuple[int, int]:
    """In words: those of the widest modulus, and of the widest number that is no base."""
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
    """Congruent to ``value`` modulo ``m``, of ``n`` words as this is."""
    if value < 0:
        return value % m
    an = words(value)
    if an <= n:
        return value
    r = ffi.new("cc_word[]", n)
    check(lib.cc_fz_mod(r, pack([value], an), an, pack([m], n), n), "mod")
    return unpack(r, n)[0]


def invert(r, m, n: int) -> None:
    """r[n] = r^-1 mod m[n]; ValueError, as pow has it, if there is none."""
    exists = ffi.new("cc_word *")
    check(lib.cc_fz_inverse(r, exists, r, m, n), "inverse")
    if not exists[0]:
        raise ValueError("base is not invertible for the given modulus")


def array_of_words(array, name: str):
    """What a NumPy array with a number a row has to be: of words, one after another in memory."""
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
            raise ValueError(f"the arrays must have one shape, not {bs.shape} and {each.shape}")
    count, n = bs.shape
    if n * WORD_BITS > MAX_BITS:
        raise OverflowError(f"rows of {n * WORD_BITS} bits: powmod takes {MAX_BITS} at most")
    if not ms.any(axis=1).all():
        raise ValueError("no m may be 0")
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
    """``some(i, count)`` from the i-th on, until all are done; each takes ``cost``, in words cubed."""
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
