"""The Internet checksum (RFC 1071) of buffers, without a copy and with the GIL released."""

import sys
from collections.abc import Iterable

from ._carrychain import ffi, lib

# what has a buffer, which Python 3.11 has no name for
Buffer = object


def checksum(data):
    """The Internet checksum of a buffer (bytes, a NumPy array, an mmap...), or a list, one per buffer.

    The result is the number that tools print, from 0 to 65535. A packet holds it in network order:
    ``value.to_bytes(2, "big")``. The buffer may have any length; an odd last byte counts as if a zero
    followed it. An array of several dimensions is one buffer; ``checksum(list(array))`` takes each row
    separately.

    The memory is read in place. It must be C-contiguous (otherwise ValueError), and no other thread may
    change it during the call, because the GIL is released.
    """
    view = _view(data)
    if view is not None:
        return number(lib.cc_checksum(ffi.from_buffer(view), view.nbytes))
    if isinstance(data, str) or not isinstance(data, Iterable):
        raise TypeError(f"checksum needs a buffer or a list of buffers, not {type(data).__name__}")
    return [number(lib.cc_checksum(ffi.from_buffer(view), view.nbytes)) for view in _views(data)]


class Checksum:
    """The checksum of data that arrives in parts of any length, odd lengths included."""

    def __init__(self) -> None:
        self._state = ffi.new("struct cc_checksum_state *")
        lib.cc_checksum_begin(self._state, 0)

    def update(self, part: Buffer) -> None:
        view = _view(part)
        if view is None:
            raise TypeError(f"update needs a buffer, not {type(part).__name__}")
        lib.cc_checksum_more(self._state, ffi.from_buffer(view), view.nbytes)

    @property
    def value(self) -> int:
        return number(lib.cc_checksum_end(self._state))


def _view(data) -> memoryview | None:
    """A view of the bytes; None if the object is not a buffer."""
    try:
        view = memoryview(data)
    except TypeError:
        return None
    if "O" in view.format:
        raise TypeError("the buffer holds references to Python objects, not data")
    if not view.c_contiguous:
        raise ValueError(
            "the buffer is not C-contiguous: make a copy that is, as numpy.ascontiguousarray does"
        )
    return view


def _views(data: Iterable[Buffer]) -> Iterable[memoryview]:
    for i, each in enumerate(data):
        view = _view(each)
        if view is None:
            raise TypeError(f"item {i} must be a buffer, not {type(each).__name__}")
        yield view


def number(field: int) -> int:
    """The value as a number. C returns the field as it lies in memory."""
    return int.from_bytes(field.to_bytes(2, sys.byteorder), "big")
