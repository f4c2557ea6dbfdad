"""What stacks of layers are made of: bytes, which of them are headers, and which each checksum covers.

A layer goes around what it carries (``Packet.within``), from the innermost out. Only then are checksums
filled in, and judged, each from the very bytes that it covers: nothing here follows headers.
"""

import random
import struct
import zlib
from dataclasses import dataclass, replace

from captures import sum16
from packets import crc32c

Range = tuple[int, int]


def moved(ranges: tuple[Range, ...], by: int) -> tuple[Range, ...]:
    return tuple((begin + by, end + by) for begin, end in ranges)


@dataclass(frozen=True)
class Sum:
    """The Internet checksum at ``at`` over ``covered``, or what a subclass makes of it.

    ``pseudo`` is the length and the protocol of a pseudo-header, and empty if there is none; the addresses
    at ``ends`` are named by the IP header that goes around it. ``optional``: a field of 0 says that the
    sender made none. ``nonzero``: 0xffff stands for a sum of 0. ``unused``: there is none whatever the field
    says. ``accepted`` are coverages that are as good, but that no repair makes, and a sender only
    ``otherwise``.
    """

    at: int
    covered: tuple[Range, ...]
    pseudo: bytes = b""
    ends: tuple[Range, ...] = ()
    optional: bool = False
    nonzero: bool = False
    unused: bool = False
    accepted: tuple["Sum", ...] = ()
    otherwise: bool = False
    width: int = 2

    def moved(self, by: int) -> "Sum":
        return replace(
            self,
            at=self.at + by,
            covered=moved(self.covered, by),
            ends=moved(self.ends, by),
            accepted=tuple(each.moved(by) for each in self.accepted),
        )

    def between(self, *ends: Range) -> "Sum":
        """With the addresses of its pseudo-header, unless it has some, or needs none."""
        if not self.pseudo and not self.accepted:
            return self
        return replace(
            self,
            ends=self.ends or (ends if self.pseudo else ()),
            accepted=tuple(each.between(*ends) for each in self.accepted),
        )

    def of(self, data: bytes, ranges: tuple[Range, ...]) -> bytes:
        return b"".join(data[begin:end] for begin, end in ranges)

    def over(self, data: bytes) -> bytes:
        return self.of(data, self.ends) + self.pseudo

    def right(self, data: bytes) -> bytes:
        """What the field should be."""
        cleared = data[: self.at] + b"\0\0" + data[self.at + 2 :]
        right = ~sum16(self.over(data) + self.of(cleared, self.covered)) & 0xFFFF
        return struct.pack(">H", right or 0xFFFF * self.nonzero)

    def sent(self, data: bytes) -> bytes:
        return self.accepted[0].right(data) if self.otherwise else self.right(data)

    def partial(self, data: bytes) -> bytes:
        """What the sender leaves to its network card: the pseudo-header's sum alone."""
        return struct.pack(">H", sum16(self.over(data)))

    def sum_of(self, data: bytes) -> int:
        return sum16(self.over(data) + self.of(data, self.covered))

    def field(self, data: bytes) -> bytes:
        return data[self.at : self.at + self.width]

    def verdict(self, data: bytes) -> str:
        if self.unused or (self.optional and not any(self.field(data))):
            return "none"
        possible = any(self.field(data)) or not self.nonzero
        if possible and self.sum_of(data) == 0xFFFF:
            return "good"
        if any(each.verdict(data) == "good" for each in self.accepted):
            return "good"
        return "partial" if self.pseudo and self.field(data) == self.partial(data) else "bad"

    def end(self, data: bytes) -> int:
        """How many bytes there have to be to judge it."""
        sums = (self, *self.accepted) if self.accepted and self.sum_of(data) != 0xFFFF else (self,)
        return max(end for each in sums for _, end in each.covered)

    def name(self, data: bytes, name: str) -> str:
        return name


@dataclass(frozen=True)
class Crc(Sum):
    """SCTP's: CRC32c, its lowest byte first (RFC 9260, appendix A), or Adler-32 (RFC 2960)."""

    width: int = 4

    def cleared(self, data: bytes) -> bytes:
        return self.of(data[: self.at] + bytes(4) + data[self.at + 4 :], self.covered)

    def right(self, data: bytes) -> bytes:
        return crc32c(self.cleared(data)).to_bytes(4, "little")

    def adler(self, data: bytes) -> bytes:
        return zlib.adler32(self.cleared(data)).to_bytes(4, "big")

    def sent(self, data: bytes) -> bytes:
        return self.adler(data) if self.otherwise else self.right(data)

    def verdict(self, data: bytes) -> str:
        return "good" if self.field(data) in (self.right(data), self.adler(data)) else "bad"

    def name(self, data: bytes, name: str) -> str:
        return f"{name} (Adler-32)" if self.field(data) == self.adler(data) else name


