"""Runs Lisp when the program is compiled: macros, and what constants are made of.

It knows the special forms and functions that the compiler knows, on integers without end, and what
macros need besides: lists, symbols, strings and functions as values. It does not look at types.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from .. import interpret
from ..errors import SourceError
from ..ir import LOGIC
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
    listed,
    symbol,
    written,
)
from .expand import S, Scope, SymbolMacro, declarations, temporary
from .loop import UNBOUND
from .reader import rational

# Calls within calls, and evaluations altogether: more of them is taken for no end.
CALLS_MAX = 1000
STEPS_MAX = 5_000_000


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


class Values(list):
    """Other than one value."""


class Unwind(Exception):
    """On its way to a block or a tag."""

    def __init__(self, target: object, value: object):
        self.target = target
        self.value = value


def truth(value: bool) -> Symbol:
    return T if value else NIL


def first(value):
    """The one value that counts."""
    if isinstance(value, Values):
        return value[0] if value else NIL
    return value


class Refused(Exception):
    """A function does not take these arguments."""


class Evaluator:
    def __init__(self, world):
        self.world = world
        self.calls = 0
        self.steps = 0
        self.form: Cons | None = None
        self.called: set[Symbol] = set()

    def error(self, message: str, form=None) -> SourceError:
        position = (
            getattr(form, "position", None) or getattr(self.form, "position", None) or self.world.position
        )
        return SourceError(message, position)

    def one(self, form, scope: Scope):
        return first(self.eval(form, scope))

    def eval(self, form, scope: Scope):
        if isinstance(form, Symbol):
            return self.variable(form, scope)
        if not isinstance(form, Cons):
            return form
        self.steps += 1
        if self.steps > STEPS_MAX:
            raise self.error("what is computed when the program is compiled does not end", form)
        if form.position:
            self.form = form
        head = form.car
        if isinstance(head, Symbol):
            special = SPECIAL.get(head)
            if special:
                try:
                    return special(self, form, scope)
                except (ValueError, TypeError, AttributeError):
                    raise self.error(f"not the form of {head}: {brief(form)}", form) from None
            macro = scope.macro(head)
            if macro:
                return self.eval(macro.expand(form, scope), scope)
            return self.apply(self.function(head, scope, form), [self.one(a, scope) for a in form.cdr], form)
        if isinstance(head, Cons) and head.car is S.lambda_:
            return self.apply(self.one(head, scope), [self.one(a, scope) for a in form.cdr], form)
        raise self.error(f"{brief(head)} is no function", form)

    def variable(self, name: Symbol, scope: Scope):
        if name in (NIL, T, UNBOUND) or name.name.startswith(":"):
            return NIL if name is UNBOUND else name
        found = scope.variables.get(name) or self.world.symbol_macros.get(name)
        if isinstance(found, SymbolMacro):
            return self.eval(found.form, scope)
        if found is not None:
            return found.value
        if name in self.world.values:
            return self.world.values[name]
        raise self.error(f"the variable {name} has no value when the program is compiled")

    def function(self, name, scope: Scope, form):
        if isinstance(name, Cons) and name.car is S.lambda_:
            return self.one(name, scope)
        found = scope.functions.get(name)
        if isinstance(found, Closure):
            return found
        if name in self.world.functions:
            definition = self.world.functions[name]
            self.called.add(name)
            return Closure(str(name), definition.parameters, definition.body, Scope(self.world))
        if name in FUNCTIONS:
            return FUNCTIONS[name]
        raise self.error(f"the function {name} is not defined when the program is compiled", form)

    def apply(self, function, arguments: list, form=None):
        if isinstance(function, Symbol):
            function = self.function(function, Scope(self.world), form)
        if not isinstance(function, Closure):
            if not callable(function):
                raise self.error(f"{brief(function)} is no function", form)
            try:
                return function(self, *arguments)
            except (TypeError, ValueError, AttributeError, IndexError, Refused):
                shown = " ".join(map(brief, arguments))
                name = brief(form.car) if isinstance(form, Cons) else "the function"
                raise self.error(f"{name} does not take these arguments: {shown}", form) from None
            except ZeroDivisionError:
                raise self.error("division by zero", form) from None
            except (MemoryError, OverflowError):
                raise self.error("too large a number", form) from None
        self.calls += 1
        if self.calls > CALLS_MAX:
            raise self.error(f"{function.name} calls itself without end", form)
        try:
            scope = bind(self, function.parameters, listed(*arguments), function.scope, form, function.name)
            return self.progn(function.body, scope)
        finally:
            self.calls -= 1

    def progn(self, body, scope: Scope):
        result = NIL
        for form in items(body):
            if not (isinstance(form, Cons) and form.car is S.declare):
                result = self.eval(form, scope)
        return result


# Lambda lists ---------------------------------------------------------------------------------

KEYWORDS = {"&OPTIONAL", "&REST", "&BODY", "&KEY", "&AUX", "&WHOLE", "&ENVIRONMENT", "&ALLOW-OTHER-KEYS"}


def bind(evaluator: Evaluator, pattern, values, scope: Scope, form=None, name: str = "") -> Scope:
    """The scope with the lambda list's variables bound to the values; patterns may be nested."""
    cells: dict[Symbol, Cell] = {}
    inner = scope.with_()
    inner.variables = {**scope.variables}

    def wrong(what: str) -> SourceError:
        return evaluator.error(
            f"{name or 'this'} was given {what} arguments: it takes {brief(pattern)}", form
        )

    def give(target, value) -> None:
        nonlocal inner
        if isinstance(target, Symbol) and target is not NIL:
            inner.variables[target] = cells[target] = Cell(value)
        else:
            inner = bind(evaluator, target, value, inner, form, name)

    def default(spec) -> object:
        return evaluator.one(spec[1], inner) if len(spec) > 1 else NIL

    mode = ""
    rest = values
    cell = pattern
    while isinstance(cell, Cons):
        each = cell.car
        cell = cell.cdr
        if isinstance(each, Symbol) and each.name in KEYWORDS:
            mode = each.name
            if mode in ("&REST", "&BODY", "&WHOLE"):
                give(cell.car, form if mode == "&WHOLE" else rest)
                cell = cell.cdr
                if mode == "&WHOLE":
                    mode = ""
            elif mode == "&ENVIRONMENT":
                give(cell.car, NIL)
                cell = cell.cdr
        elif mode == "":
            if not isinstance(rest, Cons):
                raise wrong("too few")
            give(each, rest.car)
            rest = rest.cdr
        elif mode == "&OPTIONAL":
            spec = list(each) if isinstance(each, Cons) else [each]
            present = isinstance(rest, Cons)
            give(spec[0], rest.car if present else default(spec))
            if len(spec) > 2:
                give(spec[2], truth(present))
            rest = rest.cdr if present else rest
        elif mode == "&KEY":
            spec = list(each) if isinstance(each, Cons) else [each]
            key, target = spec[0], spec[0]
            if isinstance(key, Cons):
                key, target = key
            else:
                key = symbol(":" + key.name)
            given = items(rest)
            place = next((i for i in range(0, len(given) - 1, 2) if given[i] is key), None)
            give(target, default(spec) if place is None else given[place + 1])
            if len(spec) > 2:
                give(spec[2], truth(place is not None))
        elif mode == "&AUX":
            spec = list(each) if isinstance(each, Cons) else [each]
            give(spec[0], default(spec))
    if cell is not NIL:
        give(cell, rest)
    elif mode in ("", "&OPTIONAL") and rest is not NIL:
        raise wrong("too many")
    return inner


