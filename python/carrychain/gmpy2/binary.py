"""gmpy2's portable bytes of a number: a type, a sign, and the magnitude with its lowest byte first."""

from ._gmpy2 import mpq, mpz
from .xmpz import xmpz

_MPZ, _XMPZ, _MPQ = 1, 2, 3
# signs: 0 for zero, then above and below it
_SIGNS = {0: 0, 1: 1, -1: 2}


def _size(x: mpz) -> bytes:
    return abs(x).to_bytes(-(-x.bit_length() // 8), "little")


def _sign(x) -> int:
    return _SIGNS[(x > 0) - (x < 0)]


def to_binary(x, /) -> bytes:
    """The bytes of which from_binary() makes x again, the same as gmpy2's."""
    if isinstance(x, xmpz):
        return bytes([_XMPZ, _sign(x)]) + _size(mpz(x))
    if isinstance(x, mpz):
        return bytes([_MPZ, _sign(x)]) + _size(x)
    if not isinstance(x, mpq):
        raise TypeError("to_binary() argument type not supported")
    if not x:
        return bytes([_MPQ, 0])
    numerator = _size(x.numerator)
    width = 4 if len(numerator) < 1 << 32 else 8
    # the second bit of the sign's upper half says that the length has 8 bytes
    kind = _sign(x) | (4 if width == 8 else 0)
    return bytes([_MPQ, kind]) + len(numerator).to_bytes(width, "little") + numerator + _size(x.denominator)


def from_binary(data, /) -> mpz | mpq | xmpz:
    """The number that to_binary() has written; mpfr and mpc are not known."""
    if not isinstance(data, bytes):
        raise TypeError("from_binary() requires bytes argument")
    if len(data) < 2:
        raise ValueError("byte sequence too short for from_binary()")
    kind, sign, rest = data[0], -1 if data[1] & 2 else 1, data[2:]
    if kind in (_MPZ, _XMPZ):
        value = sign * mpz.from_bytes(rest, "little")
        return xmpz(value) if kind == _XMPZ else value
    if kind != _MPQ:
        raise TypeError("from_binary() argument type not supported")
    if not rest:
        return mpq(0)
    width = 8 if data[1] & 4 else 4
    length = int.from_bytes(rest[:width], "little")
    if len(rest) <= width + length:
        raise ValueError("byte sequence too short for from_binary()")
    numerator = mpz.from_bytes(rest[width : width + length], "little")
    return mpq(sign * numerator, mpz.from_bytes(rest[width + length :], "little"))


def mpz_from_old_binary(data, /) -> mpz:
    """The mpz of GMPY 1.x's bytes: the magnitude, and a last byte of 255 below 0."""
    if not isinstance(data, bytes):
        raise TypeError("mpz_from_old_binary() requires bytes argument")
    if data[-1:] == b"\xff":
        return -mpz.from_bytes(data[:-1], "little")
    return mpz.from_bytes(data, "little")


def mpq_from_old_binary(data, /) -> mpq:
    """The mpq of GMPY 1.x's bytes: the numerator's length with the sign, the numerator, the denominator."""
    if not isinstance(data, bytes):
        raise TypeError("mpq_from_old_binary() requires bytes argument")
    if len(data) < 6:
        raise ValueError("invalid mpq binary (too short)")
    length = int.from_bytes(data[:4], "little")
    negative, length = length >> 31, length & 0x7FFFFFFF
    if len(data) < length + 5:
        raise ValueError("invalid mpq binary (num len)")
    numerator = mpz.from_bytes(data[4 : 4 + length], "little")
    return mpq(-numerator if negative else numerator, mpz.from_bytes(data[4 + length :], "little"))
