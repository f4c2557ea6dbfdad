"""Constant-time products and powers beside Python's own, through each tier of this machine.

CC_TEST_SCALE says how many products and powers of the kinds are tried: at 1000 a million products and as
many squares of random density at each width.  Powers and inverses are of a third of the widths, drawn from
the tree; of all with CC_TEST_LONG=1.
"""

import ctypes
import math
import os
import random
from functools import cache
from pathlib import Path

import pytest
from carrychain import powmod, powmod_many
from carrychain.bindings import cpu
from carrychain.bindings.fixed import MAX_BITS, WORD_BYTES
from draws import share
from fixed_cases import SCALE, operands, outcome, rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numbers_to_try import integers, naturals

pytestmark = pytest.mark.usefixtures("tier")

# in words: both sides of 8, 16, 32 and 64, and of what the tiers treat apart
WIDTHS = [4, 7, 8, 9, 12, 15, 16, 17, 20, 21, 24, 28, 31, 32, 33, 40, 48, 56, 63, 64, 65]
WIDTHS += [80, 96, 97, 127, 128]
SOME_WIDTHS = share("widths of powers", WIDTHS, 3)


@pytest.fixture(scope="module")
def products(tier):
    """cc_fz_mul() and cc_fz_sqr(), which Carrychain's Python does not offer, in the tier at hand."""
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    library = ctypes.CDLL(Path(build) / "libcarrychain.so")
    library.cc_fz_tier.restype = ctypes.c_char_p
    library.cc_cpu_set_mask.argtypes = [ctypes.c_uint64]
    library.cc_fz_mul.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
    library.cc_fz_sqr.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    library.cc_cpu_set_mask(tier.needs)
    assert library.cc_fz_tier().decode() == tier.name
    yield library
    library.cc_cpu_set_mask(cpu.ALL)


@pytest.mark.parametrize("n", WIDTHS)
def test_products(products, n):
    draw = random.Random(n)
    size = n * WORD_BYTES
    result = (ctypes.c_uint64 * (2 * n))()
    for x, y in operands(draw, 8 * size, math.ceil(1000 * SCALE), 2):
        x_words, y_words = (each.to_bytes(size, "little") for each in (x, y))
        products.cc_fz_mul(result, x_words, y_words, n)
        assert int.from_bytes(result, "little") == x * y
        products.cc_fz_sqr(result, x_words, n)
        assert int.from_bytes(result, "little") == x * x


# Python takes longer than any tier, and has the same answers for each


@cache
def powers(n):
    draw = random.Random(n)
    bits = 8 * WORD_BYTES * n
    # both sides take n^3; an exponent of full width only where that is short
    cases = math.ceil(20 * SCALE * (4 / n) ** 3)
    some = []
    for b, e, m in operands(draw, bits, cases, 3):
        some.append((b, e >> max(bits - 512, 0), (m | draw.randrange(2)) or 1))
    return some, [pow(*each) for each in some]


@cache
def inverses(n):
    draw = random.Random(n)
    bits = 8 * WORD_BYTES * n
    some = []
    for a, m in operands(draw, bits, math.ceil(SCALE * (80 / n + 8)), 2):
        m = (m >> (zeros := draw.choice((0, 0, 1, draw.randrange(bits))))) << zeros or 1
        some.append((a | draw.randrange(2), m))
    return [(a, m, outcome(pow, a, -1, m)) for a, m in some]


@pytest.mark.parametrize("n", SOME_WIDTHS)
def test_powers(n):
    some, expected = powers(n)
    assert [powmod(*each) for each in some] == expected
    assert powmod_many(*zip(*some, strict=True)) == expected


moduli = integers(700).filter(bool)


def test_the_tier_is_in_use(tier):
    assert cpu.chosen("fixed") == tier.name


@given(integers(900), naturals(700), moduli)
def test_any(b, e, m):
    assert powmod(b, e, m) == pow(b, e, m)


@given(integers(500), naturals(300), moduli, st.integers(0, 300))
def test_negative_exponents(b, e, m, zeros):
    for modulus in (m, m | 1, m << zeros, 1 << zeros):
        for base in (b, b | 1):
            assert outcome(powmod, base, -e, modulus) == outcome(pow, base, -e, modulus)


@pytest.mark.parametrize("n", SOME_WIDTHS)
def test_inverses(n):
    """Of all widths and densities; half the moduli have zeros below, half of those many."""
    for a, m, expected in inverses(n):
        assert outcome(powmod, a, -1, m) == expected


def test_some_have_an_inverse():
    found = [isinstance(expected, int) for n in SOME_WIDTHS for _, _, expected in inverses(n)]
    assert 0 < sum(found) < len(found)


