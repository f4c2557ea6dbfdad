"""Common Lisp, the subset that integer algorithms are written in: source text to an IR module."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ...ir.errors import SourceError
from ...ir.form import BOOL, INT, Array, Function, Int, Module, Position, Type, Value
from ...ir.interface import NULL, Kind, Union
from ...ir.names import ir_name, name_among
from ..ssa import Retry, printable
from . import objects, operators, special, typep  # noqa: F401
from .build import OPERATORS, SPECIAL, LispBuilder
from .calls import GUESSES, LocalFunction, Result
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
from .evaluate import PACKAGE, READTABLE, Definition, Evaluator, bind, macro, with_macros
from .expand import STANDARD, S, Scope, SymbolMacro, declarations, modified, parts, place, storing
from .known import InlineOnly, Layout
from .library import BOOLE_NAMES
from .parameters import LambdaList, Parameter, lambda_list, nameable
from .reader import FEATURES, Reader, Readtable
from .structures import Struct
from .types import FIXNUM, LENGTH_LIMIT, STORED, TEXT, Declared, Types
from .variables import Kinds, Widened

# Python's own limit protects the C stack, which calls between Python functions no longer use.
RECURSION = 30_000


@dataclass
class Signature:
    lambda_list: LambdaList
    parameters: list[Declared]
    declared: dict[Symbol, Declared]
    safe: bool
    results: list[Declared] | None


class World:
    """What a program has defined so far, for both the evaluator and the lowering."""

    def __init__(self) -> None:
        self.functions: dict[Symbol, Definition] = {}
        self.helpers: dict[Symbol, Definition] = {}  # functions that only macros can call
        self.macros: dict[Symbol, Macro] = {}
        self.symbol_macros: dict[Symbol, SymbolMacro] = {}
        self.types: dict[Symbol, tuple[object, object]] = {}
        self.layouts: dict[Symbol, Layout] = {}
        self.setters: dict[Symbol, Callable] = {}  # a defsetf's form, from the arguments and the new value
        self.properties: dict[tuple[Symbol, Symbol], object] = {}
        self.values: dict[Symbol, object] = {
            **BOOLE_NAMES,
            S.most_positive_fixnum: FIXNUM.high,
            S.most_negative_fixnum: FIXNUM.low,
            S.array_dimension_limit: LENGTH_LIMIT,
            S.array_total_size_limit: LENGTH_LIMIT,
        }
        self.constants: set[Symbol] = set(self.values)
        self.omitted: dict[Symbol, SourceError] = {}  # variables that are left out, and why
        self.values[symbol("*FEATURES*")] = listed(*map(symbol, sorted(FEATURES)))
        self.values[READTABLE] = Readtable()
        self.values[PACKAGE] = NIL
        self.position: Position | None = None
        self.evaluator = Evaluator(self)

    def bound(self, name: Symbol) -> bool:
        if name in self.omitted:
            raise self.omitted[name]
        return name in self.values

    def define(self, form: Cons, value: Callable) -> Symbol:
        """Binds the name of a defconstant, defparameter or defvar form; `value` evaluates its source."""
        name, *rest = form.cdr
        if not nameable(name):
            raise SourceError(f"{brief(name)} is not a valid name for a variable", form.position)
        if form.car is S.defvar and (name in self.values or name in self.omitted or not rest):
            return name
        source, *_ = rest
        self.values[name] = value(source)
        self.omitted.pop(name, None)
        if form.car is S.defconstant:
            self.constants.add(name)
        return name

    def constant(self, form, scope: Scope, position: Position | None):
        """A form's value, which must be known at compile time."""
        self.position = position
        outer = Scope(self)
        # of the scope's names, the evaluator sees only macros
        outer.functions = {name: each for name, each in scope.functions.items() if isinstance(each, Macro)}
        outer.variables = {
            name: each for name, each in scope.variables.items() if isinstance(each, SymbolMacro)
        }
        return self.evaluator.one(form, outer)


