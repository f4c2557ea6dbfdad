"""What is told of captures: rows in every form, counts, offload, drawings, records and arrays."""

import itertools
import json
import os
import pickle
import random
import re
import socket
import struct
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import carrychain
import pytest
from captures import (
    DIRECTORY,
    MADE,
    PCAP,
    captured,
    checked,
    frame,
    pcap,
    read,
    record,
    rows,
    spoilt,
    sum16,
    write,
)
from carrychain import pcap as package
from carrychain.bindings.capture import JUDGED, MOST
from carrychain.pcap import by, rows_by, verify
from command import run

each_capture = pytest.mark.parametrize("name", sorted(MADE))


# of no loopback
MACS = bytes.fromhex("020000000001020000000002")


def ended(data: bytes, source: str, destination: str, partial: bool = False) -> bytes:
    """A frame between these; its TCP checksum right, or as left to the card."""
    ends = socket.inet_aton(source) + socket.inet_aton(destination)
    tcp = data[34:]
    pseudo = ends + struct.pack(">HH", 6, len(tcp))
    tcp = checked(tcp, 16, pseudo)
    if partial:
        tcp = tcp[:16] + struct.pack(">H", sum16(pseudo)) + tcp[18:]
    return MACS + data[12:14] + checked(data[14:26] + ends, 10) + tcp


FRAME = frame(random.Random(1), 100)


# Rows


def test_times_are_dates(tmp_path, draw):
    """Every day of four years, ends of months in centuries with and without a leap day, and any second."""
    begin = datetime(1970, 1, 1, tzinfo=UTC)
    days = [*range(4 * 366), *(draw.randrange(49710) for _ in range(500))]
    for year in (2000, 2096, 2100, 2104):
        for month in (1, 2, 3, 12):
            first = (datetime(year, month, 1, tzinfo=UTC) - begin).days
            days += range(first - 1, first + 31)
    seconds = [day * 86400 + draw.randrange(86400) for day in days]
    path = write(tmp_path / "a.pcap", [spoilt(FRAME)[14:]] * len(seconds), seconds=seconds)
    told = [row["time"] for row in rows(str(path))]
    assert told == [f"{begin + timedelta(seconds=each):%Y-%m-%dT%H:%M:%S}.000000000Z" for each in seconds]


def test_all_forms_say_the_same():
    paths = [str(DIRECTORY / name) for name in sorted(MADE)]
    listed = [word for verdict in JUDGED for word in ("--list", verdict)]
    captures = captured(*listed, *paths)
    lines, findings = [], []
    for each in captures:
        found = [{"type": "finding", "file": each["file"]} | row for row in each.pop("listed")]
        lines += [*found, {"type": "capture"} | each]
        findings += found
    assert [each["file"] for each in captures] == paths
    *written, total = map(json.loads, run("verify", "--json-lines", *listed, *paths).stdout.splitlines())
    assert written == lines and total["type"] == "total"
    told = [row for row in rows(*listed, *paths) if row.pop("count") and row["verdict"] != "not checked"]
    assert [{"type": "finding"} | row | {"frame": int(row["frame"])} for row in told] == findings


def addresses(draw: random.Random) -> bytes:
    """Of IPv6, with runs of zeros anywhere."""
    groups = [draw.choice([0, 0, 0, 1, draw.getrandbits(draw.randrange(1, 17)), 0xFFFF]) for _ in range(8)]
    return struct.pack(">8H", *groups)


def test_addresses_are_written_as_everywhere(file, draw):
    some = [
        bytes(16),
        bytes(15) + b"\1",
        bytes(10) + b"\xff\xff\1\2\3\4",
        bytes(12) + b"\1\2\3\4",
        b"\xff" * 16,
    ]
    some += [addresses(draw) for _ in range(3000)]
    # UDP without a checksum
    frames = [
        bytes(12)
        + b"\x86\xdd"
        + struct.pack(">IHBB", 6 << 28, 8, 17, 64)
        + each
        + each
        + b"\0\1\0\2\0\x08\0\0"
        for each in some
    ]
    written = [row["from"] for row in rows(file(pcap(*frames)))]
    assert written == [f"[{socket.inet_ntop(socket.AF_INET6, each)}]:1" for each in some]


