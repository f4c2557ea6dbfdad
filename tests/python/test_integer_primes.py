"""carrychain.Integer's primes, beside a sieve, carrychain's own of ints, and gmpy2's."""

import carrychain
import pytest
from carrychain import Integer
from hypothesis import given
from numbers_to_try import WORD_EDGES, integers


def sieve(below: int) -> list[int]:
    prime = bytearray([1]) * below
    prime[:2] = b"\0\0"
    for i in range(2, int(below**0.5) + 1):
        if prime[i]:
            prime[i * i :: i] = bytes(len(range(i * i, below, i)))
    return [i for i in range(below) if prime[i]]


def test_small_ones():
    found, x = [], Integer(-5)
    while x < 20_000:
        x = x.next_prime()
        found.append(x)
    assert type(x) is Integer
    assert found[:-1] == [p for p in sieve(20_000)]
    primes = set(sieve(20_000))
    assert all(Integer(n).is_prime() is (n in primes) for n in range(-20, 20_000))


@given(integers(400))
def test_beside_those_of_ints(x):
    assert Integer(x).is_prime() is carrychain.is_prime(x)
    p = Integer(x).next_prime()
    assert p == carrychain.next_prime(x)
    assert p.is_prime()


@pytest.mark.parametrize("x", [0, 1, *WORD_EDGES])
def test_at_the_edges(x):
    for each in (abs(x) - 2, abs(x), abs(x) + 2):
        assert Integer(each).is_prime() is carrychain.is_prime(each)
        assert Integer(each).next_prime() == carrychain.next_prime(each)


@pytest.mark.parametrize("bits", [512, 1024, 1536])
def test_beside_gmpy2(bits):
    gmpy2 = pytest.importorskip("gmpy2", reason="gmpy2 is not installed: nothing to compare with")
    for factor in (3, 5, 7):
        x = factor**bits >> factor.bit_length() * bits - bits
        assert Integer(x).next_prime() == gmpy2.next_prime(x)


def test_beyond_the_constant_time_ones():
    """A prime below 2**8 does not decide: 2 is a witness."""
    x = (Integer(2) ** 4253 - 1) * (Integer(2) ** 12_289 - 1)
    assert x.bit_length() > 16_384
    assert not x.is_prime()
