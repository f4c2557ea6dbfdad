"""The number of checksums of each verdict, grouped by a common property: pcap/tally.h for Python."""

from collections.abc import Iterator
from typing import NamedTuple

from ._carrychain import ffi, lib
from .capture import PROTOCOLS, VERDICTS
from .status import check

# What may be counted by, beside the protocol.
BY = {
    "interface": lib.BATCH_BY_INTERFACE,
    "host": lib.BATCH_BY_HOST,
    "conversation": lib.BATCH_BY_CONVERSATION,
}
MOST = lib.TALLY_MOST


class Row(NamedTuple):
    """The addresses are bytes, or None if they could not be read or are not part of the grouping.

    ``zero`` is the number of bad checksums whose field is 0.
    """

    interface: int
    protocol: str
    source: bytes | None
    destination: bytes | None
    ports: tuple[int, int] | None
    counts: dict[str, int]
    zero: int


class Tally:
    """Rows, one per group.

    ``others`` counts the checksums that arrived when there were already MOST groups.
    """

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

    def __len__(self) -> int:
        return self.c.count

    def __iter__(self) -> Iterator[Row]:
        return (_row(self.c.row[i]) for i in range(self.c.count))

    @property
    def others(self) -> dict[str, int]:
        return _counts(self.c.others)


def _counts(row) -> dict[str, int]:
    return dict(zip(VERDICTS.values(), row.count, strict=True))


def _row(row) -> Row:
    key = row.key
    size = {4: 4, 6: 16}.get(key.family)
    return Row(
        key.interface,
        PROTOCOLS[key.protocol],
        bytes(ffi.buffer(key.source, size)) if size else None,
        bytes(ffi.buffer(key.destination, size)) if size else None,
        (key.source_port, key.destination_port) if key.has_ports else None,
        _counts(row),
        row.zero,
    )
