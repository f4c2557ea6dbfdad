"""Number theory in constant time beside Python's own integers, through each tier of this machine."""

import math
import random

import pytest
from carrychain import Modulus, gcdext, inverse, is_prime, jacobi, next_prime, sqrtmod
from carrychain.bindings.fixed import MAX_BITS
from fixed_cases import outcome
from hypothesis import given
from numbers_to_try import integers, naturals

pytestmark = pytest.mark.usefixtures("tier")

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
P224 = 2**224 - 2**96 + 1
# 3 modulo 4, 5 modulo 8, and many times even when less by 1
PRIMES = [3, 5, 7, 13, 17, 97, 65537, 998244353, 2**61 - 1, 2**64 - 59, 2**127 - 1, 2**255 - 19, P224, P256]
PRIMES += [2**521 - 1, 3 * 2**189 + 1]


@given(integers(900), integers(900))
def test_gcdext(a, b):
    g, x, y = gcdext(a, b)
    assert g == math.gcd(a, b) == x * a + y * b
    if a and b and abs(a) != abs(b):
        assert abs(x) == 1 or 2 * g * abs(x) <= abs(b)
        assert abs(y) == 1 or 2 * g * abs(y) <= abs(a)
    gmpy2 = pytest.importorskip("gmpy2")
    assert (g, x, y) == gmpy2.gcdext(a, b)


@pytest.mark.parametrize("a", [0, 1, -1, 2, 6, -6, 2**64, 2**64 - 1, 2**127, -(2**127), 2**128 - 1])
@pytest.mark.parametrize("b", [0, 1, -1, 4, 6, -6, 2**64, -(2**64), 2**127, 2**128 - 1])
def test_gcdext_of_edges(a, b):
    g, x, y = gcdext(a, b)
    assert g == math.gcd(a, b) == x * a + y * b
    assert g or (x, y) == (0, 0)


@given(integers(900), naturals(700).filter(bool))
def test_inverse(a, m):
    assert outcome(inverse, a, m) == outcome(pow, a, -1, m)


def symbol(a, m):
    """By the law of quadratic reciprocity."""
    a, result = a % m, 1
    while a:
        while a % 2 == 0:
            a //= 2
            result *= -1 if m % 8 in (3, 5) else 1
        result *= -1 if a % 4 == m % 4 == 3 else 1
        a, m = m % a, a
    return result if m == 1 else 0


@given(integers(900), naturals(700))
def test_jacobi(a, m):
    assert jacobi(a, m | 1) == symbol(a, m | 1)


def test_jacobi_of_small_ones():
    for m in range(1, 100, 2):
        assert [jacobi(a, m) for a in range(-m, 2 * m)] == [symbol(a, m) for a in range(-m, 2 * m)]


@pytest.mark.parametrize("p", PRIMES)
def test_square_roots(p):
    M, draw = Modulus(p), random.Random(p)
    residues = 0
    for a in [0, 1, p - 1, p, p + 1, -1, p**3 + 4, *(draw.randrange(p) for _ in range(10))]:
        if pow(a, (p - 1) // 2, p) == p - 1:
            for root_of in (sqrtmod, lambda a, p: M.sqrt(a)):
                with pytest.raises(ValueError, match="there is no square root for the given modulus"):
                    root_of(a, p)
        else:
            r = sqrtmod(a, p)
            assert 0 <= r < p and r % 2 == 0 and (r * r - a) % p == 0
            assert M.sqrt(a) == r
            assert M.sqrt((a % p).to_bytes(M.size, "big")) == r.to_bytes(M.size, "big")
            residues += 1
    assert residues > 3


@pytest.mark.parametrize("m", [9, 15, 21, 25, 105, 561, 1001, 2**32 + 1])
def test_square_roots_modulo_what_is_no_prime(m):
    for a in range(m if m < 1000 else 100):
        r = outcome(sqrtmod, a, m)
        assert r == "there is no square root for the given modulus" or (r * r - a) % m == 0


SMALL = [n for n in range(2, 3000) if all(n % d for d in range(2, math.isqrt(n) + 1))]
# strong pseudoprimes to bases 2, 2 to 7, 2 to 31; Lucas's; Carmichael's numbers; squares of primes
PSEUDOPRIMES = [2047, 3215031751, 3825123056546413051, 5459, 5777, 561, 1105, 1093**2, 3511**2, 65537**2]
LARGE = [2**64 - 59, 2**89 - 1, 2**127 - 1, 2**255 - 19, P224, P256, 2**521 - 1, 2**1279 - 1]


def test_primes():
    assert [n for n in range(-10, 3000) if is_prime(n)] == SMALL
    assert all(map(is_prime, LARGE))
    assert not any(map(is_prime, PSEUDOPRIMES))
    assert not any(is_prime(p * q) for p in LARGE for q in LARGE)
    assert type(is_prime(7)) is bool


def test_the_next_prime():
    following = dict(zip([1, *SMALL], SMALL, strict=False))
    found = 0
    for n in range(2900):
        found = following.get(n, found or 2)
        assert next_prime(n) == found
    assert next_prime(-(10**50)) == 2
    for n, gap in (
        (2**64 - 60, 1),
        (2**64 - 59, 72),
        (2**64 - 1, 14),
        (2**64, 13),
        (10**100, 267),
        (2**521 - 2, 1),
    ):
        assert next_prime(n) == n + gap


WIDE = 2**MAX_BITS


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: gcdext(1.5, 1), TypeError, "a must be an integer, not float"),
        (lambda: gcdext(1, -WIDE), OverflowError, "b has 16385 bits: at most 16384 are allowed"),
        (lambda: inverse(1, WIDE), OverflowError, "m has 16385 bits: at most 16384 are allowed"),
        (lambda: inverse(1, 0), ValueError, "m must be 1 or more"),
        (lambda: inverse(6, 9), ValueError, "base is not invertible for the given modulus"),
        (lambda: inverse("1", 3), TypeError, "a must be an integer, not str"),
        (lambda: jacobi(1, 2), ValueError, "m must be odd"),
        (lambda: jacobi(1, -3), ValueError, "m must be 1 or more"),
        (lambda: jacobi(None, 3), TypeError, "a must be an integer, not NoneType"),
        (lambda: sqrtmod(1, 8), ValueError, "square roots need an odd prime as the modulus"),
        (lambda: sqrtmod(1, 1), ValueError, "square roots need an odd prime as the modulus"),
        (lambda: sqrtmod(1, 0), ValueError, "p must be 1 or more"),
        (lambda: sqrtmod(2, 5), ValueError, "there is no square root for the given modulus"),
        (lambda: Modulus(8).sqrt(4), ValueError, "square roots need an odd prime as the modulus"),
        (lambda: Modulus(7).sqrt(b"\0\4"), ValueError, "a has 2 bytes: those of the modulus are 1"),
        (lambda: is_prime(7.0), TypeError, "n must be an integer, not float"),
        (lambda: is_prime(WIDE), OverflowError, "n has 16385 bits: at most 16384 are allowed"),
        (lambda: next_prime(b"7"), TypeError, "n must be an integer, not bytes"),
        (lambda: next_prime(WIDE), OverflowError, "n has 16385 bits: at most 16384 are allowed"),
        (lambda: next_prime(WIDE - 1), OverflowError, "next_prime: the value does not fit"),
    ],
)
def test_what_is_wrong(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message
