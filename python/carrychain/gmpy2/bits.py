"""Bits of integers beside those in C: masks, distances, and lists of parts of so many bits."""

from ._gmpy2 import mpz, popcount
from .taken import counted, whole


def bit_mask(n, /) -> mpz:
    """2**n - 1: n bits, all set."""
    return (mpz(1) << counted(n)) - 1


def hamdist(x, y, /) -> int:
    """The number of bits in which x and y differ; 2**64 - 1 if one of them alone is negative."""
    text = "hamdist() requires 'mpz','mpz' arguments"
    x, y = whole(x, text), whole(y, text)
    return popcount(x ^ y) % 2**64


def pack(lst, n, /) -> mpz:
    """The number that a list of parts is, of n bits each, the lowest first."""
    n = counted(n)
    if not isinstance(lst, list):
        raise TypeError("pack() requires 'list','int' arguments")
    wrong = "pack() requires list elements be positive integers < 2^n bits"
    numbers = [whole(part, wrong) for part in lst]
    if any(part < 0 or part.bit_length() > n for part in numbers):
        raise TypeError(wrong)
    return _joined(numbers, n)


def _joined(parts: list[mpz], n: int) -> mpz:
    if len(parts) < 2:
        return parts[0] if parts else mpz(0)
    half = len(parts) // 2
    return _joined(parts[half:], n) << n * half | _joined(parts[:half], n)


def unpack(x, n, /) -> list[mpz]:
    """The parts of x >= 0, of n > 0 bits each, the lowest first: of 0, one part."""
    n = counted(n)
    x = whole(x, "could not convert object to integer")
    if x < 0:
        raise ValueError("unpack() requires x >= 0")
    if not n:
        raise ValueError("unpack() requires n > 0")
    return _parts(x, n, max(-(-x.bit_length() // n), 1))


def _parts(x: mpz, n: int, count: int) -> list[mpz]:
    if count == 1:
        return [x]
    half = count // 2
    high = x >> n * half
    return _parts(x - (high << n * half), n, half) + _parts(high, n, count - half)
