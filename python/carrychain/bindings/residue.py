"""Residues of long numbers, from their words and from their digits, independent of what computed either."""

from ._carrychain import ffi, lib
from .bigint import BigInt
from .status import check

# Words, between two moments at which Python sees a signal.
PIECE = 1 << 17


def of_words(x: BigInt, modulus: int) -> int:
    """|x| mod modulus, for a modulus of at most 64 bits."""
    r = 0
    for end in range(x.c.length, 0, -PIECE):
        begin = max(0, end - PIECE)
        r = lib.residue_of_words(r, x.c.words + begin, end - begin, modulus)
    return r


def of_digits(digits, modulus: int, before: int = 0) -> int:
    """The residue of a decimal number, from ``before``, that of its leading digits, and its other digits.

    ``digits`` is any buffer of ASCII digits; ValueError if it contains anything else.
    """
    with ffi.from_buffer("char[]", digits) as text:
        r = ffi.new("uint64_t *", before)
        check(lib.residue_of_digits(r, text, len(text), modulus), "digits")
        return r[0]
