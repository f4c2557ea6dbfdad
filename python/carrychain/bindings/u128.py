"""u128.h over arrays of 64-bit words."""

from array import array

from ._carrychain import ffi, lib
from .status import check


def mul_div_each(a: array, b: array, c: array, *, peer: bool = False) -> array:
    """floor(a[i] * b[i] / c[i]) of three array("Q"), exactly. Each quotient must be below 2**64.

    Computed by ``mul_u64_u64_div_u64``; with ``peer``, by the compiler's unsigned __int128.
    """
    if not len(a) == len(b) == len(c):
        raise ValueError("the three arrays must have one length")
    if 0 in c:
        raise ZeroDivisionError("division by zero")
    quotients = array("Q", bytes(8 * len(a)))
    q, *operands = (ffi.from_buffer("uint64_t[]", each) for each in (quotients, a, b, c))
    if peer:
        check(lib.muldiv_peer_each(q, *operands, len(a)), "the compiler's __int128")
    else:
        lib.muldiv_each(q, *operands, len(a))
    return quotients
