"""Reading, writing and slicing items. The prelude has the parts that take a loop."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ...ir.form import BOOL, INT, Array, Int, Value, signed, unsigned
from ...ir.interface import members
from ..ssa import Tagged, within
from .build import SPARE, PythonBuilder, sites_of
from .kinds import BYTE, TRUTH, Beyond, named
from .source import makes_empty
from .steps import range_steps
from .values import LISTS, Growing, Items, Nothing, PythonValue, RangeValue, TupleOf, Whole, kind_of

# The exceptions for items that do not fit.
UNFIT = {
    "bytes": (ValueError, "bytes must be in range(0, 256)"),
    "bytearray": (ValueError, "byte must be in range(0, 256)"),
    "memoryview": (ValueError, "memoryview: invalid value for format"),
}
# An item of a tuple of up to this many items is chosen by comparing the index.
CHOSEN = 4
# Makers that accept slices only of their own kind; two of array's codes ("L" and "Q") differ in that.
OF_THEIR_OWN = ("array", "memoryview", "ndarray")
TWO_CODES = (signed(64), unsigned(64))
SIZES = 1 << 63  # CPython's Py_ssize_t is less
TOO_LARGE = "Python int too large to convert to C ssize_t"
# Up to this many items are copied one by one.
WRITTEN_OUT = 16


@dataclass
class Slice:
    lower: Value | None = None
    upper: Value | None = None
    step: Value | None = None
    width: int | None = None
    span: Value | None = None  # from the lower bound to the upper


# Single items


def normal(f: PythonBuilder, index: Value, length: Value) -> Value:
    """An index that may be negative, as one from the beginning."""
    known = f.constant(index)
    if known is not None and known >= 0:
        return index
    return f.select(f.test("lt", index, f.const(0)), f.one("add", index, length), index)


def place_of(f: PythonBuilder, items: Items, at: Value, error: str) -> Value:
    """The item's index in its array; raises IndexError if there is none."""
    if not items.view:
        # the load itself checks the bounds
        f.program.indexed[str(f.b.position)] = error
        return at
    f.check_index(at, f.length(items), error)
    return f.place(items, at)


def _out_of_range(items: Items, verb: str = "") -> str:
    maker = items.maker
    if maker == "bytes":
        return "index out of range"
    if maker == "memoryview":
        return "index out of bounds on dimension 1"
    return f"{maker}{verb if maker in ('list', 'array') else ''} index out of range"


def load(f: PythonBuilder, items: Items, at: Value) -> Value:
    """The item at an index from the beginning."""
    known = f.constant(at)
    if items.contents is not None and known is not None and 0 <= known < len(items.contents):
        return f.const(items.contents[known])
    place = place_of(f, items, at, _out_of_range(items))
    return _read(f, items, f.one("load", items.array, place))


def _read(f: PythonBuilder, items: Items, number: Value) -> Value:
    """A number of the array, as an item."""
    return f.test("ne", number, f.const(0)) if _of_truths(items) else number


def _of_truths(items: Items | Growing) -> bool:
    return items.maker in LISTS and items.element == TRUTH


def load_item(f: PythonBuilder, container: PythonValue, index: PythonValue) -> PythonValue:
    if isinstance(container, Items | Growing):
        at = index_of(f, container, index)
        return load(f, f.items(container), normal(f, at, f.length(container)))
    if isinstance(container, TupleOf):
        at = index_of(f, container, index)
        known = f.constant(at)
        if known is None:
            return pick(f, container, normal(f, at, f.const(len(container.items))))
        if not -len(container.items) <= known < len(container.items):
            raise f.raise_(IndexError, f"{container.maker} index out of range")
        return container.items[known]
    if isinstance(container, RangeValue):
        steps = range_steps(f, container)
        count = steps.count()
        at = normal(f, index_of(f, container, index), count)
        f.check_index(at, count, "range object index out of range")
        return steps.item(at)
    raise f.type_error(f"'{f.describe(container)}' object is not subscriptable", container)


