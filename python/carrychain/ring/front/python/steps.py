"""Iterables by the number of their items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...ir.form import Value
from .build import PythonBuilder
from .values import PythonValue, RangeValue


@dataclass
class Steps:
    """An iterable as indexed items: their number, and a function from the index to the item.

    `known` is the number, if every item is known from its index alone; a `range` is iterated by its own
    values. `fixed` says that the loop's body cannot change the number.
    """

    count: Callable[[], Value]
    item: Callable[[Value], PythonValue]
    known: int | None = None
    range: RangeValue | None = None
    fixed: bool = True
    finish: Callable[[], None] = lambda: None  # called after the last item
    lazy: bool = False  # whether getting an item may have an effect


def range_steps(f: PythonBuilder, found: RangeValue) -> Steps:
    def count() -> Value:
        step = f.constant(found.step)
        if step == 1:
            return f.most(f.one("sub", found.stop, found.start), f.const(0))
        distance = f.one("sub", found.stop, found.start)
        if step is not None and step > 0:
            rounds = f.one("cdiv", distance, found.step)
        elif step is not None:
            rounds = f.one("cdiv", f.one("neg", distance), f.const(-step))
        else:
            rounds = f.one("cdiv", distance, found.step)
        return f.most(rounds, f.const(0))

    def item(at: Value) -> Value:
        step = f.constant(found.step)
        return f.one("add", found.start, at if step == 1 else f.one("mul", at, found.step))

    return Steps(count, item, range=found)
