"""Functions of integers, by CLHS 12."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from .data import Byte, Trap, Values, truth

BITS_MAX = 1 << 20  # of an integer; elements of an array


@dataclass(frozen=True)
class Huge:
    """x 2^n, which is too long to be written down, but whose low bits are known."""

    x: int
    n: int


def integer(x) -> int:
    if isinstance(x, Huge):
        raise MemoryError
    if type(x) is not int:
        raise Trap("not an integer")
    return x


def small(bits: int) -> None:
    if bits > BITS_MAX:
        raise MemoryError


def product(a: int, b: int) -> int:
    small(a.bit_length() + b.bit_length())
    return a * b


def folded(operation: Callable[[int, int], int], start: int):
    return lambda *args: reduce(operation, map(integer, args), start)


def shifted(x: int, count: int):
    """ash."""
    if integer(count) <= 0:
        return integer(x) >> min(-count, x.bit_length() + 1)
    if integer(x) and x.bit_length() + count > BITS_MAX:
        return Huge(x, count)
    return x << count if x else 0


def both(*args) -> int:
    """logand."""
    bits = reduce(lambda a, b: a & b, (integer(x) for x in args if not isinstance(x, Huge)), -1)
    if any(isinstance(x, Huge) for x in args):
        if not 0 <= bits <= ones(BITS_MAX // 2):
            raise MemoryError
        return 0
    return bits


def ones(n: int) -> int:
    small(n)
    return (1 << n) - 1


def byte(size, position) -> Byte:
    if type(size) is not int or type(position) is not int or size < 0 or position < 0:
        raise Trap("not a byte specifier")
    return Byte(size, position)


def field(spec: Byte, x: int) -> int:
    """ldb."""
    if isinstance(x, Huge):
        x = shifted(x.x, x.n - spec.position)
        if isinstance(x, Huge):
            small(spec.size)
            return 0
        return field(Byte(spec.size, 0), x)
    x = shifted(x, -spec.position)
    return x if x >= 0 and x.bit_length() <= spec.size else x & ones(spec.size)


def deposited(new: int, spec: Byte, x: int) -> int:
    """dpb."""
    small(spec.size + spec.position)
    mask = ones(spec.size) << spec.position
    return (integer(x) & ~mask) | (shifted(integer(new), spec.position) & mask)


def masked(spec: Byte, x: int) -> int:
    return shifted(field(spec, x), spec.position)


def divided(rounded: Callable[[int, int], int]):
    def function(a, b=1) -> Values:
        if integer(b) == 0:
            raise Trap("division by zero")
        q = rounded(integer(a), b)
        return Values((q, a - q * b))

    return function


def to_zero(a: int, b: int) -> int:
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def to_nearest(a: int, b: int) -> int:
    """The even one of two that are as near."""
    q, r = divmod(a, b)
    twice = 2 * abs(r) - abs(b)
    return q + 1 if twice > 0 or (twice == 0 and q % 2) else q


def compared(holds: Callable[[int, int], bool]):
    def function(*args) -> str:
        numbers = list(map(integer, args))
        return truth(all(map(holds, numbers, numbers[1:])))

    return function


def boole(operation: int, a: int, b: int) -> int:
    """By the order in which the standard lists the operations' names, the plain ones first."""
    if not 0 <= integer(operation) < 16:
        raise Trap("no operation of boole")
    return (
        0, -1, a, b, ~a, ~b, a & b, a | b, a ^ b, ~(a ^ b), ~(a & b), ~(a | b),
        ~a & b, a & ~b, ~a | b, a | ~b,
    )[operation]  # fmt: skip


BOOLE = (
    "CLR", "SET", "1", "2", "C1", "C2", "AND", "IOR", "XOR", "EQV", "NAND", "NOR",
    "ANDC1", "ANDC2", "ORC1", "ORC2",
)  # fmt: skip
CONSTANTS = {
    **{f"BOOLE-{name}": number for number, name in enumerate(BOOLE)},
    "MOST-POSITIVE-FIXNUM": (1 << 62) - 1,
    "MOST-NEGATIVE-FIXNUM": -1 << 62,
}


def root(x: int) -> int:
    if integer(x) < 0:
        raise Trap("the root of a negative integer")
    return math.isqrt(x)


def power(base: int, exponent: int) -> int:
    if integer(exponent) < 0:
        raise Trap("not an integer's power")
    if abs(integer(base)) > 1:
        small(base.bit_length() * exponent)
    return base**exponent if abs(base) > 1 or not exponent else base if exponent % 2 else base * base


