# SPDX-License-Identifier: MIT
"""A kernel's bytes on concrete inputs, by the meanings: on any machine, whatever it has.

An Image is our objects, linked at addresses of their own; a Processor has a stack and the regions
of memory that a call is given.  What is loaded or stored outside them, or goes on for ever, is a Fault.
"""

import functools
import subprocess
import tempfile
from pathlib import Path

import numpy
from elftools.elf.elffile import ELFFile

from . import objects
from .machine.compiled import ASSUMPTION, FUEL, MEMORY, STATE, Compiled, Translator
from .objects import GENERAL

BASE = 0x400000
TABLE = 0x200000  # of addresses, by which such code finds what is elsewhere
STACK_BASE, STACK_BYTES = 0x7FFF00000000, 1 << 16
STACK_TOP = STACK_BASE + STACK_BYTES - 4096 - 8
MISSING = 0x10000
RETURN = 0xDEAD000000  # where a call comes back to
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
SAVED = ("rbx", "rsp", "rbp", "r12", "r13", "r14", "r15")
PLENTY = 10**9
REASONS = {MEMORY: "access outside of its memory", ASSUMPTION: "an assumption fails", FUEL: "it has no end"}

R_64, R_PC32, R_PLT32, R_32S = 1, 2, 4, 11
# of code that may be farther than 2 GB from what it names
R_PC64, R_GOTOFF64, R_GOT64, R_GOTPC64 = 24, 25, 27, 29


class Fault(Exception):
    """What a kernel may not do."""