# Special forms --------------------------------------------------------------------------------

SPECIAL: dict[Symbol, Callable] = {}


def special(*names: str) -> Callable:
    def register(function: Callable) -> Callable:
        for name in names:
            SPECIAL[symbol(name)] = function
        return function

    return register


@special("QUOTE")
def _quote(self: Evaluator, form: Cons, scope: Scope):
    return form.cdr.car


@special("QUASIQUOTE")
def _quasiquote(self: Evaluator, form: Cons, scope: Scope):
    return fill(self, form.cdr.car, 1, scope)


def fill(self: Evaluator, template, depth: int, scope: Scope):
    """A backquoted template with its commas' values."""
    if isinstance(template, Vector):
        return Vector(items(fill(self, listed(*template.elements), depth, scope)), template.element)
    if not isinstance(template, Cons):
        return template
    if template.car is S.unquote:
        if depth == 1:
            return self.one(template.cdr.car, scope)
        return listed(S.unquote, fill(self, template.cdr.car, depth - 1, scope))
    if template.car is S.quasiquote:
        return listed(S.quasiquote, fill(self, template.cdr.car, depth + 1, scope))
    parts: list = []
    cell = template
    while isinstance(cell, Cons) and not (cell is not template and cell.car in (S.unquote, S.quasiquote)):
        each = cell.car
        if isinstance(each, Cons) and each.car is S.splice and depth == 1:
            value = self.one(each.cdr.car, scope)
            if cell.cdr is NIL:
                return listed(*parts, end=value)
            parts += items(value)
        elif isinstance(each, Cons) and each.car is S.splice:
            parts.append(listed(S.splice, fill(self, each.cdr.car, depth - 1, scope)))
        else:
            parts.append(fill(self, each, depth, scope))
        cell = cell.cdr
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
        cell = Cell(self.one(value[0], inner) if value else NIL)
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
            raise self.error(f"{name} is no variable", form)
    return value


