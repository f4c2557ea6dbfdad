"""What the walker computes with.

Integers are Python's. A symbol is a Python string, its name; a keyword's begins with a colon. Lisp's strings
are arrays of characters.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

T, NIL = "T", "NIL"


class Trap(Exception):
    """The program did what it must not: an error in Lisp."""


class Values(tuple):
    """Any number of values, where a form has not just one."""

    __slots__ = ()


def entering(table: dict):
    """What enters a function in the table, by all of its names."""

    def names(*names: str):
        def enter(function):
            table.update(dict.fromkeys(names, function))
            return function

        return enter

    return names


def one(value):
    """The primary value."""
    return (value[0] if value else NIL) if isinstance(value, Values) else value


def truth(held: bool) -> str:
    return T if held else NIL


class Cons:
    __slots__ = ("car", "cdr", "known")

    def __init__(self, car, cdr):
        self.car, self.cdr = car, cdr
        self.known = None  # what the walker found out about it as a form


@dataclass(frozen=True)
class Character:
    code: int


@dataclass(frozen=True)
class Byte:
    size: int
    position: int


@dataclass(eq=False)
class Array:
    """`element` is what its elements' type comes to (lisp_walker_types), `holds` tells what may be one."""

    dims: list[int]
    element: object
    holds: object
    data: object  # a list, or what is indexed like one


@dataclass(eq=False)
class Structure:
    type: str
    slots: dict  # cells, by the slots' names


@dataclass(eq=False)
class Table:
    """A hash table, whose keys are told apart by eql, as Python tells all but large objects' contents."""

    held: dict = field(default_factory=dict)


def eql(a, b) -> bool:
    return type(a) is type(b) and a == b


def items(form) -> list:
    """A proper list's elements."""
    found = []
    while isinstance(form, Cons):
        found.append(form.car)
        form = form.cdr
    if form != NIL:
        raise Trap("not a proper list")
    return found


def conses(form) -> Iterator[Cons]:
    while isinstance(form, Cons):
        yield form
        form = form.cdr
    if form != NIL:
        raise Trap("not a proper list")


def listed(elements, tail=NIL):
    for each in reversed(list(elements)):
        tail = Cons(each, tail)
    return tail


def string(text: str) -> Array:
    letters = [Character(ord(letter)) for letter in text]
    return Array([len(letters)], "CHARACTER", lambda x: isinstance(x, Character), letters)


def text_of(value) -> str:
    """A string, a symbol's name, or a character, as Python's."""
    if isinstance(value, str):
        return value.removeprefix(":")
    letters = [value] if isinstance(value, Character) else value.data[: value.dims[0]]
    return "".join(chr(each.code) for each in letters)
