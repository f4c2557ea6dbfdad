"""Arguments of many inputs as columns in memory, and columns as results.

For an integer parameter: one integer for all inputs, or a NumPy array, another buffer or a sequence with one
per input. For an array parameter: a buffer or a list of integers for all; or a sequence with one per input,
or a NumPy array of two or more dimensions, the last of which is the array's.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from ....bindings import ring as runtime
from ....bindings.call import Held, bytes_places, give_columns
from ...ir.form import Array, Bool, Int, unsigned
from ...machine.abi import Passed, storage
from .. import marshal
from ..marshal import LIST, ArgumentErrors, EntryParameter, node, refusal

BYTE = unsigned(8)
CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}
# The members of struct ring_array: never freed; of words; the length; the elements' address.
HEAD = (1 << 64) - 1, 1


def numpy():
    """NumPy, if the caller has imported it."""
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
    """Uninitialized memory for this many results."""
    bits = bits_of(passed)
    if bits == 128:
        return Memory(bytearray(16 * count), bits)
    code = CODES[bits].lower() if isinstance(passed.type, Int) and passed.negative else CODES[bits]
    return Memory(array(code, bytes(bits // 8 * count)), bits)


class Uniform(NamedTuple):
    """One value for all inputs."""

    value: object

    def of(self, at: int):
        return self.value


class Column:
    """An integer or a truth value per input."""

    def __init__(self, shape: tuple[int, ...], words):
        self.shape = shape
        self.words = words  # a buffer
        self.places: Sequence[int] | None = None  # the position of each input's element, if not in order

    def taken(self, inputs: Sequence[int], bits: int) -> Memory:
        """The words of these inputs, contiguous."""
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
    """An array per input."""

    def __init__(self, shape: tuple[int, ...], addresses: array, lengths: array, kept):
        self.shape = shape
        self.addresses = addresses
        self.lengths = lengths
        self.kept = kept  # the owners of the memory
        self.places: Sequence[int] | None = None

    def of(self, words: array, inputs: Sequence[int]) -> array:
        """The items of these inputs, from a sequence with one item per array."""
        if self.places is not None:
            inputs = [self.places[at] for at in inputs]
        elif isinstance(inputs, range) and inputs.step == 1:
            return words[inputs.start : inputs.stop]
        return array("Q", map(words.__getitem__, inputs))


Given = Uniform | Column | Buffers


def bits_of(passed: Passed) -> int:
    """The width of an element in a column."""
    return 8 if isinstance(passed.type, Bool) else passed.container


def given(param: EntryParameter, arg, where: str) -> Given:
    """A checked argument; TypeError, OverflowError or ValueError if it does not have the parameter's type."""
    if isinstance(param.passed.type, Array):
        return _buffers(param, arg, where)
    return _integers(param, arg, where)


# Integers --------------------------------------------------------------------------------------------


def _integers(param: EntryParameter, arg, where: str) -> Uniform | Column:
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
        items, shape = arg, (len(arg),)
    else:
        shape = ()
    if not shape:
        return Uniform(_one(arg, type_, where))
    if isinstance(type_, Bool):
        return Column(shape, bytes([_one(item, type_, f"{where}[{at}]") for at, item in enumerate(items)]))
    return _words(shape, items, bits, type_, where)


def _words(shape: tuple[int, ...], items, bits: int, type_: Int, where: str) -> Column:
    words = memoryview(_held(Array(type_), bits, items, where))
    return Column(shape, words.cast(CODES[bits]) if bits in CODES else words)


def _held(type_: Array, bits: int, arg, where: str) -> Held:
    """The memory that elements are read from: a copy if they cannot be read in place."""
    return Held(marshal.array(type_, bits), arg, ArgumentErrors("", [where], [type_]))


def _is_buffer(arg) -> bool:
    try:
        memoryview(arg)
    except TypeError:
        return False
    return True


def _one(value, type_: Int | Bool, where: str) -> int:
    if isinstance(type_, Bool):
        if isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b":
            return int(value)
    elif not isinstance(value, bool) and hasattr(value, "__index__") and value.__index__() in type_:
        return value.__index__()
    raise refusal(type_, where, value)


def _ndarray(arg, bits: int, type_: Int | Bool, where: str) -> Column:
    if (arg.dtype.kind == "b") != isinstance(type_, Bool):
        kind = "bools" if isinstance(type_, Bool) else "integers"
        raise TypeError(f"{where} is an array of {arg.dtype}: pass one of {kind}")
    flat = arg.ravel()
    if isinstance(type_, Int) and len(flat):
        info = numpy().iinfo(arg.dtype)
        for bound, end, least in ((type_.low, info.min, True), (type_.high, info.max, False)):
            if bound is not None and (end < bound if least else end > bound):
                wrong = flat < bound if least else flat > bound
                if wrong.any():
                    at = int(wrong.argmax())
                    raise refusal(type_, f"{where}[{at}]", int(flat[at]))
    if bits == 128:
        return _words(arg.shape, flat.tolist(), bits, type_, where)
    words = numpy().ascontiguousarray(flat.astype(f"u{bits // 8}", copy=False))
    return Column(arg.shape, words)


