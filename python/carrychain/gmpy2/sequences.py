"""Sequences and products beside those in C: pairs, binomials of any n, multifactorials, Lucas sequences."""

from ._gmpy2 import fac, fib, lucas, mpz
from .taken import members, whole


def natural(n) -> int:
    """A number from 0 up, as an int."""
    n = int(whole(n, "could not convert object to integer"))
    if n < 0:
        raise OverflowError("can't convert negative value to unsigned int")
    return n


def fib2(n, /) -> tuple[mpz, mpz]:
    """The n-th and the (n - 1)-th Fibonacci numbers."""
    n = natural(n)
    return fib(n), fib(n - 1) if n else mpz(1)


def lucas2(n, /) -> tuple[mpz, mpz]:
    """The n-th and the (n - 1)-th Lucas numbers."""
    n = natural(n)
    return lucas(n), lucas(n - 1) if n else mpz(-1)


def _product(first: int, step: int, count: int) -> mpz:
    """first (first + step) ... of so many factors, by halves."""
    if count <= 8:
        result = mpz(1)
        for i in range(count):
            result *= first + step * i
        return result
    half = count // 2
    return _product(first, step, half) * _product(first + step * half, step, count - half)


def binomial(n: mpz, k: mpz) -> mpz:
    """n (n - 1) ... (n - k + 1) / k! for any n."""
    below = fac(k)
    return _product(int(n), -1, int(k)) // below


def multi_fac(n, m, /) -> mpz:
    """n (n - m) (n - 2 m) ..., while the factors are above 0."""
    n, m = natural(n), natural(m)
    if not n or not m:
        return mpz(n or 1)
    count = -(-n // m)
    return _product(n - m * (count - 1), m, count)


def double_fac(n, /) -> mpz:
    """n (n - 2) (n - 4) ..., while the factors are above 0."""
    n = natural(n)
    half = n // 2
    if n % 2:
        return fac(n) // (fac(half) << half)
    return fac(half) << half


def lucas_pair(p: mpz, q: mpz, k: mpz, m: mpz | None) -> tuple[mpz, mpz]:
    """U(k) and V(k) of the Lucas sequences of p and q, modulo an m > 0, or exactly if it is None.

    From u = U(k) and w = U(k + 1) follow U(2k) = u (2 w - p u), U(2k + 1) = w**2 - q u**2 and
    V(k) = 2 w - p u, which divide by nothing.
    """
    u, w = mpz(0), mpz(1)
    for bit in range(k.bit_length() - 1, -1, -1):
        even, odd = u * (2 * w - p * u), w * w - q * u * u
        u, w = (odd, p * odd - q * even) if k.bit_test(bit) else (even, odd)
        if m is not None:
            u, w = u % m, w % m
    v = 2 * w - p * u
    return (u, v) if m is None else (u % m, v % m)


def _checked(name: str, p: mpz, q: mpz, k: mpz) -> None:
    if p * p == 4 * q:
        raise ValueError(f"invalid values for p,q in {name}()")
    if k < 0:
        raise ValueError(f"invalid value for k in {name}()")


def lucasu(p, q, k, /) -> mpz:
    """U(k) of the Lucas sequence of p and q, for p**2 other than 4 q and k >= 0."""
    p, q, k = members("lucasu", p, q, k)
    _checked("lucasu", p, q, k)
    return lucas_pair(p, q, k, None)[0]


def lucasv(p, q, k, /) -> mpz:
    """V(k) of the Lucas sequence of p and q, for p**2 other than 4 q and k >= 0."""
    p, q, k = members("lucasv", p, q, k)
    _checked("lucasv", p, q, k)
    return lucas_pair(p, q, k, None)[1]


def lucasu_mod(p, q, k, n, /) -> mpz:
    """lucasu(p, q, k) modulo n > 0."""
    return _modulo("lucasu_mod", p, q, k, n)[0]


def lucasv_mod(p, q, k, n, /) -> mpz:
    """lucasv(p, q, k) modulo n > 0."""
    return _modulo("lucasv_mod", p, q, k, n)[1]


def _modulo(name: str, *arguments) -> tuple[mpz, mpz]:
    p, q, k, n = members(name, *arguments)
    _checked(name, p, q, k)
    if n <= 0:
        raise ValueError(f"invalid value for n in {name}()")
    return lucas_pair(p, q, k, n)
