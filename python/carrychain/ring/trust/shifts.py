"""Which bits of a word are those of a shift's or a rotation's result.

A shift by a constant shifts the mask. Any other shift is a pattern (patterns.py), in which a test may be
missing if the range of the count decides it. The count is a signed 64-bit word, clamped to ±SMALL: no word
has as many bits.
"""

from __future__ import annotations

from ..facts.plan import Plan
from ..ir.form import Instruction, Value
from ..machine.form import BIG, Const, Op, Operand, Word
from . import patterns
from .patterns import match
from .words import ALL, SMALL, WHOLE, Held, S, U, Words, below_first_gap, constant_of, fits, literal

# Of an integer that is not whole, no more bits than these are ever demanded.
PLENTY = 1 << 12


class Shifts(Words):
    def __init__(self, plan: Plan, ops: dict[Word, Op]):
        super().__init__(plan, ops)
        # (n, k): words n shown to be below k
        self.turns: set[tuple[Operand, int]] = set()

    # rotations -------------------------------------------------------------------------------------

    def rotated(self, i: Instruction, o: Operand) -> Held | None:
        (x, n), k = i.args, i.attribute
        if o.type is BIG:
            env = match(patterns.ROTATED_BIG, o, self.ops)
            good = (
                env is not None
                and env["and"] == env["left"] == k
                and env["ior"] == "ior"
                and self._right_big(env["x"], x, k)
                and self._turns(env["n"], n, k)
                and env["k"] == Const(64, k)
            )
            return WHOLE if good else None
        if o.type == k:
            op = self._op(o, "rotl")
            if op is None or not self.right(op.args[0], x, k):
                return None
            # k is a power of two: n's low bits are n mod k
            if k & (k - 1) or not self.right(op.args[1], n, k.bit_length() - 1):
                return None
            return (1 << k) - 1, U
        env = match(patterns.ROTATED, o, self.ops)
        if env is None or k >= o.type or env["k"] != constant_of(k, o.type):
            return None
        if self._within_turn(env["n"], k):
            self.turns.add((env["n"], k))
        good = (
            env["m"] == constant_of((1 << k) - 1, o.type)
            and self.right(env["x"], x, k)
            and self._turns(env["n"], n, k)
        )
        return ((1 << o.type) - 1, U) if good else None

    def _right_big(self, operand: Operand, value: Value, bits: int) -> bool:
        return operand.type is BIG and self.right(operand, value, bits)

    def _within_turn(self, o: Operand, k: int) -> bool:
        """Whether the word is from 0 to k - 1: it is a constant, or any integer's remainder modulo k."""
        if isinstance(o, Const):
            return 0 <= o.value < k
        op = self.ops.get(o)
        while op is not None and op.op in ("trunc", "zext", "sext", "of_small"):
            o = op.args[0]
            op = self.ops.get(o)
        if op is not None and op.op == "big_divide":
            return op.attribute == "fmod" and op.args[1] == Const(BIG, k)
        env = match(patterns.DIVISION["fmod", "s"][0], o, self.ops)
        return env is not None and env["b"] == constant_of(k, o.type) and env["b"].value == k

    def _turns(self, o: Operand, n: Value, k: int) -> bool:
        """Whether the word is n mod k."""
        constant = self.constant(n)
        if constant is not None:
            return o == constant_of(constant % k, o.type)

        def base(o: Operand) -> Held | None:
            if o.type is BIG:
                op = self._op(o, "big_divide")
                if op is None or op.attribute != "fmod" or not self.big(op.args[0], n):
                    return None
                return WHOLE if op.args[1] == Const(BIG, k) else None
            for pattern in patterns.DIVISION["fmod", "s"]:
                env = match(pattern, o, self.ops)
                if env is None or env["b"] != constant_of(k, o.type) or not fits(k, k, o.type) & S:
                    continue
                if self.exact(env["a"], n, "s"):
                    return (1 << o.type) - 1, U | S
            return None

        # n mod k is from 0 to k - 1, so any conversion keeps it
        found = self.through(o, base, 0, k - 1)
        return found is not None and bool(found[1] & U)

    # shifts ----------------------------------------------------------------------------------------

    def shifted(self, i: Instruction, o: Operand) -> Held | None:
        x, n = i.args
        by = self.known(n)
        if o.type is BIG:
            return self._shifted_big(i, o)
        if by.low is not None and by.low == by.high:
            found = self._shifted_by(x, by.low, o)
            if found is not None:
                return found
        if self.ops.get(o) is None:
            return None
        for pattern in patterns.SHIFTS:
            env = match(pattern.tree, o, self.ops)
            if env is not None:
                found = self._shift_case(pattern, env, i, o)
                if found is not None:
                    return found
        return None

    def _shifted_by(self, x: Value, n: int, o: Operand) -> Held | None:
        bits = o.type
        full = (1 << bits) - 1
        if isinstance(o, Const):
            constant = self.constant(x)
            if constant is not None:
                value = constant >> -n if n < 0 else constant << min(n, bits)
                return literal(o, value)
            if o.value == 0 and n >= bits:
                return full, 0
            low, high = self.known(x)[:2]
            if o.value == 0 and n < 0 and low is not None and low >= 0 and high is not None:
                return (full, U | S) if high.bit_length() <= -n else None
            return None
        if n >= 0:
            op = self._op(o, "shl")
            held = self.of(op.args[0], x) if op is not None and op.args[1] == constant_of(n, bits) else None
            return None if held is None or n >= bits else ((held[0] << n | (1 << n) - 1) & full, 0)
        op = self._op(o, "ashr", "lshr")
        if op is None or not isinstance(op.args[1], Const):
            return None
        held, by = self.of(op.args[0], x), op.args[1].value
        if held is None or not 0 <= by < bits:
            return None
        reading = S if op.op == "ashr" else U
        if held[1] & reading:
            # once only copies of the sign are left, shifting further changes nothing
            return (full, reading) if by == -n or (by == bits - 1 and -n >= bits and reading == S) else None
        return ((held[0] & full) >> by, 0) if by == -n else None

    def _shift_case(self, case: patterns.Shift, env: dict, i: Instruction, o: Operand) -> Held | None:
        x, n = i.args
        low, high = self.known(n)[:2]
        bits, full = o.type, (1 << o.type) - 1
        if not self._count(env["n"], n):
            return None
        mask, reading = ALL, U | S
        if case.left:
            if env["lm"] != constant_of(bits - 1, bits) or ("lw" in env and env["lw"] != Const(64, bits)):
                return None
            # an untested count must be known to be less than the width
            if not case.left_tested and (high is None or high >= bits):
                return None
            held = self.of(env["x"], x)
            if held is None:
                return None
            right = held[0] | -1 << bits
            if right != ALL:
                right = (below_first_gap(right) << max(low or 0, 0)) | (1 << max(low or 0, 0)) - 1
                right = below_first_gap(right)
            mask, reading = mask & right, 0
        elif high is None or high > 0:
            return None
        if case.right:
            found = self._shift_right(case, env, x, low, bits)
            if found is None:
                return None
            mask, reading = mask & found[0], reading & found[1]
        elif low is None or low < 0:
            return None
        return mask & full, reading

    def _shift_right(
        self, case: patterns.Shift, env: dict, x: Value, low: int | None, bits: int
    ) -> Held | None:
        word = env["y"]
        wide = word.type
        if env["rm"] != constant_of(wide - 1, wide):
            return None
        if case.right_tested:
            if env["rw"] != Const(64, wide) or env["rl"] != constant_of(wide - 1, 64):
                return None
        elif low is None or -low >= wide:
            return None
        reading = S if case.signed else U
        held = self.of(word, x)
        if held is None:
            return None
        if held[1] & reading:
            # x is whole; a wider result repeats its sign
            return (ALL, reading) if wide <= bits else (ALL, 0)
        # the bits shifted in from above may be wrong
        if low is None or case.right_tested:
            return None
        gap = below_first_gap(held[0] & (1 << wide) - 1).bit_length()
        return (1 << max(gap + low, 0)) - 1, 0

    def _count(self, o: Operand, n: Value) -> bool:
        """Whether the 64-bit word is the count, clamped to ±SMALL."""
        if isinstance(o, Const):
            constant = self.constant(n)
            return constant is not None and o.value == max(-SMALL, min(constant, SMALL))
        op = self._op(o, "big_count")
        if op is not None:
            return self.big(op.args[0], n)
        return o.type == 64 and self.exact(o, n, "s")

    def _shifted_big(self, i: Instruction, o: Operand) -> Held | None:
        x, n = i.args
        op = self._op(o, "big_shift")
        held = self.of(op.args[0], x) if op is not None else None
        if held is None:
            return None
        count, moved = op.args[1], _moved(held[0], *self.known(n)[:2])
        if self._count(count, n):
            return moved, U | S
        # shifted left by less than n: the low bits are zeros either way
        if isinstance(count, Const):
            constant = self.constant(n)
            less = constant is not None and 0 <= count.value < constant
            return ((1 << count.value) - 1, 0) if less else None
        env = match(patterns.CUT, count, self.ops)
        if env is None or not self._count(env["n"], n) or not isinstance(env["k"], Const):
            return None
        return ((1 << env["k"].value) - 1 & moved, 0) if env["k"].value >= 0 else None


def _moved(mask: int, low: int | None, high: int | None) -> int:
    """The mask of x 2^n for the mask of x, for every n from low to high."""
    if mask == ALL:
        return ALL
    if low is not None and low == high and abs(low) <= PLENTY:
        return mask >> -low if low < 0 else mask << low | (1 << low) - 1
    if low is None:
        return 0
    right = max(below_first_gap(mask).bit_length() + low, 0)
    return (1 << min(right, PLENTY)) - 1
