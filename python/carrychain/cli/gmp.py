"""carrychain gmp: unchanged programs that use GMP, on our arithmetic."""

import os
import signal
from importlib.resources import files

import click

from .failures import Failure, shown

LIBRARY = "libcarrychain-gmp.so"


@click.group(invoke_without_command=True, short_help="Run programs that use GMP on this arithmetic.")
@click.pass_context
def gmp(ctx: click.Context) -> None:
    """Run programs that use GMP on this arithmetic, as they are."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@gmp.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    short_help="Run PROGRAM with long products in GMP's place.",
)
@click.argument("program", metavar="PROGRAM")
@click.argument("arguments", metavar="[ARGUMENT]...", nargs=-1, type=click.UNPROCESSED)
def run(program: str, arguments: tuple[str, ...]) -> None:
    """Run PROGRAM, with our functions in the place of those of GMP that they are faster than.

    PROGRAM is not changed: LD_PRELOAD names a library whose products, quotients, common divisors, roots,
    powers and conversions are called instead of GMP's, from the size on where they are faster. A program
    that contains GMP itself, as Debian's do not, runs as before, and so does one with privileges of its own
    (setuid). The exit status is PROGRAM's; 2 if it can't be run.
    """
    library = files("carrychain") / LIBRARY
    if not library.is_file():
        raise Failure(f"{LIBRARY} is not here: it is built on Linux, for the machine that builds it")
    before = os.environ.get("LD_PRELOAD", "")
    environment = {**os.environ, "LD_PRELOAD": f"{library}:{before}" if before else str(library)}
    # Python ignores it, which the program would inherit
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        os.execvpe(program, [program, *arguments], environment)
    except OSError as error:
        raise Failure(f"can't run {shown(program)}: {error.strerror}") from None
