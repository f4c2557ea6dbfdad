"""Variables, calls, and ways that part and join, to IR.

A form is lowered for as many of its values as are wanted: none, the one, or all. What never
returns to its place (return-from, go, error) raises Never, which the next place where ways join
takes; code after it is not lowered. A local function is lowered anew at each call, in the scope of
its definition, so that closures cost nothing; one that calls itself becomes a function of its own,
with what it closes over as further parameters, which it then may not assign to.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from ..errors import SourceError
from ..ir import BOOL, INT, Array, Block, Bool, Function, Instruction, Int, Return, Trap, Type, Value
from .data import NIL, Character, Cons, Symbol, T, Vector, brief, length, listed
from .evaluate import Definition
from .expand import S, Scope, declarations
from .library import FUNCTIONS
from .ssa import Builder, Variable, basic, printable
from .types import Declared

ALL = -1

# Forms within forms, macros' expansions counted: more would run the compiler out of stack.
DEPTH_MAX = 1200

# What a function that calls itself returns is found by taking it to return what it was found to.
GUESSES = 5

SPECIAL: dict[str, Callable] = {}
OPERATORS: dict[str, Callable] = {}


class Never(Exception):
    """Control does not come back to where this form stands."""


class Mixed(list):
    """No values: what there is, is not of one kind on all the ways here."""


@dataclass(eq=False)
class Target:
    """A block that return-from can leave, and the ways that leave it."""

    owner: Lowering
    want: int
    outcomes: list[tuple[Block, list[Value]]] = field(default_factory=list)


@dataclass(eq=False)
class Tag:
    owner: Lowering
    block: Block


@dataclass
class Result:
    """What a function returns."""

    types: list[Type]
    mixed: bool = False


@dataclass(eq=False)
class Local:
    """A function that flet or labels defines."""

    name: Symbol
    definition: Definition
    scope: Scope


@dataclass(eq=False)
class Lifted:
    """A local function that calls itself, as a function of its own."""

    name: str
    result: Result | None
    captures: dict[Variable, Variable] = field(default_factory=dict)
    pending: list[Instruction] = field(default_factory=list)
    done: bool = False


def special(*names: str) -> Callable:
    def register(function: Callable) -> Callable:
        for name in names:
            SPECIAL[name] = function
        return function

    return register


class Lowering:
    """One function on its way to IR."""

    def __init__(self, program, name: str, position):
        self.program = program
        self.world = program.world
        self.name = name
        self.b = Builder(name, position)
        self.depth = 0
        self.expansions: list[tuple[Symbol, object]] = []
        self.inlining: list[Local] = []
        self.own: set[Variable] = set()
        self.lifted: Lifted | None = None
        self.returns: list[Value] | None = None

    def error(self, message: str, form=None) -> SourceError:
        return SourceError(message, getattr(form, "position", None) or self.b.position)

    # Whole functions

    def function(self, definition: Definition, scope: Scope, lifted: Lifted | None = None) -> Function:
        """The definition's function; `returns` is then what it returned: None if it never does."""
        self.lifted = lifted
        signature = self.program.signature(definition, scope)
        function = self.b.function
        function.inline = definition.inline
        variables = {}
        for name, declared in zip(signature.lambda_list.names(), signature.parameters, strict=True):
            type_ = declared.type or INT
            value = Value(self.b.fresh(basic(name.name)), type_, self.b.position)
            function.blocks[0].params.append(value)
            variables[name] = self.variable_for(name, value, declared, scope.safe, entered=True)
        scope = scope.with_(variables=variables, safe=signature.safe)
        try:
            values = self.body(definition.body, scope, ALL, signature.declared, signature.lambda_list.aux)
        except Never:
            pass
        else:
            self.returns = self.returned(values, signature.results)
            self.b.block.terminator = Return(list(self.returns))
        function.results = self.result().types
        if lifted:
            for call in lifted.pending:
                entry = self.b.definitions[function.blocks[0]]
                call.args += [entry[own] for own in lifted.captures.values()]
        return self.b.finish()

    def result(self) -> Result:
        if self.returns is None:
            return Result([])
        types = [INT if isinstance(value.type, Int) else value.type for value in self.returns]
        return Result(types, isinstance(self.returns, Mixed))

    def returned(self, values: list[Value], declared: list[Declared] | None) -> list[Value]:
        if declared:
            if len(values) < len(declared):
                raise self.error(
                    f"{self.name} is declared to return {len(declared)} values, and returns {len(values)}"
                )
            values = [self.promised(v, d, True) for v, d in zip(values, declared, strict=False)]
        nil = [v for v in values if self.b.constants.get(v) is False]
        return [] if len(values) == 1 and nil else values

    # Forms

    def value(self, form, scope: Scope) -> Value:
        return self.lower(form, scope, 1)[0]

    def integer(self, form, scope: Scope) -> Value:
        return self.as_integer(self.value(form, scope), form)

    def as_integer(self, value: Value, form) -> Value:
        if not isinstance(value.type, Int):
            raise self.error(f"{brief(form)} is {kind(value.type)}, where an integer is wanted", form)
        return value

    def effect(self, form, scope: Scope) -> None:
        self.lower(form, scope, 0)

    def lower(self, form, scope: Scope, want: int) -> list[Value]:
        """The wanted values: [] for none, or for ALL where there are none."""
        if not isinstance(form, Cons):
            return [] if want == 0 and not isinstance(form, Symbol) else self.atom(form, scope, want)
        builder = self.b
        outer = builder.position
        builder.position = form.position or outer
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
            builder.position = outer
            self.depth -= 1
            if known:
                self.expansions.pop()
        if want == 1:
            return [self.single(values, form)]
        return values

    def single(self, values: list[Value], form) -> Value:
        if values:
            return values[0]
        if isinstance(values, Mixed):
            raise self.error(
                f"{brief(form)} is an integer on one way, and nil or something else on another", form
            )
        return self.b.const(False)

    def too_deep(self) -> SourceError:
        names = [name for name, _ in self.expansions]
        if names:
            name = max(set(names), key=names.count)
            if names.count(name) > 20:
                position = next(position for each, position in self.expansions if each is name)
                return SourceError(f"the macro {name} expands into itself without end", position)
        return self.error("nested too deeply")

    def atom(self, form, scope: Scope, want: int) -> list[Value]:
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
            return self.b.emit("global", [], name, [type_])[0]
        if isinstance(form, Symbol) and form in (NIL, T):
            return self.b.const(form is T)
        if isinstance(form, Fraction):
            raise self.error(f"{form}: there are no fractions in compiled code, only integers")
        raise self.error(f"{brief(form)} is no value that compiled code can work on")

    def symbol(self, name: Symbol, scope: Scope) -> Value:
        if name in (NIL, T):
            return self.b.const(name is T)
        found = scope.variables.get(name)
        if isinstance(found, Variable):
            return self.read(found, name)
        return self.program.global_value(self, name)

    def compound(self, form: Cons, scope: Scope, want: int) -> list[Value]:
        head = form.car
        if isinstance(head, Cons) and head.car is S.lambda_:
            return self.apply_lambda(head, list(form.cdr), scope, want)
        if not isinstance(head, Symbol):
            raise self.error(f"{brief(head)} is no function")
        handler = SPECIAL.get(head.name)
        if handler:
            try:
                return handler(self, form, scope, want)
            except (ValueError, TypeError, AttributeError) as error:
                # taking the form apart failed
                raise self.error(f"not the form of {head}: {brief(form)}") from error
        local = scope.functions.get(head)
        if local is not None:
            return self.call_local(local, list(form.cdr), scope, want)
        if head in self.world.functions:
            return self.call(self.world.functions[head], list(form.cdr), scope)
        operator = OPERATORS.get(head.name)
        if operator:
            return operator(self, form, scope, want)
        if head in FUNCTIONS:
            raise self.error(f"{head} works on what only macros know, such as lists: compiled code has none")
        raise self.error(f"{head} is neither a function nor a macro that is known here")

    def progn(self, forms: list, scope: Scope, want: int) -> list[Value]:
        if not forms:
            return [self.b.const(False)]
        for form in forms[:-1]:
            self.effect(form, scope)
        return self.lower(forms[-1], scope, want)

    def body(self, body, scope: Scope, want: int, declared=None, aux=()) -> list[Value]:
        """A body's forms, its declarations already seen."""
        _, forms = declarations(body)
        for name, init in aux:
            value = self.value(init, scope)
            variable = self.variable_for(name, value, (declared or {}).get(name), scope.safe)
            scope = scope.with_(variables={name: variable})
        return self.progn(forms, scope, want)

    # Variables

    def promised(self, value: Value, declared: Declared | None, safe: bool) -> Value:
        """The value, checked to be of the declared type."""
        if declared is None or declared.type is None:
            return value
        type_ = declared.type
        if isinstance(type_, Int):
            if not isinstance(value.type, Int):
                raise self.error(f"{kind(value.type)}, where type {type_} is declared")
            return self.b.narrow(value, type_, safe)
        if isinstance(type_, Array) and isinstance(value.type, Array) and type_ != value.type:
            self.program.loosen(value.type)
        if type_ != value.type:
            raise self.error(f"{kind(value.type)}, where {kind(type_)} is declared")
        if declared.length is not None:
            self.check_length(value, declared.length)
        return value

    def check_length(self, array: Value, count: int) -> None:
        right, wrong = self.b.new_block("right"), self.b.new_block("wrong")
        self.b.branch(
            self.b.one("eq", self.b.one("len", array), self.b.const(count), type_=BOOL), right, wrong
        )
        if self.b.reached(wrong):
            self.b.start(wrong)
            self.b.block.terminator = Trap(f"an array of another length than {count}", self.b.position)
        if not self.b.reached(right):
            raise Never
        self.b.start(right)

    def variable_for(
        self, name, value: Value | None, declared: Declared | None, safe: bool, entered=False
    ) -> Variable:
        """A new variable that holds the value, or nothing yet."""
        if not isinstance(name, Symbol) or name in (NIL, T) or name.name.startswith(":"):
            raise self.error(f"{brief(name)} is no name for a variable")
        if name in self.world.values:
            raise self.error(f"{name} is a global variable, which cannot be bound anew")
        bound = declared.type if declared and isinstance(declared.type, Int) else None
        if value is not None:
            if entered:
                if declared and declared.length is not None:
                    self.check_length(value, declared.length)
            else:
                value = self.promised(value, declared, safe)
            type_ = value.type
        else:
            type_ = declared.type if declared else None
        if isinstance(type_, Int):
            type_ = INT
        variable = Variable(name.name, type_, bound, safe, declared.length if declared else None)
        self.own.add(variable)
        if value is not None:
            self.b.write(variable, value)
        return variable

    def read(self, variable: Variable, name: Symbol) -> Value:
        if variable not in self.own:
            variable = self.capture(variable)
        if variable.type is None:
            raise self.error(f"{name} has no value yet")
        return self.b.read(variable)

    def capture(self, variable: Variable) -> Variable:
        """A variable of the function around this one, as a parameter."""
        own = self.lifted.captures.get(variable)
        if own is None:
            own = Variable(variable.name, variable.type)
            value = Value(self.b.fresh(basic(variable.name)), variable.type, self.b.position)
            entry = self.b.function.blocks[0]
            entry.params.append(value)
            self.b.definitions[entry][own] = value
            self.lifted.captures[variable] = own
            self.own.add(own)
        return own

    def assign(self, variable: Variable, value: Value, name: Symbol) -> Value:
        if variable not in self.own:
            raise self.error(f"{name} is assigned in a local function that calls itself: make it a parameter")
        if variable.type is None:
            variable.type = INT if isinstance(value.type, Int) else value.type
        value = self.promised(value, Declared(variable.declared, None), variable.safe)
        if not same_kind(variable.type, value.type):
            for each in (variable.type, value.type):
                self.program.loosen(each)
            raise self.error(f"{name} is {kind(variable.type)}: it cannot become {kind(value.type)}")
        if variable.length is not None:
            self.check_length(value, variable.length)
        self.b.write(variable, value)
        return value

    # Ways that part and join

    def test(self, form, scope: Scope, then: Block, otherwise: Block) -> None:
        """To `then` if the form is true, else to `otherwise`."""
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
        value = self.value(form, scope)
        if isinstance(value.type, Bool):
            self.b.branch(value, then, otherwise)
        else:
            self.b.jump(then)
        return None

    def test_if(self, form: Cons, scope: Scope, then: Block, otherwise: Block) -> None:
        test, *choices = form.cdr
        ways = self.b.new_block("and"), self.b.new_block("or")
        self.test(test, scope, *ways)
        for way, choice in zip(ways, [*choices, NIL], strict=False):
            if self.b.reached(way):
                self.b.start(way)
                with suppress(Never):
                    self.test(choice, scope, then, otherwise)

    def join(self, outcomes: list[tuple[Block, list[Value]]], want: int) -> list[Value]:
        """Goes on after ways that each end in a block with some values."""
        if not outcomes:
            raise Never
        if len(outcomes) == 1:
            block, values = outcomes[0]
            self.b.start(block, sealed=False)
            return values
        if want:
            outcomes = [(block, self.or_nil(block, values)) for block, values in outcomes]
        merged, mixed = self.agreed([values for _, values in outcomes], want)
        block = self.b.new_block("join")
        block.params = [Value(self.b.fresh(""), type_, self.b.position) for type_ in merged]
        for before, values in outcomes:
            self.b.start(before, sealed=False)
            self.b.jump(block, values[: len(merged)])
        self.b.start(block)
        return Mixed() if mixed else list(block.params)

    def or_nil(self, block: Block, values: list[Value]) -> list[Value]:
        """The values, or nil at the block's end where there are none."""
        if values or isinstance(values, Mixed):
            return values
        self.b.start(block, sealed=False)
        return [self.b.const(False)]

    def agreed(self, given: list[list[Value]], want: int) -> tuple[list[Type], bool]:
        """The types of the values that all ways have; whether they do not agree on the first."""
        if want == 0:
            return [], False
        if want == 1:
            given = [[self.single(values, "this")] for values in given]
        types: list[Type] = []
        mixed = any(isinstance(values, Mixed) for values in given)
        for at in range(0 if mixed else min(map(len, given))):
            kinds = [INT if isinstance(values[at].type, Int) else values[at].type for values in given]
            if any(each != kinds[0] for each in kinds):
                arrays = [each for each in kinds if isinstance(each, Array)]
                if len(arrays) == len(kinds):
                    for each in arrays:
                        self.program.loosen(each)
                if want == 1:
                    other = next(each for each in kinds if each != kinds[0])
                    raise self.error(f"this is {kind(kinds[0])} on one way and {kind(other)} on another")
                mixed = at == 0
                break
            types.append(kinds[0])
        return types, mixed or (want == ALL and not types and any(given))

    # Functions

    def arguments(self, forms: list, scope: Scope) -> list[Value]:
        return [self.value(form, scope) for form in forms]

    def call(self, definition: Definition, forms: list, scope: Scope) -> list[Value]:
        """A call to a function of the program."""
        signature = self.program.signature(definition, Scope(self.world))
        safe = scope.safe and signature.safe
        args = self.matched(definition, signature, forms, scope, Scope(self.world), safe)
        return self.emit_call(self.program.name(definition.name), args, self.program.result(definition))

    def emit_call(self, name: str, args: list[Value], result: Result | None) -> list[Value]:
        """A call; if what it returns is not known yet, it is taken never to return, for now."""
        if result is None:
            self.b.block.terminator = Trap(f"{name} is not known yet", self.b.position)
            raise Never
        values = self.b.emit("call", args, name, result.types)
        return Mixed() if result.mixed else values

    def matched(
        self, definition, signature, forms: list, scope: Scope, inner: Scope, safe: bool
    ) -> list[Value]:
        """The parameters' values for a call with these argument forms."""
        lambda_list = signature.lambda_list
        sources = lambda_list.match(forms, definition.name, self.b.position)
        given = {}
        for name, form, supplied in sources:
            if supplied:
                given[name] = self.value(form, scope)
        args = []
        for (name, form, supplied), declared in zip(sources, signature.parameters, strict=True):
            value = given[name] if supplied else self.value(form, inner)
            try:
                value = self.promised(value, Declared(declared.type or INT), safe)
            except SourceError as error:
                raise self.error(f"the argument {name} of {definition.name} is {error.message}") from None
            args.append(value)
            if lambda_list.defaults:
                inner = inner.with_(variables={name: self.variable_for(name, value, None, safe)})
        return args

    def call_local(self, local: Local, forms: list, scope: Scope, want: int) -> list[Value]:
        definition = local.definition
        signature = self.program.signature(definition, local.scope)
        lifted = self.program.lifted.get(local)
        if lifted is None and local not in self.inlining:
            values = self.matched_local(local, signature, forms, scope)
            self.inlining.append(local)
            try:
                inner = local.scope.with_(variables=values, safe=local.scope.safe and signature.safe)
                return self.body(definition.body, inner, want, signature.declared, signature.lambda_list.aux)
            finally:
                self.inlining.pop()
        args = self.matched(definition, signature, forms, scope, local.scope, scope.safe)
        if lifted is None:
            lifted = self.lift(local)
        if not lifted.done and self.lifted is not lifted:
            raise self.error(f"local functions that call {local.name} and one another are too entangled")
        results = self.emit_call(lifted.name, args, lifted.result)
        call = self.b.block.instructions[-1]
        if lifted.done:
            call.args += [self.read(variable, local.name) for variable in lifted.captures]
        else:
            lifted.pending.append(call)
        return results

    def matched_local(self, local: Local, signature, forms: list, scope: Scope) -> dict[Symbol, Variable]:
        args = self.matched(local.definition, signature, forms, scope, local.scope, scope.safe)
        variables = {}
        for name, declared, value in zip(
            signature.lambda_list.names(), signature.parameters, args, strict=True
        ):
            # what is bound is promised to be of its type from here on
            variables[name] = self.variable_for(name, value, declared, signature.safe)
        return variables

    def lift(self, local: Local) -> Lifted:
        """Makes a function of its own of a local function that calls itself."""
        name = self.program.fresh(f"{self.name}-{printable(local.name.name)}")
        guess: Result | None = None
        for _ in range(GUESSES):
            lifted = Lifted(name, guess)
            self.program.lifted[local] = lifted
            lowering = Lowering(self.program, name, self.b.position)
            function = lowering.function(local.definition, local.scope, lifted)
            found = lowering.result()
            if guess is None and lowering.returns is None:
                # it calls itself on all ways
                found = Result([INT])
            elif guess == found:
                lifted.done = True
                self.program.module.functions[name] = function
                return lifted
            guess = found
        raise self.error(f"what {local.name} returns cannot be found out")

    def apply_lambda(self, function: Cons, forms: list, scope: Scope, want: int) -> list[Value]:
        parameters, *body = function.cdr
        definition = Definition(S.lambda_, parameters, listed(*body), function)
        return self.call_local(Local(S.lambda_, definition, scope), forms, scope, want)


def kind(type_: Type) -> str:
    if isinstance(type_, Array):
        return "a string" if type_.text else f"an array of {type_.element}"
    return "an integer" if isinstance(type_, Int) else "true or nil"


def same_kind(a: Type, b: Type) -> bool:
    return a == b if isinstance(a, Array) or isinstance(b, Array) else type(a) is type(b)
