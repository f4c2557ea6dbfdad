"""Integers as z3's bit vectors: signed, and each wide enough for all values that it can have."""

from __future__ import annotations

import z3

from ..ir.form import Int

WIDEST = 640


class NotEncoded(Exception):
    """The function cannot be encoded; the message says why."""


def checked_width(width: int) -> int:
    if width > WIDEST:
        raise NotEncoded(f"an integer of {width} bits")
    return width


def width_of(type_: Int) -> int:
    return max(bits_of(type_.low), bits_of(type_.high))


def bits_of(k: int) -> int:
    """The width of the narrowest signed word that holds k."""
    return (k if k >= 0 else ~k).bit_length() + 1


def resized(x, width: int):
    """x in another width: the same number if it fits, its low bits otherwise."""
    if width <= x.size():
        return x if width == x.size() else z3.Extract(width - 1, 0, x)
    return z3.SignExt(width - x.size(), x)


def alike(*words, spare: int = 0) -> list:
    width = checked_width(max(x.size() for x in words) + spare)
    return [resized(x, width) for x in words]


def within(x, type_: Int) -> list:
    found = []
    for end, relation in ((type_.low, lambda a, b: a >= b), (type_.high, lambda a, b: a <= b)):
        if end is not None:
            width = max(x.size(), bits_of(end))
            found.append(relation(resized(x, width), z3.BitVecVal(end, width)))
    return found


def chosen(condition, a, b):
    """a if the condition holds, else b."""
    if z3.is_bv(a) and z3.is_bv(b):
        a, b = alike(a, b)
    return a if a.eq(b) else z3.If(condition, a, b)


def shifted(x, count):
    """x 2^n, rounded down."""
    by = z3.simplify(count)
    if z3.is_bv_value(by):
        n = by.as_signed_long()
        if n >= 0:
            width = checked_width(x.size() + n)
            return resized(x, width) << n
        return z3.Extract(x.size() - 1, min(-n, x.size() - 1), x)
    # a count of c bits shifts by up to 2^(c-1) either way
    if count.size() > 10:
        raise NotEncoded("a shift by a count of more than 10 bits")
    width = checked_width(x.size() + (1 << (count.size() - 1)))
    x, count = resized(x, width), resized(count, width)
    return z3.If(count >= 0, x << count, x >> -count)


def rotated(k: int, x, count):
    width = checked_width(max(k, count.size(), bits_of(k)) + 1)
    # n mod k by smod, whose sign is the divisor's
    by = resized(count, width) % z3.BitVecVal(k, width)
    x = z3.ZeroExt(width - k, resized(x, k))
    turned = x << by | z3.LShR(x, z3.BitVecVal(k, width) - by)
    return z3.ZeroExt(1, z3.Extract(k - 1, 0, turned))


def counted(op: str, x):
    """bitlen or popcount of x, or of ~x if x is negative."""
    size = x.size()
    width = bits_of(size)
    x = z3.If(x < 0, ~x, x)
    found = z3.BitVecVal(0, width)
    for at in range(size - 1):
        bit = z3.Extract(at, at, x) == 1
        if op == "bitlen":
            found = z3.If(bit, z3.BitVecVal(at + 1, width), found)
        else:
            found = found + z3.If(bit, z3.BitVecVal(1, width), z3.BitVecVal(0, width))
    return found
