"""carrychain run: calls a function of a compiled Lisp program; python_program.py does it for Python."""

from __future__ import annotations

import click

from carrychain.bindings.bigint import to_decimal

from .completion import FILE, functions
from .failures import shown
from .program_arguments import INTEGER, complaints, content, integer

TRUTH = {"t": True, "true": True, "nil": False, "false": False}


def argument(text: str, kind) -> object:
    """An argument converted to its parameter's kind."""
    from carrychain.ring.ir.form import Array, Bool
    from carrychain.ring.ir.interface import Union

    match kind:
        case Union():
            return one_of(text, kind.members)
        case Bool():
            if text.lower() not in TRUTH:
                raise ValueError(f"{shown(text)} is neither t nor nil")
            return TRUTH[text.lower()]
        case Array(text=True):
            if not text.startswith("@"):
                return text
            try:
                return content(text[1:]).decode()
            except UnicodeDecodeError:
                raise ValueError(f"{text[1:]} is not UTF-8 text") from None
        case Array():
            if text.startswith("@"):
                return content(text[1:])
            if text.startswith("#(") and text.endswith(")"):
                text = text[2:-1]
            try:
                return [integer(each) for each in text.replace(",", " ").split()]
            except ValueError as error:
                raise ValueError(f"{error}; an array is 1,2,3, or @NAME for a file") from None
        case _:
            return integer(text)


def one_of(text: str, members) -> object:
    """An argument of one of several kinds: nil, t or an integer if it is written so."""
    from carrychain.ring.ir.form import Array, Int

    truth = TRUTH.get(text.lower())
    first = members[0]
    if truth is not None and not isinstance(first, Int | Array) and (not truth or str(first) != "nil"):
        return truth
    arrays = [member for member in members if isinstance(member, Array)]
    if arrays and not (INTEGER.fullmatch(text.strip()) and any(isinstance(each, Int) for each in members)):
        return argument(text, arrays[0])
    return integer(text)


def arguments_of(texts: tuple[str, ...], takes) -> tuple[list, dict]:
    """The arguments of a call, by position, and after :NAME by name. ValueError says what is wrong."""
    from carrychain.ring.ir.names import name_among

    positional = [taken for taken in takes if taken.how != "key"]
    keys = {taken.name: taken for taken in takes if taken.how == "key"}

    def read(text: str, taken) -> object:
        try:
            return argument(text, taken.kind)
        except ValueError as error:
            raise ValueError(f"{taken.name}: {error}") from None

    given = [read(text, taken) for text, taken in zip(texts, positional, strict=False)]
    rest = texts[len(positional) :]
    named: dict = {}
    for name, text in zip(rest[::2], rest[1::2], strict=False):
        taken = keys.get(name_among(name.removeprefix(":"), keys))
        if taken is None or not name.startswith(":"):
            known = ", ".join(f":{key}" for key in keys)
            raise ValueError(
                f"{shown(name)} is not an argument that is passed by name; those are: {known or 'none'}"
            )
        named.setdefault(taken.name, read(text, taken))
    return given, named


def called(takes, texts: tuple[str, ...]) -> str:
    """What is wrong with the number of arguments, or ""."""
    from carrychain.ring.ir.interface import kind_text

    positional = [taken for taken in takes if taken.how != "key"]
    least, most, count = sum(not taken.how for taken in positional), len(positional), len(texts)
    keyed = most < len(takes)
    if least <= count <= most or (count > most and keyed and (count - most) % 2 == 0):
        return ""
    wanted = f"{least}" if least == most else f"{least} to {most}"
    listed = ", ".join(
        f"{':' * (taken.how == 'key')}{taken.name} ({kind_text(taken.kind)}{', optional' * bool(taken.how)})"
        for taken in takes
    )
    return f"takes {wanted} argument{'s' * (wanted != '1')}, not {count}: {listed or 'nothing'}"


def result(value, in_hex: bool) -> str:
    """A value as Lisp prints it, except that a string has no quotes."""
    if value is None or isinstance(value, bool):
        return "T" if value else "NIL"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return format(value, "x") if in_hex else to_decimal(value)
    return f"#({' '.join(result(each, in_hex) for each in value)})"


# -3 is not an option, but an argument of the function.
@click.command(
    "run",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    short_help="Compile a Lisp or Python program and call a function of it.",
)
@click.option("--no-cut", is_flag=True, help="Use integers of any size throughout.")
@click.option("--validate", is_flag=True, help="Compare each compiler pass's output with its input.")
@click.option("--hex", "in_hex", is_flag=True, help="Print integers in hexadecimal.")
@click.argument("file", type=FILE, metavar="FILE")
@click.argument("function", metavar="FUNCTION", shell_complete=functions)
@click.argument("arguments", metavar="[ARGUMENT]...", nargs=-1)
@click.pass_context
def run_program(
    ctx: click.Context,
    file: str,
    function: str,
    arguments: tuple[str, ...],
    no_cut: bool,
    validate: bool,
    in_hex: bool,
) -> None:
    """Compile a Lisp or Python program, call a function of it, and print what it returns.

    Integers are decimal, or hexadecimal after #x or 0x (octal after #o, binary after #b). Arrays are
    comma-separated integers, or @NAME for a file's bytes (@- for the standard input). Strings are written as
    they are, or @NAME for a file's text. Truth values are t and nil. Arguments after &key are :NAME VALUE.
    Each value is printed on a line of its own.

    A Python program (.py) is imported. There, a file is bytes, truth values are True and False, and
    NAME=VALUE passes an argument by name. The result is printed as Python prints it; --hex also prints bytes
    in hexadecimal.
    """
    from carrychain.ring.call.load import load_lisp
    from carrychain.ring.ir.names import name_among

    if file.endswith(".py"):
        from . import python_program

        if no_cut:
            raise click.UsageError("--no-cut is for Lisp programs; for this one, use Python itself", ctx)
        python_program.run(ctx, file, function, arguments, validate, in_hex)
        return
    with complaints():
        program = load_lisp(file, cut=not no_cut, validate=validate)
        name = name_among(function, program.functions)
        if name is None:
            known = ", ".join(program.functions[:8]) + (", ..." if len(program.functions) > 8 else "")
            raise click.UsageError(f"{file} has no function {shown(function)}; it has {known or 'none'}", ctx)
        takes = program.interface(name).takes
        if wrong := called(takes, arguments):
            raise click.UsageError(f"{name} {wrong}", ctx)
        try:
            given, named = arguments_of(arguments, takes)
            returned = program.call(name, *given, **named)
        except (TypeError, OverflowError, ValueError) as error:
            raise click.UsageError(str(error), ctx) from None
    values = returned if isinstance(returned, tuple) else (returned,)
    for value in values:
        click.echo(result(value, in_hex))
    if not values:
        click.echo("; No value")
