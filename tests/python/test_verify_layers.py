"""What lies between a link and the packet in it: each header by its bytes, whole, malformed and cut."""

import struct
from collections import Counter

import pytest
from captures import checked, fix, read

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


def hexed(text: str) -> bytes:
    return bytes.fromhex(text.replace(" ", ""))


def ipv4(protocol: int, payload: bytes) -> bytes:
    """From 198.51.100.1 to 198.51.100.2"""
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 1, 0, 64, protocol, 0)
    return checked(head + hexed("c6336401c6336402"), 10) + payload


def ipv6(protocol: int, payload: bytes) -> bytes:
    head = struct.pack(">IHBB", 6 << 28, len(payload), protocol, 64)
    return head + bytes(15) + b"\1" + bytes(15) + b"\2" + payload


def udp(port: int, payload: bytes, source: int = 50000) -> bytes:
    """Without a checksum"""
    return ipv4(17, struct.pack(">HHHH", source, port, 8 + len(payload), 0) + payload)


OUTER = [("IPv4", "good")]
TUNNEL = [("IPv4", "good"), ("UDP", "none")]

# Link type, what comes before the packet, and the packet
LINKS = {
    "Ethernet": (1, ETHERNET, V4),
    "802.1Q": (1, MACS + hexed("8100 0064 0800"), V4),
    "802.1ad": (1, MACS + hexed("88a8 0064 8100 0065 86dd"), V6),
    "0x9100 and its like": (1, MACS + hexed("9100 0001 9200 0002 9300 0003 0800"), V4),
    "802.1ah": (1, MACS + hexed("88a8 0064 88e7 00001234") + ETHERNET, V4),
    "802.1BR": (1, MACS + hexed("893f 000100020000 0800"), V4),
    "VN-tag": (1, MACS + hexed("8926 80010002 0800"), V4),
    "HSR": (1, MACS + hexed("892f 0034 0001 0800"), V4),
    "802.1CB": (1, MACS + hexed("f1c1 0000 0001 86dd"), V6),
    "FabricPath": (1, MACS + hexed("8903 0060") + ETHERNET, V4),
    "SNAP": (1, MACS + b"\0\x28" + SNAP, V4),
    "SNAP of 802.1H": (1, MACS + hexed("0028 aaaa03 0000f8 0800"), V4),
    "SAP of IP": (1, MACS + hexed("0023 060603"), V4),
    "a tag before a length": (1, MACS + hexed("8100 0064 0028") + SNAP, V4),
    "PPPoE": (1, MACS + hexed("8864 1100 0001 0022 0021"), V4),
    "PPPoE, IPv6": (1, MACS + hexed("8864 1100 0001 0036 0057"), V6),
    "PPPoE alone": (51, hexed("1100 0001 0022 0021"), V4),
    "MPLS": (1, MACS + hexed("8847 00064040 000c8140"), V4),
    "MPLS, IPv6": (1, MACS + hexed("8848 000c8140"), V6),
    "MPLS, control word": (1, MACS + hexed("8847 000c8140 00000000") + ETHERNET, V4),
    "MPLS, no control word": (1, MACS + hexed("8847 000c8140") + ETHERNET, V4),
    "MPLS, no control word, of 4": (1, MACS + hexed("8847 000c8140 4200000000ab 02000000000a 0800"), V4),
    "MPLS, channel": (1, MACS + hexed("8847 000c8140 10000021"), V4),
    "NSH": (1, MACS + hexed("894f 0fc60101 00000164") + bytes(16), V4),
    "NSH, its second kind": (1, MACS + hexed("894f 0fc30203 00000164 00000000") + ETHERNET6, V6),
    "token ring": (6, hexed("1040 02000000000b 02000000000a") + SNAP, V4),
    "token ring, routed": (6, hexed("1040 02000000000b 82000000000a 0630 0011 0020") + SNAP, V4),
    "PPP": (9, hexed("0021"), V4),
    "PPP, framed": (9, hexed("ff03 0057"), V6),
    "PPP, compressed": (9, hexed("21"), V4),
    "PPP, framed and compressed": (50, hexed("ff03 57"), V6),
    "PPP, MPLS": (50, hexed("ff03 0281 000c8140"), V4),
    "PPP of Cisco's": (50, hexed("0f00 0800"), V4),
    "FDDI": (10, hexed("50 02000000000b 02000000000a") + SNAP, V4),
    "C-HDLC": (104, hexed("8f00 86dd"), V6),
    "frame relay": (107, hexed("1841 03 cc"), V4),
    "frame relay, IPv6": (107, hexed("1841 03 8e"), V6),
    "frame relay, 4 bytes": (107, hexed("18400001 03 cc"), V4),
    "frame relay, SNAP": (107, hexed("1841 03 00 80 000000 0800"), V4),
    "frame relay, bridged": (107, hexed("1841 03 00 80 0080c2 0007") + ETHERNET, V4),
    "frame relay, PPP": (107, hexed("1841 03 cf 0021"), V4),
    "frame relay of Cisco's": (107, hexed("1841 0800"), V4),
    "802.11": (105, hexed("0801 0000") + bytes(18) + b"\x10\0" + SNAP, V4),
    "802.11, QoS": (105, hexed("8802 0000") + bytes(20) + hexed("0500") + SNAP, V4),
    "802.11, 4 addresses": (105, hexed("8803 0000") + bytes(26) + hexed("0500") + SNAP, V4),
    "802.11, HT control": (105, hexed("8881 0000") + bytes(20) + hexed("0500 00000000") + SNAP, V4),
    "radiotap": (127, hexed("0000 0800 00000000 0801 0000") + bytes(20) + SNAP, V4),
    "radiotap, padded": (
        127,
        hexed("0000 1100 03000000")
        + bytes(8)
        + hexed("20 8801 0000")
        + bytes(20)
        + hexed("0000 0000")
        + SNAP,
        V4,
    ),
    "radiotap, more words": (
        127,
        hexed("0000 0e00 020000a0 00000000 1000 0801 0000") + bytes(20) + SNAP,
        V4,
    ),
    "Prism": (119, hexed("44000000 90000000") + bytes(136) + hexed("0801 0000") + bytes(20) + SNAP, V4),
    "AVS for Prism": (
        119,
        hexed("80211001 00000040") + bytes(56) + hexed("0801 0000") + bytes(20) + SNAP,
        V4,
    ),
    "AVS": (163, hexed("80211001 00000040") + bytes(56) + hexed("0801 0000") + bytes(20) + SNAP, V4),
    "PPI": (192, hexed("0000 0800 69000000 0801 0000") + bytes(20) + SNAP, V4),
    "cooked": (113, hexed("0000 0001 0006 02000000000a0000 0800"), V4),
    "cooked, LLC": (113, hexed("0000 0001 0006 02000000000a0000 0004") + SNAP, V4),
    "cooked, GRE": (113, hexed("0000 030a 0004 c00002010000 0000 86dd"), V6),
    "cooked, frame relay": (113, hexed("0000 0302 0002 1841000000000000 0000 1841 03 cc"), V4),
    "cooked, radiotap": (
        113,
        hexed("0000 0323 0006 02000000000a0000 0000 0000 0800 00000000 0801 0000") + bytes(20) + SNAP,
        V4,
    ),
    "cooked 2": (276, hexed("86dd 0000 00000002 0001 00 06 02000000000a0000"), V6),
    "null": (0, hexed("02000000"), V4),
    "loop": (108, hexed("0000001e"), V6),
    "raw": (101, b"", V6),
    "NFLOG": (239, hexed("0200 0000 0800 0100 08000103 0500 0a00 65000000 2400 0900"), V4),
    "NFLOG, big-endian": (239, hexed("0a00 0000 0008 0001 86dd0103 0038 0009"), V6),
    "IPoIB": (242, bytes(40) + hexed("0800 0000"), V4),
    "IPoIB, IPv6": (242, bytes(40) + hexed("86dd 0000"), V6),
}

