"""Captures in, verdicts out: bytes are read and cut in order, walked on all cores, and reported in order."""

import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from queue import SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING

from carrychain.bindings.capture import (
    BATCH_BYTES,
    BY,
    DISORDER,
    END,
    FULL,
    HEAD,
    MORE,
    MOST,
    NO_HEURISTICS,
    VANTAGES,
    LearnedTable,
    series,
)
from carrychain.bindings.cause import CauseTable
from carrychain.bindings.watch import taken
from carrychain.files import Writer

from .batch import Batch, Framing, tell_mask
from .datagrams import Datagrams
from .entries import Entries
from .histogram import Histogram
from .remote import Remote
from .source import Source
from .tally import Tally

if TYPE_CHECKING:
    from carrychain.bindings.libpcap import Expression

    from .last_bad import LastBad
    from .live import Live

# Reading, which one does at a time, takes a third to half as long as walking: more would wait.
MOST_WORKERS = 4


@dataclass(frozen=True)
class Wanted:
    """Which packets are wanted, and from where.

    From an interface, if not from files; only those that an expression lets pass. After ``beat`` seconds
    without any, there is a batch of none. ``last_bad`` takes those that are corrupt.
    """

    live: "Live | None" = None
    expression: "Expression | None" = None
    beat: float | None = None
    last_bad: "LastBad | None" = None


ALL = Wanted()


@dataclass
class Report:
    """What is known of a capture so far."""

    name: str
    format: str | None = None
    frames: int = 0
    bytes: int = 0
    place: int = 0  # how much of the file, compressed or not, was read
    counts: Counter = field(default_factory=Counter)  # by (protocol, verdict)
    quoted: Counter = field(default_factory=Counter)  # the same of what ICMP errors quote
    reasons: Counter = field(default_factory=Counter)  # of the unverifiable
    without: int = 0  # frames without a checksum that is known
    unknown: Counter = field(default_factory=Counter)  # by what is not known, in frames and datagrams
    dropped: int = 0  # frames that a live capture lost
    fixed: int = 0
    unfixed: int = 0
    told: int = 0  # entries
    latest: int = 0  # nanoseconds since 1970
    interfaces: dict[int, str] = field(default_factory=dict)  # those with a name
    links: dict[int, int] = field(default_factory=dict)  # the link types of interfaces
    # the bad, and those that may be deferred, by interface, sender and receiver
    wrong: Tally = field(default_factory=Tally)
    # the bad by themselves, by flow and what may have made them; and who talks to whom around them
    causes: CauseTable = field(default_factory=CauseTable)
    talks: Tally = field(default_factory=Tally)
    learned: LearnedTable = field(default_factory=LearnedTable)
    doubted: bool = False  # there is a sum whose verdict others can change
    tally: Tally = field(default_factory=Tally)  # all, by what was asked for
    histogram: Histogram = field(default_factory=Histogram)
    error: str | None = None  # why it, or the rest of it, could not be read

    def verdicts(self, verdict: str) -> int:
        return sum(count for (_, each), count in self.counts.items() if each == verdict)

    def settle(self) -> bool:
        """Makes the counts final; whether any of them changed."""
        if not self.learned.settle(self.wrong):
            return False
        for row in self.wrong:
            if row.verdict:
                self.counts.subtract({(row.protocol, name): count for name, count in row.counts.items()})
                self.counts[row.protocol, row.verdict] += sum(row.counts.values())
        self.counts = +self.counts
        return True

    def so_far(self) -> "Report":
        """A copy, with the counts that are final if nothing follows."""
        here = copy(self)
        here.counts, here.wrong = Counter(self.counts), copy(self.wrong)
        here.settle()
        return here

    def become(self, other: "Report") -> None:
        """Takes what a second reading of the same capture found. What it repaired was in the first."""
        for name, value in vars(other).items():
            if name not in ("name", "fixed", "unfixed"):
                setattr(self, name, value)


