"""The supported methods of ints and of items."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...ir.form import Value
from . import sequences
from .arithmetic import equals, magnitude, sought
from .build import PythonBuilder
from .calls import Args, Keys, flag, known, method
from .comprehend import collected, through
from .sequences import made_of
from .values import NONE, Constant, Growing, Items, PythonValue, RangeValue, TupleOf, Wrapped

# Methods of ints

# The numbers of bytes that one load can read.
WORDS = (1, 2, 4, 8, 16)


def _order(f: PythonBuilder, value: PythonValue) -> str:
    if isinstance(value, Constant) and value.value in ("little", "big"):
        return value.value
    raise f.error("the byte order must be a literal 'little' or 'big'")


@known("int.from_bytes")
def _from_bytes(f: PythonBuilder, args: Args, keys: Keys, node: ast.Call) -> PythonValue:
    order = _order(f, keys.pop("byteorder", args[1] if len(args) > 1 else Constant("big")))
    signed = flag(f, keys.pop("signed", f.const(False)))
    data = keys.pop("bytes", args[0] if args else NONE)
    if keys or len(args) > 2:
        raise f.error("int.from_bytes with these arguments is not compiled")
    return f.cases(data, lambda each: from_bytes(f, each, order, signed, node))


def from_bytes(f: PythonBuilder, data: PythonValue, order: str, signed: bool, node: ast.AST) -> Value:
    sequences.only_bytes(f, data)
    wider = isinstance(data, Items | Growing) and f.items(data).element != f.program.BYTE
    if wider or isinstance(data, TupleOf | Wrapped | RangeValue):
        # one by one, each of them checked
        data = collected(f, "bytes", data, node)
    if isinstance(data, TupleOf):
        data = made_of(f, "bytes", data.items, None)
    if not isinstance(data, Items | Growing):
        raise f.type_error(f"cannot convert '{f.describe(data)}' object to bytes", data)
    items = f.items(data)
    count = f.length(items)
    first = items.offset or f.const(0)

    def general(first: Value, count: Value) -> Value:
        return f.program.prelude(f, order, items.array, first, count)

    def at_most(width: int, first: Value, count: Value) -> Value:
        """The integer of at most `width` bytes: so it is known to be small if there are few bytes."""
        return f.one("low", general(first, count), attribute=8 * width)

    def any_number(first: Value, count: Value, widths: tuple[int, ...] = ()) -> Value:
        """The integer of any number of bytes, with a case for each of these widths."""
        ways = [("eq", width, lambda width=width: word(first, width)) for width in widths]
        ways += [("le", most, lambda most=most: at_most(most, first, count)) for most in (8, 16)]
        return _first_of(f, count, ways, lambda: general(first, count))

    def word(first: Value, width: int) -> Value:
        if width == 1:
            return f.one("load", items.array, first)
        return f.one("load_le" if order == "little" else "load_be", items.array, first, attribute=8 * width)

    def exactly(first: Value, count: Value) -> Value:
        """The integer of `count` bytes, if that number may be known in advance."""
        width = f.constant(count)
        if width in WORDS:
            return word(first, width)
        if width is not None and width < WORDS[-1]:
            return at_most(width, first, count) if width else f.const(0)
        return any_number(first, count, WORDS[1:])

    def few() -> Value:
        """The integer of a slice that was cut short."""
        if items.width is not None and items.width <= WORDS[-1]:
            return at_most(items.width, first, count)
        return any_number(first, count)

    whole = items.whole
    if whole is not None:
        value = f.choose(whole.test, lambda: exactly(whole.first, whole.count), few)
    else:
        value = exactly(first, count)
    if not signed or f.constant(count) == 0:
        return value
    bits = f.one("mul", count, f.const(8))
    top = f.one("shift", f.const(1), f.one("sub", bits, f.const(1)))
    negative = f.select(f.test("gt", count, f.const(0)), f.test("ge", value, top), f.const(False))
    return f.select(negative, f.one("sub", value, f.one("shift", f.const(1), bits)), value)


def _first_of(f: PythonBuilder, count: Value, ways: list, otherwise: Callable[[], Value]) -> Value:
    """The result of the first path whose comparison of the count with a number holds."""
    if not ways:
        return otherwise()
    (op, number, value), *others = ways
    return f.choose(f.test(op, count, f.const(number)), value, lambda: _first_of(f, count, others, otherwise))


@method("to_bytes", "int", "bool")
def _to_bytes(f: PythonBuilder, args: Args, keys: Keys, node: ast.Call) -> PythonValue:
    receiver, *args = args
    count = f.as_int(keys.pop("length", args[0] if args else f.const(1)))
    sequences.size_of(f, count, sequences.TOO_LARGE)
    order = _order(f, keys.pop("byteorder", args[1] if len(args) > 1 else Constant("big")))
    signed = flag(f, keys.pop("signed", f.const(False)))
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


for _name, _op in (("bit_length", "bitlen"), ("bit_count", "popcount")):
    method(_name, "int", "bool", takes=0)(lambda f, node, x, op=_op: f.one(op, magnitude(f, f.as_int(x))))


@known("bytes.fromhex", takes=1)
def _fromhex(f: PythonBuilder, node: ast.Call, digits: PythonValue) -> PythonValue:
    text = digits.value if isinstance(digits, Constant) else None
    if not isinstance(text, str):
        raise f.error("bytes.fromhex of text that is not known at compile time")
    return f.program.lifted(f, bytes.fromhex(text))


# Methods of items

GROWING = ("list", "bytearray")


def changing(name: str, takes: int, change: Callable[..., None]) -> None:
    """Enters a method that modifies its receiver and returns None."""
    method(name, *GROWING, takes=takes)(lambda f, node, *args: change(f, node, *args) or NONE)


changing("append", 1, lambda f, node, receiver, item: sequences.append(f, receiver, item))
changing("extend", 1, lambda f, node, receiver, more: extend(f, receiver, more, node))
changing("insert", 2, lambda f, node, *args: sequences.insert(f, *args))
method("pop", *GROWING, takes=(0, 1))(lambda f, node, *args: sequences.pop(f, *args))


def extend(f: PythonBuilder, receiver: PythonValue, more: PythonValue, node: ast.AST) -> None:
    growing = f.growing(receiver)
    if isinstance(more, Items | Growing):
        items = f.items(more)
        if growing.maker == "bytearray":
            sequences.only_bytes(f, items)
        if items.element == growing.element or growing.maker == "list":
            sequences.extend(f, growing, more)
            return
    if isinstance(more, TupleOf):
        for item in more.items:
            sequences.append(f, growing, item)
        return
    through(f, node, more, lambda value: sequences.append(f, growing, value))


def _clear(f: PythonBuilder, node: ast.Call, receiver: PythonValue) -> None:
    growing = f.growing(receiver)
    f.env[growing] = Items(growing.maker, f.env[growing].array, None, f.const(0))


def _reverse(f: PythonBuilder, node: ast.Call, receiver: PythonValue) -> None:
    items = f.items(receiver)
    if items.readonly:
        raise f.error("writing to a list of the module: pass it as an argument")
    f.over(items, "turn")


changing("clear", 0, _clear)
changing("reverse", 0, _reverse)


@method("copy", *GROWING, takes=0)
def _copy(f: PythonBuilder, node: ast.Call, receiver: PythonValue) -> PythonValue:
    items = f.items(receiver)
    return sequences.copied(f, items, items.maker, None, node)


@method("tobytes", "memoryview", "array", takes=0)
def _tobytes(f: PythonBuilder, node: ast.Call, receiver: PythonValue) -> PythonValue:
    items = f.items(receiver)
    if items.element != f.program.BYTE:
        raise f.error("tobytes of wider items than bytes")
    return sequences.copied(f, items, "bytes")


@method("count", "list", "tuple", takes=1)
def _count_of(f: PythonBuilder, node: ast.Call, receiver: PythonValue, item: PythonValue) -> PythonValue:
    if isinstance(receiver, TupleOf):
        found = f.const(0)
        for each in receiver.items:
            found = f.one("add", found, f.as_int(equals(f, each, item)))
        return found

    def tally(each: PythonValue) -> Value:
        number = sought(f, each)
        return f.const(0) if number is None else f.over(f.items(receiver), "tally", number)

    return f.cases(item, tally)


@method("index", "list", "tuple", takes=1)
def _index(f: PythonBuilder, node: ast.Call, receiver: PythonValue, item: PythonValue) -> PythonValue:
    if isinstance(receiver, TupleOf):
        receiver = made_of(f, "tuple", receiver.items, None)
        if isinstance(receiver, TupleOf):
            raise f.error("index() of a tuple that holds anything but ints")
    message = f"{f.items(receiver).maker}.index(x): x not in {f.items(receiver).maker}"

    def place(each: PythonValue) -> Value:
        if (number := sought(f, each)) is None:
            raise f.raise_(ValueError, message)
        found = f.over(f.items(receiver), "find", number)
        f.check(f.test("lt", found, f.const(0)), ValueError, message)
        return found

    return f.cases(item, place)


@method("join", "bytes", "bytearray", takes=1)
def _join(f: PythonBuilder, node: ast.Call, receiver: PythonValue, parts: PythonValue) -> PythonValue:
    between = f.items(receiver)
    if between.contents != ():
        raise f.error("join with a separator: append it")
    growing = Growing("bytearray", f.program.BYTE)
    f.env[growing] = Items("bytearray", f.new(f.program.BYTE, f.const(64)), None, f.const(0))

    def more(value: PythonValue) -> None:
        if not isinstance(value, Items | Growing):
            raise f.type_error(f"a bytes-like object is required, not '{f.describe(value)}'", value)
        sequences.extend(f, growing, value)

    through(f, node, parts, more)
    items = f.env.pop(growing)
    return Items(between.maker, items.array, None, items.length, between.maker == "bytes")
