"""What IP carries and has a checksum, as its standards have it: each returns IP by its EtherType."""

import random
import struct

from stack_ip import IPV4, IPV6, Numbered, by_version, ip, v4, v6
from stack_packet import Crc, Layer, Packet, Sum, seldom, some, whole


def pseudo(protocol: int, length: int) -> bytes:
    return struct.pack(">II", length, protocol)


def with_pseudo(name: str, protocol: int, data: bytes, at: int, soft, **details) -> Packet:
    return whole(name, data, at, soft, pseudo=pseudo(protocol, len(data)), **details)


def segment(draw: random.Random, payload: bytes) -> Packet:
    options = draw.choice((b"", b"\1\1\x08\x0a" + draw.randbytes(8)))
    offset = (20 + len(options)) // 4 << 4
    head = struct.pack(">HHIIBBHHH", 40000, 9, draw.getrandbits(32), 1, offset, 0x10, 500, 0, 0) + options
    return with_pseudo(
        "TCP", 6, head + payload, 16, ((4, 12), (14, 16), (len(head), len(head) + len(payload)))
    )


def tcp(draw):
    """RFC 9293"""
    return ip(draw, 6, segment(draw, some(draw)))


def datagram(draw: random.Random, payload: bytes, version: int, length: int | None = None) -> Packet:
    length = 8 + len(payload) if length is None else length
    data = struct.pack(">HHHH", 40001, 9, length, 0) + payload
    return with_pseudo("UDP", 17, data, 6, ((8, len(data)),), nonzero=True, optional=version == 4)


def udp(draw):
    """RFC 768"""
    version = draw.choice((4, 6))
    return ip(draw, 17, datagram(draw, some(draw), version), version)


def udp_zero(draw):
    """Without a checksum"""
    data = datagram(draw, some(draw), 4).data
    return v4(
        draw, 17, Packet(data, (Layer(8, "UDP", Sum(6, ((0, len(data)),), unused=True)),), ((8, len(data)),))
    )


def udp_lite(draw):
    """RFC 3828"""
    payload = some(draw)
    size = 8 + len(payload)
    coverage = draw.choice((0, 8, size, draw.randrange(8, size + 1)))
    data = struct.pack(">HHHH", 40002, 9, coverage, 0) + payload
    sum_ = Sum(6, ((0, coverage or size),), pseudo=pseudo(136, size), nonzero=True)
    return ip(draw, 136, Packet(data, (Layer(8, "UDP-Lite", sum_),), ((6, size),)))


