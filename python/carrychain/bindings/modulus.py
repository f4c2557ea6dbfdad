"""carrychain.Modulus: montgomery.h for ints, bytes and NumPy arrays of words."""

from collections.abc import Sequence
from typing import Protocol, SupportsIndex, TypeVar, overload

from ._carrychain import ffi, lib
from .fixed import AT_ONCE, MAX_BITS, array_of_words, fitting, in_batches, index, invert, words
from .integer._integer import ModulusBase
from .limbs import WORD_BITS, WORD_BYTES, data, pack, vector
from .status import check
from .theory import root

Bytes = bytes | bytearray | memoryview
Exponents = SupportsIndex | Bytes | Sequence[SupportsIndex] | Sequence[Bytes]


class Rows(Protocol):
    """A NumPy array of words, one number per row."""

    @property
    def ndim(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...


Array = TypeVar("Array", bound=Rows)
EITHER = "an integer or bytes"


class Modulus(ModulusBase):
    """A modulus ``m`` of 1 to 16384 bits, with everything that can be computed once for it.

    ``M.m`` and ``int(M)`` are the number, ``M.size`` is its length in bytes, ``M.words`` its length in words.
    A Modulus is immutable. It compares and hashes by ``m``, can be copied and pickled, and may be used by any
    number of threads.

    Numbers are ints or bytes (bytearray and memoryview included). Bytes are big-endian and exactly ``M.size``
    long (otherwise ValueError); the result is then bytes of that length, too. Exponents are ints, or bytes of
    any length, of at most 16384 bits (otherwise OverflowError).

    The running time of the arithmetic in C depends on ``M.words``, on whether ``m`` is odd, and on the
    declared width of the exponent. It does not depend on the values of ``m``, the base or the exponent,
    except for the exponent of ``pow_public``, and for all numbers of ``inverse_public``. The width of bytes
    is the number of their bits. The width of an int is ``bits``; if that is None, as many words as the longer
    of the exponent and ``m``. For a secret exponent shorter than ``m``, passing ``bits`` is faster.

    The Python part leaks more about ints: conversion takes time that depends on their length, a negative int
    is reduced by Python's division, and a negative exponent is negated. About bytes it leaks only their
    length. Whether an inverse or a root exists is public. Python wipes nothing from memory.

    The GIL is released, except for the few microseconds of a short ``pow_public``, ``inverse`` or
    ``inverse_public``, and Ctrl-C ends long work.
    """

    __slots__ = ("_context", "_m", "_size", "_vector", "_words")

    def __init__(self, m: SupportsIndex) -> None:
        self._m = int(index(m, "m"))
        if self._m < 1:
            raise ValueError("m must be 1 or more")
        if self._m.bit_length() > MAX_BITS:
            raise OverflowError(f"m has {self._m.bit_length()} bits: Modulus takes at most {MAX_BITS}")
        self._size, self._words = -(-self._m.bit_length() // 8), words(self._m)
        context, vector = self._begin(self._m)
        self._context = ffi.cast("struct cc_fz_mont *", context)
        self._vector = ffi.cast("cc_word *", vector)

    @property
    def m(self) -> int:
        return self._m

    @property
    def size(self) -> int:
        return self._size

    @property
    def words(self) -> int:
        return self._words

    @overload
    def pow(self, b: SupportsIndex, e: SupportsIndex | Bytes, bits: int | None = None) -> int: ...
    @overload
    def pow(self, b: Bytes, e: SupportsIndex | Bytes, bits: int | None = None) -> bytes: ...
    def pow(self, b, e, bits=None):
        """``pow(b, e, m)``, with its exceptions, for a secret exponent."""
        r = self._vector_of([b])
        self._power(r, [e], 1, bits)
        return self._result(b, data(r))

    def _pow_public(self, b, e):
        """What ModulusBase leaves to Python: arguments other than short ints, and long work."""
        r, n = self._vector_of([b]), self._words
        exponent, _, negative = _exponents([e], 1, 0, None)
        self._invert(r, negative)
        en = len(exponent)

        def one(*_) -> None:
            if self._context:
                lib.cc_fz_mont_powmod_public(r, r, exponent, en, self._context)
            else:
                check(lib.cc_fz_powmod_public(r, r, exponent, en, self._vector, n), "pow_public")

        in_batches(one, 1, n * n * en)
        return self._result(b, data(r))

    @overload
    def pow_many(
        self, bs: Sequence[SupportsIndex], es: "Exponents | Rows", bits: int | None = None
    ) -> list[int]: ...
    @overload
    def pow_many(
        self, bs: Sequence[Bytes], es: "Exponents | Rows", bits: int | None = None
    ) -> list[bytes]: ...
    @overload
    def pow_many(self, bs: Array, es: "Exponents | Rows", bits: int | None = None) -> Array: ...
    def pow_many(self, bs, es, bits=None):
        """``[pow(b, e, m) for b, e in zip(bs, es)]``; ``es`` may be one exponent for all bases.

        Eight are computed at once by AVX-512 IFMA, or four by AVX2, all at the width of the widest exponent.

        ``bs`` and ``es`` may be two-dimensional NumPy arrays of words, as in ``powmod_many``: one number per
        row, least significant word first. As ``bs``, an array has ``M.words`` columns, and the result is such
        an array. As ``es``, with any kind of ``bs``, each exponent is as wide as its row.
        """
        if getattr(bs, "ndim", 0) == 2:
            result = array_of_words(bs, "bs").copy()
            if result.shape[1] != self._words:
                raise ValueError(
                    f"bs has rows of {result.shape[1]} words: those of the modulus are {self._words}"
                )
            self._power(ffi.from_buffer("cc_word[]", result), es, len(result), bits)
            return result
        if isinstance(bs, Bytes) or not hasattr(bs, "__len__"):
            raise TypeError(f"bs must be a sequence of numbers, not {type(bs).__name__}")
        r = self._vector_of(bs)
        self._power(r, es, len(bs), bits)
        held, size = data(r), self._words * WORD_BYTES
        return [self._result(b, held[i * size : (i + 1) * size]) for i, b in enumerate(bs)]

    def _inverse(self, a):
        """The base's method, for bytes, and for ints that are not from 0 to about m."""
        r = self._vector_of([a], "a")
        self._invert(r, [0])
        return self._result(a, data(r))

    def _inverse_public(self, a):
        """The same for numbers that are public."""
        if isinstance(a, Bytes):
            a = int.from_bytes(self._held(a, "a"), "little")
            return self.inverse_public(a).to_bytes(self._size)
        return self.inverse_public(index(a, "a", EITHER) % self._m)

    @overload
    def sqrt(self, a: SupportsIndex) -> int: ...
    @overload
    def sqrt(self, a: Bytes) -> bytes: ...
    def sqrt(self, a):
        """The even square root of ``a``, the same as ``carrychain.sqrtmod(a, m)`` and with its errors.

        ``m`` must be an odd prime. The running time may depend on ``m`` unless it is 3 modulo 4.
        """
        r = self._vector_of([a], "a")
        root(r, self._m, self._vector, self._words)
        return self._result(a, data(r))

    def _vector_of(self, numbers, name: str = "b"):
        return vector(b"".join(self._held(each, name) for each in numbers))

    def _held(self, a, name: str) -> bytes:
        """The number as little-endian words, as many as the modulus has."""
        if not isinstance(a, Bytes):
            return fitting(index(a, name, EITHER), self._m, self._words).to_bytes(
                self._words * WORD_BYTES, "little"
            )
        a = bytes(a)
        if len(a) != self._size:
            raise ValueError(f"{name} has {len(a)} bytes: those of the modulus are {self._size}")
        return a[::-1].ljust(self._words * WORD_BYTES, b"\0")

    def _result(self, a, held: bytes):
        """A result in little-endian words, converted to the type of ``a``."""
        return held[: self._size][::-1] if isinstance(a, Bytes) else int.from_bytes(held, "little")

    def _invert(self, r, which: Sequence[int]) -> None:
        for i in which:
            invert(r + i * self._words, self._vector, self._words)

    def _power(self, r, es, count: int, bits: int | None) -> None:
        n = self._words
        if bits is not None and not 0 <= index(bits, "bits") <= MAX_BITS:
            raise ValueError(f"bits must be from 0 to {MAX_BITS}, not {bits}")
        exponents, bits, negative = _exponents(es, count, n * WORD_BITS, bits)
        self._invert(r, negative)
        en = -(-bits // WORD_BITS)
        moduli = self._context or pack([self._m] * min(count, AT_ONCE), n)

        def some(i: int, count: int) -> None:
            at, e = r + i * n, exponents + i * en
            if self._context:
                lib.cc_fz_mont_powmod_many(at, at, e, bits, self._context, count)
            else:
                check(lib.cc_fz_powmod_many_bits(at, at, e, bits, moduli, n, count), "pow")

        in_batches(some, count, n * n * (en + 1))

    def __int__(self) -> int:
        return self._m

    def __eq__(self, other) -> bool:
        return self._m == other._m if isinstance(other, Modulus) else NotImplemented

    def __hash__(self) -> int:
        return hash((Modulus, self._m))

    def __reduce__(self):
        return Modulus, (self._m,)

    def __repr__(self) -> str:
        if self._m >> 64 == 0:
            return f"Modulus({self._m})"
        digits = f"{self._m:#x}"
        short = f"{digits[:18]}...{digits[-16:]}"
        return f"<Modulus {min(digits, short, key=len)}, {self._m.bit_length()} bits>"


def _exponents(es, count: int, least: int, bits: int | None):
    """The exponents of ``count`` bases: a vector, its width in bits, and the indices of the negative ones.

    An int has the width ``bits``, or is rounded up to whole words; at least ``least`` bits.
    """
    if getattr(es, "ndim", 0) == 2:
        es = array_of_words(es, "es")
        _as_many(len(es), count)
        width = WORD_BITS * es.shape[1]
        if width > MAX_BITS:
            raise OverflowError(f"es has rows of {width} bits: Modulus takes at most {MAX_BITS}")
        return ffi.from_buffer("cc_word[]", es), width, []
    one = isinstance(es, Bytes) or not hasattr(es, "__len__")
    if one:
        es = [es]
    else:
        _as_many(len(es), count)
    es = [bytes(e) if isinstance(e, Bytes) else index(e, "e", EITHER) for e in es]
    width = max((_width(e, least, bits) for e in es), default=0)
    size = -(-width // WORD_BITS) * WORD_BYTES
    held = b"".join(
        e[::-1].ljust(size, b"\0") if isinstance(e, bytes) else abs(e).to_bytes(size, "little") for e in es
    )
    negative = [i for i, e in enumerate(es) if not isinstance(e, bytes) and e < 0]
    if one:
        held, negative = held * count, list(range(count)) if negative else []
    return vector(held), width, negative


def _as_many(exponents: int, bases: int) -> None:
    if exponents != bases:
        raise ValueError(f"one exponent per base is needed, not {exponents} for {bases}")


def _width(e: int | bytes, least: int, bits: int | None) -> int:
    has = 8 * len(e) if isinstance(e, bytes) else e.bit_length()
    if has > MAX_BITS:
        raise OverflowError(f"e has {has} bits: Modulus takes at most {MAX_BITS}")
    if isinstance(e, bytes):
        return has
    if bits is None:
        return max(words(e) * WORD_BITS, least)
    if has > bits:
        raise ValueError(f"e has {has} bits, but bits is {bits}")
    return bits
