"""Captures and the checksums in their packets, as C has them: src/capture, and pcap/*.c. pcap/*.py is on top.

Each class has its struct as ``c``.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ._carrychain import ffi, lib
from .status import check


def _names(count: int, name) -> dict[int, str]:
    return {number: ffi.string(name(number)).decode() for number in range(count)}


PROTOCOLS = _names(lib.CC_PACKET_PROTOCOLS, lib.cc_packet_protocol_name)
# Those of a sum alone, and those that take into account where it was captured.
FINDINGS = _names(lib.CC_PACKET_VERDICTS, lib.cc_verdict_name)
VERDICTS = _names(lib.CC_VERDICTS, lib.cc_verdict_name)
EVIDENCE = _names(lib.CC_EVIDENCES, lib.cc_evidence_text)
UNSETTLED = EVIDENCE[lib.CC_EVIDENCE_UNSETTLED]
# In the order of a table's columns: what a command says, which knows where a capture was made.
JUDGED = ("good", "bad", "unfinished", "deferred", "none", "unverifiable")
VANTAGES = {
    "sender": lib.CC_VANTAGE_SENDER,
    "receiver": lib.CC_VANTAGE_RECEIVER,
    "wire": lib.CC_VANTAGE_WIRE,
}
REASONS = _names(lib.CC_PACKET_REASONS, lib.cc_packet_reason_name)
UNVERIFIABLE = lib.CC_PACKET_UNVERIFIABLE
UNKNOWN_LINK = lib.CC_PACKET_LINK
FORMATS = {lib.CC_CAPTURE_UNKNOWN: None, lib.CC_CAPTURE_PCAP: "pcap", lib.CC_CAPTURE_PCAPNG: "pcapng"}

# What ends a batch without an error, and what no capture begins with.
MORE, FULL = lib.CC_CAPTURE_MORE, lib.CC_CAPTURE_RECORD
FOREIGN = lib.CC_CAPTURE_FOREIGN
# How captures are read: see batch.h.
BATCH_BYTES, HEAD, WAITING, DISORDER = (
    lib.BATCH_BYTES,
    lib.BATCH_HEAD,
    lib.BATCH_WAITING,
    lib.BATCH_DISORDER,
)
COLUMNS = tuple(_names(lib.ROWS_COLUMNS, lib.rows_column).values())

# How many datagrams there may be at a time, and the time after all.
DATAGRAMS, END = lib.CC_PACKET_DATAGRAMS, lib.CC_PACKET_END

NO_HEURISTICS = lib.CC_PACKET_NO_HEURISTICS

# What may be counted by, beside the protocol, and how many groups there may be.
BY = {
    # an interface has one
    "link": lib.BATCH_BY_INTERFACE,
    "interface": lib.BATCH_BY_INTERFACE,
    "host": lib.BATCH_BY_HOST,
    "conversation": lib.BATCH_BY_CONVERSATION,
    "sender": lib.BATCH_BY_HOST,
    "vlan": lib.BATCH_BY_VLAN,
    "length4": lib.BATCH_BY_LENGTH_4,
    "length64": lib.BATCH_BY_LENGTH_64,
    "offset": lib.BATCH_BY_OFFSET,
}
MOST = lib.TALLY_MOST
HISTOGRAM_LENGTHS = lib.HISTOGRAM_LENGTHS

ENTRY_SIZE = ffi.sizeof("struct batch_entry")
# Where each field is in an entry: its name, its offset, and its size in bytes.
ENTRY_FIELDS = [
    (name, field.offset, ffi.sizeof(field.type)) for name, field in ffi.typeof("struct batch_entry").fields
]
ROWS_AT_ONCE = 512
_ADDRESS_SIZES = {4: 4, 6: 16}
_DATAGRAM_SIZE = ffi.sizeof("struct cc_packet_datagram")
_uncleared = ffi.new_allocator(should_clear_after_alloc=False)


def unknown_text(what: int, number: int) -> str:
    text = ffi.new("char[]", lib.CC_PACKET_TEXT)
    return ffi.unpack(text, lib.cc_packet_unknown_text(text, what, number)).decode()


def trouble(c, status: int, broken: str | None, place: int, frames: int) -> str:
    """Why a capture was not read beyond ``place``."""
    why = ffi.NULL if broken is None else os.fsencode(broken)
    text = ffi.new("char[]", lib.SOURCE_TROUBLE + len(broken or ""))
    return os.fsdecode(ffi.unpack(text, lib.source_trouble(text, status, c, why, place, frames)))


def series(name: str) -> str:
    """The same for the captures of one rotation: tcpdump's -C and -G, dumpcap's -b."""
    path = os.fsencode(name)
    text = ffi.new("char[]", len(path) + 1)
    return os.fsdecode(ffi.unpack(text, lib.source_series(text, path)))


def addresses(c) -> tuple[bytes | None, bytes | None]:
    """The source and the destination of an entry or a group; None if there are none."""
    size = _ADDRESS_SIZES.get(c.family)
    if not size:
        return None, None
    return bytes(ffi.buffer(c.source, size)), bytes(ffi.buffer(c.destination, size))


def _zeros(type_: str, what: str):
    """Zeroed memory, without ffi.new, which would write every zero: most of it is never used."""
    memory = lib.calloc(1, ffi.sizeof(type_))
    if not memory:
        raise MemoryError(f"{what}: not enough memory")
    return ffi.gc(ffi.cast(f"{type_} *", memory), lib.free)


class FramingState:
    def __init__(self) -> None:
        self.c = _zeros("struct cc_capture", "a capture's interfaces")


class DatagramTable:
    def __init__(self) -> None:
        self.c = _zeros("struct cc_packet_datagrams", "datagrams in fragments")

    def read(self, at: int) -> bytes:
        return bytes(ffi.buffer(self.c.datagram + at, _DATAGRAM_SIZE))

    def write(self, at: int, data: bytes) -> None:
        ffi.memmove(self.c.datagram + at, data, _DATAGRAM_SIZE)


class Packet(NamedTuple):
    """A packet of a batch, whose ``captured`` bytes begin at ``at``; ``length`` is that on the wire."""

    number: int
    time: int
    length: int
    at: int
    captured: int
    link: int
    interface: int
    flags: int


class BatchMemory:
    """Its methods may run in any thread, one at a time. None of them holds the GIL."""

    def __init__(self, size: int) -> None:
        self.c = ffi.gc(lib.batch_new(size), lib.batch_free)
        if not self.c:
            raise MemoryError("a batch of packets: not enough memory")

    def grow(self, size: int) -> None:
        check(lib.batch_grow(self.c, size), "a long packet")

    def view(self, begin: int, end: int) -> memoryview:
        """The bytes. The view is valid until ``grow``."""
        return memoryview(ffi.buffer(self.c.data + begin, end - begin))

    def cut(self, framing: FramingState) -> int:
        return lib.batch_cut(self.c, framing.c)

    def walk(self) -> None:
        check(lib.batch_walk(self.c), "walking packets")

    def reassemble(self, datagrams: DatagramTable) -> None:
        check(lib.batch_reassemble(self.c, datagrams.c), "fragments")

    def end(self, datagrams: DatagramTable, now: int) -> None:
        """Reports datagrams that began too long before ``now``; at END, all that are incomplete."""
        check(lib.batch_end(self.c, datagrams.c, now), "fragments")

    def keys(self) -> set[int]:
        """The keys of this batch's fragments, as ``Datagrams.keys``."""
        keys = ffi.new("uint32_t[]", self.c.fragment_count)
        lib.batch_keys(self.c, keys)
        return set(keys)

    def sort(self) -> None:
        lib.batch_sort(self.c)

    def records(self) -> list[tuple[int, int, int]]:
        """The number, the time and the original length of each packet."""
        found = enumerate(ffi.unpack(self.c.record, self.c.record_count), self.c.frame)
        return [(number, each.time, each.original) for number, each in found]

    def noted(self, most: int) -> list[tuple[int, object]]:
        """The last frames with a bad or unfinished sum: the number and the record of each."""
        c = self.c
        numbers = {c.noted[i] for i in range(max(0, c.noted_count - most), c.noted_count)}
        return [(number, c.record[number - c.frame]) for number in sorted(numbers)]

    def packets(self) -> Iterator[Packet]:
        for i in range(self.c.record_count):
            e = self.c.record[i]
            yield Packet(self.c.frame + i, e.time, e.original, e.at, e.captured, e.link, e.interface, e.flags)

    def interfaces(self) -> list[tuple[int, str, int]]:
        """The interfaces that the capture describes: number, name, and link type. Many have no name: ""."""
        found = (self.c.interface[i] for i in range(self.c.interface_count))
        return [(each.number, ffi.string(each.name).decode(errors="replace"), each.link) for each in found]


