"""What lies between a link and the packet in it: each header by its bytes, whole, malformed and cut."""

import importlib.util
import struct
import sys
from collections import Counter
from importlib.machinery import SourceFileLoader
from pathlib import Path

import captures
import pytest
from captures import checked, fix, read

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
# UDP over IPv4, and over IPv6: 192.0.2.1 or 2001:db8::1, port 40000, to .2 or ::2, port 9
V4 = bytes.fromhex("45000020 00010000 4011f6c8 c0000201 c0000202 9c400009 000c09b5 63617272".replace(" ", ""))
V6 = bytes.fromhex(
    "60000000000c1140 20010db8000000000000000000000001 20010db8000000000000000000000002"
    "9c400009000c3244 63617272".replace(" ", "")
)
GOOD4 = [("IPv4", "good"), ("UDP", "good")]
GOOD6 = [("UDP", "good")]
# to b from a, as Ethernet has it
MACS = bytes.fromhex("02000000000b02000000000a")
ETHERNET = MACS + b"\x08\0"
ETHERNET6 = MACS + b"\x86\xdd"
SNAP = bytes.fromhex("aaaa030000000800")
WORDS = {"macs": MACS, "eth": ETHERNET, "eth6": ETHERNET6, "snap": SNAP, "v4": V4, "v6": V6}


def built(text: str, inner: bytes = b"") -> bytes:
    """Hexadecimal digits and names of WORDS, before ``inner``.

    ``*N`` are so many zeros, ``@N`` is ``inner``'s length and N, ``sum`` a checksum over all.
    """
    data, sum_ = b"", None
    for word in text.split():
        if word in WORDS:
            data += WORDS[word]
        elif word[0] == "*":
            data += bytes(int(word[1:]))
        elif word[0] == "@":
            data += struct.pack(">H", len(inner) + int(word[1:]))
        elif word == "sum":
            sum_ = len(data)
            data += bytes(2)
        else:
            data += bytes.fromhex(word)
    return data + inner if sum_ is None else checked(data + inner, sum_)


def ipv4(protocol: int, payload: bytes) -> bytes:
    """From 198.51.100.1 to 198.51.100.2"""
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 1, 0, 64, protocol, 0)
    return checked(head + bytes.fromhex("c6336401c6336402"), 10) + payload


def ipv6(protocol: int, payload: bytes) -> bytes:
    head = struct.pack(">IHBB", 6 << 28, len(payload), protocol, 64)
    return head + bytes(15) + b"\1" + bytes(15) + b"\2" + payload


def udp(port: int, payload: bytes, source: int = 50000) -> bytes:
    """Without a checksum"""
    return ipv4(17, struct.pack(">HHHH", source, port, 8 + len(payload), 0) + payload)


def from_teredo(port: int, payload: bytes) -> bytes:
    return udp(port, payload, 3544)


OUTER = [("IPv4", "good")]
TUNNEL = [("IPv4", "good"), ("UDP", "none")]

