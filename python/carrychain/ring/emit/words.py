"""Operations on words, the runtime's included: a line or two each."""

from __future__ import annotations

from ..machine.form import Lanes, Op
from .names import is_array, llvm_type, suffix
from .text import BodyText


def binary(t: BodyText, op: Op) -> None:
    a, b = op.args
    t.words[op.result] = t.let(f"{op.op} {llvm_type(op.result.type)} {t.of(a)}, {t.of(b)}")


def compared(t: BodyText, op: Op) -> None:
    a, b = op.args
    t.words[op.result] = t.let(f"icmp {op.op} {llvm_type(a.type)} {t.of(a)}, {t.of(b)}")


def resized(t: BodyText, op: Op) -> None:
    (x,) = op.args
    if op.op == "sext" and op.result.type == 128:
        t.short.add(op.result)
    t.words[op.result] = t.let(f"{op.op} {llvm_type(x.type)} {t.of(x)} to {llvm_type(op.result.type)}")


def divided(t: BodyText, op: Op) -> None:
    """A signed division: in 64 bits, if these hold both words of 128. No instruction divides longer ones.

    Only the least integer's quotient by -1 does not fit. The remainder by -1 is that by 1, which is 0.
    """
    a, b = op.args
    if op.result.type != 128 or not all(map(t.is_short, op.args)):
        binary(t, op)
        return
    x, y = (t.let(f"trunc i128 {t.of(arg)} to i64") for arg in (a, b))
    negates = t.let(f"icmp eq i64 {y}, -1")
    found = t.let(f"{op.op} i64 {x}, {t.let(f'select i1 {negates}, i64 1, i64 {y}')}")
    found = t.let(f"sext i64 {found} to i128")
    if op.op == "sdiv":
        found = t.let(f"select i1 {negates}, i128 {t.let(f'sub i128 0, {t.of(a)}')}, i128 {found}")
    t.words[op.result] = found


def rotated(t: BodyText, op: Op) -> None:
    (x, n), name = map(t.of, op.args), llvm_type(op.result.type)
    t.words[op.result] = t.let(
        f"call {name} @llvm.fshl.{suffix(op.result.type)}({name} {x}, {name} {x}, {name} {n})"
    )


def intrinsic(t: BodyText, op: Op) -> None:
    name = llvm_type(op.result.type)
    args = ", ".join(f"{name} {t.of(arg)}" for arg in op.args)
    # false: the result is defined for 0 (ctlz), and for the least integer (abs)
    told = ", i1 false" if op.op in ("abs", "ctlz") else ""
    t.words[op.result] = t.let(f"call {name} @llvm.{op.op}.{suffix(op.result.type)}({args}{told})")


def fitting(t: BodyText, op: Op) -> None:
    name = llvm_type(op.args[0].type)
    args = ", ".join(f"{name} {t.of(arg)}" for arg in op.args)
    over = f"@llvm.s{op.attribute}.with.overflow.{suffix(op.args[0].type)}"
    pair = t.let(f"call {{{name}, i1}} {over}({args})")
    over = t.let(f"extractvalue {{{name}, i1}} {pair}, 1")
    t.words[op.result] = t.let(f"xor i1 {over}, true")


def hidden(t: BodyText, op: Op) -> None:
    if isinstance(op.result.type, Lanes):
        # unlike asm, the fence takes vectors of any length, but only of floats
        name, floats = llvm_type(op.result.type), op.result.type.count * op.result.type.of // 32
        seen = f"<{floats} x float>"
        x = t.let(f"bitcast {name} {t.of(op.args[0])} to {seen}")
        x = t.let(f"call {seen} @llvm.arithmetic.fence.v{floats}f32({seen} {x})")
        t.words[op.result] = t.let(f"bitcast {seen} {x} to {name}")
        return
    name = f"i{op.result.type}"
    asm = f'call {name} asm "", "=r,0"({name} {t.of(op.args[0])}) nounwind memory(none)'
    t.words[op.result] = t.let(asm)


def assumed(t: BodyText, op: Op) -> None:
    t.add(f"call void @llvm.assume(i1 {t.of(op.args[0])})")


def of_runtime(t: BodyText, op: Op) -> None:
    args = ", ".join(f"i64 {t.of(arg)}" for arg in op.args)
    t.words[op.result] = t.let(f"call i64 @ring_{op.op}_word({args})")


def selected(t: BodyText, op: Op) -> None:
    condition, a, b = op.args
    if is_array(op.result.type):
        parts = zip(("ptr", "ptr", "i64"), t.parts(a), t.parts(b), strict=True)
        t.arrays[op.result] = tuple(
            t.let(f"select i1 {t.of(condition)}, {kind} {x}, {kind} {y}") for kind, x, y in parts
        )
        return
    name, test = llvm_type(op.result.type), llvm_type(condition.type)
    t.words[op.result] = t.let(f"select {test} {t.of(condition)}, {name} {t.of(a)}, {name} {t.of(b)}")


EMITTED = {
    **dict.fromkeys(("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"), binary),
    **dict.fromkeys(("udiv", "urem"), binary),
    **dict.fromkeys(("sdiv", "srem"), divided),
    **dict.fromkeys(("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"), compared),
    **dict.fromkeys(("zext", "sext", "trunc"), resized),
    **dict.fromkeys(("umin", "smin", "smax", "ctpop", "ctlz", "bswap", "abs"), intrinsic),
    **dict.fromkeys(("isqrt", "gcd", "power"), of_runtime),
    "rotl": rotated,
    "fits": fitting,
    "hide": hidden,
    "assume": assumed,
    "select": selected,
}
