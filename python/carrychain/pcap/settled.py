"""Verdicts that the rest of a capture can change: rows wait until it has been read, or it is read again.

A sum that a sender may have left to its network card is judged by what its packet shows, and by what all
packets show (``vantage.h``). Rows of a pipe, or of a capture that grows, do not wait: they are provisional.
"""

import os
import threading
from collections.abc import Iterable, Iterator

from carrychain.bindings.capture import WAITING
from carrychain.files import Writer

from .datagrams import Datagrams
from .entries import Entries
from .pipeline import ALL, Pipeline, Report, Wanted, ended, groups, settings_of, told


def verify(
    names: Iterable[str],
    tell: Iterable[str] = ("bad",),
    limit: int | None = None,
    fixed: Writer | None = None,
    heuristics: bool = True,
    until: threading.Event | None = None,
    by: str | None = None,
    plot: bool = False,
    records: bool = False,
    threads: int | None = None,
    vantage: str | None = None,
    wanted: Wanted = ALL,
) -> Iterator[tuple[Report, Entries, bool]]:
    """The checksums in captures. Yields a capture's report so far, new entries, and whether it is finished.

    Files come in order, and so do the entries of a file: those with a verdict in ``tell``, at most ``limit``
    per file. "-" is the standard input. ``fixed`` receives a copy of the only capture in which every bad and
    partial checksum is repaired. Without ``heuristics``, headers that are only likely to be present, such as
    those of a tunnel guessed from its UDP port, are not entered.

    With ``until``, which any thread may set, a capture may still grow: it is read until ``until`` is set, and
    not reported as cut short before. ``by`` selects the grouping of the report's ``tally``; ``plot`` fills
    its ``histogram``; ``records`` adds packet data to the entries. ``threads`` is the number of threads that
    walk packets; by default, as many as are useful.

    ``vantage`` is where packets were captured: "sender", "receiver", "wire", or "found" if their evidence is
    to tell. Verdicts are then "deferred" and "unfinished" in place of "partial". Without it, each is on the
    sum alone.

    ``wanted`` says which packets are looked at, and whether they come from an interface, the only capture.

    Datagrams that are still in fragments at the end of a capture continue in the next capture if that belongs
    to the same series and begins where this one ends. A datagram that stays incomplete is reported when that
    is known; the ``name`` of its entries is that of the capture in which it began.
    """
    names = list(names)
    settings = settings_of(tell, heuristics, by, plot, vantage)
    settings |= {"fix": fixed is not None, "note": wanted.last_bad is not None}
    pipeline = Pipeline(names, settings, until=until, threads=threads, wanted=wanted)
    datagrams = Datagrams()
    number = 0
    for report, entries, last in settled(pipeline, datagrams, limit, fixed, records, until=until):
        yield from groups(report, entries, names)
        if last:
            yield from ended(report, datagrams, names, number, settings, limit)
            number += 1


def settled(
    pipeline: Pipeline,
    datagrams: Datagrams,
    limit: int | None,
    fixed: Writer | None = None,
    records: bool = False,
    keys: set[int] | None = None,
    until: threading.Event | None = None,
    first: int = 0,
) -> Iterator[tuple[Report, Entries, bool]]:
    """As ``pipeline.told``, with verdicts that are final where a capture can be read twice.

    ``first`` is the number of the pipeline's first capture.
    """
    parts = told(pipeline, datagrams, limit, fixed, records, keys)
    if not pipeline.settings["judge"]:
        yield from parts
        return
    number, before, rows = first, None, _Rows()
    last_bad = pipeline.wanted.last_bad
    for report, entries, last in parts:
        waits = until is None and _can_be_read_again(report.name)
        if not waits:
            if last:
                report.settle()
            yield report, entries, last
        elif not last:
            yield report, rows.passed(report, entries), False
        else:
            leaving = rows.passed(report, entries)
            changed = report.learned.settle(report.wrong)
            if changed or rows.lost:
                yield report, leaving, False
                if last_bad:
                    last_bad.rewind()
                again = Pipeline(
                    [report.name],
                    pipeline.settings | {"fix": False, "settled": report.wrong.c},
                    first=number,
                    threads=pipeline.threads,
                    wanted=pipeline.wanted,
                )
                open_before = Datagrams() if before is None else before
                yield from _again(report, told(again, open_before, limit), rows.passed_count)
            else:
                yield report, leaving, False
                yield from rows.released(report)
        if last:
            # whoever is told of a capture's end may give up datagrams
            number, rows = number + 1, _Rows()
            if last_bad:
                last_bad.mark()
            before = Datagrams([datagrams]) if len(datagrams) else None


def _can_be_read_again(name: str) -> bool:
    return "://" in name or os.path.isfile(name)


class _Rows:
    """The rows of a capture: those before the first doubt pass, the others wait."""

    def __init__(self) -> None:
        self.passed_count = 0
        self.lost = False
        self._waiting: list[Entries] = []

    def passed(self, report: Report, entries: Entries) -> Entries:
        """What need not wait."""
        if not report.doubted:
            self.passed_count += len(entries)
            return entries
        if len(entries) and not self.lost:
            self._waiting.append(entries)
            if sum(map(len, self._waiting)) > WAITING:
                self.lost, self._waiting = True, []
        return Entries(None, 0)

    def released(self, report: Report) -> Iterator[tuple[Report, Entries, bool]]:
        for entries in self._waiting:
            entries.settle(report.wrong)
            yield report, entries, False
        yield report, Entries(None, 0), True


def _again(
    report: Report, parts: Iterator[tuple[Report, Entries, bool]], skipped: int
) -> Iterator[tuple[Report, Entries, bool]]:
    """The rows and the counts of a second reading, but for its first rows, which have passed."""
    for second, entries, last in parts:
        rest = entries.beyond(skipped)
        skipped -= len(entries) - len(rest)
        if last:
            second.settle()
            report.become(second)
        yield report, rest, last
