"""Python functions by the front end alone: what it makes of them, interpreted, as a decorator like `jit`."""

import re
from array import array
from collections.abc import Callable, Iterator
from dis import get_instructions
from inspect import CO_VARARGS
from types import FunctionType

import numpy as np
from carrychain.ring.call.jit.annotations import annotations
from carrychain.ring.call.jit.arguments import UNPACKED
from carrychain.ring.front.python.kinds import (
    BOOL,
    INT,
    MISSING,
    TRUTH,
    Bailout,
    Beyond,
    Buffer,
    Guard,
    List,
    Lowered,
    PythonKind,
    Tuple,
)
from carrychain.ring.front.python.module import lower_function
from carrychain.ring.ir.errors import SourceError, Trap
from carrychain.ring.ir.form import Int, signed, unsigned
from carrychain.ring.ir.interface import NULL, Union
from carrychain.ring.ir.interpret import Interpreter

# What the IR's own checks are in Python: the beginnings of their messages.
ERRORS = {
    "division by zero": ZeroDivisionError,
    "index ": IndexError,
    "expt with": ValueError,
    "an array of": ValueError,
    "": OverflowError,
}
ITEMS = {**dict.fromkeys("BHILQ", unsigned), **dict.fromkeys("bhilq", signed)}


class Items:
    """A ndarray's items as ints."""

    def __init__(self, array: np.ndarray):
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, at: int) -> int:
        return int(self.array[at])

    def __setitem__(self, at: int, value: int) -> None:
        self.array[at] = value


def kind_of(value) -> PythonKind:
    match value:
        case bool():
            return BOOL
        case int():
            return INT
        case None:
            return NULL
        case bytes() | bytearray():
            return Buffer(type(value).__name__)
        case list():
            return List()
        case tuple() if len(value) > UNPACKED and all(type(item) is int for item in value):
            return List(maker="tuple")
        case tuple():
            return Tuple(tuple(map(kind_of, value)))
        case memoryview():
            return Buffer("memoryview", ITEMS[value.format](8 * value.itemsize), value.readonly)
        case array():
            return Buffer("array", ITEMS[value.typecode](8 * value.itemsize))
    items = {"u": unsigned, "i": signed}[value.dtype.kind]
    return Buffer("ndarray", items(8 * value.itemsize), not value.flags.writeable)


def kinds_of(args: tuple) -> tuple[PythonKind, ...]:
    return tuple(map(kind_of, args))


def parts(value, kind: PythonKind) -> list:
    if isinstance(kind, Tuple):
        return [part for item, each in zip(value, kind.items, strict=True) for part in parts(item, each)]
    return [] if kind == NULL else [Items(value) if isinstance(value, np.ndarray) else value]


def given(kind: PythonKind, results: Iterator, arguments: list):
    """A value of the kind, held in the next of these results."""
    match kind:
        case Tuple(items):
            return tuple([given(item, results, arguments) for item in items])
        case Union(members):
            flags = [next(results) for _ in members[1:]]
            values = [given(member, results, arguments) for member in members]
            return next((value for flag, value in zip(flags, values[1:], strict=True) if flag), values[0])
    if kind == NULL:
        return None
    value = next(results)
    value = value.array if isinstance(value, Items) else value
    if any(value is each for each in arguments):
        return value
    match kind:
        case List(element, maker):
            items = map(bool, value) if element == TRUTH else value
            return tuple(items) if maker == "tuple" else list(items)
        case Buffer("bytes" | "bytearray" as maker):
            return {"bytes": bytes, "bytearray": bytearray}[maker](value)
        case Buffer("array", element):
            return array(code(element), value)
        case Buffer("ndarray", element):
            return np.array(value, dtype=code(element))
    return bool(value) if kind == BOOL else value


def code(element: Int) -> str:
    bits = (element.high - element.low).bit_length()
    return (
        {8: "b", 16: "h", 32: "i", 64: "q"}[bits].upper()
        if element.low == 0
        else {8: "b", 16: "h", 32: "i", 64: "q"}[bits]
    )


