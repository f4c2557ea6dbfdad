"""Checks of F(n) by properties known without F(n), for numbers that no peer computes in reasonable time.

The expected residues come from doubling formulas in Python's own integers, modulo random primes. A wrong
number differs from F(n) by some D of b bits. Fewer than b/60 of the 2.7 * 10^16 61-bit primes divide D. So a
wrong value for F(10^9), which has 694 million bits, passes modulo one random prime with probability below
10^-9, and modulo three below 10^-27.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

from carrychain.bindings import residue
from carrychain.bindings.bigint import BigInt

BITS = 61
PRIMES = 3
# digits that are checked at either end
END = 20

# As witnesses for numbers below 3.3 * 10^24: Sorenson and Webster, Strong pseudoprimes to twelve prime bases.
WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def is_prime(x: int) -> bool:
    """The Miller-Rabin test, exact for odd x above the witnesses and below 3.3 * 10^24."""
    twos = (x - 1 & 1 - x).bit_length() - 1
    for witness in WITNESSES:
        power = pow(witness, x - 1 >> twos, x)
        if power != 1 and all(pow(power, 1 << i, x) != x - 1 for i in range(twos)):
            return False
    return True


def primes() -> list[int]:
    """Distinct random primes."""
    drawn: set[int] = set()
    while len(drawn) < PRIMES:
        x = 1 << BITS - 1 | secrets.randbits(BITS - 1) | 1
        if is_prime(x):
            drawn.add(x)
    return sorted(drawn)


def modulo(n: int, modulus: int) -> int:
    """F(n) mod modulus: F(2k) = F(k) (2 F(k + 1) - F(k)), F(2k + 1) = F(k)^2 + F(k + 1)^2."""
    a, b = 0, 1
    for bit in f"{n:b}":
        a, b = a * (2 * b - a) % modulus, (a * a + b * b) % modulus
        if bit == "1":
            a, b = b, (a + b) % modulus
    return a


def by_binet(n: int) -> tuple[int, bytes]:
    """The number of digits of F(n), and the first ones: F(n) is the integer nearest to phi^n / sqrt(5).

    For n < 2^64, a relative error of 10^-70 grows to less than 10^-50. Rounding to the nearest integer adds
    less than 10^-2END if the number has more than END digits.
    """
    context = Context(prec=70, Emax=MAX_EMAX, Emin=MIN_EMIN)
    root = context.sqrt(Decimal(5))
    phi = context.divide(context.add(1, root), Decimal(2))
    value = context.divide(context.power(phi, n), root)
    count = value.adjusted() + 1
    if count <= END:
        digits = str(value.to_integral_value(context=context))
        return len(digits), digits.encode()
    return count, str(int(context.scaleb(value, END - count))).encode()


@dataclass
class DigitScan:
    """The result of one pass over the text."""

    count: int
    first: bytes
    last: bytes
    residues: list[int]


def read(pieces: Iterable[bytes], moduli: Sequence[int]) -> DigitScan:
    """ValueError if the pieces are anything other than digits and a final newline."""
    text = DigitScan(0, b"", b"", [0] * len(moduli))
    for piece in _before_newline(pieces):
        text.count += len(piece)
        text.first += bytes(piece[: END - len(text.first)])
        text.last = (text.last + bytes(piece[-END:]))[-END:]
        text.residues = [
            residue.of_digits(piece, modulus, before)
            for modulus, before in zip(moduli, text.residues, strict=True)
        ]
    return text


def _before_newline(pieces: Iterable[bytes]) -> Iterator[memoryview]:
    end = memoryview(b"")
    for piece in map(memoryview, pieces):
        yield end
        yield piece[:-1]
        end = piece[-1:]
    if end != b"\n":
        raise ValueError("no newline at the end")


def wrong(n: int, f: BigInt, pieces: Iterable[bytes], moduli: Sequence[int]) -> list[str]:
    """The checks that fail for ``f``, said to be F(n), and for ``pieces``, said to be its decimal digits."""
    residues = [modulo(n, modulus) for modulus in moduli]
    found = [
        f"modulo {modulus} before the conversion"
        for modulus, expected in zip(moduli, residues, strict=True)
        if residue.of_words(f, modulus) != expected
    ]
    try:
        text = read(pieces, moduli)
    except ValueError:
        return [*found, "as text, which is not all digits and a newline"]
    found += [
        f"modulo {modulus} after the conversion"
        for modulus, expected, of_text in zip(moduli, residues, text.residues, strict=True)
        if of_text != expected
    ]
    count, first = by_binet(n)
    if text.count != count:
        found.append(f"in its length, {text.count} digits instead of {count}")
    if text.first != first:
        found.append(f"in its first digits, {text.first.decode()} instead of {first.decode()}")
    last = f"{modulo(n, 10**END):0{min(count, END)}}".encode()
    if text.last != last:
        found.append(f"in its last digits, {text.last.decode()} instead of {last.decode()}")
    return found


def told(n: int, moduli: Sequence[int]) -> str:
    """One line that says what was checked."""
    count, first = by_binet(n)
    return (
        f"F({n}) checked: modulo {', '.join(map(str, moduli))} before and after the conversion; "
        f"{count} digit{'s' * (count != 1)}; the first {len(first)} and the last {min(count, END)}"
    )
