# SPDX-License-Identifier: MIT
"""What was built: the sections and functions of our x86-64 objects, as instructions.

python -m proofs.objects [BUILD]    the forms that they contain, counted
"""

import collections
import functools
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import capstone
from capstone import x86
from elftools.elf.elffile import ELFFile

ROOT = Path(__file__).resolve().parent.parent

# the parts of the library whose kernels have tiers for x86-64, by how their objects' names begin
MODULES = {
    "limbs": "src_limbs_x86_64_",
    "fixed": "src_fixed_x86_64_",
    "transform": "src_transform_",
    "checksum": "src_checksum_x86_64_",
}

# the portable objects that their kernels call, and those of the tables of kernels
CALLED = {
    "limbs": ["src_limbs_*.c.o"],
    "fixed": ["src_fixed_*.c.o", "src_limbs_*.o"],
    "checksum": ["src_checksum_s*.c.o"],
}

_WIDE = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{n}" for n in range(8, 16))]
_WORD = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"]
_LOW = ["al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"]


def _registers():
    """{name: (file, number, the lowest bit, bits)} of every register that we can name."""
    named = {}
    for number, wide in enumerate(_WIDE):
        if number < 8:
            names = wide, "e" + _WORD[number], _WORD[number], _LOW[number]
        else:
            names = wide, wide + "d", wide + "w", wide + "b"
        for name, bits in zip(names, (64, 32, 16, 8), strict=True):
            named[name] = ("general", number, 0, bits)
    for number, name in enumerate(("ah", "ch", "dh", "bh")):
        named[name] = ("general", number, 8, 8)
    for number in range(32):
        for name, bits in (("xmm", 128), ("ymm", 256), ("zmm", 512)):
            named[f"{name}{number}"] = ("vector", number, 0, bits)
    for number in range(8):
        named[f"k{number}"] = ("mask", number, 0, 64)
    return named


REGISTERS = _registers()
GENERAL = {name: number for number, name in enumerate(_WIDE)}


@dataclass(frozen=True)
class Register:
    name: str

    @property
    def file(self):
        return REGISTERS[self.name][0]

    @property
    def number(self):
        return REGISTERS[self.name][1]

    @property
    def low(self):
        return REGISTERS[self.name][2]

    @property
    def bits(self):
        return REGISTERS[self.name][3]

    def kind(self):
        if self.name not in REGISTERS:
            return self.name
        return {"general": f"r{self.bits}", "vector": self.name.rstrip("0123456789"), "mask": "k"}[self.file]


@dataclass(frozen=True)
class Memory:
    """bits at base + index scale + displacement; a broadcast one is one lane."""

    base: str | None
    index: str | None
    scale: int
    displacement: int
    bits: int
    broadcast: bool

    def kind(self):
        return f"m{self.bits}" + ("{1to}" if self.broadcast else "")


@dataclass(frozen=True)
class Immediate:
    """As written: a branch's is the address that it goes to."""

    value: int
    bits: int

    def kind(self):
        return "i"


Operand = Register | Memory | Immediate


@dataclass(frozen=True)
class Instruction:
    """mask: the number of the register that masks the destination, zeroing the rest or keeping it."""

    address: int
    code: bytes
    mnemonic: str
    operands: tuple[Operand, ...]
    mask: int | None = None
    zeroing: bool = False
    vex: bool = False

    @property
    def end(self):
        return self.address + len(self.code)

    @functools.cached_property
    def form(self):
        """Mnemonic and kinds of operands: "vpaddq zmm{k},zmm,m512"."""
        kinds = [operand.kind() for operand in self.operands]
        if self.mask is not None:
            kinds[0] += "{k}{z}" if self.zeroing else "{k}"
        return " ".join([self.mnemonic, ",".join(kinds)]).rstrip()

    def moved(self, address):
        """The same bytes elsewhere; what is relative to the next instruction moves with it."""
        by = address - self.address
        operands = tuple(
            replace(operand, value=operand.value + by)
            if isinstance(operand, Immediate) and self.branches
            else operand
            for operand in self.operands
        )
        return replace(self, address=address, operands=operands)

    @property
    def branches(self):
        return self.mnemonic.startswith("j") or self.mnemonic == "call"

    def __str__(self):
        return f"{self.address:x}: {self.form}  [{self.code.hex()}]"


_disassembler = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
_disassembler.detail = True