# What is around a packet inside of IPv4: its verdicts and, from what is in it, its bytes
TUNNELS = {
    "IP in IP": (OUTER, V4, lambda p: ipv4(4, p)),
    "6in4": (OUTER, V6, lambda p: ipv4(41, p)),
    "AH": (OUTER, V4, lambda p: ipv4(51, hexed("0404 0000 00000001 00000001") + bytes(12) + p)),
    "GRE": (OUTER, V4, lambda p: ipv4(47, hexed("0000 0800") + p)),
    "GRE, key and sequence": (OUTER, V6, lambda p: ipv4(47, hexed("3000 86dd 00000007 00000001") + p)),
    "GRE, checksum": (
        [*OUTER, ("GRE", "good")],
        V4,
        lambda p: ipv4(47, checked(hexed("8000 0800 0000 0000") + p, 4)),
    ),
    "GRE, PPP": (
        OUTER,
        V4,
        lambda p: ipv4(
            47, hexed("3081 880b") + struct.pack(">HHII", 4 + len(p), 7, 1, 1) + hexed("ff03 0021") + p
        ),
    ),
    "NVGRE": (OUTER, V4, lambda p: ipv4(47, hexed("2000 6558 00123400") + ETHERNET + p)),
    "ERSPAN I": (OUTER, V4, lambda p: ipv4(47, hexed("0000 88be") + ETHERNET + p)),
    "ERSPAN II": (
        OUTER,
        V4,
        lambda p: ipv4(47, hexed("1000 88be 00000001 10010001 00000000") + ETHERNET + p),
    ),
    "ERSPAN III": (
        OUTER,
        V6,
        lambda p: ipv4(47, hexed("1000 22eb 00000001 20010001 00000000 00008000") + ETHERNET6 + p),
    ),
    "ERSPAN III, more, IP": (
        OUTER,
        V4,
        lambda p: ipv4(47, hexed("1000 22eb 00000001 20010001 00000000 00000801") + bytes(8) + p),
    ),
    "EtherIP": (OUTER, V4, lambda p: ipv4(97, hexed("3000") + ETHERNET + p)),
    "MPLS in IP": (OUTER, V4, lambda p: ipv4(137, hexed("000c8140") + p)),
    "Ethernet in IP": (OUTER, V4, lambda p: ipv4(143, ETHERNET + p)),
    "L2TPv3 over IP": (OUTER, V4, lambda p: ipv4(115, hexed("00000007") + bytes(8) + ETHERNET + p)),
    "VXLAN": (TUNNEL, V4, lambda p: udp(4789, hexed("08000000 00123400") + ETHERNET + p)),
    "VXLAN at 8472": (TUNNEL, V6, lambda p: udp(8472, hexed("08000000 00123400") + ETHERNET6 + p)),
    "VXLAN-GBP": (TUNNEL, V4, lambda p: udp(4789, hexed("88080123 00123400") + ETHERNET + p)),
    "VXLAN-GPE, IPv4": (TUNNEL, V4, lambda p: udp(4790, hexed("0c000001 00123400") + p)),
    "VXLAN-GPE, IPv6": (TUNNEL, V6, lambda p: udp(4790, hexed("0c000002 00123400") + p)),
    "VXLAN-GPE, Ethernet": (TUNNEL, V4, lambda p: udp(4790, hexed("0c000003 00123400") + ETHERNET + p)),
    "VXLAN-GPE, NSH": (
        TUNNEL,
        V4,
        lambda p: udp(4790, hexed("0c000004 00123400 0fc20201 00000164") + p),
    ),
    "VXLAN-GPE, MPLS": (TUNNEL, V4, lambda p: udp(4790, hexed("0c000005 00123400 000c8140") + p)),
    "Geneve": (TUNNEL, V4, lambda p: udp(6081, hexed("0000 6558 00123400") + ETHERNET + p)),
    "Geneve, options, IPv6": (
        TUNNEL,
        V6,
        lambda p: udp(6081, hexed("0240 86dd 00123400 0102 8001 00000007") + p),
    ),
    "GTP-U": (TUNNEL, V4, lambda p: udp(2152, struct.pack(">BBHI", 0x30, 255, len(p), 7) + p)),
    "GTP-U, extension": (
        TUNNEL,
        V6,
        lambda p: udp(2152, struct.pack(">BBHI", 0x34, 255, 8 + len(p), 7) + hexed("00000085 01000900") + p),
    ),
    "GTP-U, Ethernet": (
        TUNNEL,
        V4,
        lambda p: udp(2152, struct.pack(">BBHI", 0x30, 255, 14 + len(p), 7) + ETHERNET + p),
    ),
    "L2TP": (TUNNEL, V4, lambda p: udp(1701, hexed("0002 0001 0002 ff03 0021") + p)),
    "L2TP, all its fields": (
        TUNNEL,
        V4,
        lambda p: udp(
            1701,
            hexed("4a02")
            + struct.pack(">H", 20 + len(p))
            + hexed("0001 0002 0001 0000 0002 0000 ff03 0021")
            + p,
        ),
    ),
    "L2TPv3": (
        TUNNEL,
        V4,
        lambda p: udp(1701, hexed("0003 0000 00000007 11223344 40000001") + ETHERNET + p),
    ),
    "Teredo": (TUNNEL, V6, lambda p: udp(3544, p)),
    "Teredo, from the server": (
        TUNNEL,
        V6,
        lambda p: udp(40001, hexed("0001 0000 1122334455667788 00 0000 63bf 39cd9bfd") + p, 3544),
    ),
    "MPLS in UDP": (TUNNEL, V6, lambda p: udp(6635, hexed("000c8140") + p)),
    "GRE in UDP": (TUNNEL, V4, lambda p: udp(4754, hexed("2000 0800 00000007") + p)),
    "GRE in UDP, an Ethernet frame": (TUNNEL, V6, lambda p: udp(4754, hexed("0000 6558") + ETHERNET6 + p)),
    "GRE in UDP, MPLS": (TUNNEL, V4, lambda p: udp(4754, hexed("0000 8847 000c8140") + p)),
    "CAPWAP": (TUNNEL, V4, lambda p: udp(5247, hexed("00 100200 00000000") + ETHERNET + p)),
    "CAPWAP, 802.11": (
        TUNNEL,
        V4,
        lambda p: udp(5247, hexed("00 104300 00000000 0801 0000") + bytes(20) + SNAP + p),
    ),
    "CAPWAP, swapped": (
        TUNNEL,
        V4,
        lambda p: udp(5247, hexed("00 104300 00000000 0188 0000") + bytes(22) + SNAP + p),
    ),
}
STACKS = {
    name: ([], packet, link, lambda p, before=before: before + p)
    for name, (link, before, packet) in LINKS.items()
}
STACKS |= {name: (outer, packet, 101, around) for name, (outer, packet, around) in TUNNELS.items()}


