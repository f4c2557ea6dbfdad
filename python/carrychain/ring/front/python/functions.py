"""The supported builtin functions."""

from __future__ import annotations

import ast
import functools
import math
from array import array
from collections.abc import Callable

from ...ir.form import Bool, Value
from ..ssa import Tagged
from . import sequences
from .arithmetic import binary, compare, magnitude, on_ints
from .build import Exit, PythonBuilder
from .calls import FUNCTIONS, Args, Keys, call, flag, known, only
from .comprehend import accumulated, collected, through, truth
from .iterate import UNROLLED, steps_of
from .sequences import made_of
from .values import (
    LISTS,
    NONE,
    UNBOUND,
    Constant,
    Growing,
    Items,
    Nothing,
    PythonValue,
    RangeValue,
    TupleOf,
    Wrapped,
)

known(abs, takes=1)(lambda f, node, x: magnitude(f, f.as_int(x)))
known(len, takes=1)(lambda f, node, x: f.cases(x, lambda each: length(f, each)))
known(bool, takes=(0, 1))(lambda f, node, *x: truth(f, x[0]) if x else f.const(False))
# of an int; expressions.py handles quotients
known(round, math.floor, math.ceil, math.trunc, takes=1)(lambda f, node, x: f.as_int(x))
known(callable, takes=1)(lambda f, node, x: f.const(isinstance(x, Constant) and callable(x.value)))


def length(f: PythonBuilder, value: PythonValue) -> Value:
    match value:
        case Items() | Growing():
            return f.length(value)
        case TupleOf(items):
            return f.const(len(items))
        case RangeValue():
            return steps_of(f, value).count()
        case Constant(str() as text):
            return f.const(len(text))
    raise f.type_error(f"object of type '{f.describe(value)}' has no len()", value)


@known(range, takes=(1, 3))
def _range(f: PythonBuilder, node: ast.Call, *args: PythonValue) -> PythonValue:
    numbers = [f.as_int(arg) for arg in args]
    start, stop = numbers[:2] if len(numbers) > 1 else (f.const(0), numbers[0])
    step = numbers[2] if len(numbers) > 2 else f.const(1)
    f.check(f.test("eq", step, f.const(0)), ValueError, "range() arg 3 must not be zero")
    return RangeValue(start, stop, step, f.constant(step))


@known(enumerate)
def _enumerate(f: PythonBuilder, args: Args, keys: Keys, node: ast.Call) -> PythonValue:
    start = keys.pop("start", args[1] if len(args) > 1 else f.const(0))
    only(f, node, args, keys, 1, 2)
    return Wrapped("enumerate", [args[0]], f.as_int(start))


@known(zip)
def _zip(f: PythonBuilder, args: Args, keys: Keys, node: ast.Call) -> PythonValue:
    strict = flag(f, keys.pop("strict", f.const(False)))
    only(f, node, args, keys, 0, 16)
    return Wrapped("zip strict" if strict else "zip", args)


@known(map, takes=(2, 16))
def _map(f: PythonBuilder, node: ast.Call, function: PythonValue, *over: PythonValue) -> PythonValue:
    for each in over:
        steps_of(f, each)
    return Wrapped("map", [function, over, node])


@known(functools.reduce, takes=(2, 3))
def _reduce(
    f: PythonBuilder, node: ast.Call, function: PythonValue, over: PythonValue, start: PythonValue = UNBOUND
) -> PythonValue:
    def none() -> PythonValue:
        raise f.raise_(TypeError, "reduce() of empty iterable with no initial value")

    # named by the iterable's position: the function may iterate, too
    then = lambda found, value: call(f, function, [found, value], {}, node)  # noqa: E731
    return _folded(f, node.args[1], over, then, none, start)


def _folded(f: PythonBuilder, node: ast.AST, over: PythonValue, then: Callable, none: Callable,
            start: PythonValue = UNBOUND) -> PythonValue:  # fmt: skip
    """A fold from the start, or else from the first item; `none` yields the result if there is neither."""

    def further(found: PythonValue, value: PythonValue) -> PythonValue:
        return f.cases(found, lambda each: value if each is UNBOUND else then(each, value))

    found = accumulated(f, node, over, start, further)
    return f.cases(found, lambda each: none() if each is UNBOUND else each)


@known(reversed, takes=1)
def _reversed(f: PythonBuilder, node: ast.Call, over: PythonValue) -> PythonValue:
    if isinstance(over, Wrapped):
        raise f.type_error(f"'{f.describe(over)}' object is not reversible", over)
    return Wrapped("reversed", [over])