# By link type: the packet, and what comes before it
LINKS = {
    "Ethernet": (1, V4, "eth"),
    "802.1Q": (1, V4, "macs 8100 0064 0800"),
    "802.1ad": (1, V6, "macs 88a8 0064 8100 0065 86dd"),
    "0x9100 and its like": (1, V4, "macs 9100 0001 9200 0002 9300 0003 0800"),
    "802.1ah": (1, V4, "macs 88a8 0064 88e7 00001234 eth"),
    "802.1BR": (1, V4, "macs 893f 000100020000 0800"),
    "VN-tag": (1, V4, "macs 8926 80010002 0800"),
    "HSR": (1, V4, "macs 892f 0034 0001 0800"),
    "802.1CB": (1, V6, "macs f1c1 0000 0001 86dd"),
    "FabricPath": (1, V4, "macs 8903 0060 eth"),
    "SNAP": (1, V4, "macs 0028 snap"),
    "SNAP of 802.1H": (1, V4, "macs 0028 aaaa03 0000f8 0800"),
    "SAP of IP": (1, V4, "macs 0023 060603"),
    "a tag before a length": (1, V4, "macs 8100 0064 0028 snap"),
    "PPPoE": (1, V4, "macs 8864 1100 0001 0022 0021"),
    "PPPoE, IPv6": (1, V6, "macs 8864 1100 0001 0036 0057"),
    "PPPoE alone": (51, V4, "1100 0001 0022 0021"),
    "MPLS": (1, V4, "macs 8847 00064040 000c8140"),
    "MPLS, IPv6": (1, V6, "macs 8848 000c8140"),
    "MPLS, control word": (1, V4, "macs 8847 000c8140 00000000 eth"),
    "MPLS, no control word": (1, V4, "macs 8847 000c8140 eth"),
    "MPLS, no control word, of 4": (1, V4, "macs 8847 000c8140 4200000000ab 02000000000a 0800"),
    "MPLS, channel": (1, V4, "macs 8847 000c8140 10000021"),
    "NSH": (1, V4, "macs 894f 0fc60101 00000164 *16"),
    "NSH, its second kind": (1, V6, "macs 894f 0fc30203 00000164 00000000 eth6"),
    "token ring": (6, V4, "1040 02000000000b 02000000000a snap"),
    "token ring, routed": (6, V4, "1040 02000000000b 82000000000a 0630 0011 0020 snap"),
    "PPP": (9, V4, "0021"),
    "PPP, framed": (9, V6, "ff03 0057"),
    "PPP, compressed": (9, V4, "21"),
    "PPP, framed and compressed": (50, V6, "ff03 57"),
    "PPP, MPLS": (50, V4, "ff03 0281 000c8140"),
    "PPP of Cisco's": (50, V4, "0f00 0800"),
    "FDDI": (10, V4, "50 02000000000b 02000000000a snap"),
    "C-HDLC": (104, V6, "8f00 86dd"),
    "frame relay": (107, V4, "1841 03 cc"),
    "frame relay, IPv6": (107, V6, "1841 03 8e"),
    "frame relay, 4 bytes": (107, V4, "18400001 03 cc"),
    "frame relay, SNAP": (107, V4, "1841 03 00 80 000000 0800"),
    "frame relay, bridged": (107, V4, "1841 03 00 80 0080c2 0007 eth"),
    "frame relay, PPP": (107, V4, "1841 03 cf 0021"),
    "frame relay of Cisco's": (107, V4, "1841 0800"),
    "802.11": (105, V4, "0801 0000 *18 1000 snap"),
    "802.11, QoS": (105, V4, "8802 0000 *20 0500 snap"),
    "802.11, 4 addresses": (105, V4, "8803 0000 *26 0500 snap"),
    "802.11, HT control": (105, V4, "8881 0000 *20 0500 00000000 snap"),
    "radiotap": (127, V4, "0000 0800 00000000 0801 0000 *20 snap"),
    "radiotap, padded": (127, V4, "0000 1100 03000000 *8 20 8801 0000 *20 0000 0000 snap"),
    "radiotap, more words": (127, V4, "0000 0e00 020000a0 00000000 1000 0801 0000 *20 snap"),
    "Prism": (119, V4, "44000000 90000000 *136 0801 0000 *20 snap"),
    "AVS for Prism": (119, V4, "80211001 00000040 *56 0801 0000 *20 snap"),
    "AVS": (163, V4, "80211001 00000040 *56 0801 0000 *20 snap"),
    "PPI": (192, V4, "0000 0800 69000000 0801 0000 *20 snap"),
    "cooked": (113, V4, "0000 0001 0006 02000000000a0000 0800"),
    "cooked, LLC": (113, V4, "0000 0001 0006 02000000000a0000 0004 snap"),
    "cooked, GRE": (113, V6, "0000 030a 0004 c00002010000 0000 86dd"),
    "cooked, frame relay": (113, V4, "0000 0302 0002 1841000000000000 0000 1841 03 cc"),
    "cooked, radiotap": (
        113,
        V4,
        "0000 0323 0006 02000000000a0000 0000 0000 0800 00000000 0801 0000 *20 snap",
    ),
    "cooked 2": (276, V6, "86dd 0000 00000002 0001 00 06 02000000000a0000"),
    "null": (0, V4, "02000000"),
    "loop": (108, V6, "0000001e"),
    "raw": (101, V6, ""),
    "NFLOG": (239, V4, "0200 0000 0800 0100 08000103 0500 0a00 65000000 2400 0900"),
    "NFLOG, big-endian": (239, V6, "0a00 0000 0008 0001 86dd0103 0038 0009"),
    "IPoIB": (242, V4, "*40 0800 0000"),
    "IPoIB, IPv6": (242, V6, "*40 86dd 0000"),
}

