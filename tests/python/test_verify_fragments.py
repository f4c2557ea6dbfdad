"""Datagrams from fragments: in whatever order, again and again, overlapping, too many, too late, too long."""

import random
import struct

import pytest
from captures import checked, fix, read, write

SOURCE, DESTINATION = bytes((192, 0, 2, 1)), bytes((198, 51, 100, 2))
ENDS = SOURCE + DESTINATION
MISSING, CONTRADICTING, CUT = "fragments missing", "headers that contradict themselves", "not captured whole"


def udp(length: int, seed: int = 1) -> bytes:
    data = struct.pack(">HHHH", 1000, 2000, 8 + length, 0) + random.Random(seed).randbytes(length)
    return checked(data, 6, ENDS + struct.pack(">II", len(data), 17))


def ip(payload: bytes, *, ident: int = 1, at: int = 0, more: bool = False, protocol: int = 17) -> bytes:
    flags = at // 8 | more << 13
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), ident, flags, 64, protocol, 0)
    return checked(head + ENDS, 10) + payload


def parts(data: bytes, size: int, ident: int = 1) -> list[bytes]:
    """Its fragments, of ``size`` bytes each but the last."""
    return [
        ip(data[at : at + size], ident=ident, at=at, more=at + size < len(data))
        for at in range(0, len(data), size)
    ]


@pytest.fixture
def verdicts(tmp_path):
    """Of the UDP datagrams in a capture of these packets: frame, verdict, reason."""

    def find(packets, **how):
        report, entries = read(write(tmp_path / "a.pcap", packets, **how))
        assert report.error is None
        return [(each.frame, each.verdict, each.reason) for each in entries if each.protocol == "UDP"]

    return find


def test_any_order(verdicts):
    fragments = parts(udp(1000), 104)
    for seed in range(20):
        random.Random(seed).shuffle(fragments)
        assert verdicts(fragments) == [(len(fragments), "good", None)]


def test_the_same_again(verdicts):
    fragments = parts(udp(1000), 400)
    assert verdicts([*fragments[:2], *fragments[:2], fragments[2]]) == [(5, "good", None)]
    assert verdicts([*fragments[1:], *fragments[1:], fragments[0]]) == [(5, "good", None)]


def test_one_is_missing(verdicts):
    fragments = parts(udp(1000), 104)
    for missing in range(len(fragments)):
        left = fragments[:missing] + fragments[missing + 1 :]
        assert verdicts(left) == [(1, "unverifiable", MISSING)]


def test_what_differs_is_another(verdicts):
    one, other = parts(udp(1000, 1), 400, ident=1), parts(udp(1000, 2), 400, ident=2)
    mixed = [fragment for pair in zip(one, other, strict=True) for fragment in pair]
    assert verdicts(mixed) == [(5, "good", None), (6, "good", None)]


@pytest.mark.parametrize(
    "case",
    {
        "overlapping": [(0, 400, True), (392, 400, True), (792, 216, False)],
        "the same place, another length": [(0, 400, True), (0, 408, True), (400, 608, False)],
        "another end": [(400, 608, False), (400, 600, False), (0, 400, True)],
        "beyond the end": [(0, 400, True), (800, 208, True), (400, 400, False)],
        "not whole units": [(0, 401, True), (400, 608, False)],
        "nothing": [(0, 0, True), (8, 1000, False)],
    }.items(),
    ids=lambda case: case[0],
)
def test_parts_that_can_not_be(verdicts, case):
    data = udp(1000)
    packets = [ip(data[at : at + size], at=at, more=more) for at, size, more in case[1]]
    assert verdicts(packets) == [(1, "unverifiable", CONTRADICTING)]


def test_the_same_place_with_other_bytes(verdicts):
    first, second = parts(udp(1000), 504)
    changed = first[:100] + bytes([first[100] ^ 1]) + first[101:]
    assert verdicts([first, changed, second]) == [(1, "unverifiable", CONTRADICTING)]


