# SPDX-License-Identifier: MIT
"""What the instructions on doubles do, rounding as mxcsr says (IEEE 754; Intel SDM, volume 2).

No operand is a NaN: which of two comes out is not written down here.  Denormals are kept, and no
exception is unmasked: mxcsr may change the rounding's mode only.
"""

import re

from ..objects import Memory
from .state import meaning
from .vector import finish, source

EXPONENT = 0x7FF << 52
# mxcsr's bits that may change, and what the others are; the flags of exceptions are not followed
ROUNDING, OTHERS, RAISED = 3 << 13, 0x1F80, 0x3F


def numbers(m, *vectors):
    """No lane of these is a NaN."""
    ops = m.ops
    for vector in vectors:
        found = ops.conditions(64, lambda a: ops.ult(infinity(ops, a), ops.and_(a, (1 << 63) - 1)), vector)
        m.assume(ops.eq(found, 0), "an operand is not a number")


def infinity(ops, a):
    """Infinity, as wide as the lane."""
    return ops.or_(ops.xor(a, a), EXPONENT)


def packed(m, i, name, operands):
    vectors = [source(m, i, operand, 64) for operand in operands]
    numbers(m, *vectors)
    finish(m, i, 64, m.ops.map(64, getattr(m.ops, name), *vectors))


def lowest(m, operand, i):
    """The lowest lane of a vector, or a double in memory, as a vector of 128 bits."""
    if isinstance(operand, Memory):
        return m.ops.vector([m.read(operand, i, 64), m.ops.const(64, 0)])
    return m.read(operand, i, 128)


OPERATIONS = {"vadd": "fadd", "vsub": "fsub", "vmul": "fmul", "vdiv": "fdiv"}


@meaning(*(name + "pd" for name in OPERATIONS))
def arithmetic(m, i):
    packed(m, i, OPERATIONS[i.mnemonic[:-2]], i.operands[1:])


@meaning(*(name + "sd" for name in OPERATIONS))
def arithmetic_lowest(m, i):
    """Above it, the first source's."""
    ops = m.ops
    a, b = (lowest(m, operand, i) for operand in i.operands[1:])
    a_low, b_low = (ops.vector([ops.lanes(x, 64)[0]] * 2) for x in (a, b))
    numbers(m, a_low, b_low)
    result = ops.map(64, getattr(ops, OPERATIONS[i.mnemonic[:-2]]), a_low, b_low)
    m.write(i.operands[0], ops.vector([ops.lanes(result, 64)[0], ops.lanes(a, 64)[1]]), i)


@meaning(
    *(
        f"{name}{order}pd"
        for name in ("vfmadd", "vfmsub", "vfnmadd", "vfnmsub")
        for order in ("132", "213", "231")
    )
)
def fused(m, i):
    """A product and a sum, rounded once: the order's digits say which operand is which factor."""
    ops = m.ops
    negated, subtracted, order = re.match(r"vf(n?)m(add|sub)(\d+)pd", i.mnemonic).groups()
    vectors = [source(m, i, operand, 64) for operand in i.operands]
    numbers(m, *vectors)
    a, b, c = (vectors[int(digit) - 1] for digit in order)
    if negated:
        a = ops.map(64, lambda x: ops.xor(x, 1 << 63), a)
    if subtracted == "sub":
        c = ops.map(64, lambda x: ops.xor(x, 1 << 63), c)
    finish(m, i, 64, ops.map(64, ops.fma, a, b, c))


@meaning("vroundpd", "vrndscalepd")
def round_to_integer(m, i):
    """To the nearest, ties to even: the other ways are not written down."""
    if i.operands[2].value not in (0, 8):
        raise ValueError(f"a way to round that has no meaning here: {i}")
    packed(m, i, "froundeven", i.operands[1:2])


@meaning("cvtsi2sd", "vcvtsi2sd", "vcvtusi2sd")
def from_integer(m, i):
    ops = m.ops
    convert = ops.from_unsigned if i.mnemonic == "vcvtusi2sd" else ops.from_signed
    value = convert(m.read(i.operands[-1], i))
    upper = ops.lanes(m.read(i.operands[-2], i, 128), 64)[1]
    m.write(i.operands[0], ops.vector([value, upper]), i)


@meaning("vcvtqq2pd")
def from_integers(m, i):
    vector = source(m, i, i.operands[1], 64)
    finish(m, i, 64, m.ops.map(64, m.ops.from_signed, vector))


def fits(m, vector):
    """Every lane is below 2^62 in absolute value, and so a number that has an integer of 64 bits."""
    ops = m.ops
    limit = 0x43D0000000000000

    def lane(a):
        return ops.ult(ops.and_(a, (1 << 63) - 1), limit)

    found = ops.conditions(64, lambda a: ops.not_(lane(a)), vector)
    m.assume(ops.eq(found, 0), "a double is too large for an integer")


@meaning("vcvtpd2qq")
def to_integers(m, i):
    vector = source(m, i, i.operands[1], 64)
    fits(m, vector)
    finish(m, i, 64, m.ops.map(64, m.ops.to_signed, vector))


@meaning("cvttsd2si")
def truncated(m, i):
    vector = lowest(m, i.operands[1], i)
    vector = m.ops.splat(m.ops.lanes(vector, 64)[0], 2)
    fits(m, vector)
    result = m.ops.map(64, m.ops.to_signed_truncated, vector)
    m.write(i.operands[0], m.ops.lanes(result, 64)[0], i)


@meaning("ldmxcsr", "vldmxcsr")
def load_mode(m, i):
    ops = m.ops
    value = m.read(i.operands[0], i, 32)
    m.assume(ops.eq(ops.and_(value, ~(ROUNDING | RAISED)), OTHERS), "more than the rounding changes")
    m.put("mxcsr", 0, ops.zext(value, 64))
    ops.set_rounding(ops.extract(value, 13, 2))


@meaning("stmxcsr", "vstmxcsr")
def store_mode(m, i):
    m.write(i.operands[0], m.ops.trunc(m.get("mxcsr", 0), 32), i)
