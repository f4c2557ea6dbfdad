"""Shows what finding idioms and splitting sums does: a value is computed in another way.

Most are the same bits, which bitmap.py compares. Two more are known here.

A rotation. Let x be in [0, 2^k) and n in [0, k]. x 2^n has n zeros below, and floor(x 2^(n - k)) < 2^n: in
a union, an exclusive or or a sum of the two, no bit meets another. The k low bits are x's, rotated left by n.
If the first is cut off at k bits, that is all of it; if not, the value is the rotation in its k low bits
alone.

A sum in two parts. With x = x' 2^s + u and y = y' 2^s + v, u and v the s low bits, x + y is
(x' + y') 2^s + (u + v): shifted down by s it is x' + y' + floor((u + v) / 2^s). The same with - for +.

Loose values. Where a value is what it was in its k low bits alone, so may be what is made of it. `_settle`
finds for each value how many of its low bits are right: a sum's are those of both its terms, for carries go
upward; of what is shifted, so many more or less. A parameter has those that each edge passes, by induction
over the steps. All that a run shows must be right in all bits: operands of what has an effect, of
comparisons, and what is returned.
"""

from __future__ import annotations

from ..ir.cycles import depth_first
from ..ir.form import LOGIC, Block, Function, Instruction, Int, Value, unsigned
from ..ir.snapshot import Snapshot
from . import bounds
from .bitmap import BitMaps, same
from .gathered_loads import GatheredLoads
from .rewritten import BlockRanges, Ranges

JOINS = ("add", "ior", "xor")
CARRYING = ("add", "sub", "mul", "neg")
# a linear form: how often each value, and a constant
Linear = tuple[dict[Value, int], int]
DEEP = 8  # sums in sums


