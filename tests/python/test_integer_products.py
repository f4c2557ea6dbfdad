"""carrychain.Integer's factorials, primorials, binomials and Lucas numbers, beside Python's own."""

import math
import re

import carrychain
import pytest
from carrychain import Integer, gmpy2
from carrychain.bench import constants
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(0, 3000))
def test_factorial(n):
    found = Integer.factorial(n)
    assert type(found) is Integer and found == math.factorial(n)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_binomial(n, k):
    found = Integer.binomial(n, Integer(k))
    assert type(found) is Integer and found == math.comb(n, k)


@given(st.integers(0, 2**64 - 1), st.integers(0, 60))
def test_binomial_of_a_large_number(n, k):
    assert Integer.binomial(n, k) == math.comb(n, k)
    if k <= n:
        assert Integer.binomial(n, n - k) == math.comb(n, k)


def test_primorial():
    product = Integer(1)
    for x in range(2, 2000):
        if Integer(x).is_prime():
            product *= x
        assert Integer.primorial(x) == product
    assert Integer.primorial(0) == Integer.primorial(1) == 1


def test_lucas():
    a, b = 2, 1
    for n in range(2000):
        assert Integer.lucas(n) == a
        a, b = b, a + b
    assert Integer.lucas(200_001) == carrychain.fib(200_000) + carrychain.fib(200_002)
    assert Integer.lucas(200_000) == carrychain.fib(199_999) + carrychain.fib(200_001)


def test_long_ones():
    assert Integer.factorial(100_000) // Integer.factorial(99_999) == 100_000
    assert Integer.factorial(65_536).remove(2)[1] == 65_535
    assert Integer.binomial(100_000, 40_000) * 60_000 == Integer.binomial(100_000, 40_001) * 40_001


@pytest.mark.parametrize(
    "call",
    [
        Integer.factorial,
        Integer.primorial,
        Integer.lucas,
        lambda n: Integer.binomial(n, 1),
        lambda n: Integer.binomial(5, n),
    ],
)
def test_refused(call):
    with pytest.raises(ValueError, match="must be nonnegative"):
        call(-1)
    with pytest.raises(OverflowError, match="must be below 2"):
        call(2**64)
    with pytest.raises(TypeError):
        call(2.0)


@pytest.mark.parametrize("arguments", [(), (5,), (5, 2, 1)])
def test_binomial_takes_two(arguments):
    with pytest.raises(TypeError, match="takes n and k"):
        Integer.binomial(*arguments)


@pytest.mark.parametrize("home", [Integer, gmpy2])
@pytest.mark.parametrize(
    "name, called, arguments",
    [
        ("factorial", "fac", (2**63,)),
        ("primorial", "primorial", (10**14,)),
        ("lucas", "lucas", (2**64 - 1,)),
        ("fib", "fib", (10**14,)),
        ("binomial", "bincoef", (2**64 - 1, 2**63 - 1)),
        ("binomial", "bincoef", (2**64 - 1, 10**12)),
        ("binomial", "bincoef", (10**14, 10**13)),
    ],
)
def test_beyond_memory(home, name, called, arguments):
    if home is Integer and name == "fib":
        pytest.skip("carrychain.fib has its own")
    function = getattr(home, name if home is Integer else called)
    written = ", ".join(map(str, arguments))
    with pytest.raises(MemoryError, match="not enough memory") as raised:
        function(*arguments)
    said = re.fullmatch(
        rf"not enough memory for {name}\({written}\): it needs [0-9.]+ [TPE]B, but only [0-9.]+ [MGT]B are "
        r"available, which suffice up to (\d+)",
        str(raised.value),
    )
    assert said and 1 < int(said[1]) < arguments[-1]


def test_beyond_memory_outside_c():
    with pytest.raises(MemoryError, match=r"not enough memory for factorial\(10000000000000\)"):
        gmpy2.bincoef(-5, 10**13)
    with pytest.raises(MemoryError, match=r"not enough memory for factorial\(5000000000000\)"):
        gmpy2.double_fac(10**13)


PI = "314159265358979323846264338327950288419716939937510"
E = "271828182845904523536028747135266249775724709369995"


@pytest.mark.parametrize("digits", [10, 49, 1000, 20_000])
def test_pi_and_e(digits):
    pi, e = constants.pi(Integer, digits, Integer.isqrt), constants.e(Integer, digits)
    assert type(pi) is type(e) is Integer
    assert pi == constants.pi(int, digits, math.isqrt) and e == constants.e(int, digits)
    known = min(digits, 50) - 3
    assert (str(pi)[:known], str(e)[:known]) == (PI[:known], E[:known])
    assert len(str(pi)) == len(str(e)) == digits + 1
