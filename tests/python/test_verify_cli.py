"""carrychain verify as a person has it: what it prints, how it ends, and bad input."""

import csv
import gzip
import io
import json
import os
import random
import re
import signal
import struct
import subprocess
from collections import Counter

import pytest
from captures import (
    DIRECTORY,
    MADE,
    PCAP,
    SECTION,
    block,
    captured,
    checked,
    frame,
    pcap,
    record,
    rows,
    spoilt,
    sum16,
)
from carrychain.cli.completion import FILE
from command import complaint, piped, run, shown, start, start_on_terminal
from events import drained, until

FRAMES = [frame(random.Random(n), 100) for n in range(3)]
GOOD = pcap(*FRAMES)
BAD = pcap(FRAMES[0], spoilt(FRAMES[1]), FRAMES[2])


# What it says


def test_all_good(file):
    result = run("verify", file(GOOD))
    assert (result.returncode, result.stderr) == (0, "")
    assert "a.pcap: pcap, 3 frames\n" in result.stdout
    assert "TCP" in result.stdout and "bad  " not in result.stdout.replace("good    bad  ", "")


def test_a_bad_one(file):
    result = run("verify", file(BAD))
    assert (result.returncode, result.stderr) == (1, "")
    (line,) = (line for line in result.stdout.splitlines() if line.startswith("  bad "))
    (right,), (wrong,) = (
        struct.unpack_from(">H", FRAMES[1], 50),
        struct.unpack_from(">H", BAD, 24 + 170 + 16 + 50),
    )
    ends = [".".join(map(str, FRAMES[1][at : at + 4])) for at in (26, 30)]
    assert line.split() == [
        "bad",
        "2",
        "2023-11-14T22:13:20.000001000Z",
        "TCP",
        f"{ends[0]}:40000",
        f"{ends[1]}:80",
        f"0x{right:04x}",
        f"0x{wrong:04x}",
    ]


def test_so_many_bad_ones_that_a_person_would_not_read_them(file):
    path = file(pcap(*(spoilt(FRAMES[0]) for _ in range(2500))))
    result = run("verify", path)
    assert result.returncode == 1
    assert sum(line.startswith("  bad ") for line in result.stdout.splitlines()) == 100
    assert "and 2,400 more bad ones: --json and --csv list them all" in result.stdout
    assert len(captured(path)[0]["bad"]) == 2500
    assert run("verify", "--csv", path).stdout.count("\n") == 2501


def test_json():
    names = [str(DIRECTORY / name) for name in ("transports.pcap", "raw.pcap")]
    result = run("verify", "--json", *names)
    assert (result.returncode, result.stderr) == (1, "")
    first, second = json.loads(result.stdout)["captures"]
    assert [first["file"], second["file"]] == names
    assert first["format"] == "pcap" and first["frames"] == len(MADE["transports.pcap"])
    assert first["errors"] == [] and first["fixed"] == 0
    made = [verdict for verdicts in MADE["transports.pcap"] for verdict in verdicts]
    for counts in first["counts"].values():
        counts["partial"] = counts["deferred"] + counts["unfinished"]
    for protocol, verdict in map(tuple, made):
        assert first["counts"][protocol][verdict] == made.count([protocol, verdict])
    assert sum(each["verdict"] == "bad" for each in first["bad"]) == sum(
        verdict == "bad" for _, verdict in made
    )
    assert first["unverifiable"] == {"headers that contradict themselves": 2}
    bad = next(each for each in first["bad"] if each["protocol"] == "SCTP")
    assert bad["found"] == "0x12345678"
    v6 = next(each for each in first["bad"] if each["from"][0] == "[" and each["protocol"] == "TCP")
    assert (v6["from"], v6["to"]) == ("[2001:db8::1]:40000", "[2001:db8::b:2]:80")


CSV_HEAD = "file,frame,time,protocol,from,to,expected,found,verdict,reason,count"


def test_csv(file):
    found = rows(str(DIRECTORY / "mixed.pcapng"), file(BAD))
    assert list(found[0]) == CSV_HEAD.split(",")
    assert [row["frame"] for row in found] == ["5", "6", "7", "15", "17", "18", "19", "22", "25", "2"]
    # microseconds, nanoseconds, and 2^-20 s on from an offset
    assert [row["time"][-11:] for row in found[:3]] == [".123457000Z", ".123456790Z", ".011774063Z"]


