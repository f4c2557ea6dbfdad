# SPDX-License-Identifier: MIT
"""What the instructions on lanes of integers and on masks do (Intel SDM, volume 2).

Lane 0 is the lowest.  A masked result keeps the destination's lane, or clears it, where the
mask's bit is 0.
"""

import re

from ..objects import Immediate, Memory, Register
from .state import meaning

# bits of a lane, by the letter that ends a mnemonic
LANES = {"b": 8, "w": 16, "d": 32, "q": 64}


def total(i):
    """The bits of the destination."""
    return i.operands[0].bits


def source(m, i, operand, width, bits=None):
    """A vector of so many bits: the destination's if none are given."""
    bits = bits or total(i)
    if isinstance(operand, Memory) and operand.broadcast:
        return m.ops.splat(m.read(operand, i), bits // width)
    return m.read(operand, i, bits)


def finish(m, i, width, result):
    """Writes the lanes that the mask lets through."""
    ops = m.ops
    if i.mask is not None:
        kept = ops.zero(total(i)) if i.zeroing else m.read(i.operands[0], i)
        result = ops.blend(width, ops.trunc(m.get("mask", i.mask), total(i) // width), result, kept)
    m.write(i.operands[0], result, i)


def lanewise(width, function, together=None):
    """A meaning: a function of the sources' lanes.  The SSE forms' first source is the destination.

    What is done bit by bit may be done on lanes of so many bits @together, where no mask tells them apart.
    """

    def run(m, i):
        operands = i.operands[1:] if i.vex else i.operands
        vectors = [source(m, i, operand, width) for operand in operands if not isinstance(operand, Immediate)]
        immediates = [operand.value for operand in operands if isinstance(operand, Immediate)]
        lanes = together if together and i.mask is None else width
        finish(m, i, width, m.ops.map(lanes, lambda *each: function(m.ops, *each, *immediates), *vectors))

    return run


def average(ops, a, b):
    wide = ops.add(ops.add(ops.zext(a, 17), ops.zext(b, 17)), 1)
    return ops.extract(wide, 1, 16)


def shift_each(operation):
    """Each lane by its own count; all of it out where that is not below the width."""

    def run(ops, a, count):
        width = ops.width(a)
        small = ops.ult(count, width)
        moved = getattr(ops, operation)(a, ops.and_(count, width - 1))
        return ops.select(small, moved, ops.xor(a, a))

    return run


for _letter, _width in (("d", 32), ("q", 64)):
    for _name, _function in {
        "vpadd": lambda ops, a, b: ops.add(a, b),
        "vpsub": lambda ops, a, b: ops.sub(a, b),
        "vpmaxu": lambda ops, a, b: ops.select(ops.ult(a, b), b, a),
    }.items():
        meaning(_name + _letter)(lanewise(_width, _function))
    for _name, _function in {
        "vpand": lambda ops, a, b: ops.and_(a, b),
        "vpor": lambda ops, a, b: ops.or_(a, b),
        "vpxor": lambda ops, a, b: ops.xor(a, b),
    }.items():
        meaning(_name + _letter)(lanewise(_width, _function, 64))
meaning("vpand", "pand", "vandpd")(lanewise(64, lambda ops, a, b: ops.and_(a, b)))
meaning("vpor", "por", "vorpd")(lanewise(64, lambda ops, a, b: ops.or_(a, b)))
meaning("vpxor", "pxor", "vxorpd", "vxorps")(lanewise(64, lambda ops, a, b: ops.xor(a, b)))
meaning("vpavgw")(lanewise(16, average))
meaning("vpsllvq")(lanewise(64, shift_each("shl")))
meaning("vpsrlvq")(lanewise(64, shift_each("lshr")))


@meaning("vpslld", "vpsllq", "vpsrld", "vpsrlq", "vpsraq")
def shift(m, i):
    ops, width = m.ops, LANES[i.mnemonic[-1]]
    name = {"vpsll": "shl", "vpsrl": "lshr", "vpsra": "ashr"}[i.mnemonic[:-1]]
    operation = getattr(ops, name)
    a = source(m, i, i.operands[1], width)
    count = i.operands[2]
    if isinstance(count, Immediate):
        by = min(count.value, width - 1) if name == "ashr" else count.value
        moved = ops.map(width, lambda lane: operation(lane, by % width), a)
        result = moved if by < width else ops.zero(total(i))
    else:  # the lowest 64 bits count for all lanes
        by = ops.lanes(m.read(count, i), 64)[0]
        small = ops.ult(by, width)
        each = ops.splat(ops.trunc(ops.and_(by, width - 1), width), total(i) // width)
        moved = ops.map(width, operation, a, each)
        every = ops.sext(small, total(i) // width)
        result = ops.blend(width, every, moved, ops.zero(total(i)))
    finish(m, i, width, result)


@meaning("vpmadd52luq", "vpmadd52huq")
def multiply_add_52(m, i):
    """The lower or the upper 52 bits of a product of 52 by 52, added to 64."""
    ops = m.ops
    low = 0 if i.mnemonic == "vpmadd52luq" else 52

    def lane(to, a, b):
        a, b = (ops.zext(ops.trunc(x, 52), 104) for x in (a, b))
        return ops.add(to, ops.zext(ops.extract(ops.mul(a, b), low, 52), 64))

    vectors = [source(m, i, operand, 64) for operand in i.operands]
    finish(m, i, 64, ops.map(64, lane, *vectors))


def _pairs(ops, a, b):
    """The signed products of the 16-bit halves of 32-bit lanes, added."""
    low = ops.mul(ops.sext(ops.trunc(a, 16), 32), ops.sext(ops.trunc(b, 16), 32))
    high = ops.mul(ops.ashr(a, 16), ops.ashr(b, 16))
    return ops.add(low, high)


meaning("vpmaddwd")(lanewise(32, _pairs))


@meaning("vpdpwssd")
def multiply_add_16(m, i):
    vectors = [source(m, i, operand, 32) for operand in i.operands]
    finish(m, i, 32, m.ops.map(32, lambda to, a, b: m.ops.add(to, _pairs(m.ops, a, b)), *vectors))


@meaning("vpternlogd")
def ternary(m, i):
    """Bit by bit, the table's bit at 4 a + 2 b + c, a the destination's."""
    ops, table = m.ops, i.operands[3].value
    if table == 0xFF:  # how a compiler makes ones, whatever the register holds
        return finish(m, i, 32, ops.splat(ops.const(32, -1), total(i) // 32))

    def lane(*abc):
        found = ops.xor(abc[0], abc[0])
        for row in range(8):
            if table >> row & 1:
                terms = [x if row >> (2 - at) & 1 else ops.not_(x) for at, x in enumerate(abc)]
                found = ops.or_(found, ops.and_(ops.and_(terms[0], terms[1]), terms[2]))
        return found

    return finish(m, i, 32, ops.map(32, lane, *(source(m, i, operand, 32) for operand in i.operands[:3])))


# moves


@meaning(
    *(
        "movaps",
        "movups",
        "movdqa",
        "movdqu",
        "vmovaps",
        "vmovups",
        "vmovapd",
        "vmovupd",
        "vmovdqa",
        "vmovdqu",
    ),
    *("vmovdqa32", "vmovdqa64", "vmovdqu8", "vmovdqu16", "vmovdqu32", "vmovdqu64"),
)
def move(m, i):
    ops = m.ops
    to, origin = i.operands
    bits = to.bits
    found = re.search(r"\d+$", i.mnemonic)
    width = int(found[0]) if found else 64
    memory = next((each for each in i.operands if isinstance(each, Memory)), None)
    if memory and re.match(r"v?movdqa|v?movap", i.mnemonic):
        m.assume(ops.eq(ops.and_(m.address(memory, i), bits // 8 - 1), 0), "an address is not aligned")
    if i.mask is None or not memory:
        result = m.read(origin, i, bits)
        return finish(m, i, width, result)
    chosen = ops.trunc(m.get("mask", i.mask), bits // width)
    if memory is to:
        return m.store_lanes(m.address(to, i), width, chosen, m.read(origin, i))
    return finish(m, i, width, m.load_lanes(m.address(origin, i), width, chosen))


@meaning("vmovd", "vmovq", "movq", "vmovsd", "movsd", "vmovlpd")
def move_lane(m, i):
    """The lowest lane; in a register, what is above it is cleared."""
    ops = m.ops
    to, origin = i.operands[0], i.operands[-1]
    bits = 32 if i.mnemonic == "vmovd" else 64
    if len(i.operands) == 3:  # of two registers: the upper lane is the first source's
        lanes = [ops.lanes(m.read(each, i), 64) for each in i.operands[1:]]
        return m.write(to, ops.vector([lanes[1][0], lanes[0][1]]), i)
    if isinstance(origin, Register) and origin.file == "vector":
        value = ops.lanes(m.read(origin, i), bits)[0]
    else:
        value = m.read(origin, i, bits)
    if isinstance(to, Register) and to.file == "vector":
        zeros = [ops.const(bits, 0)] * (128 // bits - 1)
        value = ops.vector([value, *zeros])
    return m.write(to, value, i)


@meaning("vpextrq")
def extract_lane(m, i):
    m.write(i.operands[0], m.ops.lanes(m.read(i.operands[1], i), 64)[i.operands[2].value & 1], i)


@meaning("vpinsrq")
def insert_lane(m, i):
    lanes = m.ops.lanes(m.read(i.operands[1], i), 64)
    lanes[i.operands[3].value & 1] = m.read(i.operands[2], i, 64)
    m.write(i.operands[0], m.ops.vector(lanes), i)


@meaning("vpbroadcastw", "vpbroadcastd", "vpbroadcastq", "vbroadcastsd")
def broadcast(m, i):
    width = 64 if i.mnemonic == "vbroadcastsd" else LANES[i.mnemonic[-1]]
    origin = i.operands[1]
    if isinstance(origin, Register) and origin.file == "vector":
        lane = m.ops.lanes(m.read(origin, i), width)[0]
    else:
        lane = m.read(origin, i, width)
    finish(m, i, width, m.ops.splat(lane, total(i) // width))


# moves between lanes


@meaning("valignq")
def align(m, i):
    """The lanes from the immediate's on, of the second source with the first above it."""
    count = total(i) // 64
    high, low = (source(m, i, operand, 64) for operand in i.operands[1:3])
    by = i.operands[3].value % count
    finish(m, i, 64, m.ops.shuffle(64, [low, high], [by + lane for lane in range(count)]))


@meaning("vpblendd", "vblendpd")
def blend(m, i):
    width = 32 if i.mnemonic == "vpblendd" else 64
    a, b = (source(m, i, operand, width) for operand in i.operands[1:3])
    count = total(i) // width
    chosen = [lane + count * (i.operands[3].value >> lane & 1) for lane in range(count)]
    finish(m, i, width, m.ops.shuffle(width, [a, b], chosen))


@meaning("vpblendvb")
def blend_by_sign(m, i):
    a, b, by = (source(m, i, operand, 8) for operand in i.operands[1:])
    finish(m, i, 8, m.ops.map(8, lambda x, y, s: m.ops.select(m.ops.slt(s, 0), y, x), a, b, by))


@meaning("vpblendmq")
def blend_by_mask(m, i):
    a, b = (source(m, i, operand, 64) for operand in i.operands[1:])
    m.write(i.operands[0], m.ops.blend(64, m.ops.trunc(m.get("mask", i.mask), total(i) // 64), b, a), i)


@meaning("vextracti128", "vextracti32x4", "vextracti64x2", "vextracti64x4")
def extract_part(m, i):
    bits = total(i)
    whole = m.read(i.operands[1], i)
    place = i.operands[2].value % (i.operands[1].bits // bits)
    m.write(i.operands[0], m.ops.part(whole, place * bits, bits), i)


@meaning("vperm2i128")
def permute_halves(m, i):
    ops, control = m.ops, i.operands[3].value
    vectors = [source(m, i, operand, 64) for operand in i.operands[1:3]]
    halves = [ops.part(vector, low, 128) for vector in vectors for low in (0, 128)]
    lanes = []
    for half in (control, control >> 4):
        lanes += ops.lanes(ops.zero(128) if half & 8 else halves[half & 3], 64)
    m.write(i.operands[0], ops.vector(lanes), i)


def _chosen(m, table, index):
    """The lane of the table, a list of a power of two, that the lowest bits of the index name."""
    ops = m.ops
    bit = 0
    while len(table) > 1:
        way = ops.bit(index, bit)
        table = [ops.select(way, odd, even) for even, odd in zip(table[::2], table[1::2], strict=True)]
        bit += 1
    return table[0]


@meaning("vpermw", "vpermt2q", "vpermi2q")
def permute_by_lanes(m, i):
    ops, width = m.ops, LANES[i.mnemonic[-1]]
    to, first, second = (source(m, i, operand, width) for operand in i.operands)
    if i.mnemonic == "vpermt2q":
        indices, tables = first, [to, second]
    elif i.mnemonic == "vpermi2q":
        indices, tables = to, [first, second]
    else:
        indices, tables = first, [second]
    table = [lane for vector in tables for lane in ops.lanes(vector, width)]
    finish(m, i, width, ops.vector([_chosen(m, table, index) for index in ops.lanes(indices, width)]))


@meaning("vpermq", "vpermpd")
def permute_four(m, i):
    """Within each 256 bits, the lanes that the immediate's pairs of bits name; or any, by a vector's."""
    if not isinstance(i.operands[2], Immediate):
        permute_by_lanes(m, i)
        return
    control = i.operands[2].value
    lanes = [lane // 4 * 4 + (control >> 2 * (lane % 4) & 3) for lane in range(total(i) // 64)]
    finish(m, i, 64, m.ops.shuffle(64, [source(m, i, i.operands[1], 64)], lanes))


@meaning("vpunpcklqdq", "vpunpckhqdq", "punpcklqdq")
def interleave(m, i):
    a, b = (source(m, i, operand, 64) for operand in i.operands[-2:])
    count = total(i) // 64
    odd = i.mnemonic == "vpunpckhqdq"
    lanes = [lane for low in range(odd, count, 2) for lane in (low, count + low)]
    finish(m, i, 64, m.ops.shuffle(64, [a, b], lanes))


@meaning("vpsrldq")
def shift_bytes(m, i):
    """By bytes, zeros from above."""
    by = min(i.operands[2].value, 16)
    vectors = [m.read(i.operands[1], i), m.ops.zero(128)]
    m.write(i.operands[0], m.ops.shuffle(8, vectors, range(by, by + 16)), i)


# comparisons

COMPARISONS = {
    "vpcmpeqd": (32, lambda ops, a, b: ops.eq(a, b)),
    "vpcmpeqq": (64, lambda ops, a, b: ops.eq(a, b)),
    "vpcmpgtb": (8, lambda ops, a, b: ops.slt(b, a)),
    "vpcmpgtq": (64, lambda ops, a, b: ops.slt(b, a)),
    "vpcmpltud": (32, lambda ops, a, b: ops.ult(a, b)),
    "vpcmpnleuq": (64, lambda ops, a, b: ops.ult(b, a)),
    "vptestnmq": (64, lambda ops, a, b: ops.eq(ops.and_(a, b), 0)),
}


@meaning(*COMPARISONS)
def compare(m, i):
    """All ones or zeros in each lane; or, to a mask, a bit for each that its own mask lets through."""
    ops = m.ops
    width, function = COMPARISONS[i.mnemonic]
    to, first, second = i.operands
    vectors = [source(m, i, operand, width, first.bits) for operand in (first, second)]
    if to.file == "vector":
        lanes = ops.map(width, lambda a, b: ops.sext(function(ops, a, b), width), *vectors)
        return m.write(to, lanes, i)
    found = ops.conditions(width, lambda a, b: function(ops, a, b), *vectors)
    if i.mask is not None:
        found = ops.and_(found, ops.trunc(m.get("mask", i.mask), ops.width(found)))
    return m.write(to, ops.zext(found, 64), i)


@meaning("vpmovq2m")
def signs_to_mask(m, i):
    found = m.ops.conditions(64, lambda a: m.ops.slt(a, 0), m.read(i.operands[1], i))
    m.write(i.operands[0], m.ops.zext(found, 64), i)


@meaning("vmovmskpd")
def signs(m, i):
    found = m.ops.conditions(64, lambda a: m.ops.slt(a, 0), m.read(i.operands[1], i))
    m.write(i.operands[0], m.ops.zext(found, i.operands[0].bits), i)


@meaning("vpmovm2q")
def mask_to_signs(m, i):
    count = total(i) // 64
    ones = m.ops.splat(m.ops.const(64, -1), count)
    chosen = m.ops.trunc(m.get("mask", i.operands[1].number), count)
    m.write(i.operands[0], m.ops.blend(64, chosen, ones, m.ops.zero(total(i))), i)


# masks


@meaning("kmovb", "kmovw", "kmovd", "kmovq")
def move_mask(m, i):
    width = LANES[i.mnemonic[-1]]
    to, origin = i.operands
    value = m.read(origin, i, width)
    wide = to.bits if isinstance(to, Register) else width
    m.write(to, m.ops.zext(value, wide), i)


@meaning("kandnq")
def mask_and_not(m, i):
    a, b = (m.read(operand, i) for operand in i.operands[1:])
    m.write(i.operands[0], m.ops.and_(m.ops.not_(a), b), i)


@meaning("kshiftrd", "kshiftrq")
def mask_shift(m, i):
    width, by = LANES[i.mnemonic[-1]], i.operands[2].value
    value = m.read(i.operands[1], i, width)
    result = m.ops.lshr(value, by) if by < width else m.ops.const(width, 0)
    m.write(i.operands[0], m.ops.zext(result, 64), i)


@meaning("vzeroupper")
def zero_upper(m, i):
    for number in range(16):
        m.put("vector", number, m.ops.extended(m.ops.part(m.get("vector", number), 0, 128), 512))
