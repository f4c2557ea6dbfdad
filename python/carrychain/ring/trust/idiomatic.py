"""Shows that idioms and split sums compute the same values in another way.

Most new definitions yield the same bits, as bitmap.py shows. Two more rules are needed.

Rotations. Let x be in [0, 2^k) and n in [0, k]. The n low bits of x 2^n are 0, and floor(x 2^(n - k)) < 2^n.
So `ior`, `xor` and `add` of the two combine them without overlap, and the k low bits of the result are x
rotated left by n. If x 2^n was reduced to k bits first, that is the whole result. Otherwise the result agrees
with the rotation in its k low bits only.

Sums in two parts. Let x = x' 2^s + u and y = y' 2^s + v, with u and v the s low bits. Then x + y is
(x' + y') 2^s + (u + v). Shifted right by s, that is x' + y' + floor((u + v) / 2^s). The same holds for -.

Loose values. A value of which some bits may differ from the original's is called loose, and so may be the
values computed from it. `_settle` finds for each value which bits may differ. In a sum these are the lowest
one of both terms and all above it, as carries go upward. Shifts and rotations move them. In a parameter they
are those of each argument that an edge passes, by induction over the steps. All bits must agree where a run
can observe the value: in operands of instructions with an effect and of comparisons, and in what is returned.
"""

from __future__ import annotations

from ..ir.cycles import depth_first
from ..ir.form import LOGIC, Block, Function, Instruction, Int, Value, unsigned
from ..ir.snapshot import Snapshot
from . import bounds
from .bitmap import BitMaps, same
from .equal_values import BlockRanges, Ranges
from .gathered_loads import GatheredLoads

JOINS = ("add", "ior", "xor")
CARRYING = ("add", "sub", "mul", "neg")
# a linear form: the coefficient of each value, and the constant
Linear = tuple[dict[Value, int], int]
DEEP = 8  # nested sums of a linear form
ROUNDS = 8  # times that more bits of a value may differ, before all from the lowest one on are taken to


