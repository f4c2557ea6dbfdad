"""Machine IR to LLVM's text, one operation at a time. Nothing is decided here.

A word is an LLVM integer of its width. A BIG is an i64, as in runtime.h. An array is three LLVM values: its
object, its data and its length, so that a bounds check is one comparison of registers. `add` is LLVM's
without nsw or nuw: modulo 2^w. A block's parameters are phis, inserted when all edges to it are known.

An operation may take several LLVM blocks: arithmetic on BIGs handles small ones inline and calls the runtime
for others, and a check has an edge for failure. A function returns a status, which is 0 or the number of
the failed check, and its results. All failing checks jump to one block at the function's end, with the
operands of their messages.
"""