# What is around a packet inside of IPv4 or UDP: the protocol, or the port; the packet; and what is between
TUNNELS = {
    "IP in IP": (ipv4, 4, V4, ""),
    "6in4": (ipv4, 41, V6, ""),
    "AH": (ipv4, 51, V4, "0404 0000 00000001 00000001 *12"),
    "GRE": (ipv4, 47, V4, "0000 0800"),
    "GRE, key and sequence": (ipv4, 47, V6, "3000 86dd 00000007 00000001"),
    "GRE, checksum": (ipv4, 47, V4, "8000 0800 sum 0000"),
    "GRE, PPP": (ipv4, 47, V4, "3081 880b @4 0007 00000001 00000001 ff03 0021"),
    "NVGRE": (ipv4, 47, V4, "2000 6558 00123400 eth"),
    "ERSPAN I": (ipv4, 47, V4, "0000 88be eth"),
    "ERSPAN II": (ipv4, 47, V4, "1000 88be 00000001 10010001 00000000 eth"),
    "ERSPAN III": (ipv4, 47, V6, "1000 22eb 00000001 20010001 00000000 00008000 eth6"),
    "ERSPAN III, more, IP": (ipv4, 47, V4, "1000 22eb 00000001 20010001 00000000 00000801 *8"),
    "EtherIP": (ipv4, 97, V4, "3000 eth"),
    "MPLS in IP": (ipv4, 137, V4, "000c8140"),
    "Ethernet in IP": (ipv4, 143, V4, "eth"),
    "L2TPv3 over IP": (ipv4, 115, V4, "00000007 *8 eth"),
    "VXLAN": (udp, 4789, V4, "08000000 00123400 eth"),
    "VXLAN at 8472": (udp, 8472, V6, "08000000 00123400 eth6"),
    "VXLAN-GBP": (udp, 4789, V4, "88080123 00123400 eth"),
    "VXLAN, a reserved byte": (udp, 4789, V4, "08000000 00123401 eth"),
    "VXLAN, all reserved bits": (udp, 4789, V6, "faffffff 001234ff eth6"),
    "LISP": (udp, 4341, V4, "80123456 00000001"),
    "LISP, IPv6": (udp, 4341, V6, "c8123456 00012301"),
    "AYIYA": (udp, 5072, V6, "44521129 65000000 *16 *20"),
    "AYIYA, IPv4": (udp, 5072, V4, "01001104 65000000 00"),
    "VXLAN-GPE, IPv4": (udp, 4790, V4, "0c000001 00123400"),
    "VXLAN-GPE, IPv6": (udp, 4790, V6, "0c000002 00123400"),
    "VXLAN-GPE, Ethernet": (udp, 4790, V4, "0c000003 00123400 eth"),
    "VXLAN-GPE, NSH": (udp, 4790, V4, "0c000004 00123400 0fc20201 00000164"),
    "VXLAN-GPE, MPLS": (udp, 4790, V4, "0c000005 00123400 000c8140"),
    "Geneve": (udp, 6081, V4, "0000 6558 00123400 eth"),
    "Geneve, options, IPv6": (udp, 6081, V6, "0240 86dd 00123400 0102 8001 00000007"),
    "GTP-U": (udp, 2152, V4, "30 ff @0 00000007"),
    "GTP-U, extension": (udp, 2152, V6, "34 ff @8 00000007 00000085 01000900"),
    "GTP-U, Ethernet": (udp, 2152, V4, "30 ff @14 00000007 eth"),
    "L2TP": (udp, 1701, V4, "0002 0001 0002 ff03 0021"),
    "L2TP, all its fields": (udp, 1701, V4, "4a02 @20 0001 0002 0001 0000 0002 0000 ff03 0021"),
    "L2TPv3": (udp, 1701, V4, "0003 0000 00000007 11223344 40000001 eth"),
    "Teredo": (udp, 3544, V6, ""),
    "Teredo, from the server": (from_teredo, 40001, V6, "0001 0000 1122334455667788 00 0000 63bf 39cd9bfd"),
    "MPLS in UDP": (udp, 6635, V6, "000c8140"),
    "GRE in UDP": (udp, 4754, V4, "2000 0800 00000007"),
    "GRE in UDP, an Ethernet frame": (udp, 4754, V6, "0000 6558 eth6"),
    "GRE in UDP, MPLS": (udp, 4754, V4, "0000 8847 000c8140"),
    "CAPWAP": (udp, 5247, V4, "00 100200 00000000 eth"),
    "CAPWAP, 802.11": (udp, 5247, V4, "00 104300 00000000 0801 0000 *20 snap"),
    "CAPWAP, swapped": (udp, 5247, V4, "00 104300 00000000 0188 0000 *22 snap"),
}
STACKS = {
    name: ([], packet, link, lambda p, before=before: built(before, p))
    for name, (link, packet, before) in LINKS.items()
}
for name, (inside, number, packet, before) in TUNNELS.items():
    outer = (OUTER if inside is ipv4 else TUNNEL) + [("GRE", "good")] * ("sum" in before)
    around = lambda p, inside=inside, number=number, before=before: inside(number, built(before, p))  # noqa: E731
    STACKS[name] = outer, packet, 101, around


