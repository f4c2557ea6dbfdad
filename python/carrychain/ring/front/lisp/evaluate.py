"""Runs Lisp at compile time: macros, and the initial values of constants.

It supports the special forms and functions of the compiler, on unbounded integers, and in addition what
macros need: lists, symbols, strings and functions as values. It ignores types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...ir.errors import SourceError
from ..handlers import entering
from . import lists, reading, sequences, tables, texts  # noqa: F401
from .data import NIL, ByteSpec, Cons, Macro, Symbol, T, Vector, brief, items, listed, symbol
from .expand import S, Scope, SymbolMacro, declarations, storing
from .library import FUNCTIONS, BadArguments, MultipleValues, first, truth
from .limits import CELL, CODE_MAX, Limits
from .loop import UNBOUND
from .reader import Readtable


@dataclass(eq=False)
class Definition:
    """A function's definition in the program."""

    name: Symbol
    parameters: object
    body: object
    form: Cons
    inline: bool = False
    safe: bool = True
    scope: Scope | None = None  # the scope of local macros; a function that flet defines has its own
    spare: bool = False  # omitted if it cannot be compiled: perhaps only macros call it, or nothing
    here: bool = False  # compiled at its calls, because its result is known only there


@dataclass(eq=False)
class Closure:
    name: str
    parameters: object
    body: object
    scope: Scope


@dataclass(eq=False)
class Cell:
    """A variable."""

    value: object


READTABLE = symbol("*READTABLE*")
PACKAGE = symbol("*PACKAGE*")  # may be rebound, since all packages are one


class Unwind(Exception):
    """A transfer of control to a block or a tag."""

    def __init__(self, target: object, value: object):
        self.target = target
        self.value = value


