#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Constant time by what was assembled: no branch and no address depends on data that was loaded.

    check_disassembly.py ARCHIVE CONTROLS

Every function of the archive's members whose name has "avx512ifma" in it is followed, instruction by
instruction and over all paths, with one class for what each register, flag and slot of the stack holds:

    PUBLIC   a width, a pointer, what is computed from them; what it points to is secret
    TABLE    a pointer to what is public: a power's pointers, arrays of such, constants
    STRUCT   a pointer to a struct of sizes and pointers (STRUCTS), its vectors secret
    SECRET   what was loaded from elsewhere, and all that comes from it

Refused are: a mnemonic that is not listed below (a division but of public values among them), a jump on
flags, an address, or a mask on a load or store, that is SECRET.  Arguments are what all callers pass; the
kernels' own, and those of functions called by pointer, are PUBLIC: their prototypes have pointers and
sizes alone.  What else it takes on trust: a slot of the stack holds what the function itself stored there
last, or else is SECRET, whatever a callee does through a pointer to it.

CONTROLS is an object whose functions named broken_* must be refused, and sound_* must not.
The last line is "N passed, N failed, N skipped".
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field

TABLE, STRUCT, PUBLIC, SECRET = "TABLE", "STRUCT", "PUBLIC", "SECRET"

# the kernels that are called from outside
ENTRIES: dict[str, dict[str, str]] = {
    "cc_limbs_mul_basecase_avx512ifma": {},
    "cc_limbs_sqr_basecase_avx512ifma": {},
    "cc_fixed_powmod_odd_avx512ifma": {"rdi": TABLE},
    "cc_fixed_powmod_odd_8_avx512ifma": {"rdi": TABLE},
}
# the first arguments that point to a struct of sizes and pointers; at TILES is one to a table of kernels
STRUCTS = re.compile(
    r"mul:(load|finish)|many_powmod:subtract_modulus|cc_fixed_many_(sqr|mul)_avx512ifma"
    r"|powmod:(load|reduce|multiply_low|(sqr|mul)_([1-5]|tiles))"
)
TILES = 24
# the same for arrays of pointers
POINTERS = {"many_powmod:load": ("rdx",), "tier:powmod_odd": ("rdi",)}
# other objects' functions, checked by memcheck: what they return, and which arguments may not be secret
OUTSIDE = {
    "memcpy": (PUBLIC, ("rdi", "rsi", "rdx")),
    "memset": (PUBLIC, ("rdi", "rdx")),
    "memmove": (PUBLIC, ("rdi", "rsi", "rdx")),
    "cc_fixed_minus_inverse": (SECRET, ()),
    "cc_fixed_shown_digit": (PUBLIC, ("rdi", "rsi", "rdx", "rcx")),
    "cc_fixed_power_of_two_mod": (SECRET, ("rdi", "rsi", "rdx", "rcx")),
    "cc_limbs_mul_basecase_bmi2adx": (PUBLIC, ("rdi", "rsi", "rdx", "rcx", "r8")),
    "cc_limbs_sqr_basecase_bmi2adx": (PUBLIC, ("rdi", "rsi", "rdx")),
    "cc_limbs_sub": (SECRET, ("rdi", "rsi", "rdx", "rcx")),
}

ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
CALLEE_SAVED = {"rbx", "rbp", "rsp", "r12", "r13", "r14", "r15"}
CALLER_SAVED = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")
LOST = {*CALLER_SAVED, *(f"zmm{z}" for z in range(32)), *(f"k{k}" for k in range(8))}