class EntryArray:
    """A copy of entries, because the batch goes on."""

    def __init__(self, first, count: int) -> None:
        self.c = _uncleared("struct batch_entry[]", count)
        if count:
            ffi.memmove(self.c, first, ffi.sizeof(self.c))

    def __len__(self) -> int:
        return len(self.c)

    def beyond(self, count: int) -> "EntryArray":
        """All but the first ``count``."""
        first = min(count, len(self))
        return type(self)(self.c + first, len(self) - first) if first else self

    def settle(self, settled: "TallyTable") -> None:
        """Makes verdicts and evidence final, by the rows that ``LearnedTable.settle`` settled."""
        lib.batch_settle(self.c, len(self), settled.c)

    def rows(self, words: "RowWords") -> Iterator[memoryview]:
        """All entries as text, in pieces. A piece is valid until the next one is requested."""
        for at in range(0, len(self), ROWS_AT_ONCE):
            count = min(ROWS_AT_ONCE, len(self) - at)
            length = lib.rows_write(words.room, self.c + at, count, words.c)
            yield memoryview(ffi.buffer(words.room, length))

    def buffer(self) -> memoryview:
        """The entries' bytes, in the layout of ENTRY_FIELDS."""
        return memoryview(ffi.buffer(self.c))


def entries_in(data: bytes):
    """The entries that ``EntryArray.buffer`` had."""
    return ffi.from_buffer("struct batch_entry[]", data)