def write(path, link: int, frames: list[bytes], captured: list[int] | None = None) -> str:
    """A capture of ``frames``, of each of which so many bytes were captured, or all."""
    data = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link)
    for frame, length in zip(frames, captured or map(len, frames), strict=True):
        data += struct.pack("<IIII", 0, 0, length, len(frame)) + frame[:length]
    path.write_bytes(data)
    return str(path)


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
    data = MACS + struct.pack(">H", 6 + len(packet)) + hexed("aaaa03000000") + packet
    return data if last else data + bytes(-len(data) % 4)


def test_each_subframe_of_an_aggregate(tmp_path):
    v4, v6 = b"\x08\0" + V4, b"\x86\xdd" + V6
    bad = v4[:-1] + b"!"
    head = hexed("8802 0000") + bytes(20) + hexed("8000")
    fragment = b"\x08\0" + checked(V4[:6] + b"\x20" + V4[7:], 10)[: len(V4)]
    frames = [
        head + subframe(v4) + subframe(v6) + subframe(bad) + subframe(v4, True),
        head + subframe(v4) + subframe(bad)[:-10],
        head + subframe(fragment) + subframe(v4),
        head
        + subframe(b"\x08\0" + udp(5247, hexed("00 104300 00000000") + head + subframe(v6) * 2))
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
    (1, MACS + hexed("88e5") + bytes(50), "EtherType 0x88e5 (MACsec)"),
    (1, MACS + hexed("8863 1109 0000 0004 01010000"), None),
    (1, MACS + hexed("8864 2100 0001 0022 0021") + V4, "EtherType 0x8864 (PPPoE)"),
    (1, MACS + hexed("8864 1100 0001 000a c021") + bytes(8), None),
    (1, MACS + hexed("8864 1100 0001 000a 003d") + bytes(8), "PPP protocol 0x003d (multilink)"),
    (1, MACS + hexed("0064 e0e003") + bytes(97), "LLC SAP 0xe0 (IPX)"),
    (1, MACS + hexed("0010 aaaa0300000c2000") + bytes(8), "SNAP organization 0x00000c (Cisco)"),
    (1, MACS + hexed("8847 000c8140 90000000") + bytes(40), "pseudowire"),
    (1, MACS + hexed("8847 000c8140 00000000") + bytes(40), "pseudowire"),
    (1, MACS + hexed("8847 000c8140 10000007") + bytes(40), "pseudowire channel 0x0007 (BFD)"),
    (1, MACS + hexed("8847 000c80"), "header cut short"),
    (1, MACS + hexed("894f 0fc20209 00000164") + bytes(40), "NSH protocol 9"),
    (1, MACS + hexed("894f 0fc10201 00000164") + bytes(40), "header cut short"),
    (6, hexed("1000 02000000000b 02000000000a") + bytes(20), None),
    (10, hexed("41 02000000000b 02000000000a") + bytes(20), None),
    (104, hexed("8f00 8035") + bytes(20), None),
    (107, hexed("1841 03 b1") + bytes(20), "NLPID 0xb1 (fragments)"),
    (107, hexed("1840 0000 00") + bytes(20), "NLPID 0x00"),
    (105, hexed("8000 0000") + bytes(40), None),
    (105, hexed("d400 0000") + bytes(6), None),
    (105, hexed("4801 0000") + bytes(20), None),
    (105, hexed("0841 0000") + bytes(60), "protected 802.11"),
    (105, hexed("0801 0000") + bytes(18) + b"\1\0" + bytes(40), "802.11 fragment"),
    (105, hexed("0805 0000") + bytes(60), "802.11 fragment"),
    (105, hexed("0901 0000") + bytes(60), "802.11 version 1"),
    (127, hexed("0000 0700 00000000") + bytes(60), "header cut short"),
    (113, hexed("0000 0001 0006 02000000000a0000 0001") + bytes(40), "LLC SAP 0xff (IPX without LLC)"),
    (113, hexed("0000 0338 0000 0000000000000000 0000") + bytes(40), None),
    (113, hexed("0000 0118 0000 0000000000000000 000c") + bytes(16), None),
    (239, hexed("0700 0000 2400 0900") + V4, "address family 7"),
    (239, hexed("0200 0000 0300 0900") + V4, "header cut short"),
    (0, hexed("07000000") + V4, "address family 7"),
    (101, ipv4(50, bytes(40)), "IP protocol 50 (ESP)"),
    (101, ipv4(97, hexed("2000") + ETHERNET + V4), "IP protocol 97 (EtherIP)"),
    (101, ipv4(115, bytes(20)), None),
    (101, ipv4(115, hexed("00000007") + bytes(20)), "pseudowire"),
    (101, ipv4(47, hexed("4000 0800") + bytes(20)), "GRE flags 0x4000"),
    (101, ipv4(47, hexed("0001 880b") + bytes(20)), "GRE flags 0x0001"),
    (101, ipv4(47, hexed("2081 880b 00000007 00000001")), None),
    (101, ipv4(47, hexed("0000 0000")), None),
    (101, ipv4(47, hexed("1000 88be 00000001 30010001 00000000") + ETHERNET + V4), "ERSPAN version 3"),
    (
        101,
        ipv4(47, hexed("1000 22eb 00000001 20010001 00000000 00000400") + ETHERNET + V4),
        "ERSPAN frame type 1",
    ),
    (101, udp(4789, hexed("00000000 00123400") + ETHERNET + V4), "UDP port 4789 (VXLAN)"),
    (101, udp(4789, hexed("08000000 00123401") + ETHERNET + V4), "UDP port 4789 (VXLAN)"),
    (101, udp(4790, hexed("0c000001 00123400") + V6), "UDP port 4790 (VXLAN-GPE)"),
    (101, udp(6081, hexed("4000 6558 00123400") + ETHERNET + V4), "UDP port 6081 (Geneve)"),
    (101, udp(6081, hexed("0000 0800 00123400") + V4[:20]), "UDP port 6081 (Geneve)"),
    (101, udp(6081, hexed("3f00 0800 00123400") + V4), "UDP port 6081 (Geneve)"),
    (101, udp(2152, hexed("50ff 0020 00000007") + V4), "UDP port 2152 (GTP-U)"),
    (101, udp(2152, hexed("30ff 0021 00000007") + V4), "UDP port 2152 (GTP-U)"),
    (101, udp(2152, hexed("34ff 0028 00000007 00000085 00000000") + V4), "UDP port 2152 (GTP-U)"),
    (101, udp(2152, hexed("3201 0004 00000000 00010000")), None),
    (101, udp(1701, hexed("c802 000c 0001 0000 0000 0000")), None),
    (101, udp(1701, hexed("0012 0001 0002 ff03 0021") + V4), "UDP port 1701 (L2TP)"),
    (101, udp(1701, hexed("4002 00ff 0001 0002 ff03 0021") + V4), "UDP port 1701 (L2TP)"),
    (101, udp(1701, hexed("0002 0001 0002 ff03 0021") + V4[:20]), "UDP port 1701 (L2TP)"),
    (101, udp(1701, hexed("0003 0000 00000007") + bytes(40)), "pseudowire"),
    (101, udp(3544, V4), "UDP port 3544 (Teredo)"),
    (101, udp(4754, hexed("4000 0800 00000000") + V4), "UDP port 4754 (GRE)"),
    (101, udp(4754, hexed("0000 0800") + V4[:20]), "UDP port 4754 (GRE)"),
    # RTP, which begins like a checksum in GRE
    (101, udp(4754, hexed("8000 1234 00000000 01234567") + bytes(160)), "UDP port 4754 (GRE)"),
    (101, udp(5247, hexed("01 000000") + bytes(40)), "CAPWAP in DTLS"),
    (101, udp(5247, hexed("00 100280 00010000") + bytes(40)), "CAPWAP fragment"),
    (101, udp(5247, hexed("00 100208 00000000") + bytes(40)), None),
    (101, udp(5247, hexed("00 080200 00000000") + bytes(40)), "UDP port 5247 (CAPWAP)"),
    (101, udp(5247, hexed("00 100700 00000000") + bytes(40)), "CAPWAP binding 3"),
    (101, udp(6635, hexed("000c8040") + V4), "UDP port 6635 (MPLS)"),
    (101, udp(6635, b""), None),
    # who has a tunnel's port by chance, and talks to another
    (101, udp(53, hexed("00000000 00123400") + ETHERNET + V4, 4789), None),
]


