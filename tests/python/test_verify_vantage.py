"""Verdicts by where packets were captured, and the exit status, in every situation of vantages.py."""

import json
import random
import signal
import struct
import subprocess
from collections import Counter

import pytest
from captures import PCAP, SECTION, block, captured, pcap
from carrychain.bindings.capture import EVIDENCE, JUDGED, MOST
from carrychain.cli.verify import verify_command
from carrychain.pcap import settled, verify
from click.testing import CliRunner
from command import piped, run, start
from vantages import A, B, C, Packet, Situation, ethernet, mac, situations

SITUATIONS = situations()
WRONG = {"bad", "unfinished"}


def test_there_are_enough():
    assert len(SITUATIONS) >= 100
    assert len({each.name for each in SITUATIONS}) == len(SITUATIONS)
    assert {verdict for each in SITUATIONS for verdict in each.verdicts} == {*WRONG, "deferred"}
    # but for provisional ones
    seen = {why for each in SITUATIONS for why in each.evidence}
    assert seen == set(EVIDENCE.values()) - {"", "by itself"}


def judged(path: str, *options: str) -> tuple[int, dict]:
    listed = [word for verdict in JUDGED for word in ("--list", verdict)]
    result = CliRunner().invoke(verify_command, ["--json", *listed, *options, path])
    (document,) = json.loads(result.stdout)["captures"]
    return result.exit_code, document


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: each.name)
def test_the_verdict_is_the_true_one(file, situation: Situation):
    path = file(situation.capture())
    status, document = judged(path, *situation.options)
    rows = document["listed"]
    assert sorted(row["verdict"] for row in rows if row["verdict"] != "good") == situation.verdicts
    # in the frame where it is
    for number, (_, _, verdicts) in enumerate(situation.packets, 1):
        here = [row for row in rows if row["frame"] == number]
        assert sorted(row["verdict"] for row in here if row["verdict"] != "good") == sorted(verdicts)
        # a single damage is bad by itself; all else names its evidence
        assert all(row["reason"] or row["verdict"] in ("good", "bad") for row in here)
        assert not any("provisional" in row["reason"] for row in here)
    assert status == bool(WRONG & set(situation.verdicts))
    status, _ = judged(path, *situation.options, "--strict")
    assert status == (1 if WRONG & set(situation.verdicts) else 3 if situation.verdicts else 0)
    # all forms count alike
    counts = Counter()
    for each in document["counts"].values():
        counts += Counter(each)
    assert counts == Counter(row["verdict"] for row in rows)
    evidence = {row["evidence"] for row in document["evidence"]} - {""}
    assert evidence == situation.evidence or not situation.evidence
    assert sum(row["count"] for row in document["evidence"]) == len(situation.verdicts)


def test_the_table_says_why(file):
    by_name = {each.name: each for each in SITUATIONS}
    path = file(by_name["UDP's sum at the receiver, SLL"].capture())
    shown = run("verify", path)
    assert shown.returncode == 1
    assert (
        "  1 unfinished, all from 192.0.2.1 (received: packet type): the sender's offload is broken\n"
        in shown.stdout
    )
    assert "count    evidence" not in shown.stdout
    explained = run("verify", "--explain", path).stdout
    (line,) = (line for line in explained.splitlines() if line.startswith("  unfinished    UDP"))
    assert line.rstrip().split(maxsplit=5) == [
        "unfinished",
        "UDP",
        "0",
        "192.0.2.1",
        "1",
        "received: packet type",
    ]
    assert run("verify", "--captured-at", "nowhere", path).returncode == 2


LEFT = Packet(protocol="UDP", sum="left")


def many(*packets: Packet) -> bytes:
    return pcap(*(ethernet(each.data(), mac(each.source), mac(each.destination)) for each in packets))


def test_what_comes_later_changes_rows_of_a_file(file):
    """Rows of a file are final, those of a pipe are marked; counts and status are final in both."""
    data = many(LEFT, Packet(protocol="UDP"), Packet(B, A, sum="damaged"))
    (document,) = captured(file(data))
    assert [(row["frame"], row["verdict"], row["reason"]) for row in document["bad"]] == [
        (1, "unfinished", "right sums of its sender nearby"),
        (3, "bad", ""),
    ]
    result = piped("verify", "--json", "--list", "bad", "--list", "deferred", "-", input=data)
    (provisional,) = json.loads(result.stdout)["captures"]
    assert [(row["frame"], row["verdict"], row["reason"]) for row in provisional["listed"]] == [
        (1, "deferred", "by itself (provisional)"),
        (3, "bad", ""),
    ]
    assert result.returncode == 1
    for member in ("counts", "evidence"):
        assert provisional[member] == document[member]
    # with nothing else wrong, the status is by what was learned
    assert piped("verify", "-", input=many(LEFT, Packet(protocol="UDP"))).returncode == 1
    assert piped("verify", "-", input=many(LEFT)).returncode == 0


