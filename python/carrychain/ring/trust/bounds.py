"""The checker's own computation of what an operation can yield; it shares nothing with facts/transfer.py.

A set of integers is a tuple (low, high, zeros, ones): its bounds, None for an unbounded side, and the bits
that are 0 or 1 in every member. Bounds are computed at the corners, infinite ones included, of a box on which
the operation is monotonic in each argument. The known bits of a sum are computed from its carries: those with
every unknown bit 0, and those with every unknown bit 1. A carry on which both agree is certain, because more
bits only make more carries.

The sets need not be the smallest, but must contain every value: only inclusion is required (`inside`). None
instead of a set means that there is no value, because the operation always traps.
"""

from __future__ import annotations

import math
from functools import lru_cache

from ..facts.plan import Range
from ..ir.form import LOGIC, Int

Set = tuple[int | None, int | None, int, int]

ANYTHING: Set = (None, None, 0, 0)
FAR = 1 << 13  # shifts and powers of more bits count as unbounded


def of(claim: Range) -> Set:
    return claim.low, claim.high, claim.zeros, claim.ones


def of_type(type_: Int) -> Set:
    return type_.low, type_.high, 0, 0


def single(value: int) -> Set:
    # -1 ^ x is ~x, which Python deprecates of a bool
    return value, value, -1 ^ value, value


def within(low: int | None, high: int | None) -> Set:
    return low, high, 0, 0


def tight(s: Set) -> Set | None:
    """The set with its bounds moved to its outermost members, and its bits narrowed by them; None if empty.

    So a set with one member has equal bounds. A side that is unbounded stays so, unless the sign is known.
    """
    low, high, zeros, ones = s
    if zeros & ones:
        return None
    if zeros < 0 or ones < 0:
        # the sign is known: the least member has no other bit, the greatest every one
        if low is None or low < ones:
            low = ones
        if high is None or high > ~zeros:
            high = ~zeros
    if low is not None and (low & zeros or ones & ~low):
        low = _least(low, zeros, ones)
        if low is None:
            return None
    if high is not None and (high & zeros or ones & ~high):
        # the greatest member up to high, by the complements of all
        above = _least(~high, ones, zeros)
        if above is None:
            return None
        high = ~above
    if low is None or high is None:
        return low, high, zeros, ones
    if low > high:
        return None
    if (low < 0) == (high < 0):
        prefix = -1 << (low ^ high).bit_length()
        zeros, ones = zeros | (~low & prefix), ones | (low & prefix)
    return low, high, zeros, ones


def _least(low: int, zeros: int, ones: int) -> int | None:
    """The least number above low that has these bits, which low has not; None if there is none.

    The highest of low's wrong bits decides. If it has to be 1, it becomes so. If it has to be 0, the next 0
    above it that may be 1 becomes so. The bits below are then as small as they may be.
    """
    wrong = low & zeros | ones & ~low
    if wrong < 0:
        # the sign is: if it has to be 0, the caller began at 0
        return None
    bit = 1 << (wrong.bit_length() - 1)
    if not ones & bit:
        may = ~(low | zeros) & -2 * bit
        if not may:
            # up to -1 there is none
            return ones if low < 0 <= ones else None
        bit = may & -may
    return (low | bit) & -bit | ones & (bit - 1)


def _holds(s: Set, claim: Range) -> bool:
    low, high, zeros, ones = s
    return (
        (claim.low is None or (low is not None and claim.low <= low))
        and (claim.high is None or (high is not None and high <= claim.high))
        and not claim.zeros & ~zeros
        and not claim.ones & ~ones
    )


def inside(s: Set | None, claim: Range) -> bool:
    """Whether every member of the set is in the claimed range."""
    if s is None or _holds(s, claim):
        return True
    s = tight(s)
    return s is None or _holds(s, claim)


def is_within(claim: Range | None, type_: Int) -> bool:
    """Whether a value of the claimed range is of the type; of a value without one nothing is known."""
    return claim is not None and inside(of(claim), Range(type_.low, type_.high))


def both(a: Set, b: Set) -> Set | None:
    low = a[0] if b[0] is None or (a[0] is not None and a[0] > b[0]) else b[0]
    high = a[1] if b[1] is None or (a[1] is not None and a[1] < b[1]) else b[1]
    return (
        None
        if low is not None and high is not None and low > high
        else tight((low, high, a[2] | b[2], a[3] | b[3]))
    )


