"""The meaning of a plan: an interpreter that keeps of each value only what the plan keeps.

`Claimed` runs a function unchanged, and raises OutOfRange if a value is outside the range that the plan
claims. `Planned` runs it as it is compiled: in a value that is held in a word, only the demanded bits are
right; all others are noise, within the word and above it. If the demanded bits are all bits of the narrowest
word that the claimed range fits, the value is that word, read as the range says (see Plan). If demands,
ranges and containers are right, both runs are observed to do the same, whatever the noise.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..facts.plan import ANY, Plan, Range
from ..ir.form import Instruction, Module, Value
from ..ir.interpret import Interpreter, Long
from ..machine.form import BIG, WIDTHS


class OutOfRange(Exception):
    """A value is outside the range that the plan claims for it."""


class Claimed(Interpreter):
    def __init__(self, module: Module, plan: Plan):
        super().__init__(module)
        self.plan = plan
        # a plan without facts claims no ranges
        self.watched = plan.containers if plan.facts is not None else {}

    def _made(self, values: list[Value], found: Sequence) -> Sequence:
        for value, x in zip(values, found, strict=True):
            if value in self.watched and not isinstance(x, Long):
                claim = self.plan.ranges.get(value)
                if claim is None or x not in claim:
                    raise OutOfRange(f"{value} is {x}, not in {claim}")
        return super()._made(values, found)


class Planned(Interpreter):
    def __init__(self, module: Module, plan: Plan, rng: random.Random):
        super().__init__(module)
        self.plan = plan
        self.rng = rng
        self.words = {value: bits for value, bits in plan.containers.items() if bits is not BIG}
        self.exact = {value: _exact(plan.ranges.get(value, ANY), plan.demands[value]) for value in self.words}

    def _made(self, values: list[Value], found: Sequence) -> Sequence:
        kept = [self._kept(v, x) if v in self.words else x for v, x in zip(values, found, strict=True)]
        return super()._made(values, kept)

    def _kept(self, value: Value, x: int | Long) -> int:
        bits, demand = self.words[value], self.plan.demands[value]
        if isinstance(x, Long):
            # a Long's integer is too large to build: its low bits are enough
            x = x.low(bits)
        if self.exact[value] is not None:
            width, negative = self.exact[value]
            x &= (1 << width) - 1
            return x - (1 << width) if negative and x >> (width - 1) else x
        noise = self.rng.getrandbits(bits + 64) - (1 << (bits + 63))
        return x & demand | noise & ~demand

    def _step(self, instruction: Instruction, args: list) -> Sequence:
        if instruction.op in ("narrow", "assume") and instruction.args[0] in self.words:
            known, type_ = self.plan.ranges.get(instruction.args[0], ANY), instruction.attribute
            ends = (known.low, known.high)
            # a check that cannot fail reads no bit of its argument
            if instruction.op == "assume" or (None not in ends and all(end in type_ for end in ends)):
                return args
        return super()._step(instruction, args)


def _exact(known: Range, demand: int) -> tuple[int, bool] | None:
    """The width and signedness of the word that the demanded bits determine; None if they determine none."""
    width = next((bits for bits in WIDTHS if known.fits(bits)), None)
    if width is None or ~demand & ((1 << width) - 1):
        return None
    return width, known.negative
