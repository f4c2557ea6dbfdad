"""Common Lisp, the part of it that algorithms on integers are written in: a text to an IR module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from ..errors import SourceError
from ..ir import INT, Array, Int, Module, Position, Type, Value
from . import operators, special  # noqa: F401
from .data import (
    NIL,
    ByteSpec,
    Character,
    Cons,
    Macro,
    Symbol,
    T,
    Vector,
    brief,
    items,
    length,
    listed,
    symbol,
)
from .evaluate import Definition, Evaluator, bind, macro
from .expand import STANDARD, S, Scope, SymbolMacro, declarations
from .library import BOOLE_NAMES
from .lower import GUESSES, OPERATORS, SPECIAL, Lowering, Result
from .reader import read_all
from .ssa import printable
from .types import FIXNUM, STORED, TEXT, Declared, Types

# Python's own limit is for stacks of C, which its calls of Python no longer use.
RECURSION = 30_000


class Again(Exception):
    """Something was found out about a global that changes what was lowered before."""


@dataclass
class LambdaList:
    required: list[Symbol] = field(default_factory=list)
    optional: list[tuple[Symbol, object]] = field(default_factory=list)
    keys: list[tuple[Symbol, Symbol, object]] = field(default_factory=list)
    aux: list[tuple[Symbol, object]] = field(default_factory=list)

    @property
    def defaults(self) -> bool:
        return bool(self.optional or self.keys)

    def names(self) -> list[Symbol]:
        return [*self.required, *(name for name, _ in self.optional), *(name for _, name, _ in self.keys)]

    def match(
        self, forms: list, function: Symbol, position: Position | None
    ) -> list[tuple[Symbol, object, bool]]:
        """For each parameter the form that is its value, and whether the call supplies it."""

        def wrong() -> SourceError:
            least, most = len(self.required), len(self.required) + len(self.optional)
            takes = (
                f"{least} argument{'s' * (least != 1)}" if least == most else f"{least} to {most} arguments"
            )
            return SourceError(f"{function} takes {takes}, not {len(forms)}", position)

        if len(forms) < len(self.required):
            raise wrong()
        matched = [(name, form, True) for name, form in zip(self.required, forms, strict=False)]
        rest = forms[len(self.required) :]
        for name, default in self.optional:
            matched.append((name, rest.pop(0), True) if rest else (name, default, False))
        given = {}
        if rest and (not self.keys or len(rest) % 2):
            raise wrong()
        known = [keyword for keyword, _, _ in self.keys]
        for keyword, form in zip(rest[::2], rest[1::2], strict=True):
            if keyword not in known:
                raise SourceError(f"{function} takes no argument {brief(keyword)}", position)
            given.setdefault(keyword, form)
        for keyword, name, default in self.keys:
            matched.append((name, given[keyword], True) if keyword in given else (name, default, False))
        return matched


def lambda_list(form, position: Position | None) -> LambdaList:
    """A function's parameters."""
    found = LambdaList()
    mode = ""
    for each in items(form):
        if isinstance(each, Symbol) and each.name.startswith("&"):
            mode = each.name
            if mode not in ("&OPTIONAL", "&KEY", "&AUX"):
                raise SourceError(f"functions with {mode.lower()} parameters are not supported", position)
            continue
        spec = list(each) if isinstance(each, Cons) else [each]
        if not mode:
            found.required.append(each)
            continue
        if len(spec) > 2:
            raise SourceError("parameters that say whether they were supplied are not supported", position)
        name, default = spec[0], spec[1] if len(spec) > 1 else NIL
        if mode == "&OPTIONAL":
            found.optional.append((name, default))
        elif mode == "&AUX":
            found.aux.append((name, default))
        else:
            keyword, name = name if isinstance(name, Cons) else (symbol(f":{name.name}"), name)
            found.keys.append((keyword, name, default))
    for name in [*found.names(), *(name for name, _ in found.aux)]:
        if not nameable(name):
            raise SourceError(f"{brief(name)} is no name for a parameter", position)
    names = found.names()
    for name in names:
        if names.count(name) > 1:
            raise SourceError(
                f"two parameters are called {brief(name)}: each needs a name of its own", position
            )
    return found


def nameable(name) -> bool:
    """Whether a variable or function may have this name."""
    return isinstance(name, Symbol) and name not in (NIL, T) and not name.name.startswith((":", "&"))


@dataclass
class Signature:
    lambda_list: LambdaList
    parameters: list[Declared]
    declared: dict[Symbol, Declared]
    safe: bool
    results: list[Declared] | None


