"""The standard macros, expanded to the special forms that lower and evaluate support.

Those are block flet function go if labels let let* locally macrolet multiple-value-bind nth-value progn quote
return-from setq symbol-macrolet tagbody the values, and the functions %store and %row-major-store, which are
(setf aref) and (setf row-major-aref). A temporary is an uninterned symbol.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, product

from ...ir.errors import SourceError
from ..handlers import entering
from .data import NIL, Cons, Macro, Symbol, T, brief, items, length, listed, symbol


class _Symbols:
    """S.return_from is the symbol RETURN-FROM."""

    def __getattr__(self, name: str) -> Symbol:
        found = symbol(name.rstrip("_").replace("_", "-").upper())
        setattr(self, name, found)
        return found


S = _Symbols()
LET_STAR = symbol("LET*")
DOLIST, SLOT, SET_SLOT = symbol("%DOLIST"), symbol("%SLOT"), symbol("%SET-SLOT")
ROW_MAJOR_STORE = symbol("%ROW-MAJOR-STORE")
_numbers = count(1)

# A macro that expands into itself more often than this is assumed not to end.
EXPANSIONS_MAX = 1000


def temporary(name: str = "g") -> Symbol:
    return Symbol(f"{name.upper()}.{next(_numbers)}")


@dataclass(eq=False)
class SymbolMacro:
    form: object


class Scope:
    """The meaning of names at a place in the program. Scopes are immutable: `with_` makes an inner one.

    Variables are the owner's own objects, or SymbolMacro; functions likewise, or Macro.
    """

    __slots__ = ("blocks", "functions", "plain", "safe", "tags", "variables", "world")

    def __init__(self, world):
        self.world = world
        self.variables: dict[Symbol, object] = {}
        self.functions: dict[Symbol, object] = {}
        self.blocks: dict[Symbol, object] = {}
        self.tags: dict[object, object] = {}
        self.safe = True
        self.plain = True  # no local macros

    def with_(self, variables=None, functions=None, blocks=None, tags=None, safe=None, plain=True) -> Scope:
        inner = Scope.__new__(Scope)
        inner.world = self.world
        inner.variables = {**self.variables, **variables} if variables else self.variables
        inner.functions = {**self.functions, **functions} if functions else self.functions
        inner.blocks = {**self.blocks, **blocks} if blocks else self.blocks
        inner.tags = {**self.tags, **tags} if tags else self.tags
        inner.safe = self.safe if safe is None else safe
        inner.plain = self.plain and plain
        return inner

    def macro(self, name) -> Macro | None:
        """The macro that this name means here, if it means one."""
        local = self.functions.get(name)
        if local is not None:
            return local if isinstance(local, Macro) else None
        if name in self.world.functions or name in self.world.helpers:
            return None
        return self.world.macros.get(name) or STANDARD.get(name)

    def expand(self, form):
        """Expands the form until it is not a macro call; inner forms are not expanded."""
        first = form
        for _ in range(EXPANSIONS_MAX):
            if isinstance(form, Cons) and isinstance(form.car, Symbol):
                macro = self.macro(form.car)
                if macro is None:
                    return form
                position = form.position
                try:
                    form = macro.expand(form, self)
                except (ValueError, TypeError, AttributeError) as error:
                    # taking the form apart failed
                    raise bad(form) from error
                if isinstance(form, Cons) and form.position is None:
                    form.position = position
            elif isinstance(form, Symbol):
                found = self.variables.get(form) or self.world.symbol_macros.get(form)
                if not isinstance(found, SymbolMacro):
                    return form
                form = found.form
            else:
                return form
        raise SourceError(f"{brief(form)} expands into itself endlessly", getattr(first, "position", None))


STANDARD: dict[Symbol, Macro] = {}


standard = entering(STANDARD, lambda name, function: ((key := symbol(name.upper())), Macro(key, function)))


def parts(form: Cons, least: int, most: int | None = None) -> list:
    """A form's arguments, from `least` to `most` of them."""
    arguments = items(form.cdr)
    if len(arguments) < least or (most is not None and len(arguments) > most):
        raise SourceError(f"{form.car} takes {_many(least, most)}, not {len(arguments)}", form.position)
    return arguments


