"""carrychain bench: our functions beside their peers, timed by the C program."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import as_file, files
from pathlib import Path

import click
from rich.text import Text

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
    with ExitStack() as stack:
        program = stack.enter_context(_program())
        listed = subprocess.run([program, "--list"], capture_output=True, text=True)
        if listed.returncode:
            raise Failure(f"the bench program does not run: {listed.stderr}")
        known = listed.stdout.split()
        for suite in suites:
            if suite not in known:
                raise click.UsageError(f"no suite {shown(suite)}: give some of {', '.join(known)}", ctx)
        file = stack.enter_context(replacing(path)) if path else None
        rows, heading = [], None
        for row in _rows([program, *(["--quick"] if quick else []), *suites]):
            if row["suite"] != heading:
                heading = row["suite"]
                out.print(Text(f"\n{heading}", "bold"))
                out.print(Text(COLUMNS, "dim"), soft_wrap=True)
            out.print(_line(row), soft_wrap=True)
            rows.append(row)
        if file:
            file.write(json.dumps({"machine": facts(), "rows": rows}, indent=1).encode() + b"\n")


@contextmanager
def _program() -> Iterator[Path]:
    """The C program, which the build put beside the package's modules."""
    try:
        with as_file(files("carrychain") / "carrychain-bench") as program:
            if not program.is_file():
                raise FileNotFoundError(program)
            yield program
    except FileNotFoundError:
        raise Failure("the bench program was not built: it needs GMP (Debian: libgmp-dev)") from None


def _rows(command: list) -> Iterator[dict]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            for line in process.stdout:
                yield json.loads(line)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise Failure(f"the bench program ended with status {process.returncode}")


def _line(row: dict) -> Text:
    line = Text(
        f"{row['case']:24}{row['size']:>9}  {row['impl']:12}{row['ns_median']:>13,.1f}{row['ns_min']:>13,.1f}"
    )
    if row["ratio"] is not None:
        style = "green" if row["ratio"] <= 1 else "yellow" if row["ratio"] <= 1.25 else "red"
        line.append(f"  {row['peer']:14}")
        line.append(f"{row['ratio']:>7.2f}", style)
    return line
