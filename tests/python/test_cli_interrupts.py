"""Ctrl-C at any moment of any command: one line, status 130, and nothing half-written."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files

import pytest
from carrychain.bindings.watch import interruptible
from carrychain.pcap.settled import verify
from command import ENVIRONMENT, start
from events import until
from every_command import COMMANDS, example, make_files

# `python -m carrychain`, with the signal at a call of a Python function by its number, counted from where
# our first function begins: the imports', the command's and the interpreter's end's. Not by the clock: the
# machine may be busy.
AT_A_CALL = """
import runpy, signal, sys
at, calls, begun = int(sys.argv.pop(1)), 0, False
def trace(frame, event, argument):
    global calls, begun
    if event != "call":
        return
    if begun:
        calls += 1
        if calls == at:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)
    elif frame.f_code.co_filename.endswith("cli/__init__.py") and frame.f_code.co_name == "main":
        begun = True
sys.setprofile(trace)
runpy.run_module("carrychain", run_name="__main__", alter_sys=True)
"""
POINTS = max(3, round(10 * float(os.environ.get("CC_TEST_SCALE", 1))))
BATCHES = 10
# about where the slowest to start has begun its work
MOST = 300_000


@pytest.mark.parametrize("name", COMMANDS)
def test_at_any_call(name, tmp_path, draw):
    if name == "bench" and not (files("carrychain") / "carrychain-bench").is_file():
        pytest.skip("the bench program is not built: GMP's headers are missing")
    make_files(tmp_path, random.Random(0))
    interrupted = 0
    for at in [1, *(round(MOST ** draw.random()) for _ in range(POINTS))]:
        before = sorted(tmp_path.rglob("*"))
        result = subprocess.run(
            [sys.executable, "-c", AT_A_CALL, str(at), *example(name)],
            cwd=tmp_path,
            env=ENVIRONMENT | {"PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        if result.returncode == 0:
            continue  # it was done before
        assert (result.returncode, result.stderr) == (130, b"carrychain: interrupted\n"), at
        assert sorted(tmp_path.rglob("*")) == before
        interrupted += 1
    assert interrupted >= POINTS // 2


def test_a_batch_is_cut_between_lines(tmp_path):
    lines = [(b, 2**40 + b, 2**61 - 1) for b in range(2000)]
    (tmp_path / "lines").write_text("".join(f"{b} {e} {m}\n" for b, e, m in lines))
    answers = "".join(f"{pow(*each)}\n" for each in lines)
    draw = random.Random(1)
    cut = 0
    for at in [draw.randrange(MOST // 2) for _ in range(BATCHES)]:
        result = subprocess.run(
            [sys.executable, "-c", AT_A_CALL, str(at), "powmod", "--batch", "lines"],
            cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True,
        )  # fmt: skip
        assert answers.startswith(result.stdout) and result.stdout[-1:] in ("", "\n")
        assert result.returncode in (0, 130)
        cut += 0 < len(result.stdout) < len(answers)
    assert cut


def test_a_terminal_interrupts_what_a_command_started_too(tmp_path):
    process = start("bench", stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    first = process.stdout.readline()
    if not first:
        pytest.skip("the bench program is not built: GMP's headers are missing")
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate()
    assert (process.returncode, stderr) == (130, b"carrychain: interrupted\n")


def test_who_had_it_ignored():
    """A shell's background job is not to end by the terminal's Ctrl-C."""
    process = start(
        "powmod", "3", "@-", "7", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    assert process.communicate(b"5")[0] == b"5\n"
    assert process.returncode == 0


class TakesTheSignal:
    """A thread that takes the Ctrl-C, as the kernel may choose any, once work has begun in another."""

    def __init__(self, begun: Callable[[], object]) -> None:
        self.answered = threading.Event()
        self._begun = begun
        self._thread = threading.Thread(target=self._take)

    def _take(self) -> None:
        until(self._begun)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        # or the main thread would be the only one to take it
        self.answered.wait()

    def __enter__(self) -> "TakesTheSignal":
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.answered.set()
        self._thread.join()


def test_another_thread_takes_the_signal_while_it_computes():
    begun = threading.Event()
    with TakesTheSignal(begun.is_set) as other, pytest.raises(KeyboardInterrupt):
        interruptible(lambda: (begun.set(), other.answered.wait()), lambda: None)


@pytest.fixture
def interrupted_start(monkeypatch):
    """Ctrl-C while a thread's start is waited for: the thread has begun then."""
    start_thread = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        start_thread(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", start)


def test_work_ends_that_is_interrupted_as_it_begins(interrupted_start):
    stopped, ended = threading.Event(), threading.Event()
    with pytest.raises(KeyboardInterrupt):
        interruptible(lambda: (stopped.wait(), ended.set()), stopped.set)
    until(ended.is_set)


def test_reading_ends_that_is_interrupted_as_it_begins(interrupted_start, tmp_path):
    capture = tmp_path / "empty"
    capture.write_bytes(b"")
    others = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        # more of them than are read ahead
        list(verify([str(capture)] * 100))
    until(lambda: {*threading.enumerate()} <= others)


def test_another_thread_takes_the_signal_while_it_reads(tmp_path):
    capture = tmp_path / "never-written"
    os.mkfifo(capture)
    writers = []

    def opened() -> bool:
        # there is no writer without a reader
        with suppress(OSError):
            writers.append(os.open(capture, os.O_WRONLY | os.O_NONBLOCK))
        return bool(writers)

    with TakesTheSignal(opened), pytest.raises(KeyboardInterrupt):
        list(verify([str(capture)]))
    # for which the reader waits
    os.close(*writers)
