"""Variables, their kinds and their declarations.

A variable has the kind of its first value, until a value of another kind is assigned. Then the function is
lowered again, with the variable split into the parts that hold a value of several kinds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial, reduce
from types import UnionType

from ...ir.errors import SourceError
from ...ir.form import BOOL, INT, Array, Bool, Int, TrapTerminator, Type, Value
from ...ir.interface import NULL, Kind, Null, Union, held, members, nothing
from ..ssa import Tagged, Unreachable, Variable, basic
from .data import NIL, Symbol, T, brief
from .known import Known, Layout, NamedKind
from .types import Declared
from .values import LispValue, either_of, flags_of, kind_name, kind_of, plain, rebuilt, split, united


class Widened(Exception):
    """A variable turned out to have more kinds: the function must be lowered again."""

    def __init__(self, number: int, kind: Kind):
        self.number = number
        self.kind = kind


@dataclass
class Kinds:
    """What is known so far about a function's variables, by number: the kinds of those with several."""

    found: dict[int, Kind] = field(default_factory=dict)
    count: int = 0
    lifted: list[str] = field(default_factory=list)  # the local functions lowered on the way
    nils: set[int] = field(default_factory=set)  # variables that are nil at first
    integers: set[int] = field(default_factory=set)  # those of them that become integers


