"""Errors, with messages for the author of the program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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

    # the function that stopped a step over all of them
    function: str | None = None


class Different(RingError):
    """A pass changed what a function does: the compiler's fault. The function is not run."""


class Refused(RuntimeWarning):
    """A function was compiled on big integers, or without a pass, because the checker refused more."""


@contextmanager
def step(name: str, function: str | None = None) -> Iterator[None]:
    """Around a step of the compiler: whatever exception stops it is a CheckError, except for MemoryError.

    `function` is the one that the step is about, where the error's reader needs to know.
    """
    try:
        yield
    except (CheckError, MemoryError):
        raise
    except Exception as error:
        stopped = CheckError(f"{name} stopped with {type(error).__name__}: {error}")
        stopped.function = function
        raise stopped from error
