"""`jit` that takes NumPy's arrays, whose items are exact ints in what it compiles."""

import functools

import carrychain

jit = functools.partial(carrychain.jit, exact_items=True)
