"""Shifts, fields and rotations."""

from __future__ import annotations

from ..facts.demand import below
from ..facts.plan import ANY, Range
from ..ir.form import Instruction, Value
from ..machine.form import BIG, WIDTHS, Const, Operand, const
from .arithmetic import divide
from .values import ValueMap, width_for

# Shift counts are clamped to this: no word has as many bits.
FAR = 1 << 62


def _count(v: ValueMap, n: Value) -> Operand:
    """A shift's count as a 64-bit word, clamped to ±FAR."""
    if n in v.constants:
        return Const(64, max(-FAR, min(v.constants[n], FAR)))
    has, known = v.containers[n], v.range(n)
    if has is not BIG and has <= 64 and (known.negative or known.high < 1 << 63):
        return v.word(n, 64)
    return v.let("big_count", 64, v.big(n))


def _masked(v: ValueMap, count: Operand, bits: int) -> Operand:
    return v.let("and", bits, v.resize(count, bits, False), Const(bits, bits - 1))


def _wide(v: ValueMap, x: Value, bits: int) -> int:
    """The width in which x is shifted right: it holds all of x and of the result."""
    has, whole = v.containers[x], width_for(v.known(x))
    if x in v.constants and whole is not None:
        return max(bits, whole)
    return bits if has is BIG else max(has, bits)


def shift(v: ValueMap, i: Instruction) -> None:
    x, n = i.args
    known = v.known(n) if n in v.constants else v.range(n)
    bits, has = v.containers[i.result], v.containers[x]
    whole = width_for(v.known(x))
    if bits is BIG or (has is BIG and whole is None and (known.low is None or known.low < 0)):
        _shift_big(v, i, x, n)
        return
    if known.low is not None and known.low == known.high:
        v.words[i.result] = _shift_constant(v, x, known.low, bits)
        return
    count = _count(v, n)
    left = right = None
    # a count of 0 shifts right as well
    if known.high is None or known.high > 0:
        amount = _masked(v, count, bits)
        left = v.let("shl", bits, v.word(x, bits), amount)
        if known.high is None or known.high >= bits:
            inside = v.let("ult", 1, count, const(bits, 64))
            left = v.let("select", bits, inside, left, Const(bits, 0))
    if known.low is None or known.low < 0:
        right = _shift_right(v, x, count, known, bits)
    if left and right:
        sign = v.let("slt", 1, count, Const(64, 0))
        v.words[i.result] = v.let("select", bits, sign, right, left)
    else:
        v.words[i.result] = left or right


def _shift_right(v: ValueMap, x: Value, count: Operand, known: Range, bits: int) -> Operand:
    """The right shift for a negative count."""
    wide = _wide(v, x, bits)
    word, negative = v.word(x, wide), v.known(x).negative
    back = v.let("sub", 64, Const(64, 0), count)
    beyond = known.low is None or -known.low >= wide
    if beyond:
        inside = v.let("ult", 1, back, const(wide, 64))
        back = v.let("select", 64, inside, back, const(wide - 1, 64))
    right = v.let("ashr" if negative else "lshr", wide, word, _masked(v, back, wide))
    if beyond and not negative:
        right = v.let("select", wide, inside, right, Const(wide, 0))
    return v.resize(right, bits, negative)


def _shift_constant(v: ValueMap, x: Value, count: int, bits: int) -> Operand:
    if count >= 0:
        return v.let("shl", bits, v.word(x, bits), const(count, bits)) if count < bits else Const(bits, 0)
    if x in v.constants:
        return const(v.constants[x] >> -count, bits)
    wide = _wide(v, x, bits)
    negative = v.range(x).negative
    if -count >= wide and not negative:
        return Const(bits, 0)
    amount = const(min(-count, wide - 1), wide)
    return v.resize(v.let("ashr" if negative else "lshr", wide, v.word(x, wide), amount), bits, negative)


