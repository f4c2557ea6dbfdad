"""Modular exponentiation in constant time: fixed.h for ints and for NumPy's arrays of words."""

import operator
import threading
from collections.abc import Sequence

from ._carrychain import ffi, lib
from .limbs import WORD_BITS, WORD_BYTES, pack, unpack
from .status import check
from .watch import interruptible

MAX_BITS = lib.CC_FZ_MAX_BITS

# A call into C does so many at most, two full batches: who was interrupted soon stops.
_AT_ONCE = 16
# Words cubed: below this the slowest tier is done in 0.3 s, and a thread not worth it.
_SHORT = 2**20


def powmod(b: int, e: int, m: int) -> int:
    """``pow(b, e, m)``, by cc_fz_powmod() and cc_fz_inverse(): the same result, the same exceptions.

    The time shows how many words the wider of ``e`` and ``m`` takes, whether ``m`` is odd, and the signs;
    not the values, nor which bits of ``e`` are set. This holds for the arithmetic in C. It does not for
    what Python does before and after: ints are converted in a time that shows their length, one that is
    negative or a ``b`` wider than both ``e`` and ``m`` is first reduced by Python's own division, and no
    int is wiped from memory.

    ``e`` and ``m`` have 16384 bits at most (OverflowError); ``b`` may have any number. ValueError if ``m``
    is 0, or if ``e`` is negative and ``b`` has no inverse. The GIL is released.
    """
    (result,) = _powers([_operands(b, e, m)])
    return result


def powmod_many(bs: Sequence[int], es: Sequence[int], ms: Sequence[int]):
    """``[powmod(b, e, m) for b, e, m in zip(bs, es, ms)]``, eight at once by AVX-512 IFMA, else one by one.

    All are computed at the width of the widest: sort what differs much into calls of its own.

    Three two-dimensional NumPy arrays of words (uint64; uint32 where that is the machine's word), a number
    a row, least significant word first, give such an array: without a copy, and without a Python int.
    """
    if all(getattr(each, "ndim", 0) == 2 for each in (bs, es, ms)):
        return _powers_of_arrays(bs, es, ms)
    if not len(bs) == len(es) == len(ms):
        raise ValueError(f"as many of each are needed, not {len(bs)}, {len(es)} and {len(ms)}")
    return _powers([_operands(*each) for each in zip(bs, es, ms, strict=True)])


def _index(value, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None


def _operands(b, e, m) -> tuple[int, int, int]:
    """As they are asked for, but for e < 0: b's inverse and -e then."""
    b, e, m = _index(b, "b"), _index(e, "e"), _index(m, "m")
    if m == 0:
        raise ValueError("m must not be 0")
    for name, value in (("e", e), ("m", m)):
        if value.bit_length() > MAX_BITS:
            raise OverflowError(f"{name} has {value.bit_length()} bits: powmod takes {MAX_BITS} at most")
    if e < 0:
        b, e = _inverse(b, abs(m)), -e
    return b, e, m


def _inverse(b: int, m: int) -> int:
    n = _words(m)
    r, exists = ffi.new("cc_word[]", n), ffi.new("cc_word *")
    check(lib.cc_fz_inverse(r, exists, pack([b % m], n), pack([m], n), n), "inverse")
    if not exists[0]:
        raise ValueError("base is not invertible for the given modulus")
    return unpack(r, n)[0]


def _powers(operands: list[tuple[int, int, int]]) -> list[int]:
    if not operands:
        return []
    n = max(_words(max(e, abs(m))) for _, e, m in operands)
    top = n * WORD_BITS
    b = pack((b if b >= 0 and b.bit_length() <= top else b % abs(m) for b, _, m in operands), n)
    e = pack((e for _, e, _ in operands), n)
    m = pack((abs(m) for *_, m in operands), n)
    _compute(b, b, e, m, n, len(operands))
    # as pow: a remainder has the modulus's sign
    signed = zip((m for *_, m in operands), unpack(b, n), strict=True)
    return [r + m if m < 0 and r else r for m, r in signed]


def _powers_of_arrays(bs, es, ms):
    # whoever has such arrays has NumPy
    import numpy

    word = numpy.dtype(f"u{WORD_BYTES}")
    bs, es, ms = map(numpy.asarray, (bs, es, ms))
    for each in (bs, es, ms):
        if each.dtype != word:
            raise TypeError(f"the arrays must be of words, which are {word} here, not {each.dtype}")
        if each.shape != bs.shape:
            raise ValueError(f"the arrays must have one shape, not {bs.shape} and {each.shape}")
        if not each.flags.c_contiguous:
            raise ValueError("the arrays must be C-contiguous: make a copy, as numpy.ascontiguousarray does")
    count, n = bs.shape
    if n * WORD_BITS > MAX_BITS:
        raise OverflowError(f"rows of {n * WORD_BITS} bits: powmod takes {MAX_BITS} at most")
    if not ms.any(axis=1).all():
        raise ValueError("no m may be 0")
    result = numpy.empty_like(bs)
    r, b, e, m = (ffi.from_buffer("cc_word[]", each) for each in (result, bs, es, ms))
    _compute(r, b, e, m, n, count)
    return result


def _words(value: int) -> int:
    return max(-(-value.bit_length() // WORD_BITS), 1)


def _compute(r, b, e, m, n: int, count: int) -> None:
    stopped = threading.Event()

    def work() -> None:
        for i in range(0, count, _AT_ONCE):
            if stopped.is_set():
                return
            some, at = min(_AT_ONCE, count - i), i * n
            check(lib.cc_fz_powmod_many(r + at, b + at, e + at, m + at, n, some), "powmod")

    if n**3 * count < _SHORT:
        work()
    else:
        interruptible(work, stopped.set)
