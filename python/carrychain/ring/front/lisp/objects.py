"""Forms that make, access and call values known at compile time."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.form import BOOL
from ..ssa import Variable
from .build import LispBuilder, raw, special
from .data import NIL, Cons, Symbol, brief, listed
from .expand import S, Scope, parts, temporary
from .known import Choice, FunctionValue, Grid, GridVariable, Known, Layout, ListValue, Slot, Structure
from .loop import UNBOUND
from .types import Types
from .values import LispValue, LispValues

# Structures -----------------------------------------------------------------------------------


def layout(self: LispBuilder, name) -> Layout:
    found = self.world.layouts.get(name)
    if found is None:
        raise self.error(f"{brief(name)} is not a known structure")
    return found


def made_of(self: LispBuilder, of: Layout, held: Callable[[Slot], LispValue | None]) -> Structure:
    """A new structure with these values in its slots; None for no value yet."""
    made = Structure(of)
    for slot in of.slots:
        value = held(slot)
        declared = Types(of.scope, self.b.position).parse(slot.type)
        made.slots[slot.name] = self.variable_for(slot.name, value, declared, True, slot=True)
    return made


@special("%STRUCTURE")
def _structure(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    """A new structure: with the given values, and defaults in the other slots."""
    name, *given = form.cdr
    of = layout(self, name)
    values = {slot: self.value(source, scope) for slot, source in zip(given[::2], given[1::2], strict=True)}

    def held(slot: Slot) -> LispValue | None:
        if slot.name in values:
            return values[slot.name]
        return None if slot.form in (None, UNBOUND) else self.value(slot.form, of.scope)

    return [made_of(self, of, held)]


@special("%INITIAL")
def _initial(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    """A slot's default value."""
    name, slot = form.cdr
    of = layout(self, name)
    source = of.slot(slot).form
    return [self.b.nil() if source is None else self.value(source, of.scope)]