def _instruction(found):
    text = found.op_str
    mask = re.search(r"\{k(\d)\}", text)
    operands = []
    for operand in found.operands:
        if operand.type == x86.X86_OP_REG:
            operands.append(Register(found.reg_name(operand.reg)))
        elif operand.type == x86.X86_OP_IMM:
            operands.append(Immediate(operand.imm, operand.size * 8))
        else:
            place = operand.mem
            base = found.reg_name(place.base) if place.base else None
            if place.segment in (x86.X86_REG_FS, x86.X86_REG_GS):  # no register that we know
                base = f"{found.reg_name(place.segment)}:{base}"
            operands.append(
                Memory(
                    base,
                    None if place.index in (0, x86.X86_REG_RIZ) else found.reg_name(place.index),
                    place.scale,
                    place.disp,
                    operand.size * 8,
                    "{1to" in text,
                )
            )
    if mask:  # capstone gives it as the second operand, too
        del operands[1]
    return Instruction(
        found.address,
        bytes(found.bytes),
        found.mnemonic.removeprefix("notrack ").removeprefix("bnd "),
        tuple(operands),
        int(mask[1]) if mask else None,
        "{z}" in text,
        found.bytes[0] in (0xC4, 0xC5, 0x62),
    )


def disassemble(code, address=0):
    """The instructions of code at the address; ValueError at bytes that are none."""
    end = 0
    for found in _disassembler.disasm(code, address):
        end = found.address - address + found.size
        yield _instruction(found)
    if end != len(code):
        raise ValueError(f"no instruction known at {address + end:#x}: {code[end : end + 15].hex()}")


def first(code, address):
    """The instruction that code begins with, or None."""
    return next(map(_instruction, _disassembler.disasm(code, address, count=1)), None)


@dataclass(frozen=True)
class Section:
    """One section with code: relocations are (offset, symbol, type, addend)."""

    source: str
    name: str
    code: bytes
    relocations: tuple[tuple[int, str, int, int], ...]

    def instructions(self):
        return disassemble(self.code)


def objects(build, module):
    """The paths of the module's objects in a build directory."""
    found = sorted(Path(build).glob(f"libcarrychain.so.*.p/{MODULES[module]}*.o"))
    if not found:
        raise FileNotFoundError(f"no objects of {module} in {build}: ninja -C {build} makes them")
    return found


def called(build, module):
    """The paths of the other objects that the module's kernels call."""
    found = {
        path for name in CALLED.get(module, ()) for path in Path(build).glob(f"libcarrychain.so.*.p/{name}")
    }
    return sorted(found - set(objects(build, module)))


def sections(path):
    """The sections with code of one object."""
    with open(path, "rb") as file:
        elf = ELFFile(file)
        symbols = elf.get_section_by_name(".symtab")
        for section in elf.iter_sections():
            if not (section["sh_flags"] & 4 and section["sh_size"]):
                continue
            listed = elf.get_section_by_name(f".rela{section.name}")
            relocations = tuple(
                (
                    each["r_offset"],
                    symbols.get_symbol(each["r_info_sym"]).name,
                    each["r_info_type"],
                    each["r_addend"],
                )
                for each in (listed.iter_relocations() if listed else ())
            )
            yield Section(Path(path).name, section.name, section.data(), relocations)


def instructions(build, module):
    """Every instruction of the module's objects."""
    yield from _instructions(objects(build, module))


def instructions_called(build, module):
    """And of what they call, not all of which is ever reached."""
    yield from _instructions(called(build, module))


def _instructions(paths):
    for path in paths:
        for section in sections(path):
            yield from section.instructions()


def census(build):
    """{form: {module: how often it is there}}."""
    counted = collections.defaultdict(collections.Counter)
    for module in MODULES:
        for instruction in instructions(build, module):
            counted[instruction.form][module] += 1
    return counted


def main(arguments):
    counted = census(arguments[0] if arguments else ROOT / "build")
    print(f"{'form':40}" + "".join(f"{module:>11}" for module in MODULES))
    for form in sorted(counted):
        print(f"{form:40}" + "".join(f"{counted[form][module] or '':>11}" for module in MODULES))
    print(
        f"{f'{len(counted)} forms':40}"
        + "".join(f"{sum(counted[form][module] > 0 for form in counted):>11}" for module in MODULES)
    )


if __name__ == "__main__":
    main(sys.argv[1:])
