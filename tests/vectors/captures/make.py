#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py [DIRECTORY]: write the captures, and verdicts.json: what each checksum in them was made to be.

Needs scapy, which makes the headers. Checksums that scapy does not make, or makes in another way, are
made here, by the slowest sum there is.
"""

import ipaddress
import json
import logging
import random
import struct
import sys
from pathlib import Path

logging.getLogger("scapy.runtime").setLevel(logging.ERROR)

from scapy.contrib.igmp import IGMP  # noqa: E402
from scapy.contrib.mpls import MPLS  # noqa: E402
from scapy.layers.inet import (  # noqa: E402
    ICMP,
    IP,
    TCP,
    UDP,
    IPOption_LSRR,
    IPOption_NOP,
    IPOption_Router_Alert,
    IPOption_RR,
    IPOption_SSRR,
    fragment,
)
from scapy.layers.inet6 import (  # noqa: E402
    HAO,
    ICMPv6EchoRequest,
    ICMPv6ND_NS,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    IPv6ExtHdrSegmentRouting,
    PadN,
    RouterAlert,
    fragment6,
)
from scapy.layers.l2 import ARP, GRE, CookedLinux, Dot1AD, Dot1Q, Ether  # noqa: E402
from scapy.layers.sctp import SCTP, SCTPChunkData, SCTPChunkInit  # noqa: E402
from scapy.layers.vxlan import VXLAN  # noqa: E402
from scapy.packet import Raw  # noqa: E402

ETHERNET, NULL, RAW, LOOP, COOKED, COOKED_2 = 1, 0, 101, 108, 113, 276

draw = random.Random(1)
ETHER = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
A4, B4, C4, D4 = "192.0.2.1", "198.51.100.2", "203.0.113.3", "203.0.113.99"
A6, B6, C6, D6 = "2001:db8::1", "2001:db8::b:2", "2001:db8::c:3", "2001:db8::d:4"
IP4, IP6 = IP(src=A4, dst=B4, id=7), IPv6(src=A6, dst=B6)


def text(length):
    return Raw(draw.randbytes(length))


def sum16(data):
    data = bytes(data) + b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total >> 16) + (total & 0xFFFF)
    return total


def packed(address):
    return ipaddress.ip_address(address).packed


def pseudo(source, destination, protocol, length):
    return packed(source) + packed(destination) + struct.pack(">II", length, protocol)


def put(data, at, value, width=2):
    return data[:at] + value.to_bytes(width, "big") + data[at + width :]


def damaged(packet, layer, damage=0x1234):
    """The packet with a wrong checksum in the ``layer``, the rest as scapy makes it."""
    built = packet.__class__(bytes(packet))
    field = "chksum"
    right = getattr(built[layer], field)
    # what is around it is made anew
    again = packet.copy()
    setattr(again[layer], field, right ^ damage)
    return again


def partial(packet, layer, source, destination, protocol):
    built = packet.__class__(bytes(packet))
    length = len(bytes(built[layer]))
    again = packet.copy()
    again[layer].chksum = sum16(pseudo(source, destination, protocol, length))
    return again


def udp_lite(source, destination, coverage, damage=0, size=40, zero=False):
    """UDP-Lite, of which scapy knows nothing."""
    data = struct.pack(">HHHH", 4000, 5000, coverage, 0) + draw.randbytes(size)
    covered = data[: coverage or len(data)]
    check = ~sum16(pseudo(source, destination, 136, len(data)) + covered) & 0xFFFF or 0xFFFF
    return Raw(put(data, 6, 0 if zero else check ^ damage))


def upper(source, destination, protocol, data, at):
    """``data`` with the checksum at ``at``, for addresses that are not those in front of it."""
    data = put(bytes(data), at, 0)
    check = ~sum16(pseudo(source, destination, protocol, len(data)) + data) & 0xFFFF
    return Raw(put(data, at, check or 0xFFFF))


def tcp(length=100, **more):
    return TCP(sport=40000, dport=80, seq=1000, ack=2000, flags="PA", **more) / text(length)


def udp(length=100, **more):
    return UDP(sport=40001, dport=9999, **more) / text(length)


def sctp():
    return SCTP(sport=5000, dport=5001, tag=77) / SCTPChunkData(tsn=1, data=draw.randbytes(61))


GOOD4 = [("IPv4", "good")]


def transports():
    """Each protocol good and bad, over IPv4 and IPv6."""
    for length in (0, 1, 6, 7, 100, 1400):
        yield IP4 / tcp(length), [*GOOD4, ("TCP", "good")]
        yield IP6 / tcp(length), [("TCP", "good")]
        yield IP4 / udp(length), [*GOOD4, ("UDP", "good")]
        yield IP6 / udp(length), [("UDP", "good")]
    yield damaged(IP4 / tcp(), TCP), [*GOOD4, ("TCP", "bad")]
    yield damaged(IP6 / tcp(), TCP), [("TCP", "bad")]
    yield damaged(IP4 / udp(), UDP), [*GOOD4, ("UDP", "bad")]
    yield damaged(IP6 / udp(), UDP), [("UDP", "bad")]
    yield damaged(IP4 / tcp(), IP), [("IPv4", "bad"), ("TCP", "good")]
    yield partial(IP4 / tcp(), TCP, A4, B4, 6), [*GOOD4, ("TCP", "partial")]
    yield partial(IP6 / tcp(), TCP, A6, B6, 6), [("TCP", "partial")]
    yield partial(IP4 / udp(), UDP, A4, B4, 17), [*GOOD4, ("UDP", "partial")]
    yield partial(IP6 / udp(), UDP, A6, B6, 17), [("UDP", "partial")]
    yield IP4 / udp(chksum=0), [*GOOD4, ("UDP", "none")]
    yield IP6 / udp(chksum=0), [("UDP", "bad")]
    # a sum of 0 is sent as 0xffff
    data = bytes(UDP(bytes(IP4 / UDP(sport=1, dport=2) / b"\0\0")[20:]))
    rest = sum16(pseudo(A4, B4, 17, 10) + put(data, 6, 0))
    yield (
        IP4 / UDP(sport=1, dport=2, chksum=0xFFFF) / struct.pack(">H", 0xFFFF - rest),
        [*GOOD4, ("UDP", "good")],
    )
    # and 0 is none at all, even where it would be the sum
    data = struct.pack(">HHHH", 1, 2, 10, 0)
    rest = sum16(pseudo(A6, B6, 17, 10) + data)
    yield IPv6(src=A6, dst=B6, nh=17) / Raw(data + struct.pack(">H", 0xFFFF - rest)), [("UDP", "bad")]
    for over, head, verdicts in ((IP4, (A4, B4), GOOD4), (IP6, (A6, B6), [])):
        number = {"proto": 136} if over is IP4 else {"nh": 136}
        for coverage in (0, 8, 20, 48):
            packet = over.copy()
            for name, value in number.items():
                setattr(packet, name, value)
            yield packet / udp_lite(*head, coverage), [*verdicts, ("UDP-Lite", "good")]
            yield packet / udp_lite(*head, coverage, 0x100), [*verdicts, ("UDP-Lite", "bad")]
        yield packet / udp_lite(*head, 0, zero=True), [*verdicts, ("UDP-Lite", "bad")]
        yield packet / udp_lite(*head, 7), [*verdicts, ("UDP-Lite", "unverifiable")]
    yield IP4 / ICMP(id=1, seq=2) / text(57), [*GOOD4, ("ICMP", "good")]
    yield damaged(IP4 / ICMP(id=1, seq=2) / text(57), ICMP), [*GOOD4, ("ICMP", "bad")]
    echo = ICMPv6EchoRequest(id=1, seq=2, data=b"some data")
    yield IP6 / echo, [("ICMPv6", "good")]
    yield IP6 / ICMPv6ND_NS(tgt=C6), [("ICMPv6", "good")]
    bad = echo.copy()
    bad.cksum = 0x1111
    yield IP6 / bad, [("ICMPv6", "bad")]
    report = IGMP(type=0x16, gaddr="239.1.2.3")
    multicast = IP(src=A4, dst="239.1.2.3", ttl=1, options=[IPOption_Router_Alert()])
    yield multicast / report, [*GOOD4, ("IGMP", "good")]
    yield multicast / IGMP(type=0x16, gaddr="239.1.2.3", chksum=0x4321), [*GOOD4, ("IGMP", "bad")]
    yield IP4 / sctp(), [*GOOD4, ("SCTP", "good")]
    yield IP6 / sctp(), [("SCTP", "good")]
    yield IP4 / SCTP(sport=1, dport=2) / SCTPChunkInit(), [*GOOD4, ("SCTP", "good")]
    wrong = sctp()
    wrong.chksum = 0x12345678
    yield IP4 / wrong, [*GOOD4, ("SCTP", "bad")]
    # an all-zero message, whose checksum of 0 is wrong, while 0xffff is right
    yield IP(src=A4, dst=B4, proto=1) / Raw(bytes(8)), [*GOOD4, ("ICMP", "bad")]


def ip_headers():
    """Options and extension headers; the pseudo-header has the final destination and the home address."""
    options = [IPOption_RR(routers=[A4, B4]), IPOption_NOP()]
    yield IP(src=A4, dst=B4, options=options) / tcp(), [*GOOD4, ("TCP", "good")]
    for kind in (IPOption_LSRR, IPOption_SSRR):
        routed = IP(src=A4, dst=B4, proto=6, options=[kind(routers=[C4, D4], pointer=4), IPOption_NOP()])
        yield routed / upper(A4, D4, 6, tcp(), 16), [*GOOD4, ("TCP", "good")]
        yield routed / upper(A4, B4, 6, tcp(), 16), [*GOOD4, ("TCP", "bad")]
        arrived = IP(src=A4, dst=B4, proto=6, options=[kind(routers=[C4, D4], pointer=12), IPOption_NOP()])
        yield arrived / upper(A4, B4, 6, tcp(), 16), [*GOOD4, ("TCP", "good")]
    alert = IPv6ExtHdrHopByHop(options=[RouterAlert(), PadN(optdata=b"")])
    yield IP6 / alert / udp(), [("UDP", "good")]
    yield damaged(IP6 / alert / udp(), UDP), [("UDP", "bad")]
    yield IP6 / IPv6ExtHdrDestOpt(options=[PadN(optdata=b"1234")]) / tcp(), [("TCP", "good")]
    route = IPv6ExtHdrRouting(type=0, addresses=[C6, D6], segleft=2, nh=6)
    yield IP6 / route / upper(A6, D6, 6, tcp(), 16), [("TCP", "good")]
    yield IP6 / route / upper(A6, B6, 6, tcp(), 16), [("TCP", "bad")]
    arrived = IPv6ExtHdrRouting(type=0, addresses=[C6, D6], segleft=0, nh=6)
    yield IP6 / arrived / upper(A6, B6, 6, tcp(), 16), [("TCP", "good")]
    home = IPv6ExtHdrRouting(type=2, addresses=[D6], segleft=1, nh=17)
    yield IP6 / home / upper(A6, D6, 17, udp(), 6), [("UDP", "good")]
    # the last segment comes first
    segments = IPv6ExtHdrSegmentRouting(addresses=[D6, C6, B6], segleft=2, lastentry=2, nh=6)
    yield IP6 / segments / upper(A6, D6, 6, tcp(), 16), [("TCP", "good")]
    segments = IPv6ExtHdrSegmentRouting(addresses=[B6, C6], segleft=0, lastentry=1, nh=6)
    yield IP6 / segments / upper(A6, B6, 6, tcp(), 16), [("TCP", "good")]
    yield (
        IP6 / IPv6ExtHdrDestOpt(nh=17, options=[HAO(hoa=C6)]) / upper(C6, B6, 17, udp(), 6),
        [("UDP", "good")],
    )
    yield (
        IP6 / IPv6ExtHdrDestOpt(nh=17, options=[HAO(hoa=C6)]) / upper(A6, B6, 17, udp(), 6),
        [("UDP", "bad")],
    )
    # RPL's, of which each address lacks its first 15 bytes
    rpl = struct.pack(">BBBBI", 6, 1, 3, 2, 0xFF << 24 | 6 << 20) + b"\x08\x09" + bytes(6)
    last = "2001:db8::b:9"
    yield IPv6(src=A6, dst=B6, nh=43) / Raw(rpl) / upper(A6, last, 6, tcp(), 16), [("TCP", "good")]
    # an authentication header
    ah = struct.pack(">BBHII", 17, 4, 0, 1, 1) + bytes(12)
    body = bytes(upper(A4, B4, 17, udp(), 6))
    yield IP(src=A4, dst=B4, proto=51) / Raw(ah + body), [*GOOD4, ("UDP", "good")]
    body = bytes(upper(A6, B6, 17, udp(), 6))
    yield IPv6(src=A6, dst=B6, nh=51) / Raw(ah + body), [("UDP", "good")]
    # a fragment that is all there is
    yield IP6 / IPv6ExtHdrFragment(id=5, nh=17) / upper(A6, B6, 17, udp(), 6), [("UDP", "good")]
    # no next header; a header of no checksum
    yield IPv6(src=A6, dst=B6, nh=59), []
    yield IP(src=A4, dst=B4, proto=253) / text(40), [*GOOD4]


def tunnels():
    inner = IP(src=C4, dst=D4) / tcp()
    inner6 = IPv6(src=C6, dst=D6) / udp()
    bad = damaged(inner, TCP)
    both = [*GOOD4, *GOOD4]
    yield IP4 / inner, [*both, ("TCP", "good")]
    yield IP4 / bad, [*both, ("TCP", "bad")]
    yield IP4 / inner6, [*GOOD4, ("UDP", "good")]
    yield IP6 / inner, [*GOOD4, ("TCP", "good")]
    yield IP6 / inner6, [("UDP", "good")]
    yield IP4 / GRE() / inner, [*both, ("TCP", "good")]
    yield IP4 / GRE(chksum_present=1) / inner, [*GOOD4, ("GRE", "good"), *GOOD4, ("TCP", "good")]
    yield (
        damaged(IP4 / GRE(chksum_present=1) / inner, GRE),
        [
            *GOOD4,
            ("GRE", "bad"),
            *GOOD4,
            ("TCP", "good"),
        ],
    )
    keyed = GRE(chksum_present=1, key_present=1, key=9, seqnum_present=1, seqence_number=3)
    yield IP4 / keyed / inner6, [*GOOD4, ("GRE", "good"), ("UDP", "good")]
    yield IP4 / GRE(proto=0x6558) / ETHER / bad, [*both, ("TCP", "bad")]
    yield IP6 / GRE(chksum_present=1) / bad, [("GRE", "good"), *GOOD4, ("TCP", "bad")]
    outer = UDP(sport=50000, dport=4789) / VXLAN(vni=42)
    yield IP4 / outer / ETHER / inner, [*GOOD4, ("UDP", "good"), *GOOD4, ("TCP", "good")]
    yield IP4 / outer / ETHER / Dot1Q(vlan=3) / bad, [*GOOD4, ("UDP", "good"), *GOOD4, ("TCP", "bad")]
    unsummed = UDP(sport=50000, dport=4789, chksum=0) / VXLAN(vni=42, flags=8, NextProtocol=None)
    yield IP4 / unsummed / ETHER / inner6, [*GOOD4, ("UDP", "none"), ("UDP", "good")]
    yield IP6 / unsummed / ETHER / inner6, [("UDP", "none"), ("UDP", "good")]
    yield (
        IP4 / GRE(chksum_present=1) / IP4 / outer / ETHER / bad,
        [
            *GOOD4,
            ("GRE", "good"),
            *GOOD4,
            ("UDP", "good"),
            *GOOD4,
            ("TCP", "bad"),
        ],
    )


def fragments():
    """Whole datagrams, in order and not; and one whose middle is missing."""
    for packet, verdicts in (
        (IP(src=A4, dst=B4, id=100) / udp(3000), ["UDP", "good"]),
        (damaged(IP(src=A4, dst=B4, id=101) / udp(3000), UDP), ["UDP", "bad"]),
        (IP(src=A4, dst=B4, id=102) / tcp(3000), ["TCP", "good"]),
        (IP(src=A4, dst=B4, id=103) / ICMP(id=3) / text(3000), ["ICMP", "good"]),
    ):
        parts = fragment(packet, fragsize=1000)
        for part in parts[:-1]:
            yield part, [*GOOD4]
        yield parts[-1], [*GOOD4, tuple(verdicts)]
    parts = fragment(IP(src=A4, dst=B4, id=104) / udp(3000), fragsize=1000)
    for part in (parts[3], parts[0], parts[2]):
        yield part, [*GOOD4]
    yield parts[1], [*GOOD4, ("UDP", "good")]
    whole = IP6 / IPv6ExtHdrFragment(id=900, nh=17) / upper(A6, B6, 17, udp(3000), 6)
    parts = fragment6(whole, 1280)
    for part in parts[:-1]:
        yield part, []
    yield parts[-1], [("UDP", "good")]
    # a home address behind the fragment header
    options = bytes(IPv6ExtHdrDestOpt(nh=17, options=[HAO(hoa=C6)]))
    body = options + bytes(upper(C6, B6, 17, udp(2000), 6))
    for at in range(0, len(body), 1200):
        more = at + 1200 < len(body)
        header = struct.pack(">BBHI", 60, 0, at | more, 901)
        part = IPv6(src=A6, dst=B6, nh=44) / Raw(header + body[at : at + 1200])
        yield part, [] if more else [("UDP", "good")]
    # tunnelled, a fragment each
    parts = fragment(IP(src=C4, dst=D4, id=105) / udp(2000), fragsize=1000)
    for part in parts:
        yield (
            IP4 / GRE(chksum_present=1) / part,
            [
                *GOOD4,
                ("GRE", "good"),
                *GOOD4,
                *([("UDP", "good")] if part is parts[-1] else []),
            ],
        )
    parts = fragment(IP(src=A4, dst=B4, id=106) / udp(3000), fragsize=1000)
    # told of the frame that came first, when the capture ends
    yield parts[0], [*GOOD4, ("UDP", "unverifiable")]
    yield parts[2], [*GOOD4]
    yield parts[3], [*GOOD4]


def on_ethernet(packets):
    for packet, verdicts in packets:
        yield bytes(ETHER / packet), verdicts


def framed():
    """Tags, labels, padding, and what has no checksum."""
    small = IP4 / tcp(0)
    yield bytes(ETHER / small) + bytes(6), [*GOOD4, ("TCP", "good")]
    yield bytes(ETHER / small) + b"\xff" * 6, [*GOOD4, ("TCP", "good")]
    yield bytes(ETHER / Dot1Q(vlan=5) / small), [*GOOD4, ("TCP", "good")]
    yield bytes(ETHER / Dot1AD(vlan=7) / Dot1Q(vlan=5) / IP6 / udp()), [("UDP", "good")]
    yield bytes(ETHER / Dot1Q(vlan=7) / Dot1Q(vlan=5) / damaged(IP4 / udp(), UDP)), [*GOOD4, ("UDP", "bad")]
    labels = MPLS(label=100, s=0) / MPLS(label=200, s=1)
    yield bytes(ETHER / labels / small), [*GOOD4, ("TCP", "good")]
    yield bytes(ETHER / MPLS(label=300, s=1) / IP6 / tcp()), [("TCP", "good")]
    yield bytes(ETHER / ARP(psrc=A4, pdst=B4)), []
    yield bytes(Ether(src="02:00:00:00:00:01", dst="01:80:c2:00:00:00", type=38) / text(38)), []


def sample():
    """A few of each kind, for the link types and the file formats."""
    yield IP4 / tcp(), [*GOOD4, ("TCP", "good")]
    yield damaged(IP4 / udp(), UDP), [*GOOD4, ("UDP", "bad")]
    yield IP6 / tcp(), [("TCP", "good")]
    yield partial(IP6 / tcp(), TCP, A6, B6, 6), [("TCP", "partial")]
    yield damaged(IP4 / tcp(0), IP), [("IPv4", "bad"), ("TCP", "good")]


def linked(link):
    for packet, verdicts in sample():
        v6 = IPv6 in packet
        kind = 0x86DD if v6 else 0x0800
        body = bytes(packet)
        if link == NULL:
            head = struct.pack("<I", 30 if v6 else 2)
        elif link == LOOP:
            head = struct.pack(">I", 24 if v6 else 2)
        elif link == COOKED:
            head = bytes(CookedLinux(lladdrlen=6, src=b"\2\0\0\0\0\1\0\0", proto=kind))
        elif link == COOKED_2:
            head = struct.pack(">HHIHBB8s", kind, 0, 3, 1, 0, 6, b"\2\0\0\0\0\1\0\0")
        elif link == ETHERNET:
            head = bytes(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02", type=kind))
        else:
            head = b""
        yield head + body, verdicts


# Frames as files: a frame is its bytes, as captured and as sent.


def pcap(frames, link=ETHERNET, order="<", nano=False, snapshot=262144):
    magic = 0xA1B23C4D if nano else 0xA1B2C3D4
    file = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, snapshot, link)
    for number, data in enumerate(frames):
        cut = data[:snapshot]
        fraction = (123456789 if nano else 123456) + number
        file += struct.pack(f"{order}IIII", 1700000000 + number, fraction, len(cut), len(data)) + cut
    return file


def option(order, code, data):
    return struct.pack(f"{order}HH", code, len(data)) + data + bytes(-len(data) % 4)


def block(order, kind, body):
    length = len(body) + 12
    return struct.pack(f"{order}II", kind, length) + body + struct.pack(f"{order}I", length)


def section(order, comment):
    body = struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1)
    return block(order, 0x0A0D0D0A, body + option(order, 1, comment) + option(order, 0, b""))


def interface(order, link, resolution=None, offset=None, snapshot=0):
    body = struct.pack(f"{order}HHI", link, 0, snapshot) + option(order, 2, b"eth%d" % link)
    if resolution is not None:
        body += option(order, 9, bytes([resolution]))
    if offset is not None:
        body += option(order, 14, struct.pack(f"{order}q", offset))
    return block(order, 1, body + option(order, 0, b""))


def enhanced(order, number, ticks, data, comment=None):
    body = struct.pack(f"{order}IIIII", number, ticks >> 32, ticks & 0xFFFFFFFF, len(data), len(data))
    body += data + bytes(-len(data) % 4)
    if comment:
        body += option(order, 1, comment) + option(order, 0, b"")
    return block(order, 6, body)


def pcapng(order):
    """Three interfaces of different kinds, in two sections of either byte order; blocks of many kinds."""
    verdicts = []
    other = ">" if order == "<" else "<"
    file = section(order, b"made for tests")
    file += interface(order, ETHERNET)
    file += interface(order, RAW, resolution=9)
    file += interface(order, COOKED_2, resolution=0x80 | 20, offset=1000)
    second = 1700000000
    links = zip(linked(ETHERNET), linked(RAW), linked(COOKED_2), strict=True)
    for number, frames in enumerate(links):
        ticks = (
            second * 10**6 + 123456 + number,
            second * 10**9 + 123456789 + number,
            (second - 1000 << 20) + 12345 + number,
        )
        for each, (data, verdict) in enumerate(frames):
            comment = b"the comment of a packet" if each == 1 else None
            file += enhanced(order, each, ticks[each], data, comment)
            verdicts.append(verdict)
        file += block(order, 0x00000BAD, struct.pack(f"{order}I", 32473) + b"custom: to be kept.\0")
        verdicts.append([])
        file += block(order, 4, bytes(4))  # names
    file += section(other, b"the other byte order") + interface(other, RAW)
    for data, verdict in linked(RAW):
        # a simple packet, which has no time
        file += block(other, 3, struct.pack(f"{other}I", len(data)) + data + bytes(-len(data) % 4))
        verdicts.append(verdict)
    # an obsolete one
    data, verdict = next(linked(RAW))
    body = struct.pack(f"{other}HHIIII", 0, 0, 0, 1, len(data), len(data)) + data + bytes(-len(data) % 4)
    file += block(other, 2, body)
    verdicts.append(verdict)
    file += block(other, 5, struct.pack(f"{other}III", 0, 0, 0))  # statistics
    return file, verdicts


def nested():
    """Headers inside headers, a hundred deep."""
    packet, packet6 = IP4 / tcp(), IP6 / tcp()
    for _ in range(99):
        packet, packet6 = IP4 / packet, IP6 / packet6
    # the last of 32 says that it goes on
    yield bytes(ETHER / packet), [*(("IPv4", "good"),) * 31, ("IPv4", "unverifiable")]
    yield bytes(ETHER / packet6), [("TCP", "good")]
    tags = ETHER
    for tag in range(100):
        tags = tags / Dot1Q(vlan=tag)
    yield bytes(tags / IP4 / tcp()), [*GOOD4, ("TCP", "good")]
    labels = ETHER
    for label in range(100):
        labels = labels / MPLS(label=label + 16, s=label == 99)
    yield bytes(labels / IP6 / udp()), [("UDP", "good")]
    headers = IP6
    for _ in range(100):
        headers = headers / IPv6ExtHdrDestOpt(options=[PadN(optdata=b"1234")])
    yield bytes(ETHER / headers / udp()), [("UDP", "good")]


def contradicting():
    """Lengths that can't be."""
    beyond = bytearray(bytes(ETHER / IP4 / tcp()))
    beyond[16:18] = (2000).to_bytes(2, "big")
    beyond[24:26] = bytes(2)
    beyond[24:26] = (~sum16(beyond[14:34]) & 0xFFFF).to_bytes(2, "big")
    yield bytes(beyond), [*GOOD4, ("TCP", "unverifiable")]
    short = IP4 / UDP(sport=1, dport=2, len=5) / text(20)
    yield bytes(ETHER / short), [*GOOD4, ("UDP", "unverifiable")]
    yield bytes(ETHER / IP(src=A4, dst=B4, ihl=3, chksum=0) / text(20)), [("IPv4", "unverifiable")]
    # left to the network card to cut up: no length at all
    offloaded = bytearray(bytes(ETHER / IP4 / tcp(4000)))
    offloaded[16:18] = bytes(2)
    offloaded[24:26] = bytes(2)
    offloaded[24:26] = (~sum16(offloaded[14:34]) & 0xFFFF).to_bytes(2, "big")
    yield bytes(offloaded), [*GOOD4, ("TCP", "good")]


