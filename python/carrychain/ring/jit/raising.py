"""Exceptions as the function's own source would raise them: of that type, from that line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

from ..errors import Trap
from ..front.python.kinds import Lowered
from ..ir import Position
from ..lower.arrays import OUT_OF_BOUNDS
from ..program import position_of
from ..words.form import OUT_OF_MEMORY, Site

# What checks of the IR say, as Python says it.
ERRORS: dict[str, tuple[type[Exception], str]] = {
    "division by zero": (ZeroDivisionError, "integer division or modulo by zero"),
    OUT_OF_BOUNDS: (IndexError, "index out of range"),
    "recursion too deep": (RecursionError, "maximum recursion depth exceeded"),
    "isqrt of a negative integer": (ValueError, "isqrt() argument must be nonnegative"),
    "expt with a negative exponent": (ValueError, "negative exponent"),
    "an array of {operand} elements": (ValueError, "negative count"),
}


def error_of(site: Site, message: str, lowered: Lowered, world: dict) -> BaseException:
    """What a check that failed raises, from the line that it stands in; `world` is the function's."""
    position = position_of(site)
    if site.message.startswith("raise "):
        type_, args = lowered.raised[int(site.message.removeprefix("raise "))]
        error = type_(*args)
    elif site.message == OUT_OF_MEMORY:
        error = MemoryError()
    elif site.message in ERRORS:
        type_, text = ERRORS[site.message]
        error = type_(lowered.indexed.get(site.position, text))
    elif site.message.startswith("{operand} is not of type "):
        error = OverflowError(message)
    else:
        return Trap(message, position)
    return _from(error, position, lowered.codes, world) if position else error


def _from(error: BaseException, position: Position, codes: list[CodeType], world: dict) -> BaseException:
    """The error, raised in a frame of the function whose code has this line."""
    code = _code_at(position, codes)
    tree = ast.parse("raise error")
    for node in ast.walk(tree):
        # one caret, where the expression begins
        node.lineno = node.end_lineno = position.line
        node.col_offset, node.end_col_offset = position.column - 1, position.column
    raising = compile(tree, position.file, "exec")
    if code is not None:
        raising = raising.replace(co_name=code.co_name, co_qualname=code.co_qualname)
    names = {"error": error}
    try:
        exec(raising, world, names)
    except BaseException as raised:
        # no frame of this file is in it, and its own holds nothing
        names.clear()
        return raised.with_traceback(raised.__traceback__.tb_next)
    raise AssertionError("raise has not raised")


def _code_at(position: Position, codes: list[CodeType]) -> CodeType | None:
    """The innermost of the codes whose lines these are."""
    found = None
    for code in (each for top in codes for each in _with_nested(top)):
        lines = [line for *_, line in code.co_lines() if line is not None]
        if code.co_filename == position.file and code.co_firstlineno <= position.line <= max(
            lines, default=0
        ):
            found = code if found is None or code.co_firstlineno >= found.co_firstlineno else found
    return found


def _with_nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_nested(constant)
