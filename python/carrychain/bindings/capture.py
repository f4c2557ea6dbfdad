"""Captures and the checksums in their packets: pcap/batch.h for Python."""

import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ._carrychain import ffi, lib
from .status import check


def _names(count: int, name) -> dict[int, str]:
    return {number: ffi.string(name(number)).decode() for number in range(count)}


PROTOCOLS = _names(lib.CC_PACKET_PROTOCOLS, lib.cc_packet_protocol_name)
VERDICTS = _names(lib.CC_PACKET_VERDICTS, lib.cc_packet_verdict_name)
REASONS = _names(lib.CC_PACKET_REASONS, lib.cc_packet_reason_name)
UNKNOWN_LINK = lib.CC_PACKET_LINK
FORMATS = {lib.CC_CAPTURE_UNKNOWN: None, lib.CC_CAPTURE_PCAP: "pcap", lib.CC_CAPTURE_PCAPNG: "pcapng"}

# What ends a batch without an error, and what no capture begins with.
MORE, FULL = lib.CC_CAPTURE_MORE, lib.CC_CAPTURE_RECORD
FOREIGN = lib.CC_CAPTURE_FOREIGN
# What is right, but more than can be kept.
CROWDED = lib.CC_CAPTURE_CROWDED

# How many datagrams there may be at a time, and the time after all.
DATAGRAMS, END = lib.CC_PACKET_DATAGRAMS, lib.CC_PACKET_END
DATAGRAM_SIZE = ffi.sizeof("struct cc_packet_datagram")

NO_HEURISTICS = lib.CC_PACKET_NO_HEURISTICS