def test_csv_of_nothing_bad_is_its_head(file):
    result = run("verify", "--csv", file(GOOD))
    assert (result.returncode, result.stdout) == (0, CSV_HEAD + "\n")


def test_one_form_at_a_time(file):
    for arguments in (("--json", "--csv"), ("--csv", "--json")):
        said = complaint(run("verify", *arguments, file(GOOD)), 2)
        assert said == "carrychain verify: --json and --csv exclude each other: give only one of them"


# What is not understood: frames, what each is counted as, and the rest of them without a checksum at all
STRANGE = [
    *(
        (bytes(12) + struct.pack(">H", kind) + bytes(50), f"EtherType 0x{kind:04x}{name}")
        for kind, name in ((0x88A2, " (ATA over Ethernet)"), (0x1234, ""))
    ),
    (bytes(12) + b"\0\x32" + b"\xaa\xaa\3\0\0\x0c" + bytes(50), "SNAP organization 0x00000c (Cisco)"),
    (bytes(12) + b"\0\x32" + b"\x12\x34\3" + bytes(50), "LLC SAP 0x12"),
    (bytes(10), "header cut short"),
    (bytes(12) + b"\x88\x47" + b"\0\0\1\0" + bytes(46), "pseudowire"),
    *(
        (
            bytes(12) + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, 50, number, 64) + bytes(82),
            f"IP protocol {number}{name}",
        )
        for number, name in ((1, ""), (50, " (ESP)"), (253, ""))
    ),
    (
        bytes(12)
        + b"\x86\xdd"
        + struct.pack(">IHBBQQQQ", 6 << 28, 50, 47, 64, 0, 0, 0, 0)
        + b"\0\1"
        + bytes(48),
        "GRE flags 0x0001",
    ),
]
WITHOUT = [
    *(bytes(12) + struct.pack(">H", kind) + bytes(50) for kind in (0x0806, 0x88CC, 0x8809)),
    bytes(12) + b"\0\x26\x42\x42\3" + bytes(50),
    bytes(12) + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, 0, 59, 64) + bytes(32),
]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_not_understood_is_counted_in_every_form(file, seed):
    draw = random.Random(seed)
    frames = [
        draw.choice((*STRANGE, *((each, None) for each in WITHOUT), (FRAMES[0], None))) for _ in range(500)
    ]
    want = Counter(what for _, what in frames if what)
    path = file(pcap(*(data for data, _ in frames)))
    result = run("verify", path)
    assert (result.returncode, result.stderr) == (0, "")
    lines = re.findall(r"^  (\d+) not checked: (.*)$", result.stdout, re.MULTILINE)
    assert {what: int(count) for count, what in lines} == want
    result = run("verify", "--json", path)
    assert (result.returncode, json.loads(result.stdout)["captures"][0]["not_checked"]) == (0, want)
    result = run("verify", "--csv", path)
    rows = [row for row in csv.DictReader(io.StringIO(result.stdout)) if row["verdict"] == "not checked"]
    assert (result.returncode, {row["protocol"]: int(row["count"]) for row in rows}) == (0, want)
    for form in ((), ("--json",), ("--csv",)):
        assert run("verify", "--strict", *form, path).returncode == 3


def test_strict(file):
    assert run("verify", "--strict", file(pcap(*FRAMES, *WITHOUT))).returncode == 0
    assert run("verify", "--strict", str(DIRECTORY / "snapshot.pcap")).returncode == 3
    for data, what in STRANGE:
        assert run("verify", "--strict", file(pcap(*FRAMES, data))).returncode == 3, what
    # corruption comes first, and trouble before that
    assert run("verify", "--strict", file(pcap(spoilt(FRAMES[0]), STRANGE[0][0]))).returncode == 1
    assert run("verify", "--strict", file(pcap(spoilt(FRAMES[0]), STRANGE[0][0])[:-1])).returncode == 2


def test_what_is_only_likely_can_be_left_alone(file):
    inner = spoilt(FRAMES[0])
    udp = struct.pack(">HHHH", 50000, 4789, 16 + len(inner), 0) + b"\x08" + bytes(7) + inner
    ip = struct.pack(">BBHHHBBHQ", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, 0)
    path = file(pcap(bytes(12) + b"\x08\0" + checked(ip, 10) + udp))
    for options, counts in (
        ((), {"TCP": 1, "UDP": 1, "IPv4": 2}),
        (("--no-heuristics",), {"UDP": 1, "IPv4": 1}),
    ):
        result = run("verify", "--json", *options, path)
        found = json.loads(result.stdout)["captures"][0]["counts"]
        assert {protocol: sum(each.values()) for protocol, each in found.items()} == counts
        assert result.returncode == ("TCP" in counts)


