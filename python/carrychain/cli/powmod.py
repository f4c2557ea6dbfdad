"""carrychain powmod: B^E mod M, and of many."""

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from io import FileIO

import click

from carrychain.bindings import fixed
from carrychain.bindings.bigint import from_decimal, to_decimal
from carrychain.files import PIECE, Writer

from .completion import FILE
from .console import out
from .failures import Failure, shown
from .fib import Bar

# of what is read from a file, or from a line of one, which may have no end
LONGEST = 1_000_000
# Words cubed: after so much work of a batch, what is done is written.
SHARE = 2**24
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
    return value(found)


def value(found: re.Match[bytes]) -> int:
    """Of a NUMBER."""
    sign, hexadecimal, decimal = found.groups()
    # Python's int() refuses 16384 bits in decimal
    magnitude = int(hexadecimal, 16) if hexadecimal else from_decimal(decimal.decode())
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


def batch(path: str, hexadecimal: bool) -> None:
    name = "standard input" if path == "-" else path
    answers = Writer(1, "standard output")
    with ExitStack() as stack:
        try:
            file = stack.enter_context(open(os.dup(0) if path == "-" else path, "rb", buffering=0))
        except OSError as error:
            raise Failure(f"{name}: {error.strerror}") from None
        # the answers may be for the terminal that the bar is on
        bar = None if sys.stdout.isatty() else stack.enter_context(Bar())
        if bar:
            bar.part("computing")
        size = os.fstat(file.fileno()).st_size
        for share, done in shares(file, name):
            for power in powers(share):
                # each line by itself, which a pipe then takes whole, or not at all
                answers.write(f"{hex(power) if hexadecimal else to_decimal(power)}\n".encode())
            if bar and size:
                bar.report(min(done, size), size)


def shares(file: FileIO, name: str) -> Iterator[tuple[list[fixed.Operands], int]]:
    """What the lines at hand ask for, so much of it together, and how many bytes were read up to there.

    Failure at a line that is wrong, after all before it.
    """
    number = done = 0
    for lines in lines_at_hand(file, name):
        share, cost = [], 0
        for line in lines:
            number += 1
            try:
                share.append(operands(line))
            except (OverflowError, ValueError) as error:
                yield share, done
                raise Failure(f"{name}:{number}: {error}") from None
            done += len(line) + 1
            n, en = fixed.widths(share[-1:])
            cost += n * n * en
            if cost >= SHARE:
                yield share, done
                share, cost = [], 0
        yield share, done


def lines_at_hand(file: FileIO, name: str) -> Iterator[list[bytes]]:
    """As many whole lines as there are without a wait, their ends cut off; the last one needs none."""
    rest = b""
    while True:
        try:
            piece = file.read(PIECE)
        except OSError as error:
            raise Failure(f"{name}: {error.strerror}") from None
        *lines, rest = (rest + piece).split(b"\n")
        if rest and (not piece or len(rest) > LONGEST):
            lines.append(rest)
        yield lines
        if not piece:
            return


def operands(line: bytes) -> fixed.Operands:
    """ValueError and OverflowError say what is wrong, and nothing of the line."""
    if len(line) > LONGEST:
        raise ValueError(f"a line has {LONGEST:,} bytes at most")
    numbers = line.split()
    if len(numbers) != 3:
        raise ValueError(f"a line must hold B, E and M with blanks between them, not {len(numbers)} of them")
    found = [NUMBER.fullmatch(each) for each in numbers]
    for each, name in zip(found, "BEM", strict=True):
        if not each:
            raise ValueError(f"{name} must be {HINT}")
    return fixed.operands(*map(value, found))


def powers(share: list[fixed.Operands]) -> list[int]:
    """Those of the same widths together: eight may be done at once."""
    alike = defaultdict(list)
    for i, each in enumerate(share):
        alike[fixed.widths([each])].append(i)
    result = [0] * len(share)
    for places in alike.values():
        for i, power in zip(places, fixed.powers([share[i] for i in places]), strict=True):
            result[i] = power
    return result


# -3 is no option, but a number.
@click.command(context_settings={"ignore_unknown_options": True}, short_help="B^E mod M in constant time.")
@click.argument("b", metavar="B", required=False)
@click.argument("e", metavar="E", required=False)
@click.argument("m", metavar="M", required=False)
@click.option("--hex", "hexadecimal", is_flag=True, help="Print it in hexadecimal.")
@click.option(
    "--batch", "path", type=FILE, metavar="FILE", help="A power for each line of FILE, which holds B E M."
)
@click.pass_context
def powmod(
    ctx: click.Context, b: str | None, e: str | None, m: str | None, hexadecimal: bool, path: str | None
) -> None:
    """B^E mod M, computed in a time that shows how many words E and M take, and whether M is odd, no more.

    Each is decimal, hexadecimal after 0x, or @FILE: a file with such a number in it and nothing else, @- for
    the standard input. Other users of the machine see the arguments in its list of processes, but not what a
    file holds, and no message repeats it. E and M have 16384 bits at most. A negative E needs a B that has an
    inverse modulo M.

    --batch reads such numbers three a line, with blanks between them, from FILE, - for the standard input,
    and prints a line for each, in order; those of one size are computed together. At a line that is wrong
    it ends, with exit status 2: the lines printed are the answers to those before.
    """
    given = [each for each in (b, e, m) if each is not None]
    if path is not None:
        if given:
            raise click.UsageError("--batch takes B, E and M from its FILE: give none of them beside it", ctx)
        return batch(path, hexadecimal)
    if len(given) < 3:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[len(given)])
    if given.count("@-") > 1:
        raise click.UsageError("@- is the standard input, which can be read only once", ctx)
    try:
        result = fixed.powmod(*(number(name, text, ctx) for name, text in zip("BEM", given, strict=True)))
    except (OverflowError, ValueError) as error:
        raise click.UsageError(str(error), ctx) from None
    out.print(hex(result) if hexadecimal else to_decimal(result), soft_wrap=True)
