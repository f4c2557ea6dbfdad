"""What names mean where a form stands."""

from collections.abc import Callable
from dataclasses import dataclass

from .data import NIL, Cons, Trap, items


class Leave(Exception):
    """A way out to a block, or to a tag."""

    def __init__(self, target: object, value):
        self.target, self.value = target, value


class Cell:
    """A variable, and what tells whether a value is of its type."""

    __slots__ = ("holds", "value")

    def __init__(self, value, holds=None):
        self.holds = holds
        self.set(value)

    def set(self, value):
        if self.holds and not self.holds(value):
            raise Trap("not of the declared type")
        self.value = value
        return value


@dataclass
class Place:
    """What is there is read as a value or several, and so is it stored; `write` has what the form yields."""

    read: Callable
    write: Callable


@dataclass
class Stands:
    """A symbol that stands for a form."""

    form: object


@dataclass
class Macro:
    expand: Callable  # of the form


class Scope:
    """What names mean: variables by their names, others by a word and the name."""

    __slots__ = ("names", "outer")

    def __init__(self, outer: "Scope | None" = None):
        self.names: dict = {}
        self.outer = outer

    def find(self, key):
        scope: Scope | None = self
        while scope is not None:
            if key in scope.names:
                return scope.names[key]
            scope = scope.outer
        return None


def in_block(name: str, outer: Scope, run: Callable):
    """What is run in a scope with a block of this name yields, or what return-from does."""
    scope = Scope(outer)
    target = scope.names["block", name] = object()
    try:
        return run(scope)
    except Leave as leave:
        if leave.target is not target:
            raise
        return leave.value


class Parameters:
    """A lambda list: patterns, with their defaults and what says whether they were given."""

    def __init__(self, form):
        self.whole: str | None = None
        self.required: list = []
        self.optional: list = []
        self.rest: object = None
        self.keys: list = []  # with the keyword before
        self.any_key = False
        self.aux: list = []
        into = "&REQUIRED"
        while isinstance(form, Cons):
            each, form = form.car, form.cdr
            if isinstance(each, str) and each.startswith("&"):
                into = each
                self.any_key |= each == "&ALLOW-OTHER-KEYS"
                continue
            if into == "&REQUIRED":
                self.required.append(each)
                continue
            parts = items(each) if isinstance(each, Cons) else [each]
            parts += [NIL, None][len(parts) - 1 :]
            match into:
                case "&OPTIONAL":
                    self.optional.append(parts)
                case "&REST" | "&BODY":
                    self.rest = each
                case "&KEY":
                    key, name = items(parts[0]) if isinstance(parts[0], Cons) else (f":{parts[0]}", parts[0])
                    self.keys.append([key, name, *parts[1:]])
                case "&AUX":
                    self.aux.append(parts)
                case "&WHOLE":
                    self.whole, into = each, "&REQUIRED"
        if form != NIL:
            self.rest = form
        self.plain = not (self.optional or self.rest or self.keys or self.any_key or self.aux or self.whole)
        self.plain = self.plain and all(isinstance(each, str) for each in self.required)


def known(form, role: str, make: Callable):
    """What is made of a form once, and kept with it."""
    if not isinstance(form, Cons):
        return make()
    if form.known is None or form.known[0] != role:
        form.known = role, make()
    return form.known[1]


def named(name) -> str:
    """A function's name."""
    return f"(SETF {name.cdr.car})" if isinstance(name, Cons) else name