def _many(least: int, most: int | None) -> str:
    if least == most:
        return f"{least} argument{'s' * (least != 1)}"
    return f"at least {least}" if most is None else f"{least} to {most} arguments"


def bad(form: Cons, what: str = "") -> SourceError:
    return SourceError(f"malformed {form.car}: {brief(form)}{': ' * bool(what)}{what}", form.position)


def declarations(body) -> tuple[list[Cons], list]:
    """A body's (declare ...) forms, and the rest."""
    forms = items(body)
    count = 0
    while count < len(forms) and isinstance(forms[count], Cons) and forms[count].car is S.declare:
        count += 1
    return forms[:count], forms[count:]


def progn(forms: list):
    return forms[0] if len(forms) == 1 else Cons(S.progn, listed(*forms))


# Conditions -----------------------------------------------------------------------------------


@standard("when", "unless")
def _when(form: Cons, scope: Scope):
    test, *body = parts(form, 1)
    return listed(S.if_, test, *((progn(body), NIL) if form.car is S.when else (NIL, progn(body))))


@standard("cond")
def _cond(form: Cons, scope: Scope):
    result = NIL
    for clause in reversed(parts(form, 0)):
        if not isinstance(clause, Cons):
            raise bad(form, "a clause is a list")
        test, *body = clause
        if not body:
            result = listed(S.or_, test, result)
        elif test is T:
            result = progn(body)
        else:
            result = listed(S.if_, test, progn(body), result)
            result.position = clause.position
    return result


@standard("and")
def _and(form: Cons, scope: Scope):
    tests = parts(form, 0)
    result = tests.pop() if tests else T
    for test in reversed(tests):
        result = listed(S.if_, test, result, NIL)
    return result


@standard("or")
def _or(form: Cons, scope: Scope):
    tests = parts(form, 0)
    result = tests.pop() if tests else NIL
    for test in reversed(tests):
        value = temporary("or")
        result = listed(S.let, listed(listed(value, test)), listed(S.if_, value, value, result))
    return result


def _by_clauses(form: Cons, otherwise, test: Callable):
    """The body of the first clause for whose head the test of the key holds."""
    key, *clauses = parts(form, 1)
    value = temporary("key")
    result = otherwise
    for index, clause in reversed(list(enumerate(clauses))):
        if not isinstance(clause, Cons):
            raise bad(form, "a clause is a list")
        head, *body = clause
        if head in (T, S.otherwise) and index == len(clauses) - 1:
            result = progn(body)
            continue
        result = listed(S.if_, test(value, head), progn(body), result)
        result.position = clause.position
    return listed(S.let, listed(listed(value, key)), result)


@standard("case", "ecase")
def _case(form: Cons, scope: Scope):
    def among(value, keys):
        choices = list(keys) if isinstance(keys, Cons) else [] if keys is NIL else [keys]
        return Cons(S.or_, listed(*(listed(S.eql, value, listed(S.quote, each)) for each in choices)))

    otherwise = listed(S.error, "no case for this value") if form.car is S.ecase else NIL
    return _by_clauses(form, otherwise, among)


@standard("typecase", "etypecase")
def _typecase(form: Cons, scope: Scope):
    wrong = listed(S.error, "this value is of none of the types of etypecase")
    return _by_clauses(
        form,
        wrong if form.car is S.etypecase else NIL,
        lambda value, type_: listed(S.typep, value, listed(S.quote, type_)),
    )


@standard("assert")
def _assert(form: Cons, scope: Scope):
    test, *_ = parts(form, 1)
    return listed(S.if_, test, NIL, listed(S.error, f"the assertion {brief(test)} failed"))


@standard("check-type")
def _check_type(form: Cons, scope: Scope):
    place, type_, *_ = parts(form, 2, 3)
    return listed(S.progn, listed(S.the, type_, place), NIL)


# Sequences of forms ---------------------------------------------------------------------------