class Evaluator(Limits):
    def __init__(self, world):
        super().__init__()
        self.world = world
        self.form: Cons | None = None
        self.called: set[Symbol] = set()
        self.expanded: dict[int, tuple[Cons, Macro, object]] = {}

    def error(self, message: str, form=None) -> SourceError:
        position = (
            getattr(form, "position", None) or getattr(self.form, "position", None) or self.world.position
        )
        return SourceError(message, position)

    def one(self, form, scope: Scope):
        value = self.eval(form, scope)
        return first(value) if value.__class__ is MultipleValues else value

    def all(self, form, scope: Scope) -> list:
        """All of the form's values."""
        value = self.eval(form, scope)
        return value if value.__class__ is MultipleValues else [value]

    def each(self, forms, scope: Scope) -> list:
        """The first value of each form."""
        found = []
        while forms.__class__ is Cons:
            self.steps -= 1
            if self.steps < 0:
                self.work(0, forms)
            found.append(self.one(forms.car, scope))
            forms = forms.cdr
        if forms is not NIL:
            raise self.error("a list that ends in a dot is not allowed here", forms)
        return found

    def eval(self, form, scope: Scope):
        if isinstance(form, Symbol):
            return self.variable(form, scope)
        if not isinstance(form, Cons):
            return form
        self.steps -= 1
        if self.steps < 0:
            self.work(0, form)
        if form.position is not None:
            self.form = form
        head = form.car
        if isinstance(head, Symbol):
            special = SPECIAL.get(head)
            if special:
                try:
                    return special(self, form, scope)
                except (ValueError, TypeError, AttributeError):
                    raise self.error(f"malformed {head}: {brief(form)}", form) from None
            macro = scope.macro(head)
            if macro:
                return self.eval(self.expansion(form, macro, scope), scope)
            return self.apply(self.function(head, scope, form), self.each(form.cdr, scope), form)
        if isinstance(head, Cons) and head.car is S.lambda_:
            return self.apply(self.one(head, scope), self.each(form.cdr, scope), form)
        raise self.error(f"{brief(head)} is not a function", form)

    def expansion(self, form: Cons, macro: Macro, scope: Scope):
        """The form's expansion, which is cached, because loops evaluate the form repeatedly."""
        known = self.expanded.get(id(form))
        if known and known[0] is form and known[1] is macro and scope.plain:
            return known[2]
        expanded = macro.expand(form, scope)
        if scope.plain:
            self.expanded[id(form)] = (form, macro, expanded)
        return expanded

    def variable(self, name: Symbol, scope: Scope):
        found = scope.variables.get(name)
        if found.__class__ is Cell:
            return found.value
        if name in (NIL, T, UNBOUND) or name.name.startswith(":"):
            return NIL if name is UNBOUND else name
        found = found or self.world.symbol_macros.get(name)
        if isinstance(found, SymbolMacro):
            return self.eval(found.form, scope)
        if self.world.bound(name):
            return self.world.values[name]
        raise self.error(f"the variable {name} has no value at compile time")

    def cell(self, name: Symbol, value, form) -> Cell:
        """A new variable."""
        if name in self.world.values and name is not PACKAGE:
            raise self.error(f"{name} is a global variable, which cannot be rebound", form)
        return Cell(value)

    def function(self, name, scope: Scope, form):
        if isinstance(name, Cons) and name.car is S.lambda_:
            return self.one(name, scope)
        found = scope.functions.get(name)
        if isinstance(found, Closure):
            return found
        if isinstance(name, Cons) and name.car is S.setf:
            name = storing(name.cdr.car)
        definition = self.world.helpers.get(name) or self.world.functions.get(name)
        if definition:
            self.called.add(name)
            return Closure(str(name), definition.parameters, definition.body, definition.scope)
        if name in FUNCTIONS:
            return FUNCTIONS[name]
        raise self.error(f"the function {name} is not defined at compile time", form)

    def apply(self, function, arguments: list, form=None):
        if isinstance(function, Symbol):
            function = self.function(function, Scope(self.world), form)
        if not isinstance(function, Closure):
            if not callable(function):
                raise self.error(f"{brief(function)} is not a function", form)
            return self.native(function, arguments, form)
        self.enter(function.name, "calls itself", form)
        try:
            scope = bind(self, function.parameters, listed(*arguments), function.scope, form, function.name)
            return self.progn(function.body, scope)
        finally:
            self.calls -= 1

    # For the reader

    def evaluated(self, form, position):
        self.world.position = position
        return self.one(form, Scope(self.world))

    def readtable(self) -> Readtable:
        return self.world.values[READTABLE]

    def read_by(self, function, arguments: list, position):
        self.world.position = position
        found = self.apply(function, arguments)
        if isinstance(found, MultipleValues):
            return found[0] if found else None
        return found

    def expand_type(self, form):
        """The expansion of a type that the program defines."""
        head, arguments = (form.car, form.cdr) if isinstance(form, Cons) else (form, NIL)
        parameters, body = self.world.types[head]
        return self.progn(
            body, bind(self, parameters, arguments, Scope(self.world), None, str(head), star=True)
        )

    def native(self, function: Callable, arguments: list, form):
        """Calls a function of the library."""
        try:
            for each in arguments:
                if each.__class__ is not Cons and each.__class__ is not Symbol:
                    self.long(each)
            return function(self, *arguments)
        except SourceError as error:
            error.position = error.position or self.error("", form).position
            raise
        except (TypeError, ValueError, AttributeError, IndexError, KeyError, BadArguments):
            shown = " ".join(map(brief, arguments[:8]))
            name = brief(form.car) if isinstance(form, Cons) else "the function"
            raise self.error(f"{name} does not take these arguments: {shown}", form) from None
        except ZeroDivisionError:
            raise self.error("division by zero", form) from None
        except (MemoryError, OverflowError):
            raise self.error("too large a number", form) from None

    def progn(self, body, scope: Scope):
        result = NIL
        while body.__class__ is Cons:
            form = body.car
            if form.__class__ is not Cons:
                self.work(1, body)
            if form.__class__ is not Cons or form.car is not S.declare:
                result = self.eval(form, scope)
            body = body.cdr
        return result


# Lambda lists ---------------------------------------------------------------------------------

KEYWORDS = {"&OPTIONAL", "&REST", "&BODY", "&KEY", "&AUX", "&WHOLE", "&ENVIRONMENT", "&ALLOW-OTHER-KEYS"}


