"""`carrychain.vectorize`: a compiled function of many inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from ..ir import Array, Bool
from .columns import Given, Same, given, is_ndarray, numpy, together
from .loops import Loops
from .work import Work, cores


class Many:
    """A function of an IR module, called for many inputs; `one` calls it for one."""

    def __init__(self, loops: Loops, one: Callable):
        self.loops = loops
        self.one = one

    def __call__(self, *args, out=None, threads: int | None = None):
        entry = self.loops.entry
        if len(args) != len(entry.params):
            raise TypeError(f"{entry.name} takes {len(entry.params)} arguments, not {len(args)}")
        found = [
            given(param, arg, f"{entry.name}: {param.name}")
            for param, arg in zip(entry.params, args, strict=True)
        ]
        if all(isinstance(each, Same) for each in found):
            return self.one(*args)
        shape = together(found, entry.name)
        work = Work(self.loops, self.one, found, prod(shape), threads or cores())
        return work.run()
