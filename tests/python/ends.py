"""Every test has an end: one that hangs is named, and ended with all that it started.

Another process watches the one that runs the tests, from outside of its tree: what hangs may hold the
interpreter's lock. pytest-xdist counts the test that was ended as failed, and goes on with the next in a
new process.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import guard

# seconds for a process to say where it hangs
LAST_WORDS = 10


class Ends:
    """A plugin: says to the watch which test begins, and that it has ended."""

    def __init__(self) -> None:
        # later it is a file, from which pytest shows what a test printed
        self._stderr = os.dup(2)
        self._limits = guard.IDLE, guard.BUSY
        self._watch = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        # in the process that runs the tests, which with xdist is none that lists them
        if not self._watch:
            self._watch = self._begin()
        os.write(self._watch, f"{item.nodeid}\n".encode())
        try:
            return (yield)
        finally:
            os.write(self._watch, b"\n")

    def _begin(self) -> int:
        """What a watch reads that is left to init: no test meets it among its children."""
        command = [sys.executable, __file__, *map(str, (os.getpid(), *self._limits))]
        begun = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=self._stderr)
        begun.wait()
        return os.dup(begun.stdin.fileno())


def pytest_configure(config) -> None:
    config.pluginmanager.register(Ends(), "ends")


def watch(pid: int) -> None:
    """End process PID when a test hangs that it has begun, and this one when that has ended."""
    alive = os.pidfd_open(pid)
    tree = guard.Watch(pid)
    heard, test, begun = b"", b"", 0
    while True:
        ready, _, _ = select.select([alive, 0], [], [], min(5, guard.IDLE / 10))
        if alive in ready:
            return
        if 0 in ready:
            more = os.read(0, 1 << 16)
            if not more:
                return
            *lines, heard = (heard + more).split(b"\n")
            begun += len(lines)
            test = lines[-1] if lines else test
        elif (why := tree.hung(begun)) and test:
            os.write(2, b"\n%s hangs: %s\n" % (test, why.encode()))
            end(pid, alive)
            return


def end(pid: int, alive: int) -> None:
    # or it would go on to what comes after a child that was killed
    os.kill(pid, signal.SIGSTOP)
    guard.kill_below(pid)
    # pytest's handler prints where each thread is. The signal goes to the thread that runs the tests: if
    # another thread took it, the test would go on meanwhile.
    ctypes.CDLL(None).tgkill(pid, pid, signal.SIGABRT)
    os.kill(pid, signal.SIGCONT)
    if not select.select([alive], [], [], LAST_WORDS)[0]:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    if os.fork():
        os._exit(0)
    # a terminal's Ctrl-C is for the tests
    os.setsid()
    guard.IDLE, guard.BUSY = map(float, sys.argv[2:])
    watch(int(sys.argv[1]))