@dataclass(frozen=True)
class Layer:
    """A header that ends at ``end``: what comes behind it is only known of if it is there.

    Without a ``name`` nothing is told of it. With one, but without a checksum, it is told of only where it
    is cut. Of what an ICMP error ``quotes`` nothing is told unless it was captured to ``whole``.
    """

    end: int
    name: str = ""
    sum: Sum | None = None
    quoted: bool = False
    whole: int = 0

    def moved(self, by: int) -> "Layer":
        sum_ = self.sum and self.sum.moved(by)
        return replace(self, end=self.end + by, sum=sum_, whole=self.whole and self.whole + by)


@dataclass(frozen=True)
class Told:
    protocol: str
    verdict: str
    quoted: bool = False


@dataclass(frozen=True)
class Packet:
    """``soft``: bytes that may be damaged without another parse: payloads, addresses, checksums, …"""

    data: bytes
    layers: tuple[Layer, ...] = ()
    soft: tuple[Range, ...] = ()

    def within(
        self, head: bytes, *layers: Layer, soft: tuple[Range, ...] = (), tail: bytes = b""
    ) -> "Packet":
        """Behind a header, whose layers and soft bytes count from where it begins."""
        by = len(head)
        return replace(
            self,
            data=head + self.data + tail,
            layers=layers + tuple(layer.moved(by) for layer in self.layers),
            soft=soft + moved(self.soft, by),
        )

    def behind(self, head: bytes, soft: tuple[Range, ...] = (), tail: bytes = b"") -> "Packet":
        """Behind a header of which nothing is told."""
        return self.within(head, Layer(len(head)), soft=soft, tail=tail)

    def then(self, other: "Packet") -> "Packet":
        by = len(self.data)
        return replace(
            self,
            data=self.data + other.data,
            layers=self.layers + tuple(layer.moved(by) for layer in other.layers),
            soft=self.soft + moved(other.soft, by),
        )

    def between(self, *ends: Range) -> "Packet":
        """With these addresses for the pseudo-headers that have none yet."""
        layers = (replace(each, sum=each.sum and each.sum.between(*ends)) for each in self.layers)
        return replace(self, layers=tuple(layers))

    def sums(self) -> list[Sum]:
        """From the outermost in."""
        return [layer.sum for layer in self.layers if layer.sum]

    def with_field(self, sum_: Sum, value: bytes) -> "Packet":
        return replace(self, data=self.data[: sum_.at] + value + self.data[sum_.at + len(value) :])

    def sent(self, *but: Sum) -> "Packet":
        """With the checksums that a sender makes, the innermost first: those around it cover it."""
        packet = self
        for sum_ in reversed(self.sums()):
            if sum_ not in but and not sum_.unused:
                packet = packet.with_field(sum_, sum_.sent(packet.data))
        return packet

    def repaired(self, captured: int) -> "Packet":
        """What is bad or partial made right, by the same order, as far as it was captured; quotes stay."""
        packet = self
        for sum_ in reversed([layer.sum for layer in self.layers if layer.sum and not layer.quoted]):
            judged = sum_.verdict(packet.data) in ("bad", "partial") and sum_.end(packet.data) <= captured
            if judged:
                packet = packet.with_field(sum_, sum_.right(packet.data))
        return packet

    def told(self, captured: int) -> list[Told]:
        """What is to be told of its first ``captured`` bytes, from the outermost in."""
        told = []
        for layer in self.layers:
            if layer.quoted and captured < layer.whole:
                break
            if captured < layer.end:
                if layer.name:
                    told.append(Told(layer.name, "unverifiable", layer.quoted))
                break
            if layer.sum:
                name, verdict = layer.name, "unverifiable"
                # one that says that there is none need not be there whole
                if layer.sum.verdict(self.data) == "none":
                    verdict = "none"
                elif layer.sum.end(self.data) <= captured:
                    name, verdict = layer.sum.name(self.data, name), layer.sum.verdict(self.data)
                told.append(Told(name, verdict, layer.quoted))
        return told


class Impossible(Exception):
    """A layer that can't carry this."""


def fits(length: int, most: int = 0xFFFF) -> int:
    if length > most:
        raise Impossible
    return length


def mapped(numbers: dict[int, int], number: int) -> int:
    """A protocol by another's number."""
    if number not in numbers:
        raise Impossible
    return numbers[number]


def whole(name: str, data: bytes, at: int, soft: tuple[Range, ...], **details) -> Packet:
    """A message whose checksum at ``at`` covers all of it."""
    sum_ = Sum(at, ((0, len(data)),), **details)
    return Packet(data, (Layer(len(data), name, sum_),), ((at, at + 2), *soft))


def seldom(draw: random.Random, times: int) -> bool:
    return not draw.randrange(times)


def some(draw: random.Random, most: int = 64) -> bytes:
    """A payload: none at all once in a while."""
    return draw.randbytes(draw.choice((0, 1, draw.randrange(most), draw.randrange(most))))
