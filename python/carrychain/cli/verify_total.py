"""What all captures have together, and which are the worst."""

import time
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from heapq import heappushpop

from carrychain.pcap import Conclusion, Report, conclusions, ordered
from carrychain.pcap.by import Counts, add_counts, counts_by, rows_of
from carrychain.pcap.causes import Wrong, bounded, wrong_sums

from .verify_report import WRONG

# Captures named as the worst.
NAMED = 10


@dataclass
class Total:
    """Members that a report also has mean the same."""

    by: str | None = None  # what is also counted separately
    _began: float = field(default_factory=time.monotonic)
    captures: int = 0
    unreadable: int = 0  # captures that could not be read, or not completely
    frames: int = 0
    bytes: int = 0
    without: int = 0
    dropped: int = 0
    fixed: int = 0
    unfixed: int = 0
    counts: Counter = field(default_factory=Counter)
    quoted: Counter = field(default_factory=Counter)
    reasons: Counter = field(default_factory=Counter)
    unknown: Counter = field(default_factory=Counter)
    _groups: Counts = field(default_factory=dict)
    # by verdict and evidence; an interface belongs to its capture, so none is named
    _senders: dict[tuple[str, str | None], Counter[tuple[str, str, str]]] = field(default_factory=dict)
    wrong_sums: Counter[Wrong] = field(default_factory=Counter)
    # the least bad first: its wrong sums, minus its place, its counts and its name
    _worst: list[tuple[int, int, dict[str, int], str]] = field(default_factory=list)

    def so_far(self) -> "Total":
        """A copy to which the captures in progress can be added."""
        return deepcopy(self)

    def add(self, report: Report, errors: list[str]) -> None:
        self.captures += 1
        self.unreadable += bool(errors)
        for name in ("frames", "bytes", "without", "dropped", "fixed", "unfixed"):
            setattr(self, name, getattr(self, name) + getattr(report, name))
        for name in ("counts", "quoted", "reasons", "unknown"):
            getattr(self, name).update(getattr(report, name))
        if self.by:
            add_counts(self._groups, counts_by(report, self.by))
        for each in conclusions(report):
            senders = self._senders.setdefault((each.verdict, each.evidence), Counter())
            for (_, sender, protocol), count in each.senders.items():
                senders["", sender, protocol] += count
        bounded(
            self.wrong_sums,
            Counter({each._replace(interface=""): count for each, count in wrong_sums(report).items()}),
        )
        wrong = {verdict: report.verdicts(verdict) for verdict in WRONG}
        if any(wrong.values()):
            entry = sum(wrong.values()), -self.captures, wrong, report.name
            if len(self._worst) < NAMED:
                self._worst.append(entry)
                self._worst.sort()
            else:
                heappushpop(self._worst, entry)

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self._began

    def rows_by(self) -> list[dict[str, str | int]]:
        """The groups of all captures: interfaces of the same name are one."""
        return rows_of(self._groups, self.by) if self.by else []

    def conclusions(self) -> list[Conclusion]:
        return ordered(Conclusion(*on, senders) for on, senders in self._senders.items())

    def worst(self) -> list[dict[str, str | int]]:
        """The captures with the most bad and unfinished sums; of those with as many, the first."""
        return [{"file": name} | wrong for _, _, wrong, name in sorted(self._worst, reverse=True)]
