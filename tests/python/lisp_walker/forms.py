"""Special forms, and those macros of the standard that are as simple; by CLHS 3.1.2 and 5.3."""

from collections.abc import Callable

from .data import NIL, Cons, T, Trap, Values, entering, eql, items, listed, one
from .scopes import Cell, Leave, Parameters, Scope, Stands, in_block, known, named
from .types import Types

OPERATORS: dict[str, Callable] = {}  # of the parts of a form behind the name, and the scope
operator = entering(OPERATORS)


@operator("QUOTE")
def quote(w, forms, scope):
    return forms[0]


@operator("QUASIQUOTE")
def quasiquote(w, forms, scope):
    return w.quasiquoted(forms[0], 1, scope)


@operator("FUNCTION")
def function(w, forms, scope):
    return w.function(forms[0], scope)


@operator("LAMBDA")
def lambda_(w, forms, scope):
    return w.lambda_(forms[0], forms[1:], scope)


@operator("PROGN")
def progn(w, forms, scope):
    return w.progn(forms, scope)


@operator("LOCALLY")
def locally(w, forms, scope):
    return w.progn(w.body(forms)[1], scope)


@operator("EVAL-WHEN")
def eval_when(w, forms, scope):
    return w.progn(forms[1:], scope)


@operator("IF")
def if_(w, forms, scope):
    test, then, *otherwise = forms
    return w.eval(then, scope) if w.holds(test, scope) else w.progn(otherwise, scope)


OPERATORS["WHEN"] = lambda w, forms, scope: w.progn(forms[1:] if w.holds(forms[0], scope) else [], scope)
OPERATORS["UNLESS"] = lambda w, forms, scope: w.progn([] if w.holds(forms[0], scope) else forms[1:], scope)


@operator("COND")
def cond(w, forms, scope):
    for clause in forms:
        value = w.one(clause.car, scope)
        if value != NIL:
            return w.progn(items(clause.cdr), scope) if clause.cdr != NIL else value
    return NIL


@operator("AND")
def and_(w, forms, scope):
    for each in forms[:-1]:
        if not w.holds(each, scope):
            return NIL
    return w.eval(forms[-1], scope) if forms else T


@operator("OR")
def or_(w, forms, scope):
    for each in forms[:-1]:
        value = w.one(each, scope)
        if value != NIL:
            return value
    return w.eval(forms[-1], scope) if forms else NIL


@operator("CASE")
def case(w, forms, scope):
    key = w.one(forms[0], scope)
    for clause in forms[1:]:
        keys = clause.car
        if keys in ("T", "OTHERWISE") or any(
            eql(key, each) for each in (items(keys) if isinstance(keys, Cons) or keys == NIL else [keys])
        ):
            return w.progn(items(clause.cdr), scope)
    return NIL


@operator("TYPECASE")
def typecase(w, forms, scope):
    key = w.one(forms[0], scope)
    for clause in forms[1:]:
        if clause.car == "OTHERWISE" or w.types.holds(clause.car)(key):
            return w.progn(items(clause.cdr), scope)
    return NIL


def exhaustive(name: str):
    """The same, but for what is in none of the cases."""

    def operator_(w, forms, scope):
        return OPERATORS[name](w, [*forms, listed(["OTHERWISE", listed(["ERROR"])])], scope)

    return operator_


OPERATORS["ECASE"], OPERATORS["ETYPECASE"] = exhaustive("CASE"), exhaustive("TYPECASE")


@operator("ASSERT")
def assert_(w, forms, scope):
    if not w.holds(forms[0], scope):
        raise Trap("an assertion failed")
    return NIL


@operator("CHECK-TYPE")
def check_type(w, forms, scope):
    if not w.types.holds(forms[1])(w.one(forms[0], scope)):
        raise Trap("of another type")
    return NIL


@operator("THE")
def the(w, forms, scope):
    type_, form = forms
    value = w.eval(form, scope)
    promised = items(type_.cdr) if isinstance(type_, Cons) and type_.car == "VALUES" else [type_]
    checked(w.types, promised, value)
    return value