def holds(guard: Guard) -> bool:
    where, name, value = guard
    if isinstance(where, dict):
        return where.get(name, MISSING) is value
    if isinstance(where, list):
        return len(where) == len(value) and all(a is b for a, b in zip(where, value, strict=True))
    return getattr(where, "cell_contents" if name is None else name, MISSING) is value


def looked_at(function: FunctionType) -> set[str]:
    """The parameters that the function names or gives a width; what is passed for others does not matter."""
    named = set(annotations(function))
    for instruction in get_instructions(function.__code__):
        value = instruction.argval
        named.update(each for each in (value if isinstance(value, tuple) else (value,)) if type(each) is str)
    return named


class Long(Exception):
    """A call is left to CPython, as interpreting it would take too long."""


class Interpreted:
    """What the front end made."""

    def __init__(self, made: Lowered):
        self.made = made

    def call(self, *args) -> list:
        return Interpreter(self.made.module).call(self.made.entry, *args)


def entry(
    function: FunctionType,
    kinds_of: Callable[[tuple], tuple[PythonKind, ...]] = kinds_of,
    compiled: Callable[[Lowered], Interpreted] = Interpreted,
) -> Callable:
    """The function that a program is entered by; those that it calls stay CPython's."""
    known: dict[tuple[PythonKind, ...], Interpreted] = {}
    refused: dict[tuple[PythonKind, ...], SourceError] = {}

    code = function.__code__
    positional, starred = code.co_argcount, code.co_flags & CO_VARARGS
    names = code.co_varnames[: positional + bool(starred)]
    seen = looked_at(function)

    def call(*passed):
        args = (*passed[:positional], passed[positional:]) if starred else passed
        args = tuple(arg if name in seen else None for name, arg in zip(names, args, strict=True))
        kinds = kinds_of(args)
        way = known.get(kinds)
        if way is None or not all(map(holds, way.made.guards)):
            if kinds in refused and all(map(holds, refused[kinds].guards)):
                raise refused[kinds]
            try:
                way = known[kinds] = compiled(lower_function(function, kinds))
            except SourceError as refusal:
                refused[kinds] = refusal.with_traceback(None)
                raise
        lowered = way.made
        if lowered.has_read(args):
            raise SourceError("an argument is a list that the function also reads from its module")
        held = [part for arg, kind in zip(args, kinds, strict=True) for part in parts(arg, kind)]
        before = kept(args)
        try:
            results = way.call(*held)
        except Long:
            restore(before)
            return function(*passed)
        except Trap as trap:
            if is_undone(trap, lowered):
                restore(before)
                return function(*passed)
            raise_(trap, lowered, function.__globals__)
        return given(
            lowered.gives, iter(results), [*args, *(x for arg in args if isinstance(arg, tuple) for x in arg)]
        )

    return call


def is_undone(trap: Trap, lowered: Lowered) -> bool:
    number = re.fullmatch(r"raise ([0-9]+)", trap.message)
    return number is not None and lowered.raised[int(number[1])].type in (Bailout, Beyond)


def kept(args: tuple) -> list[tuple]:
    """What is in the arguments that can be written to."""
    found = []
    for arg in args:
        if isinstance(arg, tuple):
            found += kept(arg)
        elif isinstance(arg, memoryview) and not arg.readonly:
            found.append((arg.cast("B"), bytes(arg)))
        elif isinstance(arg, list | bytearray | array | np.ndarray):
            found.append((arg, arg[:].copy() if isinstance(arg, np.ndarray) else arg[:]))
    return found


def restore(before: list[tuple]) -> None:
    for arg, items in before:
        arg[:] = items


def raise_(trap: Trap, lowered: Lowered, world: dict) -> None:
    """What a check raises, from the line that it stands in."""
    number = re.fullmatch(r"raise ([0-9]+)", trap.message)
    if number:
        type_, args = lowered.raised[int(number[1])]
        error = type_(*args)
    else:
        error = next(type_ for start, type_ in ERRORS.items() if trap.message.startswith(start))(trap.message)
    lines = "\n" * (trap.position.line - 1)
    exec(compile(f"{lines}raise error", trap.position.file, "exec"), {"error": error})
