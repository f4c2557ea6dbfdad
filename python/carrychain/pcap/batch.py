"""Consecutive packets of a capture, and what is found in them: batch.c for Python."""

from collections import Counter
from typing import NamedTuple

from carrychain.bindings import capture
from carrychain.bindings.capture import BatchMemory, FramingState, trouble, unknown_text

from .entries import Entries


class Unknown(NamedTuple):
    """Something unknown in a packet: an ``enum cc_packet_unknown``, and its number within that kind."""

    what: int
    number: int

    def __str__(self) -> str:
        return unknown_text(self.what, self.number)


def by_count(found: Counter[Unknown]) -> list[tuple[Unknown, int]]:
    """The most frequent first; of those with as many, in the order of their numbers."""
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))


class Framing(FramingState):
    """What is known of a capture while its bytes are cut into packets."""

    @property
    def format(self) -> str | None:
        return capture.FORMATS[self.c.format]

    @property
    def need(self) -> int:
        """How many bytes must be available to continue after MORE."""
        return self.c.need

    def trouble(self, status: int, broken: str | None, place: int, frames: int) -> str:
        """Why the capture was not read beyond ``place``, after so many frames. See ``source.h``."""
        return trouble(self.c, status, broken, place, frames)


class Batch(BatchMemory):
    def counts(self) -> dict[tuple[str, str], int]:
        """The number of checksums by protocol and verdict."""
        return _counts(self.c.count)

    def quoted(self) -> dict[tuple[str, str], int]:
        """The same counts for packets quoted in ICMP errors, which are only counted."""
        return _counts(self.c.quoted)

    def reasons(self) -> dict[str, int]:
        """The number of unverifiable checksums by reason."""
        return {capture.REASONS[i]: count for i, count in enumerate(self.c.reason) if count}

    def unknown(self) -> Counter[Unknown]:
        """The number of packets and datagrams that contain something not understood."""
        found = Counter()
        for i in range(self.c.unknown_count):
            each = self.c.unknown[i]
            found[Unknown(each.what, each.number)] += each.count
        return found

    def entries(self, limit: int | None = None, records: bool = False) -> Entries:
        """The checksums to report: frames in order, and within a frame from the outermost inwards."""
        c = self.c
        self.sort()
        count = c.entry_count if limit is None else min(limit, c.entry_count)
        return Entries(c.entry, count, self.records() if records else ())

    def patches(self) -> list[tuple[int, int]]:
        """The bytes to change, anywhere in the file up to the end of this batch: offset and new bytes."""
        return [(self.c.patch[i].place, self.c.patch[i].byte) for i in range(self.c.patch_count)]


def _counts(numbers) -> dict[tuple[str, str], int]:
    return {
        (name, capture.VERDICTS[verdict]): count
        for protocol, name in capture.PROTOCOLS.items()
        for verdict, count in enumerate(numbers[protocol])
        if count
    }


def tell_mask(verdicts) -> int:
    return sum(1 << number for number, name in capture.VERDICTS.items() if name in verdicts)
