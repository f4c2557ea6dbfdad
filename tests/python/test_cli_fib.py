import hashlib
import os
import pty
import resource
import signal
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest
from command import complaint, run, start

MILLION_SHA256 = "aef6e8c19df607aa07940f2abde8460d1b34c18df1a6f46b5fc04dfe9be51706"
# minutes of work
LONG = ("fib", "400000000")


@pytest.mark.parametrize(("n", "f"), [("0", "0"), ("1", "1"), ("0000100", "354224848179261915075")])
def test_fib(n, f):
    result = run("fib", n)
    assert (result.returncode, result.stdout, result.stderr) == (0, f + "\n", "")


def test_strategies_agree():
    assert (
        len({run("fib", "3000", "--strategy", each).stdout for each in ("squaring", "doubling", "iterative")})
        == 1
    )


def test_a_million():
    begun = time.monotonic()
    result = run("fib", "1000000")
    assert time.monotonic() - begun < 5
    digits = result.stdout.removesuffix("\n")
    assert len(digits) == 208_988
    assert hashlib.sha256(digits.encode()).hexdigest() == MILLION_SHA256


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-3"], "N must be 0 or more, not -3"),
        (["--", "-3"], "N must be 0 or more, not -3"),
        (["1e6"], "N must be a whole number in plain digits, such as 1000000, not '1e6'"),
        (["abc"], "N must be a whole number in plain digits, such as 1000000, not 'abc'"),
        ([""], "N must be a whole number in plain digits, such as 1000000, not ''"),
        (["1\n2"], r"N must be a whole number in plain digits, such as 1000000, not '1\n2'"),
        (["٣"], r"N must be a whole number in plain digits, such as 1000000, not '٣'"),
        (["5.0"], "N must be a whole number in plain digits, such as 1000000, not '5.0'"),
        (["18446744073709551616"], "N must be at most 18446744073709551615"),
        (["9" * 10_000], "N must be at most 18446744073709551615"),
        ([], "Missing argument 'N'."),
        (["1", "2"], "Got unexpected extra argument (2)"),
        (["--fast", "1"], "No such option '--fast'."),
        (["1", "--strategy", "fast"], "Invalid value for '--strategy': 'fast' is not one of"),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, list) else "",
)
def test_usage(arguments, said):
    assert complaint(run("fib", *arguments), 2).startswith(f"carrychain fib: {said}")


def test_an_option_without_its_argument():
    assert complaint(run("fib", "1", "--out"), 2) == "carrychain: Option '--out' requires an argument."


def test_more_than_memory():
    n = str(2**63)
    assert complaint(run("fib", n), 1) == f"carrychain: not enough memory for F({n})"


def test_out(tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("old")
    result = run("fib", "100", "--out", str(path))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert path.read_text() == "354224848179261915075\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("no/such/f.txt", "No such file or directory"),
        (".", "Is a directory"),
        ("", "No such file or directory"),
        ("x" * 300, "File name too long"),
    ],
)
def test_unwritable(tmp_path, out, why):
    said = complaint(run("fib", "100", "--out", out, cwd=tmp_path), 1)
    assert said.startswith("carrychain: can't write '") and said.endswith(why)
    assert not list(tmp_path.iterdir())


def test_full_standard_output():
    with open("/dev/full", "w") as full:
        result = run("fib", "100", stdout=full)
    assert result.returncode == 1
    assert result.stderr == "carrychain: can't write 'standard output': No space left on device\n"


def test_a_device_stays_a_device():
    result = run("fib", "100", "--out", "/dev/full")
    assert complaint(result, 1) == "carrychain: can't write '/dev/full': No space left on device"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_standard_output_by_name():
    assert run("fib", "100", "--out", "/dev/stdout").stdout == "354224848179261915075\n"


def no_large_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def test_the_disk_refuses_part_way(tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("old")
    result = run("fib", "1000000", "--out", str(path), preexec_fn=no_large_files)
    assert complaint(result, 1) == f"carrychain: can't write {str(path)!r}: File too large"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True)
    if mount.returncode:
        pytest.skip("may not mount a small file system here")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_full_disk(small_disk):
    path = small_disk / "f.txt"
    said = complaint(run("fib", "1000000", "--out", str(path)), 1)
    assert said == f"carrychain: can't write {str(path)!r}: No space left on device"
    assert not list(small_disk.iterdir())


def test_closed_pipe():
    process = start("fib", "1000000", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.read(10) == b"1953282128"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=20) == 1


def wait_for(condition, process: subprocess.Popen) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_ctrl_c(tmp_path, number):
    process = start(*LONG, "--out", str(tmp_path / "f.txt"), stderr=subprocess.PIPE)
    # the temporary name is there before the work begins
    wait_for(lambda: list(tmp_path.iterdir()), process)
    time.sleep(1)
    process.send_signal(number)
    begun = time.monotonic()
    _, stderr = process.communicate(timeout=60)
    assert time.monotonic() - begun < 3
    assert (process.returncode, stderr) == (1, b"carrychain: interrupted\n")
    assert not list(tmp_path.iterdir())


def test_ctrl_c_while_a_reader_is_slow():
    process = start("fib", "1000000", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.read(10) == b"1953282128"
    process.send_signal(signal.SIGINT)
    assert process.stderr.read() == b"carrychain: interrupted\n"
    assert process.wait(timeout=20) == 1


def test_progress_on_a_terminal(tmp_path):
    terminal, far_end = pty.openpty()
    process = start(
        "fib", "100000000", "--strategy", "iterative", "--out", str(tmp_path / "f.txt"), stderr=far_end
    )
    os.close(far_end)
    shown = b""

    def read() -> None:
        nonlocal shown
        while b"computing" not in shown:
            try:
                shown += os.read(terminal, 1000)
            except OSError:
                return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(timeout=30)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    assert b"computing" in shown
    assert not list(Path(tmp_path).iterdir())


def test_no_progress_off_a_terminal(tmp_path):
    process = start(
        "fib",
        "100000000",
        "--strategy",
        "iterative",
        "--out",
        str(tmp_path / "f.txt"),
        stderr=subprocess.PIPE,
    )
    wait_for(lambda: list(tmp_path.iterdir()), process)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[1] == b"carrychain: interrupted\n"