@special("LAMBDA")
def _lambda(self: Evaluator, form: Cons, scope: Scope):
    return Closure("this function", form.cdr.car, form.cdr.cdr, scope)


@special("FUNCTION")
def _function(self: Evaluator, form: Cons, scope: Scope):
    return self.function(form.cdr.car, scope, form)


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


@special("MACROLET")
def _macrolet(self: Evaluator, form: Cons, scope: Scope):
    macros = {
        name: macro(self, name, parameters, listed(*body)) for name, parameters, *body in items(form.cdr.car)
    }
    return self.progn(form.cdr.cdr, scope.with_(functions=macros))


@special("SYMBOL-MACROLET")
def _symbol_macrolet(self: Evaluator, form: Cons, scope: Scope):
    macros = {name: SymbolMacro(expansion) for name, expansion in items(form.cdr.car)}
    return self.progn(form.cdr.cdr, scope.with_(variables=macros))


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
            self.steps += 1
    return NIL


@special("GO")
def _go(self: Evaluator, form: Cons, scope: Scope):
    if form.cdr.car not in scope.tags:
        raise self.error(f"there is no tag {form.cdr.car} here", form)
    raise Unwind(scope.tags[form.cdr.car], None)


@special("THE")
def _the(self: Evaluator, form: Cons, scope: Scope):
    return self.eval(form.cdr.cdr.car, scope)


@special("DECLARE")
def _declare(self: Evaluator, form: Cons, scope: Scope):
    return NIL


@special("MULTIPLE-VALUE-BIND")
def _multiple_value_bind(self: Evaluator, form: Cons, scope: Scope):
    names, source, *body = form.cdr
    values = self.eval(source, scope)
    values = list(values) if isinstance(values, Values) else [values]
    names = items(names)
    values += [NIL] * len(names)
    bound = {name: Cell(value) for name, value in zip(names, values, strict=False)}
    return self.progn(listed(*body), scope.with_(variables=bound))


@special("NTH-VALUE")
def _nth_value(self: Evaluator, form: Cons, scope: Scope):
    index, source = form.cdr
    values = self.eval(source, scope)
    values = values if isinstance(values, Values) else [values]
    index = self.one(index, scope)
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


def macro(evaluator: Evaluator, name: Symbol, parameters, body) -> Macro:
    """A macro that evaluates its body on the form's arguments."""
    declared, rest = declarations(body)
    wrapped = listed(listed(S.block, name, *rest))

    def expand(form: Cons, scope: Scope):
        outer = evaluator.form
        evaluator.form = form
        evaluator.calls += 1
        if evaluator.calls > CALLS_MAX:
            raise evaluator.error(f"the macro {name} expands without end", form)
        try:
            inner = bind(evaluator, parameters, form.cdr, Scope(evaluator.world), form, str(name))
            return first(evaluator.progn(wrapped, inner))
        finally:
            evaluator.calls -= 1
            evaluator.form = outer

    return Macro(name, expand)


# Functions ------------------------------------------------------------------------------------

FUNCTIONS: dict[Symbol, Callable] = {}


def define(*names: str) -> Callable:
    def register(function: Callable) -> Callable:
        for name in names:
            FUNCTIONS[symbol(name)] = function
        return function

    return register


