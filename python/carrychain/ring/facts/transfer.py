"""Transfer functions: for each operation, a range of every value that arguments in their ranges can yield.

A Range is an interval with bits known to be 0 or 1. Each informs the other: if the bounds agree in their
leading bits, those bits are known; and if the sign is known, the least value has 0 in all unknown bits, and
the greatest has 1 (`make`). A line above each function says why it is right; `prove` checks all of them by
exhaustion and by z3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from ..ir import interpret
from ..ir.form import LOGIC, Int
from .plan import ANY, Range

# Bounds of more bits than this are loosened: to none, or to one of this many bits.
END_BITS = 1 << 12


class Empty(Exception):
    """No value is possible, so what uses it is unreachable."""


def make(low: int | None, high: int | None, zeros: int = 0, ones: int = 0) -> Range:
    """The smallest Range of all values with these bounds and bits; raises Empty if there are none."""
    if low is not None and low.bit_length() > END_BITS:
        low = None if low < 0 else (1 << (END_BITS - 1))
    if high is not None and high.bit_length() > END_BITS:
        high = None if high > 0 else -(1 << (END_BITS - 1))
    for _ in range(2):
        # if the sign is known, ~zeros is the greatest value, and ones the least
        if zeros < 0 or ones < 0:
            if low is None or low < ones:
                low = ones
            if high is None or high > ~zeros:
                high = ~zeros
        if low is None or high is None:
            break
        if low > high:
            raise Empty
        if (low < 0) != (high < 0):
            break
        # leading bits that both bounds share are known
        same = -1 << (low ^ high).bit_length()
        more_zeros, more_ones = zeros | (~low & same), ones | (low & same)
        if more_zeros == zeros and more_ones == ones:
            break
        zeros, ones = more_zeros, more_ones
    if zeros & ones:
        raise Empty
    return Range(low, high, zeros, ones)


def exactly(value: int) -> Range:
    # -1 ^ x is ~x, which Python deprecates of a bool
    return Range(value, value, -1 ^ value, value)


def of_type(type_: Int) -> Range:
    return make(type_.low, type_.high)


# cached: programs join and narrow the same ranges again and again
@lru_cache(maxsize=1 << 12)
def union(a: Range, b: Range) -> Range:
    if a == b:
        return a
    return make(_least(a.low, b.low), _greatest(a.high, b.high), a.zeros & b.zeros, a.ones & b.ones)


@lru_cache(maxsize=1 << 12)
def intersection(a: Range, b: Range) -> Range:
    return make(_max(a.low, b.low), _min(a.high, b.high), a.zeros | b.zeros, a.ones | b.ones)


# None as a low bound is less than all integers, as a high bound greater.


def _max(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else max(a, b)


def _min(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def _least(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else min(a, b)


def _greatest(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


def _low_known(a: Range) -> int:
    """The number of low bits below the first unknown one (END_BITS for a constant)."""
    unknown = ~(a.zeros | a.ones)
    return (unknown & -unknown).bit_length() - 1 if unknown else END_BITS


def _trailing_zeros(a: Range) -> int:
    possible = ~a.zeros
    return (possible & -possible).bit_length() - 1 if possible else END_BITS


def _low_bits(op, a: Range, b: Range) -> tuple[int, int]:
    """+, -, x: the low k bits of the result are those of the low k bits of the arguments."""
    k = min(_low_known(a), _low_known(b))
    mask = (1 << k) - 1
    bits = op(a.ones & mask, b.ones & mask) & mask
    return ~bits & mask, bits


def add(a: Range, b: Range) -> Range:
    low = None if a.low is None or b.low is None else a.low + b.low
    high = None if a.high is None or b.high is None else a.high + b.high
    return make(low, high, *_low_bits(int.__add__, a, b))


def neg(a: Range) -> Range:
    return sub(exactly(0), a)


def sub(a: Range, b: Range) -> Range:
    low = None if a.low is None or b.high is None else a.low - b.high
    high = None if a.high is None or b.low is None else a.high - b.low
    return make(low, high, *_low_bits(int.__sub__, a, b))


def _corners(op, a: Range, b: Range) -> tuple[int | None, int | None]:
    """The bounds of an operation that is monotone in each argument: they are at the corners."""
    ends = (a.low, a.high, b.low, b.high)
    if None in ends:
        return None, None
    values = [op(x, y) for x in ends[:2] for y in ends[2:]]
    return min(values), max(values)


# x y is monotone in each argument on each side of 0, and 0 at 0: the bounds are at the corners
def mul(a: Range, b: Range) -> Range:
    low, high = _corners(int.__mul__, a, b)
    if low is None and a.low is not None and b.low is not None and a.low >= 0 and b.low >= 0:
        low = a.low * b.low
    zeros, ones = _low_bits(int.__mul__, a, b)
    trailing = min(_trailing_zeros(a) + _trailing_zeros(b), END_BITS)
    return make(low, high, zeros | ((1 << trailing) - 1), ones)


def _sides(b: Range) -> Iterable[Range]:
    """A divisor's negative and its positive values; 0 traps."""
    for low, high in ((b.low, _min(b.high, -1)), (_max(b.low, 1), b.high)):
        try:
            yield make(low, high, b.zeros, b.ones)
        except Empty:
            continue


