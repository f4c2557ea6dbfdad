"""Machine IR that does something else than its IR, forged by hand after lowering, is refused."""

import warnings
from collections.abc import Callable
from copy import deepcopy

import pytest
from carrychain.ring import compile as compiling
from carrychain.ring.compile import lowered, plans
from carrychain.ring.ir import inline
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.lower.module import LoweredModule, lower
from carrychain.ring.machine.form import (
    Const,
    MachineBlock,
    MachineFunction,
    MachineJump,
    MachineReturn,
    Op,
    Site,
)
from carrychain.ring.machine.interpret import Fault, MachineInterpreter
from ring_differential import outcome

Forge = Callable[[MachineFunction, LoweredModule], None]

COUNTS = """function @f -> (int) {
entry(%n: u32):
  %0: int = const 0
  %1: int = const 1
  jump head(%0, %0)
head(%i: int, %s: int):
  %c: bool = COMPARED %i, %n
  branch %c, body(), out()
body():
  %t: int = add %s, %i
  %u: int = low 32 %t
  %j: int = add %i, %1
  jump head(%j, %u)
out():
  return %s
}
"""
CALLS_ITSELF = """function @g -> (int) {
entry(%x: u8):
  %0: int = const 0
  %c: bool = gt %x, %0
  branch %c, more(), out()
more():
  %1: int = const 1
  %y: int = sub %x, %1
  %r: int = call @g %y
  return %r
out():
  return %x
}

function @f -> (int) {
entry(%x: u16):
  %r: int = call @g %x
  return %r
}
"""
MEETS = """function @f -> (int) {
entry(%n: u8, %c: bool):
  branch %c, out(), out()
out():
  return %n
}
"""
TABLE = """array @t: array(u8) = 1 2 3

function @g -> (int) {
entry(%a: array(u8), %x: u8, %n: u8):
  %y: int = load %a, %x
  store %a, %x, %n
  %0: int = const 0
  %1: int = const 1
  %c: bool = gt %n, %0
  branch %c, more(), out()
more():
  %m: int = sub %n, %1
  %z: int = call @g %a, %x, %m
  return %z
out():
  return %y
}

function @f -> (int) {
entry(%x: u8):
  %a: array(u8) = global @t
  %y: int = call @g %a, %x, %x
  return %y
}
"""


ALWAYS_OUT = """function @f -> (int) {
entry(%x: int[300,400]):
  %y: int = narrow u8 %x
  return %y
}
"""
DIVIDES = """function @f -> (int) {
entry(%x: u8, %y: u8):
  %q: int = tdiv %x, %y
  return %q
}
"""
BY_0 = """function @f -> (int) {
entry(%x: u8):
  %0: int = const 0
  %q: int = tdiv %x, %0
  return %q
}
"""
ELSEWHERE = """function @f -> (int) {
entry(%y: u8):
  %0: int = const 0
  %16: int = const 16
  %5: int = const 5
  %a: array(u8) = new array(u8) %y, %0
  %c: bool = le %16, %y
  branch %c, large(), small()
large():
  %z: int = narrow int[16,255] %y
  %q: int = fdiv %z, %16
  %p: int = mul %q, %16
  return %p
small():
  %r: int = load %a, %5
  return %r
}
"""
NOT_LOOKED_AT = """function @f -> (int) {
entry(%x: u8, %n: u8):
  %8: int = const 8
  %a: int = shift %x, %n
  %b: int = shift %a, %8
  %c: int = add %b, %x
  %d: int = low 8 %c
  return %d
}
"""
SAME = """function @f -> (int) {
entry(%x: u8):
  %k: int = const 39
  %e: int = eqv %x, %x
  %r: int = add %e, %k
  return %r
}
"""
ADDS = """function @f -> (int) {
entry(%x: u8, %y: u8):
  %r: int = add %x, %y
  %s: int = low 8 %r
  return %s
}
"""
MULTIPLIES = """function @f -> (int) {
entry(%x: int):
  %r: int = mul %x, %x
  return %r
}
"""
MAKES = """function @f -> (array(int)) {
entry(%x: int):
  %3: int = const 3
  %a: array(int) = new array(int) %3, %x
  return %a
}
"""
IN_FRAME = """function @f -> (int) {
entry(%x: u8):
  %0: int = const 0
  %3: int = const 3
  %a: array(u8) = new array(u8) %3, %0
  %i: int = low 1 %x
  store %a, %i, %x
  %y: int = load %a, %0
  return %y
}
"""


# Forgeries -------------------------------------------------------------------------------------------


def without(name: str) -> Forge:
    def forge(function: MachineFunction, _: LoweredModule) -> None:
        for block in function.blocks:
            block.ops[:] = [op for op in block.ops if op.op != name]

    return forge


def said(name: str, message: str) -> Forge:
    def forge(_: MachineFunction, found: LoweredModule) -> None:
        for op in (op for function in found.module.functions.values() for op in function.ops()):
            if op.op == name:
                op.site = Site(message)

    return forge


def divided_first(function: MachineFunction, _: LoweredModule) -> None:
    (block,) = function.blocks
    block.ops.sort(key=lambda op: op.op != "udiv")


def strip_ends(of: Callable[[int], bool]) -> Forge:
    """Nothing is added to where it begins, or to the bound."""

    def forge(_: MachineFunction, found: LoweredModule) -> None:
        (outer,) = found.witnesses["f"].strips
        (op,) = (op for op in outer.ops if op.op == "add" and of(op.args[1].value))
        op.args[1] = Const(64, 0)

    return forge


