"""Operators on ints and other values, with Python's meaning and errors."""

from __future__ import annotations

import ast
import math
from functools import cache
from types import BuiltinFunctionType, FunctionType

from ...ir.form import Bool, Value
from ...ir.interface import NULL
from ..ssa import Tagged
from .build import PythonBuilder
from .kinds import BYTE, Beyond
from .sequences import equal, joined, less, made_of, repeated
from .source import REFUSED
from .values import NONE, Constant, Growing, Items, Nothing, PythonValue, RangeValue, TupleOf

SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "** or pow()",
    ast.Div: "/", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
PLAIN = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
LOGIC = {ast.BitAnd: "and", ast.BitOr: "ior", ast.BitXor: "xor"}
# Constants from outside that are equal only to themselves, except texts.
COMPARED = (str, type, FunctionType, BuiltinFunctionType)
ORDER = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


def binary(f: PythonBuilder, op: ast.operator, a: PythonValue, b: PythonValue) -> PythonValue:
    if isinstance(op, ast.Div):
        raise f.error(REFUSED[ast.Div])
    if isinstance(a, Tagged):
        return f.cases(a, lambda each: binary(f, op, each, b))
    if isinstance(b, Tagged):
        return f.cases(b, lambda each: binary(f, op, a, each))
    if isinstance(a, Value) and isinstance(b, Value):
        if isinstance(op, tuple(LOGIC)) and isinstance(a.type, Bool) and isinstance(b.type, Bool):
            return _logic_of_bools(f, op, a, b)
        return on_ints(f, op, f.as_int(a), f.as_int(b))
    found = _on_items(f, op, a, b)
    if found is not None:
        return found
    raise _unsupported(f, op, a, b)


def _unsupported(f: PythonBuilder, op: ast.AST, a: PythonValue, b: PythonValue):
    if "array" in (f.describe(a), f.describe(b)):
        raise f.error(f"{SYMBOLS[type(op)]} of an array as a whole: compute item by item, or use a list")
    one, other = f.describe(a), f.describe(b)
    if isinstance(op, ast.Mod) and one in ("bytes", "bytearray", "str"):
        return f.error("formatting by %: put the bytes together")
    if one == other and isinstance(op, ast.Add | ast.cmpop) and isinstance(a, Items | Growing | TupleOf):
        return f.error(f"a {one} of ints together with one of anything else")
    if isinstance(op, ast.Add) and one in ("bytes", "bytearray"):
        return f.type_error(f"can't concat {other} to {one}", a, b)
    if isinstance(op, ast.Add) and one in ("list", "tuple"):
        return f.type_error(f'can only concatenate {one} (not "{other}") to {one}', a, b)
    kinds = f"'{f.describe(a)}' and '{f.describe(b)}'"
    if type(op) in ORDER:
        message = f"'{SYMBOLS[type(op)]}' not supported between instances of {kinds}"
        return f.type_error(message, a, b)
    return f.type_error(f"unsupported operand type(s) for {SYMBOLS[type(op)]}: {kinds}", a, b)


def _logic_of_bools(f: PythonBuilder, op: ast.operator, a: Value, b: Value) -> Value:
    match op:
        case ast.BitAnd():
            return f.select(a, b, a)
        case ast.BitOr():
            return f.select(a, a, b)
    return f.select(a, f.not_(b), b)


def on_ints(f: PythonBuilder, op: ast.operator, a: Value, b: Value) -> Value:
    kind = type(op)
    if kind in PLAIN:
        return f.one(PLAIN[kind], a, b)
    if kind in LOGIC:
        return f.one(LOGIC[kind], a, b)
    match op:
        case ast.FloorDiv():
            f.check(f.test("eq", b, f.const(0)), ZeroDivisionError, "integer division or modulo by zero")
            return f.one("fdiv", a, b)
        case ast.Mod():
            f.check(f.test("eq", b, f.const(0)), ZeroDivisionError, "integer modulo by zero")
            return f.one("fmod", a, b)
        case ast.LShift():
            f.check(f.test("lt", b, f.const(0)), ValueError, "negative shift count")
            endless = f.test("ge", b, f.const(endless_shift()))
            endless = f.select(endless, f.test("ne", a, f.const(0)), endless)
            f.check(endless, OverflowError, "too many digits in integer")
            return f.one("shift", a, b)
        case ast.RShift():
            f.check(f.test("lt", b, f.const(0)), ValueError, "negative shift count")
            return f.one("shift", a, f.one("neg", b))
    # it is a float
    f.check(f.test("lt", b, f.const(0)), Beyond)
    return power(f, a, b)


