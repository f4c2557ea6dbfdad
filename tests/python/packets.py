"""Random frames, and what each checksum in them was made to be: well formed and not, cut up and not yet.

A frame can be made twice: as it is, and healed, with all that is bad or partial made good and nothing else
changed, which is what a repair has to make of it.
"""

import random
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from captures import sum16

DEPTH = 3  # of IP headers inside each other
BIG = 65536
NAMES = {
    1: "ICMP",
    2: "IGMP",
    4: "IPv4",
    6: "TCP",
    17: "UDP",
    41: "IPv6",
    47: "GRE",
    58: "ICMPv6",
    132: "SCTP",
    136: "UDP-Lite",
}
UNVERIFIABLE = [("IPv6", "unverifiable")]
Made = tuple[bytes, list[tuple[str, str]]]


def crc32c(data: bytes) -> int:
    """Bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    return crc ^ 0xFFFFFFFF


def put(data: bytes, at: int, value: int, width: int = 2) -> bytes:
    return data[:at] + value.to_bytes(width, "big") + data[at + width :]


def padded(header: bytes, unit: int = 8) -> bytes:
    """With IPv6's options of padding behind: of one byte, and of more."""
    lack = -len(header) % unit
    return header + (bytes(lack) if lack < 2 else bytes((1, lack - 2)) + bytes(lack - 2))


# experimental ones, which say nothing of the packet (RFC 4727); IPv6's are skipped by who does not know them
KINDS = {4: (30, 94, 158, 222), 6: (0x1E, 0x3E)}


def option(draw: random.Random, version: int, size: int, beyond: int = 0) -> bytes:
    """One option of ``size`` bytes, of which one is padding; it says ``beyond`` more than it has."""
    if size == 1:
        return b"\1" if version == 4 else b"\0"
    length = size if version == 4 else size - 2
    return bytes((draw.choice(KINDS[version]), length + beyond)) + draw.randbytes(size - 2)


def options(draw: random.Random, version: int, room: int) -> bytes:
    """``room`` bytes of options of any lengths, the last of which ends there."""
    made = b""
    while left := room - len(made):
        made += option(draw, version, draw.choice((1, min(2, left), left, draw.randrange(1, left + 1))))
    return made


def beyond(draw: random.Random, version: int, room: int) -> bytes:
    """The same, but the last one ends one byte beyond, or its length is there."""
    size = draw.randrange(1, room + 1)
    last = option(draw, version, size, 1) if size > 1 else bytes(draw.choices(KINDS[version]))
    return options(draw, version, room - size) + last


@dataclass
class Ends:
    """What those above IP need to know of it."""

    source: bytes
    destination: bytes
    broken: bool
    jumbo: bool = False

    @property
    def v6(self) -> bool:
        return len(self.source) == 16

    def pseudo(self, protocol: int, length: int) -> bytes:
        return self.source + self.destination + struct.pack(">II", length, protocol)


