# SPDX-License-Identifier: MIT
"""Each form beside this processor: the meaning and the bytes, on the same states.

    python -m proofs.native [--sets N] [--seed N] [BUILD]

Sets of operands are random and from boundaries; those on which an assumption of the meaning fails
(a quotient that overflows) are not run, and not counted: of the compiler's trap all of them.  A form
that the processor lacks is named, and so is one that has no meaning.  What agrees goes to
results/PROCESSOR.json, with its date; exit status 1 if any form differs.
"""

import argparse
import ctypes
import dataclasses
import datetime
import functools
import json
import mmap
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

from . import objects
from .machine import FLAGS, MEANINGS, Unknown
from .machine.compiled import ASSUMPTION, STATE, Compiled, Translator
from .objects import GENERAL, Memory, Register

ARITHMETIC = sum(1 << place for place in FLAGS.values())
FIXED = 0x202  # the flags that are always set here
SCRATCH = 512  # bytes of memory that a set of operands has
MIDDLE = 128  # where operands in memory are
STACK = {"push", "pop", "call", "ret", "leave"}
NO_ACCESS = {"lea", "nop"}
ALIGNED = re.compile(r"v?movaps|v?movapd|v?movdqa(32|64)?$")
DOUBLES = re.compile(r"^v?(add|sub|mul|div|fn?m|rnd|round|cvt).*[ps]d")
BATCH = 4096
TRIES = 64  # sets of operands for each that is to be compared, at most
ROUNDING = 0x1F80  # mxcsr: no exceptions; the rounding's mode is in bits 13 and 14

NEEDS = (
    (r"mulx|shlx|shrx|sarx|rorx", "bmi2"),
    (r"adcx|adox", "adx"),
    (r"andn", "bmi1"),
    (r"vfn?m(add|sub)", "fma"),
    (r"vpmadd52", "avx512ifma"),
    (r"vpdpwssd", "avx512_vnni"),
)


def needs(instruction):
    """The features, as /proc/cpuinfo names them, without which the form is not known to the processor."""
    form = instruction.form
    found = {feature for pattern, feature in NEEDS if re.match(pattern, instruction.mnemonic)}
    if re.search(r"zmm|\bk\b|\{", form) or instruction.code[0] == 0x62:
        found |= {"avx512f", "avx512dq", "avx512bw", "avx512vl"}
    elif instruction.vex and (instruction.mnemonic.startswith("v")):
        found.add("avx2")
    return found


@functools.cache
def features():
    text = Path("/proc/cpuinfo").read_text()
    return frozenset(re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)[1].split())


def processor():
    """Vendor, family and model, by which results are kept."""
    text = Path("/proc/cpuinfo").read_text()

    def field(name):
        return re.search(rf"^{name}\s*:\s*(.*)$", text, re.MULTILINE)[1]

    return f"{field('vendor_id')}-{field('cpu family')}-{field('model')}"


def level():
    """How wide the vectors of this processor are: 0, 1 or 2, as native.S says."""
    return 2 if "avx512bw" in features() else int("avx" in features())


@functools.cache
def _library():
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "native.so"
        subprocess.run(["gcc", "-shared", "-o", path, Path(__file__).with_suffix(".S")], check=True)
        return ctypes.CDLL(str(path))


@functools.cache
def _page():
    """A page of code, and one of memory beside it; (the mapping, its address)."""
    mapping = mmap.mmap(
        -1,
        2 * mmap.PAGESIZE,
        mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
        mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC,
    )
    return mapping, ctypes.addressof(ctypes.c_char.from_buffer(mapping))


def _exit(symbol):
    target = ctypes.cast(getattr(_library(), symbol), ctypes.c_void_p).value
    return b"\xff\x25\0\0\0\0" + target.to_bytes(8, "little")