class FileCompiler:
    """Reads a program, then lowers each of its functions."""

    def __init__(self, wanted: tuple[str, ...] = ()) -> None:
        self.world = World()
        self.safe = True
        self.wanted = wanted  # the functions that are called; if there are none, all are
        self.spare = False  # whether definitions that cannot be compiled are omitted
        self.inlined: set[Symbol] = set()
        self.ftypes: dict[Symbol, Cons] = {}
        self.types: dict[Symbol, object] = {}
        self.loose: set[Array] = set()
        self.assigned: set[Symbol] = set()
        self.standard = self.world.values[READTABLE]  # the readtable with which each file begins
        self.module = Module()

    # Top-level forms

    def read(self, text: str, file: str) -> None:
        self.safe = True
        self.world.values[READTABLE] = self.standard
        for form, position in Reader(text, file, self.world.evaluator).forms():
            self.world.position = position
            self.world.evaluator.refill()
            self.top(form, position, Scope(self.world))

    def top(self, form, position: Position, scope: Scope) -> None:
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
            # as when a file is loaded: the form may assign to global variables
            self.world.constant(form, scope, form.position)
            return
        try:
            handler(self, form, scope)
        except SourceError as error:
            error.position = error.position or form.position
            raise
        except (ValueError, TypeError, AttributeError) as error:
            raise SourceError(f"malformed {head}: {brief(form)}", form.position) from error

    def each(self, form: Cons, scope: Scope) -> None:
        for inner in items(form.cdr):
            self.top(inner, form.position, scope)

    def macrolet(self, form: Cons, scope: Scope) -> None:
        """Definitions within the scope of local macros."""
        inner = with_macros(self.world.evaluator, form, scope)
        _, forms = declarations(form.cdr.cdr)
        for each in forms:
            self.top(each, form.position, inner)

    def eval_when(self, form: Cons, scope: Scope) -> None:
        """As when a file is compiled: forms only for :compile-toplevel only serve macros."""
        when = situations(form)
        outer, self.spare = self.spare, self.spare or "COMPILE-TOPLEVEL" in when
        for inner in items(form.cdr.cdr):
            if "LOAD-TOPLEVEL" in when and not ("COMPILE-TOPLEVEL" in when and self.passing(inner, scope)):
                self.top(inner, form.position, scope)
            elif "COMPILE-TOPLEVEL" in when:
                self.now(inner, form.position, scope)
        self.spare = outer

    @staticmethod
    def passing(form, scope: Scope) -> bool:
        """Whether the form defines nothing: then it is evaluated for its effect."""
        if isinstance(form, Cons) and form.car not in STANDARD:
            form = scope.expand(form)
        return not isinstance(form, Cons) or str(form.car) not in TOP

    def now(self, form, position: Position, scope: Scope) -> None:
        """Evaluates a form at compile time, without compiling it."""
        position = getattr(form, "position", None) or position
        if isinstance(form, Cons) and form.car not in STANDARD:
            form = scope.expand(form)
        head = form.car if isinstance(form, Cons) else None
        if head is S.progn or (head is S.eval_when and "EXECUTE" in situations(form)):
            for inner in items(form.cdr if head is S.progn else form.cdr.cdr):
                self.now(inner, position, scope)
        elif head is S.defun:
            definition = self.definition(form, scope)
            self.world.helpers[definition.name] = definition
        elif str(head) in TOP:
            self.top(form, position, scope)
        else:
            self.world.constant(form, scope, position)

    def ignore(self, form: Cons, scope: Scope) -> None:
        pass

    def defun(self, form: Cons, scope: Scope) -> None:
        definition = self.definition(form, scope)
        self.world.macros.pop(definition.name, None)
        self.world.helpers.pop(definition.name, None)
        self.world.functions[definition.name] = definition

    def definition(self, form: Cons, scope: Scope) -> Definition:
        name, parameters, *body = form.cdr
        block = name
        if isinstance(name, Cons) and name.car is S.setf:
            _, block = name
            name = storing(block)
        if not nameable(block):
            raise SourceError(f"{brief(name)} is not a valid name for a function", form.position)
        if (
            name.name in SPECIAL
            or name in STANDARD
            or (name.name in OPERATORS and name.name not in REDEFINABLE)
        ):
            raise SourceError(f"{name} is Common Lisp's own and cannot be redefined", form.position)
        if body and isinstance(body[0], str) and len(body) > 1:
            body = body[1:]
        declared, forms = declarations(listed(*body))
        # the original cells, which have positions
        rest = form.cdr.cdr.cdr
        for _ in range(length(rest) - len(forms)):
            rest = rest.cdr
        wrapped = listed(*declared, listed(S.block, block, end=rest))
        return Definition(name, parameters, wrapped, form, safe=self.safe, scope=scope, spare=self.spare)

    def defmacro(self, form: Cons, scope: Scope) -> None:
        name, parameters, *body = form.cdr
        if not nameable(name) or name.name in SPECIAL:
            raise SourceError(f"{brief(name)} is not a valid name for a macro", form.position)
        if body and isinstance(body[0], str) and len(body) > 1:
            body = body[1:]
        self.world.functions.pop(name, None)
        self.world.helpers.pop(name, None)
        self.world.macros[name] = macro(self.world.evaluator, name, parameters, listed(*body), scope)

    def defstruct(self, form: Cons, scope: Scope) -> None:
        struct = Struct(form, self.world.layouts)
        if struct.vector is None:
            self.world.layouts[struct.name] = Layout(struct.name, struct.slots, struct.parent, scope)
        for name, accessor in struct.macros():
            self.world.functions.pop(name, None)
            self.world.macros[name] = accessor
        for each in struct.forms():
            self.defun(each, scope)
            self.world.functions[each.cdr.car].here = struct.vector is None

    def defsetf(self, form: Cons, scope: Scope) -> None:
        """(defsetf f g): (setf (f x) new) is (g x new), or what a body makes of x and new."""
        name, second, *rest = form.cdr
        if not rest or isinstance(rest[0], str):
            self.world.setters[name] = lambda names, new, within: listed(second, *names, new)
            return
        (store,), *body = rest
        evaluator = self.world.evaluator
        made = macro(evaluator, name, Cons(store, second), listed(*body), scope)
        self.world.setters[name] = lambda names, new, within: made.expand(
            Cons(name, listed(new, *names), within.position), scope
        )

    def define_modify_macro(self, form: Cons, scope: Scope) -> None:
        """(define-modify-macro name (x ...) f): (name place x ...) sets the place to (f place x ...)."""
        name, parameters, function, *_ = form.cdr
        rest: Symbol | None = None
        names = []
        for each in (given := iter(items(parameters))):
            if each is symbol("&REST"):
                rest = next(given)
            elif each is not symbol("&OPTIONAL"):
                names.append(each.car if isinstance(each, Cons) else each)
            if isinstance(each, Symbol) and each.name == "&KEY":
                raise SourceError("define-modify-macro takes &optional and &rest parameters", form.position)

        def expand(form: Cons, inner: Scope):
            target, *_ = parts(form, 1)
            bound = bind(self.world.evaluator, parameters, form.cdr.cdr, scope, form, str(name)).variables
            arguments = [bound[each].value for each in names] + items(bound[rest].value if rest else NIL)
            where = place(target, inner, form)
            return modified(where, arguments, lambda old, *rest: listed(function, old, *rest))

        self.world.functions.pop(name, None)
        self.world.macros[name] = Macro(name, expand)

    def defconstant(self, form: Cons, scope: Scope) -> None:
        try:
            self.world.define(form, lambda source: self.world.constant(source, scope, form.position))
        except SourceError as error:
            if not self.spare or not nameable(name := form.cdr.car):
                raise
            self.world.values.pop(name, None)
            self.world.omitted[name] = error

    def deftype(self, form: Cons, scope: Scope) -> None:
        name, parameters, *body = form.cdr
        _, body = declarations(listed(*body))
        body = body[1:] if len(body) > 1 and isinstance(body[0], str) else body
        self.world.types[name] = parameters, listed(*body)

    def objects(self, form: Cons, scope: Scope) -> None:
        if self.spare:
            return
        what = "write a defstruct, and functions of it"
        raise SourceError(
            f"{form.car} makes objects with classes, which compiled code does not support: {what}"
        )

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
                    raise SourceError(f"{brief(each)} is not a declaration", position)
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

    def local(self, definition: Definition) -> LocalFunction:
        """The function, made one that is lowered at its calls."""
        if definition not in self.locals:
            scope = definition.scope.with_(safe=definition.safe)
            self.locals[definition] = LocalFunction(definition.name, definition, scope)
        return self.locals[definition]

    def signature(self, definition: Definition, scope: Scope) -> Signature:
        found = self.signatures.get(definition)
        if found is None:
            try:
                found = self.find_signature(definition, scope)
            except (ValueError, TypeError, AttributeError) as error:
                where = definition.form.position
                raise SourceError(f"malformed {brief(definition.name)}'s parameters", where) from error
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
        declared_types = [self.parameter_type(each, types) for each in parameters.parameters]
        return Signature(parameters, declared_types, types, safe, results)

    @staticmethod
    def parameter_type(parameter: Parameter, types: dict[Symbol, Declared]) -> Declared:
        """The declared type; a parameter that is nil or t by default may be anything but an array."""
        anything = parameter.how and parameter.default in (NIL, T)
        return types.get(parameter.name, Declared(Union((BOOL, INT)) if anything else None))

    def ftype(
        self, form: Cons, parameters: LambdaList, types: dict, scope: Scope, position
    ) -> list[Declared] | None:
        """Takes the parameters' types from (function (types) result), and returns the results'."""
        _, arguments, *result = form
        parser = Types(scope, position)
        given = [
            each for each in items(arguments) if not (isinstance(each, Symbol) and each.name.startswith("&"))
        ]
        for parameter, specifier in zip(parameters.positional(), given, strict=False):
            types.setdefault(parameter.name, parser.parse(specifier))
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
        """A constant vector's type; if none was declared, its elements have the range of its contents.

        No declaration can name that range. So if such an array joins another, or is stored into, it can be
        recognized, and is given elements of any size (`loosen`).
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
        """An array with this guessed type is used in a way that its type does not allow."""
        if type_ in self.tight:
            self.loose.add(type_)
            raise Retry

    def literal(self, value: Vector | str, position: Position | None) -> tuple[str, Array]:
        found = self.literals.get(id(value))
        if found is None:
            name = self.fresh("literal")
            found = self.literals[id(value)] = (name, self.array(name, value, position))
        return found

    def global_value(self, lowering: LispBuilder, name: Symbol) -> Value:
        b = lowering.b
        if not self.world.bound(name):
            raise SourceError(f"the variable {name} is not bound", lowering.place(name))
        value = self.world.values[name]
        if name in self.assigned:
            return b.emit("load", [self.cell(lowering, name), b.const(0)], None, [INT])[0]
        if isinstance(value, (Vector, str)):
            key = self.globals.get(name)
            if key is None:
                key = self.fresh(printable(name.name))
                self.array(key, value, b.position)
                self.globals[name] = key
            type_, _ = self.module.arrays[key]
            return lowering.shaped(b.emit("global", [], key, [type_])[0], value)
        if isinstance(value, Cons):
            raise lowering.error(f"{name} is a list, which exists only in macros")
        return lowering.literal(value)

    def cell(self, lowering: LispBuilder, name: Symbol) -> Value:
        """A global variable that is assigned to, as an array of one element."""
        key = self.globals.get(name)
        if key is None:
            key = self.globals[name] = self.fresh(printable(name.name))
            self.module.arrays[key] = (Array(INT), [self.world.values[name]])
        return lowering.b.emit("global", [], key, [Array(INT)])[0]

    def assign_global(self, lowering: LispBuilder, name: Symbol, value: Value) -> Value:
        old = self.world.values.get(name)
        if not self.world.bound(name):
            raise SourceError(f"the variable {name} is not bound", lowering.place(name))
        if name in self.world.constants:
            raise lowering.error(f"{name} is a constant and cannot be assigned")
        if not isinstance(old, int) or not isinstance(value.type, Int):
            raise lowering.error(f"{name} cannot be assigned: only global variables that hold integers can")
        if name not in self.assigned:
            self.assigned.add(name)
            raise Retry
        if name in self.types:
            declared = Types(Scope(self.world), lowering.b.position).parse(self.types[name])
            value = lowering.promised(value, declared, True)
        lowering.b.emit("store", [self.cell(lowering, name), lowering.b.const(0), value])
        return value

    # Functions

    def no_elements(self, type_: Array) -> str:
        """The name of an empty array."""
        name = f"none-{printable(str(type_))}"
        self.module.arrays[name] = (type_, [])
        return name

    def fresh(self, name: str) -> str:
        found = name
        while found in self.names:
            self.names[name] += 1
            found = f"{name}.{self.names[name]}"
        self.names[found] = 0
        return found

    def name(self, name: Symbol) -> str:
        return self.printed[name]

    def result(self, definition: Definition) -> Result | None:
        """What a function returns, found by lowering it; None if that is under way and there is no guess."""
        name = definition.name
        if name in self.pending:
            self.used.add(name)
            return self.guesses.get(name)
        if definition in self.unalone:
            raise self.unalone[definition]
        return self.results.get(name) or self.provisional.get(name) or self.lower(definition)

    def lower(self, definition: Definition) -> Result:
        """Lowers a function; again, if it is recursive and returns something other than was assumed.

        At first, a recursive call is assumed not to return, so the other paths give the types. What was found
        by a guess about an outer function is not kept.
        """
        name = definition.name
        outer = self.used
        self.pending.add(name)
        for _ in range(GUESSES):
            try:
                lowering, function = self.lowered(definition)
            except InlineOnly as error:
                self.pending.discard(name)
                self.guesses.pop(name, None)
                self.used = outer
                self.unalone[error.of] = error
                raise
            result = lowering.result()
            if name in self.used and name not in self.guesses and lowering.returns is None:
                # it is recursive on all paths
                result = Result([INT])
            elif name not in self.used or result == self.guesses.get(name):
                break
            self.guesses[name] = result
            self.provisional.clear()
        else:
            message = f"what {name} returns cannot be determined: declaim its ftype"
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

    def lowered(self, definition: Definition) -> tuple[LispBuilder, Function]:
        """Lowers a function; again for each of its variables that turns out to have several kinds.

        It may fail because a loop uses a variable that is nil at first as what it becomes later in the loop.
        Then all such variables are assumed to become integers, until it is known which do.
        """
        scope = definition.scope.with_(safe=definition.safe)
        found: dict[int, Kind] = {}
        wrong: SourceError | None = None
        guessed: set[int] = set()
        while True:
            self.used = set()
            kinds = Kinds(found)
            lowering = LispBuilder(self, self.name(definition.name), definition.form.position, kinds)
            try:
                function = lowering.function(definition, scope)
                if not guessed:
                    return lowering, function
                # the variables that did become integers
                found = {n: k for n, k in found.items() if n not in guessed or n in kinds.integers}
                guessed = set()
            except Widened as widened:
                found[widened.number] = widened.kind
                guessed.discard(widened.number)
            except InlineOnly:
                self.forget(kinds)
                raise
            except SourceError as error:
                guessed = kinds.nils - found.keys()
                if wrong or error.final or not guessed:
                    error = wrong or error
                    error.position = error.position or definition.form.position
                    error.final = True
                    self.forget(kinds)
                    raise error from None
                wrong = error
                found.update(dict.fromkeys(guessed, Union((NULL, INT))))
            self.forget(kinds)

    def forget(self, kinds: Kinds) -> None:
        """Drops the local functions of a lowering that is discarded."""
        for name in kinds.lifted:
            del self.module.functions[name]

    def lower_if_wanted(self, definition: Definition) -> None:
        """Lowers a function, or omits it if it cannot be compiled: perhaps only macros needed it."""
        try:
            self.lower(definition)
        except SourceError as error:
            error.position = error.position or definition.form.position
            self.pending.clear()
            self.guesses.clear()
            self.failed.append((definition.name, error))

    def finish(self) -> Module:
        """The module of the whole program."""
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
            self.failed: list[tuple[Symbol, SourceError]] = []
            self.locals: dict[Definition, LocalFunction] = {}
            self.unalone: dict[Definition, InlineOnly] = {}
            self.inlined_calls: set[Symbol] = set()
            self.names: dict[str, int] = {}
            self.printed = {name: self.fresh(ir_name(name.name)) for name in self.world.functions}
            try:
                for name, definition in self.world.functions.items():
                    self.world.position = definition.form.position
                    self.world.evaluator.refill()
                    definition.inline = name in self.inlined
                    if name not in self.results:
                        self.lower_if_wanted(definition)
            except Retry:
                continue
            wanted = {name_among(each, self.printed.values()) for each in self.wanted}
            for name, error in self.failed:
                definition = self.world.functions[name]
                alone = isinstance(error, InlineOnly) and error.of is definition
                served = name in self.world.evaluator.called | self.inlined_calls
                if not alone and not served and (not definition.spare or self.name(name) in wanted):
                    raise error
            order = [self.name(name) for name in self.world.functions if name in self.results]
            rest = [name for name in self.module.functions if name not in order]
            self.module.functions = {name: self.module.functions[name] for name in [*order, *rest]}
            return self.module


# The situations of an eval-when, by their current and old names.
WHEN = {
    ":COMPILE-TOPLEVEL": "COMPILE-TOPLEVEL", "COMPILE": "COMPILE-TOPLEVEL",
    ":LOAD-TOPLEVEL": "LOAD-TOPLEVEL", "LOAD": "LOAD-TOPLEVEL", ":EXECUTE": "EXECUTE", "EVAL": "EXECUTE",
}  # fmt: skip

# Not part of Common Lisp, so a program that is also for other Lisps may define them itself.
REDEFINABLE = {"ROTATE-BYTE", "SLDB"}
IGNORED = {
    "IGNORE", "IGNORABLE", "INLINE", "NOTINLINE", "DYNAMIC-EXTENT", "FTYPE", "MUFFLE-CONDITIONS", "VALUES",
}  # fmt: skip

TOP = {
    "progn": FileCompiler.each,
    "locally": FileCompiler.each,
    "eval-when": FileCompiler.eval_when,
    "defun": FileCompiler.defun,
    "defmacro": FileCompiler.defmacro,
    "defconstant": FileCompiler.defconstant,
    "defparameter": FileCompiler.defconstant,
    "defvar": FileCompiler.defconstant,
    "defglobal": FileCompiler.defconstant,
    "deftype": FileCompiler.deftype,
    "define-symbol-macro": FileCompiler.define_symbol_macro,
    "declaim": FileCompiler.declaim,
    "proclaim": FileCompiler.declaim,
    "defpackage": FileCompiler.ignore,
    "in-package": FileCompiler.ignore,
    "macrolet": FileCompiler.macrolet,
    "symbol-macrolet": FileCompiler.macrolet,
    "defstruct": FileCompiler.defstruct,
    "defsetf": FileCompiler.defsetf,
    "define-modify-macro": FileCompiler.define_modify_macro,
    "define-compiler-macro": FileCompiler.ignore,
    **dict.fromkeys(("defclass", "defgeneric", "defmethod", "define-condition"), FileCompiler.objects),
    "require": FileCompiler.ignore,
    "provide": FileCompiler.ignore,
}


def situations(form: Cons) -> set[str]:
    """The situations of an eval-when."""
    given = items(form.cdr.car)
    if not all(isinstance(each, Symbol) and each.name in WHEN for each in given):
        known = "the situations are :compile-toplevel, :load-toplevel and :execute"
        raise SourceError(f"{brief(form.cdr.car)}: {known}", form.position)
    return {WHEN[each.name] for each in given}


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
    """Raises Python's recursion limit, for nested forms."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def module_of(
    text: str, file: str = "<text>", *more: tuple[str, str], wanted: tuple[str, ...] = ()
) -> Module:
    """The program in the text as an IR module; SourceError says what is wrong with it, and where.

    `more` are further texts of the same program, each with its file's name. In all texts but the last,
    definitions that cannot be compiled are omitted, unless compiled code uses them; in the last, too, if
    the functions that are `wanted` of the program are given.
    """
    program = FileCompiler(wanted)
    with deep():
        try:
            texts = [(text, file), *more]
            for each in texts:
                program.spare = bool(wanted) or each is not texts[-1]
                program.read(*each)
            return program.finish()
        except RecursionError:
            raise SourceError("nested too deeply", program.world.position or Position(file, 1, 1)) from None


def text_of(path: str | Path) -> str:
    """A file's text; SourceError if it is not text."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 at byte {error.start}", Position(str(path), 1, 1)) from None


def load(path: str | Path) -> Module:
    """The program in a file as an IR module."""
    return module_of(text_of(path), str(path))
