"""Errors, with messages for the author of the program."""

from __future__ import annotations

from .form import Position


class RingError(Exception):
    """A message, and where in the source it belongs.

    `guards` are what was read of the world on the way there, as a front end has them: while they hold, what
    was refused would be refused again.
    """

    guards: tuple = ()

    def __init__(self, message: str, position: Position | None = None):
        super().__init__(message)
        self.message = message
        self.position = position

    def __str__(self) -> str:
        return f"{self.position}: {self.message}" if self.position else self.message


class SourceError(RingError):
    """The program cannot be compiled as it is written; `final`, if in no other way than was tried."""

    final = False


class Trap(RingError):
    """The program ran into one of its own checks."""


class CheckError(RingError):
    """The checker did not find a compiled function exact: a fault of the compiler's; it is not run."""


class Different(RingError):
    """A pass made something else of a function than it was: a fault of the compiler's; it is not run."""


class Refused(RuntimeWarning):
    """A function was compiled on big integers, since the checker refused its plan."""