@standard("prog1")
def _prog1(form: Cons, scope: Scope):
    first, *rest = parts(form, 1)
    value = temporary("first")
    return listed(S.let, listed(listed(value, first)), *rest, value)


@standard("prog2")
def _prog2(form: Cons, scope: Scope):
    first, second, *rest = parts(form, 2)
    return listed(S.progn, first, listed(S.prog1, second, *rest))


standard("return")(lambda form, scope: listed(S.return_from, NIL, *parts(form, 0, 1)))


@standard("multiple-value-setq")
def _multiple_value_setq(form: Cons, scope: Scope):
    variables, values = parts(form, 2, 2)
    if variables is NIL:
        return listed(S.values, values)
    return listed(S.values, listed(S.setf, Cons(S.values, variables), values))


@standard("prog", "prog*")
def _prog(form: Cons, scope: Scope):
    bindings, *_ = parts(form, 1)
    declared, body = declarations(form.cdr.cdr)
    let = S.let if form.car is S.prog else LET_STAR
    return listed(S.block, NIL, listed(let, bindings, *declared, Cons(S.tagbody, listed(*body))))


# Loops ----------------------------------------------------------------------------------------


@standard("dotimes")
def _dotimes(form: Cons, scope: Scope):
    control, *_ = parts(form, 1)
    if not isinstance(control, Cons) or length(control) not in (2, 3):
        raise bad(form)
    variable, limit, *result = control
    declared, body = declarations(form.cdr.cdr)
    end = limit if isinstance(limit, int) else temporary("count")
    bindings = [listed(variable, 0)]
    if end is not limit:
        bindings.append(listed(end, limit))
    step = listed(S.setq, variable, listed(symbol("1+"), variable))
    return _looping(S.let, bindings, declared, listed(symbol(">="), variable, end), result, body, [step])


@standard("do", "do*")
def _do(form: Cons, scope: Scope):
    variables, ending, *_ = parts(form, 2)
    if not isinstance(ending, Cons):
        raise bad(form)
    declared, body = declarations(form.cdr.cdr.cdr)
    bindings, steps = [], []
    for each in items(variables):
        if isinstance(each, Symbol):
            each = listed(each, NIL)
        name, *rest = each
        bindings.append(listed(name, *rest[:1]))
        if len(rest) > 1:
            steps += [name, rest[1]]
    sequential = form.car is not S.do
    step = Cons(S.setq if sequential else S.psetq, listed(*steps))
    test, *result = ending
    let = LET_STAR if sequential else S.let
    return _looping(let, bindings, declared, test, result, body, [step] if steps else [])


@standard("dolist")
def _dolist(form: Cons, scope: Scope):
    control, *_ = parts(form, 1)
    variable, values, *result = control
    declared, body = declarations(form.cdr.cdr)
    each = temporary("each")
    turn = listed(S.let, listed(listed(variable, each)), *declared, Cons(S.tagbody, listed(*body)))
    end = listed(S.let, listed(listed(variable, NIL)), *result) if result else NIL
    return listed(S.block, NIL, listed(DOLIST, each, values, turn, end))


def _looping(let: Symbol, bindings: list, declared: list, test, result: list, body: list, steps: list):
    top, end = temporary("top"), temporary("end")
    turn = listed(
        S.tagbody, top, listed(S.if_, test, listed(S.go, end), NIL), *body, *steps, listed(S.go, top), end
    )
    return listed(S.block, NIL, listed(let, listed(*bindings), *declared, turn, progn(result)))


# Assignment -----------------------------------------------------------------------------------


@dataclass
class Place:
    """A place to assign to.

    A form with places evaluates in this order: the places' subforms, once each (`bindings`); its other forms;
    reads (`value`); stores. `store` turns a form into one that assigns the form's values, `width` of them; if
    that reads the place itself, it does so after the form is evaluated.
    """

    bindings: list
    value: object
    store: Callable
    width: int = 1


