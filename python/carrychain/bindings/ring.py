"""The runtime of compiled programs, as ring/runtime/runtime.h has it: values, arrays, memory, calls.

A value is a word, here its bits as an unsigned integer; what is owned must be released.
"""

from pathlib import Path

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


def value(x: int) -> int:
    """A value of the integer, to be released."""
    if -(1 << SMALL_BITS - 1) <= x < 1 << SMALL_BITS - 1:
        return (x << 1 | 1) & WORD
    data = x.to_bytes(x.bit_length() // 8 + 1, "little", signed=True)
    made = lib.ring_from_bytes(data, len(data))
    if not made:
        raise MemoryError("not enough memory for an integer")
    return made & WORD


def release(value: int) -> None:
    lib.ring_release(_signed(value))


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


def call(entry: int, arguments: Words, results: Words) -> tuple[int, int, int, int]:
    """Calls compiled code without the GIL: its status, and what it tells of a check that failed: the
    two words of its operand, and a length."""
    context = ffi.new("struct ring_context *")
    status = lib.ring_call(
        entry, ffi.cast("void *", arguments.address), ffi.cast("void *", results.address), context
    )
    return status, context.operand[0], context.operand[1], context.length
