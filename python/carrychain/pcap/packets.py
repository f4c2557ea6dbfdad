"""Captures whose packets a program reads, or writes, with their bytes."""

import os
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple, Self

from carrychain.files import replacing

from . import pcapng
from .batch import Batch
from .datagrams import Datagrams
from .frames import VERDICTS, CaptureError, Layer, layer_of
from .pipeline import Pipeline, settings_of

# of a record that is not a packet, which Wireshark numbers as a frame
NO_PACKET = 0xFFFFFFFF
# of pcapng's fields
BITS = {"time": 64, "length": 32, "link": 16, "flags": 32}


class CapturedPacket(NamedTuple):
    """``number`` is Wireshark's, ``time`` is in nanoseconds since 1970, ``length`` is that on the wire.

    ``interface`` is its name, or "" if it has none. ``flags`` are pcapng's ``epb_flags``, or 0.
    """

    number: int
    time: int
    length: int
    link: int
    interface: str
    flags: int
    data: bytes
    layers: tuple[Layer, ...]

    @property
    def bad(self) -> bool:
        """Whether any of its checksums is bad."""
        return any(layer.verdict == "bad" for layer in self.layers)


def batches(name: str, settings: dict) -> Iterator[tuple[Batch, Iterator[CapturedPacket]]]:
    """The batches of a capture, walked, and their packets, without layers. Use each before the next.

    CaptureError after those that could be read, if that is not all.
    """
    datagrams = Datagrams()
    names: dict[int, str] = {}
    for part in Pipeline([name], settings).parts():
        part.batch.reassemble(datagrams)
        names.update((number, text) for number, text, _ in part.batch.interfaces() if text)
        yield part.batch, _packets(part.batch, names)
        if part.last:
            part.reader.close()
            if part.reader.error:
                raise CaptureError(f"{name}: {part.reader.error}")


def _packets(batch: Batch, names: dict[int, str]) -> Iterator[CapturedPacket]:
    for each in batch.packets():
        if each.link != NO_PACKET:
            data = bytes(batch.view(each.at, each.at + each.captured))
            on = names.get(each.interface, "")
            yield CapturedPacket(each.number, each.time, each.length, each.link, on, each.flags, data, ())


class Capture:
    """The packets of a capture, with their bytes and the verdicts on their checksums.

        for packet in carrychain.Capture("a.pcap"):
            print(packet.number, len(packet.data), packet.bad)

    Each iteration reads the capture again; it may be in any form that ``verify`` reads, and verdicts are
    ``verify``'s. With ``"w"``, a context manager that writes pcapng:

        with carrychain.Capture("bad.pcapng", "w") as out:
            for packet in carrychain.Capture("a.pcap"):
                if packet.bad:
                    out.write(packet, comment="look at this")

    The file appears when the block ends; if that raises, it does not.
    """

    def __init__(self, path: str | os.PathLike[str], mode: str = "r", *, heuristics: bool = True) -> None:
        if mode not in ("r", "w"):
            raise ValueError(f'the mode of a capture is "r" or "w", not {mode!r}')
        self._path = os.fspath(path)
        self._mode = mode
        self._heuristics = heuristics
        self._file = None

    def __iter__(self) -> Iterator[CapturedPacket]:
        if self._mode == "w":
            raise ValueError("this capture is open for writing")
        settings = settings_of(VERDICTS, self._heuristics, None, False, None)
        layers: dict[int, list[Layer]]
        for batch, packets in batches(self._path, settings):
            layers = defaultdict(list)
            for entry in batch.entries():
                layers[entry.frame].append(layer_of(entry))
            for packet in packets:
                yield packet._replace(layers=tuple(layers.get(packet.number, ())))

    def __enter__(self) -> Self:
        if self._mode != "w":
            raise ValueError('a capture that is read needs no "with"')
        self._replacing = replacing(self._path)
        self._file = self._replacing.__enter__()
        self._packets = pcapng.Packets()
        self._file.write(pcapng.begin())
        return self

    def __exit__(self, *error) -> None:
        self._file = None
        self._replacing.__exit__(*error)

    def write(self, packet: CapturedPacket, *, comment: str | None = None) -> None:
        """Appends a packet; ``packet._replace(data=carrychain.repair(packet.data))`` is a repaired one.

        TypeError for anything else, ValueError for a number that pcapng has no room for.
        """
        if not self._file:
            raise ValueError('write inside "with carrychain.Capture(path, "w")"')
        if not isinstance(packet, CapturedPacket):
            raise TypeError(f"write a packet as a capture has it, not {type(packet).__name__}")
        for name, bits in BITS.items():
            if not 0 <= getattr(packet, name) < 1 << bits:
                raise ValueError(f"the {name} of a packet is from 0 to 2^{bits} - 1")
        self._file.write(self._packets.block(packet, () if comment is None else (comment,)))