def bind(
    evaluator: Evaluator,
    pattern,
    values,
    scope: Scope,
    form=None,
    name: str = "",
    whole=None,
    around=NIL,
    star=False,
) -> Scope:
    """The scope with the lambda list's variables bound to the values; patterns may be nested.

    &whole is `whole`, or else the values; &environment is `around`. With `star`, for a type's arguments,
    omitted ones are *.
    """
    inner = scope.with_()
    inner.variables = {**scope.variables}

    def wrong(what: str) -> SourceError:
        return evaluator.error(
            f"{name or 'this'} was given {what} arguments: it takes {brief(pattern)}", form
        )

    def give(target, value) -> None:
        nonlocal inner
        if isinstance(target, Symbol) and target is not NIL:
            inner.variables[target] = evaluator.cell(target, value, form)
        else:
            inner = bind(evaluator, target, value, inner, form, name)

    def default(spec) -> object:
        return evaluator.one(spec[1], inner) if len(spec) > 1 else symbol("*") if star else NIL

    mode = ""
    rest = values
    cell = pattern
    while isinstance(cell, Cons):
        each = cell.car
        cell = cell.cdr
        if isinstance(each, Symbol) and each.name in KEYWORDS:
            before, mode = mode, each.name
            if mode in ("&REST", "&BODY", "&WHOLE"):
                given = values if whole is None else whole
                give(cell.car, given if mode == "&WHOLE" else rest)
                cell = cell.cdr
                if mode == "&WHOLE":
                    mode = ""
            elif mode == "&ENVIRONMENT":
                give(cell.car, around)
                cell = cell.cdr
                mode = before
        elif mode == "":
            if not isinstance(rest, Cons):
                raise wrong("too few")
            give(each, rest.car)
            rest = rest.cdr
        elif mode in ("&OPTIONAL", "&KEY", "&AUX"):
            spec = list(each) if isinstance(each, Cons) else [each]
            target, found = spec[0], []
            if mode == "&OPTIONAL" and isinstance(rest, Cons):
                found, rest = [rest.car], rest.cdr
            elif mode == "&KEY":
                key, target = target if isinstance(target, Cons) else (symbol(":" + target.name), target)
                given = items(rest)
                found = [given[at + 1] for at in range(0, len(given) - 1, 2) if given[at] is key]
            give(target, found[0] if found else default(spec))
            if len(spec) > 2 and mode != "&AUX":
                give(spec[2], truth(bool(found)))
    if cell is not NIL:
        give(cell, rest)
    elif mode in ("", "&OPTIONAL") and rest is not NIL:
        raise wrong("too many")
    return inner


# Special forms --------------------------------------------------------------------------------

SPECIAL: dict[Symbol, Callable] = {}
special = entering(SPECIAL, lambda name, function: (symbol(name), function))

special("QUOTE")(lambda self, form, scope: form.cdr.car)
special("THE")(lambda self, form, scope: self.eval(form.cdr.cdr.car, scope))
special("DECLARE")(lambda self, form, scope: NIL)
special("LOAD-TIME-VALUE")(lambda self, form, scope: self.one(form.cdr.car, Scope(self.world)))
special("LAMBDA")(lambda self, form, scope: Closure("this function", form.cdr.car, form.cdr.cdr, scope))
special("FUNCTION")(lambda self, form, scope: self.function(form.cdr.car, scope, form))


@special("QUASIQUOTE")
def _quasiquote(self: Evaluator, form: Cons, scope: Scope):
    return fill(self, form.cdr.car, 1, scope)


def fill(self: Evaluator, template, depth: int, scope: Scope):
    """A backquoted template with the commas' values inserted."""
    if isinstance(template, Vector):
        filled = items(fill(self, listed(*template.elements), depth, scope))
        return Vector(filled, template.element, template.dimensions)
    if not isinstance(template, Cons):
        return template
    if template.car is S.unquote:
        if depth == 1:
            return self.one(template.cdr.car, scope)
        return Cons(S.unquote, fill(self, template.cdr, depth - 1, scope))
    if template.car is S.quasiquote:
        return listed(S.quasiquote, fill(self, template.cdr.car, depth + 1, scope))
    parts: list = []
    cell = template
    while isinstance(cell, Cons) and not (cell is not template and cell.car in (S.unquote, S.quasiquote)):
        each = cell.car
        head = each.car if each.__class__ is Cons else None
        if head is None:
            parts.append(fill(self, each, depth, scope) if each.__class__ is Vector else each)
        elif head is S.splice and depth == 1:
            # several, if a ,@ was nested in this one
            *values, last = [self.one(source, scope) for source in each.cdr]
            for value in values:
                parts += lists.elements(self, value)
            if cell.cdr is NIL:
                return listed(*parts, end=last)
            parts += lists.elements(self, last)
        elif head is S.unquote and depth == 1:
            parts += [self.one(source, scope) for source in each.cdr]
        elif head is S.splice:
            parts.append(Cons(S.splice, fill(self, each.cdr, depth - 1, scope)))
        else:
            parts.append(fill(self, each, depth, scope))
        cell = cell.cdr
    self.cells(len(parts))
    self.room(len(parts) * CELL)
    return listed(*parts, end=NIL if cell is NIL else fill(self, cell, depth, scope))


