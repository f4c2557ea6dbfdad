from array import array

import pytest
from carrychain.bindings import peers, u128
from hypothesis import given
from hypothesis import strategies as st
from numbers_to_try import naturals

WORDS = naturals(64)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS.filter(bool)), min_size=1))
def test_mul_div(triples):
    a, b, c = (array("Q", column) for column in zip(*triples, strict=True))
    expected = [min(x * y // z, 2**64 - 1) for x, y, z in triples]
    assert u128.mul_div_each(a, b, c).tolist() == expected


@given(st.lists(st.tuples(WORDS, WORDS).map(sorted).filter(lambda pair: pair[1]), min_size=1), WORDS)
def test_the_peer_divides_too(pairs, b):
    """Of a < c, whose quotients fit."""
    pairs = [(a, c) for a, c in pairs if a < c]
    a, c = (array("Q", [pair[i] for pair in pairs]) for i in range(2))
    expected = [x * b // y for x, y in pairs]
    assert peers.mul_div_each(a, array("Q", [b] * len(a)), c).tolist() == expected


def test_division_by_zero():
    one, zero = array("Q", [1]), array("Q", [0])
    with pytest.raises(ZeroDivisionError):
        u128.mul_div_each(one, one, zero)


def test_lengths_differ():
    with pytest.raises(ValueError):
        u128.mul_div_each(array("Q", [1]), array("Q", [1, 2]), array("Q", [1]))
