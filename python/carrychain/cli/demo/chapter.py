"""What a chapter of the demo has to say, and how it is timed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns


@dataclass
class Chapter:
    carry: str
    module: str
    check: str
    right: bool
    ns: float
    unit: str
    peer: str  # its name, or why there is none
    peer_ns: float | None = None
    did: list[tuple[str, str]] = field(default_factory=list)


def alone(ours: Callable[[], object], rounds: int) -> int:
    """The best time of a call, in ns."""
    return min(_time(ours) for _ in range(rounds))


def in_turn(ours: Callable[[], object], peer: Callable[[], object], rounds: int) -> tuple[int, int]:
    """The best times of a call of each, in ns: taken in turn, so that both have the same quiet moments."""
    times = []
    for i in range(rounds):
        if i % 2:
            theirs = _time(peer)
            times.append((_time(ours), theirs))
        else:
            times.append((_time(ours), _time(peer)))
    return min(ours for ours, _ in times), min(theirs for _, theirs in times)


def duration(ns: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def _time(call: Callable[[], object]) -> int:
    start = perf_counter_ns()
    call()
    return perf_counter_ns() - start