def test_other_verdicts_can_be_listed(file):
    # a sum left to a network card is the one or the other
    left = ("deferred", "unfinished")
    for name in ("transports.pcap", "contradicting.pcap"):
        path = str(DIRECTORY / name)
        made = [(number, *each) for number, some in enumerate(MADE[name], 1) for each in some]
        for verdicts in (left, ["unverifiable"], ["bad", *left, "none", "unverifiable"]):
            options = [word for verdict in verdicts for word in ("--list", verdict)]
            names = {*verdicts, "partial"} if set(verdicts) >= set(left) else verdicts
            want = [each for each in made if each[2] in names]

            def told(row):
                return (
                    int(row["frame"]),
                    row["protocol"],
                    "partial" if row["verdict"] in left else row["verdict"],
                )

            assert list(map(told, rows(*options, path))) == want
            listed = captured(*options, path)[0]["listed"]
            assert list(map(told, listed)) == want
            assert all(bool(row["reason"]) == (row["verdict"] in ("unverifiable", *left)) for row in listed)
            shown = run("verify", *options, path).stdout
            found = re.findall(
                r"^  (bad|deferred|unfinished|none|unverifiable) +(\d+)  ",
                shown.split(" frame  ")[-1],
                re.MULTILINE,
            )
            assert [("partial" if verdict in left else verdict, n) for verdict, n in found] == [
                (verdict, str(number)) for number, _, verdict in want
            ]


def test_lines_fit_a_terminal(file):
    """As wide as it says it is; in a file they stay whole."""
    path = str(DIRECTORY / "transports.pcap")
    for columns in (60, 80, 200):
        environment = {"COLUMNS": str(columns), "TERM": "dumb"}
        options = ("verify", "--list", "bad", "--list", "unverifiable")
        process, terminal = start_on_terminal(*options, path, streams=("stdout",), env=environment)
        seen = shown(terminal).decode()
        os.close(terminal)
        assert process.wait() == 1
        lines = seen.splitlines()
        assert "0x12345678" in seen
        assert max(map(len, lines)) <= columns or columns == 60, max(lines, key=len)


def test_partial_is_no_reason_to_fail(tmp_path):
    result = run("verify", str(DIRECTORY / "snapshot.pcap"))
    assert result.returncode == 0
    assert "2 unverifiable: not captured whole" in result.stdout


def test_the_standard_input(file):
    with open(file(BAD), "rb") as opened:
        assert run("verify", "-", stdin=opened).returncode == 1
    result = piped("verify", "-", input=GOOD)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b"-: pcap, 3 frames\n")


def test_a_named_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    process = start("verify", str(tmp_path / "pipe"), stdout=subprocess.PIPE)
    (tmp_path / "pipe").write_bytes(BAD)
    assert b"3 frames" in process.communicate()[0]
    assert process.returncode == 1


# --fix


def test_fix(file, tmp_path):
    result = run("verify", "--fix", str(tmp_path / "out"), file(BAD))
    assert result.returncode == 1
    assert "1 checksum repaired" in result.stdout
    assert (tmp_path / "out").read_bytes() == GOOD
    assert run("verify", str(tmp_path / "out")).returncode == 0
    assert (tmp_path / "a.pcap").read_bytes() == BAD


def test_fix_fills_what_was_left_to_the_network_card(tmp_path):
    for name in ("cooked2.pcap", "mixed.pcapng"):
        run("verify", "--fix", str(tmp_path / name), str(DIRECTORY / name))
        counts = captured(str(tmp_path / name))[0]["counts"]
        assert (
            counts["TCP"]["deferred"] == counts["TCP"]["unfinished"] == 0 == counts["TCP"]["bad"]
            and counts["TCP"]["good"]
        )


def test_fix_from_a_pipe(tmp_path):
    assert piped("verify", "-", "--fix", tmp_path / "out", input=BAD).returncode == 1
    assert (tmp_path / "out").read_bytes() == GOOD


