"""Interleaved repeats of calls, and whether they were disturbed: the rule of bench/timing.h, for Python."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter_ns
from timeit import Timer

# Repeats that spread further are disturbed.
SPREAD_MAX = 0.25
# So often a measurement is made, if each time it is disturbed.
ATTEMPTS = 3


# behind a figure, and what it means
MARK = " (disturbed)"
DISTURBED = f"disturbed: repeats that differ by more than {100 * SPREAD_MAX:.0f} % in every attempt"


@dataclass(frozen=True)
class Timing:
    """Statistics of samples, in any unit of time."""

    least: float
    median: float
    # the upper quartile over the least, less 1
    spread: float

    @classmethod
    def of(cls, samples: Iterable[float]) -> "Timing":
        ordered = sorted(samples)
        spread = ordered[3 * (len(ordered) - 1) // 4] / ordered[0] - 1
        return cls(ordered[0], median(ordered), spread)

    @property
    def disturbed(self) -> bool:
        return self.spread > SPREAD_MAX

    @property
    def mark(self) -> str:
        """The mark after a figure that comes from this timing."""
        return MARK if self.disturbed else ""


@dataclass(frozen=True)
class Only:
    """The rows that are timed: of one case, of sizes up to a largest. None sets no limit."""

    case: str | None = None
    most: int | None = None

    def wants(self, case: str, size: int) -> bool:
        return self.case in (None, case) and (self.most is None or size <= self.most)

    def options(self) -> list[str]:
        """As the bench program and the command take them."""
        case = [] if self.case is None else ["--case", self.case]
        return case if self.most is None else [*case, "--most", str(self.most)]


ANY = Only()


def steady(measure: Callable[[], Sequence[Timing]]) -> Sequence[Timing]:
    """The result of ``measure``, repeated if it is disturbed: the attempt whose worst spread is least."""
    best = measure()
    for _ in range(ATTEMPTS - 1):
        if not any(timing.disturbed for timing in best):
            break
        best = min(best, measure(), key=lambda found: max(timing.spread for timing in found))
    return best


def in_turn(
    calls: Sequence[Callable[[], object]], rounds: int, clock: Callable[[], float] = perf_counter_ns
) -> Sequence[Timing]:
    """The times of each call, in the clock's unit.

    Each round makes every call once, in alternating order, so that whatever slows the machine for a while
    slows all of them.
    """

    def attempt() -> list[Timing]:
        samples: list[list[float]] = [[] for _ in calls]
        for i in range(rounds):
            for call, mine in list(zip(calls, samples, strict=True))[:: -1 if i % 2 else 1]:
                start = clock()
                call()
                mine.append(clock() - start)
        return [Timing.of(mine) for mine in samples]

    return steady(attempt)


def row(timers: Sequence[Timer], rounds: int, batch_ns: float) -> dict:
    """The time fields of a suite's row: the first call's, and its ratio to the second's if there is one.

    Each is called so often that the first takes ``batch_ns``, which is long compared with a call of the
    clock.
    """
    once = min(max(timers[0].timeit(1) for _ in range(3)) * 1e9, batch_ns)
    number = int(batch_ns / once)
    found = in_turn([partial(timer.timeit, number) for timer in timers], rounds)
    return {
        "ns_median": found[0].median / number,
        "ns_min": found[0].least / number,
        "ratio": found[0].median / found[1].median if len(found) > 1 else None,
        "spread": max(timing.spread for timing in found),
        "disturbed": any(timing.disturbed for timing in found),
    }


def duration(ns: float) -> str:
    """A duration with three digits."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        # 999.6 of one unit would be 1000 of it
        if ns >= 0.9995 * size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"
