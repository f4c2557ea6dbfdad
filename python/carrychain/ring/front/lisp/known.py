"""Values known at compile time: structures, functions, symbols, lists of arguments, grids.

Compiled code works on integers, truth values and arrays of integers. A structure is none of these, but the
compiler can follow which structure a form yields. Then its slots are ordinary variables, and a function to
which it is passed is lowered again at the call, with the structure itself. The same holds for functions that
are passed, and for lists of &rest arguments. Such a value must be the same on all paths; otherwise the
program is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...ir.errors import SourceError
from ...ir.form import Value
from ..ssa import Builder, Variable
from .data import Symbol


class InlineOnly(SourceError):
    """The function `of` takes or returns values that are known only at its calls: it is compiled there."""

    def __init__(self, message: str, position, of):
        super().__init__(message, position)
        self.of = of


@dataclass(eq=False)
class Slot:
    """A slot of a structure. `form` is its default value, or None."""

    name: Symbol
    form: object
    type: object
    read_only: bool = False


@dataclass(eq=False)
class Layout:
    """The layout of a defstruct; as a kind, its structures, and those of types that include it."""

    name: Symbol
    slots: list[Slot]
    parent: Layout | None = None
    scope: object = None

    def within(self, other: Layout) -> bool:
        """Whether its structures also belong to the other layout."""
        each: Layout | None = self
        while each is not None:
            if each is other:
                return True
            each = each.parent
        return False

    def slot(self, name: Symbol) -> Slot | None:
        return next((each for each in self.slots if each.name is name), None)

    def __str__(self) -> str:
        return f"a structure of type {self.name}"


@dataclass(frozen=True)
class NamedKind:
    """A kind that has nothing but a name."""

    text: str

    def __str__(self) -> str:
        return self.text


FUNCTION = NamedKind("a function")
LIST = NamedKind("a list")
NAME = NamedKind("a symbol")
GRID = NamedKind("an array of several dimensions")

KnownKind = Layout | NamedKind


class Known:
    """A value known at compile time, which is not represented in IR."""

    type: KnownKind

    def same(self, other) -> bool:
        """Whether the two are known to be eql."""
        return self is other


@dataclass(eq=False)
class Structure(Known):
    """A structure, whose slots are variables; a slot with a known value cannot be assigned another one."""

    type: Layout
    slots: dict[Symbol, object] = field(default_factory=dict)


@dataclass(eq=False)
class FunctionValue(Known):
    """A function's name, or a lambda expression with its scope."""

    head: object
    scope: object
    type = FUNCTION

    def same(self, other) -> bool:
        """A name is the same function as far as it is the same definition."""
        if not isinstance(other, FunctionValue) or not isinstance(self.head, Symbol):
            return self is other
        meant = self.scope.functions.get(self.head) is other.scope.functions.get(other.head)
        return self.head is other.head and meant


@dataclass(eq=False)
class GridVariable:
    """A variable that holds grids of these dimensions."""

    variable: Variable
    dimensions: list[int]


@dataclass(eq=False)
class Choice(Known):
    """One of the functions (or choices) of several paths; an integer says which."""

    index: Value | None
    ways: list[FunctionValue | Choice]
    type = FUNCTION

    @property
    def functions(self) -> list[FunctionValue]:
        return [
            each for way in self.ways for each in ([way] if isinstance(way, FunctionValue) else way.functions)
        ]

    def chosen(self, b: Builder, way: int) -> Value:
        """The integer's value on one of the paths."""
        before = sum(len(each.functions) if isinstance(each, Choice) else 1 for each in self.ways[:way])
        inner = self.ways[way]
        return b.one("add", inner.index, b.const(before)) if isinstance(inner, Choice) else b.const(before)


@dataclass(eq=False)
class Name(Known):
    """A symbol."""

    symbol: Symbol
    type = NAME

    def same(self, other) -> bool:
        return isinstance(other, Name) and self.symbol is other.symbol


@dataclass(eq=False)
class ListValue(Known):
    """A list of values: never empty."""

    values: list
    type = LIST


@dataclass(eq=False)
class Grid(Known):
    """An array that does not have one dimension: its elements, in row-major order."""

    vector: Value
    dimensions: list[int]
    type = GRID

    def same(self, other) -> bool:
        return self is other or (isinstance(other, Grid) and self.vector is other.vector)