def bit_of(k: int, x: int) -> str:
    if integer(k) < 0:
        raise Trap("no bit's place")
    return truth(shifted(x, -k) & 1 == 1)


def turned(count: int, spec: Byte, x: int) -> int:
    """rotate-byte, of SBCL's contrib."""
    low = field(spec, x)
    count %= spec.size or 1
    return deposited(low << count | low >> (spec.size - count), spec, x)


def minus(x, *others) -> int:
    return integer(x) - sum(map(integer, others)) if others else -integer(x)


def quotient(x: int, *others) -> int:
    """/, where it is an integer: there are no ratios here."""
    x, by = (x, reduce(product, map(integer, others))) if others else (1, x)
    if integer(by) == 0:
        raise Trap("division by zero")
    if integer(x) % by:
        raise NotImplementedError("a ratio")
    return x // by


def of_one(function: Callable[[int], int]):
    return lambda x: function(integer(x))


def of_two(function: Callable[[int, int], int]):
    return lambda a, b: function(integer(a), integer(b))


def test_of(test: Callable[[int], bool]):
    return lambda x: truth(test(integer(x)))


FUNCTIONS: dict[str, Callable] = {
    "+": folded(lambda a, b: a + b, 0), "*": folded(product, 1), "-": minus, "/": quotient,
    "1+": of_one(lambda x: x + 1), "1-": of_one(lambda x: x - 1), "ABS": of_one(abs),
    "SIGNUM": of_one(lambda x: (x > 0) - (x < 0)),
    "MAX": lambda *args: max(map(integer, args)), "MIN": lambda *args: min(map(integer, args)),
    "GCD": folded(math.gcd, 0), "LCM": folded(math.lcm, 1), "EXPT": power, "ISQRT": root,
    "FLOOR": divided(lambda a, b: a // b), "CEILING": divided(lambda a, b: -(-a // b)),
    "TRUNCATE": divided(to_zero), "ROUND": divided(to_nearest),
    "MOD": lambda a, b: divided(lambda a, b: a // b)(a, b)[1], "REM": lambda a, b: divided(to_zero)(a, b)[1],
    "LOGAND": both, "LOGIOR": folded(lambda a, b: a | b, 0),
    "LOGXOR": folded(lambda a, b: a ^ b, 0), "LOGEQV": folded(lambda a, b: ~(a ^ b), -1),
    "LOGNOT": of_one(lambda x: ~x), "LOGNAND": of_two(lambda a, b: ~(a & b)),
    "LOGNOR": of_two(lambda a, b: ~(a | b)), "LOGANDC1": of_two(lambda a, b: ~a & b),
    "LOGANDC2": of_two(lambda a, b: a & ~b), "LOGORC1": of_two(lambda a, b: ~a | b),
    "LOGORC2": of_two(lambda a, b: a | ~b), "BOOLE": lambda k, a, b: boole(k, integer(a), integer(b)),
    "ASH": shifted, "INTEGER-LENGTH": of_one(lambda x: (~x if x < 0 else x).bit_length()),
    "LOGCOUNT": of_one(lambda x: (~x if x < 0 else x).bit_count()), "LOGBITP": bit_of,
    "LOGTEST": of_two(lambda a, b: truth(a & b != 0)),
    "BYTE": byte, "BYTE-SIZE": lambda x: x.size, "BYTE-POSITION": lambda x: x.position, "LDB": field,
    "DPB": deposited, "MASK-FIELD": masked, "LDB-TEST": lambda spec, x: truth(field(spec, x) != 0),
    "DEPOSIT-FIELD": lambda new, spec, x: deposited(field(spec, new), spec, x), "ROTATE-BYTE": turned,
    "SLDB": lambda spec, x: (field(spec, x) ^ 1 << spec.size - 1) - (1 << spec.size - 1),
    "=": compared(lambda a, b: a == b), "<": compared(lambda a, b: a < b),
    "<=": compared(lambda a, b: a <= b), ">": compared(lambda a, b: a > b),
    ">=": compared(lambda a, b: a >= b),
    "/=": lambda *args: truth(len(set(map(integer, args))) == len(args)),
    "ZEROP": test_of(lambda x: x == 0), "PLUSP": test_of(lambda x: x > 0),
    "MINUSP": test_of(lambda x: x < 0), "EVENP": test_of(lambda x: x % 2 == 0),
    "ODDP": test_of(lambda x: x % 2 == 1),
}  # fmt: skip
