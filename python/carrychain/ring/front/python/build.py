"""The tools for lowering a function's tree: blocks, the names' values, splits and joins of paths, checks.

An environment maps a name to its value, and a Growing to its current Items. At a join, values that differ
become block parameters, of the smallest kind that holds them. At the head of a loop, and at a recursive call,
kinds are not known yet: they are assumed to be those of the first path. If more kinds are found, the function
is lowered again (Retry), until no more are found.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FunctionType
from typing import NamedTuple

from ...ir.errors import SourceError
from ...ir.form import (
    BOOL,
    INT,
    Array,
    Block,
    Bool,
    Instruction,
    Int,
    Position,
    Return,
    TrapTerminator,
    Type,
    Value,
)
from ...ir.interface import NULL, Union, members
from ..handlers import entering
from ..ssa import Builder, Tagged, Unreachable, printable
from .kinds import (
    TRUTH,
    Buffer,
    Exactly,
    FunctionKind,
    Grown,
    List,
    PythonKind,
    RangeKind,
    Tuple,
    Unbound,
    held,
)
from .scopes import NameScope
from .source import makes_empty
from .values import (
    LISTS,
    NONE,
    UNBOUND,
    Constant,
    Growing,
    Items,
    NestedFunction,
    Nothing,
    PythonValue,
    RangeValue,
    TupleOf,
    Wrapped,
    kind_of,
    same,
    united,
)

# What CPython says of a name that has no value.
LOCAL = "cannot access local variable '{}' where it is not associated with a value"
FREE = "cannot access free variable '{}' where it is not associated with a value in enclosing scope"
# Kinds that show the memory of another object.
SHOWING = ("memoryview", "ndarray")
# The spare room, in items, with which a growing list begins.
SPARE = 64


class Exit(NamedTuple):
    """The end of a path: its block, the names' values, and perhaps a value."""

    block: Block
    env: dict
    value: PythonValue | None = None


@dataclass(eq=False)
class LoopContext:
    node: ast.AST
    header: Block
    keys: dict[object, PythonKind]  # the kinds of the header's parameters, in order
    before: dict[object, PythonValue] = field(default_factory=dict)  # their first values
    breaks: list[Exit] = field(default_factory=list)
    continues: list[Exit] = field(default_factory=list)


MIXED = "a value has too many types on the paths that join here: give each type a name of its own"

# How each kind of expression and statement is lowered; other modules enter their functions.
EXPRESSIONS: dict[type[ast.expr], Callable[[PythonBuilder, ast.expr], PythonValue]] = {}


STATEMENTS: dict[type[ast.stmt], Callable[[PythonBuilder, ast.stmt], None]] = {}


lowers = entering(EXPRESSIONS)
states = entering(STATEMENTS)


class At:
    """A context, entered for each node: it is quicker than a generator."""

    __slots__ = ("builder", "node", "position")

    def __init__(self, builder: PythonBuilder, node: ast.AST):
        self.builder, self.node, self.position = builder, node, None

    def __enter__(self) -> None:
        self._exchange(self.builder.source.position(self.node, self.builder.callers))

    def __exit__(self, *error: object) -> None:
        self._exchange(self.position)

    def _exchange(self, position: Position) -> None:
        f = self.builder
        self.node, f.node = f.node, self.node
        self.position, f.b.position = f.b.position, position