def test_rows_that_wait_are_bounded(file, monkeypatch):
    """For more, the capture is read again: nothing is told twice, nothing left out."""
    fine, damaged = Packet(B, A), Packet(B, A, sum="damaged")
    packets = [damaged] * 40 + [LEFT] * 40 + [fine, damaged] * 60 + [LEFT] * 3
    monkeypatch.setattr("carrychain.pcap.pipeline.BATCH_BYTES", 2000)
    path = file(many(*packets))

    def rows(**how):
        tell = ("bad", "unfinished", "deferred")
        parts = list(verify([path], tell, vantage="found", **how))
        assert [finished for _, _, finished in parts] == [False] * (len(parts) - 1) + [True]
        report = parts[-1][0]
        found = [(entry.frame, entry.verdict) for _, entries, _ in parts for entry in entries]
        assert Counter(verdict for _, verdict in found) == Counter(
            {each: report.verdicts(each) for each in tell if report.verdicts(each)}
        )
        return found

    want = [
        (number, "bad" if each is damaged else "deferred")
        for number, each in enumerate(packets, 1)
        if each is not fine
    ]
    assert rows() == want
    for most in (0, 1, 30, 100):
        monkeypatch.setattr(settled, "WAITING", most)
        assert rows() == want
        assert rows(threads=1) == want


def test_more_senders_than_are_kept(file):
    """The others are judged by themselves, and all are told of."""
    senders = [f"10.0.{n >> 8}.{n & 255}" for n in range(MOST // 256 * 256 + 300)]
    path = file(many(*(Packet(each, B, "UDP", "left", payload=0) for each in senders)))
    (document,) = captured("--list", "deferred", path)
    assert document["counts"]["UDP"]["deferred"] == len(senders)
    assert Counter(row["reason"] for row in document["listed"]) == {
        "no right sum of its sender nearby": MOST,
        "by itself (provisional)": len(senders) - MOST,
    }
    (others,) = (row for row in document["evidence"] if row["from"] == "all others")
    assert (others["count"], others["evidence"]) == (len(senders) - MOST, "by itself")
    assert sum(row["count"] for row in document["evidence"]) == len(senders)


def test_a_row_that_is_followed_is_marked(file):
    path = file(many(LEFT))
    process = start("verify", "--csv", "--list", "deferred", "--follow", path, stdout=subprocess.PIPE)
    head, row = (process.stdout.readline() for _ in range(2))
    assert head.startswith(b"file,frame,") and row.rstrip().endswith(b",deferred,by itself (provisional),1")
    process.send_signal(signal.SIGINT)
    assert (process.wait(), process.stdout.read()) == (130, b"")


def test_no_part_of_an_address_is_an_emoji(file):
    """Nor is a name of an interface markup."""
    damaged = Packet("2001:db8:1234:1234:1234:ab:ab:1", "2001:db8::b", sum="damaged")
    frame = ethernet(damaged.data(), mac(A), mac(B))
    name = b"[red]e"
    data = SECTION + block(1, struct.pack("<HHIHH", 1, 0, 0, 2, len(name)) + name + bytes(6))
    data += block(6, struct.pack("<IIIII", 0, 0, 0, len(frame), len(frame)) + frame)
    for option in (("--explain",), ("--by", "host")):
        shown = run("verify", *option, file(data)).stdout.splitlines()
        assert any(damaged.source in line and "[red]e" in line for line in shown)


def test_counts_by_host_are_final(file):
    path = file(many(LEFT, Packet(protocol="UDP"), Packet(A, C, "UDP", "left")))
    (document,) = captured("--by", "conversation", path)
    found = {(row["from"], row["to"]): row for row in document["by_conversation"]}
    assert found["192.0.2.1:40000", "192.0.2.2:9999"]["unfinished"] == 1
    assert found["192.0.2.1:40000", "192.0.2.3:9999"]["deferred"] == 1


def test_a_repair_changes_no_verdict(file, tmp_path):
    path = file(many(LEFT, Packet(protocol="UDP")))
    result = run("verify", "--fix", str(tmp_path / "out"), path)
    assert (result.returncode, "1 unfinished, " in result.stdout) == (1, True)
    assert "  1 checksum repaired" in result.stdout
    assert (tmp_path / "out").read_bytes() == many(Packet(protocol="UDP"), Packet(protocol="UDP"))


def test_options_of_a_packet_may_be_anything(file):
    """Those that end early, and of odd lengths."""
    draw = random.Random(3)
    frame = ethernet(LEFT.data(), mac(A), mac(B))
    for _ in range(200):
        options = draw.randbytes(draw.choice((0, 1, 2, 3, 4, 5, 8, 12)))
        body = struct.pack("<IIIII", 0, 0, 0, len(frame), len(frame))
        body += frame + bytes(-len(frame) % 4) + options
        size = 12 + len(body) + -len(body) % 4
        block = struct.pack("<II", 6, size) + body + bytes(-len(body) % 4) + struct.pack("<I", size)
        head = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
        head += struct.pack("<IIHHII", 1, 20, 1, 0, 0, 20)
        *_, (report, _, _) = verify([file(head + block)], vantage="found")
        assert report.error is None and report.frames == 1
        assert report.verdicts("deferred") + report.verdicts("unfinished") == 1


def test_stated_wins_over_what_frames_say(file):
    by_name = {each.name: each for each in SITUATIONS}
    sent = by_name["UDP's sum at the sender, SLL"].capture()
    assert run("verify", file(sent)).returncode == 0
    assert run("verify", "--captured-at", "wire", file(sent)).returncode == 1
    assert PCAP[:4] == sent[:4]
