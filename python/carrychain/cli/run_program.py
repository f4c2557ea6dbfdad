"""carrychain run: a function of a Lisp program, compiled."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from pathlib import Path

import click

from carrychain.bindings.watch import interruptible

from .console import Failure, shown

INTEGER = re.compile(r"([+-]?)(?:(#x|0x)([0-9a-f]+)|(#o)([0-7]+)|(#b)([01]+)|([0-9]+))", re.IGNORECASE)
BASES = {2: 16, 4: 8, 6: 2}


@contextmanager
def complaints():
    """What is wrong with a program, its arguments or its run, as one line."""
    from carrychain.ring.errors import RingError

    try:
        yield
    except RingError as error:
        raise Failure(str(error)) from None


def integer(text: str) -> int:
    match = INTEGER.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{shown(text)} is no integer: write it in decimal, or #x and hexadecimal digits")
    sign = -1 if match[1] == "-" else 1
    for group, base in BASES.items():
        if match[group]:
            return sign * int(match[group + 1], base)
    if len(match[8]) > sys.get_int_max_str_digits() > 0:
        raise ValueError("an integer of so many digits must be written in hexadecimal")
    return sign * int(match[8])


def content(name: str) -> bytes:
    """The bytes of a file; - is the standard input."""
    if name == "-":
        return sys.stdin.buffer.read()
    return Path(name).read_bytes()


def argument(text: str, type_) -> object:
    """An argument as its parameter's type wants it."""
    from carrychain.ring.ir import Array, Bool

    match type_:
        case Bool():
            if text.lower() not in ("t", "nil", "true", "false"):
                raise ValueError(f"{shown(text)} is neither t nor nil")
            return text.lower() in ("t", "true")
        case Array(text=True):
            if not text.startswith("@"):
                return text
            try:
                return content(text[1:]).decode()
            except UnicodeDecodeError:
                raise ValueError(f"{text[1:]} is no text in UTF-8") from None
        case Array():
            if text.startswith("@"):
                return content(text[1:])
            if text.startswith("#(") and text.endswith(")"):
                text = text[2:-1]
            return [integer(each) for each in text.replace(",", " ").split()]
        case _:
            return integer(text)


def result(value, base: str) -> str:
    """A value as Lisp would print it, a string without its quotes."""
    if isinstance(value, bool):
        return "T" if value else "NIL"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return format(value, base)
    return f"#({' '.join(format(each, base) for each in value)})"


# -3 is no option, but an argument of the function.
@click.command(
    "run",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    short_help="Compile a Lisp program and call a function of it.",
)
@click.option("--no-cut", is_flag=True, help="Compute with integers of any size throughout.")
@click.option("--hex", "in_hex", is_flag=True, help="Print integers in hexadecimal.")
@click.argument("file", metavar="FILE")
@click.argument("function", metavar="FUNCTION")
@click.argument("arguments", metavar="[ARGUMENT]...", nargs=-1)
@click.pass_context
def run_program(
    ctx: click.Context, file: str, function: str, arguments: tuple[str, ...], no_cut: bool, in_hex: bool
) -> None:
    """Compile a Lisp program and call a function of it; print what it returns.

    Integers are decimal, or #x and hexadecimal digits; arrays are integers with commas between them, or
    @NAME for a file's bytes (@- the standard input's); strings are as they are, or @NAME for a file's text.
    """
    from carrychain.ring.front.ssa import printable
    from carrychain.ring.load import load_lisp

    with complaints():
        program = load_lisp(file, cut=not no_cut)
        name = printable(function)
        if name not in program.functions:
            known = ", ".join(program.functions[:8]) + (", ..." if len(program.functions) > 8 else "")
            raise click.UsageError(f"{file} has no function {shown(function)}; it has {known or 'none'}", ctx)
        params = program.params(name)
        if len(arguments) != len(params):
            takes = ", ".join(f"{param} ({type_})" for param, type_ in params) or "nothing"
            count = f"{len(params)} argument{'s' * (len(params) != 1)}"
            raise click.UsageError(f"{name} takes {count}, not {len(arguments)}: {takes}", ctx)
        values = []
        for text, (param, type_) in zip(arguments, params, strict=True):
            try:
                values.append(argument(text, type_))
            except ValueError as error:
                raise click.UsageError(f"{param}: {error}", ctx) from None
        try:
            # compiled code does not look for Ctrl-C, nor for being told to stop: the process ends with it
            returned = interruptible(lambda: program.call(name, *values), lambda: None)
        except (TypeError, OverflowError, ValueError) as error:
            raise click.UsageError(str(error), ctx) from None
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        for value in returned if isinstance(returned, tuple) else () if returned is None else (returned,):
            click.echo(result(value, "x" if in_hex else "d"))
    finally:
        sys.set_int_max_str_digits(before)