class World:
    """What a program has defined so far, for the evaluator and the lowering alike."""

    def __init__(self) -> None:
        self.functions: dict[Symbol, Definition] = {}
        self.macros: dict[Symbol, Macro] = {}
        self.symbol_macros: dict[Symbol, SymbolMacro] = {}
        self.types: dict[Symbol, tuple[object, object]] = {}
        self.values: dict[Symbol, object] = {
            **BOOLE_NAMES,
            S.most_positive_fixnum: FIXNUM.high,
            S.most_negative_fixnum: FIXNUM.low,
        }
        self.constants: set[Symbol] = set(self.values)
        self.position: Position | None = None
        self.evaluator = Evaluator(self)

    def constant(self, form, scope: Scope, position: Position | None):
        """A form's value, which must be known now."""
        self.position = position
        outer = Scope(self)
        # of the names that the scope knows, the evaluator sees only those of macros
        outer.functions = {name: each for name, each in scope.functions.items() if isinstance(each, Macro)}
        outer.variables = {
            name: each for name, each in scope.variables.items() if isinstance(each, SymbolMacro)
        }
        return self.evaluator.one(form, outer)

    def expand_type(self, name: Symbol, arguments: list, position: Position | None):
        parameters, body = self.types[name]
        scope = bind(self.evaluator, parameters, listed(*arguments), Scope(self), None, str(name))
        return self.evaluator.progn(body, scope)


