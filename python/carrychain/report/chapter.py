"""The contents of a paper's page."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from carrychain.bench.timing import MARK, SPREAD_MAX

from .measured import Measured


@dataclass(frozen=True)
class Mark:
    """How many times as fast one is as another, with the range of its repeats."""

    ratio: float
    low: float
    high: float
    disturbed: bool = False

    @classmethod
    def of(cls, row: dict) -> "Mark":
        """The peer's time over ours, from a row of a suite."""
        return cls.spread(1 / row["ratio"], row["spread"])

    @classmethod
    def published(cls, low: float, high: float) -> "Mark":
        return cls((low * high) ** 0.5, low, high)

    @classmethod
    def spread(cls, ratio: float, by: float) -> "Mark":
        return cls(ratio, ratio / (1 + by), ratio * (1 + by), by > SPREAD_MAX)

    def said(self, digits: int = 1) -> str:
        """The value in words."""
        return f"{self.ratio:.{digits}f}{MARK if self.disturbed else ''}"


Marks = dict[str, Mark]  # by what is compared


def times_as_fast(row: dict) -> str:
    """How many times as fast as the peer we are, from a row of a suite."""
    return f"{1 / row['ratio']:.2f}{mark(row)}"


def mark(*rows: dict) -> str:
    """What to say behind a figure that comes from these."""
    return MARK if any(row["disturbed"] for row in rows) else ""


def span(marks: Iterable[Mark], digits: int = 1) -> str:
    """The range from the smallest to the largest, in words."""
    marks = sorted(marks, key=attrgetter("ratio"))
    least, most = (each.said(digits) for each in (marks[0], marks[-1]))
    return least if least == most else f"{least} to {most}"


@dataclass(frozen=True)
class Chapter:
    carry: str  # what happens to it
    module: str
    paper: str  # author, title, year
    what: str  # the chapter in one line
    published: Mapping[str, tuple[float, float]]  # ratios, from and to, by what is compared
    ratios: Callable[[Measured], Marks]  # the same and others, of a machine's measurements
    # that in a sentence or two, and of what is stored; empty if there is nothing to say
    means: Callable[[Marks, Marks], str]
    show: Callable[[Measured, Path], str]  # draws into the directory; the tables' and figures' HTML
    # what is measured, by name; each gives what JSON can hold, and repeats less if it is to be quick
    phases: Mapping[str, Callable[[bool], object]] = field(default_factory=dict)
    # what was measured elsewhere, where this command can't measure it
    stored: Callable[[], Marks] = dict
    seed: str = ""  # of what is random
