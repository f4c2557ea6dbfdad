"""C code to compare our timings with. Built only where the compiler has unsigned __int128."""

from array import array

from . import u128
from ._peers import ffi, lib
from .checksum import Buffer, number


def mul_div_each(a: array, b: array, c: array) -> array:
    """``u128.mul_div_each`` computed by unsigned __int128."""
    return u128.quotients(lib.peer_muldiv_each, a, b, c)


def checksum(data: Buffer) -> int:
    """``checksum.checksum`` of one buffer by 64-bit words, added with carry one at a time."""
    return number(lib.peer_checksum(ffi.from_buffer(data), len(data)))
