"""Grown into: F(1 000 000), from one word to 208 988 digits."""

import hashlib

from carrychain.bindings.fibonacci import fib_digits
from carrychain.timing import in_turn

from .chapter import Chapter

N = 1_000_000
DIGITS = 208_988
# of its digits, from Python's own integers
SHA256 = "aef6e8c19df607aa07940f2abde8460d1b34c18df1a6f46b5fc04dfe9be51706"
ROUNDS = 31


def chapter() -> Chapter:
    digits = bytes(fib_digits(N))
    result = Chapter(
        carry="grown into",
        module="limbs, bigint, fib",
        did=[
            ("computed", f"F({N:,}), two squarings a bit of n, one multiplication at the end"),
            (
                "in decimal",
                f"[bold]{digits[:20].decode()} … {digits[-20:].decode()}[/bold], {len(digits):,} digits",
            ),
        ],
        check="",
        right=len(digits) == DIGITS,
        unit="the number and its decimal digits",
        peer="",
    )
    try:
        import gmpy2
    except ImportError:
        result.right &= hashlib.sha256(digits).hexdigest() == SHA256
        result.check = "the digits have the SHA-256 that Python's own integers gave"
        result.timings = in_turn([lambda: fib_digits(N)], ROUNDS)
        result.peer = "gmpy2 is not installed"
        return result
    result.right &= digits == gmpy2.fib(N).digits().encode()
    result.check = "every digit equals gmpy2's"
    result.timings = in_turn([lambda: fib_digits(N), lambda: gmpy2.fib(N).digits()], ROUNDS)
    result.peer = f"gmpy2 {gmpy2.version()} ({gmpy2.mp_version()})"
    return result