def entries_of(data, link: int, original: int | None, heuristics: bool) -> tuple:
    """The checksums in one packet that does not come from a file: the first entry, and how many there are."""
    with ffi.from_buffer(data) as packet:
        entries = ffi.new("struct batch_entry[]", lib.CC_PACKET_LAYERS)
        length = len(packet) if original is None else original
        flags = 0 if heuristics else NO_HEURISTICS
        data = ffi.cast("const unsigned char *", packet)
        return entries, lib.batch_entries(entries, link, data, len(packet), length, flags)


class RowWords:
    """The text between the columns of a row: one string before each column, and one after the last."""

    def __init__(self, before: Iterable[str], after: str) -> None:
        self._kept = []
        before = [self._keep(each) for each in before]
        if len(before) != lib.ROWS_COLUMNS:
            raise ValueError(f"a row has {lib.ROWS_COLUMNS} columns, not {len(before)}")
        self.c = ffi.new("struct rows_words *", {"before": before, "after": self._keep(after)})
        longest = lib.ROWS_LONGEST + sum(map(len, self._kept)) + lib.rows_name(self.c)
        self.room = _uncleared("char[]", ROWS_AT_ONCE * longest)

    def _keep(self, text: str) -> dict:
        data = os.fsencode(text)
        self._kept.append(ffi.from_buffer(data))
        return {"text": self._kept[-1], "length": len(data)}


class TallyTable:
    def __init__(self) -> None:
        self.c = ffi.gc(ffi.new("struct tally *"), lib.tally_free)

    def add(self, other) -> None:
        check(lib.tally_add(self.c, ffi.addressof(other)), "counting")

    def __getstate__(self) -> tuple[bytes, bytes]:
        c = self.c
        rows = bytes(ffi.buffer(c.row, c.count * ffi.sizeof("struct tally_row"))) if c.count else b""
        return rows, bytes(ffi.buffer(ffi.addressof(c.others)))

    def __setstate__(self, state: tuple[bytes, bytes]) -> None:
        rows = ffi.from_buffer("struct tally_row[]", state[0])
        other = ffi.new("struct tally *", {"count": len(rows), "row": rows})
        ffi.memmove(ffi.addressof(other.others), state[1], len(state[1]))
        self.__init__()
        self.add(other[0])


class LearnedTable:
    """What a capture shows of its senders beyond single packets."""

    def __init__(self) -> None:
        self.c = ffi.gc(ffi.new("struct learned *"), lib.learned_free)

    def add(self, other) -> None:
        check(lib.learned_add(self.c, ffi.addressof(other)), "learning")

    def begin(self, mac: bytes) -> None:
        """This is the capturing machine's address, as long as it is in each unicast frame."""
        address = int.from_bytes(mac + bytes(2), sys.byteorder)
        # seen as a source and as a destination
        self.c.macs = {"mac": [address, 0], "begun": 1, "as": [3, 0]}

    def settle(self, sums: TallyTable) -> bool:
        """Gives each row of sums that may be deferred its verdict; whether any is not what was counted."""
        changed = ffi.new("int *")
        check(lib.learned_settle(self.c, sums.c, changed), "learning")
        return bool(changed[0])

    def __getstate__(self) -> tuple:
        """Nothing: all has been settled by the time that a report goes to another process."""
        return ()

    def __setstate__(self, state: tuple) -> None:
        self.__init__()


class HistogramBins:
    def __init__(self) -> None:
        self.c = ffi.new("struct histogram *")

    def __getstate__(self) -> bytes:
        return bytes(ffi.buffer(self.c))

    def __setstate__(self, state: bytes) -> None:
        self.__init__()
        ffi.memmove(self.c, state, len(state))

    def add(self, other) -> None:
        lib.histogram_add(self.c, ffi.addressof(other))
