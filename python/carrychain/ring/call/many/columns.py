"""Arguments of many inputs as columns in memory, and columns as results.

For a parameter that is an integer: one for all inputs, or a NumPy array, another buffer or a sequence of one
for each. For one that is an array: a buffer or a list of integers for all; or a sequence of those, one for
each, or a NumPy array of two dimensions or more, whose last one they are.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from functools import cache
from math import prod
from typing import NamedTuple

from ....bindings import ring as runtime
from ....bindings.jit import bytes_places
from ...ir.form import Array, Bool, Int, unsigned
from ...machine.passed import Passed, storage
from ..program import FORMATS, EntryParameter, kind_name, shown_int

BYTE = unsigned(8)
CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}
# What struct ring_array holds: it is never freed, it is of words; its length; where they are.
HEAD = runtime.WORD, 1


def numpy():
    """NumPy, if who called uses it."""
    return sys.modules.get("numpy")


def is_ndarray(arg) -> bool:
    return numpy() is not None and isinstance(arg, numpy().ndarray)


class Memory:
    """Elements in memory, written by address."""

    def __init__(self, held, bits: int):
        self.held = held
        self.bits = bits

    @property
    def view(self) -> memoryview:
        return memoryview(self.held).cast("B")

    @property
    def address(self) -> int:
        if isinstance(self.held, array):
            return self.held.buffer_info()[0]
        return runtime.address(self.view) if self.view.nbytes else 0


def empty(count: int, passed: Passed) -> Memory:
    """For so many results."""
    bits = bits_of(passed)
    if bits == 128:
        return Memory(bytearray(16 * count), bits)
    code = CODES[bits].lower() if isinstance(passed.type, Int) and passed.negative else CODES[bits]
    return Memory(array(code, bytes(bits // 8 * count)), bits)


class Same(NamedTuple):
    """One for all inputs."""

    value: object

    def of(self, at: int):
        return self.value


class Column:
    """An integer or a truth value for each input."""

    def __init__(self, shape: tuple[int, ...], words):
        self.shape = shape
        self.words = words  # a buffer
        self.places: Sequence[int] | None = None  # of what each input has, if not in order

    def taken(self, inputs: Sequence[int], bits: int) -> Memory:
        """The words of these inputs, one after the other."""
        if self.places is not None:
            inputs = [self.places[at] for at in inputs]
        elif isinstance(inputs, range) and inputs.step == 1 and len(inputs):
            size = bits // 8
            view = memoryview(self.words).cast("B")
            return Memory(view[inputs.start * size : inputs.stop * size], bits)
        if is_ndarray(self.words):
            return Memory(self.words.take(inputs), bits)
        if bits == 128:
            return Memory(b"".join(bytes(self.words[16 * at : 16 * at + 16]) for at in inputs), bits)
        return Memory(array(CODES[bits], map(self.words.__getitem__, inputs)), bits)


class Buffers:
    """An array for each input."""

    def __init__(self, shape: tuple[int, ...], addresses: array, lengths: array, kept):
        self.shape = shape
        self.addresses = addresses
        self.lengths = lengths
        self.kept = kept  # what owns them
        self.places: Sequence[int] | None = None

    def of(self, words: array, inputs: Sequence[int]) -> array:
        """Of these inputs, what is one for each array."""
        if self.places is not None:
            inputs = [self.places[at] for at in inputs]
        elif isinstance(inputs, range) and inputs.step == 1:
            return words[inputs.start : inputs.stop]
        return array("Q", map(words.__getitem__, inputs))


Given = Same | Column | Buffers


def bits_of(passed: Passed) -> int:
    """In a column."""
    return 8 if isinstance(passed.type, Bool) else passed.container


def given(param: EntryParameter, arg, where: str) -> Given:
    """An argument; TypeError, OverflowError or ValueError if it is none of the parameter's type."""
    if isinstance(param.passed.type, Array):
        return _buffers(param, arg, where)
    return _integers(param, arg, where)


# Integers --------------------------------------------------------------------------------------------


def _integers(param: EntryParameter, arg, where: str) -> Same | Column:
    bits, type_ = bits_of(param.passed), param.passed.type
    if is_ndarray(arg) and arg.ndim and arg.dtype.kind in "iub":
        return _ndarray(arg, bits, type_, where)
    if is_ndarray(arg):
        items, shape = arg.ravel().tolist(), arg.shape
        if not shape:
            arg = items[0]
    elif not hasattr(arg, "__index__") and not hasattr(arg, "__len__") and hasattr(arg, "__iter__"):
        items = list(arg)
        shape = (len(items),)
    elif hasattr(arg, "__len__"):
        items = memoryview(arg) if _is_buffer(arg) else arg
        if isinstance(items, memoryview) and (items.ndim != 1 or items.format.lstrip("@=") not in _FORMATS):
            raise TypeError(
                f"{where} is a buffer of {items.format!r}: one of integers of one dimension serves"
            )
        shape = (len(items),)
    else:
        shape = ()
    if not shape:
        return Same(_checked(arg, type_, where))
    if (
        isinstance(items, memoryview)
        and _FORMATS.get(items.format.lstrip("@=")) == (bits, _sign(type_))
        and items.contiguous
        and _full(type_, bits)
    ):
        return Column(shape, items.cast("B").cast(CODES[bits]))
    mask = (1 << bits) - 1
    values = [_checked(item, type_, f"{where}[{at}]") & mask for at, item in enumerate(items)]
    if bits == 128:
        return Column(shape, b"".join(value.to_bytes(16, "little") for value in values))
    return Column(shape, array(CODES[bits], values))


