"""carrychain report: the papers' tables and figures, published beside measured."""

import importlib.util

import click

from .console import out
from .failures import Failure


@click.command(short_help="The five papers, measured, as one HTML page.")
@click.option(
    "-o",
    "directory",
    metavar="DIR",
    type=click.Path(file_okay=False),
    default="report",
    show_default=True,
    help="Where to write it.",
)
@click.pass_context
def report(ctx: click.Context, directory: str) -> None:
    """Measure, and write one HTML page with a section for each of the five papers."""
    if not directory:
        raise click.UsageError("-o needs the name of a directory, there or to be made", ctx)
    if not importlib.util.find_spec("matplotlib"):
        raise Failure("the plots need matplotlib: pip install 'carrychain[report]'")
    from carrychain.report import write

    with out.status("at work"):
        page = write(directory, out.print)
    out.print(f"written: {page}", soft_wrap=True)