class PythonBuilder:
    """Lowers one function, for arguments of certain kinds."""

    def __init__(self, unit, program):
        self.unit = unit
        self.program = program
        self.source = unit.source
        self.node: ast.AST = self.source.tree
        self.b = Builder(unit.name, self.source.position(self.node))
        self.callers: tuple[Position, ...] = ()
        self.env: dict[object, PythonValue] = {}
        self.loops: list[LoopContext] = []
        self.accumulators: set[str] = set()
        self.open: list[ast.AST] = []
        self.empty: dict[Int, Value] = {}
        # arrays that may be those of arguments: what they hold cannot grow
        self.lent: set[Value] = set()
        self.returns: list[Exit] | None = None
        self.scope = NameScope(unit.function, unit.names)
        self.scopes = [self.scope]

    # Where, and what is wrong

    def at(self, node: ast.AST) -> At:
        """Within this context, what is lowered has the node's position in the source."""
        return At(self, node)

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            with self.at(statement):
                handler = STATEMENTS.get(type(statement))
                if handler is None:
                    raise self.error(f"{type(statement).__name__.lower()} is not compiled")
                handler(self, statement)

    @contextmanager
    def within(self, node: ast.AST, ends: list[Exit], scope: NameScope) -> Iterator[None]:
        """Within this context, an inner function is lowered, whose returns are collected in `ends`."""
        outer, self.returns = self.returns, ends
        self.open.append(node)
        with self.scoped(scope), self.called():
            yield
        self.open.pop()
        self.returns = outer

    @contextmanager
    def called(self) -> Iterator[None]:
        """Within this context, the code has its own frame in CPython, called from here."""
        callers = self.callers
        self.callers = (self.b.position, *callers)
        try:
            yield
        finally:
            self.callers = callers

    @contextmanager
    def accumulating(self, name: str, start: PythonValue) -> Iterator[None]:
        """Within this context, every loop may assign to this name."""
        self.env[name] = start
        self.accumulators.add(name)
        yield
        self.accumulators.discard(name)
        del self.env[name]

    def new_scope(self, names: set[str], outer: NameScope, framed: bool = True) -> NameScope:
        scope = NameScope(outer.function, frozenset(names), outer, len(self.scopes), framed)
        self.scopes.append(scope)
        return scope

    @contextmanager
    def scoped(self, scope: NameScope) -> Iterator[None]:
        """Within this context, names are those of the scope."""
        outer = self.scope
        self.scope = scope
        try:
            yield
        finally:
            self.scope = outer

    def keys(self, names: set[str]) -> set[str]:
        """The keys of names of the function's own."""
        return set(map(self.scope.key, names))

    def leave(self, scope: NameScope, env: dict) -> None:
        """Removes the scope's names from an environment."""
        for name in scope.names:
            env.pop(scope.key(name), None)

    def evaluate(self, node: ast.expr) -> PythonValue:
        with self.at(node):
            handler = EXPRESSIONS.get(type(node))
            if handler is None:
                raise self.error(f"{type(node).__name__} is not compiled")
            return handler(self, node)

    def error(self, message: str, node: ast.AST | None = None) -> SourceError:
        return SourceError(message, self.source.position(node or self.node))

    def check_index(self, at: Value, length: Value, message: str) -> None:
        """Raises IndexError if there is no item at this index."""
        self.check(self.test("lt", at, self.const(0)), IndexError, message)
        self.check(self.test("ge", at, length), IndexError, message)

    def raise_(self, type_: type[BaseException], *args) -> Unreachable:
        """Ends the path with an exception; returns what the caller of this must raise."""
        number = self.program.raised(type_, args)
        self.b.block.terminator = TrapTerminator(f"raise {number}", self.b.position)
        return Unreachable()

    def type_error(self, message: str, *values: PythonValue) -> Unreachable | SourceError:
        """Ends the path with a TypeError; but a value from outside may have its own meaning to CPython."""
        for value in values:
            if isinstance(value, Constant | NestedFunction | Wrapped):
                return self.error(f"this operation on {self.describe(value)} is not compiled")
            if self.describe(value) == "ndarray":
                return self.error("a NumPy array as a whole: compiled code works on its items")
        return self.raise_(TypeError, message)

    def kept(self, value: PythonValue) -> PythonValue:
        """The value, as a name may hold it: not an iterator."""
        if isinstance(value, Wrapped):
            raise self.error("a name for an iterator: iterate over it where it is made")
        if isinstance(value, TupleOf | Tagged):
            for each in value.items if isinstance(value, TupleOf) else value.parts:
                self.kept(each)
        return value

    def check(self, wrong: Value, type_: type[BaseException], *args) -> None:
        """Raises the exception if the truth value holds."""
        known = self.b.constants.get(wrong)
        if known is False:
            return
        if known:
            raise self.raise_(type_, *args)
        bad, good = self.b.new_block("wrong"), self.b.new_block("right")
        self.b.branch(wrong, bad, good)
        self.b.start(bad)
        self.raise_(type_, *args)
        self.b.start(good)

    # The IR's values

    def const(self, value: int | bool) -> Value:
        return self.b.const(value)

    def one(self, op: str, *args: Value, attribute=None, type_: Type = INT) -> Value:
        return self.b.one(op, *args, attribute=attribute, type_=type_)

    def test(self, op: str, a: Value, b: Value) -> Value:
        return self.b.one(op, a, b, type_=BOOL)

    def not_(self, a: Value) -> Value:
        return self.b.one("not", a, type_=BOOL)

    def constant(self, value: PythonValue) -> int | bool | None:
        return self.b.constants.get(value) if isinstance(value, Value) else None

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        known = self.b.constants.get(condition)
        if known is not None:
            return a if known else b
        if self.constant(a) is True and self.constant(b) is False:
            return condition
        return a if a is b else self.b.one("select", condition, a, b, type_=a.type)

    def least(self, a: Value, b: Value) -> Value:
        return self.select(self.test("lt", b, a), b, a)

    def most(self, a: Value, b: Value) -> Value:
        return self.select(self.test("gt", b, a), b, a)

    def new(self, element: Int, count: Value) -> Value:
        """Items to be stored, so far zeros, or what else the type has next to 0."""
        type_ = Array(element)
        fill = 0 if 0 in element else (element.low if (element.low or 0) > 0 else element.high)
        return self.b.emit("new", [count, self.const(fill)], type_, [type_])[0]

    # Items

    def items(self, value: Items | Growing) -> Items:
        return self.env[value] if isinstance(value, Growing) else value

    def length(self, value: Items | Growing) -> Value:
        items = self.items(value)
        if items.length is not None:
            return items.length
        if items.contents is not None:
            return self.const(len(items.contents))
        if items.size is not None:
            return items.size
        return self.one("len", items.array)

    def place(self, items: Items, index: Value) -> Value:
        """The index of an item in its array."""
        return index if items.offset is None else self.one("add", items.offset, index)

    def over(self, items: Items, name: str, *args: Value) -> PythonValue:
        """Calls one of the prelude's functions on the items."""
        first = items.offset or self.const(0)
        return self.program.prelude(self, name, items.array, first, self.length(items), *args)

    # Kinds

    def split(self, value: PythonValue, kind: PythonKind) -> list[Value]:
        """The IR values that represent a value of this kind."""
        match kind:
            case Int():
                return [self.as_int(value)]
            case Bool():
                return [value]
            case Tuple(kinds):
                return [leaf for v, k in zip(value.items, kinds, strict=True) for leaf in self.split(v, k)]
            case Buffer() | List():
                items = self.items(value)
                if not kind.view:
                    return [items.array]
                return [items.array, items.offset or self.const(0), self.length(items)]
            case Grown():
                items = self.spare(value)
                return [items.array, self.length(items)]
            case RangeKind(step):
                return (
                    [value.start, value.stop] if step is not None else [value.start, value.stop, value.step]
                )
            case FunctionKind():
                parts = zip(
                    (*value.spare.values(), *value.brought.values()),
                    (*kind.spare, *kind.brought),
                    strict=True,
                )
                return [leaf for each, (_, inner) in parts for leaf in self.split(each, inner)]
            case Union():
                return self._split_one(value, kind)
        return []

    def _split_one(self, value: PythonValue, kind: Union) -> list[Value]:
        if isinstance(value, Tagged):
            # each of its members is, or is of, one of the kind's
            places = [self._place(member, kind) for member in value.type.members]
            flags = []
            for at in range(1, len(kind.members)):
                found = [self.is_member(value, n) for n, place in enumerate(places) if place == at]
                flag = self.const(False)
                for each in found:
                    flag = self.select(flag, flag, each)
                flags.append(flag)
            given: dict[int, PythonValue] = {}
            for n, place in enumerate(places):
                if place in given:
                    raise self.error(MIXED)
                given[place] = value.parts[n]
        else:
            place = self._place(kind_of(value), kind)
            flags = [self.const(at == place) for at in range(1, len(kind.members))]
            given = {place: value}
        leaves = [*flags]
        for at, member in enumerate(kind.members):
            leaves += self.split(given[at], member) if at in given else self._nothing(member)
        return leaves

    def _place(self, kind: PythonKind, among: Union) -> int:
        for at, member in enumerate(among.members):
            if united(iter((kind, member))) == member:
                return at
        raise AssertionError(f"{kind} in {among}")

    def _nothing(self, kind: PythonKind) -> list[Value]:
        """A placeholder for a value of another kind."""
        leaves = []
        for type_ in held(kind):
            match type_:
                case Bool():
                    leaves.append(self.const(False))
                case Array(element):
                    leaves.append(self._empty(element))
                case _:
                    leaves.append(self.const(0))
        return leaves

    def _empty(self, element: Int) -> Value:
        """An empty array, made at the function's beginning."""
        made = self.empty.get(element)
        if made is None:
            entry = self.b.function.blocks[0]
            none, fill = (Value(self.b.fresh("none"), INT) for _ in range(2))
            made = self.empty[element] = Value(self.b.fresh("empty"), Array(element))
            entry.instructions[:0] = [
                Instruction("const", [], [none], 0, self.b.position),
                Instruction("const", [], [fill], _any(element), self.b.position),
                Instruction("new", [none, fill], [made], Array(element), self.b.position),
            ]
        return made

    def rebuilt(self, kind: PythonKind, leaves: Iterator[Value]) -> PythonValue:
        """The value of this kind that these IR values represent."""
        match kind:
            case Int() | Bool():
                return next(leaves)
            case Tuple(kinds, maker):
                return TupleOf([self.rebuilt(each, leaves) for each in kinds], maker)
            case RangeKind(step):
                start, stop = next(leaves), next(leaves)
                return RangeValue(start, stop, next(leaves) if step is None else self.const(step), step)
            case FunctionKind():
                spare, brought = (
                    {name: self.rebuilt(each, leaves) for name, each in named}
                    for named in (kind.spare, kind.brought)
                )
                return NestedFunction(kind.node, spare, self._scope(kind.scope), brought)
            case Buffer() | List():
                array = next(leaves)
                where = (next(leaves), next(leaves)) if kind.view else (None, None)
                return Items(kind.maker, array, *where, kind.readonly)
            case Grown(maker, element):
                made = Growing(maker, element)
                self.env[made] = Items(maker, next(leaves), None, next(leaves))
                return made
            case Union():
                flags = [next(leaves) for _ in kind.members[1:]]
                return Tagged(kind, flags, [self.rebuilt(member, leaves) for member in kind.members])
            case Exactly(value):
                return value if not _outside(value) else Constant(value)
        return NONE if kind == NULL else UNBOUND

    def _scope(self, known: int | FunctionType) -> NameScope:
        if not isinstance(known, int):
            return NameScope(known)
        if known < len(self.scopes):
            return self.scopes[known]
        raise self.error("an inner function that may be one of several")

    def room(self, count: Value, site: ast.AST | None) -> Value:
        """The number of items to allocate, for `count` items of an object that is made at the site."""
        if site not in self.unit.grown:
            return count
        return self.one("add", count, self.most(count, self.const(SPARE)))

    def fresh(self, maker: str, array: Value, count: Value, site: ast.AST | None) -> Items | Growing:
        """A new object of `count` items; if it may grow, with room() in its array."""
        if maker in ("bytes", "tuple"):
            return Items(maker, array, readonly=True, size=count)
        if site not in self.unit.grown:
            return Items(maker, array, site=site, size=count)
        made = Growing(maker, array.type.element, site)
        self.env[made] = Items(maker, array, None, count)
        return made

    def growing(self, value: PythonValue) -> Growing:
        """The value as a Growing. If it was not made as one, its sites are recorded for another try."""
        if isinstance(value, Growing) and self.env[value].array not in self.lent:
            return value
        if isinstance(value, Items) and sites_of(value):
            self.unit.grow(sites_of(value))
        what = "an argument" if isinstance(value, Items | Growing) else self.describe(value)
        raise self.error(f"{what} that grows, or one of several lists: make a new one, for example by list()")

    def agree(self, *values: PythonValue) -> None:
        """Lists that are made empty are lists of bools where they meet such, or a tuple of bools."""
        lists = [each for each in values if isinstance(each, Items | Growing) and each.maker == "list"]
        kinds = [kind_of(item) for each in values if isinstance(each, TupleOf) for item in each.items]
        if any(each.element == TRUTH for each in lists) or (kinds and all(kind == BOOL for kind in kinds)):
            for each in lists:
                sites = sites_of(each)
                if each.element == INT and all(map(makes_empty, sites)):
                    for site in sites:
                        self.unit.hold_truths(site)

    def is_member(self, value: Tagged, at: int) -> Value:
        if at:
            return value.flags[at - 1]
        none = self.const(True)
        for flag in value.flags:
            other = self.not_(flag)
            none = self.select(none, other, none)
        return none

    def spare(self, value: PythonValue) -> Items:
        """The items of a value that no other name holds, to grow in place; bytes are copied."""
        if isinstance(value, Growing):
            if sum(_holds(each, value) for key, each in self.env.items() if isinstance(key, str)) > 1:
                raise self.error(
                    "two names hold this list, and another path gives them another one: append to a copy"
                )
            return self.env[value]
        if value.maker == "bytes":
            return self.program.with_spare(self, value)
        if value.maker == "list" or not value.readonly:
            return value
        raise self.error(f"a {value.maker} does not grow")

    def plain(self, value: PythonValue) -> PythonValue:
        """The value; if it may be a truth value or an int, as an int."""
        if isinstance(value, Tagged) and all(isinstance(each, Value) for each in value.parts):
            return self.as_int(value)
        return value

    def as_int(self, value: PythonValue) -> Value:
        """The value as an int; on paths where it is neither an int nor a bool, raises TypeError."""
        if isinstance(value, Value):
            if isinstance(value.type, Bool):
                return self.select(value, self.const(1), self.const(0))
            return value
        if isinstance(value, Tagged):
            return self.cases(value, self.as_int)
        raise self.type_error(f"an int is needed, not {self.describe(value)}", value)

    def cases(self, value: PythonValue, then: Callable[[PythonValue], PythonValue]) -> PythonValue:
        """Runs `then` for each kind that the value may have, and joins the results."""
        if not isinstance(value, Tagged):
            return then(value)
        ends: list[Exit] = []
        rest: list[Exit] = []
        for at, member in enumerate(value.parts):
            with suppress(Unreachable):
                if at:
                    self.join(rest)
                if at < len(value.parts) - 1:
                    here, rest = self.parted(self.is_member(value, at), "is", "else")
                    self.join(here)
                found = then(member)
                ends.append(Exit(self.b.block, self.env, found))
        return self.join(ends)

    def describe(self, value: PythonValue) -> str:
        match value:
            case Value():
                return "bool" if isinstance(value.type, Bool) else "int"
            case Nothing():
                return "NoneType"
            case Items() | Growing() | TupleOf():
                return value.maker
            case Constant(value=known):
                return type(known).__name__
            case NestedFunction():
                return "function"
            case RangeValue():
                return "range"
        return "an iterator"

    # Paths that split and join

    @contextmanager
    def way(self, ends: list[Exit]) -> Iterator[None]:
        """Lowers one of several paths that join, and adds its end, if it has one."""
        with suppress(Unreachable):
            yield
            ends.append(Exit(self.b.block, self.env))

    def join(self, ends: list[Exit]) -> PythonValue | None:
        """Continues after paths that end with values of names, and each with a value, or none with one."""
        if not ends:
            raise Unreachable
        if len(ends) == 1:
            block, self.env, value = ends[0]
            self.b.start(block, sealed=False)
            return value
        keys = list(dict.fromkeys(key for end in ends for key in end.env if isinstance(key, str)))
        rows: dict[object, list[PythonValue]] = {
            key: [end.env.get(key, UNBOUND) for end in ends] for key in keys
        }
        # the growing objects that all paths know
        shared = [key for key in ends[0].env if not isinstance(key, str) and all(key in e.env for e in ends)]
        if ends[0].value is not None:
            rows[None] = [end.value for end in ends]
        merged: dict[object, PythonKind] = {}
        env: dict[object, PythonValue] = {}
        for key, values in rows.items():
            if all(same(values[0], each) for each in values):
                env[key] = values[0]
            else:
                self.agree(*values)
                kind = united(_seen(list(map(kind_of, values))))
                if kind is None or (key is None and _unclear(kind)):
                    raise self.error(MIXED)
                merged[key] = kind
        grown = [key for key in shared if not all(same(ends[0].env[key], end.env[key]) for end in ends)]
        for key in shared:
            if key not in grown:
                env[key] = ends[0].env[key]
        block = self.b.new_block("join")
        types = [t for kind in merged.values() for t in held(kind)]
        types += [t for key in grown for t in (Array(key.element), INT)]
        names = [n for key, kind in merged.items() for n in [key] * len(held(kind))]
        names += [None] * (2 * len(grown))
        block.params = [self._param(n, t) for n, t in zip(names, types, strict=True)]
        for at, end in enumerate(ends):
            self.b.start(end.block, sealed=False)
            self.env = end.env
            args = [leaf for key, kind in merged.items() for leaf in self.split(rows[key][at], kind)]
            for key in grown:
                items = end.env[key]
                args += [items.array, self.length(items)]
            self.b.jump(block, args)
            self.lent |= self._lent(block, args)
        self.b.start(block)
        self.env = env
        leaves = iter(block.params)
        for key, kind in merged.items():
            env[key] = _of(rows[key], self.rebuilt(kind, leaves))
        for key in grown:
            env[key] = Items(key.maker, next(leaves), None, next(leaves))
        return env.pop(None, None)

    def _param(self, name: str | None, type_: Type) -> Value:
        # without the mark of its scope
        shown = printable(name.partition("'")[0]) if name else ""
        return Value(self.b.fresh(shown), type_, self.b.position)

    def parted(
        self, condition: Value, then: str, otherwise: str, first: bool = True
    ) -> tuple[list[Exit], list[Exit]]:
        """Lowers two paths, each if it is reachable; first the one on which the condition is `first`."""
        ways = self.b.new_block(then), self.b.new_block(otherwise)
        self.b.branch(condition, *(ways if first else ways[::-1]))
        return tuple([Exit(way, dict(self.env))] if self.b.reached(way) else [] for way in ways)

    def choose(
        self, condition: Value, then: Callable[[], PythonValue], otherwise: Callable[[], PythonValue]
    ) -> PythonValue:
        ends: list[Exit] = []
        ways = self.parted(condition, "then", "else")
        for way, value in zip(ways, (then, otherwise), strict=True):
            with suppress(Unreachable):
                self.join(way)
                found = value()
                ends.append(Exit(self.b.block, self.env, found))
        return self.join(ends)

    # Loops

    def loop(self, node: ast.AST, names: set[str]) -> LoopContext:
        """Begins a loop: the names that it assigns to, and what grows, become its header's parameters."""
        keys: dict[object, PythonKind] = {}
        before: dict[object, PythonValue] = {}
        args: list[Value] = []
        for name in sorted(names | self.accumulators):
            value = before[name] = self.env.get(name, UNBOUND)
            kind = self.unit.assumed((node, name), kind_of(value))
            keys[name] = kind
            args += self.split(value, kind)
        growing = [key for key in self.env if isinstance(key, Growing)]
        for key in growing:
            items = self.env[key]
            keys[key] = Grown(key.maker, key.element)
            args += [items.array, self.length(items)]
        header = self.b.new_block("loop")
        for key, kind in keys.items():
            header.params += [self._param(key if isinstance(key, str) else None, t) for t in held(kind)]
        self.b.jump(header, args)
        self.lent |= self._lent(header, args) | {header.params[at] for at in self.unit.lent.get(node, ())}
        self.b.start(header, sealed=False)
        leaves = iter(header.params)
        env = dict(self.env)
        self.env = env
        for key, kind in keys.items():
            if isinstance(key, str):
                env[key] = _of([before[key]], self.rebuilt(kind, leaves))
            else:
                env[key] = Items(key.maker, next(leaves), None, next(leaves))
        loop = LoopContext(node, header, keys, before)
        self.loops.append(loop)
        return loop

    def back(self, loop: LoopContext) -> None:
        """Jumps to the loop's header, with the names' current values."""
        args: list[Value] = []
        for key, kind in loop.keys.items():
            if not isinstance(key, str):
                items = self.env[key]
                args += [items.array, self.length(items)]
                continue
            value = self.env.get(key, UNBOUND)
            self.agree(loop.before[key], value)
            wide = united(iter((kind, kind_of(value))))
            if wide is None:
                raise self.error(
                    f"{key} has too many types in this loop: give each type a name of its own", loop.node
                )
            self.unit.assume((loop.node, key), kind, wide)
            args += self.split(value, kind)
        late = self._lent(loop.header, args) - self.lent
        if late:
            self.unit.lend(loop.node, {at for at, param in enumerate(loop.header.params) if param in late})
        self.b.jump(loop.header, args)

    def _lent(self, block: Block, args: list[Value]) -> set[Value]:
        """The block's parameters that may be arrays of arguments by what is passed here."""
        return {param for param, arg in zip(block.params, args, strict=True) if arg in self.lent}

    # The end

    def return_(self, value: PythonValue) -> None:
        if self.returns is not None:
            self.returns.append(Exit(self.b.block, self.env, value))
            raise Unreachable
        kind = united(iter((self.unit.gives, self.given(value)))) if self.unit.gives else self.given(value)
        if kind is None:
            raise self.error("the function returns too many types: return one")
        self.unit.give(kind)
        if self._shares(value):
            self.unit.share()
        self.b.block.terminator = Return(self.split(self.exact(value), kind))
        raise Unreachable

    def _shares(self, value: PythonValue) -> bool:
        """Whether the value may be, or contain, a list that was passed as an argument."""
        match value:
            case TupleOf(items):
                return any(map(self._shares, items))
            case Tagged():
                return any(map(self._shares, value.parts))
            case Items(maker="list" | "bytearray") | Growing():
                return self.items(value).array in self.lent
        return False

    def _may_see(self, maker: str) -> bool:
        """Whether a result may be a view: of immutable memory, for the program's own calls."""
        return maker in ("bytes", "tuple") and self.unit is not self.program.entry

    def given(self, value: PythonValue) -> PythonKind:
        """The kind of a result: views only for the program's own calls, except Python's own views."""
        kind = self._given(kind_of(value))
        if kind is None:
            raise self.error(
                f"{self.describe(value)} cannot be returned: return ints, None, buffers, lists or tuples"
            )
        return kind

    def _given(self, kind: PythonKind) -> PythonKind | None:
        match kind:
            case Buffer(maker, element):
                # a view of another object's memory remains one
                seen = kind.view and (maker in SHOWING or self._may_see(maker))
                return Buffer(maker, element, kind.readonly, seen)
            case List(element, maker):
                if kind.readonly and maker == "list":
                    raise self.error("a list of the module escapes: make a new one, for example by list()")
                return List(element, maker, kind.view and self._may_see(maker), kind.readonly)
            case Grown(maker, element):
                return List(element, maker) if maker in LISTS else Buffer(maker, element)
            case Tuple(kinds, "tuple"):
                found = [self._given(each) for each in kinds]
                return None if None in found else Tuple(tuple(found))
            case Union(kinds):
                found = [self._given(each) for each in kinds if not isinstance(each, Unbound)]
                return None if None in found else united(iter(found))
            case Exactly() | Unbound() | RangeKind() | FunctionKind() | Tuple():
                return None
        return kind

    def exact(self, value: PythonValue) -> PythonValue:
        """The items as an array of their own, if no view may be returned."""
        match value:
            case Items(maker="memoryview" | "ndarray"):
                return value
            case TupleOf(items, maker):
                return TupleOf([self.exact(item) for item in items], maker)
            case Items(maker=maker) if self._may_see(maker):
                return value
            case Growing() | Items(length=Value()):
                items = self.items(value)
                if isinstance(value, Items) and not sites_of(value) and value.maker in ("list", "bytearray"):
                    raise self.error(
                        f"returning a {value.maker} that was passed in and may have grown: return a copy"
                    )
                return self._alone(items) if isinstance(value, Growing) else self.program.copied(self, items)
            case Tagged() if any(isinstance(v, Growing) or getattr(v, "view", False) for v in value.parts):
                return self.cases(value, self.exact)
        return value

    def _alone(self, items: Items) -> Items:
        """An object that no longer grows: without a copy if its array has no spare room."""
        full = self.test("eq", items.length, self.one("len", items.array))
        return self.choose(
            full, lambda: Items(items.maker, items.array), lambda: self.program.copied(self, items)
        )


