"""Verdicts in Wireshark: the interface that replays a capture with comments, and the dissector in Lua."""

import os
import shutil
import struct
import subprocess

import carrychain
import pytest
from captures import DIRECTORY, by_frame, read
from command import ENVIRONMENT, piped, run

# Wireshark's folder of such programs, which root's tshark does not take from its environment
AS_ROOT = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
# seconds; only a hang takes that long
PATIENCE = 600


def needs_tshark() -> None:
    if not shutil.which("tshark"):
        pytest.skip("tshark is not installed")


def replayed(name, *arguments: str) -> bytes:
    """What the interface writes for Wireshark."""
    fixed = ("extcap", "--extcap-interface=carrychain", "--capture", "--fifo=/dev/stdout", f"--file={name}")
    result = piped(*fixed, *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def comments(data: bytes) -> dict[int, list[str]]:
    """Those of each packet, by a reader of pcapng that is slow and short."""
    found, at, number = {}, 0, 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 6:
            number += 1
            (captured,) = struct.unpack_from("<I", data, at + 20)
            option = at + 28 + (captured + 3) // 4 * 4
            while option < at + length - 4:
                code, size = struct.unpack_from("<HH", data, option)
                if code == 1:
                    text = data[option + 4 : option + 4 + size].decode()
                    found.setdefault(number, []).append(text)
                option += 4 + (size + 3) // 4 * 4
        at += length
    return found


@pytest.mark.parametrize(
    "name", ["raw.pcap", "one.pcapng", "fragments.pcap", "mixed-big-endian.pcapng", "snapshot.pcap"]
)
def test_each_checksum_that_is_not_right_has_a_comment(name, tmp_path):
    packets = list(carrychain.Capture(DIRECTORY / name))
    place = {packet.number: i for i, packet in enumerate(packets, 1)}
    _, entries = read(DIRECTORY / name)
    wrong = {
        place[frame]: [each.protocol for each in some if each.verdict not in ("good", "none")]
        for frame, some in by_frame(entries).items()
    }
    data = replayed(DIRECTORY / name)
    # of a datagram that stays incomplete, the frame has left before that is known
    said = {
        number: [text.split(" checksum ")[0] for text in texts] for number, texts in comments(data).items()
    }
    if name == "fragments.pcap":
        assert all(said[number] == wrong[number] for number in said)
        return
    assert said == {number: each for number, each in wrong.items() if each}
    copy = tmp_path / "copy.pcapng"
    copy.write_bytes(data)
    same = [packet._replace(number=0, interface="") for packet in packets]
    assert [packet._replace(number=0, interface="") for packet in carrychain.Capture(copy)] == same


def test_a_comment_says_why():
    said = comments(replayed(DIRECTORY / "cooked.pcap"))
    texts = [text for some in said.values() for text in some]
    assert any(text.endswith("(received: packet type)") and " unfinished: 0x" in text for text in texts), (
        texts
    )
    stated = comments(replayed(DIRECTORY / "cooked.pcap", "--captured-at=sender"))
    texts = [text for some in stated.values() for text in some]
    assert not any(" unfinished" in text for text in texts)
    assert any(" deferred: 0x" in text for text in texts), texts


def test_what_made_it_is_in_the_comment(tmp_path):
    with carrychain.Capture(tmp_path / "a.pcapng", "w") as out:
        for packet in carrychain.Capture(DIRECTORY / "raw.pcap"):
            if packet.number != 1:
                continue
            for number in range(4):
                data = bytearray(packet.data)
                data[4:6] = number.to_bytes(2, "big")
                data = bytearray(carrychain.repair(bytes(data), packet.link))
                data[8] -= 1
                out.write(packet._replace(number=number + 1, time=number, data=bytes(data)))
    texts = comments(replayed(tmp_path / "a.pcapng"))
    assert len(texts) == 4
    assert all("(TTL decremented without the sum" in some[0] for some in texts.values()), texts


def test_wireshark_lists_the_interface_and_captures(tmp_path):
    needs_tshark()
    folder = tmp_path / "extcap"
    made = run("extcap", "--install", "--to", str(folder))
    assert made.returncode == 0, made.stderr
    name = DIRECTORY / "raw.pcap"
    command = ["tshark", "-i", "carrychain", "-o", f"extcap.carrychain.file:{name}"]
    command += ["-T", "fields", "-e", "frame.comment"]
    environment = ENVIRONMENT | {"WIRESHARK_EXTCAP_DIR": str(folder)}
    if os.geteuid() == 0:
        told = subprocess.run(["tshark", "-G", "folders"], capture_output=True, text=True).stdout
        places = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("Extcap")]
        if not places or not os.path.isdir(places[0]):
            pytest.skip("tshark has no folder of extcap programs")
        command = [
            "unshare",
            "-m",
            "--propagation",
            "private",
            "sh",
            "-c",
            AS_ROOT,
            "sh",
            folder,
            places[0],
            *command,
        ]
        if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
            pytest.skip("no mount namespaces: root's tshark has only its own folder")
    if subprocess.run(["dumpcap", "-v"], capture_output=True).returncode:
        pytest.skip("dumpcap may not be run")
    result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)
    texts = [line for line in result.stdout.splitlines() if line.strip()]
    assert len(texts) == 3, result.stderr
    assert any(text.startswith("IPv4 checksum bad: 0x9ca6 found, 0x8e92 expected") for text in texts)


def test_the_dissector_has_what_csv_has(tmp_path):
    needs_tshark()
    script, report = tmp_path / "carrychain.lua", tmp_path / "a.csv"
    script.write_text(run("extcap", "--lua").stdout)
    assert len(script.read_text().splitlines()) <= 100
    name = str(DIRECTORY / "mixed.pcapng")
    listed = run("verify", "--csv", "--list", "bad", "--list", "deferred", name).stdout
    # a name with what CSV quotes
    report.write_text(listed.replace(name, '"a,""b"".pcapng"'))
    command = ["tshark", "-X", f"lua_script:{script}", "-o", f"carrychain.report:{report}", "-r", name]
    command += ["-T", "fields", "-e", "frame.number", "-e", "carrychain.verdict", "-e", "carrychain.expected"]
    result = subprocess.run([*command, "-Y", "carrychain"], capture_output=True, text=True, timeout=PATIENCE)
    rows = [line.split(",") for line in listed.splitlines()[1:]]
    expected = [[row[1], row[8], row[6]] for row in rows if row[1]]
    assert [line.split("\t") for line in result.stdout.splitlines()] == expected, result.stderr
    report.write_text(listed + "b.pcap," + listed.splitlines()[1].partition(",")[2] + "\n")
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert "is of several captures" in result.stderr + result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "x"), "--to is for --install"),
        (("--extcap-interface=eth0", "--extcap-dlts"), "the interface is carrychain, not 'eth0'"),
        (("--extcap-interface=carrychain", "--capture"), "--capture needs --fifo and --file"),
    ],
)
def test_usage(arguments, said):
    result = run("extcap", *arguments)
    assert result.returncode == 2
    assert said in result.stderr


def test_what_wireshark_asks():
    interfaces = run("extcap", "--extcap-interfaces", "--extcap-version=4.0").stdout
    assert "interface {value=carrychain}" in interfaces
    asked = ("extcap", "--extcap-interface", "carrychain")
    assert run(*asked, "--extcap-dlts").stdout.startswith("dlt {number=")
    config = run(*asked, "--extcap-config").stdout
    assert "{call=--file}" in config
    assert [line.count("default=true") for line in config.splitlines() if line.startswith("value")] == [
        1,
        0,
        0,
        0,
    ]
