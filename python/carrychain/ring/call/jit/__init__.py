"""`carrychain.jit`: a Python function that is compiled at its first call.

annotations  u8 ... i64, and what they say about arguments
arguments    the kind of an argument, and what to pass instead of one that has none
narrowed     copies of a function for 64-bit ints; inner, its calls of itself
spec         kinds in the form that bindings/call/ uses (../marshal.py)
version      a function compiled for arguments of given kinds
raising      exceptions as the function's own source would raise them
function     the callable

C (bindings/call/) makes the usual call: it compares the arguments' types and the guards with those that the
versions were compiled for. Only a call that fits no version comes here.
"""

from .annotations import i8, i16, i32, i64, u8, u16, u32, u64
from .function import Jitted, jit

__all__ = ["Jitted", "i8", "i16", "i32", "i64", "jit", "u8", "u16", "u32", "u64"]
