"""Words: each pattern of trust/patterns.py yields what its instruction yields, whenever it is accepted.

Patterns are read from their table, as bit vectors. Divisions are proven for 8-bit words, for which z3
divides, and for unbounded integers: there, quotient and remainder are any numbers with a = q b + r, |r| <
|b|, and r of a's sign. Each condition is omitted in turn, and the claim must then be refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import z3

from ..machine.form import WIDTHS
from ..trust import patterns
from ..trust.patterns import COUNT, SHIFTS, Shift, Tree
from . import Unproven

THEOREM = """words: the operations on words that are taken for a division, a count, a field, a rotation
  or a shift by any number come to what it yields, under the conditions that are asked for"""
SIGNS = {"s": "signed", "u": "unsigned"}


def _named(case: Shift) -> str:
    ways = " and ".join(way for way, there in (("left", case.left), ("right", case.right)) if there)
    tested = f", {'left ' * case.left_tested}{'right ' * case.right_tested}tested"
    tree = case.tree[2] if case.left and case.right else case.tree
    size = {"trunc": " of a wider word", "zext": " of a narrower word", "sext": " of a narrower word"}
    name = f"shift{size.get(tree[0], '') if case.right else ''} to the {ways}"
    return f"{name}{tested * (case.left_tested or case.right_tested)}{', signed' * case.signed}"


STATED = {
    **{
        f"{op} of {SIGNS[sign]} words": f"{op} of {SIGNS[sign]} words"
        for (op, sign), trees in (*patterns.DIVISION.items(), *patterns.COUNTS.items())
        if trees
    },
    "field": r"field \d+ of",
    "rotl": r"rotl \d+ in",
    "a count that is cut": "a count that is cut",
    **{name: f"{name}: " for name in map(_named, SHIFTS)},
}

Bindings = dict[str, z3.BitVecRef]

BITWISE: dict[str, Callable] = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "and": lambda x, y: x & y, "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y, "shl": lambda x, y: x << y, "lshr": z3.LShR, "ashr": lambda x, y: x >> y,
    "udiv": z3.UDiv, "urem": z3.URem, "sdiv": lambda x, y: x / y, "srem": z3.SRem,
}  # fmt: skip
COMPARED: dict[str, Callable] = {
    "ne": lambda x, y: x != y, "slt": lambda x, y: x < y, "sge": lambda x, y: x >= y, "ult": z3.ULT,
}  # fmt: skip


def widths(bounded: bool) -> tuple[int, ...]:
    return (8, 32) if bounded else WIDTHS


def _size(tree: Tree, env: Bindings) -> int | None:
    """The tree's width, if its operands determine it."""
    if isinstance(tree, str):
        return env[tree].size()
    if isinstance(tree, int) or tree[0] in ("as", "trunc", "zext", "sext"):
        return None
    return next((size for arg in tree[1:] if (size := _size(arg, env)) and arg[0] not in COMPARED), None)


def word(tree: Tree, env: Bindings, size: int):
    """The tree as a word of `size` bits, or as a truth value."""
    if isinstance(tree, str):
        return env[tree]
    if isinstance(tree, int):
        return z3.BitVecVal(tree, size)
    op, *args = tree
    if op == "as":
        return _resized(word(args[0], env, COUNT), size, False)
    if op in ("trunc", "zext", "sext"):
        return _resized(word(args[0], env, _size(args[0], env)), size, op == "sext")
    if op == "select":
        return z3.If(*(word(arg, env, size) for arg in args))
    if op == "and" and isinstance(args[0], tuple) and args[0][0] in COMPARED:
        return z3.And(*(word(arg, env, size) for arg in args))
    if op in COMPARED:
        size = next(found for arg in args if (found := _size(arg, env)))
        return COMPARED[op](*(word(arg, env, size) for arg in args))
    if op in ("ctlz", "ctpop"):
        return (_zeros if op == "ctlz" else _ones)(word(args[0], env, size))
    return BITWISE[op](*(word(arg, env, size) for arg in args))


def _resized(x, size: int, signed: bool):
    if size <= x.size():
        return z3.Extract(size - 1, 0, x)
    return (z3.SignExt if signed else z3.ZeroExt)(size - x.size(), x)


def _ones(x):
    return sum(
        (_resized(z3.Extract(at, at, x), x.size(), False) for at in range(x.size())),
        z3.BitVecVal(0, x.size()),
    )


def _zeros(x):
    """The number of leading zeros."""
    found = z3.BitVecVal(x.size(), x.size())
    for at in range(x.size()):
        found = z3.If(z3.Extract(at, at, x) == 1, z3.BitVecVal(x.size() - 1 - at, x.size()), found)
    return found