class Maker:
    """One frame, by the choices that ``draw`` makes."""

    def __init__(self, draw: random.Random, healed: bool = False) -> None:
        self.draw, self.healed = draw, healed
        self.malformed = False  # tshark has views of its own
        self.endless = False  # no length says where the padding begins

    def seldom(self, times: int) -> bool:
        return not self.draw.randrange(times)

    def wrong(self, times: int = 12) -> bool:
        """Whether to malform something here: once in a while."""
        wrong = self.seldom(times)
        self.malformed |= wrong
        return wrong

    @contextmanager
    def unseen(self, unseen: bool) -> Iterator[None]:
        """What is made in it is never looked at if ``unseen``, and so never healed."""
        healed = self.healed
        self.healed = healed and not unseen
        yield
        self.healed = healed

    def text(self, most: int = 100) -> bytes:
        return self.draw.randbytes(self.draw.randrange(most))

    def frame(self) -> Made:
        tags = b"".join(b"\x81\0" + self.draw.randbytes(2) for _ in range(self.draw.choice((0, 0, 1, 2))))
        number, packet, verdicts = self.ip(1, False, self.seldom(20))
        data = bytes(12) + tags + struct.pack(">H", number) + packet
        return data if self.endless else data + bytes(max(0, 60 - len(data))), verdicts

    def ip(self, depth: int, broken: bool, big: bool = False) -> tuple[int, bytes, list]:
        if self.seldom(2):
            return 0x0800, *self.v4(depth, broken, big)
        return 0x86DD, *self.v6(depth, broken, big)

    def field(self, protocol: int | str, data: bytes, at: int, broken=False, over: bytes = b"") -> Made:
        """``data`` with its checksum at ``at``: right, wrong, or the pseudo-header's alone."""
        name = NAMES.get(protocol, protocol)
        right = ~sum16(over + put(data, at, 0)) & 0xFFFF
        if name.startswith("UDP"):
            right = right or 0xFFFF
        verdict = self.draw.choice(("good",) * 5 + ("bad",) + ("partial",) * bool(over))
        damage = self.draw.randrange(1, 0xFFFF)
        if broken:
            # whatever it is, it stays
            return put(data, at, damage), [(name, "unverifiable")]
        value = right ^ damage
        if verdict == "partial":
            value = sum16(over)
        elif verdict == "bad" and value in (0, sum16(over)):
            value = right
        if verdict == "good" or value == right:
            value, verdict = right, "good"
        return put(data, at, right if self.healed else value), [(name, verdict)]

    # IPv4

    def v4(self, depth: int, broken: bool, big: bool) -> Made:
        source, destination = self.draw.randbytes(4), self.draw.randbytes(4)
        options, final, malformed = self.v4_options(destination)
        ends = Ends(source, final, broken or malformed)
        number = 6 if big else self.choose(depth, False)
        says = "right"
        if big or (number == 6 and self.seldom(6)) or self.wrong(40):
            says = "nothing"
            ends.broken |= number != 6
            self.endless |= depth == 1
        elif self.wrong(30):
            says, ends.broken = "more", True
        authenticated = number != 6 and self.seldom(10)
        # of 8 bytes it lacks half of what it has to have
        short = authenticated and self.wrong(4)
        with self.unseen(short):
            body, verdicts = self.upper(number, depth, ends, big)
        if authenticated:
            body = bytes((number, 0 if short else 1, 0, 0)) + bytes(4 if short else 8) + body
            verdicts = [("IPv4", "unverifiable")] if short else verdicts
        length = 20 + len(options) + len(body)
        length = {"right": length, "nothing": 0, "more": length + 2000}[says]
        first = 0x40 | (20 + len(options)) // 4
        head = struct.pack(">BBHHHBBH", first, 0, length, 7, 0, 64, 51 if authenticated else number, 0)
        head, mine = self.field("IPv4", head + source + destination + options, 10)
        return head + body, mine + verdicts

    def v4_options(self, destination: bytes) -> tuple[bytes, bytes, bool]:
        """Options, the final destination by them, and whether they are malformed."""
        hops = [self.draw.randbytes(4) for _ in range(self.draw.randrange(4))]
        kind = self.draw.choice((131, 137))
        done = self.seldom(3) or not hops
        pointer = 4 * len(hops) + 4 if done else self.draw.randrange(4, 4 * len(hops) + 1, 4)
        route = bytes((kind, 3 + 4 * len(hops), pointer)) + b"".join(hops)
        final = destination if done else hops[-1]
        if self.wrong(15):
            if self.seldom(2):
                return beyond(self.draw, 4, self.draw.randrange(4, 41, 4)), destination, True
            wrong = self.draw.choice(
                (
                    bytes((7, self.draw.randrange(2))),
                    bytes((7, 50, 4)),
                    route[:2] + bytes((self.draw.choice((0, 3, 5, 6, 7)),)) + route[3:],
                    bytes((kind, route[1] - 1)) + route[2:-1],
                    bytes((kind, 2)),
                    route + route,
                )
            )
            return wrong + b"\1" * (-len(wrong) % 4), destination, True
        match self.draw.randrange(8):
            case 0:
                room = self.draw.randrange(-len(route) % 4, 41 - len(route), 4)
                return route + options(self.draw, 4, room), final, False
            case 1:
                return b"\x94\4\0\0", destination, False
            case 2:
                # what comes behind the end of options is none
                return b"\1\1\0" + self.draw.randbytes(5), destination, False
            case 3:
                return options(self.draw, 4, self.draw.randrange(4, 41, 4)), destination, False
            case _:
                return b"", destination, False

    # IPv6

    def v6(self, depth: int, broken: bool, big: bool) -> Made:
        source, destination = self.draw.randbytes(16), self.draw.randbytes(16)
        ends = Ends(source, destination, broken, big)
        number = (17 if self.seldom(3) else 6) if big else self.choose(depth, True)
        headers, fatal = self.extensions(ends)
        says = "right"
        if not big and self.wrong(25):
            # of TCP, that is left to the network card, and reaches to the end
            says = "nothing" if headers or number != 6 else "open"
            self.endless |= says == "open" and depth == 1
        elif not big and self.wrong(25):
            says, ends.broken = "more", True
        small = big and self.wrong(3)
        with self.unseen(fatal or small or says == "nothing"):
            body, verdicts = self.upper(number, depth, ends, big)
        numbers = [kind for kind, _ in headers] + [number]
        chain = b"".join(
            bytes((after,)) + header[1:] for (_, header), after in zip(headers, numbers[1:], strict=True)
        )
        if fatal:
            verdicts = UNVERIFIABLE
        if big:
            chain = bytes((numbers[0], 0)) + self.jumbo(8 + len(chain) + len(body), small) + chain
            numbers.insert(0, 0)
            verdicts = UNVERIFIABLE if small else verdicts
        if says == "nothing":
            verdicts = [(NAMES.get(numbers[0], "IPv6"), "unverifiable")]
        length = len(chain) + len(body)
        length = {"right": 0 if big else length, "nothing": 0, "open": 0, "more": length + 2000}[says]
        head = struct.pack(">IHBB", 6 << 28, length, numbers[0], 64) + source + destination
        return head + chain + body, verdicts

    def jumbo(self, length: int, wrong: bool) -> bytes:
        """Its option, in 6 bytes; or none that can be."""
        right = struct.pack(">BBI", 0xC2, 4, length)
        others = (
            struct.pack(">BBI", 0xC2, 4, self.draw.choice((BIG - 1, self.draw.randrange(BIG)))),
            struct.pack(">BBHBB", 0xC2, 2, length & 0xFFFF, 1, 0),
            struct.pack(">BBI", 1, 4, 0),
            struct.pack(">BBI", 0xC2, 5, length),
        )
        return self.draw.choice(others) if wrong else right

    def extensions(self, ends: Ends) -> tuple[list[tuple[int, bytes]], bool]:
        """Headers, their first byte to be filled in, and whether one of them ends the walk."""
        headers = []
        if not ends.jumbo and self.seldom(8):
            headers.append((0, self.sized(padded(b"\0\0\5\2" + bytes(2)))))
        makers = (self.options, self.home, self.route, self.authentication, self.atomic)
        for make in makers:
            if not self.seldom(8) or (make == self.atomic and ends.jumbo):
                continue
            wrong = self.wrong(4)
            kind, header = make(ends, wrong)
            headers.append((kind, header))
            if wrong:
                return headers, True
        if self.wrong(40):
            late = (0, self.sized(padded(b"\0\0\5\2" + bytes(2))))
            return [*headers, (60, self.sized(padded(b"\0\0"))), late], True
        if ends.jumbo and self.wrong(6):
            return [*headers, (44, bytes(8))], True
        return headers, False

    @staticmethod
    def sized(header: bytes) -> bytes:
        return put(header, 1, len(header) // 8 - 1, 1)

    def options(self, ends: Ends, wrong: bool) -> tuple[int, bytes]:
        make = beyond if wrong else options
        return 60, self.sized(b"\0\0" + make(self.draw, 6, self.draw.randrange(6, 40, 8)))

    def home(self, ends: Ends, wrong: bool) -> tuple[int, bytes]:
        address = self.draw.randbytes(16)
        option = b"\xc9\x10" + address
        if wrong:
            size = self.draw.choice((0, 4, 15, 17))
            option = self.draw.choice((bytes((0xC9, size)) + bytes(size), option + option))
        else:
            ends.source = address
        return 60, self.sized(padded(b"\0\0" + option))

    def route(self, ends: Ends, wrong: bool) -> tuple[int, bytes]:
        hops = [self.draw.randbytes(16) for _ in range(self.draw.randrange(1, 4))]
        n = len(hops)
        left = self.draw.randrange(1, n + 1) if wrong else self.draw.randrange(n + 1)
        addresses = b"".join(hops)
        kind = self.draw.choice((0, 2, 3, 4, 9))
        if kind == 0:
            if wrong:
                addresses, left = self.draw.choice(((addresses, n + 1), (addresses + bytes(8), left)))
            final, data = hops[-1], bytes(4) + addresses
        elif kind == 2:
            left = (self.draw.choice((2, 255)) if n == 1 else 1) if wrong else left and 1
            final, data = hops[0], bytes(4) + (addresses if wrong else hops[0])
        elif kind == 3:
            # RPL's: what each shares with the destination, and the last one, is left out
            shared, last = self.draw.randrange(16), self.draw.randrange(16)
            data = b"".join(hop[shared:] for hop in hops[:-1]) + hops[-1][last:]
            lack = -len(data) % 8
            if wrong:
                left = n + 1
            final = ends.destination[:last] + hops[-1][last:]
            data = bytes((shared << 4 | last, lack << 4, 0, 0)) + data + bytes(lack)
        elif kind == 4:
            number = n - 1
            if wrong:
                number, left = self.draw.choice(((n, left), (n - 1, n + 1)))
            final, data = hops[0], bytes((number, 0, 0, 0)) + addresses
        else:
            left = max(left, 1) if wrong else 0
            final, data = None, bytes(4) + addresses
        if left and not wrong:
            ends.destination = final
        return 43, self.sized(bytes((0, 0, kind, left)) + data)

    def authentication(self, ends: Ends, wrong: bool) -> tuple[int, bytes]:
        return 51, bytes((0, 0 if wrong else 4, 0, 0)) + bytes(4 if wrong else 20)

    def atomic(self, ends: Ends, wrong: bool) -> tuple[int, bytes]:
        """A fragment that is all there is; or a header that is longer than all that comes."""
        if wrong:
            return 60, b"\0\xff" + bytes(6)
        return 44, bytes(4) + self.draw.randbytes(4)

    # What IP carries

    def choose(self, depth: int, v6: bool) -> int:
        plain = [6, 6, 17, 17, 136, 132, *([58] if v6 else [1, 2])]
        return self.draw.choice(plain + [4, 41, 47, 47, 17] * (depth < DEPTH))

    def upper(self, number: int, depth: int, ends: Ends, big: bool) -> Made:
        match number:
            case 6:
                return self.tcp(ends, big)
            case 17 if depth < DEPTH and not big and self.seldom(3):
                return self.vxlan(depth, ends)
            case 17:
                return self.udp(ends, big)
            case 136:
                return self.udp_lite(ends)
            case 132:
                return self.sctp(ends)
            case 4:
                return self.v4(depth + 1, ends.broken, False)
            case 41:
                return self.v6(depth + 1, ends.broken, False)
            case 47:
                return self.gre(depth, ends)
        head = {1: b"\x08\0\0\0", 58: b"\x80\0\0\0", 2: b"\x16\0\0\0"}[number]
        data = head + (bytes(4) if number == 2 else bytes(4) + self.text())
        return self.field(number, data, 2, ends.broken, ends.pseudo(58, len(data)) if number == 58 else b"")

    def payload(self, big: bool) -> bytes:
        return self.draw.randbytes(self.draw.randrange(BIG, BIG + 30000)) if big else self.text()

    def tcp(self, ends: Ends, big: bool) -> Made:
        data = struct.pack(">HHIIBBHHH", 40000, 9, 1, 1, 0x50, 0x10, 500, 0, 0) + self.payload(big)
        if not big and self.wrong(20):
            data = data[:18]
        over = ends.pseudo(6, len(data))
        return self.field(6, data, 16, ends.broken or len(data) < 20, over)

    def udp(self, ends: Ends, big: bool) -> Made:
        data = self.payload(big)
        length, behind, malformed = 8 + len(data), b"", False
        if big:
            length = 0
        elif self.wrong(10):
            length, malformed = self.draw.choice((0, self.draw.randrange(1, 8), length + 1)), True
        elif self.seldom(8):
            behind = self.text()
        data = struct.pack(">HHHH", 40001, 9, length, 0) + data
        if not ends.v6 and self.seldom(6):
            return data + behind, [("UDP", "unverifiable" if ends.broken or malformed else "none")]
        made, verdicts = self.field(17, data, 6, ends.broken or malformed, ends.pseudo(17, len(data)))
        return made + behind, verdicts

    def vxlan(self, depth: int, ends: Ends) -> Made:
        with self.unseen(ends.broken):
            number, packet, inside = self.ip(depth + 1, False)
        data = b"\x08" + bytes(7) + bytes(12) + struct.pack(">H", number) + packet
        data = struct.pack(">HHHH", 50000, 4789, 8 + len(data), 0) + data
        if ends.broken:
            return data, [("UDP", "unverifiable")]
        if self.seldom(3):
            return data, [("UDP", "none"), *inside]
        data, mine = self.field(17, data, 6, False, ends.pseudo(17, len(data)))
        return data, mine + inside

    def udp_lite(self, ends: Ends) -> Made:
        data = self.text()
        coverage = self.draw.choice((0, 8, 8 + len(data), self.draw.randrange(8, 9 + len(data))))
        malformed = self.wrong(10)
        if malformed:
            coverage = self.draw.choice((self.draw.randrange(1, 8), 9 + len(data)))
        data = struct.pack(">HHHH", 40002, 9, coverage, 0) + data
        over = ends.pseudo(136, len(data))
        covered = data[: coverage or len(data)]
        if malformed:
            covered = data
        made, verdicts = self.field(136, covered, 6, ends.broken or malformed, over)
        return made + data[len(covered) :], verdicts

    def sctp(self, ends: Ends) -> Made:
        data = struct.pack(">HHII", 5000, 5001, 77, 0)
        data += struct.pack(">BBHIHHI", 0, 3, 16 + 40, 1, 0, 0, 0) + self.draw.randbytes(40)
        right = int.from_bytes(crc32c(data).to_bytes(4, "little"), "big")
        verdict = self.draw.choice(("good", "adler", "bad"))
        if ends.broken:
            return put(data, 8, self.draw.getrandbits(32), 4), [("SCTP", "unverifiable")]
        if verdict == "adler":
            return put(data, 8, zlib.adler32(data), 4), [("SCTP (Adler-32)", "good")]
        if verdict == "bad" and not self.healed:
            return put(data, 8, right ^ 0x100, 4), [("SCTP", "bad")]
        return put(data, 8, right, 4), [("SCTP", verdict)]

    def gre(self, depth: int, ends: Ends) -> Made:
        checked, keyed, numbered = (self.seldom(2) for _ in range(3))
        number, packet, inside = self.ip(depth + 1, ends.broken)
        head = struct.pack(">HH", checked << 15 | keyed << 13 | numbered << 12, number)
        data = head + bytes(4 * (checked + keyed + numbered)) + packet
        if not checked:
            return data, inside
        data, mine = self.field(47, data, 4, ends.broken)
        return data, mine + inside


def random_frame(seed: int, healed: bool = False) -> tuple[bytes, list[tuple[str, str]], bool]:
    """A frame of Ethernet, its verdicts from the outermost inwards, and whether it is malformed."""
    maker = Maker(random.Random(seed), healed)
    data, verdicts = maker.frame()
    return data, verdicts, maker.malformed
