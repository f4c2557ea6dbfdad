"""Which bits of a word are an integer's.

Two things are found for a word W and an integer v. The mask: which bits of W are those of v in infinite two's
complement. The readings: whether W read as unsigned is v, and whether W read as signed is v. If all bits of W
are correct and v's range fits a reading, then W read that way is v. The range of a value is the one that
`check` has established.

This module covers conversions between words of different widths; yields.py and shifts.py cover what
instructions are lowered to.
"""

from __future__ import annotations

from collections.abc import Callable

from ..facts.plan import ANY, Plan, Range
from ..ir.form import Instruction, Value
from ..machine.form import BIG, Const, Op, Operand, Word

ALL = -1
U, S = 1, 2  # readings
# the mask, and the readings
Held = tuple[int, int]
WHOLE: Held = ALL, U | S
# A small value lies from -SMALL to SMALL - 1.
SMALL = 1 << 62

SIGNED = {"u": U, "s": S}


def fits(low: int | None, high: int | None, bits: int) -> int:
    """The readings in which a word of so many correct bits is the integer, for each integer in the bounds."""
    if low is None or high is None:
        return 0
    half = 1 << (bits - 1)
    return (U if low >= 0 and high < 2 * half else 0) | (S if -half <= low and high < half else 0)


def below_first_gap(mask: int) -> int:
    """The set bits below the lowest bit that is not set."""
    gap = ~mask & (mask + 1)
    return gap - 1 if gap else ALL


class Words:
    """The words of one function; `words` and `held` grow as the walk comes to definitions."""

    def __init__(self, plan: Plan, ops: dict[Word, Op]):
        self.ranges = plan.ranges
        self.ops = ops
        self.words: dict[Value, Operand] = {}
        self.held: dict[Value, Held] = {}
        self.made_by = {r: i for i in plan.function.instructions() for r in i.results}

    # integers and operations -----------------------------------------------------------------------

    def constant(self, value: Value) -> int | None:
        made = self.made_by.get(value)
        return made.attribute if made is not None and made.op == "const" else None

    def known(self, value: Value | int) -> Range:
        constant = value if isinstance(value, int) else self.constant(value)
        return self.ranges.get(value, ANY) if constant is None else Range(constant, constant)

    def _op(self, operand: Operand, *names: str) -> Op | None:
        op = self.ops.get(operand)
        return op if op is not None and op.op in names else None

    # words as integers -----------------------------------------------------------------------------

    def of(self, operand: Operand, value: Value | int, within: Range = ANY) -> Held | None:
        """What the operand has of the integer, which also lies `within` a range; None if unknown."""
        low, high = self.known(value)[:2]
        if within.low is not None and (low is None or low < within.low):
            low = within.low
        if within.high is not None and (high is None or high > within.high):
            high = within.high
        if low is not None and high is not None and low > high:
            # there is no such integer: what uses the operand never runs
            return WHOLE
        constant = value if isinstance(value, int) else self.constant(value)
        if constant is not None and isinstance(operand, Const):
            return literal(operand, constant)
        if value not in self.held:
            return None
        return self.converted(operand, self.words[value], self.held[value], low, high)

    def converted(
        self, operand: Operand, word: Operand, held: Held, low: int | None, high: int | None
    ) -> Held | None:
        """What the operand has of an integer from `low` to `high`, if it is the word, which has `held` of it,
        or was converted from it."""
        return self.through(operand, lambda o: held if o is word or o == word else None, low, high)

    def through(
        self, operand: Operand, base: Callable[[Operand], Held | None], low: int | None, high: int | None
    ) -> Held | None:
        """What the operand has of an integer from `low` to `high`, if `base` says what it, or a word that it
        was converted from, has."""
        found = base(operand)
        bits = operand.type
        if found is None:
            op = self.ops.get(operand)
            if op is None or op.op not in _CONVERSIONS:
                return None
            inner = self.through(op.args[0], base, low, high)
            if inner is None:
                return None
            found = _CONVERSIONS[op.op](inner, op, low, high, self.ops)
            if found is None:
                return None
        mask, readings = found
        if bits is BIG:
            return mask, U | S if mask == ALL else 0
        if not ~mask & (1 << bits) - 1:
            readings |= fits(low, high, bits)
        return mask, readings

    def exact(self, operand: Operand, value: Value | int, sign: str) -> bool:
        """Whether the word, read with this sign, is the integer."""
        found = self.of(operand, value)
        return found is not None and bool(found[1] & SIGNED[sign])

    def big(self, operand: Operand, value: Value | int, within: Range = ANY) -> bool:
        found = self.of(operand, value, within) if operand.type is BIG else None
        return found is not None and found[0] == ALL

    def right(self, operand: Operand, value: Value | int, bits: int) -> bool:
        """Whether the lowest `bits` bits are the integer's."""
        found = self.of(operand, value)
        return found is not None and not ~found[0] & (1 << bits) - 1

    def compared(self, operand: Operand, op: str, a: Value, b: Value | int) -> bool:
        """Whether the operand is the truth of `a op b`."""
        made = self.ops.get(operand)
        if made is None:
            return False
        x, y = made.args if len(made.args) == 2 else (None, None)
        if made.op == f"big_{op}":
            return self.big(x, a) and self.big(y, b)
        if op in ("eq", "ne"):
            return made.op == op and any(self.exact(x, a, s) and self.exact(y, b, s) for s in "us")
        return made.op[1:] == op and made.op[0] in "us" and self.exact(x, a, made.op[0]) and self.exact(
            y, b, made.op[0]
        )  # fmt: skip

    # truth values and arrays

    def same(self, operand: Operand, value: Value) -> bool:
        """Whether the operand is the one that holds this truth value or array."""
        mine = self.words[value]
        return operand is mine or (isinstance(operand, Const) and operand == mine)

    def selected(self, op: Op, i: Instruction) -> bool:
        """Whether the operation selects what the instruction does, between truth values or arrays."""
        return op.op == "select" and all(map(self.same, op.args, i.args))