def write(path, link: int, frames: list[bytes], cut: list[int] | None = None) -> str:
    return str(captures.write(path, frames, cut, link=link))


def verdicts(entries) -> list[list[tuple[str, str]]]:
    found = {}
    for entry in entries:
        found.setdefault(entry.frame, []).append((entry.protocol, entry.verdict))
    return found


@pytest.mark.parametrize("name", STACKS)
def test_a_packet_is_found(name, tmp_path):
    outer, packet, link, around = STACKS[name]
    inner = GOOD4 if packet == V4 else GOOD6
    spoilt = packet[:-1] + bytes([packet[-1] ^ 1])
    report, entries = read(
        write(tmp_path / "a", link, [around(packet), around(packet) + bytes(7), around(spoilt)])
    )
    found = verdicts(entries)
    assert not report.unknown
    assert found[1] == found[2] == outer + inner
    assert found[3] == outer + inner[:-1] + [("UDP", "bad")]
    # what is made good is what it was, and nothing else
    fix(tmp_path / "a", tmp_path / "fixed")
    assert (tmp_path / "fixed").read_bytes()[:-1] != (tmp_path / "a").read_bytes()[:-1]
    report, entries = read(tmp_path / "fixed")
    assert verdicts(entries) == {n: outer + inner for n in (1, 2, 3)}


@pytest.mark.parametrize("name", STACKS)
def test_what_is_cut_is_never_bad(name, tmp_path):
    """By a snapshot length: whatever is missing, nothing that is there turns bad, nor good what is not."""
    outer, packet, link, around = STACKS[name]
    inner = GOOD4 if packet == V4 else GOOD6
    frame = around(packet)
    lengths = range(len(frame))
    report, entries = read(write(tmp_path / "a", link, [frame] * len(frame), lengths))
    found = verdicts(entries)
    for length in lengths:
        some = found.get(length + 1, [])
        assert len(some) <= len(outer + inner)
        for (protocol, verdict), (of, whole) in zip(some, outer + inner, strict=False):
            assert verdict in (whole, "unverifiable"), (length, some)
            assert protocol == of or verdict == "unverifiable"
        assert ("UDP", "good") not in some
    assert report.unknown.total() + report.verdicts("unverifiable") >= len(frame)


@pytest.mark.parametrize("name", STACKS)
def test_a_byte_that_is_wrong_spoils_nothing_else(name, tmp_path):
    """Whichever it is: frames next to it are read, and a repair leaves nothing bad."""
    outer, packet, link, around = STACKS[name]
    inner = GOOD4 if packet == V4 else GOOD6
    frame = around(packet)
    frames = []
    for at in range(len(frame)):
        frames += [frame[:at] + bytes([frame[at] ^ 0x5B]) + frame[at + 1 :], frame]
    report, entries = read(write(tmp_path / "a", link, frames))
    found = verdicts(entries)
    assert report.frames == len(frames)
    assert all(found[number] == outer + inner for number in range(2, len(frames) + 1, 2))
    fix(tmp_path / "a", tmp_path / "fixed")
    assert not read(tmp_path / "fixed")[0].verdicts("bad")


