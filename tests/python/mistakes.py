"""Captures of good flows in which one known mistake made the sums of some packets, as who makes it would.

The arithmetic is Python's, on whole messages; src/cause has eight sums of bytes.
"""

import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from ipaddress import ip_address

from captures import sum16
from vantages import ethernet

TCP, UDP, ICMPV6 = 6, 17, 58
FIELD = {TCP: 16, UDP: 6, ICMPV6: 2}


@dataclass(frozen=True)
class Packet:
    """``sum`` is that of the upper protocol, ``header`` that of the IPv4 header; None: the right one."""

    source: str
    destination: str
    ports: tuple[int, int]
    protocol: int
    content: bytes
    sequence: int = 1
    ttl: int = 64
    service: int = 0
    id: int = 1
    sum: int | None = None
    header: int | None = None

    @property
    def ends(self) -> bytes:
        return ip_address(self.source).packed + ip_address(self.destination).packed

    def pseudo(self, length: int | None = None) -> bytes:
        return self.ends + struct.pack(">II", len(self.upper()) if length is None else length, self.protocol)

    def upper(self) -> bytes:
        """Without its sum."""
        if self.protocol == TCP:
            options = b"\1\1\x08\x0a" + struct.pack(">II", self.sequence % 1000, 7)
            head = struct.pack(">HHIIBBHHH", *self.ports, self.sequence, 1, 0x80, 0x18, 501, 0, 0) + options
        elif self.protocol == UDP:
            head = struct.pack(">HHHH", *self.ports, 8 + len(self.content), 0)
        else:
            head = struct.pack(">BBHI", 128, 0, 0, self.sequence)
        return head + self.content

    def ip(self) -> bytes:
        """IPv4's header without its sum."""
        return (
            struct.pack(
                ">BBHHHBBH",
                0x45,
                self.service,
                20 + len(self.upper()),
                self.id,
                0x4000,
                self.ttl,
                self.protocol,
                0,
            )
            + self.ends
        )

    def right(self) -> int:
        check = ~sum16(self.pseudo() + self.upper()) & 0xFFFF
        return check or (0xFFFF if self.protocol == UDP else 0)

    def right_header(self) -> int:
        return ~sum16(self.ip()) & 0xFFFF

    def damaged(self, difference: int) -> "Packet":
        return replace(self, sum=self.right() ^ difference)

    def frame(self) -> bytes:
        upper, at = self.upper(), FIELD[self.protocol]
        check = self.right() if self.sum is None else self.sum
        upper = upper[:at] + struct.pack(">H", check) + upper[at + 2 :]
        if len(self.ends) == 32:
            ip = struct.pack(">IHBB", 6 << 28, len(upper), self.protocol, self.ttl) + self.ends
        else:
            check = self.right_header() if self.header is None else self.header
            ip = self.ip()[:10] + struct.pack(">H", check) + self.ends
        return ethernet(ip + upper, b"\2\0\0\0\0\1", b"\2\0\0\0\0\2")


def complement(data: bytes) -> int:
    return ~sum16(data) & 0xFFFF


Mistake = Callable[[random.Random, Packet], Packet]


def summed(over: Callable[[Packet], bytes]) -> Mistake:
    """The sum of something else."""
    return lambda draw, packet: replace(packet, sum=complement(over(packet)))


def without(begin: int, end: int) -> Mistake:
    """Without parts of the pseudo-header: its addresses, its length, its protocol."""

    def over(packet: Packet) -> bytes:
        pseudo, size = packet.pseudo(), len(packet.ends) // 2
        places = [0, size, 2 * size, 2 * size + 4, 2 * size + 8]
        return pseudo[: places[begin]] + pseudo[places[end] :] + packet.upper()

    return summed(over)


def flipped(draw: random.Random, packet: Packet, bit: int | None = None, at: int | None = None) -> Packet:
    """One bit of the content, after the sum."""
    content = bytearray(packet.content)
    at = draw.randrange(len(content)) if at is None else at
    content[at] ^= 1 << (draw.randrange(8) if bit is None else bit)
    return replace(packet, content=bytes(content), sum=packet.right())


def carries_dropped(width: int, order: str) -> Mistake:
    def made(draw: random.Random, packet: Packet) -> Packet:
        data = packet.pseudo() + packet.upper()
        data += bytes(-len(data) % width)
        form = f"{'>' if order == 'big' else '<'}{len(data) // width}{'H' if width == 2 else 'I'}"
        total = sum(struct.unpack(form, data)) % (1 << 8 * width)
        return replace(packet, sum=complement(total.to_bytes(8, order)))

    return made


