# SPDX-License-Identifier: MIT
"""What the instructions on general registers do, flags included (Intel SDM, volume 2)."""

from ..objects import GENERAL, Immediate, Register
from .state import meaning

RAX, RCX, RDX, RSP, RBP, RSI, RDI = (
    Register(name) for name in ("rax", "rcx", "rdx", "rsp", "rbp", "rsi", "rdi")
)
# the same by width
LOW = {8: Register("al"), 16: Register("ax"), 32: Register("eax"), 64: RAX}
HIGH = {8: Register("ah"), 16: Register("dx"), 32: Register("edx"), 64: RDX}


def sources(m, i):
    """Both operands, the second as wide as the first: immediates are extended by their sign."""
    first = m.read(i.operands[0], i)
    return first, m.read(i.operands[1], i, m.ops.width(first))


def sum_flags(m, a, b, result):
    """of and af of a + b: signs that agree, and the result's does not; a carry out of bit 3."""
    ops = m.ops
    m.set_flags(
        of=ops.top(ops.and_(ops.xor(a, result), ops.xor(b, result))),
        af=ops.bit(ops.xor(ops.xor(a, b), result), 4),
    )
    m.result_flags(result)


def difference_flags(m, a, b, result):
    ops = m.ops
    m.set_flags(
        of=ops.top(ops.and_(ops.xor(a, b), ops.xor(a, result))),
        af=ops.bit(ops.xor(ops.xor(a, b), result), 4),
    )
    m.result_flags(result)


@meaning("add", "adc")
def add(m, i):
    a, b = sources(m, i)
    carry = m.flag("cf") if i.mnemonic == "adc" else m.ops.const(1, 0)
    result, carry = m.ops.add_carry(a, b, carry)
    m.set_flags(cf=carry)
    sum_flags(m, a, b, result)
    m.write(i.operands[0], result, i)


@meaning("sub", "sbb", "cmp")
def sub(m, i):
    a, b = sources(m, i)
    borrow = m.flag("cf") if i.mnemonic == "sbb" else m.ops.const(1, 0)
    result, borrow = m.ops.sub_borrow(a, b, borrow)
    m.set_flags(cf=borrow)
    difference_flags(m, a, b, result)
    if i.mnemonic != "cmp":
        m.write(i.operands[0], result, i)


@meaning("adcx", "adox")
def add_one_flag(m, i):
    flag = "cf" if i.mnemonic == "adcx" else "of"
    result, carry = m.ops.add_carry(*sources(m, i), m.flag(flag))
    m.set_flags(**{flag: carry})
    m.write(i.operands[0], result, i)


@meaning("inc", "dec")
def step(m, i):
    a = m.read(i.operands[0], i)
    one = m.ops.const(m.ops.width(a), 1)
    if i.mnemonic == "inc":
        result = m.ops.add(a, one)
        sum_flags(m, a, one, result)
    else:
        result = m.ops.sub(a, one)
        difference_flags(m, a, one, result)
    m.write(i.operands[0], result, i)


@meaning("neg")
def neg(m, i):
    a = m.read(i.operands[0], i)
    zero = m.ops.const(m.ops.width(a), 0)
    result = m.ops.neg(a)
    m.set_flags(cf=m.ops.ne(a, 0))
    difference_flags(m, zero, a, result)
    m.write(i.operands[0], result, i)


@meaning("not")
def invert(m, i):
    m.write(i.operands[0], m.ops.not_(m.read(i.operands[0], i)), i)


@meaning("and", "or", "xor", "test")
def logic(m, i):
    ops = m.ops
    operation = {"and": ops.and_, "test": ops.and_, "or": ops.or_, "xor": ops.xor}[i.mnemonic]
    result = operation(*sources(m, i))
    m.set_flags(cf=ops.const(1, 0), of=ops.const(1, 0))
    m.result_flags(result)
    m.undefine("af")
    if i.mnemonic != "test":
        m.write(i.operands[0], result, i)