@cache
def endless_shift() -> int:
    """The least shift of 1 that CPython rejects as too long; for lesser ones, it runs out of memory."""
    below, above = 1 << 62, 1 << 67
    while below + 1 < above:
        count = (below + above) // 2
        try:
            1 << count
        except OverflowError:
            above = count
        except MemoryError:
            below = count
    return above


# How a quotient of doubles is rounded: down, up, towards 0, and to the nearest, ties to even.
ROUNDINGS = {
    math.floor: "floor",
    math.ceil: "ceiling",
    math.trunc: "truncate",
    int: "truncate",
    round: "even",
}
# Quotients of numbers below this are integers, or on one side of them or of their halves, as doubles, too: if
# a / b is in [2^k, 2^(k+1)), then b <= a / 2^k < 2^(52 - k), so that a / b, unless it is an integer or a half
# of one, is more than 2^(k-53) away from it: that is half of what doubles there are apart. And none is 0
# that a / b is not.
EXACT = 1 << 52


def quotient(f: PythonBuilder, a: PythonValue, b: PythonValue, how: str) -> PythonValue:
    """The integer to which the double nearest to a / b is rounded."""
    if isinstance(a, Tagged):
        return f.cases(a, lambda each: quotient(f, each, b, how))
    if isinstance(b, Tagged):
        return f.cases(b, lambda each: quotient(f, a, each, how))
    if not (isinstance(a, Value) and isinstance(b, Value)):
        raise _unsupported(f, ast.Div(), a, b)
    a, b = f.as_int(a), f.as_int(b)
    f.check(f.test("eq", b, f.const(0)), ZeroDivisionError, "division by zero")
    small = f.const(True)
    for bound in (
        f.test("lt", a, f.const(EXACT)), f.test("gt", a, f.const(-EXACT)),
        f.test("lt", b, f.const(EXACT)), f.test("gt", b, f.const(-EXACT)),
    ):  # fmt: skip
        small = f.select(small, bound, small)
    return f.choose(small, lambda: _rounded(f, a, b, how), lambda: _of_doubles(f, a, b, how))


def _rounded(f: PythonBuilder, a: Value, b: Value, how: str) -> Value:
    if how != "even":
        return f.one({"floor": "fdiv", "ceiling": "cdiv", "truncate": "tdiv"}[how], a, b)
    below, rest = f.one("fdiv", a, b), f.one("fmod", a, b)
    # the remainder has the divisor's sign
    return _to_even(f, below, f.one("mul", magnitude(f, rest), f.const(2)), magnitude(f, b))


def _to_even(f: PythonBuilder, below: Value, part: Value, half: Value) -> Value:
    """The integer below, or the one above, whichever is nearest; ties to even."""
    tie = f.select(f.test("eq", part, half), f.one("and", below, f.const(1)), f.const(0))
    up = f.select(f.test("gt", part, half), f.const(1), tie)
    return f.one("add", below, up)


def _of_doubles(f: PythonBuilder, a: Value, b: Value, how: str) -> Value:
    one, other = magnitude(f, a), magnitude(f, b)
    fourfold = f.program.prelude(f, "nearest", one, other)
    message = "integer division result too large for a float"
    f.check(f.test("lt", fourfold, f.const(0)), OverflowError, message)
    # at most twice the dividend: so its range is bounded if the dividend's is
    fourfold = f.least(fourfold, f.one("mul", one, f.const(8)))
    whole, part = f.one("shift", fourfold, f.const(-2)), f.one("and", fourfold, f.const(3))
    below, under = f.test("lt", a, f.const(0)), f.test("lt", b, f.const(0))
    negative = f.select(below, f.not_(under), under)
    if how == "even":
        found = _to_even(f, whole, part, f.const(2))
    elif how == "truncate":
        found = whole
    else:
        away = f.one("add", whole, f.select(f.test("ne", part, f.const(0)), f.const(1), f.const(0)))
        found = f.select(negative, away, whole) if how == "floor" else f.select(negative, whole, away)
    return f.select(negative, f.one("neg", found), found)


