"""The contents of a chapter of the demo."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from carrychain.bench.timing import Timing


@dataclass
class Demo:
    carry: str
    module: str
    check: str
    right: bool
    unit: str
    peer: str  # its name, or why there is none
    timings: Sequence[Timing] = ()  # in ns: ours, and the peer's if there is one
    each: int = 1  # how many of the unit a call makes
    did: list[tuple[str, str]] = field(default_factory=list)
