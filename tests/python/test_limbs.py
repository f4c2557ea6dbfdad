"""limbs.h through each tier of this machine, beside Python's own integers."""

import pytest
from carrychain.bindings import cpu, limbs
from hypothesis import given
from hypothesis import strategies as st
from numbers_to_try import naturals


@pytest.fixture(scope="module", params=["generic", "x86_64", "bmi2+adx"], autouse=True)
def tier(request):
    (tier,) = (each for each in cpu.tiers() if each.name == request.param)
    if missing := tier.missing():
        pytest.skip(f"this machine lacks {', '.join(missing)}")
    cpu.set_mask(tier.needs)
    yield tier
    cpu.set_mask(cpu.ALL)


def vectors(longest: int, shortest: int = 0) -> st.SearchStrategy[tuple[int, int]]:
    """A value and how many words it stands in, zeros at the top allowed."""
    return st.integers(shortest, longest).flatmap(
        lambda n: st.tuples(naturals(n * limbs.WORD_BITS) if n else st.just(0), st.just(n))
    )


def test_the_tier_is_in_use(tier):
    assert cpu.chosen("limbs") == tier.name


@given(vectors(300), vectors(300))
def test_mul(a, b):
    assert limbs.mul(*a, *b) == a[0] * b[0]


@given(vectors(300))
def test_sqr(a):
    assert limbs.sqr(*a) == a[0] ** 2


@given(vectors(300, shortest=1), vectors(150, shortest=1))
def test_divrem(a, d):
    (a, an), (d, dn) = a, d
    d |= 1 << dn * limbs.WORD_BITS - 1
    an = max(an, dn)
    assert limbs.divrem(a, an, d, dn) == divmod(a, d)


@given(vectors(150, shortest=1), vectors(150), st.integers(-1, 1))
def test_divrem_beside_an_exact_multiple(d, q, offset):
    (d, dn), (q, qn) = d, q
    d |= 1 << dn * limbs.WORD_BITS - 1
    a = max(q * d + offset, 0)
    assert limbs.divrem(a, dn + qn, d, dn) == divmod(a, d)