def _prove(conditions: dict[str, z3.BoolRef], claim: z3.BoolRef, without: str = "") -> int:
    """Raises Unproven if the claim does not follow, or if it still follows without one of the conditions."""
    solver = z3.Solver()
    solver.set("timeout", 60000)
    solver.add(*(condition for name, condition in conditions.items() if name != without), z3.Not(claim))
    answer = solver.check()
    if answer != (z3.sat if without else z3.unsat):
        raise Unproven(f"without {without}: {answer}" if without else f"{answer}: {_shown(solver, answer)}")
    return 1


def _shown(solver: z3.Solver, answer) -> object:
    return solver.model() if answer == z3.sat else "no answer"


# Divisions --------------------------------------------------------------------------------------------


def _is(op: str, found, a, b) -> z3.BoolRef:
    """Whether `found` is the quotient of a by b, rounded as `op` does."""
    return _rest({"fdiv": "fmod", "cdiv": "crem", "tdiv": "trem"}[op], a - found * b, a, b)


def _rest(op: str, rest, a, b) -> z3.BoolRef:
    """Whether a remainder is that of a division rounded down, up, or towards 0."""
    small = z3.And(rest < z3.If(b < 0, -b, b), -rest < z3.If(b < 0, -b, b))
    sign = {"fmod": b, "crem": -b, "trem": a}[op]
    return z3.And(small, z3.Or(rest == 0, (rest < 0) == (sign < 0)))


A, B, Q, R = z3.Ints("a b q r")


def _divided(tree: Tree):
    """The tree over the integers: Q and R are the machine's quotient and remainder."""
    if isinstance(tree, str):
        return {"a": A, "b": B}[tree]
    if isinstance(tree, int):
        return z3.IntVal(tree)
    op, *args = tree
    if op in ("udiv", "sdiv"):
        return Q
    if op in ("urem", "srem"):
        return R
    if op in ("slt", "sge"):
        # r xor b is negative if the signs differ
        x, y = map(_divided, args[0][1:])
        differ = (x < 0) != (y < 0)
        return differ if op == "slt" else z3.Not(differ)
    made = map(_divided, args)
    return {"select": z3.If, "and": z3.And, "ne": lambda x, y: x != y, "add": lambda x, y: x + y,
            "sub": lambda x, y: x - y}[op](*made)  # fmt: skip


def _division(op: str, sign: str, tree: Tree) -> Iterator[tuple[str, Callable]]:
    name = f"{op} of {SIGNS[sign]} words"
    found = _divided(tree)
    machine = {
        "the machine's quotient and rest": z3.And(A == Q * B + R, _rest("trem", R, A, B)),
        "the divisor is not 0": B != 0,
    }
    if sign == "u":
        machine["nothing is below 0"] = z3.And(A >= 0, B >= 0)
    quotient = {"fmod": "fdiv", "crem": "cdiv", "trem": "tdiv"}.get(op)
    if quotient:
        # a remainder belongs to a quotient: a = q b + r holds for both results
        (whole,) = patterns.DIVISION[quotient, sign]
        claim = z3.And(_divided(whole) * B + found == A, _rest(op, found, A, B))
    else:
        claim = _is(op, found, A, B)
    yield f"{name}, any", lambda: _prove(machine, claim)
    # as words: in twice the width
    a, b = z3.BitVecs("a b", 8)
    wide = lambda x: _resized(x, 18, sign == "s")  # noqa: E731
    result = wide(word(tree, {"a": a, "b": b}, 8))
    conditions = {"the divisor is not 0": b != 0}
    if sign == "s":
        conditions["the quotient fits"] = z3.Not(z3.And(a == -128, b == -1))
    x, y = wide(a), wide(b)
    is_ = _rest(op, result, x, y) if quotient else _is(op, result, x, y)
    if quotient:
        is_ = z3.And(is_, (z3.URem if sign == "u" else z3.SRem)(x - result, y) == 0)
    yield f"{name}, of 8 bits", lambda: _prove(conditions, is_)
    yield f"{name}, of 8 bits, by 0", lambda: _prove(conditions, is_, "the divisor is not 0")


# Shifts -----------------------------------------------------------------------------------------------


