"""The names of inner functions and comprehensions: each means what it means where it is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .values import PythonValue


@dataclass(eq=False)
class NameScope:
    """One call of a function, or one run of a comprehension, while it is lowered: its own names, and the
    scope around it in the text.

    Keys of the environment are names that end in their scope's mark, so a function sees the names of where
    it is defined, wherever it is called. `framed` says whether CPython gives it a frame of its own. The names
    that an inner function brings from scopes that have ended have `values` instead. `number` identifies the
    scope among the function's scopes each time that the function is lowered.
    """

    function: FunctionType  # of the module, for the names of no scope
    names: frozenset[str] = frozenset()
    outer: NameScope | None = None
    number: int = 0
    framed: bool = True
    values: dict[str, PythonValue] | None = None
    ended: bool = field(default=False, init=False)

    def key(self, name: str) -> str:
        return f"{name}'{self.number}" if self.number else name

    def find(self, name: str) -> tuple[NameScope | None, bool]:
        """The scope that has this name, if one does, and whether the name is a free variable here."""
        scope: NameScope | None = self
        free = False
        while scope is not None and name not in scope.names:
            free |= scope.framed
            scope = scope.outer
        return scope, free

    def around(self) -> set[NameScope]:
        """The scope, and all those around it."""
        return {self} | (self.outer.around() if self.outer else set())
