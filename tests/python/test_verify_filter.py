"""Which packets of a capture are looked at, and which of them are kept."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from captures import DIRECTORY, captured, pcap, rows
from carrychain.bindings.libpcap import Expression, LibpcapError
from command import run
from vantages import A, B, Packet, ethernet, mac

LEFT, RIGHT = Packet(protocol="UDP", sum="left"), Packet(protocol="UDP")
DAMAGED = Packet(B, A, sum="damaged")
EXPRESSIONS = ("udp", "ip6", "tcp port 80", "less 100", "host 192.0.2.1 and not udp")


@pytest.fixture(autouse=True)
def some_libpcap():
    try:
        Expression("udp")
    except LibpcapError as error:
        pytest.skip(str(error))


def many(*packets: Packet) -> bytes:
    return pcap(*(ethernet(each.data(), mac(each.source), mac(each.destination)) for each in packets))


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("name", ["mixed.pcapng", "cooked.pcap", "tunnels.pcap", "raw.pcap"])
def test_each_packet_is_taken_or_not(name, expression):
    """By an expression or by its opposite; frames keep their numbers, also where link types are mixed."""
    path = str(DIRECTORY / name)
    some, others, all_ = (
        captured("--captured-at", "wire", *options, path)[0]
        for options in (("-f", expression), ("-f", f"not ({expression})"), ())
    )
    # blocks that hold no packet are taken by neither
    taken_by_none = [
        all_[member] - some[member] - others[member] for member in ("frames", "without_checksum")
    ]
    assert taken_by_none == [5 if name == "mixed.pcapng" else 0] * 2
    key = "frame"
    assert sorted([*some["bad"], *others["bad"]], key=lambda row: row[key]) == all_["bad"]
    assert not {row[key] for row in some["bad"]} & {row[key] for row in others["bad"]}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_as_tcpdump(expression, file):
    path = file(many(LEFT, RIGHT, DAMAGED, Packet(), Packet("2001:db8::1", "2001:db8::2", "UDP")))
    try:
        taken = subprocess.run(
            ["tcpdump", "-r", path, "-n", expression], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"tcpdump: {error}")
    assert captured("-f", expression, path)[0]["frames"] == taken.stdout.count("\n")


def test_a_link_type_for_which_it_means_nothing(file):
    """Others are still reported, and it is said which."""
    good, raw = file(many(RIGHT)), DIRECTORY / "raw.pcap"
    result = run("verify", "--json", "-f", "ether host 2:0:0:0:0:1", good, str(raw))
    assert result.returncode == 2
    assert result.stderr.startswith(f"carrychain: {raw}: its link types are [101]: ")
    assert result.stderr.count("\n") == 1
    assert [each["frames"] for each in json.loads(result.stdout)["captures"]] == [0, 0]
    assert run("verify", "-f", "ether host 2:0:0:0:0:1", str(raw)).returncode == 2


def test_only_what_is_looked_at_is_repaired(file, tmp_path):
    out = tmp_path / "out"
    path = file(many(LEFT, DAMAGED))
    assert run("verify", "-f", "udp", "--fix", str(out), path).returncode == 0
    assert out.read_bytes() == many(RIGHT, DAMAGED)


def kept(path: str, most: int, *options: str) -> list[int]:
    """The numbers of the frames in the file."""
    ring = f"{path}.ring"
    assert run("verify", "--quiet", "--ring", str(most), ring, *options, path).returncode in (0, 1)
    found = re.findall(rb"frame (\d+) of ([^\0]+)\0", Path(ring).read_bytes())
    assert {name.decode() for _, name in found} <= {path}
    return [int(number) for number, _ in found]


def test_the_last_bad_ones_are_kept(file):
    data = many(*[RIGHT, DAMAGED] * 20)
    path = file(data)
    assert kept(path, 3) == [36, 38, 40]
    assert kept(path, 100) == [*range(2, 41, 2)]
    assert kept(path, 100, "-f", "udp") == []
    kept(path, 3)
    assert [row["found"] for row in rows(f"{path}.ring")] == [row["found"] for row in rows(path)][-3:]


def test_what_later_packets_make_unfinished_is_kept(file):
    """The capture is read again then: nothing is kept twice."""
    path = file(many(LEFT, RIGHT, DAMAGED))
    assert kept(path, 10) == [1, 3]
    assert kept(path, 1) == [3]
    assert kept(file(many(LEFT, DAMAGED)), 10) == [2]


def test_each_is_what_it_was(tmp_path):
    """In every respect that changes its verdict: link, interface, time, direction."""
    path, ring = str(DIRECTORY / "mixed.pcapng"), str(tmp_path / "ring")
    assert run("verify", "--quiet", "--ring", "100", ring, path).returncode == 1
    before, after = ([{**row, "file": "", "frame": ""} for row in rows(each)] for each in (path, ring))
    assert after == [row for row in before if row["verdict"] in ("bad", "unfinished")]
    names = [
        {row["interface"] for row in captured("--by", "interface", each)[0]["by_interface"]}
        for each in (ring, path)
    ]
    assert names[0] <= names[1]
