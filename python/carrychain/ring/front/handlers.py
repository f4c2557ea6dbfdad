"""Tables of handlers, in which functions register themselves."""

from __future__ import annotations

from collections.abc import Callable


def entering(table: dict, made: Callable = lambda name, function: (name, function)) -> Callable:
    """A decorator, called with names, that enters a function into the table under each, through `made`."""

    def named(*names) -> Callable:
        def enter(function: Callable) -> Callable:
            table.update(made(name, function) for name in names)
            return function

        return enter

    return named
