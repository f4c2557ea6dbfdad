"""What IP carries beside TCP and UDP: each by its RFC's picture, over both IPs, summed the slowest way."""

import random
import shutil
import struct
import subprocess
from dataclasses import dataclass

import pytest
from captures import by_frame, checked, fix, read, sum16, write
from command import run

A4, B4 = bytes((192, 0, 2, 1)), bytes((198, 51, 100, 2))
A6, B6 = bytes.fromhex("20010db8000000000000000000000001"), bytes.fromhex("20010db8000000000000000000000002")
draw = random.Random(14)
ODD = draw.randbytes(37)
EVEN = draw.randbytes(40)


def ip(version: int, number: int, data: bytes, flags: int = 0) -> bytes:
    if version == 6:
        return struct.pack(">IHBB", 6 << 28, len(data), number, 64) + A6 + B6 + data
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(data), 7, flags, 64, number, 0) + A4 + B4
    return checked(head, 10) + data


def pseudo(version: int, number: int, length: int) -> bytes:
    ends = A4 + B4 if version == 4 else A6 + B6
    return ends + struct.pack(">II", length, number)


@dataclass
class Message:
    """``data`` of protocol ``number``, whose checksum is right; ``last`` the last byte it covers."""

    protocol: str
    version: int
    number: int
    data: bytes
    field: int
    last: int
    tshark: str
    inside: tuple[tuple[str, str], ...] = ()
    why_not: str = ""  # tshark agrees

    def frame(self, data: bytes | None = None) -> bytes:
        return ip(self.version, self.number, self.data if data is None else data)

    def verdicts(self, verdict: str) -> list[tuple[str, str]]:
        outer = [("IPv4", "good")] if self.version == 4 else []
        return [*outer, (self.protocol, verdict), *self.inside]


def put(data: bytes, at: int, value: int) -> bytes:
    return data[:at] + struct.pack(">H", value) + data[at + 2 :]


def complement(data: bytes, over: bytes = b"") -> int:
    return ~sum16(over + data) & 0xFFFF