class Program:
    """Reads a program, then lowers each of its functions."""

    def __init__(self) -> None:
        self.world = World()
        self.safe = True
        self.inlined: set[Symbol] = set()
        self.ftypes: dict[Symbol, Cons] = {}
        self.types: dict[Symbol, object] = {}
        self.loose: set[Array] = set()
        self.assigned: set[Symbol] = set()
        self.module = Module()

    # Top-level forms

    def read(self, text: str, file: str) -> None:
        for form, position in read_all(text, file):
            self.world.position = position
            self.top(form, position)

    def top(self, form, position: Position) -> None:
        scope = Scope(self.world)
        self.world.evaluator.form = None
        if not isinstance(form, Cons):
            return
        position = form.position or position
        form = scope.expand(form) if form.car not in STANDARD or form.car is S.assert_ else form
        if not isinstance(form, Cons):
            return
        form.position = form.position or position
        head = str(form.car)
        handler = TOP.get(head)
        if handler is None:
            raise SourceError(f"{head} is not supported at top level", form.position)
        try:
            handler(self, form, scope)
        except SourceError as error:
            error.position = error.position or form.position
            raise
        except (ValueError, TypeError, AttributeError) as error:
            raise SourceError(f"not the form of {head}: {brief(form)}", form.position) from error

    def each(self, form: Cons, scope: Scope) -> None:
        for inner in items(form.cdr):
            self.top(inner, form.position)

    def eval_when(self, form: Cons, scope: Scope) -> None:
        for inner in items(form.cdr.cdr):
            self.top(inner, form.position)

    def ignore(self, form: Cons, scope: Scope) -> None:
        pass

    def defun(self, form: Cons, scope: Scope) -> None:
        name, parameters, *body = form.cdr
        if not nameable(name):
            raise SourceError(f"{brief(name)} is no name for a function", form.position)
        if (
            name.name in SPECIAL
            or name in STANDARD
            or (name.name in OPERATORS and name.name not in REDEFINABLE)
        ):
            raise SourceError(f"{name} is Common Lisp's own and cannot be defined anew", form.position)
        if body and isinstance(body[0], str) and len(body) > 1:
            body = body[1:]
        declared, forms = declarations(listed(*body))
        wrapped = listed(*declared, listed(S.block, name, *forms))
        self.world.macros.pop(name, None)
        self.world.functions[name] = Definition(name, parameters, wrapped, form, safe=self.safe)

    def defmacro(self, form: Cons, scope: Scope) -> None:
        name, parameters, *body = form.cdr
        if not nameable(name) or name.name in SPECIAL:
            raise SourceError(f"{brief(name)} is no name for a macro", form.position)
        if body and isinstance(body[0], str) and len(body) > 1:
            body = body[1:]
        self.world.functions.pop(name, None)
        self.world.macros[name] = macro(self.world.evaluator, name, parameters, listed(*body))

    def defconstant(self, form: Cons, scope: Scope) -> None:
        name, *source = form.cdr
        if not nameable(name):
            raise SourceError(f"{brief(name)} is no name for a variable", form.position)
        if form.car is S.defvar and (name in self.world.values or not source):
            return
        self.world.values[name] = self.world.constant(source[0], scope, form.position)
        if form.car is S.defconstant:
            self.world.constants.add(name)

    def deftype(self, form: Cons, scope: Scope) -> None:
        name, parameters, *body = form.cdr
        self.world.types[name] = parameters, listed(*body)

    def define_symbol_macro(self, form: Cons, scope: Scope) -> None:
        name, expansion = form.cdr
        self.world.symbol_macros[name] = SymbolMacro(expansion)

    def declaim(self, form: Cons, scope: Scope) -> None:
        for each in items(form.cdr):
            if isinstance(each, Cons) and each.car is S.quote:
                each = each.cdr.car
            if not isinstance(each, Cons):
                continue
            match each.car.name:
                case "INLINE":
                    self.inlined.update(items(each.cdr))
                case "NOTINLINE":
                    self.inlined.difference_update(items(each.cdr))
                case "OPTIMIZE":
                    self.safe = safety(each, self.safe)
                case "FTYPE":
                    type_, *names = each.cdr
                    self.ftypes.update(dict.fromkeys(names, type_))
                case "TYPE":
                    type_, *names = each.cdr
                    self.types.update(dict.fromkeys(names, type_))

    # Declarations

    def declared(
        self, forms: list, scope: Scope, position: Position | None
    ) -> tuple[dict[Symbol, Declared], bool]:
        """The types that declarations give to variables, and whether promises are checked."""
        types: dict[Symbol, Declared] = {}
        safe = scope.safe
        for form in forms:
            for each in items(form.cdr):
                position = getattr(each, "position", None) or form.position or position
                if not isinstance(each, Cons) or (each.car is S.type and length(each.cdr) < 1):
                    raise SourceError(f"{brief(each)} is no declaration", position)
                head = each.car
                names = items(each.cdr)
                if isinstance(head, Symbol):
                    if head.name in IGNORED:
                        continue
                    if head is S.optimize:
                        safe = safety(each, safe)
                        continue
                    if head is S.special:
                        raise SourceError("special variables are not supported", position)
                    if head is S.type:
                        head, *names = each.cdr
                types.update(dict.fromkeys(names, Types(scope, position).parse(head)))
        return types, safe

    def signature(self, definition: Definition, scope: Scope) -> Signature:
        found = self.signatures.get(definition)
        if found is None:
            try:
                found = self.find_signature(definition, scope)
            except (ValueError, TypeError, AttributeError) as error:
                where = definition.form.position
                raise SourceError(f"not the form of {brief(definition.name)}'s parameters", where) from error
            self.signatures[definition] = found
        return found

    def find_signature(self, definition: Definition, scope: Scope) -> Signature:
        position = definition.form.position
        parameters = lambda_list(definition.parameters, position)
        declared, _ = declarations(definition.body)
        types, safe = self.declared(declared, scope.with_(safe=scope.safe and definition.safe), position)
        results = None
        ftype = self.ftypes.get(definition.name)
        if ftype is not None and self.world.functions.get(definition.name) is definition:
            results = self.ftype(ftype, parameters, types, scope, position)
        declared_types = [types.get(name, Declared(None)) for name in parameters.names()]
        return Signature(parameters, declared_types, types, safe, results)

    def ftype(
        self, form: Cons, parameters: LambdaList, types: dict, scope: Scope, position
    ) -> list[Declared] | None:
        """Takes the parameters' types from (function (types) result), and returns the results'."""
        _, arguments, *result = form
        parser = Types(scope, position)
        given = [
            each for each in items(arguments) if not (isinstance(each, Symbol) and each.name.startswith("&"))
        ]
        positional = [*parameters.required, *(name for name, _ in parameters.optional)]
        for name, specifier in zip(positional, given, strict=False):
            types.setdefault(name, parser.parse(specifier))
        if not result or result[0] is symbol("*"):
            return None
        specifiers = [result[0]]
        if isinstance(result[0], Cons) and result[0].car is S.values:
            specifiers = []
            for each in items(result[0].cdr):
                if isinstance(each, Symbol) and each.name.startswith("&"):
                    break
                specifiers.append(each)
        return [parser.parse(each) for each in specifiers]

    # Globals

    def array_type(self, value: Vector | str) -> Array:
        """A constant vector's type; where none was declared, the range of what it holds.

        That range is no type that a declaration can name: so that where such an array meets another,
        or is stored into, it can be told, and is given elements of any size (`loosen`).
        """
        if isinstance(value, str):
            return TEXT
        if value.element is not T:
            return Types(Scope(self.world), self.world.position).element(value.element)
        codes = [code(each) for each in value.elements]
        if None in codes or not codes:
            return Array(INT)
        element = Int(min(codes), max(codes))
        if element in STORED:
            element = Int(element.low, element.high + 1)
        found = Array(element)
        return Array(INT) if found in self.loose else found

    def array(self, name: str, value: Vector | str, position: Position | None) -> Array:
        type_ = self.array_type(value)
        elements = (
            [ord(each) for each in value] if isinstance(value, str) else [code(e) for e in value.elements]
        )
        for at, each in enumerate(elements):
            if each is None:
                raise SourceError(
                    f"element {at} is {brief(value.elements[at])}: arrays hold integers", position
                )
            if each not in type_.element:
                raise SourceError(f"element {at} is {each}, which is not of type {type_.element}", position)
        self.module.arrays[name] = (type_, elements)
        if type_ not in (TEXT, Array(INT)) and type_.element not in STORED:
            self.tight.add(type_)
        return type_

    def loosen(self, type_: Type) -> None:
        """An array of this type is used in a way that its type was not guessed for."""
        if type_ in self.tight:
            self.loose.add(type_)
            raise Again

    def literal(self, value: Vector | str, position: Position | None) -> tuple[str, Array]:
        found = self.literals.get(id(value))
        if found is None:
            name = self.fresh("literal")
            found = self.literals[id(value)] = (name, self.array(name, value, position))
        return found

    def global_value(self, lowering: Lowering, name: Symbol) -> Value:
        b = lowering.b
        if name not in self.world.values:
            raise SourceError(f"the variable {name} is not bound", lowering.b.position)
        value = self.world.values[name]
        if name in self.assigned:
            return b.emit("load", [self.cell(lowering, name), b.const(0)], None, [INT])[0]
        if isinstance(value, (Vector, str)):
            key = self.globals.get(name)
            if key is None:
                key = self.globals[name] = self.fresh(printable(name.name))
                self.array(key, value, b.position)
            type_, _ = self.module.arrays[key]
            return b.emit("global", [], key, [type_])[0]
        if isinstance(value, Cons):
            raise lowering.error(f"{name} is a list, which only macros can work on")
        return lowering.literal(value)

    def cell(self, lowering: Lowering, name: Symbol) -> Value:
        """A global variable that is assigned to: an array of one element."""
        key = self.globals.get(name)
        if key is None:
            key = self.globals[name] = self.fresh(printable(name.name))
            self.module.arrays[key] = (Array(INT), [self.world.values[name]])
        return lowering.b.emit("global", [], key, [Array(INT)])[0]

    def assign_global(self, lowering: Lowering, name: Symbol, value: Value) -> Value:
        old = self.world.values.get(name)
        if old is None:
            raise SourceError(f"the variable {name} is not bound", lowering.b.position)
        if name in self.world.constants:
            raise lowering.error(f"{name} is a constant and cannot be assigned")
        if not isinstance(old, int) or not isinstance(value.type, Int):
            raise lowering.error(f"{name} cannot be assigned: only global variables that hold integers can")
        if name not in self.assigned:
            self.assigned.add(name)
            raise Again
        if name in self.types:
            declared = Types(Scope(self.world), lowering.b.position).parse(self.types[name])
            value = lowering.promised(value, declared, True)
        lowering.b.emit("store", [self.cell(lowering, name), lowering.b.const(0), value])
        return value

    def element(self, vector: Value, index) -> int | None:
        """A constant table's element, where it is sure that nothing is stored there."""
        return None

    # Functions

    def fresh(self, name: str) -> str:
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return f"{name}.{count}" if count else name

    def name(self, name: Symbol) -> str:
        return self.printed[name]

    def result(self, definition: Definition) -> Result | None:
        """What a function returns, found by lowering it; None if it is being lowered, and no guess."""
        name = definition.name
        if name in self.pending:
            self.used.add(name)
            return self.guesses.get(name)
        return self.results.get(name) or self.provisional.get(name) or self.lower(definition)

    def lower(self, definition: Definition) -> Result:
        """Lowers a function, again if it calls itself and returns other than it was taken to.

        At first such a call is taken never to return, so that the other ways tell the types. What
        was found by a guess about a function further out is not kept.
        """
        name = definition.name
        outer = self.used
        self.pending.add(name)
        for _ in range(GUESSES):
            self.used = set()
            lowering = Lowering(self, self.name(name), definition.form.position)
            scope = Scope(self.world)
            scope.safe = definition.safe
            function = lowering.function(definition, scope)
            result = lowering.result()
            if name in self.used and name not in self.guesses and lowering.returns is None:
                # it calls itself on all ways
                result = Result([INT])
            elif name not in self.used or result == self.guesses.get(name):
                break
            self.guesses[name] = result
            self.provisional.clear()
        else:
            message = f"what {name} returns cannot be found out: declaim its ftype"
            raise SourceError(message, definition.form.position)
        self.pending.discard(name)
        self.guesses.pop(name, None)
        self.used.discard(name)
        if self.used:
            self.provisional[name] = result
        else:
            self.results[name] = result
            self.module.functions[self.name(name)] = function
        self.used |= outer
        return result

    def lower_if_wanted(self, definition: Definition) -> None:
        """Leaves out what cannot be compiled if it served its purpose when macros were expanded."""
        try:
            self.lower(definition)
        except SourceError as error:
            error.position = error.position or definition.form.position
            self.pending.clear()
            self.guesses.clear()
            if definition.name not in self.world.evaluator.called:
                raise

    def finish(self) -> Module:
        """The whole program's module."""
        while True:
            self.module = Module()
            self.signatures: dict[Definition, Signature] = {}
            self.lifted: dict = {}
            self.literals: dict[int, tuple[str, Array]] = {}
            self.globals: dict[Symbol, str] = {}
            self.tight: set[Array] = set()
            self.results: dict[Symbol, Result] = {}
            self.pending: set[Symbol] = set()
            self.used: set[Symbol] = set()
            self.guesses: dict[Symbol, Result] = {}
            self.provisional: dict[Symbol, Result] = {}
            self.names: dict[str, int] = {}
            self.printed = {name: self.fresh(printable(name.name)) for name in self.world.functions}
            try:
                for name, definition in self.world.functions.items():
                    self.world.position = definition.form.position
                    definition.inline = name in self.inlined
                    if name not in self.results:
                        self.lower_if_wanted(definition)
            except Again:
                continue
            order = [self.name(name) for name in self.world.functions if name in self.results]
            rest = [name for name in self.module.functions if name not in order]
            self.module.functions = {name: self.module.functions[name] for name in [*order, *rest]}
            return self.module


