"""The walker: forms, what is bound, places."""

import sys
from collections.abc import Callable

from . import definitions, forms, loop, places
from .data import NIL, Array, Cons, T, Trap, Values, items, listed, one, text_of, truth
from .functions import FUNCTIONS, append, elements, of_types
from .integers import CONSTANTS
from .reader import Reader
from .scopes import Cell, Leave, Macro, Parameters, Place, Scope, Stands, in_block, known, named
from .types import Types

STEPS_MAX = 1_000_000
DEPTH = 20_000


class Walker:
    def __init__(self, text: str = ""):
        self.types = Types()
        self.functions = {
            **FUNCTIONS, **of_types(self.types), "FUNCALL": self.funcall, "ERROR": self.error,
            "APPLY": lambda f, *args: self.funcall(f, *args[:-1], *items(args[-1])),
        }  # fmt: skip
        self.operators: dict[str, Callable] = {}
        for part in (forms, places, loop, definitions):
            self.operators |= part.OPERATORS
        self.macros: dict[str, Macro] = {}
        self.writers = dict(places.WRITERS)
        self.promised: dict[str, tuple] = {}  # of functions: the types of arguments and values
        self.globals: dict[str, Cell | Stands] = {name: Cell(value) for name, value in CONSTANTS.items()}
        self.global_types: dict[str, Callable] = {}
        self.local: set[str] = set()  # functions' names that some form gives to its own
        self.lambdas: dict[str, tuple] = {}  # functions' parameters and their types' forms
        self.steps = 0
        self.load(text)

    def load(self, text: str) -> None:
        scope = Scope()
        for form in Reader(text).all():
            self.steps = STEPS_MAX
            self.eval(form, scope)

    def call(self, name: str, *args) -> tuple:
        self.steps = STEPS_MAX
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, DEPTH))
        try:
            value = self.functions[name.upper()](*self.arguments(name.upper(), args))
        except RecursionError:
            raise MemoryError from None
        finally:
            sys.setrecursionlimit(limit)
        return tuple(map(shown, value if isinstance(value, Values) else (value,)))

    def arguments(self, name: str, args) -> list:
        """As Lisp's: a list becomes an array of the declared type, one passed twice the same array."""
        params, types = self.lambdas[name]
        names = [*params.required, *(each[0] for each in params.optional)]
        names += [None] * (len(args) - len(names))
        made: dict[int, Array] = {}
        found = []
        for param, arg in zip(names, args, strict=False):
            if arg is None or arg is True:
                arg = truth(bool(arg))
            elif not isinstance(arg, int | str):
                (element,) = self.types.elements_of(types.get(param, T)) or (T,)
                arg = made.setdefault(id(arg), self.types.made([len(arg)], element, arg))
            found.append(arg)
        return found

    @staticmethod
    def error(*_):
        raise Trap("an error")

    def funcall(self, function, *args):
        return (function if callable(function) else self.functions[function])(*args)

    # --- forms ----------------------------------------------------------------------------------

    def eval(self, form, scope: Scope):
        self.tick()
        if isinstance(form, str):
            return self.variable(form, scope)
        if not isinstance(form, Cons):
            return form
        head = form.car
        if isinstance(head, Cons):
            return self.function(head, scope)(*self.evaluated(form.cdr, scope))
        expansion, expanded = self.expanded_once(form, scope)
        if expanded:
            return self.eval(expansion, scope)
        local = scope.find(("function", head)) if head in self.local else None
        if local is None and head in self.operators:
            return self.operators[head](self, items(form.cdr), scope)
        function = local or self.functions.get(head)
        if function is None:
            raise NotImplementedError(head)
        return function(*self.evaluated(form.cdr, scope))

    def tick(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise MemoryError

    def evaluated(self, forms, scope: Scope) -> list:
        return [one(self.eval(each, scope)) for each in items(forms)]

    def one(self, form, scope: Scope):
        return one(self.eval(form, scope))

    def holds(self, form, scope: Scope) -> bool:
        return one(self.eval(form, scope)) != NIL

    def progn(self, forms: list, scope: Scope):
        value: object = NIL
        for each in forms:
            value = self.eval(each, scope)
        return value

    def variable(self, name: str, scope: Scope):
        if name in (T, NIL) or name.startswith(":"):
            return name
        there = scope.find(name) or self.globals.get(name)
        if there is None:
            raise NotImplementedError(name)
        return self.eval(there.form, scope) if isinstance(there, Stands) else there.value

    def expanded_once(self, form: Cons, scope: Scope) -> tuple[object, bool]:
        """What a macro makes of the form, and whether it is a macro's."""
        head = form.car
        macro = (scope.find(("function", head)) if head in self.local else None) or self.macros.get(head)
        if not isinstance(macro, Macro):
            return form, False
        if form.known is None or form.known[0] is not macro:
            form.known = macro, macro.expand(form)
        return form.known[1], True

    def quasiquoted(self, x, depth: int, scope: Scope):
        if not isinstance(x, Cons):
            return x
        if x.car == "UNQUOTE" and depth == 1:
            return self.one(x.cdr.car, scope)
        if x.car in ("UNQUOTE", "QUASIQUOTE"):
            deeper = depth + (1 if x.car == "QUASIQUOTE" else -1)
            return listed([x.car, self.quasiquoted(x.cdr.car, deeper, scope)])
        if isinstance(x.car, Cons) and x.car.car == "SPLICE" and depth == 1:
            spliced = self.one(x.car.cdr.car, scope)
            return append(spliced, self.quasiquoted(x.cdr, depth, scope))
        return Cons(self.quasiquoted(x.car, depth, scope), self.quasiquoted(x.cdr, depth, scope))

    # --- what is bound --------------------------------------------------------------------------

    def bind(self, scope: Scope, name: str, value, types: dict[str, Callable]) -> None:
        if isinstance(self.globals.get(name), Cell):
            raise NotImplementedError(f"the global variable {name} is bound")
        scope.names[name] = Cell(value, types.get(name))

    def body(self, forms: list) -> tuple[dict[str, Callable], list, dict[str, object]]:
        """What the declarations at the beginning say of variables, the forms behind, and the types' forms."""
        types: dict[str, Callable] = {}
        type_forms: dict[str, object] = {}
        at = 0
        while at < len(forms):
            each = forms[at]
            if isinstance(each, Cons) and each.car == "DECLARE":
                for said in items(each.cdr):
                    self.declared(items(said), types, type_forms)
            elif not (isinstance(each, Array) and at + 1 < len(forms)):  # a text about the function
                break
            at += 1
        return types, forms[at:], type_forms

    def declared(self, said: list, types: dict[str, Callable], type_forms: dict) -> None:
        match said:
            case ["TYPE", type_, *names]:
                pass
            case ["IGNORE" | "IGNORABLE" | "OPTIMIZE" | "INLINE" | "NOTINLINE" | "DYNAMIC-EXTENT"
                  | "FTYPE" | "SPECIAL", *_]:  # fmt: skip
                return
            case [type_, *names]:
                pass
        for name in names:
            before, holds = types.get(name), self.types.holds(type_)
            types[name] = holds if before is None else lambda x, a=before, b=holds: a(x) and b(x)
            type_forms[name] = type_

    def destructured(self, params: Parameters, given, scope: Scope, types: dict, whole=NIL) -> None:
        left = given
        if params.whole:
            self.bind(scope, params.whole, whole, types)
        for pattern in params.required:
            if not isinstance(left, Cons):
                raise Trap("too few arguments")
            self.matched(pattern, left.car, scope, types)
            left = left.cdr
        for pattern, default, supplied in params.optional:
            there = isinstance(left, Cons)
            self.matched(pattern, left.car if there else self.one(default, scope), scope, types)
            if supplied:
                self.bind(scope, supplied, truth(there), types)
            left = left.cdr if there else left
        if params.rest:
            self.matched(params.rest, left, scope, types)
        if params.keys or params.any_key:
            self.keywords(params, items(left), scope, types)
        elif not params.rest and left != NIL:
            raise Trap("too many arguments")
        for pattern, default, _ in params.aux:
            self.matched(pattern, self.one(default, scope), scope, types)

    def keywords(self, params: Parameters, given: list, scope: Scope, types: dict) -> None:
        if len(given) % 2:
            raise Trap("a keyword without a value")
        values = dict(reversed(list(zip(given[::2], given[1::2], strict=True))))
        if not params.any_key and values.keys() - {key for key, *_ in params.keys}:
            raise Trap("an unknown keyword")
        for key, pattern, default, supplied in params.keys:
            value = values[key] if key in values else self.one(default, scope)
            self.matched(pattern, value, scope, types)
            if supplied:
                self.bind(scope, supplied, truth(key in values), types)

    def matched(self, pattern, value, scope: Scope, types: dict) -> None:
        if isinstance(pattern, Cons):
            params = known(pattern, "parameters", lambda: Parameters(pattern))
            self.destructured(params, value, scope, types)
        elif pattern != NIL:
            self.bind(scope, pattern, value, types)

    def lambda_(self, lambda_list, forms: list, outer: Scope, block: str | None = None) -> Callable:
        params = known(lambda_list, "parameters", lambda: Parameters(lambda_list))
        types, body, _ = self.body(forms)

        def function(*args):
            scope = Scope(outer)
            if params.plain:
                if len(args) != len(params.required):
                    raise Trap("another number of arguments")
                for name, arg in zip(params.required, args, strict=True):
                    self.bind(scope, name, arg, types)
            else:
                self.destructured(params, listed(args), scope, types)
            if block is None:
                return self.progn(body, scope)
            return in_block(block, scope, lambda inner: self.progn(body, inner))

        return function

    def macro(self, lambda_list, forms: list, outer: Scope, name: str) -> Macro:
        params = Parameters(lambda_list)
        _, body, _ = self.body(forms)

        def expand(form):
            scope = Scope(outer)
            self.destructured(params, form.cdr, scope, {}, form)
            return one(in_block(name, scope, lambda inner: self.progn(body, inner)))

        return Macro(expand)

    def function(self, name, scope: Scope) -> Callable:
        """What #' means."""
        if isinstance(name, Cons) and name.car == "LAMBDA":
            return self.lambda_(name.cdr.car, items(name.cdr.cdr), scope)
        name = named(name)
        return scope.find(("function", name)) or self.functions[name]

    def tagbody(self, statements: list, outer: Scope) -> None:
        scope = Scope(outer)
        target = object()
        for at, each in enumerate(statements):
            if not isinstance(each, Cons):
                scope.names["tag", each] = target, at
        at = 0
        while at < len(statements):
            try:
                if isinstance(statements[at], Cons):
                    self.eval(statements[at], scope)
                at += 1
            except Leave as leave:
                if leave.target is not target:
                    raise
                at = leave.value

    # --- places ---------------------------------------------------------------------------------

    def place(self, form, scope: Scope) -> Place:
        """Its subforms are evaluated here, once; what is there is read and stored later."""
        if isinstance(form, str):
            there = scope.find(form) or self.globals.get(form)
            if isinstance(there, Stands):
                return self.place(there.form, scope)
            return Place(lambda: there.value, lambda new: there.set(one(new)))
        expansion, expanded = self.expanded_once(form, scope)
        if expanded:
            return self.place(expansion, scope)
        name, subforms = form.car, items(form.cdr)
        if name in places.PLACES:
            return places.PLACES[name](self, subforms, scope)
        args = [self.one(each, scope) for each in subforms]
        setter = scope.find(("function", f"(SETF {name})")) or self.functions.get(f"(SETF {name})")
        reader = scope.find(("function", name)) or self.functions[name]
        if setter:
            return Place(lambda: one(reader(*args)), lambda new: one(setter(one(new), *args)))
        return Place(lambda: one(reader(*args)), lambda new: one(self.writers[name](one(new), *args)))


def shown(value):
    """As a caller of compiled code has it."""
    if isinstance(value, Array):
        return text_of(value) if value.element == "CHARACTER" else list(map(shown, elements(value)))
    return {T: True, NIL: None}.get(value, value) if isinstance(value, str) else value
