"""The values of expressions while a function is lowered.

An int and a bool are the IR's values. All other values are made of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ...ir.form import INT, Bool, Int, Value
from ...ir.interface import NULL, Null, Union, members
from ..ssa import Tagged
from .kinds import Buffer, Exactly, FunctionKind, Grown, List, PythonKind, RangeKind, Tuple, Unbound
from .scopes import NameScope

LISTS = ("list", "tuple")


@dataclass(frozen=True)
class Nothing:
    """None, or the absence of a value."""

    kind: Null | Unbound


NONE = Nothing(NULL)
UNBOUND = Nothing(Unbound())


@dataclass(eq=False)
class Whole:
    """For a slice: the test whether it is not cut short, and its first index and length if so."""

    test: Value
    first: Value
    count: Value


@dataclass(eq=False)
class Items:
    """Items in memory: `length` items of an array, from `offset` on; all of it if these are None.

    `maker` is list, tuple, or a Buffer's maker; `contents` are the items, if they are known at compile time.
    `site` is where in the source the object was made, if it is certainly that object; `sites` are all places
    where it may have been made. `size` is the number of items of the whole array, if known; `width` is that
    of a slice that was not cut short, which `whole` tests.
    """

    maker: str
    array: Value
    offset: Value | None = None
    length: Value | None = None
    readonly: bool = False
    contents: tuple[int, ...] | None = None
    site: ast.AST | None = None
    sites: frozenset[ast.AST] = frozenset()
    size: Value | None = None
    width: int | None = None
    whole: Whole | None = None

    @property
    def element(self) -> Int:
        return self.array.type.element

    @property
    def view(self) -> bool:
        return self.length is not None


@dataclass(eq=False)
class Growing:
    """A list or bytearray whose length changes; the environment has its current Items.

    Or a name's bytes to which the program appends in a loop (concat.py).
    """

    maker: str
    element: Int
    site: ast.AST | None = None  # where it was made, if that is known


@dataclass(eq=False)
class TupleOf:
    items: list[PythonValue]
    maker: str = "tuple"  # or "list": a list of tables, which is only read


@dataclass(eq=False)
class Constant:
    """A function, a type, a module, or a text: an object from outside the function."""

    value: object


@dataclass(eq=False)
class NestedFunction:
    """An inner function, its parameters' defaults, the scope that it is defined in, and the values of the
    names that it brings from scopes that have ended: nothing assigns to those any more.
    """

    node: ast.FunctionDef | ast.Lambda
    spare: dict[str, PythonValue]
    scope: NameScope
    brought: dict[str, PythonValue]


@dataclass(eq=False)
class RangeValue:
    start: Value
    stop: Value
    step: Value
    known: int | None  # its step


@dataclass(eq=False)
class Wrapped:
    """enumerate, zip or reversed of iterables; or a generator expression, with the names that it sees."""

    what: str
    of: list
    start: Value | None = None


PythonValue = (
    Value | Nothing | Items | Growing | TupleOf | Tagged | Constant | NestedFunction | RangeValue | Wrapped
)


def kind_of(value: PythonValue) -> PythonKind:
    match value:
        case Value():
            return INT if isinstance(value.type, Int) else value.type
        case Nothing():
            return value.kind
        case Items(maker=maker):
            if maker in LISTS:
                # of a tuple it goes without saying
                return List(value.element, maker, value.view, value.readonly and maker == "list")
            return Buffer(maker, value.element, value.readonly, value.view)
        case Growing():
            return Grown(value.maker, value.element)
        case TupleOf(items, maker):
            return Tuple(tuple(map(kind_of, items)), maker)
        case RangeValue():
            return RangeKind(value.known)
        case NestedFunction(node, spare, scope, brought):
            where = scope.number if scope.outer or scope.names else scope.function
            return FunctionKind(node, where, _kinds(spare), _kinds(brought))
        case Tagged():
            return value.type
        case Constant():
            return Exactly(value.value)
    # iterators are only equal to themselves
    return Exactly(value)


def _kinds(values: dict[str, PythonValue]) -> tuple[tuple[str, PythonKind], ...]:
    return tuple((name, kind_of(value)) for name, value in values.items())


def united(kinds: Iterator[PythonKind]) -> PythonKind | None:
    """The least kind that contains values of all of these; None if there is none."""
    found: list[PythonKind] = []
    for kind in kinds:
        for member in members(kind):
            for at, other in enumerate(found):
                met = _met(member, other)
                if met is not None:
                    found[at] = met
                    break
            else:
                found.append(member)
    # at most one kind in memory: two would have to be distinguished at each use
    if sum(isinstance(each, Buffer | List | Grown) for each in found) > 2:
        return None
    found.sort(key=_rank)
    return found[0] if len(found) == 1 else Union(tuple(found))


def _rank(kind: PythonKind) -> tuple[int, str]:
    order = (Unbound, Null, Bool, Int, Exactly, Buffer, List, Grown, Tuple, RangeKind, FunctionKind)
    return order.index(type(kind)), str(kind)


def _met(a: PythonKind, b: PythonKind) -> PythonKind | None:
    if a == b:
        return a
    match a, b:
        case Int(), Int():
            return INT
        case Tuple(items), Tuple(others) if len(items) == len(others) and a.maker == b.maker:
            met = [united(iter(pair)) for pair in zip(items, others, strict=True)]
            return None if None in met else Tuple(tuple(met), a.maker)
        case RangeKind(), RangeKind():
            return RangeKind(None)
        case FunctionKind(), FunctionKind() if (a.node, a.scope) == (b.node, b.scope):
            spare, brought = _all_met(a.spare, b.spare), _all_met(a.brought, b.brought)
            return None if spare is None or brought is None else FunctionKind(a.node, a.scope, spare, brought)
        case (Grown(maker, element), other) | (other, Grown(maker, element)) if (
            isinstance(other, Buffer | List | Grown) and other.maker == maker and other.element == element
        ):
            return Grown(maker, element)
        case List(), List() if a.maker == b.maker and a.element == b.element:
            return List(a.element, a.maker, a.view or b.view, a.readonly or b.readonly)
        case Buffer(), Buffer() if (a.maker, a.element) == (b.maker, b.element):
            return Buffer(a.maker, a.element, a.readonly or b.readonly, a.view or b.view)
    return None


def _all_met(a: tuple, b: tuple) -> tuple | None:
    """Kinds by name that contain those of both, which have the same names; else None."""
    if [name for name, _ in a] != [name for name, _ in b]:
        return None
    met = [(name, united(iter((one, dict(b)[name])))) for name, one in a]
    return None if any(kind is None for _, kind in met) else tuple(met)


def same(a: PythonValue, b: PythonValue) -> bool:
    """Whether two values are known to be the same."""
    if a is b:
        return True
    match a, b:
        case Constant(x), Constant(y):
            return x is y
        case TupleOf(xs, x), TupleOf(ys, y):
            return x == y and len(xs) == len(ys) and all(map(same, xs, ys))
        case Items(), Items():
            return a.maker == b.maker and (a.array, a.offset, a.length) == (b.array, b.offset, b.length)
    return False