# Not Common Lisp's, so a program that is also for other Lisps may define them itself.
REDEFINABLE = {"ROTATE-BYTE", "SLDB"}
IGNORED = {
    "IGNORE",
    "IGNORABLE",
    "INLINE",
    "NOTINLINE",
    "DYNAMIC-EXTENT",
    "FTYPE",
    "MUFFLE-CONDITIONS",
    "VALUES",
}

TOP = {
    "progn": Program.each,
    "locally": Program.each,
    "eval-when": Program.eval_when,
    "defun": Program.defun,
    "defmacro": Program.defmacro,
    "defconstant": Program.defconstant,
    "defparameter": Program.defconstant,
    "defvar": Program.defconstant,
    "defglobal": Program.defconstant,
    "deftype": Program.deftype,
    "define-symbol-macro": Program.define_symbol_macro,
    "declaim": Program.declaim,
    "proclaim": Program.declaim,
    "defpackage": Program.ignore,
    "in-package": Program.ignore,
    "require": Program.ignore,
    "provide": Program.ignore,
}


def code(value) -> int | None:
    """An array element as the integer it is stored as."""
    if isinstance(value, Character):
        return value.code
    return value if isinstance(value, int) and not isinstance(value, (bool, Fraction, ByteSpec)) else None


def safety(form: Cons, safe: bool) -> bool:
    """Whether promises are checked after (optimize ...)."""
    for each in items(form.cdr):
        if isinstance(each, Cons) and each.car is S.safety:
            safe = each.cdr.car != 0
    return safe


@contextmanager
def deep() -> Iterator[None]:
    """Room for forms within forms."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def module_of(text: str, file: str = "<text>") -> Module:
    """The program in the text as an IR module; SourceError says what is wrong with it, and where."""
    program = Program()
    with deep():
        try:
            program.read(text, file)
            return program.finish()
        except RecursionError:
            raise SourceError("nested too deeply", program.world.position or Position(file, 1, 1)) from None


def text_of(path: str | Path) -> str:
    """A file's text; SourceError if it is none."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 at byte {error.start}", Position(str(path), 1, 1)) from None


def load(path: str | Path) -> Module:
    """The program in a file as an IR module."""
    return module_of(text_of(path), str(path))
