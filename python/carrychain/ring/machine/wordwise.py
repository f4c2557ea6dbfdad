"""What the operations on words alone compute, on nonnegative integers masked to their width."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ..ir import interpret as integers
from .form import Op
from .verify import width

WordFunction = Callable[..., int]


class Fault(Exception):
    """The program broke a rule of machine IR."""


def signed(word: int, bits: int) -> int:
    return word - (1 << bits) if word >> (bits - 1) else word


def require(condition: bool, what: str) -> None:
    if not condition:
        raise Fault(what)


def _shift(f: Callable[[int, int], int], w: int, mask: int, reads_signed: bool = False) -> WordFunction:
    def shifted(x: int, n: int) -> int:
        if n >= w:
            raise Fault("a shift by the word's width or more")
        return f(signed(x, w) if reads_signed else x, n) & mask

    return shifted


def _divided(op: str, read: Callable[[int, int], int]) -> Callable[[int, int], WordFunction]:
    divide = integers.INTEGER[op]

    def of_width(w: int, mask: int) -> WordFunction:
        def divided(a: int, b: int) -> int:
            x, y = read(a, w), read(b, w)
            require(y != 0, "a division by 0")
            least = -(1 << (w - 1))
            require(read is not signed or (x, y) != (least, -1), "a quotient that overflows")
            return divide(x, y) & mask

        return divided

    return of_width


def _natural(word: int, bits: int) -> int:
    return word


# For a width and the mask of its bits: a function of the arguments.
WORDS: dict[str, Callable[[int, int], WordFunction]] = {
    "add": lambda w, mask: lambda a, b: a + b & mask,
    "sub": lambda w, mask: lambda a, b: a - b & mask,
    "mul": lambda w, mask: lambda a, b: a * b & mask,
    "and": lambda w, mask: operator.and_,
    "or": lambda w, mask: operator.or_,
    "xor": lambda w, mask: operator.xor,
    "shl": lambda w, mask: _shift(operator.lshift, w, mask),
    "lshr": lambda w, mask: _shift(operator.rshift, w, mask),
    "ashr": lambda w, mask: _shift(operator.rshift, w, mask, reads_signed=True),
    "rotl": lambda w, mask: lambda x, n: integers.rotl(w, x, n) & mask,
    "udiv": _divided("tdiv", _natural),
    "urem": _divided("trem", _natural),
    "sdiv": _divided("tdiv", signed),
    "srem": _divided("trem", signed),
    "umin": lambda w, mask: min,
    "smin": lambda w, mask: lambda a, b: min(a, b, key=lambda x: signed(x, w)),
    "smax": lambda w, mask: lambda a, b: max(a, b, key=lambda x: signed(x, w)),
    "ctpop": lambda w, mask: int.bit_count,
    "ctlz": lambda w, mask: lambda x: w - x.bit_length(),
    "bswap": lambda w, mask: lambda x: int.from_bytes(x.to_bytes(w // 8, "little"), "big"),
    "abs": lambda w, mask: lambda x: abs(signed(x, w)),
    "hide": lambda w, mask: lambda x: x,
    "isqrt": lambda w, mask: integers.INTEGER["isqrt"],
    "gcd": lambda w, mask: integers.INTEGER["gcd"],
    "power": lambda w, mask: lambda a, b: pow(a, b, mask + 1),
}
# For the argument's width and the mask of the result's bits: a function of the argument.
RESIZED: dict[str, Callable[[int, int], WordFunction]] = {
    "zext": lambda w, mask: lambda x: x,
    "sext": lambda w, mask: lambda x: signed(x, w) & mask,
    "trunc": lambda w, mask: lambda x: x & mask,
}
UNSIGNED: dict[str, Callable[[int, int], bool]] = {
    op: integers.INTEGER[op.removeprefix("u")] for op in ("eq", "ne", "ult", "ule", "ugt", "uge")
}
SIGNED: dict[str, Callable[[int, int], bool]] = {
    f"s{op}": integers.INTEGER[op] for op in ("lt", "le", "gt", "ge")
}
# Operations on words alone.
WORDWISE = frozenset((*WORDS, *RESIZED, *UNSIGNED, *SIGNED, "fits"))
DIVISIONS = ("udiv", "urem", "sdiv", "srem")
SHIFTS = ("shl", "lshr", "ashr")


def wordwise(op: Op) -> WordFunction:
    """The operation on words, as a function of those in one lane."""
    name = op.op
    if name in WORDS:
        bits = width(op.result.type)
        if op.attribute is not None and name in ("add", "sub"):
            return _exact(name, signed if op.attribute == "s" else _natural, bits)
        return WORDS[name](bits, (1 << bits) - 1)
    if name in UNSIGNED:
        compare = UNSIGNED[name]
        return lambda a, b: int(compare(a, b))
    bits = width(op.args[0].type)
    if name in SIGNED:
        compare = SIGNED[name]
        return lambda a, b: int(compare(signed(a, bits), signed(b, bits)))
    if name == "fits":
        whole, high = integers.INTEGER[op.attribute], 1 << (bits - 1)
        return lambda a, b: int(-high <= whole(signed(a, bits), signed(b, bits)) < high)
    return RESIZED[name](bits, (1 << width(op.result.type)) - 1)


def _exact(name: str, read: Callable[[int, int], int], bits: int) -> WordFunction:
    """A sum or difference that the program promises not to overflow."""
    whole, mask = integers.INTEGER[name], (1 << bits) - 1

    def exact(a: int, b: int) -> int:
        wanted = whole(read(a, bits), read(b, bits))
        found = wanted & mask
        require(read(found, bits) == wanted, "a sum that is not exact")
        return found

    return exact
