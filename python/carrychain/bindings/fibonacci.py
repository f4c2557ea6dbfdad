"""F(n), as an int and as decimal digits."""

import operator
from collections.abc import Iterable
from typing import TypeVar

from ._carrychain import ffi, lib
from .bigint import BigInt
from .status import check
from .watch import Watch, interruptible

Number = TypeVar("Number")

STRATEGIES = tuple(ffi.string(lib.cc_fib_strategy_name(i)).decode() for i in range(lib.CC_FIB_STRATEGIES))

N_MAX = 2**64 - 1

# F(n) is over before anyone could press Ctrl-C: not worth a thread.
_SHORT = 10_000


def _index(n) -> int:
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError(f"n must be an integer, not {type(n).__name__}") from None
    if n < 0:
        raise ValueError("n must be 0 or more")
    if n > N_MAX:
        raise OverflowError("n must be below 2**64")
    return n


def _strategy(name: str) -> int:
    if name not in STRATEGIES:
        raise ValueError(f"strategy must be one of {', '.join(STRATEGIES)}, not {name!r}")
    return STRATEGIES.index(name)


def fib_bigint(n: int, strategy: str = "squaring", watch: Watch | None = None) -> BigInt:
    n, number = _index(n), _strategy(strategy)
    f = BigInt()
    status = lib.cc_fib_by(f.c, n, number, watch.progress if watch else ffi.NULL)
    (watch.check if watch else check)(status, "F(n)")
    return f


def fib(n: int, strategy: str = "squaring", *, type: type[Number] = int) -> Number:
    """The Fibonacci number F(n): F(0) = 0, F(1) = 1, F(n) = F(n - 1) + F(n - 2).

    ``strategy``: "squaring" (the fastest: two squarings a bit of n), "doubling" or "iterative".
    ``type``: ``int``, ``carrychain.Integer``, or what else has ``from_bytes`` as these do. The GIL is
    released; Ctrl-C is answered at once. OverflowError if n is 2**64 or more, MemoryError if F(n) does
    not fit into memory.
    """
    n = _index(n)
    if n <= _SHORT:
        return fib_bigint(n, strategy).to(type)
    watch = Watch()
    return interruptible(lambda: fib_bigint(n, strategy, watch).to(type), watch.stop)


def fib_digits(n: int, strategy: str = "squaring"):
    """F(n) in decimal as a buffer of ASCII, never a Python int."""
    return fib_bigint(n, strategy).digits(10)


def fib_sweep(indices: Iterable[int], rounds: int, strategy: str) -> list[float]:
    """The nanoseconds of each F(n) of ``indices``, one after another: the mean of ``rounds``, timed in C."""
    n = ffi.new("uint64_t[]", list(indices))
    ns = ffi.new("uint64_t[]", len(n))
    check(lib.fib_sweep(ns, n, len(n), rounds, _strategy(strategy)), "F(n)")
    return [total / rounds for total in ns]