class Variables:
    """The part of LispBuilder that handles a function's variables."""

    def error(self, message: str, form=None) -> SourceError:
        return SourceError(message, getattr(form, "position", None) or self.b.position)

    def as_kind(self, value: Tagged, kind: type | UnionType, message: str) -> LispValue:
        """The value as one of this kind, which is checked; unchanged if it is known to have another."""
        for member, flag, part in flags_of(self.b, value):
            known = self.b.constants.get(flag)
            if known and not isinstance(member, kind):
                return self.b.nil() if part is None else part
            if known is not False and isinstance(member, kind):
                self.demand(flag, message)
                return self.b.nil() if part is None else part
        return value

    def demand(self, condition: Value, message: str) -> None:
        """Emits a check, which the program makes at run time."""
        right, wrong = self.b.new_block("right"), self.b.new_block("wrong")
        self.b.branch(condition, right, wrong)
        if self.b.reached(wrong):
            self.b.start(wrong)
            self.b.block.terminator = TrapTerminator(message, self.b.position)
        if not self.b.reached(right):
            raise Unreachable
        self.b.start(right)

    def kind_name(self, value: LispValue) -> str:
        return kind_name(kind_of(self.b, value))

    def promised(self, value: LispValue, declared: Declared | None, safe: bool) -> LispValue:
        """The value, checked to be of the declared type."""
        if declared is None or declared.type is None:
            return value
        type_ = declared.type
        if isinstance(value, Known) or isinstance(type_, Layout | NamedKind):
            return self.promised_known(value, type_)
        if isinstance(type_, Union):
            return self.promised_one_of(value, type_, safe)
        if declared.any:
            value = (
                self.as_kind(value, Array, "this is no array, as is declared")
                if isinstance(value, Tagged)
                else value
            )
            type_ = value.type if isinstance(value.type, Array) else type_
        if isinstance(value, Tagged):
            wanted = Null | Bool if isinstance(type_, Bool) else type(type_)
            name = f"type {type_}" if isinstance(type_, Int) else kind_name(type_)
            value = self.as_kind(value, wanted, f"this is of another kind than {name}, which is declared")
        if isinstance(type_, Int):
            if not isinstance(value.type, Int):
                raise self.error(f"{self.kind_name(value)}, where type {type_} is declared")
            return self.b.narrow(value, type_, safe)
        if isinstance(type_, Array) and isinstance(value.type, Array) and type_ != value.type:
            self.program.loosen(value.type)
        if type_ != value.type:
            raise self.error(f"{self.kind_name(value)}, where {kind_name(type_)} is declared")
        self.check_declared_length(value, declared)
        return value

    def promised_known(self, value: LispValue, type_) -> LispValue:
        kind = kind_of(self.b, value)
        if kind is type_ or (isinstance(kind, Layout) and isinstance(type_, Layout) and kind.within(type_)):
            return value
        raise self.error(f"{kind_name(kind)}, where {kind_name(type_)} is declared")

    def promised_one_of(self, value: LispValue, type_: Union, safe: bool) -> Tagged:
        """The value, checked to be of one of these kinds."""
        b = self.b
        wanted = plain(type_)
        fitting = [f for m, f, _ in flags_of(b, value) if united([m, wanted]) == wanted]
        if not fitting:
            raise self.error(f"{self.kind_name(value)}, where {kind_name(type_)} is declared")
        self.demand(reduce(partial(either_of, b), fitting), f"this is not {kind_name(type_)}, as is declared")
        found = self.converted(value, wanted)
        for at, (member, (_, flag, part)) in enumerate(zip(type_.members, flags_of(b, found), strict=True)):
            if isinstance(member, Int) and member != INT:
                if flag not in b.constants:
                    part = b.one("select", flag, part, b.const(nothing(member)))
                found.parts[at] = b.narrow(part, member, safe)
        return found

    def converted(self, value: LispValue, kind: Kind) -> LispValue:
        """The value as one of this kind; its other kinds are dropped."""
        b = self.b
        if not isinstance(kind, Union):
            return value
        flags: list[Value] = []
        parts: list[Value | None] = []
        found = flags_of(b, value)
        for member in kind.members:
            mine = [(flag, part) for m, flag, part in found if united([m, member]) == member]
            flag, part = mine[0] if mine else (b.const(False), None)
            flags.append(flag)
            parts.append(None if isinstance(member, Null) else self.nothing(member) if part is None else part)
        return Tagged(kind, flags[1:], parts, b.position)

    def nothing(self, type_: Type) -> Value:
        """A placeholder for a value of another kind."""
        if isinstance(type_, Array):
            return self.b.emit("global", [], self.program.no_elements(type_), [type_])[0]
        return self.b.const(nothing(type_))

    def check_declared_length(self, value: LispValue, declared: Declared | None) -> None:
        if declared and declared.length is not None:
            count = self.b.one("eq", self.b.one("len", value), self.b.const(declared.length), type_=BOOL)
            self.demand(count, f"an array of another length than {declared.length}")

    def variable_for(
        self, name, value: LispValue | None, declared: Declared | None, safe: bool, entered=False, slot=False
    ) -> Variable | Known:
        """A new variable with this value, or none yet; a value known at compile time is returned itself.

        `slot`: it is a slot of a structure, which may have the name of a global variable.
        """
        if not isinstance(name, Symbol) or name in (NIL, T) or name.name.startswith(":"):
            raise self.error(f"{brief(name)} is not a valid name for a variable")
        if name in self.world.values and not slot:
            raise self.error(f"{name} is a global variable, which cannot be rebound")
        if declared is not None and declared.type is None:
            declared = None
        if isinstance(value, Known):
            return self.promised(value, declared, safe)
        if declared is not None and isinstance(declared.type, Layout | NamedKind) and value is None:
            # a slot that is given its known value later, once
            declared = None
        if value is not None:
            if entered:
                self.check_declared_length(value, declared)
            else:
                value = self.promised(value, declared, safe)
        variable = Variable(name.name, None, safe=safe, number=self.kinds.count)
        self.kinds.count += 1
        if declared is not None:
            bounded = isinstance(declared.type, Int | Union | Array)
            variable.declared, variable.length = declared.type if bounded else None, declared.length
            variable.type = plain(declared.type)
            if declared.any and value is not None:
                # the value gives the element type
                variable.declared = variable.type = value.type
        elif value is not None:
            kind = kind_of(self.b, value)
            variable.nil = kind == NULL
            variable.type = kind if kind != NULL else BOOL
            if variable.nil:
                self.kinds.nils.add(variable.number)
        known = self.kinds.found.get(variable.number)
        if known is not None and declared is None:
            kind = united([known] if variable.type is None or variable.nil else [known, variable.type])
            variable.type, variable.nil = kind, False
        self.own.add(variable)
        self.divide(variable)
        if value is not None:
            self.give(variable, value)
        return variable

    def divide(self, variable: Variable) -> None:
        if isinstance(variable.type, Union):
            variable.parts = [Variable(variable.name, type_) for type_ in held(variable.type)]
            self.own.update(variable.parts)

    def give(self, variable: Variable, value: LispValue) -> None:
        """Assigns a value of the variable's kind."""
        if variable.parts:
            value = self.converted(value, variable.type)
            for part, word in zip(variable.parts, split(value, variable.type), strict=True):
                self.b.write(part, word)
        else:
            self.b.write(variable, value)

    def read(self, variable: Variable, name: Symbol) -> LispValue:
        if variable.type is None:
            raise self.error(f"{name} has no value yet")
        return rebuilt(self.b, variable.type, iter([self.word(v) for v in variable.parts or [variable]]))

    def word(self, variable: Variable) -> Value:
        """The IR value of a variable with one kind."""
        return self.b.read(variable if variable in self.own else self.capture(variable))

    def capture(self, variable: Variable) -> Variable:
        """A variable of the enclosing function, as a parameter."""
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

    def assign(self, variable: Variable | Known, value: LispValue, name: Symbol) -> LispValue:
        if isinstance(variable, Known) or isinstance(value, Known):
            if isinstance(variable, Known) and variable.same(value):
                return value
            kinds = [kind_name(kind_of(self.b, x)) for x in (variable, value) if isinstance(x, Known)]
            what = "which one must be known when the program is compiled: bind a variable of its own to it"
            raise self.error(f"{name} is assigned, and {kinds[0]} cannot be assigned: {what}")
        if variable not in self.own:
            raise self.error(f"{name} is assigned in a local function that calls itself: make it a parameter")
        value = self.promised(value, Declared(variable.declared, None), variable.safe)
        given = kind_of(self.b, value)
        if any(isinstance(member, Int) for member in members(given)):
            self.kinds.integers.add(variable.number)
        if variable.type is None:
            variable.type = BOOL if given == NULL else given
            variable.nil = given == NULL
            self.divide(variable)
        elif variable.nil and given == BOOL:
            variable.nil = False
        kind = united([given, NULL if variable.nil else variable.type])
        self.one_array(kind, f"{name} is", "it cannot become")
        if united([kind, variable.type]) != variable.type:
            if variable.declared is not None or variable.length is not None:
                raise self.error(f"{name} is {kind_name(variable.type)}: it cannot become {kind_name(given)}")
            raise Widened(variable.number, kind)
        self.check_declared_length(value, Declared(variable.type, variable.length))
        self.give(variable, value)
        return value

    def one_array(self, kind: Kind, before: str, between: str) -> None:
        """Refuses values that are arrays of different types on different paths."""
        arrays = [member for member in members(kind) if isinstance(member, Array)]
        if len(arrays) > 1:
            for each in arrays:
                self.program.loosen(each)
            first, second = map(kind_name, arrays[:2])
            raise self.error(f"{before} {first}: {between} {second}")
