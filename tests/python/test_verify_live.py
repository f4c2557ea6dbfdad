"""What is captured from interfaces, in every situation that network namespaces make, and by the command."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator

import pytest
from captures import pcap
from carrychain.bindings import libpcap
from carrychain.bindings.libpcap import LibpcapError
from carrychain.cli.verify import verify_command
from carrychain.pcap import live, verify
from carrychain.pcap.live import Live
from carrychain.pcap.pipeline import Wanted
from click.testing import CliRunner
from command import complaint, run, start
from namespaces import ADDRESSES, Namespace, Network, flipped, hop, root_with_ip, talk, translated

FOUR, SIX = ADDRESSES["b0"]
PR_CAPBSET_DROP, CAP_NET_RAW = 24, 13
BUFFER = libpcap.KERNEL_BUFFER
WRONG = {"bad", "unfinished"}


@pytest.fixture
def some_libpcap():
    try:
        libpcap.Expression("udp")
    except LibpcapError as error:
        pytest.skip(str(error))


@pytest.fixture
def networks(some_libpcap, monkeypatch) -> Iterator:
    """Makes networks, which end with the test."""
    root_with_ip()
    # so many captures at a time need not have as much
    monkeypatch.setattr(libpcap, "KERNEL_BUFFER", 1 << 20)
    made = []

    def make(*arguments, **options) -> Network:
        made.append(Network(*arguments, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


class Tap:
    """What is captured at a device, in memory."""

    def __init__(self, namespace: Namespace, device: str) -> None:
        self.until = threading.Event()
        self._file = namespace.within(Live, device, self.until).open()
        self._data = bytearray()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        with self._file:
            while piece := self._file.read(1 << 16):
                self._data += piece

    @property
    def data(self) -> bytes:
        self._thread.join()
        return bytes(self._data)


def captured_at(points: dict[str, tuple[Namespace, str]], talking) -> dict[str, bytes]:
    taps = {point: Tap(*where) for point, where in points.items()}
    talking()
    for each in taps.values():
        each.until.set()
    return {point: each.data for point, each in taps.items()}


def judged(path: str, *options: str) -> tuple[set[str], int, int, int]:
    """The verdicts that are not good; how many datagrams, or IPv4 headers if they are bad, have them; and the
    exit status, without and with --strict."""
    result = CliRunner().invoke(verify_command, ["--json", *options, path])
    (document,) = json.loads(result.stdout)["captures"]
    assert not document["errors"] and not document["dropped"] and not document["not_checked"]
    counts = document["counts"]
    found = {verdict for each in counts.values() for verdict, count in each.items() if count} - {"good"}
    (verdict,) = found or {"good"}
    strict = CliRunner().invoke(verify_command, ["--json", "--strict", *options, path])
    protocol = "IPv4" if counts.get("IPv4", {}).get("bad") else "UDP" if "UDP" in counts else "TCP"
    return found, counts[protocol][verdict], result.exit_code, strict.exit_code


def expect(situation: str, file, data: bytes, verdict: str, *options: str, at_least: int = 3) -> str:
    """What is wrong with what is found; "" is nothing."""
    verdicts = {verdict} - {"good"}
    status = bool(verdicts & WRONG)
    found, count, *statuses = judged(file(data), *options)
    want = verdicts, status, 1 if status else 3 if verdicts else 0
    if (found, *statuses) == want and count >= at_least:
        return ""
    return f"{situation}: {count} {found}, {statuses}, not {want}"


CARD, BROKEN = (True, bytes), (False, bytes)
FLIPPED, HOP, TRANSLATED = (True, flipped), (True, hop), (True, translated)
# Whether the sender leaves sums to its card, what happens behind its system, to whom it speaks; and the
# verdict that this calls for at the sender, and behind its card: at a mirror port, and at the receiver.
RELAYED = [
    (True, CARD, FOUR, "deferred", "good"),
    (True, BROKEN, FOUR, "deferred", "unfinished"),
    (True, FLIPPED, FOUR, "deferred", "bad"),
    (True, HOP, FOUR, "deferred", "bad"),
    (True, TRANSLATED, FOUR, "deferred", "bad"),
    (False, CARD, FOUR, "good", "good"),
    (False, BROKEN, FOUR, "good", "good"),
    (False, FLIPPED, FOUR, "good", "bad"),
    (False, HOP, FOUR, "good", "bad"),
    (False, TRANSLATED, FOUR, "good", "bad"),
    (True, CARD, SIX, "deferred", "good"),
    (True, BROKEN, SIX, "deferred", "unfinished"),
    (True, FLIPPED, SIX, "deferred", "bad"),
    (False, FLIPPED, SIX, "good", "bad"),
]


def test_what_happens_between_two_hosts(networks, file):
    network = networks()
    points = {
        "the sender": (network.a, "a0"),
        "any of the sender": (network.a, "any"),
        "a mirror port": (network.between, "m1"),
        "the receiver": (network.b, "b0"),
        "any of the receiver": (network.b, "any"),
    }
    network.b.offload("b0", sums=False)
    wrong, count = [], 0
    for offload, (network.relay.card, network.relay.damage), to, sent, behind in RELAYED:
        network.a.offload("a0", sums=offload)
        what = f"{'with' if offload else 'without'} offload, {network.relay}, to {to}"
        data = captured_at(points, lambda to=to: talk(network.a, network.b, to, "TCP UDP"))
        for point, each in data.items():
            verdict = sent if "sender" in point else behind
            # a wire's frames do not say where they are: only who captures them knows
            stated = {"a mirror port": "wire", "the receiver": "receiver"}.get(point)
            options = ("--captured-at", stated) if verdict == "unfinished" and stated else ()
            wrong.append(expect(f"{what}, at {point}", file, each, verdict, *options))
            count += 1
    assert not [*filter(None, wrong)]
    assert count >= 40


def test_containers_of_one_machine(networks, file):
    """The kernel passes them what no card is to finish, and accepts it."""
    network = networks(relayed=False)
    points = {
        "a": (network.a, "a0"),
        "any of a": (network.a, "any"),
        "b": (network.b, "b0"),
        "any of b": (network.b, "any"),
    }
    wrong = []
    for offload in (True, False):
        for each in ("a", "b"):
            getattr(network, each).offload(f"{each}0", sums=offload, segments=True)
        for kinds, size in (("TCP UDP", 200), ("TCP", 60000), ("UDP", 200)):
            data = captured_at(
                points, lambda kinds=kinds, size=size: talk(network.a, network.b, FOUR, kinds, size)
            )
            for point, some in data.items():
                # nothing answers a datagram: its receiver can't tell a container from a broken card
                options = ("--captured-at", "sender") if kinds == "UDP" else ()
                what = f"{'with' if offload else 'without'} offload, {kinds}, at {point}"
                verdict = "deferred" if offload else "good"
                wrong.append(expect(what, file, some, verdict, *options))
    assert not [*filter(None, wrong)]


def test_a_loopback(networks, file):
    network = networks(relayed=False)
    for kinds in ("TCP", "UDP"):
        for to in ("127.0.0.1", "::1"):
            (data,) = captured_at(
                {"lo": (network.a, "lo")}, lambda to=to, kinds=kinds: talk(network.a, network.a, to, kinds)
            ).values()
            assert not expect(f"{kinds} to {to}", file, data, "deferred")


@pytest.mark.parametrize("card", [True, False])
def test_the_address_of_a_card_tells_what_it_received(networks, monkeypatch, card):
    """From a single peer, of whom nothing else does; a virtual interface may get it from this machine."""
    network = networks()
    network.relay.card = False
    network.a.offload("a0", sums=True)
    monkeypatch.setattr(live, "_is_card", lambda name: card)
    until = threading.Event()
    parts = verify(
        ["b0"],
        vantage="found",
        until=until,
        wanted=Wanted(network.b.within(Live, "b0", until), expression=libpcap.Expression("udp")),
    )
    talking = threading.Thread(target=lambda: talk(network.a, network.b, FOUR, "UDP"))
    for report, _, _ in parts:
        if not talking.ident:
            talking.start()
        if report.frames == 3:
            until.set()
    talking.join()
    assert report.verdicts("unfinished" if card else "deferred") == 3


class Command:
    """`verify` at an interface, of which each line is an object; it captures by the time it is made."""

    def __init__(self, namespace: Namespace, device: str, *options: str) -> None:
        words = ("verify", "-i", device, "--json-lines", "--every", "0.1", *options)
        self.process = namespace.within(start, *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.told: list[dict] = []
        self.until(lambda told: told["type"] == "capture")

    def until(self, condition) -> None:
        while True:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            self.told.append(json.loads(line))
            if condition(self.told[-1]):
                return

    def end(self) -> tuple[int, dict, bytes]:
        """By Ctrl-C: the exit status, the summary, and what was said beside."""
        self.process.send_signal(signal.SIGINT)
        return self.ended()

    def ended(self) -> tuple[int, dict, bytes]:
        out, said = self.process.communicate()
        self.told += map(json.loads, out.splitlines())
        assert "until" not in self.told[-1]
        return self.process.returncode, self.told[-1], said


def bad_in(told: dict, protocol: str = "UDP") -> int:
    return told.get("counts", {}).get(protocol, {}).get("bad", 0)


def test_bad_ones_are_told_and_kept(networks, tmp_path):
    """Those that the expression takes; the file has the last of them as soon as they are summarized."""
    network = networks()
    network.relay.damage = flipped
    kept = tmp_path / "kept.pcapng"
    kept.write_bytes(b"old")
    metrics = tmp_path / "verify.prom"
    command = Command(network.b, "b0", "-f", "udp", "--ring", "2", str(kept), "--prometheus", str(metrics))
    talk(network.a, network.b, FOUR, "TCP UDP")
    command.until(lambda told: bad_in(told) == 3)
    command.until(lambda told: told["type"] == "capture")
    assert run("verify", "--quiet", str(kept)).returncode == 1
    assert 'verdict="bad"} 3' in metrics.read_text()
    assert [each["protocol"] for each in command.told if each["type"] == "finding"] == ["UDP"] * 3
    status, summary, said = command.end()
    assert (status, said, summary["frames"], bad_in(summary)) == (1, b"", 3, 3)
    document = json.loads(run("verify", "--json", str(kept)).stdout)["captures"][0]
    assert (document["frames"], document["counts"]["UDP"]["bad"]) == (2, 2)


@pytest.mark.parametrize("options", [(), ("-p",), ("--strict",)])
def test_nothing_bad(networks, options):
    network = networks()
    network.a.offload("a0", sums=True)
    command = Command(network.a, "a0", *options)
    talk(network.a, network.b, FOUR, "UDP")
    command.until(lambda told: told.get("counts", {}).get("UDP", {}).get("deferred") == 3)
    status, summary, said = command.end()
    assert (status, said) == (3 if options == ("--strict",) else 0, b"")
    assert summary["dropped"] == 0


def test_an_interface_that_goes(networks):
    network = networks()
    command = Command(network.b, "b0")
    network.b.ip("link del b0")
    status, summary, said = command.ended()
    assert status == 2 and said.startswith(b"carrychain: b0: ") and said.count(b"\n") == 1
    assert summary["errors"]


def test_what_comes_too_fast_is_counted(networks):
    """A stopped command reads nothing: what does not fit into the kernel's buffer is dropped, and told."""
    network = networks(relayed=False)
    network.a.ip("link set a0 mtu 65535")
    network.b.ip("link set b0 mtu 65535")
    command = Command(network.b, "b0", "--strict", "-f", "udp")
    command.process.send_signal(signal.SIGSTOP)
    # what the kernel's buffer holds, and as much again
    sent = 2 * BUFFER // 60000
    with network.a.within(socket.socket, socket.AF_INET, socket.SOCK_DGRAM) as here:
        for _ in range(sent):
            here.sendto(bytes(60000), (FOUR, 9999))
    command.process.send_signal(signal.SIGCONT)
    command.until(lambda told: told.get("frames", 0) + told.get("dropped", 0) == sent)
    status, summary, said = command.end()
    assert summary["dropped"] > sent // 4 and summary["frames"] > sent // 4
    assert summary["frames"] + summary["dropped"] == sent
    assert (status, said) == (3, b"")


