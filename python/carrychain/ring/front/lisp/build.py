"""Forms to IR, and where paths split and join.

A form is lowered for as many of its values as are needed: none, one, or all. A form that never returns to its
place (return-from, go, error) raises Unreachable, which the next join catches. Code after it is not lowered.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from ...ir.errors import SourceError
from ...ir.form import INT, Block, Int, Position, Value
from ...ir.interface import NULL, held
from ..handlers import entering
from ..ssa import Builder, Tagged, Unreachable, Variable
from .calls import Calls, Lifted, LocalFunction
from .data import NIL, Character, Cons, Symbol, T, Vector, brief, length
from .expand import S, Scope, declarations
from .known import Choice, FunctionValue, Grid, Known, Name
from .library import FUNCTIONS
from .values import LispValue, LispValues, count_of, kind_of, rebuilt, split, truth, united
from .variables import Kinds

# The greatest depth of nested forms, including expansions: more would exhaust the compiler's stack.
DEPTH_MAX = 1200

SPECIAL: dict[str, Callable] = {}
OPERATORS: dict[str, Callable] = {}
special = entering(SPECIAL)
raw = entering(OPERATORS)  # an operator that gets its form unevaluated


@dataclass(eq=False)
class Target:
    """A block that return-from can leave, and the paths that leave it."""

    owner: LispBuilder
    want: int
    outcomes: list[tuple[Block, list[LispValue]]] = field(default_factory=list)


@dataclass(eq=False)
class Tag:
    owner: LispBuilder
    block: Block


class LispBuilder(Calls):
    """One function on its way to IR."""

    def __init__(self, program, name: str, position, kinds: Kinds | None = None):
        self.program = program
        self.world = program.world
        self.name = name
        self.b = Builder(name, position)
        self.kinds = kinds or Kinds()
        self.form: Cons | None = None  # the innermost form that is being lowered, as it was written
        self.depth = 0
        self.expansions: list[tuple[Symbol, object]] = []
        self.inlining: list[LocalFunction] = []
        self.own: set[Variable] = set()
        self.lifted: Lifted | None = None
        self.returns: list[LispValue] | None = None

    def place(self, name: Symbol) -> Position | None:
        """The symbol's position in the form that is being lowered."""
        todo, seen = [self.form], set()
        while todo:
            cell = todo.pop()
            # quoted data may be circular
            if isinstance(cell, Cons) and id(cell) not in seen:
                seen.add(id(cell))
                if cell.car is name and cell.at is not None:
                    return cell.at
                todo += [cell.cdr, cell.car]
        return self.b.position

    # Forms

    def value(self, form, scope: Scope) -> LispValue:
        return self.lower(form, scope, 1)[0]

    def integer(self, form, scope: Scope) -> Value:
        return self.as_integer(self.value(form, scope), form)

    def as_integer(self, value: LispValue, form) -> Value:
        if isinstance(value, Tagged):
            value = self.as_kind(value, Int, f"{brief(form)} is not an integer")
        if not isinstance(value.type, Int):
            raise self.error(f"{brief(form)} is {self.kind_name(value)}, but an integer is needed", form)
        return value

    def index(self, form, scope: Scope) -> int:
        """A natural number that is known at compile time."""
        value = self.b.constants.get(self.integer(form, scope))
        if value is None or value < 0:
            raise self.error(f"{brief(form)} must be a number known at compile time", form)
        return value

    def effect(self, form, scope: Scope) -> None:
        self.lower(form, scope, 0)

    def lower(self, form, scope: Scope, want: int) -> list[LispValue]:
        """Lowers the form to the wanted values: [] for none, or for ALL if there are none."""
        if not isinstance(form, Cons):
            return [] if want == 0 and not isinstance(form, Symbol) else self.atom(form, scope, want)
        builder = self.b
        outer, around = builder.position, self.form
        builder.position = form.position or outer
        if form.position or around is None:
            self.form = form
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise self.too_deep()
        known = self.world.macros.get(form.car) if isinstance(form.car, Symbol) else None
        if known:
            self.expansions.append((form.car, builder.position))
        try:
            expanded = scope.expand(form)
            if not isinstance(expanded, Cons):
                return self.lower(expanded, scope, want)
            values = self.compound(expanded, scope, want)
        finally:
            builder.position, self.form = outer, around
            self.depth -= 1
            if known:
                self.expansions.pop()
        if want == 1:
            return [self.single(values)]
        return values

    def single(self, values: list[LispValue]) -> LispValue:
        return values[0] if values else self.b.nil()

    def too_deep(self) -> SourceError:
        names = [name for name, _ in self.expansions]
        if names:
            name = max(set(names), key=names.count)
            if names.count(name) > 20:
                position = next(position for each, position in self.expansions if each is name)
                return SourceError(f"the macro {name} expands into itself endlessly", position)
        return self.error("nested too deeply")

    def atom(self, form, scope: Scope, want: int) -> list[LispValue]:
        if isinstance(form, Symbol):
            expanded = scope.expand(form)
            if expanded is not form:
                return self.lower(expanded, scope, want)
            return [self.symbol(form, scope)]
        return [self.literal(form)]

    def literal(self, form) -> Value:
        if isinstance(form, int):
            return self.b.const(form)
        if isinstance(form, Character):
            return self.b.const(form.code)
        if isinstance(form, (str, Vector)):
            name, type_ = self.program.literal(form, self.b.position)
            return self.shaped(self.b.emit("global", [], name, [type_])[0], form)
        if isinstance(form, Symbol) and form in (NIL, T):
            return self.b.const(True) if form is T else self.b.nil()
        if isinstance(form, Symbol):
            return Name(form)
        if isinstance(form, Fraction):
            raise self.error(f"{form}: there are no fractions in compiled code, only integers")
        raise self.error(f"{brief(form)} is not a value that compiled code supports")

    @staticmethod
    def shaped(vector: Value, constant: Vector | str) -> LispValue:
        """A constant array with its dimensions."""
        dimensions = None if isinstance(constant, str) else constant.dimensions
        return vector if dimensions is None else Grid(vector, list(dimensions))

    def symbol(self, name: Symbol, scope: Scope) -> LispValue:
        if name in (NIL, T) or name.name.startswith(":"):
            return self.literal(name)
        found = scope.variables.get(name)
        if isinstance(found, Known):
            return found
        if isinstance(found, Variable):
            return self.read(found, name)
        return self.program.global_value(self, name)

    def compound(self, form: Cons, scope: Scope, want: int) -> list[LispValue]:
        head = form.car
        if isinstance(head, Cons) and head.car is S.lambda_:
            return self.apply_lambda(head, list(form.cdr), scope, want)
        if not isinstance(head, Symbol):
            raise self.error(f"{brief(head)} is not a function")
        handler = SPECIAL.get(head.name)
        if handler:
            try:
                return handler(self, form, scope, want)
            except (ValueError, TypeError, AttributeError) as error:
                # destructuring the form failed
                raise self.error(f"malformed {head}: {brief(form)}") from error
        local = scope.functions.get(head)
        if local is not None:
            return self.call_local(local, list(form.cdr), scope, want)
        if head in self.world.functions:
            return self.call(self.world.functions[head], list(form.cdr), scope, want)
        if head in self.world.helpers:
            raise self.error(f"{head} is for macros only: its eval-when does not say :load-toplevel")
        operator = OPERATORS.get(head.name)
        if operator:
            return operator(self, form, scope, want)
        if head in FUNCTIONS:
            what = "use a vector, a structure or multiple values"
            raise self.error(f"{head} works on values that exist only in macros, such as lists: {what}")
        raise self.error(f"{head} is not a known function or macro")

    def progn(self, forms: list, scope: Scope, want: int) -> list[LispValue]:
        if not forms:
            return [self.b.nil()]
        for form in forms[:-1]:
            self.effect(form, scope)
        return self.lower(forms[-1], scope, want)

    def body(self, body, scope: Scope, want: int, declared=None, aux=()) -> list[LispValue]:
        """Lowers a body's forms; its declarations are already processed."""
        _, forms = declarations(body)
        for name, init in aux:
            value = self.value(init, scope)
            variable = self.variable_for(name, value, (declared or {}).get(name), scope.safe)
            scope = scope.with_(variables={name: variable})
        return self.progn(forms, scope, want)

    # Paths that split and join

    def test(self, form, scope: Scope, then: Block, otherwise: Block) -> None:
        """Jumps to `then` if the form is true, else to `otherwise`."""
        form = scope.expand(form)
        if isinstance(form, Cons) and isinstance(form.car, Symbol) and form.car not in scope.functions:
            outer = self.b.position
            self.b.position = form.position or outer
            self.depth += 1
            if self.depth > DEPTH_MAX:
                raise self.too_deep()
            try:
                if form.car in (S.not_, S.null) and length(form.cdr) == 1:
                    return self.test(form.cdr.car, scope, otherwise, then)
                if form.car is S.if_ and length(form.cdr) in (2, 3):
                    return self.test_if(form, scope, then, otherwise)
            finally:
                self.b.position = outer
                self.depth -= 1
        self.b.branch(truth(self.b, self.value(form, scope)), then, otherwise)
        return None

    def test_if(self, form: Cons, scope: Scope, then: Block, otherwise: Block) -> None:
        test, *choices = form.cdr
        ways = self.b.new_block("and"), self.b.new_block("or")
        self.test(test, scope, *ways)
        for way, choice in zip(ways, [*choices, NIL], strict=False):
            if self.b.reached(way):
                self.b.start(way)
                with suppress(Unreachable):
                    self.test(choice, scope, then, otherwise)

    def join(self, outcomes: list[tuple[Block, list[LispValue]]], want: int) -> list[LispValue]:
        """Continues after paths that each end in a block with some values."""
        if not outcomes:
            raise Unreachable
        b = self.b
        if len(outcomes) == 1:
            block, values = outcomes[0]
            b.start(block, sealed=False)
            return values
        ways = []
        for before, values in outcomes:
            b.start(before, sealed=False)
            ways.append((before, [] if want == 0 else [self.single(values)] if want == 1 else values))
        width = max(len(values) for _, values in ways)
        known = {at: value for at in range(width) if (value := self.met(ways, at)) is not None}
        kinds = [
            NULL
            if at in known
            else united(kind_of(b, values[at]) if at < len(values) else NULL for _, values in ways)
            for at in range(width)
        ]
        for kind in kinds:
            self.one_array(kind, "this is", "on another way it is")
        counted = any(count_of(values) is not None or len(values) < width for _, values in ways)
        block = b.new_block("join")
        types = [type_ for kind in kinds for type_ in held(kind)] + [INT] * counted
        block.params = [Value(b.fresh(""), type_, b.position) for type_ in types]
        choices = [value for value in known.values() if isinstance(value, Choice) and value.index is None]
        for choice in choices:
            choice.index = Value(b.fresh(""), INT, b.position)
            block.params.append(choice.index)
        for way, (before, values) in enumerate(ways):
            b.start(before, sealed=False)
            args = []
            for at, kind in enumerate(kinds):
                if at in known:
                    continue
                value = values[at] if at < len(values) else b.nil()
                args += split(self.converted(value, kind), kind)
            if counted:
                count = count_of(values)
                args.append(b.const(len(values)) if count is None else count)
            args += [choice.chosen(b, way) for choice in choices]
            b.jump(block, args)
        b.start(block)
        words = iter(block.params)
        made = [known[at] if at in known else rebuilt(b, kind, words) for at, kind in enumerate(kinds)]
        return LispValues(made, next(words) if counted else None)

    def met(self, ways: list, at: int) -> Known | None:
        """A value known at compile time: the same on all paths, or a choice of functions; None if neither."""
        values = [values[at] if at < len(values) else None for _, values in ways]
        if not any(isinstance(value, Known) for value in values):
            return None
        first = values[0]
        if isinstance(first, Known) and all(isinstance(v, Known) and first.same(v) for v in values):
            return first
        if all(isinstance(value, FunctionValue | Choice) for value in values):
            return Choice(None, values)
        here, there = (self.b.nil() if v is None else v for v in self.unlike(values))
        what = "which one must be known when the program is compiled"
        raise self.error(
            f"this is {self.kind_name(here)}, but {self.kind_name(there)} on another path: {what}"
        )

    @staticmethod
    def unlike(values: list) -> tuple:
        """Two of these that differ, one of them known at compile time."""
        here = next(value for value in values if isinstance(value, Known))
        return here, next(value for value in values if not (isinstance(value, Known) and here.same(value)))

    def way(self, outcomes: list, yields: Callable[[], list[LispValue]]) -> None:
        """Lowers one of several paths that join, and adds its end and values, if it has an end."""
        with suppress(Unreachable):
            values = yields()
            outcomes.append((self.b.block, values))
