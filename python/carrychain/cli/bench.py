"""carrychain bench: our functions next to their peers, as timed by the C program and by Python."""

import json
import shlex
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain

import click
from rich.text import Text

from carrychain.bench import c_suites, integer, jit, modulus
from carrychain.bench.machine import facts, origin
from carrychain.bench.timing import DISTURBED, Only, duration
from carrychain.files import replacing

from .completion import FILE
from .console import out
from .failures import Failure, shown

# timed in Python
OURS = {suite.NAME: suite for suite in (integer, jit, modulus)}
# the widest of each fit 80 columns
COLUMNS = f"{'case, size':28} {'impl':10} {'median':>7}  {'ratio':>5} peer"


@dataclass(frozen=True)
class Asked:
    """What is timed, how, and beside which libraries."""

    suites: tuple[str, ...]
    quick: bool
    every: bool
    only: Only
    libraries: c_suites.Libraries

    def command(self) -> str:
        options = [*(["--quick"] if self.quick else []), *(["--all"] if self.every else [])]
        return shlex.join(["carrychain", "bench", *self.suites, *options, *self.only.options()])


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
@click.option("--case", metavar="CASE", help="Time no other case, as in: --case 'mul 1:2'.")
@click.option("--most", type=click.IntRange(1), metavar="SIZE", help="Time no larger sizes.")
@click.option(
    "--flint",
    metavar="LIBRARY",
    help="FLINT's shared library, as a peer.  Default: python-flint's, if installed.",
)
@click.option("--aws-lc", metavar="LIBRARY", help="AWS-LC's libcrypto, as a peer.")
@click.option("--openssl", metavar="LIBRARY", help="The libcrypto of another OpenSSL, as a peer.")
@click.pass_context
def bench(
    ctx: click.Context,
    suites: tuple[str, ...],
    path: str | None,
    quick: bool,
    every: bool,
    case: str | None,
    most: int | None,
    flint: str | None,
    aws_lc: str | None,
    openssl: str | None,
) -> None:
    """Time our functions next to their peers, in turn in one process.

    A ratio is our time over the peer's: below 1 we are faster. The best of several peers comes first. Without
    a SUITE, all suites run. If the repeats of a measurement differ much, it was disturbed: it is repeated,
    and marked with ? if it stays disturbed.
    """
    try:
        libraries = {
            "--flint": c_suites.flint() if flint is None else flint,
            "--aws-lc": aws_lc,
            "--openssl": openssl,
        }
        asked = Asked(suites, quick, every, Only(case, most), libraries)
        _bench(ctx, asked, path)
    except c_suites.NoProgram as error:
        raise Failure(str(error)) from None


def _bench(ctx: click.Context, asked: Asked, path: str | None) -> None:
    with ExitStack() as stack:
        timed = _timed(ctx, stack, asked)
        file = stack.enter_context(replacing(path)) if path else None
        rows, heading = [], None
        with out.status("timing"):
            for group in _groups(timed):
                if group[0]["suite"] != heading:
                    heading = group[0]["suite"]
                    out.print(Text(f"\n{heading}", "bold"))
                    out.print(Text(COLUMNS, "dim"), soft_wrap=True)
                for line in _lines(group):
                    out.print(line, soft_wrap=True)
                rows += group
        if not rows:
            raise click.UsageError(f"no row is asked for by {shlex.join(asked.only.options())}", ctx)
        if any(row["disturbed"] for row in rows):
            out.print(Text(f"\n? {DISTURBED}", "dim"))
        ours = [suite for name, suite in OURS.items() if any(row["suite"] == name for row in rows)]
        absent = [each for suite in ours for each in suite.absent()]
        if absent:
            out.print(Text(f"\nnot here: {', '.join(absent)}", "dim"), soft_wrap=True)
        if file:
            machine = origin(asked.command()) | facts()
            head = json.dumps({"machine": machine, "absent": absent}, indent=1).removesuffix("\n}")
            # a line a row
            lines = ",\n".join(map(json.dumps, rows))
            file.write(f'{head},\n"rows": [\n{lines}\n]}}\n'.encode())


def _timed(ctx: click.Context, stack: ExitStack, asked: Asked) -> Iterable[dict]:
    """The rows of the requested suites, or of all: those of the C program, then those timed in Python."""
    how = {"quick": asked.quick, "only": asked.only}
    ours = [suite.rows(**how) for name, suite in OURS.items() if name in asked.suites or not asked.suites]
    wanted = [suite for suite in asked.suites if suite not in OURS]
    if asked.suites and not wanted:
        return chain.from_iterable(ours)
    program = stack.enter_context(c_suites.program())
    known = [*c_suites.suites(program, libraries=asked.libraries), *OURS]
    for suite in asked.suites:
        if suite not in known:
            raise click.UsageError(f"no suite {shown(suite)}: give some of {', '.join(known)}", ctx)
    return chain(c_suites.rows(program, wanted, every=asked.every, libraries=asked.libraries, **how), *ours)


def _groups(timed: Iterable[dict]) -> Iterator[list[dict]]:
    """Rows that follow each other and differ by their peer."""
    group = []
    for row in timed:
        alike = group and all(row[name] == group[0][name] for name in ("suite", "case", "size", "impl"))
        if alike and row["peer"] not in [each["peer"] for each in group]:
            group.append(row)
        else:
            if group:
                yield group
            group = [row]
    if group:
        yield group


def _lines(group: list[dict]) -> Iterator[Text]:
    """One per peer, the best first."""
    for number, row in enumerate(sorted(group, key=lambda row: -(row["ratio"] or 0))):
        yield _line(row, number == 0)


def _line(row: dict, first: bool) -> Text:
    what = f"{row['case']} {row['size']}" if first else ""
    impl, median = (row["impl"], duration(row["ns_median"])) if first else ("", "")
    line = Text(f"{what:28} {impl:10} {median:>7}{'?' if row['disturbed'] else ' '}")
    if row["ratio"] is not None:
        style = "green" if row["ratio"] <= 1 else "yellow" if row["ratio"] <= 1.25 else "red"
        line.append(f" {row['ratio']:>5.2f}", style)
        line.append(f" {row['peer']}")
    elif row["peer"] is not None:
        line.append(f"       {row['peer']}")
    return line