def size_of(
    f: PythonBuilder, number: Value, message: str = "cannot fit 'int' into an index-sized integer"
) -> Value:
    """The number, for an argument that CPython takes as a Py_ssize_t."""
    for test, bound in (("lt", -SIZES), ("ge", SIZES)):
        f.check(f.test(test, number, f.const(bound)), OverflowError, message)
    return number


def index_of(f: PythonBuilder, container: PythonValue, index: PythonValue) -> Value:
    if isinstance(index, Value | Tagged):
        if f.describe(container) == "ndarray" and BOOL in members(kind_of(index)):
            raise f.error("a NumPy array indexed by a bool: use an int")
        number = f.as_int(index)
        if f.describe(container) == "ndarray":
            # NumPy takes it for an unsigned word, which is not an index; longer ones are out of range
            word = f.test("ge", number, f.const(1 << 63))
            word = f.select(word, f.test("lt", number, f.const(1 << 64)), word)
            f.check(word, OverflowError, "Python int too large to convert to C long")
        return number
    if f.describe(container) == "memoryview" and isinstance(index, TupleOf):
        raise f.error("an index per dimension: use one number")
    message = f"{f.describe(container)} indices must be integers, not {f.describe(index)}"
    raise f.type_error(message, container, index)


def pick(f: PythonBuilder, container: TupleOf, at: Value) -> PythonValue:
    """The item at an index that is only known at run time."""
    items = container.items
    outside = f"{container.maker} index out of range"
    f.check_index(at, f.const(len(items)), outside)
    if not items:
        raise f.raise_(IndexError, outside)
    tables = [item for item in items if isinstance(item, Items) and item.contents is not None]
    if len(tables) == len(items) and len({(len(t.contents), t.maker) for t in tables}) == 1:
        width = f.const(len(tables[0].contents))
        whole = f.program.table(f, tables[0].maker, tuple(x for t in tables for x in t.contents))
        return Items(tables[0].maker, whole.array, f.one("mul", at, width), width, True)
    if len(items) > CHOSEN and all(isinstance(item, Value) and item.type == INT for item in items):
        array = f.new(INT, f.const(len(items)))
        for place, item in enumerate(items):
            f.b.emit("store", [array, f.const(place), item])
        return f.one("load", array, at)
    *others, last = enumerate(items)
    found = last[1]
    for place, item in reversed(others):
        found = f.choose(f.test("eq", at, f.const(place)), lambda x=item: x, lambda x=found: x)
    return found


def store_item(f: PythonBuilder, container: PythonValue, index: PythonValue, value: PythonValue) -> None:
    if isinstance(container, Tagged):
        f.cases(container, lambda each: store_item(f, each, index, value) or f.const(0))
        return
    if not isinstance(container, Items | Growing) or f.items(container).maker in ("tuple", "bytes"):
        if isinstance(container, TupleOf) and container.maker == "list":
            raise f.error("a list of lists, or of tuples, is only read in compiled code")
        raise f.type_error(f"'{f.describe(container)}' object does not support item assignment", container)
    items = f.items(container)
    if items.readonly and items.maker == "list":
        raise f.error("writing to a list of the module: pass it as an argument")
    at = normal(f, index_of(f, container, index), f.length(container))
    if items.readonly:
        raise f.raise_(TypeError, f"cannot modify read-only {items.maker}")
    outside = _out_of_range(items, " assignment")
    annotated = items.maker == "list" and items.element not in (INT, TRUTH) and not f.unit.is_prelude
    if (annotated or items.maker in ("array", "memoryview", "ndarray")) and not items.view:
        # these check the index before the item; others check the item first, or accept any
        f.check_index(at, f.length(items), outside)
    place = place_of(f, items, at, outside)
    store(f, items, place, item_for(f, items, value))