def subframe(packet: bytes, last: bool = False) -> bytes:
    data = MACS + struct.pack(">H", 6 + len(packet)) + built("aaaa03000000") + packet
    return data if last else data + bytes(-len(data) % 4)


def test_each_subframe_of_an_aggregate(tmp_path):
    v4, v6 = b"\x08\0" + V4, b"\x86\xdd" + V6
    bad = v4[:-1] + b"!"
    head = built("8802 0000 *20 8000")
    fragment = b"\x08\0" + checked(V4[:6] + b"\x20" + V4[7:], 10)[: len(V4)]
    frames = [
        head + subframe(v4) + subframe(v6) + subframe(bad) + subframe(v4, True),
        head + subframe(v4) + subframe(bad)[:-10],
        head + subframe(fragment) + subframe(v4),
        head
        + subframe(b"\x08\0" + udp(5247, built("00 104300 00000000") + head + subframe(v6) * 2))
        + subframe(v4),
    ]
    report, entries = read(write(tmp_path / "a", 105, frames))
    found = verdicts(entries)
    assert found[1] == GOOD4 + GOOD6 + [("IPv4", "good"), ("UDP", "bad")] + GOOD4
    assert found[2] == [*GOOD4, ("IPv4", "good"), ("UDP", "unverifiable")]
    assert found[4] == [*TUNNEL, *GOOD6, *GOOD6, *GOOD4]
    assert {str(unknown): n for unknown, n in report.unknown.items()} == {
        "802.11 subframe behind a fragment, or too deep": 1
    }


