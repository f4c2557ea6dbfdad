"""A function and all it calls, for arguments of given kinds, to IR, and what it reads of its module."""

from __future__ import annotations

import ast
from inspect import CO_VARARGS
from types import CellType, FunctionType, ModuleType

from ...ir.errors import SourceError
from ...ir.form import INT, Array, Function, Int, Module, TrapTerminator, Value, signed, unsigned
from ...ir.interface import NULL, Union
from ..ssa import Retry, Unreachable, printable
from . import functions, methods, prelude, statements  # noqa: F401
from .build import FREE, PythonBuilder
from .calls import apart
from .kinds import BYTE, MISSING, Buffer, Grown, Guard, List, Lowered, PythonKind, Raised, Tuple, held
from .source import PythonSource, own_names, source_of
from .values import LISTS, NONE, Constant, Growing, Items, PythonValue, RangeValue, TupleOf, kind_of, united

# The most rounds until every kind is known: each round widens a kind, of which functions have fewer.
ROUNDS = 200
ENDLESS = "the types of its values never settle, as with x = (x, 1) in a loop"
OUTSIDE = "ints, strings, bytes, ranges, and lists and tuples of these"
# The greatest depth of nested tuples.
DEPTH = 16
# A function is inlined if it has one call, or if all copies together have at most this many instructions.
INLINED = 1600


class Unit:
    """A function for arguments of certain kinds, and what earlier rounds found out about it."""

    def __init__(
        self, program: Compilation, function: FunctionType, kinds: tuple[PythonKind, ...], name: str
    ):
        self.program = program
        self.function = function
        self.kinds = kinds
        self.name = name
        self.source: PythonSource = source_of(function)
        code = function.__code__
        # CPython may hold names of comprehensions beside the function's own
        held_names = code.co_varnames + code.co_cellvars
        self.names = frozenset(held_names) & own_names(self.source.tree)
        self.gives: PythonKind | None = None
        self.truths: set[ast.AST] = set()  # the sites that make lists of bools
        self.ints: set[ast.AST] = set()  # the sites that make empty lists that ints were put into
        self.grown: set[ast.AST] = set()
        self.shares = False  # whether its result may be a list that was passed to it
        # by loop, which of its parameters may become arrays of arguments
        self.lent: dict[ast.AST, set[int]] = {}
        self._assumed: dict[tuple[ast.AST, object], PythonKind] = {}
        self.lowered: Function | None = None
        self.open = False
        self.believed = False  # whether something was lowered by its previous result

    @property
    def is_prelude(self) -> bool:
        """Whether it is one of ours, whose positions are within bounds."""
        return self.function.__module__ == prelude.__name__

    def assumed(self, key: tuple[ast.AST, object], kind: PythonKind) -> PythonKind:
        before = self._assumed.get(key)
        return kind if before is None else united(iter((before, kind))) or kind

    def assume(self, key: tuple[ast.AST, object], held: PythonKind, kind: PythonKind) -> None:
        if kind != held:
            self._assumed[key] = kind
            raise Retry

    def grow(self, sites: frozenset[ast.AST]) -> None:
        if sites <= self.grown:
            raise SourceError(
                "a list that grows is mixed with other lists in this function: append to a copy",
                self.source.position(self.source.tree),
            )
        self.grown |= sites
        raise Retry

    def lend(self, loop: ast.AST, which: set[int]) -> None:
        """Records that these parameters of the loop may become arrays of arguments."""
        self.lent.setdefault(loop, set()).update(which)
        raise Retry

    def share(self) -> None:
        """Records that its result may be a list that was passed to it."""
        if not self.shares and self.believed:
            self.program.changed = True
        self.shares = True

    def hold_truths(self, site: ast.AST) -> None:
        """Records that this site makes a list of bools, unless ints were put into it, too."""
        if site not in self.ints | self.truths:
            self.truths.add(site)
            raise Retry

    def hold_ints(self, site: ast.AST) -> None:
        """Records that this site, which makes an empty list, makes one of ints."""
        self.ints.add(site)
        self.truths.discard(site)
        raise Retry

    def give(self, kind: PythonKind) -> None:
        if kind == self.gives:
            return
        if _depth(kind) > DEPTH:
            raise SourceError(ENDLESS, self.source.position(self.source.tree))
        first = self.gives is None
        self.gives = kind
        if self.believed:
            self.program.changed = True
        if not first:
            raise Retry

    def lower(self) -> None:
        self.open = True
        for _ in range(ROUNDS):
            try:
                self.lowered = self._lower()
                break
            except Retry:
                continue
        else:
            raise SourceError(ENDLESS, self.source.position(self.source.tree))
        self.open = False

    def _lower(self) -> Function:
        f = PythonBuilder(self, self.program)
        entry = f.b.function.blocks[0]
        code = self.function.__code__
        stars = bool(code.co_flags & CO_VARARGS)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]
        for name, kind in zip(names, self.kinds, strict=True):
            params = [Value(f.b.fresh(printable(name)), type_, f.b.position) for type_ in held(kind)]
            entry.params += params
            f.lent.update(param for param in params if isinstance(param.type, Array))
            value = f.env[name] = f.rebuilt(kind, iter(params))
            if isinstance(value, Items) and not value.view:
                # one value, so that facts about it hold for all uses
                value.size = f.length(value)
        try:
            tree = self.source.tree
            if isinstance(tree, ast.Lambda):
                f.return_(f.evaluate(tree.body))
            f.body(tree.body)
            f.return_(NONE)
        except Unreachable:
            pass
        made = f.b.finish()
        made.results = held(self.gives) if self.gives else []
        return made


