"""IR and a plan to machine IR: everything that machine code must say is decided here.

What is computed in a word is computed modulo 2^w. An operation that needs its whole arguments (a comparison,
a division, an index) is computed at a width that holds each argument, read with its own sign, and the result.
A shift count is masked to the width, and the result for larger counts is selected.

An operation's argument may be taken at the result's width for one of two reasons. Its word may be the value
itself; extended by the range's sign, it is the value at any width. Or only some low bits of it are right;
then (plan.py) no more are demanded, and all of them are in its word.

A slot of the frame owns a value that the runtime made, one slot for each place that makes one. A block's
parameter also has a slot, which receives what is passed on back edges. A slot keeps its value until it
receives another one, or until the function is left, so memory is bounded by the number of places in the
frames. narrow, assume and select pass a reference on without one of their own. Whenever the slot that they
took it from receives another value, its definition was passed again, and theirs, which that dominates, must
be passed, too, before anyone can use it.
"""