# --by


def counted(entries, which: str) -> Counter:
    def end(address, port):
        text = by.address(address)
        return text if port is None else f"[{text}]:{port}" if ":" in text else f"{text}:{port}"

    found = Counter()
    for entry in entries:
        source, destination = entry.ports or (None, None)
        key = {
            "interface": (entry.interface,),
            "host": (entry.interface, by.address(entry.source)),
            "sender": (by.address(entry.source),),
            "conversation": (
                entry.protocol,
                end(entry.source, source),
                end(entry.destination, destination),
            ),
        }[which]
        found[*key, entry.verdict] += 1
    return found


@each_capture
@pytest.mark.parametrize("which", ["conversation", "host", "interface", "sender"])
def test_counts_by_what_was_asked_for(name, which):
    _, entries = read(DIRECTORY / name)
    *_, (report, _, _) = verify([str(DIRECTORY / name)], (), by=which)
    want = Counter()
    for (first, *rest), count in counted(entries, which).items():
        # as it is called
        first = report.interfaces.get(first, str(first)) if isinstance(first, int) else first
        want[first, *rest] += count
    found = {
        (*(row[column] for column in by.COLUMNS[which]), verdict): row[verdict]
        for row in rows_by(report, which, package.VERDICTS)
        for verdict in package.VERDICTS
        if row[verdict]
    }
    assert found == want


def test_counts_by_numbers(file, draw):
    """By VLAN, length and offset: each of TCP's sums, which cover 20 bytes and a payload."""
    lengths = [draw.randrange(200) for _ in range(40)]
    tags = [draw.choice((b"", b"\x81\0\x20\x07", b"\x88\xa8\0\x05\x81\0\0\x09")) for _ in lengths]
    frames = [frame(draw, length) for length in lengths]
    path = file(pcap(*(data[:12] + tag + data[12:] for data, tag in zip(frames, tags, strict=True))))
    vlans = {b"": "none", b"\x81\0\x20\x07": "7", b"\x88\xa8\0\x05\x81\0\0\x09": "5"}
    header = 20
    want = {
        "vlan": [vlans[tag] for tag in tags for _ in range(2)],
        "length4": [str(size % 4) for length in lengths for size in (header, 20 + length)],
        "length64": [str(size % 64) for length in lengths for size in (header, 20 + length)],
        "offset": [str(at + len(tag)) for tag in tags for at in (14, 14 + header)],
    }
    assert want.keys() == by.COLUMNS.keys() - {"conversation", "host", "interface", "link", "sender"}
    for which, values in want.items():
        (document,) = captured("--by", which, path)
        (column,) = by.COLUMNS[which]
        rows = document[f"by_{which}"]
        assert {row[column]: sum(row[verdict] for verdict in JUDGED) for row in rows} == Counter(values)


def test_interfaces_have_their_names():
    (document,) = captured("--by", "interface", str(DIRECTORY / "mixed.pcapng"))
    assert [row["interface"] for row in document["by_interface"]] == ["eth101", "eth276", "eth1"]


