"""The runtime of compiled programs (ring/call/runtime/runtime.h): arrays, and loops over columns."""

import threading
import time
from pathlib import Path

from . import _carrychain
from ._carrychain import ffi, lib


def build() -> str:
    """An identifier of this build of the runtime."""
    status = Path(_carrychain.__file__).stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def functions() -> list[tuple[str, int]]:
    """The names and addresses of the functions that compiled code calls."""
    length = ffi.new("size_t *")
    symbols = lib.ring_symbols(length)
    return [
        (ffi.string(symbols[at].name).decode(), int(ffi.cast("uintptr_t", symbols[at].function)))
        for at in range(length[0])
    ]


def addresses(*names: str) -> list[int]:
    """The addresses of the runtime functions with these names, for C that calls them."""
    return [int(ffi.cast("uintptr_t", ffi.addressof(lib, name))) for name in names]


def array(value: int) -> tuple[int, int]:
    """The address of an array's elements and its length."""
    found = lib.ring_array(value)
    return int(ffi.cast("uintptr_t", found.data)), found.length


def address(view: memoryview) -> int:
    return int(ffi.cast("uintptr_t", ffi.from_buffer(view)))


class Slots:
    """Values that are released with this object, or other words, initially 0."""

    def __init__(self, count: int, words: int = 0):
        made = lib.ring_slots_new(count, words)
        if not made:
            raise MemoryError("not enough memory for an array")
        self.slots = ffi.gc(made, lib.ring_slots_free)
        self.values = made.values

    @property
    def address(self) -> int:
        return int(ffi.cast("uintptr_t", self.values))


# What a handler raised, until the call that it ended has returned. Handlers run in one thread.
_raised: list[BaseException] = []


def _keep(kind, error, traceback) -> None:
    _raised.append(error)


@ffi.def_extern(name="ring_signals", error=1, onerror=_keep)
def _signals() -> int:
    # Python runs the handlers of pending signals when a function begins, and after each call of C
    time.sleep(0)
    return 0


class Stop:
    """Ends calls made by other threads."""

    def __init__(self) -> None:
        self.stopped = False
        self.calls: list = []

    def stop(self) -> None:
        """Ends running and future calls the next time they poll."""
        self.stopped = True
        for context in list(self.calls):
            self.end(context)

    @staticmethod
    def end(context) -> None:
        context.stopped = 1
        context.due = 1


def drive(entry: int, words: list[int], stop: Stop | None = None) -> int | None:
    """Calls a loop over columns (emit/driver.py) without the GIL: None, or the group in which a check failed.

    In the main thread, signal handlers run during the call, and an exception that one raises ends it.
    """
    context = ffi.new("struct ring_context *")
    if stop:
        stop.calls.append(context)
        if stop.stopped:
            stop.end(context)
    if threading.get_ident() == threading.main_thread().ident:
        context.ask = lib.ring_signals
    arguments, operand = Slots(0, len(words)), Slots(1)
    for at, word in enumerate(words):
        arguments.values[at] = word
    status = lib.ring_call(entry, arguments.values, operand.slots, context)
    if stop:
        stop.calls.remove(context)
    if context.stopped:
        raise _raised.pop() if _raised else KeyboardInterrupt()
    return arguments.values[0] if status else None
