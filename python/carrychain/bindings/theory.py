"""Number theory on ints of up to 16384 bits: fixed.h and prime.h, in constant time where these are.

As everywhere, constant time means the arithmetic in C: Python converts ints in a time that depends on their
length, and reduces negative ones by its own division. The GIL is released. Ctrl-C is answered at once, but
the interrupted call into C runs on in the background: for seconds at 16384 bits, for minutes in
``next_prime``.
"""

from typing import SupportsIndex

from ._carrychain import ffi, lib
from .fixed import MAX_BITS, fitting, in_batches, index, inverse_of, words
from .limbs import WORD_BITS, pack, unpack
from .status import check


def gcdext(a: SupportsIndex, b: SupportsIndex) -> tuple[int, int, int]:
    """``(g, x, y)`` with g = gcd(a, b) = x a + y b, g >= 0, and the smallest such x and y, the same as GMP's.

    ``2 g |x| <= |b|`` and ``2 g |y| <= |a|``, unless one of a and b is a multiple of the other. Constant
    time: it depends only on the length of the longer argument in words. OverflowError beyond 16384 bits.
    """
    a, b = _bounded(a, "a"), _bounded(b, "b")
    n = max(words(a), words(b))
    g, x, y = (ffi.new("cc_word[]", n) for _ in range(3))
    check(lib.cc_fz_gcdext(g, x, y, pack([abs(a)], n), pack([abs(b)], n), n), "gcdext")
    x, y = (_signed(each, n) for each in (x, y))
    return unpack(g, n)[0], -x if a < 0 else x, -y if b < 0 else y


def inverse(a: SupportsIndex, m: SupportsIndex) -> int:
    """``pow(a, -1, m)``, in constant time.

    The time depends only on the length of ``m`` in words and on whether ``m`` is odd.
    ValueError if there is no inverse (this is not secret), or if ``m`` is less than 1. OverflowError if ``m``
    has more than 16384 bits.
    """
    return inverse_of(index(a, "a"), _modulus(m, "m"))


def jacobi(a: SupportsIndex, m: SupportsIndex) -> int:
    """The Jacobi symbol (a / m): 1, -1, or 0 if a and m have a common divisor.

    For a prime it is the Legendre symbol. ``m`` must be odd and positive (otherwise ValueError). Constant
    time: it depends only on the length of ``m`` in words. OverflowError if ``m`` has more than 16384 bits.
    """
    m = _modulus(m, "m")
    if not m & 1:
        raise ValueError("m must be odd")
    n, symbol = words(m), ffi.new("int *")
    check(lib.cc_fz_jacobi(symbol, pack([fitting(index(a, "a"), m, n)], n), pack([m], n), n), "jacobi")
    return symbol[0]


def sqrtmod(a: SupportsIndex, p: SupportsIndex) -> int:
    """The even r < p with r r = a modulo the odd prime ``p``. The other root is p - r.

    ValueError if there is no root (this is not secret), or if ``p`` is even or less than 3. If ``p`` is not
    prime, a returned root is correct, but not every root is found. The running time does not depend on ``a``.
    If ``p`` is 3 modulo 4, it depends only on the length of ``p``; otherwise it may depend on its value.
    OverflowError if ``p`` has more than 16384 bits.
    """
    p = _modulus(p, "p")
    n = words(p)
    r = pack([fitting(index(a, "a"), p, n)], n)
    root(r, p, pack([p], n), n)
    return unpack(r, n)[0]


def root(r, p: int, vector, n: int) -> None:
    """r[n] = a square root of r modulo p, where ``vector`` holds p."""
    if p < 3 or not p & 1:
        raise ValueError("square roots need an odd prime as the modulus")
    exists = ffi.new("cc_word *")
    in_batches(lambda *_: check(lib.cc_fz_sqrtmod(r, exists, r, vector, n), "sqrtmod"), 1, n**3)
    if not exists[0]:
        raise ValueError("there is no square root for the given modulus")


def is_prime(n: SupportsIndex) -> bool:
    """Whether ``n`` is prime, by the Baillie-PSW test. The running time depends on the value.

    Numbers below 2 are not prime. The answer is proven below 2**64; above, no counterexample is known.
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
    """The smallest prime above ``n``, by the same test. The running time depends on the value.

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
        raise OverflowError(f"{name} has {value.bit_length()} bits: at most {MAX_BITS} are allowed")
    return value


def _modulus(value, name: str) -> int:
    value = _bounded(value, name)
    if value < 1:
        raise ValueError(f"{name} must be 1 or more")
    return value


def _signed(vector, n: int) -> int:
    (value,) = unpack(vector, n)
    return value - (value >> n * WORD_BITS - 1 << n * WORD_BITS)