@special("IF")
def _if(self: Evaluator, form: Cons, scope: Scope):
    test, then, *otherwise = form.cdr
    if self.one(test, scope) is not NIL:
        return self.eval(then, scope)
    return self.eval(otherwise[0], scope) if otherwise else NIL


@special("PROGN", "LOCALLY", "EVAL-WHEN")
def _progn(self: Evaluator, form: Cons, scope: Scope):
    return self.progn(form.cdr.cdr if form.car is S.eval_when else form.cdr, scope)


@special("LET", "LET*")
def _let(self: Evaluator, form: Cons, scope: Scope):
    inner = scope
    bound = {}
    for each in items(form.cdr.car):
        name, *value = each if isinstance(each, Cons) else [each]
        cell = self.cell(name, self.one(value[0], inner) if value else NIL, form)
        if form.car is S.let:
            bound[name] = cell
        else:
            inner = inner.with_(variables={name: cell})
    return self.progn(form.cdr.cdr, inner.with_(variables=bound) if bound else inner)


@special("SETQ")
def _setq(self: Evaluator, form: Cons, scope: Scope):
    value = NIL
    pairs = list(form.cdr)
    for name, source in zip(pairs[::2], pairs[1::2], strict=True):
        found = scope.variables.get(name)
        if isinstance(found, SymbolMacro):
            value = self.one(listed(S.setf, found.form, source), scope)
            continue
        value = self.one(source, scope)
        if found is not None:
            found.value = value
        elif name in self.world.values:
            self.world.values[name] = value
        else:
            raise self.error(f"{name} is not a variable", form)
    return value


@special("DEFCONSTANT", "DEFPARAMETER", "DEFVAR", "DEFGLOBAL")
def _defconstant(self: Evaluator, form: Cons, scope: Scope):
    return self.world.define(form, lambda source: self.one(source, scope))


@special("%DOLIST")
def _dolist(self: Evaluator, form: Cons, scope: Scope):
    """The items are taken one by one, because iterations may modify the list."""
    name, source, turn, result = form.cdr
    rest = self.one(source, scope)
    while isinstance(rest, Cons):
        self.work(1, form)
        self.eval(turn, scope.with_(variables={name: self.cell(name, rest.car, form)}))
        rest = rest.cdr
    if rest is not NIL:
        raise self.error("dolist takes a list", form)
    return self.eval(result, scope)


@special("FLET", "LABELS")
def _flet(self: Evaluator, form: Cons, scope: Scope):
    closures = {}
    for name, parameters, *body in items(form.cdr.car):
        closures[name] = Closure(str(name), parameters, listed(listed(S.block, name, *body)), scope)
    inner = scope.with_(functions=closures)
    if form.car is S.labels:
        for closure in closures.values():
            closure.scope = inner
    return self.progn(form.cdr.cdr, inner)


@special("MACROLET", "SYMBOL-MACROLET")
def _macrolet(self: Evaluator, form: Cons, scope: Scope):
    return self.progn(form.cdr.cdr, with_macros(self, form, scope))


@special("BLOCK")
def _block(self: Evaluator, form: Cons, scope: Scope):
    target = object()
    try:
        return self.progn(form.cdr.cdr, scope.with_(blocks={form.cdr.car: target}))
    except Unwind as unwind:
        if unwind.target is not target:
            raise
        return unwind.value


@special("RETURN-FROM")
def _return_from(self: Evaluator, form: Cons, scope: Scope):
    name, *value = form.cdr
    if name not in scope.blocks:
        raise self.error(f"there is no block {name} here", form)
    raise Unwind(scope.blocks[name], self.eval(value[0], scope) if value else NIL)