_FORMATS = {code: known for known, codes in FORMATS.items() for code in codes if code != "c"}


def _is_buffer(arg) -> bool:
    try:
        memoryview(arg)
    except TypeError:
        return False
    return True


def _sign(type_: Int | Bool) -> str:
    return "s" if isinstance(type_, Int) and (type_.low is None or type_.low < 0) else "u"


def _full(type_: Int | Bool, bits: int) -> bool:
    """Whether each word of so many bits is one of the type."""
    if isinstance(type_, Bool):
        return False
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if _sign(type_) == "s" else (0, (1 << bits) - 1)
    return (type_.low is None or type_.low <= low) and (type_.high is None or type_.high >= high)


def _checked(item, type_: Int | Bool, where: str) -> int:
    if isinstance(type_, Bool):
        if not isinstance(item, bool) and getattr(getattr(item, "dtype", None), "kind", "") != "b":
            raise TypeError(f"{where} must be a bool, not {kind_name(item)}")
        return int(item)
    if isinstance(item, bool) or not hasattr(item, "__index__"):
        raise TypeError(f"{where} must be an integer, not {kind_name(item)}")
    value = item.__index__()
    if value not in type_:
        raise OverflowError(f"{where} is {shown_int(value)}, not of type {type_}")
    return value


def _ndarray(arg, bits: int, type_: Int | Bool, where: str) -> Column:
    if (arg.dtype.kind == "b") != isinstance(type_, Bool):
        kind = "bools" if isinstance(type_, Bool) else "integers"
        raise TypeError(f"{where} is an array of {arg.dtype}: one of {kind} serves")
    flat = arg.ravel()
    if isinstance(type_, Int) and len(flat):
        info = numpy().iinfo(arg.dtype)
        for bound, end, least in ((type_.low, info.min, True), (type_.high, info.max, False)):
            if bound is not None and (end < bound if least else end > bound):
                wrong = flat < bound if least else flat > bound
                if wrong.any():
                    at = int(wrong.argmax())
                    raise OverflowError(f"{where}[{at}] is {shown_int(int(flat[at]))}, not of type {type_}")
    if bits == 128:
        return Column(arg.shape, b"".join((x & (1 << 128) - 1).to_bytes(16, "little") for x in flat.tolist()))
    words = numpy().ascontiguousarray(flat.astype(f"u{bits // 8}", copy=False))
    return Column(arg.shape, words)


# Arrays ----------------------------------------------------------------------------------------------


def _buffers(param: EntryParameter, arg, where: str) -> Same | Buffers:
    type_ = param.passed.type
    if isinstance(arg, list | tuple):
        return _listed(type_, (len(arg),), arg, where)
    if is_ndarray(arg):
        if arg.dtype == object:
            return _listed(type_, arg.shape, arg.ravel().tolist(), where)
        return Same(arg) if arg.ndim < 2 else _table(type_, arg, where)
    if isinstance(arg, str) or _is_buffer(arg):
        view = None if isinstance(arg, str) else memoryview(arg)
        if view is None or view.ndim == 1:
            return Same(arg)
        if view.ndim != 2 or not view.contiguous:
            raise TypeError(f"{where} has {view.ndim} dimensions: rows of two serve")
        size = view.shape[1] * view.itemsize
        flat = view.cast("B")
        arg = [flat[at * size : at * size + size].cast(view.format) for at in range(view.shape[0])]
    items = list(arg)
    return _listed(type_, (len(items),), items, where)


def _listed(type_: Array, shape: tuple[int, ...], items: Sequence, where: str) -> Same | Buffers:
    if items and hasattr(items[0], "__index__"):
        return Same(items)
    if type_.element == BYTE:
        # others may change a list meanwhile
        kept = tuple(items)
        words = bytes_places(kept)
        if words is not None:
            return Buffers(shape, array("Q", words[0]), array("Q", words[1]), kept)
    return _each(type_, shape, items, where, [])


def _each(type_: Array, shape: tuple[int, ...], items: Sequence, where: str, kept: list) -> Buffers:
    addresses, lengths = array("Q"), array("Q")
    for at, item in enumerate(items):
        address, length = _place(type_, item, f"{where}[{at}]", kept)
        addresses.append(address)
        lengths.append(length)
    return Buffers(shape, addresses, lengths, kept)


