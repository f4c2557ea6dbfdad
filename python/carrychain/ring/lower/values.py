"""The IR's values as words and as BIG, by a plan."""

from __future__ import annotations

from functools import cached_property

from ..facts import transfer
from ..facts.demand import below, exact_width
from ..facts.order import Order
from ..facts.plan import ANY, Plan, Range
from ..facts.rounds import Rounds
from ..ir.form import Block, Instruction, Int, Value
from ..machine.form import BIG, WIDTHS, Const, Operand, const, is_small
from .builder import MachineBuilder


def width_for(*known: Range) -> int | None:
    """The least width that holds all ranges, unsigned if none is negative, else signed; None if none does."""
    if any(r.low is None or r.high is None for r in known):
        return None
    if not any(r.negative for r in known):
        return next((w for w in WIDTHS if all(r.high < 1 << w for r in known)), None)
    half = [1 << (w - 1) for w in WIDTHS]
    return next((h.bit_length() for h in half if all(-h <= r.low and r.high < h for r in known)), None)


class ValueMap:
    """The operands that hold a function's values, and conversions between widths."""

    def __init__(self, plan: Plan, builder: MachineBuilder, lengths: dict[str, int]):
        self.plan = plan
        self.lengths = lengths  # of global arrays
        self.builder = builder
        self.let = builder.let
        self.containers = plan.containers
        self.words: dict[Value, Operand] = {}
        self.made_by: dict[Value, Instruction] = {}
        self.made_in: dict[Value, Block] = {}
        self.constants: dict[Value, int] = {}
        self.rounds = Rounds(plan)
        self.block: Block | None = None  # the block that is lowered
        self.in_frame: dict[Instruction, int] = {}  # arrays in the frame, with their greatest lengths
        for block in plan.function.blocks:
            for i in block.instructions:
                for result in i.results:
                    self.made_by[result] = i
                    self.made_in[result] = block
                    if i.op == "const" and isinstance(result.type, Int):
                        self.constants[result] = i.attribute

    # what is known of a value ------------------------------------------------------------------

    def range(self, value: Value) -> Range:
        return self.plan.ranges.get(value, ANY)

    def known(self, value: Value) -> Range:
        """The range of a value that is used whole; ANY if it is BIG."""
        if value in self.constants:
            constant = self.constants[value]
            return Range(constant, constant)
        return ANY if self.containers[value] is BIG else self.range(value)

    def known_before_checks(self, value: Value) -> Range:
        """The range of a value that is used whole, whether or not the block's checks hold."""
        while self.made_in.get(value) is self.block and self.made_by[value].op in ("narrow", "assume"):
            value = self.made_by[value].args[0]
        known = self.known(value)
        return known if self.made_in.get(value) is self.block else self._in_block(value, known)

    def _in_block(self, value: Value, known: Range) -> Range:
        """What is left of the range where the block is entered."""
        if self.plan.facts is None:
            return known
        fact = self.plan.facts.get(self.block, {}).get(value, known)
        try:
            return transfer.intersection(known, fact)
        except transfer.Empty:
            # the block is never entered
            return known

    def is_exact(self, value: Value) -> bool:
        """Whether the container determines the value."""
        if value in self.constants or self.plan.demands[value] < 0:
            return True
        bits = exact_width(self.range(value))
        return bits is not None and self.plan.demands[value] == below(bits)

    @cached_property
    def order(self) -> Order:
        return Order(self.plan.function, self.plan.ranges)

    @cached_property
    def users(self) -> dict[Value, list[Instruction | None]]:
        """The instructions that use each value; None for a terminator."""
        found: dict[Value, list[Instruction | None]] = {}
        for instruction in self.plan.function.instructions():
            for arg in instruction.args:
                found.setdefault(arg, []).append(instruction)
        for block in self.plan.function.blocks:
            end = block.terminator
            for arg in (*end.args, *(arg for edge in end.edges for arg in edge.args)):
                found.setdefault(arg, []).append(None)
        return found

    # conversions ----------------------------------------------------------------------------------

    def word(self, value: Value, bits: int) -> Operand:
        """The value's low bits; the value itself if it is exact and fits."""
        if value in self.constants:
            return const(self.constants[value], bits)
        has = self.containers[value]
        if has is BIG:
            return self.low_word(self.words[value], bits)
        return self.resize(self.words[value], bits, self.range(value).negative)

    def big(self, value: Value) -> Operand:
        if value in self.constants:
            return Const(BIG, self.constants[value])
        if self.containers[value] is BIG:
            return self.words[value]
        return self.to_big(self.words[value], self.range(value))

    def given(self, value: Value) -> Operand:
        """The value as a BIG that is passed on, as which it is small if it is known to be in this block."""
        if value in self.constants or self.containers[value] is BIG:
            return self.big(value)
        known = self.range(value)
        here = self._in_block(value, known)
        small = None not in here[:2] and is_small(here.low) and is_small(here.high)
        return self.to_big(self.words[value], here if small else known)

    def passed(self, value: Value, to: Value) -> Operand:
        """The value as the operand of `to`, to which it is passed; the range of `to` may be narrower."""
        target = self.containers[to]
        if self.is_exact(value):
            return self.big(value) if target is BIG else self.word(value, target)
        bits = exact_width(self.range(to))
        if bits is None or not self.is_exact(to):
            return self.big(value) if target is BIG else self.word(value, target)
        # the bits that `to` needs are correct; the sign of the value's own word may be wrong
        word = self.word(value, bits)
        if target is BIG:
            return self.to_big(word, self.range(to))
        return self.resize(word, target, self.range(to).negative)

    def define(self, value: Value, operand: Operand, known: Range) -> None:
        """Defines the value as this word, read by the range's sign, or as this BIG."""
        has = self.containers[value]
        if operand.type is BIG:
            self.words[value] = operand if has is BIG else self.low_word(operand, has)
        elif has is BIG:
            self.words[value] = self.to_big(operand, known)
        else:
            self.words[value] = self.resize(operand, has, known.negative)

    # widths -----------------------------------------------------------------------------------------

    def resize(self, word: Operand, to: int, negative: bool) -> Operand:
        bits = word.type
        if bits == to:
            return word
        if bits > to:
            return self.let("trunc", to, word)
        return self.let("sext" if negative else "zext", to, word)

    def low_word(self, big: Operand, bits: int) -> Operand:
        """The low bits of a BIG."""
        return self.resize(self.let("low_word", max(bits, 64), big), bits, False)

    def to_big(self, word: Operand, known: Range) -> Operand:
        """A word, read by the range's sign, as a BIG."""
        if word.type < 64:
            return self.let("small", BIG, self.resize(word, 64, known.negative))
        if None not in known[:2] and is_small(known.low) and is_small(known.high):
            return self.let("small", BIG, self.resize(word, 64, False))
        return self.builder.owned("box", word, attribute="s" if known.negative else "u")