@pytest.mark.parametrize(("link", "frame", "what"), COUNTED)
def test_what_is_not_entered_is_counted_by_its_name(link, frame, what, tmp_path):
    report, _ = read(write(tmp_path / "a", link, [frame]))
    assert {str(unknown): n for unknown, n in report.unknown.items()} == ({what: 1} if what else {})
    assert not report.verdicts("bad") and not report.verdicts("unverifiable")


def test_lengths_that_contradict_ip(tmp_path):
    frames = [
        MACS + hexed("8864 1100 0001 0021 0021") + V4,
        MACS + hexed("8864 1100 0001 0099 0021") + V4,
        MACS + b"\0\x20" + SNAP + V4,
    ]
    _, entries = read(write(tmp_path / "a", 1, frames))
    assert set(map(tuple, verdicts(entries).values())) == {(("IPv4", "good"), ("UDP", "unverifiable"))}


def test_a_mirrored_frame_that_was_cut(tmp_path):
    head = hexed("1000 88be 00000001 10010401 00000000")
    packet = ipv4(47, head + ETHERNET + V4[:-2])
    report, entries = read(write(tmp_path / "a", 101, [packet + b"padding"]))
    assert verdicts(entries)[1] == [*OUTER, ("IPv4", "good"), ("UDP", "unverifiable")]
    assert report.reasons == Counter({"not captured whole": 1})