class Entry(NamedTuple):
    """A checksum that was found.

    ``time`` (nanoseconds since 1970), ``length`` and ``interface`` belong to its packet. ``width`` is the
    width of the checksum in bytes. The addresses are bytes, or None if they could not be read.
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


class Unknown(NamedTuple):
    """Something unknown in a packet: an ``enum cc_packet_unknown``, and its number within that kind."""

    what: int
    number: int

    def __str__(self) -> str:
        text = ffi.new("char[]", lib.CC_PACKET_TEXT)
        length = lib.cc_packet_unknown_text(text, self.what, self.number)
        return ffi.unpack(text, length).decode()


def _zeros(type_: str, what: str):
    """Zeroed memory, without ffi.new, which would write every zero: most of it is never used."""
    memory = lib.calloc(1, ffi.sizeof(type_))
    if not memory:
        raise MemoryError(f"{what}: not enough memory")
    return ffi.gc(ffi.cast(f"{type_} *", memory), lib.free)


class Framing:
    """What is known of a capture while its bytes are cut into packets."""

    def __init__(self) -> None:
        self.c = _zeros("struct cc_capture", "a capture's interfaces")

    @property
    def format(self) -> str | None:
        return FORMATS[self.c.format]

    @property
    def need(self) -> int:
        """How many bytes must be available to continue after MORE."""
        return self.c.need

    def error(self, status: int) -> str:
        value = self.c.value
        match status:
            case lib.CC_CAPTURE_VERSION:
                return f"unsupported format version {value}"
            case lib.CC_CAPTURE_LENGTH:
                return f"invalid length {value}"
            case lib.CC_CAPTURE_INTERFACE:
                return f"interface {value} was never described"
            case lib.CC_CAPTURE_CROWDED:
                return f"more than {lib.CC_CAPTURE_INTERFACES:,} interfaces"
        return "not a capture: neither pcap nor pcapng"


class Datagrams:
    """Datagrams that are still in fragments. The object can be sent to another process."""

    def __init__(self, parts: Iterable["Datagrams"] = ()) -> None:
        """The datagrams of ``parts``, least recently touched first."""
        self.c = _zeros("struct cc_packet_datagrams", "datagrams in fragments")
        for part in parts:
            self._add(part._bytes())

    def __len__(self) -> int:
        return self.c.open

    @property
    def most(self) -> int:
        """The largest number that were open at the same time."""
        return self.c.most

    def keys(self) -> set[int]:
        """A key per datagram, computed from what its fragments share. Two datagrams may have the same key."""
        return {key for key in self.c.key if key}

    def _bytes(self) -> list[tuple[int, bytes]]:
        c = self.c
        places = sorted((i for i, key in enumerate(c.key) if key), key=lambda i: c.touched[i])
        return [(c.key[i], bytes(ffi.buffer(c.datagram + i, DATAGRAM_SIZE))) for i in places]

    def _add(self, datagrams: Iterable[tuple[int, bytes]]) -> None:
        c = self.c
        for key, data in datagrams:
            ffi.memmove(c.datagram + c.open, data, DATAGRAM_SIZE)
            c.key[c.open], c.touched[c.open] = key, c.seen
            c.open += 1
            c.seen += 1
        c.most = max(c.most, c.open)

    def __getstate__(self) -> tuple:
        # mostly zeros
        return self.most, [(key, zlib.compress(data, 1)) for key, data in self._bytes()]

    def __setstate__(self, state: tuple) -> None:
        self.__init__()
        most, datagrams = state
        self._add((key, zlib.decompress(data)) for key, data in datagrams)
        self.c.most = most


class Batch:
    """Consecutive packets. Methods may run in any thread, one at a time. None of them holds the GIL."""

    def __init__(self, size: int) -> None:
        self.c = ffi.gc(lib.batch_new(size), lib.batch_free)
        if not self.c:
            raise MemoryError("a batch of packets: not enough memory")

    def grow(self, size: int) -> None:
        check(lib.batch_grow(self.c, size), "a long packet")

    def view(self, begin: int, end: int) -> memoryview:
        """The bytes. The view is valid until ``grow``."""
        return memoryview(ffi.buffer(self.c.data + begin, end - begin))

    def cut(self, framing: Framing) -> int:
        return lib.batch_cut(self.c, framing.c)

    def walk(self) -> None:
        check(lib.batch_walk(self.c), "walking packets")

    def reassemble(self, datagrams: Datagrams) -> None:
        check(lib.batch_reassemble(self.c, datagrams.c), "fragments")

    def end(self, datagrams: Datagrams, now: int) -> None:
        """Reports datagrams that began too long before ``now``; at END, all that are incomplete."""
        check(lib.batch_end(self.c, datagrams.c, now), "fragments")

    def keys(self) -> set[int]:
        """The keys of this batch's fragments, as ``Datagrams.keys``."""
        keys = ffi.new("uint32_t[]", self.c.fragment_count)
        lib.batch_keys(self.c, keys)
        return set(keys)

    def counts(self) -> dict[tuple[str, str], int]:
        """The number of checksums by protocol and verdict."""
        return _counts(self.c.count)

    def quoted(self) -> dict[tuple[str, str], int]:
        """The same counts for packets quoted in ICMP errors, which are only counted."""
        return _counts(self.c.quoted)

    def reasons(self) -> dict[str, int]:
        """The number of unverifiable checksums by reason."""
        return {REASONS[i]: count for i, count in enumerate(self.c.reason) if count}

    def unknown(self) -> Counter[Unknown]:
        """The number of packets and datagrams that contain something not understood."""
        found = Counter()
        for i in range(self.c.unknown_count):
            each = self.c.unknown[i]
            found[Unknown(each.what, each.number)] += each.count
        return found

    def entries(self, limit: int | None = None, records: bool = False) -> "Entries":
        """The checksums to report: frames in order, and within a frame from the outermost inwards."""
        c = self.c
        lib.batch_sort(c)
        count = c.entry_count if limit is None else min(limit, c.entry_count)
        packets = ()
        if records:
            found = enumerate(ffi.unpack(c.record, c.record_count), c.frame)
            packets = [(number, each.time, each.original) for number, each in found]
        return Entries(c.entry, count, packets)

    def interfaces(self) -> dict[int, str]:
        """The names of the interfaces that the capture describes, by number."""
        found = (self.c.interface[i] for i in range(self.c.interface_count))
        return {each.number: ffi.string(each.name).decode(errors="replace") for each in found}

    def patches(self) -> list[tuple[int, int]]:
        """The bytes to change, anywhere in the file up to the end of this batch: offset and new bytes."""
        return [(self.c.patch[i].place, self.c.patch[i].byte) for i in range(self.c.patch_count)]


