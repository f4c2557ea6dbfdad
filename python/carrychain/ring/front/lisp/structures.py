"""defstruct: what it defines, as definitions and macros of the program.

A structure of integers and arrays is a layout, whose instances are known at compile time (`known`). One with
(:type (vector element)) is a vector, and its accessors read and write elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...ir.errors import SourceError
from .data import NIL, Cons, Macro, Symbol, T, brief, items, listed, symbol
from .expand import SLOT, S, Scope, parts, temporary
from .known import Layout, Slot

STRUCTURE, INITIAL, IS, COPY = (
    symbol(f"%{name}") for name in ("STRUCTURE", "INITIAL", "IS", "COPY-STRUCTURE")
)
STORE = symbol("%STORE")
LAMBDA_WORDS = ("&OPTIONAL", "&REST", "&KEY", "&AUX", "&ALLOW-OTHER-KEYS")
# Options that have no meaning here.
IGNORED = {":PRINT-FUNCTION", ":PRINT-OBJECT", ":PURE"}


class Struct:
    """A defstruct that is being processed."""

    def __init__(self, form: Cons, layouts: dict[Symbol, Layout]):
        head, *slots = parts(form, 1)
        self.form = form
        self.name, *options = head if isinstance(head, Cons) else [head]
        if not isinstance(self.name, Symbol) or self.name in (NIL, T):
            raise self.error(f"{brief(self.name)} is not a valid name for a structure")
        self.prefix = f"{self.name.name}-"
        self.constructors: list[tuple[Symbol, object]] = []
        self.copier: Symbol | None = symbol(f"COPY-{self.name.name}")
        self.predicate: Symbol | None = symbol(f"{self.name.name}-P")
        self.parent: Layout | None = None
        self.vector: Cons | Symbol | None = None
        self.slots: list[Slot] = []
        plain = True  # whether no constructor was named
        for option in options:
            name, *given = option if isinstance(option, Cons) else [option]
            if name is symbol(":CONSTRUCTOR"):
                plain = plain and not given
                if given and given[0] is not NIL:
                    self.constructors.append((given[0], given[1] if len(given) > 1 else None))
            else:
                self.option(name, given, layouts)
        if plain:
            self.constructors.append((symbol(f"MAKE-{self.name.name}"), None))
        if slots and isinstance(slots[0], str):
            slots = slots[1:]
        self.slots += [self.slot(each) for each in slots]

    def error(self, message: str) -> SourceError:
        return SourceError(message, self.form.position)

    def option(self, name, given: list, layouts: dict[Symbol, Layout]) -> None:
        match getattr(name, "name", ""):
            case ":CONC-NAME":
                prefix = given[0] if given and given[0] is not NIL else ""
                self.prefix = getattr(prefix, "name", prefix)
            case ":COPIER" if given:
                self.copier = None if given[0] is NIL else given[0]
            case ":PREDICATE" if given:
                self.predicate = None if given[0] is NIL else given[0]
            case ":COPIER" | ":PREDICATE":
                pass
            case ":INCLUDE":
                self.include(*given, layouts=layouts)
            case ":TYPE":
                self.vector = given[0]
                if getattr(self.vector, "car", self.vector) is not S.vector:
                    what = "a list, which only macros have: write (:type (vector integer))"
                    raise self.error(f"{self.name} is {what}")
            case other if other not in IGNORED:
                raise self.error(f"a structure's option {brief(name)} is not supported")

    def include(self, name, *given, layouts: dict[Symbol, Layout]) -> None:
        self.parent = layouts.get(name)
        if self.parent is None:
            raise self.error(f"{brief(name)} is not a known structure")
        changed = {each.name: each for each in map(self.slot, given)}
        for each in self.parent.slots:
            new = changed.get(each.name, each)
            if new is not each and new.type is T:
                new.type = each.type
            self.slots.append(new)

    def slot(self, form) -> Slot:
        name, *rest = form if isinstance(form, Cons) else [form]
        initial = rest[0] if rest else None
        options = dict(zip(rest[1::2], rest[2::2], strict=True))
        type_ = options.get(symbol(":TYPE"), T)
        return Slot(name, initial, type_, options.get(symbol(":READ-ONLY"), NIL) is not NIL)

    # Definitions

    def forms(self) -> Iterator[Cons]:
        """The functions."""
        for name, parameters in self.constructors:
            yield self.constructor(name, parameters)
        if self.vector is not None:
            if self.copier is not None:
                x = temporary("x")
                body = listed(S.copy_seq, x)
                yield listed(S.defun, self.copier, listed(x), self.declared(x), body)
            return
        if self.copier is not None:
            x = temporary("x")
            yield listed(S.defun, self.copier, listed(x), listed(COPY, self.name, x))

    def element(self):
        return self.vector.cdr.car if isinstance(self.vector, Cons) and self.vector.cdr is not NIL else T

    def declared(self, x: Symbol) -> Cons:
        return listed(
            S.declare, listed(S.type, listed(S.simple_array, self.element(), listed(len(self.slots))), x)
        )

    def constructor(self, name: Symbol, parameters) -> Cons:
        """A constructor with keywords, or with the given parameters, which are named after their slots."""
        if parameters is None:
            names = {each.name: temporary(each.name.name) for each in self.slots}
            keys = [
                listed(listed(symbol(f":{each.name.name}"), names[each.name]), self.initial(each))
                for each in self.slots
            ]
            parameters = listed(symbol("&KEY"), *keys)
        else:
            parameters, names = self.by_order(parameters)
        made = listed(S.defun, name, parameters, self.made(names))
        made.position = self.form.position
        return made

    def by_order(self, parameters) -> tuple[Cons, dict[Symbol, Symbol]]:
        """The lambda list, completed with the slots' defaults, and the names that are slots'."""
        found: list = []
        names: dict[Symbol, Symbol] = {}
        mode = ""
        for each in items(parameters):
            if isinstance(each, Symbol) and each.name in LAMBDA_WORDS:
                mode = each.name
            else:
                name = each.car if isinstance(each, Cons) else each
                name = name.cdr.car if isinstance(name, Cons) else name
                slot = next((slot for slot in self.slots if slot.name is name), None)
                if slot is not None:
                    names[name] = name
                    if mode in ("&OPTIONAL", "&KEY", "&AUX") and not isinstance(each, Cons):
                        each = listed(name, self.initial(slot))
            found.append(each)
        return listed(*found), names

    def initial(self, slot: Slot):
        if self.vector is not None:
            return 0 if slot.form is None else slot.form
        return listed(INITIAL, self.name, slot.name)

    def made(self, names: dict[Symbol, Symbol]) -> Cons:
        if self.vector is None:
            given = [part for slot, value in names.items() for part in (slot, value)]
            return listed(STRUCTURE, self.name, *given)
        vector = temporary("made")
        new = listed(S.make_array, len(self.slots), symbol(":ELEMENT-TYPE"), listed(S.quote, self.element()))
        stores = [
            listed(STORE, vector, at, listed(S.the, each.type, names.get(each.name, self.initial(each))))
            for at, each in enumerate(self.slots)
        ]
        return listed(S.let, listed(listed(vector, new)), *stores, vector)

    def macros(self) -> Iterator[tuple[Symbol, Macro]]:
        """The accessors and the predicate."""
        for at, each in enumerate(self.slots):
            name = symbol(f"{self.prefix}{each.name.name}")
            yield name, Macro(name, self.accessor(at, each))
        if self.predicate is not None and self.vector is None:
            yield (
                self.predicate,
                Macro(self.predicate, lambda form, scope: listed(IS, self.name, *parts(form, 1, 1))),
            )

    def accessor(self, at: int, slot: Slot) -> Callable:
        def expand(form: Cons, scope: Scope):
            (of,) = parts(form, 1, 1)
            if self.vector is None:
                return listed(SLOT, self.name, slot.name, of)
            read = listed(S.aref, of, at)
            return read if slot.type is T else listed(S.the, slot.type, read)

        return expand
