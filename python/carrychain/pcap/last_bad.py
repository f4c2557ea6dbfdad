"""The last frames with a bad or unfinished checksum, written as a pcapng."""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from . import pcapng
from .batch import Batch


class _Frame(NamedTuple):
    """``interface`` is its name. ``where``: its number and its capture's name."""

    link: int
    interface: str
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
                    record.link,
                    interfaces.get(record.interface, ""),
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
        yield pcapng.begin()
        packets = pcapng.Packets()
        for frame in self._frames:
            yield packets.block(frame, (frame.where,))
