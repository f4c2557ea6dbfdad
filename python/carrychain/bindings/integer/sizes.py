"""The memory that factorials and other long products take, so that those beyond it are refused at once."""

from bisect import bisect_right
from collections.abc import Callable
from math import log2

from .. import memory


def _factorial(n: int) -> float:
    # Stirling's formula
    return n * (log2(n) - 1.4427)


def _binomial(n: int, k: int) -> float:
    # from k = n / 24 on by primes, whose product is the result; else by factors
    return min(n, k * (log2(n / k) + 1.4427)) if 24 * k > n else k * log2(n)


# The result's bits, or those of its factors, and the memory asked for in multiples of them, as measured.
_SIZES: dict[str, tuple[Callable[..., float], float]] = {
    "factorial": (_factorial, 8.3),
    "primorial": (lambda n: 1.44 * n, 20.4),
    "lucas": (lambda n: 0.6942 * n, 13.5),
    "fib": (lambda n: 0.6942 * n, 12.5),
    "binomial": (_binomial, 23),
}


def _needed(name: str, *arguments: int) -> int:
    bits, times = _SIZES[name]
    return int(bits(*arguments) * times / 8)


def require(name: str, n: int, k: int) -> None:
    """MemoryError if name(n), or name(n, k) unless k is 0, does not fit, with the last argument that does."""
    first, last = ((n,), k) if k else ((), n)
    needed, there = _needed(name, *first, last), memory.available()
    if there is None or needed <= there:
        return
    fitting = bisect_right(range(min(last, 2**62)), there, lo=2, key=lambda x: _needed(name, *first, x)) - 1
    unit = 10 ** max(len(str(fitting)) - 2, 0)
    call = f"{name}({', '.join(map(str, (*first, last)))})"
    raise MemoryError(
        f"not enough memory for {call}: it needs {memory.size(needed)}, but only {memory.size(there)} are "
        f"available, which suffice up to {fitting // unit * unit}"
    )
