"""Captures made at every vantage: on the sender, on the receiver and on the wire, with each offload.

A situation is a short capture, and the verdict that the true cause of each sum calls for.
"""

import struct
from dataclasses import dataclass, field
from ipaddress import ip_address

from captures import PCAP, SECTION, block, checked, sum16
from carrychain.bindings.checksum import checksum

A, B, C, D = "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"
SYN, ACK, SYN_ACK, DATA, RST = 0x02, 0x10, 0x12, 0x18, 0x04
SENT, RECEIVED, WIRE, UNKNOWN = "sent", "received", "on the wire", None


@dataclass(frozen=True)
class Packet:
    """``sum``: right, left to a card (``large``: to one that divides the segment), zero, or damaged;
    ``header``: that of the IPv4 header."""

    source: str = A
    destination: str = B
    protocol: str = "TCP"
    sum: str = "right"
    header: str = "right"
    flags: int = DATA
    payload: int = 100

    def data(self) -> bytes:
        ends = ip_address(self.source).packed + ip_address(self.destination).packed
        content = bytes(range(256)) * (self.payload // 256) + bytes(range(self.payload % 256))
        if self.protocol == "TCP":
            number, at = 6, 16
            upper = struct.pack(">HHIIBBHHH", 40000, 80, 1, 1, 0x50, self.flags, 500, 0, 0) + content
        elif self.protocol == "UDP":
            number, at = 17, 6
            upper = struct.pack(">HHHH", 40000, 9999, 8 + len(content), 0) + content
        else:
            number, at = 132, 8
            upper = struct.pack(">HHII", 40000, 9999, 1, 0) + content + bytes(-len(content) % 4)
        pseudo = ends + struct.pack(">II", len(upper), number)
        if number == 132:
            if self.sum == "right":
                upper = upper[:8] + struct.pack("<I", crc32c(upper)) + upper[12:]
        elif self.sum == "left":
            upper = upper[:at] + struct.pack(">H", sum16(pseudo)) + upper[at + 2 :]
        elif self.sum == "large":
            upper = upper[:at] + struct.pack(">H", sum16(ends + bytes([0, number]))) + upper[at + 2 :]
        elif self.sum != "zero":
            upper = checked(upper, at, pseudo)
        if self.sum == "damaged":
            upper = upper[:at] + bytes([upper[at] ^ 0x40]) + upper[at + 1 :]
        if len(ends) == 32:
            return struct.pack(">IHBB", 6 << 28, len(upper), number, 64) + ends + upper
        ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(upper), 1, 0, 64, number, 0) + ends
        return (checked(ip, 10) if self.header == "right" else ip) + upper


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def mac(address: str) -> bytes:
    """Of the host itself."""
    return b"\2\0" + struct.pack(">I", checksum(ip_address(address).packed))


def ethernet(data: bytes, source: bytes, destination: bytes) -> bytes:
    return destination + source + (b"\x08\0" if data[0] >> 4 == 4 else b"\x86\xdd") + data


def cooked(data: bytes, type: int, device: int = 1) -> bytes:
    kind = 0x0800 if data[0] >> 4 == 4 else 0x86DD
    return struct.pack(">HHH8sH", type, device, 6, bytes(8), kind) + data


def cooked2(data: bytes, type: int, device: int = 1) -> bytes:
    kind = 0x0800 if data[0] >> 4 == 4 else 0x86DD
    return struct.pack(">HHIHBB8s", kind, 0, 2, device, type, 6, bytes(8)) + data


TYPES = {SENT: 4, RECEIVED: 0, WIRE: 3}
# inbound and outbound; that a frame was for another host
FLAGS = {SENT: 2, RECEIVED: 1 | 1 << 2, WIRE: 1 | 4 << 2, UNKNOWN: 0}


