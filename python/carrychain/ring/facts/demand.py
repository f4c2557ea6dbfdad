"""Backward: which bits of each value can ever be observed.

A demand is a mask, an unbounded integer: bit i is set if bit i of the value (in two's complement) may matter;
-1 is every bit. A map from values to demands has this property. Take two runs along the same path through the
function. If corresponding values agree in their demanded bits wherever their arguments do, then all
observations agree. Observed are values that are returned, passed, stored, compared, divided, or used as an
index, a length or a shift count, and the operands of checks.

Per operation, for a result of which the bits d matter:
  + - x and neg: bit i of the result depends on bits 0 to i of the arguments, so all bits up to d's highest.
  the sixteen logical operators: bit i depends on bit i alone. If the other argument is a constant that
    decides the result, not even on that. (Only for one constant: if both arguments were constants, or
    known by their ranges, each could be ignored because of the other, and both might be wrong.)
  low k: d's bits below k.  field k: the same, and the sign bit k - 1 if d has a bit from k on.
  shift by n: bit i depends on bit i - n. All of the count matters.
  rotl k: the k low bits; all of the count matters.
  select, an edge's argument, a proven narrow: the value passes through.

If a value's range is known, a demand for all of it is smaller than it seems. If every possible value fits a
word of w bits, then w correct bits determine the value, and sign extension gives all other bits. So a demand
for bits from w on becomes a demand for the w bits below, and exact use of small numbers needs only a word.
(It must be all w bits, not only those that the range can set: the others must be correct, too.)

The map is found by iteration from empty demands, in rounds through the blocks from the last; demands only
grow. An operation is processed again when more of its result is demanded, an edge when more of a parameter
is. If demands grow by single bits around a loop (x >> 1 again and again), they jump to the next container's
width after a few rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

from ..ir.form import ARITHMETIC, LOGIC, Block, Branch, Function, Instruction, Int, Value
from ..machine.form import WIDTHS, word, word_of
from .plan import ANY, EVERYTHING, Range

ROUNDS = 8  # times a demand may grow before it jumps
FAR = 1 << 12  # demands of more bits count as unbounded
# Arguments of which the same bits matter as of the result. Of other arguments, all bits matter.
PASSED_ON = {
    **dict.fromkeys((*ARITHMETIC, *LOGIC), (0, 1)),
    **dict.fromkeys(("neg", "low", "field", "shift", "assume"), (0,)),
    "select": (1, 2),
}


def below(bits: int) -> int:
    return (1 << bits) - 1


def wide(demand: int) -> bool:
    """Whether no word is wide enough for the demanded bits."""
    return demand < 0 or demand.bit_length() > WIDTHS[-1]


def width(demand: int) -> int | None:
    """The number of bits up to the highest demanded one; None if there is no highest."""
    return None if demand < 0 else demand.bit_length()


def exact_width(known: Range) -> int | None:
    """The narrowest word that holds every value of the range, BIG if none does."""
    return word_of(known.low, known.high)


@dataclass
class Demands:
    masks: dict[Value, int]
    # the instruction or terminator that first demanded more of the value than a word
    reasons: dict[Value, object]


def demands(function: Function, ranges: dict[Value, Range]) -> Demands:
    return _DemandAnalysis(function, ranges).run()


class _DemandAnalysis:
    def __init__(self, function: Function, ranges: dict[Value, Range]):
        self.function = function
        self.ranges = ranges
        self.masks: dict[Value, int] = {}
        self.reasons: dict[Value, object] = {}
        self.grown: dict[Value, int] = {}
        self.made_by: dict[Value, Instruction] = {}
        # work to do again, by block: instructions by number from the end, as heaps; and terminators
        self.pending: dict[Block, list[int]] = {}
        self.ends = set(function.blocks)
        # where each value is defined: its instruction's place, or the blocks that pass the parameter
        self.makers: dict[Value, tuple[Block, int]] = {}
        self.passers: dict[Value, list[Block]] = {}
        for block in function.blocks:
            count = len(block.instructions)
            self.pending[block] = list(range(count))
            for at, instruction in enumerate(block.instructions, 1):
                for result in instruction.results:
                    self.made_by[result] = instruction
                    self.makers[result] = block, count - at
            for edge in block.terminator.edges:
                for param in edge.block.params:
                    self.passers.setdefault(param, []).append(block)

    def run(self) -> Demands:
        while self.ends or any(self.pending.values()):
            self._round()
        return Demands(self.masks, self.reasons)

    def _round(self) -> None:
        for block in reversed(self.function.blocks):
            if block in self.ends:
                self.ends.discard(block)
                self._end(block)
            todo, last = self.pending[block], None
            while todo:
                at = heappop(todo)
                if at == last:
                    continue
                last = at
                instruction = block.instructions[-1 - at]
                asked = self.asked(instruction)
                for which, (value, mask) in enumerate(zip(instruction.args, asked, strict=True)):
                    if mask and self._add(value, mask):
                        self.reasons.setdefault(value, self._reason(instruction, which))

    def _end(self, block: Block) -> None:
        end = block.terminator
        if not isinstance(end, Branch):
            for value in end.args:
                if self._add(value, EVERYTHING):
                    self.reasons.setdefault(value, end)
        for edge in end.edges:
            for param, arg in zip(edge.block.params, edge.args, strict=True):
                mask = self.masks.get(param, 0)
                if mask and self._add(arg, mask):
                    self.reasons.setdefault(arg, self.reasons.get(param, end))

    def _reason(self, instruction: Instruction, which: int) -> object:
        """What is to blame for a demand: an operation that only passes it on is not."""
        passes = which in PASSED_ON.get(instruction.op, ())
        if instruction.op == "narrow":
            passes = self.proven(instruction)
        if passes and wide(self.masks.get(instruction.result, 0)):
            return self.reasons.get(instruction.result, instruction)
        return instruction

    def _add(self, value: Value, mask: int) -> bool:
        """Adds to a value's demand; returns whether it grew to more than a word."""
        old = self.masks.get(value, 0)
        new = old | mask
        if new == old or not isinstance(value.type, Int):
            return False
        count = self.grown[value] = self.grown.get(value, 0) + 1
        if count > ROUNDS and new > 0:
            bits = word(new.bit_length())
            new = EVERYTHING if bits is None else below(bits)
        exact = exact_width(self.ranges.get(value, ANY))
        if exact is not None and (new < 0 or new.bit_length() > exact):
            new = below(exact)
            if new == old:
                return False
        self.masks[value] = new
        if value in self.makers:
            block, at = self.makers[value]
            heappush(self.pending[block], at)
        else:
            self.ends.update(self.passers.get(value, ()))
        return wide(new)

    def asked(self, instruction: Instruction) -> list[int]:
        """The instruction's demand for each argument."""
        op, args = instruction.op, instruction.args
        wanted = self.masks.get(instruction.result, 0) if len(instruction.results) == 1 else 0
        if op in ("add", "sub", "mul", "neg"):
            bits = width(wanted)
            return [EVERYTHING if bits is None else below(bits)] * len(args)
        if op in LOGIC:
            return [wanted & self._matters(LOGIC[op], which, args) for which in (0, 1)]
        match op:
            case "low":
                return [wanted & below(instruction.attribute)]
            case "field":
                sign = 1 << (instruction.attribute - 1)
                return [wanted & (sign - 1) | (sign if wanted & ~(sign - 1) else 0)]
            case "rotl":
                # every bit of the field may be rotated to a demanded place
                return [below(instruction.attribute) if wanted else 0, EVERYTHING if wanted else 0]
            case "shift":
                return [self._shifted(wanted, self.ranges.get(args[1], ANY)), EVERYTHING if wanted else 0]
            case "select":
                return [0, wanted, wanted]
            case "narrow":
                return [wanted if self.proven(instruction) else EVERYTHING]
            case "assume":
                return [wanted]
        return [EVERYTHING] * len(args)

    def proven(self, instruction: Instruction) -> bool:
        """Whether a narrow never traps."""
        known = self.ranges.get(instruction.args[0], ANY)
        low, high = instruction.attribute.low, instruction.attribute.high
        return (low is None or (known.low is not None and low <= known.low)) and (
            high is None or (known.high is not None and known.high <= high)
        )

    def _matters(self, table: int, which: int, args: list[Value]) -> int:
        """The bits where argument `which` of a logical operator can change the result."""
        step = 2 if which == 0 else 1
        rest = 1 if which == 0 else 2
        # does it matter where the other's bit is 0, or 1?
        at_0 = (table ^ table >> step) & 1
        at_1 = (table >> rest ^ table >> (rest + step)) & 1
        constant = self._constant(args[1 - which])
        if constant is not None and self._constant(args[which]) is None:
            return (~constant if at_0 else 0) | (constant if at_1 else 0)
        return EVERYTHING if at_0 or at_1 else 0

    def _constant(self, value: Value) -> int | None:
        made_by = self.made_by.get(value)
        return made_by.attribute if made_by is not None and made_by.op == "const" else None

    @staticmethod
    def _shifted(wanted: int, count: Range) -> int:
        """The bits of x that matter if the bits `wanted` of x 2^n do."""
        bits = width(wanted)
        if bits is None or count.low is None or bits - count.low > FAR:
            return EVERYTHING if wanted else 0
        if count.low == count.high:
            return wanted >> count.low if count.low >= 0 else wanted << -count.low
        return below(max(bits - count.low, 0))
