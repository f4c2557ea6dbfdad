"""The other functions on integers: bit counts, roots, divisors, powers."""

from __future__ import annotations

from ..facts.demand import below
from ..facts.plan import ANY, Range
from ..ir.form import Instruction
from ..machine.form import BIG, const
from .checks import compare_constant, refuse
from .values import ValueMap, width_for


def counted(v: ValueMap, i: Instruction) -> None:
    """bitlen and popcount."""
    (x,) = i.args
    bits = width_for(v.known(x))
    if bits is None:
        v.define(i.result, v.let(f"big_{i.op}", 64, v.big(x)), Range(0, 1 << 40))
        return
    word = v.word(x, bits)
    if v.known(x).negative:
        word = v.let("xor", bits, word, v.let("ashr", bits, word, const(bits - 1, bits)))
    if i.op == "popcount":
        count = v.let("ctpop", bits, word)
    else:
        count = v.let("sub", bits, const(bits, bits), v.let("ctlz", bits, word))
    v.define(i.result, count, Range(0, bits))


def isqrt(v: ValueMap, i: Instruction) -> None:
    (x,) = i.args
    if v.known(x).negative:
        refuse(v, compare_constant(v, "lt", x, 0), "isqrt of a negative integer")
    bits = width_for(v.known(x))
    if bits is not None and bits <= 64:
        v.define(i.result, v.let("isqrt", 64, v.word(x, 64)), Range(0, below(32)))
        return
    v.define(i.result, v.builder.owned("big_isqrt", v.big(x)), ANY)


def gcd(v: ValueMap, i: Instruction) -> None:
    if not all((width_for(v.known(arg)) or 128) <= 64 for arg in i.args):
        v.define(i.result, v.builder.owned("big_gcd", *(v.big(arg) for arg in i.args)), ANY)
        return
    words = []
    for arg in i.args:
        word = v.word(arg, 64)
        if v.known(arg).negative:
            # abs(-2^63) is -2^63 as a signed word, and 2^63 as an unsigned one
            word = v.let("abs", 64, word)
        words.append(word)
    v.define(i.result, v.let("gcd", 64, *words), Range(0, below(64)))


def expt(v: ValueMap, i: Instruction) -> None:
    a, b = i.args
    if v.known(b).negative:
        refuse(v, compare_constant(v, "lt", b, 0), "expt with a negative exponent")
    bits = v.containers[i.result]
    if bits is not BIG and bits <= 64 and width_for(v.known(b)) in (8, 16, 32, 64):
        power = v.let("power", 64, v.word(a, 64), v.word(b, 64))
        v.words[i.result] = v.resize(power, bits, False)
        return
    v.define(i.result, v.builder.owned("big_expt", v.big(a), v.big(b)), ANY)
