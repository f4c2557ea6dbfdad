"""Captures for Python programs: frames and what their checksums are worth, as records and as arrays."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from carrychain.bindings import capture
from carrychain.bindings.capture import Entries, Entry, entries_of

from . import pipeline

if TYPE_CHECKING:
    import numpy


# What the numbers in arrays stand for.
PROTOCOLS = tuple(capture.PROTOCOLS.values())
VERDICTS = tuple(capture.VERDICTS.values())
REASONS = tuple(capture.REASONS.values())


class CaptureError(OSError):
    """A capture, or the rest of it, can't be read."""


class Layer(NamedTuple):
    """A checksum. ``expected`` is None where it is not known, as is ``found`` of what is unverifiable;
    ``reason`` says why it is that. Addresses and ports are None where they could not be read."""

    protocol: str
    verdict: str
    reason: str | None
    source: IPv4Address | IPv6Address | None
    destination: IPv4Address | IPv6Address | None
    source_port: int | None
    destination_port: int | None
    expected: int | None
    found: int | None


class Frame(NamedTuple):
    """``number`` is Wireshark's, ``time`` in nanoseconds since 1970, ``length`` what it was on the wire."""

    number: int
    time: int
    length: int
    layers: tuple[Layer, ...]

    @property
    def bad(self) -> bool:
        """Any of its checksums is."""
        return any(layer.verdict == "bad" for layer in self.layers)


_address = lru_cache(4096)(ip_address)


def _layer(entry: Entry) -> Layer:
    known = entry.verdict != "unverifiable"
    return Layer(
        entry.protocol,
        entry.verdict,
        entry.reason,
        entry.source and _address(entry.source),
        entry.destination and _address(entry.destination),
        *(entry.ports or (None, None)),
        entry.expected if entry.verdict in ("bad", "partial") else None,
        entry.found if known else None,
    )


class Verification:
    """One capture's frames, read as they are asked for; each iteration reads it again."""

    def __init__(self, path: str | os.PathLike[str], heuristics: bool) -> None:
        self._path = os.fspath(path)
        self._heuristics = heuristics

    def _entries(self, verdicts: Iterable[str], records: bool = False) -> Iterator[Entries]:
        parts = pipeline.verify([self._path], verdicts, heuristics=self._heuristics, records=records)
        for report, entries, _ in parts:
            yield entries
            if report.error:
                raise CaptureError(f"{self._path}: {report.error}")

    def __iter__(self) -> Iterator[Frame]:
        """In the file's order. A datagram's checksums are in the frame that completes it. That of one which
        stays in fragments is in a frame that comes late, with the number of its first fragment's."""
        for entries in self._entries(VERDICTS, records=True):
            found = {number: list(some) for number, some in groupby(entries, attrgetter("frame"))}
            here = range(*_span(entries.records))
            for number, some in found.items():
                if number not in here:
                    yield Frame(number, some[0].time, some[0].length, tuple(map(_layer, some)))
            for number, time, length in entries.records:
                yield Frame(number, time, length, tuple(map(_layer, found.get(number, ()))))

    def arrays(self, *verdicts: str) -> "Iterator[numpy.ndarray[tuple[int], numpy.dtype[numpy.void]]]":
        """The checksums with these verdicts, or all, some thousands at a time: structured arrays over memory
        that C has filled. Their fields are a frame's and a layer's; PROTOCOLS, VERDICTS and REASONS have the
        names for their numbers. Addresses are 16 bytes, of which ``family`` 4 takes 4; 0 has none. Where a
        layer has None, ``expected``, ``found``, ``reason`` and ports mean nothing. Needs NumPy."""
        if unknown := set(verdicts) - set(VERDICTS):
            raise ValueError(f"no verdict is called {min(unknown)!r}: there are {', '.join(VERDICTS)}")
        dtype = _dtype()
        for entries in self._entries(verdicts or VERDICTS):
            if len(entries):
                yield _numpy().frombuffer(entries.buffer(), dtype)


def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("arrays are NumPy's, which is not installed: pip install numpy") from None
    return numpy


def _dtype() -> "numpy.dtype":
    fields = {name: (offset, size) for name, offset, size in capture.ENTRY_FIELDS if name != "number"}
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
    """The frames of a capture, pcap or pcapng, as it is or compressed; "-" is the standard input.

        for frame in carrychain.verify("capture.pcap"):
            for layer in frame.layers:
                print(frame.number, layer.protocol, layer.verdict)

    Without ``heuristics`` nothing is entered that is only likely to be there. What can't be read raises
    CaptureError, an OSError, behind the frames that could be.
    """
    return Verification(path, heuristics)


def verify_frame(
    data, link: int = 1, *, length: int | None = None, heuristics: bool = True
) -> tuple[Layer, ...]:
    """The checksums in one packet, from the outermost inwards.

    ``data`` is any buffer; ``link`` its link type as captures number them: 1 is Ethernet, 101 IP alone.
    ``length`` is what it was on the wire, if not all of it is there. Of a fragment only what is in front of
    its data.
    """
    if isinstance(data, str):
        raise TypeError("verify_frame needs a buffer, such as bytes, not str")
    if length is not None and length < len(data):
        raise ValueError(f"{len(data)} bytes can't have been {length} on the wire")
    return tuple(map(_layer, entries_of(data, link, length, heuristics)))