def magnitude(f: PythonBuilder, x: Value) -> Value:
    return f.select(f.test("lt", x, f.const(0)), f.one("neg", x), x)


def sought(f: PythonBuilder, item: PythonValue) -> Value | None:
    """The value as an int to search for; None if it is not equal to any int."""
    if isinstance(item, Value):
        return f.as_int(item)
    if f.describe(item) == "ndarray" or (isinstance(item, Constant) and not isinstance(item.value, COMPARED)):
        raise f.error(f"searching for a {f.describe(item)}")
    return None


def power(f: PythonBuilder, a: Value, b: Value) -> Value:
    base, exponent = f.constant(a), f.constant(b)
    if exponent is not None and 0 <= exponent <= 4:
        result = f.const(1)
        for _ in range(exponent):
            result = f.one("mul", result, a) if f.constant(result) != 1 else a
        return result
    if base == 2:
        return f.one("shift", f.const(1), b)
    return f.one("expt", a, b)


def _on_items(f: PythonBuilder, op: ast.operator, a: PythonValue, b: PythonValue) -> PythonValue | None:
    many = Items | Growing
    match op, a, b:
        case ast.Add(), TupleOf(xs, maker), TupleOf(ys, other) if maker == other:
            return TupleOf(xs + ys, maker)
        case ast.Add(), TupleOf(maker="tuple"), Items(maker="tuple"):
            return joined(f, [_as_items(f, a), b], "tuple", f.node)
        case ast.Add(), Items(maker="tuple"), TupleOf(maker="tuple"):
            return joined(f, [a, _as_items(f, b)], "tuple", f.node)
        case ast.Add(), _, _ if isinstance(a, many) and isinstance(b, many):
            one, two = f.describe(a), f.describe(b)
            if one == two and one in ("bytes", "bytearray", "list", "tuple"):
                return joined(f, [a, b], one, f.node)
            if one in ("bytes", "bytearray") and two in ("bytes", "bytearray", "memoryview"):
                return joined(f, [a, b], one, f.node)
        case ast.Mult(), _, Value() if isinstance(a, many):
            if f.describe(a) in ("bytes", "bytearray", "list", "tuple"):
                return repeated(f, a, f.as_int(b), f.node)
        case ast.Mult(), Value(), _ if isinstance(b, many):
            return _on_items(f, op, b, a)
        case ast.Mult(), TupleOf(items, maker), Value():
            times = f.constant(b)
            if times is not None and times <= 64:
                return TupleOf(items * times, maker)
            if all(isinstance(item, Value) for item in items):
                return repeated(f, _as_items(f, a), f.as_int(b), f.node)
            raise f.error(f"repeating a {maker} that holds anything but ints: the count must be a literal")
        case ast.Mult(), Value(), TupleOf():
            return _on_items(f, op, b, a)
    return None


def _as_items(f: PythonBuilder, value: TupleOf) -> Items:
    made = made_of(f, "tuple", value.items, None)
    if isinstance(made, TupleOf):
        raise f.error("a tuple of ints together with one of anything else")
    return made


def unary(f: PythonBuilder, op: ast.unaryop, value: PythonValue) -> PythonValue:
    if isinstance(value, Tagged):
        return f.cases(value, lambda each: unary(f, op, each))
    if not isinstance(value, Value):
        symbol = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(op)]
        raise f.type_error(f"bad operand type for unary {symbol}: '{f.describe(value)}'", value)
    number = f.as_int(value)
    match op:
        case ast.USub():
            return f.one("neg", number)
        case ast.Invert():
            return f.one("xor", number, f.const(-1))
    return number


