"""Number theory in constant time, and primes, beside Python's own integers, in each tier of this machine.

CC_TEST_SCALE times as many cases are tried.  The functions are those of fixed.h and prime.h, which
Carrychain's Python does not offer.
"""

import ctypes
import math
import os
import random
import sys
from ctypes import byref, c_int, c_size_t, c_uint64
from pathlib import Path

import pytest
from carrychain.bindings import cpu
from carrychain.bindings.fixed import WORD_BYTES

sys.path.insert(0, str(Path(__file__).parents[1] / "vectors"))
from primes import is_strong, is_strong_lucas, jacobi

SCALE = float(os.environ.get("CC_TEST_SCALE", 1))
WIDTHS = [1, 2, 3, 4, 5, 8]
TRUE = (1 << 8 * WORD_BYTES) - 1


@pytest.fixture(scope="module", params=["generic", "x86_64", "bmi2+adx", "avx512ifma"])
def library(request):
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    (tier,) = (each for each in cpu.tiers() if each.name == request.param)
    if missing := tier.missing():
        pytest.skip(f"this machine lacks {', '.join(missing)}")
    library = ctypes.CDLL(Path(build) / "libcarrychain.so")
    library.cc_cpu_set_mask.argtypes = [c_uint64]
    library.cc_cpu_set_mask(tier.needs)
    yield library
    library.cc_cpu_set_mask(cpu.ALL)


def words(value: int, n: int) -> ctypes.Array:
    return (c_uint64 * n).from_buffer_copy(value.to_bytes(n * WORD_BYTES, "little"))


def number(vector: ctypes.Array) -> int:
    return int.from_bytes(vector, "little")


def signed(vector: ctypes.Array) -> int:
    return int.from_bytes(vector, "little", signed=True)


def naturals(draw: random.Random, n: int, cases: int):
    """Pairs below 2^(64 n): of any length, smooth, beside the ends, multiples of one another."""
    top = 1 << 8 * WORD_BYTES * n

    def any_of_them() -> int:
        return (
            draw.choice(
                (
                    draw.getrandbits(draw.randrange(1, top.bit_length())),
                    draw.randrange(10),
                    top - 1 - draw.randrange(10),
                    math.prod(draw.choice((2, 3, 5, 7)) for _ in range(draw.randrange(20 * n))),
                    draw.getrandbits(8 * WORD_BYTES * n) << draw.randrange(100),
                )
            )
            % top
        )

    for _ in range(math.ceil(cases * SCALE)):
        a, b = any_of_them(), any_of_them()
        if draw.randrange(4) == 0:
            a = a % (1 << top.bit_length() // 2) * b % top
        yield a, b


def kronecker(a: int, m: int) -> int:
    if not m:
        return int(a == 1)
    twos = (m & -m).bit_length() - 1
    two = 0 if a % 2 == 0 else -1 if a % 8 in (3, 5) else 1
    return two**twos * jacobi(a, m >> twos)


@pytest.mark.parametrize("n", WIDTHS)
def test_cofactors_and_symbols(library, n):
    g, x, y, symbol, product = words(0, n), words(0, n), words(0, n), c_int(), words(0, 2 * n)
    for a, b in naturals(random.Random(n), n, 300):
        assert library.cc_fz_gcdext(g, x, y, words(a, n), words(b, n), c_size_t(n)) == 0
        gcd, s, t = number(g), signed(x), signed(y)
        assert gcd == math.gcd(a, b) == s * a + t * b
        if not b or a in (0, b):
            assert (s, t) == (0, int(b > 0)) if b or not a else (s, t) == (1, 0)
        else:
            assert 2 * gcd * abs(s) <= b
            assert 2 * gcd * abs(t) <= a
        assert library.cc_fz_lcm(product, words(a, n), words(b, n), c_size_t(n)) == 0
        assert number(product) == math.lcm(a, b)
        assert library.cc_fz_jacobi(byref(symbol), words(a, n), words(b, n), c_size_t(n)) == 0
        assert symbol.value == kronecker(a, b)


@pytest.mark.parametrize("n", WIDTHS)
def test_exact_quotients(library, n):
    for q, d in naturals(random.Random(n), n, 300):
        r = words(0, 2 * n)
        d = d or 1
        assert library.cc_fz_divexact(r, words(q * d, 2 * n), c_size_t(2 * n), words(d, n), c_size_t(n)) == 0
        assert number(r) == q


def holds(function, value: int, n: int, *rest) -> bool:
    mask = c_uint64(7)
    assert function(byref(mask), words(value, n), c_size_t(n), *rest) == 0
    assert mask.value in (0, TRUE)
    return mask.value == TRUE


def is_prime(c: int) -> bool:
    """Proven below 2^64 (Sorenson and Webster 2015, for these bases up to 2^81), else the same test."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if any(c % base == 0 for base in bases):
        return c in bases
    return c > 1 and all(is_strong(c, base) for base in bases) and (c < 2**81 or is_strong_lucas(c))


@pytest.mark.parametrize("n", WIDTHS)
def test_strong_probable_primes(library, n):
    for c, b in naturals(random.Random(n), n, 100):
        c |= 1
        should = c > 1 and (b % c == 0 or is_strong(c, b))
        assert holds(library.cc_fz_miller_rabin, c, n, words(b, n), c_size_t(1)) == should
        twice = words(b | 2 << 8 * WORD_BYTES * n, 2 * n)
        should = should and is_strong(c, 2)
        assert holds(library.cc_fz_miller_rabin, c, n, twice, c_size_t(2)) == should


@pytest.mark.parametrize("n", WIDTHS)
def test_primes(library, n):
    r = words(0, n)
    for c in range(2000):
        assert holds(library.cc_fz_is_prime_public, c, n) == is_prime(c)
    for a, c in naturals(random.Random(n), n, 20):
        assert holds(library.cc_fz_is_prime_public, c, n) == is_prime(c)
        following = next(p for p in range(a + 1, 2 * a + 3) if is_prime(p))
        error = library.cc_fz_next_prime(r, words(a, n), c_size_t(n))
        assert error if following >> 8 * WORD_BYTES * n else number(r) == following


@pytest.mark.parametrize("n", WIDTHS)
def test_square_roots(library, n):
    draw = random.Random(n)
    r, exists = words(0, n), c_uint64()
    for a, b in naturals(draw, n, 20):
        s = draw.randrange(1, min(8 * WORD_BYTES * n - 24, 70))
        p = ((b >> s << s) | 1) % (1 << 8 * WORD_BYTES * n)
        while not is_prime(p):
            p = (p + (2 << s)) % (1 << 8 * WORD_BYTES * n)
        if p == 2:
            continue
        for each in (a, a * a % p):
            assert library.cc_fz_sqrtmod(r, byref(exists), words(each, n), words(p, n), c_size_t(n)) == 0
            assert (exists.value == TRUE) == (jacobi(each, p) >= 0)
            root = number(r)
            assert root % 2 == 0
            assert root * root % p == each % p if exists.value else root == 0