def item_for(f: PythonBuilder, items: Items, value: PythonValue, site: ast.AST | None = None) -> Value:
    """The value as an item of these; raises if it does not fit.

    For a list that the site is making, or made empty, the first item may make it a list of bools.
    """
    if items.maker in LISTS:
        kinds = members(kind_of(value))
        if site is not None and not _of_truths(items) and list(kinds) == [BOOL]:
            f.unit.hold_truths(site)
        if makes_empty(site) and _of_truths(items) and list(kinds) == [INT]:
            f.unit.hold_ints(site)
        if _of_truths(items) and list(kinds) != [BOOL]:
            raise f.error(f"{f.describe(value)} in a {items.maker} of bools: use its bool()")
        if not _of_truths(items) and BOOL in kinds:
            raise f.error(f"a bool in a {items.maker} of ints: use 1 or 0")
        if not isinstance(value, Value):
            raise f.error(f"{f.describe(value)} in a {items.maker} made here: it takes only ints")
    number = f.as_int(value)
    element = items.element
    unfit = UNFIT.get(items.maker, (OverflowError, f"an item of type {named(element)} is wanted"))
    if element.low is not None:
        f.check(f.test("lt", number, f.const(element.low)), *unfit)
    if element.high is not None:
        f.check(f.test("gt", number, f.const(element.high)), *unfit)
    return number


def store(f: PythonBuilder, items: Items, place: Value, number: Value) -> None:
    f.b.emit("store", [items.array, place, number])


# Slices


def bounds(f: PythonBuilder, cut: Slice, length: Value) -> tuple[Value, Value, int]:
    """Where a slice begins, how many items it has, and its step."""
    step = 1 if cut.step is None else f.constant(cut.step)
    if step is None:
        raise f.error("the step of a slice must be known at compile time")
    if step == 0:
        raise f.raise_(ValueError, "slice step cannot be zero")
    zero, one = f.const(0), f.const(1)
    low, high = (zero, length) if step > 0 else (f.const(-1), f.one("sub", length, one))

    def clamped(bound: Value | None, default: Value) -> Value:
        if bound is None:
            return default
        known = f.constant(bound)
        if known is None or known < 0:
            bound = f.select(f.test("lt", bound, zero), f.most(f.one("add", bound, length), low), bound)
        return f.least(bound, high)

    first = clamped(cut.lower, low if step > 0 else high)
    last = clamped(cut.upper, high if step > 0 else low)
    distance = f.one("sub", last, first) if step > 0 else f.one("sub", first, last)
    if cut.span is not None:
        # so that its range is bounded
        least = f.least(cut.span, f.one("sub", length, first))
        forth = f.select(f.test("ge", cut.span, zero), least, distance)
        distance = f.select(f.test("ge", cut.lower or zero, zero), forth, distance)
    count = f.most(distance, zero)
    if abs(step) != 1:
        count = f.one("fdiv", f.one("add", count, f.const(abs(step) - 1)), f.const(abs(step)))
    return first, count, step


def _whole(f: PythonBuilder, items: Items, cut: Slice) -> Whole | None:
    """For a slice [i : i + n]: whether it has n items, where it begins, and n."""
    if cut.span is None:
        return None
    zero, no = f.const(0), f.const(False)
    lower = cut.lower or zero
    inside = f.test("le", f.one("add", lower, cut.span), f.length(items))
    for at in (cut.span, lower):
        known = f.constant(at)
        if known is None or known < 0:
            inside = f.select(f.test("ge", at, zero), inside, no)
    return Whole(inside, f.place(items, lower), cut.span)