# read and write their first operand, and set the flags
ALU = {"add", "sub", "and", "or", "xor", "shl", "shr", "sar", "rol", "ror", "inc", "dec", "neg", "adc", "sbb"}
FLAGS_ONLY = {"cmp", "test", "bt"}
READ_FLAGS = {"adc", "sbb"}
# write their first operand from the others
MOVES = {"mov", "movzx", "movsx", "movsxd", "movabs", "lea", "not", "bswap", "rorx", "shlx", "shrx", "sarx"}
NOTHING = {"nop", "endbr64", "vzeroupper", "data16", "cs", "xchg ax,ax"}
VECTOR_UPDATE = {"vpmadd52luq", "vpmadd52huq", "vpermt2q", "vpermi2q", "vpternlogq", "vpternlogd"}
VECTOR = {
    "vmovdqa",
    "vmovdqu",
    "vmovaps",
    "vmovups",
    "vmovdqa32",
    "vmovdqa64",
    "vmovdqu8",
    "vmovdqu64",
    "vmovq",
    "vmovd",
    "vpbroadcastq",
    "vpbroadcastd",
    "vpinsrq",
    "vpaddq",
    "vpsubq",
    "vpsllq",
    "vpsrlq",
    "vpsraq",
    "vpsllvq",
    "vpsrlvq",
    "vpand",
    "vpandd",
    "vpandq",
    "vpandn",
    "vpandnq",
    "vpor",
    "vpord",
    "vporq",
    "vpxor",
    "vpxord",
    "vpxorq",
    "vpermq",
    "vpermw",
    "vpermb",
    "valignq",
    "vpblendmq",
    "vpmuludq",
    "vpunpcklqdq",
    "vpunpckhqdq",
    "vinserti128",
    "vextracti128",
    "vextracti64x4",
    "vextracti32x4",
    "vinserti64x4",
    "vinserti64x2",
    "vpshufd",
    "vshufi64x2",
    "vpalignr",
    "vpcmpeqq",
    "vpcmpneqq",
    "vpcmpltuq",
    "vpcmpleuq",
    "vpcmpnleuq",
    "vpcmpnltuq",
    "vpcmpltq",
    "vpcmpgtq",
    "vpcmpuq",
    "vpcmpq",
    "vptestmq",
    "vptestnmq",
    "vpmovq2m",
    "vpmovm2q",
    "kmovb",
    "kmovw",
    "kmovd",
    "kmovq",
    "korb",
    "korw",
    "kandb",
    "kandw",
    "kxorb",
    "kxorw",
    "kxnorb",
    "kxnorw",
    "kxnorq",
    "kxnord",
    "kshiftrq",
    "kshiftrd",
    "kshiftrw",
    "kshiftrb",
    "kshiftlb",
    "kshiftlw",
    "kshiftlq",
    "kandnq",
    "knotb",
    "knotw",
    "kaddb",
    "kunpckbw",
}
FLAGS_FROM_MASKS = {"kortestb", "kortestw", "kortestq", "kortestd", "ktestb"}
CONDITION = re.compile(r"^(j|cmov|set)(n?[aboszpgle]|n?[abgl]e|n?c|p[eo])$")

WIDTH = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}


def register(name: str) -> str | None:
    """The whole register that @name is a part of."""
    if match := re.fullmatch(r"[xyz]mm(\d+)", name):
        return f"zmm{match[1]}"
    if match := re.fullmatch(r"(r\d+)[bwd]?", name):
        return match[1]
    if re.fullmatch(r"k[0-7]", name):
        return name
    for stem in ("ax", "bx", "cx", "dx", "si", "di", "sp", "bp"):
        if name in (f"r{stem}", f"e{stem}", stem, f"{stem}l", f"{stem[0]}l", f"{stem[0]}h"):
            return f"r{stem}"
    return None


@dataclass
class Operand:
    text: str
    register: str | None = None
    memory: bool = False
    parts: list[str] = field(default_factory=list)
    displacement: int = 0
    width: int = 8
    mask: str | None = None
    zeroing: bool = False
    constant: bool = False
    broadcast: bool = False