class Image:
    """Objects linked: their functions' addresses by name, and their instructions by address."""

    def __init__(self, paths):
        self.functions, self.program, self.regions = {}, {}, []
        placed, globals_, files = {}, {}, []
        at = BASE
        for path in map(Path, paths):
            file = ELFFile(path.open("rb"))
            files.append(file)
            for number, section in enumerate(file.iter_sections()):
                if section["sh_flags"] & 2 and section["sh_size"]:
                    align = max(64, section["sh_addralign"])
                    at = -(-at // align) * align
                    data = bytearray(section["sh_size"])
                    if section["sh_type"] != "SHT_NOBITS":
                        data[:] = section.data()
                    flags = section["sh_flags"]
                    # once it is relocated the loader lets nobody write it
                    placed[file, number] = at, data, flags & ~1 if ".data.rel.ro" in section.name else flags
                    at += len(data)
            for symbol in file.get_section_by_name(".symtab").iter_symbols():
                where = placed.get((file, symbol["st_shndx"]))
                if where and symbol.name:
                    address = where[0] + symbol["st_value"]
                    if symbol["st_info"]["bind"] == "STB_GLOBAL":
                        globals_[symbol.name] = address
                    if symbol["st_info"]["type"] == "STT_FUNC":
                        self.functions[symbol.name] = address
        self.symbols = globals_
        self.missing = {}  # addresses of what no object defines, by name
        self.table = []
        for file in files:
            self._relocate(file, placed, globals_)
        for address, data, flags in placed.values():
            if flags & 4:
                for instruction in objects.disassemble(bytes(data), address):
                    self.program[instruction.address] = instruction
            else:
                self.regions.append((address, numpy.frombuffer(bytes(data), "u1").copy(), bool(flags & 1)))
        if self.table:
            self.regions.append((TABLE, numpy.array(self.table, "u8").view("u1"), False))
        self.compiled = {}

    def _relocate(self, file, placed, globals_):
        symbols = file.get_section_by_name(".symtab")
        for number, section in enumerate(file.iter_sections()):
            if (file, number) not in placed:
                continue
            listed = file.get_section_by_name(f".rela{section.name}")
            address, data, _ = placed[file, number]
            for each in listed.iter_relocations() if listed else ():
                symbol = symbols.get_symbol(each["r_info_sym"])
                where = placed.get((file, symbol["st_shndx"]))
                target = where[0] + symbol["st_value"] if where else globals_.get(symbol.name)
                if target is None:
                    target = self.missing.setdefault(symbol.name, MISSING + 16 * len(self.missing))
                offset, kind = each["r_offset"], each["r_info_type"]
                if kind == R_GOTPC64:
                    target = TABLE
                elif kind == R_GOT64:
                    self.table.append(target)
                    target = 8 * (len(self.table) - 1)
                value = target + each["r_addend"]
                size = 4 if kind in (R_PC32, R_PLT32, R_32S) else 8
                if kind in (R_PC32, R_PLT32, R_PC64, R_GOTPC64):
                    value -= address + offset
                elif kind == R_GOTOFF64:
                    value -= TABLE
                elif kind not in (R_64, R_32S, R_GOT64):
                    raise ValueError(f"a relocation of type {kind} in {section.name}: none known")
                data[offset : offset + size] = value.to_bytes(size, "little", signed=value < 0)

    def function(self, address):
        """What is reached from there, compiled once."""
        if address not in self.compiled:
            if address not in self.program:
                raise Fault(f"a branch to {address:#x}, where no instruction begins")
            stops = set(self.compiled)
            self.compiled[address] = Compiled(Translator(self.program, address, stops))
        return self.compiled[address]

    def name(self, address):
        """The function and the offset in it."""
        before = [(at, name) for name, at in self.functions.items() if at <= address]
        at, name = max(before, default=(0, "?"))
        return f"{name}+{address - at:#x}"


class Call:
    """One call: arrays of words at addresses chosen here, a gap after each."""

    def __init__(self, image):
        self.image = image
        self.regions = list(image.regions)
        self.next = 0x10000000

    def memory(self, array, writable=True, offset=0):
        """The address at which the array's bytes are; offset moves it from a boundary of 64 bytes."""
        address = self.next + offset
        data = array.reshape(-1).view("u1")
        self.regions.append((address, data, writable))
        self.next = -(-(address + len(data)) // 4096) * 4096 + 4096
        return address

    def run(self, name, *arguments, random=None):
        """rax after it; Fault if it did what it may not, or left callee-saved registers changed."""
        random = random or numpy.random.default_rng(0)
        self.name = name
        self.state = numpy.zeros(1, STATE)
        self.state["general"] = random.integers(0, 2**64, (1, 16), "u8")
        self.state["vector"] = random.integers(0, 2**64, (1, 32, 8), "u8")
        self.state["mask"] = random.integers(0, 2**64, (1, 8), "u8")
        self.state["mxcsr"] = 0x1F80
        self.state["fuel"] = PLENTY
        general = self.state["general"][0]
        general[GENERAL["rsp"]] = STACK_TOP
        for register, value in zip(ARGUMENTS, arguments, strict=False):
            general[GENERAL[register]] = value
        table = [1 + len(self.regions), STACK_BASE, STACK_BYTES, 0, 1]
        for address, data, writable in self.regions:
            table += [address, len(data), data.ctypes.data, int(writable)]
        self.table = numpy.array(table, "u8")
        return self.again(self.image)

    def again(self, image):
        """With the same registers, what is in memory now, and the image's bytes."""
        state, name = self.state.copy(), self.name
        stack = numpy.zeros(STACK_BYTES // 8, "u8")
        stack[(STACK_TOP - STACK_BASE) // 8] = RETURN
        self.table[3] = stack.ctypes.data
        rip = image.functions.get(name, name)  # or an address
        while rip != RETURN:
            image.function(rip).run(state.ctypes.data, self.table.ctypes.data)
            if state["fault"][0]:
                where = image.name(int(state["fault_rip"][0]))
                reason = REASONS[int(state["fault"][0])]
                raise Fault(f"{name}: {reason} at {where}, address {int(state['fault_address'][0]):#x}")
            rip = int(state["rip"][0])
        general, before = state["general"][0], self.state["general"][0].copy()
        before[GENERAL["rsp"]] += numpy.uint64(8)
        for register in SAVED:
            if general[GENERAL[register]] != before[GENERAL[register]]:
                raise Fault(f"{name}: {register} is not what it was")
        return int(general[GENERAL["rax"]])


def around(directory):
    """The object of what is around the kernels."""
    made = Path(directory) / "around.o"
    source = Path(__file__).with_name("around.c")
    options = ["-O1", "-ffreestanding", "-fno-stack-protector", "-fno-tree-loop-distribute-patterns"]
    subprocess.run(["gcc", "-c", *options, "-o", made, source], check=True)
    return made


@functools.cache
def image(build, module):
    """The module's objects, linked, and those that they call."""
    with tempfile.TemporaryDirectory() as directory:
        return Image([*objects.objects(build, module), *objects.called(build, module), around(directory)])