def dccp(draw):
    """RFC 4340, 5 and 9.2: requests, data, data that acknowledges, by long sequence numbers and short ones"""
    kind = draw.choice((0, 2, 4))
    long = kind == 0 or seldom(draw, 2)
    number = b"\0" + draw.randbytes(6) if long else draw.randbytes(3)
    # a service code; nothing; what is acknowledged
    rest = {
        0: draw.randbytes(4),
        2: b"",
        4: b"\0\0" + draw.randbytes(6) if long else b"\0" + draw.randbytes(3),
    }
    number += rest[kind] + bytes(4 * draw.randrange(2))
    header = 9 + len(number)
    payload = some(draw)
    size = header + len(payload)
    words = draw.randrange(min(14, len(payload) // 4) + 1)
    coverage = draw.choice((0, 1 + words))
    covered = header + 4 * words if coverage else size
    head = struct.pack(">HHBBHB", 40003, 5001, header // 4, coverage, 0, kind << 1 | long)
    sum_ = Sum(6, ((0, covered),), pseudo=pseudo(33, size))
    return ip(draw, 33, Packet(head + number + payload, (Layer(12, "DCCP", sum_),), ((6, 8), (header, size))))


def chunks(draw: random.Random) -> bytes:
    payload = draw.randbytes(draw.randrange(1, 60))
    head = struct.pack(">HHIIBBHIHHI", 5000, 5001, 77, 0, 0, 3, 16 + len(payload), 1, 0, 0, 0)
    return head + payload + bytes(-len(payload) % 4)


def sctp(draw, adler=False):
    """RFC 9260"""
    data = chunks(draw)
    crc = Crc(8, ((0, len(data)),), otherwise=adler)
    return ip(draw, 132, Packet(data, (Layer(len(data), "SCTP", crc),), ((4, 12), (28, len(data)))))


def sctp_adler(draw):
    """RFC 2960"""
    return sctp(draw, adler=True)


def icmp(draw):
    """RFC 792: an echo, or a time"""
    data = draw.choice((b"\x08\0", b"\0\0")) + bytes(2) + draw.randbytes(4) + some(draw)
    if seldom(draw, 4):
        data = b"\x0d\0\0\0" + draw.randbytes(16)
    return v4(draw, 1, whole("ICMP", data, 2, ((4, len(data)),)))


def icmpv6(draw):
    """RFC 4443 and 4861"""
    data = draw.choice((b"\x80\0", b"\x81\0")) + bytes(2) + draw.randbytes(4) + some(draw)
    if seldom(draw, 4):
        data = b"\x87\0" + bytes(6) + draw.randbytes(16)
    return v6(draw, 58, with_pseudo("ICMPv6", 58, data, 2, ((4, len(data)),)))


def igmp(draw):
    """RFC 2236 and 3376"""
    data = b"\x16\0\0\0" + draw.randbytes(4)
    if seldom(draw, 2):
        data = b"\x22\0\0\0\0\0\0\1" + b"\1\0\0\1" + draw.randbytes(8)
    return v4(draw, 2, whole("IGMP", data, 2, ((len(data) - 4, len(data)),)))


def hello(draw: random.Random, version: int) -> bytes:
    neighbors = draw.randbytes(4 * draw.randrange(3))
    if version == 2:
        return b"\xff\xff\xff\0" + b"\0\x0a\2\1" + bytes(3) + b"\x28" + draw.randbytes(8) + neighbors
    return draw.randbytes(4) + b"\1\0\0\x13" + b"\0\x0a\0\x28" + draw.randbytes(8) + neighbors


def ospf_2(draw):
    """RFC 2328, appendix D: without authentication, with a password, and with a digest behind it"""
    kind = draw.choice((0, 1, 2))
    body = hello(draw, 2)
    head = (
        struct.pack(">BBH", 2, 1, 24 + len(body)) + draw.randbytes(4) + bytes(4) + struct.pack(">HH", 0, kind)
    )
    authentication = (bytes(8), b"password", b"\0\0\1\x10" + draw.randbytes(4))[kind]
    data = head + authentication + body + (draw.randbytes(16) if kind == 2 else b"")
    end = 24 + len(body)
    sum_ = Sum(12, ((0, 16), (24, end)), unused=kind == 2)
    soft = ((4, 8), (36, end)) + (((12, 14), (16, 24)) if kind != 2 else ())
    return v4(draw, 89, Packet(data, (Layer(24, "OSPFv2", sum_),), soft))


def ospf_3(draw):
    """RFC 5340, A.3.1; once in a while with an authentication trailer (RFC 7166), and then not summed"""
    body = hello(draw, 3)
    data = struct.pack(">BBH", 3, 1, 16 + len(body)) + draw.randbytes(4) + bytes(8) + body
    if seldom(draw, 3):
        block = draw.choice((b"", b"\0\0\0\2" + draw.randbytes(4)))
        trailer = struct.pack(">HHHHQ", 1, 36, 0, 1, draw.randrange(99)) + draw.randbytes(20)
        known = len(data) + len(block) + 4
        sum_ = Sum(12, ((0, len(data)),), unused=True)
        return v6(draw, 89, Packet(data + block + trailer, (Layer(known, "OSPFv3", sum_),), ((4, 8),)))
    return v6(draw, 89, with_pseudo("OSPFv3", 89, data, 12, ((4, 8), (28, len(data)))))


def pim(draw):
    """RFC 7761, 4.9: hello"""
    version = draw.choice((4, 6))
    data = b"\x20\0\0\0" + b"\0\1\0\2" + draw.randbytes(2) + b"\0\x14\0\4" + draw.randbytes(4)
    make = with_pseudo if version == 6 else lambda name, _, *rest: whole(name, *rest)
    return ip(draw, 103, make("PIM", 103, data, 2, ((2, 4), (8, 10), (14, 18))), version)


def pim_register(draw, over_all=False):
    """RFC 7761, 4.9: the checksum is of the first 8 bytes alone, and so is the pseudo-header's length; one
    over all has to be taken as well"""
    version = draw.choice((4, 6))
    inner = by_version(*ip(draw, 17, datagram(draw, some(draw), version), version))
    size = 8 + len(inner.data)
    over, over_every = (pseudo(103, length) if version == 6 else b"" for length in (8, size))
    every = Sum(2, ((0, size),), pseudo=over_every)
    sum_ = Sum(2, ((0, 8),), pseudo=over, accepted=(every,), otherwise=over_all)
    return ip(draw, 103, inner.within(b"\x21" + bytes(7), Layer(8, "PIM", sum_), soft=((2, 4),)), version)


def pim_register_over_all(draw):
    return pim_register(draw, over_all=True)


def vrrp_2(draw):
    """RFC 3768, 5.3.8"""
    data = b"\x21" + draw.randbytes(2) + b"\2\0\1" + bytes(2) + draw.randbytes(8) + bytes(8)
    return v4(draw, 112, whole("VRRP", data, 6, ((1, 3), (6, 16))))


def vrrp_3(draw):
    """RFC 5798, 5.2.8"""
    version = draw.choice((4, 6))
    data = b"\x31" + draw.randbytes(2) + b"\1\0\x64" + bytes(2) + draw.randbytes(4 if version == 4 else 16)
    return ip(draw, 112, with_pseudo("VRRP", 112, data, 6, ((1, 3), (6, len(data)))), version)


def eigrp(draw):
    """RFC 7868, 6.1: a hello"""
    data = b"\2\5\0\0" + bytes(12) + bytes(2) + draw.randbytes(2)
    data += b"\0\1\0\x0c\1\0\1\0\0\0\0\x0f" + b"\0\4\0\x08" + draw.randbytes(4)
    return ip(draw, 88, whole("EIGRP", data, 2, ((2, 4), (18, 20), (36, 40))))


def rsvp(draw, unused=False):
    """RFC 2205, 3.1.1, and a hello of RFC 3209's"""
    data = b"\x10\x14\0\0" + bytes((64, 0)) + b"\0\x14" + b"\0\x0c\x16\1" + draw.randbytes(8)
    sum_ = Sum(2, ((0, 20),), optional=True, nonzero=True, unused=unused)
    soft = ((12, 20),) if unused else ((2, 4), (12, 20))
    return ip(draw, 46, Packet(data, (Layer(8, "RSVP", sum_),), soft))


def rsvp_zero(draw):
    """Without a checksum"""
    return rsvp(draw, unused=True)


def mobility(draw):
    """RFC 6275, 6.1: a home test's beginning"""
    data = bytes((59, 1, 1, 0)) + bytes(4) + draw.randbytes(8)
    return v6(draw, 135, with_pseudo("Mobility Header", 135, data, 4, ((4, 6), (8, 16))))


def hip(draw):
    """RFC 7401, 5.1: an I1"""
    data = bytes((59, 4, 1, 0x21)) + bytes(4) + draw.randbytes(32)
    return ip(draw, 139, with_pseudo("HIP", 139, data, 4, ((4, 6), (8, 40))))


def shim6(draw):
    """RFC 5533, 5.3: an I1, which has no pseudo-header"""
    data = bytes((59, 1, 1, 0)) + bytes(4) + draw.randbytes(8)
    return v6(draw, 140, whole("shim6", data, 4, ((4, 6), (8, 16))))


QUOTED = {4: (tcp, udp, udp_zero, icmp, igmp, sctp), 6: (tcp, udp, icmpv6, sctp)}


def quoting(draw: random.Random, version: int) -> Packet:
    """An error of ICMP's, and all of the packet that it is about."""
    numbers = {4: IPV4, 6: IPV6}
    number, packet = draw.choice(QUOTED[version])(draw)
    while number != numbers[version]:
        number, packet = draw.choice(QUOTED[version])(draw)
    kinds = ((3, 1), (3, 3), (11, 0), (12, 0)) if version == 4 else ((1, 4), (2, 0), (3, 0), (4, 1))
    size = len(packet.data)
    layers = (Layer(layer.end, layer.name, layer.sum, True, size) for layer in packet.layers)
    packet = Packet(packet.data, tuple(layers), packet.soft)
    name, over = ("ICMP", b"") if version == 4 else ("ICMPv6", pseudo(58, 8 + size))
    sum_ = Sum(2, ((0, 8 + size),), pseudo=over)
    return packet.within(bytes((*draw.choice(kinds), *bytes(6))), Layer(8, name, sum_), soft=((2, 4),))


def quote(draw):
    """RFC 792 and 1812, 4.3.2.3"""
    return v4(draw, 1, quoting(draw, 4))


def quote_v6(draw):
    """RFC 4443, 2.4"""
    return v6(draw, 58, quoting(draw, 6))


def large(draw: random.Random) -> bytes:
    return draw.randbytes(draw.randrange(65536, 70000))


def big_tcp_v4(draw):
    """As Linux captures it: with a total length of 0"""
    return v4(draw, 6, segment(draw, large(draw)), total=0)


def jumbo(draw: random.Random, protocol: int, packet: Packet) -> Numbered:
    option = struct.pack(">BBBBI", protocol, 0, 0xC2, 4, 8 + len(packet.data))
    return v6(draw, protocol, packet, length=0, headers=option)


def big_tcp_v6(draw):
    """RFC 2675"""
    return jumbo(draw, 6, segment(draw, large(draw)))


def big_udp_v6(draw):
    return jumbo(draw, 17, datagram(draw, large(draw), 6, length=0))


UPPERS = {
    "TCP": tcp,
    "UDP": udp,
    "UDP without": udp_zero,
    "UDP-Lite": udp_lite,
    "DCCP": dccp,
    "SCTP": sctp,
    "SCTP Adler-32": sctp_adler,
    "ICMP": icmp,
    "ICMPv6": icmpv6,
    "IGMP": igmp,
    "OSPF 2": ospf_2,
    "OSPF 3": ospf_3,
    "PIM": pim,
    "PIM register": pim_register,
    "PIM register over all": pim_register_over_all,
    "VRRP 2": vrrp_2,
    "VRRP 3": vrrp_3,
    "EIGRP": eigrp,
    "RSVP": rsvp,
    "RSVP without": rsvp_zero,
    "Mobility Header": mobility,
    "HIP": hip,
    "shim6": shim6,
    "ICMP quote": quote,
    "ICMPv6 quote": quote_v6,
}


BIG = {"BIG TCP": big_tcp_v4, "BIG TCP over IPv6": big_tcp_v6, "big UDP": big_udp_v6}
