"""Which bits of a word are those of the integer that an instruction yields, and how to read the word.

Longer sequences of operations are patterns (patterns.py), which are proven for all words. This module derives
what they mean for the masks of words.py:

- sums and products: bit i of the result depends on bits 0 to i of the arguments, so all bits below the first
  wrong one are correct;
- the sixteen logical operators: bit i depends on bit i of the arguments alone, and not even on that if the
  other argument is a constant that decides the result. Lowering may make any combination of and, or and xor:
  its truth table is computed;
- shifts and rotations: see shifts.py;
- comparisons, divisions and counts need whole integers.

The order of observable effects is not considered here: see steps.py.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from ..facts.plan import Plan, Range
from ..ir.form import COMPARE, DIVISION, LOGIC, Instruction, Value
from ..machine.abi import storage
from ..machine.form import BIG, Const, Op, Operand, Word
from . import patterns
from .patterns import match
from .shifts import Shifts
from .words import ALL, SIGNED, SMALL, WHOLE, Held, S, U, below_first_gap, constant_of, fits, literal

# Which of the two arguments, its correct bits, and the word that holds it.
Used = tuple[int, int, Operand]
MODULAR = {"add": "add", "sub": "sub", "mul": "mul", "neg": "sub"}


class Yields(Shifts):
    def __init__(self, plan: Plan, ops: dict[Word, Op]):
        super().__init__(plan, ops)
        # the operation that was found for each instruction that loads
        self.loads: dict[Instruction, Op] = {}
        # sums shown not to overflow, as they promise
        self.exact_sums: set[Op] = set()
        self.facts = plan.facts or {}
        self.places = {i: block for block in plan.function.blocks for i in block.instructions}

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
            low, high = self._always(i)
        return self.through(operand, lambda o: rule(self, i, o), low, high)

    def _always(self, i: Instruction) -> tuple[int | None, int | None]:
        """The bounds of what the instruction yields, by no claim about its arguments."""
        if i.op in ("rotl", "load_le", "load_be"):
            return 0, (1 << i.attribute) - 1
        if i.op == "load":
            return i.args[0].type.element.low, i.args[0].type.element.high
        if i.op == "isqrt" and (x := self.constant(i.args[0])) is not None and x >= 0:
            return math.isqrt(x), math.isqrt(x)
        # no memory holds SMALL elements or bits
        return (0, SMALL - 1) if i.op in ("len", "bitlen", "popcount") else (None, None)

    def bit(self, i: Instruction, operand: Operand) -> bool:
        """Whether the operand is the truth value that the instruction yields."""
        if i.op in COMPARE:
            return self.compared(operand, i.op, *i.args) or (i.op == "eq" and self._is_word(operand, *i.args))
        if i.op == "const":
            return isinstance(operand, Const) and operand.type == 1 and bool(operand.value) is i.attribute
        op = self.ops.get(operand)
        if op is None:
            return False
        if i.op == "not":
            return op.op == "xor" and self.same(op.args[0], i.args[0]) and op.args[1] == Const(1, -1)
        return i.op == "select" and self.selected(op, i)

    def _is_word(self, operand: Operand, field: Value, x: Value) -> bool:
        """Whether the operand says that x is a signed word: that it equals its field of that width."""
        made, op = self.made_by.get(field), self.ops.get(operand)
        if op is None or made is None or made.op != "field" or made.args[0] is not x:
            return False
        if made.attribute == 64:
            return self._fits(op, x)
        if made.attribute != SMALL.bit_length():
            return False
        if op.op == "is_small":
            return self.big(op.args[0], x)
        # a signed word is small if twice the word is a signed word
        if op.op != "and":
            return self._doubled(op, x) and self.exact(op.args[0], x, "s")
        word, small = map(self.ops.get, op.args)
        return word is not None and small is not None and self._fits(word, x) and self._doubled(small, x)

    def _fits(self, op: Op, x: Value) -> bool:
        """Whether the operation says that x, which is a sum, difference or product, is a signed word."""
        of = self.made_by.get(x)
        if op.op != "fits" or of is None or MODULAR.get(of.op) != op.attribute:
            return False
        args = list(op.args)
        if of.op == "neg" and args.pop(0) != Const(64, 0):
            return False
        return all(self.exact(word, value, "s") for word, value in zip(args, of.args, strict=True))

    def _doubled(self, op: Op, x: Value) -> bool:
        """Whether the operation says that twice a word, which has all low bits of x, is a signed word."""
        if op.op != "fits" or op.attribute != "add" or op.args[0] != op.args[1]:
            return False
        held = self.of(op.args[0], x)
        return held is not None and held[0] & (1 << 64) - 1 == (1 << 64) - 1

    # rules, one for each kind of instruction: conversions are done with before ----------------------

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
            # the sum promises not to overflow, even if a check before it in the block fails
            reading = SIGNED[op.attribute]
            whole = fits(*self._sum(i, [self._at_entry(arg, i) for arg in args]), o.type)
            if mask != ALL or not held[0][1] & held[1][1] & whole & reading:
                return None
            self.exact_sums.add(op)
        return mask & (1 << o.type) - 1, 0

    def _at_entry(self, value: Value | int, i: Instruction) -> tuple[int | None, int | None]:
        """The bounds of an instruction's argument, but for what checks before it in its block say."""
        block = self.places[i]
        while (made := self.made_by.get(value)) is not None and self.places[made] is block:
            if made.op not in ("narrow", "assume"):
                return self.known(value)[:2]
            (value,) = made.args
        low, high = self.known(value)[:2]
        fact = self.facts.get(block, {}).get(value)
        if fact is not None:
            low = fact.low if low is None or (fact.low is not None and fact.low > low) else low
            high = fact.high if high is None or (fact.high is not None and fact.high < high) else high
        return low, high

    @staticmethod
    def _sum(i: Instruction, terms: list[tuple[int | None, int | None]]) -> tuple[int | None, int | None]:
        (low, high), (least, most) = terms
        if i.op != "add":
            least, most = None if most is None else -most, None if least is None else -least
        return (
            None if low is None or least is None else low + least,
            None if high is None or most is None else high + most,
        )

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


_RULES: dict[str, Callable[[Yields, Instruction, Operand], Held | None]] = {
    **dict.fromkeys(MODULAR, Yields._modular),
    **dict.fromkeys(LOGIC, Yields._logic),
    **dict.fromkeys(DIVISION, Yields._divided),
    "select": Yields._select,
    **dict.fromkeys(("narrow", "assume"), Yields._passed),
    "low": Yields._low,
    "field": Yields._field,
    "rotl": Yields.rotated,
    "shift": Yields.shifted,
    **dict.fromkeys(("bitlen", "popcount"), Yields._counted),
    "isqrt": Yields._root,
    "gcd": Yields._divisor,
    "expt": Yields._power,
    "load": Yields._loaded,
    **dict.fromkeys(("load_le", "load_be"), Yields._bytes),
    "len": Yields._length,
}
