"""Places, and the macros that store into them, by CLHS 5.1.

The subforms of all places and the other forms are evaluated in the order written. Then what is there is read,
and last it is stored, one place after the other.
"""

from collections.abc import Callable

from .data import NIL, Cons, Trap, Values, entering, eql, items, one, truth
from .functions import (
    FUNCTIONS,
    OF_ARRAYS,
    Options,
    call,
    cell,
    conses,
    getf,
    nthcdr,
    place_in,
    replace,
    store,
    whole,
)
from .integers import deposited, field, integer, masked
from .scopes import Parameters, Place

PLACES: dict[str, Callable] = {}  # places whose subforms are not just a function's arguments
WRITERS: dict[str, Callable] = {}  # of other places: the new value and the arguments
OPERATORS: dict[str, Callable] = {}
place, operator = entering(PLACES), entering(OPERATORS)


@place("THE")
def the(w, forms, scope) -> Place:
    holds, of = w.types.holds(forms[0]), w.place(forms[1], scope)

    def checked(value):
        if not holds(one(value)):
            raise Trap("not of the promised type")
        return value

    return Place(lambda: checked(of.read()), lambda new: of.write(checked(new)))


@place("VALUES")
def values(w, forms, scope) -> Place:
    every = [w.place(each, scope) for each in forms]

    def write(new):
        given = new if isinstance(new, Values) else (new,)
        return Values(each.write(given[at] if at < len(given) else NIL) for at, each in enumerate(every))

    return Place(lambda: Values(one(each.read()) for each in every), write)


def part(read: Callable, put: Callable):
    """A place that is some bits of another."""

    def function(w, forms, scope) -> Place:
        spec = w.one(forms[0], scope)
        of = w.place(forms[1], scope)

        def write(new):
            new = one(new)
            of.write(put(new, spec, one(of.read())))
            return new

        return Place(lambda: read(spec, one(of.read())), write)

    return function


PLACES["LDB"] = part(field, deposited)
PLACES["MASK-FIELD"] = part(masked, lambda new, spec, x: deposited(field(spec, new), spec, x))


@place("GETF")
def getf_(w, forms, scope) -> Place:
    of = w.place(forms[0], scope)
    key, *default = [w.one(each, scope) for each in forms[1:]]

    def write(new):
        new, plist = one(new), one(of.read())
        for each in list(conses(plist))[::2]:
            if eql(each.car, key):
                each.cdr.car = new
                return new
        of.write(Cons(key, Cons(new, plist)))
        return new

    return Place(lambda: getf(one(of.read()), key, *default or [NIL]), write)


def writer(letters: str) -> Callable:
    """Of car, cdr and their compositions."""
    there = FUNCTIONS[f"C{letters[1:]}R"] if letters[1:] else lambda x: x

    def write(new, x):
        found = there(x)
        if not isinstance(found, Cons):
            raise Trap("not a cons")
        setattr(found, {"A": "car", "D": "cdr"}[letters[0]], new)
        return new

    return write


def put_cell(new, found):
    if not isinstance(found, Cons):
        raise Trap("not a cons")
    found.car = new
    return new


def put_key(new, key, table, default=NIL):
    table.held[key] = new
    return new


def put_element(new, x, at):
    return put_cell(new, cell(x, at)) if isinstance(x, Cons) else store(x, place_in(x, at), new)


def put_part(new, x, start, end=NIL):
    replace(x, new, ":START1", start, ":END1", end)
    return new


NUMBERED = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH")
WRITERS |= {name: writer(name[1:-1]) for name in FUNCTIONS if name[0] == "C" and not name.strip("CADR")}
WRITERS |= {name: lambda new, x, at=at: put_cell(new, nthcdr(at, x)) for at, name in enumerate(NUMBERED)}
WRITERS |= dict.fromkeys(OF_ARRAYS, lambda new, x, *at: store(x, place_in(x, *at), new))
WRITERS |= {
    "REST": WRITERS["CDR"],
    "NTH": lambda new, n, x: put_cell(new, nthcdr(n, x)),
    "ELT": put_element,
    "ROW-MAJOR-AREF": lambda new, x, at: store(x, place_in(whole(x), at), new),
    "SUBSEQ": put_part,
    "GETHASH": put_key,
    "SLOT-VALUE": lambda new, x, slot: x.slots[slot].set(new),
}