def cut(frames, snapshot):
    """What is left to verify of frames that were not captured whole."""
    for data, _ in frames:
        yield data, [*GOOD4, ("TCP" if data[23] == 6 else "UDP", "unverifiable")]


def main(directory):
    files, verdicts = {}, {}

    def add(name, frames, **how):
        frames = list(frames)
        files[name] = pcap([data for data, _ in frames], **how)
        verdicts[name] = [verdict for _, verdict in frames]

    add("transports.pcap", on_ethernet(transports()))
    add("ip-headers.pcap", on_ethernet(ip_headers()))
    add("tunnels.pcap", on_ethernet(tunnels()))
    add("fragments.pcap", on_ethernet(fragments()))
    add("framed.pcap", framed())
    add("nested.pcap", nested())
    add("contradicting.pcap", contradicting())
    long = [(bytes(ETHER / IP4 / tcp(1000)), None), (bytes(ETHER / IP4 / udp(1000)), None)]
    add("snapshot.pcap", cut(long, 96), snapshot=96)
    add("null.pcap", linked(NULL), link=NULL)
    add("loop.pcap", linked(LOOP), link=LOOP)
    add("raw.pcap", linked(RAW), link=RAW)
    add("cooked.pcap", linked(COOKED), link=COOKED)
    add("cooked2.pcap", linked(COOKED_2), link=COOKED_2)
    add("big-endian.pcap", linked(ETHERNET), order=">")
    add("nano.pcap", linked(ETHERNET), nano=True)
    add("nano-big-endian.pcap", linked(ETHERNET), order=">", nano=True)
    for order, name in (("<", "mixed.pcapng"), (">", "mixed-big-endian.pcapng")):
        files[name], verdicts[name] = pcapng(order)
    for order, name in (("<", "one.pcapng"), (">", "one-big-endian.pcapng")):
        frames = list(linked(ETHERNET))
        files[name] = section(order, b"one interface") + interface(order, ETHERNET, resolution=9)
        for number, (data, _) in enumerate(frames):
            files[name] += enhanced(order, 0, 1700000000 * 10**9 + 987654321 + number, data)
        verdicts[name] = [verdict for _, verdict in frames]
    for name, data in files.items():
        (directory / name).write_bytes(data)
    lines = (f' "{name}": {json.dumps(each)}' for name, each in verdicts.items())
    (directory / "verdicts.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(files)} captures, {sum(map(len, files.values())):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent))
