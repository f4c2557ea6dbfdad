"""Progress of long work in C, and two ways to end it: ``stop``, and Ctrl-C."""

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from ._carrychain import ffi, lib
from .status import check

REPORT_INTERVAL_NS = 50_000_000
SIGNAL_INTERVAL_S = 0.05

Report = Callable[[int, int], None]
Result = TypeVar("Result")


THREADS_MAX = lib.CC_THREADS_MAX


class Watch:
    """Watches calls into C, one at a time.

    ``report(done, total)`` is called in the working thread, at most every 50 ms. An exception that it raises
    ends the work, and ``check`` raises it again. ``stop`` may be called from any thread; the work then ends
    at its next step. ``threads`` is the number of threads that work, the caller included; OSError if the
    system has no more.
    """

    def __init__(self, report: Report | None = None, threads: int = 1) -> None:
        self.report = report
        self.error: BaseException | None = None
        self._handle = ffi.new_handle(self)
        self._watch = ffi.new("struct watch *")
        self._watch.listener = self._handle if report else ffi.NULL
        self._watch.interval = REPORT_INTERVAL_NS
        self.progress = ffi.new("struct cc_progress *")
        self.progress.step = ffi.addressof(lib, "watch_step")
        self.progress.context = self._watch
        if threads > 1:
            self._threads = ffi.gc(_threads(threads), lib.cc_threads_close)
            self.progress.tasks = lib.cc_threads_tasks(self._threads)

    def stop(self) -> None:
        self._watch.stop = 1

    def check(self, status: int, what: str) -> None:
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        check(status, what)


def _threads(count: int):
    threads = lib.cc_threads_open(count)
    if not threads:
        raise OSError(f"the system cannot start {count} threads: use fewer")
    return threads


@ffi.def_extern(name="watch_report", error=1)
def _report(listener, done: int, total: int) -> int:
    watch = ffi.from_handle(listener)
    try:
        watch.report(done, total)
    except BaseException as error:
        watch.error = error
        return 1
    return 0


def taken(queue: SimpleQueue[Result]) -> Result:
    """``queue.get()`` that does not make the main thread miss a signal.

    The kernel may deliver a signal to any thread, but Python's handlers run only in the main thread. Nothing
    wakes the main thread if another one received the signal, so it polls.
    """
    while True:
        try:
            return queue.get(timeout=SIGNAL_INTERVAL_S)
        except Empty:
            pass


def interruptible(work: Callable[[], Result], stop: Callable[[], object]) -> Result:
    """Runs ``work()`` in a thread of its own while the main thread waits.

    Signals reach only Python code. So the main thread waits in Python. On Ctrl-C it calls ``stop()``, raises
    KeyboardInterrupt at once, and leaves the work to end at its next step. Any other thread gets no signals,
    and does the work itself.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    outcome: SimpleQueue[tuple[Result | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            outcome.put((work(), None))
        except BaseException as error:
            outcome.put((None, error))

    worker = threading.Thread(target=run, daemon=True)
    try:
        # it waits for the thread to begin: Ctrl-C may come here as well
        worker.start()
        result, error = taken(outcome)
    except BaseException:
        stop()
        raise
    if error is not None:
        raise error
    return result