# Functions that read a place, whose arguments are evaluated; and those that store to it.
STORES = {
    **dict.fromkeys((S.aref, S.svref, S.char, S.schar, S.elt), symbol("%STORE")),
    **dict.fromkeys((symbol("BIT"), symbol("SBIT")), symbol("%STORE")),
    S.row_major_aref: ROW_MAJOR_STORE,
    S.gethash: symbol("(SETF GETHASH)"), S.get: symbol("(SETF GET)"),
    S.car: symbol("(SETF CAR)"), S.first: symbol("(SETF CAR)"),
    S.cdr: symbol("(SETF CDR)"), S.rest: symbol("(SETF CDR)"),
}  # fmt: skip
# Places that are the car or cdr of another form's value: which of them, and the form.
WITHIN = {S.nth: (S.car, lambda n, x: listed(S.nthcdr, n, x))}
for _at, _name in enumerate(
    ("SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH"), 1
):
    WITHIN[symbol(_name)] = (S.car, lambda x, n=_at: listed(S.nthcdr, n, x))
for _path in (path for length_ in (2, 3, 4) for path in product("AD", repeat=length_)):
    _first, _rest = (symbol(f"C{''.join(part)}R") for part in (_path[:1], _path[1:]))
    WITHIN[symbol(f"C{''.join(_path)}R")] = (_first, lambda x, rest=_rest: listed(rest, x))
PUTF = symbol("(SETF GETF)")
FIELDS = {S.ldb: S.dpb, S.mask_field: S.deposit_field}


def storing(name: Symbol) -> Symbol:
    """The name of the function that (defun (setf name) ...) defines."""
    return symbol(f"(SETF {name.name})")


def held(forms: list, name: str) -> tuple[list, list]:
    """Bindings that evaluate the forms in order, and a form for each value."""
    names = [form if constant(form) else temporary(name) for form in forms]
    return [listed(n, f) for n, f in zip(names, forms, strict=True) if n is not f], names


def _own_place(form: Cons, scope: Scope, within: Cons) -> Place | None:
    """A place that a function or a defsetf of the program defines."""
    world = scope.world
    setter = storing(form.car)
    known = setter in world.functions or setter in world.helpers
    if form.car not in world.setters and not known:
        return None
    names = [temporary("place") for _ in form.cdr]
    bindings = [listed(name, source) for name, source in zip(names, form.cdr, strict=True)]

    def store(value):
        new = temporary("new")
        if known:
            return listed(S.let, listed(listed(new, value)), listed(setter, new, *names))
        return listed(S.let, listed(listed(new, value)), world.setters[form.car](names, new, within))

    return Place(bindings, listed(form.car, *names), store)


def place(form, scope: Scope, within: Cons) -> Place:
    """The place that the form names; its subforms are bound to temporaries."""
    form = _place_form(form, scope)
    if isinstance(form, Symbol) and form not in (NIL, T) and not form.name.startswith(":"):
        return Place([], form, lambda value: listed(S.setq, form, value))
    if isinstance(form, Cons):
        if form.car in STORES:
            bindings, names = held(parts(form, 1), "place")
            store = STORES[form.car]
            return Place(bindings, listed(form.car, *names), lambda value: listed(store, *names, value))
        if form.car is SLOT:
            layout, slot, source = parts(form, 3, 3)
            of = temporary("structure")
            return Place(
                [listed(of, source)],
                listed(SLOT, layout, slot, of),
                lambda value: listed(SET_SLOT, layout, slot, of, value),
            )
        own = None if form.car in scope.functions else _own_place(form, scope, within)
        if own is not None:
            return own
        if form.car in FIELDS:
            return _field(form, scope, within)
        if form.car is S.values:
            return _several(form, scope, within)
        if form.car is S.subseq:
            return _part(form)
        if form.car is S.getf:
            return _property(form, scope, within)
        if form.car is S.the:
            type_, inner = parts(form, 2, 2)
            under = place(inner, scope, within)
            return Place(
                under.bindings,
                listed(S.the, type_, under.value),
                lambda value: under.store(listed(S.the, type_, value)),
                under.width,
            )
    raise SourceError(
        f"{brief(form)} is not an assignable place", getattr(form, "position", None) or within.position
    )