def place(instruction):
    """The instruction as it is on our page, a stub for each way to leave it behind it."""
    mapping, address = _page()
    code = instruction.moved(address)
    taken = address + len(code.code) + len(_exit("native_back"))
    if code.branches and not isinstance(code.operands[0], Register | Memory):
        code = _patched(code, len(_exit("native_back")))
    elif any(isinstance(each, Memory) and each.base == "rip" for each in code.operands):
        code = _patched(code, address + mmap.PAGESIZE + MIDDLE - code.end)
    mapping[: len(code.code)] = code.code
    end = code.code + _exit("native_back") + _exit("native_taken")
    mapping[: len(end)] = end
    return code, taken


def _patched(instruction, value):
    """The displacement, which a relocation may have left open, set to the value."""
    for width in (4, 1):
        for at in range(len(instruction.code) - width, 0, -1):
            new = value.to_bytes(width, "little", signed=True)
            code = instruction.code[:at] + new + instruction.code[at + width :]
            try:
                (found,) = objects.disassemble(code, instruction.address)
            except ValueError:
                continue
            reached = [
                getattr(each, "displacement", each.value - found.end if hasattr(each, "value") else None)
                for each in found.operands
                if not isinstance(each, Register)
            ]
            if found.form == instruction.form and value in reached:
                return found
    raise ValueError(f"no displacement found in {instruction}")


BOUNDARY = numpy.array(
    [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
     2**51, 2**52 - 1, 2**52, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1],
    "u8",
)  # fmt: skip


POOL = 1 << 22
_pool = []


def words(random, shape):
    """So many of a pool's words, which are the same for the whole run, from a random place on."""
    if not _pool:
        _pool.append(_words(random.spawn(1)[0], POOL))  # which leaves random as it is
    count = int(numpy.prod(shape))
    at = int(random.integers(POOL - count))
    return _pool[0][at : at + count].reshape(shape).copy()


def _words(random, shape):
    """A third each: any word; one from the boundaries; runs of equal bits."""
    any_ = random.integers(0, 2**64, shape, "u8")
    kind = random.integers(0, 3, shape, "u1")
    shift = (any_ & numpy.uint64(63)).astype("u8")
    run = numpy.right_shift(numpy.uint64(2**64 - 1), shift)
    run = numpy.where(any_ & numpy.uint64(64), run, ~run)
    return numpy.where(kind == 0, any_, numpy.where(kind == 1, random.choice(BOUNDARY, shape), run))


def states(random, count):
    made = numpy.zeros(count, STATE)
    made["general"] = words(random, (count, 16))
    made["flags"] = random.integers(0, 2**12, count, "u8") & numpy.uint64(ARITHMETIC) | numpy.uint64(FIXED)
    made["defined"] = ARITHMETIC
    made["mxcsr"] = ROUNDING | random.integers(0, 4, count, "u8") << numpy.uint64(13)
    made["fuel"] = 1000
    width = level()
    if width == 2:
        made["mask"] = words(random, (count, 8))
        made["vector"] = words(random, (count, 32, 8))
    else:
        lanes = 4 if width else 2
        made["vector"][:, :16, :lanes] = words(random, (count, 16, lanes))
    return made


