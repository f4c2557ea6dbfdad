"""Rotated captures in one process: what is in fragments goes on from one file into the next."""

import json
import random
from collections import Counter

import captures
import pytest
from captures import read
from carrychain.bindings.capture import VERDICTS
from carrychain.pcap import verify
from carrychain.pcap.pipeline import series
from command import run
from draws import random_for
from rotated import START, rotate, stream, write
from test_verify_fragments import parts, udp


def told(names: list[str], begins: dict[str, int]) -> Counter:
    """What is found in captures, by the frame's number in all of them together."""
    found = Counter()
    for _, entries, _ in verify(names, VERDICTS.values()):
        for entry in entries:
            found[begins[entries.name] + entry.frame, *entry[4:]] += 1
    return found


@pytest.mark.parametrize("seed", random_for("test_verify_series").sample(range(1 << 32), 60))
def test_cut_anywhere_it_is_as_if_it_were_not(tmp_path, seed):
    draw = random.Random(seed)
    records = stream(draw, draw.randrange(5, 80))
    cuts = sorted(draw.sample(range(1, len(records)), min(len(records) - 1, draw.randrange(1, 8))))
    names = rotate(tmp_path, records, cuts)
    write(tmp_path / "whole", records)
    whole = str(tmp_path / "whole")
    begins = dict(zip(names, [0, *cuts], strict=True))
    assert told(names, begins) == told([whole], {whole: 0})


def stamped(packets: list[bytes], second: int) -> list[bytes]:
    return [
        (START + second).to_bytes(4, "little") + bytes(4) + 2 * len(p).to_bytes(4, "little") + p
        for p in packets
    ]


def verdicts(names) -> list[tuple]:
    return [
        (report.name, entries.name, entry.frame, entry.verdict)
        for report, entries, _ in verify(list(map(str, names)), VERDICTS.values())
        for entry in entries
        if entry.protocol == "UDP"
    ]


def test_only_where_the_next_file_goes_on(tmp_path):
    fragments = parts(udp(500), 104)
    a, b, other = (tmp_path / name for name in ("a1.pcap", "a2.pcap", "b2.pcap"))
    write(a, stamped(fragments[:3], 0))
    for second, goes_on in ((0, True), (59, True), (61, False), (-5, False)):
        write(b, stamped(fragments[3:], second))
        if goes_on:
            assert verdicts([a, b]) == [(str(b), str(b), len(fragments) - 3, "good")]
        else:
            assert verdicts([a, b]) == [
                (str(a), str(a), 1, "unverifiable"),
                (str(b), str(b), 1, "unverifiable"),
            ]
    write(other, stamped(fragments[3:], 0))
    assert len(verdicts([a, other])) == 2
    write(b, [])
    assert verdicts([a, b]) == [(str(a), str(a), 1, "unverifiable")]


def test_what_began_in_an_earlier_file_is_named_so(tmp_path):
    fragments = parts(udp(500), 104)
    first, second = tmp_path / "a1.pcap", tmp_path / "a2.pcap"
    write(first, stamped(fragments[:2], 0))
    write(second, stamped(fragments[3:], 1))
    asked = ("--list", "unverifiable", first, second)
    rows = captures.rows(*asked)
    assert [(row["file"], row["frame"], row["verdict"]) for row in rows] == [
        (str(first), "1", "unverifiable")
    ]
    lines = [json.loads(line) for line in run("verify", "--json-lines", *asked).stdout.splitlines()]
    assert [(line["type"], line.get("file")) for line in lines] == [
        ("capture", str(first)),
        ("finding", str(first)),
        ("capture", str(second)),
        ("total", None),
    ]
    document = json.loads(run("verify", "--json", *asked).stdout)
    assert [capture["listed"] and capture["listed"][0]["file"] for capture in document["captures"]] == [
        [],
        str(first),
    ]
    assert f"{first}: 1 " in run("verify", *asked).stdout


def test_series():
    for one, next_one in (
        ("d/cap.pcap", "d/cap.pcap1"),
        ("cap_00001_20240101120000.pcapng", "cap_00002_20240101120100.pcapng"),
        ("s3://bucket/eth0-2024-01-01T10.pcap.zst", "s3://bucket/eth0-2024-01-01T11.pcap.zst"),
    ):
        assert series(one) == series(next_one)
    assert series("a/cap1.pcap") != series("b/cap2.pcap")
    assert series("eth.pcap1") != series("wlan.pcap1")


def test_one_capture_is_as_ever(tmp_path):
    path = tmp_path / "a1.pcap"
    write(path, stamped(parts(udp(500), 104)[1:], 0))
    report, entries = read(path)
    assert [(entry.frame, entry.reason) for entry in entries if entry.verdict == "unverifiable"] == [
        (1, "fragments missing")
    ]
    assert report.verdicts("unverifiable") == 1