def slice_items(f: PythonBuilder, container: PythonValue, cut: Slice, read: bool = False) -> PythonValue:
    """A slice; if it is to be read at once and then dropped (`read`), the items are not copied."""
    if isinstance(container, TupleOf):
        known = [None if b is None else f.constant(b) for b in (cut.lower, cut.upper, cut.step)]
        if any(
            k is None and b is not None for k, b in zip(known, (cut.lower, cut.upper, cut.step), strict=True)
        ):
            raise f.error("the bounds of a tuple's slice must be known at compile time")
        if known[2] == 0:
            raise f.raise_(ValueError, "slice step cannot be zero")
        return TupleOf(container.items[slice(*known)], container.maker)
    if isinstance(container, RangeValue):
        raise f.error("a slice of a range: write it as a range")
    if not isinstance(container, Items | Growing):
        raise f.type_error(f"'{f.describe(container)}' object is not subscriptable", container)
    items = f.items(container)
    first, count, step = bounds(f, cut, f.length(items))
    if step == 1 and (read or items.maker in ("bytes", "tuple", "memoryview", "ndarray")):
        # immutable items, and views of the same memory, need not be copied
        offset = f.place(items, first)
        whole = _whole(f, items, cut)
        return Items(items.maker, items.array, offset, count, items.readonly, width=cut.width, whole=whole)
    if items.maker in ("memoryview", "ndarray"):
        raise f.error(f"a slice of a {items.maker} with a step: index it")
    array = f.new(element_of(items), f.room(count, f.node))
    _fill(f, array, f.const(0), items, first, step, count)
    return f.fresh(items.maker, array, count, f.node)


def element_of(items: Items) -> Int:
    """The type of a copy's items: any ints, until it is known what is stored."""
    return listed(items) if items.maker in LISTS else items.element


def listed(items: Items) -> Int:
    """The type of the items of a list made from these."""
    return TRUTH if _of_truths(items) else INT


def made_at(f: PythonBuilder, maker: str, site: ast.AST | None) -> Int:
    """The type of the items of an object made at the site."""
    if maker not in LISTS:
        return BYTE
    return TRUTH if site in f.unit.truths else INT


def _fill(
    f: PythonBuilder, to: Value, at: Value, items: Items, first: Value, step: int, count: Value
) -> None:
    place = f.place(items, first)
    known = f.constant(count)
    if known is not None and known <= WRITTEN_OUT:
        places = [f.const(k) for k in range(known)]
        steps = [f.const(step * k) for k in range(known)]
        found = [f.one("load", items.array, f.one("add", place, k)) for k in steps]
        for k, item in zip(places, found, strict=True):
            f.b.emit("store", [to, f.one("add", at, k), item])
        return
    f.program.prelude(f, "fill", to, at, items.array, place, f.const(step), count)


def copied(
    f: PythonBuilder, items: Items, maker: str, element=None, site: ast.AST | None = None
) -> Items | Growing:
    """A copy of these items, with another maker."""
    count = f.length(items)
    element = element or element_of(items)
    array = f.new(element, f.room(count, site))
    if items.element != element:
        element_check(f, items, element)
    _fill(f, array, f.const(0), items, f.const(0), 1, count)
    return f.fresh(maker, array, count, site)


def element_check(f: PythonBuilder, items: Items, element) -> None:
    """Refuses items that may not fit: the program must convert them one by one."""
    if _of_truths(items) and element == INT:
        raise f.error("bools among ints: convert them one by one, as by int()")
    if not within(items.element, element):
        raise f.error("items that may not fit: convert them one by one")


def only_bytes(f: PythonBuilder, value: PythonValue) -> None:
    """Refuses a buffer whose items are not bytes, where its bytes are used."""
    if isinstance(value, Items) and value.maker not in LISTS and value.element != BYTE:
        raise f.error("the bytes of wider items: pass a buffer of bytes")