@dataclass
class Situation:
    """``packets``: each with its direction at the vantage, and the verdicts on its sums that are not good."""

    name: str
    link: str
    packets: list[tuple[Packet, str | None, tuple[str, ...]]]
    options: tuple[str, ...] = ()
    evidence: set[str] = field(default_factory=set)

    def capture(self) -> bytes:
        frames = [self._frame(packet, direction) for packet, direction, _ in self.packets]
        if self.link == "pcapng":
            return (
                SECTION
                + block(1, struct.pack("<HHI", 1, 0, 0))
                + b"".join(
                    self._enhanced(data, FLAGS[packet[1]])
                    for data, packet in zip(frames, self.packets, strict=True)
                )
            )
        number = {
            "Ethernet": 1,
            "local Ethernet": 1,
            "null": 0,
            "raw": 101,
            "SLL": 113,
            "SLL of lo": 113,
            "SLL2": 276,
        }
        return (
            PCAP[:20]
            + struct.pack("<I", number[self.link])
            + b"".join(
                struct.pack("<IIII", 1700000000, at, len(data), len(data)) + data
                for at, data in enumerate(frames)
            )
        )

    def _frame(self, packet: Packet, direction: str | None) -> bytes:
        data = packet.data()
        match self.link:
            case "SLL":
                return cooked(data, TYPES[direction])
            case "SLL of lo":
                return cooked(data, TYPES[direction], 772)
            case "SLL2":
                return cooked2(data, TYPES[direction])
            case "null":
                return struct.pack("<I", 2 if data[0] >> 4 == 4 else 30) + data
            case "raw":
                return data
            case "local Ethernet":
                return ethernet(data, bytes(6), bytes(6))
        return ethernet(data, mac(packet.source), mac(packet.destination))

    @staticmethod
    def _enhanced(data: bytes, flags: int) -> bytes:
        head = struct.pack("<IIIII", 0, 0, 0, len(data), len(data))
        options = struct.pack("<HHI", 2, 4, flags) + struct.pack("<HH", 0, 0)
        return block(6, head + data + bytes(-len(data) % 4) + options)

    @property
    def verdicts(self) -> list[str]:
        return sorted(verdict for _, _, verdicts in self.packets for verdict in verdicts)


# What each offload leaves, as captured before the network card.
OFFLOADS = {
    "TCP's": Packet(sum="left"),
    "UDP's": Packet(protocol="UDP", sum="left"),
    "UDP's over IPv6": Packet("2001:db8::1", "2001:db8::2", "UDP", "left"),
    "IPv4's": Packet(header="left"),
    "SCTP's": Packet(protocol="SCTP", sum="left"),
}
ANSWER = Packet(B, A)


def of_each_offload():
    """The frame says where it was captured, or the user does."""
    evidence = {"SLL": "packet type", "SLL2": "packet type", "pcapng": "epb_flags", "Ethernet": "stated"}
    stated = {SENT: "sender", RECEIVED: "receiver", WIRE: "wire"}
    for link, why in evidence.items():
        for direction, vantage in stated.items():
            options = ("--captured-at", vantage) if link == "Ethernet" else ()
            back = {SENT: RECEIVED, RECEIVED: SENT, WIRE: WIRE}[direction]
            for name, packet in OFFLOADS.items():
                verdict = "deferred" if direction == SENT else "unfinished"
                yield Situation(
                    f"{name} sum at the {vantage}, {link}",
                    link,
                    [(packet, direction, (verdict,)), (ANSWER, back, ())],
                    options,
                    {f"{direction}: {why}"},
                )
            # the card did its work, or there was none to do
            fine = [Packet(), Packet(protocol="UDP"), Packet(protocol="SCTP")]
            yield Situation(
                f"all is right at the {vantage}, {link}",
                link,
                [(each, direction, ()) for each in fine],
                options,
            )


def of_loopbacks():
    here = {"null": (A, B), "SLL of lo": (A, B), "local Ethernet": (A, B)}
    here |= {"raw": ("127.0.0.1", "127.0.0.2"), "Ethernet": (A, A)}
    for link, (source, destination) in here.items():
        for protocol in ("TCP", "UDP"):
            there, back = (
                Packet(*ends, protocol, "left") for ends in ((source, destination), (destination, source))
            )
            yield Situation(
                f"{protocol} over a loopback, {link}",
                link,
                [(there, SENT, ("deferred",)), (back, RECEIVED, ("deferred",))],
                evidence={"loopback"},
            )
    yield Situation(
        "over IPv6's loopback", "raw", [(Packet("::1", "::1", "UDP", "left"), None, ("deferred",))],
        evidence={"loopback"},
    )  # fmt: skip
    yield Situation(
        "damage over a loopback", "null", [(Packet(sum="damaged"), None, ("bad",))]
    )  # fmt: skip
    for link, (source, destination) in here.items():
        unmade = Packet(source, destination, sum="zero", header="left")
        yield Situation(
            f"neither sum is made over a loopback, {link}",
            link,
            [(unmade, SENT, ("deferred", "deferred")), (Packet(source, destination), SENT, ())],
            evidence={"loopback"},
        )


