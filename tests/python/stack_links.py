"""Link layers around packets: each takes a packet by its EtherType, returns a frame of its link type."""

import random
import struct

from stack_ip import (
    IPV4,
    IPV6,
    MPLS,
    MPLS_MULTICAST,
    addresses,
    bridged,
    by_version,
    snap,
    v4,
)
from stack_packet import Impossible, Packet, fits, mapped, seldom, whole

SHORTEST = 60  # of a frame of Ethernet, without its check sequence
PPP = {IPV4: 0x0021, IPV6: 0x0057, MPLS: 0x0281, MPLS_MULTICAST: 0x0283}


def ethernet(draw, number, packet):
    return bridged(draw, number, packet, SHORTEST)


def tag(draw: random.Random, kind: int, number: int, packet: Packet) -> tuple[int, Packet]:
    """One in front of an EtherType: what its standard has between its own and the next."""
    between = {
        0x893F: 6,  # IEEE 802.1BR's E-TAG
        0x8926: 4,  # VN-Tag
        0xF1C1: 4,  # IEEE 802.1CB's R-TAG
        0x892F: 4,  # HSR's, of IEC 62439-3
    }.get(kind, 2)
    return kind, packet.behind(draw.randbytes(between) + struct.pack(">H", number))


def tagged(*kinds: int):
    def around(draw, number, packet):
        for kind in kinds[::-1]:
            number, packet = tag(draw, kind, number, packet)
        return ethernet(draw, number, packet)

    return around


def backbone(draw, number, packet):
    """MAC in MAC (IEEE 802.1ah): the I-TAG, then a whole frame, with a tag of its own at times."""
    if seldom(draw, 2):
        number, packet = tag(draw, 0x8100, number, packet)
    # neither a frame without a customer's addresses, nor one of another kind: the lower bits are 0
    service = bytes((draw.randrange(16) << 4,)) + draw.randbytes(3)
    packet = bridged(draw, number, packet).behind(service)
    number = 0x88E7
    if seldom(draw, 2):
        number, packet = tag(draw, 0x88A8, number, packet)
    return ethernet(draw, number, packet)


def fabric_path(draw, number, packet):
    """Cisco's: a tree and hops left, a whole frame, and a check sequence, which tshark takes for granted"""
    inner = bridged(draw, number, packet)
    return ethernet(draw, 0x8903, inner.behind(draw.randbytes(2), tail=draw.randbytes(4)))


def macsec(draw, number, packet):
    """IEEE 802.1AE, 9, not encrypted: its length if that is short, a channel or not; what signs it is last"""
    packet = packet.behind(struct.pack(">H", number))
    short = len(packet.data) * (len(packet.data) < 48)
    channel = draw.choice((b"", draw.randbytes(8)))
    head = bytes((0x20 * bool(channel) | draw.randrange(4), short)) + draw.randbytes(4) + channel
    return ethernet(draw, 0x88E5, packet.behind(head, tail=draw.randbytes(16)))


def length_first(draw, llc: Packet) -> Packet:
    """IEEE 802.3: a length in place of the EtherType"""
    return bridged(draw, fits(len(llc.data), 1500), llc, SHORTEST)


def with_snap(draw, number, packet):
    """RFC 1042, and the bridge tunnel of IEEE 802.1H"""
    return length_first(draw, snap(number, packet, draw.choice((bytes(3), b"\0\0\xf8"))))


def with_sap(draw, number, packet):
    """IP's own service access point"""
    return length_first(draw, packet.behind(b"\x06\x06\x03")) if number == IPV4 else impossible()


def impossible():
    raise Impossible


def ppp(draw, number, packet):
    """RFC 1661 and 1662: with address and control fields or not, the protocol in one byte where it can be."""
    protocol = mapped(PPP, number)
    short = protocol < 256 and seldom(draw, 3)
    return packet.behind(b"\xff\x03" * seldom(draw, 2) + protocol.to_bytes(2 - short, "big"))


def session(draw, number, packet):
    """RFC 2516"""
    protocol = mapped(PPP, number)
    packet = packet.behind(protocol.to_bytes(2, "big"))
    return packet.behind(b"\x11\0" + draw.randbytes(2) + struct.pack(">H", fits(len(packet.data))))


def pppoe(draw, number, packet):
    return ethernet(draw, 0x8864, session(draw, number, packet))


def cisco_hdlc(draw, number, packet):
    """RFC 1547, 4.3.1"""
    return packet.behind(draw.choice((b"\x0f\0", b"\x8f\0")) + struct.pack(">H", number))


def circuit(draw) -> bytes:
    """Q.922's address, of 2 bytes"""
    return bytes((draw.randrange(64) << 2, draw.randrange(16) << 4 | 1))


def relayed(draw, number, packet):
    """RFC 2427: by a protocol's own number"""
    return packet.behind(circuit(draw) + b"\x03" + bytes((mapped({IPV4: 0xCC, IPV6: 0x8E}, number),)))