# Arrays ----------------------------------------------------------------------------------------------


def _buffers(param: EntryParameter, arg, where: str) -> Uniform | Buffers:
    type_ = param.passed.type
    if isinstance(arg, list | tuple):
        return _listed(type_, (len(arg),), arg, where)
    if is_ndarray(arg):
        if arg.dtype == object:
            return _listed(type_, arg.shape, arg.ravel().tolist(), where)
        return Uniform(arg) if arg.ndim < 2 else _table(type_, arg, where)
    if isinstance(arg, str) or _is_buffer(arg):
        view = None if isinstance(arg, str) else memoryview(arg)
        if view is None or view.ndim == 1:
            return Uniform(arg)
        if view.ndim != 2 or not view.contiguous:
            raise TypeError(f"{where} has {view.ndim} dimensions: pass rows of two dimensions")
        size = view.shape[1] * view.itemsize
        flat = view.cast("B")
        arg = [flat[at * size : at * size + size].cast(view.format) for at in range(view.shape[0])]
    items = list(arg)
    return _listed(type_, (len(items),), items, where)


def _listed(type_: Array, shape: tuple[int, ...], items: Sequence, where: str) -> Uniform | Buffers:
    if items and hasattr(items[0], "__index__"):
        return Uniform(items)
    if type_.element == BYTE:
        # other threads may change a list meanwhile
        kept = tuple(items)
        words = bytes_places(kept)
        if words is not None:
            return Buffers(shape, array("Q", words[0]), array("Q", words[1]), kept)
    return _each(type_, shape, items, where)


def _each(type_: Array, shape: tuple[int, ...], items: Sequence, where: str) -> Buffers:
    held = [_array(type_, item, f"{where}[{at}]") for at, item in enumerate(items)]
    addresses = array("Q", [each.address for each in held])
    return Buffers(shape, addresses, array("Q", [each.length for each in held]), held)


def _array(type_: Array, arg, where: str) -> Held:
    return _held(type_, storage(type_.element), arg, where)


def _table(type_: Array, arg, where: str) -> Buffers:
    """The rows of a NumPy array."""
    shape, length = arg.shape[:-1], arg.shape[-1]
    count = prod(shape)
    rows = numpy().ascontiguousarray(arg).reshape(count, length)
    if count and length and (first := _array(type_, rows[0], where)).lent:
        step = rows.strides[0]
        addresses = array("Q", range(first.address, first.address + count * step, step))
        return Buffers(shape, addresses, array("Q", [length]) * count, rows)
    return _each(type_, shape, rows, where)


def shared(param: EntryParameter, same: Uniform, where: str) -> Held:
    """The array shared by all inputs."""
    return _array(param.passed.type, same.value, where)


# Shapes ----------------------------------------------------------------------------------------------


def together(all_: list[Given], where: str) -> tuple[int, ...]:
    """The common shape by NumPy's broadcasting rules; arguments of other shapes are indexed by position."""
    shapes = [each.shape for each in all_ if not isinstance(each, Uniform)]
    if shapes and shapes.count(shapes[0]) == len(shapes):
        return shapes[0]
    rank = max(map(len, shapes), default=0)
    whole = []
    for at in range(rank):
        sizes = {shape[at - rank + len(shape)] for shape in shapes if at - rank + len(shape) >= 0} - {1}
        if len(sizes) > 1:
            told = " and ".join(str(shape[0]) if rank == 1 else str(shape) for shape in dict.fromkeys(shapes))
            raise ValueError(
                f"{where}: arguments are for {told} inputs: pass the same number of each, or one for all"
            )
        whole.append(next(iter(sizes), 1))
    for each in all_:
        if not isinstance(each, Uniform) and each.shape != tuple(whole):
            each.places = _spread(each.shape, tuple(whole))
    return tuple(whole)


def _spread(shape: tuple[int, ...], whole: tuple[int, ...]) -> list[int]:
    """For each position in the whole, in order, the position in the shape."""
    places, step = [0], 1
    for at in range(1, len(whole) + 1):
        own = shape[-at] if at <= len(shape) else 1
        places = [k * (step if own > 1 else 0) + place for k in range(whole[-at]) for place in places]
        step *= own
    return places


# Results ---------------------------------------------------------------------------------------------


def plain(memory: Memory, passed: Passed) -> Sequence:
    """The contents of a result column: an array of integers, or a list of bools or of longer integers."""
    if isinstance(passed.type, Bool):
        return list(map(bool, memory.held))
    if memory.bits < 128:
        return memory.held
    longer = node(LIST, memory.bits, passed.negative)
    return give_columns(memory.address, len(memory.held) // 16, 1, longer)[0]
