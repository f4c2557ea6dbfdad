"""Exceptions as the function's own source would raise them, with their type and line."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, TracebackType

from ...front.python.kinds import Lowered
from ...ir.errors import Trap
from ...ir.form import Position
from ...lower.arrays import OUT_OF_BOUNDS
from ...machine.form import OUT_OF_MEMORY, Site
from ..program import position_of

# The exceptions that Python raises for the IR's checks, by their messages.
ERRORS: dict[str, tuple[type[Exception], str]] = {
    "division by zero": (ZeroDivisionError, "integer division or modulo by zero"),
    OUT_OF_BOUNDS: (IndexError, "index out of range"),
    "recursion too deep": (RecursionError, "maximum recursion depth exceeded"),
    "isqrt of a negative integer": (ValueError, "isqrt() argument must be nonnegative"),
    "expt with a negative exponent": (ValueError, "negative exponent"),
    "an array of {operand} elements": (ValueError, "negative count"),
}

RAISING = compile("raise Exception", "<raising>", "exec")


def error_of(site: Site, message: str, lowered: Lowered, world: dict) -> BaseException:
    """The exception of a failed check, raised from its line; `world` is the function's module."""
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
    if position is None:
        return error
    stack = [position, *map(Position.read, site.callers)]
    return error.with_traceback(_traceback(stack, lowered.codes, world))


def _traceback(stack: list[Position], codes: list[CodeType], world: dict) -> TracebackType | None:
    """A traceback with frames of functions whose code has these lines, innermost first."""
    every = [each for top in codes for each in _with_nested(top)]
    found = code = None
    for position in stack:
        # a comprehension begins at its own call, and is not recursive
        others = [each for each in every if each is not code or not code.co_name.endswith(("comp>", "expr>"))]
        code = _code_at(position, others)
        # the innermost frame is also one of the source, even if its function was made by another
        if code is not None or found is None:
            found = _frame(position, code, world, found)
    return found


def _frame(
    position: Position, code: CodeType | None, world: dict, inner: TracebackType | None
) -> TracebackType:
    """A frame of the code, or of none, in which an exception was raised."""
    raising = RAISING.replace(co_filename=position.file, co_linetable=_located(position))
    if code is not None:
        raising = raising.replace(co_name=code.co_name, co_qualname=code.co_qualname)
    try:
        exec(raising, world, {})
    except Exception as raised:
        # without this file's frame
        at = raised.__traceback__.tb_next
        return TracebackType(inner, at.tb_frame, at.tb_lasti, at.tb_lineno)
    raise AssertionError("raise has not raised")


def _located(position: Position) -> bytes:
    """The location table of RAISING by which all of it is at the position: one caret, at the beginning.

    The table is written as Objects/locations.md of CPython has it. Parsing a text with such positions instead
    may fail near the limit of recursion, where errors are raised, too.
    """
    table, line, units = bytearray(), position.line - RAISING.co_firstlineno, len(RAISING.co_code) // 2
    for at in range(0, units, 8):
        table.append(0x80 | 14 << 3 | min(units - at, 8) - 1)
        # the line less the last entry's, signed; the lines to its end; the columns, 0 for none
        for number in (line << 1 if line >= 0 else -line << 1 | 1, 0, position.column, position.column + 1):
            while number > 63:
                table.append(0x40 | number & 63)
                number >>= 6
            table.append(number)
        line = 0
    return bytes(table)


def _code_at(position: Position, codes: list[CodeType]) -> CodeType | None:
    """The innermost code with an expression that begins there; otherwise the one that has the line."""
    here = [each for each in codes if _has_line(each, position)]
    at = position.line, position.column - 1
    exact = [each for each in here if any((line, column) == at for line, _, column, _ in each.co_positions())]
    return max(exact or here, key=lambda code: code.co_firstlineno, default=None)


def _has_line(code: CodeType, position: Position) -> bool:
    last = max((line for *_, line in code.co_lines() if line is not None), default=0)
    return code.co_filename == position.file and code.co_firstlineno <= position.line <= last


def _with_nested(code: CodeType) -> Iterator[CodeType]:
    """Each code before those nested in it, innermost first."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_nested(constant)
    yield code