def relayed_snap(draw, number, packet):
    """RFC 2427: by the header of SNAP, behind a byte of padding; or as a frame of Ethernet's, bridged"""
    if seldom(draw, 2):
        oui, kind, packet = b"\0\x80\xc2", 7, bridged(draw, number, packet)
    else:
        oui, kind = bytes(3), number
    return packet.behind(circuit(draw) + b"\x03\0\x80" + oui + struct.pack(">H", kind))


def fddi(draw, number, packet):
    """IEEE 802.2 in frames of LLC's, of some priority"""
    return snap(number, packet).behind(bytes((0x50 | draw.randrange(8),)) + addresses(draw))


def token_ring(draw, number, packet):
    """IEEE 802.5: frames of LLC's; the source's group bit says that a route follows, and that its length"""
    ends = bytearray(addresses(draw))
    ends[6] &= 0x7F
    route = draw.choice((b"", bytes((2 * draw.randrange(2, 16),))))
    route += draw.randbytes(route[0] - 1) if route else b""
    ends[6] |= 0x80 * bool(route)
    return snap(number, packet).behind(bytes((0x10, 0x40)) + ends + route)


def wifi(draw, number, packet, pad: bool = False, aggregate: bool = True) -> Packet:
    """IEEE 802.11's data frames: three addresses or four, with quality of service or not, aggregated or not;
    with ``pad`` the header as a driver pads it."""
    ways = draw.choice((1, 2, 3))  # to the distribution system, from it, both
    quality = seldom(draw, 2)
    aggregated = aggregate and quality and seldom(draw, 2)
    ordered = quality and seldom(draw, 4)
    head = bytes((0x88 if quality else 0x08, ways | ordered << 7, 0, 0))
    # and the sequence number, of a frame that is not in fragments
    head += addresses(draw) + addresses(draw)[:6] + bytes((draw.randrange(16) << 4, draw.randrange(256)))
    head += addresses(draw)[:6] if ways == 3 else b""
    head += bytes((aggregated << 7, 0)) if quality else b""
    head += bytes(4) if ordered else b""
    if pad:
        head += bytes(-len(head) % 4)
    packet = snap(number, packet)
    if aggregated:
        packet = subframe(draw, packet)
        if seldom(draw, 2):
            packet = packet.then(Packet(bytes(-len(packet.data) % 4))).then(subframe(draw, another(draw)))
    return packet.behind(head)


def subframe(draw, packet: Packet) -> Packet:
    """Of an A-MSDU"""
    return packet.behind(addresses(draw) + struct.pack(">H", fits(len(packet.data))))


def another(draw) -> Packet:
    """A packet of its own."""
    return snap(
        *v4(draw, 1, whole("ICMP", b"\x08\0\0\0" + draw.randbytes(draw.randrange(4, 40)), 2, ((4, 8),)))
    )


def radiotap(draw, number, packet):
    """radiotap.org: nothing, flags, or a time and flags; these say of padding, and of a check sequence"""
    fields = draw.choice((0, 2, 3))
    flags = draw.choice((0, 0x10, 0x20, 0x30)) if fields else 0
    rest = (bytes(8) if fields & 1 else b"") + (bytes((flags,)) if fields else b"")
    head = struct.pack("<BBHI", 0, 0, 8 + len(rest), fields) + rest
    tail = draw.randbytes(4) if flags & 0x10 else b""
    return wifi(draw, number, packet, pad=bool(flags & 0x20)).behind(head, tail=tail)


def prism(draw, number, packet):
    """wlan-ng's header, its items left empty"""
    return wifi(draw, number, packet).behind(struct.pack("<II16s", 0x44, 144, b"wlan0") + bytes(120))


def avs(draw, number, packet):
    """AbsoluteValue's, of version 1"""
    return wifi(draw, number, packet).behind(struct.pack(">II", 0x80211001, 64) + bytes(56))


def cooked(draw, number, packet):
    """pcap-linktype(7)"""
    head = struct.pack(">HHH8sH", draw.randrange(5), 1, 6, draw.randbytes(6), number)
    return packet.behind(head)


def cooked_llc(draw, number, packet):
    return snap(number, packet).behind(struct.pack(">HHH8sH", draw.randrange(5), 1, 6, draw.randbytes(6), 4))


def cooked_2(draw, number, packet):
    head = struct.pack(">HHIHBB8s", number, 0, 2, 1, draw.randrange(5), 6, draw.randbytes(6))
    return packet.behind(head)


def null(draw, number, packet):
    """A family of either byte order's, and of any of the BSDs"""
    family = mapped({IPV4: 2, IPV6: draw.choice((24, 28, 30))}, number)
    return packet.behind(struct.pack(draw.choice("<>") + "I", family))


def loop(draw, number, packet):
    return packet.behind(struct.pack(">I", mapped({IPV4: 2, IPV6: draw.choice((24, 28, 30))}, number)))


def raw(draw, number, packet):
    return by_version(number, packet)


def raw_v4(draw, number, packet):
    return packet if number == IPV4 else impossible()


def raw_v6(draw, number, packet):
    return packet if number == IPV6 else impossible()