@meaning("andn")
def and_not(m, i):
    to, a, b = i.operands
    result = m.ops.and_(m.ops.not_(m.read(a, i)), m.read(b, i))
    m.set_flags(cf=m.ops.const(1, 0), of=m.ops.const(1, 0))
    m.result_flags(result)
    m.undefine("af", "pf")
    m.write(to, result, i)


@meaning("mov", "movabs", "movzx")
def mov(m, i):
    to, source = i.operands
    value = m.read(source, i, to.bits if isinstance(source, Immediate) else None)
    m.write(to, m.ops.zext(value, to.bits) if i.mnemonic == "movzx" else value, i)


@meaning("movsx", "movsxd")
def mov_signed(m, i):
    m.write(i.operands[0], m.ops.sext(m.read(i.operands[1], i), i.operands[0].bits), i)


@meaning("cdqe")
def cdqe(m, i):
    m.write(RAX, m.ops.sext(m.read(LOW[32], i), 64), i)


@meaning("cqo")
def cqo(m, i):
    m.write(RDX, m.ops.ashr(m.read(RAX, i), 63), i)


@meaning("xchg")
def xchg(m, i):
    a, b = (m.read(operand, i) for operand in i.operands)
    m.write(i.operands[0], b, i)
    m.write(i.operands[1], a, i)


@meaning("lea")
def lea(m, i):
    m.write(i.operands[0], m.ops.trunc(m.address(i.operands[1], i), i.operands[0].bits), i)


@meaning("mul")
def mul(m, i):
    width = i.operands[0].bits
    low, high = m.ops.mul_wide(m.read(LOW[width], i), m.read(i.operands[0], i))
    overflow = m.ops.ne(high, 0)
    m.set_flags(cf=overflow, of=overflow)
    m.undefine("zf", "sf", "pf", "af")
    m.write(LOW[width], low, i)
    m.write(HIGH[width], high, i)


@meaning("mulx")
def mulx(m, i):
    high_to, low_to, source = i.operands
    low, high = m.ops.mul_wide(m.read(RDX, i), m.read(source, i))
    m.write(low_to, low, i)  # if both are one register, the upper half stays
    m.write(high_to, high, i)


@meaning("imul")
def imul(m, i):
    ops = m.ops
    factors = i.operands[-2:]
    a = m.read(factors[0], i)
    low, high = ops.mul_wide(a, m.read(factors[1], i, ops.width(a)), signed=True)
    overflow = ops.ne(high, ops.ashr(low, ops.width(low) - 1))
    m.set_flags(cf=overflow, of=overflow)
    m.undefine("zf", "sf", "pf", "af")
    m.write(i.operands[0], low, i)


@meaning("div")
def div(m, i):
    ops = m.ops
    width = i.operands[0].bits
    divisor = m.read(i.operands[0], i)
    high = m.read(HIGH[width], i)
    m.assume(ops.ult(high, divisor), "the quotient overflows")
    wide = ops.zext(divisor, 2 * width)
    dividend = ops.concat([m.read(LOW[width], i), high])
    quotient = ops.udiv(dividend, wide)
    m.write(LOW[width], ops.trunc(quotient, width), i)
    m.write(HIGH[width], ops.trunc(ops.sub(dividend, ops.mul(quotient, wide)), width), i)
    m.undefine("cf", "of", "zf", "sf", "pf", "af")


def shift_count(m, i):
    """How far, of one width with the operand: modulo 64 or 32; and whether by anything at all."""
    ops = m.ops
    width = i.operands[0].bits
    count = ops.and_(m.read(i.operands[-1], i, 8), 63 if width == 64 else 31)
    return ops.zext(count, width) if width > 8 else count, ops.ne(count, 0)


def keep_unless(m, moved, **values):
    """Sets flags where anything was shifted; elsewhere they are as before."""
    for name, value in values.items():
        m.put("flag", name, m.ops.select(moved, value, m.get("flag", name)))
        m.put("defined", name, m.ops.or_(moved, m.get("defined", name)))


