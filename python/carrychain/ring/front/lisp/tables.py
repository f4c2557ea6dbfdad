"""Hash tables at compile time."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from fractions import Fraction

from .data import NIL, Character, Cons, T, Vector, symbol
from .library import FUNCTIONS, BadArguments, MultipleValues, define, keywords, of, plain, truth
from .limits import CELL
from .lists import call

TESTS = ("EQ", "EQL", "EQUAL", "EQUALP")


@dataclass(eq=False)
class Table:
    """A hash table: keys and values in order of insertion, by a hash that equal keys share."""

    test: str
    entries: dict[tuple, tuple] = field(default_factory=dict)


def _common(self, key, test: str) -> tuple:
    self.work(1)
    match key:
        case int() | Fraction():
            return "number", key
        case float():
            return ("number", key) if test == "EQUALP" else ("double", struct.pack("d", key))
        case Character():
            return "character", chr(key.code).lower() if test == "EQUALP" else key.code
        case str() if test in ("EQUAL", "EQUALP"):
            self.cells(len(key))
            return "string", key.lower() if test == "EQUALP" else key
        case Vector() if test == "EQUALP":
            return "vector", *(_common(self, each, test) for each in key.elements)
        case Cons() if test in ("EQUAL", "EQUALP"):
            parts = []
            while isinstance(key, Cons):
                parts.append(_common(self, key.car, test))
                key = key.cdr
            return "list", *parts, _common(self, key, test)
    return "itself", id(key)


def _place(self, key, table) -> tuple:
    return _common(self, key, of(Table, table).test)


@define("MAKE-HASH-TABLE")
def _make(self, *rest):
    options = keywords(rest, (":TEST", ":SIZE", ":REHASH-SIZE", ":REHASH-THRESHOLD"))
    test = options.get(":TEST", symbol("EQL"))
    self.room(4 * CELL)
    for name in TESTS:
        if test in (symbol(name), FUNCTIONS[symbol(name)]):
            return Table(name)
    raise BadArguments


@define("GETHASH")
def _get(self, key, table, default=NIL):
    found = table.entries.get(_place(self, key, table))
    return MultipleValues([default, NIL] if found is None else [found[1], T])


@define("(SETF GETHASH)")
def _put(self, key, table, *rest):
    """Stores the value, which is the last argument; a default before it is ignored."""
    *_, value = rest
    self.room(2 * CELL)
    table.entries[_place(self, key, table)] = (key, value)
    return value


@define("REMHASH")
def _remove(self, key, table):
    return truth(table.entries.pop(_place(self, key, table), None) is not None)


@define("CLRHASH")
def _clear(self, table):
    table.entries.clear()
    return table


plain("HASH-TABLE-COUNT", lambda table: len(table.entries))
plain("HASH-TABLE-P", lambda x: truth(isinstance(x, Table)))


@define("MAPHASH")
def _map(self, function, table):
    for key, value in list(table.entries.values()):
        call(self, function, key, value)
    return NIL