# Comparisons


def compare(f: PythonBuilder, op: ast.cmpop, a: PythonValue, b: PythonValue) -> Value:
    match op:
        case ast.Eq():
            return equals(f, a, b)
        case ast.NotEq():
            return f.not_(equals(f, a, b))
        case ast.Is():
            return _is(f, a, b)
        case ast.IsNot():
            return f.not_(_is(f, a, b))
        case ast.In():
            return _in(f, a, b)
        case ast.NotIn():
            return f.not_(_in(f, a, b))
    return _ordered(f, op, a, b)


def _ordered(f: PythonBuilder, op: ast.cmpop, a: PythonValue, b: PythonValue) -> Value:
    if isinstance(a, Tagged):
        return f.cases(a, lambda each: _ordered(f, op, each, b))
    if isinstance(b, Tagged):
        return f.cases(b, lambda each: _ordered(f, op, a, each))
    if isinstance(a, Value) and isinstance(b, Value):
        return f.test(ORDER[type(op)], f.as_int(a), f.as_int(b))
    if isinstance(a, TupleOf) and isinstance(b, TupleOf) and a.maker == b.maker:
        return _tuples(f, op, a.items, b.items)
    if isinstance(a, Items | Growing) and isinstance(b, Items | Growing) and _have_order(f, a, b):
        match op:
            case ast.Lt():
                return less(f, a, b)
            case ast.Gt():
                return less(f, b, a)
            case ast.LtE():
                return f.not_(less(f, b, a))
        return f.not_(less(f, a, b))
    raise _unsupported(f, op, a, b)


def _tuples(f: PythonBuilder, op: ast.cmpop, xs: list[PythonValue], ys: list[PythonValue]) -> Value:
    """Compares two tuples by the first items that differ."""
    if not xs or not ys:
        return f.const({"lt": len(ys) > 0, "le": not xs, "gt": len(xs) > 0, "ge": not ys}[ORDER[type(op)]])
    return f.choose(
        equals(f, xs[0], ys[0]),
        lambda: _tuples(f, op, xs[1:], ys[1:]),
        lambda: _ordered(f, op, xs[0], ys[0]),
    )


def _alike(f: PythonBuilder, a: PythonValue, b: PythonValue) -> bool:
    """Whether values of these kinds can be equal."""
    one, two = f.describe(a), f.describe(b)
    if {one, two} == {"bytearray", "memoryview"} and not f.items(a).element == f.items(b).element == BYTE:
        raise f.error("comparing a bytearray with a memoryview of items other than bytes")
    bytes_like = ("bytes", "bytearray", "memoryview")
    return one == two or {one, two} == {"array", "memoryview"} or (one in bytes_like and two in bytes_like)


def _have_order(f: PythonBuilder, a: Items | Growing, b: Items | Growing) -> bool:
    """Whether they have an order. A memoryview has one only with a bytearray; NumPy's arrays have none."""
    makers = {f.describe(a), f.describe(b)}
    ordered = "ndarray" not in makers and ("memoryview" not in makers or "bytearray" in makers)
    return ordered and _alike(f, a, b)


def equals(f: PythonBuilder, a: PythonValue, b: PythonValue) -> Value:
    if isinstance(a, Tagged):
        return f.cases(a, lambda each: equals(f, each, b))
    if isinstance(b, Tagged):
        return f.cases(b, lambda each: equals(f, a, each))
    if "ndarray" in (f.describe(a), f.describe(b)):
        raise f.error("NumPy compares item by item: do so, too")
    match a, b:
        case Value(), Value():
            if isinstance(a.type, Bool) and isinstance(b.type, Bool):
                return f.select(a, b, f.not_(b))
            return f.test("eq", f.as_int(a), f.as_int(b))
        case TupleOf(xs, one), TupleOf(ys, two):
            if one != two or len(xs) != len(ys):
                return f.const(False)
            found = f.const(True)
            for x, y in zip(reversed(xs), reversed(ys), strict=True):
                found = f.choose(equals(f, x, y), lambda found=found: found, lambda: f.const(False))
            return found
        case TupleOf(maker="tuple"), Items(maker="tuple"):
            return equal(f, _as_items(f, a), b)
        case Items(maker="tuple"), TupleOf(maker="tuple"):
            return equal(f, a, _as_items(f, b))
        case Constant(str() as x), Constant(str() as y):
            return f.const(x == y)
        case RangeValue(), _:
            raise f.error("comparing a range")
    if isinstance(a, Items | Growing) and isinstance(b, Items | Growing):
        return equal(f, a, b) if _alike(f, a, b) else f.const(False)
    for value in (a, b):
        if isinstance(value, Constant) and not isinstance(value.value, COMPARED):
            raise f.error(f"comparing a {f.describe(value)}")
    if isinstance(a, Constant) and isinstance(b, Constant):
        return f.const(a.value is b.value)
    return f.const(isinstance(a, Nothing) and isinstance(b, Nothing))


