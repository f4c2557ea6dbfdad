"""Shows that arrays of unbounded integers may be given a bounded element type.

`NarrowElements` shows two things. The types still agree wherever an array is passed or selected. And the
types of parameters, results and globals, and of what calls are given and return, have not changed. So an
array with a new type comes from a `new` of that type in the function, never leaves the function, and is
stored to with that type alone. Both runs then do the same, up to the first store of a number that does not
fit the new type.

`check_elements` shows that there is no such store, by ranges that `check` has established for the function
with the new types. The ranges hold up to the first such store, and exclude it. No pass may rewrite the
function before that is shown.
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
    """Raises CheckError, if a number that does not fit may be put into one of the arrays."""
    for i in function.instructions() if arrays else ():
        array = i.results[0] if i.op == "new" else i.args[0] if i.op == "store" else None
        if array in arrays:
            # a value without a range is never computed
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
        """Refuses a change of type other than from unbounded to bounded elements."""
        was, type_ = self.types[array], array.type
        if was != ANY_SIZE or not isinstance(type_, Array) or type_.text:
            raise self.refused(array, f"its type was changed from {was} to {type_}")
        if type_.element.low is None or type_.element.high is None:
            raise self.refused(array, f"{type_.element} is not bounded on both sides")

    def _one_type(self, a: Type, b: Type, where: object) -> None:
        if isinstance(a, Array) and a != b:
            raise self.refused(where, f"passes an array of type {a} as one of {b}")

    def _outside(self, value: Value, where: object) -> None:
        """Refuses a new type of a value that other functions see."""
        if value in self.retyped:
            raise self.refused(where, f"{value} has a new type, {value.type}, but other functions see it")
