"""Captures in, verdicts out: bytes are read and cut in order, walked by all cores, told in order again."""

import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue

from carrychain.bindings.capture import (
    FULL,
    MORE,
    NO_HEURISTICS,
    Batch,
    Datagrams,
    Entries,
    Framing,
    tell_mask,
)
from carrychain.bindings.histogram import Histogram
from carrychain.bindings.tally import BY, MOST, Tally
from carrychain.bindings.watch import taken
from carrychain.files import Writer

from .source import Source

# Large enough that threads seldom meet, small enough that all batches stay in the last cache.
BATCH_BYTES = 1 << 21
# Reading, which one does at a time, takes a third to half as long as walking: more would wait.
MOST_WORKERS = 4


@dataclass
class Report:
    """What is known of a capture so far."""

    name: str
    format: str | None = None
    frames: int = 0
    bytes: int = 0
    place: int = 0  # how much of the file, compressed or not, was read
    counts: Counter = field(default_factory=Counter)  # by (protocol, verdict)
    reasons: Counter = field(default_factory=Counter)  # of the unverifiable
    without: int = 0  # frames without a checksum that is known
    unknown: Counter = field(default_factory=Counter)  # by what is not known, in frames and datagrams
    fixed: int = 0
    unfixed: int = 0
    interfaces: dict[int, str] = field(default_factory=dict)  # those with a name
    wrong: Tally = field(default_factory=Tally)  # the bad and the partial, by interface, sender and receiver
    tally: Tally = field(default_factory=Tally)  # all, by what was asked for
    histogram: Histogram = field(default_factory=Histogram)
    error: str | None = None  # why it, or the rest of it, could not be read

    def verdicts(self, verdict: str) -> int:
        return sum(count for (_, each), count in self.counts.items() if each == verdict)


class _Reader:
    """One capture's bytes, as they go into batches."""

    def __init__(self, name: str, until: threading.Event | None) -> None:
        self.report = Report(name)
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
            self._source = Source(name, until)
        except IsADirectoryError:
            self.error = "no capture in this directory"
        except OSError as error:
            self.error = error.strerror

    @property
    def place(self) -> int:
        """How much of the file was read."""
        return self._source.place if self._source else 0

    def fill(self, batch: Batch) -> bool:
        """The next packets; False if these are the last."""
        c = batch.c
        c.filled = c.used = c.record_count = 0
        c.place, c.frame = self._place, self._frame
        if self.error:
            batch.cut(Framing())
            return False
        if len(self.rest) > c.size:
            batch.grow(len(self.rest))
        batch.view(0, len(self.rest))[:] = self.rest
        c.filled = len(self.rest)
        while True:
            ended = self._read(batch)
            status = batch.cut(self.framing)
            if c.record_count or c.used or status != MORE or ended:
                break
            if c.filled == c.size:
                batch.grow(max(2 * c.size, self.framing.need))
        self.rest = bytes(batch.view(c.used, c.filled))
        self._place += c.used
        self._frame += c.record_count
        if status == FULL or (status == MORE and not ended):
            return True
        if status != MORE:
            self._fail("damaged at byte {}", self.framing.error(status))
        elif self._broken:
            self._fail("not read beyond byte {}", self._broken)
        elif self._until and self._until.is_set():
            # what is half-written is no error
            pass
        elif self.rest:
            what = "cut short" if self._place else "not a capture: neither pcap nor pcapng"
            self._fail("damaged at byte {}", what)
        elif not self._place:
            self.error = "empty"
        return False

    def _read(self, batch: Batch) -> bool:
        """Fill it up, or with what there is now; True if the file has ended, or can't be read on."""
        before = batch.c.filled
        while batch.c.filled < batch.c.size:
            got = self._get(batch.view(batch.c.filled, batch.c.size))
            if got is None and batch.c.filled > before:
                return False
            if got == 0 or (got is None and not self._source.wait()):
                return True
            batch.c.filled += got or 0
        return False

    def _get(self, view: memoryview) -> int | None:
        """As the source's ``readinto``: 0 also if it can't be read on."""
        try:
            return 0 if self._broken else self._source.readinto(view)
        except OSError as error:
            self._broken = error.strerror
            return 0

    def _fail(self, where: str, what: str) -> None:
        if self._place:
            checked = self._frame - 1
            before = "no frame comes before"
            if checked:
                before = f"the {checked:,} frames before were" if checked > 1 else "the frame before was"
                before += " checked"
            what = f"{where.format(self._place)}: {what}; {before}"
        self.error = what

    def leftover(self) -> Iterator[memoryview]:
        """What no packet was cut from: behind the place of an error."""
        yield memoryview(self.rest)
        piece = memoryview(bytearray(BATCH_BYTES))
        while got := self._get(piece):
            yield piece[:got]

    def close(self) -> None:
        if self._source:
            self._source.close()