def dccp(version: int, coverage: int, extended: bool, payload: bytes) -> Message:
    # DCCP-Data, and an option of 4 bytes
    header = 20 if extended else 16
    head = struct.pack(">HHBBHB", 4000, 5000, header // 4, coverage, 0, 2 << 1 | extended)
    data = head + bytes(header - 4 - len(head)) + b"\0\0\0\0" + payload
    covered = header + 4 * (coverage - 1) if coverage else len(data)
    data = put(data, 6, complement(data[:covered], pseudo(version, 33, len(data))))
    return Message("DCCP", version, 33, data, 6, covered - 1, "dccp")


def ospf2(kind: int, behind: bytes = b"") -> Message:
    data = struct.pack(">BBHIIHHQ", 2, 1, 44, 0x0A000001, 0, 0, kind, 0x6361727279636861) + bytes(20)
    data = put(data, 12, complement(data[:16] + data[24:]))
    return Message("OSPFv2", 4, 89, data + behind, 12, 43, "ospf")


def ospf3(behind: bytes = b"") -> Message:
    data = struct.pack(">BBHIIHBB", 3, 1, 36, 0x0A000001, 0, 0, 0, 0) + draw.randbytes(20)
    data = put(data, 12, complement(data, pseudo(6, 89, 36)))
    return Message("OSPFv3", 6, 89, data + behind, 12, 35, "ospf")


def pim(version: int, payload: bytes) -> Message:
    data = b"\x20\0\0\0" + payload
    over = pseudo(6, 103, len(data)) if version == 6 else b""
    return Message("PIM", version, 103, put(data, 2, complement(data, over)), 2, len(data) - 1, "pim")


def udp() -> bytes:
    data = struct.pack(">HHHH", 40000, 9, 8 + len(EVEN), 0) + EVEN
    return ip(4, 17, checked(data, 6, pseudo(4, 17, len(data))))


UDP = (("IPv4", "good"), ("UDP", "good"))


def register(version: int, whole: bool) -> Message:
    data = b"\x21\0\0\0" + bytes(4) + udp()
    length = len(data) if whole else 8
    over = pseudo(6, 103, length) if version == 6 else b""
    data = put(data, 2, complement(data[:length], over))
    why = "it sums a Register's header only" if whole else ""
    return Message("PIM", version, 103, data, 2, 7, "pim", UDP, why)


def null_register(checksum: bool) -> Message:
    dummy = ip(4, 103, b"")
    data = b"\x21\0\0\0\x40\0\0\0" + (dummy if checksum else put(dummy, 10, 0))
    data = put(data, 2, complement(data[:8]))
    inside = (("IPv4", "good" if checksum else "none"),)
    return Message("PIM", 4, 103, data, 2, 7, "pim", inside)


def vrrp(version: int, number: int, over: bool) -> Message:
    addresses = bytes.fromhex("c0000203") if version == 4 else A6
    data = bytes((number << 4 | 1, 7, 100, 1, 0, 100, 0, 0)) + addresses
    data += bytes(8) if number == 2 else b""
    data = put(data, 6, complement(data, pseudo(version, 112, len(data)) if over else b""))
    why = "it takes version 3 with a pseudo-header only" if number == 3 and not over else ""
    return Message("VRRP", version, 112, data, 6, len(data) - 1, "vrrp", why_not=why)


def carp() -> Message:
    data = bytes((0x21, 1, 0, 7, 0, 1, 0, 0)) + draw.randbytes(28)
    return Message("VRRP", 4, 112, put(data, 6, complement(data)), 6, 35, "vrrp")


def eigrp(version: int) -> Message:
    data = struct.pack(">BBHIIIHH", 2, 5, 0, 0, 0, 0, 0, 100)
    data += struct.pack(">HHBBBBBBH", 1, 12, 1, 0, 1, 0, 0, 0, 15)
    return Message("EIGRP", version, 88, put(data, 2, complement(data)), 2, len(data) - 1, "eigrp")


def rsvp(version: int) -> Message:
    # a Hello, with its one object
    data = struct.pack(">BBHBBHHBBII", 0x10, 20, 0, 64, 0, 20, 12, 22, 1, 7, 8)
    return Message("RSVP", version, 46, put(data, 2, complement(data)), 2, 19, "rsvp")


def mobility() -> Message:
    # a Binding Refresh Request
    data = struct.pack(">BBBBHH", 59, 0, 0, 0, 0, 0)
    data = put(data, 4, complement(data, pseudo(6, 135, 8)))
    return Message("Mobility Header", 6, 135, data, 4, 7, "mip6")


def hip(version: int) -> Message:
    # an I1
    data = struct.pack(">BBBBHH", 59, 4, 1, 0x21, 0, 0) + draw.randbytes(32)
    data = put(data, 4, complement(data, pseudo(version, 139, 40)))
    return Message("HIP", version, 139, data, 4, 39, "hip")


def shim6() -> Message:
    # a Keepalive
    data = struct.pack(">BBBBHHQ", 59, 1, 66, 0, 0, 0, 0x123456789A)
    return Message("shim6", 6, 140, put(data, 4, complement(data)), 4, 15, "shim6")


MESSAGES = [
    *(
        dccp(version, coverage, extended, payload)
        for version in (4, 6)
        for coverage in (0, 1, 4, 10)
        for extended in (False, True)
        for payload in (ODD, EVEN)
    ),
    ospf2(0),
    ospf2(1),
    ospf2(1, draw.randbytes(12)),
    ospf3(),
    ospf3(draw.randbytes(12)),
    *(pim(version, payload) for version in (4, 6) for payload in (ODD, EVEN)),
    *(register(version, whole) for version in (4, 6) for whole in (False, True)),
    null_register(True),
    null_register(False),
    vrrp(4, 2, False),
    vrrp(4, 3, False),
    vrrp(4, 3, True),
    vrrp(6, 3, True),
    carp(),
    *(each(version) for version in (4, 6) for each in (eigrp, rsvp, hip)),
    mobility(),
    shim6(),
]


def found(path) -> list[list[tuple[str, str]]]:
    report, entries = read(path)
    assert report.error is None
    frames = by_frame(entries)
    return [[(each.protocol, each.verdict) for each in frames[n + 1]] for n in range(report.frames)]


def damaged(message: Message, at: int) -> bytes:
    # not by all ones, which may be the same sum
    return message.data[:at] + bytes((message.data[at] ^ 0x15,)) + message.data[at + 1 :]


def test_each_is_good(tmp_path):
    got = found(write(tmp_path / "a", [each.frame() for each in MESSAGES]))
    assert got == [each.verdicts("good") for each in MESSAGES]


def test_a_wrong_field_is_bad_and_repaired_to_the_byte(tmp_path):
    path = write(tmp_path / "a", [each.frame(damaged(each, each.field)) for each in MESSAGES])
    assert found(path) == [each.verdicts("bad") for each in MESSAGES]
    fix(path, tmp_path / "fixed")
    assert found(tmp_path / "fixed") == [each.verdicts("good") for each in MESSAGES]
    whole = {register(version, True).data for version in (4, 6)} | {vrrp(4, 3, False).data}
    fixed = (tmp_path / "fixed").read_bytes()
    # those that can be summed in two ways are repaired in the other
    for each in MESSAGES:
        assert (each.frame() in fixed) == (each.data not in whole)


def test_what_is_covered_spoils_it_and_what_is_not_does_not(tmp_path):
    got = found(write(tmp_path / "a", [each.frame(damaged(each, each.last)) for each in MESSAGES]))
    assert got == [each.verdicts("bad") for each in MESSAGES]
    longer = [each for each in MESSAGES if each.last + 1 < len(each.data) and each.protocol != "PIM"]
    assert {each.protocol for each in longer} == {"DCCP", "OSPFv2", "OSPFv3"}
    got = found(write(tmp_path / "b", [each.frame(damaged(each, each.last + 1)) for each in longer]))
    assert got == [each.verdicts("good") for each in longer]


@pytest.mark.parametrize("version", (4, 6))
def test_cut_anywhere(tmp_path, version):
    """Good once all that is covered is there, unverifiable before."""
    header = 20 if version == 4 else 40
    for each in MESSAGES:
        if each.version != version or each.inside:
            continue
        frame = each.frame()
        for cut in range(header, len(frame), 5):
            path = write(tmp_path / "a", [frame], cut)
            verdict = "good" if cut > header + each.last else "unverifiable"
            assert found(path) == [each.verdicts(verdict)], (each, cut)


MALFORMED = {
    "DCCP's header is shorter than any": ("DCCP", 4, 33, put(dccp(4, 0, False, EVEN).data, 4, 2 << 8)),
    "DCCP's extended header is no longer": ("DCCP", 4, 33, put(dccp(4, 0, True, EVEN).data, 4, 3 << 8)),
    "DCCP's header is longer than all": ("DCCP", 6, 33, put(dccp(6, 0, False, ODD).data, 4, 200 << 8)),
    "DCCP's coverage is more than there is": ("DCCP", 4, 33, put(dccp(4, 0, False, b"").data, 4, 4 << 8 | 2)),
    "DCCP without a header": ("DCCP", 6, 33, bytes(11)),
    "OSPF of no length": ("OSPFv2", 4, 89, put(ospf2(0).data, 2, 0)),
    "OSPF is longer than all": ("OSPFv2", 4, 89, put(ospf2(0).data, 2, 45)),
    "OSPF of another version": ("OSPFv2", 4, 89, b"\3" + ospf2(0).data[1:]),
    "OSPFv3 is longer than all": ("OSPFv3", 6, 89, put(ospf3().data, 2, 37)),
    "OSPFv3 of another version": ("OSPFv3", 6, 89, b"\2" + ospf3().data[1:]),
    "PIM of another version": ("PIM", 4, 103, b"\x10" + pim(4, ODD).data[1:]),
    "PIM without a header": ("PIM", 4, 103, b"\x20\0\0"),
    "a Register of 7 bytes": ("PIM", 6, 103, b"\x21\0\0\0\0\0\0"),
    "VRRP of another version": ("VRRP", 4, 112, b"\x41" + vrrp(4, 2, False).data[1:]),
    "VRRP without a header": ("VRRP", 6, 112, bytes(7)),
    "EIGRP without a header": ("EIGRP", 4, 88, bytes(19)),
    "RSVP of no length": ("RSVP", 4, 46, put(rsvp(4).data, 6, 7)),
    "RSVP is longer than all": ("RSVP", 6, 46, put(rsvp(6).data, 6, 21)),
    "a Mobility Header is longer than all": ("Mobility Header", 6, 135, b"\x3b\1" + mobility().data[2:]),
    "HIP is longer than all": ("HIP", 4, 139, b"\x3b\5" + hip(4).data[2:]),
    "HIP is shorter than its header": ("HIP", 6, 139, b"\x3b\3" + hip(6).data[2:]),
    "shim6 is longer than all": ("shim6", 6, 140, b"\x3b\2" + shim6().data[2:]),
}


def test_headers_that_contradict_themselves(tmp_path):
    frames = [ip(version, number, data) for _, version, number, data in MALFORMED.values()]
    got = found(write(tmp_path / "a", frames))
    for name, (protocol, version, _, _), verdicts in zip(MALFORMED, MALFORMED.values(), got, strict=True):
        assert verdicts == [("IPv4", "good")] * (version == 4) + [(protocol, "unverifiable")], name


def test_where_the_sender_made_none(tmp_path):
    cryptographic = put(ospf2(0).data, 14, 2) + draw.randbytes(16)
    frames = [
        ip(4, 89, cryptographic),
        ip(4, 46, put(rsvp(4).data, 2, 0)),
        ip(6, 46, put(rsvp(6).data, 2, 0)),
    ]
    good = ("IPv4", "good")
    assert found(write(tmp_path / "a", frames)) == [
        [good, ("OSPFv2", "none")],
        [good, ("RSVP", "none")],
        [("RSVP", "none")],
    ]
    # no pseudo-header's sum, which for OSPF over IPv4 there isn't
    assert found(write(tmp_path / "b", [ip(4, 89, put(put(ospf2(0).data, 12, 0xFFFF), 16, 0))])) == [
        [good, ("OSPFv2", "bad")]
    ]


def test_ospf_3_with_a_trailer_is_not_verified(tmp_path):
    """RFC 7166, 4.2: whatever the checksum is, behind a link-local block or not."""
    block = b"\1\2\0\3" + draw.randbytes(8)
    trailer = struct.pack(">HHHHQ", 1, 48, 0, 1, 7) + draw.randbytes(32)
    for behind in (trailer, block + trailer):
        packet = ospf3(behind).data
        for data in (packet, put(packet, 12, 0x1234), put(packet, 12, 0)):
            assert found(write(tmp_path / "a", [ip(6, 89, data)])) == [[("OSPFv3", "none")]]
    # no trailer: of another type, of another length, too short, cut
    for behind in (
        b"\0\2" + trailer[2:],
        trailer + b"\0",
        trailer[:-1],
        b"\0\1\0\4",
        block + trailer[:-4],
        b"\0\0\0\0" + trailer,
        b"\1\2\xff\xff" + trailer,
    ):
        ((verdict,),) = found(write(tmp_path / "b", [ip(6, 89, put(ospf3(behind).data, 12, 0x1234))]))
        assert verdict == ("OSPFv3", "bad"), behind


def test_shim6_payload_is_told_of_and_left(tmp_path):
    data = struct.pack(">BBBBI", 17, 0, 0x80, 0, 7) + udp()[20:]
    report, entries = read(write(tmp_path / "a", [ip(6, 140, data)]))
    assert not entries and list(map(str, report.unknown)) == ["IP protocol 140 (Shim6)"]


def test_each_in_fragments(tmp_path):
    frames, expected = [], []
    for each in MESSAGES:
        if each.version == 4 and len(each.data) > 16:
            identity = len(expected) + 1
            for at, data in ((0, each.data[:16]), (2, each.data[16:])):
                frame = ip(4, each.number, data, at or 0x2000)
                frames.append(checked(put(frame, 4, identity), 10))
            expected.append((each.protocol, "good"))
            expected += each.inside
    got = [each for verdicts in found(write(tmp_path / "a", frames)) for each in verdicts]
    inside = sum(len(each.inside) for each in MESSAGES if each.version == 4)
    assert len(expected) > 20 < inside + 20
    for protocol in {protocol for protocol, _ in expected}:
        here = [verdict for name, verdict in got if name == protocol and name != "IPv4"]
        assert here == [verdict for name, verdict in expected if name == protocol and name != "IPv4"]


# What ICMP errors quote

TYPES = {4: (3, 4, 5, 11, 12), 6: (1, 2, 3, 4)}
ERRORS = [(version, kind) for version in TYPES for kind in TYPES[version]]


def error(version: int, kind: int, quote: bytes, length: int = 0, extension: bytes = b"") -> bytes:
    says = length // 4 if version == 4 else length // 8
    data = bytes((kind, 0, 0, 0, 0, says, 0, 0) if version == 4 else (kind, 0, 0, 0, says, 0, 0, 0))
    data += quote.ljust(length, b"\0") + extension
    number = 1 if version == 4 else 58
    over = pseudo(6, 58, len(data)) if version == 6 else b""
    return ip(version, number, put(data, 2, complement(data, over)))


def quoted(version: int) -> bytes:
    data = struct.pack(">HHHH", 40000, 9, 8 + len(EVEN), 0) + EVEN
    return ip(version, 17, checked(data, 6, pseudo(version, 17, len(data))))


@pytest.mark.parametrize(("version", "kind"), ERRORS)
def test_a_quote_is_counted_apart_and_never_repaired(tmp_path, version, kind):
    whole = quoted(version)
    wrong = whole[:-1] + bytes((whole[-1] ^ 1,))
    outer = [("IPv4", "good"), ("ICMP", "good")] if version == 4 else [("ICMPv6", "good")]
    header = [("IPv4", "good")] * (version == 4)
    for quote, verdicts in (
        (whole, [*header, ("UDP", "good")]),
        (wrong, [*header, ("UDP", "bad")]),
        (wrong[:-1], header),
        (wrong[: len(wrong) - len(EVEN)], header),
        (wrong[:19], []),
    ):
        path = write(tmp_path / "a", [error(version, kind, quote)])
        report, entries = read(path)
        assert [(each.protocol, each.verdict) for each in entries] == outer
        assert dict(report.quoted) == {each: 1 for each in verdicts}
        assert not report.unknown and not report.reasons
        fixed = fix(path, tmp_path / "fixed")
        assert not fixed.fixed and (tmp_path / "fixed").read_bytes() == path.read_bytes()
        assert run("verify", str(path)).returncode == 0 if quote is wrong else True


def test_a_wrong_quote_is_shown_and_is_no_fault(tmp_path):
    wrong = quoted(4)[:-1] + b"?"
    path = write(tmp_path / "a", [error(4, 3, wrong)])
    result = run("verify", str(path))
    assert result.returncode == 0
    (row,) = (line.split() for line in result.stdout.splitlines() if "UDP (quoted)" in line)
    assert row == ["UDP", "(quoted)", "·", "1", "·", "·", "·", "·"]


def test_a_quoted_sum_that_was_left_to_a_card_is_no_fault(tmp_path):
    inner = quoted(4)
    left = put(inner, 26, sum16(inner[12:20] + struct.pack(">HH", 17, len(inner) - 20)))
    result = run("verify", "--strict", str(write(tmp_path / "a", [error(4, 3, left)])))
    assert result.returncode == 0
    (row,) = (line.split() for line in result.stdout.splitlines() if "UDP (quoted)" in line)
    assert row == ["UDP", "(quoted)", "·", "·", "·", "1", "·", "·"]


@pytest.mark.parametrize(("version", "kind"), [(4, 3), (4, 11), (4, 12), (6, 1), (6, 3)])
def test_extensions_behind_a_quote(tmp_path, version, kind):
    outer = [("IPv4", "good")] * (version == 4)
    name = "ICMP" if version == 4 else "ICMPv6"
    mpls = b"\x20\0\0\0" + struct.pack(">HBBI", 8, 1, 1, 16 << 12 | 0x1FF)
    right = put(mpls, 2, complement(mpls))
    # it is longer than what is quoted of it, which the extensions would fill up
    cut = quoted(version)[:-20] if version == 6 else quoted(4)
    for extension, verdict in ((right, "good"), (put(right, 2, 7), "bad"), (mpls, "none")):
        path = write(tmp_path / "a", [error(version, kind, cut, 128, extension)])
        assert found(path) == [[*outer, (name, "good"), ("ICMP extension", verdict)]]
        fix(path, tmp_path / "fixed")
        now = "none" if verdict == "none" else "good"
        assert found(tmp_path / "fixed") == [[*outer, (name, "good"), ("ICMP extension", now)]]
        if verdict == "bad":
            assert error(version, kind, cut, 128, right) in (tmp_path / "fixed").read_bytes()


# tshark


STATUS = {
    "dccp": "dccp.checksum.status",
    "pim": "pim.cksum.status",
    "vrrp": "vrrp.checksum.status",
    "eigrp": "eigrp.checksum.status",
    "hip": "hip.checksum.status",
    "shim6": "shim6.checksum.status",
}


def by_tshark(path, fields) -> list[dict[str, list[str]]]:
    command = ["tshark", "-n", "-r", path, "-T", "fields", "-E", "separator=|"]
    for each in ("ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "dccp.check_checksum:TRUE"):
        command += ["-o", each]
    for each in fields:
        command += ["-e", each]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return [
        dict(zip(fields, (each.split(",") if each else [] for each in line.split("|")), strict=True))
        for line in result.stdout.splitlines()
    ]


@pytest.mark.skipif(not shutil.which("tshark"), reason="tshark is not installed")
def test_tshark_judges_them_alike(tmp_path):
    """As far as it has a status, and sums at all."""
    judged = [each for each in MESSAGES if each.tshark in STATUS]
    assert {each.protocol for each in judged} == {"DCCP", "PIM", "VRRP", "EIGRP", "HIP", "shim6"}
    for spoilt, status in ((False, "1"), (True, "0")):
        frames = [each.frame(damaged(each, each.field) if spoilt else None) for each in judged]
        given = by_tshark(write(tmp_path / "a", frames), list(STATUS.values()))
        for each, statuses in zip(judged, given, strict=True):
            same = statuses[STATUS[each.tshark]][:1] == [status]
            assert same or (each.why_not and not spoilt), (each, statuses)
            assert not same or spoilt or not each.why_not, each
