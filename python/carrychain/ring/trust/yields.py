"""Which bits of a word are those of the integer that an instruction yields, and how to read the word.

Longer sequences of operations are patterns (patterns.py), which are proven for all words. This module derives
what they mean for the masks of words.py:

- sums and products: bit i of the result depends on bits 0 to i of the arguments, so all bits below the first
  wrong one are correct;
- the sixteen logical operators: bit i depends on bit i of the arguments alone, and not even on that if the
  other argument is a constant that decides the result. Lowering may make any combination of and, or and xor:
  its truth table is computed;
- shifts by a constant shift the mask;
- comparisons, divisions and counts need whole integers.

The order of observable effects is not considered here: see steps.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ..facts.plan import Plan, Range
from ..ir.form import COMPARE, DIVISION, LOGIC, Instruction, Value
from ..machine.abi import storage
from ..machine.form import BIG, Const, Op, Operand, Word
from . import patterns
from .patterns import match
from .words import ALL, SIGNED, WHOLE, Held, S, U, Words, constant_of, fits, literal

# Which of the two arguments, its correct bits, and the word that holds it.
Used = tuple[int, int, Operand]
MODULAR = {"add": "add", "sub": "sub", "mul": "mul", "neg": "sub"}
# A shift's count is clamped to ±CUT: every word is shorter.
CUT = 1 << 62
# Of an integer that is not whole, no more bits than these are ever demanded.
PLENTY = 1 << 12


def below_first_gap(mask: int) -> int:
    """The set bits below the lowest bit that is not set."""
    gap = ~mask & (mask + 1)
    return gap - 1 if gap else ALL


class Yields(Words):
    def __init__(self, plan: Plan, ops: dict[Word, Op]):
        super().__init__(plan, ops)
        # the operation that was found for each instruction that loads
        self.loads: dict[Instruction, Op] = {}
        # sums shown not to overflow, as they promise; (n, k): words n shown to be below k
        self.exact_sums: set[Op] = set()
        self.turns: set[tuple[Operand, int]] = set()

    # results ---------------------------------------------------------------------------------------

    def made(self, i: Instruction, operand: Operand) -> Held | None:
        """What the operand has of the integer that the instruction yields."""
        if i.op == "const":
            return literal(operand, i.attribute)
        rule = _RULES.get(i.op)
        if rule is None:
            return None
        low, high = self.known(i.result)[:2]
        if low is None or high is None:
            low, high = _always(i)
        return self.through(operand, lambda o: rule(self, i, o), low, high)

    def bit(self, i: Instruction, operand: Operand) -> bool:
        """Whether the operand is the truth value that the instruction yields."""
        if i.op in COMPARE:
            return self.compared(operand, i.op, *i.args)
        if i.op == "const":
            return isinstance(operand, Const) and operand.type == 1 and bool(operand.value) is i.attribute
        op = self.ops.get(operand)
        if op is None:
            return False
        if i.op == "not":
            return op.op == "xor" and self.same(op.args[0], i.args[0]) and op.args[1] == Const(1, -1)
        return i.op == "select" and self.selected(op, i)

    # rules, one for each kind of instruction: conversions are done with before ----------------------

    def _op(self, operand: Operand, *names: str) -> Op | None:
        op = self.ops.get(operand)
        return op if op is not None and op.op in names else None

    def _modular(self, i: Instruction, o: Operand) -> Held | None:
        if o.type is BIG:
            op = self._op(o, f"big_{MODULAR[i.op]}")
            if op is None:
                return None
            args = list(i.args) if i.op != "neg" else [0, *i.args]
            held = [self.of(x, v) for x, v in zip(op.args, args, strict=True)]
            return None if None in held else (below_first_gap(held[0][0] & held[1][0]), U | S)
        op = self._op(o, MODULAR[i.op])
        if op is None:
            return None
        args = list(i.args) if i.op != "neg" else [0, *i.args]
        held = [self.of(x, v) for x, v in zip(op.args, args, strict=False)]
        if None in held or len(op.args) != len(args):
            return None
        mask = below_first_gap((held[0][0] & held[1][0]) | (-1 << o.type))
        if op.attribute is not None:
            # the sum promises not to overflow
            reading = SIGNED[op.attribute]
            whole = fits(*self.known(i.result)[:2], o.type)
            if mask != ALL or not held[0][1] & held[1][1] & whole & reading:
                return None
            self.exact_sums.add(op)
        return mask & (1 << o.type) - 1, 0

    def _logic(self, i: Instruction, o: Operand) -> Held | None:
        constants = [self.constant(v) for v in i.args]
        if o.type is BIG:
            op = self._op(o, "big_logic")
            held = [self.of(x, v) for x, v in zip(op.args, i.args, strict=True)] if op is not None else [None]
            if None in held or op.attribute != i.op:
                return None
            mask = ALL
            for which, (right, _) in enumerate(held):
                mask &= right | ~_matters(LOGIC[i.op], which, constants)
            return mask, U | S
        full = (1 << o.type) - 1
        # the pairs of bits that the arguments can have in a column
        columns = 0b1111 if i.args[0] is not i.args[1] else 0b1001
        for constant, ones in zip(constants, (0b1100, 0b1010), strict=True):
            if constant is not None and constant & full in (0, full):
                columns &= ones if constant & full else ~ones
        found = None
        for table, rights in self._tables(o, i.args):
            if not (table ^ LOGIC[i.op]) & columns:
                mask = full
                # an argument in two different words has different wrong bits in each: no bit may be ignored
                once = Counter(which for which, _ in {(which, word) for which, _, word in rights})
                for which, right, _ in rights:
                    mask &= right | ~(_matters(table, which, constants) if once[which] == 1 else ALL)
                found = mask | (found or 0)
        return None if found is None else (found, 0)

    def _tables(self, o: Operand, args: list[Value]) -> list[tuple[int, tuple[Used, ...]]]:
        """The truth tables of a tree of and, or, xor over the arguments, each with the words that it uses.

        There are several if a word holds both arguments, or if an argument is 0 or -1.
        """
        found = []
        for which, table in enumerate((0b1100, 0b1010)):
            held = self.of(o, args[which])
            if held is not None:
                found.append((table, ((which, held[0], o),)))
        if isinstance(o, Const):
            return [*found, (0b1111 if o.value else 0b0000, ())] if o.value in (0, -1) else found
        op = self._op(o, "and", "or", "xor") if not found else None
        if op is None:
            return found
        x, y = (self._tables(arg, args) for arg in op.args)
        made = {"and": int.__and__, "or": int.__or__, "xor": int.__xor__}[op.op]
        return [(made(s, t), (*masks, *more)) for s, masks in x for t, more in y]

    def _divided(self, i: Instruction, o: Operand) -> Held | None:
        a, b = i.args
        if o.type is BIG:
            op = self._op(o, "big_divide")
            good = op is not None and op.attribute == i.op and all(map(self.big, op.args, i.args))
            return WHOLE if good else None
        for sign in "us":
            for pattern in patterns.DIVISION[i.op, sign]:
                env = match(pattern, o, self.ops)
                if env is None or not self.exact(env["a"], a, sign) or not self.exact(env["b"], b, sign):
                    continue
                if sign == "s" and self.overflows(a, b, o.type):
                    continue
                return (1 << o.type) - 1, SIGNED[sign]
        return None

    def overflows(self, a: Value | int, b: Value | int, bits: int) -> bool:
        """Whether the quotient may overflow: -2^(bits-1) by -1."""
        return -1 in self.known(b) and -1 << (bits - 1) in self.known(a)

    def _select(self, i: Instruction, o: Operand) -> Held | None:
        op = self._op(o, "select")
        if op is None or not self.same(op.args[0], i.args[0]):
            return None
        within = self.known(i.result)
        held = [self.of(x, v, within) for x, v in zip(op.args[1:], i.args[1:], strict=True)]
        return None if None in held else (held[0][0] & held[1][0], held[0][1] & held[1][1])

    def _passed(self, i: Instruction, o: Operand) -> Held | None:
        return self.of(o, i.args[0], self.known(i.result))

    def _low(self, i: Instruction, o: Operand) -> Held | None:
        (x,), k = i.args, i.attribute
        if o.type is BIG:
            op = self._op(o, "big_low")
            found = None if op is None or op.attribute != k else self.of(op.args[0], x)
            return None if found is None else (_low(k, found[0]), 0)
        op = self._op(o, "and")
        if op is not None and op.args[1] == constant_of((1 << k) - 1, o.type) and k < o.type:
            found = self.of(op.args[0], x)
            if found is not None:
                return _low(k, found[0]) & (1 << o.type) - 1, 0
        # the word has no bits from k on
        found = self.of(o, x) if k >= o.type else None
        return None if found is None else (found[0] & (1 << o.type) - 1, 0)

    def _field(self, i: Instruction, o: Operand) -> Held | None:
        (x,), k = i.args, i.attribute
        if o.type is BIG:
            op = self._op(o, "big_field")
            found = None if op is None or op.attribute != k else self.of(op.args[0], x)
            return None if found is None else (_field(k, found[0]), 0)
        if k >= o.type:
            found = self.of(o, x)
            return None if found is None else (found[0] & (1 << o.type) - 1, 0)
        env = match(patterns.FIELD, o, self.ops)
        up = constant_of(o.type - k, o.type)
        found = self.of(env["x"], x) if env is not None and env["up"] == up else None
        if found is None:
            return None
        return _field(k, found[0]) & (1 << o.type) - 1, 0

    def _rotated(self, i: Instruction, o: Operand) -> Held | None:
        (x, n), k = i.args, i.attribute
        if o.type is BIG:
            env = match(patterns.ROTATED_BIG, o, self.ops)
            good = (
                env is not None
                and env["and"] == env["left"] == k
                and env["ior"] == "ior"
                and self.right_big(env["x"], x, k)
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

    def right_big(self, operand: Operand, value: Value, bits: int) -> bool:
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

    # shifts

    def _shifted(self, i: Instruction, o: Operand) -> Held | None:
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
        """Whether the 64-bit word is the count, clamped to ±CUT."""
        if isinstance(o, Const):
            constant = self.constant(n)
            return constant is not None and o.value == max(-CUT, min(constant, CUT))
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

    # the rest

    def _counted(self, i: Instruction, o: Operand) -> Held | None:
        (x,) = i.args
        op = self._op(o, f"big_{i.op}")
        if op is not None:
            return ((1 << 64) - 1, U | S) if self.big(op.args[0], x) else None
        if o.type is BIG:
            return None
        for sign in "us":
            env = match(patterns.COUNTS[i.op, sign], o, self.ops)
            if env is None or not self.exact(env["x"], x, sign):
                continue
            if ("w" in env and env["w"] != constant_of(o.type, o.type)) or (
                "t" in env and env["t"] != constant_of(o.type - 1, o.type)
            ):
                continue
            return (1 << o.type) - 1, U
        return None

    def _root(self, i: Instruction, o: Operand) -> Held | None:
        op = self._op(o, "isqrt", "big_isqrt")
        if op is None:
            return None
        if op.op == "big_isqrt":
            return WHOLE if self.big(op.args[0], i.args[0]) else None
        # the check has failed for a negative argument
        found = self.of(op.args[0], i.args[0], Range(0, None))
        return ((1 << 64) - 1, U | S) if found is not None and found[1] & U else None

    def _divisor(self, i: Instruction, o: Operand) -> Held | None:
        op = self._op(o, "gcd", "big_gcd")
        if op is None:
            return None
        if op.op == "big_gcd":
            return WHOLE if all(map(self.big, op.args, i.args)) else None
        for word, value in zip(op.args, i.args, strict=True):
            size = self._op(word, "abs")
            if not self.exact(word, value, "u") and not (size and self.exact(size.args[0], value, "s")):
                return None
        return (1 << 64) - 1, U

    def _power(self, i: Instruction, o: Operand) -> Held | None:
        op = self._op(o, "power", "big_expt")
        if op is None:
            return None
        a, b = i.args
        if op.op == "big_expt":
            return WHOLE if all(map(self.big, op.args, i.args)) else None
        # the check has failed for a negative exponent
        exponent = self.of(op.args[1], b, Range(0, None))
        whole = exponent is not None and exponent[1] & U
        return ((1 << 64) - 1, 0) if whole and self.right(op.args[0], a, 64) else None

    def _loaded(self, i: Instruction, o: Operand) -> Held | None:
        """steps.py has compared the load itself."""
        element = i.args[0].type.element
        op = self._op(o, "load")
        if op is None or op is not self.loads.get(i):
            return None
        bits = storage(element)
        if bits is BIG:
            return WHOLE
        return (1 << bits) - 1, fits(element.low, element.high, bits)

    def _bytes(self, i: Instruction, o: Operand) -> Held | None:
        op = self._op(o, "bytes" if i.op == "load_le" else "bswap")
        if op is not None and op.op == "bswap":
            op = self._op(op.args[0], "bytes")
        if op is None or op is not self.loads.get(i) or o.type != i.attribute:
            return None
        return (1 << o.type) - 1, U

    def _length(self, i: Instruction, o: Operand) -> Held | None:
        op = self._op(o, "length")
        return ((1 << 64) - 1, U | S) if op is not None and self.same(op.args[0], i.args[0]) else None


def _matters(table: int, which: int, constants: list[int | None]) -> int:
    """The columns in which an argument of a logical operator may change the result.

    The other argument's constant is used only if this one is not a constant: of two constants, each might be
    excused by the other.
    """
    step, rest = (2, 1) if which == 0 else (1, 2)
    at_0, at_1 = (table ^ table >> step) & 1, (table >> rest ^ table >> (rest + step)) & 1
    other = constants[1 - which]
    if other is None or constants[which] is not None:
        return ALL if at_0 or at_1 else 0
    return (~other if at_0 else 0) | (other if at_1 else 0)


def _low(k: int, mask: int) -> int:
    """The mask of x mod 2^k, for the mask of x: the bits above are zeros."""
    return mask | -1 << k


def _field(k: int, mask: int) -> int:
    """The mask of the k low bits of x as two's complement: the bits above repeat the sign."""
    sign = 1 << (k - 1)
    return mask & (sign - 1) | (-sign if mask & sign else 0)


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