def test_fix_to_the_standard_output(file, tmp_path):
    path = file(BAD)
    for form in ((), ("--json",), ("--csv",)):
        result = piped("verify", *form, "--fix", "-", path, cwd=tmp_path)
        assert (result.returncode, result.stdout) == (1, GOOD)
        # what is else said of it
        whole = run("verify", *form, "--fix", str(tmp_path / "out"), path).stdout
        assert result.stderr.decode() == whole
        os.unlink(tmp_path / "out")
    # a frame that came long before, and to where no one can go back
    path = str(DIRECTORY / "fragments.pcap")
    run("verify", "--fix", str(tmp_path / "out"), path)
    given = (DIRECTORY / "fragments.pcap").read_bytes()
    result = piped("verify", "--fix", "-", "-", input=given)
    assert result.stdout == (tmp_path / "out").read_bytes() != given
    assert sorted(os.listdir(tmp_path)) == ["a.pcap", "out"]


def test_fix_to_the_standard_output_that_can_not_be(file, tmp_path):
    path = file(BAD)
    process, terminal = start_on_terminal(
        "verify", "--fix", "-", path, streams=("stdout",), stderr=subprocess.PIPE
    )
    assert b"which is a terminal" in process.communicate()[1] and process.returncode == 2
    os.close(terminal)
    with open("/dev/full", "wb") as full:
        result = run("verify", "--fix", "-", path, stdout=full)
    assert result.returncode == 2
    assert (
        result.stderr.splitlines()[-1] == "carrychain: can't write 'standard output': No space left on device"
    )
    with open(path, "r+b") as same:
        result = run("verify", "--fix", "-", path, stdout=same)
    assert result.returncode == 2 and "never overwrites its input" in result.stderr
    assert (tmp_path / "a.pcap").read_bytes() == BAD
    nothing = run("verify", "--fix", "-", file(b"no capture", "b"))
    assert (nothing.returncode, nothing.stdout) == (2, "")


def test_a_report_that_can_not_be_written(file):
    path = file(BAD)
    for form in ((), ("--json",), ("--csv",)):
        with open("/dev/full", "wb") as full:
            assert run("verify", *form, path, stdout=full).returncode == 2


def test_fix_keeps_what_it_can_not_read(file, tmp_path):
    damaged = BAD + struct.pack("<IIII", 0, 0, 2**31, 2**31) + b"whatever" * 100_000
    result = run("verify", "--fix", str(tmp_path / "out"), file(damaged))
    assert result.returncode == 2
    assert (tmp_path / "out").read_bytes() == GOOD + damaged[len(BAD) :]


@pytest.mark.parametrize("way", ["name", "symlink", "hardlink", "stdin"])
def test_fix_never_overwrites_its_input(file, tmp_path, way):
    path, other = file(BAD), tmp_path / "other"
    source, to = path, str(other)
    if way == "symlink":
        other.symlink_to(path)
    elif way == "hardlink":
        other.hardlink_to(path)
    else:
        to = path
    if way == "stdin":
        source = "-"
    with open(path, "rb") as opened:
        said = complaint(run("verify", "--fix", to, source, stdin=opened), 2)
    assert said == f"carrychain verify: --fix never overwrites its input {to!r}: give a new name"
    assert (tmp_path / "a.pcap").read_bytes() == BAD
    assert len(list(tmp_path.iterdir())) == 1 + (other.exists())


@pytest.mark.parametrize("spelling", ["{}/", "{}/../missing/../a.pcap"])
def test_fix_never_overwrites_its_input_by_another_spelling(file, tmp_path, spelling):
    path = file(BAD)
    to = spelling.format(path)
    assert to in complaint(run("verify", "--fix", to, path), 2)
    assert (tmp_path / "a.pcap").read_bytes() == BAD
    assert list(tmp_path.iterdir()) == [tmp_path / "a.pcap"]


def test_a_name_does_not_steer_the_terminal(file):
    path = file(BAD, "a\x1b[2J\nb")
    result = run("verify", path)
    assert "\x1b" not in result.stdout and "a\\x1b[2J b" in result.stdout.splitlines()[0]
    assert complaint(run("verify", path + "c"), 2).endswith("a\\x1b[2J bc: No such file or directory")


def test_fix_takes_one_capture(file, tmp_path):
    said = complaint(run("verify", "--fix", str(tmp_path / "out"), file(BAD), file(GOOD, "b")), 2)
    assert said == "carrychain verify: --fix takes one capture, not 2"