def aim(random, made, kept, instruction, memory, taken):
    """Points the operands in memory to our scratch, and indirect branches to the stub.

    kept: what the memory holds, for each set.
    """
    count = len(made)
    scratch = memory + MIDDLE
    where = random.integers(0, 64, count)
    if ALIGNED.match(instruction.mnemonic) or instruction.branches or "ldmxcsr" in instruction.mnemonic:
        where[:] = 0
    if DOUBLES.search(instruction.mnemonic):  # a double is where one was put
        where &= ~7
    for operand in instruction.operands:
        if not isinstance(operand, Memory) or operand.base == "rip" or instruction.mnemonic in NO_ACCESS:
            continue
        target = scratch + where - operand.displacement
        base = GENERAL.get(operand.base)
        index = GENERAL.get(operand.index)
        if base is None or base == index:
            made["general"][:, index] = target // (operand.scale + (base is not None))
        else:
            if index is not None:
                steps = random.integers(-64, 64, count)
                made["general"][:, index] = steps.astype("u8")
                target = target - steps * operand.scale
            made["general"][:, base] = target.astype("u8")
    if DOUBLES.search(instruction.mnemonic):  # no operand may be a NaN
        for numbers in (made["vector"], kept):
            numbers[(numbers >> numpy.uint64(52) & numpy.uint64(0x7FF)) == 0x7FF] &= ~numpy.uint64(1 << 62)
    if instruction.mnemonic.startswith("rep "):
        made["general"][:, GENERAL["rcx"]] = random.integers(0, 16, count)
    if instruction.mnemonic in ("ldmxcsr", "vldmxcsr"):
        kept.view("u4").reshape(count, -1)[:] = ROUNDING | random.integers(0, 4, (count, 1)) << 13
    if instruction.mnemonic in STACK:
        made["general"][:, GENERAL["rbp" if instruction.mnemonic == "leave" else "rsp"]] = scratch + 128
    if instruction.mnemonic == "ret" or (
        instruction.branches and isinstance(instruction.operands[0], Memory)
    ):
        kept[:] = taken
    if instruction.mnemonic in ("jmp", "call") and isinstance(instruction.operands[0], Register):
        made["general"][:, instruction.operands[0].number] = taken


def instances(instructions):
    """Of each form one for each immediate and each way in which its registers coincide, at most 24.

    An operand in memory at an absolute address is none: it cannot be ours.
    """
    forms = {}
    for instruction in instructions:
        if any(
            isinstance(each, Memory) and each.base is None and each.index is None
            for each in instruction.operands
        ):
            continue
        names = []
        for operand in instruction.operands:
            if isinstance(operand, Register):
                names.append((operand.number, operand.file))
            elif isinstance(operand, Memory):
                names += [(GENERAL.get(operand.base), "general"), (GENERAL.get(operand.index), "general")]
            elif not instruction.branches:
                names.append((operand.value, "immediate"))
        first = [names.index(name) if name[1] != "immediate" else name for name in names]
        forms.setdefault(instruction.form, {}).setdefault(tuple(first), instruction)
    return {form: list(found.values())[:24] for form, found in forms.items()}


@dataclasses.dataclass
class Difference(Exception):
    """The first set of operands on which the meaning and the processor differ."""

    instruction: objects.Instruction
    before: numpy.void
    processor: numpy.void
    meaning: numpy.void
    where: str

    def __str__(self):
        lines = [f"{self.instruction}: {self.where} differs"]
        for name in ("general", "flags", "defined", "mask", "mxcsr"):
            lines.append(
                f"  {name}: before {_hex(self.before[name])}\n    processor {_hex(self.processor[name])}\n"
                f"    meaning   {_hex(self.meaning[name])}"
            )
        for number in range(32):
            three = [state["vector"][number] for state in (self.before, self.processor, self.meaning)]
            if (three[1] != three[2]).any():
                lines.append(f"  vector {number}: " + " ".join(map(_hex, three)))
        return "\n".join(lines)


def _hex(words):
    return ",".join(f"{word:x}" for word in numpy.atleast_1d(words)[::-1])


