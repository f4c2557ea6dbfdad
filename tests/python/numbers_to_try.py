"""Integers in which carries are common: every length and bit density, runs of ones, the edges of words."""

from hypothesis import strategies as st

WORD_EDGES = [
    sign * (2**bits + offset)
    for bits in (0, 31, 32, 63, 64, 127, 128, 640)
    for offset in (-1, 0, 1)
    for sign in (1, -1)
]


def _runs(lengths: list[int]) -> int:
    """Ones and zeros in turn, each as many as it says."""
    value = 0
    for i, length in enumerate(lengths):
        value = value << length | ((1 << length) - 1 if i % 2 == 0 else 0)
    return value


def naturals(bits: int) -> st.SearchStrategy[int]:
    """Below 2**bits."""
    longest = max(bits // 8, 1)
    return st.one_of(
        st.integers(0, bits).flatmap(lambda n: st.integers(0, (1 << n) - 1)),
        st.lists(st.integers(1, longest), max_size=8).map(_runs).filter(lambda x: x >> bits == 0),
    )


def integers(bits: int = 6000) -> st.SearchStrategy[int]:
    signed = st.tuples(st.sampled_from((1, -1)), naturals(bits)).map(lambda pair: pair[0] * pair[1])
    return st.one_of(signed, st.sampled_from(WORD_EDGES))
