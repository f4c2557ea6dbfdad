"""`carrychain.jit`: a Python function compiled at its first call, and from then on called.

annotations  u8 ... i64, and what they say of arguments
arguments    what kind an argument is of, and what serves instead of one that is of none
narrowed     copies of a function for ints of 64 bits; inner, its calls of itself
spec         kinds as bindings/call/ has them (../marshal.py)
version      a function compiled for arguments of given kinds
raising      exceptions as the function's own source would raise them
function     what is called

The usual call is C's (bindings/call/): it compares the arguments' types and the guards with what the
versions were compiled for. Only a call that no version takes comes here.
"""

from .annotations import i8, i16, i32, i64, u8, u16, u32, u64
from .function import Jitted, jit

__all__ = ["Jitted", "i8", "i16", "i32", "i64", "jit", "u8", "u16", "u32", "u64"]