def _place_form(form, scope: Scope):
    """A place form with its macros expanded; a part of a list becomes the car or cdr of a form."""
    form = scope.expand(form)
    if isinstance(form, Cons) and form.car in WITHIN:
        part, of = WITHIN[form.car]
        made = listed(part, of(*form.cdr))
        made.position = form.position
        return made
    return form


def _field(form: Cons, scope: Scope, within: Cons) -> Place:
    """A field of an integer: the byte specifier is evaluated before the integer's place."""
    spec, inner = parts(form, 2, 2)
    spec = scope.expand(spec)
    if isinstance(spec, Cons) and spec.car is S.byte:
        bindings, bounds = held(parts(spec, 2, 2), "bound")
        spec = listed(S.byte, *bounds)
    elif isinstance(spec, Symbol) and spec in scope.world.values:
        bindings = []
    else:
        bindings, (spec,) = held([spec], "byte")
    under = place(inner, scope, within)

    def store(value):
        new = temporary("new")
        whole = under.store(listed(FIELDS[form.car], new, spec, under.value))
        return listed(S.let, listed(listed(new, value)), whole, new)

    return Place([*bindings, *under.bindings], listed(form.car, spec, under.value), store)


def _several(form: Cons, scope: Scope, within: Cons) -> Place:
    """Places with one value each; one that takes several values gets only the first."""
    places = [place(each, scope, within) for each in form.cdr]

    def store(value):
        names = [temporary("value") for _ in places]
        stored = [each.store(name) for each, name in zip(places, names, strict=True)]
        return listed(S.multiple_value_bind, listed(*names), value, listed(S.values, *stored))

    bindings = [binding for each in places for binding in each.bindings]
    return Place(bindings, listed(S.values, *(each.value for each in places)), store, len(places))


def _property(form: Cons, scope: Scope, within: Cons) -> Place:
    inner, *arguments = parts(form, 2, 3)
    under = place(inner, scope, within)
    bindings, (key, *default) = held(arguments, "key")

    def store(value):
        new = temporary("new")
        put = under.store(listed(PUTF, under.value, key, new))
        return listed(S.let, listed(listed(new, value)), put, new)

    return Place([*under.bindings, *bindings], listed(S.getf, under.value, key, *default), store)


def _part(form: Cons) -> Place:
    """A part of a sequence: as many elements are stored as both have."""
    bindings, names = held(parts(form, 2, 3), "part")
    target, first, *last = names
    bounds = [symbol(":START1"), first, *([symbol(":END1"), last[0]] if last else [])]

    def store(value):
        new = temporary("new")
        put = listed(S.replace, target, new, *bounds)
        return listed(S.let, listed(listed(new, value)), put, new)

    return Place(bindings, listed(S.subseq, *names), store)


def bound(bindings: list, *forms):
    """The forms, within the bindings, which are made in order."""
    return listed(LET_STAR, listed(*bindings), *forms) if bindings else progn([*forms])


def _together(steps: list[tuple[list, object]], forms: list):
    """The forms, after the steps, each of which binds names to a form's values."""
    bindings: list = []
    for names, form in reversed(steps):
        if len(names) == 1:
            bindings.insert(0, listed(*names, form))
        else:
            forms = [listed(S.multiple_value_bind, listed(*names), form, bound(bindings, *forms))]
            bindings = []
    return bound(bindings, *forms)


def _steps(bindings: list) -> list[tuple[list, object]]:
    return [([name], form) for name, form in bindings]


def _new(where: Place) -> list[Symbol]:
    """Names for a place's new values."""
    return [temporary("new") for _ in range(where.width)]


def _one_form(names: list[Symbol]):
    return names[0] if len(names) == 1 else listed(S.values, *names)


def _stores(places: list[Place], names: list[list[Symbol]]) -> list:
    return [where.store(_one_form(own)) for where, own in zip(places, names, strict=True)]


def _pairs(form: Cons) -> list[tuple]:
    arguments = parts(form, 0)
    if len(arguments) % 2:
        raise SourceError(f"{form.car} takes pairs of a place and a value", form.position)
    return list(zip(arguments[::2], arguments[1::2], strict=True))


