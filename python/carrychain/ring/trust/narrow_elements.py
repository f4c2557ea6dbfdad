"""Shows that arrays of integers of any size may have elements of a bounded type.

`NarrowElements` shows that nobody but the function sees such an array, and that the function sees each one
with one type. The function before is well formed: arrays keep their type wherever they are passed. So if they
do with the new types, and those of parameters, results, globals, and of what is passed to and returned by
calls are as they were, then what has another type now was made by a `new` whose type is the same, and is
stored to with that type alone. Both runs then do the same, until something is stored that does not fit:
the new type refuses that.

`check_elements` shows that this does not happen, by ranges that `check` has established for the function with
the new types. They hold up to the first such store, and exclude it. Until then nothing may be rewritten.
"""

from __future__ import annotations

from dataclasses import replace

from ..facts.plan import Range
from ..ir.errors import CheckError
from ..ir.form import INT, Array, Function, Instruction, Return, Type, Value
from ..ir.snapshot import Snapshot
from . import bounds
from .rewritten import Rewritten

ANY_SIZE = Array(INT)


def check_elements(function: Function, arrays: set[Value], ranges: dict[Value, Range]) -> None:
    """CheckError, if one of the arrays may hold what is not of its elements' type."""
    for i in function.instructions() if arrays else ():
        array = i.results[0] if i.op == "new" else i.args[0] if i.op == "store" else None
        if array in arrays:
            # what has no range is never made
            known = ranges.get(i.args[-1])
            if known is not None and not bounds.is_within(known, array.type.element):
                raise CheckError(f"@{function.name}: {i} may not fit {array.type.element}", i.position)


class NarrowElements(Rewritten):
    def __init__(self, before: Snapshot, *args):
        super().__init__(before, *args)
        self.types = before.types
        self.retyped = before.retyped()

    def check(self) -> None:
        super().check()
        for value in self.retyped:
            self._bounded(value)
        for param in self.after.params:
            self._outside(param, self.after.name)
        for block in self.after.blocks:
            for i in block.instructions:
                if i.op == "new":
                    self._one_type(i.attribute, i.result.type, i)
                elif i.op == "select":
                    for arg in i.args[1:]:
                        self._one_type(arg.type, i.result.type, i)
                elif i.op in ("call", "global"):
                    for value in (*i.args, *i.results):
                        self._outside(value, i)
            end = block.terminator
            for edge in end.edges:
                for arg, param in zip(edge.args, edge.block.params, strict=True):
                    self._one_type(arg.type, param.type, end)
            if isinstance(end, Return):
                for arg in end.args:
                    self._outside(arg, end)

    def same_effect(self, was: Instruction, i: Instruction) -> None:
        if was.op == i.op == "new" and i.result in self.retyped:
            was = replace(was, attribute=i.attribute)
        super().same_effect(was, i)

    def _bounded(self, array: Value) -> None:
        """An array of integers of any size is one of a type with two ends now: else nothing has changed."""
        was, type_ = self.types[array], array.type
        if was != ANY_SIZE or not isinstance(type_, Array) or type_.text:
            raise self.refused(array, f"it is of {type_} now, and was of {was}")
        if type_.element.low is None or type_.element.high is None:
            raise self.refused(array, f"{type_.element} has no ends")

    def _one_type(self, a: Type, b: Type, where: object) -> None:
        if isinstance(a, Array) and a != b:
            raise self.refused(where, f"what is passed is of {a}, and taken for {b}")

    def _outside(self, value: Value, where: object) -> None:
        """What others see has the type that they see."""
        if value in self.retyped:
            raise self.refused(where, f"{value} is of {value.type} now, and others see it")
