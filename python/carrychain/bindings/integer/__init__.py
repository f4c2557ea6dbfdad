"""carrychain.Integer: the type is written in C; this module has the parts that are not worth C."""

import re
from decimal import MAX_EMAX as EXPONENT_MAX
from decimal import Context
from numbers import Integral
from operator import index

from ._integer import Integer

__all__ = ["Integer"]

Integral.register(Integer)

# Digits that repr shows at each end of a long number, and those that decide them.
_SHOWN, _GUARDED = 20, 60
_DECIMAL = Context(prec=_GUARDED, Emax=EXPONENT_MAX)


def _leading(x: Integer) -> tuple[str, int]:
    """The first digits of x > 0, and the number of all its digits: from its top bits, where these suffice."""
    low = max(x.bit_length() - 4 * _GUARDED, 0)
    top = _DECIMAL.multiply(int(x >> low), _DECIMAL.power(2, low))
    _, digits, exponent = top.as_tuple()
    first = "".join(map(str, digits))
    # what was cut off, and each rounding, change the last few of these digits alone, unless they carry
    if set(first[_SHOWN:-5]) in ({"0"}, {"9"}):
        first = str(x)
        return first[:_SHOWN], len(first)
    return first[:_SHOWN], len(first) + exponent


def abridged(x: Integer) -> str:
    """The repr of a long number: its first and last digits, without those between."""
    first, count = _leading(abs(x))
    last = int(abs(x) % 10**_SHOWN)
    return f"<Integer {'-' if x < 0 else ''}{first}...{last:0{_SHOWN}}, {count} digits>"


_SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ])?(?P<zero>0)?(?P<width>\d+)?(?P<group>[,_])?d?",
    re.DOTALL,
)


def formatted(x: Integer, spec: str) -> str:
    """format() of a number too long for int's decimal digits. int formats whatever needs no digits."""
    parts = _SPEC.fullmatch(spec)
    if not parts:
        return format(int(x), spec)
    digits = str(abs(x))
    sign = "-" if x < 0 else (parts["sign"] or "").replace("-", "")
    width, zero = int(parts["width"] or 0), bool(parts["zero"])
    align = parts["align"] or ("=" if zero else ">")
    fill = parts["fill"] or ("0" if zero else " ")
    group = parts["group"] or ""
    if group:
        if fill == "0" and align == "=":
            # zeros are grouped with the digits: as many as give the width, or one more than it
            room = width - len(sign)
            digits = digits.zfill(room - (room - 1) // 4)
        head = len(digits) % 3
        groups = [digits[i : i + 3] for i in range(head, len(digits), 3)]
        digits = group.join([digits[:head], *groups] if head else groups)
    padding = max(width - len(sign) - len(digits), 0)
    if align == "=":
        return sign + fill * padding + digits
    left = {"<": 0, ">": padding, "^": padding // 2}[align]
    return fill * left + sign + digits + fill * (padding - left)


def rounded(x: Integer, ndigits) -> Integer:
    """round(x, ndigits), ties to even."""
    places = -index(ndigits)
    if places <= 0:
        return x
    # of 10**places, 3 bits a digit, x is less than a tenth
    if 3 * places > x.bit_length() + 4:
        return Integer(0)
    unit = Integer(10) ** places
    quotient, rest = divmod(x, unit)
    up = 2 * rest > unit or (2 * rest == unit and quotient & 1)
    return x - rest + unit if up else x - rest


def in_sympy(x: Integer):
    """A SymPy Integer. Without this, sympify would go through a float."""
    import sympy

    return sympy.Integer(int(x))


def printed_by_sympy(x: Integer, printer):
    return printer._print(in_sympy(x))


def precedence_in_sympy(x: Integer) -> int:
    """The precedence by which SymPy decides about parentheses."""
    from sympy.printing.precedence import precedence

    return precedence(in_sympy(x))
