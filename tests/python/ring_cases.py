"""IR of one operation, at each container, and values at the edges to call it with."""

import linecache
from types import FunctionType

from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.front.python.module import lower_function
from carrychain.ring.ir.errors import Trap
from carrychain.ring.ir.form import INT, LOGIC, Module
from carrychain.ring.ir.parse import parse_module

TYPES = ["u8", "s8", "u16", "u32", "s32", "u64", "s64", "u128", "s128", "int", "int[-5,300]"]
# what the result is asked for: all of it, or so many low bits
ASKED = ["", "low 8", "low 32", "field 16", "low 64", "low 130"]
OPERATIONS = [
    *LOGIC, "add", "sub", "mul", "fdiv", "fmod", "tdiv", "trem", "cdiv", "crem",
    "eq", "ne", "lt", "le", "gt", "ge", "gcd",
]  # fmt: skip
UNARY = ["neg", "bitlen", "popcount", "isqrt", "shift -3", "shift 5", "shift -70", "shift 66", "shift -130",
         "low 7", "low 64", "low 100", "low 200", "field 1", "field 33", "field 64", "field 200",
         "narrow u8", "narrow s64", "narrow u64", "narrow int[-7,12]", "narrow int[0,*]", "rotl 8", "rotl 32",
         "rotl 13", "rotl 150"]  # fmt: skip


def module_of(text: str) -> Module:
    """Of IR, Lisp, or Python, whose `f` takes ints."""
    if text.startswith("def "):
        function = python_function(text)
        return lower_function(function, (INT,) * function.__code__.co_argcount).module
    return parse_module(text) if text.lstrip().startswith(("function", "array")) else lisp.module_of(text)


def python_function(text: str) -> FunctionType:
    """What `f` is in a module's text."""
    file, names = f"<{hash(text)}>", {}
    # its source is looked for there
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), names)
    return names["f"]


def together(texts: list[str]) -> Module:
    """Functions called f, in one module as f0, f1 and so on."""
    found = [module_of(text).functions["f"] for text in texts]
    for at, function in enumerate(found):
        function.name = f"f{at}"
    return Module({function.name: function for function in found})


def values(type_: str) -> list[int]:
    """Near the ends of the type, of the words within it, and of what the runtime keeps small."""
    module = parse_module(f"function @f -> (int) {{\nb(%x: {type_}):\n  return %x\n}}")
    of = module.functions["f"].params[0].type
    near = {0, 1, 2, 7, 100}
    for bits in (7, 8, 15, 31, 32, 62, 63, 64, 127, 128, 200):
        near |= {1 << bits, (1 << bits) - 1}
    near |= {-x for x in near} | {-x - 1 for x in near}
    return sorted(x for x in near if x in of)


def outcome(run, *args):
    try:
        return run(*args)
    except Trap as trap:
        return trap.message
    except MemoryError:
        return "memory"


def function(params: str, op: str, args: str, asked: str = "", is_bool: bool = False) -> str:
    kind = "bool" if is_bool else "int"
    lines = [f"function @f -> ({kind}) {{", f"b({params}):", f"  %r: {kind} = {op} {args}"]
    if asked and not is_bool:
        lines.append(f"  %s: int = {asked} %r")
    return "\n".join([*lines, f"  return {'%s' if asked and not is_bool else '%r'}", "}"])


PAIRS = [
    *zip(TYPES, TYPES, strict=True),
    ("u8", "s8"),
    ("u64", "s64"),
    ("s32", "u64"),
    ("u128", "s8"),
    ("u8", "int"),
]


def of_one(op: str, type_: str, asked: str) -> str:
    """An operation of UNARY."""
    name, _, attribute = op.partition(" ")
    if name not in ("shift", "rotl"):
        return function(f"%x: {type_}", op, "%x", asked)
    count, op = (attribute, name) if name == "shift" else ("5", op)
    text = function(f"%x: {type_}", op, "%x, %n", asked)
    return text.replace("):\n", f"):\n  %n: int = const {count}\n", 1)


# operations that take a count, and counts
COUNTED = ("shift", "rotl 8", "rotl 64", "rotl 13", "rotl 140")
COUNTS = (-200, -129, -128, -64, -63, -8, -7, -1, 0, 1, 7, 8, 31, 63, 64, 127, 128, 199)


def by_count(op: str, type_: str, count: str, asked: str, some: int) -> tuple[str, list[tuple]]:
    """Shifted or rotated by a variable of this type; one in `some` of the first's values."""
    text = function(f"%x: {type_}, %n: {count}", op, "%x, %n", asked)
    inside = parse_module(text).functions["f"].params[1].type
    return text, [(x, n) for n in COUNTS if n in inside for x in values(type_)[::some]]