@settings(max_examples=40)
@given(st.lists(st.tuples(integers(600), naturals(500), moduli), max_size=70))
def test_many(operands):
    columns = [list(column) for column in zip(*operands, strict=True)] or [[], [], []]
    assert powmod_many(*columns) == [pow(*each) for each in operands]


@pytest.mark.parametrize("bits", [1024, 1536, 2048, 3072, 4096])
def test_sizes_in_use(bits):
    draw = random.Random(bits)
    operands = [(draw.getrandbits(bits), draw.getrandbits(200), draw.getrandbits(bits) | 1) for _ in range(9)]
    expected = [pow(*each) for each in operands]
    assert [powmod(*each) for each in operands[:2]] == expected[:2]
    assert powmod_many(*zip(*operands, strict=True)) == expected


@pytest.mark.parametrize("m", [1, -1, 2, -2, 7, 2**64, 2**64 - 1, -(2**64) - 1, 2**200])
def test_corners(m):
    for b in (0, 1, -1, 2**64, -(2**500)):
        for e in (0, 1, 2, 2**64, -1, -3):
            assert outcome(powmod, b, e, m) == outcome(pow, b, e, m), (b, e)


def test_the_widest():
    m = 2**MAX_BITS - 1
    assert powmod(2, MAX_BITS + 5, m) == 32


@pytest.mark.parametrize(
    ("operands", "error", "message"),
    [
        ((2, 3, 0), ValueError, "m must not be 0"),
        ((2, -1, 0), ValueError, "m must not be 0"),
        ((2, -1, 8), ValueError, "base is not invertible for the given modulus"),
        ((6, -1, 9), ValueError, "base is not invertible for the given modulus"),
        ((0, -1, 4), ValueError, "base is not invertible for the given modulus"),
        ((2, 3, 2**MAX_BITS), OverflowError, "m has 16385 bits: powmod takes at most 16384"),
        ((2, 2**MAX_BITS, 3), OverflowError, "e has 16385 bits: powmod takes at most 16384"),
        ((2, 3, -(2**MAX_BITS)), OverflowError, "m has 16385 bits: powmod takes at most 16384"),
        ((2.0, 3, 5), TypeError, "b must be an integer, not float"),
        ((2, "3", 5), TypeError, "e must be an integer, not str"),
        ((2, 3, None), TypeError, "m must be an integer, not NoneType"),
    ],
)
def test_bad_operands(operands, error, message):
    with pytest.raises(error, match=message):
        powmod(*operands)
    with pytest.raises(error, match=message):
        powmod_many(*([each] for each in operands))


def test_as_many_of_each():
    with pytest.raises(ValueError, match="bs, es and ms must have equal lengths, not 1, 2 and 1"):
        powmod_many([1], [2, 3], [4])
    with pytest.raises(TypeError):
        powmod_many(1, 2, 3)


@pytest.mark.parametrize("count", [0, 1, 8, 70])
@pytest.mark.parametrize("n", [1, 2, 16])
def test_arrays_of_words(numpy, n, count):
    draw = random.Random(n * count)
    top = 8 * n * WORD_BYTES
    bs, es, ms = ([draw.getrandbits(top) | 1 for _ in range(count)] for _ in range(3))
    result = powmod_many(*(rows(numpy, each, n) for each in (bs, es, ms)))
    assert (result == rows(numpy, list(map(pow, bs, es, ms)), n)).all()
    assert result.shape == (count, n)


def test_views_of_words(numpy):
    b, e, m = (memoryview(rows(numpy, [value], 2)) for value in (3, 2**100, 2**127 - 1))
    assert powmod_many(b, e, m).tolist() == rows(numpy, [pow(3, 2**100, 2**127 - 1)], 2).tolist()


def test_a_vector_of_numpy_is_a_sequence(numpy):
    bs, es, ms = (numpy.array(each, "u8") for each in ([2, 2**64 - 1], [10, 3], [1000, 2**64 - 3]))
    assert powmod_many(bs, es, ms) == [24, 8]


def test_bad_arrays(numpy):
    ones = rows(numpy, [1, 1], 2)
    with pytest.raises(ValueError, match="m must not be 0"):
        powmod_many(ones, ones, rows(numpy, [1, 0], 2))
    with pytest.raises(ValueError, match="the arrays must have the same shape"):
        powmod_many(ones, ones, rows(numpy, [1], 2))
    with pytest.raises(ValueError, match="C-contiguous"):
        powmod_many(ones, ones, rows(numpy, [1, 1], 4)[:, ::2])
    with pytest.raises(TypeError, match="the arrays must be of words"):
        powmod_many(ones, ones, ones.astype("i8"))
    wide = numpy.ones((1, MAX_BITS // 8 // WORD_BYTES + 1), ones.dtype)
    with pytest.raises(OverflowError, match="rows of 16448 bits: powmod takes at most 16384"):
        powmod_many(wide, wide, wide)