def store_slice(f: PythonBuilder, container: PythonValue, cut: Slice, value: PythonValue) -> None:
    if not isinstance(container, Items | Growing) or f.items(container).maker in ("tuple", "bytes"):
        raise f.type_error(f"'{f.describe(container)}' object does not support item assignment", container)
    items = f.items(container)
    if items.readonly or items.contents is not None:
        raise f.error("assignment to a slice of something read-only")
    if items.maker in OF_THEIR_OWN:
        _of_its_own(f, items, value)
    if isinstance(value, TupleOf) and all(isinstance(each, Value) for each in value.items):
        value = made_of(f, items.maker, value.items, None)
    if not isinstance(value, Items | Growing):
        raise f.error("the value assigned to a slice must be a list, a tuple or a buffer")
    source = f.items(value)
    f.agree(container, value)
    if (items.maker, source.maker) == ("bytearray", "ndarray"):
        raise f.error("assigning a NumPy array to a slice of a bytearray: assign its bytes()")
    one = f.const(1)
    if cut.step not in (None, one):
        raise f.error("assignment to a slice with a step: assign item by item")
    if source.element != items.element:
        element_check(f, source, items.element)
    if not source.readonly or source.maker in ("memoryview", "ndarray"):
        # both may be the same memory
        source = copied(f, source, "list")
    if isinstance(container, Growing) or sites_of(container):
        _replace(f, f.growing(container), cut, source)
        return
    first, count, _ = bounds(f, cut, f.length(items))
    # memory that is lent for a call cannot change its length: CPython handles slices of another length, and
    # single items that fill a slice
    f.check(f.test("ne", count, f.length(source)), Beyond)
    place = f.place(items, first)
    f.program.prelude(f, "fill", items.array, place, source.array, source.offset or f.const(0), one, count)


def _of_its_own(f: PythonBuilder, items: Items, value: PythonValue) -> None:
    """Refuses to assign anything but the same kind of array: others would raise, or be converted."""
    if items.maker == "memoryview":
        if isinstance(value, Value | Nothing | TupleOf) or f.describe(value) in LISTS:
            raise f.type_error(f"a bytes-like object is required, not '{f.describe(value)}'", value)
    elif not isinstance(value, Items) or value.maker != items.maker:
        if items.maker == "array" and isinstance(value, Value | Items | Growing | TupleOf):
            raise f.type_error(f'can only assign array (not "{f.describe(value)}") to array slice', value)
        raise f.error(f"a slice of an {items.maker} is assigned {f.describe(value)}: assign item by item")
    if f.items(value).element != items.element or (items.maker != "ndarray" and items.element in TWO_CODES):
        raise f.error(f"a slice of an {items.maker} may be assigned another type: assign item by item")


def _replace(f: PythonBuilder, growing: Growing, cut: Slice, source: Items) -> None:
    """Assigns to a slice of a list, which may become longer or shorter."""
    before = f.length(growing)
    first, count, _ = bounds(f, cut, before)
    length = f.length(source)
    items = with_room(f, growing, f.most(f.one("sub", length, count), f.const(0)))
    rest = f.one("add", first, count)
    tail = f.one("sub", before, rest)
    f.program.prelude(f, "move", items.array, f.one("add", first, length), rest, tail)
    start = source.offset or f.const(0)
    f.program.prelude(f, "fill", items.array, first, source.array, start, f.const(1), length)
    after = f.one("add", f.one("add", first, length), tail)
    f.env[growing] = Items(items.maker, items.array, None, after)


def made_of(f: PythonBuilder, maker: str, values: list[PythonValue], site: ast.AST | None) -> PythonValue:
    """A list, or an object of another maker, of these values."""
    if not all(isinstance(f.plain(each), Value) for each in values):
        return TupleOf(values, maker)
    truths = bool(values) and all(kind_of(each) == BOOL for each in values)
    element = TRUTH if truths and maker in LISTS else made_at(f, maker, None if values else site)
    count = f.const(len(values))
    array = f.new(element, f.room(count, site))
    made = Items(maker, array, readonly=maker in ("bytes", "tuple"), size=count)
    for at, value in enumerate(values):
        store(f, made, f.const(at), item_for(f, made, value))
    return made if site is None else f.fresh(maker, array, count, site)


# Growing