def either(a: Set | None, b: Set | None) -> Set | None:
    if a is None or b is None:
        return b if a is None else a
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    high = None if a[1] is None or b[1] is None else max(a[1], b[1])
    return low, high, a[2] & b[2], a[3] & b[3]


# Sums ----------------------------------------------------------------------------------------


def _columns(a: Set, b_zeros: int, b_ones: int, carry: int) -> tuple[int, int]:
    """The certain bits of a + b + carry."""
    most, least = ~a[2] + ~b_zeros + carry, a[3] + b_ones + carry
    # a bit of a sum is the xor of its column's bits and the carry into it
    carry_zeros, carry_ones = ~(most ^ a[2] ^ b_zeros), least ^ a[3] ^ b_ones
    certain = (a[2] | a[3]) & (b_zeros | b_ones) & (carry_zeros | carry_ones)
    return ~most & certain, most & certain


def add(a: Set, b: Set) -> Set:
    low = None if a[0] is None or b[0] is None else a[0] + b[0]
    high = None if a[1] is None or b[1] is None else a[1] + b[1]
    return low, high, *_columns(a, b[2], b[3], 0)


def sub(a: Set, b: Set) -> Set:
    low = None if a[0] is None or b[1] is None else a[0] - b[1]
    high = None if a[1] is None or b[0] is None else a[1] - b[0]
    return low, high, *_columns(a, b[3], b[2], 1)


def neg(a: Set) -> Set:
    return sub(single(0), a)


# Products and quotients: a missing bound is a float, ±inf ----------------------------------------


def _corner_ends(op, a: Set, b: Set) -> tuple[int | None, int | None]:
    """The least and the greatest of op at the four corners; op takes and returns ints or ±inf."""
    ends_a = (-math.inf if a[0] is None else a[0], math.inf if a[1] is None else a[1])
    ends_b = (-math.inf if b[0] is None else b[0], math.inf if b[1] is None else b[1])
    values = [op(x, y) for x in ends_a for y in ends_b]
    low, high = min(values), max(values)
    return (None if low == -math.inf else low), (None if high == math.inf else high)


def _infinite(x) -> bool:
    return isinstance(x, float)


def _sign(x) -> int:
    return (x > 0) - (x < 0)


def _times(x, y):
    if _infinite(x) or _infinite(y):
        sign = _sign(x) * _sign(y)
        return sign * math.inf if sign else 0
    return x * y


def _known_below(s: Set) -> int:
    unknown = ~(s[2] | s[3])
    return (unknown & -unknown).bit_length() - 1 if unknown else FAR


def _even(s: Set) -> int:
    """The exponent of the greatest power of 2 that divides every member."""
    maybe = ~s[2]
    return (maybe & -maybe).bit_length() - 1 if maybe else FAR


def mul(a: Set, b: Set) -> Set:
    even_a, even_b = _even(a), _even(b)
    even = min(even_a + even_b, FAR)
    # (2^s x)(2^t y): the bits of x y up to where one of the two is unknown
    known = min(min(_known_below(a) - even_a, _known_below(b) - even_b) + even, FAR)
    mask = (1 << max(known, even)) - 1
    bits = a[3] * b[3] & mask
    low, high = _corner_ends(_times, a, b)
    return low, high, ~bits & mask, bits


def _quotient(rounding):
    def at(x, y):
        if _infinite(x):
            return _sign(x) * _sign(y) * math.inf
        if _infinite(y):
            # the quotient tends to 0 from the side of its sign
            return rounding(_sign(x) * _sign(y), 2) if x else 0
        return rounding(x, y)

    def divide(a: Set, b: Set) -> Set | None:
        return _by_sign(b, lambda side: within(*_corner_ends(at, a, side)))

    return divide


def _by_sign(b: Set, f) -> Set | None:
    """f of the divisor's negative members, joined with f of its positive ones; 0 traps."""
    below, above = both(b, within(None, -1)), both(b, within(1, None))
    found = [f(side) for side in (below, above) if side is not None]
    # tight first: joining loses what each side's bounds say of its bits
    sides = [None if s is None else tight(s) for s in found]
    return either(*sides) if len(sides) == 2 else sides[0] if sides else None


def _truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if _sign(x) == _sign(y) else -quotient


