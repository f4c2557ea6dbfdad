"""Machine IR to LLVM's text, one operation at a time. Nothing is decided here.

A word is an LLVM integer of its width; a value is an i64, as runtime.h says; an array is three values:
its object, its data, its length, so that a bounds check is one comparison of registers. `add` is LLVM's
without nsw or nuw: modulo 2^w. A block's parameters are phis, put in when all ways to it are known.

An operation may take several blocks of LLVM's: arithmetic on values adds small ones in line and calls
the runtime for the rest, a check has a way for the one that fails. A function returns a status, 0 or
the number of the check that failed, and its results. Checks that can fail jump to one block at the
function's end, which takes what the message needs to know.
"""