def _shift_big(v: ValueMap, i: Instruction, x: Value, n: Value) -> None:
    a, count = v.big(x), _count(v, n)
    bits = looked_at(v, i.result)
    if bits is not None:
        # x 2^bits already has zeros in all bits that are used: a longer result is not needed
        most = const(bits, 64)
        if isinstance(count, Const):
            count = min(count, most, key=lambda each: each.value)
        else:
            count = v.let("select", 64, v.let("slt", 1, count, most), count, most)
    v.define(i.result, v.builder.owned("big_shift", a, count), ANY)


def looked_at(v: ValueMap, value: Value) -> int | None:
    """How many low bits of a value its uses read; None if they may read all."""
    bits = v.containers[value]
    if bits is not BIG:
        return bits
    looked = [_looks_at(v, user, value) for user in v.users.get(value, [])]
    return None if None in looked else max(looked, default=0)


def _looks_at(v: ValueMap, user: Instruction | None, value: Value) -> int | None:
    if user is not None and user.op in ("low", "field"):
        return user.attribute
    if user is not None and user.op == "and":
        masks = [v.constants[arg] for arg in user.args if arg is not value and arg in v.constants]
        if masks and masks[0] >= 0:
            return masks[0].bit_length()
    return None


def low(v: ValueMap, i: Instruction) -> None:
    (x,), k, bits = i.args, i.attribute, v.containers[i.result]
    if bits is BIG:
        v.words[i.result] = v.builder.owned("big_low", v.big(x), attribute=k)
        return
    word = v.word(x, bits)
    v.words[i.result] = word if k >= bits else v.let("and", bits, word, const(below(k), bits))


def signed_field(v: ValueMap, i: Instruction) -> None:
    (x,), k, bits = i.args, i.attribute, v.containers[i.result]
    if bits is BIG:
        v.words[i.result] = v.builder.owned("big_field", v.big(x), attribute=k)
        return
    word = v.word(x, bits)
    if k < bits:
        up = const(bits - k, bits)
        word = v.let("ashr", bits, v.let("shl", bits, word, up), up)
    v.words[i.result] = word


def rotate(v: ValueMap, i: Instruction) -> None:
    (x, n), k = i.args, i.attribute
    if k > WIDTHS[-1]:
        _rotate_big(v, i, x, n, k)
        return
    bits = next(w for w in WIDTHS if w >= k)
    word = v.word(x, bits)
    if bits == k:
        # n modulo 2^k is enough, because k divides 2^k
        turned = v.let("rotl", k, word, v.word(n, k))
    else:
        mask = const(below(k), bits)
        word = v.let("and", bits, word, mask)
        count = _turns(v, n, k, bits)
        left = v.let("shl", bits, word, count)
        right = v.let("lshr", bits, word, v.let("sub", bits, const(k, bits), count))
        turned = v.let("and", bits, v.let("or", bits, left, right), mask)
    v.define(i.result, turned, Range(0, below(k)))


def _turns(v: ValueMap, n: Value, k: int, bits: int) -> Operand:
    """n mod k, which is less than bits."""
    if n in v.constants:
        return const(v.constants[n] % k, bits)
    wide = width_for(v.known(n), Range(-k, k))
    if wide is None:
        turns = v.builder.owned("big_divide", v.big(n), Const(BIG, k), attribute="fmod")
        return v.resize(v.let("of_small", 64, turns), bits, False)
    return v.resize(divide(v, "fmod", wide, v.word(n, wide), const(k, wide), True), bits, False)


def _rotate_big(v: ValueMap, i: Instruction, x: Value, n: Value, k: int) -> None:
    owned = v.builder.owned
    word = owned("big_low", v.big(x), attribute=k)
    count = _turns(v, n, k, 64)
    left = owned("big_low", owned("big_shift", word, count), attribute=k)
    right = owned("big_shift", word, v.let("sub", 64, count, const(k, 64)))
    v.define(i.result, owned("big_logic", left, right, attribute="ior"), ANY)