def _always(i: Instruction) -> tuple[int | None, int | None]:
    """The bounds of what the instruction yields, whatever its arguments."""
    if i.op in ("load_le", "load_be"):
        return 0, (1 << i.attribute) - 1
    if i.op == "load":
        return i.args[0].type.element.low, i.args[0].type.element.high
    # no memory holds CUT elements or bits
    return (0, CUT - 1) if i.op in ("len", "bitlen", "popcount") else (None, None)


_RULES: dict[str, Callable[[Yields, Instruction, Operand], Held | None]] = {
    **dict.fromkeys(MODULAR, Yields._modular),
    **dict.fromkeys(LOGIC, Yields._logic),
    **dict.fromkeys(DIVISION, Yields._divided),
    "select": Yields._select,
    **dict.fromkeys(("narrow", "assume"), Yields._passed),
    "low": Yields._low,
    "field": Yields._field,
    "rotl": Yields._rotated,
    "shift": Yields._shifted,
    **dict.fromkeys(("bitlen", "popcount"), Yields._counted),
    "isqrt": Yields._root,
    "gcd": Yields._divisor,
    "expt": Yields._power,
    "load": Yields._loaded,
    **dict.fromkeys(("load_le", "load_be"), Yields._bytes),
    "len": Yields._length,
}