class Compilation:
    """The units of one compilation."""

    BYTE = BYTE

    def __init__(self):
        self.module = Module()
        self.units: dict[tuple[FunctionType, tuple[PythonKind, ...]], Unit] = {}
        self.names: dict[str, int] = {}
        self.exceptions: dict[tuple, int] = {}
        self.guards: dict[tuple, Guard] = {}
        self.tables: dict[tuple, str] = {}
        self.entry: Unit | None = None
        self.indexed: dict[str, str] = {}
        self.changed = False

    def lowered(self, function: FunctionType, kinds: tuple[PythonKind, ...]) -> Lowered:
        entry = self.entry = self.unit(function, kinds)
        for _ in range(ROUNDS):
            self.changed = False
            for unit in self.units.values():
                unit.lowered, unit.believed = None, False
            entry.lower()
            if not self.changed:
                break
        if entry.gives and _shows(entry.gives):
            message = "a view of another's memory is given away: a copy, as by bytes()"
            raise SourceError(message, entry.source.position(entry.source.tree))
        used = [unit for unit in self.units.values() if unit.lowered]
        for unit in used:
            self.module.functions[unit.name] = unit.lowered
        self._mark(entry)
        return Lowered(
            self.module,
            entry.name,
            kinds,
            entry.gives or NULL,
            [Raised(type_, args) for type_, args in self.exceptions],
            list(self.guards.values()),
            [unit.function.__code__ for unit in used],
            self.indexed,
        )

    def _mark(self, entry: Unit) -> None:
        """Marks the functions to inline."""
        sites: dict[str, int] = {}
        for function in self.module.functions.values():
            for instruction in function.instructions():
                if instruction.op == "call":
                    sites[instruction.attribute] = sites.get(instruction.attribute, 0) + 1
        for name, function in self.module.functions.items():
            size = sum(1 for _ in function.instructions())
            copies = sites.get(name, 0)
            function.inline = name != entry.name and (copies == 1 or copies * size <= INLINED)

    def unit(self, function: FunctionType, kinds: tuple[PythonKind, ...]) -> Unit:
        key = function, kinds
        found = self.units.get(key)
        if found is None:
            base = printable(function.__name__)
            number = self.names[base] = self.names.get(base, 0) + 1
            found = Unit(self, function, kinds, base if number == 1 else f"{base}.{number}")
            self.units[key] = found
        return found

    # Calls

    def call(self, f: PythonBuilder, function: FunctionType, args: list[PythonValue]) -> PythonValue:
        if function.__module__ == prelude.__name__:
            # to which a truth value is an int
            args = [f.plain(arg) for arg in args]
        else:
            for name in ("__code__", "__defaults__", "__kwdefaults__"):
                self.guard(function, name, getattr(function, name))
        args = [apart(f, arg) for arg in args]
        kinds = tuple(self._argument(f, kind_of(arg)) for arg in args)
        unit = self.unit(function, kinds)
        if unit.lowered is None and not unit.open:
            unit.lower()
        if unit.open:
            unit.believed = True
        leaves = [leaf for arg, kind in zip(args, kinds, strict=True) for leaf in f.split(arg, kind)]
        gives = unit.gives
        results = f.b.emit("call", leaves, unit.name, held(gives) if gives else [])
        if gives is None:
            # as far as is known, it does not return
            f.b.block.terminator = TrapTerminator("raise 0", f.b.position)
            raise Unreachable
        if unit.shares:
            for arg in args:
                if isinstance(arg, Growing):
                    raise f.error("passing a list that grows to a function that may return it: pass a copy")
                if isinstance(arg, Items):
                    arg.site = None
                    f.lent.add(arg.array)
            f.lent.update(result for result in results if isinstance(result.type, Array))
        found = f.rebuilt(gives, iter(results))
        if isinstance(found, Items) and found.maker in ("list", "bytearray") and not unit.shares:
            return f.fresh(found.maker, found.array, f.length(found), f.node)
        return found

    @staticmethod
    def _argument(f: PythonBuilder, kind: PythonKind) -> PythonKind:
        if isinstance(kind, Grown):
            if kind.maker in LISTS:
                return List(kind.element, kind.maker, True)
            return Buffer(kind.maker, kind.element, False, True)
        return kind

    def prelude(self, f: PythonBuilder, name: str, *args: Value) -> PythonValue:
        """Calls one of the prelude's functions on IR values, with whole arrays."""
        given = [Items("list", arg) if isinstance(arg.type, Array) else arg for arg in args]
        return self.call(f, getattr(prelude, name), given)

    def copied(self, f: PythonBuilder, items: Items) -> Items:
        from .sequences import copied

        return copied(f, items, items.maker, items.element)

    def with_spare(self, f: PythonBuilder, items: Items) -> Items:
        from .sequences import with_spare

        return with_spare(f, items)

    def raised(self, type_: type[BaseException], args: tuple) -> int:
        return self.exceptions.setdefault((type_, args), len(self.exceptions))

    # Outside of the function

    def guard(self, where: object, name: str | None, value: object) -> None:
        self.guards.setdefault((id(where), name), Guard(where, name, value))

    def outside(self, f: PythonBuilder, name: str) -> PythonValue:
        """The value of a name that is not the function's own."""
        function = f.scope.function
        code = function.__code__
        if name in code.co_freevars:
            cell: CellType = function.__closure__[code.co_freevars.index(name)]
            try:
                value = cell.cell_contents
            except ValueError:
                raise f.raise_(NameError, FREE.format(name)) from None
            self.guard(cell, None, value)
            return self.lifted(f, value)
        space = function.__globals__
        value = space.get(name, MISSING)
        guarded = function.__module__ != prelude.__name__
        if guarded:
            self.guard(space, name, value)
        if value is MISSING:
            builtins = function.__builtins__
            value = builtins.get(name, MISSING)
            if guarded:
                self.guard(builtins, name, value)
        if value is MISSING:
            raise f.raise_(NameError, f"name '{name}' is not defined")
        return self.lifted(f, value)

    def lifted(self, f: PythonBuilder, value: object) -> PythonValue:
        """The current state of a value from outside, as a value of the front end."""
        kind = type(value)
        if kind in (int, bool):
            return f.const(value)
        if value is None:
            return NONE
        if kind is bytes:
            return self.table(f, "bytes", tuple(value))
        if kind is range:
            return RangeValue(*(f.const(part) for part in (value.start, value.stop, value.step)), value.step)
        if kind in (tuple, list):
            if kind is list:
                self.guard(value, None, tuple(value))
            if value and all(type(item) is int for item in value):
                return self.table(f, kind.__name__, tuple(value))
            return TupleOf([self.lifted(f, item) for item in value], kind.__name__)
        if kind in (float, complex, dict, set, frozenset, bytearray, memoryview):
            what = value if kind is float else f"a {kind.__name__}"
            raise f.error(f"{what}: outside a function, compiled code reads only {OUTSIDE}")
        return Constant(value)

    def attribute(self, f: PythonBuilder, value: object, name: str) -> PythonValue:
        if isinstance(value, ModuleType):
            found = vars(value).get(name, MISSING)
            self.guard(vars(value), name, found)
            if found is MISSING:
                raise f.raise_(AttributeError, f"module '{value.__name__}' has no attribute '{name}'")
            return self.lifted(f, found)
        if value in (int, bytes, bytearray, list, tuple):
            return Constant(f"{value.__name__}.{name}")
        raise f.error(f".{name}: compiled code has no attributes except those of modules")

    def table(self, f: PythonBuilder, maker: str, contents: tuple[int, ...]) -> Items:
        """A global array with known contents."""
        type_ = Array(BYTE if maker == "bytes" else _least(contents))
        key = type_, contents
        name = self.tables.get(key)
        if name is None:
            name = self.tables[key] = f"table.{len(self.tables)}"
            self.module.arrays[name] = type_, list(contents)
        array = f.b.emit("global", [], name, [type_])[0]
        return Items(maker, array, readonly=True, contents=contents)


def _depth(kind: PythonKind) -> int:
    inner = kind.items if isinstance(kind, Tuple) else kind.members if isinstance(kind, Union) else ()
    return 1 + max(map(_depth, inner), default=0)


def _shows(kind: PythonKind) -> bool:
    """Whether the kind contains a view: only an argument that is one can be returned."""
    inner = kind.items if isinstance(kind, Tuple) else kind.members if isinstance(kind, Union) else ()
    return (isinstance(kind, Buffer) and kind.view) or any(map(_shows, inner))


def _least(contents: tuple[int, ...]) -> Int:
    """The narrowest type of items that holds these, if a word does."""
    low, high = min(contents), max(contents)
    return (
        Int(low, high)
        if any(low in words and high in words for words in (unsigned(128), signed(128)))
        else INT
    )


def lower_function(function: FunctionType, kinds: tuple[PythonKind, ...]) -> Lowered:
    """The function for arguments of these kinds, by position; SourceError says what cannot be compiled."""
    program = Compilation()
    try:
        return program.lowered(function, tuple(kinds))
    except SourceError as error:
        error.guards = tuple(program.guards.values())
        raise