def folded_once(order: str) -> Mistake:
    def made(draw: random.Random, packet: Packet) -> Packet:
        # a first word of the content with which the folded sum carries again
        packet = replace(packet, content=b"\0\0" + packet.content[2:])
        word = (0xFFFF - total(packet, order)) & 0xFFFF
        packet = replace(packet, content=word.to_bytes(2, order) + packet.content[2:])
        once = total(packet, order)
        check = ~((once & 0xFFFF) + (once >> 16)) & 0xFFFF
        return replace(packet, sum=int.from_bytes(check.to_bytes(2, order), "big"))

    def total(packet: Packet, order: str) -> int:
        data = packet.pseudo() + packet.upper()
        data += bytes(len(data) % 2)
        return sum(struct.unpack(f"{'>' if order == 'big' else '<'}{len(data) // 2}H", data))

    return made


def lower_word(packet: Packet) -> bytes:
    return packet.pseudo() + packet.upper()[:-1] + b"\0" + packet.upper()[-1:]


def after(**fields) -> Mistake:
    """Fields of an IPv4 header changed after its sum: each from what it was, to what it is."""

    def made(draw: random.Random, packet: Packet) -> Packet:
        changed = {name: change(draw, getattr(packet, name)) for name, change in fields.items()}
        return replace(packet, **changed, header=packet.right_header())

    return made


def marked(draw: random.Random, packet: Packet) -> Packet:
    packet = replace(packet, service=draw.choice((0, 0x28)) | draw.choice((1, 2)))
    return replace(packet, service=packet.service | 3, header=packet.right_header())


def identified(draw: random.Random, packet: Packet) -> Packet:
    check = replace(packet, id=0).right_header()
    return replace(packet, id=draw.randrange(1, 65536), header=check)


def swapped(draw: random.Random, packet: Packet) -> Packet:
    check = packet.right()
    return replace(packet, sum=check << 8 & 0xFF00 | check >> 8)


def translated(address: str | None, port: int | None) -> Mistake:
    """The destination, as it was for its sender."""

    def made(draw: random.Random, packet: Packet) -> Packet:
        check = packet.right()
        return replace(
            packet,
            destination=address or packet.destination,
            ports=(packet.ports[0], port or packet.ports[1]),
            sum=check,
        )

    return made


def first_segment(draw: random.Random, packet: Packet) -> Packet:
    packet = replace(packet, content=draw.randbytes(draw.randrange(1600, 6000)))
    mtu = 1500 - (40 if len(packet.ends) == 32 else 20)
    return replace(packet, sum=complement(packet.pseudo(mtu) + packet.upper()[:mtu]))


@dataclass(frozen=True)
class Kind:
    """A mistake, how it is made, and for which protocols, IP versions and lengths."""

    name: str
    cause: str
    make: Mistake
    protocols: tuple[int, ...] = (TCP, UDP)
    versions: tuple[int, ...] = (4, 6)
    odd: bool = False


TRANSLATED = "an address or port rewritten without the sum"
REPEATED = "one sum in several segments"
ALIKE = "the same change in all packets of a flow"


KINDS = [
    Kind("a bit", "one bit flipped", flipped),
    Kind("a stuck bit", "one bit flipped", lambda draw, packet: flipped(draw, packet, 6, 40)),
    Kind("byte order", "the sum's two bytes swapped", swapped),
    Kind(
        "no complement",
        "the sum not complemented",
        lambda draw, packet: replace(packet, sum=~packet.right() & 0xFFFF),
    ),
    Kind("no pseudo-header", "the pseudo-header left out", without(0, 4)),
    Kind("no pseudo-header", "the pseudo-header left out", without(0, 4), (ICMPV6,), (6,)),
    Kind("no length", "the pseudo-header's length left out", without(2, 3)),
    Kind("no protocol", "the pseudo-header's protocol left out", without(3, 4)),
    Kind("no source", "the pseudo-header's source left out", without(0, 1)),
    Kind("no destination", "the pseudo-header's destination left out", without(1, 2)),
    Kind("odd side", "an odd last byte padded on the wrong side", summed(lower_word), odd=True),
    Kind(
        "odd left out",
        "an odd last byte left out",
        summed(lambda packet: packet.pseudo() + packet.upper()[:-1]),
        odd=True,
    ),
    Kind("16-bit carries", "carries dropped", carries_dropped(2, "big")),
    Kind("16-bit carries, little-endian", "carries dropped", carries_dropped(2, "little")),
    Kind("32-bit carries", "carries dropped", carries_dropped(4, "big")),
    Kind("32-bit carries, little-endian", "carries dropped", carries_dropped(4, "little")),
    Kind("folded once", "folded only once", folded_once("big")),
    Kind("folded once, little-endian", "folded only once", folded_once("little")),
    Kind(
        "TTL",
        "TTL decremented without the sum",
        after(ttl=lambda draw, ttl: ttl - 1),
        versions=(4,),
    ),
    Kind("ECN", "ECN marked without the sum", marked, versions=(4,)),
    Kind(
        "DSCP",
        "DSCP rewritten without the sum",
        after(service=lambda draw, service: draw.choice((0x28, 0x48, 0x88, 0xB8, 0x20))),
        versions=(4,),
    ),
    Kind("identification", "identification set after the sum", identified, versions=(4,)),
    Kind("a first segment", "only a first segment summed", first_segment, (TCP,)),
    Kind("never computed", "never computed", lambda draw, packet: replace(packet, sum=0xFFFF)),
    Kind("not over IPv6", "never computed", lambda draw, packet: replace(packet, sum=0), (UDP,), (6,)),
]


