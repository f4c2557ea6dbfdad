"""What a Lisp program's text is made of, and what its macros work on.

Integers and fractions are Python's, strings are `str`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import SourceError
from ..ir import Position


class Symbol:
    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __str__(self) -> str:
        return self.name.lower()

    __repr__ = __str__

    def __iter__(self) -> Iterator:
        """The empty list's items; no other symbol has any."""
        if self is not NIL:
            raise TypeError(f"{self} is no list")
        return iter(())


_symbols: dict[str, Symbol] = {}


def symbol(name: str) -> Symbol:
    """The one symbol of this name, which is in upper case; a keyword's begins with a colon."""
    found = _symbols.get(name)
    if found is None:
        found = _symbols[name] = Symbol(name)
    return found


NIL = symbol("NIL")
T = symbol("T")


class Cons:
    """A list's cell. The first of a list that was read knows where the list begins; each, its car."""

    __slots__ = ("at", "car", "cdr", "position")

    def __init__(self, car, cdr, position: Position | None = None, at: Position | None = None):
        self.car = car
        self.cdr = cdr
        self.position = position
        self.at = at

    def __iter__(self) -> Iterator:
        cell = self
        while isinstance(cell, Cons):
            yield cell.car
            cell = cell.cdr
        if cell is not NIL:
            raise SourceError("a list that ends in a dot has no place here", self.position)


@dataclass(frozen=True)
class Character:
    code: int


@dataclass(eq=False)
class Vector:
    """A vector; its element type is a specifier, T if nothing was said of it."""

    elements: list
    element: object = T


@dataclass(frozen=True)
class ByteSpec:
    size: int
    position: int


@dataclass(eq=False)
class Macro:
    """Rewrites a form. `expand` takes the whole form and, for local macros' sake, its scope."""

    name: Symbol
    expand: object = field(repr=False)


def listed(*items, end=NIL):
    """The list of these items."""
    for item in reversed(items):
        end = Cons(item, end)
    return end


def items(form) -> list:
    """The items of a list, which nil is too."""
    return list(form)


def length(form) -> int:
    return len(items(form))


NAMES = {9: "Tab", 10: "Newline", 13: "Return", 32: "Space", 0: "Nul"}
PREFIXES = {"QUOTE": "'", "FUNCTION": "#'", "QUASIQUOTE": "`", "UNQUOTE": ",", "SPLICE": ",@"}


def written(form) -> str:
    """The form as one would write it."""
    if isinstance(form, Cons):
        if isinstance(form.car, Symbol) and form.car.name in PREFIXES and isinstance(form.cdr, Cons):
            return PREFIXES[form.car.name] + written(form.cdr.car)
        parts, cell = [], form
        while isinstance(cell, Cons):
            parts.append(written(cell.car))
            cell = cell.cdr
        if cell is not NIL:
            parts += [".", written(cell)]
        return f"({' '.join(parts)})"
    if isinstance(form, str):
        return '"' + form.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(form, Character):
        return "#\\" + NAMES.get(form.code, chr(form.code))
    if isinstance(form, Vector):
        return f"#({' '.join(map(written, form.elements))})"
    if isinstance(form, ByteSpec):
        return f"(byte {form.size} {form.position})"
    return str(form)


def brief(form) -> str:
    """The form for a message: not too long."""
    text = written(form)
    return text if len(text) <= 60 else text[:57] + "..."