class Idiomatic(GatheredLoads):
    def __init__(self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges):
        super().__init__(before, after, ranges, facts)
        self.maps = BitMaps(self._maker, ranges)
        # by value that a rotation made loose: the bits that may differ from the original's
        self.loose: dict[Value, int] = {}

    def check(self) -> None:
        super().check()
        if self.loose:
            self._settle()

    def _maker(self, value: Value) -> Instruction | None:
        """The definition of a value: the one before the pass, if there is one."""
        return self.made.get(value) if value in self.home else self.made_after.get(value)

    # hooks -----------------------------------------------------------------------------------

    def added(self, i: Instruction, block: Block) -> bool:
        # a new value changes nothing until it is used; only an assume claims something of its operand
        return i.op != "assume"

    def unchanged(self, was: Instruction, i: Instruction) -> bool:
        return i.op == "assume" or not self._alike(was.result, i)

    def changed(self, result: Value, i: Instruction, home: Block, block: Block) -> bool:
        if super().changed(result, i, home, block) or self._alike(result, i):
            return True
        was = self.made.get(result)
        if was is None:
            return False
        return self._rotation(was, i) if i.op == "rotl" else self._in_two(was, i)

    def _alike(self, result: Value, i: Instruction) -> bool:
        was = self.made.get(result)
        # most are masks, of which no map is needed
        if was is not None and i.op == "low" and self._low_bits(was) == (i.attribute, i.args[0]):
            return True
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
            lower = self._maker(right)
            upper, cut = self._cut(left, k)
            if (
                upper is not None
                and lower is not None
                and upper.op == lower.op == "shift"
                and upper.args[0] is lower.args[0] is x
                and _less(self._linear(upper.args[1]), self._linear(n)) == ({}, 0)
                and _less(self._linear(n), self._linear(lower.args[1])) == ({}, k)
            ):
                if not cut and (above := ~self._known(was.result)[0] & -1 << k):
                    self.loose[was.result] = above
                return True
        return False

    def _cut(self, value: Value, k: int) -> tuple[Instruction | None, bool]:
        """What makes the value, or makes one with the same k low bits; and whether it has no others."""
        cut = False
        while True:
            i = self._maker(value)
            bits, of = self._low_bits(i) if i is not None else (None, value)
            if bits is None or bits < k:
                return i, cut
            cut = cut or bits == k
            value = of

    def _low_bits(self, i: Instruction) -> tuple[int | None, Value | None]:
        """If the instruction yields the low bits of another value, how many, and of which."""
        if i.op == "low":
            return i.attribute, i.args[0]
        if i.op in ("and", "fmod"):
            for of, by in (i.args, i.args[::-1])[: 2 if i.op == "and" else 1]:
                mask = self.number(by)
                if mask is not None and i.op == "fmod":
                    mask -= 1
                if mask is not None and mask > 0 and not mask & (mask + 1):
                    return mask.bit_length(), of
        return None, None

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
        """Raises CheckError, if a run may observe a bit that does not agree with the original."""
        loose, grown = dict(self.loose), dict.fromkeys(self.loose, 0)
        order = depth_first(self.after.blocks[0], lambda b: [edge.block for edge in b.terminator.edges])

        def more(value: Value, bits: int) -> bool:
            bits |= loose.get(value, 0)
            if bits == loose.get(value, 0):
                return False
            grown[value] = grown.get(value, 0) + 1
            loose[value] = bits if grown[value] < ROUNDS else _upward(bits)
            return True

        moved = True
        while moved:
            moved = False
            for block in order:
                for i in block.instructions:
                    if bits := self._may_differ(i, loose):
                        moved |= any([more(result, bits) for result in i.results])
                for edge in block.terminator.edges:
                    for param, arg in zip(edge.block.params, edge.args, strict=True):
                        moved |= more(param, loose.get(arg, 0))
        for block in order:
            for i in block.instructions:
                if self._exactly(i) and not loose.keys().isdisjoint(i.args):
                    raise self.refused(i, "uses a number that may differ from the original")
            ends = block.terminator.args
            if not loose.keys().isdisjoint(ends):
                raise self.refused(block.name, "its condition or results may differ from the original's")

    def _exactly(self, i: Instruction) -> bool:
        """Whether all bits of the operands must agree with the original's."""
        return i.op not in (*CARRYING, *LOGIC, "low", "field", "shift", "rotl", "select")

    def _may_differ(self, i: Instruction, loose: dict[Value, int]) -> int:
        """The bits of the result that may differ from the original's, if these bits of its operands may."""
        found = [loose.get(arg, 0) for arg in i.args]
        own = self.loose.get(i.results[0], 0) if i.results else 0
        if not any(found):
            return own
        if i.op in LOGIC:
            return self._logical(LOGIC[i.op], i.args, found)
        bits, k = found[0], i.attribute
        match i.op:
            case "low":
                return bits & (1 << k) - 1
            case "field":
                sign = 1 << (k - 1)
                return bits & (sign - 1) | (-sign if bits & sign else 0)
            case "shift" if not found[1]:
                return self._shifted(bits, i.args[1])
            case "rotl" if not found[1]:
                return own | self._rotated(bits & (1 << k) - 1, k, i.args[1])
            case "select" if not found[0]:
                return found[1] | found[2]
            case op if op in CARRYING:
                return _upward(bits | found[-1])
        # refused by _exactly, or by what the count or the condition is computed from
        return -1

    def _logical(self, table: int, args: list[Value], found: list[int]) -> int:
        bits = 0
        for at, step, rest in ((0, 2, 1), (1, 1, 2)):
            other = 1 - at
            zeros, ones = (0, 0) if found[other] else self._known(args[other])
            # whether the operand matters where the other's bit is 0, and where it is 1
            at_0, at_1 = (table ^ table >> step) & 1, (table >> rest ^ table >> (rest + step)) & 1
            bits |= found[at] & ((~ones if at_0 else 0) | (~zeros if at_1 else 0))
        return bits

    def _shifted(self, bits: int, count: Value) -> int:
        known = self.ranges.get(count)
        if known is None or known.low is None:
            return -1
        if known.low == known.high and known.low <= bounds.FAR:
            return bits << known.low if known.low >= 0 else bits >> -known.low
        return -1 << min(max(_lowest(bits) + known.low, 0), bounds.FAR)

    def _rotated(self, bits: int, k: int, count: Value) -> int:
        known = self.ranges.get(count)
        moved, word = 0, (1 << k) - 1
        if known is None or known.low is None or known.high is None:
            return word if bits else 0
        for n in range(known.low, min(known.high, known.low + k - 1) + 1):
            moved |= bits << n % k & word | bits >> (k - n % k)
        return moved

    def _known(self, value: Value) -> tuple[int, int]:
        """The bits of a number of the function before that are always 0, and those that are 1."""
        known = self.ranges.get(value)
        close = bounds.tight(bounds.of(known)) if known is not None else None
        return (0, 0) if close is None else close[2:]


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _upward(bits: int) -> int:
    """All bits from the lowest one on."""
    return bits | -bits


def _less(a: Linear, b: Linear) -> Linear:
    terms = dict(a[0])
    for value, often in b[0].items():
        terms[value] = terms.get(value, 0) - often
    return {value: often for value, often in terms.items() if often}, a[1] - b[1]