class _CaptureReader:
    """Reads the bytes of one capture into batches."""

    def __init__(self, name: str, number: int, until: threading.Event | None, wanted: Wanted = ALL) -> None:
        self.report = Report(name)
        if wanted.live and wanted.live.mac:
            self.report.learned.begin(wanted.live.mac)
        self._wanted = wanted
        self._links: set[int] = set()
        self._number = number
        self.error: str | None = None
        self.rest = b""
        self.framing = Framing()
        self._place = 0
        self._frame = 1
        self._until = until
        self._source = None
        # why the source gives no more
        self._broken: str | None = None
        try:
            self._source = Source(name, until, wanted.live)
        except IsADirectoryError:
            self.error = "no capture in this directory"
        except OSError as error:
            self.error = error.strerror

    @property
    def place(self) -> int:
        """The number of bytes of the file that were read."""
        return self._source.place if self._source else 0

    def fill(self, batch: Batch) -> bool:
        """Fills the next batch; False if it is the last."""
        c = batch.c
        c.filled = c.used = c.record_count = 0
        c.place, c.frame, c.capture = self._place, self._frame, self._number
        if self.error:
            batch.cut(Framing())
            return False
        if len(self.rest) > c.size:
            batch.grow(len(self.rest))
        batch.view(0, len(self.rest))[:] = self.rest
        c.filled = len(self.rest)
        beat = None if self._wanted.beat is None else monotonic() + self._wanted.beat
        while True:
            ended = self._read(batch, beat)
            status = batch.cut(self.framing)
            if c.record_count or c.used or status != MORE or ended or (beat and monotonic() >= beat):
                break
            if c.filled == c.size:
                batch.grow(max(2 * c.size, self.framing.need))
        self.rest = bytes(batch.view(c.used, c.filled))
        self._place += c.used
        self._frame += c.record_count
        if self._wanted.expression and not self._choose(self._wanted.expression, batch):
            return False
        if status == FULL or (status == MORE and not ended):
            return True
        if self._wanted.live and self._wanted.live.error:
            self.error = self._wanted.live.error
            return False
        # what is half-written is no error
        waits = bool(self._until and self._until.is_set())
        if status != MORE or self._broken or (self.rest and not waits):
            broken = self._broken if status == MORE else None
            self.error = self.framing.trouble(status, broken, self._place, self._frame - 1)
        elif not self._place and not waits:
            self.error = "empty"
        return False

    def _choose(self, expression: "Expression", batch: Batch) -> bool:
        """Which packets the batch looks at; False if the expression means nothing for some."""
        self._links.update(link for _, _, link in batch.interfaces())
        try:
            batch.c.filter = expression.table(self._links)
        except ValueError as error:
            self.error = f"its link types are {sorted(self._links)}: {error}"
            batch.c.record_count = 0
            return False
        return True

    def _read(self, batch: Batch, beat: float | None) -> bool:
        """Fills the batch, or takes what is available now, or by the time ``beat``.

        True if the file has ended or cannot be read further.
        """
        before = batch.c.filled
        while batch.c.filled < batch.c.size:
            got = self._get(batch.view(batch.c.filled, batch.c.size))
            if got is None and (batch.c.filled > before or (beat and monotonic() >= beat)):
                return False
            if got == 0 or (got is None and not self._source.wait()):
                return True
            batch.c.filled += got or 0
        return False

    def _get(self, view: memoryview) -> int | None:
        """As the source's ``readinto``, but 0 also if the file cannot be read further."""
        try:
            return 0 if self._broken else self._source.readinto(view)
        except OSError as error:
            self._broken = error.strerror
            return 0

    def leftover(self) -> Iterator[memoryview]:
        """The bytes that no packet was cut from, because they follow an error."""
        yield memoryview(self.rest)
        piece = memoryview(bytearray(BATCH_BYTES))
        while got := self._get(piece):
            yield piece[:got]

    def close(self) -> None:
        if self._source:
            self._source.close()


@dataclass
class _Part:
    """A batch in the pipeline."""

    number: int
    reader: _CaptureReader
    batch: Batch
    last: bool
    failure: BaseException | None = None


