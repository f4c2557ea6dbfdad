"""Functions of any number: the operators as functions, questions, parts and digits."""

import cmath
import math
from fractions import Fraction
from operator import index

from ._gmpy2 import mpq, mpz
from .taken import whole
from .xmpz import xmpz

_EXACT = (int, mpz, mpq, xmpz, Fraction)
_FAR = 1200


def _number(x, name: str, *, also: tuple[type, ...] = (float,)):
    """An mpz or mpq of an exact number, or what is one of the other types itself."""
    if isinstance(x, (mpz, mpq, *also)):
        return x
    if isinstance(x, int | xmpz):
        return mpz(x)
    if isinstance(x, Fraction) or hasattr(x, "__mpq__"):
        return mpq(x)
    if hasattr(x, "__mpz__"):
        return mpz(x)
    raise TypeError(f"{name}() argument type not supported")


def _long(n) -> int:
    """An integer of 64 bits."""
    n = int(whole(n, "could not convert object to integer"))
    if not -(1 << 63) <= n < 1 << 63:
        raise OverflowError("Python int too large to convert to C long")
    return n


def _two(x, y, name: str):
    return (_number(each, name, also=(float, complex)) for each in (x, y))


def add(x, y, /):
    """x + y"""
    x, y = _two(x, y, "add")
    return x + y


def sub(x, y, /):
    """x - y"""
    x, y = _two(x, y, "sub")
    return x - y


def mul(x, y, /):
    """x * y"""
    x, y = _two(x, y, "mul")
    return x * y


def div(x, y, /):
    """x / y: a float, or an mpq if one of them is."""
    x, y = _two(x, y, "div")
    return x / y


def floor_div(x, y, /):
    """x // y"""
    x, y = _two(x, y, "floor_div")
    return x // y


def mod(x, y, /):
    """x % y"""
    x, y = _two(x, y, "mod")
    return x % y


def square(x, /):
    """x * x"""
    x = _number(x, "square", also=(float, complex))
    return x * x


def mul_2exp(x, n, /) -> float | complex:
    """x * 2**n as a float, or a complex if x is."""
    return _scaled("mul_2exp", x, n, 1)


def div_2exp(x, n, /) -> float | complex:
    """x / 2**n as a float, or a complex if x is."""
    return _scaled("div_2exp", x, n, -1)


def _scaled(name: str, x, n, sign: int) -> float | complex:
    x = _number(x, name, also=(float, complex))
    n = sign * _long(n)
    if isinstance(x, complex):
        return complex(math.ldexp(x.real, n), math.ldexp(x.imag, n))
    if isinstance(x, float):
        return math.ldexp(x, n)
    x = mpq(x)
    # far from 2**-1074 and 2**1024, a float tells what becomes of it
    shift = x.denominator.bit_length() - x.numerator.bit_length()
    if abs(n - shift) > _FAR:
        return math.ldexp(math.copysign(1, x) if x else 0, n - shift)
    return float(x * mpq(2) ** n)


def qdiv(x, y=1, /) -> mpz | mpq:
    """x / y, y being 1 if it is absent: an mpz if that is whole, else an mpq."""
    if not isinstance(x, _EXACT) or not isinstance(y, _EXACT):
        raise TypeError("qdiv() requires 1 or 2 integer or rational arguments")
    x, y = _number(x, "qdiv"), _number(y, "qdiv")
    if not y:
        raise ZeroDivisionError("qdiv() division by zero")
    result = mpq(x) / y
    return result.numerator if result.is_integer() else result


def cmp(x, y, /) -> int:
    """-1, 0 or 1 for x below, equal to or above y."""
    if not all(isinstance(each, (*_EXACT, float)) or hasattr(each, "__mpz__") for each in (x, y)):
        raise TypeError("cmp() requires integer, rational, or real arguments")
    x, y = (_number(each, "cmp") for each in (x, y))
    return (x > y) - (x < y)


def cmp_abs(x, y, /) -> int:
    """-1, 0 or 1 for abs(x) below, equal to or above abs(y)."""
    if not all(isinstance(each, (*_EXACT, float, complex)) or hasattr(each, "__mpz__") for each in (x, y)):
        raise TypeError("cmp_abs() requires integer, rational, real, or complex arguments")
    x, y = (abs(_number(each, "cmp_abs", also=(float, complex))) for each in (x, y))
    return (x > y) - (x < y)


def sign(x, /) -> int:
    """-1, 0 or 1 for x below, equal to or above 0."""
    x = _number(x, "sign")
    return (x > 0) - (x < 0)


def is_integer(x, /) -> bool:
    """Whether x is a whole number."""
    x = _number(x, "is_integer")
    return x.is_integer()


def is_zero(x, /) -> bool:
    """Whether x is 0."""
    return not _number(x, "is_zero", also=(float, complex))


def is_finite(x, /) -> bool:
    """Whether x is neither infinite nor a NaN."""
    x = _number(x, "is_finite", also=(float, complex))
    return cmath.isfinite(x) if isinstance(x, float | complex) else True


def is_infinite(x, /) -> bool:
    """Whether x is infinite."""
    x = _number(x, "is_infinite", also=(float, complex))
    return cmath.isinf(x) if isinstance(x, float | complex) else False


def is_nan(x, /) -> bool:
    """Whether x is a NaN."""
    x = _number(x, "is_nan", also=(float, complex))
    return cmath.isnan(x) if isinstance(x, float | complex) else False


def is_regular(x, /) -> bool:
    """Whether x is neither 0, infinite nor a NaN."""
    return is_finite(_number(x, "is_regular")) and bool(x)


def is_signed(x, /) -> bool:
    """Whether x has a minus sign."""
    x = _number(x, "is_signed")
    return math.copysign(1, x) < 0 if isinstance(x, float) else x < 0


def numer(x, /) -> mpz:
    """The numerator of a rational number."""
    return _rational(x).numerator


def denom(x, /) -> mpz:
    """The denominator of a rational number."""
    return _rational(x).denominator


def _rational(x) -> mpq:
    if isinstance(x, _EXACT) or hasattr(x, "__mpz__") or hasattr(x, "__mpq__"):
        return mpq(x)
    raise TypeError("cannot convert object to mpq")


def digits(x, base=10, /) -> str:
    """The digits of an integer or a fraction in a base, 10 if it is absent."""
    if not isinstance(x, _EXACT) and not hasattr(x, "__mpz__"):
        raise TypeError("digits() argument type not supported")
    return _number(x, "digits").digits(base)


def num_digits(x, base=10, /) -> int:
    """The number of digits of abs(x) in a base from 2 to 62, 10 if it is absent."""
    x, base = abs(whole(x)), _long(index(base))
    if not 2 <= base <= 62:
        raise ValueError("base must be in the interval [2, 62]")
    if not base & (base - 1):
        return max(-(-x.bit_length() // (base.bit_length() - 1)), 1)
    # an estimate from below, by at most a few
    count = max(int((x.bit_length() - 1) / math.log2(base)) - 1, 0)
    power = mpz(base) ** count
    while power <= x:
        power *= base
        count += 1
    return max(count, 1)