def test_frames_that_would_be_cut(networks, monkeypatch):
    network = networks(relayed=False)
    monkeypatch.setattr(libpcap, "SNAPSHOT", 1500)
    with pytest.raises(LibpcapError, match=r"^its frames of up to 1,564 bytes would be cut to 1,500: "):
        network.a.within(Live, "a0", threading.Event())
    assert network.a.within(Live, "any", threading.Event()).dropped == 0


def test_who_may_not_capture(some_libpcap):
    def give_up() -> None:
        if not os.geteuid():
            ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_NET_RAW, 0, 0, 0)

    process = start("verify", "-i", "lo", stderr=subprocess.PIPE, preexec_fn=give_up, text=True)
    _, said = process.communicate()
    assert process.returncode == 2
    assert said == "carrychain: -i 'lo': no permission to capture: it takes root or CAP_NET_RAW\n"
    assert complaint(run("verify", "-i", "no\nsuch"), 2).startswith(
        "carrychain: -i 'no\\nsuch': no such interface; "
    )


def test_without_libpcap(file, monkeypatch):
    monkeypatch.setattr(libpcap, "NAMES", ("libnone.so",))
    libpcap._library.cache_clear()
    try:
        result = CliRunner().invoke(verify_command, ["-f", "udp", file(pcap())])
    finally:
        libpcap._library.cache_clear()
    assert result.exit_code == 2
    assert result.output == "Error: -f 'udp': this needs libpcap: install it (Debian: libpcap0.8)\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("-i", "lo", "{path}"),
        ("-i", "lo", "--fix", "out"),
        ("-i", "lo", "--follow"),
        ("-i", "lo", "--show", "1"),
        ("-i", "lo", "--every", "1", "--csv"),
        ("-i", "lo", "--every", "1", "--json"),
        ("-i", "lo", "--engine", "dask"),
        ("-i", "lo", "--ring", "1", "/nowhere/kept"),
        ("-p", "{path}"),
        ("--every", "1", "{path}"),
        ("--every", "0", "--follow", "{path}"),
        ("--ring", "1", "{path}", "{path}"),
        ("--ring", "0", "kept", "{path}"),
        ("--ring", "1", "/nowhere/kept", "{path}"),
        ("-f", "no such thing", "{path}"),
        ("-f", "udp", "--engine", "dask", "{path}"),
    ],
    ids=" ".join,
)
def test_what_does_not_go_together(file, arguments, tmp_path, monkeypatch):
    path = file(pcap())
    monkeypatch.chdir(tmp_path)
    complaint(run("verify", *(path if each == "{path}" else each for each in arguments)), 2)
    assert not (tmp_path / "kept").exists()