def _table(type_: Array, arg, where: str) -> Buffers:
    """Rows of a NumPy array."""
    shape, length = arg.shape[:-1], arg.shape[-1]
    count = prod(shape)
    rows = numpy().ascontiguousarray(arg).reshape(count, length)
    view = memoryview(rows)
    if count and length and _fits(type_.element, view):
        first, step = runtime.address(view.cast("B")), rows.strides[0]
        addresses = array("Q", range(first, first + count * step, step))
        return Buffers(shape, addresses, array("Q", [length]) * count, [rows, view])
    return _each(type_, shape, rows, where, [])


@cache
def _formats(element: Int) -> str:
    """Of memory whose items are such elements, each of its words one: memoryview's."""
    bits = storage(element)
    return FORMATS[bits, _sign(element)] if bits in CODES and _full(element, bits) else ""


def _fits(element: Int, view: memoryview) -> bool:
    """Whether elements can be read where they are."""
    return view.format.lstrip("@=") in tuple(_formats(element)) and view.contiguous


def _place(type_: Array, arg, where: str, kept: list) -> tuple[int, int]:
    """The address and the length of an array, which is copied where it cannot be read as it is."""
    element = type_.element
    if isinstance(arg, str):
        if not type_.text:
            raise TypeError(f"{where} must be an array of integers, not a str")
        arg = list(map(ord, arg))
    elif _is_buffer(arg):
        view = memoryview(arg)
        if view.ndim != 1:
            raise TypeError(f"{where} must have one dimension, not {view.ndim}")
        if _fits(element, view):
            kept.append(view)
            address = runtime.address(view) if len(view) else 0
            if address % view.itemsize == 0:
                return address, len(view)
    elif isinstance(arg, dict | set) or not hasattr(arg, "__iter__"):
        raise TypeError(f"{where} must be an array of integers, not {kind_name(arg)}")
    bits = storage(element)
    values = [_checked(item, element, f"{where}[{at}]") & (1 << bits) - 1 for at, item in enumerate(arg)]
    if bits == 128:
        memory = Memory(b"".join(value.to_bytes(16, "little") for value in values), bits)
    else:
        memory = Memory(array(CODES[bits], values), bits)
    kept.append(memory)
    return memory.address, len(values)


def shared(param: EntryParameter, same: Same, where: str, kept: list) -> tuple[int, int]:
    """The one array of all inputs."""
    return _place(param.passed.type, same.value, where, kept)


# Shapes ----------------------------------------------------------------------------------------------


def together(all_: list[Given], where: str) -> tuple[int, ...]:
    """The shape that all have by NumPy's rules; what has another finds its own by place."""
    shapes = [each.shape for each in all_ if not isinstance(each, Same)]
    if shapes and shapes.count(shapes[0]) == len(shapes):
        return shapes[0]
    rank = max(map(len, shapes), default=0)
    whole = []
    for at in range(rank):
        sizes = {shape[at - rank + len(shape)] for shape in shapes if at - rank + len(shape) >= 0} - {1}
        if len(sizes) > 1:
            told = " and ".join(str(shape[0]) if rank == 1 else str(shape) for shape in dict.fromkeys(shapes))
            raise ValueError(f"{where}: arguments are for {told} inputs: as many of each, or one, serve")
        whole.append(next(iter(sizes), 1))
    for each in all_:
        if not isinstance(each, Same) and each.shape != tuple(whole):
            each.places = _spread(each.shape, tuple(whole))
    return tuple(whole)


def _spread(shape: tuple[int, ...], whole: tuple[int, ...]) -> list[int]:
    """For each place in the whole, in order, that in the shape."""
    places, step = [0], 1
    for at in range(1, len(whole) + 1):
        own = shape[-at] if at <= len(shape) else 1
        places = [k * (step if own > 1 else 0) + place for k in range(whole[-at]) for place in places]
        step *= own
    return places


# Results ---------------------------------------------------------------------------------------------


def plain(memory: Memory, passed: Passed) -> Sequence:
    """What a column of results holds: an array of integers, or a list of bools or of longer integers."""
    if isinstance(passed.type, Bool):
        return list(map(bool, memory.held))
    if memory.bits < 128:
        return memory.held
    data, signed = memory.view, passed.negative
    return [int.from_bytes(data[at : at + 16], "little", signed=signed) for at in range(0, len(data), 16)]


def elements(data: bytes, count: int, passed: Passed) -> list:
    """Of arrays in columns, each: as Program.call gives them."""
    element = passed.type.element
    bits = storage(element)
    if passed.type.text or bits != 8 or _sign(element) == "s":
        if bits == 128:
            signed = _sign(element) == "s"
            whole = [
                int.from_bytes(data[at : at + 16], "little", signed=signed) for at in range(0, len(data), 16)
            ]
        else:
            code = CODES[bits].lower() if _sign(element) == "s" else CODES[bits]
            whole = memoryview(data).cast(code).tolist()
        found = [whole[lane::count] for lane in range(count)]
        return ["".join(map(chr, each)) for each in found] if passed.type.text else found
    return [data[lane::count] for lane in range(count)]
