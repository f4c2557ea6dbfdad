"""Values of different kinds on different paths: an integer or nil, for example.

interface.held says how IR represents them: by a truth value for each kind but the first, which says whether
the value is of that kind, and by the value of each kind. For a kind that the value does not have, this is 0,
nil or an empty array, which is never read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from ...ir.form import BOOL, INT, Array, Bool, Int, Type, Value
from ...ir.interface import NULL, Kind, Null, Union, members
from ..ssa import Builder, Tagged
from .known import Known, KnownKind, Layout, NamedKind

LispValue = Value | Tagged | Known


class LispValues(list):
    """All values of a form. If their number is known only at run time, it is `many`; the rest are nil."""

    def __init__(self, values: Iterable[LispValue], many: Value | None = None):
        super().__init__(values)
        self.many = many


def count_of(values: list[LispValue]) -> Value | None:
    return values.many if isinstance(values, LispValues) else None


def kind_of(b: Builder, value: LispValue) -> Kind | KnownKind:
    """The value's kind; integers of any range are one kind."""
    if isinstance(value, Known):
        return value.type
    if value in b.nils:
        return NULL
    return plain(value.type)


def plain(kind: Kind) -> Kind:
    """The kind, with integers of any size instead of a range."""
    if isinstance(kind, Union):
        return Union(tuple(plain(member) for member in kind.members))
    return INT if isinstance(kind, Int) else kind


def united(kinds: Iterable[Kind]) -> Kind:
    """The least kind that contains all of these, which are plain."""
    found = dict.fromkeys(member for kind in kinds for member in members(kind))
    if BOOL in found:
        found.pop(NULL, None)
    order = (Null, Bool, Int, Array)
    sorted_ = sorted(found, key=lambda each: next(at for at, k in enumerate(order) if isinstance(each, k)))
    return sorted_[0] if len(sorted_) == 1 else Union(tuple(sorted_))


def split(value: LispValue, kind: Kind) -> list[Value]:
    """The IR values that represent the value as one of this kind."""
    if isinstance(value, Tagged):
        return [*value.flags, *(part for part in value.parts if part is not None)]
    return [] if isinstance(kind, Null) else [value]


def rebuilt(b: Builder, kind: Kind, words: Iterator[Value]) -> LispValue:
    """The value that these IR values represent."""
    if isinstance(kind, Null):
        return b.nil()
    if not isinstance(kind, Union):
        return next(words)
    flags = [next(words) for _ in kind.members[1:]]
    parts = [None if isinstance(member, Null) else next(words) for member in kind.members]
    return Tagged(kind, flags, parts, b.position)


def either_of(b: Builder, x: Value, y: Value) -> Value:
    """The truth value of x or y."""
    for known, other in ((x, y), (y, x)):
        if known in b.constants:
            return known if b.constants[known] else other
    return b.one("select", x, b.const(True), y, type_=BOOL)


def both_of(b: Builder, x: Value, y: Value) -> Value:
    for known, other in ((x, y), (y, x)):
        if known in b.constants:
            return other if b.constants[known] else known
    return b.one("select", x, y, b.const(False), type_=BOOL)


def flags_of(b: Builder, value: LispValue) -> list[tuple[Null | Type, Value, Value | None]]:
    """For each kind that the value may have: whether it has it, and the value as that kind."""
    if not isinstance(value, Tagged):
        return [(kind_of(b, value), b.const(True), value)]
    others = reduce(lambda x, y: either_of(b, x, y), value.flags)
    first = b.one("not", others, type_=BOOL)
    return list(zip(value.type.members, [first, *value.flags], value.parts, strict=True))


def truth(b: Builder, value: LispValue) -> Value:
    """Whether the value is true: everything but nil is."""
    kind = kind_of(b, value)
    if isinstance(value, Tagged):
        first = value.type.members[0]
        found = reduce(lambda x, y: either_of(b, x, y), value.flags)
        if isinstance(first, Null):
            return found
        return either_of(b, value.parts[0], found) if isinstance(first, Bool) else b.const(True)
    return value if isinstance(kind, Null | Bool) else b.const(True)


def is_kind(b: Builder, value: LispValue, kind: type) -> Value:
    """Whether the value is of this kind: Int, Array."""
    flags = [flag for member, flag, _ in flags_of(b, value) if isinstance(member, kind)]
    return flags[0] if flags else b.const(False)


def same(b: Builder, x: LispValue, y: LispValue) -> Value:
    """Whether the two are eql; arrays are not compared."""
    if isinstance(x, Known) or isinstance(y, Known):
        return b.const(isinstance(x, Known) and x.same(y))
    found = b.const(False)
    for one, is_one, a in flags_of(b, x):
        for other, is_other, c in flags_of(b, y):
            there = both_of(b, is_one, is_other)
            if isinstance(one, Null) and isinstance(other, Null):
                found = either_of(b, found, there)
            elif isinstance(one, Null | Bool) and isinstance(other, Null | Bool):
                # nil has no part
                p, q = (b.const(False) if part is None else part for part in (a, c))
                equal = b.one("select", p, q, b.one("not", q, type_=BOOL), type_=BOOL)
                found = either_of(b, found, both_of(b, there, equal))
            elif isinstance(one, Int) and isinstance(other, Int):
                found = either_of(b, found, both_of(b, there, b.one("eq", a, c, type_=BOOL)))
    return found


def kind_name(kind: Kind) -> str:
    """The kind's name for messages."""
    match kind:
        case Union():
            return " or ".join(map(kind_name, kind.members))
        case Null():
            return "nil"
        case Array():
            return "a string" if kind.text else f"an array of {kind.element}"
        case Int():
            return "an integer"
        case Layout() | NamedKind():
            return str(kind)
    return "true or nil"
