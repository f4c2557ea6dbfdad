"""`carrychain.vectorize`: a jitted function of many inputs."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import prod
from typing import get_args, get_origin

from ..compile import identity
from ..front.python.kinds import BOOL, Buffer, Kind, List, Tuple
from ..interface import NULL
from ..ir import Array, Int
from ..jit.function import Function
from ..jit.narrowed import narrowed_name, with_narrowed
from ..jit.version import Version
from ..program import kind_name
from .columns import BYTE, Buffers, Column, Given, Same, given, is_ndarray, numpy, together
from .loops import Loops
from .work import Work, cores

# What an annotation calls memory of items.
MEMORY = (bytes, bytearray, memoryview, array)


def vectorize(function, /, *, threads: int | None = None) -> Vectorized:
    """The jitted function of many inputs at once: in lanes of vectors and in threads, where it can be.

    An argument may be one for all inputs, as the function takes it, or many. Of ints and bools: a NumPy array,
    an array.array, a list or tuple. Of bytes and other memory: a list or tuple of those; or, for a parameter
    that is annotated so, a NumPy array of two dimensions, each row one. NumPy's rules say how shapes go together.

    The result is of that shape, of ints as wide as the function's: a NumPy array if an argument is one, else an
    array.array; a list of what is neither ints of up to 64 bits nor bools. Bytes are a list, or, of equal
    lengths, the rows of a NumPy array if an argument is one. Where the function gives a tuple, there is one of
    these for each item. `out` is stored to instead.

    What is raised is what the function raises for the first input of which it does. No function that stores to
    an argument has done so for a later one.
    """
    return Vectorized(function, threads)


class Vectorized:
    """Holds no state of its own: it pickles as its function does."""

    def __init__(self, function: Function, threads: int | None = None):
        if not isinstance(function, Function):
            raise TypeError(f"vectorize takes a function that jit has made, not {kind_name(function)}")
        self.function = function
        self.threads = threads
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self._loops: dict[tuple[Kind, ...], tuple[Version, list[Loops]]] = {}
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"<vectorize {self.function!r}>"

    def __reduce__(self):
        return vectorized, (self.function, self.threads)

    def __call__(self, *args, out=None, threads: int | None = None, **named):
        arguments = self.function._bound(args, named)
        many = [_is_many(arg, memory) for arg, memory in zip(arguments, self._memory(), strict=True)]
        if not any(many):
            return self.function(*args, **named)
        found = self._many(arguments, many, threads or self.threads or cores())
        if out is None:
            return found
        for to, each in zip(*((out, found) if isinstance(found, tuple) else ((out,), (found,))), strict=True):
            to[... if is_ndarray(to) else slice(None)] = each
        return out
