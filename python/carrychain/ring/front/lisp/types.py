"""Type specifiers: (unsigned-byte 32), (simple-array (unsigned-byte 8) (*)) and so on, as IR types."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.errors import SourceError
from ...ir.form import BOOL, INT, Array, Bool, Int, Position, signed, unsigned
from ...ir.interface import NULL, Kind, Null, Union, members
from ..ssa import within
from .data import NIL, Cons, Symbol, T, brief, items, symbol
from .expand import Scope
from .known import FUNCTION, GRID, LIST, KnownKind
from .values import united

# The numbers of code points, and of elements of the longest array.
CHARACTER = Int(0, 0x10FFFF)
TEXT = Array(CHARACTER, text=True)
# SBCL's fixnums on 64-bit machines: a tag bit, and 63 bits of integer
FIXNUM = signed(63)
# SBCL's bound for the elements of an array
LENGTH_LIMIT = (1 << 62) - 3

# An element type is stored as the least of these that contains it.
STORED = [unsigned(1), *(each(bits) for bits in (8, 16, 32, 64) for each in (unsigned, signed))]

INTEGERS = {
    "BIT": unsigned(1),
    "FIXNUM": FIXNUM,
    "INTEGER": INT,
    "UNSIGNED-BYTE": Int(0, None),
    "SIGNED-BYTE": INT,
    "CHARACTER": CHARACTER,
    "BASE-CHAR": Int(0, 127),
    "STANDARD-CHAR": Int(0, 127),
    "INDEX": Int(0, FIXNUM.high - 1),
    "ARRAY-INDEX": Int(0, FIXNUM.high - 1),
    "BIGNUM": INT,
}
ARRAYS = {
    "SIMPLE-VECTOR": Array(INT),
    "SIMPLE-STRING": TEXT,
    "STRING": TEXT,
    "SIMPLE-BASE-STRING": TEXT,
    "BASE-STRING": TEXT,
    "SIMPLE-BIT-VECTOR": Array(unsigned(1)),
    "BIT-VECTOR": Array(unsigned(1)),
}
KNOWN = {"FUNCTION": FUNCTION, "COMPILED-FUNCTION": FUNCTION, "LIST": LIST, "CONS": LIST}
NOTHING_SAID = {"T", "NUMBER", "REAL", "RATIONAL", "ATOM"}


@dataclass(frozen=True)
class Declared:
    """A declared type, or None; and an array's length.

    `any`: an array with elements of any one type; if that is unknown, integers of any size.
    """

    type: Kind | KnownKind | None
    length: int | None = None
    any: bool = False


def stored(element: Int) -> Int:
    """The element type that an array with such elements has, one of a few."""
    return next((wider for wider in STORED if within(element, wider)), INT)


def hull(integers: list[Int]) -> Int:
    """The smallest range around the integers: for a type with gaps, it is what is declared and checked."""
    lows, highs = [each.low for each in integers], [each.high for each in integers]
    return Int(None if None in lows else min(lows), None if None in highs else max(highs))


class Types:
    def __init__(self, scope: Scope, position: Position | None):
        self.scope = scope
        self.position = position

    def error(self, form, what: str = "unknown type") -> SourceError:
        return SourceError(f"{brief(form)}: {what}", getattr(form, "position", None) or self.position)

    def number(self, form, default: int | None = None) -> int | None:
        if form is symbol("*"):
            return default
        if isinstance(form, int):
            return form
        value = self.scope.world.constant(form, self.scope, self.position)
        if not isinstance(value, int):
            raise self.error(form, "an integer is needed here")
        return value

    def parse(self, form) -> Declared:
        try:
            return self.declared(form)
        except (ValueError, TypeError, AttributeError, IndexError) as error:
            raise self.error(form, "malformed type") from error

    def declared(self, form) -> Declared:
        world = self.scope.world
        for _ in range(100):
            head = form.car if isinstance(form, Cons) else form
            if not isinstance(head, Symbol):
                raise self.error(form)
            if head not in world.types:
                break
            form = world.evaluator.expand_type(form)
        else:
            raise self.error(form, "this type is defined in terms of itself")
        arguments = items(form.cdr) if isinstance(form, Cons) else []
        name = head.name
        if name in NOTHING_SAID:
            return Declared(None)
        if head in world.layouts:
            return Declared(world.layouts[head])
        if name in KNOWN:
            return Declared(KNOWN[name])
        if name in ("BOOLEAN", "NULL"):
            return Declared(BOOL)
        if name in ("SIMPLE-ARRAY", "ARRAY", "VECTOR", "SIMPLE-VECTOR") or name in ARRAYS:
            return self.array(form, name, arguments)
        return Declared(self.integer(form, name, arguments))

    def array(self, form, name: str, arguments: list) -> Declared:
        star = symbol("*")
        if name in ARRAYS:
            shape = arguments[0] if arguments else star
            return Declared(ARRAYS[name], self.number(shape))
        element = arguments[0] if arguments else star
        shape = arguments[1] if len(arguments) > 1 else star
        if isinstance(shape, Cons):
            if len(items(shape)) != 1:
                return Declared(GRID)
            shape = shape.car
        elif name != "VECTOR" and shape is not star:
            if shape != 1:
                return Declared(GRID)
            shape = star
        if element in (star, T):
            return Declared(Array(INT), self.number(shape), element is star)
        return Declared(self.element(element), self.number(shape))

    def element(self, form) -> Array:
        """The array type for elements of a type."""
        if form is T:
            return Array(INT)
        inner = self.parse(form).type
        if not isinstance(inner, Int):
            raise self.error(form, "arrays hold integers and characters only")
        text = isinstance(form, Symbol) and form.name in ("CHARACTER", "BASE-CHAR", "STANDARD-CHAR")
        return TEXT if text else Array(stored(inner))

    def integer(self, form, name: str, arguments: list) -> Kind | None:
        if name in INTEGERS and not arguments:
            return INTEGERS[name]
        match name:
            case "UNSIGNED-BYTE" | "SIGNED-BYTE":
                bits = self.number(arguments[0])
                if bits is None:
                    return INTEGERS[name]
                if bits < 1:
                    raise self.error(form, "a byte must have at least one bit")
                return unsigned(bits) if name == "UNSIGNED-BYTE" else signed(bits)
            case "MOD" if arguments:
                return Int(0, self.number(arguments[0]) - 1)
            case "INTEGER":
                bounds = []
                for bound, inwards in zip([*arguments, symbol("*")][:2], (1, -1), strict=False):
                    exclusive = isinstance(bound, Cons)
                    value = self.number(bound.car if exclusive else bound)
                    bounds.append(value + inwards if exclusive and value is not None else value)
                return Int(*bounds)
            case "EQL" if arguments and isinstance(arguments[0], int):
                return Int(arguments[0], arguments[0])
            case "MEMBER" | "OR" | "AND" if arguments:
                return self.combined(form, name, arguments)
        raise self.error(form)

    def combined(self, form, name: str, arguments: list) -> Kind | None:
        if name == "MEMBER":
            if all(each in (T, NIL) for each in arguments):
                return BOOL
            if not all(isinstance(each, int) for each in arguments):
                raise self.error(form)
            return hull([Int(each, each) for each in arguments])
        given = [NULL if each is symbol("NULL") else self.parse(each).type for each in arguments]
        if name == "AND":
            given = [each for each in given if each is not None]
        elif None in given:
            return None
        integers = [each for each in given if isinstance(each, Int)]
        others = united([each for each in given if not isinstance(each, Int)]) if integers != given else None
        if name == "AND":
            if others in (BOOL, NULL) and not integers:
                return BOOL
            if not integers or others is not None:
                raise self.error(form)
            lows = [each.low for each in integers if each.low is not None]
            highs = [each.high for each in integers if each.high is not None]
            return Int(max(lows, default=None), min(highs, default=None))
        found = list(members(others)) if others is not None else []
        if sum(isinstance(each, Array) for each in found) > 1:
            raise self.error(form)
        if integers:
            found.insert(isinstance(found[0], Null | Bool) if found else 0, hull(integers))
        if len(found) > 1:
            return Union(tuple(found))
        return BOOL if found == [NULL] else found[0]
