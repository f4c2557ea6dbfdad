"""Functions and calls of them.

A local function is lowered again at each call, in the scope of its definition, so closures cost nothing. A
recursive one becomes a separate function, with its captured variables as additional parameters, which it must
not assign to.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...ir.errors import SourceError
from ...ir.form import BOOL, INT, Array, Function, Instruction, Return, TrapTerminator, Type, Value
from ...ir.interface import Interface, InterfaceParameter, Kind, held, members
from ..ssa import Unreachable, Variable, basic, printable
from .data import Cons, Symbol, listed
from .evaluate import Definition
from .expand import S, Scope
from .known import InlineOnly, Known, Layout, ListValue, NamedKind
from .parameters import Parameter
from .types import Declared
from .values import LispValue, LispValues, count_of, kind_name, kind_of, rebuilt, split
from .variables import Variables

ALL = -1

# A recursive function's result is found by iteration: it is assumed to return what it was last found to.
GUESSES = 5


@dataclass
class Result:
    """What a function returns; if `counted`, the last IR result is the number of values."""

    kinds: list[Kind]
    counted: bool = False


@dataclass(eq=False)
class LocalFunction:
    """A function that flet or labels defines."""

    name: Symbol
    definition: Definition
    scope: Scope


@dataclass(eq=False)
class Lifted:
    """A recursive local function, as a separate function."""

    name: str
    result: Result | None
    captures: dict[Variable, Variable] = field(default_factory=dict)
    pending: list[Instruction] = field(default_factory=list)
    done: bool = False


class Calls(Variables):
    """A function's entry and end, and its calls."""

    def function(self, definition: Definition, scope: Scope, lifted: Lifted | None = None) -> Function:
        """The definition's function; then `returns` is what it returned, or None if it never does."""
        self.lifted = lifted
        signature = self.program.signature(definition, scope)
        self.alone(definition, signature)
        function = self.b.function
        function.inline = definition.inline
        takes = []
        for parameter, declared in zip(signature.lambda_list.parameters, signature.parameters, strict=True):
            takes.append(InterfaceParameter(parameter.called, declared.type or INT, parameter.how))
            scope = scope.with_(variables=self.parameter(definition, parameter, declared, scope))
        scope = scope.with_(safe=signature.safe)
        try:
            values = self.body(definition.body, scope, ALL, signature.declared, signature.lambda_list.aux)
        except Unreachable:
            pass
        else:
            self.returns = self.returned(values, signature.results)
            if any(isinstance(value, Known) for value in self.returns):
                what = f"{definition.name} returns what is known only where it is called"
                raise InlineOnly(what, self.b.position, definition)
            words = [word for value in self.returns for word in split(value, kind_of(self.b, value))]
            count = count_of(self.returns)
            self.b.block.terminator = Return([*words, *([] if count is None else [count])])
        result = self.result()
        interface = Interface(tuple(takes), tuple(result.kinds), result.counted)
        function.results = interface.results()
        if lifted:
            for call in lifted.pending:
                entry = self.b.definitions[function.blocks[0]]
                call.args += [entry[own] for own in lifted.captures.values()]
        elif not interface.plain:
            function.interface = interface
        return self.b.finish()

    def alone(self, definition: Definition, signature) -> None:
        """Refuses a function that can only be compiled at its calls."""
        known = [each for each in signature.parameters if isinstance(each.type, Layout | NamedKind)]
        if known or signature.lambda_list.rest or definition.here:
            what = "takes any number of arguments" if signature.lambda_list.rest else "makes a structure"
            what = f"takes {kind_name(known[0].type)}" if known else what
            raise InlineOnly(
                f"{definition.name} {what}, which is known only at a call",
                self.b.position,
                definition,
            )

    def parameter(
        self, definition: Definition, parameter: Parameter, declared: Declared, scope: Scope
    ) -> dict[Symbol, Variable]:
        """Makes a parameter's variables; if it is omitted, its value is the default."""
        b = self.b
        entry = b.function.blocks[0]

        def word(name: str, type_: Type) -> Value:
            value = Value(b.fresh(basic(name)), type_, b.position)
            entry.params.append(value)
            return value

        name = parameter.name
        given = word(f"{name.name}-given", BOOL) if parameter.how else None
        type_ = declared.type or INT
        value = rebuilt(b, type_, (word(name.name, each) for each in held(type_)))
        if given is not None:
            ways = b.new_block("given"), b.new_block("left-out")
            b.branch(given, *ways)

            def passed() -> list[LispValue]:
                self.check_declared_length(value, declared)
                return [value]

            def default() -> list[LispValue]:
                found = self.value(parameter.default, scope)
                if isinstance(found, Known):
                    what = (
                        f"{definition.name} may take {kind_name(found.type)}, which is known only at a call"
                    )
                    raise InlineOnly(f"{what}, which is known only at a call", b.position, definition)
                return [self.promised(found, Declared(type_, declared.length), scope.safe)]

            outcomes: list = []
            for way, yields in zip(ways, (passed, default), strict=True):
                b.start(way)
                self.way(outcomes, yields)
            (value,) = self.join(outcomes, 1)
        variables = {name: self.variable_for(name, value, declared, scope.safe, entered=given is None)}
        if parameter.supplied is not None:
            variables[parameter.supplied] = self.variable_for(parameter.supplied, given, None, scope.safe)
        return variables

    def result(self) -> Result:
        if self.returns is None:
            return Result([])
        return Result([kind_of(self.b, value) for value in self.returns], count_of(self.returns) is not None)

    def returned(self, values: list[LispValue], declared: list[Declared] | None) -> list[LispValue]:
        if not declared:
            return values
        if len(values) < len(declared):
            raise self.error(
                f"{self.name} is declared to return {len(declared)} values, and returns {len(values)}"
            )
        checked = [self.promised(v, d, True) for v, d in zip(values, declared, strict=False)]
        return LispValues([*checked, *values[len(declared) :]], count_of(values))

    def arguments(self, forms: list, scope: Scope) -> list[LispValue]:
        return [self.value(form, scope) for form in forms]

    def call(self, definition: Definition, forms: list, scope: Scope, want: int) -> list[LispValue]:
        """A call of a function of the program; it is lowered here if it takes values known only here."""
        signature = self.program.signature(definition, definition.scope)
        given = self.given(definition, signature, forms, scope)
        if not definition.here and not self.known_here(signature, forms, given):
            try:
                result = self.program.result(definition)
            except InlineOnly as error:
                if error.of is not definition:
                    raise
            else:
                args = self.passed(definition, signature, forms, given, scope.safe and signature.safe)
                return self.emit_call(self.program.name(definition.name), args, result)
        local = self.program.local(definition)
        if local in self.inlining:
            what = "calls itself, and takes or returns what is known only where it is called"
            raise self.error(f"{definition.name} {what}")
        values = self.inlined(local, signature, forms, given, scope, ALL if signature.results else want)
        self.program.inlined_calls.add(definition.name)
        return self.returned(values, signature.results)

    def known_here(self, signature, forms: list, given: list[LispValue | None]) -> bool:
        """Whether an argument is a known value, or an undeclared array: a separate function takes neither."""
        if signature.lambda_list.rest or any(isinstance(value, Known) for value in given):
            return True
        places = signature.lambda_list.match(forms, S.lambda_, self.b.position)
        for parameter, at in places:
            declared = signature.declared.get(parameter.name)
            if at is None or not (declared is None or declared.any):
                continue
            wanted = INT if declared is None else declared.type
            kinds = [kind for kind in members(kind_of(self.b, given[at])) if kind != wanted]
            # an optional one may be nil or t
            if any(isinstance(kind, Array) or not parameter.how for kind in kinds):
                return True
        return False

    def emit_call(self, name: str, args: list[Value], result: Result | None) -> list[LispValue]:
        """Emits a call; if its result is not known yet, it is assumed not to return, for now."""
        if result is None:
            self.b.block.terminator = TrapTerminator(f"{name} is not known yet", self.b.position)
            raise Unreachable
        interface = Interface((), tuple(result.kinds), result.counted)
        words = iter(self.b.emit("call", args, name, interface.results()))
        values = [rebuilt(self.b, kind, words) for kind in result.kinds]
        return LispValues(values, next(words) if result.counted else None)

    def given(self, definition, signature, forms: list, scope: Scope) -> list[LispValue | None]:
        """A call's arguments; None for keywords."""
        signature.lambda_list.match(forms, definition.name, self.b.position)
        keywords = signature.lambda_list.keywords(len(forms))
        return [None if at in keywords else self.value(form, scope) for at, form in enumerate(forms)]

    def matched(
        self, definition, signature, forms: list, given: list, safe: bool, here: bool = False
    ) -> list[tuple[Parameter, Declared, LispValue | None]]:
        """Each parameter's value in a call with these arguments; None for omitted ones.

        `here`: the function is lowered for this call, so undeclared parameters have the arguments' kinds.
        """
        places = signature.lambda_list.match(forms, definition.name, self.b.position)
        found = []
        for (parameter, at), declared in zip(places, signature.parameters, strict=True):
            value = None if at is None else given[at]
            if here:
                declared = signature.declared.get(parameter.name, Declared(None))
            if value is not None:
                try:
                    type_ = declared.type or (None if here else INT)
                    value = self.promised(value, Declared(type_, any=here and declared.any), safe)
                except SourceError as error:
                    raise self.error(
                        f"the argument {parameter.name} of {definition.name} is {error.message}"
                    ) from None
            found.append((parameter, declared, value))
        return found

    def passed(self, definition, signature, forms: list, given: list, safe: bool) -> list[Value]:
        """The IR function's arguments for a call with these arguments."""
        args = []
        for parameter, declared, value in self.matched(definition, signature, forms, given, safe):
            if parameter.how:
                args.append(self.b.const(value is not None))
            if value is not None:
                args += split(value, declared.type or INT)
            else:
                args += map(self.nothing, held(declared.type or INT))
        return args

    def call_local(self, local: LocalFunction, forms: list, scope: Scope, want: int) -> list[LispValue]:
        definition = local.definition
        signature = self.program.signature(definition, local.scope)
        lifted = self.program.lifted.get(local)
        given = self.given(definition, signature, forms, scope)
        if lifted is None and local not in self.inlining:
            return self.inlined(local, signature, forms, given, scope, want)
        args = self.passed(definition, signature, forms, given, scope.safe)
        if lifted is None:
            lifted = self.lift(local)
        if not lifted.done and self.lifted is not lifted:
            raise self.error(
                f"{local.name} and local functions around it call one another: define them by defun"
            )
        block = self.b.block
        results = self.emit_call(lifted.name, args, lifted.result)
        call = next(i for i in reversed(block.instructions) if i.op == "call")
        if lifted.done:
            call.args += [self.word(variable) for variable in lifted.captures]
        else:
            lifted.pending.append(call)
        return results

    def inlined(
        self, local: LocalFunction, signature, forms: list, given: list, scope: Scope, want: int
    ) -> list[LispValue]:
        """The function lowered for this call."""
        inner = self.bound(local, signature, forms, given, scope)
        self.inlining.append(local)
        try:
            body, aux = local.definition.body, signature.lambda_list.aux
            return self.body(body, inner, want, signature.declared, aux)
        finally:
            self.inlining.pop()

    def bound(self, local: LocalFunction, signature, forms: list, values: list, scope: Scope) -> Scope:
        """The scope of a function's body, its parameters bound to a call's arguments."""
        inner = local.scope
        matched = self.matched(local.definition, signature, forms, values, scope.safe, here=True)
        for parameter, declared, value in matched:
            given = value is not None
            if value is None:
                value = self.value(parameter.default, inner)
            # from here on, the value is promised to be of its type
            variables = {parameter.name: self.variable_for(parameter.name, value, declared, signature.safe)}
            if parameter.supplied is not None:
                flag = self.b.const(given)
                variables[parameter.supplied] = self.variable_for(parameter.supplied, flag, None, True)
            inner = inner.with_(variables=variables)
        if signature.lambda_list.rest:
            left = values[len(signature.lambda_list.positional()) :]
            rest = signature.lambda_list.rest
            value = ListValue(left) if left else self.b.nil()
            inner = inner.with_(variables={rest: self.variable_for(rest, value, None, True)})
        return inner.with_(safe=local.scope.safe and signature.safe)

    def lift(self, local: LocalFunction) -> Lifted:
        """Makes a recursive local function a separate function."""
        name = self.program.fresh(f"{self.name}-{printable(local.name.name)}")
        guess: Result | None = None
        for _ in range(GUESSES):
            lifted = Lifted(name, guess)
            self.program.lifted[local] = lifted
            lowering = type(self)(self.program, name, self.b.position, self.kinds)
            function = lowering.function(local.definition, local.scope, lifted)
            found = lowering.result()
            if guess is None and lowering.returns is None:
                # it is recursive on all paths
                found = Result([INT])
            elif guess == found:
                lifted.done = True
                self.program.module.functions[name] = function
                self.kinds.lifted.append(name)
                return lifted
            guess = found
        raise self.error(
            f"what {local.name} returns cannot be determined: define it by defun, and declaim its ftype"
        )

    def apply_lambda(self, function: Cons, forms: list, scope: Scope, want: int) -> list[LispValue]:
        parameters, *body = function.cdr
        definition = Definition(S.lambda_, parameters, listed(*body), function)
        return self.call_local(LocalFunction(S.lambda_, definition, scope), forms, scope, want)