@known(sum)
def _sum(f: PythonBuilder, args: Args, keys: Keys, node: ast.Call) -> PythonValue:
    start = keys.pop("start", args[1] if len(args) > 1 else f.const(0))
    only(f, node, args, keys, 1, 2)
    if f.describe(start) in ("bytes", "bytearray"):
        raise f.raise_(TypeError, f"sum() can't sum {f.describe(start)} [use b''.join(seq) instead]")
    return accumulated(f, node, args[0], start, lambda total, value: binary(f, ast.Add(), total, value))


def _least(f: PythonBuilder, a: PythonValue, b: PythonValue, op: str) -> PythonValue:
    """b if it is less (or greater) than a; otherwise a, which comes first."""
    if isinstance(a, Tagged) or isinstance(b, Tagged):
        one, other = (a, b) if isinstance(a, Tagged) else (b, a)
        return f.cases(
            one, lambda each: _least(f, each, other, op) if one is a else _least(f, other, each, op)
        )
    beyond = compare(f, ast.Lt() if op == "lt" else ast.Gt(), b, a)
    if isinstance(a, Value) and isinstance(b, Value) and a.type == b.type:
        return f.select(beyond, b, a)
    return f.choose(beyond, lambda: b, lambda: a)


def _extreme(name: str, op: str):
    def handler(f: PythonBuilder, args: Args, keys: Keys, node: ast.Call) -> PythonValue:
        default = keys.pop("default", None)
        only(f, node, args, keys, 1, 64)
        if len(args) > 1:
            found = args[0]
            for other in args[1:]:
                found = _least(f, found, other, op)
            return found

        def none() -> PythonValue:
            if default is None:
                raise f.raise_(ValueError, f"{name}() arg is an empty sequence")
            return default

        return _folded(f, node, args[0], lambda best, value: _least(f, best, value, op), none)

    return handler


FUNCTIONS[min] = _extreme("min", "lt")
FUNCTIONS[max] = _extreme("max", "gt")


def _until(wanted: bool):
    """any and all: whether some item is true, or false; later items are not evaluated."""

    def handler(f: PythonBuilder, node: ast.Call, over: PythonValue) -> PythonValue:
        if isinstance(over, Wrapped) and over.what == "generator" and len(over.of[0].generators) > 1:
            raise f.error("any and all of nested loops: write them as loops")
        name = f"{node.lineno}.{node.col_offset} found"
        with f.accumulating(name, f.const(not wanted)):

            def look(value: PythonValue) -> None:
                found, on = f.parted(truth(f, value), "found", "on", wanted)
                for end in found:
                    f.join([end])
                    f.env[name] = f.const(wanted)
                    f.loops[-1].breaks.append(Exit(f.b.block, f.env))
                f.join(on)

            through(f, node, over, look)
            found = f.env[name]
        return found

    return handler


known(any, takes=1)(_until(True))
known(all, takes=1)(_until(False))


@known(divmod, takes=2)
def _divmod(f: PythonBuilder, node: ast.Call, *args: PythonValue) -> PythonValue:
    if not all(isinstance(each, Value | Tagged) for each in args):
        kinds = " and ".join(f"'{f.describe(each)}'" for each in args)
        raise f.type_error(f"unsupported operand type(s) for divmod(): {kinds}", *args)
    a, b = map(f.as_int, args)
    f.check(f.test("eq", b, f.const(0)), ZeroDivisionError, "integer division or modulo by zero")
    return TupleOf([f.one("fdiv", a, b), f.one("fmod", a, b)])


@known(pow)
def _pow(f: PythonBuilder, args: Args, keys: Keys, node: ast.Call) -> PythonValue:
    if "mod" in keys:
        args = [*args, keys.pop("mod")]
    only(f, node, args, keys, 2, 3)
    if len(args) == 2 or args[2] == NONE:
        return on_ints(f, ast.Pow(), *map(f.as_int, args[:2]))
    base, exponent, modulus = map(f.as_int, args)
    zero = f.const(0)
    f.check(f.test("eq", modulus, zero), ValueError, "pow() 3rd argument cannot be 0")
    size = magnitude(f, modulus)

    def inverted() -> Value:
        found = f.program.prelude(f, "inverse", base, size)
        nothing = f.select(f.test("eq", size, f.const(1)), f.const(False), f.test("eq", found, zero))
        f.check(nothing, ValueError, "base is not invertible for the given modulus")
        return found

    below = f.test("lt", exponent, zero)
    base = f.choose(below, inverted, lambda: base)
    result = f.program.prelude(f, "power", base, magnitude(f, exponent), size)
    less = f.select(f.test("lt", modulus, zero), f.test("ne", result, zero), f.const(False))
    return f.select(less, f.one("add", result, modulus), result)


