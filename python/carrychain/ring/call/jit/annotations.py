"""Annotations that give the width of an int: u8 ... i64, alone or as items of lists and tuples.

To Python and to type checkers they are int. Other annotations mean nothing here, as they do not bind a call
in Python either.
"""

from __future__ import annotations

from inspect import CO_VARARGS
from types import FunctionType, NoneType, UnionType
from typing import Annotated, Union, Unpack, get_args, get_origin

from ...front.python.kinds import INT, List, PythonKind, Tuple
from ...ir.form import Int, signed, unsigned
from ...ir.interface import NULL

u8 = Annotated[int, unsigned(8)]
u16 = Annotated[int, unsigned(16)]
u32 = Annotated[int, unsigned(32)]
u64 = Annotated[int, unsigned(64)]
i8 = Annotated[int, signed(8)]
i16 = Annotated[int, signed(16)]
i32 = Annotated[int, signed(32)]
i64 = Annotated[int, signed(64)]

WIDTHS = {"u8": u8, "u16": u16, "u32": u32, "u64": u64, "i8": i8, "i16": i16, "i32": i32, "i64": i64}


def annotations(function: FunctionType) -> dict[str, object]:
    """The annotations that give a width, by parameter.

    Strings are evaluated where the function would evaluate them, and again if that gives strings: what is in
    quotes where all annotations are strings.
    """
    found = {}
    if hasattr(function, "__wrapped__"):
        return found
    code = function.__code__
    named = code.co_argcount + code.co_kwonlyargcount
    star = code.co_varnames[named] if code.co_flags & CO_VARARGS else None
    for name, annotation in function.__annotations__.items():
        try:
            while isinstance(annotation, str):
                text = f"({annotation},)[0]" if annotation.startswith("*") else annotation
                annotation = eval(text, function.__globals__, WIDTHS)
        except Exception:
            # a name that is there for type checkers alone
            continue
        if name != "return" and _says_width(annotation):
            found[name] = _of_all(annotation) if name == star else annotation
    return found


def _of_all(annotation) -> object:
    """The annotation of the tuple of a parameter with a *: it has one for each item, or one with a *."""
    if get_origin(annotation) is Unpack:
        return get_args(annotation)[0]
    return annotation if getattr(annotation, "__unpacked__", False) else tuple[annotation, ...]


def _width(annotation) -> Int | None:
    if get_origin(annotation) is not Annotated:
        return None
    return next((each for each in annotation.__metadata__ if isinstance(each, Int)), None)


def _says_width(annotation) -> bool:
    return _width(annotation) is not None or any(map(_says_width, get_args(annotation)))


def named_items(annotation) -> int:
    """The most items of a tuple of which the annotation names each."""
    args = get_args(annotation)
    inner = max(map(named_items, args), default=0)
    return max(inner, len(args)) if get_origin(annotation) is tuple and args[1:] != (...,) else inner


def narrowed(kind: PythonKind, annotation) -> PythonKind | None:
    """The kind narrowed to its annotation; None if another kind is annotated."""
    width, args = _width(annotation), get_args(annotation)
    if width is not None:
        return width if kind == INT else None
    if not _says_width(annotation):
        return kind
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        if kind == NULL:
            return NULL if NoneType in args else None
        found = (narrowed(kind, each) for each in args if each is not NoneType)
        return next((each for each in found if each is not None), None)
    if origin is list:
        item = narrowed(INT, args[0])
        return List(item) if kind == List() and isinstance(item, Int) else None
    if origin is tuple and isinstance(kind, List) and args[1:] == (...,):
        item = narrowed(INT, args[0])
        return List(item, kind.maker) if isinstance(item, Int) else None
    if origin is tuple and isinstance(kind, Tuple):
        if args[1:] == (...,):
            args = args[:1] * len(kind.items)
        if len(args) != len(kind.items):
            return None
        items = tuple(map(narrowed, kind.items, args))
        return None if None in items else Tuple(items)
    return None