def test_fix_writes_nothing_if_there_is_nothing_to_read(file, tmp_path):
    path = file(b"no capture at all")
    for form in ((), ("--json",), ("--csv",)):
        assert run("verify", *form, "--fix", str(tmp_path / "out"), path).returncode == 2
        assert list(tmp_path.iterdir()) == [tmp_path / "a.pcap"]


@pytest.mark.parametrize(
    ("to", "status", "what"),
    [
        (".", 2, "carrychain verify: --fix writes to a regular file; '.' is not one"),
        ("/dev/null", 2, "carrychain verify: --fix writes to a regular file; '/dev/null' is not one"),
        ("/no/such/place", 2, "carrychain: can't write '/no/such/place': No such file or directory"),
        ("", 2, "carrychain: can't write '': No such file or directory"),
    ],
)
def test_fix_to_where_it_can_not(file, to, status, what):
    assert complaint(run("verify", "--fix", to, file(BAD)), status) == what


# Bad input


INTERFACE = block(1, struct.pack("<HHI", 1, 0, 0))
FOREIGN = "not a capture: neither pcap nor pcapng"

UNREADABLE = {
    "empty": (b"", "empty"),
    "three bytes": (b"\xd4\xc3\xb2", FOREIGN),
    "text": (b"12:00:01 IP a > b: Flags [S]\n" * 9, FOREIGN),
    "half a header": (GOOD[:20], FOREIGN),
    "gzip twice": (gzip.compress(gzip.compress(GOOD)), FOREIGN),
    "version": (
        struct.pack("<IHHiIII", 0xA1B2C3D4, 543, 0, 0, 0, 65535, 1), "unsupported format version 543",
    ),
    "pcapng's version": (
        block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 9, 0, -1)), "unsupported format version 9",
    ),
    "pcapng's order": (block(0x0A0D0D0A, bytes(16)), FOREIGN),
}  # fmt: skip


@pytest.mark.parametrize("case", UNREADABLE)
def test_unreadable(file, case):
    data, what = UNREADABLE[case]
    path = file(data)
    assert complaint(run("verify", path), 2) == f"carrychain: {path}: {what}"