def _shift(case: Shift, bits: int, wide: int) -> Iterator[tuple[str, Callable]]:
    n = z3.BitVec("n", COUNT)
    x, y = z3.BitVec("x", bits), z3.BitVec("y", wide)
    env = {"n": n, "x": x, "y": y}
    for name, value, size in (("lm", bits - 1, bits), ("lw", bits, COUNT), ("rm", wide - 1, wide),
                              ("rw", wide, COUNT), ("rl", wide - 1, COUNT)):  # fmt: skip
        env[name] = z3.BitVecVal(value, size)
    # one word for both: y, extended as it is read, is x
    room = max(bits, wide)
    whole = _resized(y, room, case.signed)
    conditions: dict[str, z3.BoolRef] = {}
    if case.left and case.right:
        conditions["both are x"] = _resized(whole, bits, False) == x
    if not case.left:
        conditions["to the right alone"] = n <= 0
    elif not case.left_tested:
        conditions["not too far to the left"] = n < bits
    if not case.right:
        conditions["to the left alone"] = n >= 0
    elif not case.right_tested:
        conditions["not too far to the right"] = n > -wide
    left = z3.If(n >= bits, z3.BitVecVal(0, bits), x << _resized(n, bits, False))
    back = _resized(-n, room, False)
    beyond = z3.If(whole < 0, z3.BitVecVal(-1 if case.signed else 0, room), z3.BitVecVal(0, room))
    moved = whole >> back if case.signed else z3.LShR(whole, back)
    # -2^63 is its own negative, but counts are clamped to 2^62
    conditions["a count"] = n > z3.BitVecVal(-(1 << 62) - 1, COUNT)
    right = _resized(z3.If(-n >= room, beyond, moved), bits, False)
    meant = left if not case.right else right if not case.left else z3.If(n >= 0, left, right)
    claim = word(case.tree, env, bits) == meant
    name = f"{_named(case)}: {wide} to {bits} bits"
    yield name, lambda: _prove(conditions, claim)
    for without in conditions:
        # other conditions may not be needed in every case
        if without.startswith("not too far") and wide <= bits:
            yield (
                f"{name}, without: {without}",
                lambda w=without: _prove(conditions, claim, w),
            )


def _wides(case: Shift, bits: int) -> tuple[int, ...]:
    """The widths in which x can be shifted right, by the conversion to the result's width."""
    tree = case.tree[2] if case.left and case.right else case.tree
    if not case.right or tree[0] not in ("trunc", "zext", "sext"):
        return (bits,)
    return tuple(w for w in WIDTHS if (w > bits if tree[0] == "trunc" else w < bits))


# The rest ----------------------------------------------------------------------------------------------


def _rest_of_them(bits: int) -> Iterator[tuple[str, Callable]]:
    x = z3.BitVec("x", bits)
    const = lambda value: z3.BitVecVal(value, bits)  # noqa: E731
    env = {"x": x, "w": const(bits), "t": const(bits - 1)}
    for (op, sign), tree in patterns.COUNTS.items():
        of = z3.If(x < 0, ~x, x) if sign == "s" else x
        meant = _ones(of) if op == "popcount" else const(bits) - _zeros(of)
        found = word(tree, env, bits)
        yield (
            f"{op} of {SIGNS[sign]} words of {bits} bits",
            lambda found=found, meant=meant: _prove({}, found == meant),
        )
    # z3 does not decide the rotation of 127 bits
    for k in sorted({1, bits // 2 - 1, min(bits, 64) - 1}):
        field = z3.SignExt(bits - k, z3.Extract(k - 1, 0, x))
        found = word(patterns.FIELD, {**env, "up": const(bits - k)}, bits)
        yield f"field {k} of {bits} bits", lambda found=found, field=field: _prove({}, found == field)
        n = z3.BitVec("n", bits)
        low = x & const((1 << k) - 1)
        found = word(patterns.ROTATED, {**env, "n": n, "m": const((1 << k) - 1), "k": const(k)}, bits)
        inside = {"less than a turn": z3.ULT(n, k)}
        # bit i of the result is bit i - n, or that plus k, of x
        each = z3.And(*(
            z3.Extract(at, at, found)
            == z3.Extract(0, 0, z3.LShR(low, z3.If(z3.ULE(n, at), const(at) - n, const(at + k) - n)))
            for at in range(k)
        ))  # fmt: skip
        above = z3.LShR(found, const(k)) == 0
        yield f"rotl {k} in {bits} bits", lambda e=each, a=above, i=inside: _prove(i, z3.And(e, a))
    count, most = z3.BitVecs("n k", COUNT)
    found = word(patterns.CUT, {"n": count, "k": most}, COUNT)
    least = z3.And(found <= count, found <= most, z3.Or(found == count, found == most))
    yield f"a count that is cut, {bits} bits", lambda: _prove({}, least)


def proofs(bounded: bool) -> Iterator[tuple[str, Callable]]:
    for (op, sign), trees in patterns.DIVISION.items():
        for tree in trees:
            yield from _division(op, sign, tree)
    for bits in widths(bounded):
        yield from _rest_of_them(bits)
        for case in SHIFTS:
            for wide in _wides(case, bits)[: 1 if bounded else None]:
                yield from _shift(case, bits, wide)
