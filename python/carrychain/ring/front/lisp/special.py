"""The special forms, each lowered."""

from __future__ import annotations

from ...ir.form import Block, TrapTerminator
from ..ssa import Unreachable, Variable, basic
from .build import LispBuilder, Tag, Target, special
from .calls import ALL, LocalFunction
from .data import NIL, Cons, Symbol, brief, items, listed, symbol
from .evaluate import Definition, with_macros
from .expand import S, Scope, SymbolMacro, declarations
from .loop import UNBOUND
from .types import Types
from .values import LispValue, LispValues, count_of


@special("QUOTE")
def _quote(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    (value,) = form.cdr
    return [self.literal(value)]


special("PROGN")(lambda self, form, scope, want: self.progn(items(form.cdr), scope, want))
special("EVAL-WHEN")(lambda self, form, scope, want: self.progn(items(form.cdr.cdr), scope, want))


@special("LOCALLY")
def _locally(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    declared, forms = declarations(form.cdr)
    _, safe = self.program.declared(declared, scope, self.b.position)
    return self.progn(forms, scope.with_(safe=safe), want)


@special("LOAD-TIME-VALUE")
def _load_time_value(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    source = form.cdr.car
    if isinstance(source, Symbol):
        return [self.symbol(source, Scope(self.world))]
    return [self.literal(self.world.constant(source, Scope(self.world), self.b.position))]


@special("IF")
def _if(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    test, then, *otherwise = form.cdr
    if len(otherwise) > 1:
        raise self.error(f"if takes 2 or 3 arguments, not {2 + len(otherwise)}")
    ways = self.b.new_block("then"), self.b.new_block("else")
    self.test(test, scope, *ways)
    outcomes = []
    for way, choice in zip(ways, [then, *(otherwise or [NIL])], strict=True):
        if self.b.reached(way):
            self.b.start(way)
            self.way(outcomes, lambda choice=choice: self.lower(choice, scope, want))
    return self.join(outcomes, want)


@special("LET", "LET*")
def _let(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    bindings = items(form.cdr.car)
    declared, forms = declarations(form.cdr.cdr)
    types, safe = self.program.declared(declared, scope, self.b.position)
    sequential = form.car is not S.let
    made: dict[Symbol, Variable] = {}
    inner = scope
    for binding in bindings:
        name, *init = binding if isinstance(binding, Cons) else [binding]
        if len(init) > 1:
            raise self.error(f"{name} is bound to one value, not {len(init)}", binding)
        source = init[0] if init else NIL
        value = None if source is UNBOUND else self.value(source, inner)
        if name in made and not sequential:
            raise self.error(f"{name} is bound twice", binding)
        outer = self.b.position
        self.b.position = getattr(binding, "position", None) or outer
        made[name] = self.variable_for(name, value, types.get(name), safe)
        self.b.position = outer
        if sequential:
            inner = inner.with_(variables={name: made[name]})
    for name, type_ in types.items():
        found = scope.variables.get(name)
        if name not in made and isinstance(found, Variable):
            # a declaration about an outer variable, for this body
            value = self.promised(self.read(found, name), type_, safe)
            if found in self.own:
                self.give(found, value)
    return self.progn(forms, inner.with_(variables=made, safe=safe), want)


@special("SETQ")
def _setq(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    pairs = items(form.cdr)
    if len(pairs) % 2:
        raise self.error("setq takes pairs of a variable and a value")
    result = None
    for name, source in zip(pairs[::2], pairs[1::2], strict=True):
        found = scope.variables.get(name) if isinstance(name, Symbol) else None
        if isinstance(found, SymbolMacro) or (found is None and name in self.world.symbol_macros):
            result = self.value(listed(S.setf, name, source), scope)
            continue
        if not isinstance(name, Symbol):
            raise self.error(f"{brief(name)} is not a variable")
        value = self.value(source, scope)
        if found is None:
            result = self.program.assign_global(self, name, value)
        else:
            result = self.assign(found, value, name)
    return [result if result is not None else self.b.nil()]


@special("THE", "TRULY-THE")
def _the(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    type_, source = form.cdr
    specifiers = [type_]
    if isinstance(type_, Cons) and type_.car is S.values:
        specifiers = [each for each in type_.cdr if each not in (symbol("&OPTIONAL"), symbol("&REST"))]
    types = [Types(scope, self.b.position).parse(each) for each in specifiers]
    values = self.lower(source, scope, want if want == 1 else ALL)
    checked = [self.promised(v, t, scope.safe) for v, t in zip(values, types, strict=False)]
    return LispValues([*checked, *values[len(checked) :]], count_of(values))


@special("BLOCK")
def _block(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    name = form.cdr.car
    target = Target(self, want)
    inner = scope.with_(blocks={name: target})
    self.way(target.outcomes, lambda: self.progn(items(form.cdr.cdr), inner, want))
    return self.join(target.outcomes, want)


@special("RETURN-FROM")
def _return_from(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    name, *source = form.cdr
    target = scope.blocks.get(name)
    if target is None:
        raise self.error(f"there is no block {name} here")
    if target.owner is not self:
        raise self.error(f"a local function that calls itself cannot leave the block {name} around it")
    values = self.lower(source[0] if source else NIL, scope, target.want)
    target.outcomes.append((self.b.block, values))
    raise Unreachable


@special("TAGBODY")
def _tagbody(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    segments: list[tuple[Block | None, list]] = [(None, [])]
    tags = {}
    for each in items(form.cdr):
        if isinstance(each, Cons):
            segments[-1][1].append(each)
        elif each is not NIL:
            block = self.b.new_block(f"at-{basic(str(each))}")
            tags[each] = Tag(self, block)
            segments.append((block, []))
    inner = scope.with_(tags=tags)
    # a segment is lowered once something jumps to it; the last one is the form's end
    if segments[-1][1]:
        segments.append((self.b.new_block("after"), []))
    lowered = set()
    falls = True
    todo: int | None = 0
    while todo is not None:
        lowered.add(todo)
        block, forms = segments[todo]
        if block is not None:
            self.b.start(block, sealed=False)
        try:
            for each in forms:
                self.effect(each, inner)
            falls = True
        except Unreachable:
            falls = False
        if falls and todo + 1 < len(segments):
            self.b.jump(segments[todo + 1][0])
        todo = next(
            (
                at
                for at, (block, _) in enumerate(segments[:-1])
                if at not in lowered and block is not None and self.b.reached(block)
            ),
            None,
        )
    for block, _ in segments[1:]:
        self.b.seal(block)
    last = segments[-1][0]
    if last is not None:
        if not self.b.reached(last):
            raise Unreachable
        self.b.start(last)
    elif not falls:
        raise Unreachable
    return [self.b.nil()]


@special("GO")
def _go(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    (name,) = form.cdr
    tag = scope.tags.get(name)
    if tag is None:
        raise self.error(f"there is no tag {brief(name)} here")
    if tag.owner is not self:
        raise self.error(f"a local function that calls itself cannot go to the tag {name} around it")
    self.b.jump(tag.block)
    raise Unreachable


special("VALUES")(lambda self, form, scope, want: self.arguments(items(form.cdr), scope))


@special("MULTIPLE-VALUE-BIND")
def _multiple_value_bind(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    names, source, *_ = form.cdr
    names = items(names)
    declared, forms = declarations(form.cdr.cdr.cdr)
    types, safe = self.program.declared(declared, scope, self.b.position)
    values = self.lower(source, scope, ALL)
    variables = {}
    for at, name in enumerate(names):
        value = values[at] if at < len(values) else self.b.nil()
        variables[name] = self.variable_for(name, value, types.get(name), safe)
    return self.progn(forms, scope.with_(variables=variables, safe=safe), want)


@special("MULTIPLE-VALUE-PROG1")
def _multiple_value_prog1(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    first, *rest = form.cdr
    values = self.lower(first, scope, want)
    for each in rest:
        self.effect(each, scope)
    return values


@special("NTH-VALUE")
def _nth_value(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    index, source = form.cdr
    values = self.lower(source, scope, ALL)
    if not isinstance(index, int) or index < 0:
        raise self.error(f"nth-value takes a constant number, not {brief(index)}")
    return [values[index] if index < len(values) else self.b.nil()]


@special("FLET", "LABELS")
def _flet(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    functions = {}
    for name, parameters, *body in items(form.cdr.car):
        declared, forms = declarations(listed(*body))
        wrapped = listed(*declared, listed(S.block, name, *forms))
        functions[name] = LocalFunction(name, Definition(name, parameters, wrapped, form), scope)
    inner = scope.with_(functions=functions)
    if form.car is S.labels:
        for local in functions.values():
            local.scope = inner
    declared, forms = declarations(form.cdr.cdr)
    return self.progn(forms, inner, want)


@special("MACROLET", "SYMBOL-MACROLET")
def _macrolet(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    _, forms = declarations(form.cdr.cdr)
    return self.progn(forms, with_macros(self.world.evaluator, form, scope), want)


@special("QUASIQUOTE")
def _quasiquote(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    raise self.error("a backquote makes a list, which exists only in macros")


@special("ERROR")
def _error(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    message = form.cdr.car if isinstance(form.cdr, Cons) else "an error"
    self.b.block.terminator = TrapTerminator(
        message if isinstance(message, str) else brief(message), self.b.position
    )
    raise Unreachable


@special("DECLARE")
def _declare(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    raise self.error("a declaration must come first in a body")
