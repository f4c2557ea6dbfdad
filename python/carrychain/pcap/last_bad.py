"""The last frames with a bad or unfinished checksum, written as a pcapng."""

import struct
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from .batch import Batch

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
COMMENT, FLAGS, NAME, RESOLUTION = 1, 2, 2, 9
NANOSECONDS = 9


class _Frame(NamedTuple):
    """``interface``: its link type and its name. ``where``: its number and its capture's name."""

    interface: tuple[int, str]
    where: str
    time: int
    flags: int
    length: int
    data: bytes


class LastBad:
    """At most ``most`` frames, by their verdicts when they were read.

    Of a datagram in fragments it is the frame that completes it.
    """

    def __init__(self, most: int) -> None:
        self._frames: deque[_Frame] = deque(maxlen=most)
        self._before = self._frames.copy()

    def take(self, batch: Batch, capture: str, interfaces: dict[int, str]) -> None:
        """Those of a batch, whose capture has these names of interfaces."""
        for number, record in batch.noted(self._frames.maxlen):
            self._frames.append(
                _Frame(
                    (record.link, interfaces.get(record.interface, "")),
                    f"frame {number} of {capture}",
                    record.time,
                    record.flags,
                    record.original,
                    bytes(batch.view(record.at, record.at + record.captured)),
                )
            )

    def mark(self) -> None:
        """To which ``rewind`` returns."""
        self._before = self._frames.copy()

    def rewind(self) -> None:
        self._frames = self._before.copy()

    def pieces(self) -> Iterator[bytes]:
        yield _block(SECTION, struct.pack("=IHHq", 0x1A2B3C4D, 1, 0, -1))
        numbers: dict[tuple[int, str], int] = {}
        for frame in self._frames:
            if frame.interface not in numbers:
                numbers[frame.interface] = len(numbers)
                yield _interface(*frame.interface)
            yield _packet(numbers[frame.interface], frame)


def _block(kind: int, body: bytes) -> bytes:
    size = struct.pack("=I", 12 + len(body))
    return struct.pack("=I", kind) + size + body + size


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def _options(*some: tuple[int, bytes]) -> bytes:
    """Those that are not empty, and the end of all."""
    there = [(kind, data) for kind, data in some if data]
    return b"".join(struct.pack("=HH", kind, len(data)) + _padded(data) for kind, data in (*there, (0, b"")))


def _interface(link: int, name: str) -> bytes:
    options = _options((NAME, name.encode()), (RESOLUTION, bytes([NANOSECONDS])))
    return _block(INTERFACE, struct.pack("=HHI", link & 0xFFFF, 0, 0) + options)


def _packet(interface: int, frame: _Frame) -> bytes:
    head = struct.pack(
        "=IIIII", interface, frame.time >> 32, frame.time & 0xFFFFFFFF, len(frame.data), frame.length
    )
    flags = struct.pack("=I", frame.flags) if frame.flags else b""
    options = _options((COMMENT, frame.where.encode(errors="replace")), (FLAGS, flags))
    return _block(PACKET, head + _padded(frame.data) + options)