def nflog(draw, number, packet):
    """Attributes of Linux's, in the order of its bytes; the payload is the last"""
    family = mapped({IPV4: 2, IPV6: 10}, number)
    head = struct.pack(">BBH", family, 0, 0)
    if seldom(draw, 2):
        head += struct.pack("<HHHBB", 8, 1, 0x0008, 3, 0)  # of NFULA_PACKET_HDR
    if seldom(draw, 2):
        head += struct.pack("<HH", 7, 10) + b"in\0\0"  # a prefix, padded
    head += struct.pack("<HH", fits(4 + len(packet.data)), 9)
    return packet.behind(head, tail=bytes(-len(packet.data) % 4))


def infiniband(draw, number, packet):
    """RFC 4391, 6, behind the global routing header that pcap-linktype(7) has"""
    return packet.behind(bytes(40) + struct.pack(">HH", mapped({IPV4: IPV4, IPV6: IPV6}, number), 0))


def arista(draw, number, packet):
    """Arista's time stamps: of 32 bits of seconds or of 16"""
    version, size = draw.choice(((0x10, 8), (0x20, 6)))
    version |= draw.choice((0, 0x100)) | draw.randrange(2)
    head = struct.pack(">HH", 1, version) + draw.randbytes(size) + struct.pack(">H", number)
    return ethernet(draw, 0xD28B, packet.behind(head))


def metadata(draw, number, packet):
    """Cisco's, with a security group's tag and perhaps another option"""
    options = draw.randrange(1, 3)
    head = bytes((1, options)) + draw.randbytes(4 * options) + struct.pack(">H", number)
    return ethernet(draw, 0x8909, packet.behind(head))


def arcnet(draw, number, packet):
    """RFC 1051, and RFC 1201 of a whole datagram"""
    if number != IPV4:
        raise Impossible
    kind = draw.choice((b"\xf0", b"\xd4\0" + draw.randbytes(2)))
    return packet.behind(draw.randbytes(4) + kind)


def apple(draw, number, packet):
    """pktap: its length, a packet, of Ethernet, then what is of no use here"""
    head = struct.pack("<III", 108, 1, 1) + b"en0".ljust(96, b"\0")
    return ethernet(draw, number, packet).behind(head)


def switched(draw, number, packet):
    """A switch's tag of 4 bytes behind the addresses, in front of the EtherType"""
    tag = draw.getrandbits(16)
    return ethernet(draw, tag, packet.behind(draw.randbytes(2) + struct.pack(">H", number)))


def switched_typed(draw, number, packet):
    """One of 8 bytes, the first two of which are an EtherType"""
    return ethernet(draw, 0xDADA, packet.behind(bytes(2) + draw.randbytes(4) + struct.pack(">H", number)))


def switched_before(draw, number, packet):
    return ethernet(draw, number, packet).behind(draw.randbytes(4))


LINKS = {
    "Ethernet": (1, ethernet),
    "802.1Q": (1, tagged(0x8100)),
    "802.1ad": (1, tagged(0x88A8, 0x8100)),
    "QinQ": (1, tagged(0x9100, 0x8100)),
    "802.1BR": (1, tagged(0x893F)),
    "VN-Tag": (1, tagged(0x8926, 0x8100)),
    "802.1CB": (1, tagged(0x8100, 0xF1C1)),
    "HSR": (1, tagged(0x892F)),
    "802.1ah": (1, backbone),
    "802.1AE": (1, macsec),
    "FabricPath": (1, fabric_path),
    "Arista": (1, arista),
    "Cisco metadata": (1, metadata),
    "802.3 SNAP": (1, with_snap),
    "802.3 SAP": (1, with_sap),
    "PPPoE": (1, pppoe),
    "PPP": (9, ppp),
    "PPPoE session": (51, session),
    "PPP in HDLC": (50, ppp),
    "C-HDLC": (104, cisco_hdlc),
    "C-HDLC as PPP": (9, cisco_hdlc),
    "C-HDLC as PPP in HDLC": (50, cisco_hdlc),
    "Frame Relay": (107, relayed),
    "Frame Relay SNAP": (107, relayed_snap),
    "FDDI": (10, fddi),
    "token ring": (6, token_ring),
    "802.11": (105, wifi),
    "radiotap": (127, radiotap),
    "prism": (119, prism),
    "AVS": (163, avs),
    "ARCnet": (129, arcnet),
    "pktap": (258, apple),
    "Broadcom": (281, switched),
    "Broadcom, before": (282, switched_before),
    "DSA": (284, switched),
    "EDSA": (285, switched_typed),
    "SLL": (113, cooked),
    "SLL LLC": (113, cooked_llc),
    "SLL2": (276, cooked_2),
    "null": (0, null),
    "loop": (108, loop),
    "raw": (101, raw),
    "raw 12": (12, raw),
    "raw 14": (14, raw),
    "IPv4": (228, raw_v4),
    "IPv6": (229, raw_v6),
    "NFLOG": (239, nflog),
    "IPoIB": (242, infiniband),
}
