"""What --fix leaves behind: OUT whole, whatever becomes of the report; nothing, if it is ended before."""

import os
import random
import signal
import subprocess

import pytest
from captures import CHECKSUMS, frame, pcap
from carrychain.pcap.names import captures_in
from command import run, start
from events import drained, until

FRAMES = [frame(random.Random(n), 100) for n in range(200)]
AT = CHECKSUMS["TCP"]
GOOD = pcap(*FRAMES)
# more findings than a pipe takes
BAD = pcap(*(each[:AT] + bytes([each[AT] ^ 1]) + each[AT + 1 :] for each in FRAMES * 10))
FORMS = ((), ("--json",), ("--json-lines",), ("--csv",))


@pytest.fixture
def paths(tmp_path):
    (tmp_path / "a.pcap").write_bytes(BAD)
    return str(tmp_path / "a.pcap"), tmp_path / "out"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0] if form else "for people")
def test_out_is_whole_though_the_report_is_not(paths, form):
    capture, fixed = paths
    repaired = pcap(*FRAMES * 10)
    with open("/dev/full", "wb") as full:
        result = run("verify", *form, capture, "--fix", str(fixed), stdout=full)
    assert (result.returncode, result.stderr) == (2, "carrychain: No space left on device\n")
    assert fixed.read_bytes() == repaired
    fixed.unlink()
    # nobody reads, not a byte
    ours, theirs = os.pipe()
    os.close(ours)
    result = run("verify", *form, capture, "--fix", str(fixed), stdout=theirs)
    assert (result.returncode, result.stderr) == (2, "")
    assert fixed.read_bytes() == repaired
    # and the standard output, whose report goes elsewhere
    with fixed.open("wb") as file:
        result = run("verify", *form, capture, "--fix", "-", stdout=file, stderr=theirs)
    os.close(theirs)
    assert result.returncode == 2
    assert fixed.read_bytes() == repaired
    assert sorted(os.listdir(fixed.parent)) == ["a.pcap", "out"]


def test_a_drawing_that_can_not_be_written(paths):
    pytest.importorskip("matplotlib")
    capture, fixed = paths
    plot = str(fixed.parent / "missing" / "a.svg")
    result = run("verify", "--csv", capture, "--fix", str(fixed), "--plot", plot)
    assert result.returncode == 2 and result.stderr.startswith("carrychain: can't write ")
    assert result.stdout.count("\n") == 1 + len(FRAMES) * 10
    assert fixed.read_bytes() == pcap(*FRAMES * 10)


def begun(directory, **options) -> subprocess.Popen:
    """A repair of what comes through a pipe, when it has read all that was written, and waits for more."""
    process = start(
        "verify", "--fix", "out", "-",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=directory, **options,
    )  # fmt: skip
    process.stdin.write(GOOD[:5000])
    process.stdin.flush()
    until(lambda: drained(process.stdin.fileno()) and len(os.listdir(directory)) == 2, process)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_ends_it_leaves_nothing(tmp_path, number):
    (tmp_path / "out").write_bytes(b"as it was")
    # who runs the tests by nohup ignores one of them
    process = begun(tmp_path, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    process.send_signal(number)
    assert (*process.communicate(), process.returncode) == (b"", b"carrychain: interrupted\n", 130)
    assert os.listdir(tmp_path) == ["out"] and (tmp_path / "out").read_bytes() == b"as it was"


def test_a_terminal_may_close_on_what_is_not_to_end(tmp_path):
    """As nohup has it."""
    (tmp_path / "out").write_bytes(b"")
    process = begun(tmp_path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    process.communicate(GOOD[5000:])
    assert process.returncode == 0 and (tmp_path / "out").read_bytes() == GOOD


def test_what_was_killed_is_no_capture_of_its_directory(tmp_path):
    (tmp_path / "out").write_bytes(GOOD)
    process = begun(tmp_path)
    process.kill()
    process.communicate()
    (left,) = set(os.listdir(tmp_path)) - {"out"}
    # as much as was written
    (tmp_path / left).write_bytes(BAD[: len(BAD) // 2])
    assert captures_in([str(tmp_path)]) == ([str(tmp_path / "out")], [str(tmp_path / left)])
    result = run("verify", "--csv", str(tmp_path))
    assert result.returncode == 0
    assert result.stderr == f"carrychain: skipped 1 file that is not a capture: {tmp_path / left}\n"
    # who names it knows what it is
    assert run("verify", "--csv", str(tmp_path / left)).returncode == 2