# Link type, frame, and what it is counted as; None if it has no checksum
COUNTED = [
    (1, built("macs 88e5 0c00 *48"), "EtherType 0x88e5 (MACsec)"),
    (1, built("macs 88e5 *20"), "header cut short"),
    (1, built("macs 8863 1109 0000 0004 01010000"), None),
    (1, built("macs 8864 2100 0001 0022 0021 v4"), "EtherType 0x8864 (PPPoE)"),
    (1, built("macs 8864 1100 0001 000a c021 *8"), None),
    (1, built("macs 8864 1100 0001 000a 003d *8"), "PPP protocol 0x003d (multilink)"),
    (1, built("macs 0064 e0e003 *97"), "LLC SAP 0xe0 (IPX)"),
    (1, built("macs 0010 aaaa0300000c2000 *8"), "SNAP organization 0x00000c (Cisco)"),
    (1, built("macs 8847 000c8140 90000000 *40"), "pseudowire"),
    (1, built("macs 8847 000c8140 00000000 *40"), "pseudowire"),
    (1, built("macs 8847 000c8140 10000007 *40"), "pseudowire channel 0x0007 (BFD)"),
    (1, built("macs 8847 000c80"), "header cut short"),
    (1, built("macs 894f 0fc20209 00000164 *40"), "NSH protocol 9"),
    (1, built("macs 894f 0fc10201 00000164 *40"), "header cut short"),
    (6, built("1000 02000000000b 02000000000a *20"), None),
    (10, built("41 02000000000b 02000000000a *20"), None),
    (104, built("8f00 8035 *20"), None),
    (107, built("1841 03 b1 *20"), "NLPID 0xb1 (fragments)"),
    (107, built("1840 0000 00 *20"), "NLPID 0x00"),
    (105, built("8000 0000 *40"), None),
    (105, built("d400 0000 *6"), None),
    (105, built("4801 0000 *20"), None),
    (105, built("0841 0000 *60"), "protected 802.11"),
    (105, built("0801 0000 *18 0100 *40"), "802.11 fragment"),
    (105, built("0805 0000 *60"), "802.11 fragment"),
    (105, built("0901 0000 *60"), "802.11 version 1"),
    (127, built("0000 0700 00000000 *60"), "header cut short"),
    (113, built("0000 0001 0006 02000000000a0000 0001 *40"), "LLC SAP 0xff (IPX without LLC)"),
    (113, built("0000 0338 0000 0000000000000000 0000 *40"), None),
    (113, built("0000 0118 0000 0000000000000000 000c *16"), None),
    (239, built("0700 0000 2400 0900 v4"), "address family 7"),
    (239, built("0200 0000 0300 0900 v4"), "header cut short"),
    (0, built("07000000 v4"), "address family 7"),
    (101, ipv4(50, bytes(40)), "IP protocol 50 (ESP)"),
    (101, ipv4(97, built("2000 eth v4")), "IP protocol 97 (EtherIP)"),
    (101, ipv4(115, bytes(20)), None),
    (101, ipv4(115, built("00000007 *20")), "pseudowire"),
    (101, ipv4(47, built("4000 0800 *20")), "GRE flags 0x4000"),
    (101, ipv4(47, built("0001 880b *20")), "GRE flags 0x0001"),
    (101, ipv4(47, built("2081 880b 00000007 00000001")), None),
    (101, ipv4(47, built("0000 0000")), None),
    (101, ipv4(47, built("1000 88be 00000001 30010001 00000000 eth v4")), "ERSPAN version 3"),
    (
        101,
        ipv4(47, built("1000 22eb 00000001 20010001 00000000 00000400 eth v4")),
        "ERSPAN frame type 1",
    ),
    (101, udp(4789, built("00000000 00123400 eth v4")), "UDP port 4789 (VXLAN)"),
    (101, udp(4789, built("08000000 00123401 *60")), "UDP port 4789 (VXLAN)"),
    (101, udp(4789, built("f7ffffff 001234ff eth v4")), "UDP port 4789 (VXLAN)"),
    (101, udp(4341, built("80123456 00000001 *40")), "UDP port 4341 (LISP)"),
    (101, udp(5072, built("44521229 65000000 *36 v6")), "UDP port 5072 (AYIYA)"),
    (101, udp(5072, built("4452113b 65000000 *36")), "UDP port 5072 (AYIYA)"),
    (101, udp(5072, built("44521129 65000000 *36 v4")), "UDP port 5072 (AYIYA)"),
    (101, udp(5072, built("f4521129 65000000 *36 v6")), "UDP port 5072 (AYIYA)"),
    (101, udp(4790, built("0c000001 00123400 v6")), "UDP port 4790 (VXLAN-GPE)"),
    (101, udp(6081, built("4000 6558 00123400 eth v4")), "UDP port 6081 (Geneve)"),
    (101, udp(6081, built("0000 0800 00123400") + V4[:20]), "UDP port 6081 (Geneve)"),
    (101, udp(6081, built("3f00 0800 00123400 v4")), "UDP port 6081 (Geneve)"),
    (101, udp(2152, built("50ff 0020 00000007 v4")), "UDP port 2152 (GTP-U)"),
    (101, udp(2152, built("30ff 0021 00000007 v4")), "UDP port 2152 (GTP-U)"),
    (101, udp(2152, built("34ff 0028 00000007 00000085 00000000 v4")), "UDP port 2152 (GTP-U)"),
    (101, udp(2152, built("3201 0004 00000000 00010000")), None),
    (101, udp(1701, built("c802 000c 0001 0000 0000 0000")), None),
    (101, udp(1701, built("0012 0001 0002 ff03 0021 v4")), "UDP port 1701 (L2TP)"),
    (101, udp(1701, built("4002 00ff 0001 0002 ff03 0021 v4")), "UDP port 1701 (L2TP)"),
    (101, udp(1701, built("0002 0001 0002 ff03 0021") + V4[:20]), "UDP port 1701 (L2TP)"),
    (101, udp(1701, built("0003 0000 00000007 *40")), "pseudowire"),
    (101, udp(3544, V4), "UDP port 3544 (Teredo)"),
    (101, udp(4754, built("4000 0800 00000000 v4")), "UDP port 4754 (GRE)"),
    (101, udp(4754, built("0000 0800") + V4[:20]), "UDP port 4754 (GRE)"),
    # RTP, which begins like a checksum in GRE
    (101, udp(4754, built("8000 1234 00000000 01234567 *160")), "UDP port 4754 (GRE)"),
    (101, udp(5247, built("01 000000 *40")), "CAPWAP in DTLS"),
    (101, udp(5247, built("00 100280 00010000 *40")), "CAPWAP fragment"),
    (101, udp(5247, built("00 100208 00000000 *40")), None),
    (101, udp(5247, built("00 080200 00000000 *40")), "UDP port 5247 (CAPWAP)"),
    (101, udp(5247, built("00 100700 00000000 *40")), "CAPWAP binding 3"),
    (101, udp(6635, built("000c8040 v4")), "UDP port 6635 (MPLS)"),
    (101, udp(6635, b""), None),
    # who has a tunnel's port by chance, and talks to another
    (101, udp(53, built("00000000 00123400 eth v4"), 4789), None),
]