class Idiomatic(GatheredLoads):
    def __init__(self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges):
        super().__init__(before, after, ranges, facts)
        self.maps = BitMaps(self._maker, ranges)
        # by the value that may be wrong above, how many of its bits are right
        self.loose: dict[Value, int] = {}

    def check(self) -> None:
        super().check()
        if self.loose:
            self._settle()

    def _maker(self, value: Value) -> Instruction | None:
        """What makes a value: of those that were there, what made them."""
        return self.made.get(value) if value in self.home else self.made_after.get(value)

    # hooks -----------------------------------------------------------------------------------

    def added(self, i: Instruction, block: Block) -> bool:
        # it is what it is: its operands have been computed, or it is not well formed
        return i.op != "assume"

    def unchanged(self, was: Instruction, i: Instruction) -> bool:
        return not self._alike(was.result, i)

    def changed(self, result: Value, i: Instruction, home: Block, block: Block) -> bool:
        if super().changed(result, i, home, block) or self._alike(result, i):
            return True
        was = self.made.get(result)
        if was is None:
            return False
        return self._rotation(was, i) if i.op == "rotl" else self._in_two(was, i)

    def _alike(self, result: Value, i: Instruction) -> bool:
        return isinstance(result.type, Int) and same(self.maps.yields(i), self.maps.of(result))

    # rotations -------------------------------------------------------------------------------

    def _rotation(self, was: Instruction, i: Instruction) -> bool:
        k, (x, n) = i.attribute, i.args
        known, count = self.ranges.get(x), self.ranges.get(n)
        if was.op not in JOINS or k < 1:
            return False
        if not bounds.is_within(known, unsigned(k)) or not bounds.is_within(count, Int(0, k)):
            return False
        for left, right in (was.args, was.args[::-1]):
            upper, lower = self._maker(left), self._maker(right)
            cut = upper is not None and upper.op == "low"
            if cut:
                if upper.attribute != k:
                    continue
                upper = self._maker(upper.args[0])
            if (
                upper is not None
                and lower is not None
                and upper.op == lower.op == "shift"
                and upper.args[0] is lower.args[0] is x
                and _less(self._linear(upper.args[1]), self._linear(n)) == ({}, 0)
                and _less(self._linear(n), self._linear(lower.args[1])) == ({}, k)
            ):
                right = None if cut else self._right_of_rotation(was.result, k)
                if right is not None:
                    self.loose[was.result] = right
                return True
        return False

    def _right_of_rotation(self, value: Value, k: int) -> int | None:
        """How many of its low bits a rotation of k bits has; None if all: above those it is 0."""
        known = self.ranges.get(value)
        close = bounds.tight(bounds.of(known)) if known is not None else None
        others = ~(close[2] >> k) if close is not None else -1
        return k + (others & -others).bit_length() - 1 if others else None

    def _linear(self, value: Value, deep: int = 0) -> Linear:
        i = self._maker(value)
        if i is not None and deep < DEEP:
            match i.op:
                case "const":
                    return {}, i.attribute
                case "narrow" | "assume":
                    return self._linear(i.args[0], deep)
                case "neg":
                    return _less(({}, 0), self._linear(i.args[0], deep + 1))
                case "sub":
                    return _less(*(self._linear(arg, deep + 1) for arg in i.args))
                case "add":
                    a, b = (self._linear(arg, deep + 1) for arg in i.args)
                    return _less(a, _less(({}, 0), b))
        return {value: 1}, 0

    # sums in two parts -----------------------------------------------------------------------

    def _in_two(self, was: Instruction, i: Instruction) -> bool:
        """Whether shift(x + y, -s) has become shift(x, -s) + shift(y, -s) + shift(low s x + low s y, -s)."""
        if was.op != "shift" or i.op != "add":
            return False
        total, (above, carry) = self._maker(was.args[0]), map(self._maker, i.args)
        count = was.args[1]
        s = self.number(count)
        if s is None or s >= 0 or None in (total, above, carry) or total.op not in ("add", "sub"):
            return False
        x, y = total.args
        if carry.op != "shift" or carry.args[1] is not count or above.op != total.op:
            return False
        below = self._maker(carry.args[0])
        return (
            below is not None
            and below.op == total.op
            and all(
                self._is(part, "shift", None, [of, count])
                for part, of in zip(above.args, (x, y), strict=True)
            )
            and all(self._is(part, "low", -s, [of]) for part, of in zip(below.args, (x, y), strict=True))
        )

    def _is(self, value: Value, op: str, attribute: int | None, args: list[Value]) -> bool:
        i = self._maker(value)
        return i is not None and i.op == op and i.attribute == attribute and i.args == args

    # loose values ----------------------------------------------------------------------------

    def _settle(self) -> None:
        """CheckError, if what a run shows may rest on a bit that is not right."""
        right = dict(self.loose)
        order = depth_first(self.after.blocks[0], lambda b: [edge.block for edge in b.terminator.edges])
        moved = True
        while moved:
            moved = False
            for block in order:
                for i in block.instructions:
                    known = self._right(i, right)
                    for result in i.results if known is not None else ():
                        if right.get(result, known + 1) > known:
                            right[result], moved = known, True
                for edge in block.terminator.edges:
                    for param, arg in zip(edge.block.params, edge.args, strict=True):
                        if arg in right and right.get(param, right[arg] + 1) > right[arg]:
                            right[param], moved = right[arg], True
        for block in order:
            for i in block.instructions:
                if self._exactly(i) and not right.keys().isdisjoint(i.args):
                    raise self.refused(i, "it uses bits of a number that are no longer right")
            ends = block.terminator.args
            if not right.keys().isdisjoint(ends):
                raise self.refused(block.name, "what it shows may not be right in all bits")

    def _exactly(self, i: Instruction) -> bool:
        """Whether it needs each operand in all bits."""
        return i.op not in (*CARRYING, *LOGIC, "low", "field", "shift", "rotl", "select", "assume")

    def _right(self, i: Instruction, right: dict[Value, int]) -> int | None:
        """How many low bits of the result are right; None if all are."""
        found = [right[arg] for arg in i.args if arg in right]
        loose = self.loose.get(i.results[0]) if i.results else None
        if not found:
            return loose
        known = min(found)
        match i.op:
            case "low" | "field":
                return loose if i.attribute <= known else known
            case "and" if any(self._bits(arg) <= known for arg in i.args if arg not in right):
                return loose
            case "shift":
                count = self.ranges.get(i.args[1])
                if i.args[1] in right or count is None or count.low is None:
                    return 0
                return max(known + count.low, 0)
            case "rotl":
                return loose if i.args[1] not in right and i.attribute <= known else 0
            case "select":
                return 0 if i.args[0] in right else known
            case op if op in CARRYING or op in LOGIC:
                return known
        # refused by _exactly, or an assume, which says nothing of bits
        return 0

    def _bits(self, value: Value) -> float:
        """Of how many bits a number is that is not below 0."""
        known = self.ranges.get(value)
        if known is None or known.low is None or known.low < 0 or known.high is None:
            return float("inf")
        return known.high.bit_length()


def _less(a: Linear, b: Linear) -> Linear:
    terms = dict(a[0])
    for value, often in b[0].items():
        terms[value] = terms.get(value, 0) - often
    return {value: often for value, often in terms.items() if often}, a[1] - b[1]