@known(int, takes=(0, 1))
def _int(f: PythonBuilder, node: ast.Call, *args: PythonValue) -> PythonValue:
    if args and isinstance(args[0], Items | Growing) and args[0].maker not in LISTS:
        raise f.error("int() of digits: compiled code has no strings")
    return f.as_int(args[0]) if args else f.const(0)


def _maker(maker: str):
    def handler(f: PythonBuilder, node: ast.Call, *args: PythonValue) -> PythonValue:
        if not args:
            return made_of(f, maker, [], node) if maker != "tuple" else TupleOf([])
        return f.cases(args[0], lambda value: made_from(f, maker, value, node))

    return handler


for _type in (list, tuple, bytes, bytearray):
    known(_type, takes=(0, 1))(_maker(_type.__name__))


def made_from(f: PythonBuilder, maker: str, value: PythonValue, node: ast.AST) -> PythonValue:
    if isinstance(value, Value) and maker not in LISTS:
        count = sequences.size_of(f, f.as_int(value))
        f.check(f.test("lt", count, f.const(0)), ValueError, "negative count")
        array = f.new(f.program.BYTE, f.room(count, node))
        return f.fresh(maker, array, count, node)
    if isinstance(value, TupleOf):
        if maker == "tuple":
            return TupleOf(value.items)
        return made_of(f, maker, value.items, node if maker != "bytes" else None)
    if isinstance(value, Items | Growing):
        items = f.items(value)
        known = f.constant(f.length(items))
        if maker not in LISTS:
            sequences.only_bytes(f, items)
        if maker == "tuple" and items.maker != "tuple" and known is not None and known <= UNROLLED:
            return TupleOf([sequences.load(f, items, f.const(at)) for at in range(known)])
        if items.maker == maker and maker in ("bytes", "tuple"):
            return value
        if maker in LISTS or items.maker in ("bytes", "bytearray", "memoryview"):
            element = sequences.listed(items) if maker in LISTS else f.program.BYTE
            site = node if maker in ("list", "bytearray") else None
            return sequences.copied(f, items, maker, element, site)
    return collected(f, maker, value, node)


@known(memoryview, takes=1)
def _memoryview(f: PythonBuilder, node: ast.Call, value: PythonValue) -> PythonValue:
    if not isinstance(value, Items) or value.maker in LISTS:
        raise f.error("memoryview of something that is not a buffer, or of a bytearray that grows")
    readonly = value.readonly or value.maker == "bytes"
    # a view even of all items: it is another object than the one that it shows
    return Items("memoryview", value.array, value.offset or f.const(0), f.length(value), readonly)


@known(isinstance, takes=2)
def _isinstance(f: PythonBuilder, node: ast.Call, value: PythonValue, of: PythonValue) -> PythonValue:
    types = of.items if isinstance(of, TupleOf) else [of]
    if not all(isinstance(each, Constant) and isinstance(each.value, type) for each in types):
        raise f.error("isinstance with something that is not a type")

    def whether(value: PythonValue) -> Value:
        type_ = _type_of(f, value)
        return f.const(issubclass(type_, tuple(each.value for each in types)))

    return f.cases(value, whether)


def _type_of(f: PythonBuilder, value: PythonValue) -> type:
    match value:
        case Value(type=Bool()):
            return bool
        case Value():
            return int
        case Nothing():
            return type(None)
    makers = {"list": list, "tuple": tuple, "bytes": bytes, "bytearray": bytearray,
              "memoryview": memoryview, "array": array}  # fmt: skip
    found = makers.get(f.describe(value))
    if found is None:
        raise f.error(f"isinstance of {f.describe(value)} is not compiled")
    return found


@known(math.gcd, takes=(1, 8))
def _gcd(f: PythonBuilder, node: ast.Call, *args: PythonValue) -> PythonValue:
    found, *others = map(f.as_int, args)
    for other in others:
        found = f.one("gcd", found, other)
    return magnitude(f, found)


@known(math.isqrt, takes=1)
def _isqrt(f: PythonBuilder, node: ast.Call, x: PythonValue) -> PythonValue:
    x = f.as_int(x)
    f.check(f.test("lt", x, f.const(0)), ValueError, "isqrt() argument must be nonnegative")
    return f.one("isqrt", x)
