"""The checksums found in packets, as records."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from carrychain.bindings.capture import (
    ENTRY_SIZE,
    EVIDENCE,
    PROTOCOLS,
    REASONS,
    UNVERIFIABLE,
    VERDICTS,
    EntryArray,
    addresses,
    entries_in,
)


class Entry(NamedTuple):
    """A checksum that was found.

    ``time`` (nanoseconds since 1970), ``length`` and ``interface`` belong to its packet. ``width`` is the
    width of the checksum in bytes. The addresses are bytes, or None if they could not be read. ``causes`` has
    a bit for each mistake that may have made a bad one. ``evidence`` is what a verdict on a sum that may be
    deferred rests on, or "".
    """

    frame: int
    time: int
    length: int
    interface: int
    protocol: str
    verdict: str
    reason: str | None
    source: bytes | None
    destination: bytes | None
    ports: tuple[int, int] | None
    expected: int
    found: int
    width: int
    causes: int
    evidence: str


class Entries(EntryArray):
    """Checksums that were found: Entry objects, or text rows and arrays, which are much faster to make.

    ``records``, if requested, gives the number, time and original length of the packet of each entry.
    ``name`` is the name of the capture they are in; the maker of the object sets it.
    """

    name = ""

    def __init__(self, first, count: int, records: Sequence[tuple[int, int, int]] = ()) -> None:
        super().__init__(first, count)
        self.records = records

    def __reduce__(self) -> tuple:
        return _entries, (bytes(self.buffer()), self.records)

    def by_capture(self) -> list[tuple[int, "Entries"]]:
        """The entries of each capture, with its number. Usually all belong to one capture."""
        if not len(self) or self.c[0].capture == self.c[len(self) - 1].capture:
            return [(self.c[0].capture, self)] if len(self) else []
        first = 0
        parts = []
        for number, group in groupby(self.c, lambda entry: entry.capture):
            count = sum(1 for _ in group)
            parts.append((number, Entries(self.c + first, count)))
            first += count
        return parts

    def __iter__(self) -> Iterator[Entry]:
        return map(_entry, self.c)


def _entries(data: bytes, records: list[tuple[int, int, int]] | None) -> Entries:
    return Entries(entries_in(data), len(data) // ENTRY_SIZE, records)


def _entry(e) -> Entry:
    return Entry(
        e.frame,
        e.time,
        e.length,
        e.interface,
        PROTOCOLS[e.protocol],
        VERDICTS[e.verdict],
        REASONS[e.reason] if e.verdict == UNVERIFIABLE else None,
        *addresses(e),
        (e.source_port, e.destination_port) if e.has_ports else None,
        e.expected,
        e.found,
        e.width,
        e.causes,
        EVIDENCE[e.evidence],
    )
