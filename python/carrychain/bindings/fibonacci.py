"""F(n), as an int and as decimal digits."""

import operator
from collections.abc import Iterable
from typing import SupportsIndex, TypeVar, overload

from . import memory
from ._carrychain import ffi, lib
from .bigint import BigInt
from .status import check
from .watch import THREADS_MAX, Watch, interruptible

Number = TypeVar("Number")

STRATEGIES = tuple(ffi.string(lib.cc_fib_strategy_name(i)).decode() for i in range(lib.CC_FIB_STRATEGIES))

N_MAX = 2**64 - 1

# F(n) is over before anyone could press Ctrl-C: not worth a thread, nor a look at how much memory there is.
_SHORT = 10_000

# Vectors of half of F(n)'s length, as src/fib/fib.c has them beside what products take: F(n) is two of them.
_HALVES = {"squaring": 5, "doubling": 10, "iterative": 6}


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


# Of so many words no machine holds one, and more than this many bytes for each are needed.
_BEYOND = 1 << 44
_TIMES = 32


def memory_needed(n: int, strategy: str = "squaring", *, decimal: bool = False) -> int:
    """The bytes needed to compute F(n), and its decimal digits if ``decimal``. Slightly overestimated."""
    bits = n * 45499 >> 16  # of F(n): 45499/65536 > log2(phi)
    words = bits // lib.CC_WORD_BITS + 4
    if words > _BEYOND:
        return _TIMES * words
    half = words // 2 + 4
    product = max(lib.cc_natural_mul_scratch(half, half), lib.cc_natural_sqr_scratch(half))
    word = lib.CC_WORD_BITS // 8
    computing = word * (_HALVES[strategy] * half + (product if strategy != "iterative" else 0))
    # F(n) itself, a copy that the conversion destroys, its scratch and the text
    converting = word * (2 * words + lib.cc_natural_to_digits_scratch(words, 10))
    converting += lib.cc_natural_digits_max(words, 10)
    return max(computing, converting) if decimal else computing


def digits_memory_needed(n: int, strategy: str = "squaring") -> int:
    """The bytes that ``fib_digits`` needs."""
    needed = lib.cc_fib_decimal_memory(n) if strategy == STRATEGIES[0] else 0
    return needed or memory_needed(n, strategy, decimal=True)


def require_memory(n: int, needed: int, what: str) -> None:
    """Raise MemoryError, before any work, if the result does not fit in the available memory."""
    if n > _SHORT:
        memory.require(needed, what)


def fib_bigint(n: int, strategy: str = "squaring", watch: Watch | None = None) -> BigInt:
    n, number = _index(n), _strategy(strategy)
    f = BigInt()
    status = lib.cc_fib_by(f.c, n, number, watch.progress if watch else ffi.NULL)
    (watch.check if watch else check)(status, f"F({n})")
    return f


# a type variable's default value says nothing to type checkers of what a call without it returns
@overload
def fib(n: SupportsIndex, strategy: str = "squaring", *, threads: int = 1) -> int: ...
@overload
def fib(n: SupportsIndex, strategy: str = "squaring", *, type: type[Number], threads: int = 1) -> Number: ...
def fib(n, strategy="squaring", *, type=int, threads=1):
    """The Fibonacci number F(n): F(0) = 0, F(1) = 1, F(n) = F(n - 1) + F(n - 2).

    ``strategy`` is "squaring" (the fastest: two squarings per bit of n), "doubling" or "iterative". ``type``
    is ``int``, ``carrychain.Integer``, or another type with a compatible ``from_bytes``. ``threads`` is the
    number of processors that share long products.

    The GIL is released, and Ctrl-C is answered at once. OverflowError if n is 2**64 or more. MemoryError if
    F(n) does not fit in memory; where the system reports how much there is, this is checked before the work
    begins.
    """
    n = _index(n)
    if not isinstance(threads, int):
        raise TypeError(f"threads must be an integer, not {threads.__class__.__name__}")
    if not 1 <= threads <= THREADS_MAX:
        raise ValueError(f"threads must be from 1 to {THREADS_MAX}")
    if n <= _SHORT:
        return fib_bigint(n, strategy).to(type)
    _strategy(strategy)
    require_memory(n, memory_needed(n, strategy), f"F({n})")
    watch = Watch(threads=threads)
    return interruptible(lambda: fib_bigint(n, strategy, watch).to(type), watch.stop)


def fib_digits(n: int, strategy: str = "squaring", watch: Watch | None = None):
    """The decimal digits of F(n) as an ASCII buffer. No Python int is made.

    "squaring" may compute them without binary words.
    """
    n = _index(n)
    if strategy != STRATEGIES[0]:
        return fib_bigint(n, strategy, watch).digits(10, watch)
    text, length = ffi.new("char **"), ffi.new("size_t *")
    status = lib.cc_fib_decimal(text, length, n, watch.progress if watch else ffi.NULL)
    (watch.check if watch else check)(status, f"F({n})")
    return ffi.buffer(ffi.gc(text[0], lib.cc_string_free, length[0]), length[0])


def fib_sweep(indices: Iterable[int], rounds: int, strategy: str) -> list[float]:
    """The nanoseconds that each F(n) of ``indices`` takes: the mean of ``rounds`` runs, timed in C."""
    n = ffi.new("uint64_t[]", list(indices))
    ns = ffi.new("uint64_t[]", len(n))
    check(lib.fib_sweep(ns, n, len(n), rounds, _strategy(strategy)), "F(n)")
    return [total / rounds for total in ns]
