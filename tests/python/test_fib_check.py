"""Each check of F(n) fails when it should, and no other one does."""

import math
import secrets
from unittest import mock

import pytest
from carrychain.bindings import residue
from carrychain.bindings.bigint import BigInt
from carrychain.bindings.fibonacci import fib_bigint, fib_digits
from carrychain.cli import fib_check
from draws import random_for
from hypothesis import given
from hypothesis import strategies as st

N = 20_000


def primes() -> list[int]:
    with mock.patch.object(secrets, "randbits", random_for("fib_check").getrandbits):
        return fib_check.primes()


MODULI = primes()


def wrong(f: BigInt | None = None, text: bytes | None = None, cut: int = 1 << 20) -> list[str]:
    """Of F(N), whatever of it is not given being right; the text comes in pieces of so many bytes."""
    text = bytes(fib_digits(N)) + b"\n" if text is None else text
    pieces = [text[at : at + cut] for at in range(0, len(text), cut)]
    return fib_check.wrong(N, f or fib_bigint(N), pieces, MODULI)


def fails_in(found: list[str]) -> set[str]:
    """The checks, without their figures."""
    kinds = ("before the conversion", "after the conversion", "length", "first digits", "last digits", "text")
    return {kind for kind in kinds for each in found if kind in each}


@pytest.mark.parametrize("cut", [1, 2, 7, 19, 20, 21, 4096])
def test_right(cut):
    assert wrong(cut=cut) == []


@pytest.mark.parametrize("n", [*range(130), 1000, 4_784_971])
def test_right_for_any_n(n):
    # the last has more digits than a context of decimal, left as it is, has exponents
    f = fib_bigint(n)
    assert fib_check.wrong(n, f, [bytes(f.digits(10)), b"\n"], MODULI) == []


@pytest.mark.parametrize("n", range(110))
def test_another_number_of_few_digits(n):
    f = fib_bigint(n)
    other = int(f) + 1
    found = fib_check.wrong(n, f, [b"%d\n" % other], MODULI)
    assert {"after the conversion", "last digits"} <= fails_in(found)
    assert fails_in(fib_check.wrong(n, BigInt(other), [bytes(f.digits(10)), b"\n"], MODULI)) == {
        "before the conversion"
    }


@pytest.mark.parametrize("bit", [0, 1, 63, 64, 5000, 13_000])
def test_a_number_with_a_wrong_bit(bit):
    found = wrong(f=BigInt(int(fib_bigint(N)) ^ 1 << bit))
    assert fails_in(found) == {"before the conversion"} and len(found) == fib_check.PRIMES


def damaged(place: int) -> bytes:
    """The text with one digit changed."""
    text = bytearray(bytes(fib_digits(N)) + b"\n")
    text[place] = ord("0") + (text[place] - ord("0") + 1) % 10
    return bytes(text)


@pytest.mark.parametrize(
    ("place", "kinds"),
    [
        (0, {"first digits"}),
        (fib_check.END - 1, {"first digits"}),
        (fib_check.END, set()),
        (2000, set()),
        (-2 - fib_check.END, set()),
        (-1 - fib_check.END, {"last digits"}),
        (-2, {"last digits"}),
    ],
)
def test_a_wrong_digit(place, kinds):
    found = wrong(text=damaged(place))
    assert fails_in(found) == {"after the conversion"} | kinds
    assert sum("after the conversion" in each for each in found) == fib_check.PRIMES


def test_digits_that_are_not_there_or_too_many():
    text = bytes(fib_digits(N)) + b"\n"
    assert fails_in(wrong(text=text[:2000] + text[2001:])) == {"after the conversion", "length"}
    assert fails_in(wrong(text=text[:2000] + b"0" + text[2000:])) == {"after the conversion", "length"}
    # worth as much
    assert fails_in(wrong(text=b"0" + text)) == {"length", "first digits"}
    assert fails_in(wrong(text=text[1:])) == {"after the conversion", "length", "first digits"}


@pytest.mark.parametrize("place", [0, 2000, -2])
@pytest.mark.parametrize("character", [b"/", b":", b" ", b"\n", b"\0", b"\xb2"])
def test_what_is_no_digit(place, character):
    text = bytearray(bytes(fib_digits(N)) + b"\n")
    text[place : place + 1] = character
    assert fails_in(wrong(text=bytes(text))) == {"text"}


@pytest.mark.parametrize("end", [b"", b"\n\n", b"\r\n"])
def test_another_end(end):
    assert fails_in(wrong(text=bytes(fib_digits(N)) + end)) == {"text"}
    assert fails_in(wrong(text=end)) == {"text"}


def test_the_length_alone():
    # a multiple of all primes between the first and the last digits
    f = int(fib_bigint(N))
    text = b"%d\n" % (f + math.prod(MODULI) * 10 ** len(str(f)))
    found = wrong(text=text)
    assert fails_in(found) == {"length", "first digits"}


@given(st.integers(0, 3000), st.integers(2, 2**64))
def test_modulo(n, modulus):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    assert fib_check.modulo(n, modulus) == a % modulus


@given(st.integers(0, 1 << 3000), st.integers(2, 2**64 - 1), st.integers(1, 50))
def test_residues(x, modulus, cut):
    assert residue.of_words(BigInt(x), modulus) == x % modulus
    text, r = b"%d" % x, 0
    for at in range(0, len(text), cut):
        r = residue.of_digits(text[at : at + cut], modulus, r)
    assert r == x % modulus


def test_residues_of_many_pieces(monkeypatch):
    f = fib_bigint(N)
    whole = residue.of_words(f, MODULI[0])
    monkeypatch.setattr(residue, "PIECE", 7)
    assert residue.of_words(f, MODULI[0]) == whole == int(f) % MODULI[0]


def test_primes(draw, monkeypatch):
    monkeypatch.setattr(secrets, "randbits", draw.getrandbits)
    drawn = {prime for _ in range(20) for prime in fib_check.primes()}
    assert len(drawn) > 50
    for prime in drawn:
        assert prime.bit_length() == fib_check.BITS
        assert pow(2, prime - 1, prime) == 1


@given(st.integers(25, 10_000).map(lambda x: 2 * x + 1))
def test_is_prime(x):
    assert fib_check.is_prime(x) == all(x % d for d in range(3, math.isqrt(x) + 1, 2))


@pytest.mark.parametrize(
    "x",
    [
        # strong pseudoprimes: to 2, 3, 5 and 7; to the primes below 30; and a square
        3215031751,
        3825123056546413051,
        (2**31 - 1) ** 2,
    ],
)
def test_is_not_prime(x):
    assert not fib_check.is_prime(x)
    assert fib_check.is_prime(2**61 - 1)
