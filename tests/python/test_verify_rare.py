"""What few captures have: any character in a name, interfaces by the thousand, a clock that was not set."""

import csv
import io
import os
import random
import struct

import pytest
from captures import PCAP, SECTION, block, frame, pcap, read
from captures import rows as listed
from carrychain.bindings.capture import VERDICTS
from carrychain.cli.verify_data import Csv
from carrychain.pcap import verify
from command import run
from draws import random_for

FRAME = frame(random.Random(1), 100)
SPOILT = FRAME[:24] + bytes([FRAME[24] ^ 1]) + FRAME[25:]
# all that a name may have, and what CSV gives a meaning to more often
LETTERS = "".join(map(chr, [*range(1, 47), *range(48, 127)])) + "éΩ漢\udcff" + '\n\r,"; ' * 20


def test_a_name_in_csv_is_read_back_as_it_is(tmp_path, monkeypatch):
    draw = random_for("names in CSV")
    names = ["\n", "a\nb", "a\r", '"', ",", " a", "a b"]
    names += ["".join(draw.choices(LETTERS, k=draw.randrange(1, 20))) for _ in range(300)]
    file = io.TextIOWrapper(io.BytesIO())
    printer = Csv(file, ("bad",), None)
    printer.begin()
    capture = tmp_path / "a.pcap"
    capture.write_bytes(pcap(SPOILT) + struct.pack("<IIII", 0, 0, 14, 14) + bytes(12) + b"\x88\xe5")
    for name in names:
        for report, entries, finished in verify([str(capture)]):
            report.name = entries.name = name
            printer.tell(report, entries)
            if finished:
                printer.finish(report)
    text = file.buffer.getvalue().decode(errors="surrogateescape")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["file"] for row in rows] == [name for name in names for _ in range(2)]
    assert [row["verdict"] for row in rows] == ["bad", "not checked"] * len(names)
    # and as a person has it
    monkeypatch.chdir(tmp_path)
    os.rename(capture, 'a\n"b", c.pcap')
    assert [row["file"] for row in listed('a\n"b", c.pcap')] == ['a\n"b", c.pcap'] * 2


def described(number: int, link: int = 1) -> bytes:
    name = f"eth{number}".encode()
    return block(1, struct.pack("<HHIHH", link, 0, 0, 2, len(name)) + name + bytes(-len(name) % 4 + 4))


def enhanced(interface: int, data: bytes = FRAME) -> bytes:
    return block(6, struct.pack("<IIIII", interface, 0, 0, len(data), len(data)) + data)


def test_as_many_interfaces_as_a_merge_of_captures_has(tmp_path):
    capture = tmp_path / "a.pcapng"
    # some of them of IP alone
    links = [101 if number % 3 == 0 else 1 for number in range(1100)]
    data = SECTION + b"".join(map(described, range(1100), links))
    data += b"".join(
        enhanced(number, FRAME[14:] if link == 101 else FRAME) for number, link in enumerate(links)
    )
    capture.write_bytes(data)
    *_, (report, _, _) = verify([str(capture)], by="interface")
    assert (report.error, report.frames, report.without) == (None, 1100, 0)
    assert report.interfaces == {number: f"eth{number}" for number in range(1100)}
    _, entries = read(capture)
    assert [entry.interface for entry in entries] == [n for n in range(1100) for _ in range(2)]
    assert {entry.verdict for entry in entries} == {"good"}


def test_more_interfaces_than_are_kept_are_no_damage(tmp_path):
    capture = tmp_path / "a.pcapng"
    one = block(1, struct.pack("<HHI", 1, 0, 0))
    data = SECTION + one * 65536 + enhanced(65535)
    capture.write_bytes(data + one)
    report, entries = read(capture)
    assert (
        report.error
        == f"not read beyond byte {len(data)}: more than 65,536 interfaces; the frame before was checked"
    )
    assert [entry.interface for entry in entries] == [65535] * 2
    # another section has its own
    capture.write_bytes(data + SECTION + one + enhanced(0))
    report, entries = read(capture)
    assert report.error is None and [entry.interface for entry in entries] == [65535] * 2 + [65536] * 2


def timed(seconds: int, microseconds: int = 1) -> bytes:
    return struct.pack("<IIII", seconds, microseconds, len(FRAME), len(FRAME)) + FRAME


NOW = 1_800_000_000
UNSET = 7


@pytest.mark.parametrize("batch", [1 << 21, 400], ids=["in one batch", "in many"])
def test_one_clock_that_was_not_set_hides_no_others(tmp_path, monkeypatch, batch):
    monkeypatch.setattr("carrychain.pcap.pipeline.BATCH_BYTES", batch)
    capture = tmp_path / "a.pcap"
    frames = [timed(NOW + second) for second in range(60)]
    for number, at in enumerate((0, 30, 60)):
        capture.write_bytes(PCAP + b"".join([*frames[:at], timed(number, UNSET), *frames[at:]]))
        *_, (report, _, _) = verify([str(capture)], VERDICTS.values(), plot=True)
        found = report.histogram
        times = found.times()
        assert (found.unset, found.timeless) == (2, 0)
        assert found.width < 2 * 10**9 and min(times) >= (NOW - 2) * 10**9
        assert sum(counts["good"] for counts in times.values()) == 120
    # alone it is the time that there is
    capture.write_bytes(PCAP + b"".join(timed(second) for second in range(60)))
    *_, (report, _, _) = verify([str(capture)], VERDICTS.values(), plot=True)
    assert report.histogram.unset == 0 and len(report.histogram.times()) > 30


def test_a_drawing_says_what_it_leaves_out(tmp_path):
    pytest.importorskip("matplotlib")
    capture = tmp_path / "a.pcap"
    capture.write_bytes(PCAP + b"".join([timed(0), *(timed(NOW + second) for second in range(60))]))
    plot = tmp_path / "a.svg"
    assert run("verify", str(capture), "--plot", str(plot)).returncode == 0
    # what is drawn as glyphs is a comment, too
    text = plot.read_text()
    assert "2 are from a clock that was not set" in text
    assert "1970" not in text