def _join(parts: Iterable[Range]) -> Range:
    result = None
    for part in parts:
        result = part if result is None else union(result, part)
    if result is None:
        raise Empty
    return result


def _divide(op):
    # rounding preserves order, and a / b is monotone in each argument for b of one sign; without bounds,
    # |a / b| <= |a|, and the sign is known if both arguments' are
    def divide(a: Range, b: Range) -> Range:
        def one(side: Range) -> Range:
            low, high = _corners(op, a, side)
            if low is not None:
                return make(low, high)
            if None not in (a.low, a.high):
                most = max(abs(a.low), abs(a.high))
                low, high = -most, most
            if a.low is not None and a.low >= 0:
                low, high = (0, high) if side.low is not None and side.low > 0 else (low, 0)
                if low == 0 and a.high is not None and side.low is not None:
                    high = op(a.high, side.low)
            return make(low, high)

        return _join(one(side) for side in _sides(b))

    return divide


# 0 <= fmod < b for b > 0, b < fmod <= 0 for b < 0; a itself if it lies there already
def fmod(a: Range, b: Range) -> Range:
    def one(side: Range) -> Range:
        if side.low is not None and side.low > 0:
            if a.low is not None and a.low >= 0 and a.high is not None and a.high < side.low:
                return a
            high = None if side.high is None else side.high - 1
            if a.low is not None and a.low >= 0:
                high = _min(high, a.high)
            if side.low == side.high and not side.low & (side.low - 1):
                return low(side.low.bit_length() - 1, a) if side.low > 1 else exactly(0)
            return make(0, high)
        return make(None if side.low is None else side.low + 1, 0)

    return _join(one(side) for side in _sides(b))


# |trem| < |b|, |trem| <= |a|, and the sign is a's
def trem(a: Range, b: Range) -> Range:
    most = None if None in (b.low, b.high) else max(abs(b.low), abs(b.high)) - 1
    if most is not None and most < 0:
        raise Empty
    low_end = 0 if a.low is not None and a.low >= 0 else _max(None if most is None else -most, a.low)
    high_end = 0 if a.high is not None and a.high <= 0 else _min(most, a.high)
    return make(low_end, high_end)


# crem(a, b) = -fmod(-a, b), so -b < crem <= 0 for b > 0, and 0 <= crem < -b for b < 0
def crem(a: Range, b: Range) -> Range:
    return neg(fmod(neg(a), b))


def logic(table: int, a: Range, b: Range) -> Range:
    """A bit of the result can be v if some pair of bits that the arguments can have there yields v."""
    can = {0: 0, 1: 0}
    for x, could_x in ((0, ~a.ones), (1, ~a.zeros)):
        for y, could_y in ((0, ~b.ones), (1, ~b.zeros)):
            can[table >> (2 * x + y) & 1] |= could_x & could_y
    ends = [
        _logic_ends(table, x, y, negative_x, negative_y)
        for x, negative_x in _by_sign(a)
        for y, negative_y in _by_sign(b)
    ]
    low, high = ends[0]
    for other_low, other_high in ends[1:]:
        low, high = _least(low, other_low), _greatest(high, other_high)
    return make(low, high, ~can[1], ~can[0])


Ends = tuple[int, int | None]


def _by_sign(a: Range) -> list[tuple[Ends, bool]]:
    """The interval's parts on each side of 0. The negative one is inverted: ~x = -1 - x reverses order."""
    parts: list[tuple[Ends, bool]] = []
    if a.low is None or a.low < 0:
        parts.append(((-1 - _min(a.high, -1), None if a.low is None else ~a.low), True))
    if a.high is None or a.high >= 0:
        parts.append(((_max(a.low, 0), a.high), False))
    return parts


def _logic_ends(table: int, x: Ends, y: Ends, negative_x: bool, negative_y: bool) -> tuple:
    """The bounds of an operator for arguments of known signs; negative ones are given inverted.

    An operator of ~x is another operator of x, and likewise for y. If the result is negative, the inverse
    operator's is not. So only operators remain that yield 0 for two zeros.
    """
    if negative_x:
        table = (table >> 2 | table << 2) & 15
    if negative_y:
        table = (table & 5) << 1 | (table & 10) >> 1
    if not table & 1:
        return _nonnegative(table, *x, *y)
    low, high = _nonnegative(table ^ 15, *x, *y)
    return None if high is None else ~high, ~low