@operator("SB-EXT:TRULY-THE")
def truly_the(w, forms, scope):
    return w.eval(forms[1], scope)


def checked(types: Types, promised: list, value) -> None:
    values = value if isinstance(value, Values) else (value,)
    for at, type_ in enumerate(promised):
        if type_ in ("&OPTIONAL", "&REST"):
            break
        if not types.holds(type_)(values[at] if at < len(values) else NIL):
            raise Trap("not of the promised type")


# --- several values ---------------------------------------------------------------------------


def several(w, form, scope) -> list:
    value = w.eval(form, scope)
    return list(value) if isinstance(value, Values) else [value]


@operator("MULTIPLE-VALUE-BIND")
def multiple_value_bind(w, forms, outer):
    names, form, *rest = forms
    types, body, _ = w.body(rest)
    values = several(w, form, outer)
    scope = Scope(outer)
    for at, name in enumerate(items(names)):
        w.bind(scope, name, values[at] if at < len(values) else NIL, types)
    return w.progn(body, scope)


@operator("MULTIPLE-VALUE-LIST")
def multiple_value_list(w, forms, scope):
    return listed(several(w, forms[0], scope))


@operator("MULTIPLE-VALUE-CALL")
def multiple_value_call(w, forms, scope):
    function_ = w.one(forms[0], scope)
    return w.funcall(function_, *(value for each in forms[1:] for value in several(w, each, scope)))


@operator("MULTIPLE-VALUE-PROG1")
def multiple_value_prog1(w, forms, scope):
    value = w.eval(forms[0], scope)
    w.progn(forms[1:], scope)
    return value


@operator("PROG1")
def prog1(w, forms, scope):
    return one(multiple_value_prog1(w, forms, scope))


@operator("PROG2")
def prog2(w, forms, scope):
    w.eval(forms[0], scope)
    return prog1(w, forms[1:], scope)


@operator("NTH-VALUE")
def nth_value(w, forms, scope):
    n = w.one(forms[0], scope)
    values = several(w, forms[1], scope)
    return values[n] if n < len(values) else NIL


# --- variables, functions ---------------------------------------------------------------------


def binding(each) -> tuple:
    """A variable and its form."""
    return (each.car, each.cdr.car if each.cdr != NIL else NIL) if isinstance(each, Cons) else (each, NIL)


def let(w, forms, outer, *, sequential: bool, run: Callable | None = None):
    types, body, _ = w.body(forms[1:])
    scope = Scope(outer)
    if sequential:
        for name, form in map(binding, items(forms[0])):
            value = w.one(form, scope)
            scope = Scope(scope)
            w.bind(scope, name, value, types)
    else:
        values = [(name, w.one(form, outer)) for name, form in map(binding, items(forms[0]))]
        for name, value in values:
            w.bind(scope, name, value, types)
    return run(scope) if run else w.progn(body, scope)


OPERATORS["LET"] = lambda w, forms, scope: let(w, forms, scope, sequential=False)
OPERATORS["LET*"] = lambda w, forms, scope: let(w, forms, scope, sequential=True)


@operator("SYMBOL-MACROLET")
def symbol_macrolet(w, forms, outer):
    scope = Scope(outer)
    scope.names |= {each.car: Stands(each.cdr.car) for each in items(forms[0])}
    return w.progn(w.body(forms[1:])[1], scope)


def functions(w, forms, outer, make: Callable):
    """flet, labels and macrolet: each function is made in a scope that `make` chooses."""
    scope = Scope(outer)
    for each in items(forms[0]):
        name, lambda_list, *body = items(each)
        name = named(name)
        scope.names["function", name] = make(name, lambda_list, body, scope)
        w.local.add(name)
    return w.progn(w.body(forms[1:])[1], scope)


@operator("FLET")
def flet(w, forms, outer):
    return functions(w, forms, outer, lambda name, of, body, _: w.lambda_(of, body, outer, block_of(name)))


@operator("LABELS")
def labels(w, forms, outer):
    return functions(w, forms, outer, lambda name, of, body, own: w.lambda_(of, body, own, block_of(name)))