@pytest.mark.parametrize(("link", "frame", "what"), COUNTED)
def test_what_is_not_entered_is_counted_by_its_name(link, frame, what, tmp_path):
    report, _ = read(write(tmp_path / "a", link, [frame]))
    assert {str(unknown): n for unknown, n in report.unknown.items()} == ({what: 1} if what else {})
    assert not report.verdicts("bad") and not report.verdicts("unverifiable")


def test_lengths_that_contradict_ip(tmp_path):
    frames = [
        built("macs 8864 1100 0001 0021 0021 v4"),
        built("macs 8864 1100 0001 0099 0021 v4"),
        MACS + b"\0\x20" + SNAP + V4,
    ]
    _, entries = read(write(tmp_path / "a", 1, frames))
    assert set(map(tuple, verdicts(entries).values())) == {(("IPv4", "good"), ("UDP", "unverifiable"))}


def test_a_mirrored_frame_that_was_cut(tmp_path):
    head = built("1000 88be 00000001 10010401 00000000")
    packet = ipv4(47, head + ETHERNET + V4[:-2])
    report, entries = read(write(tmp_path / "a", 101, [packet + b"padding"]))
    assert verdicts(entries)[1] == [*OUTER, ("IPv4", "good"), ("UDP", "unverifiable")]
    assert report.reasons == Counter({"not captured whole": 1})


def test_tunnels_over_ipv6_may_do_without_a_checksum(tmp_path):
    inner = {4789: built("08000000 00123400 eth v4"), 9: b"carry", 3544: V6}
    frames = [
        ipv6(17, struct.pack(">HHHH", 50000, port, 8 + len(data), 0) + data) for port, data in inner.items()
    ]
    found = verdicts(read(write(tmp_path / "a", 101, frames))[1])
    assert [found[n][0] for n in (1, 2, 3)] == [("UDP", "none"), ("UDP", "bad"), ("UDP", "bad")]


def test_capwap_in_udp_lite(tmp_path):
    """As over IPv6 (RFC 5415, 3.1): its checksum covers the header, and nothing in it."""
    data = built("00 100200 00000000 eth v4")
    head = struct.pack(">HHHH", 50000, 5247, 8, 0)
    over = bytes(15) + b"\1" + bytes(15) + b"\2" + struct.pack(">II", 8 + len(data), 136)
    frame = ipv6(136, checked(head, 6, over) + data)
    assert verdicts(read(write(tmp_path / "a", 101, [frame]))[1])[1] == [("UDP-Lite", "good"), *GOOD4]


def test_a_fragmented_tunnel(tmp_path):
    whole = ipv4(97, built("3000 eth v4"))
    frames = []
    for at, more in ((0, 0x2000), (24, 0)):
        part = whole[20:][at : at + 24] if more else whole[20:][at:]
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(part), 1, more | at // 8, 64, 97, 0)
        frames.append(checked(head + whole[12:20], 10) + part)
    found = verdicts(read(write(tmp_path / "a", 101, frames))[1])
    assert found == {1: OUTER, 2: OUTER + GOOD4}
    report, _ = read(write(tmp_path / "a", 101, frames[:1]))
    assert report.reasons == Counter({"fragments missing": 1})


def test_c_has_a_vector_of_each_edge():
    """Of all that tests/vectors/frames.py makes it chooses; those are in its file in any case."""
    loader = SourceFileLoader("frames", str(VECTORS / "frames.py"))
    frames = importlib.util.module_from_spec(importlib.util.spec_from_loader("frames", loader))
    sys.modules["frames"] = frames
    loader.exec_module(frames)
    assert list(frames.layers()) and list(frames.uppers())
    text = (VECTORS / "frames.txt").read_text()
    lines = {" ".join(line.split()[:3]) for line in text.splitlines()}
    made = [each for make in (frames.edges, frames.ends, frames.lasts) for each in make()]
    assert not [each for each in made if each.line not in lines]
