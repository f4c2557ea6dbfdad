"""Given room: Fibonacci numbers, from one word to millions of digits."""

from carrychain.bench.timing import duration, in_turn
from carrychain.bindings.bigint import BigInt
from carrychain.bindings.fibonacci import fib_bigint, fib_digits

from .. import fib_check
from .chapter import Demo

N = 1_000_000
FURTHER = 10 * N
ROUNDS = 31
FURTHER_ROUNDS = 3


def holds(n: int, f: BigInt, digits) -> bool:
    return not fib_check.wrong(n, f, [digits, b"\n"], fib_check.primes())


def chapter() -> Demo:
    f, g = fib_bigint(N), fib_bigint(FURTHER)
    digits, further = fib_digits(N), fib_digits(FURTHER)
    right = holds(N, f, digits) and holds(FURTHER, g, further)
    checked, took = in_turn([lambda: holds(FURTHER, g, further), lambda: fib_digits(FURTHER)], FURTHER_ROUNDS)
    text = bytes(digits)
    result = Demo(
        carry="given room",
        module="limbs, transform, natural, bigint, fib",
        did=[
            ("computed", f"F({N:,}), two squarings per bit of n, one multiplication at the end"),
            (
                "in decimal",
                f"[bold]{text[:20].decode()} … {text[-20:].decode()}[/bold], {len(text):,} digits",
            ),
            (
                "further",
                f"F({FURTHER:,}), {len(further):,} digits, in {duration(took.least)}{took.mark}; "
                f"checking them takes {duration(checked.least)}{checked.mark}",
            ),
        ],
        check=(
            f"both, and their digits, modulo {fib_check.PRIMES} random primes of {fib_check.BITS} bits; "
            "the number of digits, the first and the last ones"
        ),
        right=right,
        unit=f"F({N:,}) and its decimal digits",
        peer="",
    )
    try:
        import gmpy2
    except ImportError:
        result.timings = in_turn([lambda: fib_digits(N)], ROUNDS)
        result.peer = "gmpy2 is not installed"
        return result
    result.right &= text == gmpy2.fib(N).digits().encode()
    result.check += "; every digit of the smaller equals gmpy2's"
    result.timings = in_turn([lambda: fib_digits(N), lambda: gmpy2.fib(N).digits()], ROUNDS)
    result.peer = f"gmpy2 {gmpy2.version()} ({gmpy2.mp_version()})"
    return result
