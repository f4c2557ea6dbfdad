"""Calls a function of a Python program for carrychain run and carrychain explain."""

from __future__ import annotations

import ast
import re
import traceback
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType

import click

from carrychain.bindings.bigint import to_decimal

from .failures import Failure, shown
from .program_arguments import INTEGER, complaints, content, integer

NAMED = re.compile(r"([^\W\d]\w*)=(.*)", re.DOTALL)
TRUTH = {"True": True, "False": False, "None": None}


def function_of(file: str, name: str, ctx: click.Context):
    """The named function of the program, jitted. Imports the program."""
    from carrychain.ring.call.jit import jit
    from carrychain.ring.call.jit.function import Jitted
    from carrychain.ring.call.load import load_python

    Path(file).read_bytes()
    with failures(file):
        module = load_python(file)
    functions = {
        key: value for key, value in vars(module).items() if isinstance(value, FunctionType | Jitted)
    }
    if name not in functions:
        known = ", ".join(list(functions)[:8]) + (", ..." if len(functions) > 8 else "")
        raise click.UsageError(f"{file} has no function {shown(name)}; it has {known or 'none'}", ctx)
    with complaints():
        return jit(functions[name])


@contextmanager
def failures(file: str):
    """Turns an exception of the program into one line: its position and message."""
    try:
        yield
    except (KeyboardInterrupt, Failure, click.ClickException):
        raise
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        at = [frame for frame in frames if Path(frame.filename).name == Path(file).name] or frames[-1:]
        line = error.lineno if isinstance(error, SyntaxError) else at[-1].lineno if at else 0
        where = error.filename if isinstance(error, SyntaxError) else at[-1].filename if at else file
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        raise Failure(f"{where}:{line}: {type(error).__name__}{': ' * bool(text)}{text}") from None


def argument(text: str) -> object:
    """An int as for Lisp, @NAME, comma-separated ints, or a Python literal."""
    if text.startswith("@"):
        return content(text[1:])
    if text in TRUTH or INTEGER.fullmatch(text.strip()):
        return TRUTH[text] if text in TRUTH else integer(text)
    items = text.split(",")
    if len(items) > 1 and all(INTEGER.fullmatch(each.strip()) for each in items if each.strip()):
        return [integer(each) for each in items if each.strip()]
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = text
    if isinstance(found, int | bytes | list | tuple):
        return found
    raise ValueError(
        f"{shown(text)} is not an argument: write an integer, True, False, None, b'...', 1,2,3, "
        "or @NAME for a file's bytes"
    )


def arguments_of(function, texts: tuple[str, ...], ctx: click.Context) -> tuple:
    """All arguments of the function, in its order."""
    from carrychain.ring.call.jit.arguments import Unfit

    given, named = [], {}
    try:
        for text in texts:
            match = NAMED.fullmatch(text)
            if match:
                named[match[1]] = argument(match[2])
            else:
                given.append(argument(text))
        found = tuple(map(as_annotated, function._bound(given, named), annotations_of(function)))
        function._kinds_of(found)
    except (TypeError, ValueError) as error:
        raise click.UsageError(str(error), ctx) from None
    except Unfit as unfit:
        raise click.UsageError(str(unfit.error), ctx) from None
    return found


def annotations_of(function) -> list:
    return [function.__wrapped__.__annotations__.get(name) for name in function._names]


def as_annotated(value, annotation):
    """Bytes converted to the type that the parameter is annotated with."""
    makers = {"bytearray": bytearray, "memoryview": memoryview}
    maker = makers.get(getattr(annotation, "__name__", annotation))
    return maker(value) if maker and isinstance(value, bytes) else value


def result(value, in_hex: bool) -> str:
    """The value as Python prints it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return format(value, "x") if in_hex else to_decimal(value)
    if isinstance(value, bytes | bytearray | memoryview) and in_hex:
        return bytes(value).hex()
    if isinstance(value, list):
        return f"[{', '.join(result(each, in_hex) for each in value)}]"
    if isinstance(value, tuple):
        return f"({', '.join(result(each, in_hex) for each in value)}{',' * (len(value) == 1)})"
    return repr(value)


def run(
    ctx: click.Context, file: str, name: str, texts: tuple[str, ...], validate: bool, in_hex: bool
) -> None:
    function = function_of(file, name, ctx)
    given = arguments_of(function, texts, ctx)
    with complaints():
        version = function.version(function._kinds_of(given))
        if validate:
            from carrychain.ring.call.jit.narrowed import with_narrowed
            from carrychain.ring.compile import validated

            validated(with_narrowed(version.lowered.module, version.lowered.entry), True)
    positional = function.__wrapped__.__code__.co_argcount
    with failures(file):
        returned = function(
            *given[:positional], **dict(zip(function._names[positional:], given[positional:], strict=True))
        )
    click.echo(result(returned, in_hex))
