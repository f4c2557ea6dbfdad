"""What the widths of docs/how-to/python.md mean to a call of a function under `jit`: they are read off the
annotations' text, for the walker (python_walker.py)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

WIDTHS = {f"{sign}{bits}": (sign == "i", bits) for sign in "ui" for bits in (8, 16, 32, 64)}
# By their ids: the lists that hold such words until the call ends, and the width.
held: dict[int, tuple[str, list]] = {}


@contextmanager
def checked(
    name: str, parameters: dict[str, ast.expr | None], arguments: dict[str, object]
) -> Iterator[None]:
    """A call from outside: its arguments are looked at from left to right."""
    global held
    before, held = held, {}
    try:
        for each, annotation in parameters.items():
            look(annotation, arguments[each], f"{name}: {each}")
        yield
    finally:
        held = before


def of_all(annotation: ast.expr | None) -> ast.expr | None:
    """Of all that a parameter with a * takes: it is annotated as each of them, or, with a *, as the tuple."""
    match annotation:
        case None:
            return None
        case ast.Constant(value=str(text)):
            return of_all(ast.parse(f"[{text}]", mode="eval").body.elts[0])
        case ast.Starred(whole):
            return whole
    return ast.Subscript(ast.Name("tuple"), ast.Tuple([annotation, ast.Constant(...)]))


def check_item(container: object, at: object, item: object) -> None:
    """What is stored there, if there is such a place."""
    width, _ = held.get(id(container), ("", container))
    is_there = width and not isinstance(at, slice) and -len(container) <= at < len(container)
    if is_there and not is_word(item, width):
        raise declared(OverflowError(f"an item of type {width} is wanted"))


def look(annotation: ast.expr | None, argument: object, where: str) -> None:
    """The kind of the whole first, then each int."""
    match annotation:
        case ast.Constant(value=str(text)):
            return look(ast.parse(text, mode="eval").body, argument, where)
    if annotation is None or not says_width(annotation):
        return None
    if not fits(annotation, argument):
        name = type(argument).__name__
        shown = "None" if argument is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
        raise declared(TypeError(f"{where} is {shown}, not as it is annotated"))
    return within(annotation, argument, where)


def declared(exception: Exception) -> Exception:
    vars(exception).update(declared=True, walked=[])
    return exception


def says_width(annotation: ast.expr) -> bool:
    return any(isinstance(each, ast.Name) and each.id in WIDTHS for each in ast.walk(annotation))


def fits(annotation: ast.expr, argument: object) -> bool:
    """Whether it is of the kind that is annotated, whatever its ints are. What says no width says nothing."""
    if not says_width(annotation):
        return True
    match annotation:
        case ast.Name():
            return type(argument) is int
        case ast.BinOp(left, ast.BitOr(), right):
            ways = [each for each in (left, right) if not is_none(each)]
            return len(ways) < 2 if argument is None else any(fits(each, argument) for each in ways)
        case ast.Subscript(ast.Name("list"), item):
            return type(argument) is list and all(fits(item, each) for each in argument)
        case ast.Subscript(ast.Name("tuple"), ast.Tuple(items)):
            if type(argument) is not tuple:
                return False
            items = items_of(items, argument)
            return len(items) == len(argument) and all(map(fits, items, argument))
    return False


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def items_of(items: list[ast.expr], argument: tuple) -> list[ast.expr]:
    match items:
        case [item, ast.Constant(value=value)] if value is ...:
            return [item] * len(argument)
    return items


def within(annotation: ast.expr, argument: object, where: str) -> None:
    """OverflowError, if an int is not of its width; a list's stay so."""
    if argument is None or not says_width(annotation):
        return
    match annotation:
        case ast.Name(width):
            if not is_word(argument, width):
                shown = (
                    argument
                    if argument.bit_length() <= 256
                    else f"an integer of {argument.bit_length()} bits"
                )
                raise declared(OverflowError(f"{where} is {shown}, not of type {width}"))
        case ast.BinOp(left, ast.BitOr(), right):
            within(next(x for x in (left, right) if not is_none(x) and fits(x, argument)), argument, where)
        case ast.Subscript(ast.Name("list"), item):
            for at, each in enumerate(argument):
                within(item, each, f"{where}[{at}]")
            held[id(argument)] = item.id, argument
        case ast.Subscript(slice=ast.Tuple(items)):
            for at, (item, each) in enumerate(zip(items_of(items, argument), argument, strict=True)):
                within(item, each, f"{where}[{at}]")


def is_word(number: int, width: str) -> bool:
    signed, bits = WIDTHS[width]
    low = -(2 ** (bits - 1)) if signed else 0
    return low <= number < low + 2**bits
