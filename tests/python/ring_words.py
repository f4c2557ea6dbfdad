"""Word programs, run beside the IR they were made of: what tests of lower, gather and regroup share."""

from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from unittest.mock import patch

import ring_differential
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.compile import plans
from carrychain.ring.emit import llvm
from carrychain.ring.facts.plan import Plan
from carrychain.ring.ir.errors import Trap
from carrychain.ring.ir.form import Module
from carrychain.ring.ir.interface import interface_of
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.lower import module as lowering
from carrychain.ring.machine import form
from carrychain.ring.machine.interpret import MachineInterpreter
from carrychain.ring.machine.verify import verify
from quick import quickly
from ring_cases import ASKED, OPERATIONS, PAIRS, TYPES, UNARY, function, values
from ring_programs import Part

MEMORY = "memory"
BLOCKS = 5000  # no program here runs more; a damaged one might for ever


def outcome(call, args: list):
    """What a call yields and its arrays hold then; or how it failed, and where."""
    args = deepcopy(args)
    try:
        found = call(*args)
    except Trap as trap:
        found = trap.message, str(trap.position)
    except MemoryError:
        return MEMORY
    return found, [arg for arg in args if isinstance(arg, list)]


@dataclass
class Case:
    """A module, and arguments to call functions of it with."""

    name: str
    module: Module
    inputs: dict[str, list[list]]
    wanted: dict[str, list] = field(default_factory=dict)
    planned: dict[bool, tuple[Module, dict[str, Plan]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, inputs in self.inputs.items():
            self.wanted[name] = [outcome(Interpreter(self.module).call, [name, *args]) for args in inputs]
        for cut in (True, False):
            work = self.module.copy()
            self.planned[cut] = work, plans(work, cut)

    def words(self, cut: bool):
        work, chosen = self.planned[cut]
        return lowering.lower(work, chosen, calls=not cut)

    def differences(self) -> Iterable[str]:
        """Where the word program, cut and uncut, does not do what the IR does."""
        for cut in self.planned:
            words, signatures = self.words(cut)
            verify(words)
            for name, inputs in self.inputs.items():
                for args, wanted in zip(inputs, self.wanted[name], strict=True):
                    # globals stay from call to call
                    interpreter = MachineInterpreter(words, signatures, BLOCKS)
                    found = outcome(interpreter.call, [name, *args])
                    if MEMORY not in (found, wanted) and repr(found) != repr(wanted):
                        yield f"{self.name}: {name}{tuple(args)} is {found}, not {wanted}"
                    if interpreter.left():
                        yield f"{self.name}: {name}{tuple(args)} leaves {interpreter.left()} objects"


def of_text(name: str, text: str, inputs: list[list], called: str = "f") -> Case:
    return Case(name, parse_module(text), {called: inputs})


def together(name: str, texts: list[tuple[str, list[list]]]) -> Case:
    """Functions called f, in one module."""
    named = [text.replace("@f ", f"@f{at} ") for at, (text, _) in enumerate(texts)]
    return Case(name, parse_module("\n".join(named)), {f"f{at}": each for at, (_, each) in enumerate(texts)})


def some(inputs: Iterable, most: int) -> list[list]:
    """So many, from all over."""
    found = list(map(list, inputs))
    return found[:: max(len(found) // most, 1)]


def random_case(seed: int) -> Case:
    """Parts of an array that is passed as well are arrays of their own: the interpreter lends whole ones."""
    made = ring_differential.made(seed)
    module = made.to_ir()
    interface = interface_of(module.functions[made.name])
    inputs = [interface.arguments(made.name, each, {}) for each in made.inputs]
    return Case(
        f"seed {seed}",
        module,
        {made.name: [[list(arg) if isinstance(arg, Part) else arg for arg in args] for args in inputs]},
    )


def operation(op: str) -> Case:
    """An operation of two integers, of pairs of types, asked for in some ways."""
    is_bool = op in ("eq", "ne", "lt", "le", "gt", "ge")
    texts = []
    for at, (a, b) in enumerate(PAIRS):
        asked = "" if is_bool else ASKED[at % 2 and 1 + at // 2 % 4]
        pairs = [(x, y) for x in values(a) for y in values(b)]
        texts.append((function(f"%x: {a}, %y: {b}", op, "%x, %y", asked, is_bool), some(pairs, 41)))
    return together(op, texts)


def unary(op: str) -> Case:
    name, _, attribute = op.partition(" ")
    texts = []
    for at, type_ in enumerate(TYPES):
        asked = ASKED[at % len(ASKED)]
        if name in ("shift", "rotl"):
            count, op_ = (attribute, name) if name == "shift" else ("5", op)
            text = function(f"%x: {type_}", op_, "%x, %n", asked)
            text = text.replace("):\n", f"):\n  %n: int = const {count}\n", 1)
        else:
            text = function(f"%x: {type_}", op, "%x", asked)
        texts.append((text, [[x] for x in values(type_)]))
    return together(op, texts)


def counted(op: str) -> Case:
    """Shifted or rotated by a variable."""
    counts = (-200, -129, -128, -64, -63, -8, -7, -1, 0, 1, 7, 8, 31, 63, 64, 127, 128, 199)
    texts = []
    for at, (type_, count) in enumerate(
        (type_, count) for type_ in TYPES for count in ("int[0,7]", "u8", "s8", "int[-200,200]", "int[0,127]")
    ):
        text = function(f"%x: {type_}, %n: {count}", op, "%x, %n", ASKED[at % len(ASKED)])
        inside = parse_module(text).functions["f"].params[1].type
        texts.append((text, [[x, n] for n in counts if n in inside for x in values(type_)[::7]]))
    return together(f"{op} by a variable", texts)


POWERS = [
    (function(f"%x: {a}, %n: int[-2,70]", "expt", "%x, %n", asked),
     [[x, n] for x in values(a)[::3] for n in (-2, -1, 0, 1, 3, 63, 64, 70)])
    for a, asked in zip(("s8", "u64", "s128", "int"), ("low 32", "", "low 64", ""), strict=True)
]  # fmt: skip

BIG_LOOP = """
function @f -> (int, int) {
b(%n: int):
  %0: int = const 0
  %1: int = const 1
  %k: int = const 12157665459056928801
  jump loop(%0, %1, %1)
loop(%i: int, %a: int, %b: int):
  %c: bool = lt %i, %n
  branch %c, body(), done()
body():
  %i1: int = add %i, %1
  %s: int = mul %a, %k
  %t: int = add %s, %b
  jump loop(%i1, %b, %t)
done():
  return %a, %b
}
"""
REPLACED = """
function @f -> (int) {
b(%n: u8, %x: int):
  %0: int = const 0
  %1: int = const 1
  %k: int = const 12157665459056928801
  %a: array(int) = new array(int) %1, %x
  jump loop(%0, %x)
loop(%i: int, %s: int):
  %c: bool = lt %i, %n
  branch %c, body(), done()
body():
  %old: int = load %a, %0
  %new: int = mul %old, %k
  store %a, %0, %new
  %t: int = add %s, %old
  %i1: int = add %i, %1
  jump loop(%i1, %t)
done():
  return %s
}
"""
BIG_ARRAYS = """
array @kept: array(int) = 0 1267650600228229401496703205376
function @double -> (int, array(int)) {
b(%x: int, %n: u8):
  %a: array(int) = new array(int) %n, %x
  %y: int = add %x, %x
  %0: int = const 0
  store %a, %0, %y
  return %y, %a
}
function @f -> (int, int, array(int)) {
b(%given: array(int), %i: int, %n: u8):
  %x: int = load %given, %i
  %1: int = const 1
  %k: array(int) = global @kept
  %old: int = load %k, %1
  %sq: int = mul %x, %x
  store %given, %i, %sq
  store %k, %1, %sq
  %y: int, %made: array(int) = call @double %x, %n
  %z: int, %other: array(int) = call @double %y, %n
  %w: int = load %made, %1
  store %other, %1, %old
  %s: int = add %w, %old
  return %s, %z, %other
}
"""
ELEMENTS = """
function @f -> (int, int, int, int) {
b(%a: array(s16), %b: array(u8), %i: s8, %x: int):
  %1: int = const 1
  %j: int = add %i, %1
  %p: int = load %a, %i
  %q: int = load %a, %j
  %m: int = load_be 32 %b, %i
  %s: int = mul %p, %q
  store %a, %j, %x
  %t: int = load %a, %j
  %l: int = len %a
  return %s, %m, %t, %l
}
"""
# arrays that are gone when they are made again, and others that are not: passed back, returned, given away
IN_FRAME = """
function @same -> (array(u16)) {
b(%a: array(u16), %n: u8):
  %0: int = const 0
  %c: bool = eq %n, %0
  branch %c, done(), again()
again():
  %1: int = const 1
  %m: int = sub %n, %1
  %b: array(u16) = call @same %a, %m
  return %b
done():
  return %a
}
function @f -> (int, array(u16), array(u16)) {
entry(%n: int[0,9], %k: int[1,4]):
  %0: int = const 0
  %1: int = const 1
  %3: int = const 3
  %9: int = const 9
  %first: array(u16) = new array(u16) %k, %0
  %full: array(u16) = new array(u16) %k, %9
  jump loop(%0, %0, %first)
loop(%i: int, %s: int, %last: array(u16)):
  %more: bool = lt %i, %n
  branch %more, body(), done()
body():
  %here: array(u16) = new array(u16) %k, %0
  %next: array(u16) = new array(u16) %3, %0
  %given: array(u16) = new array(u16) %k, %i
  %odd: int = low 1 %i
  %is: bool = eq %odd, %1
  %either: array(u16) = select %is, %here, %full
  %zero: int = load %here, %0
  %last.k: int = sub %k, %1
  %i1: int = add %i, %1
  store %here, %last.k, %i1
  branch %is, then(%here), then(%full)
then(%there: array(u16)):
  store %next, %1, %i1
  %p: int = load %there, %last.k
  %q: int = load %either, %0
  %r: int = load %last, %0
  %got: array(u16) = call @same %given, %1
  %g: int = load %got, %0
  %len: int = len %here
  %t: int = add %s, %p
  %u: int = add %t, %q
  %v: int = add %u, %r
  %w: int = add %v, %g
  %x: int = add %w, %zero
  %y: int = add %x, %len
  store %given, %0, %3
  jump loop(%i1, %y, %next)
done():
  %made: array(u16) = new array(u16) %3, %0
  store %made, %1, %k
  %again: array(u16) = call @same %made, %1
  %own: array(u16) = new array(u16) %3, %0
  store %own, %0, %k
  return %s, %again, %own
}
"""
# loads at one index plus constants, with a sign and without, some of several bytes
RUN = """
function @f -> (int) {{
b(%a: array(u8), %c: array(u8), %i: {type}):
  %1: int = const 1
  %2: int = const 2
  %7: int = const 7
  %j: int = add %i, %2
  %x: int = load %a, %j
  %k: int = {op} %i, %1
  %y: int = load %a, %k
  %l: int = add %7, %i
  %z: int = load_be 32 %a, %l
  %w: int = load %a, %i
  %m: int = add %i, %7
  %v: int = load %c, %m
  %u: int = load %c, %k
  %s: int = add %x, %y
  %t: int = add %z, %w
  %q: int = mul %u, %v
  %r: int = add %s, %t
  %o: int = add %r, %q
  return %o
}}
"""
# an index that a word's end lies between: it is no run with the others
AROUND = """
function @f -> (int) {
b(%a: array(u8), %i: u8):
  %1: int = const 1
  %5: int = const 5
  %j: int = add %i, %1
  %k: int = low 8 %j
  %l: int = add %i, %5
  %m: int = low 8 %l
  %x: int = load %a, %i
  %y: int = load %a, %k
  %z: int = load %a, %m
  %s: int = add %x, %y
  %t: int = add %s, %z
  return %t
}
"""
STORED = """
function @f -> (int) {
b(%a: array(u8), %i: u8):
  %1: int = const 1
  %x: int = load %a, %i
  %9: int = const 9
  store %a, %i, %9
  %j: int = add %i, %1
  %y: int = load %a, %j
  %s: int = add %x, %y
  return %s
}
"""
LONG_SUM = """
function @f -> (int, int) {
b(%a: u32, %b: u32, %c: s64, %n: int[0,100]):
  %0: int = const 0
  %1: int = const 1
  %k: int = const 3614090360
  jump top(%0, %a, %b)
top(%i: int, %x: int, %y: int):
  %c1: bool = lt %i, %n
  branch %c1, body(), done()
body():
  %f1: int = xor %x, %y
  %f2: int = mul %f1, %x
  %f3: int = ior %f2, %b
  %f4: int = sub %f3, %y
  %f5: int = mul %f4, %f1
  %f6: int = xor %f5, %k
  %f7: int = nand %f6, %f2
  %f8: int = eqv %f7, %f3
  %d: int = sub %y, %b
  %e: int = add %x, %c
  %q: int = add %e, %d
  %k2: int = const 77777
  %s2: int = add %q, %k
  %s3: int = add %f8, %s2
  %s4: int = add %s3, %k2
  %s: int = low 32 %s4
  %u1: int = add %e, %i
  %u: int = low 32 %u1
  %i1: int = add %i, %1
  jump top(%i1, %u, %s)
done():
  return %x, %y
}
"""
STRIP = """
function @f -> (int, int) {{
entry(%i.0: s32, %n: s32, %b.0: int):
  %s.0: int = const 0
  jump top(%i.0, %s.0, %b.0)
top(%i: int, %s: int, %b: int):
  %d: int = const {step}
  %i.1: int = add %i, %d
  %t: int = const 31
  %u: int = mul %s, %t
  %v: int = add %u, %i
  %s.1: int = low 32 %v
  %stay: bool = {op} %i.1, %n
  branch %stay, {ways}
again():
  jump top(%i.1, %s.1, %b)
done():
  %r: int = add %s.1, %b
  return %i.1, %r
}}
"""
# entered only before its bound
GUARDED = """
function @f -> (int) {
entry(%i.0: u32, %n: u32):
  %s.0: int = const 0
  %go: bool = lt %i.0, %n
  branch %go, first(), done(%s.0)
first():
  %s.1: int = xor %i.0, %n
  jump top(%i.0, %s.1)
top(%i: int, %s: int):
  %1: int = const 1
  %i.1: int = add %i, %1
  %t: int = xor %s, %i
  %stay: bool = lt %i.1, %n
  branch %stay, again(), out()
again():
  jump top(%i.1, %t)
out():
  jump done(%t)
done(%r: int):
  return %r
}
"""
CALLS = """
function @inner -> (int, int, bool) {
b(%n: int[-5,300], %m: int):
  %0: int = const 0
  %1: int = const 1
  %z: bool = le %n, %0
  branch %z, one(), more()
one():
  %g: int = neg %1
  return %1, %g, %z
more():
  %k: int = sub %n, %1
  %r: int, %d: int, %e: bool = call @inner %k, %m
  %p: int = mul %r, %m
  %q: int = sub %d, %1
  return %p, %q, %e
}
function @f -> (int, int, int) {
b(%x: int, %m: s64):
  %r: int, %d: int, %e: bool = call @inner %x, %m
  %3: int = const 3
  %s: int = select %e, %d, %3
  %t: int = mul %d, %r
  return %r, %s, %t
}
"""
MADE = """
array @table: array(u16) = 3 5 65535
array @wide: array(u128) = 1 2 3
function @f -> (int, int, int, array(s64), array(u128)) {
b(%n: int, %x: int, %i: int[0,3], %s: s8):
  %0: int = const 0
  %1: int = const 1
  %t: array(u16) = global @table
  %y: int = load %t, %i
  %a: array(s64) = new array(s64) %n, %x
  %w: array(u128) = new array(u128) %s, %y
  %m: int = mul %y, %x
  store %w, %0, %m
  %z: int = load %w, %1
  %v: int = load %a, %1
  %l: int = len %a
  %r: int = add %l, %z
  %k: bool = lt %v, %0
  %h: bool = not %k
  branch %h, yes(), no()
yes():
  return %r, %v, %y, %a, %w
no():
  return %v, %r, %y, %a, %w
}
"""


def by_hand() -> list[Case]:
    big = [0, 1, -1, 1 << 61, 1 << 62, -(1 << 62), -(1 << 62) - 1, 1 << 64, 3**90, -(3**90)]
    shorts, octets = [-5, 300, -(1 << 15), 7], list(range(250, 256))
    stored = (0, -1, 1 << 15, (1 << 15) - 1, -(1 << 15), 1 << 70)
    places = ((0, 2), (1, 5), (2, 2), (0, 1))
    cases = [
        of_text("values around a loop", BIG_LOOP, [[n] for n in (0, 1, 2, 5, 6, 7, 9)]),
        of_text("replaced elements", REPLACED, [[n, x] for n in (0, 1, 2, 5) for x in (1, 3**90)]),
        of_text(
            "arrays of values", BIG_ARRAYS, [[[x, y], *at] for x in big for y in big[::4] for at in places]
        ),
        of_text(
            "elements",
            ELEMENTS,
            [[shorts, octets, i, x] for i in (-128, -2, -1, 0, 1, 2, 3, 4, 127) for x in stored],
        ),
        of_text(
            "around a word's end",
            AROUND,
            [[list(range(n)), i] for n in (0, 1, 5, 250, 252, 254) for i in (0, 4, 248, 249, 253, 255)],
        ),
        of_text(
            "a store between loads", STORED, [[[1] * n, i] for n in (0, 1, 2, 3) for i in (0, 1, 2, 255)]
        ),
        of_text(
            "a long sum",
            LONG_SUM,
            [[7, (1 << 32) - 1, c, n] for c in (-5, 0, 1 << 62) for n in (0, 1, 3, 9)],
        ),
        of_text("calls", CALLS, [[x, m] for x in (-6, -5, 0, 1, 9, 30, 301) for m in (0, 3, -3, 1 << 62)]),
        of_text(
            "arrays made",
            MADE,
            [
                *([n, x, 1, 2] for n in (-1, 2, 0, 1 << 70, -(1 << 70)) for x in (-5, 9, 1 << 63)),
                *([2, x, i, s] for x in (-(1 << 63), (1 << 63) - 1) for i in (0, 2, 3) for s in (-1, 1, 3)),
            ],
        ),
        of_text("arrays in the frame", IN_FRAME, [[n, k] for n in (0, 1, 2, 5, 9) for k in (1, 2, 4)]),
        of_text("a strip with a guard", GUARDED, [[i, i + n] for i in (0, 5, 1 << 31) for n in (0, 1, 40)]),
        together("powers", POWERS),
    ]
    for type_, op in (("s32", "sub"), ("u32", "sub"), ("u8", "add"), ("u64", "add"), ("s8", "sub")):
        of = parse_module(RUN.format(type=type_, op=op)).functions["f"].params[2].type
        ends = [i for i in (*range(-9, 14), of.low, of.high, of.high - 7, 126) if i in of]
        inputs = [
            [list(range(n)), list(range(m)), i]
            for n, m in ((0, 9), (11, 11), (14, 9), (14, 13))
            for i in ends
        ]
        cases.append(of_text(f"a run at {type_}", RUN.format(type=type_, op=op), inputs))
    for step, op in ((1, "lt"), (3, "le"), (-1, "gt"), (-2, "ge")):
        text = STRIP.format(step=step, op=op, ways="again(), done()")
        ends = (-7, -1, 0, 2, 40, 41, 42)
        cases.append(of_text(f"a strip by {step}", text, [[i, n, 3**90] for i in ends for n in ends]))
    return cases


@cache
def machine_cases() -> tuple[Case, ...]:
    """What shows each way of what emit prints: no loops that may not end, nor globals that change."""
    shown = ("elements", "arrays made", "arrays in the frame", "a run", "calls")
    most = [case for case in by_hand() if case.name.startswith(shown)]
    return *most, *map(operation, ("fdiv", "ior", "lt", "mul")), unary("neg"), unary("low 100")


@cache
def cases() -> tuple[Case, ...]:
    """Every operation, by hand what operations alone don't show, and random programs."""
    return (
        *by_hand(),
        *map(operation, OPERATIONS),
        *map(unary, UNARY),
        *map(counted, ("shift", "rotl 8", "rotl 64", "rotl 13", "rotl 140")),
        *(random_case(kind * ring_differential.BATCH + at) for kind in range(2) for at in range(12)),
    )


def of_machine_code(case: Case) -> Iterable[str]:
    """Where machine code, which nothing was done to make fast, does not do what the IR does."""
    with patch.object(llvm, "machine_code", quickly):
        programs = [compile_module(case.module, cut) for cut in (True, False)]
    for name, inputs in case.inputs.items():
        for args, wanted in zip(inputs, case.wanted[name], strict=True):
            for program in programs:
                try:
                    found = outcome(lambda *args, p=program: _tuple(p.call(*args)), [name, *args])
                except OverflowError:
                    # an argument is refused before the call, in other words
                    continue
                if MEMORY not in (found, wanted) and repr(found) != repr(wanted):
                    yield f"{case.name}: {name}{tuple(args)} is {found}, not {wanted}"


def _tuple(values) -> tuple:
    return values if isinstance(values, tuple) else (values,)


def difference(
    cases: Iterable[Case], differences: Callable[[Case], Iterable[str]] = Case.differences
) -> str | None:
    """The first case that is not as it should be: what it does, or that it cannot be run at all."""
    for case in cases:
        try:
            found = next(iter(differences(case)), None)
        except Exception as failure:
            found = f"{case.name}: {type(failure).__name__}: {failure}"
        if found:
            return found
    return None


def ops(words: form.MachineModule) -> list[str]:
    return [op.op for function in words.functions.values() for op in function.ops()]