def constant_of(value: int, bits: int) -> Const:
    """The low bits of the value, as constants are written: in two's complement."""
    half = 1 << (bits - 1)
    return Const(bits, (value + half & (1 << bits) - 1) - half)


def literal(operand: Operand, value: int) -> Held | None:
    if not isinstance(operand, Const):
        return None
    if operand.type is BIG:
        return WHOLE if operand.value == value else None
    bits = operand.type
    full = (1 << bits) - 1
    mask = ~(operand.value ^ value) & full
    return mask, fits(value, value, bits) if mask == full else 0


# Conversions between widths: what the result has, given what the argument has (`inner`).


def _trunc(inner: Held, op: Op, low: int | None, high: int | None, ops: dict) -> Held | None:
    return inner[0] & (1 << op.results[0].type) - 1, 0


def _zext(inner: Held, op: Op, low: int | None, high: int | None, ops: dict) -> Held | None:
    if inner[1] & U:
        return (1 << op.results[0].type) - 1, U | S
    return inner[0] & (1 << op.args[0].type) - 1, 0


def _sext(inner: Held, op: Op, low: int | None, high: int | None, ops: dict) -> Held | None:
    if inner[1] & S:
        return (1 << op.results[0].type) - 1, S
    return inner[0] & (1 << op.args[0].type) - 1, 0


def _small(inner: Held, op: Op, low: int | None, high: int | None, ops: dict) -> Held | None:
    if inner[1] & S and low is not None and high is not None and low >= -SMALL and high < SMALL:
        return WHOLE
    source = ops.get(op.args[0])
    if source is None or source.op not in ("zext", "sext"):
        return None
    # an extended narrower word is small, whatever it holds
    return WHOLE if inner[1] & S else (inner[0] & (1 << source.args[0].type) - 1, 0)


def _box(inner: Held, op: Op, low: int | None, high: int | None, ops: dict) -> Held | None:
    return WHOLE if inner[1] & SIGNED.get(op.attribute, 0) else (inner[0] & (1 << op.args[0].type) - 1, 0)


def _low_word(inner: Held, op: Op, low: int | None, high: int | None, ops: dict) -> Held | None:
    return inner[0] & (1 << op.results[0].type) - 1, 0


def _of_small(inner: Held, op: Op, low: int | None, high: int | None, ops: dict) -> Held | None:
    if inner[0] == ALL and low is not None and high is not None and low >= -SMALL and high < SMALL:
        return (1 << 64) - 1, S
    return None


_CONVERSIONS: dict[str, Callable[..., Held | None]] = {
    "trunc": _trunc, "zext": _zext, "sext": _sext, "small": _small, "box": _box, "low_word": _low_word,
    "of_small": _of_small,
}  # fmt: skip
