"""Tunnels around packets, as their standards have them: each takes a packet by its EtherType, returns one."""

import random
import struct

from stack_ip import (
    BRIDGED,
    IP,
    IPV4,
    IPV6,
    MPLS,
    MPLS_MULTICAST,
    NSH,
    Numbered,
    bridged,
    by_version,
    guessed,
    ip,
    udp_around,
    v4,
    v6,
)
from stack_links import ppp, wifi
from stack_packet import Impossible, Layer, Packet, Sum, fits, mapped, seldom


def frame_or_not(draw: random.Random, number: int, packet: Packet) -> Numbered:
    """By its EtherType, or as a frame of Ethernet."""
    return (number, packet) if seldom(draw, 2) else (BRIDGED, bridged(draw, number, packet))


def ip_in_ip(draw, number, packet):
    """RFC 2003, and RFC 4213: 6in4"""
    return v4(draw, mapped(IP, number), packet)


def ip_in_ipv6(draw, number, packet):
    """RFC 2473"""
    return v6(draw, mapped(IP, number), packet)


def gre_around(number: int, packet: Packet, sum_=False, key: bytes = b"", sequence: bytes = b"") -> Packet:
    """RFC 2784 and 2890"""
    head = struct.pack(">HH", sum_ << 15 | bool(key) << 13 | bool(sequence) << 12, number)
    head += bytes(4 * sum_) + key + sequence
    over = Sum(4, ((0, len(head) + len(packet.data)),)) if sum_ else None
    soft = ((4, 6),) * sum_ + ((4 + 4 * sum_, len(head)),)
    return packet.within(head, Layer(4, "GRE", over), Layer(len(head)), soft=soft)


def gre(draw, number, packet):
    number, packet = frame_or_not(draw, number, packet)
    key, sequence = (draw.randbytes(4 * seldom(draw, 2)) for _ in range(2))
    return ip(draw, 47, gre_around(number, packet, seldom(draw, 2), key, sequence))


def aruba(draw, number, packet):
    """Frames of an Aruba access point's radio, as they were in the air"""
    frame = wifi(draw, number, packet)
    return ip(draw, 47, gre_around(0x8200 + 16 * draw.randrange(8), frame))


def redirected(draw, number, packet):
    """WCCP's, of version 1 or 2"""
    if number != IPV4:
        raise Impossible
    # version 1 has no header: a byte of what it carries tells
    inside = draw.choice((packet.within(b"", Layer(1)), packet.behind(b"\0" + draw.randbytes(3))))
    return ip(draw, 47, gre_around(0x883E, inside))


def nvgre(draw, number, packet):
    """RFC 7637"""
    return ip(draw, 47, gre_around(BRIDGED, bridged(draw, number, packet), key=draw.randbytes(4)))


def erspan_1(draw, number, packet):
    """draft-foschiano-erspan-03: without a sequence number, and a header of its own"""
    return v4(draw, 47, gre_around(0x88BE, bridged(draw, number, packet)))


def erspan_2(draw, number, packet):
    head = (
        b"\x10"
        + draw.randbytes(1)
        + bytes((draw.randrange(256) & 0xE7,))
        + draw.randbytes(1)
        + draw.randbytes(4)
    )
    frame = bridged(draw, number, packet).behind(head, soft=((4, 8),))
    return ip(draw, 47, gre_around(0x88BE, frame, sequence=draw.randbytes(4)))


def erspan_3(draw, number, packet):
    platform = seldom(draw, 2)
    # a frame of Ethernet, and whether a platform's own header follows
    head = b"\x20" + draw.randbytes(9) + struct.pack(">H", draw.randrange(32) << 4 | platform)
    frame = bridged(draw, number, packet).behind(head + bytes(8 * platform), soft=((4, 10),))
    return ip(draw, 47, gre_around(0x22EB, frame, sequence=draw.randbytes(4)))


def vxlan(draw, number, packet):
    """RFC 7348"""
    head = b"\x08\0\0\0" + draw.randbytes(3) + b"\0"
    return udp_around(
        draw, 4789, bridged(draw, number, packet).behind(head, soft=((4, 7),)), zero_over_v6=True
    )


GPE = {IPV4: 1, IPV6: 2, BRIDGED: 3, NSH: 4, MPLS: 5}


def gpe_around(draw: random.Random, protocol: int, packet: Packet) -> Numbered:
    head = bytes((0x0C, 0, 0, protocol)) + draw.randbytes(3) + b"\0"
    return udp_around(draw, 4790, packet.behind(head, soft=((4, 7),)), zero_over_v6=True)


