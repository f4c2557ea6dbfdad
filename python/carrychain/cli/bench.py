"""carrychain bench: our functions next to their peers, as timed by the C program and by Python."""

import json
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import chain

import click
from rich.text import Text

from carrychain.bench import c_suites, integer, jit, modulus
from carrychain.bench.machine import facts, origin
from carrychain.bench.timing import DISTURBED, duration
from carrychain.files import replacing

from .completion import FILE
from .console import out
from .failures import Failure, shown

# timed in Python
OURS = {suite.NAME: suite for suite in (integer, jit, modulus)}
# the widest of each fit 80 columns
COLUMNS = f"{'case, size':28} {'impl':10} {'median':>7}  {'ratio':>5} peer"


def completed(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Suite names for shell completion."""
    try:
        with c_suites.program() as path:
            known = [*c_suites.suites(path), *OURS]
    except (c_suites.NoProgram, OSError):
        known = [*OURS]
    return [each for each in known if each.startswith(incomplete)]


@click.command(short_help="Time our functions next to their peers.")
@click.argument("suites", metavar="[SUITE]...", nargs=-1, shell_complete=completed)
@click.option(
    "--json",
    "path",
    type=FILE,
    metavar="FILE",
    help="Write complete rows, and facts about the machine, to FILE.",
)
@click.option("--quick", is_flag=True, help="Fewer repeats, for a first impression.")
@click.option("--all", "every", is_flag=True, help="Every size, up to F(10^9) and 2^24 words; takes hours.")
@click.option(
    "--flint",
    metavar="LIBRARY",
    help="FLINT's shared library, as a peer.  Default: python-flint's, if installed.",
)
@click.pass_context
def bench(
    ctx: click.Context, suites: tuple[str, ...], path: str | None, quick: bool, every: bool, flint: str | None
) -> None:
    """Time our functions next to their peers, in turn in one process.

    A ratio is our time over the peer's: below 1 we are faster. Without a SUITE, all suites run. If the
    repeats of a measurement differ much, it was disturbed: it is repeated, and marked with ? if it stays
    disturbed.
    """
    try:
        _bench(ctx, suites, path, quick, every, c_suites.flint() if flint is None else flint)
    except c_suites.NoProgram as error:
        raise Failure(str(error)) from None


def _bench(
    ctx: click.Context, suites: tuple[str, ...], path: str | None, quick: bool, every: bool, flint: str | None
) -> None:
    with ExitStack() as stack:
        timed = _timed(ctx, stack, suites, quick, every, flint)
        file = stack.enter_context(replacing(path)) if path else None
        rows, heading = [], None
        with out.status("timing"):
            for row in timed:
                if row["suite"] != heading:
                    heading = row["suite"]
                    out.print(Text(f"\n{heading}", "bold"))
                    out.print(Text(COLUMNS, "dim"), soft_wrap=True)
                out.print(_line(row), soft_wrap=True)
                rows.append(row)
        if any(row["disturbed"] for row in rows):
            out.print(Text(f"\n? {DISTURBED}", "dim"))
        asked = [suite for name, suite in OURS.items() if any(row["suite"] == name for row in rows)]
        absent = [each for suite in asked for each in suite.absent()]
        if absent:
            out.print(Text(f"\nnot here: {', '.join(absent)}", "dim"), soft_wrap=True)
        if file:
            machine = origin(_command(suites, quick, every)) | facts()
            head = json.dumps({"machine": machine, "absent": absent}, indent=1).removesuffix("\n}")
            # a line a row
            lines = ",\n".join(map(json.dumps, rows))
            file.write(f'{head},\n"rows": [\n{lines}\n]}}\n'.encode())


def _timed(
    ctx: click.Context, stack: ExitStack, suites: tuple[str, ...], quick: bool, every: bool, flint: str | None
) -> Iterable[dict]:
    """The rows of the requested suites, or of all: those of the C program, then those timed in Python."""
    ours = [suite.rows(quick=quick) for name, suite in OURS.items() if name in suites or not suites]
    wanted = [suite for suite in suites if suite not in OURS]
    if suites and not wanted:
        return chain.from_iterable(ours)
    program = stack.enter_context(c_suites.program())
    known = [*c_suites.suites(program, flint=flint), *OURS]
    for suite in suites:
        if suite not in known:
            raise click.UsageError(f"no suite {shown(suite)}: give some of {', '.join(known)}", ctx)
    return chain(c_suites.rows(program, wanted, quick=quick, every=every, flint=flint), *ours)


def _command(suites: tuple[str, ...], quick: bool, every: bool) -> str:
    options = [*(["--quick"] if quick else []), *(["--all"] if every else [])]
    return " ".join(["carrychain bench", *suites, *options])


def _line(row: dict) -> Text:
    what = f"{row['case']} {row['size']}"
    line = Text(
        f"{what:28} {row['impl']:10} {duration(row['ns_median']):>7}{'?' if row['disturbed'] else ' '}"
    )
    if row["ratio"] is not None:
        style = "green" if row["ratio"] <= 1 else "yellow" if row["ratio"] <= 1.25 else "red"
        line.append(f" {row['ratio']:>5.2f}", style)
        line.append(f" {row['peer']}")
    elif row["peer"] is not None:
        line.append(f"       {row['peer']}")
    return line