def fmod(a: Set, b: Set) -> Set | None:
    def one(side: Set) -> Set:
        low, high = side[:2]
        if high is not None and high < 0:
            return within(None if low is None else low + 1, 0)
        if a[0] is not None and a[0] >= 0:
            if a[1] is not None and a[1] < low:
                return a
            limit = a[1] if high is None else high - 1 if a[1] is None else min(a[1], high - 1)
        else:
            limit = None if high is None else high - 1
        if low == high and not low & (low - 1):
            # the bits below a power of two
            return tight((0, limit, a[2] & (low - 1) | -low, a[3] & (low - 1)))
        return within(0, limit)

    return _by_sign(b, one)


def trem(a: Set, b: Set) -> Set | None:
    """The sign of the remainder is a's; its magnitude is at most a's, and less than b's."""
    if b[0] == b[1] == 0:
        return None
    low = 0 if a[0] is not None and a[0] >= 0 else a[0]
    high = 0 if a[1] is not None and a[1] <= 0 else a[1]
    if b[0] is not None and b[1] is not None:
        most = max(abs(b[0]), abs(b[1])) - 1
        low = -most if low is None else max(low, -most)
        high = most if high is None else min(high, most)
    return within(low, high)


def crem(a: Set, b: Set) -> Set | None:
    negative = tight(neg(a))
    turned = None if negative is None else fmod(negative, b)
    known = None if turned is None else tight(turned)
    return None if known is None else neg(known)


# Bits ----------------------------------------------------------------------------------------


def logic(table: int, a: Set, b: Set) -> Set:
    zeros = ones = -1
    for pair in range(4):
        # the columns in which the arguments can have this pair of bits
        can = (~a[2] if pair & 2 else ~a[3]) & (~b[2] if pair & 1 else ~b[3])
        if table >> pair & 1:
            zeros &= ~can
        else:
            ones &= ~can
    return *_logic_ends(table, *a[:2], *b[:2]), zeros, ones


@lru_cache(maxsize=1 << 12)
def _logic_ends(
    table: int, a_low: int | None, a_high: int | None, b_low: int | None, b_high: int | None
) -> tuple[int | None, int | None]:
    """The least and the greatest result of the operator on the two intervals.

    A missing bound is replaced by one with one bit more than all the others. If some x and y outside of that
    box yield a result with more bits, so does a pair inside: any column of x and y can occur in the added
    column, because a number of that length lies beyond every other bound whatever its lower bits are.
    """
    ends = [a_low, a_high, b_low, b_high]
    width = max((_size(end) for end in ends if end is not None), default=0)
    most = 2 << width
    a = -most if a_low is None else a_low, most - 1 if a_high is None else a_high
    b = -most if b_low is None else b_low, most - 1 if b_high is None else b_high
    least, greatest = (_extreme(table, a, b, width + 1, bit) for bit in (0, 1))
    endless = None in ends
    return (
        None if endless and least < -(1 << width) else least,
        None if endless and greatest >> width > 0 else greatest,
    )


def _extreme(table: int, a: tuple[int, int], b: tuple[int, int], width: int, wanted: int) -> int:
    """The greatest result if `wanted` is 1, the least if 0; there are `width` columns below the sign.

    Columns are decided greedily from the left: a column is as wanted if some arguments allow it that also
    allow all columns chosen so far. All that matters of such arguments is which bounds they still equal in
    the bits so far: one that equals its low bound may not have a 0 where the bound has a 1, and likewise for
    the high bound.
    """
    # whether a and b still equal their low and high bounds; in the sign's column the order is reversed
    ways = {(True, True, True, True)}
    result = 0
    for column in range(width, -1, -1):
        aim = 1 - wanted if column == width else wanted
        found: dict[int, set] = {0: set(), 1: set()}
        for a_down, a_up, b_down, b_up in ways:
            for x, a_down_still, a_up_still in _bits(a, column, width, a_down, a_up):
                for y, b_down_still, b_up_still in _bits(b, column, width, b_down, b_up):
                    still = a_down_still, a_up_still, b_down_still, b_up_still
                    found[table >> (2 * x + y) & 1].add(still)
        bit = aim if found[aim] else 1 - aim
        ways = found[bit]
        result |= (-bit if column == width else bit) << column
        if (False, False, False, False) in ways and column:
            # the remaining columns are unconstrained, so they are all alike
            bit = wanted if table not in (LOGIC["clr"], LOGIC["set"]) else table & 1
            return result | (bit << column) - bit
    return result