def append(f: PythonBuilder, value: PythonValue, item: PythonValue, site: ast.AST | None = None) -> None:
    """Appends an item; `site`, if given, is making the list."""
    growing = f.growing(value)
    items = f.env[growing]
    number = item_for(f, items, item, site or _empty_at(growing))
    length = f.length(items)
    items = with_room(f, growing, f.const(1))
    store(f, items, length, number)
    f.env[growing] = Items(items.maker, items.array, None, f.one("add", length, f.const(1)))


def _empty_at(growing: Growing) -> ast.AST | None:
    """Where it was made empty, if it was."""
    return growing.site if makes_empty(growing.site) else None


def with_spare(f: PythonBuilder, items: Items) -> Items:
    """A copy that may grow."""
    count = f.length(items)
    array = f.new(items.element, f.one("add", count, f.most(count, f.const(SPARE))))
    _fill(f, array, f.const(0), items, f.const(0), 1, count)
    return Items(items.maker, array, None, count)


def with_room(f: PythonBuilder, growing: Growing, more: Value) -> Items:
    """Makes room for `more` items."""
    items = f.env[growing]
    length = f.length(items)
    wanted = f.one("add", length, more)

    def larger() -> Value:
        array = f.new(items.element, f.one("add", f.one("mul", wanted, f.const(2)), f.const(6)))
        _fill(f, array, f.const(0), items, f.const(0), 1, length)
        return array

    room = f.one("len", items.array)
    array = f.choose(
        f.test("gt", wanted, room), lambda: Items("list", larger()), lambda: Items("list", items.array)
    )
    f.env[growing] = Items(items.maker, array.array, None, length)
    return f.env[growing]


def extend(f: PythonBuilder, value: PythonValue, more: PythonValue) -> None:
    """Extends a list by items in memory; others are appended one by one."""
    growing = f.growing(value)
    source = f.items(more)
    f.agree(growing, more)
    if source.element != growing.element:
        if _empty_at(growing) and _of_truths(growing):
            f.unit.hold_ints(growing.site)
        element_check(f, source, growing.element)
    count, length = f.length(source), f.length(growing)
    items = with_room(f, growing, count)
    if more is growing:
        source = items
    _fill(f, items.array, length, source, f.const(0), 1, count)
    f.env[growing] = Items(items.maker, items.array, None, f.one("add", length, count))


def pop(f: PythonBuilder, value: PythonValue, index: PythonValue | None = None) -> Value:
    growing = f.growing(value)
    items = f.env[growing]
    length = f.length(items)
    place = None if index is None else size_of(f, f.as_int(index), TOO_LARGE)
    f.check(f.test("eq", length, f.const(0)), IndexError, f"pop from empty {items.maker}")
    last = f.one("sub", length, f.const(1))
    at = last if place is None else normal(f, place, length)
    f.check_index(at, length, "pop index out of range")
    found = _read(f, items, f.one("load", items.array, at))
    if place is not None:
        f.program.prelude(f, "close", items.array, at, length)
    f.env[growing] = Items(items.maker, items.array, None, last)
    return found


def insert(f: PythonBuilder, value: PythonValue, index: PythonValue, item: PythonValue) -> None:
    growing = f.growing(value)
    place = size_of(f, f.as_int(index), TOO_LARGE)
    number = item_for(f, f.env[growing], item, _empty_at(growing))
    length = f.length(growing)
    at = normal(f, place, length)
    at = f.least(f.most(at, f.const(0)), length)
    items = with_room(f, growing, f.const(1))
    f.program.prelude(f, "widen", items.array, at, length)
    store(f, items, at, number)
    f.env[growing] = Items(items.maker, items.array, None, f.one("add", length, f.const(1)))


def delete_item(f: PythonBuilder, value: PythonValue, index: PythonValue) -> None:
    growing = f.growing(value)
    length = f.length(growing)
    at = normal(f, f.as_int(index), length)
    f.check_index(at, length, f"{growing.maker} assignment index out of range")
    items = f.env[growing]
    f.program.prelude(f, "close", items.array, at, length)
    f.env[growing] = Items(items.maker, items.array, None, f.one("sub", length, f.const(1)))