@special("%COPY-STRUCTURE")
def _copy(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    name, source = form.cdr
    of = structure(self, source, scope, layout(self, name))

    def held(slot: Slot) -> LispValue | None:
        unset = isinstance(of.slots[slot.name], Variable) and of.slots[slot.name].type is None
        return None if unset else held_in(self, of, slot.name)

    return [made_of(self, of.type, held)]


@special("%IS")
def _is(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    name, source = form.cdr
    value = self.value(source, scope)
    return [self.b.const(isinstance(value, Structure) and value.type.within(layout(self, name)))]


def structure(self: LispBuilder, form, scope: Scope, wanted: Layout | None) -> Structure:
    """The structure that a form yields."""
    value = self.value(form, scope)
    named = wanted or "a structure"
    if not isinstance(value, Structure):
        raise self.error(f"{brief(form)} is {self.kind_name(value)}, but {named} is needed", form)
    if wanted is not None and not value.type.within(wanted):
        raise self.error(f"{brief(form)} is {value.type}, but {named} is needed", form)
    return value


def place_of(self: LispBuilder, form: Cons, scope: Scope) -> tuple[Structure, Symbol]:
    name, slot, source = form
    found = structure(self, source, scope, None if name is NIL else layout(self, name))
    if slot not in found.slots:
        raise self.error(f"{found.type} has no slot {brief(slot)}")
    return found, slot


@special("%SLOT")
def _slot(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    found, slot = place_of(self, form.cdr, scope)
    return [held_in(self, found, slot)]


def held_in(self: LispBuilder, found: Structure, slot: Symbol) -> LispValue:
    held = found.slots[slot]
    if isinstance(held, GridVariable):
        return Grid(self.read(held.variable, slot), held.dimensions)
    return held if isinstance(held, Known) else self.read(held, slot)


@special("%SET-SLOT")
def _set_slot(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    *where, source = form.cdr
    found, slot = place_of(self, listed(*where), scope)
    if found.type.slot(slot).read_only:
        raise self.error(f"the slot {slot} of {found.type} is read only")
    value = self.value(source, scope)
    held = found.slots[slot]
    if isinstance(value, Grid) and isinstance(held, Variable) and held.type is None:
        found.slots[slot] = held = GridVariable(held, value.dimensions)
    if isinstance(held, GridVariable):
        if not isinstance(value, Grid) or value.dimensions != held.dimensions:
            raise self.error(f"the slot {slot} has the dimensions {held.dimensions}, but is given others")
        self.assign(held.variable, value.vector, slot)
        return [value]
    return [self.assign(held, value, slot)]


# Functions ------------------------------------------------------------------------------------


@special("FUNCTION", "LAMBDA")
def _function(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    head = form if form.car is S.lambda_ else form.cdr.car
    if isinstance(head, Cons) and head.car is S.setf:
        raise self.error("a function that stores can only be called by setf")
    if not isinstance(head, Symbol) and not (isinstance(head, Cons) and head.car is S.lambda_):
        raise self.error(f"{brief(head)} is not a function")
    return [FunctionValue(head, scope)]


@special("FUNCALL")
def _funcall(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    function, *arguments = form.cdr
    if isinstance(function, Cons) and function.car in (S.function, S.quote):
        return self.compound(listed(function.cdr.car, *arguments), scope, want)
    called = self.value(function, scope)
    return call(self, called, function, self.arguments(arguments, scope), want)


@special("APPLY")
def _apply(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    function, *arguments = form.cdr
    if isinstance(function, Cons) and function.car is S.quote:
        function = listed(S.function, function.cdr.car)
    called = self.value(function, scope)
    *values, last = self.arguments(arguments, scope)
    return call(self, called, function, [*values, *listing(self, last, arguments[-1])], want)


def call(self: LispBuilder, function: LispValue, form, values: list[LispValue], want: int) -> list[LispValue]:
    """Calls the function that the form yielded."""
    if isinstance(function, Choice):
        return choose(self, function, form, values, want)
    if not isinstance(function, FunctionValue):
        what = "functions are known by where they are made, and passed as arguments only"
        raise self.error(f"{brief(form)} is {self.kind_name(function)}, but a function is needed: {what}")
    names = [temporary("argument") for _ in values]
    variables = {n: self.variable_for(n, v, None, True) for n, v in zip(names, values, strict=True)}
    inner = function.scope.with_(variables=variables)
    return self.lower(listed(function.head, *names), inner, want)


def choose(self: LispBuilder, choice: Choice, form, values: list[LispValue], want: int) -> list[LispValue]:
    """Calls one of several functions, chosen by comparisons."""
    b = self.b
    outcomes = []
    for at, function in enumerate(choice.functions[:-1]):
        this, others = b.new_block("this"), b.new_block("others")
        b.branch(b.one("eq", choice.index, b.const(at), type_=BOOL), this, others)
        if b.reached(this):
            b.start(this)
            self.way(outcomes, lambda f=function: call(self, f, form, values, want))
        if not b.reached(others):
            return self.join(outcomes, want)
        b.start(others)
    self.way(outcomes, lambda: call(self, choice.functions[-1], form, values, want))
    return self.join(outcomes, want)


# Lists of arguments ---------------------------------------------------------------------------


def listing(self: LispBuilder, value: LispValue, form) -> list[LispValue]:
    """The values of a known list."""
    if isinstance(value, ListValue):
        return value.values
    if value in self.b.nils:
        return []
    what = "compiled code has no other lists than those of &rest"
    raise self.error(f"{brief(form)} is {self.kind_name(value)}, but a list is needed: {what}")


def made(self: LispBuilder, values: list[LispValue]) -> LispValue:
    return ListValue(list(values)) if values else self.b.nil()


def on_list(*names: str):
    """An operator whose last argument is a list."""

    def register(function):
        def lower(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
            *before, source = parts(form, 1, 2)
            before = [self.index(each, scope) for each in before]
            return [function(self, *before, listing(self, self.value(source, scope), source))]

        raw(*names)(lower)
        return function

    return register


def nth(self: LispBuilder, at: int, values: list[LispValue]) -> LispValue:
    return values[at] if at < len(values) else self.b.nil()


for _at, _name in enumerate(("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH")):
    on_list(_name)(lambda self, values, at=_at: nth(self, at, values))
on_list("CAR")(lambda self, values: nth(self, 0, values))
on_list("CADR")(lambda self, values: nth(self, 1, values))
on_list("CDR", "REST")(lambda self, values: made(self, values[1:]))
on_list("NTH")(nth)
on_list("NTHCDR")(lambda self, at, values: made(self, values[at:]))
on_list("ENDP")(lambda self, values: self.b.const(not values))
on_list("LIST-LENGTH")(lambda self, values: self.b.const(len(values)))


@raw("VALUES-LIST")
def _values_list(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    (source,) = parts(form, 1, 1)
    return LispValues(listing(self, self.value(source, scope), source))


@special("%DOLIST")
def _dolist(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    """The body, lowered once for each value of the list."""
    name, source, turn, result = form.cdr
    for value in listing(self, self.value(source, scope), source):
        inner = scope.with_(variables={name: self.variable_for(name, value, None, scope.safe)})
        self.effect(turn, inner)
    return self.lower(result, scope, want)
