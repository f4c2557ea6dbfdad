"""Comparisons, and checks made from them."""

from __future__ import annotations

from ..facts.plan import Range
from ..ir.form import Int, Value
from ..machine.form import BIG, SMALL_BITS, Const, Operand, Word, const
from .values import ValueMap, width_for

# What is tested whether it fits a word: by the overflow of which operation.
FITTING = {"add": "add", "sub": "sub", "mul": "mul", "neg": "sub"}


def comparison(op: str, signed: bool) -> str:
    return op if op in ("eq", "ne") else f"{'s' if signed else 'u'}{op}"


def compare(v: ValueMap, op: str, a: Value, b: Value) -> Word:
    known = [v.known(a), v.known(b)]
    if op == "eq" and (tested := is_word(v, a, b)) is not None:
        return tested
    bits = width_for(*known)
    if bits is None:
        return v.let(f"big_{op}", 1, v.big(a), v.big(b))
    signed = any(r.negative for r in known)
    return v.let(comparison(op, signed), 1, v.word(a, bits), v.word(b, bits))


def is_word(v: ValueMap, field: Value, x: Value) -> Word | None:
    """Whether x is its own field, if there is an operation for that."""
    made = v.made_by.get(field)
    if made is None or made.op != "field" or made.args[0] is not x:
        return None
    bits = made.attribute
    if v.containers[x] is BIG:
        return v.let("is_small", 1, v.big(x)) if bits == SMALL_BITS else None
    if bits not in (SMALL_BITS, 64):
        return None
    tests = []
    if bits == 64 or not _signed(v.known(x), 64):
        of = v.made_by.get(x)
        if of is None or of.op not in FITTING or not all(_signed(v.known(arg), 64) for arg in of.args):
            return None
        args = [v.word(arg, 64) for arg in of.args]
        if of.op == "neg":
            args.insert(0, Const(64, 0))
        tests.append(v.let("fits", 1, *args, attribute=FITTING[of.op]))
    if bits == SMALL_BITS:
        # a word is small if twice the word is one
        word = v.word(x, 64)
        tests.append(v.let("fits", 1, word, word, attribute="add"))
    return tests[0] if len(tests) == 1 else v.let("and", 1, *tests)


def _signed(known: Range, bits: int) -> bool:
    """Whether a signed word holds the range."""
    half = 1 << (bits - 1)
    return known.low is not None and known.high is not None and -half <= known.low and known.high < half


def compare_constant(v: ValueMap, op: str, a: Value, constant: int) -> Word:
    known = [v.known(a), Range(constant, constant)]
    bits = width_for(*known)
    if bits is None:
        return v.let(f"big_{op}", 1, v.big(a), Const(BIG, constant))
    signed = any(r.negative for r in known)
    return v.let(comparison(op, signed), 1, v.word(a, bits), const(constant, bits))


def refuse(v: ValueMap, condition: Operand, message: str) -> None:
    """Fails with the message if the condition holds."""
    v.builder.do("refuse", condition, site=v.builder.site(message))


def refuse_value(v: ValueMap, condition: Operand, message: str, value: Value) -> None:
    """The same, with an integer that is used whole as the message's operand."""
    bits = v.containers[value]
    sign = "s" if v.range(value).negative else "u"
    if bits is BIG:
        operand, kind = v.big(value), "value"
    elif bits <= 64:
        operand, kind = v.word(value, 64), f"{sign}64"
    else:
        operand, kind = v.words[value], f"{sign}128"
    v.builder.do("refuse", condition, operand, site=v.builder.site(message, kind))


def check(v: ValueMap, value: Value, type_: Int) -> None:
    """Checks that a value, which is used whole, is of the type."""
    known = v.known(value)
    for op, bound in (("lt", type_.low), ("gt", type_.high)):
        if bound is None:
            continue
        end = known.low if op == "lt" else known.high
        if end is None or (end < bound if op == "lt" else end > bound):
            message = f"{{operand}} is not of type {type_}"
            refuse_value(v, compare_constant(v, op, value, bound), message, value)