def flows(draw: random.Random, kind: Kind, count: int) -> Iterator[tuple[str, str, tuple[int, int], int]]:
    """Clients of few servers, as in a capture at a router."""
    for _ in range(count):
        version = draw.choice(kind.versions)
        near, far = (
            ("10.0.{}.{}", "198.51.{}.{}")
            if version == 4
            else ("2001:db8:{:x}::{:x}", "2001:db8:f{:x}::{:x}")
        )
        yield (
            near.format(draw.randrange(4), draw.randrange(1, 255)),
            far.format(draw.randrange(4), draw.randrange(1, 255)),
            (draw.randrange(32768, 61000), draw.choice((53, 80, 443, 5001))),
            draw.choice(kind.protocols),
        )


def packets(draw: random.Random, kind: Kind, flow: tuple, count: int) -> Iterator[Packet]:
    sequence = draw.getrandbits(31)
    for _ in range(count):
        size = draw.choice((draw.randrange(48, 200), 512, draw.randrange(200, 1400), 1400)) & ~1 | kind.odd
        yield Packet(
            *flow,
            draw.randbytes(size),
            sequence=sequence,
            ttl=draw.choice((57, 64, 128)),
            id=draw.getrandbits(16),
        )
        sequence = (sequence + size) % (1 << 32)


def packets_of(draw: random.Random, kind: Kind, flows_: int, each: int) -> list[list[Packet]]:
    return [list(packets(draw, kind, flow, each)) for flow in flows(draw, kind, flows_)]


def mistaken(draw: random.Random, kind: Kind, bad: int, good: int | None = None) -> list[bytes]:
    """The frames of four flows, ``bad`` of whose packets are as ``kind`` makes them."""
    each = -(-(bad + (bad if good is None else good)) // 4)
    every = [packet for flow in packets_of(draw, kind, 4, each) for packet in flow]
    wrong = set(draw.sample(range(len(every)), bad))
    return [
        (kind.make(draw, packet) if number in wrong else packet).frame()
        for number, packet in enumerate(every)
    ]


def translations(draw: random.Random, bad: int, address: bool, port: bool) -> list[bytes]:
    """Before and behind a translator, which answers for two clients' servers, and forgets sums."""
    frames = []
    for packets in packets_of(draw, KINDS[0], 2, bad // 2):
        here = "192.0.2.7" if len(packets[0].ends) == 8 else "2001:db8:77::7"
        move = translated(here if address else None, 8080 if port else None)
        for packet in packets:
            frames += [packet.frame(), move(draw, packet).frame()]
    return frames


def anonymized(draw: random.Random, bad: int) -> list[bytes]:
    """Two flows of which no packet has the server's old address, as in a capture that was anonymized."""
    frames = []
    for packets in packets_of(draw, KINDS[0], 2, bad // 2):
        size = len(packets[0].ends) // 2
        move = translated(str(ip_address(draw.randbytes(size))), None)
        frames += [move(draw, packet).frame() for packet in packets]
    return frames


def repetitions(draw: random.Random, bad: int) -> list[bytes]:
    """Segments that have the sum of the whole frame that they were cut from."""
    kind = Kind("", "", flipped, (TCP,))
    frames = []
    for flow in flows(draw, kind, 2):
        segments = 0
        while segments < bad // 2:
            (whole,) = packets(draw, kind, flow, 1)
            whole = replace(whole, content=draw.randbytes(draw.randrange(3, 9) * 1400))
            for at in range(0, len(whole.content), 1400):
                content = whole.content[at : at + 1400]
                part = replace(whole, content=content, sequence=whole.sequence + at, sum=whole.right())
                frames.append(part.frame())
                segments += 1
    return frames
