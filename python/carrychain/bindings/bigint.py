"""cc_bigint with one method per operation. The tests compare it with Python's own integers."""

from ._carrychain import ffi, lib
from .status import check
from .watch import Watch


class BigInt:
    """``c`` is the cc_bigint. It is freed with the last reference to it."""

    __slots__ = ("c",)

    def __init__(self, value: int = 0) -> None:
        self.c = ffi.gc(ffi.new("cc_bigint *"), lib.cc_bigint_clear)
        if value:
            data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
            check(lib.cc_bigint_from_bytes(self.c, data, len(data), lib.CC_SIGNED), "from_bytes")

    @classmethod
    def from_string(cls, text: str, radix: int) -> "BigInt":
        result = cls()
        check(lib.cc_bigint_from_string(result.c, text.encode(), radix), "from_string")
        return result

    @classmethod
    def from_bytes(cls, data: bytes, *, big_endian: bool, signed: bool) -> "BigInt":
        result = cls()
        check(lib.cc_bigint_from_bytes(result.c, data, len(data), _flags(big_endian, signed)), "from_bytes")
        return result

    def to_bytes(self, length: int, *, big_endian: bool, signed: bool) -> bytes:
        data = bytearray(length)
        flags = _flags(big_endian, signed)
        check(lib.cc_bigint_to_bytes(ffi.from_buffer(data), length, self.c, flags), "to_bytes")
        return bytes(data)

    def digits(self, radix: int, watch: Watch | None = None):
        """ASCII digits, as a buffer over the memory that C wrote them to."""
        text, length = ffi.new("char **"), ffi.new("size_t *")
        progress = watch.progress if watch else ffi.NULL
        status = lib.cc_bigint_format(text, length, self.c, radix, progress)
        (watch.check if watch else check)(status, "digits")
        return ffi.buffer(ffi.gc(text[0], lib.cc_string_free, length[0]), length[0])

    def to_string(self, radix: int) -> str:
        return bytes(self.digits(radix)).decode()

    def to(self, type):
        """The value as an int, or as another type that has int's ``from_bytes``."""
        data = bytearray(self.bit_length() // 8 + 1)
        check(lib.cc_bigint_to_bytes(ffi.from_buffer(data), len(data), self.c, lib.CC_SIGNED), type.__name__)
        return type.from_bytes(data, "little", signed=True)

    def __int__(self) -> int:
        return self.to(int)

    def bit_length(self) -> int:
        return lib.cc_bigint_bit_length(self.c)

    def sign(self) -> int:
        return lib.cc_bigint_sign(self.c)

    def cmp(self, other: "BigInt") -> int:
        return lib.cc_bigint_cmp(self.c, other.c)

    def cmp_abs(self, other: "BigInt") -> int:
        return lib.cc_bigint_cmp_abs(self.c, other.c)

    def __neg__(self) -> "BigInt":
        return _apply(lib.cc_bigint_neg, self.c)

    def __abs__(self) -> "BigInt":
        return _apply(lib.cc_bigint_abs, self.c)

    def __invert__(self) -> "BigInt":
        return _apply(lib.cc_bigint_not, self.c)

    def sqr(self) -> "BigInt":
        return _apply(lib.cc_bigint_sqr, self.c)

    def __add__(self, other: "BigInt") -> "BigInt":
        return _apply(lib.cc_bigint_add, self.c, other.c)

    def __sub__(self, other: "BigInt") -> "BigInt":
        return _apply(lib.cc_bigint_sub, self.c, other.c)

    def __mul__(self, other: "BigInt") -> "BigInt":
        return _apply(lib.cc_bigint_mul, self.c, other.c)

    def __and__(self, other: "BigInt") -> "BigInt":
        return _apply(lib.cc_bigint_and, self.c, other.c)

    def __or__(self, other: "BigInt") -> "BigInt":
        return _apply(lib.cc_bigint_or, self.c, other.c)

    def __xor__(self, other: "BigInt") -> "BigInt":
        return _apply(lib.cc_bigint_xor, self.c, other.c)

    def __pow__(self, exponent: int) -> "BigInt":
        return _apply(lib.cc_bigint_pow, self.c, exponent)

    def __lshift__(self, bits: int) -> "BigInt":
        return _apply(lib.cc_bigint_shl, self.c, bits)

    def __rshift__(self, bits: int) -> "BigInt":
        return _apply(lib.cc_bigint_shr, self.c, bits)

    def divmod_floor(self, other: "BigInt") -> tuple["BigInt", "BigInt"]:
        return _divide(lib.cc_bigint_divmod_floor, self, other)

    def divmod_trunc(self, other: "BigInt") -> tuple["BigInt", "BigInt"]:
        return _divide(lib.cc_bigint_divmod_trunc, self, other)


# Decimal digits that Python itself converts, which it refuses beyond 640 at the least.
SHORT = 600


def from_decimal(digits: str) -> int:
    """The integer with these decimal digits, after an optional sign. Any length is allowed."""
    return int(digits) if len(digits) <= SHORT else int(BigInt.from_string(digits.removeprefix("+"), 10))


def to_decimal(value: int) -> str:
    """The decimal digits of an integer of any length."""
    return str(value) if value.bit_length() <= 3 * SHORT else BigInt(value).to_string(10)


def _flags(big_endian: bool, signed: bool) -> int:
    return lib.CC_BIG_ENDIAN * big_endian | lib.CC_SIGNED * signed


def _apply(function, *arguments) -> BigInt:
    result = BigInt()
    check(function(result.c, *arguments), function.__name__)
    return result


def _divide(function, dividend: BigInt, divisor: BigInt) -> tuple[BigInt, BigInt]:
    if not divisor.sign():
        raise ZeroDivisionError("division by zero")
    quotient, remainder = BigInt(), BigInt()
    check(function(quotient.c, remainder.c, dividend.c, divisor.c), function.__name__)
    return quotient, remainder