def _counts(numbers) -> dict[tuple[str, str], int]:
    return {
        (name, VERDICTS[verdict]): count
        for protocol, name in PROTOCOLS.items()
        for verdict, count in enumerate(ffi.unpack(numbers[protocol], lib.CC_PACKET_VERDICTS))
        if count
    }


def tell_mask(verdicts) -> int:
    return sum(1 << number for number, name in VERDICTS.items() if name in verdicts)


class Entries:
    """Checksums that were found: Entry objects, or text rows and arrays, which are much faster to make.

    ``records``, if requested, gives the number, time and original length of the packet of each entry.
    ``name`` is the name of the capture they are in; the maker of the object sets it.
    """

    name = ""

    def __init__(self, first, count: int, records: Sequence[tuple[int, int, int]] = ()) -> None:
        self.records = records
        # its own: the batch goes on
        self.c = _uncleared("struct batch_entry[]", count)
        if count:
            ffi.memmove(self.c, first, ffi.sizeof(self.c))

    def __len__(self) -> int:
        return len(self.c)

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

    def rows(self, words: "RowWords") -> Iterator[memoryview]:
        """All entries as text, in pieces. A piece is valid until the next one is requested."""
        for at in range(0, len(self), ROWS_AT_ONCE):
            count = min(ROWS_AT_ONCE, len(self) - at)
            length = lib.rows_write(words.room, self.c + at, count, words.c)
            yield memoryview(ffi.buffer(words.room, length))

    def buffer(self) -> memoryview:
        """The entries' bytes, in the layout of ENTRY_FIELDS."""
        return memoryview(ffi.buffer(self.c))


def _entries(data: bytes, records: list[tuple[int, int, int]] | None) -> Entries:
    return Entries(ffi.from_buffer("struct batch_entry[]", data), len(data) // ENTRY_SIZE, records)


ENTRY_SIZE = ffi.sizeof("struct batch_entry")
# Where each field is in an entry: its name, its offset, and its size in bytes.
ENTRY_FIELDS = [
    (name, field.offset, ffi.sizeof(field.type)) for name, field in ffi.typeof("struct batch_entry").fields
]
ROWS_AT_ONCE = 512
_uncleared = ffi.new_allocator(should_clear_after_alloc=False)


class RowWords:
    """The text between the columns of a row: one string before each column, and one after the last."""

    def __init__(self, before: Iterable[str], after: str) -> None:
        self._kept = []
        before = [self._keep(each) for each in before]
        if len(before) != lib.ROWS_COLUMNS:
            raise ValueError(f"a row has {lib.ROWS_COLUMNS} columns, not {len(before)}")
        self.c = ffi.new("struct rows_words *", {"before": before, "after": self._keep(after)})
        for names, to in ((PROTOCOLS, self.c.protocol), (VERDICTS, self.c.verdict), (REASONS, self.c.reason)):
            for number, name in names.items():
                to[number] = self._keep(name)
        longest = lib.ROWS_LONGEST + sum(map(len, self._kept))
        self.room = _uncleared("char[]", ROWS_AT_ONCE * longest)

    def _keep(self, text: str) -> dict:
        data = os.fsencode(text)
        self._kept.append(ffi.from_buffer(data))
        return {"text": self._kept[-1], "length": len(data)}


def _entry(e) -> Entry:
    size = {4: 4, 6: 16}.get(e.family)
    return Entry(
        e.frame,
        e.time,
        e.length,
        e.interface,
        PROTOCOLS[e.protocol],
        VERDICTS[e.verdict],
        REASONS[e.reason] if e.verdict == lib.CC_PACKET_UNVERIFIABLE else None,
        bytes(ffi.buffer(e.source, size)) if size else None,
        bytes(ffi.buffer(e.destination, size)) if size else None,
        (e.source_port, e.destination_port) if e.has_ports else None,
        e.expected,
        e.found,
        e.width,
    )


def entries_of(data, link: int, original: int | None, heuristics: bool) -> Entries:
    """The checksums in one packet that does not come from a file."""
    with ffi.from_buffer(data) as packet:
        entries = ffi.new("struct batch_entry[]", lib.CC_PACKET_LAYERS)
        length = len(packet) if original is None else original
        flags = 0 if heuristics else NO_HEURISTICS
        data = ffi.cast("const unsigned char *", packet)
        return Entries(entries, lib.batch_entries(entries, link, data, len(packet), length, flags))
