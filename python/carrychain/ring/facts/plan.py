"""The passes' results, by which a function is compiled: a range, a demand and a container for each value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..ir.form import Block, Function, Int, Value

EVERYTHING = -1  # the demand for every bit


class Range(NamedTuple):
    """A set of integers: an interval, None for an unbounded side, and masks of bits known to be 0 or 1.

    The masks are unbounded integers like the values: v is in the range if low <= v <= high,
    v & zeros == 0 and ~v & ones == 0.
    """

    low: int | None = None
    high: int | None = None
    zeros: int = 0
    ones: int = 0

    def __contains__(self, value: int) -> bool:
        return (
            (self.low is None or self.low <= value)
            and (self.high is None or value <= self.high)
            and not value & self.zeros
            and not ~value & self.ones
        )

    def fits(self, bits: int) -> bool:
        """Whether a word of so many bits, read as unsigned or as signed, holds each value exactly."""
        if self.low is None or self.high is None:
            return False
        half = 1 << (bits - 1)
        return (self.low >= 0 and self.high < 2 * half) or (-half <= self.low and self.high < half)

    def within(self, type_: Int) -> bool:
        """Whether each value is of the type."""
        return (type_.low is None or (self.low is not None and type_.low <= self.low)) and (
            type_.high is None or (self.high is not None and self.high <= type_.high)
        )

    @property
    def negative(self) -> bool:
        """Whether the range has negative values: then a word that holds them is read as signed."""
        return self.low is None or self.low < 0


ANY = Range()


@dataclass
class Plan:
    """How a function is compiled.

    The container of an integer value v is BIG, which holds v exactly, or a word of w bits, in which the
    demanded bits are correct; a demand has no bits from w on. If all bits of the narrowest word that v's
    range fits are demanded, that word is v exactly, read as signed if the range has negative values, else as
    unsigned, and extended that way in any wider container.
    """

    function: Function
    ranges: dict[Value, Range] = field(default_factory=dict)
    demands: dict[Value, int] = field(default_factory=dict)
    containers: dict[Value, int | None] = field(default_factory=dict)
    # for each value that stayed big: the instruction or terminator that first demanded more than a word
    blame: dict[Value, object] = field(default_factory=dict)
    # narrower ranges at the entry of each reachable block, by which `check` derives the ranges again; None if
    # no ranges are claimed
    facts: dict[Block, dict[Value, Range]] | None = None
    # blocks that are reached only where an integer is not the word that it nearly always is
    general: set[Block] = field(default_factory=set)
    # the ranges of the function's results, as checked
    returned: list[Range] = field(default_factory=list)
