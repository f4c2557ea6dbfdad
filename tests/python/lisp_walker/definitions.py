"""What stands at the top of a program: functions, macros, variables, types and structures."""

from collections.abc import Callable

from .data import NIL, Array, Cons, Structure, T, Trap, Values, entering, items, one, truth
from .scopes import Cell, Parameters, Scope, Stands, known, named

OPERATORS: dict[str, Callable] = {}
operator = entering(OPERATORS)


@operator("DEFUN")
def defun(w, forms, outer):
    name, lambda_list, *body = forms
    block = name.cdr.car if isinstance(name, Cons) else name
    name = named(name)
    function = w.lambda_(lambda_list, body, outer, block)
    w.functions[name] = promised(w, name, function) if name in w.promised else function
    w.lambdas[name] = known(lambda_list, "parameters", lambda: Parameters(lambda_list)), w.body(body)[2]
    return name


def promised(w, name: str, function: Callable) -> Callable:
    """The function, of which a declaration says what it takes and yields."""
    takes, gives = w.promised[name]

    def checked(*args):
        for holds, arg in zip(takes, args, strict=False):
            if not holds(arg):
                raise Trap("not of the promised type")
        value = function(*args)
        values = value if isinstance(value, Values) else (value,)
        for at, holds in enumerate(gives):
            if not holds(values[at] if at < len(values) else NIL):
                raise Trap("not of the promised type")
        return value

    return checked


@operator("DEFMACRO")
def defmacro(w, forms, outer):
    name, lambda_list, *body = forms
    w.macros[name] = w.macro(lambda_list, body, outer, name)
    return name


@operator("DEFTYPE")
def deftype(w, forms, outer):
    name, lambda_list, *body = forms
    parameters = Parameters(lambda_list)
    parameters.optional = [[each, default if default != NIL else "*", there]
                           for each, default, there in parameters.optional]  # fmt: skip

    def expand(*args):
        scope = Scope(outer)
        for pattern, arg in zip(parameters.required, args, strict=False):
            scope.names[pattern] = Cell(arg)
        left = args[len(parameters.required) :]
        for at, (pattern, default, _) in enumerate(parameters.optional):
            scope.names[pattern] = Cell(left[at] if at < len(left) else w.one(default, scope))
        return one(w.progn(w.body(body)[1], scope))

    w.types.expanders[name] = expand
    return name


@operator("DECLAIM")
def declaim(w, forms, scope):
    for said in map(items, forms):
        match said:
            case ["TYPE", type_, *names]:
                w.global_types |= dict.fromkeys(names, w.types.holds(type_))
            case ["FTYPE", type_, *names]:
                _, takes, *gives = items(type_)
                promise = until_key(w, items(takes)), until_key(w, as_values(*gives))
                w.promised |= {named(name): promise for name in names}
    return NIL


def as_values(gives=T) -> list:
    return items(gives.cdr) if isinstance(gives, Cons) and gives.car == "VALUES" else [gives]


def until_key(w, types: list) -> list[Callable]:
    """Of what is always there."""
    plain = []
    for each in types:
        if each in ("&OPTIONAL", "&REST", "&KEY"):
            break
        plain.append(w.types.holds(each) if each != "*" else lambda x: True)
    return plain


@operator("DEFVAR", "DEFPARAMETER", "DEFCONSTANT")
def defvar(w, forms, scope):
    name, *form = forms
    value = w.one(form[0], scope) if form else NIL
    w.globals[name] = Cell(value, w.global_types.get(name))
    return name


@operator("DEFINE-SYMBOL-MACRO")
def define_symbol_macro(w, forms, scope):
    w.globals[forms[0]] = Stands(forms[1])
    return forms[0]


@operator("IN-PACKAGE", "DEFPACKAGE")
def package(w, forms, scope):
    return NIL


@operator("DEFSTRUCT")
def defstruct(w, forms, outer):
    name, *options = items(forms[0]) if isinstance(forms[0], Cons) else [forms[0]]
    given = {each.car if isinstance(each, Cons) else each: items(each.cdr) if isinstance(each, Cons) else []
             for each in options}  # fmt: skip
    if given.keys() - {":CONC-NAME", ":CONSTRUCTOR", ":COPIER", ":PREDICATE"}:
        raise NotImplementedError(str(given))
    slots: dict[str, tuple] = {}  # the form that makes it, and what may be in it
    for each in forms[1:]:
        if isinstance(each, Array):  # a text about it
            continue
        slot, *rest = items(each) if isinstance(each, Cons) else [each]
        more = dict(zip(rest[1::2], rest[2::2], strict=True))
        slots[slot] = rest[0] if rest else NIL, w.types.holds(more.get(":TYPE", T))
    w.types.structures.add(name)
    prefix = (given.get(":CONC-NAME") or [f"{name}-"])[0]
    prefix = "" if prefix == NIL else prefix

    def make(*args):
        if len(args) % 2:
            raise Trap("a keyword without a value")
        values = dict(reversed(list(zip(args[::2], args[1::2], strict=True))))
        if values.keys() - {f":{slot}" for slot in slots}:
            raise Trap("no such slot")
        made = {}
        for slot, (form, holds) in slots.items():
            value = values[f":{slot}"] if f":{slot}" in values else w.one(form, outer)
            made[slot] = Cell(value, holds)
        return Structure(name, made)

    def cell(x, slot: str) -> Cell:
        if not isinstance(x, Structure) or x.type != name:
            raise Trap("another structure")
        return x.slots[slot]

    def copy(x) -> Structure:
        return Structure(name, {slot: Cell(cell(x, slot).value, holds) for slot, (_, holds) in slots.items()})

    w.functions[(given.get(":CONSTRUCTOR") or [f"MAKE-{name}"])[0]] = make
    w.functions[(given.get(":COPIER") or [f"COPY-{name}"])[0]] = copy
    w.functions[(given.get(":PREDICATE") or [f"{name}-P"])[0]] = lambda x: truth(w.types.holds(name)(x))
    for slot in slots:
        w.functions[prefix + slot] = lambda x, slot=slot: cell(x, slot).value
        w.writers[prefix + slot] = lambda new, x, slot=slot: cell(x, slot).set(new)
    return name
