"""The kind of an argument, and what to pass instead of one that has none."""

from __future__ import annotations

import sys
from array import array

from ...front.python.kinds import BOOL, INT, Buffer, List, PythonKind, Tuple, named
from ...ir.form import Int, signed, unsigned
from ...ir.interface import NULL
from ..marshal import kind_name, shown_int

# the formats of memoryviews whose items are ints, which are also the typecodes of such arrays
ITEMS = {**dict.fromkeys("BHILQN", unsigned), **dict.fromkeys("bhilqn", signed)}

# Tuples of more ints than this are of one kind, whatever their length, unless an annotation names each item.
UNPACKED = 16


class Unfit(Exception):
    """A compiled function does not accept an argument; `error` is for the caller.

    `integer`: the argument is an integer of another type, such as NumPy's, so CPython runs the call.
    """

    def __init__(self, error: Exception, integer: bool = False):
        self.error = error
        self.integer = integer


def kind_of(value, where: str, exact_items: bool, unpacked: int = UNPACKED) -> PythonKind:
    """The kind of an argument; Unfit if it has none, or if its items wrap and not `exact_items`.

    A tuple of up to `unpacked` ints has a kind for each.
    """
    type_ = type(value)
    if type_ is int:
        return INT
    if type_ is bool:
        return BOOL
    if value is None:
        return NULL
    if type_ in (bytes, bytearray):
        return Buffer(type_.__name__)
    if type_ is list:
        for at, item in enumerate(value):
            if type(item) is not int:
                error = TypeError(f"{where}[{at}] is {kind_name(item)}: pass a list of ints")
                raise Unfit(error, _is_integer(item))
        return List()
    if type_ is tuple:
        if len(value) > unpacked and all(type(item) is int for item in value):
            return List(maker="tuple")
        items = (kind_of(item, f"{where}[{at}]", exact_items, unpacked) for at, item in enumerate(value))
        return Tuple(tuple(items))
    if type_ is memoryview:
        return _of_view(value, where)
    if type_ is array:
        if value.typecode not in ITEMS:
            raise Unfit(TypeError(f"{where} is an array of {value.typecode!r}: pass one of integers"))
        return Buffer("array", ITEMS[value.typecode](8 * value.itemsize))
    if type_ is getattr(sys.modules.get("numpy"), "ndarray", None):
        kind = _of_ndarray(value, where)
        if not exact_items:
            serves = "pass memoryview(x), whose items are ints, or use @jit(exact_items=True)"
            raise Unfit(TypeError(f"{where} is a NumPy array, whose items wrap around: {serves}"))
        return kind
    raise Unfit(TypeError(f"{where} is {kind_name(value)}: {_serves(value)}"), _is_integer(value))


def _of_view(view: memoryview, where: str) -> Buffer:
    try:
        format_, size, dimensions, readonly = view.format, view.itemsize, view.ndim, view.readonly
    except ValueError as error:
        # a released memoryview
        raise Unfit(error.with_traceback(None)) from None
    items = ITEMS.get(format_.removeprefix("@"))
    if items is None:
        raise Unfit(TypeError(f"{where} is a memoryview of {format_!r}: pass one of integers, such as 'B'"))
    if dimensions != 1:
        raise Unfit(TypeError(f"{where} has {dimensions} dimensions: pass a one-dimensional memoryview"))
    return Buffer("memoryview", items(8 * size), readonly)


def _of_ndarray(value, where: str) -> Buffer:
    if value.dtype.kind not in "iu":
        raise Unfit(TypeError(f"{where} is an array of {value.dtype}: pass one of integers"))
    if value.ndim != 1:
        raise Unfit(
            TypeError(
                f"{where} has {value.ndim} dimensions: pass a one-dimensional array, such as its ravel()"
            )
        )
    items = signed if value.dtype.kind == "i" else unsigned
    return Buffer("ndarray", items(8 * value.dtype.itemsize), not value.flags.writeable)


def _is_integer(value) -> bool:
    # NumPy's arrays of one item have an __index__, too
    return hasattr(value, "__index__") and not isinstance(value, bool) and not hasattr(value, "__len__")


def _serves(value) -> str:
    if _is_integer(value):
        return "pass an int, such as int(x)"
    if isinstance(value, bytes | bytearray):
        return "pass bytes, such as bytes(x)"
    if isinstance(value, str):
        return "pass bytes, such as x.encode()"
    return "pass an int, bool, None, bytes, bytearray, memoryview, array or list of ints"


def check(value, kind: PythonKind, where: str) -> None:
    """Raises Unfit if an int is outside the bounds of its annotation."""
    match kind:
        case Int() if value not in kind:
            raise Unfit(OverflowError(f"{where} is {shown_int(value)}, not of type {named(kind)}"))
        case List(element=element) if element != INT:
            for at, item in enumerate(value):
                check(item, element, f"{where}[{at}]")
        case Tuple(items):
            for at, (item, each) in enumerate(zip(value, items, strict=True)):
                check(item, each, f"{where}[{at}]")
