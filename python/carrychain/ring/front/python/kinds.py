"""The kinds of values that compiled Python distinguishes, and for which a function is compiled.

An int has the IR's type Int, a bool Bool, None NULL. Memory of items has its maker (bytes, bytearray, ...)
and the type of its items; a list's items are ints. A tuple has a kind for each item. A value of different
kinds on different paths is a Union of these.

A kind is held in a number of IR values: an int, a bool, a buffer and a list in one, None in none, a tuple in
its items', a Union in a truth value for each kind but the first, which says whether the value is of that
kind, and the values of each kind.

Callers meet only these kinds. Within the front end, items may be a `view`: a range of an array's items, held
with its start and length. A growing list is held in an array with room to spare and its length. A name that
may have no value is Unbound on some paths. What is known at compile time, such as a function, is Exactly
that. Both of these are held in nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import CellType, CodeType, FunctionType
from typing import NamedTuple

from ...ir.form import BOOL, INT, Array, Bool, Int, Module, Type, unsigned
from ...ir.interface import Null, Union

BYTE = unsigned(8)
# Of a list's items, which are ints else: they are bools.
TRUTH = unsigned(1)


@dataclass(frozen=True)
class Buffer:
    """Items of one width in memory; `maker` is bytes, bytearray, memoryview, array or ndarray."""

    maker: str
    element: Int = BYTE
    readonly: bool = False
    view: bool = False

    def __str__(self) -> str:
        return self.maker if self.maker in ("bytes", "bytearray") else f"{self.maker}[{self.element}]"


@dataclass(frozen=True)
class List:
    """A list of ints or of bools, or a tuple of any number. One that is of the world outside is only read."""

    element: Int = INT
    maker: str = "list"
    view: bool = False
    readonly: bool = False

    def __str__(self) -> str:
        element = "bool" if self.element == TRUTH else self.element
        return f"list[{element}]" if self.maker == "list" else f"tuple[{element}, ...]"


@dataclass(frozen=True)
class Tuple:
    items: tuple[PythonKind, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items)) or '()'}]"


@dataclass(frozen=True)
class Grown:
    """A list, a bytearray or bytes with room to spare."""

    maker: str
    element: Int


@dataclass(frozen=True)
class Unbound:
    pass


@dataclass(frozen=True)
class Exactly:
    value: object


PythonKind = Int | Bool | Null | Buffer | List | Tuple | Union | Grown | Unbound | Exactly


def named(type_: Int) -> str:
    """A type as it is written in annotations."""
    return str(type_).replace("s", "i")


def held(kind: PythonKind) -> list[Type]:
    """The IR's types of what a value of the kind is held in."""
    match kind:
        case Int() | Bool():
            return [kind]
        case Null() | Unbound() | Exactly():
            return []
        case Buffer() | List():
            return [Array(kind.element), *([INT, INT] if kind.view else [])]
        case Grown():
            return [Array(kind.element), INT]
        case Tuple(items):
            return [type_ for item in items for type_ in held(item)]
    return [BOOL] * (len(kind.members) - 1) + [type_ for member in kind.members for type_ in held(member)]


class Raised(NamedTuple):
    """What a check of the program's raises."""

    type: type[BaseException]
    args: tuple


class Guard(NamedTuple):
    """What was read of the world outside when a function was compiled, and must still be so at a call.

    `where` and `name`: a dict and a key in it (`value` MISSING: that is not in it); a cell and None, its
    contents; a list and None, its items, which are the tuple `value`; a function and an attribute of it.
    """

    where: dict | CellType | list | FunctionType
    name: str | None
    value: object


MISSING = object()


class Bailout(Exception):
    """Raised where compiled code cannot go on: the call is undone, and CPython runs the function instead."""


class Beyond(Bailout):
    """Raised where CPython goes on, and may give what is of no kind."""


@dataclass
class Lowered:
    """A Python function for arguments of these kinds, as IR.

    The module's function `entry` takes what the arguments are held in, one after the other, and gives what
    the result is held in. A Trap whose message is "raise N" raises `raised[N]`; other traps are the IR's own.
    """

    module: Module
    entry: str
    takes: tuple[PythonKind, ...]
    gives: PythonKind
    raised: list[Raised]
    guards: list[Guard]
    # what has code in the module, for what a traceback says
    codes: list[CodeType]
    # by a position, as text: what an index that is out of bounds there is told
    indexed: dict[str, str]
