"""IR and a plan to machine IR: here all is decided that machine code has to say.

What is computed in a word is computed modulo 2^w. What needs its arguments whole (a comparison, a
division, an index) is computed at a width that holds each argument, read by its own sign, and the
result. A shift's count is masked to the width, and what lies beyond is selected.

Why the argument of an operation may be taken at the result's width: either its word is the value
itself, and extended by the range's sign it is the value in any width; or only some low bits of it
are right, and then (plan.py) no more are asked for, and all of them lie in its word.

A value that the runtime made belongs to a slot of the frame, one for each place that makes one; a
block's parameter has a slot as well, which is given what is passed back to it. A slot keeps what it
has until it is given something else or the function is left, so memory is bounded by the places in
the frames. narrow, assume and select pass a reference on without one of their own: whenever the
slot they took it from is given something else, its definition was passed again, and theirs, which
that dominates, must be too before anyone can use it.
"""
