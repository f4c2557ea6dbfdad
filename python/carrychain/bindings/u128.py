"""u128.h over arrays of 64-bit words."""

from array import array
from collections.abc import Callable

from ._carrychain import ffi, lib


def mul_div_each(a: array, b: array, c: array) -> array:
    """floor(a[i] * b[i] / c[i]) of three array("Q"), exactly. Each quotient must be below 2**64.

    Computed by ``mul_u64_u64_div_u64``.
    """
    return quotients(lib.muldiv_each, a, b, c)


def quotients(function: Callable, a: array, b: array, c: array) -> array:
    """The quotients that a C function computes, after a check of the operands."""
    if not len(a) == len(b) == len(c):
        raise ValueError("the three arrays must have the same length")
    if 0 in c:
        raise ZeroDivisionError("division by zero")
    written = array("Q", bytes(8 * len(a)))
    function(*(ffi.from_buffer("uint64_t[]", each) for each in (written, a, b, c)), len(a))
    return written