@meaning("shl", "shr", "sar")
def shift(m, i):
    ops = m.ops
    a = m.read(i.operands[0], i)
    width = ops.width(a)
    count, moved = shift_count(m, i)
    before = ops.and_(ops.sub(count, 1), width - 1)
    if i.mnemonic == "shl":
        result = ops.shl(a, count)
        carry = ops.top(ops.shl(a, before))
        overflow = ops.xor(ops.top(result), carry)
    elif i.mnemonic == "shr":
        result = ops.lshr(a, count)
        carry = ops.bit(ops.lshr(a, before), 0)
        overflow = ops.top(a)
    else:
        result = ops.ashr(a, count)
        carry = ops.bit(ops.ashr(a, before), 0)
        overflow = ops.const(1, 0)
    old = {name: m.get("flag", name) for name in ("zf", "sf", "pf")}
    known = {name: m.get("defined", name) for name in old}
    m.result_flags(result)
    for name in old:
        m.put("flag", name, ops.select(moved, m.get("flag", name), old[name]))
        m.put("defined", name, ops.or_(moved, known[name]))
    keep_unless(m, moved, cf=carry, of=overflow)
    m.undefine("af", when=moved)
    m.undefine("of", when=ops.and_(moved, ops.ne(count, 1)))
    m.write(i.operands[0], result, i)


@meaning("shld")
def shld(m, i):
    ops = m.ops
    a, b = m.read(i.operands[0], i), m.read(i.operands[1], i)
    width = ops.width(a)
    by = i.operands[2].value & 63
    if not 0 < by < width:
        raise ValueError(f"a double shift by {by} at {i}")
    result = ops.or_(ops.shl(a, by), ops.lshr(b, width - by))
    m.set_flags(cf=ops.bit(a, width - by), of=ops.xor(ops.top(result), ops.top(a)))
    m.result_flags(result)
    m.undefine("af", *(["of"] if by > 1 else []))
    m.write(i.operands[0], result, i)


@meaning("rol", "ror")
def rotate(m, i):
    ops = m.ops
    a = m.read(i.operands[0], i)
    width = ops.width(a)
    count, moved = shift_count(m, i)
    if isinstance(i.operands[1], Immediate):
        count = i.operands[1].value & (63 if width == 64 else 31)
        if not 0 < count < width:
            raise ValueError(f"a rotation by {count} at {i}")
        back = width - count
    elif width < 32:
        raise ValueError(f"a rotation of {width} bits by a register at {i}")
    else:
        back = ops.and_(ops.neg(count), width - 1)
    left, right = (count, back) if i.mnemonic == "rol" else (back, count)
    result = ops.or_(ops.shl(a, left), ops.lshr(a, right))
    carry, other = ops.bit(result, 0), ops.top(result)
    if i.mnemonic == "ror":
        carry, other = other, ops.bit(result, width - 2)
    keep_unless(m, moved, cf=carry, of=ops.xor(carry, other))
    m.undefine("of", when=ops.ne(m.read(i.operands[1], i, 8), 1))
    m.write(i.operands[0], result, i)


@meaning("rorx")
def rorx(m, i):
    ops = m.ops
    to, source, count = i.operands
    a = m.read(source, i)
    by = count.value & (ops.width(a) - 1)
    result = ops.or_(ops.lshr(a, by), ops.shl(a, ops.width(a) - by)) if by else a
    m.write(to, result, i)


@meaning("shlx", "shrx", "sarx")
def shift_without_flags(m, i):
    ops = m.ops
    a = m.read(i.operands[1], i)
    count = ops.and_(m.read(i.operands[2], i), ops.width(a) - 1)
    operation = {"shlx": ops.shl, "shrx": ops.lshr, "sarx": ops.ashr}[i.mnemonic]
    m.write(i.operands[0], operation(a, count), i)


@meaning("bsr")
def bsr(m, i):
    ops = m.ops
    a = m.read(i.operands[1], i)
    m.assume(ops.ne(a, 0), "the highest bit of 0 is undefined")
    found = ops.const(ops.width(a), 0)
    for index in range(1, ops.width(a)):
        found = ops.select(ops.bit(a, index), ops.const(ops.width(a), index), found)
    m.set_flags(zf=ops.const(1, 0))
    m.undefine("cf", "of", "sf", "pf", "af")
    m.write(i.operands[0], found, i)


