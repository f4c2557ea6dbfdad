"""Waits for what happens, however long that takes: what hangs is ended from outside."""

import array
import fcntl
import os
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

TICKS = os.sysconf("SC_CLK_TCK")


def until(condition: Callable[[], object], process: subprocess.Popen | None = None) -> None:
    """Whose end, if it comes first, is a failure."""
    while not condition():
        assert process is None or process.poll() is None
        time.sleep(0.01)


def work_of(process: subprocess.Popen, seconds: float) -> None:
    """Return when it has used so much more processor time."""

    def used() -> int:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    begun = used()
    until(lambda: used() - begun >= seconds * TICKS, process)


def drained(pipe: int) -> bool:
    """Whether all that was written into the pipe has been read."""
    waiting = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return not waiting[0]


@contextmanager
def interrupted() -> Iterator[None]:
    """Ctrl-C, when this process has worked on what is within for a while; which it is to end."""
    when, ended = time.process_time() + 0.2, threading.Event()

    def interrupt() -> None:
        while time.process_time() < when:
            if ended.wait(0.01):
                return
        # to the thread that a terminal's goes to: one that waits for others wakes by it
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        ended.set()
        thread.join()


def others_run(call: Callable[[], object]) -> bool:
    """Whether another thread gets on while this call, made again and again, has not ended."""
    meanwhile, seen = threading.Event(), []

    def work() -> None:
        for _ in range(1000):
            call()
            if meanwhile.is_set():
                seen.append(True)
                return

    thread = threading.Thread(target=work)
    # the interpreter gives up the GIL by itself only after this long
    interval = sys.getswitchinterval()
    sys.setswitchinterval(100_000)
    try:
        thread.start()
        meanwhile.set()
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    return bool(seen)
