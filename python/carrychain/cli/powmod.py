"""carrychain powmod: B^E mod M."""

import os
import re

import click

from carrychain.bindings import fixed
from carrychain.bindings.bigint import BigInt

from .console import Failure, out, shown

# of what is read from a file, which may have no end
LONGEST = 1_000_000
NUMBER = re.compile(rb"(-?)(?:0[xX]([0-9a-fA-F]+)|([0-9]+))")
# as much of a number as there is
BEGINNING = re.compile(rb"-?(?:0[xX][0-9a-fA-F]*|[0-9]*)")
HINT = "a whole number, decimal, or hexadecimal after 0x"


def number(name: str, text: str, ctx: click.Context) -> int:
    if text.startswith("@"):
        content = read(name, text[1:], ctx)
        found = NUMBER.fullmatch(content.strip())
        if not found:
            # what is in a file may be secret: where it is wrong, and nothing of it
            indent = len(content) - len(content.lstrip())
            before = content[: BEGINNING.match(content, indent).end()]
            line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
            where = f"{name}: {source(text[1:])}, line {line}, column {column}"
            raise click.UsageError(f"{where}: the file must hold {HINT}, and nothing else", ctx)
    else:
        if re.match("-[^0-9]", text):
            raise click.NoSuchOption(text[:60], ctx=ctx)
        found = NUMBER.fullmatch(os.fsencode(text))
        if not found:
            raise click.UsageError(
                f"{name} must be {HINT}, or @FILE that holds one of the two, not {shown(text)}", ctx
            )
    sign, hexadecimal, decimal = found.groups()
    # Python's int() refuses 16384 bits in decimal
    magnitude = int(BigInt.from_string((hexadecimal or decimal).decode(), 16 if hexadecimal else 10))
    return -magnitude if sign else magnitude


def source(path: str) -> str:
    return "standard input" if path == "-" else shown(path)


def read(name: str, path: str, ctx: click.Context) -> bytes:
    try:
        # a duplicate, so that the standard input stays open
        with open(os.dup(0) if path == "-" else path, "rb") as file:
            content = file.read(LONGEST + 1)
    except OSError as error:
        raise Failure(f"{name}: {source(path)}: {error.strerror}") from None
    if len(content) > LONGEST:
        raise click.UsageError(f"{name}: {source(path)} holds more than {LONGEST:,} bytes", ctx)
    return content


# -3 is no option, but a number.
@click.command(context_settings={"ignore_unknown_options": True}, short_help="B^E mod M in constant time.")
@click.argument("b", metavar="B")
@click.argument("e", metavar="E")
@click.argument("m", metavar="M")
@click.option("--hex", "hexadecimal", is_flag=True, help="Print it in hexadecimal.")
@click.pass_context
def powmod(ctx: click.Context, b: str, e: str, m: str, hexadecimal: bool) -> None:
    """B^E mod M, computed in a time that shows how many words E and M take, and whether M is odd, no more.

    Each is decimal, hexadecimal after 0x, or @FILE: a file with such a number in it and nothing else, @- for
    the standard input. Other users of the machine see the arguments in its list of processes, but not what a
    file holds, and no message repeats it. E and M have 16384 bits at most. A negative E needs a B that has an
    inverse modulo M.
    """
    if [b, e, m].count("@-") > 1:
        raise click.UsageError("@- is the standard input, which can be read only once", ctx)
    try:
        result = fixed.powmod(number("B", b, ctx), number("E", e, ctx), number("M", m, ctx))
    except (OverflowError, ValueError) as error:
        raise click.UsageError(str(error), ctx) from None
    out.print(hex(result) if hexadecimal else BigInt(result).to_string(10), soft_wrap=True)
