"""Random integers: gmpy2's functions, on Python's Mersenne twister; the stream is not GMP's."""

from random import Random

from ._gmpy2 import mpz
from .taken import whole


class RandomState:
    """The state of a generator, made by random_state()."""

    __slots__ = ("generator",)

    def __init__(self, seed: int) -> None:
        self.generator = Random(seed)

    def __repr__(self) -> str:
        return "<gmpy2.RandomState>"


def random_state(seed=0, /) -> RandomState:
    """A generator's state from a seed."""
    return RandomState(int(whole(seed, "seed must be an integer")))


def _taken(name: str, what: str, state, n) -> tuple[Random, mpz]:
    wrong = f"{name}() requires 'random_state' and '{what}' arguments"
    if not isinstance(state, RandomState):
        raise TypeError(wrong)
    n = whole(n, wrong)
    if what == "bit_count" and n < 0:
        raise TypeError(wrong)
    return state.generator, n


def mpz_random(random_state, n, /) -> mpz:
    """A number from 0 to abs(n) - 1, uniformly."""
    generator, n = _taken("mpz_random", "int", random_state, n)
    if not n:
        raise ZeroDivisionError("mpz_random() of 0")
    return mpz(generator.randrange(abs(int(n))))


def mpz_urandomb(random_state, bit_count, /) -> mpz:
    """A number from 0 to 2**bit_count - 1, uniformly."""
    generator, n = _taken("mpz_urandomb", "bit_count", random_state, bit_count)
    return mpz(generator.getrandbits(int(n)))


def mpz_rrandomb(random_state, bit_count, /) -> mpz:
    """A number of bit_count bits, in long runs of ones and of zeros."""
    generator, n = _taken("mpz_rrandomb", "bit_count", random_state, bit_count)
    left, bit, value = int(n), 1, 0
    longest = max(left // 8, 1)
    while left:
        run = min(generator.randint(1, longest), left)
        value = value << run | (bit << run) - bit
        bit, left = 1 - bit, left - run
    return mpz(value)