def settings_of(
    tell: Iterable[str], heuristics: bool, by: str | None, plot: bool, vantage: str | None
) -> dict[str, int]:
    """The settings of batches."""
    return {
        "judge": vantage is not None,
        "stated": VANTAGES.get(vantage, 0),
        "tell": tell_mask(tell),
        "flags": 0 if heuristics else NO_HEURISTICS,
        "by": BY[by] if by else 0,
        "plot": plot,
    }


def _set(batch: Batch, settings: dict[str, int]) -> None:
    for name, value in settings.items():
        setattr(batch.c, name, value)


class Pipeline:
    """Passes captures through batches. The first capture has the number ``first``."""

    def __init__(
        self,
        names: Iterable[str],
        settings: dict[str, int],
        first: int = 0,
        until: threading.Event | None = None,
        threads: int | None = None,
        wanted: Wanted = ALL,
    ) -> None:
        self.settings, self.threads, self.wanted = settings, threads, wanted
        self._until = until
        self._names = enumerate(names, first)
        self._reader: _CaptureReader | None = None
        self._number = 0
        self._lock = threading.Lock()
        self._free: SimpleQueue[Batch | None] = SimpleQueue()
        self._done: SimpleQueue[_Part | None] = SimpleQueue()
        self._workers = threads or min(len(os.sched_getaffinity(0)), MOST_WORKERS)
        for _ in range(self._workers + 2):
            batch = Batch(BATCH_BYTES)
            _set(batch, settings)
            self._free.put(batch)

    def _fill(self, batch: Batch) -> _Part | None:
        with self._lock:
            if not self._reader:
                if not (following := next(self._names, None)):
                    return None
                capture, name = following
                self._reader = _CaptureReader(name, capture, self._until, self.wanted)
            reader, number = self._reader, self._number
            part = _Part(number, reader, batch, False)
            self._number += 1
            try:
                part.last = not reader.fill(batch)
            except BaseException as failure:
                part.failure, part.last = failure, True
            if part.last:
                self._reader = None
            return part

    def _work(self) -> None:
        while batch := self._free.get():
            part = self._fill(batch)
            if part and not part.failure:
                try:
                    batch.walk()
                except BaseException as failure:
                    part.failure = failure
            self._done.put(part)
            if not part:
                return

    def parts(self) -> Iterator[_Part]:
        """The batches in order. Use each before requesting the next."""
        waiting: dict[int, _Part] = {}
        number, working = 0, self._workers
        try:
            for _ in range(self._workers):
                threading.Thread(target=self._work, daemon=True).start()
            while working or waiting:
                if number in waiting:
                    part = waiting.pop(number)
                    if part.failure:
                        raise part.failure
                    yield part
                    self._free.put(part.batch)
                    number += 1
                elif part := taken(self._done):
                    waiting[part.number] = part
                else:
                    working -= 1
        finally:
            # who still works ends with what he has
            self._names = iter(())
            for _ in range(self._workers):
                self._free.put(None)


def told(
    pipeline: Pipeline,
    datagrams: Datagrams,
    limit: int | None,
    fixed: Writer | None = None,
    records: bool = False,
    keys: set[int] | None = None,
) -> Iterator[tuple[Report, Entries, bool]]:
    """The checksums in captures: a report so far, new entries, and whether they are a capture's last.

    Datagrams that are open at the end of a capture are left in ``datagrams``. ``keys`` collects the keys of
    all fragments.
    """
    for part in pipeline.parts():
        reader, batch = part.reader, part.batch
        report = reader.report
        batch.reassemble(datagrams)
        if keys is not None:
            keys |= batch.keys()
        _add(report, batch)
        report.place = reader.place
        report.format = reader.framing.format
        if pipeline.wanted.live:
            report.dropped = pipeline.wanted.live.dropped
        if pipeline.wanted.last_bad:
            pipeline.wanted.last_bad.take(batch, report.name, report.interfaces)
        if fixed:
            _write(fixed, batch)
        entries = batch.entries(None if limit is None else limit - report.told, records)
        report.told += len(entries)
        if part.last:
            report.error = reader.error
            if fixed and report.format:
                for piece in reader.leftover():
                    fixed.write(piece)
            reader.close()
        yield report, entries, part.last