@meaning("clc")
def clc(m, i):
    m.set_flags(cf=m.ops.const(1, 0))


@meaning("nop", "endbr64")
def nothing(m, i):
    pass


@meaning("push")
def push(m, i):
    m.push(m.read(i.operands[0], i, 64))


@meaning("pop")
def pop(m, i):
    m.write(i.operands[0], m.pop(), i)


@meaning("leave")
def leave(m, i):
    m.write(RSP, m.read(RBP, i), i)
    m.write(RBP, m.pop(), i)


@meaning("jmp")
def jmp(m, i):
    m.jump(m.read(i.operands[0], i, 64))


@meaning("call")
def call(m, i):
    target = m.read(i.operands[0], i, 64)
    m.push(m.ops.const(64, i.end))
    m.jump(target)


@meaning("ret")
def ret(m, i):
    m.jump(m.pop())


@meaning("ud2")
def ud2(m, i):
    m.assume(m.ops.const(1, 0), "the compiler's trap")
    m.jump(m.ops.const(64, i.address))


@meaning("rep stosq", "rep movsq")
def repeat(m, i):
    """One step, if any is left, and a branch back; the direction is up, as the ABI has it."""
    ops = m.ops
    left = m.read(RCX, i)
    any_left = ops.ne(left, 0)
    one = ops.zext(any_left, 64)
    if i.mnemonic == "rep stosq":
        value = ops.splat(m.read(RAX, i), 1)
    else:
        value = m.load_lanes(m.read(RSI, i), 64, any_left)
        m.write(RSI, ops.add(m.read(RSI, i), ops.shl(one, 3)), i)
    m.store_lanes(m.read(RDI, i), 64, any_left, value)
    m.write(RDI, ops.add(m.read(RDI, i), ops.shl(one, 3)), i)
    left = ops.sub(left, one)
    m.write(RCX, left, i)
    m.branch(ops.ne(left, 0), i.address)


@meaning("jrcxz")
def jrcxz(m, i):
    m.branch(m.ops.eq(m.get("general", GENERAL["rcx"]), 0), i.operands[0].value)


def _either(m, *names):
    value = m.flag(names[0])
    for name in names[1:]:
        value = m.ops.or_(value, m.flag(name))
    return value


def _less(m):
    return m.ops.xor(m.flag("sf"), m.flag("of"))


CONDITIONS = {
    "o": lambda m: m.flag("of"),
    "b": lambda m: m.flag("cf"),
    "e": lambda m: m.flag("zf"),
    "be": lambda m: _either(m, "cf", "zf"),
    "s": lambda m: m.flag("sf"),
    "p": lambda m: m.flag("pf"),
    "l": _less,
    "le": lambda m: m.ops.or_(m.flag("zf"), _less(m)),
}
OPPOSITES = {"no": "o", "ae": "b", "ne": "e", "a": "be", "ns": "s", "np": "p", "ge": "l", "g": "le"}


def condition(m, name):
    return m.ops.not_(CONDITIONS[OPPOSITES[name]](m)) if name in OPPOSITES else CONDITIONS[name](m)


_ALL = [*CONDITIONS, *OPPOSITES]


@meaning(*("j" + name for name in _ALL))
def branch(m, i):
    m.branch(condition(m, i.mnemonic.removeprefix("j")), i.operands[0].value)


@meaning(*("set" + name for name in _ALL))
def set_condition(m, i):
    m.write(i.operands[0], m.ops.zext(condition(m, i.mnemonic.removeprefix("set")), 8), i)


@meaning(*("cmov" + name for name in _ALL))
def cmov(m, i):
    old, new = (m.read(operand, i) for operand in i.operands)
    m.write(i.operands[0], m.ops.select(condition(m, i.mnemonic.removeprefix("cmov")), new, old), i)
