"""Represents natural numbers of up to 256 bits as 64-bit limbs, if all operations on them can be done so.

A number that is needed whole and that no word holds is a runtime value, which takes a call, and memory, for
each sum. One that is known to be nonnegative and to have at most 256 bits is also a number of limbs a(k) <
2^64, and the sum of a(k) 2^64k. Such numbers are written as their limbs here, and operations on them as
operations on limbs, with values of at most 128 bits:

  sums      column by column from the least: limb k is the low 64 bits of the sum of column k, and the rest
            is carried to the next.
  products  the same with a(i) b(j) in column i + j; if a column's sum could exceed 128 bits, each product is
            split: its low 64 bits are in its own column, and the rest in the next.
  shifts    limb k of x 2^n is the low 64 bits of x 2^(n - 64k) for an x of one limb; for a constant shift,
            it is joined from two of x's limbs.
  x modulo 2^k - c for a small c: for h = floor(x / 2^k) and l = x mod 2^k it equals y modulo 2^k - c for
            y = l + c h, because 2^k is congruent to c. So x is folded until y is below twice the modulus.
            Then let t = y + c, below 2^(k+1). If t < 2^k, y is below the modulus and is the answer. Otherwise
            the answer is y minus the modulus, t - 2^k. Either way it is the k low bits, of y or of t.
  select, low bits, and blocks' parameters, limb by limb.

A result is known to fit its last limb, whatever the ranges say about the column. Numbers that other
operations use stay unchanged, and so do all other operands of an instruction that uses one: nothing is
converted between limbs and values. The ranges of the result are recomputed, and checked, like all others.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..facts import transfer
from ..facts.demand import below, demands, wide
from ..facts.limbs import Fold, InLimbs, Limbs, Rest
from ..facts.plan import Range
from ..ir.dominance import reverse_postorder
from ..ir.form import BOOL, INT, Block, Function, Instruction, Int, Position, Return, Value
from ..machine.form import WIDTHS

LIMB = 64
WORD = WIDTHS[-1]
LONGEST = 256
# The most folds by a modulus.
FOLDS = 3
# The most bits of the c in a modulus 2^k - c: c times a limb then fits a word.
FOLDED_BITS = 32
# About the most instructions that are written, because all following passes process them.
MOST = 1000


def limbs(function: Function, ranges: dict[Value, Range], long: set[Value]) -> InLimbs:
    """Rewrites the numbers that `as_limbs` found as limbs, in place; the ranges must have been checked."""
    return _LimbExpander(function, ranges, long).run()


def _bits(known: Range | None) -> int | None:
    """The number of bits of the range's values, if they are nonnegative."""
    if known is None or known.low is None or known.high is None or known.low < 0:
        return None
    return known.high.bit_length()


def as_limbs(function: Function, ranges: dict[Value, Range]) -> set[Value]:
    """The numbers that can be limbs from their definition to all their uses."""
    constants = {i.result: i.attribute for i in function.instructions() if i.op == "const"}
    bits = {v: _bits(ranges.get(v)) for v in function.values() if isinstance(v.type, Int)}
    some = {v for v, n in bits.items() if n is not None and WORD < n <= LONGEST and v not in constants}
    some -= set(function.params)
    if not some:
        return some
    masks = demands(function, ranges).masks
    long = {v for v in some if wide(masks.get(v, 0))}
    # of what is made of them a word may be all that anyone looks at
    todo = list(long)
    made_of: dict[Value, list[Value]] = {}
    for i in function.instructions():
        for arg in i.args:
            made_of.setdefault(arg, []).extend(i.results)
    while todo:
        for value in made_of.get(todo.pop(), ()):
            if value in some and value not in long:
                long.add(value)
                todo.append(value)

    def good(value: Value) -> bool:
        n = bits[value]
        return n is not None and (n <= WORD or value in long or (value in constants and n <= LONGEST))

    def possible(i: Instruction) -> bool:
        numbers = [*i.args[:1], *i.results] if i.op == "shift" else [*i.args, *i.results]
        if not all(good(v) for v in numbers if isinstance(v.type, Int)):
            return False
        match i.op:
            case "add" | "mul" | "select" | "low":
                return True
            case "fmod":
                modulus = constants.get(i.args[1], 0)
                c = (1 << modulus.bit_length()) - modulus
                small = modulus >> LIMB and c.bit_length() <= FOLDED_BITS
                return bool(small) and folds(ranges[i.args[0]].high, modulus) is not None
            case "shift":
                count = ranges.get(i.args[1])
                if count is None or count.low is None or count.high is None:
                    return False
                return count.low == count.high or (bits[i.args[0]] <= LIMB and count.low >= -LONGEST)
        return False

    moved = bool(long)
    while moved:
        out: set[Value] = set()
        for block in function.blocks:
            for i in block.instructions:
                if not long.isdisjoint((*i.args, *i.results)) and not possible(i):
                    out |= long & {*i.args, *i.results}
            if isinstance(block.terminator, Return):
                out |= long & set(block.terminator.args)
            for edge in block.terminator.edges:
                for param, arg in zip(edge.block.params, edge.args, strict=True):
                    if (param in long) != (arg in long) and not (param in long and good(arg)):
                        out |= long & {param, arg}
        long -= out
        moved = bool(out)
    written = (i for i in function.instructions() if not long.isdisjoint((*i.args, *i.results)))
    return long if sum(_cost(i, bits) for i in written) <= MOST else set()


