"""The data that a Lisp program's text consists of, and that its macros work on.

Integers and fractions are Python's; strings are `str`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from ....bindings.bigint import to_decimal
from ...ir.errors import SourceError
from ...ir.form import Position


class Symbol:
    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __str__(self) -> str:
        return self.name.lower()

    __repr__ = __str__

    def __iter__(self) -> Iterator:
        """The items of nil, the empty list; other symbols are not iterable."""
        if self is not NIL:
            raise TypeError(f"{self} is not a list")
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
    """A list's cell. It has its car's position; the first cell of a list that was read, also the list's."""

    __slots__ = ("at", "car", "cdr", "position")

    def __init__(self, car, cdr, position: Position | None = None, at: Position | None = None):
        self.car = car
        self.cdr = cdr
        self.position = position
        self.at = at

    def __iter__(self) -> Iterator:
        # Brent's algorithm: a circle meets the mark again after at most its own length
        cell, turns = self, 64
        while True:
            mark = cell
            for _ in range(turns):
                yield cell.car
                cell = cell.cdr
                if cell.__class__ is not Cons:
                    if cell is not NIL:
                        raise SourceError("a list that ends in a dot is not allowed here", self.position)
                    return
                if cell is mark:
                    raise SourceError("a circular list is not allowed here", self.position)
            turns *= 2


@dataclass(frozen=True)
class Character:
    code: int


@dataclass(eq=False)
class Vector:
    """A vector; its element type is a specifier, or T if none was given.

    With `dimensions`, it is an array in row-major order.
    """

    elements: list
    element: object = T
    dimensions: tuple[int, ...] | None = None


@dataclass(frozen=True)
class ByteSpec:
    size: int
    position: int


@dataclass(eq=False)
class Macro:
    """A macro. `expand` takes the whole form, and its scope, which has the local macros."""

    name: Symbol
    expand: object = field(repr=False)


def listed(*items, end=NIL):
    """The list of these items."""
    for item in reversed(items):
        end = Cons(item, end)
    return end


def items(form) -> list:
    """The items of a list, which may be nil."""
    return list(form)


def length(form) -> int:
    return len(items(form))


NAMES = {9: "Tab", 10: "Newline", 13: "Return", 32: "Space", 0: "Nul"}
PREFIXES = {"QUOTE": "'", "FUNCTION": "#'", "QUASIQUOTE": "`", "UNQUOTE": ",", "SPLICE": ",@"}


def _double(value: float) -> str:
    """The shortest digits that read as the same double; without an exponent from 10^-3 to 10^7
    (CLHS 22.1.3.1.3)."""
    if value and not 1e-3 <= abs(value) < 1e7:
        mantissa, _, exponent = f"{Decimal(repr(value)).normalize():e}".partition("e")
    else:
        mantissa, exponent = f"{Decimal(repr(value)):f}", "0"
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}d{int(exponent)}"


class _TooLong(Exception):
    pass


class _Printer:
    """A form's text, in pieces, of at most `room` characters, so that printing a circle ends.

    It is as Lisp prints it, to be read again (`escape`) or not; or else as one would type it.
    """

    def __init__(self, room: int, escape: bool | None = None):
        self.room = room
        self.escape = escape
        self.pieces: list[str] = []

    def put(self, text: str) -> None:
        self.pieces.append(text)
        self.room -= len(text)
        if self.room < 0:
            raise _TooLong

    def write(self, form) -> None:
        if not isinstance(form, Cons):
            self.atom(form)
        elif (
            isinstance(form.car, Symbol)
            and form.car.name in PREFIXES
            and isinstance(form.cdr, Cons)
            and form.cdr.cdr is NIL
        ):
            self.put(PREFIXES[form.car.name])
            self.write(form.cdr.car)
        else:
            self.put("(")
            self.write(form.car)
            while isinstance(form := form.cdr, Cons):
                self.put(" ")
                self.write(form.car)
            if form is not NIL:
                self.put(" . ")
                self.write(form)
            self.put(")")

    def atom(self, form) -> None:
        if self.escape is False and isinstance(form, (str, Character)):
            self.put(form if isinstance(form, str) else chr(form.code))
        elif isinstance(form, str):
            self.put('"' + form.replace("\\", "\\\\").replace('"', '\\"') + '"')
        elif isinstance(form, Character):
            self.put("#\\" + NAMES.get(form.code, chr(form.code)))
        elif isinstance(form, Vector):
            self.put("#(")
            for at, each in enumerate(form.elements):
                self.put(" " * (at > 0))
                self.write(each)
            self.put(")")
        elif isinstance(form, ByteSpec):
            self.put(f"(byte {form.size} {form.position})")
        elif isinstance(form, Symbol):
            self.put(str(form) if self.escape is None else form.name.removeprefix("" if self.escape else ":"))
        elif isinstance(form, int):
            self.put(self.digits(form))
        elif isinstance(form, Fraction):
            self.put(f"{self.digits(form.numerator)}/{self.digits(form.denominator)}")
        elif isinstance(form, float):
            self.put(_double(form))
        else:
            self.put("#<function>")

    def digits(self, value: int) -> str:
        if value.bit_length() > 4 * self.room:
            raise _TooLong
        return to_decimal(value)


# The most characters of a printed form.
WRITTEN_MAX = 1 << 16


def written(form, room: int = WRITTEN_MAX, escape: bool | None = None) -> str:
    """The form as text; SourceError if that is longer than `room`, as for a circle."""
    writer = _Printer(room, escape)
    try:
        writer.write(form)
    except _TooLong:
        raise SourceError(f"this is circular, or takes more than {room:,} characters to write") from None
    return "".join(writer.pieces)


def brief(form) -> str:
    """The form for a message: not too long."""
    writer = _Printer(60)
    try:
        writer.write(form)
    except _TooLong:
        return "".join(writer.pieces)[:57] + "..."
    return "".join(writer.pieces)
