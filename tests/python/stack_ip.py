"""IP around what it carries, Ethernet's types, and UDP around tunnels."""

import random
import struct

from packets import options
from stack_packet import Impossible, Layer, Packet, Sum, fits, seldom

IPV4, IPV6, BRIDGED, MPLS, MPLS_MULTICAST, NSH = 0x0800, 0x86DD, 0x6558, 0x8847, 0x8848, 0x894F
IP = {IPV4: 4, IPV6: 41}
Numbered = tuple[int, Packet]


def v4(draw: random.Random, protocol: int, body: Packet, total: int | None = None) -> Numbered:
    """RFC 791; at times with options that change nothing."""
    some = draw.choice((b"",) * 6 + (b"\1\1\1\0", b"\x94\4\0\0", b"\x44\x0c\5\0" + draw.randbytes(8), None))
    if some is None:
        some = options(draw, 4, draw.randrange(4, 41, 4))
    length = 20 + len(some)
    total = fits(length + len(body.data)) if total is None else total
    head = struct.pack(">BBHHHBBH", 0x40 | length // 4, 0, total, 0, 0, draw.randrange(1, 256), protocol, 0)
    head = head[:4] + draw.randbytes(2) + head[6:] + draw.randbytes(8) + some
    layer = Layer(length, "IPv4", Sum(10, ((0, length),)))
    soft = ((4, 6), (8, 9), (10, 12), (12, 20))
    return IPV4, body.within(head, layer, soft=soft).between((12, 16), (16, 20))


def v6(
    draw: random.Random, protocol: int, body: Packet, length: int | None = None, headers: bytes = b""
) -> Numbered:
    """RFC 8200; ``headers`` are extension headers, of which the first is of hop-by-hop options and each is
    8 bytes or a multiple of it, their next headers filled in; at times there are destination options."""
    layers = ()
    if not headers and seldom(draw, 6):
        units = draw.randrange(4)
        headers = bytes((protocol, units)) + options(draw, 6, 6 + 8 * units)
        first = 60
    else:
        first = 0 if headers else protocol
    if headers:
        layers = (Layer(40 + len(headers), "IPv6"),)
    length = fits(len(headers) + len(body.data)) if length is None else length
    head = struct.pack(">IHBB", 6 << 28, length, first, draw.randrange(1, 256)) + draw.randbytes(32)
    soft = ((1, 4), (7, 8), (8, 40))
    packet = body.within(head + headers, Layer(40, "IPv6"), *layers, soft=soft)
    return IPV6, packet.between((8, 24), (24, 40))


def ip(draw: random.Random, protocol: int, body: Packet, version: int = 0) -> Numbered:
    """Of either version if none is asked for."""
    return (v4 if (version or draw.choice((4, 6))) == 4 else v6)(draw, protocol, body)


def by_version(number: int, packet: Packet) -> Packet:
    """IP whose version says which: it has to be there."""
    if number not in IP:
        raise Impossible
    return packet.within(b"", Layer(1))


def udp_around(
    draw: random.Random, port: int, body: Packet, version: int = 0, zero_over_v6: bool = False
) -> Numbered:
    """A tunnel in UDP (RFC 768), at times without a checksum where it may go without: over IPv4, and over
    IPv6 if it is one of those of RFC 6935."""
    version = version or draw.choice((4, 6))
    length = fits(8 + len(body.data))
    head = struct.pack(">HHHH", draw.randrange(49152, 65536), port, length, 0)
    optional = version == 4 or zero_over_v6
    none = optional and seldom(draw, 3)
    pseudo = struct.pack(">II", length, 17)
    sum_ = Sum(6, ((0, length),), pseudo=pseudo, optional=optional, nonzero=True, unused=none)
    # of one without a checksum the field stays as it is
    soft = () if none else ((6, 8),)
    return ip(draw, 17, body.within(head, Layer(8, "UDP", sum_), soft=soft), version)


def addresses(draw: random.Random) -> bytes:
    """Of Ethernet: of one station each, and of a maker whose number could not be the first byte of IP, or of
    a control word: what is in a pseudowire without one can only be guessed."""
    return b"".join(b"\xa0\x36\x9f" + draw.randbytes(3) for _ in range(2))


def bridged(draw: random.Random, number: int, packet: Packet, pad: int = 0) -> Packet:
    """A frame of Ethernet without its check sequence, padded to ``pad`` bytes."""
    if number == BRIDGED:
        raise Impossible
    padding = bytes(max(0, pad - 14 - len(packet.data)))
    return packet.behind(addresses(draw) + struct.pack(">H", number), soft=((3, 6), (9, 12)), tail=padding)


def guessed(draw: random.Random, number: int, packet: Packet) -> Packet:
    """A frame of Ethernet where nothing says that it is one but IP in it: a byte has to be there."""
    return bridged(draw, number, by_version(number, packet))


def snap(number: int, packet: Packet, oui: bytes = bytes(3)) -> Packet:
    """IEEE 802.2's header with a type of Ethernet's (RFC 1042)."""
    return packet.behind(b"\xaa\xaa\x03" + oui + struct.pack(">H", number))