# Concatenation


def equal(f: PythonBuilder, a: PythonValue, b: PythonValue) -> Value:
    x, y = f.items(a), f.items(b)
    count = f.length(x)

    def compared() -> Value:
        zero = f.const(0)
        return f.program.prelude(f, "equal", x.array, x.offset or zero, y.array, y.offset or zero, count)

    return f.choose(f.test("eq", count, f.length(y)), compared, lambda: f.const(False))


def less(f: PythonBuilder, a: PythonValue, b: PythonValue) -> Value:
    x, y = f.items(a), f.items(b)
    zero = f.const(0)
    return f.program.prelude(
        f, "less", x.array, x.offset or zero, f.length(x), y.array, y.offset or zero, f.length(y)
    )


def joined(f: PythonBuilder, parts: list[PythonValue], maker: str, site: ast.AST) -> PythonValue:
    """Concatenates the parts."""
    f.agree(*parts)
    items = [f.items(part) for part in parts]
    # what is empty is of no kind
    items = [each for each in items if f.constant(f.length(each)) != 0] or items[:1]
    if maker not in LISTS:
        for each in items:
            only_bytes(f, each)
    lengths = [f.length(each) for each in items]
    count = lengths[0]
    for length in lengths[1:]:
        count = f.one("add", count, length)
    array = f.new(element_of(items[0]), f.room(count, site))
    at = f.const(0)
    for each, length in zip(items, lengths, strict=True):
        element_check(f, each, array.type.element)
        _fill(f, array, at, each, f.const(0), 1, length)
        at = f.one("add", at, length)
    return f.fresh(maker, array, count, site)


def _are_truths(f: PythonBuilder, part: PythonValue) -> bool:
    if isinstance(part, TupleOf):
        return all(kind_of(item) == BOOL for item in part.items)
    return _of_truths(f.items(part))


def gathered(f: PythonBuilder, maker: str, parts: list[PythonValue], site: ast.AST) -> PythonValue:
    """A list or a tuple of all items of these, made at once."""
    f.agree(*parts)
    empty = [part for part in parts if isinstance(part, Items) and f.constant(f.length(part)) == 0]
    # what is empty is of no kind
    parts = [part for part in parts if part not in empty] or parts[:1]
    count = f.const(0)
    for part in parts:
        known = f.const(len(part.items)) if isinstance(part, TupleOf) else f.length(part)
        count = f.one("add", count, known)
    element = TRUTH if all(_are_truths(f, part) for part in parts) else INT
    array = f.new(element, f.room(count, site))
    made = Items(maker, array)
    at = f.const(0)
    for part in parts:
        if isinstance(part, TupleOf):
            for item in part.items:
                store(f, made, at, item_for(f, made, item))
                at = f.one("add", at, f.const(1))
        else:
            length = f.length(part)
            element_check(f, f.items(part), element)
            _fill(f, array, at, f.items(part), f.const(0), 1, length)
            at = f.one("add", at, length)
    return f.fresh(maker, array, count, site)


def repeated(f: PythonBuilder, a: PythonValue, times: Value, site: ast.AST) -> PythonValue:
    items = f.items(a)
    times = f.most(size_of(f, times), f.const(0))
    length = f.length(items)
    count = f.one("mul", length, times)
    if f.constant(length) == 1:
        # made full
        value = f.as_int(load(f, items, f.const(0)))
        type_ = Array(element_of(items))
        array = f.b.emit("new", [f.room(count, site), value], type_, [type_])[0]
    else:
        array = f.new(element_of(items), f.room(count, site))
        f.program.prelude(f, "repeat", array, items.array, items.offset or f.const(0), length, times)
    return f.fresh(items.maker, array, count, site)