def operand(text: str) -> Operand:
    masks = re.findall(r"\{(k\d)\}", text)
    found = Operand(text, mask=masks[0] if masks else None, zeroing="{z}" in text)
    bare = re.sub(r"\{[^}]*\}", "", text).strip()
    if "[" in bare:
        found.memory = True
        size = re.match(r"(\w+) (?:PTR|BCST)", bare)
        found.width = WIDTH.get(size[1], 8) if size else 8
        inside = bare[bare.index("[") + 1 : bare.index("]")]
        for sign, term in re.findall(r"([+-]?)([^+-]+)", inside):
            name = register(term.split("*")[0])
            if name or term == "rip":
                found.parts.append(name or "rip")
            elif re.fullmatch(r"0x[0-9a-f]+", term):
                found.displacement += int(term, 16) * (-1 if sign == "-" else 1)
    elif name := register(bare):
        found.register = name
    else:
        found.constant = True
    return found


@dataclass
class Instruction:
    address: int
    mnemonic: str
    operands: list[Operand]
    text: str
    target: int | None = None
    symbol: str | None = None


def split(text: str) -> list[str]:
    return [part for part in re.split(r",(?![^\[]*\])", text) if part]


def named(member: str, symbol: str) -> str:
    """A function's name; with its file's, if it is that file's alone."""
    outer = symbol in OUTSIDE or symbol.startswith(("cc_", "broken_", "sound_"))
    return symbol if outer else f"{member}:{symbol}"


