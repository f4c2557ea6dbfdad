"""The runtime of compiled programs (ring/call/runtime/runtime.h): values, arrays, memory, calls.

A value is a word, represented here by its bits as an unsigned integer. An owned value must be released.
"""

import threading
import time
from pathlib import Path
from typing import NamedTuple

from . import _carrychain
from ._carrychain import ffi, lib

WORD = (1 << 64) - 1
SMALL_BITS = 63


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


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def integer(value: int) -> int:
    """The integer that a value holds."""
    if value & 1:
        return _signed(value) >> 1
    x = lib.ring_integer(_signed(value))
    data = bytearray(lib.cc_bigint_bit_length(x) // 8 + 1)
    lib.cc_bigint_to_bytes(ffi.from_buffer(data), len(data), x, lib.CC_SIGNED)
    return int.from_bytes(data, "little", signed=True)


def array(value: int) -> tuple[int, int]:
    """The length of an array and the address of its elements."""
    found = lib.ring_array(_signed(value))
    return found.length, int(ffi.cast("uintptr_t", found.data))


class WordArray:
    """Zeroed memory for this many words, aligned to 16 bytes."""

    def __init__(self, count: int):
        self._memory = ffi.new("uint64_t[]", count + 2)
        self.address = int(ffi.cast("uintptr_t", self._memory)) + 15 & ~15
        self._words = ffi.cast("uint64_t *", self.address)

    def __getitem__(self, at: int) -> int:
        return self._words[at]

    def __setitem__(self, at: int, word: int) -> None:
        self._words[at] = word

    def fill(self, data: bytes) -> None:
        ffi.memmove(self._words, data, len(data))


def address(view: memoryview) -> int:
    return int(ffi.cast("uintptr_t", ffi.from_buffer(view)))


def read(address: int, size: int) -> bytes:
    return bytes(ffi.buffer(ffi.cast("char *", address), size)) if size else b""


class Slots:
    """Values that are released with this object, initially 0, followed by a number of other words.

    A signal handler may raise between any two Python steps, so C stores every new value here at once.
    """

    def __init__(self, count: int, words: int = 0):
        made = lib.ring_slots_new(count, words)
        if not made:
            raise MemoryError("not enough memory for an array")
        self.slots = ffi.gc(made, lib.ring_slots_free)
        self._values = made.values
        self.words = ffi.cast("uint64_t *", self._values + count + count % 2)

    @property
    def address(self) -> int:
        return int(ffi.cast("uintptr_t", self._values))

    def __getitem__(self, at: int) -> int:
        return self._values[at] & WORD

    def close(self) -> None:
        """Releases the values now. They may refer to memory that belongs to a program and ends with it."""
        ffi.release(self.slots)

    def put(self, at: int, x: int) -> int:
        """Stores an integer as a value."""
        if -(1 << SMALL_BITS - 1) <= x < 1 << SMALL_BITS - 1:
            self._values[at] = x << 1 | 1
        else:
            data = x.to_bytes(x.bit_length() // 8 + 1, "little", signed=True)
            if not lib.ring_slots_put(self.slots, at, data, len(data)):
                raise MemoryError("not enough memory for an integer")
        return self[at]


# What a handler raised, until the call that it ended has returned. Handlers run in one thread.
_raised: list[BaseException] = []


def _keep(kind, error, traceback) -> None:
    _raised.append(error)


@ffi.def_extern(name="ring_signals", error=1, onerror=_keep)
def _signals() -> int:
    # Python runs the handlers of pending signals when a function begins, and after each call of C
    time.sleep(0)
    return 0


class Called(NamedTuple):
    """How a call ended: the status of a failed check, or 0, and what it reports about that check."""

    raised: BaseException | None  # by a signal's handler, which ended the call
    status: int
    low: int  # the operand's two words; a value is in the results' first slot
    high: int
    length: int
    callers: tuple[int, ...]  # the sites of the calls that led to it, the innermost first


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


def call(entry: int, arguments: WordArray, results: Slots, stop: Stop | None = None) -> Called:
    """Calls compiled code without the GIL.

    In the main thread, signal handlers run during the call, and an exception that one raises ends it.
    """
    context = ffi.new("struct ring_context *")
    if stop:
        stop.calls.append(context)
        if stop.stopped:
            stop.end(context)
    if threading.get_ident() == threading.main_thread().ident:
        context.ask = lib.ring_signals
    status = lib.ring_call(entry, ffi.cast("void *", arguments.address), results.slots, context)
    if stop:
        stop.calls.remove(context)
    raised = (_raised.pop() if _raised else KeyboardInterrupt()) if context.stopped else None
    callers = tuple(context.callers[0 : context.called])
    return Called(raised, status, *context.operand, context.length, callers)
