# SPDX-License-Identifier: MIT
"""The library's tables of kernels, as its dispatchers and its C tests see them: from the bytes of its
objects, emulated, and from the library that is built of them, on this processor.

The layouts are those of src/limbs/kernels.h, src/fixed/kernels.h, src/checksum/schemes.h and dispatch.h.
"""

import ctypes
import re
import struct
from pathlib import Path

import numpy
from elftools.elf.elffile import ELFFile

from . import run

LIMBS = (
    *("add", "sub", "mul_1", "addmul_1", "submul_1", "lshift", "rshift"),
    *("mul_basecase", "sqr_basecase", "mul_few", "sqr_few"),
)
FEW = 7  # words, from which on the last two do nothing
MONT_MUL = tuple(f"mont_mul_{n}" for n in range(9))
FIXED = (
    *("mul", "sqr", "clear_low", *MONT_MUL, "mont_sqr_8", "powmod_odd", "radix"),
    *(None, None, "lanes", "powmod_odd_8", "radix_8", "worth"),
)
GAP = 4096  # bytes around an array, of which none may change


class Emulated:
    """The objects of one module of proofs.objects, and what they call."""

    def __init__(self, build, module):
        self.image = run.image(build, module)
        self.symbols = self.image.symbols
        self.regions = self.image.regions

    def symbol(self, name):
        return self.symbols[name]

    def read(self, address, size):
        for start, data, _ in self.regions:
            if start <= address and address + size <= start + len(data):
                return data[address - start : address - start + size].tobytes()
        raise ValueError(f"nothing is at {address:#x}")

    def call(self, random):
        return run.Call(self.image)


class Native:
    """The shared library, loaded; symbols that it keeps for itself among them."""

    def __init__(self, build, anchor="cc_cpu_tiers"):
        path = Path(build) / "libcarrychain.so"
        self.library = ctypes.CDLL(str(path.resolve()))
        with path.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            self.symbols = {each.name: each["st_value"] for each in table.iter_symbols() if each["st_value"]}
        here = ctypes.cast(getattr(self.library, anchor), ctypes.c_void_p).value
        self.base = here - self.symbols[anchor]

    def symbol(self, name):
        return self.base + self.symbols[name]

    def read(self, address, size):
        return ctypes.string_at(address, size)

    def call(self, random):
        return NativeCall(random)


class NativeCall:
    """As run.Call: arrays at addresses chosen here, and what is around them looked at."""

    def __init__(self, random):
        self.random, self.places = random, []

    def memory(self, array, writable=True, offset=0):
        data = array.reshape(-1).view("u1")
        room = self.random.integers(0, 256, 2 * GAP + len(data) + 64 + offset, "u1")
        at = GAP + -(room.ctypes.data + GAP) % 64 + offset
        room[at : at + len(data)] = data
        self.places.append((room, room.copy(), at, data, writable))
        return room.ctypes.data + at

    def run(self, function, *arguments, random=None):
        made = ctypes.CFUNCTYPE(ctypes.c_uint64, *[ctypes.c_uint64] * len(arguments))(function)
        result = made(*arguments)
        for room, before, at, data, writable in self.places:
            if writable:
                data[:] = room[at : at + len(data)]
                before[at : at + len(data)] = data
            if not numpy.array_equal(room, before):
                raise run.Fault("memory is written that may not be")
        return result


def _words(way, address, count):
    return struct.unpack(f"<{count}Q", way.read(address, 8 * count))


def _string(way, address):
    text = b""
    while not text.endswith(b"\0"):
        text += way.read(address + len(text), 1)
    return text[:-1].decode()


def _candidates(way, symbol, names):
    (count,) = _words(way, way.symbol(f"{symbol}_count"), 1)
    found = []
    for number in range(count):
        needs, kernels = _words(way, way.symbol(symbol) + 16 * number, 2)
        tier, *functions = _words(way, kernels, 1 + len(names))
        found += [
            (_string(way, tier), needs, name, function)
            for name, function in zip(names, functions, strict=True)
            if name and function
        ]
    return found


def limbs(way):
    """(tier, needs, name, function) of every kernel, the portable ones among them; so do the others."""
    return _candidates(way, "cc_limbs_candidates", LIMBS)


def fixed(way):
    """Beside them, of a tier that has batches, a row of how many lanes they have, in the function's place."""
    return _candidates(way, "cc_fixed_candidates", FIXED)


def checksum(way):
    """All schemes; and the whole checksums and copies that tiers have beside them."""
    (count,) = _words(way, way.symbol("cc_checksum_schemes_count"), 1)
    found, needed = [], {}
    for number in range(count):
        name, tier, needs, _, function = _words(way, way.symbol("cc_checksum_schemes") + 40 * number, 5)
        found.append((_string(way, tier), needs, _string(way, name), function))
        needed[found[-1][0]] = needs
    for symbol in sorted(way.symbols):
        match = re.fullmatch(r"cc_checksum_(whole|copy)_(\w+)", symbol)
        if match and match[2] in needed:
            found.append((match[2], needed[match[2]], match[1], way.symbol(symbol)))
    return found
