"""π and e to any number of digits by binary splitting, with a type of integers for the arithmetic.

The same program for each type, so that a ratio of times tells of the types. A sum over terms a to b - 1 is
kept as the numerators and denominators of a fraction (Haible and Papanikolaou 1998).
"""

from collections.abc import Callable
from math import lgamma, log

# So many terms are summed as ints.
FEW = 16
# Chudnovsky and Chudnovsky 1988: a term has 14 digits
A, B, C = 13591409, 545140134, 640320**3 // 24


def pi(of: type, digits: int, isqrt: Callable):
    """π 10^digits, to within a few units."""
    _, q, t = _pi_terms(of, 1, digits // 14 + 2, is_last=True)
    # 640320^(3/2) / 12 = 426880 sqrt(10005)
    root = isqrt(of(10005) * of(10) ** (2 * digits))
    return 426880 * root * q // (A * q + t)


def _pi_terms(of: type, a: int, b: int, *, is_last: bool) -> tuple:
    if b - a <= FEW:
        p, q, t = 1, 1, 0
        for k in range(a, b):
            factor = C * k**3
            p *= -(6 * k - 5) * (2 * k - 1) * (6 * k - 1)
            q *= factor
            t = t * factor + p * (A + B * k)
        return of(p), of(q), of(t)
    middle = (a + b) // 2
    p1, q1, t1 = _pi_terms(of, a, middle, is_last=False)
    p2, q2, t2 = _pi_terms(of, middle, b, is_last=is_last)
    # nothing comes after the last terms, where the product of all numerators would go
    return None if is_last else p1 * p2, q1 * q2, t1 * q2 + p1 * t2


def e(of: type, digits: int):
    """The number e times 10^digits, rounded down to within a few units."""
    b = 2
    while lgamma(b) < (digits + 1) * log(10):
        b += 1 + b // 64
    p, q = _e_terms(of, 1, b)
    return of(10) ** digits * (p + q) // q


def _e_terms(of: type, a: int, b: int) -> tuple:
    """The sum of (a - 1)! / k! for a <= k < b, as a fraction p / q."""
    if b - a <= FEW:
        p, q = 0, 1
        for k in range(b - 1, a - 1, -1):
            p += q
            q *= k
        return of(p), of(q)
    middle = (a + b) // 2
    p1, q1 = _e_terms(of, a, middle)
    p2, q2 = _e_terms(of, middle, b)
    return p1 * q2 + p2, q1 * q2
