"""carrychain.Integer's roots, perfect powers, exact quotients and removed factors."""

import pytest
from carrychain import Integer
from hypothesis import given
from hypothesis import strategies as st
from numbers_to_try import WORD_EDGES, integers


def floor_root(x: int, k: int) -> int:
    """The k-th root of x >= 0, rounded down, bit by bit."""
    root = 0
    for bit in range(x.bit_length() // k, -1, -1):
        if (root | 1 << bit) ** k <= x:
            root |= 1 << bit
    return root


def truncated_root(x: int, k: int) -> int:
    return -floor_root(-x, k) if x < 0 else floor_root(x, k)


def check_root(x: int, k: int) -> None:
    root = truncated_root(x, k)
    assert Integer(x).iroot(k) == (root, root**k == x)
    assert Integer(x).iroot_rem(k) == (root, x - root**k)
    assert [type(each) for each in Integer(x).iroot(k)] == [Integer, bool]


@given(integers(3000), st.integers(1, 70))
def test_root(x, k):
    check_root(x if k & 1 else abs(x), k)


@given(integers(200), st.integers(1, 30), st.integers(-1, 1))
def test_root_of_a_power(b, k, beside):
    x = abs(b) ** k + beside
    if x >= 0 or k & 1:
        check_root(x, k)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 7, 31, 64, 65, 1000, 2**64 - 1, 2**64, 2**200 + 1])
def test_root_at_the_edges(k):
    for x in [0, 1, 2, *WORD_EDGES]:
        if k < 2000:
            check_root(abs(x), k)
        else:
            assert Integer(abs(x)).iroot(k) == (min(abs(x), 1), abs(x) < 2)
        if k & 1:
            assert Integer(-abs(x)).iroot(k)[0] == -Integer(abs(x)).iroot(k)[0]


@pytest.mark.parametrize("k", [2, 3, 10, 1001])
def test_root_of_a_long_number(k):
    b = 7 ** (200_000 // k)
    for x in (b**k - 1, b**k, b**k + 1):
        root, rest = Integer(x).iroot_rem(k)
        assert int(root) ** k + int(rest) == x < (int(root) + 1) ** k
        assert Integer(x).iroot(k) == (root, not rest)


def test_no_root():
    for call in (Integer(4).iroot, Integer(4).iroot_rem):
        for degree in (0, -1, -(2**70)):
            with pytest.raises(ValueError, match="degree of a root must be positive"):
                call(degree)
        for degree in (2.0, "2", None):
            with pytest.raises(TypeError):
                call(degree)
    for degree in (2, 2**70):
        with pytest.raises(ValueError, match="negative number has no root"):
            Integer(-4).iroot(degree)


def test_small_squares_and_powers():
    most = 3000
    squares = {i * i for i in range(60)}
    powers = {0, 1} | {b**k for b in range(2, 60) for k in range(2, 12)}
    odd = {0, 1} | {b**k for b in range(2, 60) for k in (3, 5, 7, 9, 11)}
    for x in range(most):
        assert Integer(x).is_square() is (x in squares)
        assert Integer(x).is_power() is (x in powers)
        assert Integer(-x).is_square() is (x == 0)
        assert Integer(-x).is_power() is (x in odd)


@given(integers(300), st.integers(2, 20))
def test_powers(b, k):
    assert Integer(b**k).is_power()
    assert Integer(b * b).is_square()
    assert not Integer(b * b + 1).is_square() or b == 0
    # 2 divides it once
    assert not Integer(2 * (2 * b + 1) ** k).is_power()


def test_beside_gmpy2():
    gmpy2 = pytest.importorskip("gmpy2", reason="gmpy2 is not installed: nothing to compare with")
    for x in [
        *range(-300, 300),
        *(b**k + d for b in (3, 10, 12, 2**61 - 1, 2**89 - 1) for k in range(1, 9) for d in (-1, 0, 1)),
    ]:
        assert Integer(x).is_square() == gmpy2.is_square(x)
        assert Integer(x).is_power() == gmpy2.is_power(x)
        for f in (2, 3, 10, 12, 2**61 - 1):
            if x:
                assert Integer(x).remove(f) == gmpy2.remove(x, f)
        for k in (1, 2, 3, 5, 8):
            if x >= 0:
                assert Integer(x).iroot(k) == gmpy2.iroot(x, k)
                assert Integer(x).iroot_rem(k) == gmpy2.iroot_rem(x, k)


@given(integers(3000), integers(3000).filter(bool))
def test_divexact(q, d):
    found = Integer(q * d).divexact(d)
    assert type(found) is Integer and found == q
    assert Integer(q * d).divexact(Integer(d)) == q


def test_no_exact_quotient():
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        Integer(4).divexact(0)
    with pytest.raises(TypeError):
        Integer(4).divexact(2.0)
    # any number, but one
    for x in (1, 3, 10**40 + 1):
        for d in (2, 4, 10**20, 10**60):
            assert type(Integer(x).divexact(d)) is Integer


@given(integers(300).filter(bool), integers(150).filter(lambda f: abs(f) > 1), st.integers(0, 40))
def test_remove(rest, f, count):
    while rest % f == 0:
        rest //= f
    assert Integer(rest * f**count).remove(f) == (rest, count)


def test_what_is_removed():
    assert Integer(0).remove(5) == (0, 0)
    assert Integer(-(2**1000) * 3).remove(Integer(2)) == (-3, 1000)
    assert Integer(-8).remove(-2) == (1, 3)
    for f in (0, 1, -1):
        with pytest.raises(ValueError, match="factor to remove"):
            Integer(12).remove(f)
    with pytest.raises(TypeError):
        Integer(12).remove(2.0)