def of_what_all_packets_show():
    """No frame says where it was captured."""

    def to_all(packet, verdicts=()):
        return [(Packet(packet.source, to, packet.protocol, packet.sum), None, verdicts) for to in (B, C, D)]

    left, udp = Packet(sum="left"), Packet(protocol="UDP", sum="left")
    reset = Packet(flags=RST, payload=0)
    yield Situation(
        "a host with offload, whose resets software sums",
        "Ethernet",
        [*[(left, None, ("deferred",))] * 3, (reset, None, ()), (ANSWER, None, ())],
        evidence={"no right sum of its sender nearby"},
    )
    yield Situation(
        "UDP, of which some is not finished",
        "Ethernet",
        [(udp, None, ("unfinished",)), (Packet(protocol="UDP"), None, ()), (ANSWER, None, ())],
        evidence={"right sums of its sender nearby"},
    )
    for six, (source, destination) in {"": (A, B), " over IPv6": ("2001:db8::1", "2001:db8::2")}.items():
        data = Packet(source, destination)
        opening = Packet(source, destination, sum="left", flags=SYN, payload=0)
        yield Situation(
            f"TCP's data summed as they were copied, the rest after the capture{six}",
            "Ethernet",
            [
                (opening, None, ("deferred",)),
                (data, None, ()),
                (Packet(source, destination, sum="left", flags=ACK, payload=0), None, ("deferred",)),
                (data, None, ()),
            ],
            evidence={"no right sum of its sender nearby"},
        )
        closed = Packet(source, destination, flags=ACK, payload=0)
        yield Situation(
            f"TCP's data summed as they were copied, and the acknowledgement of a closed connection{six}",
            "Ethernet",
            [(opening, None, ("deferred",)), (data, None, ()), (closed, None, ())],
            evidence={"no right sum of its sender nearby"},
        )
        # over IPv4 short frames may be summed before the capture
        yield Situation(
            f"TCP's SYN and data are finished, its acknowledgements are not{six}",
            "Ethernet",
            [
                (Packet(source, destination, flags=SYN, payload=0), None, ()),
                (
                    Packet(source, destination, sum="left", flags=ACK, payload=0),
                    None,
                    ("unfinished" if six else "deferred",),
                ),
                (data, None, ()),
                (Packet(destination, source), None, ()),
            ],
            evidence={f"{'' if six else 'no '}right sum{'s' if six else ''} of its sender nearby"},
        )
    for protocol in ("TCP", "UDP"):
        yield Situation(
            f"{protocol} of a card that can't sum frames to be padded",
            "Ethernet",
            [
                (Packet(protocol=protocol, sum="left", payload=40), None, ("deferred",)),
                (Packet(protocol=protocol, payload=5), None, ()),
                (Packet(protocol=protocol, sum="left", payload=40), None, ("deferred",)),
            ],
            evidence={"no right sum of its sender nearby"},
        )
    yield Situation(
        "TCP's sum is 0, and nothing shows where",
        "Ethernet",
        [(Packet(sum="zero"), None, ("bad",)), (ANSWER, None, ())],
    )
    for size in (1461, 1481, 9000):
        for ends in ((A, B), ("2001:db8::1", "2001:db8::2")):
            large = Packet(*ends, sum="large", header="left", payload=size)
            yield Situation(
                f"segmentation is left to the card, as Windows does, {size} bytes from {ends[0]}",
                "Ethernet",
                [
                    (large, None, ("deferred",) * (2 if ends[0] == A else 1)),
                    (Packet(*ends), None, ()),
                    (Packet(*ends[::-1]), None, ()),
                ],
                evidence={"longer than an Ethernet frame"},
            )
    yield Situation(
        "a pseudo-header's sum without the length in a short segment",
        "Ethernet",
        [(Packet(sum="large"), None, ("bad",)), (Packet(), None, ())],
    )
    yield Situation(
        "one IPv4 header of 0 among right ones",
        "Ethernet",
        [(Packet(header="left"), None, ("bad",)), (Packet(), None, ())],
        evidence={"right sums of its sender nearby"},
    )
    yield Situation(
        "IPv4 headers of long segments alone are left to the card",
        "Ethernet",
        [
            (Packet(header="left", sum="left", payload=4000), None, ("deferred", "deferred")),
            (Packet(protocol="UDP"), None, ()),
        ],
    )
    yield Situation(
        "all IPv4 headers are 0", "Ethernet", [(Packet(header="left"), None, ("deferred",))] * 3,
    )  # fmt: skip
    yield Situation(
        "two containers of one machine",
        "Ethernet",
        [(left, None, ("deferred",)), (Packet(B, A, sum="left"), None, ("deferred",))],
        evidence={"both ends defer"},
    )
    yield Situation(
        "segmentation is left to the card (TSO)",
        "Ethernet",
        [(Packet(sum="left", payload=9000), None, ("deferred",)), (ANSWER, None, ())],
        evidence={"longer than an Ethernet frame"},
    )
    yield Situation(
        "merged segments (GRO) of a host whose other segments are right",
        "Ethernet",
        [(Packet(sum="left", payload=600), None, ("deferred",)), (Packet(), None, ()), (ANSWER, None, ())],
        evidence={"sent or merged on receipt by GRO"},
    )
    everyone = [*to_all(Packet()), *[(Packet(each, A), None, ()) for each in (B, C, D)]]
    yield Situation(
        "the sender's MAC address is in all frames",
        "Ethernet",
        [(udp, None, ("deferred",)), *everyone],
        evidence={"sent: MAC address"},
    )
    yield Situation(
        "the receiver's MAC address is in all frames",
        "Ethernet",
        [(Packet(B, A, "UDP", "left"), None, ("unfinished",)), *everyone],
        evidence={"received: MAC address"},
    )
    yield Situation(
        "a container and its host, whose MAC address is in all frames",
        "Ethernet",
        [
            (Packet(D, A, "UDP", "left"), None, ("deferred",)),
            (Packet(A, D, "UDP", "left"), None, ("deferred",)),
            *[
                (packet, None, ())
                for packet, _, _ in everyone
                if D not in (packet.source, packet.destination)
            ],
        ],
        evidence={"both ends defer", "sent: MAC address"},
    )
    others = [(Packet(C, D), None, ()), (Packet(D, C), None, ())]
    yield Situation(
        "a mirror port, behind a sender that finishes some",
        "Ethernet",
        [(udp, None, ("unfinished",)), (Packet(protocol="UDP"), None, ()), (ANSWER, None, ()), *others],
    )
    yield Situation(
        "a mirror port, as stated, behind a sender that finishes none",
        "Ethernet",
        [(udp, None, ("unfinished",)), (ANSWER, None, ()), *others],
        ("--captured-at", "wire"),
    )
    yield Situation(
        "damage among sums left to the card",
        "Ethernet",
        [(left, None, ("deferred",)), (Packet(sum="damaged"), None, ("bad",)), (left, None, ("deferred",))],
    )


