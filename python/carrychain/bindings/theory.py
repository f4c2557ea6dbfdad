"""Number theory on ints of up to 16384 bits: fixed.h and prime.h, in constant time where these are.

As everywhere, that is the arithmetic in C: Python converts ints in a time that shows their length, and
reduces negative ones by a division of its own. The GIL is released. Ctrl-C is answered at once; the one call
into C that it ends goes on in the background, at 16384 bits for seconds, and for minutes in ``next_prime``.
"""

from typing import SupportsIndex

from ._carrychain import ffi, lib
from .fixed import MAX_BITS, fitting, in_batches, index, inverse_of, words
from .limbs import WORD_BITS, pack, unpack
from .status import check


def gcdext(a: SupportsIndex, b: SupportsIndex) -> tuple[int, int, int]:
    """``(g, x, y)``: g = gcd(a, b) = x a + y b, g >= 0, and x and y the least there are, as GMP has them.

    ``2 g |x| <= |b|`` and ``2 g |y| <= |a|``, but for multiples of one another. In constant time: it shows
    how many words the longer takes. OverflowError beyond 16384 bits.
    """
    a, b = _bounded(a, "a"), _bounded(b, "b")
    n = max(words(a), words(b))
    g, x, y = (ffi.new("cc_word[]", n) for _ in range(3))
    check(lib.cc_fz_gcdext(g, x, y, pack([abs(a)], n), pack([abs(b)], n), n), "gcdext")
    x, y = (_signed(each, n) for each in (x, y))
    return unpack(g, n)[0], -x if a < 0 else x, -y if b < 0 else y


def inverse(a: SupportsIndex, m: SupportsIndex) -> int:
    """``pow(a, -1, m)``, in constant time: it shows how many words ``m`` takes, and whether it is odd.

    ValueError if there is none, which shows, or if ``m`` is less than 1; OverflowError if that has more than
    16384 bits.
    """
    return inverse_of(index(a, "a"), _modulus(m, "m"))


def jacobi(a: SupportsIndex, m: SupportsIndex) -> int:
    """Jacobi's symbol (a / m): 1, -1, or 0 where they have a common divisor; Legendre's for a prime.

    ``m`` is odd and positive (ValueError). In constant time: it shows how many words ``m`` takes.
    OverflowError if that has more than 16384 bits.
    """
    m = _modulus(m, "m")
    if not m & 1:
        raise ValueError("m must be odd")
    n, symbol = words(m), ffi.new("int *")
    check(lib.cc_fz_jacobi(symbol, pack([fitting(index(a, "a"), m, n)], n), pack([m], n), n), "jacobi")
    return symbol[0]


def sqrtmod(a: SupportsIndex, p: SupportsIndex) -> int:
    """The even r < p for which r r is a modulo the odd prime ``p``; the other root is p - r.

    ValueError if there is none, which shows, or ``p`` is even or less than 3. If it is no prime, a root that
    is found is one, but not all are found. ``a`` does not show in time, nor does ``p``, but for its length,
    if it is 3 modulo 4; else it may. OverflowError if ``p`` has more than 16384 bits.
    """
    p = _modulus(p, "p")
    n = words(p)
    r = pack([fitting(index(a, "a"), p, n)], n)
    root(r, p, pack([p], n), n)
    return unpack(r, n)[0]


def root(r, p: int, vector, n: int) -> None:
    """r[n] = a square root of r modulo p, which is the ``vector``."""
    if p < 3 or not p & 1:
        raise ValueError("square roots need an odd prime as the modulus")
    exists = ffi.new("cc_word *")
    in_batches(lambda *_: check(lib.cc_fz_sqrtmod(r, exists, r, vector, n), "sqrtmod"), 1, n**3)
    if not exists[0]:
        raise ValueError("there is no square root for the given modulus")


def is_prime(n: SupportsIndex) -> bool:
    """Whether ``n`` is a prime, by Baillie and Wagstaff's test: in a time that shows everything.

    What is below 2 is none. It is never wrong below 2**64, and above no number is known for which it is.
    OverflowError beyond 16384 bits.
    """
    n = _bounded(n, "n")
    if n < 2:
        return False
    size, prime = words(n), ffi.new("cc_word *")
    number = pack([n], size)
    in_batches(lambda *_: check(lib.cc_fz_is_prime_public(prime, number, size), "is_prime"), 1, size**3)
    return bool(prime[0])


def next_prime(n: SupportsIndex) -> int:
    """The least prime above ``n``, by the same test, as publicly.

    OverflowError if it has more than 16384 bits.
    """
    n = max(_bounded(n, "n"), 0)
    # above 2, there is one below twice as much
    size = words(2 * n)
    r = pack([n], min(size, MAX_BITS // WORD_BITS))
    in_batches(lambda *_: check(lib.cc_fz_next_prime(r, r, len(r)), "next_prime"), 1, len(r) ** 4)
    return unpack(r, len(r))[0]


def _bounded(value, name: str) -> int:
    value = index(value, name)
    if value.bit_length() > MAX_BITS:
        raise OverflowError(f"{name} has {value.bit_length()} bits: there may be {MAX_BITS}")
    return value


def _modulus(value, name: str) -> int:
    value = _bounded(value, name)
    if value < 1:
        raise ValueError(f"{name} must be 1 or more")
    return value


def _signed(vector, n: int) -> int:
    (value,) = unpack(vector, n)
    return value - (value >> n * WORD_BITS - 1 << n * WORD_BITS)