@operator("MACROLET")
def macrolet(w, forms, outer):
    return functions(w, forms, outer, lambda name, of, body, _: w.macro(of, body, outer, name))


def block_of(name: str) -> str:
    return name.removeprefix("(SETF ").rstrip(")") if name.startswith("(SETF ") else name


@operator("DESTRUCTURING-BIND")
def destructuring_bind(w, forms, outer):
    types, body, _ = w.body(forms[2:])
    value = w.one(forms[1], outer)
    scope = Scope(outer)
    w.destructured(known(forms[0], "parameters", lambda: Parameters(forms[0])), value, scope, types, value)
    return w.progn(body, scope)


# --- where control goes -----------------------------------------------------------------------


@operator("BLOCK")
def block(w, forms, scope):
    return in_block(forms[0], scope, lambda inner: w.progn(forms[1:], inner))


@operator("RETURN-FROM")
def return_from(w, forms, scope):
    raise Leave(scope.find(("block", forms[0])), w.progn(forms[1:], scope))


@operator("RETURN")
def return_(w, forms, scope):
    return_from(w, [NIL, *forms], scope)


@operator("TAGBODY")
def tagbody(w, forms, scope):
    w.tagbody(forms, scope)
    return NIL


@operator("GO")
def go(w, forms, scope):
    raise Leave(*scope.find(("tag", forms[0])))


def prog(w, forms, outer, *, sequential: bool):
    statements = w.body(forms[1:])[1]

    def run(scope: Scope):
        return let(w, forms, scope, sequential=sequential, run=lambda inner: tagbody(w, statements, inner))

    return in_block(NIL, outer, run)


def do(w, forms, outer, *, sequential: bool):
    bindings = list(map(binding, items(forms[0])))
    again = [(each.car, each.cdr.cdr.car) for each in items(forms[0])
             if isinstance(each, Cons) and each.cdr != NIL and each.cdr.cdr != NIL]  # fmt: skip
    body = w.body(forms[2:])[1]
    test, *results = items(forms[1])

    def run(scope: Scope):
        while not w.holds(test, scope):
            w.tagbody(body, scope)
            if sequential:
                for name, form in again:
                    w.place(name, scope).write(w.one(form, scope))
            else:
                for name, value in [(name, w.one(form, scope)) for name, form in again]:
                    w.place(name, scope).write(value)
        return w.progn(results, scope)

    inits = listed(listed(each) for each in bindings)
    return in_block(
        NIL, outer, lambda scope: let(w, [inits, *forms[2:]], scope, sequential=sequential, run=run)
    )


OPERATORS["DO"] = lambda w, forms, scope: do(w, forms, scope, sequential=False)
OPERATORS["DO*"] = lambda w, forms, scope: do(w, forms, scope, sequential=True)
OPERATORS["PROG"] = lambda w, forms, scope: prog(w, forms, scope, sequential=False)
OPERATORS["PROG*"] = lambda w, forms, scope: prog(w, forms, scope, sequential=True)


def over(w, forms, outer, values: Callable):
    """dotimes and dolist: the values, one after the other, and one with which the result is made."""
    name, form, *result = items(forms[0])
    types, body, _ = w.body(forms[1:])

    def run(outer: Scope):
        given = w.one(form, outer)
        for value in values(given):
            scope = Scope(outer)
            scope.names[name] = Cell(value, types.get(name))
            w.tagbody(body, scope)
        scope = Scope(outer)
        scope.names[name] = Cell(NIL if isinstance(given, str | Cons) else max(given, 0))
        return w.progn(result, scope)

    return in_block(NIL, outer, run)


OPERATORS["DOTIMES"] = lambda w, forms, scope: over(w, forms, scope, counted)
OPERATORS["DOLIST"] = lambda w, forms, scope: over(w, forms, scope, walked)


def counted(n):
    if type(n) is not int:
        raise Trap("not an integer")
    return range(n)


def walked(x):
    while isinstance(x, Cons):
        value, x = x.car, x.cdr
        yield value
