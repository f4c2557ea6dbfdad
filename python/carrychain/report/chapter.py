"""What a paper's module hands to the pages."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .measured import Measured


@dataclass(frozen=True)
class Mark:
    """So many times as fast; between these, as far as its repeats lie apart."""

    ratio: float
    low: float
    high: float

    @classmethod
    def of(cls, row: dict) -> "Mark":
        """Of a row of a suite: the peer's time over ours."""
        return cls.spread(1 / row["ratio"], row["spread"])

    @classmethod
    def spread(cls, ratio: float, by: float) -> "Mark":
        return cls(ratio, ratio / (1 + by), ratio * (1 + by))


Marks = dict[str, Mark]  # by what is compared


def span(ratios: Iterable[float], digits: int = 1) -> str:
    """From the least to the most, in words."""
    ratios = list(ratios)
    least, most = (f"{end(ratios):.{digits}f}" for end in (min, max))
    return least if least == most else f"{least} to {most}"


@dataclass(frozen=True)
class Chapter:
    carry: str  # what happens to it
    module: str
    paper: str  # author, title, year
    what: str  # the chapter in one line
    published: Mapping[str, tuple[float, float]]  # ratios, from and to, by what is compared
    ratios: Callable[[Measured], Marks]  # the same and others, of a machine's measurements
    means: Callable[[Marks], str]  # that in a sentence or two
    show: Callable[[Measured, Path], str]  # draws into the directory; the tables' and figures' HTML
    # what is measured, by name; each gives what JSON can hold, and repeats less if it is to be quick
    phases: Mapping[str, Callable[[bool], object]] = field(default_factory=dict)
    # what was measured elsewhere, where this command can't measure it
    stored: Callable[[], Marks] = dict
    seed: str = ""  # of what is random