def plain(names: str, function: Callable) -> None:
    """A function that wants nothing of the evaluator."""
    for name in names.split():
        FUNCTIONS[symbol(name)] = lambda self, *args: function(*args)


def number(value):
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return value
    raise Refused


def integer(value) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise Refused


def _fold(function: Callable, start: int) -> Callable:
    def folded(self, *args):
        result = start
        for arg in args:
            result = function(result, number(arg))
        return rational(Fraction(result)) if isinstance(result, Fraction) else result

    return folded


def _chain(test: Callable) -> Callable:
    def chained(self, *args):
        return truth(all(test(number(a), number(b)) for a, b in zip(args, args[1:], strict=False)))

    return chained


for _name, _function_, _start in (("+", operator.add, 0), ("*", operator.mul, 1)):
    FUNCTIONS[symbol(_name)] = _fold(_function_, _start)
for _name, _test in (
    ("=", operator.eq),
    ("<", operator.lt),
    (">", operator.gt),
    ("<=", operator.le),
    (">=", operator.ge),
):
    FUNCTIONS[symbol(_name)] = _chain(_test)
for _name, _logic, _unit in (
    ("LOGAND", "and", -1),
    ("LOGIOR", "ior", 0),
    ("LOGXOR", "xor", 0),
    ("LOGEQV", "eqv", -1),
):
    FUNCTIONS[symbol(_name)] = _fold(
        lambda a, b, table=LOGIC[_logic]: interpret.logic(table, integer(a), integer(b)), _unit
    )
for _name in ("NAND", "NOR", "ANDC1", "ANDC2", "ORC1", "ORC2"):
    plain(
        f"LOG{_name}", lambda a, b, table=LOGIC[_name.lower()]: interpret.logic(table, integer(a), integer(b))
    )


@define("-")
def _minus(self, x, *rest):
    result = number(x) - sum(map(number, rest)) if rest else -number(x)
    return rational(Fraction(result))


@define("/")
def _divide(self, x, *rest):
    result = Fraction(number(x)) if rest else Fraction(1)
    for each in rest or (x,):
        result /= number(each)
    return rational(result)


def _division(quotient: Callable) -> Callable:
    def divide(self, x, y=1):
        q = (
            quotient(Fraction(number(x)) / number(y))
            if isinstance(x, Fraction) or isinstance(y, Fraction)
            else quotient((x, y))
        )
        return Values([q, rational(Fraction(x - q * y))])

    return divide


def _floor(x):
    return integer(x[0]) // integer(x[1]) if isinstance(x, tuple) else math.floor(x)