def test_tunnels_over_ipv6_may_do_without_a_checksum(tmp_path):
    inner = {4789: hexed("08000000 00123400") + ETHERNET + V4, 9: b"carry", 3544: V6}
    frames = [
        ipv6(17, struct.pack(">HHHH", 50000, port, 8 + len(data), 0) + data) for port, data in inner.items()
    ]
    found = verdicts(read(write(tmp_path / "a", 101, frames))[1])
    assert [found[n][0] for n in (1, 2, 3)] == [("UDP", "none"), ("UDP", "bad"), ("UDP", "bad")]


def test_capwap_in_udp_lite(tmp_path):
    """As over IPv6 (RFC 5415, 3.1): its checksum covers the header, and nothing in it."""
    data = hexed("00 100200 00000000") + ETHERNET + V4
    head = struct.pack(">HHHH", 50000, 5247, 8, 0)
    over = bytes(15) + b"\1" + bytes(15) + b"\2" + struct.pack(">II", 8 + len(data), 136)
    frame = ipv6(136, checked(head, 6, over) + data)
    assert verdicts(read(write(tmp_path / "a", 101, [frame]))[1])[1] == [("UDP-Lite", "good"), *GOOD4]


def test_a_fragmented_tunnel(tmp_path):
    whole = ipv4(97, hexed("3000") + ETHERNET + V4)
    frames = []
    for at, more in ((0, 0x2000), (24, 0)):
        part = whole[20:][at : at + 24] if more else whole[20:][at:]
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(part), 1, more | at // 8, 64, 97, 0)
        frames.append(checked(head + whole[12:20], 10) + part)
    found = verdicts(read(write(tmp_path / "a", 101, frames))[1])
    assert found == {1: OUTER, 2: OUTER + GOOD4}
    report, _ = read(write(tmp_path / "a", 101, frames[:1]))
    assert report.reasons == Counter({"fragments missing": 1})