def compare(instruction, sets, random, ops=None):
    """Runs both until so many sets of operands were compared; how many.  Difference, Unknown.

    Fewer if hardly any meets the meaning's assumptions: none does where that is the compiler's trap.
    """
    code, taken = place(instruction)
    memory = _page()[1] + mmap.PAGESIZE
    compiled = Compiled(Translator({code.address: code}, code.address, ops=ops))
    compared = tried = 0
    while compared < sets and tried < TRIES * sets:
        count = min(max(sets - compared, sets // 8), BATCH)
        tried += count
        before = states(random, count)
        kept = words(random, (count, SCRATCH // 8))
        aim(random, before, kept, code, memory, taken)
        ours, theirs = before.copy(), before.copy()
        our_memory, their_memory = kept.copy(), kept.copy()
        regions = numpy.array([1, memory, SCRATCH, our_memory.ctypes.data, 1], "u8")
        compiled.batch(ours.ctypes.data, regions.ctypes.data, count, SCRATCH)
        if (ours["fault"] > ASSUMPTION).any() or (ours["fault"] == 1).any():
            bad = ours[(ours["fault"] != 0) & (ours["fault"] != ASSUMPTION)][0]
            raise Difference(code, before[0], theirs[0], bad, f"fault {bad['fault']}")
        skip = (ours["fault"] != 0).astype("u1")
        arguments = [theirs.ctypes.data, their_memory.ctypes.data, count, SCRATCH, memory, _page()[1]]
        _library().native_batch(
            *map(ctypes.c_uint64, [*arguments, level(), STATE.itemsize, skip.ctypes.data])
        )
        theirs["rip"] = numpy.where(theirs["rip"] == 1, taken, code.end)
        known = ours["defined"] & numpy.uint64(ARITHMETIC)
        wrong = {
            "flags": ((ours["flags"] ^ theirs["flags"]) & known) != 0,
            "general": (ours["general"] != theirs["general"]).any(axis=1),
            "rip": ours["rip"] != theirs["rip"],
            "mask": (ours["mask"] != theirs["mask"]).any(axis=1),
            "vector": (ours["vector"] != theirs["vector"]).any(axis=(1, 2)),
            "mxcsr": ((ours["mxcsr"] ^ theirs["mxcsr"]) & numpy.uint64(0xFFC0)) != 0,
            "memory": (our_memory != their_memory).any(axis=1),
        }
        for where, rows in wrong.items():
            found = numpy.flatnonzero(rows & (skip == 0))
            if len(found):
                at = found[0]
                raise Difference(code, before[at], theirs[at], ours[at], where)
        compared += count - int(skip.sum())
    return compared


def confirm(instructions, sets, seed, report):
    """Compares every form; {form: {"sets": compared} or {"lacks": features} or {"fails": why}}."""
    results = {}
    for form, found in sorted(instances(instructions).items()):
        if lacking := needs(found[0]) - features():
            results[form] = {"lacks": sorted(lacking)}
        else:
            random = numpy.random.default_rng([seed, len(results)])
            try:
                compared = sum(compare(each, -(-sets // len(found)), random) for each in found)
                results[form] = {"sets": compared, "instances": len(found)}
            except (Difference, Unknown) as difference:
                results[form] = {"fails": str(difference)}
        report(form, results[form])
    return results


def keep(results, seed):
    """Puts what agrees into this processor's file, with today's date; what was there before stays."""
    path = Path(__file__).parent / "results" / f"{processor()}.json"
    path.parent.mkdir(exist_ok=True)
    kept = json.loads(path.read_text()) if path.exists() else {}
    for form, result in results.items():
        kept.pop(form, None)
        if "fails" not in result:
            kept[form] = {"date": datetime.date.today().isoformat(), "seed": seed, **result}
    lines = (f"{json.dumps(form)}: {json.dumps(kept[form])}" for form in sorted(kept))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def reached(build, module):
    """The instructions of the module's objects, and of what they call those that have a meaning."""
    yield from objects.instructions(build, module)
    for each in objects.instructions_called(build, module):
        if each.mnemonic in MEANINGS:
            yield each


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m proofs.native")
    parser.add_argument("--sets", type=int, default=100_000, help="of operands, for each form")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", choices=objects.MODULES, action="append")
    parser.add_argument("build", nargs="?", default=objects.ROOT / "build", type=Path)
    options = parser.parse_args(arguments)
    modules = options.module or objects.MODULES
    instructions = [each for module in modules for each in reached(options.build, module)]

    def report(form, result):
        keep({form: result}, options.seed)
        if "sets" not in result:
            print(form, *result.values(), flush=True)

    results = confirm(instructions, options.sets, options.seed, report)
    failed = sum("fails" in result for result in results.values())
    lacking = sum("lacks" in result for result in results.values())
    print(f"{len(results) - failed - lacking} forms agree, {failed} do not, {lacking} this processor lacks")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
