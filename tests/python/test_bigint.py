"""Every operation of cc_bigint beside the same of Python's own integers."""

import operator

import pytest
from carrychain.bindings.bigint import BigInt
from hypothesis import given
from hypothesis import strategies as st
from numbers_to_try import integers

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def in_radix(value: int, radix: int) -> str:
    digits, rest = [], abs(value)
    while rest:
        rest, digit = divmod(rest, radix)
        digits.append(DIGITS[digit])
    return ("-" if value < 0 else "") + ("".join(reversed(digits)) or "0")


@given(integers())
def test_there_and_back(x):
    assert int(BigInt(x)) == x


BINARY = [operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor]


@pytest.mark.parametrize("operation", BINARY)
@given(integers(), integers())
def test_binary(operation, x, y):
    assert int(operation(BigInt(x), BigInt(y))) == operation(x, y)


@pytest.mark.parametrize("operation", BINARY)
@given(integers())
def test_binary_of_one_number_with_itself(operation, x):
    same = BigInt(x)
    assert int(operation(same, same)) == operation(x, x)


@pytest.mark.parametrize("operation", [operator.neg, operator.invert, operator.abs])
@given(integers())
def test_unary(operation, x):
    assert int(operation(BigInt(x))) == operation(x)


@given(integers())
def test_square(x):
    assert int(BigInt(x).sqr()) == x * x


@given(integers(40_000), integers(30_000))
def test_long_products(x, y):
    assert int(BigInt(x) * BigInt(y)) == x * y


@given(integers(), integers().filter(bool))
def test_divmod_floor(x, y):
    q, r = BigInt(x).divmod_floor(BigInt(y))
    assert (int(q), int(r)) == divmod(x, y)


@given(integers(), integers().filter(bool))
def test_divmod_trunc(x, y):
    q, r = BigInt(x).divmod_trunc(BigInt(y))
    assert int(q) == abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    assert int(q) * y + int(r) == x


@given(integers(3000).filter(bool), integers(3000), st.integers(-1, 1))
def test_divmod_beside_an_exact_multiple(y, q, offset):
    x = q * y + offset
    quotient, remainder = BigInt(x).divmod_floor(BigInt(y))
    assert (int(quotient), int(remainder)) == divmod(x, y)


@given(integers(30_000), integers(15_000).filter(bool))
def test_long_quotients(x, y):
    q, r = BigInt(x).divmod_floor(BigInt(y))
    assert (int(q), int(r)) == divmod(x, y)


@pytest.mark.parametrize("divide", ["divmod_floor", "divmod_trunc"])
def test_division_by_zero(divide):
    with pytest.raises(ZeroDivisionError):
        getattr(BigInt(5), divide)(BigInt(0))


@given(integers(300), st.integers(0, 40))
def test_pow(x, exponent):
    assert int(BigInt(x) ** exponent) == x**exponent


@given(integers(), st.integers(0, 7000))
def test_shifts(x, bits):
    assert int(BigInt(x) << bits) == x << bits
    assert int(BigInt(x) >> bits) == x >> bits


def test_shift_beyond_memory():
    with pytest.raises(MemoryError):
        BigInt(1) << 2**63
    assert int(BigInt(-5) >> 2**63) == -1


@given(integers(), integers())
def test_compare(x, y):
    assert BigInt(x).cmp(BigInt(y)) == (x > y) - (x < y)
    assert BigInt(x).cmp_abs(BigInt(y)) == (abs(x) > abs(y)) - (abs(x) < abs(y))
    assert BigInt(x).cmp(BigInt(x)) == 0
    assert BigInt(x).sign() == (x > 0) - (x < 0)
    assert BigInt(x).bit_length() == x.bit_length()


@given(integers(), st.integers(2, 36))
def test_digits(x, radix):
    digits = BigInt(x).to_string(radix)
    assert digits == in_radix(x, radix)
    assert int(BigInt.from_string(digits, radix)) == x
    assert int(BigInt.from_string(digits.upper(), radix)) == x


@given(integers(60_000).filter(bool))
def test_long_decimals(x):
    digits = BigInt(x).to_string(10)
    assert digits == in_radix(x, 10)
    assert int(BigInt.from_string(digits, 10)) == x


@given(st.integers(0, 10**30), st.integers(2, 36), st.integers(1, 50))
def test_leading_zeros_and_signs(x, radix, zeros):
    digits = "0" * zeros + in_radix(x, radix)
    assert int(BigInt.from_string(digits, radix)) == x
    assert int(BigInt.from_string("+" + digits, radix)) == x
    assert int(BigInt.from_string("-" + digits, radix)) == -x


@pytest.mark.parametrize("text", ["", "-", "+", " 1", "1 ", "1_0", "0x10", "--1", "1e6", "a", "²", "1.0"])
def test_not_a_number(text):
    with pytest.raises(ValueError):
        BigInt.from_string(text, 10)


@pytest.mark.parametrize(
    ("text", "radix"), [("2", 2), ("z", 35), ("10", 1), ("10", 37), ("10", 0), ("10", -10)]
)
def test_not_in_the_radix(text, radix):
    with pytest.raises(ValueError):
        BigInt.from_string(text, radix)


@pytest.mark.parametrize("radix", [-10, 0, 1, 37])
def test_no_such_radix(radix):
    with pytest.raises(ValueError):
        BigInt(10).to_string(radix)


@given(integers(), st.integers(0, 900), st.booleans(), st.booleans())
def test_to_bytes(x, length, big_endian, signed):
    order = "big" if big_endian else "little"
    try:
        expected = x.to_bytes(length, order, signed=signed)
        # CPython has no byte hold -1, which then reads as 0
        if int.from_bytes(expected, order, signed=signed) != x:
            raise OverflowError
    except OverflowError:
        with pytest.raises(OverflowError):
            BigInt(x).to_bytes(length, big_endian=big_endian, signed=signed)
    else:
        assert BigInt(x).to_bytes(length, big_endian=big_endian, signed=signed) == expected


@given(st.binary(max_size=900), st.booleans(), st.booleans())
def test_from_bytes(data, big_endian, signed):
    expected = int.from_bytes(data, "big" if big_endian else "little", signed=signed)
    assert int(BigInt.from_bytes(data, big_endian=big_endian, signed=signed)) == expected