# For x, y >= 0, both below 2^k:
# - x and y <= x, y; and x and y >= x + y - (2^k - 1), because x + y = (x ior y) + (x and y);
# - x ior y >= x, y; x ior y and x xor y are <= x + y, and below 2^k;
# - x xor y >= |x - y|, because x <= y + (x xor y);
# - x - y <= x andc2 y <= x, because x = (x and y) + (x andc2 y).
def _nonnegative(table: int, x_low: int, x_high: int | None, y_low: int, y_high: int | None) -> tuple:
    if table in (LOGIC["clr"], LOGIC["arg1"], LOGIC["arg2"]):
        return {LOGIC["clr"]: (0, 0), LOGIC["arg1"]: (x_low, x_high), LOGIC["arg2"]: (y_low, y_high)}[table]
    if table == LOGIC["andc1"]:
        table, x_low, x_high, y_low, y_high = LOGIC["andc2"], y_low, y_high, x_low, x_high
    over_y = 0 if y_high is None else max(x_low - y_high, 0)
    if table == LOGIC["andc2"]:
        return over_y, x_high
    full = None if x_high is None or y_high is None else (1 << (x_high | y_high).bit_length()) - 1
    if table == LOGIC["and"]:
        return 0 if full is None else max(x_low + y_low - full, 0), _min(x_high, y_high)
    high = None if full is None else min(x_high + y_high, full)
    if table == LOGIC["ior"]:
        return max(x_low, y_low), high
    return over_y if x_high is None else max(over_y, y_low - x_high), high


# floor(x 2^n) is monotone in x, and for x of one sign in n
def shift(a: Range, n: Range) -> Range:
    constant = n.low is not None and n.low == n.high
    if n.low is None:
        # shifted far enough to the right, only the sign is left: 0 or -1
        n = make(-END_BITS if n.high is None else min(-END_BITS, n.high), n.high)
        a = union(a, exactly(0)) if not a.negative else union(a, exactly(-1))
        if a.negative and (a.high is None or a.high >= 0):
            a = union(a, exactly(0))
    zeros = ones = 0
    if constant:
        count = n.low
        if abs(count) <= END_BITS:
            zeros = (a.zeros << count) | ((1 << count) - 1) if count >= 0 else a.zeros >> -count
            ones = a.ones << count if count >= 0 else a.ones >> -count
    elif n.low >= 0:
        zeros = (1 << min(_trailing_zeros(a) + n.low, END_BITS)) - 1

    def end(x: int | None, count: int | None) -> int | None:
        if x is None or count is None or count > END_BITS:
            return 0 if x == 0 else None
        return interpret.shift(x, max(count, -END_BITS))

    low = None if a.low is None else end(a.low, n.high if a.low < 0 else n.low)
    high = None if a.high is None else end(a.high, n.low if a.high < 0 else n.high)
    return make(low, high, zeros, ones)


def low(k: int, a: Range) -> Range:
    if a.low is not None and a.low >= 0 and a.high is not None and a.high < 1 << k:
        return a
    mask = (1 << k) - 1
    return make(0, mask, (a.zeros & mask) | ~mask, a.ones & mask)


def field(k: int, a: Range) -> Range:
    half = 1 << (k - 1)
    if a.low is not None and a.low >= -half and a.high is not None and a.high < half:
        return a
    mask = half - 1
    zeros, ones = a.zeros & mask, a.ones & mask
    # all bits from k - 1 on are the sign
    if a.zeros & half:
        zeros |= ~mask
    if a.ones & half:
        ones |= ~mask
    return make(-half, half - 1, zeros, ones)


# bitlen is that of ~x for negative x, so it grows away from 0 on both sides
def bitlen(a: Range) -> Range:
    if None in (a.low, a.high):
        return make(0, None)
    ends = interpret.bitlen(a.low), interpret.bitlen(a.high)
    return make(0 if (a.low < 0) != (a.high < 0) else min(ends), max(ends))


def popcount(a: Range) -> Range:
    return make(0, bitlen(a).high)


def isqrt(a: Range) -> Range:
    inside = intersection(a, make(0, None))
    return make(math.isqrt(inside.low), None if inside.high is None else math.isqrt(inside.high))


# gcd(a, b) divides both arguments; it is 0 if both are 0
def gcd(a: Range, b: Range) -> Range:
    most = 0
    for r in (a, b):
        if None in (r.low, r.high):
            return make(0, None)
        most = max(most, abs(r.low), abs(r.high))
    return make(0, most)


# a^b for b >= 0: |a|^b <= (greatest |a|)^(greatest b); not negative if a is not
def expt(a: Range, b: Range) -> Range:
    inside = intersection(b, make(0, None))
    nonnegative = a.low is not None and a.low >= 0
    if None in (a.low, a.high, inside.high):
        return make(0, None) if nonnegative else ANY
    base = max(abs(a.low), abs(a.high))
    if inside.high * max(base.bit_length(), 1) > END_BITS:
        return make(0, None) if nonnegative else ANY
    most = max(base**inside.high, 1)
    return make(0 if nonnegative else -most, most)


BINARY = {
    "add": add, "sub": sub, "mul": mul, "shift": shift, "gcd": gcd, "expt": expt,
    "fdiv": _divide(int.__floordiv__), "fmod": fmod,
    "tdiv": _divide(interpret.tdiv), "trem": trem,
    "cdiv": _divide(lambda a, b: -(-a // b)), "crem": crem,
}  # fmt: skip
UNARY = {"neg": neg, "bitlen": bitlen, "popcount": popcount, "isqrt": isqrt}
FIELDS = {"low": low, "field": field}