def sites_of(value: PythonValue) -> frozenset[ast.AST]:
    """The sites where the value may have been made."""
    if isinstance(value, Growing) and value.site is not None:
        return frozenset((value.site,))
    if not isinstance(value, Items):
        return frozenset()
    return value.sites | ({value.site} if value.site is not None else set())


def _seen(kinds: list[PythonKind]) -> Iterator[PythonKind]:
    """Growing bytes that join other bytes here, as views: otherwise those would be copied."""
    others = any(isinstance(kind, Buffer) and kind.maker == "bytes" for kind in kinds)
    for kind in kinds:
        grows = others and isinstance(kind, Grown) and kind.maker == "bytes"
        yield Buffer("bytes", kind.element, readonly=True, view=True) if grows else kind


def _of(values: list[PythonValue], one: PythonValue) -> PythonValue:
    """`one`, which is one of these values, with all of their sites."""
    if isinstance(one, Items | Growing):
        sites = frozenset().union(*map(sites_of, values))
        if isinstance(one, Items):
            one.sites = sites
        elif len(sites) == 1:
            (one.site,) = sites
    return one


def _any(element: Int) -> int:
    return next(k for k in (0, element.low, element.high) if k is not None and k in element)


def _outside(value: object) -> bool:
    return not isinstance(value, PythonValue)


def _unclear(kind: PythonKind) -> bool:
    return any(isinstance(each, Unbound) for each in members(kind))


def _holds(value: PythonValue, item: Growing) -> bool:
    if isinstance(value, TupleOf):
        return any(_holds(each, item) for each in value.items)
    if isinstance(value, Tagged):
        return any(_holds(each, item) for each in value.parts)
    if isinstance(value, NestedFunction):
        return any(_holds(each, item) for each in (*value.spare.values(), *value.brought.values()))
    return value is item
