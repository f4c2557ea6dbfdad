"""What nobody can enter, or knows: it is counted by its number or name, and what is around it is judged."""

import random
import struct

from stack_ip import addresses, bridged, ip, udp_around
from stack_packet import Packet


def sealed(draw: random.Random) -> Packet:
    return Packet(draw.randbytes(40))


def protected(draw):
    """IEEE 802.11, 9.2.4.1.9: encrypted"""
    return sealed(draw).behind(b"\x08\x41\0\0" + addresses(draw) + addresses(draw)[:6] + bytes(2))


def carried(protocol: int):
    return lambda draw: bridged(draw, *ip(draw, protocol, sealed(draw)))


def typed(number: int):
    return lambda draw: bridged(draw, number, sealed(draw))


def encrypted(draw):
    """IEEE 802.1AE, 9.5"""
    return bridged(draw, 0x88E5, sealed(draw).behind(b"\x0c\0" + draw.randbytes(4)))


def of_dtls(draw):
    """RFC 5415, 4.2: a preamble of type 1"""
    return bridged(draw, *udp_around(draw, 5247, sealed(draw).behind(b"\1\0\0\0")))


def compressed(draw):
    """RFC 1962"""
    return sealed(draw).behind(b"\xff\x03\0\xfd")


def other_network(draw):
    """CLNP in Frame Relay (RFC 2427)"""
    return sealed(draw).behind(b"\x18\x41\x03\x81")


def nowhere(draw):
    """RFC 8300, 11.2.5: a protocol for experiments"""
    head = struct.pack(">HBB", 63 << 6 | 6, 1, 254) + bytes(4) + bytes(16)
    return bridged(draw, 0x894F, sealed(draw).behind(head))


# its link type, and what is told of it
CLOSED = {
    "ESP": (1, carried(50), r"IP protocol 50\b"),
    "an IP protocol": (1, carried(253), r"IP protocol 253\b"),
    "MACsec": (1, encrypted, "EtherType 0x88e5"),
    "an EtherType": (1, typed(0x88B5), "EtherType 0x88b5"),
    "DTLS in CAPWAP": (1, of_dtls, "CAPWAP"),
    "802.11": (105, protected, "802.11"),
    "PPP": (9, compressed, "PPP protocol 0x00fd"),
    "Frame Relay": (107, other_network, "NLPID 0x81"),
    "NSH": (1, nowhere, r"NSH.* 254\b"),
}