@standard("slot-value")
def _slot_value(form: Cons, scope: Scope):
    of, slot = parts(form, 2, 2)
    return listed(SLOT, NIL, scope.world.constant(slot, scope, form.position), of)


@standard("setf")
def _setf(form: Cons, scope: Scope):
    sets = []
    for target, value in _pairs(form):
        target = _place_form(target, scope)
        if isinstance(target, Cons) and target.car in STORES:
            # in the order written: the array, the index, the value
            stored = Cons(STORES[target.car], listed(*target.cdr, value))
            stored.position = target.position
            sets.append(stored)
        else:
            where = place(target, scope, form)
            sets.append(bound(where.bindings, where.store(value)))
    return progn(sets)


@standard("psetq", "psetf")
def _psetq(form: Cons, scope: Scope):
    places = [place(target, scope, form) for target, _ in _pairs(form)]
    names = [_new(where) for where in places]
    steps = []
    for where, own, (_, value) in zip(places, names, _pairs(form), strict=True):
        steps += [*_steps(where.bindings), (own, value)]
    return _together(steps, [*_stores(places, names), NIL])


def modified(where: Place, arguments: list, function: Callable):
    """A form that assigns to the place the function's value of the old value and the arguments."""
    bindings, names = held(arguments, "argument")
    return bound([*where.bindings, *bindings], where.store(function(where.value, *names)))


@standard("incf", "decf")
def _incf(form: Cons, scope: Scope):
    target, *rest = parts(form, 1, 2)
    operator = symbol("+" if form.car is S.incf else "-")
    return modified(place(target, scope, form), rest or [1], lambda old, by: listed(operator, old, by))


@standard("rotatef")
def _rotatef(form: Cons, scope: Scope):
    places = [place(target, scope, form) for target in parts(form, 0)]
    return _moving(places, [each.value for each in [*places[1:], *places[:1]]], NIL)


@standard("shiftf")
def _shiftf(form: Cons, scope: Scope):
    *targets, last = parts(form, 2)
    places = [place(target, scope, form) for target in targets]
    old = [temporary("old") for _ in range(places[0].width)]
    values = [each.value for each in places[1:]]
    return _moving(places, [*values, last], _one_form(old), (old, places[0].value))


def _moving(places: list[Place], values: list, result, *before: tuple[list, object]):
    """A form that assigns these values to the places; all are computed before any is stored."""
    names = [_new(where) for where in places]
    steps = [step for where in places for step in _steps(where.bindings)]
    steps += [*before, *zip(names, values, strict=True)]
    return _together(steps, [*_stores(places, names), result])


@standard("push", "pushnew")
def _push(form: Cons, scope: Scope):
    item, target, *options = parts(form, 2, 2 if form.car is S.push else None)
    bindings, (new,) = held([item], "new")
    adding = S.cons if form.car is S.push else S.adjoin
    where = place(target, scope, form)
    return bound(bindings, modified(where, options, lambda old, *options: listed(adding, new, old, *options)))


@standard("remf")
def _remf(form: Cons, scope: Scope):
    target, key = parts(form, 2, 2)
    where = place(target, scope, form)
    bindings, (name,) = held([key], "key")
    left, found = temporary("left"), temporary("found")
    without = listed(symbol("%REMF"), where.value, name)
    step = listed(S.multiple_value_bind, listed(left, found), without, where.store(left), found)
    return bound([*where.bindings, *bindings], step)


@standard("pop")
def _pop(form: Cons, scope: Scope):
    (target,) = parts(form, 1, 1)
    where = place(target, scope, form)
    old = temporary("old")
    step = listed(S.prog1, listed(S.car, old), where.store(listed(S.cdr, old)))
    return bound([*where.bindings, listed(old, where.value)], step)


def constant(form) -> bool:
    """Whether the form evaluates to itself."""
    if isinstance(form, Symbol):
        return form in (NIL, T) or form.name.startswith(":")
    return not isinstance(form, Cons)
