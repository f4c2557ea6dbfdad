"""The parts of mpz and mpq that are not worth C: unusual bases, formats, slices and roundings."""

import re
from decimal import Decimal
from fractions import Fraction
from operator import index

from ._gmpy2 import mpq, mpz

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
# So many digits of the bases from 37 to 62 are converted one by one; more are halved.
_FEW = 50


def mpz_from(x) -> mpz:
    """mpz(x) of neither text, int nor float."""
    if isinstance(x, mpq):
        return x.__trunc__()
    if hasattr(x, "__mpz__"):
        made = x.__mpz__()
        if not isinstance(made, mpz):
            raise TypeError(f"object of type '{type(made).__name__}' can not be interpreted as mpz")
        return made
    if not isinstance(x, Decimal) or x.is_finite():
        try:
            return mpz(int(x))
        except TypeError:
            pass
    raise TypeError("mpz() requires numeric or string argument")


def in_high_base(text: str, base: int) -> mpz:
    """Digits of a base from 37 to 62, after a sign or none."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits or not set(digits) <= set(_DIGITS[:base]):
        raise ValueError("invalid digits")
    value = _of_digits(digits, base)
    return -value if text[0] == "-" else value


def _of_digits(digits: str, base: int) -> mpz:
    low = len(digits) // 2
    if len(digits) > _FEW:
        return _of_digits(digits[:-low], base) * mpz(base) ** low + _of_digits(digits[-low:], base)
    value = 0
    for digit in digits:
        value = value * base + _VALUES[digit]
    return mpz(value)


def digits_in(x: mpz, base: int) -> str:
    """The digits in a base above 36 or below 0, where letters are in upper case."""
    if not (37 <= base <= 62 or -36 <= base <= -2):
        raise ValueError("base must be in the interval 2 ... 62")
    if base < 0:
        return x.digits(-base).upper()
    size = abs(x)
    return "-" * (x < 0) + (_to_digits(size, base) or "0")


def _to_digits(x: mpz, base: int) -> str:
    if x.bit_length() < 5 * _FEW:
        found, rest = "", int(x)
        while rest:
            rest, digit = divmod(rest, base)
            found = _DIGITS[digit] + found
        return found
    low = x.bit_length() // (2 * base.bit_length())
    high, rest = divmod(x, mpz(base) ** low)
    return _to_digits(high, base) + _to_digits(rest, base).rjust(low, "0")


_SPEC = re.compile(
    r"(?P<align>[<>^])?(?P<sign>[ +-])?(?P<kind>#)?(?P<zero>0)?(?P<width>\d+)?(?P<base>[dboxX])?"
)
_REAL_SPEC = re.compile(
    r"(?P<align>[<>^])?(?P<how>[ +-]?#?)(?P<zero>0)?(?P<width>\d+)?(?P<places>\.\d+)?(?P<kind>[efgEFG%])"
)
_BASES = {"b": (2, "0b"), "o": (8, "0o"), "x": (16, "0x"), "X": (16, "0X")}


def formatted(x: mpz, spec: str) -> str:
    """format(x, spec), where a width after 0 is filled with zeros, even before the sign."""
    if not isinstance(spec, str):
        raise TypeError("__format__() argument must be str")
    parts = _SPEC.fullmatch(spec)
    if not parts:
        parts = _REAL_SPEC.fullmatch(spec)
        if not parts:
            raise ValueError("Invalid conversion specification")
        return _filled(_formatted_as_real(x, parts), parts)
    base, prefix = _BASES.get(parts["base"], (10, ""))
    digits = abs(x).digits(base)
    if parts["base"] == "X":
        digits = digits.upper()
    sign = "-" if x < 0 else (parts["sign"] or "").replace("-", "")
    return _filled(sign + (prefix if parts["kind"] else "") + digits, parts)


def _filled(text: str, parts) -> str:
    fill = "0" if parts["zero"] else " "
    return format(text, f"{fill}{parts['align'] or '>'}{parts['width'] or '0'}")


_FLOAT_BITS = 53


def _formatted_as_real(x: mpz, parts) -> str:
    """As a number of 53 bits and any exponent, which has a point or an exponent."""
    spec = parts["how"] + (parts["places"] or ".6") + parts["kind"]
    if x.bit_length() <= 1000:
        text = format(float(x), spec)
    else:
        unit = 1 << (x.bit_length() - _FLOAT_BITS)
        text = format(Decimal(round(Fraction(int(x), unit)) * unit), spec.replace("#", ""))
        if "#" in spec and "." not in text:
            text = re.sub(r"(?<=\d)(?=[eE]|$)", ".", text)
        elif "#" not in spec and parts["kind"] in "gG":
            text = re.sub(r"\.?0+(?=[eE])", "", text)
    return text if set(text) & set(".eE%") else text + ".0"


def rounded(x: mpz, places) -> mpz:
    """round(x, places), ties to even."""
    try:
        places = -index(places)
    except TypeError:
        raise TypeError("__round__() requires 'int' argument") from None
    if places <= 0:
        return x
    # of 10**places, 3 bits a digit, x is less than a tenth
    if 3 * places > x.bit_length() + 4:
        return mpz(0)
    unit = mpz(10) ** places
    quotient, rest = divmod(x, unit)
    up = 2 * rest > unit or (2 * rest == unit and quotient.is_odd())
    return x - rest + unit if up else x - rest


def array_of(x: mpz, dtype):
    import numpy

    return numpy.array(int(x), dtype)


def bits_at(x: mpz, key) -> int | mpz:
    """x[key]: a bit, or the bits of a slice as a number; those above are those of the sign."""
    if isinstance(key, slice):
        bits = [x.bit_test(i) for i in range(*key.indices(len(x)))]
        return mpz(int("".join("01"[bit] for bit in reversed(bits)) or "0", 2))
    try:
        place = index(key)
    except TypeError:
        raise TypeError("bit positions must be integers") from None
    place += len(x) if place < 0 else 0
    if place < 0 or place >> 63:
        raise IndexError("bit position out of range")
    return int(x.bit_test(place))


def fraction_of(x: mpq) -> Fraction:
    return Fraction(int(x.numerator), int(x.denominator))


_DECIMAL = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>\d*)(\.(?P<part>\d*))?(e(?P<exponent>[+-]?\d+))?", re.IGNORECASE
)


def mpq_from_text(text, base) -> mpq:
    """mpq(text, base): two integers, one, or in base 10 a number with a point or an exponent."""
    base = 10 if base is None else index(base)
    if base and not 2 <= base <= 62:
        raise ValueError("base for mpq() must be 0 or in the interval [2, 62]")
    if not isinstance(text, str):
        text = bytes(text).decode("latin-1")
    if not text.isascii():
        raise ValueError("string contains non-ASCII characters")
    text = re.sub(r"[\s_]", "", text)
    if "/" in text:
        if "." in text:
            raise ValueError("illegal string: both . and / found")
        numerator, _, denominator = text.partition("/")
        return mpq(mpz(numerator, base), mpz(denominator, base))
    parts = _DECIMAL.fullmatch(text)
    if base == 10 and parts and (parts["part"] or parts["whole"]):
        fraction = parts["part"] or ""
        value = mpq(mpz(parts["sign"] + parts["whole"] + fraction, 10))
        return value * mpq(10) ** (int(parts["exponent"] or 0) - len(fraction))
    return mpq(mpz(text, base))


def mpq_from(x) -> mpq:
    """mpq(x) of neither text nor a rational number."""
    if isinstance(x, float) or type(x).__name__ in ("float16", "float32", "longdouble"):
        if x != x:
            raise ValueError("'mpq' does not support NaN")
        if x in (float("inf"), float("-inf")):
            raise OverflowError("'mpq' does not support Infinity")
        return from_ratio(x)
    if isinstance(x, Decimal):
        if not x.is_finite():
            raise TypeError("cannot convert object to mpq")
        return from_ratio(x)
    raise TypeError("mpq() requires numeric or string argument")


def from_ratio(x) -> mpq:
    """The exact value of a number that has as_integer_ratio()."""
    return mpq(*x.as_integer_ratio())


def rounded_fraction(x: mpq, places) -> mpz | mpq:
    """round(x) as an mpz, round(x, places) as an mpq; ties to even."""
    if places is None:
        quotient, rest = divmod(x, 1)
        up = rest > mpq(1, 2) or (rest == mpq(1, 2) and quotient.is_odd())
        return quotient + up
    try:
        unit = mpq(10) ** index(places)
    except TypeError:
        raise TypeError("__round__() requires 'int' argument") from None
    return rounded_fraction(x * unit, None) / unit


def fraction_digits(x: mpq, base) -> str:
    base = 10 if base is None else index(base)
    if not 2 <= base <= 62:
        raise ValueError("base must be in the interval 2 ... 62")
    prefix = {2: "0b", 8: "0o", 16: "0x"}.get(base, "")
    parts = [x.numerator, x.denominator][: 1 if x.is_integer() else 2]
    return "/".join("-" * (part < 0) + prefix + abs(part).digits(base) for part in parts)


def limit_denominator(x: mpq, most) -> mpq:
    return mpq(fraction_of(x).limit_denominator(1_000_000 if most is None else index(most)))
