"""Lowers IR, by a plan, to machine IR: everything that machine code must say is decided here.

Words are computed modulo 2^w. An operation that needs its whole arguments (a comparison, a division, an
index) is computed at a width that holds each argument, read with its own sign, and the result. A shift count
is masked to the width, and the result for larger counts is selected.

An operation's argument may be converted to the result's width, for one of two reasons. Its word may be the
value itself; extended by the range's sign, it is the value at any width. Or only some low bits of the word
are correct; then no more are demanded (plan.py), and all of those are in the word.

A slot of the frame owns an object that the runtime made: one slot for each instruction that makes one. A
block's parameter also has a slot, which receives what is passed on back edges. A slot keeps its object until
it receives another one, until it is closed (late.py), or until the function is left, so memory is bounded by
the number of slots in the frames. narrow, assume and select pass a reference on, and have no slot. If the
slot that owns their result receives another object, the definition that filled it has run again; it dominates
theirs, so theirs runs again before any use.
"""