def test_more_conversations_than_are_kept(file):
    count = MOST + 1000
    frames = [
        spoilt(ended(FRAME, f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}", "192.0.2.1")) for n in range(count)
    ]
    path = file(pcap(*frames, *frames[:10]))
    (document,) = captured("--by", "conversation", path)
    *rows, others = document["by_conversation"]
    assert len(rows) == MOST
    assert (others["protocol"], others["from"]) == ("all others", "all others")
    assert sum(row["bad"] for row in rows) + others["bad"] == count + 10
    assert sum(row["good"] for row in rows) + others["good"] == count + 10
    assert sum(row["bad"] == 2 for row in rows) == 10
    shown = run("verify", "--by", "conversation", path).stdout
    assert f"… and {MOST + 1 - 20:,} more" in shown
    # in a file a row is a line, however long its addresses
    assert re.search(r"^  TCP +10\.0\.0\.0:\d+ +192\.0\.2\.1:\d+ +· +2 ", shown, re.MULTILINE)


@each_capture
def test_a_report_goes_to_another_process(name):
    *_, (report, _, _) = verify([str(DIRECTORY / name)], (), by="conversation", plot=True)
    there = pickle.loads(pickle.dumps(report))
    assert rows_by(there, "conversation") == rows_by(report, "conversation") != []
    assert list(there.wrong) == list(report.wrong) and there.tally.others == report.tally.others
    assert there.histogram.times() == report.histogram.times()
    assert there.histogram.lengths() == report.histogram.lengths() != {}
    assert there.counts == report.counts


# Offload


def test_deferred_sums_of_a_sender(file):
    out = [ended(FRAME, "192.0.2.1", "192.0.2.9", partial=True)] * 7
    back = [ended(FRAME, "192.0.2.9", "192.0.2.1")] * 5
    path = file(pcap(*out, *back))
    result = run("verify", path)
    assert result.returncode == 0
    (line,) = (line for line in result.stdout.splitlines() if " deferred, " in line)
    assert line == "  7 deferred, all from 192.0.2.1 (no right sum of its sender nearby): no corruption"
    # told apart from what came over the wire
    result = run("verify", file(pcap(*out, *back, spoilt(back[0]))))
    assert result.returncode == 1
    assert line in result.stdout.splitlines()
    assert "  1 bad not explained by offload, all from 192.0.2.9" in result.stdout.splitlines()
    # an IPv4 header left to the card
    zero = out[0][:24] + b"\0\0" + out[0][26:]
    result = run("verify", file(pcap(*out, zero)))
    assert result.returncode == 0
    assert "  9 deferred, all from 192.0.2.1 (" in result.stdout
    assert "no offload explains" not in result.stdout


def test_deferred_sums_between_two_of_one_machine(file):
    there, back = (
        ended(FRAME, *ends, partial=True) for ends in (("192.0.2.1", "192.0.2.9"), ("192.0.2.9", "192.0.2.1"))
    )
    path = file(pcap(there, there, back))
    shown = run("verify", path).stdout
    assert "  3 deferred, from 192.0.2.1 (2) and 192.0.2.9 (1) (both ends defer): no corruption" in shown
    (document,) = captured(path)
    assert document["evidence"] == [
        {"verdict": "deferred", "protocol": "TCP", "interface": "0", "from": sender, "count": count}
        | {"evidence": "both ends defer"}
        for sender, count in (("192.0.2.1", 2), ("192.0.2.9", 1))
    ]


# Over time and length

SET = 315_532_800 * 10**6


def timed(data: bytes, time: int) -> bytes:
    return struct.pack("<IIII", time // 10**6, time % 10**6, len(data), len(data)) + data


@pytest.mark.parametrize(
    "order", [sorted, lambda times: sorted(times, reverse=True), list], ids=["sorted", "reversed", "as drawn"]
)
def test_a_histogram_loses_nothing(file, draw, monkeypatch, order):
    # many small batches, which are to be added
    monkeypatch.setattr("carrychain.pcap.pipeline.BATCH_BYTES", 5000)
    span = draw.choice([1, 10**4, 10**8, 10**12])
    # the first of 1980 before which no clock was set, too
    begin = draw.choice([draw.randrange(1, 2**31 * 10**6), max(1, SET - draw.randrange(2 * span))])
    times = order([min(begin + draw.randrange(span), 2**32 * 10**6 - 1) for _ in range(2000)])
    frames = [frame(draw, draw.choice([0, 30, 1000])) for _ in times]
    frames = [spoilt(each) if draw.random() < 0.1 else each for each in frames]
    data = PCAP + b"".join(map(timed, frames, times)) + timed(FRAME, 0)
    *_, (report, entries, _) = verify([file(data)], package.VERDICTS, plot=True)
    found = report.histogram
    assert found.timeless == 2
    assert len(found.times()) <= 512
    # no wider than it has to be, but for the narrowest
    assert len(found.times()) > 128 or found.width == 1 << 16
    want, lengths = Counter(), Counter()
    _, entries = read(file(data))
    clock = max(entry.time for entry in entries) >= SET * 1000
    assert found.unset == sum(0 < entry.time < SET * 1000 for entry in entries) * clock
    for entry in entries:
        if entry.time and (entry.time >= SET * 1000 or not clock):
            want[entry.time // found.width * found.width, entry.verdict] += 1
        lengths[1 << (entry.length.bit_length() - 1), entry.verdict] += 1
    for bins, which in ((found.times(), want), (found.lengths(), lengths)):
        told = {(at, verdict): n for at, counts in bins.items() for verdict, n in counts.items() if n}
        assert told == which


def test_a_drawing(file, tmp_path):
    verify_plot = pytest.importorskip("carrychain.cli.verify_plot")
    path = file(pcap(FRAME, spoilt(FRAME)))
    result = run("verify", path, "--plot", str(tmp_path / "a.svg"))
    assert (result.returncode, result.stderr) == (1, "")
    assert run("verify", path, "--plot", str(tmp_path / "a.jpg")).stderr.startswith(
        "carrychain verify: --plot writes .svg or .png, not "
    )
    assert not (tmp_path / "a.jpg").exists()
    for data in (pcap(FRAME, FRAME), PCAP, PCAP + timed(FRAME, 0), pcap(FRAME, spoilt(FRAME))):
        *_, (report, _, _) = verify([file(data)], (), plot=True)
        for name, begins in (("b.svg", b"<?xml"), ("b.PNG", b"\x89PNG")):
            verify_plot.draw(report.histogram, path, str(tmp_path / name))
            assert (tmp_path / name).read_bytes().startswith(begins)
    # the same drawing gives the same bytes
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


# For Python


@each_capture
def test_frames(name):
    report, entries = read(DIRECTORY / name)
    frames = list(carrychain.verify(DIRECTORY / name))
    # behind all: those that stay in fragments
    late = frames[report.frames :]
    assert [each.number for each in frames[: report.frames]] == list(range(1, report.frames + 1))
    assert [each.number for each in late] == ([29] if name == "fragments.pcap" else [])
    frames.sort(key=lambda each: each.number)
    entries.sort(key=lambda entry: entry.frame)
    layers = [(each, layer) for each in frames for layer in each.layers]
    assert len(layers) == len(entries)
    for (each, layer), entry in zip(layers, entries, strict=True):
        assert (each.number, each.time, each.length) == (entry.frame, entry.time, entry.length)
        assert layer[:3] == entry[4:7]
        assert layer.source == (entry.source and ip_address(entry.source))
        assert layer.destination == (entry.destination and ip_address(entry.destination))
        assert (layer.source_port, layer.destination_port) == (entry.ports or (None, None))
        assert layer.expected == (None if entry.verdict in ("none", "unverifiable") else entry.expected)
        assert bool(layer.causes) == bool(entry.causes)
        assert layer.found == (entry.found if entry.verdict != "unverifiable" else None)
    assert [each.number for each in frames if each.bad] == sorted(
        {entry.frame for entry in entries if entry.verdict == "bad"}
    )


def test_a_datagram_that_stays_in_fragments_comes_late(file, monkeypatch):
    monkeypatch.setattr("carrychain.pcap.pipeline.BATCH_BYTES", 64)
    first = FRAME[:20] + b"\x20\0" + FRAME[22:]
    first = first[:14] + checked(first[14:34], 10) + first[34:]
    first = first[:16] + struct.pack(">H", 20 + 96) + first[18:34] + first[34:130]
    first = first[:14] + checked(first[14:34], 10) + first[34:]
    frames = list(carrychain.verify(file(pcap(first, FRAME, FRAME))))
    assert [each.number for each in frames] == [1, 2, 3, 1]
    assert [layer.verdict for layer in frames[-1].layers] == ["unverifiable"]
    assert frames[-1][1:3] == frames[0][1:3]


@each_capture
def test_arrays(name):
    numpy = pytest.importorskip("numpy")
    _, entries = read(DIRECTORY / name)
    for verdicts in ((), ("bad",), ("partial", "none")):
        want = [entry for entry in entries if not verdicts or entry.verdict in verdicts]
        arrays = list(carrychain.verify(DIRECTORY / name).arrays(*verdicts))
        assert sum(map(len, arrays)) == len(want)
        if not want:
            continue
        found = numpy.concatenate(arrays)
        for field in ("frame", "time", "length", "interface", "expected", "found", "width"):
            assert found[field].tolist() == [getattr(entry, field) for entry in want]
        assert [package.PROTOCOLS[n] for n in found["protocol"]] == [entry.protocol for entry in want]
        assert [package.VERDICTS[n] for n in found["verdict"]] == [entry.verdict for entry in want]
        for row, entry in zip(found, want, strict=True):
            size = {0: 0, 4: 4, 6: 16}[row["family"]]
            assert (row["source"].tobytes()[:size] or None) == entry.source
            assert (row["destination"].tobytes()[:size] or None) == entry.destination
    with pytest.raises(ValueError, match="there is no verdict 'worse'"):
        list(carrychain.verify(DIRECTORY / name).arrays("worse"))


def test_one_frame_is_as_in_a_file(file):
    for data in (FRAME, spoilt(FRAME), ended(FRAME, "192.0.2.1", "192.0.2.2", partial=True), b"", bytes(60)):
        (found,) = carrychain.verify(file(pcap(data)))
        for buffer in (data, bytearray(data), memoryview(data)):
            assert carrychain.verify_frame(buffer) == found.layers
    assert carrychain.verify_frame(FRAME[14:], 101) == carrychain.verify_frame(FRAME)
    cut = carrychain.verify_frame(FRAME[:80], length=len(FRAME))
    assert [layer.verdict for layer in cut] == ["good", "unverifiable"]
    assert cut[1].reason == "not captured whole"
    with pytest.raises(ValueError, match="154 bytes can't have been 5"):
        carrychain.verify_frame(FRAME, length=5)
    with pytest.raises(TypeError, match="needs a buffer, such as bytes, not str"):
        carrychain.verify_frame("text")


def test_what_scapy_builds():
    scapy = pytest.importorskip("scapy.all")
    packet = scapy.Ether() / scapy.IP(dst="192.0.2.7") / scapy.UDP(sport=5, dport=9) / b"data"
    assert [layer[:2] for layer in carrychain.verify_frame(bytes(packet))] == [
        ("IPv4", "good"),
        ("UDP", "good"),
    ]
    packet[scapy.UDP].chksum = 5
    assert carrychain.verify_frame(bytes(packet))[1].verdict == "bad"


def test_what_can_not_be_read_raises(file, tmp_path):
    with pytest.raises(package.CaptureError, match="No such file"):
        next(iter(carrychain.verify(tmp_path / "none")))
    frames = iter(carrychain.verify(file(pcap(FRAME, FRAME)[:-1])))
    assert next(frames).number == 1
    with pytest.raises(OSError, match="cut short; the frame before was checked"):
        next(frames)


def test_frames_come_as_they_are_asked_for(file):
    """A capture of no end."""
    endless = carrychain.verify(file(PCAP + record(FRAME) * 100_000))
    assert [each.number for each in itertools.islice(endless, 3)] == [1, 2, 3]
    assert len(list(itertools.islice(endless, 5))) == 5


# The examples

EXAMPLES = DIRECTORY.parents[2] / "examples"


@each_capture
def test_the_example_in_c(name):
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    done = subprocess.run([f"{build}/tests/c/verify", DIRECTORY / name], capture_output=True, text=True)
    found = list(map(str.split, done.stdout.splitlines()))
    made = [[str(number), *each] for number, some in enumerate(MADE[name], 1) for each in some]
    # which puts no fragments together
    if name != "fragments.pcap":
        # protocols' names may have spaces
        assert [" ".join(each) for each in found] == [" ".join(each) for each in made]
    assert done.returncode == any(each[-1] == "bad" for each in found)


def test_the_example_in_c_of_no_capture(file):
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    for path in (file(b"no capture"), file(b""), "/nonexistent"):
        assert subprocess.run([f"{build}/tests/c/verify", path]).returncode == 2


def test_the_example_in_python():
    name = "transports.pcap"
    done = subprocess.run(
        [sys.executable, EXAMPLES / "verify.py", DIRECTORY / name], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "\t".join([str(number), *map(" ".join, some)]) for number, some in enumerate(MADE[name], 1)
    ]