def _ceiling(x):
    return -(-integer(x[0]) // integer(x[1])) if isinstance(x, tuple) else math.ceil(x)


def _truncate(x):
    return interpret.tdiv(integer(x[0]), integer(x[1])) if isinstance(x, tuple) else math.trunc(x)


def _round(x):
    return round(Fraction(*x)) if isinstance(x, tuple) else round(x)


for _name, _quotient in (
    ("FLOOR", _floor),
    ("CEILING", _ceiling),
    ("TRUNCATE", _truncate),
    ("ROUND", _round),
):
    FUNCTIONS[symbol(_name)] = _division(_quotient)

plain("MOD", lambda a, b: number(a) % number(b))
plain("REM", lambda a, b: integer(a) - integer(b) * interpret.tdiv(a, b))
plain("1+", lambda a: number(a) + 1)
plain("1-", lambda a: number(a) - 1)
plain("ABS", lambda a: abs(number(a)))
plain("MIN", lambda *a: min(map(number, a)))
plain("MAX", lambda *a: max(map(number, a)))
plain("GCD", lambda *a: math.gcd(*a))
plain("LCM", lambda *a: math.lcm(*a))
plain("SIGNUM", lambda a: (number(a) > 0) - (a < 0))
plain("NUMERATOR", lambda a: number(a).numerator)
plain("DENOMINATOR", lambda a: number(a).denominator)
plain("ISQRT", lambda a: math.isqrt(a))
plain("ASH", lambda a, n: interpret.shift(integer(a), integer(n)))
plain("LOGNOT", lambda a: ~integer(a))
plain("LOGCOUNT", lambda a: interpret.popcount(integer(a)))
plain("INTEGER-LENGTH", lambda a: interpret.bitlen(integer(a)))
plain("LOGBITP", lambda i, a: truth(integer(a) >> integer(i) & 1))
plain("LOGTEST", lambda a, b: truth(integer(a) & integer(b)))
plain("BYTE-SIZE", lambda b: b.size)
plain("BYTE-POSITION", lambda b: b.position)


@define("EXPT")
def _expt(self, a, b):
    if integer(b) < 0:
        return rational(Fraction(number(a)) ** b)
    return interpret.expt(number(a), b) if isinstance(a, int) else rational(a**b)


def _mask(spec: ByteSpec) -> int:
    return (1 << spec.size) - 1 << spec.position


plain("LDB", lambda spec, x: (integer(x) & _mask(spec)) >> spec.position)
plain("SLDB", lambda spec, x: interpret.field(spec.size, integer(x) >> spec.position))
plain("MASK-FIELD", lambda spec, x: integer(x) & _mask(spec))
plain("DPB", lambda new, spec, x: integer(x) & ~_mask(spec) | integer(new) << spec.position & _mask(spec))
plain("DEPOSIT-FIELD", lambda new, spec, x: integer(x) & ~_mask(spec) | integer(new) & _mask(spec))


@define("ROTATE-BYTE")
def _rotate_byte(self, count, spec, x):
    field_ = (x & _mask(spec)) >> spec.position
    count %= spec.size
    turned = interpret.low(spec.size, field_ << count | field_ >> (spec.size - count))
    return x & ~_mask(spec) | turned << spec.position


# In the order of SBCL's numbers for them.
BOOLE = [
    "clr",
    "set",
    "arg1",
    "arg2",
    "c1",
    "c2",
    "and",
    "ior",
    "xor",
    "eqv",
    "nand",
    "nor",
    "andc1",
    "andc2",
    "orc1",
    "orc2",
]
BOOLE_NAMES = {
    symbol("BOOLE-" + {"arg1": "1", "arg2": "2"}.get(n, n).upper()): i for i, n in enumerate(BOOLE)
}
plain("BOOLE", lambda op, a, b: interpret.logic(LOGIC[BOOLE[op]], a, b))

plain("/=", lambda *a: truth(len(set(a)) == len(a)))
plain("ZEROP", lambda a: truth(number(a) == 0))
plain("PLUSP", lambda a: truth(number(a) > 0))
plain("MINUSP", lambda a: truth(number(a) < 0))
plain("EVENP", lambda a: truth(integer(a) % 2 == 0))
plain("ODDP", lambda a: truth(integer(a) % 2 == 1))
plain("NOT NULL", lambda a: truth(a is NIL))


def same(a, b) -> bool:
    return a is b or (type(a) is type(b) and isinstance(a, (int, Fraction, Character)) and a == b)


def equal(a, b) -> bool:
    if isinstance(a, Cons) and isinstance(b, Cons):
        return equal(a.car, b.car) and equal(a.cdr, b.cdr)
    return same(a, b) or (isinstance(a, str) and a == b)


plain("EQ EQL CHAR=", lambda a, b: truth(same(a, b)))
plain("EQUAL EQUALP", lambda a, b: truth(equal(a, b)))
plain("INTEGERP", lambda a: truth(isinstance(a, int)))
plain("NUMBERP", lambda a: truth(isinstance(a, (int, Fraction))))
plain("SYMBOLP", lambda a: truth(isinstance(a, Symbol)))
plain("KEYWORDP", lambda a: truth(isinstance(a, Symbol) and a.name.startswith(":")))
plain("CONSP", lambda a: truth(isinstance(a, Cons)))
plain("LISTP", lambda a: truth(isinstance(a, Cons) or a is NIL))
plain("ATOM", lambda a: truth(not isinstance(a, Cons)))
plain("STRINGP", lambda a: truth(isinstance(a, str)))
plain("VECTORP ARRAYP", lambda a: truth(isinstance(a, (Vector, str))))
plain("CHARACTERP", lambda a: truth(isinstance(a, Character)))
plain("CONSTANTP", lambda a: truth(not isinstance(a, (Cons, Symbol))))
plain("IDENTITY", lambda a: a)
plain("VALUES", lambda *a: Values(a))


# Lists


def car(x):
    return NIL if x is NIL else x.car


def cdr(x):
    return NIL if x is NIL else x.cdr


def nthcdr(n: int, x):
    for _ in range(n):
        x = cdr(x)
    return x


for _path in ("A", "D", "AA", "AD", "DA", "DD", "ADD", "DDD", "ADDD"):

    def _follow(self, x, path=_path):
        for step in reversed(path):
            x = car(x) if step == "A" else cdr(x)
        return x

    FUNCTIONS[symbol(f"C{_path}R")] = _follow
for _index, _name in enumerate(["FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH"]):
    plain(_name, lambda x, n=_index: car(nthcdr(n, x)))
plain("REST", cdr)
plain("NTH", lambda n, x: car(nthcdr(n, x)))
plain("NTHCDR", nthcdr)
plain("CONS", Cons)
plain("LIST", listed)
plain("LIST*", lambda *a: listed(*a[:-1], end=a[-1]))
plain("LAST", lambda x: listed(items(x)[-1]) if x is not NIL else NIL)
plain("BUTLAST", lambda x: listed(*items(x)[:-1]))
plain("ENDP", lambda a: truth(a is NIL))


@define("APPEND", "NCONC")
def _append(self, *lists):
    if not lists:
        return NIL
    return listed(*(each for part in lists[:-1] for each in items(part)), end=lists[-1])


@define("%EXTEND")
def _extend(self, last, values):
    """Puts copies of the values' cells after the last cell; returns what is the last then."""
    for each in items(values):
        last.cdr = Cons(each, NIL)
        last = last.cdr
    return last


@define("%SETCAR")
def _setcar(self, cell, value):
    cell.car = value
    return value


@define("%SETCDR")
def _setcdr(self, cell, value):
    cell.cdr = value
    return value


def sequence(x) -> list:
    if isinstance(x, str):
        return [Character(ord(c)) for c in x]
    return x.elements if isinstance(x, Vector) else items(x)


def like(model, elements: list):
    """A sequence of the model's kind."""
    if isinstance(model, str):
        return "".join(chr(c.code) for c in elements)
    return Vector(elements, model.element) if isinstance(model, Vector) else listed(*elements)


plain("LENGTH", lambda x: len(sequence(x)))
plain("REVERSE NREVERSE", lambda x: like(x, sequence(x)[::-1]))
plain("SUBSEQ", lambda x, a, b=NIL: like(x, sequence(x)[a : None if b is NIL else b]))
plain("COPY-LIST COPY-SEQ", lambda x: like(x, list(sequence(x))))


@define("AREF", "SVREF", "ELT", "CHAR", "SCHAR")
def _aref(self, x, index):
    elements = sequence(x)
    if not 0 <= integer(index) < len(elements):
        raise self.error(f"index {index} is out of bounds for {len(elements)} elements")
    return elements[index]


@define("%STORE")
def _store(self, x, index, value):
    if not 0 <= integer(index) < len(x.elements):
        raise self.error(f"index {index} is out of bounds for {len(x.elements)} elements")
    x.elements[index] = value
    return value


@define("ARRAY-DIMENSION")
def _array_dimension(self, x, axis):
    return len(sequence(x))


plain("ARRAY-TOTAL-SIZE", lambda x: len(sequence(x)))


def keywords(args: tuple) -> dict[str, object]:
    return {key.name: value for key, value in zip(args[::2], args[1::2], strict=True)}


@define("MAKE-ARRAY")
def _make_array(self, size, *rest):
    options = keywords(rest)
    size = car(size) if isinstance(size, Cons) else size
    if integer(size) < 0:
        raise self.error(f"an array of {size} elements")
    contents = options.get(":INITIAL-CONTENTS")
    filled = [options.get(":INITIAL-ELEMENT", 0)] * size if contents is None else list(sequence(contents))
    if len(filled) != size:
        raise self.error(f"{len(filled)} elements for an array of {size}")
    return Vector(filled, options.get(":ELEMENT-TYPE", T))


@define("VECTOR")
def _vector(self, *elements):
    return Vector(list(elements))


@define("COERCE")
def _coerce(self, value, type_):
    head = type_.car if isinstance(type_, Cons) else type_
    if head is S.list:
        return listed(*sequence(value))
    if head in (S.string, S.simple_string):
        return like("", sequence(value))
    element = (
        type_.cdr.car
        if isinstance(type_, Cons) and head is not S.simple_vector and type_.cdr is not NIL
        else T
    )
    return Vector(list(sequence(value)), T if element is symbol("*") else element)


@define("MAP")
def _map(self, type_, function, *sequences):
    made = [first(self.apply(function, list(each))) for each in zip(*map(sequence, sequences), strict=False)]
    return _coerce(self, listed(*made), type_)


@define("MAPCAR")
def _mapcar(self, function, *lists):
    return listed(
        *[first(self.apply(function, list(each))) for each in zip(*map(items, lists), strict=False)]
    )


@define("MAPCAN")
def _mapcan(self, function, *lists):
    return _append(self, *items(_mapcar(self, function, *lists)))


@define("REDUCE")
def _reduce(self, function, values, *rest):
    options = keywords(rest)
    elements = list(sequence(values))
    if ":INITIAL-VALUE" in options:
        elements.insert(0, options[":INITIAL-VALUE"])
    if not elements:
        return first(self.apply(function, []))
    result = elements[0]
    for each in elements[1:]:
        result = first(self.apply(function, [result, each]))
    return result


@define("FUNCALL")
def _funcall(self, function, *args):
    return self.apply(function, list(args))


@define("APPLY")
def _apply(self, function, *args):
    return self.apply(function, [*args[:-1], *items(args[-1])])


@define("MEMBER")
def _member(self, item, cell, *rest):
    while cell is not NIL and not equal(item, cell.car):
        cell = cell.cdr
    return cell


@define("ASSOC")
def _assoc(self, item, pairs, *rest):
    return next((pair for pair in items(pairs) if equal(item, pair.car)), NIL)


@define("GETF")
def _getf(self, plist, key, default=NIL):
    given = items(plist)
    return next((given[i + 1] for i in range(0, len(given), 2) if given[i] is key), default)


# Symbols, strings, characters

plain("SYMBOL-NAME", lambda s: s.name)
plain("CHAR-CODE", lambda c: c.code)
plain("CODE-CHAR", lambda n: Character(integer(n)))
plain("DIGIT-CHAR-P", lambda c, r=10: int(chr(c.code), r) if chr(c.code).isalnum() else NIL)
plain("STRING-UPCASE", lambda s: s.upper())
plain("STRING-DOWNCASE", lambda s: s.lower())
plain("STRING", lambda s: s.name if isinstance(s, Symbol) else s)
plain("INTERN", lambda s, *package: symbol(s))
plain("MAKE-SYMBOL", lambda s: Symbol(s))
plain("PARSE-INTEGER", lambda s, *rest: int(s, keywords(rest).get(":RADIX", 10)))


@define("GENSYM")
def _gensym(self, prefix="g"):
    return temporary(prefix if isinstance(prefix, str) else "g")


@define("CONCATENATE")
def _concatenate(self, type_, *sequences):
    return _coerce(self, listed(*(each for part in sequences for each in sequence(part))), type_)


def displayed(value) -> str:
    if isinstance(value, Character):
        return chr(value.code)
    return value if isinstance(value, str) else value.name if isinstance(value, Symbol) else written(value)


@define("FORMAT")
def _format(self, destination, control, *args):
    rest = list(args)

    def directive(match: re.Match) -> str:
        width, kind = match[1], match[2].lower()
        if kind in "%~":
            return "\n" if kind == "%" else "~"
        value = rest.pop(0)
        pad, _, fill_ = width.partition(",")
        if kind in "xbo":
            text = format(integer(value), kind).upper()
        else:
            text = written(value) if kind == "s" else displayed(value)
        return text.rjust(int(pad), fill_[1:2] or " ") if pad else text

    return re.sub(r"~((?:\d+)?(?:,'.)?)([adsxbo%~])", directive, control, flags=re.IGNORECASE)


@define("ERROR")
def _error(self, control, *args):
    raise self.error(_format(self, NIL, control, *args) if isinstance(control, str) else brief(control))


@dataclass(eq=False)
class Definition:
    """A function of the program, as its text says."""

    name: Symbol
    parameters: object
    body: object
    form: Cons
    inline: bool = False
