"""carrychain bench: our functions beside their peers, timed by the C program."""

import json
from contextlib import ExitStack

import click
from rich.text import Text

from carrychain import benchmark
from carrychain.files import replacing
from carrychain.machine import facts

from .console import Failure, out, shown

COLUMNS = f"{'case':24}{'size':>9}  {'impl':12}{'ns median':>13}{'ns min':>13}  {'peer':14}{'ratio':>7}"


@click.command(short_help="Time our functions beside their peers.")
@click.argument("suites", metavar="[SUITE]...", nargs=-1)
@click.option("--json", "path", metavar="FILE", help="Write the rows and the machine's facts to FILE.")
@click.option("--quick", is_flag=True, help="Fewer repeats: a first impression.")
@click.pass_context
def bench(ctx: click.Context, suites: tuple[str, ...], path: str | None, quick: bool) -> None:
    """Time our functions beside their peers, in turn in one process.

    A ratio is our time over the peer's: below 1 we are faster. Without a SUITE, all of them.
    """
    try:
        _bench(ctx, suites, path, quick)
    except benchmark.NoProgram as error:
        raise Failure(str(error)) from None


def _bench(ctx: click.Context, suites: tuple[str, ...], path: str | None, quick: bool) -> None:
    with ExitStack() as stack:
        program = stack.enter_context(benchmark.program())
        known = benchmark.suites(program)
        for suite in suites:
            if suite not in known:
                raise click.UsageError(f"no suite {shown(suite)}: give some of {', '.join(known)}", ctx)
        file = stack.enter_context(replacing(path)) if path else None
        rows, heading = [], None
        for row in benchmark.rows(program, suites, quick=quick):
            if row["suite"] != heading:
                heading = row["suite"]
                out.print(Text(f"\n{heading}", "bold"))
                out.print(Text(COLUMNS, "dim"), soft_wrap=True)
            out.print(_line(row), soft_wrap=True)
            rows.append(row)
        if file:
            file.write(json.dumps({"machine": facts(), "rows": rows}, indent=1).encode() + b"\n")


def _line(row: dict) -> Text:
    line = Text(
        f"{row['case']:24}{row['size']:>9}  {row['impl']:12}{row['ns_median']:>13,.1f}{row['ns_min']:>13,.1f}"
    )
    if row["ratio"] is not None:
        style = "green" if row["ratio"] <= 1 else "yellow" if row["ratio"] <= 1.25 else "red"
        line.append(f"  {row['peer']:14}")
        line.append(f"{row['ratio']:>7.2f}", style)
    return line