def vxlan_gpe(draw, number, packet):
    """draft-ietf-nvo3-vxlan-gpe-13"""
    number, packet = frame_or_not(draw, number, packet)
    return gpe_around(draw, mapped(GPE, number), packet)


def geneve(draw, number, packet):
    """RFC 8926"""
    number, packet = frame_or_not(draw, number, packet)
    options = b""
    for _ in range(draw.choice((0, 0, 1, 3))):
        size = draw.randrange(4)
        options += struct.pack(">HBB", 0xFF00, draw.randrange(128), size) + draw.randbytes(4 * size)
    head = struct.pack(">BBH", len(options) // 4, 0, number) + draw.randbytes(3) + b"\0" + options
    return udp_around(draw, 6081, packet.behind(head, soft=((4, 7),)), zero_over_v6=True)


def gtp_u(draw, number, packet):
    """3GPP TS 29.281, 5: T-PDUs"""
    packet = by_version(number, packet)
    extended = seldom(draw, 2)
    first = 0x30 | extended << 2 | seldom(draw, 3) << 1 | seldom(draw, 3)
    rest = b""
    if first & 7:
        # a sequence number, an N-PDU's, and which extension header follows
        kinds = [0x85, 0x40][: draw.randrange(1, 3)] if extended else []
        rest = draw.randbytes(3) + bytes(kinds[:1] or [0])
        for after in [*kinds[1:], 0] if kinds else []:
            units = draw.randrange(1, 3)
            rest += bytes((units,)) + bytes(4 * units - 2) + bytes((after,))
    head = struct.pack(">BBH", first, 255, fits(len(rest) + len(packet.data))) + draw.randbytes(4) + rest
    return udp_around(draw, 2152, packet.behind(head, soft=((4, 8),)))


def l2tp_2(draw, number, packet):
    """RFC 2661, 3.1: data messages"""
    packet = ppp(draw, number, packet)
    length, sequence, offset = (seldom(draw, 2) for _ in range(3))
    rest = draw.randbytes(4 + 4 * sequence)
    if offset:
        size = draw.randrange(8)
        rest += struct.pack(">H", size) + bytes(size)
    total = 2 + 2 * length + len(rest) + len(packet.data)
    head = struct.pack(">H", length << 14 | sequence << 11 | offset << 9 | 2)
    head += struct.pack(">H", fits(total)) if length else b""
    return udp_around(draw, 1701, packet.behind(head + rest))


def session(draw, number, packet) -> Packet:
    """RFC 3931, 4.1 and 4.6: only the two ends know whether there is a cookie, and a sublayer; here is a
    pseudowire of Ethernet (RFC 4719)."""
    head = bytes((draw.randrange(1, 256),)) + draw.randbytes(3) + draw.randbytes(draw.choice((0, 4, 8)))
    if seldom(draw, 2):
        head += b"\x40" + draw.randbytes(3)
    return guessed(draw, number, packet).behind(head)


def l2tp_3(draw, number, packet):
    return ip(draw, 115, session(draw, number, packet))


def l2tp_3_udp(draw, number, packet):
    return udp_around(draw, 1701, session(draw, number, packet).behind(b"\0\3\0\0"))


def teredo(draw, number, packet):
    """RFC 4380, 5.1.1: over IPv4 alone"""
    if number != IPV6:
        raise Impossible
    head = b""
    if seldom(draw, 2):
        identifier, value = (draw.randbytes(draw.randrange(5)) for _ in range(2))
        head += (
            struct.pack(">HBB", 1, len(identifier), len(value))
            + identifier
            + value
            + draw.randbytes(8)
            + b"\0"
        )
    if seldom(draw, 2):
        head += bytes(2) + draw.randbytes(6)
    # two bytes say what comes next
    return udp_around(draw, 3544, packet.within(head, Layer(len(head) + 2)), version=4)


def labels(draw: random.Random, packet: Packet) -> Packet:
    """RFC 3032: some, the last with its bit"""
    for depth in range(draw.randrange(1, 4)):
        label = (
            draw.randrange(16, 1 << 20) << 12
            | draw.randrange(8) << 9
            | (not depth) << 8
            | draw.randrange(1, 256)
        )
        packet = packet.behind(struct.pack(">I", label), soft=((3, 4),))
    return packet


def pseudowire(draw, number, packet) -> Packet:
    """A frame of Ethernet (RFC 4448), with a control word (RFC 4385)"""
    frame = guessed(draw, number, packet)
    return frame.behind(b"\0\0" + draw.randbytes(2), soft=((2, 4),))


def mpls(draw, number, packet):
    return draw.choice((MPLS, MPLS, MPLS_MULTICAST)), labels(draw, by_version(number, packet))


def mpls_pseudowire(draw, number, packet):
    return MPLS, labels(draw, pseudowire(draw, number, packet))


def mpls_without_word(draw, number, packet):
    """The frame's first byte, 2, is no version of IP's, and no control word's."""
    return MPLS, labels(draw, guessed(draw, number, packet))


def either(draw, number, packet) -> Packet:
    return labels(draw, by_version(number, packet) if seldom(draw, 2) else pseudowire(draw, number, packet))


def mpls_in_udp(draw, number, packet):
    """RFC 7510"""
    return udp_around(draw, 6635, either(draw, number, packet), zero_over_v6=True)


def mpls_in_ip(draw, number, packet):
    """RFC 4023"""
    return ip(draw, 137, either(draw, number, packet))


def capwap(draw, number, packet):
    """RFC 5415, 4.3: a frame of Ethernet, or IEEE 802.11's as it was in the air, but no aggregate: one
    in another is counted, and not entered"""
    native = seldom(draw, 2)
    packet = wifi(draw, number, packet, aggregate=False) if native else bridged(draw, number, packet)
    options = b""
    radio, wireless = seldom(draw, 3), native and seldom(draw, 3)
    if radio:
        options += b"\x06" + draw.randbytes(6) + b"\0"
    if wireless:
        options += b"\x04" + draw.randbytes(4) + bytes(3)
    # HLEN, the radio, 802.11's binding, T, F, L, W, M, K and three of no use
    bits = (8 + len(options)) // 4 << 19 | 1 << 14 | 1 << 9
    bits |= native << 8 | wireless << 5 | radio << 4
    head = struct.pack(">II", bits, 0) + options
    return udp_around(draw, 5247, packet.behind(head))


def nsh_around(draw, number, packet) -> Packet:
    """RFC 8300: metadata of type 1, or 2"""
    number, packet = frame_or_not(draw, number, packet)
    after = mapped(GPE, number)
    kind = draw.choice((1, 2))
    data = b""
    if kind == 1:
        data = draw.randbytes(16)
    elif seldom(draw, 2):
        data = struct.pack(">HBB", 0xFFF0, 1, 5) + draw.randbytes(5) + bytes(3)
    head = struct.pack(">HBB", 63 << 6 | (8 + len(data)) // 4, kind, after) + draw.randbytes(4) + data
    return packet.behind(head, soft=((4, 8),))


def nsh(draw, number, packet):
    return NSH, nsh_around(draw, number, packet)


def nsh_in_vxlan_gpe(draw, number, packet):
    return gpe_around(draw, 4, nsh_around(draw, number, packet))


def authenticated(draw, number, packet):
    """RFC 4302, in tunnel mode"""
    version = draw.choice((4, 6))
    value = draw.randbytes(4 * draw.choice((3, 4, 5)))
    if version == 6:
        value = value[:12] if len(value) != 20 else value
    head = struct.pack(">BBH", mapped(IP, number), 1 + len(value) // 4, 0) + draw.randbytes(8) + value
    layer = Layer(len(head), f"IPv{version}")
    return ip(draw, 51, packet.within(head, layer, soft=((4, len(head)),)), version)


TUNNELS = {
    "IP in IP": ip_in_ip,
    "IP in IPv6": ip_in_ipv6,
    "GRE": gre,
    "Aruba": aruba,
    "WCCP": redirected,
    "NVGRE": nvgre,
    "ERSPAN I": erspan_1,
    "ERSPAN II": erspan_2,
    "ERSPAN III": erspan_3,
    "VXLAN": vxlan,
    "VXLAN-GPE": vxlan_gpe,
    "Geneve": geneve,
    "GTP-U": gtp_u,
    "L2TPv2": l2tp_2,
    "L2TPv3": l2tp_3,
    "L2TPv3 in UDP": l2tp_3_udp,
    "Teredo": teredo,
    "MPLS": mpls,
    "MPLS pseudowire": mpls_pseudowire,
    "MPLS pseudowire without control word": mpls_without_word,
    "MPLS in UDP": mpls_in_udp,
    "MPLS in IP": mpls_in_ip,
    "CAPWAP": capwap,
    "NSH": nsh,
    "NSH in VXLAN-GPE": nsh_in_vxlan_gpe,
    "AH": authenticated,
}
