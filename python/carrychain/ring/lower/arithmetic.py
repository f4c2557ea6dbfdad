"""Sums, products, logical operators and divisions."""

from __future__ import annotations

from ..facts import transfer
from ..facts.plan import ANY, Range
from ..ir.form import Instruction, Value
from ..machine.form import BIG, Const, Operand, const
from ..machine.logic import logic_of
from .checks import compare_constant, refuse
from .values import ValueMap, width_for

ZERO = Const(BIG, 0)


def arithmetic(v: ValueMap, i: Instruction) -> None:
    bits = v.containers[i.result]
    op = "sub" if i.op == "neg" else i.op
    if bits is BIG:
        args = [v.big(arg) for arg in i.args]
        if i.op == "neg":
            args.insert(0, ZERO)
        v.words[i.result] = v.builder.owned(f"big_{op}", *args)
        return
    args = [v.word(arg, bits) for arg in i.args]
    if i.op == "neg":
        args.insert(0, Const(bits, 0))
    v.words[i.result] = v.let(op, bits, *args, attribute=_exact(v, i, bits))


def _exact(v: ValueMap, i: Instruction, bits: int) -> str | None:
    """The reading, "u" or "s", in which a sum with a constant cannot overflow; None if there is none.

    It does not even if a check before it in the block fails: bounds checks are combined, and then sums are
    computed before them.
    """
    if i.op not in ("add", "sub") or bits > 64:
        return None
    values = [arg for arg in i.args if arg not in v.constants]
    if len(values) != 1 or (i.op == "sub" and i.args[0] is not values[0]):
        return None
    (value,) = values
    whole = transfer.BINARY[i.op](*(v.known_before_checks(arg) for arg in i.args))
    known = [whole, v.range(i.result), *(v.known(arg) for arg in i.args)]
    fits = width_for(*known)
    if fits is None or fits > bits or not v.is_exact(value) or not v.is_exact(i.result):
        return None
    return "s" if any(r.negative for r in known) else "u"


def logic(v: ValueMap, i: Instruction) -> None:
    bits = v.containers[i.result]
    if bits is BIG:
        v.words[i.result] = v.builder.owned("big_logic", *(v.big(arg) for arg in i.args), attribute=i.op)
    else:
        v.words[i.result] = logic_of(
            i.op, *(v.word(arg, bits) for arg in i.args), Const(bits, 0), Const(bits, -1),
            lambda name, x, y: v.let(name, bits, x, y),
        )  # fmt: skip


def division(v: ValueMap, i: Instruction) -> None:
    a, b = i.args
    x, y = v.known(a), v.known(b)
    if 0 in y:
        refuse(v, compare_constant(v, "eq", b, 0), "division by zero")
    widths = division_widths(v, i, x, y)
    bits = width_for(*widths)
    if bits is None:
        v.define(i.result, v.builder.owned("big_divide", v.big(a), v.big(b), attribute=i.op), ANY)
        return
    signed = any(r.negative for r in widths)
    found = divide(v, i.op, bits, v.word(a, bits), v.word(b, bits), signed)
    v.define(i.result, found, Range(-1 if signed else 0, None))


def division_widths(v: ValueMap, i: Instruction, x: Range, y: Range) -> list[Range]:
    """The ranges that must fit the word in which x is divided by y."""
    result, widths = v.range(i.result), [x, y]
    if None not in (x.low, x.high, y.low, y.high):
        if result.low is not None and result.high is not None:
            widths.append(result)
        if x.negative and y.low <= -1 <= y.high:
            # the quotient by -1 must fit, or the processor traps
            widths.append(Range(-x.high, -x.low))
        if i.op == "crem":
            # the remainder's sign is opposite to the divisor's, even if that is always 0 and refused
            most = max(abs(y.low), abs(y.high), 1)
            widths.append(Range(-most, most))
    return widths


def divide(v: ValueMap, op: str, bits: int, a: Operand, b: Operand, signed: bool) -> Operand:
    kind = "s" if signed else "u"
    if op == "tdiv" or (op == "fdiv" and not signed):
        return v.let(f"{kind}div", bits, a, b)
    if op == "trem" or (op == "fmod" and not signed):
        return v.let(f"{kind}rem", bits, a, b)
    # truncation is wrong if there is a remainder, and its sign differs from the divisor's (for floor) or
    # agrees with it (for ceiling)
    zero = Const(bits, 0)
    rest = v.let(f"{kind}rem", bits, a, b)
    wrong = v.let("ne", 1, rest, zero)
    if signed:
        signs = v.let("xor", bits, rest, b)
        wrong = v.let("and", 1, wrong, v.let("slt" if op in ("fdiv", "fmod") else "sge", 1, signs, zero))
    if op in ("fmod", "crem"):
        other = v.let("add" if op == "fmod" else "sub", bits, rest, b)
        return v.let("select", bits, wrong, other, rest)
    quotient = v.let(f"{kind}div", bits, a, b)
    other = v.let("sub" if op == "fdiv" else "add", bits, quotient, const(1, bits))
    return v.let("select", bits, wrong, other, quotient)


def constant(v: ValueMap, i: Instruction) -> None:
    bits = 1 if i.result not in v.constants else v.containers[i.result]
    v.words[i.result] = Const(BIG, i.attribute) if bits is BIG else const(int(i.attribute), bits)


def inverted(v: ValueMap, i: Instruction) -> None:
    v.words[i.result] = v.let("xor", 1, v.words[i.args[0]], Const(1, -1))


def selected(v: ValueMap, i: Instruction) -> None:
    condition, a, b = i.args
    if i.result in v.containers:
        x, y = v.passed(a, i.result), v.passed(b, i.result)
    else:
        x, y = v.words[a], v.words[b]
    v.words[i.result] = v.let("select", x.type, v.words[condition], x, y)


def same(v: ValueMap, value: Value, as_: Value) -> None:
    v.words[as_] = v.passed(value, as_)