def functions(path: str, wanted: str) -> dict[str, list[Instruction]]:
    """The functions of the object, or of the archive's members with @wanted in their names."""
    dump = subprocess.run(
        ["objdump", "-dr", "--no-show-raw-insn", "-M", "intel", path],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found: dict[str, list[Instruction]] = {}
    member, short, code = path, "", None
    for line in dump.splitlines():
        if match := re.match(r"(\S+):\s+file format", line):
            member, code = match[1], None
            short = re.sub(r".*(?:fixed|limbs)_x86_64_|.*/|\.c\.o$|\.o$|_avx512ifma", "", member)
        elif match := re.match(r"[0-9a-f]+ <([^>]+)>:$", line):
            code = found.setdefault(named(short, match[1]), []) if wanted in member else None
        elif code is not None and (match := re.match(r"\s+[0-9a-f]+: R_\S+\s+(\S+)", line)):
            code[-1].symbol = named(short, re.sub(r"[-+]0x[0-9a-f]+$", "", match[1]))
            code[-1].target = None
        elif code is not None and (match := re.match(r"\s+([0-9a-f]+):\t(.*)$", line)):
            text = re.sub(r"\s*(#.*)?$", "", match[2])
            text = re.sub(r"^((cs|data16|bnd|notrack|ds|rep) )+", "", text)
            mnemonic, _, rest = text.partition(" ")
            target = re.match(r"\s*([0-9a-f]+) <([^>+]+)(\+0x[0-9a-f]+)?>", rest)
            instruction = Instruction(int(match[1], 16), mnemonic, [], text)
            if target:
                instruction.target = int(target[1], 16)
                instruction.symbol = named(short, target[2])
            else:
                instruction.operands = [operand(part.strip()) for part in split(rest.strip())]
            code.append(instruction)
    return found


def either(a: str, b: str) -> str:
    """What holds where two paths meet."""
    return a if a == b else SECRET if SECRET in (a, b) else PUBLIC


def computed(classes: list[str]) -> str:
    """What is computed from such."""
    return next((kind for kind in (SECRET, STRUCT, TABLE) if kind in classes), PUBLIC)


class State(dict):
    """register, "flags" or slot ("slot", base, offset) to its class"""

    def join(self, other: "State") -> bool:
        changed = False
        for key in set(self) | set(other):
            # a slot that one path did not store to
            missing = SECRET if isinstance(key, tuple) else PUBLIC
            value = either(self.get(key, missing), other.get(key, missing))
            if self.get(key) != value:
                self[key] = value
                changed = True
        return changed


class Program:
    def __init__(self, code: dict[str, list[Instruction]], entries: dict[str, dict[str, str]]) -> None:
        self.code = code
        self.starts = {(name, body[0].address): name for name, body in code.items() if body}
        self.arguments: dict[str, dict[str, str]] = {}
        self.refused: dict[str, dict[str, None]] = {name: {} for name in code}
        called = {i.symbol for body in code.values() for i in body if i.mnemonic == "call" and i.symbol}
        for name in code:
            if name in entries:
                self.arguments[name] = {a: entries[name].get(a, PUBLIC) for a in ARGUMENTS}
        self.by_pointer = [
            n for n in code if n not in entries and n not in called and not n.endswith(".cold")
        ]
        self.clobbered = {name: self.clobbers(name, set()) for name in code}

    def clobbers(self, name: str | None, seen: set[str]) -> set[str]:
        """What a call loses: within a file, the compiler knows what a function leaves alone."""
        if name not in self.code or name in seen:
            return LOST
        seen.add(name)
        found: set[str] = set()
        for i in self.code[name]:
            if i.mnemonic in ("call", "jmp") and (i.mnemonic == "call" or i.operands or i.symbol != name):
                found |= self.clobbers(None if i.operands else i.symbol, seen)
            elif i.operands and i.operands[0].register and i.mnemonic not in FLAGS_ONLY | {"push"}:
                found.add(i.operands[0].register)
            if i.mnemonic in ("mul", "imul", "div", "xchg", "mulx"):
                found |= {"rax", "rdx", *(o.register for o in i.operands if o.register)}
        return found - CALLEE_SAVED

    def run(self) -> None:
        """Until no argument changes any more."""
        while True:
            before = repr(self.arguments)
            for name in self.code:
                if name in self.by_pointer:
                    self.arguments[name] = {a: PUBLIC for a in ARGUMENTS}
                if self.arguments.get(name):
                    Function(self, name).run()
            if before == repr(self.arguments):
                break
        for name in self.code:
            if not self.arguments.get(name):
                self.refuse(name, None, "nobody calls it")

    def refuse(self, name: str, instruction: Instruction | None, why: str) -> None:
        self.refused[name][f"{instruction.address:x}: {instruction.text}: {why}" if instruction else why] = (
            None
        )

    def pass_arguments(self, name: str, state: State) -> None:
        old = self.arguments.setdefault(name, {})
        for a in ARGUMENTS:
            value = state.get(a, PUBLIC)
            old[a] = either(old.get(a, value), value)


class Function:
    def __init__(self, program: Program, name: str) -> None:
        self.program, self.name = program, name
        self.body = program.code[name]
        self.index = {i.address: at for at, i in enumerate(self.body)}
        self.frame_pointer = any(
            (i.mnemonic == "mov" and i.text.endswith("rbp,rsp"))
            or (i.mnemonic == "lea" and "rbp,[rsp" in i.text)
            for i in self.body
        )

    def run(self) -> None:
        start = State({r: PUBLIC for r in (*CALLER_SAVED, *CALLEE_SAVED)})
        start.update(self.program.arguments[self.name])
        if STRUCTS.fullmatch(self.name) and start["rdi"] == PUBLIC:
            start["rdi"] = STRUCT
        for argument in POINTERS.get(self.name, ()):
            if start[argument] == PUBLIC:
                start[argument] = TABLE
        start["flags"] = PUBLIC
        start["depth"] = 0
        states: dict[int, State] = {0: start}
        work = [0]
        while work:
            at = work.pop()
            state = State(states[at])
            for successor in self.step(self.body[at], at, state):
                if successor is None or successor >= len(self.body):
                    continue
                old = states.get(successor)
                if old is None:
                    states[successor] = State(state)
                    work.append(successor)
                else:
                    depth = old["depth"]
                    if old.join(State({**state, "depth": depth})):
                        work.append(successor)

    def slot(self, o: Operand, state: State) -> tuple | None:
        if len(o.parts) != 1:
            return None
        if o.parts[0] == "rsp":
            return ("slot", "rsp", o.displacement - state["depth"])
        if o.parts[0] == "rbp" and self.frame_pointer:
            return ("slot", "rbp", o.displacement)
        return None

    def read(self, i: Instruction, o: Operand, state: State) -> str:
        if o.constant:
            return PUBLIC
        if o.register:
            return state.get(o.register, PUBLIC)
        self.address(i, o, state)
        if "rip" in o.parts:
            return PUBLIC
        if slot := self.slot(o, state):
            # arguments beyond the sixth lie above the return address
            if slot not in state and slot[2] >= (8 if slot[1] == "rsp" else 16):
                return PUBLIC
            return computed(
                [state.get((slot[0], slot[1], slot[2] + k), SECRET) for k in range(0, max(o.width, 8), 8)]
            )
        kinds = {state.get(p) for p in o.parts}
        if kinds & {TABLE, STRUCT, SECRET} == {TABLE}:
            return PUBLIC
        if o.width != 8 or i.operands[0].text.startswith("zmm") or STRUCT not in kinds:
            return SECRET
        return TABLE if STRUCT in kinds and o.displacement == TILES else PUBLIC

    def address(self, i: Instruction, o: Operand, state: State) -> None:
        for part in o.parts:
            if part != "rip" and state.get(part, PUBLIC) == SECRET:
                self.program.refuse(self.name, i, f"the address depends on data, by {part}")
        if o.mask and state.get(o.mask, PUBLIC) == SECRET:
            self.program.refuse(self.name, i, f"a mask that depends on data, {o.mask}, on memory")

    def write(self, i: Instruction, o: Operand, value: str, state: State) -> None:
        if o.register:
            if o.mask:
                value = computed([value, state.get(o.mask, PUBLIC)])
                value = value if o.zeroing else computed([value, state.get(o.register, PUBLIC)])
            if o.register != "rsp":
                state[o.register] = value
            return
        self.address(i, o, state)
        if slot := self.slot(o, state):
            for k in range(0, max(o.width, 8), 8):
                state[(slot[0], slot[1], slot[2] + k)] = value

    def after_call(self, name: str | None, state: State) -> None:
        for r in self.program.clobbered.get(name, LOST) if name else LOST:
            state[r] = SECRET
        state["flags"] = SECRET
        if name in OUTSIDE:
            state["rax"] = OUTSIDE[name][0]

    def step(self, i: Instruction, at: int, state: State) -> list[int | None]:
        m, ops = i.mnemonic, i.operands
        refuse = self.program.refuse
        following = [at + 1]
        condition = CONDITION.match(m)
        if m in NOTHING or (m == "xchg" and i.text == "xchg ax,ax"):
            return following
        if m in ("ret", "ud2"):
            return []
        if m == "jmp" or m == "call" or (condition and condition[1] == "j"):
            if condition and state["flags"] == SECRET:
                refuse(self.name, i, "a jump on flags that depend on data")
            local = (
                i.target in self.index
                and (m != "call")
                and not (i.symbol in self.program.code and i.symbol != self.name)
            )
            if local:
                return [self.index[i.target], *(following if condition else [])]
            name = i.symbol if i.symbol in self.program.code else None
            if ops:
                if self.read(i, ops[0], state) == SECRET:
                    refuse(self.name, i, "a call through a pointer that depends on data")
            elif name:
                self.program.pass_arguments(name, state)
            elif i.symbol not in OUTSIDE:
                refuse(self.name, i, f"{i.symbol} is not known")
            # every kernel called by pointer has two pointers to begin with
            public = ("rdi", "rsi") if ops else () if name else OUTSIDE.get(i.symbol, ("", ()))[1]
            for argument in public:
                if state.get(argument, PUBLIC) == SECRET:
                    refuse(self.name, i, f"an argument that depends on data, {argument}")
            if m == "jmp":
                return []
            self.after_call(name or (i.symbol if not ops else None), state)
            return following
        if m == "push":
            value = self.read(i, ops[0], state)
            state["depth"] += 8
            state[("slot", "rsp", -state["depth"])] = value
        elif m == "pop":
            self.write(i, ops[0], state.get(("slot", "rsp", -state["depth"]), SECRET), state)
            state["depth"] -= 8
        elif m == "leave":
            pass
        elif m in ("sub", "add") and ops[0].register == "rsp" and ops[1].constant:
            state["depth"] += int(ops[1].text, 16) * (1 if m == "sub" else -1)
            state["flags"] = PUBLIC
        elif m == "and" and ops[0].register == "rsp":
            state["flags"] = PUBLIC
        elif m == "lea":
            parts = [PUBLIC if "rip" in p else state.get(p, PUBLIC) for p in ops[1].parts]
            self.write(i, ops[0], TABLE if "rip" in ops[1].parts else computed(parts), state)
        elif m in ("stos", "movs"):
            for o in ops:
                if o.memory:
                    self.address(i, o, state)
            if state["rcx"] == SECRET:
                refuse(self.name, i, "a count that depends on data")
        elif m in ("mul", "div") or (m == "imul" and len(ops) == 1):
            value = computed(
                [self.read(i, ops[0], state), state["rax"], state["rdx"] if m == "div" else PUBLIC]
            )
            if m == "div" and value == SECRET:
                refuse(self.name, i, "a division of data")
            state["rax"] = state["rdx"] = state["flags"] = value
        elif m == "mulx":
            value = computed([self.read(i, ops[2], state), state["rdx"]])
            self.write(i, ops[0], value, state)
            self.write(i, ops[1], value, state)
        elif m == "imul":
            value = computed([self.read(i, o, state) for o in (ops if len(ops) == 2 else ops[1:])])
            self.write(i, ops[0], value, state)
            state["flags"] = value
        elif m == "xchg":
            a, b = (self.read(i, o, state) for o in ops)
            self.write(i, ops[0], b, state)
            self.write(i, ops[1], a, state)
        elif m in FLAGS_ONLY or m in FLAGS_FROM_MASKS:
            state["flags"] = computed([self.read(i, o, state) for o in ops])
        elif m in ALU:
            if m in ("xor", "sub") and ops[0].register and ops[0].text == ops[1].text:
                value = PUBLIC
            elif m == "sbb" and ops[0].register and ops[0].text == ops[1].text:
                value = state["flags"]
            else:
                value = computed(
                    [self.read(i, o, state) for o in ops] + ([state["flags"]] if m in READ_FLAGS else [])
                )
            self.write(i, ops[0], value, state)
            state["flags"] = value
        elif condition:
            sources = ops if condition[1] == "cmov" else []
            value = computed([self.read(i, o, state) for o in sources] + [state["flags"]])
            self.write(i, ops[0], value, state)
        elif m in MOVES or m in VECTOR:
            sources = ops[1:] if len(ops) > 1 else ops
            zeroed = m.startswith("vpxor") and ops[1].text == ops[2].text
            value = PUBLIC if zeroed else computed([self.read(i, o, state) for o in sources])
            if m.startswith("kxnor") and ops[1].text == ops[2].text:
                value = PUBLIC
            if ops[0].memory and ops[0].mask:
                self.address(i, ops[0], state)
            self.write(i, ops[0], value, state)
        elif m in VECTOR_UPDATE:
            self.write(i, ops[0], computed([self.read(i, o, state) for o in ops]), state)
        else:
            refuse(self.name, i, f"{m} is not listed")
        return following


def check(
    code: dict[str, list[Instruction]], entries: dict[str, dict[str, str]]
) -> dict[str, dict[str, None]]:
    program = Program(code, entries)
    program.run()
    return program.refused


def main(archive: str, controls: str) -> int:
    passed = failed = 0
    kernels = functions(archive, "avx512ifma")
    missing = [name for name in ENTRIES if name not in kernels]
    if missing:
        print(f"{archive}: no {', '.join(missing)}")
        failed += 1
    for name, why in check(kernels, ENTRIES).items():
        passed, failed = passed + (not why), failed + bool(why)
        for line in list(why)[:5]:
            print(f"{name}: {line}")
    code = functions(controls, "")
    for name, why in check(code, {name: {} for name in code}).items():
        right = bool(why) == name.startswith("broken_")
        passed, failed = passed + right, failed + (not right)
        if not right:
            print(f"control {name}: {'not refused' if not why else 'refused: ' + next(iter(why))}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} ARCHIVE CONTROLS")
    sys.exit(main(*sys.argv[1:]))