def of_receivers():
    """What a receiver's own software leaves."""
    long, short = Packet(sum="left", payload=5000), Packet(sum="left", payload=600)
    for link in ("SLL", "SLL2", "pcapng"):
        yield Situation(
            f"merged segments (GRO), {link}",
            link,
            [(long, RECEIVED, ("deferred",)), (short, RECEIVED, ("deferred",)), (Packet(), RECEIVED, ())],
            evidence={"merged on receipt by GRO"},
        )
        yield Situation(
            f"GRO merges no handshake, {link}",
            link,
            [
                (long, RECEIVED, ("deferred",)),
                (Packet(C, B, sum="left", flags=SYN, payload=0), RECEIVED, ("unfinished",)),
            ],
        )
        handshake = [
            (Packet(sum="left", flags=SYN, payload=0), RECEIVED, ("deferred",)),
            (Packet(B, A, sum="left", flags=SYN_ACK, payload=0), SENT, ("deferred",)),
            (Packet(sum="left", flags=ACK, payload=0), RECEIVED, ("deferred",)),
            (Packet(sum="left"), RECEIVED, ("deferred",)),
            (Packet(protocol="UDP", sum="left"), RECEIVED, ("deferred",)),
        ]
        yield Situation(
            f"a container, seen by its host, {link}",
            link,
            handshake,
            evidence={
                "accepted by its receiver",
                f"sent: {'epb_flags' if link == 'pcapng' else 'packet type'}",
            },
        )
        yield Situation(
            f"from one virtual machine to another before it is divided, {link}",
            link,
            [(Packet(sum="large", header="left", payload=5000), RECEIVED, ("deferred", "deferred"))],
            evidence={"longer than an Ethernet frame", "merged on receipt by GRO"},
        )
        yield Situation(
            f"a sum of 0, {link}",
            link,
            [(Packet(sum="zero"), RECEIVED, ("bad",)), (Packet(sum="zero"), SENT, ("deferred",))],
        )
        yield Situation(
            f"a handshake that is not answered, {link}",
            link,
            [(Packet(sum="left", flags=SYN, payload=0), RECEIVED, ("unfinished",))] * 3,
        )
    yield Situation(
        "merged at a mirror port",
        "Ethernet",
        [(long, None, ("deferred",)), (Packet(B, A, sum="right"), None, ())],
        ("--captured-at", "wire"),
    )


def situations() -> list[Situation]:
    return [*of_each_offload(), *of_loopbacks(), *of_what_all_packets_show(), *of_receivers()]