def _cost(i: Instruction, bits: dict[Value, int | None]) -> int:
    """About how many instructions are written for it: four per limb for columns and products."""
    counts = [-(-(bits.get(v) or LIMB) // LIMB) for v in (*i.args, *i.results)]
    products = counts[0] * counts[1] if i.op == "mul" else 0
    return 4 * (max(counts) + products + (4 * counts[0] if i.op == "fmod" else 0))


def folds(most: int, modulus: int) -> list[int] | None:
    """The greatest number after each fold, from `most` to below twice the modulus."""
    k = modulus.bit_length()
    c = (1 << k) - modulus
    found: list[int] = []
    while most >= 2 * modulus:
        most = below(k) + (most >> k) * c
        found.append(most)
        if len(found) > FOLDS:
            return None
    return found


@dataclass
class _Limb:
    """A value, or a constant if the value is None, with its greatest number."""

    value: Value | None
    known: Range = field(default_factory=lambda: transfer.exactly(0))


class _LimbExpander:
    def __init__(self, function: Function, ranges: dict[Value, Range], long: set[Value]):
        self.function = function
        self.ranges = ranges
        self.long = long
        self.names = {value.name for value in function.values()}
        self.constants = {i.result: i.attribute for i in function.instructions() if i.op == "const"}
        self.limbs: dict[Value, list[_Limb]] = {}
        self.rests: dict[Value, Rest] = {}
        self.params: dict[Block, list[Value]] = {}  # the original parameters
        self.made: list[Instruction] = []
        self.position: Position | None = None
        self.base = ""

    def run(self) -> InLimbs:
        order = reverse_postorder(self.function)
        new: dict[Value, Value] = {}
        for block in order:
            self._params(block)
        for block in order:
            instructions, self.made = block.instructions, []
            for i in instructions:
                if self.long.isdisjoint((*i.args, *i.results)):
                    self.made.append(i)
                    continue
                self.position, self.base = i.position, i.result.name
                found = self._written(i)
                if i.result in self.long:
                    self.limbs[i.result] = found
                else:
                    new[i.result] = self._joined(found)
            block.instructions = self.made
        for block in order:
            self.made = block.instructions
            for edge in block.terminator.edges:
                pairs = zip(self.params[edge.block], edge.args, strict=True)
                edge.args = [each for param, arg in pairs for each in self._passed(param, arg)]
        self.function.replace_uses(new)
        held = {v: _plain(found) for v, found in self.limbs.items()}
        return InLimbs(held, new, self.rests)

    # parameters

    def _params(self, block: Block) -> None:
        params = []
        for param in block.params:
            if param not in self.long:
                params.append(param)
                continue
            most = self.ranges[param].high
            self.base = param.name
            self.limbs[param] = []
            for k in range(_count_of(most)):
                value = Value(self._name(), INT, param.position)
                known = transfer.make(0, min(below(LIMB), most >> LIMB * k))
                self.limbs[param].append(_Limb(value, known))
                params.append(value)
        self.params[block] = block.params
        block.params = params

    def _passed(self, param: Value, arg: Value) -> list[Value]:
        if param not in self.long:
            return [arg]
        self.base, count = arg.name, len(self.limbs[param])
        return [self._value(limb) for limb in (self._of(arg) + [_Limb(None)] * count)[:count]]

    # what is written

    def _name(self) -> str:
        number = 0
        while f"{self.base}.{number}" in self.names:
            number += 1
        self.names.add(f"{self.base}.{number}")
        return f"{self.base}.{number}"

    def _emit(self, op: str, args: list[Value], attribute, known: Range) -> _Limb:
        if known.low is not None and known.low == known.high:
            return _Limb(None, known)
        result = Value(self._name(), INT, self.position)
        self.made.append(Instruction(op, args, [result], attribute, self.position))
        return _Limb(result, known)

    def _value(self, limb: _Limb) -> Value:
        if limb.value is None:
            result = Value(self._name(), INT, self.position)
            self.made.append(Instruction("const", [], [result], limb.known.low, self.position))
            return result
        return limb.value

    def _binary(self, op: str, a: _Limb, b: _Limb) -> _Limb:
        known = transfer.BINARY[op](a.known, b.known)
        if op == "add" and 0 in (_constant(a), _constant(b)):
            return b if _constant(a) == 0 else a
        return self._emit(op, [self._value(a), self._value(b)], None, known)

    def _low(self, limb: _Limb, bits: int) -> _Limb:
        if limb.known.high < 1 << bits:
            return limb
        return self._emit("low", [self._value(limb)], bits, transfer.low(bits, limb.known))

    def _shifted(self, limb: _Limb, count: int) -> _Limb:
        if not count:
            return limb
        by = _Limb(None, transfer.exactly(count))
        known = transfer.shift(limb.known, by.known)
        if known.low == known.high:
            return _Limb(None, known)
        return self._emit("shift", [self._value(limb), self._value(by)], None, known)

    def _of(self, value: Value) -> list[_Limb]:
        """The limbs of a number; those of a word are made here."""
        if value in self.limbs:
            return self.limbs[value]
        if value in self.constants:
            return _constants(self.constants[value])
        whole = _Limb(value, self.ranges[value])
        if whole.known.high < 1 << LIMB:
            return [whole]
        return [self._low(whole, LIMB), self._shifted(whole, -LIMB)]

    def _joined(self, found: list[_Limb]) -> Value:
        """The word that consists of these limbs."""
        if len(found) < 2:
            return self._value(found[0] if found else _Limb(None))
        low, high = found[:2]
        return self._value(self._binary("add", low, self._shifted(high, LIMB)))

    def _written(self, i: Instruction) -> list[_Limb]:
        most = self.ranges[i.result].high
        match i.op:
            case "add":
                return self._columns([[*pair] for pair in _paired(*map(self._of, i.args))], most)
            case "mul":
                return self._product(*map(self._of, i.args), most)
            case "low":
                return self._cut(self._of(i.args[0]), i.attribute)
            case "select":
                return self._selected(i.args[0], *map(self._of, i.args[1:]))
            case "fmod":
                return self._rest(i.args[0], self.constants[i.args[1]], i.result)
        count = self.ranges[i.args[1]]
        if count.low == count.high:
            return self._moved(self._of(i.args[0]), count.low, most)
        return self._moved_by(i.args[0], i.args[1], most)

    def _columns(self, columns: list[list[_Limb]], most: int) -> list[_Limb]:
        """The limbs of a number of at most `most`, from the terms in each column."""
        found: list[_Limb] = []
        count = _count_of(most)
        columns = columns + [[] for _ in range(count + 1 - len(columns))]
        for k in range(count):
            column = columns[k]
            if sum(limb.known.high for limb in column) >> WORD:
                columns[k + 1] += [self._shifted(limb, -LIMB) for limb in column]
                column = [self._low(limb, LIMB) for limb in column]
            total = _Limb(None)
            for limb in column:
                total = self._binary("add", total, limb)
            if k < count - 1:
                columns[k + 1].append(self._shifted(total, -LIMB))
                total = self._low(total, LIMB)
            found.append(self._low(total, LIMB))
        return found

    def _product(self, a: list[_Limb], b: list[_Limb], most: int) -> list[_Limb]:
        columns: list[list[_Limb]] = [[] for _ in range(len(a) + len(b))]
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                columns[i + j].append(self._binary("mul", x, y))
        return self._columns(columns, most)

    def _cut(self, a: list[_Limb], bits: int) -> list[_Limb]:
        whole, rest = divmod(bits, LIMB)
        return a[:whole] + [self._low(limb, rest) for limb in a[whole : whole + 1] if rest]

    def _selected(self, condition: Value, a: list[_Limb], b: list[_Limb]) -> list[_Limb]:
        return [
            self._emit(
                "select", [condition, self._value(x), self._value(y)], None, transfer.union(x.known, y.known)
            )
            for x, y in _paired(a, b)
        ]

    def _moved(self, a: list[_Limb], count: int, most: int) -> list[_Limb]:
        """A shift by a constant, to the left or the right."""
        whole, part = divmod(count, LIMB)
        found = []
        for k in range(_count_of(most)):
            at = k - whole
            here = a[at] if 0 <= at < len(a) else _Limb(None)
            there = a[at - 1] if 0 <= at - 1 < len(a) else _Limb(None)
            upper = self._low(self._shifted(here, part), LIMB)
            lower = self._shifted(there, part - LIMB) if part else _Limb(None)
            found.append(self._binary("add", upper, lower))
        return found

    def _moved_by(self, x: Value, count: Value, most: int) -> list[_Limb]:
        """A shift of one limb by a variable count."""
        found = []
        for k in range(_count_of(most)):
            by = self._binary(
                "add", _Limb(count, self.ranges[count]), _Limb(None, transfer.exactly(-LIMB * k))
            )
            known = transfer.shift(self.ranges[x], by.known)
            found.append(self._low(self._emit("shift", [x, self._value(by)], None, known), LIMB))
        return found

    def _rest(self, x: Value, modulus: int, result: Value) -> list[_Limb]:
        k, most = modulus.bit_length(), self.ranges[x].high
        c = _constants((1 << k) - modulus)
        y = self._of(x)
        made: list[Fold] = []
        for bound in folds(most, modulus):
            high = self._moved(y, -k, most >> k)
            product = self._product(high, c, (most >> k) * ((1 << k) - modulus))
            low = self._cut(y, k)
            y = self._columns([[*pair] for pair in _paired(low, product)], bound)
            made.append(Fold(*map(_plain, (high, low, product, y))))
            most = bound
        t = self._columns([[*pair] for pair in _paired(y, c)], below(k + 1))
        over = self._moved(t, -k, 1)
        zero = self._value(_Limb(None))
        test = Value(self._name(), BOOL, self.position)
        self.made.append(Instruction("ne", [self._value(over[0]), zero], [test], None, self.position))
        chosen = self._selected(test, t, y)
        self.rests[result] = Rest(made, _plain(t), _plain(over), test, _plain(chosen))
        return self._cut(chosen, k)


def _plain(found: list[_Limb]) -> Limbs:
    return [limb.known.low if limb.value is None else limb.value for limb in found]


def _constant(limb: _Limb) -> int | None:
    return limb.known.low if limb.value is None else None


def _constants(number: int) -> list[_Limb]:
    count = _count_of(number)
    return [_Limb(None, transfer.exactly(number >> LIMB * k & below(LIMB))) for k in range(count)]


def _count_of(most: int) -> int:
    return max(1, -(-most.bit_length() // LIMB))


def _paired(a: list[_Limb], b: list[_Limb]) -> list[tuple[_Limb, _Limb]]:
    count = max(len(a), len(b))
    a, b = (x + [_Limb(None)] * (count - len(x)) for x in (a, b))
    return list(zip(a, b, strict=True))