@special("TAGBODY")
def _tagbody(self: Evaluator, form: Cons, scope: Scope):
    forms = items(form.cdr)
    targets = {each: object() for each in forms if not isinstance(each, Cons)}
    places = {targets[each]: at for at, each in enumerate(forms) if not isinstance(each, Cons)}
    inner = scope.with_(tags=targets)
    at = 0
    while at < len(forms):
        try:
            if isinstance(forms[at], Cons):
                self.eval(forms[at], inner)
            at += 1
        except Unwind as unwind:
            if unwind.target not in places:
                raise
            at = places[unwind.target]
            self.work(1)
    return NIL


@special("GO")
def _go(self: Evaluator, form: Cons, scope: Scope):
    if form.cdr.car not in scope.tags:
        raise self.error(f"there is no tag {form.cdr.car} here", form)
    raise Unwind(scope.tags[form.cdr.car], None)


@special("MULTIPLE-VALUE-BIND")
def _multiple_value_bind(self: Evaluator, form: Cons, scope: Scope):
    names, source, *body = form.cdr
    names = items(names)
    values = [*self.all(source, scope), *[NIL] * len(names)]
    bound = {name: self.cell(name, value, form) for name, value in zip(names, values, strict=False)}
    return self.progn(listed(*body), scope.with_(variables=bound))


@special("MULTIPLE-VALUE-LIST")
def _multiple_value_list(self: Evaluator, form: Cons, scope: Scope):
    (source,) = form.cdr
    return listed(*self.all(source, scope))


@special("MULTIPLE-VALUE-PROG1")
def _multiple_value_prog1(self: Evaluator, form: Cons, scope: Scope):
    values = self.eval(form.cdr.car, scope)
    self.progn(form.cdr.cdr, scope)
    return values


@special("NTH-VALUE")
def _nth_value(self: Evaluator, form: Cons, scope: Scope):
    index, source = form.cdr
    index = self.one(index, scope)
    values = self.all(source, scope)
    return values[index] if index < len(values) else NIL


@special("DESTRUCTURING-BIND")
def _destructuring_bind(self: Evaluator, form: Cons, scope: Scope):
    pattern, source, *body = form.cdr
    return self.progn(
        listed(*body), bind(self, pattern, self.one(source, scope), scope, form, "destructuring-bind")
    )


@special("BYTE")
def _byte(self: Evaluator, form: Cons, scope: Scope):
    size, position = form.cdr
    return ByteSpec(self.one(size, scope), self.one(position, scope))


def endless(code) -> bool:
    """Whether code has too many cells, for example because it is circular; quoted data are not counted."""
    left, count = [code], 0
    while left and count <= CODE_MAX:
        cell = left.pop()
        while cell.__class__ is Cons and cell.car is not S.quote and count <= CODE_MAX:
            count += 1
            left.append(cell.car)
            cell = cell.cdr
    return count > CODE_MAX


def local_macros(evaluator: Evaluator, form: Cons) -> dict:
    """The definitions of a macrolet or symbol-macrolet."""
    if form.car is S.symbol_macrolet:
        return {name: SymbolMacro(expansion) for name, expansion in items(form.cdr.car)}
    return {
        name: macro(evaluator, name, parameters, listed(*body))
        for name, parameters, *body in items(form.cdr.car)
    }


def with_macros(evaluator: Evaluator, form: Cons, scope: Scope) -> Scope:
    """The scope inside a macrolet or symbol-macrolet."""
    what = "variables" if form.car is S.symbol_macrolet else "functions"
    return scope.with_(**{what: local_macros(evaluator, form)}, plain=False)


def macro(evaluator: Evaluator, name: Symbol, parameters, body, within: Scope | None = None) -> Macro:
    """A macro that evaluates its body on the form's arguments, in the scope of local macros."""
    within = within or Scope(evaluator.world)
    _, rest = declarations(body)
    wrapped = listed(listed(S.block, name, *rest))

    def expand(form: Cons, scope: Scope):
        outer = evaluator.form
        evaluator.form = form
        evaluator.enter(name, "expands", form)
        try:
            inner = bind(evaluator, parameters, form.cdr, within, form, str(name), form, scope)
            expansion = first(evaluator.progn(wrapped, inner))
            if endless(expansion):
                what = f"the macro {name} expands into code of more than {CODE_MAX:,} cells"
                raise evaluator.error(f"{what}: it is circular, or far too long", form)
            return expansion
        finally:
            evaluator.calls -= 1
            evaluator.form = outer

    return Macro(name, expand)
