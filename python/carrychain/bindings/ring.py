"""The runtime of compiled programs, as ring/call/runtime/runtime.h has it: values, arrays, memory, calls.

A value is a word, here its bits as an unsigned integer; what is owned must be released.
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
    """What tells this build of the runtime from another."""
    status = Path(_carrychain.__file__).stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def functions() -> list[tuple[str, int]]:
    """What compiled code calls: names and addresses."""
    length = ffi.new("size_t *")
    symbols = lib.ring_symbols(length)
    return [
        (ffi.string(symbols[at].name).decode(), int(ffi.cast("uintptr_t", symbols[at].function)))
        for at in range(length[0])
    ]


def addresses(*names: str) -> list[int]:
    """Of the runtime's functions, those of these names, for C that calls them."""
    return [int(ffi.cast("uintptr_t", ffi.addressof(lib, name))) for name in names]


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def integer(value: int) -> int:
    """The integer of a value."""
    if value & 1:
        return _signed(value) >> 1
    x = lib.ring_integer(_signed(value))
    data = bytearray(lib.cc_bigint_bit_length(x) // 8 + 1)
    lib.cc_bigint_to_bytes(ffi.from_buffer(data), len(data), x, lib.CC_SIGNED)
    return int.from_bytes(data, "little", signed=True)


def array(value: int) -> tuple[int, int]:
    """Of an array, its length and the address of its elements."""
    found = lib.ring_array(_signed(value))
    return found.length, int(ffi.cast("uintptr_t", found.data))


class Words:
    """Memory for so many words, all 0, at a multiple of 16."""

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
    """Values that are given up with this object, all 0, and after them so many other words.

    A signal's handler may raise between any two steps in Python: what C makes, C puts here at once.
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
        """Gives them up now: what they refer to may be a program's own, and end with it."""
        ffi.release(self.slots)

    def put(self, at: int, x: int) -> int:
        """An integer as a value."""
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
    """How a call ended: a check's status, or 0; and what it tells of a check that failed."""

    raised: BaseException | None  # by a signal's handler, which ended the call
    status: int
    low: int  # the operand's two words; a value is in the results' first slot
    high: int
    length: int
    callers: tuple[int, ...]  # the sites of the calls that led to it, the innermost first


class Stop:
    """What ends calls that other threads make."""

    def __init__(self) -> None:
        self.stopped = False
        self.calls: list = []

    def stop(self) -> None:
        """Calls that are made, and those to come, end when they next ask."""
        self.stopped = True
        for context in list(self.calls):
            self.end(context)

    @staticmethod
    def end(context) -> None:
        context.stopped = 1
        context.due = 1


def call(entry: int, arguments: Words, results: Slots, stop: Stop | None = None) -> Called:
    """Calls compiled code without the GIL.

    In the main thread, handlers of signals run meanwhile, and what one raises ends the call.
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