def _bits(ends: tuple[int, int], column: int, width: int, down: bool, up: bool):
    """The bits that an argument can have in this column, each with whether it then still equals its low and
    its high bound."""
    low, high = (end >> column & 1 for end in ends)
    below = (1 << column) - 1
    for bit in (0, 1):
        # in the sign's column a 1 makes the number less
        weight = 1 - bit if column == width else bit
        least, most = (1 - low, 1 - high) if column == width else (low, high)
        if not (down and weight < least) and not (up and weight > most):
            # a low bound whose remaining bits are zeros no longer constrains, nor a high one of ones
            yield (
                bit,
                down and weight == least and bool(ends[0] & below),
                up and weight == most and ends[1] & below != below,
            )


def _scaled(x: int, n: int) -> int:
    return x << n if n >= 0 else x >> -n


def shift(a: Set, n: Set) -> Set:
    """x 2^n grows with x; with n it moves away from 0, and for decreasing n towards 0 or -1."""
    low, high, least, most = *a[:2], *n[:2]
    if most is not None and most > FAR:
        most = None
    if low is not None:
        if low < 0:
            low = None if most is None else _scaled(low, most)
        else:
            low = 0 if least is None else _scaled(low, min(least, FAR))
    if high is not None:
        if high > 0:
            high = None if most is None else _scaled(high, most)
        elif high < 0:
            high = -1 if least is None else _scaled(high, min(least, FAR))
    if least is None:
        return within(low, high)
    if least > FAR:
        # whatever the count is, the low bits are zeros
        return low, high, (1 << FAR) - 1, 0
    if least == most:
        if least < 0:
            return low, high, a[2] >> -least, a[3] >> -least
        return low, high, a[2] << least | ((1 << least) - 1), a[3] << least
    if least >= 0:
        return low, high, (1 << min(_even(a) + least, FAR)) - 1, 0
    return within(low, high)


def low(k: int, a: Set) -> Set:
    mask = (1 << k) - 1
    if a[0] is not None and a[0] >= 0 and a[1] is not None and a[1] <= mask:
        return a
    return 0, mask, a[2] & mask | ~mask, a[3] & mask


def field(k: int, a: Set) -> Set:
    half = 1 << (k - 1)
    if a[0] is not None and a[0] >= -half and a[1] is not None and a[1] < half:
        return a
    zeros, ones = a[2] & (half - 1), a[3] & (half - 1)
    # the bits above repeat the sign
    return -half, half - 1, zeros | (-half if a[2] & half else 0), ones | (-half if a[3] & half else 0)


# Counts, roots, powers -----------------------------------------------------------------------


def _size(x: int) -> int:
    return (~x if x < 0 else x).bit_length()


def bitlen(a: Set) -> Set:
    if a[0] is None or a[1] is None:
        return within(0, None)
    ends = _size(a[0]), _size(a[1])
    return within(0 if a[0] < 0 <= a[1] else min(ends), max(ends))


def popcount(a: Set) -> Set:
    return within(0, bitlen(a)[1])


def isqrt(a: Set) -> Set | None:
    inside_ = both(a, within(0, None))
    if inside_ is None:
        return None
    return within(math.isqrt(inside_[0]), None if inside_[1] is None else math.isqrt(inside_[1]))


def gcd(a: Set, b: Set) -> Set:
    if None in (*a[:2], *b[:2]):
        return within(0, None)
    return within(0, max(map(abs, (*a[:2], *b[:2]))))


def expt(a: Set, b: Set) -> Set | None:
    exponents = both(b, within(0, None))
    if exponents is None:
        return None
    positive = a[0] is not None and a[0] >= 0
    most = None
    if None not in (a[0], a[1], exponents[1]):
        base = max(abs(a[0]), abs(a[1]), 1)
        if exponents[1] * base.bit_length() <= FAR:
            most = base ** exponents[1]
    return within(0 if positive else None if most is None else -most, most)


BINARY = {
    "add": add, "sub": sub, "mul": mul, "shift": shift, "gcd": gcd, "expt": expt,
    "fdiv": _quotient(int.__floordiv__), "fmod": fmod,
    "tdiv": _quotient(_truncated), "trem": trem,
    "cdiv": _quotient(lambda x, y: -(-x // y)), "crem": crem,
    **{name: lambda a, b, table=table: logic(table, a, b) for name, table in LOGIC.items()},
}  # fmt: skip
UNARY = {"neg": neg, "bitlen": bitlen, "popcount": popcount, "isqrt": isqrt}