SPLIT = len(PCAP) + len(record(FRAMES[0]))
DAMAGED = {
    "cut in a packet": (
        GOOD[:-1],
        2, f"damaged at byte {SPLIT + 170}: cut short; the 2 frames before were checked",
    ),
    "cut in a header": (
        GOOD[: SPLIT + 7],
        1, f"damaged at byte {SPLIT}: cut short; the frame before was checked",
    ),
    "a length of 2^31": (
        GOOD[:SPLIT] + struct.pack("<IIII", 0, 0, 2**31, 2**31) + bytes(1000),
        1, f"damaged at byte {SPLIT}: invalid length {2**31}; the frame before was checked",
    ),
    "a block of 2^31": (
        SECTION + struct.pack("<II", 6, 2**31) + bytes(1000),
        0, f"damaged at byte 28: invalid length {2**31}; no frame comes before",
    ),
    "a block of 0": (
        SECTION + INTERFACE + struct.pack("<II", 6, 0) + bytes(100),
        0, "damaged at byte 48: invalid length 0; no frame comes before",
    ),
    "a packet longer than its block": (
        SECTION + INTERFACE + block(6, struct.pack("<IIIII", 0, 0, 0, 5, 5) + bytes(4)),
        0, "damaged at byte 48: invalid length 5; no frame comes before",
    ),
    "no such interface": (
        SECTION + INTERFACE + block(6, struct.pack("<IIIII", 7, 0, 0, 4, 4) + bytes(4)),
        0, "damaged at byte 48: interface 7 was never described; no frame comes before",
    ),
    "another length behind": (
        SECTION + INTERFACE[:-4] + struct.pack("<I", 24),
        0, "damaged at byte 28: invalid length 24; no frame comes before",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged(file, case):
    data, frames, what = DAMAGED[case]
    path = file(data)
    result = run("verify", path)
    assert (result.returncode, result.stderr) == (2, f"carrychain: {path}: {what}\n")
    assert f", {frames} frame{'s' * (frames != 1)}\n" in result.stdout
    (capture,) = captured(path)
    assert (capture["frames"], capture["errors"]) == (frames, [what])
    assert sum(counts["good"] for counts in capture["counts"].values()) == 2 * frames


def test_an_empty_directory_and_what_is_not_there(tmp_path):
    said = complaint(run("verify", str(tmp_path)), 2)
    assert said == f"carrychain: {tmp_path}: no capture in this directory"
    missing = f"{tmp_path}/missing"
    assert complaint(run("verify", missing), 2) == f"carrychain: {missing}: No such file or directory"
    assert complaint(run("verify", ""), 2) == "carrychain: : No such file or directory"


def test_one_that_may_not_be_read(file):
    path = file(GOOD)
    os.chmod(path, 0)
    if os.access(path, os.R_OK):
        pytest.skip("root may read whatever it is told not to")
    assert complaint(run("verify", path), 2) == f"carrychain: {path}: Permission denied"


def test_names_are_passed_on_though_they_can_not_be_read(file, monkeypatch):
    """The commands say it themselves, and read the others: seen so by root, too, who may read all."""
    path = file(GOOD)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert FILE.convert(path, None, None) == path


def test_the_others_are_still_read(file, tmp_path):
    (tmp_path / "empty").mkdir()
    names = [
        file(GOOD),
        f"{tmp_path}/empty",
        file(BAD, "b.pcap"),
        f"{tmp_path}/missing",
        file(GOOD, "c.pcap"),
    ]
    result = run("verify", *names)
    assert result.returncode == 2
    assert result.stdout.count("pcap, 3 frames") == 3
    assert result.stderr.splitlines() == [
        f"carrychain: {tmp_path}/empty: no capture in this directory",
        f"carrychain: {tmp_path}/missing: No such file or directory",
    ]
    assert [capture["file"] for capture in captured(*names)] == names


def test_no_capture_at_all():
    assert complaint(run("verify"), 2) == "carrychain verify: Missing argument 'CAPTURE...'."


def test_an_unknown_link_type(file):
    path = file(GOOD[:20] + struct.pack("<I", 147) + GOOD[24:])
    result = run("verify", path)
    assert result.returncode == 2
    assert result.stderr == f"carrychain: {path}: 3 of 3 frames have link type 147, which is not supported\n"
    one = file(pcap(FRAMES[0])[:20] + struct.pack("<I", 147) + pcap(FRAMES[0])[24:])
    assert run("verify", one).stderr.endswith(": 1 of 1 frame has link type 147, which is not supported\n")


def test_a_jumbogram_of_4_gigabytes(file):
    """Of which not all can have been captured; and one of 100 KB that was."""

    def jumbogram(length: int, said: int) -> bytes:
        udp = struct.pack(">HHHH", 1, 2, 0, 0x1234) + bytes(length - 16)
        option = struct.pack(">BBBBI", 17, 0, 0xC2, 4, said)
        return bytes(12) + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, 0, 0, 64) + bytes(32) + option + udp

    beyond, cut = (jumbogram(100, 2**32 - 1 - less) for less in (0, 14 + 40))
    frames = [struct.pack("<IIII", 0, 0, len(data), 2**32 - 1) + data for data in (beyond, cut)]
    whole = jumbogram(100_000, 100_000)
    path = file(PCAP + b"".join(frames) + record(whole))
    (capture,) = captured(path)
    assert capture["unverifiable"] == {"headers that contradict themselves": 1, "not captured whole": 1}
    assert capture["counts"] == {
        "UDP": {"good": 0, "bad": 1, "unfinished": 0, "deferred": 0, "none": 0, "unverifiable": 2},
    }
    ends = whole[22:54] + struct.pack(">II", 99_992, 17)
    assert (
        capture["bad"][0]["expected"]
        == f"0x{~sum16(ends + whole[62:68] + bytes(2) + whole[70:]) & 0xFFFF:04x}"
    )


def test_a_record_larger_than_any_batch(file):
    data = frame(random.Random(5), 1000) + bytes(5 << 20)
    result = run("verify", file(pcap(FRAMES[0], data, spoilt(FRAMES[1]))))
    assert result.returncode == 1 and ", 3 frames\n" in result.stdout


def test_ctrl_c_while_it_waits_for_a_pipe():
    read, write = os.pipe()
    process = start("verify", "-", stdin=read, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.write(write, GOOD)
    until(lambda: drained(write), process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"carrychain: interrupted\n")
    os.close(read)
    os.close(write)


def test_who_reads_the_output_may_stop(file):
    path = file(pcap(*(spoilt(FRAMES[0]) for _ in range(20_000))))
    process = start("verify", "--csv", path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait() == 2
    assert process.stderr.read() == b""
