"""Errors, with messages for the author of the program."""

from __future__ import annotations

from .form import Position


class RingError(Exception):
    """A message, with a position in the source.

    `guards` are a front end's guards for what it read outside of the program, such as a global variable, up
    to the error. While they hold, compiling again would fail again.
    """

    guards: tuple = ()

    def __init__(self, message: str, position: Position | None = None):
        super().__init__(message)
        self.message = message
        self.position = position

    def __str__(self) -> str:
        return f"{self.position}: {self.message}" if self.position else self.message


class SourceError(RingError):
    """The program cannot be compiled as it is written; if `final`, not in any other way, either."""

    final = False


class Trap(RingError):
    """The program ran into one of its own checks."""


class CheckError(RingError):
    """The checker could not show that a compiled function is exact: the compiler's fault. It is not run."""


class Different(RingError):
    """A pass changed what a function does: the compiler's fault. The function is not run."""


class Refused(RuntimeWarning):
    """A function was compiled on big integers, or without a pass, because the checker refused more."""
