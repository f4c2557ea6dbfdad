"""The kinds of values that compiled Python distinguishes, and for which a function is compiled.

The kind of an int is the IR's type Int, that of a bool Bool, that of None NULL. A buffer's kind has its maker
(bytes, bytearray, ...) and the type of its items; a list's items are ints. A tuple has a kind for each item.
A value of different kinds on different paths is a Union of these.

A value of a kind is represented by a number of IR values: an int, a bool, a buffer and a list by one, None by
none, a tuple by those of its items. A Union is represented by a truth value for each kind but the first,
which says whether the value is of that kind, and by the values of each kind.

Callers see only these kinds. Within the front end, items may be a `view`: a range of an array's items,
represented with its start and length. A growing list is represented by an array with spare room, and its
length. A range and an inner function are represented by what they are made of. A name that may have no value
is Unbound on some paths. A value that is known at compile time, such as a function of the module, is Exactly
that value. Neither of the latter two needs an IR value.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import partial
from types import CellType, CodeType, FunctionType
from typing import NamedTuple

from ...ir.form import BOOL, INT, Array, Bool, Int, Module, Type, unsigned
from ...ir.interface import Null, Union

BYTE = unsigned(8)
# The items of a list of bools; other lists have ints.
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
    """A list of ints or of bools, or a tuple of any length. One from outside the function is only read."""

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
    maker: str = "tuple"  # or "list": a list of tables, which is only read

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items)) or '()'}]"


@dataclass(frozen=True)
class Grown:
    """A list, a bytearray or bytes with spare room."""

    maker: str
    element: Int


@dataclass(frozen=True)
class RangeKind:
    """A range; `step` is its step if that is known."""

    step: int | None


@dataclass(frozen=True)
class FunctionKind:
    """An inner function: its parameters' defaults, and the names that it brings from scopes that have ended.

    `scope` is the number of the scope that it is defined in; of a function that is passed to another, the
    module's function around it.
    """

    node: ast.FunctionDef | ast.Lambda
    scope: int | FunctionType
    spare: tuple[tuple[str, PythonKind], ...]
    brought: tuple[tuple[str, PythonKind], ...]

    def __str__(self) -> str:
        return f"function {self.node.lineno}.{self.node.col_offset}"


@dataclass(frozen=True)
class Unbound:
    pass


@dataclass(frozen=True)
class Exactly:
    value: object


PythonKind = (
    Int | Bool | Null | Buffer | List | Tuple | Union | RangeKind | FunctionKind | Grown | Unbound | Exactly
)


def named(type_: Int) -> str:
    """A type as it is written in annotations."""
    return str(type_).replace("s", "i")


def held(kind: PythonKind) -> list[Type]:
    """The types of the IR values that represent a value of the kind."""
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
        case RangeKind(step):
            return [INT, INT] if step is not None else [INT, INT, INT]
        case FunctionKind():
            return [type_ for _, each in (*kind.spare, *kind.brought) for type_ in held(each)]
    return [BOOL] * (len(kind.members) - 1) + [type_ for member in kind.members for type_ in held(member)]


class Raised(NamedTuple):
    """The exception that a check of the program raises."""

    type: type[BaseException]
    args: tuple


class Guard(NamedTuple):
    """Something outside the function that was read when it was compiled, and must be unchanged at a call.

    `where` and `name` are a dict and its key (`value` is MISSING if the key is not in it); a cell and None,
    for its contents; a list and None, for its items, which are the tuple `value`; or a function and its
    attribute.
    """

    where: dict | CellType | list | FunctionType
    name: str | None
    value: object


MISSING = object()


class Bailout(Exception):
    """Raised if compiled code cannot continue: the call is undone, and CPython runs the function instead."""


class Beyond(Bailout):
    """Raised if CPython would continue, and may return a value of an unsupported kind."""


@dataclass
class Lowered:
    """A Python function for arguments of these kinds, as IR.

    The module's function `entry` takes the IR values that represent the arguments, in order, and returns
    those that represent the result. A Trap with the message "raise N" raises `raised[N]`; other traps are the
    IR's.
    """

    module: Module
    entry: str
    takes: tuple[PythonKind, ...]
    gives: PythonKind
    raised: list[Raised]
    guards: list[Guard]
    # the functions with code in the module, for tracebacks
    codes: list[CodeType]
    # by position, as text: the message for an index that is out of bounds there
    indexed: dict[str, str]

    def has_read(self, arguments: tuple) -> bool:
        """Whether a list taken with these arguments, be it in a tuple, is one whose items were read."""
        read = {id(guard.where) for guard in self.guards if isinstance(guard.where, list)}
        return bool(read) and any(map(partial(_names, read), arguments, self.takes))


def _names(lists: set[int], value, kind: PythonKind) -> bool:
    if isinstance(kind, Tuple):
        return any(map(partial(_names, lists), value, kind.items))
    return isinstance(kind, List) and id(value) in lists