def test_longer_than_a_datagram_may_be(verdicts):
    assert verdicts([ip(bytes(100), at=65528, more=False)]) == [(1, "unverifiable", CONTRADICTING)]
    whole = udp(65535 - 8)
    assert verdicts(parts(whole, 1480)) == [(-(-len(whole) // 1480), "good", None)]


def test_not_captured_whole(verdicts):
    fragments = parts(udp(1000), 400)
    assert verdicts(fragments, cut=100) == [(1, "unverifiable", CUT)]


def test_the_number_comes_round_again(verdicts):
    lost, *_ = parts(udp(1000, 1), 504)
    again = parts(udp(1000, 2), 504)
    assert verdicts([lost, *again], seconds=[0, 61, 61]) == [(1, "unverifiable", MISSING), (3, "good", None)]
    # within the minute they are taken for parts of one
    assert verdicts([lost, *again], seconds=[0, 59, 59]) == [(1, "unverifiable", CONTRADICTING)]


def test_so_many_at_once_that_the_oldest_is_given_up(verdicts):
    pending = [parts(udp(1000, n), 504, ident=n) for n in range(300)]
    firsts, seconds = zip(*pending, strict=True)
    found = verdicts([*firsts, *reversed(seconds)], seconds=[0] * 600)
    good = [frame for frame, verdict, _ in found if verdict == "good"]
    # 300 - 256 were given up before their second half came, which was then given up, too
    assert good == list(range(301, 301 + 256))
    lost = [frame for frame, verdict, reason in found if (verdict, reason) == ("unverifiable", MISSING)]
    assert sorted(lost) == [*range(1, 45), *range(557, 601)]


def test_too_many_parts(verdicts):
    at_once = [0] * 1025
    assert verdicts(parts(udp(8 * 1024 - 8), 8), seconds=at_once) == [(1024, "good", None)]
    assert verdicts(parts(udp(8 * 1025 - 8), 8), seconds=at_once) == [(1, "unverifiable", MISSING)]


def test_one_that_covers_no_checksum_is_left_alone(tmp_path):
    """ESP's fragments are no business of ours."""
    first, second = (ip(bytes(104), at=at, more=not at, protocol=50) for at in (0, 104))
    report, entries = read(write(tmp_path / "a.pcap", [first, second]))
    assert [(entry.protocol, entry.verdict) for entry in entries] == [("IPv4", "good")] * 2
    assert report.without == 0


def test_a_repair_in_an_earlier_frame(tmp_path):
    data = udp(40_000)
    wrong = data[:6] + bytes([data[6] ^ 0x40]) + data[7:]
    right = write(tmp_path / "right", parts(data, 1480))
    report = fix(write(tmp_path / "wrong", parts(wrong, 1480)), tmp_path / "fixed")
    assert (report.verdicts("bad"), report.fixed, report.unfixed) == (1, 1, 0)
    assert (tmp_path / "fixed").read_bytes() == right.read_bytes()


def test_a_repair_of_a_frame_that_came_twice(tmp_path):
    data = udp(1000)
    wrong = data[:6] + bytes([data[6] ^ 0x40]) + data[7:]
    right, (first, *rest) = parts(data, 504), parts(wrong, 504)
    path = write(tmp_path / "wrong", [first, first, *rest])
    assert fix(path, tmp_path / "fixed").fixed == 1
    assert (tmp_path / "fixed").read_bytes() == write(tmp_path / "right", [right[0], *right]).read_bytes()


def test_no_repair_where_a_tunnel_would_turn_bad(tmp_path):
    data = udp(1000)
    wrong = data[:6] + bytes([data[6] ^ 0x40]) + data[7:]
    packets = []
    for part in parts(wrong, 504):
        gre = checked(struct.pack(">HHHH", 0x8000, 0x0800, 0, 0) + part, 4)
        packets.append(ip(gre, protocol=47))
    path = write(tmp_path / "wrong", packets)
    report = fix(path, tmp_path / "fixed")
    assert (report.verdicts("bad"), report.fixed, report.unfixed) == (1, 0, 1)
    assert (tmp_path / "fixed").read_bytes() == path.read_bytes()
