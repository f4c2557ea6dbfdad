"""carrychain checksum: the Internet checksum of files."""

import os
import sys
from contextlib import suppress

import click
from rich.text import Text

from carrychain.bindings.checksum import Checksum
from carrychain.texts import printable

from .completion import FILE
from .console import err
from .failures import TROUBLE
from .progress import Bar

# Fits into a core's second cache: what was read is summed before it leaves it.
BLOCK = 1 << 19


@click.command(short_help="The Internet checksum of files.")
@click.argument("files", type=FILE, metavar="FILE...", nargs=-1, required=True)
@click.pass_context
def checksum(ctx: click.Context, files: tuple[str, ...]) -> None:
    """The Internet checksum (RFC 1071) of each FILE, in hexadecimal; - is the standard input.

    If a file cannot be read, the others are still summed, and the exit status is 2.
    """
    if files.count("-") > 1:
        raise click.UsageError("- is the standard input, which can be read only once", ctx)
    block = memoryview(bytearray(BLOCK))
    status = 0
    with Bar() as bar:
        total, before = sum(map(_size, files)), 0
        for name in files:
            bar.part(os.path.basename(name)[-12:])

            def report(done: int, before: int = before) -> None:
                if bar.watch.report and total:
                    bar.watch.report(min(before + done, total), total)

            try:
                value = _of_file(name, block, report)
            except OSError as error:
                status = TROUBLE
                sys.stdout.flush()
                err.print(Text(printable(f"carrychain: {name}: {error.strerror}")), soft_wrap=True)
            else:
                # whatever bytes are in a name
                click.echo(f"{value:04x}  ".encode() + os.fsencode(name))
            before += _size(name)
    if status:
        raise click.exceptions.Exit(status)


def _size(name: str) -> int:
    with suppress(OSError):
        return os.stat(0 if name == "-" else name).st_size
    return 0


def _of_file(name: str, block: memoryview, report) -> int:
    state = Checksum()
    done = 0
    # a duplicate, so that the standard input stays open
    with open(os.dup(0) if name == "-" else name, "rb", buffering=0) as file:
        while count := file.readinto(block):
            state.update(block[:count])
            done += count
            report(done)
    return state.value
