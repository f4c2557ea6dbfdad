"""carrychain.Modulus beside Python's own pow, through each tier of this machine."""

import copy
import math
import pickle
import random
import threading

import pytest
from carrychain import Integer, Modulus
from carrychain.bindings.fixed import MAX_BITS, WORD_BITS
from draws import LONG, share
from fixed_cases import SCALE, of_density, operands, outcome, rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numbers_to_try import integers, naturals

pytestmark = pytest.mark.usefixtures("tier")

moduli = naturals(700).filter(bool)
# in words; half of them, drawn from the tree
WIDTHS = share("widths of moduli", [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 32, 33, 64], 2)


class Indexed:
    """A number by its __index__."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


@given(integers(1500), integers(900), moduli)
def test_any(b, e, m):
    M = Modulus(m)
    expected = outcome(pow, b, e, m)
    assert outcome(M.pow, b, e) == expected
    assert outcome(M.pow_public, b, e) == expected
    assert outcome(M.pow, b, e, e.bit_length()) == expected
    assert outcome(M.inverse, b) == outcome(M.inverse_public, b) == outcome(pow, b, -1, m)


@pytest.mark.parametrize("n", WIDTHS)
def test_of_random_density(n):
    draw = random.Random(n)
    for b, e, m in operands(draw, n * WORD_BITS, math.ceil(SCALE * min(20, 80 / n)), 3):
        m |= draw.randrange(2)
        M = Modulus(m or 1)
        # Python's own takes its time
        e >>= max(n * WORD_BITS - 512, 0)
        expected = pow(b, e, M.m)
        assert M.pow(b, e) == M.pow(b, e, 512) == M.pow_public(b, e) == expected
        bs = [b, *(of_density(draw, n * WORD_BITS) for _ in range(9))]
        assert M.pow_many(bs, e) == [expected, *(pow(each, e, M.m) for each in bs[1:])]
        assert outcome(M.inverse, b) == outcome(M.inverse_public, b) == outcome(pow, b, -1, M.m)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7, 2**64 - 1, 2**64, 2**64 + 1, 2**127 - 1, 2**200, 3 << 200])
def test_corners(m):
    M = Modulus(m)
    bases = [0, 1, 2, m - 1, m, m + 1, -1, -m, 2**64, -(2**500), 7**3000]
    exponents = [0, 1, 2, 3, m - 1, m, 2**64, -1, -3, -m]
    for b in bases:
        for e in exponents:
            expected = outcome(pow, b, e, m)
            assert outcome(M.pow, b, e) == outcome(M.pow_public, b, e) == expected
            assert outcome(M.pow_many, [b], e) == (expected if isinstance(expected, str) else [expected])
        assert outcome(M.inverse_public, b) == outcome(pow, b, -1, m)
    assert M.pow_many(bases, 12345) == [pow(b, 12345, m) for b in bases]
    assert M.pow_many([5] * 8, [*exponents[:-3], 9]) == [pow(5, e, m) for e in [*exponents[:-3], 9]]
    assert M.pow(0, 0, 0) == M.pow_public(0, 0) == 1 % m


@settings(max_examples=40)
@given(moduli, st.lists(st.tuples(integers(600), integers(500)), max_size=70))
def test_many(m, pairs):
    M = Modulus(m)
    pairs = [(b, e) for b, e in pairs if e >= 0 or math.gcd(b, m) == 1]
    bs, es = [b for b, _ in pairs], [e for _, e in pairs]
    assert M.pow_many(bs, es) == [pow(b, e, m) for b, e in pairs]
    assert M.pow_many(tuple(bs), tuple(es), bits=700) == [pow(b, e, m) for b, e in pairs]


def test_many_with_one_negative_exponent():
    M = Modulus(10**9 + 7)
    bs = list(range(1, 30))
    assert M.pow_many(bs, -3) == [pow(b, -3, M.m) for b in bs]
    with pytest.raises(ValueError, match="base is not invertible for the given modulus"):
        M.pow_many([*bs, M.m], -3)
    assert M.pow_many([], -3) == M.pow_many([], []) == []


@pytest.mark.parametrize("m", [1, 255, 256, 2**64 - 59, 2**64, 2**521 - 1, 3 << 200])
def test_bytes(m):
    """Each kind of them, as long as the modulus, give as many."""
    M, draw = Modulus(m), random.Random(m)
    assert M.size == max(1, (m.bit_length() + 7) // 8)
    for _ in range(10):
        # above the modulus, too
        b = draw.randbytes(M.size)
        e = draw.randbytes(draw.randrange(20))
        number, exponent = int.from_bytes(b, "big"), int.from_bytes(e, "big")
        expected = pow(number, exponent, m).to_bytes(M.size, "big")
        for kind in (bytes, bytearray, memoryview):
            assert M.pow(kind(b), kind(e)) == M.pow(kind(b), exponent) == expected
            assert M.pow_public(kind(b), kind(e)) == expected
        assert M.pow(number, e) == int.from_bytes(expected, "big")
        assert M.pow_many([b, number], [e, exponent]) == [expected, int.from_bytes(expected, "big")]
        assert M.pow_many([b] * 3, e) == [expected] * 3
        inverse = outcome(pow, number, -1, m)
        assert (
            outcome(M.inverse, b)
            == outcome(M.inverse_public, b)
            == (inverse if isinstance(inverse, str) else inverse.to_bytes(M.size, "big"))
        )


@pytest.mark.parametrize("m", [2**127 - 1, 2**127, 2**1000 + 1])
@pytest.mark.parametrize("count", [0, 1, 8, 37])
def test_arrays_of_words(numpy, m, count):
    M, draw = Modulus(m), random.Random(count)
    bs = [draw.getrandbits(M.words * WORD_BITS) for _ in range(count)]
    es = [draw.getrandbits(3 * WORD_BITS) for _ in range(count)]
    given = rows(numpy, bs, M.words)
    before = given.copy()
    expected = [pow(b, e, m) for b, e in zip(bs, es, strict=True)]
    for exponents in (es, rows(numpy, es, 3)):
        result = M.pow_many(given, exponents)
        assert (result.shape, result.dtype) == (given.shape, given.dtype)
        assert (result == rows(numpy, expected, M.words)).all() and (given == before).all()
    assert M.pow_many(bs, rows(numpy, es, 3)) == expected
    assert (M.pow_many(given, 5, bits=3) == rows(numpy, [pow(b, 5, m) for b in bs], M.words)).all()
    # a row of no words is 0
    assert M.pow_many(bs, numpy.zeros((count, 0), given.dtype)) == [1] * count
    if m % 2:
        odd = rows(numpy, [1 | b % m for b in bs if math.gcd(1 | b % m, m) == 1], M.words)
        assert (M.pow_many(M.pow_many(odd, -1), -1) == odd).all()


def test_a_vector_of_numpy_is_a_sequence(numpy):
    bs = numpy.array([2, 2**64 - 1], "u8")
    assert Modulus(1000).pow_many(bs, bs[:1].tolist() * 2) == [4, 225]
    assert Modulus(1000).pow_many(bs, numpy.array([10, 3], "u8")) == [24, pow(2**64 - 1, 3, 1000)]
    assert Modulus(1000).pow(bs[0], numpy.uint64(10)) == 24


def test_what_it_is():
    M = Modulus(Integer(97))
    assert (M.m, int(M), M.size, M.words, repr(M)) == (97, 97, 1, 1, "Modulus(97)")
    assert type(M.m) is int
    wide = Modulus(2**2047 + 0xABC)
    assert repr(wide) == f"<Modulus 0x8{'0' * 15}...{'0' * 13}abc, 2048 bits>"
    assert repr(Modulus(2**64)) == "<Modulus 0x10000000000000000, 65 bits>"
    assert (wide.size, wide.words * WORD_BITS) == (256, 2048)
    with pytest.raises(AttributeError):
        M.m = 98
    with pytest.raises(AttributeError):
        M.other = 1


def test_it_equals_by_its_value():
    assert Modulus(97) == Modulus(97) != Modulus(99)
    assert Modulus(97) != 97
    assert {Modulus(97): 1, Modulus(2**300): 2}[Modulus(2**300)] == 2


@pytest.mark.parametrize("m", [1, 8, 2**521 - 1])
def test_it_copies_and_pickles(m):
    M = Modulus(m)
    others = [pickle.loads(pickle.dumps(M, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for other in (*others, copy.copy(M), copy.deepcopy(M)):
        assert other == M and other.pow(3, 1000) == pow(3, 1000, m)


def test_public_numbers_of_any_kind():
    M = Modulus(2**130 + 9)
    inverse, power = pow(5, -1, M.m), pow(5, 65537, M.m)
    for five in (5, Integer(5), Indexed(5), 5 + 7 * M.m, 5 - M.m):
        assert M.inverse_public(five) == M.inverse_public(a=five) == inverse
        assert M.pow_public(five, 65537) == M.pow_public(five, e=Integer(65537)) == power
        assert type(M.inverse_public(five)) is type(M.pow_public(five, 3)) is int
    for call in (M.pow_public, M.inverse_public):
        with pytest.raises(TypeError):
            call()
        with pytest.raises(TypeError):
            call(1, 2, 3)


def test_a_modulus_begins_once():
    M = Modulus(15)
    with pytest.raises(ValueError):
        M._begin(21)
    assert M.inverse_public(2) == 8
    for m in (0, -3, 1 << MAX_BITS, "3"):
        with pytest.raises(ValueError):
            Modulus.__new__(Modulus)._begin(m)
    nothing = Modulus.__new__(Modulus)
    with pytest.raises((AttributeError, ValueError)):
        nothing.inverse_public(1)


def test_threads():
    M, even = Modulus(2**1279 - 1), Modulus(3 << 1000)
    wrong = []

    def work(seed):
        draw = random.Random(seed)
        for _ in range(10):
            b, e = draw.getrandbits(1300), draw.getrandbits(200)
            for each in (M, even):
                if not each.pow(b, e) == each.pow_public(b, e) == pow(b, e, each.m):
                    wrong.append((b, e, each))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_widest():
    M = Modulus(2**MAX_BITS - 1)
    assert M.pow(2, MAX_BITS + 5, 15) == M.pow_public(2, MAX_BITS + 5) == 32
    even = Modulus(2**MAX_BITS - 2)
    assert even.pow(2, MAX_BITS, 15) == pow(2, MAX_BITS, even.m)
    # both as wide take seconds in the portable tier
    for m in (2**127 - 1, *[M.m] * LONG):
        narrow, e = Modulus(m), 2**MAX_BITS - 1
        assert narrow.pow_public(3, e) == narrow.pow(3, b"\xff" * (MAX_BITS // 8)) == pow(3, e, m)


B, WIDE = b"\x03", 2**MAX_BITS


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda M: Modulus(0), ValueError, "m must be 1 or more"),
        (lambda M: Modulus(-7), ValueError, "m must be 1 or more"),
        (lambda M: Modulus(WIDE), OverflowError, "m has 16385 bits: Modulus takes at most 16384"),
        (lambda M: Modulus(7.0), TypeError, "m must be an integer, not float"),
        (lambda M: Modulus(b"\x07"), TypeError, "m must be an integer, not bytes"),
        (lambda M: M.pow(2.0, 3), TypeError, "b must be an integer or bytes, not float"),
        (lambda M: M.pow("2", 3), TypeError, "b must be an integer or bytes, not str"),
        (lambda M: M.pow(2, "3"), TypeError, "e must be an integer or bytes, not str"),
        (lambda M: M.pow_public(2, None), TypeError, "e must be an integer or bytes, not NoneType"),
        (lambda M: M.inverse(None), TypeError, "a must be an integer or bytes, not NoneType"),
        (lambda M: M.pow(2, 3, "4"), TypeError, "bits must be an integer, not str"),
        (lambda M: M.pow(2, WIDE), OverflowError, "e has 16385 bits: Modulus takes at most 16384"),
        (lambda M: M.pow_public(2, -WIDE), OverflowError, "e has 16385 bits: Modulus takes at most 16384"),
        (lambda M: M.pow(2, bytes(2049)), OverflowError, "e has 16392 bits: Modulus takes at most 16384"),
        (lambda M: M.pow(2, 3, 16385), ValueError, "bits must be from 0 to 16384, not 16385"),
        (lambda M: M.pow(2, 3, -1), ValueError, "bits must be from 0 to 16384, not -1"),
        (lambda M: M.pow(2, 9, 3), ValueError, "e has 4 bits, but bits is 3"),
        (lambda M: M.pow_many([2, 2], [7, -9], 3), ValueError, "e has 4 bits, but bits is 3"),
        (lambda M: M.pow(b"", 3), ValueError, "b has 0 bytes: those of the modulus are 1"),
        (lambda M: M.pow(bytes(2), 3), ValueError, "b has 2 bytes: those of the modulus are 1"),
        (lambda M: M.pow_public(bytes(2), 3), ValueError, "b has 2 bytes: those of the modulus are 1"),
        (lambda M: M.pow_many([B, bytes(9)], 3), ValueError, "b has 9 bytes: those of the modulus are 1"),
        (lambda M: M.inverse(bytearray(2)), ValueError, "a has 2 bytes: those of the modulus are 1"),
        (lambda M: M.inverse_public(None), TypeError, "a must be an integer or bytes, not NoneType"),
        (lambda M: M.inverse_public(bytes(2)), ValueError, "a has 2 bytes: those of the modulus are 1"),
        (lambda M: M.inverse_public(14), ValueError, "base is not invertible for the given modulus"),
        (lambda M: M.inverse(14), ValueError, "base is not invertible for the given modulus"),
        (lambda M: M.pow(b"\x0e", -1), ValueError, "base is not invertible for the given modulus"),
        (lambda M: M.pow_many(b"ab", 3), TypeError, "bs must be a sequence of numbers, not bytes"),
        (lambda M: M.pow_many("ab", 3), TypeError, "b must be an integer or bytes, not str"),
        (lambda M: M.pow_many(5, 3), TypeError, "bs must be a sequence of numbers, not int"),
        (lambda M: M.pow_many([1, 2], [3]), ValueError, "one exponent per base is needed, not 1 for 2"),
        (lambda M: M.pow_many([1], []), ValueError, "one exponent per base is needed, not 0 for 1"),
    ],
)  # fmt: skip
def test_what_is_wrong(call, error, message):
    with pytest.raises(error) as caught:
        call(Modulus(7))
    assert str(caught.value) == message


def test_bad_arrays(numpy):
    M = Modulus(2**100 + 1)
    ones = rows(numpy, [1, 1], M.words)
    with pytest.raises(ValueError, match=r"^bs has rows of 1 words: those of the modulus are \d$"):
        M.pow_many(ones[:, :1].copy(), 3)
    with pytest.raises(ValueError, match=r"^bs must be C-contiguous"):
        M.pow_many(rows(numpy, [1, 1], 2 * M.words)[:, ::2], 3)
    with pytest.raises(TypeError, match=r"^bs must be of words"):
        M.pow_many(ones.astype("i8"), 3)
    with pytest.raises(TypeError, match=r"^es must be of words"):
        M.pow_many(ones, ones.astype("i8"))
    with pytest.raises(ValueError, match=r"^one exponent per base is needed, not 1 for 2$"):
        M.pow_many(ones, ones[:1])
    with pytest.raises(OverflowError, match=r"^es has rows of 16448 bits: Modulus takes at most 16384$"):
        M.pow_many(ones, numpy.ones((2, MAX_BITS // WORD_BITS + 64 // WORD_BITS), ones.dtype))
