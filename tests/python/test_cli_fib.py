import hashlib
import io
import os
import pty
import re
import resource
import signal
import stat
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from carrychain.bindings import memory
from carrychain.bindings.bigint import BigInt
from carrychain.bindings.fibonacci import fib_bigint
from carrychain.cli import fib as fib_module
from carrychain.cli import progress
from carrychain.cli.failures import CheckFailed
from carrychain.files import Writer
from click.testing import CliRunner
from command import complaint, run, run_anew, start
from events import until, work_of
from rich.console import Console

MILLION_SHA256 = "aef6e8c19df607aa07940f2abde8460d1b34c18df1a6f46b5fc04dfe9be51706"
# minutes of work
LONG = ("fib", "400000000", "--strategy", "iterative")


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
    result = run("fib", "1000000")
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
        (["1", "--threads", "0"], "Invalid value for '--threads': 0 is not in the range"),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, list) else "",
)
def test_usage(arguments, said):
    assert complaint(run("fib", *arguments), 2).startswith(f"carrychain fib: {said}")


def test_an_option_without_its_argument():
    assert complaint(run("fib", "1", "--out"), 2) == "carrychain: Option '--out' requires an argument."


def test_more_than_memory():
    n = str(2**63)
    assert complaint(run("fib", n), 2).startswith(f"carrychain: not enough memory for F({n}) in decimal: it ")


def no_large_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))


def test_more_than_this_process_may_have(tmp_path):
    said = complaint(
        run_anew("fib", "4000000000", "--out", tmp_path / "f.txt", preexec_fn=no_large_memory), 2
    )
    figures = re.fullmatch(
        r"carrychain: not enough memory for F\(4000000000\) in decimal: "
        r"it needs (\d+\.\d) GB, but only (\d\.\d) GB are available",
        said,
    )
    assert figures and float(figures[1]) > 1.5 >= float(figures[2]) > 0
    assert not list(tmp_path.iterdir())


def test_what_does_not_fit_does_not_begin(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1_000_000)
    for name in ("fib_bigint", "fib_digits"):
        monkeypatch.setattr(fib_module, name, lambda *arguments: pytest.fail("it has begun"))
    with pytest.raises(MemoryError, match=r"it needs \d+\.\d MB, but only 1\.0 MB are available"):
        CliRunner().invoke(fib_module.fib, ["10000000"], standalone_mode=False, catch_exceptions=False)


CHECKED = re.compile(
    r"F\((\d+)\) checked: modulo \d{19}, \d{19}, \d{19} before and after the conversion; (\d+) digits?; "
    r"the first (\d+) and the last (\d+)\n"
)


@pytest.mark.parametrize(
    ("n", "told"),
    [("0", "1 1 1"), ("100", "21 20 20"), ("1000000", "208988 20 20")],
    ids=["0", "100", "1000000"],
)
def test_check(tmp_path, n, told):
    plain, checked = run("fib", n), run("fib", n, "--check")
    assert (checked.returncode, checked.stdout) == (0, plain.stdout)
    found = CHECKED.fullmatch(checked.stderr)
    assert found and found.groups() == (n, *told.split())
    path = tmp_path / "f.txt"
    result = run("fib", n, "--check", "--out", str(path))
    assert (result.returncode, result.stdout) == (0, "")
    assert CHECKED.fullmatch(result.stderr).groups() == found.groups()
    assert path.read_text() == plain.stdout
    # drawn anew
    assert result.stderr != checked.stderr


def checking(*arguments: str) -> str:
    """Why the check fails."""
    with pytest.raises(CheckFailed) as caught:
        CliRunner().invoke(
            fib_module.fib, ["20000", "--check", *arguments], standalone_mode=False, catch_exceptions=False
        )
    assert caught.value.exit_code == 1
    said = caught.value.format_message()
    assert said.startswith("F(20000) is wrong ")
    return said


def test_a_wrong_number(monkeypatch, capfdbinary):
    monkeypatch.setattr(fib_module, "fib_bigint", lambda n, strategy, watch: fib_bigint(n + 1))
    said = checking()
    assert said.count("before the conversion") == said.count("after the conversion") == 3
    assert "first digits" in said and "last digits" in said
    assert capfdbinary.readouterr().out == b""


@pytest.mark.parametrize("place", [0, 2000, 4179])
def test_a_wrong_file(monkeypatch, tmp_path, place):
    """A digit comes back from the disk as another one."""
    path = tmp_path / "f.txt"
    path.write_text("old")
    write = Writer.write

    def damaged(self, data):
        data = bytearray(data)
        # not the newline
        if len(data) > max(place, 1):
            data[place] ^= 1
        write(self, data)

    monkeypatch.setattr(Writer, "write", damaged)
    said = checking("--out", str(path))
    assert said.count("after the conversion") == 3 and "before the conversion" not in said
    assert ("first digits" in said, "last digits" in said) == (place == 0, place == 4179)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_file_cut_short(monkeypatch, tmp_path):
    monkeypatch.setattr(Writer, "write", lambda self, data: None)
    assert "which is not all digits and a newline" in checking("--out", str(tmp_path / "f.txt"))
    assert not list(tmp_path.iterdir())


def test_a_device_is_checked_before_it_is_written(monkeypatch):
    assert CHECKED.fullmatch(run("fib", "20000", "--check", "--out", "/dev/null").stderr)
    digits = fib_bigint(20_001).digits(10)
    monkeypatch.setattr(BigInt, "digits", lambda *arguments: digits)
    monkeypatch.setattr(Writer, "write", lambda *arguments: pytest.fail("it has been written"))
    assert "after the conversion" in checking("--out", "/dev/null")


