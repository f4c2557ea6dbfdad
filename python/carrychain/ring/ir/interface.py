"""The interface that callers see: how Lisp's arguments and values are represented by the IR's.

An IR function takes and returns a fixed number of integers, truth values and arrays. In Lisp, a value may be
an integer on one path and nil on another, an argument may be omitted, and the number of values may differ
between paths. A value of several kinds is a tagged union: a truth value for each kind but the first, which
says whether the value is of that kind, and then each kind's own IR values. (nil has none.) An optional
argument is preceded by a truth value, which says whether it was given. If the number of values differs, an
integer after them holds it.

In Python, t is True; nil is False if the value is a truth value on all paths, otherwise None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .form import BOOL, INT, Array, Bool, Function, Int, Type
from .names import name_among


@dataclass(frozen=True)
class Null:
    """The kind of nil alone."""

    def __str__(self) -> str:
        return "nil"


@dataclass(frozen=True)
class Union:
    """Two kinds or more, none of them a union. In an interface, in this order: nil or a truth value, an
    integer, an array."""

    members: tuple

    def __str__(self) -> str:
        return " | ".join(map(str, self.members))


Kind = Type | Null | Union

NULL = Null()


def members(kind: Kind) -> tuple[Null | Type, ...]:
    return kind.members if isinstance(kind, Union) else (kind,)


def kind_text(kind: Kind) -> str:
    """The kind as in printed IR."""
    return " or ".join(map(str, members(kind)))


def held(kind: Kind) -> list[Type]:
    """The types of the IR values that represent a value of this kind."""
    if isinstance(kind, Null):
        return []
    if isinstance(kind, Union):
        flags: list[Type] = [BOOL] * (len(kind.members) - 1)
        return flags + [type_ for member in kind.members for type_ in held(member)]
    return [kind]


def nothing(type_: Type):
    """A placeholder for an argument that is of another kind, or omitted."""
    match type_:
        case Bool():
            return False
        case Array():
            return []
    return next(k for k in (0, type_.low, type_.high) if k is not None and k in type_)


def _apart(kind: Kind, value) -> list:
    """The IR values that represent a Python value; one of no such kind is left to the type check."""
    if not isinstance(kind, Union):
        return [] if isinstance(kind, Null) else [value]
    if value is None or isinstance(value, bool):
        fits = Bool if value else Null | Bool
    elif isinstance(value, str) or hasattr(value, "__len__"):
        fits = Array
    else:
        fits = Int
    chosen = next((each for each in kind.members if isinstance(each, fits)), None)
    if chosen is None:
        chosen = next(each for each in reversed(kind.members) if isinstance(each, Int | Array))
    parts: list = [each == chosen for each in kind.members[1:]]
    for each in kind.members:
        if not isinstance(each, Null):
            parts.append(nothing(each) if each != chosen else False if value is None else value)
    return parts


def _together(kind: Kind, words: Iterator):
    """The Python value that these IR values represent."""
    if not isinstance(kind, Union):
        return None if isinstance(kind, Null) else next(words)
    flags = [next(words) for _ in kind.members[1:]]
    values = [_together(member, words) for member in kind.members]
    for flag, value in zip(flags, values[1:], strict=True):
        if flag:
            return value
    return None if values[0] is False else values[0]


@dataclass(frozen=True)
class InterfaceParameter:
    """A parameter; `how` is "" if it is required, else "optional" or "key"."""

    name: str
    kind: Kind
    how: str = ""

    def __str__(self) -> str:
        return f"%{self.name}: {kind_text(self.kind)}{' ' * bool(self.how)}{self.how}"


@dataclass(frozen=True)
class Interface:
    """How a caller's arguments and values map to a function's IR parameters and results.

    `counted`: the last result is the number of values.
    """

    takes: tuple[InterfaceParameter, ...]
    gives: tuple[Kind, ...]
    counted: bool = False

    def __str__(self) -> str:
        counted = "counted " if self.counted else ""
        gives = ", ".join(map(kind_text, self.gives))
        return f"takes ({', '.join(map(str, self.takes))}) gives {counted}({gives})"

    @property
    def plain(self) -> bool:
        """Whether arguments and values are the IR's, unchanged."""
        kinds = [*(taken.kind for taken in self.takes), *self.gives]
        return (
            not self.counted
            and bool(self.gives)
            and not any(taken.how for taken in self.takes)
            and not any(isinstance(kind, Null | Union) for kind in kinds)
        )

    def names(self) -> list[str]:
        """For each IR parameter, the name of the parameter that it is part of."""
        return [taken.name for taken in self.takes for _ in range(bool(taken.how) + len(held(taken.kind)))]

    def results(self) -> list[Type]:
        return [type_ for kind in self.gives for type_ in held(kind)] + [INT] * self.counted

    def arguments(self, name: str, args: tuple, named: dict) -> list:
        """The IR arguments for a caller's; TypeError if these are too many, too few, or misnamed."""
        positional = [taken for taken in self.takes if taken.how != "key"]
        least = sum(not taken.how for taken in positional)
        most = len(positional)
        if not least <= len(args) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise TypeError(f"{name} takes {wanted} argument{'s' * (wanted != '1')}, not {len(args)}")
        keys = {taken.name for taken in self.takes if taken.how == "key"}
        given = {
            name_among(key, keys) or name_among(key.replace("_", "-"), keys) or key: arg
            for key, arg in named.items()
        }
        for key in given:
            if key not in keys:
                raise TypeError(f"{name} takes no argument {key}")
        given.update(zip((taken.name for taken in positional), args, strict=False))
        parts: list = []
        for taken in self.takes:
            there = taken.name in given
            if taken.how:
                parts.append(there)
            if there:
                parts += _apart(taken.kind, given[taken.name])
            else:
                parts += map(nothing, held(taken.kind))
        return parts

    def values(self, results: list):
        """What a call returns: the value, or a tuple unless there is exactly one."""
        words = iter(results)
        values = [_together(kind, words) for kind in self.gives]
        if self.counted:
            values = values[: next(words)]
        return values[0] if len(values) == 1 else tuple(values)


def interface_of(function: Function) -> Interface:
    """The function's interface, or the plain one of its IR parameters and results."""
    if function.interface is not None:
        return function.interface
    takes = tuple(InterfaceParameter(param.name, param.type) for param in function.params)
    return Interface(takes, tuple(function.results))