@dataclass
class _Part:
    """A batch on its way."""

    number: int
    reader: _Reader
    batch: Batch
    last: bool
    failure: BaseException | None = None


class _Pipeline:
    def __init__(self, names: Iterable[str], until: threading.Event | None, **settings: int) -> None:
        self._until = until
        self._names = iter(names)
        self._reader: _Reader | None = None
        self._number = 0
        self._lock = threading.Lock()
        self._free: SimpleQueue[Batch | None] = SimpleQueue()
        self._done: SimpleQueue[_Part | None] = SimpleQueue()
        self._workers = min(len(os.sched_getaffinity(0)), MOST_WORKERS)
        for _ in range(self._workers + 2):
            batch = Batch(BATCH_BYTES)
            for name, value in settings.items():
                setattr(batch.c, name, value)
            self._free.put(batch)

    def _fill(self, batch: Batch) -> _Part | None:
        with self._lock:
            if not self._reader:
                name = next(self._names, None)
                if name is None:
                    return None
                self._reader = _Reader(name, self._until)
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
        """In order. Each is to be used before the next is asked for."""
        for _ in range(self._workers):
            threading.Thread(target=self._work, daemon=True).start()
        waiting: dict[int, _Part] = {}
        number, working = 0, self._workers
        try:
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
) -> Iterator[tuple[Report, Entries, bool]]:
    """The checksums in captures: the report of one so far, entries that are new, and whether it is finished.

    Files come in order, and so do the entries of a file: those with a verdict in ``tell``, and no more
    of them than ``limit`` a file. "-" is the standard input. ``fixed`` gets the one capture named with every
    bad and every partial checksum as it should be. Without ``heuristics`` nothing is entered that is only
    likely to be there, such as the tunnel that a UDP port suggests. With ``until``, which may be set by any
    thread, a capture is told of as it grows until then: each is read on, and not found cut short, before that
    is set. ``by`` says what the report's ``tally`` is by; ``plot`` fills its ``histogram``;
    ``records`` those of the entries.
    """
    pipeline = _Pipeline(
        names,
        until,
        tell=tell_mask(tell),
        fix=fixed is not None,
        flags=0 if heuristics else NO_HEURISTICS,
        by=BY[by] if by else 0,
        plot=plot,
    )
    datagrams = Datagrams()
    told = 0
    for part in pipeline.parts():
        reader, batch = part.reader, part.batch
        report = reader.report
        batch.reassemble(datagrams)
        if part.last:
            batch.end(datagrams)
        _add(report, batch)
        report.place = reader.place
        if fixed:
            _write(fixed, batch)
        entries = batch.entries(None if limit is None else limit - told, records)
        told += len(entries)
        if part.last:
            report.format = reader.framing.format
            report.error = reader.error
            if fixed and report.format:
                for piece in reader.leftover():
                    fixed.write(piece)
            reader.close()
            told = 0
        yield report, entries, part.last


def _add(report: Report, batch: Batch) -> None:
    c = batch.c
    report.frames += c.record_count
    report.bytes += c.used
    report.counts.update(batch.counts())
    report.reasons.update(batch.reasons())
    report.without += c.without
    report.fixed += c.fixed
    report.unfixed += c.unfixed
    report.unknown.update(batch.unknown())
    report.wrong.add(c.wrong)
    report.tally.add(c.tally)
    if c.plot:
        report.histogram.add(c.histogram)
    for number, name in batch.interfaces().items():
        # a file may go on describing them
        if len(report.interfaces) < MOST:
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
    """Of all files whose size is known."""
    size = 0
    for name in names:
        with suppress(OSError):
            status = os.stat(0 if name == "-" else name)
            size += status.st_size
    return size