def test_each_part_is_named_and_goes_to_its_end(monkeypatch, tmp_path):
    parts: list[tuple[str, list[tuple[int, int]]]] = []

    class Recorder(fib_module.Bar):
        def part(self, name):
            parts.append((name, []))

        def report(self, done, total):
            parts[-1][1].append((done, total))

    monkeypatch.setattr(fib_module, "Bar", Recorder)
    for path, then in ((tmp_path / "f.txt", ["writing", "checking"]), ("/dev/null", ["checking"])):
        parts.clear()
        arguments = ["20000000", "--check", "--out", str(path)]
        assert CliRunner().invoke(fib_module.fib, arguments).exit_code == 0
        assert [name for name, _ in parts] == ["computing", "converting", *then]
        for name, seen in parts[2:]:
            assert len(seen) >= 4, name
            assert seen == sorted(seen) and seen[-1] == (4179753, 4179753)


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
    said = complaint(run("fib", "100", "--out", out, cwd=tmp_path), 2)
    assert said.startswith("carrychain: can't write '") and said.endswith(why)
    assert not list(tmp_path.iterdir())


def test_full_standard_output():
    with open("/dev/full", "w") as full:
        result = run("fib", "100", stdout=full)
    assert result.returncode == 2
    assert result.stderr == "carrychain: can't write 'standard output': No space left on device\n"


def test_a_device_stays_a_device():
    result = run("fib", "100", "--out", "/dev/full")
    assert complaint(result, 2) == "carrychain: can't write '/dev/full': No space left on device"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_standard_output_by_name():
    assert run("fib", "100", "--out", "/dev/stdout").stdout == "354224848179261915075\n"


def no_large_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def test_the_disk_refuses_part_way(tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("old")
    result = run_anew("fib", "1000000", "--out", str(path), preexec_fn=no_large_files)
    assert complaint(result, 2) == f"carrychain: can't write {str(path)!r}: File too large"
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
    said = complaint(run("fib", "1000000", "--out", str(path)), 2)
    assert said == f"carrychain: can't write {str(path)!r}: No space left on device"
    assert not list(small_disk.iterdir())


def test_closed_pipe():
    process = start("fib", "1000000", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.read(10) == b"1953282128"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 2


@pytest.mark.parametrize("strategy", ["squaring", "doubling"])
def test_threads(strategy):
    """Long enough for their products to be shared."""
    alone, shared = (run("fib", "5000000", "--strategy", strategy, "--threads", n) for n in ("1", "3"))
    assert (shared.returncode, shared.stderr) == (0, "")
    assert shared.stdout == alone.stdout and len(alone.stdout) > 1_000_000


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c(tmp_path, threads, number):
    process = start(*LONG, "--threads", threads, "--out", str(tmp_path / "f.txt"), stderr=subprocess.PIPE)
    # the temporary name is there before the work begins
    until(lambda: list(tmp_path.iterdir()), process)
    work_of(process, 1)
    process.send_signal(number)
    _, stderr = process.communicate()
    assert (process.returncode, stderr) == (130, b"carrychain: interrupted\n")
    assert not list(tmp_path.iterdir())


def test_ctrl_c_while_a_reader_is_slow():
    process = start("fib", "1000000", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.read(10) == b"1953282128"
    process.send_signal(signal.SIGINT)
    assert process.stderr.read() == b"carrychain: interrupted\n"
    assert process.wait() == 130


def test_progress_on_a_terminal(tmp_path):
    terminal, far_end = pty.openpty()
    process = start(
        "fib", "100000000", "--strategy", "iterative", "--out", str(tmp_path / "f.txt"), stderr=far_end
    )
    os.close(far_end)
    shown = b""
    seen = threading.Event()

    def read() -> None:
        nonlocal shown
        with suppress(OSError):
            # to the end: who writes to a terminal that nobody reads is soon blocked
            while more := os.read(terminal, 1000):
                shown += more
                if b"computing" in shown:
                    seen.set()

    threading.Thread(target=read, daemon=True).start()
    assert seen.wait()
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert not list(Path(tmp_path).iterdir())


def test_the_bar_moves_before_anything_is_done(monkeypatch):
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    monkeypatch.setattr(progress, "err", console)
    monkeypatch.setattr(progress, "PROGRESS_AFTER_S", 0)

    def shown() -> str:
        bar._progress.refresh()
        text = console.file.getvalue()
        console.file.seek(0)
        console.file.truncate()
        return text

    with progress.Bar() as bar:
        bar.part("computing")
        # without a report; it is the timer that shows it
        bar._timer.join()
        text = shown()
        assert "computing" in text and "%" not in text
        # of no known length: such a bar moves by itself
        (task,) = bar._progress.tasks
        assert task.total is None
        bar.report(0, 3)
        assert "%" not in shown()
        bar.report(1, 3)
        assert "33%" in shown()
        bar.part("converting")
        text = shown()
        assert "converting" in text and "computing" not in text and "%" not in text
    monkeypatch.setattr(progress, "PROGRESS_AFTER_S", 1_000_000)
    with progress.Bar() as bar:
        bar.part("computing")
        bar.report(1, 3)
    assert "computing" not in console.file.getvalue()


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
    until(lambda: list(tmp_path.iterdir()), process)
    work_of(process, 2)
    process.send_signal(signal.SIGINT)
    assert process.communicate()[1] == b"carrychain: interrupted\n"