def _is(f: PythonBuilder, a: PythonValue, b: PythonValue) -> Value:
    for one, other in ((a, b), (b, a)):
        if one == NONE:
            if isinstance(other, Tagged):
                places = [at for at, kind in enumerate(other.type.members) if kind == NULL]
                return f.is_member(other, places[0]) if places else f.const(False)
            return f.const(other == NONE)
        if isinstance(one, Value) and isinstance(one.type, Bool) and isinstance(f.constant(one), bool):
            return _is_bool(f, other, bool(f.constant(one)))
    if isinstance(a, Constant) and isinstance(b, Constant) and not isinstance(a.value, str):
        return f.const(a.value is b.value)
    raise f.error("is: only with None, True and False; use == to compare values")


def _is_bool(f: PythonBuilder, value: PythonValue, known: bool) -> Value:
    if isinstance(value, Tagged):
        return f.cases(value, lambda each: _is_bool(f, each, known))
    if isinstance(value, Value) and isinstance(value.type, Bool):
        return value if known else f.not_(value)
    return f.const(False)


def _in(f: PythonBuilder, item: PythonValue, container: PythonValue) -> Value:
    if isinstance(container, Tagged):
        return f.cases(container, lambda each: _in(f, item, each))
    if isinstance(item, Tagged):
        return f.cases(item, lambda each: _in(f, each, container))
    match container:
        case Constant(str() as text) if isinstance(item, Constant) and isinstance(item.value, str):
            return f.const(item.value in text)
        case TupleOf(items):
            found = f.const(False)
            for each in reversed(items):
                found = f.choose(equals(f, item, each), lambda: f.const(True), lambda found=found: found)
            return found
        case RangeValue(start, stop, step):
            if (number := sought(f, item)) is None:
                return f.const(False)
            forth = f.test("gt", step, f.const(0))
            low, high = f.select(forth, start, stop), f.select(forth, stop, start)
            after = f.test("le", low, number)
            more = f.select(forth, f.test("lt", number, high), f.test("le", number, high))
            after = f.select(forth, after, f.test("lt", low, number))
            on = f.test("eq", f.one("fmod", f.one("sub", number, start), step), f.const(0))
            return f.select(after, f.select(more, on, more), after)
        case Items() | Growing():
            items = f.items(container)
            if isinstance(item, Items | Growing) and items.maker in ("bytes", "bytearray"):
                raise f.error("bytes within bytes: compare slices")
            if items.maker in ("bytes", "bytearray") and not isinstance(item, Value):
                raise f.type_error(f"a bytes-like object is required, not '{f.describe(item)}'", item)
            if (number := sought(f, item)) is None:
                if items.maker == "ndarray":
                    raise f.error("NumPy compares item by item: do so, too")
                return f.const(False)
            if items.maker in ("bytes", "bytearray"):
                wrong = f.select(
                    f.test("lt", number, f.const(0)), f.const(True), f.test("gt", number, f.const(255))
                )
                f.check(wrong, ValueError, "byte must be in range(0, 256)")
            place = f.over(items, "find", number)
            return f.test("ge", place, f.const(0))
    raise f.type_error(f"argument of type '{f.describe(container)}' is not iterable", container)
