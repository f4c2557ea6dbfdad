# SPDX-License-Identifier: MIT
"""Ends the process trees that a tool started when the tool ends, or when they hang. Trees come from /proc."""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
# seconds for a tool to tidy up before its tree is killed
GRACE = 3
# seconds with neither a word nor work: what it waits for will not come
IDLE = 300
# what sleepers use of a core, the clocks of an emulated machine among them
ASLEEP = 0.05
# seconds of a core that a tree may use between two words, on a machine of 2020
BUSY = 3600
# and what the work of measured() takes there
NOMINAL = 0.15


class Hung(Exception):
    """Says how long the tree neither ended nor said a word."""


def _stat(pid: int | str) -> list[bytes]:
    """The fields of /proc/PID/stat from the state on, which is 0: parent 1, times 11 to 14."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def below(pid: int) -> list[int]:
    """Every process started by this one, or by one of those."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            children.setdefault(int(_stat(name)[1]), []).append(int(name))
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found[1:]


def work(pid: int) -> int:
    """Processor time of this process and all below it, in ticks; of the dead, what their parents saw."""
    total = 0
    for each in [pid, *below(pid)]:
        with contextlib.suppress(OSError):
            total += sum(map(int, _stat(each)[11:15]))
    return total


def runnable(pid: int) -> bool:
    """Whether a thread of this process or of one below it runs, or would if the machine were less busy."""
    for each in [pid, *below(pid)]:
        with contextlib.suppress(OSError):
            if any(_stat(f"{each}/task/{thread}")[0] == b"R" for thread in os.listdir(f"/proc/{each}/task")):
                return True
    return False


def kill_below(pid: int) -> None:
    """Each stopped first, so that none starts another meanwhile."""
    seen: list[int] = []
    while more := [each for each in below(pid) if each not in seen]:
        for each in more:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGSTOP)
        seen += more
    for each in seen:
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def measured() -> float:
    """How many times slower than a machine of 2020 this one works."""
    begun = time.process_time()
    sum(range(5_000_000))
    return max(1, (time.process_time() - begun) / NOMINAL)


class Watch:
    """Whether the tree of a process hangs.

    It does when what it says has not changed while it did next to nothing for IDLE seconds, and does not wait
    for a processor now, or worked as long as this machine takes for BUSY seconds of a common one.
    """

    def __init__(self, pid: int, busy: float | None = None, times: float = 1) -> None:
        self._pid = pid
        self._idle, self._busy = times * IDLE, times * (busy or BUSY) * measured()
        self._said = -1
        self._worked_then, self._idle_then, self._idle_since = 0.0, 0.0, 0.0

    def hung(self, said: int) -> str:
        """How it does, or nothing; SAID is a count of what it said so far."""
        tick = 1 / os.sysconf("SC_CLK_TCK")
        now, worked = time.monotonic(), work(self._pid) * tick
        if said != self._said:
            self._said, self._worked_then = said, worked
            self._idle_since, self._idle_then = now, worked
        if worked - self._idle_then > ASLEEP * (now - self._idle_since) + tick:
            self._idle_since, self._idle_then = now, worked
        worked, idle = worked - self._worked_then, now - self._idle_since
        if idle > self._idle and worked <= self._busy and runnable(self._pid):
            self._idle_since = now
            return ""
        if idle <= self._idle and worked <= self._busy:
            return ""
        return f"no word in {worked:.0f} s of work, then {idle:.0f} s idle"


def wait(process: subprocess.Popen, words: Callable[[], int], busy: float | None = None) -> int:
    """Wait until the process ends; its status.  One that hangs is killed, with all it started.

    WORDS counts what it said.  It has twice a Watch's time: what runs tests ends one that hangs, and goes on.
    """
    watch = Watch(process.pid, busy, 2)
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(0.5)
        if why := watch.hung(words()):
            # or it would go on to what comes after a child that was killed
            process.send_signal(signal.SIGSTOP)
            kill_below(process.pid)
            process.kill()
            process.wait()
            raise Hung(f"killed: {why}")


def together() -> None:
    """Return in a process that ends with its whole tree, whichever way the one that called is ended.

    Three processes: the one that was called waits, and passes signals on; the second, to which all below
    falls when its parents die, sees by a pipe that the first is gone; the third returns.
    """
    libc = ctypes.CDLL(None)
    alive, lifeline = os.pipe()
    if second := os.fork():
        os.close(alive)
        # make is killed, and this is not told: but by the kernel
        if "MAKELEVEL" in os.environ:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: os.kill(second, number))
        os._exit(os.waitstatus_to_exitcode(os.waitpid(second, 0)[1]) & 0xFF)
    os.close(lifeline)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    if third := os.fork():
        _guard(third, alive)
    os.close(alive)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # a shell's background job ignores Ctrl-C, and what it starts would, too: tests send it
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)


def _guard(worker: int, alive: int) -> None:
    """End when WORKER has ended, or the reader of ALIVE sees its end, or a signal comes: with all below."""
    asked = 0

    def ask(number, _):
        nonlocal asked
        asked = asked or number

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ask)
    status, until = None, None
    while status is None and (until is None or time.monotonic() < until):
        if not asked and select.select([alive], [], [], 0.1)[0]:
            asked = signal.SIGHUP
        if asked and until is None:
            until = time.monotonic() + GRACE
            os.kill(worker, asked)
        if asked:
            time.sleep(0.02)
        with contextlib.suppress(ChildProcessError):
            while status is None and (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == worker:
                    status = os.waitstatus_to_exitcode(ended[1])
    until = time.monotonic() + GRACE
    while below(os.getpid()) and time.monotonic() < until:
        kill_below(os.getpid())
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.01)
    sys.stdout.flush()
    os._exit(128 + asked if asked else status if status >= 0 else 128 - status)
