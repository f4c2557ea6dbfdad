"""carrychain report: the papers' tables and figures, published next to measured."""

import importlib.util

import click

from .console import out
from .failures import Failure


@click.command(short_help="The five papers, measured, as HTML pages.")
@click.option(
    "-o",
    "directory",
    metavar="DIR",
    type=click.Path(file_okay=False),
    default="report",
    show_default=True,
    help="The directory to write to.",
)
@click.option("--quick", is_flag=True, help="Take under a minute: fewer repeats, and no big numbers.")
@click.option(
    "--compare",
    metavar="FILE",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Show the ratios of another report, its DIR/measured.json, too.  May be repeated.",
)
@click.pass_context
def report(ctx: click.Context, directory: str, quick: bool, compare: tuple[str, ...]) -> None:
    """Measure, and write an HTML page for each of the five papers.

    If it was interrupted, the same command continues with what was not measured yet.
    """
    if not directory:
        raise click.UsageError("-o needs the name of a directory", ctx)
    if not importlib.util.find_spec("matplotlib"):
        raise Failure("the plots need matplotlib: pip install 'carrychain[report]'")
    from carrychain.report import Foreign, write

    try:
        with out.status("at work"):
            page = write(directory, out.print, quick=quick, compare=compare)
    except Foreign as error:
        raise Failure(str(error)) from None
    out.print(f"written: {page}", soft_wrap=True)
