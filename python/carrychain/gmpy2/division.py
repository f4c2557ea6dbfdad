"""Divisions by powers of two, modular quotients, and powers modulo a number for lists."""

from ..bindings.fixed import powmod as powmod_in_constant_time
from ._gmpy2 import gcd, invert, mpz, powmod
from .taken import counted, whole


def _taken(x, n) -> tuple[mpz, int]:
    n = counted(n)
    return whole(x), n


def _down(x: mpz, n: int) -> tuple[mpz, mpz]:
    q = x >> n
    return q, x - (q << n)


def _up(x: mpz, n: int) -> tuple[mpz, mpz]:
    q = -(-x >> n)
    return q, x - (q << n)


def _to_zero(x: mpz, n: int) -> tuple[mpz, mpz]:
    return _up(x, n) if x < 0 else _down(x, n)


def f_divmod_2exp(x, n, /) -> tuple[mpz, mpz]:
    """x / 2**n, rounded down, and the remainder."""
    return _down(*_taken(x, n))


def f_div_2exp(x, n, /) -> mpz:
    """x / 2**n, rounded down."""
    return _down(*_taken(x, n))[0]


def f_mod_2exp(x, n, /) -> mpz:
    """The remainder of x / 2**n, rounded down."""
    return _down(*_taken(x, n))[1]


def c_divmod_2exp(x, n, /) -> tuple[mpz, mpz]:
    """x / 2**n, rounded up, and the remainder."""
    return _up(*_taken(x, n))


def c_div_2exp(x, n, /) -> mpz:
    """x / 2**n, rounded up."""
    return _up(*_taken(x, n))[0]


def c_mod_2exp(x, n, /) -> mpz:
    """The remainder of x / 2**n, rounded up."""
    return _up(*_taken(x, n))[1]


def t_divmod_2exp(x, n, /) -> tuple[mpz, mpz]:
    """x / 2**n, rounded towards 0, and the remainder."""
    return _to_zero(*_taken(x, n))


def t_div_2exp(x, n, /) -> mpz:
    """x / 2**n, rounded towards 0."""
    return _to_zero(*_taken(x, n))[0]


def t_mod_2exp(x, n, /) -> mpz:
    """The remainder of x / 2**n, rounded towards 0."""
    return _to_zero(*_taken(x, n))[1]


def divm(a, b, m, /) -> mpz:
    """x with b x = a modulo m; ZeroDivisionError if there is none."""
    a, b, m = (whole(x, "divm() requires 'mpz','mpz','mpz' arguments") for x in (a, b, m))
    common = gcd(a, b, m)
    if common > 1:
        a, b, m = a // common, b // common, m // common
    if not m or gcd(b, m) != 1:
        raise ZeroDivisionError("not invertible")
    return a * invert(b, m) % abs(m)


def is_congruent(x, y, m, /) -> bool:
    """Whether x is y modulo m; modulo 0, whether they are equal."""
    x, y, m = (whole(each, "is_congruent() requires 3 integer arguments") for each in (x, y, m))
    return not (x - y) % m if m else x == y


def is_divisible(x, d, /) -> bool:
    """Whether x is a multiple of d; of 0, whether it is 0."""
    x, d = whole(x), whole(d)
    return not x % d if d else not x


def powmod_base_list(base_lst, exp, mod, /) -> list[mpz]:
    """``[powmod(i, exp, mod) for i in base_lst]``"""
    if not hasattr(base_lst, "__getitem__"):
        raise TypeError("the first argument to powmod_base_list must be a sequence")
    return [powmod(i, exp, mod) for i in base_lst]


def powmod_exp_list(base, exp_lst, mod, /) -> list[mpz]:
    """``[powmod(base, i, mod) for i in exp_lst]``"""
    if not hasattr(exp_lst, "__getitem__"):
        raise TypeError("the second argument to powmod_exp_list must be a sequence")
    return [powmod(base, i, mod) for i in exp_lst]


def powmod_sec(x, y, m, /) -> mpz:
    """x**y modulo an odd m, for y > 0, in constant time; at most 16384 bits."""
    m = whole(m, "powmod_sec() modulus must be an integer.")
    y = whole(y, "powmod_sec() exponent must be an integer.")
    x = whole(x, "powmod_sec() base must be an integer.")
    if y <= 0:
        raise ValueError("powmod_sec() exponent must be > 0.")
    if m.is_even():
        raise ValueError("powmod_sec() modulus must be odd.")
    return mpz(powmod_in_constant_time(int(x), int(y), abs(int(m))))
