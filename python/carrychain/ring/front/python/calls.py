"""Calls: of Python's own functions and methods, as far as they are known here, and of the program's."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType

from ...ir import INT, Bool, Value
from . import sequences
from .arithmetic import binary, equals, on_ints
from .comprehend import each_of, truth
from .iterate import UNROLLED, iterate, steps_of
from .lower import End, Lower, Never
from .sequences import item_for, made_of, store
from .source import assigned, source_of
from .values import (
    LISTS,
    NONE,
    UNBOUND,
    Either,
    Growing,
    Items,
    Known,
    Local,
    Nothing,
    Range,
    Some,
    TupleOf,
    Wrapped,
)

Args = list[Some]
Keys = dict[str, Some]

# By the function; and by the receiver's type and the method's name.
FUNCTIONS: dict[object, Callable[[Lower, Args, Keys, ast.Call], Some]] = {}
METHODS: dict[tuple[str, str], Callable[[Lower, Some, Args, Keys, ast.Call], Some]] = {}


def known(*functions: object):
    def enter(handler):
        FUNCTIONS.update(dict.fromkeys(functions, handler))
        return handler

    return enter


def method(name: str, *types: str):
    def enter(handler):
        METHODS.update({(type_, name): handler for type_ in types})
        return handler

    return enter


def call(f: Lower, function: Some | tuple[Some, str], args: Args, keys: Keys, node: ast.Call) -> Some:
    if isinstance(function, tuple):
        receiver, name = function
        handler = METHODS.get((f.describe(receiver), name))
        if handler is None:
            raise f.error(f"{f.describe(receiver)}.{name}: not compiled")
        return handler(f, receiver, args, keys, node)
    if isinstance(function, Local):
        return call_local(f, function, args, keys)
    if not isinstance(function, Known):
        raise f.error(f"{f.describe(function)} is called: only functions that are known can be")
    of = function.value
    plain = getattr(of, "__carrychain__", of)
    if isinstance(plain, FunctionType):
        source_of(plain)
        return f.program.call(f, plain, bound(f, plain, args, keys))
    try:
        handler = FUNCTIONS.get(of)
    except TypeError:
        handler = None
    if handler is None:
        name = getattr(of, "__qualname__", None) or str(of)
        raise f.error(f"{name}: not compiled, and no function of Python's own source")
    return handler(f, args, keys, node)


def bound(f: Lower, function: FunctionType, args: Args, keys: Keys) -> Args:
    """The arguments of a function by their place."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    defaults = function.__defaults__ or ()
    spare = dict(zip(names[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True))
    spare |= function.__kwdefaults__ or {}
    given = _named(f, function.__qualname__, names, code.co_argcount, args, keys, spare)
    lifted = {name: f.program.lifted(f, value) for name, value in spare.items() if name not in given}
    return [given[name] if name in given else lifted[name] for name in names]


def _named(f: Lower, called: str, names, positional: int, args: Args, keys: Keys, spare) -> dict[str, Some]:
    """The arguments by their names: those that are left out must be in `spare`."""
    if len(args) > positional:
        message = f"{called}() takes {positional} positional arguments but {len(args)} were given"
        raise f.raise_(TypeError, message)
    given = dict(zip(names, args, strict=False))
    for name, value in keys.items():
        if name not in names:
            raise f.raise_(TypeError, f"{called}() got an unexpected keyword argument '{name}'")
        if name in given:
            raise f.raise_(TypeError, f"{called}() got multiple values for argument '{name}'")
        given[name] = value
    for name in names:
        if name not in given and name not in spare:
            raise f.raise_(TypeError, f"{called}() missing 1 required positional argument: '{name}'")
    return given


def call_local(f: Lower, function: Local, args: Args, keys: Keys) -> Some:
    """A function within this one is lowered where it is called, so it sees the names as they are then."""
    node = function.node
    if node in f.open:
        raise f.error("a function within a function that calls itself: define it outside")
    parameters = [*node.args.posonlyargs, *node.args.args]
    names = [each.arg for each in (*parameters, *node.args.kwonlyargs)]
    called = getattr(node, "name", "<lambda>")
    given = _named(f, called, names, len(parameters), args, keys, function.spare)
    own = set(names) | assigned(node)
    outer = {name: f.env[name] for name in own if name in f.env}
    for name in own:
        f.env.pop(name, None)
    f.env.update(function.spare | given)
    ends: list[End] = []
    with f.within(node, ends, own), suppress(Never):
        if isinstance(node, ast.Lambda):
            f.return_(f.evaluate(node.body))
        f.body(node.body)
        f.return_(NONE)
    for end in ends:
        for name in own:
            end.env.pop(name, None)
        end.env.update(outer)
    return f.join(ends)


def _only(f: Lower, node: ast.Call, args: Args, keys: Keys, least: int, most: int | None = None) -> None:
    most = least if most is None else most
    if keys or not least <= len(args) <= most:
        raise f.error(f"{ast.unparse(node.func)} with these arguments is not compiled")


# Going through what is given


def accumulated(f: Lower, node: ast.AST, over: Some, start: Some, then: Callable[[Some, Some], Some]) -> Some:
    """start, then what `then` makes of it and the next value, until there is none."""
    name = f"{node.lineno}.{node.col_offset} total"
    with f.accumulating(name, start):

        def further(value: Some) -> None:
            made = then(f.env[name], value)
            # which may have joined ways into another environment
            f.env[name] = made

        through(f, node, over, further)
        found = f.env[name]
    return found


def through(f: Lower, node: ast.AST, over: Some, then: Callable[[Some], None]) -> None:
    if isinstance(over, Wrapped) and over.what == "generator":
        each_of(f, over.of[0], then)
    else:
        iterate(f, node, steps_of(f, over), set(), lambda value, loop: then(value))


def collected(f: Lower, maker: str, over: Some, site: ast.AST) -> Some:
    """A list, a tuple, a bytes or a bytearray of what there is."""
    count, unrolled = _count(f, over)
    if unrolled:
        values: list[Some] = []
        through(f, site, over, values.append)
        if maker == "tuple":
            return TupleOf(values)
        return made_of(f, maker, values, site if maker in ("list", "bytearray") else None)
    element = INT if maker in LISTS else f.program.BYTE
    if count is not None:
        array = f.new(element, f.room(count, site))
        made = Items(maker, array, size=count)

        def put(at: Some, value: Some) -> Some:
            store(f, made, at, item_for(f, made, value))
            return f.one("add", at, f.const(1))

        accumulated(f, site, over, f.const(0), put)
        if maker in ("bytes", "tuple"):
            return Items(maker, array, readonly=True, size=count)
        return f.fresh(maker, array, count, site)
    growing = Growing(maker, element)
    f.env[growing] = Items(maker, f.new(element, f.const(8)), None, f.const(0))
    through(f, site, over, lambda value: sequences.append(f, growing, value))
    return grown(f, growing, site)


def grown(f: Lower, growing: Growing, site: ast.AST) -> Some:
    """What has grown and, unless it is known to grow further, is done."""
    if site in f.unit.grown:
        return growing
    items = f.env.pop(growing)
    readonly = items.maker in ("bytes", "tuple")
    return Items(items.maker, items.array, None, items.length, readonly, site=None if readonly else site)


def _count(f: Lower, over: Some) -> tuple[Value | None, bool]:
    """How many there are, if that is known before; and whether they are to be written out."""
    node = over.of[0] if isinstance(over, Wrapped) and over.what == "generator" else None
    if node is None:
        steps = steps_of(f, over)
        return (None, False) if isinstance(over, Growing) else (steps.count(), steps.known is not None)
    if len(node.generators) > 1 or node.generators[0].ifs:
        return None, False
    source = f.evaluate(node.generators[0].iter)
    if isinstance(source, Growing | Either):
        return None, False
    steps = steps_of(f, source)
    count = steps.count()
    many = f.constant(count)
    tables = isinstance(node.elt, ast.List | ast.ListComp | ast.Tuple)
    return count, steps.known is not None or (tables and many is not None and many <= UNROLLED)


# Python's functions


@known(abs)
def _abs(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    return magnitude(f, f.as_int(args[0]))


def magnitude(f: Lower, x: Value) -> Value:
    return f.select(f.test("lt", x, f.const(0)), f.one("neg", x), x)


@known(len)
def _len(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    return f.cases(args[0], lambda value: length(f, value))


def length(f: Lower, value: Some) -> Value:
    match value:
        case Items() | Growing():
            return f.length(value)
        case TupleOf(items):
            return f.const(len(items))
        case Range():
            return steps_of(f, value).count()
    raise f.raise_(TypeError, f"object of type '{f.describe(value)}' has no len()")


@known(range)
def _range(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1, 3)
    numbers = [f.as_int(arg) for arg in args]
    start, stop = numbers[:2] if len(numbers) > 1 else (f.const(0), numbers[0])
    step = numbers[2] if len(numbers) > 2 else f.const(1)
    f.check(f.test("eq", step, f.const(0)), ValueError, "range() arg 3 must not be zero")
    return Range(start, stop, step)


@known(enumerate)
def _enumerate(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    start = keys.pop("start", args[1] if len(args) > 1 else f.const(0))
    _only(f, node, args, keys, 1, 2)
    return Wrapped("enumerate", [args[0]], f.as_int(start))


@known(zip)
def _zip(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    strict = _flag(f, keys.pop("strict", f.const(False)))
    _only(f, node, args, keys, 0, 16)
    return Wrapped("zip strict" if strict else "zip", args)


@known(reversed)
def _reversed(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    return Wrapped("reversed", args)


@known(sum)
def _sum(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    start = keys.pop("start", args[1] if len(args) > 1 else f.const(0))
    _only(f, node, args, keys, 1, 2)
    return accumulated(f, node, args[0], start, lambda total, value: binary(f, ast.Add(), total, value))


def _least(f: Lower, a: Some, b: Some, op: str) -> Some:
    """b if it is beyond a; the first of equal ones."""
    if isinstance(a, Either) or isinstance(b, Either):
        one, other = (a, b) if isinstance(a, Either) else (b, a)
        return f.cases(
            one, lambda each: _least(f, each, other, op) if one is a else _least(f, other, each, op)
        )
    if not (isinstance(a, Value) and isinstance(b, Value)):
        symbol = {"lt": "<", "gt": ">"}[op]
        kinds = f"'{f.describe(b)}' and '{f.describe(a)}'"
        raise f.raise_(TypeError, f"'{symbol}' not supported between instances of {kinds}")
    beyond = f.test(op, f.as_int(b), f.as_int(a))
    if a.type == b.type:
        return f.select(beyond, b, a)
    return f.choose(beyond, lambda: b, lambda: a)


def _extreme(name: str, op: str):
    def handler(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
        default = keys.pop("default", None)
        _only(f, node, args, keys, 1, 64)
        if len(args) > 1:
            found = args[0]
            for other in args[1:]:
                found = _least(f, found, other, op)
            return found

        def further(best: Some, value: Some) -> Some:
            return f.cases(best, lambda each: value if each is UNBOUND else _least(f, each, value, op))

        found = accumulated(f, node, args[0], UNBOUND, further)

        def there(value: Some) -> Some:
            if value is not UNBOUND:
                return value
            if default is None:
                raise f.raise_(ValueError, f"{name}() arg is an empty sequence")
            return default

        return f.cases(found, there)

    return handler


FUNCTIONS[min] = _extreme("min", "lt")
FUNCTIONS[max] = _extreme("max", "gt")


def _until(wanted: bool):
    """any and all: whether one is true, or false; what comes after it is not looked at."""

    def handler(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
        _only(f, node, args, keys, 1)
        over = args[0]
        if isinstance(over, Wrapped) and over.what == "generator" and len(over.of[0].generators) > 1:
            raise f.error("any and all of nested loops: loops of their own")
        name = f"{node.lineno}.{node.col_offset} found"
        with f.accumulating(name, f.const(not wanted)):

            def look(value: Some) -> None:
                ways = f.b.new_block("found"), f.b.new_block("on")
                env = f.env
                f.b.branch(truth(f, value), *(ways if wanted else ways[::-1]))
                if f.b.reached(ways[0]):
                    f.b.start(ways[0])
                    f.env = dict(env)
                    f.env[name] = f.const(wanted)
                    f.loops[-1].breaks.append(End(f.b.block, f.env))
                if not f.b.reached(ways[1]):
                    raise Never
                f.b.start(ways[1])
                f.env = dict(env)

            through(f, node, over, look)
            found = f.env[name]
        return found

    return handler


FUNCTIONS[any] = _until(True)
FUNCTIONS[all] = _until(False)


@known(divmod)
def _divmod(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 2)
    a, b = map(f.as_int, args)
    f.check(f.test("eq", b, f.const(0)), ZeroDivisionError, "integer division or modulo by zero")
    return TupleOf([f.one("fdiv", a, b), f.one("fmod", a, b)])


@known(pow)
def _pow(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    if "mod" in keys:
        args = [*args, keys.pop("mod")]
    _only(f, node, args, keys, 2, 3)
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


@known(int)
def _int(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0, 1)
    return f.as_int(args[0]) if args else f.const(0)


@known(bool)
def _bool(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0, 1)
    return truth(f, args[0]) if args else f.const(False)


@known(round)
def _round(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    return f.as_int(args[0])


def _maker(maker: str):
    def handler(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
        _only(f, node, args, keys, 0, 1)
        if not args:
            return made_of(f, maker, [], node) if maker != "tuple" else TupleOf([])
        return f.cases(args[0], lambda value: made_from(f, maker, value, node))

    return handler


for _type in (list, tuple, bytes, bytearray):
    FUNCTIONS[_type] = _maker(_type.__name__)


def made_from(f: Lower, maker: str, value: Some, node: ast.AST) -> Some:
    if isinstance(value, Value) and maker not in LISTS:
        count = f.as_int(value)
        f.check(f.test("lt", count, f.const(0)), ValueError, "negative count")
        array = f.new(f.program.BYTE, f.room(count, node))
        if maker == "bytes":
            return Items("bytes", array, readonly=True, size=count)
        return f.fresh(maker, array, count, node)
    if isinstance(value, TupleOf):
        if maker == "tuple":
            return TupleOf(value.items)
        return made_of(f, maker, value.items, node if maker != "bytes" else None)
    if isinstance(value, Items | Growing):
        items = f.items(value)
        known = f.constant(f.length(items))
        if maker == "tuple" and items.maker != "tuple" and known is not None and known <= UNROLLED:
            return TupleOf([sequences.load(f, items, f.const(at)) for at in range(known)])
        if items.maker == maker and maker in ("bytes", "tuple"):
            return value
        if maker in LISTS or items.maker in ("bytes", "bytearray", "memoryview"):
            element = INT if maker in LISTS else f.program.BYTE
            site = node if maker in ("list", "bytearray") else None
            return sequences.copied(f, items, maker, element, site)
    return collected(f, maker, value, node)


@known(memoryview)
def _memoryview(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    value = args[0]
    if not isinstance(value, Items) or value.maker in LISTS:
        raise f.error("memoryview of what is no buffer, or of a bytearray that grows")
    readonly = value.readonly or value.maker == "bytes"
    return Items("memoryview", value.array, value.offset, value.length, readonly)


@known(isinstance)
def _isinstance(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 2)
    types = args[1].items if isinstance(args[1], TupleOf) else [args[1]]
    if not all(isinstance(each, Known) and isinstance(each.value, type) for each in types):
        raise f.error("isinstance with what is no type")

    def whether(value: Some) -> Value:
        type_ = _type_of(f, value)
        return f.const(issubclass(type_, tuple(each.value for each in types)))

    return f.cases(args[0], whether)


def _type_of(f: Lower, value: Some) -> type:
    from array import array

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
        raise f.error(f"the type of {f.describe(value)} is asked for")
    return found


@known(math.gcd)
def _gcd(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1, 8)
    found, *others = map(f.as_int, args)
    for other in others:
        found = f.one("gcd", found, other)
    return magnitude(f, found)


@known(math.isqrt)
def _isqrt(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    x = f.as_int(args[0])
    f.check(f.test("lt", x, f.const(0)), ValueError, "isqrt() argument must be nonnegative")
    return f.one("isqrt", x)


@known(callable)
def _callable(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    return f.const(isinstance(args[0], Known) and callable(args[0].value))


# Methods of ints


# Bytes that are loaded at once.
WORDS = (1, 2, 4, 8, 16)


def _order(f: Lower, value: Some) -> str:
    if isinstance(value, Known) and value.value in ("little", "big"):
        return value.value
    raise f.error("the byte order must be 'little' or 'big', as it stands in the call")


def _flag(f: Lower, value: Some) -> bool:
    known = f.constant(value)
    if not isinstance(known, bool):
        raise f.error("True or False is wanted, as it stands in the call")
    return known


@known("int.from_bytes")
def _from_bytes(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    order = _order(f, keys.pop("byteorder", args[1] if len(args) > 1 else Known("big")))
    signed = _flag(f, keys.pop("signed", f.const(False)))
    data = keys.pop("bytes", args[0] if args else NONE)
    if keys or len(args) > 2:
        raise f.error("int.from_bytes with these arguments is not compiled")
    return f.cases(data, lambda each: from_bytes(f, each, order, signed, node))


def from_bytes(f: Lower, data: Some, order: str, signed: bool, node: ast.AST) -> Value:
    if isinstance(data, Items | Growing) and f.items(data).element != f.program.BYTE:
        # one by one, and each checked
        data = collected(f, "bytes", data, node)
    elif isinstance(data, TupleOf | Wrapped | Range):
        data = collected(f, "bytes", data, node)
    if isinstance(data, TupleOf):
        data = made_of(f, "bytes", data.items, None)
    if not isinstance(data, Items | Growing):
        raise f.raise_(TypeError, f"cannot convert '{f.describe(data)}' object to bytes")
    items = f.items(data)
    count = f.length(items)

    first = items.offset or f.const(0)

    def general() -> Value:
        routine = "little" if order == "little" else "big"
        return f.program.prelude(f, routine, items.array, first, count)

    def whole(width: int) -> Value:
        if width == 1:
            return f.one("load", items.array, first)
        return f.one("load_le" if order == "little" else "load_be", items.array, first, attribute=8 * width)

    width = items.width or f.constant(count)
    if width is not None and width <= WORDS[-1]:

        def short() -> Value:
            # a slice that was cut short: so wide at most
            return f.one("low", general(), attribute=8 * width)

        exactly = f.test("eq", count, f.const(width))
        value = f.choose(exactly, lambda: whole(width), short) if width in WORDS else short()
    else:
        # it may be known elsewhere how many there are
        value = _by_width(f, count, list(WORDS[1:]), whole, general)
    if not signed or f.constant(count) == 0:
        return value
    bits = f.one("mul", count, f.const(8))
    top = f.one("shift", f.const(1), f.one("sub", bits, f.const(1)))
    negative = f.select(f.test("gt", count, f.const(0)), f.test("ge", value, top), f.const(False))
    return f.select(negative, f.one("sub", value, f.one("shift", f.const(1), bits)), value)


def _by_width(f: Lower, count: Value, widths: list[int], whole, general) -> Value:
    if not widths:
        return _by_bound(f, count, [8, 16], general)
    width, *others = widths
    return f.choose(
        f.test("eq", count, f.const(width)),
        lambda: whole(width),
        lambda: _by_width(f, count, others, whole, general),
    )


def _by_bound(f: Lower, count: Value, bounds: list[int], general) -> Value:
    """So that where there are few bytes, it is known that the number is small."""
    if not bounds:
        return general()
    most, *others = bounds
    return f.choose(
        f.test("le", count, f.const(most)),
        lambda: f.one("low", general(), attribute=8 * most),
        lambda: _by_bound(f, count, others, general),
    )


@method("to_bytes", "int", "bool")
def _to_bytes(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    count = f.as_int(keys.pop("length", args[0] if args else f.const(1)))
    order = _order(f, keys.pop("byteorder", args[1] if len(args) > 1 else Known("big")))
    signed = _flag(f, keys.pop("signed", f.const(False)))
    if keys or len(args) > 2:
        raise f.error("to_bytes with these arguments is not compiled")
    value = f.as_int(receiver)
    f.check(f.test("lt", count, f.const(0)), ValueError, "length argument must be non-negative")
    if not signed:
        negative = f.test("lt", value, f.const(0))
        f.check(negative, OverflowError, "can't convert negative int to unsigned")
        beyond = f.test("ne", f.one("shift", value, f.one("mul", count, f.const(-8))), f.const(0))
    else:
        bits = f.one("sub", f.one("mul", count, f.const(8)), f.const(1))
        over = f.one("shift", value, f.one("neg", bits))
        fits = f.test("eq", over, f.const(0))
        fits = f.select(fits, fits, f.test("eq", over, f.const(-1)))
        none = f.test("eq", count, f.const(0))
        beyond = f.select(none, f.test("ne", value, f.const(0)), f.not_(fits))
    f.check(beyond, OverflowError, "int too big to convert")
    array = f.new(f.program.BYTE, count)
    known = f.constant(count)
    if known is not None and known <= 64:
        for at in range(known):
            place = at if order == "little" else known - 1 - at
            byte = f.one("and", f.one("shift", value, f.const(-8 * at)), f.const(255))
            f.b.emit("store", [array, f.const(place), byte])
    else:
        f.program.prelude(f, f"spread_{order}", array, value, count)
    return Items("bytes", array, readonly=True, size=count)


@method("bit_length", "int", "bool")
def _bit_length(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0)
    return f.one("bitlen", magnitude(f, f.as_int(receiver)))


@method("bit_count", "int", "bool")
def _bit_count(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0)
    return f.one("popcount", magnitude(f, f.as_int(receiver)))


@known("bytes.fromhex")
def _fromhex(f: Lower, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    text = args[0].value if isinstance(args[0], Known) else None
    if not isinstance(text, str):
        raise f.error("bytes.fromhex of what is not known when it is compiled")
    return f.program.lifted(f, bytes.fromhex(text))


# Methods of items

GROWING = ("list", "bytearray")


@method("append", *GROWING)
def _append(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    sequences.append(f, receiver, args[0])
    return NONE


@method("extend", *GROWING)
def _extend(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    extend(f, receiver, args[0], node)
    return NONE


def extend(f: Lower, receiver: Some, more: Some, node: ast.AST) -> None:
    growing = f.growing(receiver)
    if isinstance(more, Items | Growing):
        items = f.items(more)
        if items.element == growing.element or growing.maker == "list":
            sequences.extend(f, growing, more)
            return
    if isinstance(more, TupleOf):
        for item in more.items:
            sequences.append(f, growing, item)
        return
    through(f, node, more, lambda value: sequences.append(f, growing, value))


@method("pop", *GROWING)
def _pop(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0, 1)
    return sequences.pop(f, receiver, args[0] if args else None)


@method("insert", *GROWING)
def _insert(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 2)
    sequences.insert(f, receiver, *args)
    return NONE


@method("clear", *GROWING)
def _clear(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0)
    growing = f.growing(receiver)
    f.env[growing] = Items(growing.maker, f.env[growing].array, None, f.const(0))
    return NONE


@method("copy", *GROWING)
def _copy(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0)
    items = f.items(receiver)
    return sequences.copied(f, items, items.maker, None, node)


@method("reverse", *GROWING)
def _reverse(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0)
    items = f.items(receiver)
    if items.readonly:
        raise f.error("a list of the module's that the function writes to: pass it as an argument")
    f.program.prelude(f, "turn", items.array, items.offset or f.const(0), f.length(items))
    return NONE


@method("tobytes", "memoryview", "array")
def _tobytes(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 0)
    items = f.items(receiver)
    if items.element != f.program.BYTE:
        raise f.error("tobytes of wider items than bytes")
    return sequences.copied(f, items, "bytes")


@method("count", "list", "tuple")
def _count_of(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    if isinstance(receiver, TupleOf):
        found = f.const(0)
        for each in receiver.items:
            found = f.one("add", found, f.as_int(equals(f, each, args[0])))
        return found
    items = f.items(receiver)
    first = items.offset or f.const(0)
    return f.program.prelude(f, "tally", items.array, first, f.length(items), f.as_int(args[0]))


@method("index", "list", "tuple")
def _index(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    if isinstance(receiver, TupleOf):
        receiver = made_of(f, "tuple", receiver.items, None)
    items = f.items(receiver)
    first = items.offset or f.const(0)
    place = f.program.prelude(f, "find", items.array, first, f.length(items), f.as_int(args[0]))
    message = f"{items.maker}.index(x): x not in {items.maker}"
    f.check(f.test("lt", place, f.const(0)), ValueError, message)
    return place


@method("join", "bytes", "bytearray")
def _join(f: Lower, receiver: Some, args: Args, keys: Keys, node: ast.Call) -> Some:
    _only(f, node, args, keys, 1)
    between = f.items(receiver)
    if between.contents != ():
        raise f.error("join with something between: append it")
    growing = Growing("bytearray", f.program.BYTE)
    f.env[growing] = Items("bytearray", f.new(f.program.BYTE, f.const(64)), None, f.const(0))

    def more(value: Some) -> None:
        if not isinstance(value, Items | Growing):
            raise f.raise_(TypeError, f"a bytes-like object is required, not '{f.describe(value)}'")
        sequences.extend(f, growing, value)

    through(f, node, args[0], more)
    items = f.env.pop(growing)
    return Items(between.maker, items.array, None, items.length, between.maker == "bytes")