def begins_twice(function: MachineFunction, found: LoweredModule) -> None:
    witness = found.witnesses["f"]
    (block,) = (made for made, of in witness.begins.items() if of.name == "out")
    other = MachineBlock(99, end=MachineReturn([Const(block.end.args[0].type, 77)]))
    next(b for b in function.blocks if isinstance(b.end, MachineJump)).end.to = other
    function.blocks.append(other)
    witness.begins = {other: witness.begins[block], **witness.begins}
    witness.ops[other] = other.ops


def stated_elsewhere(function: MachineFunction, found: LoweredModule) -> None:
    """A block that is nowhere has the right operation."""
    op = next(op for op in function.ops() if op.op == "add")
    found.witnesses["f"].ops[MachineBlock(99)] = [Op("add", op.args, op.results)]
    op.op = "sub"


def far(function: MachineFunction, _: LoweredModule) -> None:
    """Of a shift by more than the word has LLVM makes anything, whatever of it is looked at."""
    (op,) = (op for op in function.ops() if op.op == "and")
    op.op = "or"


def two_words(function: MachineFunction, _: LoweredModule) -> None:
    """Above, the one has zeros, and the other the sign."""
    next(op for op in function.ops() if op.op == "zext").op = "sext"


def promised(function: MachineFunction, _: LoweredModule) -> None:
    (op,) = (op for op in function.ops() if op.op == "add")
    op.attribute = "u"


def room(function: MachineFunction, _: LoweredModule) -> None:
    (op,) = (op for op in function.ops() if op.op == "frame")
    op.attribute = op.attribute[0], 1 << 40


def renamed(_: MachineFunction, found: LoweredModule) -> None:
    f, g = found.module.functions["f"], found.module.functions["g"]
    f.name, g.name = g.name, f.name


def other_table(_: MachineFunction, found: LoweredModule) -> None:
    found.module.arrays["t"].contents = [3, 2, 1]


def constant_table(_: MachineFunction, found: LoweredModule) -> None:
    found.module.arrays["t"].changed = False


LESS, AT_MOST = COUNTS.replace("COMPARED", "lt"), COUNTS.replace("COMPARED", "le")
# The program, what is forged, arguments for which that matters to the machine IR's interpreter, the refusal.
FORGED = {
    "a check that always fails is missing": (ALWAYS_OUT, without("refuse"), [310], "nothing checks"),
    "nothing checks a division by 0": (BY_0, without("refuse"), [3], "nothing checks"),
    "a division before its check": (DIVIDES, divided_first, [3, 0], "nothing checks the arguments of udiv"),
    "a shift by more than the word has": (
        NOT_LOOKED_AT,
        far,
        [3, 200],
        "nothing checks the arguments of shl",
    ),
    "one argument in two words": (SAME, two_words, [200], "is not shown to be|the word returned"),
    "a sum that is not exact": (ADDS, promised, [200, 100], "is not shown to be|the arguments of add"),
    "a bound from what is computed elsewhere": (ELSEWHERE, without("bounds"), [3], "nothing checks"),
    "a strip of no round": (LESS, strip_ends(lambda rounds: rounds > 1), [3], "a strip may run no iteration"),
    "a strip ends before its loop does": (
        AT_MOST,
        strip_ends(lambda slack: slack == 1),
        [3],
        "a strip may run no iteration",
    ),
    "a block begins twice": (MEETS, begins_twice, [5, True], "two machine blocks begin"),
    "an operation that is nowhere": (ADDS, stated_elsewhere, [5, 3], "a word is defined twice"),
    "where it is too deep": (CALLS_ITSELF, said("deep", "division by zero"), None, "with another message"),
    "where it is interrupted": (LESS, said("poll", "division by zero"), None, "with another message"),
    "where memory ends": (MULTIPLIES, said("big_mul", "division by zero"), None, "with another message"),
    "where an array has no room": (MAKES, said("new", "division by zero"), None, "with another message"),
    "a frame as large as the memory": (IN_FRAME, room, None, "the frame has no room"),
    "functions have each other's names": (CALLS_ITSELF, renamed, None, "another function's"),
    "a table has other elements": (TABLE, other_table, [0], "arrays are not the module's"),
    "a table that is changed is constant": (TABLE, constant_table, None, "@t is marked constant"),
}


@pytest.mark.parametrize(("text", "forge", "args", "match"), FORGED.values(), ids=FORGED)
def test_what_is_forged_is_refused(monkeypatch, text, forge, args, match):
    monkeypatch.setattr(inline, "SMALL", -1)
    module = parse_module(text)
    before = module.copy()
    made = plans(module, True)
    lowered(module, made)
    found = []

    def forged(*args) -> LoweredModule:
        found.append(lower(*args))
        forge(found[0].module.functions["f"], found[0])
        return found[0]

    monkeypatch.setattr(compiling, "lower", forged)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Refused)
        with pytest.raises((CheckError, Refused), match=match):
            lowered(module, made)
    if args is None:
        return
    run = MachineInterpreter(found[0].module, found[0].signatures, 10000)

    def call(*args):
        try:
            return run.call("f", *args)
        except Fault as fault:
            return str(fault)

    right = outcome(lambda *args: Interpreter(before).call("f", *args), deepcopy(args))
    assert outcome(call, args) != right