def groups(report: Report, entries: Entries, names: list[str]) -> Iterator[tuple[Report, Entries, bool]]:
    """Entries grouped with the name of the capture that contains their frame."""
    for number, part in entries.by_capture() or [(0, entries)]:
        part.name = names[number] if len(entries) else report.name
        yield report, part, False


def ended(
    report: Report, datagrams: Datagrams, names: list[str], number: int, settings: dict, limit: int | None
) -> Iterator[tuple[Report, Entries, bool]]:
    """The entries reported at the end of a capture: datagrams that can receive no more fragments.

    If the next capture continues this one, those that may still be completed stay open.
    """
    now = END
    if len(datagrams) and number + 1 < len(names) and series(report.name) == series(names[number + 1]):
        now = _begins(names[number + 1], report.latest)
    batch = Batch(1)
    _set(batch, settings)
    batch.cut(Framing())
    batch.end(datagrams, now)
    _add(report, batch)
    entries = batch.entries(None if limit is None else limit - report.told)
    *parts, last = groups(report, entries, names)
    yield from parts
    yield report, last[1], True


def _begins(name: str, latest: int) -> int:
    """When a capture that continues another begins; END if this one does not continue it."""
    batch, reader = Batch(HEAD), _CaptureReader(name, 0, None)
    try:
        reader.fill(batch)
    finally:
        reader.close()
    if not batch.c.record_count or batch.c.record[0].time + DISORDER < latest:
        return END
    return batch.c.record[0].time


def frame_at(name: str, number: int) -> tuple[bytes, int, int, int] | None:
    """The bytes of a frame, its link type, its length on the wire, and its time; None if there is none."""
    batch, reader = Batch(BATCH_BYTES), _CaptureReader(name, 0, None)
    try:
        goes_on = True
        while goes_on:
            goes_on = reader.fill(batch)
            c = batch.c
            if c.frame <= number < c.frame + c.record_count:
                record = c.record[number - c.frame]
                data = bytes(batch.view(record.at, record.at + record.captured))
                return data, record.link, record.original, record.time
        if reader.error:
            raise OSError(reader.error)
        return None
    finally:
        reader.close()


def _add(report: Report, batch: Batch) -> None:
    c = batch.c
    report.frames += c.record_count - c.left_out
    if c.record_count:
        report.latest = max(report.latest, c.record[c.record_count - 1].time)
    report.bytes += c.used
    report.counts.update(batch.counts())
    report.quoted.update(batch.quoted())
    report.reasons.update(batch.reasons())
    report.without += c.without
    report.fixed += c.fixed
    report.unfixed += c.unfixed
    report.unknown.update(batch.unknown())
    report.wrong.add(c.wrong)
    if c.damaged:
        report.causes.add(c.causes)
        report.talks.add(c.talks)
    report.learned.add(c.learned)
    report.doubted = report.doubted or bool(c.doubted)
    report.tally.add(c.tally)
    if c.plot:
        report.histogram.add(c.histogram)
    for number, name, link in batch.interfaces():
        # a file may go on describing them
        if len(report.links) < MOST:
            report.links[number] = link
            if name:
                report.interfaces[number] = name


def _write(fixed: Writer, batch: Batch) -> None:
    c = batch.c
    for place, byte in batch.patches():
        if place < c.place:
            fixed.write_at(place, bytes([byte]))
        else:
            c.data[place - c.place] = byte
    fixed.write(batch.view(0, c.used))


def size_of(names: Iterable[str]) -> int:
    """The total size of all files whose size is known."""
    size = 0
    for name in names:
        with suppress(OSError):
            size += Remote(name).size() if "://" in name else os.stat(0 if name == "-" else name).st_size
    return size
