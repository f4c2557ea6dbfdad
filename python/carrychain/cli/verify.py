"""carrychain verify: the checksums in captured packets."""

import os
import stat
import sys
from contextlib import ExitStack

import click
from rich.text import Text

from carrychain.bindings.capture import VERDICTS
from carrychain.files import replacing, spooled
from carrychain.pcap import size_of, verify

from .console import NO, TROUBLE, Failure, err, out, printable
from .fib import Bar
from .verify_report import Csv, Human, Json, errors_of


@click.command("verify", short_help="The checksums in captured packets: which are wrong.")
@click.argument("captures", metavar="CAPTURE...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, with every checksum listed.")
@click.option("--csv", "as_csv", is_flag=True, help="Print every checksum listed as a line of CSV.")
@click.option(
    "--list",
    "listed",
    type=click.Choice(list(VERDICTS.values())),
    multiple=True,
    default=("bad",),
    help="List checksums with this verdict; may be given again. Without it, the bad ones.",
)
@click.option("--strict", is_flag=True, help="Exit status 1 also if anything could not be checked.")
@click.option(
    "--no-heuristics",
    is_flag=True,
    help="Enter no tunnel that only a UDP port suggests, nor what only looks like Ethernet.",
)
@click.option("--fix", "fixed", metavar="OUT", help="Write the capture to OUT, its checksums made good.")
@click.pass_context
def verify_command(
    ctx: click.Context,
    captures: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
    listed: tuple[str, ...],
    strict: bool,
    no_heuristics: bool,
    fixed: str | None,
) -> None:
    """The checksums in captured packets, pcap or pcapng; - is the standard input.

    Each is good, bad, partial (only the pseudo-header's sum, left to the network card to finish), none (UDP
    without one) or unverifiable (not captured whole, fragments missing, headers that contradict themselves).
    What is not understood, and so not checked, is counted.

    Exit status 0 if none is bad, 1 if one is, also when it was made good, 2 if a capture, or a part of one,
    could not be read, or something not be written. With --strict, 1 also if a checksum is unverifiable or
    something was not checked.

    --fix changes bad and partial checksums, and no other byte. OUT may be -, the standard output; the report
    then goes to the standard error.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms of one report: give one of them", ctx)
    if "-" in captures and sys.stdin.isatty():
        raise click.UsageError("- is the standard input, and that is the terminal: give it a capture", ctx)
    if captures.count("-") > 1:
        raise click.UsageError("- is the standard input, which can be read only once", ctx)
    to_stderr = fixed == "-"
    if as_json or as_csv:
        printer = (Json if as_json else Csv)(sys.stderr if to_stderr else sys.stdout, listed)
    else:
        printer = Human(err if to_stderr else out, listed)
    status = 0
    with ExitStack() as stack:
        writer = stack.enter_context(_output(ctx, captures, fixed)) if fixed is not None else None
        bar = stack.enter_context(Bar())
        total, before = size_of(captures), 0
        printer.begin()
        for report, entries, finished in verify(captures, listed, printer.limit, writer, not no_heuristics):
            if bar.watch.report and total:
                bar.description = os.path.basename(report.name)[-12:]
                bar.watch.report(min(before + report.bytes, total), total)
            printer.tell(report, entries)
            if not finished:
                continue
            before += report.bytes
            errors = errors_of(report)
            if errors:
                status = TROUBLE
            elif report.verdicts("bad") or (strict and (report.unknown or report.verdicts("unverifiable"))):
                status = max(status, NO)
            if len(captures) == 1 and report.format is None and not as_json:
                raise Failure(f"{report.name}: {report.error}")
            printer.finish(report)
            for error in errors:
                # what was printed of a capture comes before what was wrong with it
                sys.stdout.flush()
                line = Text(printable(f"carrychain: {report.name}: {error}"))
                err.print(line, soft_wrap=not err.is_terminal)
            if writer and report.format is None:
                raise Failure(f"{fixed} was not written: there is nothing to fix")
        printer.end()
    if status:
        raise click.exceptions.Exit(status)


def _output(ctx: click.Context, captures: tuple[str, ...], fixed: str):
    """Where --fix writes: a file of its own, or the standard output."""
    if len(captures) > 1:
        raise click.UsageError(f"--fix takes one capture, not {len(captures)}", ctx)
    if fixed == "-" and sys.stdout.isatty():
        raise click.UsageError(
            "--fix - writes to the standard output, and that is the terminal: redirect it, or name a file",
            ctx,
        )
    try:
        old = os.stat(1 if fixed == "-" else fixed)
    except OSError:
        return spooled(1, "standard output") if fixed == "-" else replacing(fixed)
    if fixed != "-" and not stat.S_ISREG(old.st_mode):
        raise click.UsageError(f"--fix writes to a file, which {fixed!r} is not", ctx)
    try:
        same = os.path.samestat(os.stat(0 if captures[0] == "-" else captures[0]), old)
    except OSError as error:
        raise Failure(f"{captures[0]}: {error.strerror}") from None
    if same and stat.S_ISREG(old.st_mode):
        raise click.UsageError(f"--fix never overwrites its input, which {fixed!r} is: give a new name", ctx)
    return spooled(1, "standard output") if fixed == "-" else replacing(fixed)
