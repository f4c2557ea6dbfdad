"""Captures for Python programs: frames and the verdicts on their checksums, as records and as arrays."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from carrychain.bindings import capture
from carrychain.bindings.capture import entries_of
from carrychain.bindings.cause import named

from . import settled
from .entries import Entries, Entry
from .pipeline import frame_at

if TYPE_CHECKING:
    import numpy


# What the numbers in arrays stand for.
PROTOCOLS = tuple(capture.PROTOCOLS.values())
VERDICTS = tuple(capture.FINDINGS.values())
REASONS = tuple(capture.REASONS.values())


# Fields of entries that only serve to settle verdicts, or to sort.
UNSEEN = {"sum", "shown", "mac", "evidence", "provisional", "number"}


class CaptureError(OSError):
    """A capture, or the rest of it, cannot be read."""


class Layer(NamedTuple):
    """A checksum.

    ``expected`` is None if the sender made none; both it and ``found`` are None if the checksum is
    unverifiable, and ``reason`` then says why. Addresses and ports are None if they could not be read.
    ``causes`` are the known mistakes that fit a bad one, the shortest explanation first.
    """

    protocol: str
    verdict: str
    reason: str | None
    source: IPv4Address | IPv6Address | None
    destination: IPv4Address | IPv6Address | None
    source_port: int | None
    destination_port: int | None
    expected: int | None
    found: int | None
    causes: tuple[str, ...]


class Frame(NamedTuple):
    """``number`` is Wireshark's, ``time`` is in nanoseconds since 1970, ``length`` is that on the wire."""

    number: int
    time: int
    length: int
    layers: tuple[Layer, ...]

    @property
    def bad(self) -> bool:
        """Whether any of its checksums is bad."""
        return any(layer.verdict == "bad" for layer in self.layers)


class Captured(NamedTuple):
    """A frame's bytes; ``link`` is its link type, and the others are as in Frame."""

    number: int
    time: int
    length: int
    link: int
    data: bytes


_address = lru_cache(4096)(ip_address)


def layer_of(entry: Entry) -> Layer:
    known = entry.verdict != "unverifiable"
    return Layer(
        entry.protocol,
        entry.verdict,
        entry.reason,
        entry.source and _address(entry.source),
        entry.destination and _address(entry.destination),
        *(entry.ports or (None, None)),
        entry.expected if known and entry.verdict != "none" else None,
        entry.found if known else None,
        named(entry.causes),
    )


class Verification:
    """The frames of one capture, read on demand. Each iteration reads the capture again."""

    def __init__(self, path: str | os.PathLike[str], heuristics: bool) -> None:
        self._path = os.fspath(path)
        self._heuristics = heuristics

    def _entries(self, verdicts: Iterable[str], records: bool = False) -> Iterator[Entries]:
        parts = settled.verify([self._path], verdicts, heuristics=self._heuristics, records=records)
        for report, entries, _ in parts:
            yield entries
            if report.error:
                raise CaptureError(f"{self._path}: {report.error}")

    def __iter__(self) -> Iterator[Frame]:
        """The frames in file order.

        A reassembled datagram's checksums are in the frame that completes it. Those of a datagram that stays
        incomplete are in a frame that is yielded later, with the number of its first fragment's frame.
        """
        for entries in self._entries(VERDICTS, records=True):
            found = {number: list(some) for number, some in groupby(entries, attrgetter("frame"))}
            here = range(*_span(entries.records))
            for number, some in found.items():
                if number not in here:
                    yield Frame(number, some[0].time, some[0].length, tuple(map(layer_of, some)))
            for number, time, length in entries.records:
                yield Frame(number, time, length, tuple(map(layer_of, found.get(number, ()))))

    def arrays(self, *verdicts: str) -> "Iterator[numpy.ndarray[tuple[int], numpy.dtype[numpy.void]]]":
        """The checksums with the given verdicts, or all of them, as structured arrays of some thousand rows.

        The fields are those of a frame and of a layer. PROTOCOLS, VERDICTS and REASONS map their numbers to
        names, and ``causes`` has a bit for each of CAUSES. Addresses are 16 bytes, of which ``family`` 4 uses
        4 and ``family`` 0 none. Where a layer has None, ``expected``, ``found``, ``reason`` and the ports are
        undefined. The arrays are views of memory that C filled. Needs NumPy.
        """
        if unknown := set(verdicts) - set(VERDICTS):
            raise ValueError(f"there is no verdict {min(unknown)!r}; the verdicts are {', '.join(VERDICTS)}")
        dtype = _dtype()
        for entries in self._entries(verdicts or VERDICTS):
            if len(entries):
                yield _numpy().frombuffer(entries.buffer(), dtype)


def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("arrays need NumPy: pip install numpy") from None
    return numpy


def _dtype() -> "numpy.dtype":
    fields = {name: (offset, size) for name, offset, size in capture.ENTRY_FIELDS if name not in UNSEEN}
    return _numpy().dtype(
        {
            "names": list(fields),
            "formats": [f"u{size}" if size <= 8 else f"({size},)u1" for _, size in fields.values()],
            "offsets": [offset for offset, _ in fields.values()],
            "itemsize": capture.ENTRY_SIZE,
        }
    )


def _span(records: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    return (records[0][0], records[-1][0] + 1) if records else (0, 0)


def verify(path: str | os.PathLike[str], *, heuristics: bool = True) -> Verification:
    """The frames of a capture in pcap or pcapng, compressed or not. "-" is the standard input.

        for frame in carrychain.verify("capture.pcap"):
            for layer in frame.layers:
                print(frame.number, layer.protocol, layer.verdict)

    With ``heuristics=False``, headers that are only likely to be present, such as those of a tunnel guessed
    from its UDP port, are not entered. If a capture cannot be read on, CaptureError (an OSError) is raised
    after the frames that were read.
    """
    return Verification(path, heuristics)


def _check_packet(data, length: int | None, who: str) -> None:
    try:
        memoryview(data)
    except TypeError:
        raise TypeError(f"{who} needs a buffer, such as bytes, not {type(data).__name__}") from None
    if length is not None and length < len(data):
        raise ValueError(f"{len(data)} bytes can't have been {length} on the wire")


def verify_frame(
    data, link: int = 1, *, length: int | None = None, heuristics: bool = True
) -> tuple[Layer, ...]:
    """The checksums in one packet, from the outermost inwards.

    ``data`` is any buffer. ``link`` is its link type as in capture files: 1 is Ethernet, 101 is raw IP.
    ``length`` is the packet's length on the wire, if not all of it was captured. For a fragment, only headers
    before its payload are checked.
    """
    _check_packet(data, length, "verify_frame")
    return tuple(map(layer_of, Entries(*entries_of(data, link, length, heuristics))))


def repair(data, link: int = 1, *, length: int | None = None, heuristics: bool = True) -> bytes:
    """The packet with its bad and partial checksums right, from the innermost outwards; the rest as it is.

    The arguments are those of ``verify_frame``. What a fragment carries, and what an ICMP error quotes, is
    not repaired.
    """
    from carrychain.bindings.packet import repaired

    _check_packet(data, length, "repair")
    return repaired(bytes(data), link, length, heuristics)


def captured(path: str | os.PathLike[str], number: int) -> Captured | None:
    """A frame of a capture, by Wireshark's number; None if it has fewer."""
    found = frame_at(os.fspath(path), number)
    if not found:
        return None
    data, link, length, time = found
    return Captured(number, time, length, link, data)
