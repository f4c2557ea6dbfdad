"""typep, and so typecase, in compiled code and at compile time.

Characters are represented by their codes, so they are not distinct from integers; strings are distinct from
arrays of integers. If a type is of one and the value may be the other, the program is refused.
"""

from __future__ import annotations

from functools import reduce

from ...ir.errors import SourceError
from ...ir.form import BOOL, Array, Bool, Int, Value
from ...ir.interface import Null
from .build import LispBuilder, raw
from .data import NIL, Cons, Symbol, T, Vector, brief, items, symbol
from .expand import Scope, parts
from .known import FunctionValue, Known, Layout, ListValue
from .library import CHARACTERS, IS, STRINGS, define, truth
from .operators import all_of, quoted, test
from .types import INTEGERS, Types
from .values import LispValue, both_of, either_of, flags_of

LISTS = ("LIST", "CONS")
INTEGER_TYPES = {*INTEGERS, "MOD"} - {*CHARACTERS}
ARRAYS = ("ARRAY", "SIMPLE-ARRAY", "VECTOR", "SIMPLE-VECTOR")
STAR = symbol("*")


def _opened(world, form) -> tuple[object, Symbol, list]:
    """A type with the program's own names replaced, its head, and its arguments."""
    for _ in range(100):
        head = form.car if isinstance(form, Cons) else form
        if head not in world.types:
            return form, head, items(form.cdr) if isinstance(form, Cons) else []
        form = world.evaluator.expand_type(form)
    raise SourceError(f"{brief(form)}: this type is defined in terms of itself")


def is_of(self: LispBuilder, value: LispValue, form, scope: Scope) -> Value:
    b = self.b
    form, head, arguments = _opened(self.world, form)
    name = getattr(head, "name", "")
    within = lambda each: is_of(self, value, each, scope)  # noqa: E731
    match name:
        case "T":
            return b.const(True)
        case "NIL":
            return b.const(False)
        case "AND":
            return all_of(b, [within(each) for each in arguments])
        case "OR":
            return reduce(lambda x, y: either_of(b, x, y), map(within, arguments), b.const(False))
        case "NOT":
            (only,) = arguments
            return b.one("not", within(only), type_=BOOL)
    found = b.const(False)
    for member, flag, part in flags_of(b, value):
        found = either_of(
            b, found, both_of(b, flag, member_is(self, member, part, form, head, arguments, scope))
        )
    return found


def member_is(self: LispBuilder, member, part, form, head, arguments: list, scope: Scope) -> Value:
    """Whether a value of one kind is of the type."""
    b = self.b
    name = getattr(head, "name", "")
    if head in self.world.layouts:
        return b.const(isinstance(member, Layout) and member.within(self.world.layouts[head]))
    if isinstance(part, Known):
        functions = ("FUNCTION", "COMPILED-FUNCTION")
        lists = isinstance(part, ListValue) and name in (*LISTS, "SEQUENCE")
        return b.const(lists or (isinstance(part, FunctionValue) and name in functions))
    nil = part is None or part in b.nils
    if isinstance(member, Null | Bool) or nil:
        true = b.const(False) if nil else part
        return of_truth(b, true, name, arguments)
    if name in ("MEMBER", "EQL"):
        wanted = [each for each in arguments if isinstance(each, int)] if isinstance(member, Int) else []
        return reduce(lambda x, k: either_of(b, x, test("eq")(b, part, b.const(k))), wanted, b.const(False))
    if name in CHARACTERS:
        raise self.error("compiled code cannot tell characters from their codes", form)
    if name in ("ATOM", "NUMBER", "REAL", "RATIONAL"):
        return b.const(isinstance(member, Int) or name == "ATOM")
    if name in INTEGER_TYPES:
        if not isinstance(member, Int):
            return b.const(False)
        bounds = Types(scope, b.position).parse(form).type
        sides = [("ge", bounds.low), ("le", bounds.high)]
        return all_of(b, [test(op)(b, part, b.const(k)) for op, k in sides if k is not None])
    if name in ("SEQUENCE", *ARRAYS, *STRINGS) or name.endswith("BIT-VECTOR"):
        return of_array(self, member, part, form, name, arguments, scope)
    if name in ("NULL", "BOOLEAN", "SYMBOL", "KEYWORD", "FUNCTION", *LISTS):
        return b.const(False)
    raise self.error(f"{brief(form)}: unknown type", form)


def of_truth(b, true: Value, name: str, arguments: list) -> Value:
    """Whether t (if `true`) or nil is of the type of this name."""
    of_nil = name in ("NULL", "LIST", "SEQUENCE") or (name in ("MEMBER", "EQL") and NIL in arguments)
    of_t = name in ("MEMBER", "EQL") and T in arguments
    of_nil = of_nil or name in ("BOOLEAN", "SYMBOL", "ATOM")
    of_t = of_t or name in ("BOOLEAN", "SYMBOL", "ATOM")
    return b.one("select", true, b.const(of_t), b.const(of_nil), type_=BOOL)


def of_array(self: LispBuilder, member, part, form, name: str, arguments: list, scope: Scope) -> Value:
    """Whether an array has such elements; T is an element type of its own, and * is any."""
    b = self.b
    if not isinstance(member, Array) or name == "SEQUENCE":
        return b.const(isinstance(member, Array))
    any_element = name in ("ARRAY", "SIMPLE-ARRAY", "VECTOR") and (not arguments or arguments[0] is STAR)
    declared = Types(scope, b.position).parse(form)
    if not any_element and declared.type != member:
        self.program.loosen(member)
        return b.const(False)
    if declared.length is None:
        return b.const(True)
    return test("eq")(b, b.one("len", part), b.const(declared.length))


@raw("TYPEP")
def _typep(self: LispBuilder, form: Cons, scope: Scope, want: int) -> list[LispValue]:
    source, type_ = parts(form, 2, 2)
    value = self.value(source, scope)
    return [is_of(self, value, quoted(self, type_, scope), scope)]


# At compile time ------------------------------------------------------------------------------


def _element(element, wanted) -> bool:
    return wanted is STAR or brief(element) == brief(wanted)


define("TYPEP")(lambda self, value, type_: truth(_is(self, value, type_)))


def _is(self, value, form) -> bool:
    form, head, arguments = _opened(self.world, form)
    name = getattr(head, "name", "")
    match name:
        case "AND":
            return all(_is(self, value, each) for each in arguments)
        case "OR":
            return any(_is(self, value, each) for each in arguments)
        case "NOT":
            return not _is(self, value, arguments[0])
        case "MEMBER" | "EQL":
            return any(value is each or (isinstance(value, int) and value == each) for each in arguments)
        case "SATISFIES":
            return self.apply(arguments[0], [value]) is not NIL
    if name in IS and not arguments:
        return IS[name](value)
    if name in INTEGER_TYPES:
        return isinstance(value, int) and value in Types(Scope(self.world), None).parse(form).type
    if name in ARRAYS and len(arguments) < 2:
        if not isinstance(value, Vector):
            return (
                isinstance(value, str) and name != "SIMPLE-VECTOR" and (not arguments or arguments[0] is STAR)
            )
        return _element(value.element, T if name == "SIMPLE-VECTOR" else arguments[0] if arguments else STAR)
    raise self.error(f"{brief(form)}: typep does not support this type")
