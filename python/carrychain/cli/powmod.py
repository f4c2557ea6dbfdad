"""carrychain powmod: B^E mod M, once or in batches."""

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
from .progress import Bar

# bytes read from a file, or from a line of one: either may be endless
LONGEST = 1_000_000
# Words cubed: after this much work of a batch, results are written.
SHARE = 2**24
NUMBER = re.compile(rb"(-?)(?:0[xX]([0-9a-fA-F]+)|([0-9]+))")
# the longest prefix that may begin a number
BEGINNING = re.compile(rb"-?(?:0[xX][0-9a-fA-F]*|[0-9]*)")
HINT = "a whole number, decimal, or hexadecimal after 0x"


def number(name: str, text: str, ctx: click.Context) -> int:
    if text.startswith("@"):
        content = read(name, text[1:], ctx)
        found = NUMBER.fullmatch(content.strip())
        if not found:
            # the file may be secret: say where it is wrong, and repeat nothing of it
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
    """The value of a NUMBER match."""
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
        # the results may go to the terminal that the bar is on
        bar = None if sys.stdout.isatty() else stack.enter_context(Bar())
        if bar:
            bar.part("computing")
        size = os.fstat(file.fileno()).st_size
        for share, done in shares(file, name):
            for power in powers(share):
                # one write per line, which a pipe takes completely or not at all
                answers.write(f"{hex(power) if hexadecimal else to_decimal(power)}\n".encode())
            if bar and size:
                bar.report(min(done, size), size)


def shares(file: FileIO, name: str) -> Iterator[tuple[list[fixed.Operands], int]]:
    """The requests in the available lines, in batches of limited work, and the number of bytes read so far.

    Failure at the first wrong line, after everything before it.
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
    """As many complete lines as are available without waiting, without their newlines."""
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
    """ValueError and OverflowError say what is wrong without repeating any of the line."""
    if len(line) > LONGEST:
        raise ValueError(f"a line has {LONGEST:,} bytes at most")
    numbers = line.split()
    if len(numbers) != 3:
        raise ValueError(
            f"a line must hold B, E and M, separated by blanks; this one has {len(numbers)} numbers"
        )
    found = [NUMBER.fullmatch(each) for each in numbers]
    for each, name in zip(found, "BEM", strict=True):
        if not each:
            raise ValueError(f"{name} must be {HINT}")
    return fixed.operands(*map(value, found))


def powers(share: list[fixed.Operands]) -> list[int]:
    """Powers of the same widths are computed together, because eight may be done at once."""
    alike = defaultdict(list)
    for i, each in enumerate(share):
        alike[fixed.widths([each])].append(i)
    result = [0] * len(share)
    for places in alike.values():
        for i, power in zip(places, fixed.powers([share[i] for i in places]), strict=True):
            result[i] = power
    return result


# -3 is not an option, but a number.
@click.command(context_settings={"ignore_unknown_options": True}, short_help="B^E mod M in constant time.")
@click.argument("b", metavar="B", required=False)
@click.argument("e", metavar="E", required=False)
@click.argument("m", metavar="M", required=False)
@click.option("--hex", "hexadecimal", is_flag=True, help="Print the result in hexadecimal.")
@click.option(
    "--batch", "path", type=FILE, metavar="FILE", help="Compute a power for each line B E M of FILE."
)
@click.pass_context
def powmod(
    ctx: click.Context, b: str | None, e: str | None, m: str | None, hexadecimal: bool, path: str | None
) -> None:
    """B^E mod M in constant time. The time depends only on the lengths of E and M and on whether M is odd.

    Each argument is decimal, hexadecimal after 0x, or @FILE: a file that contains such a number and nothing
    else (@- for the standard input). Other users can see arguments in the process list, but not the contents
    of a file, which no error message repeats. E and M have at most 16384 bits. For a negative E, B must have
    an inverse modulo M.

    --batch reads lines of three such numbers, separated by blanks, from FILE (- for the standard input). It
    prints one line for each, in order. Numbers of the same size are computed together. It stops at the first
    wrong line, with exit status 2; the lines printed are the answers to the lines before.
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