# --- what stores ------------------------------------------------------------------------------


def pairs(forms) -> list:
    if len(forms) % 2:
        raise Trap("a place without a form")
    return list(zip(forms[::2], forms[1::2], strict=True))


@operator("SETF", "SETQ")
def setf(w, forms, scope):
    value: object = NIL
    for where, form in pairs(forms):
        there = w.place(where, scope)
        value = there.write(w.eval(form, scope))
    return value


@operator("PSETF", "PSETQ")
def psetf(w, forms, scope):
    for there, value in [(w.place(where, scope), w.eval(form, scope)) for where, form in pairs(forms)]:
        there.write(value)
    return NIL


@operator("MULTIPLE-VALUE-SETQ")
def multiple_value_setq(w, forms, scope):
    names = items(forms[0])
    there = values(w, names, scope)
    value = w.eval(forms[1], scope)
    stored = there.write(value)
    return one(stored if names else value)


@operator("ROTATEF")
def rotatef(w, forms, scope):
    every = [w.place(each, scope) for each in forms]
    found = [each.read() for each in every]
    for there, value in zip(every, [*found[1:], *found[:1]], strict=True):
        there.write(value)
    return NIL


@operator("SHIFTF")
def shiftf(w, forms, scope):
    every = [w.place(each, scope) for each in forms[:-1]]
    found = [each.read() for each in every]
    found.append(w.eval(forms[-1], scope))
    for there, value in zip(every, found[1:], strict=True):
        there.write(value)
    return found[0]


def modifying(make: Callable):
    """An operator on a place and other forms, after which it is read; `make` has what is there first."""

    def function(w, forms, scope):
        there = w.place(forms[0], scope)
        args = [w.one(each, scope) for each in forms[1:]]
        return there.write(make(one(there.read()), *args))

    return function


operator("INCF")(modifying(lambda x, by=1: integer(x) + integer(by)))
operator("DECF")(modifying(lambda x, by=1: integer(x) - integer(by)))


@operator("PUSH")
def push(w, forms, scope):
    item = w.one(forms[0], scope)
    there = w.place(forms[1], scope)
    return there.write(Cons(item, one(there.read())))


@operator("PUSHNEW")
def pushnew(w, forms, scope):
    item = w.one(forms[0], scope)
    there = w.place(forms[1], scope)
    options = Options([w.one(each, scope) for each in forms[2:]])
    held = one(there.read())
    if any(options.same(item, each) for each in items(held)):
        return there.write(held)
    return there.write(Cons(item, held))


@operator("POP")
def pop(w, forms, scope):
    there = w.place(forms[0], scope)
    held = one(there.read())
    there.write(FUNCTIONS["CDR"](held))
    return FUNCTIONS["CAR"](held)


@operator("REMF")
def remf(w, forms, scope):
    there = w.place(forms[0], scope)
    key = w.one(forms[1], scope)
    plist = one(there.read())
    before = None
    for each in list(conses(plist))[::2]:
        if eql(each.car, key):
            if before is None:
                there.write(each.cdr.cdr)
            else:
                before.cdr.cdr = each.cdr.cdr
            return truth(True)
        before = each
    return NIL


@operator("DEFINE-MODIFY-MACRO")
def define_modify_macro(w, forms, outer):
    name, lambda_list, function, *_ = forms
    parameters = Parameters(lambda_list)

    def modify(w, forms, scope):
        there = w.place(forms[0], scope)
        given = forms[1:]
        # what is left out stands for a form that the macro has as it expands
        missing = parameters.optional[max(0, len(given) - len(parameters.required)) :]
        given += [w.one(default, outer) for _, default, _ in missing]
        args = [w.one(each, scope) for each in given]
        return there.write(call(w.function(function, scope), one(there.read()), *args))

    w.operators[name] = modify
    return name


@operator("DEFSETF")
def defsetf(w, forms, scope):
    name, update, *_ = forms
    w.writers[name] = lambda new, *args: one(w.functions[update](*args, new))
    return name
