"""carrychain verify: the checksums in captured packets."""

import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Event

import click
from rich.text import Text

from carrychain.bindings.capture import VERDICTS
from carrychain.bindings.histogram import Histogram
from carrychain.bindings.tally import BY
from carrychain.files import replacing, spooled
from carrychain.pcap import captures_in, size_of, verify
from carrychain.texts import printable

from .completion import FILE
from .console import err, out
from .failures import NO, TROUBLE, Failure
from .fib import Bar
from .interrupts import INTERRUPTED, SIGNALS
from .verify_data import Csv, Json, JsonLines
from .verify_report import Human, errors_of

OTHERS_NAMED = 3
COMPRESSED = (".gz", ".zst", ".lz4", ".xz")


@click.command("verify", short_help="The checksums in captured packets: which are wrong.")
@click.argument("captures", type=FILE, metavar="CAPTURE...", nargs=-1)
@click.option(
    "-r", "read", type=FILE, metavar="CAPTURE", multiple=True, help="As CAPTURE, by tcpdump's name."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, with every checksum listed.")
@click.option("--json-lines", "as_json_lines", is_flag=True, help="Print a JSON object a line.")
@click.option("--csv", "as_csv", is_flag=True, help="Print every checksum listed as a line of CSV.")
@click.option(
    "--list",
    "listed",
    type=click.Choice(list(VERDICTS.values())),
    multiple=True,
    default=("bad",),
    help="List checksums with this verdict; may be given again. Without it, the bad ones.",
)
@click.option("--by", type=click.Choice(list(BY)), help="Count by this, too.")
@click.option(
    "--plot",
    type=FILE,
    metavar="FILE",
    help="Draw what was found over time and length: FILE.svg or FILE.png.",
)
@click.option("--strict", is_flag=True, help="Exit status 1 also if anything could not be checked.")
@click.option(
    "--no-heuristics",
    is_flag=True,
    help="Enter no tunnel that only a UDP port suggests, nor what only looks like Ethernet.",
)
@click.option(
    "--fix", "-w", "fixed", metavar="OUT", help="Write the capture to OUT, its checksums made good."
)
@click.option(
    "--threads", type=click.IntRange(1), metavar="N", help="Walk packets in N threads, not in as many as pay."
)
@click.option(
    "--engine",
    metavar="dask[:ADDRESS]",
    help="Spread captures over a Dask cluster: that at ADDRESS, or one of this machine's cores.",
)
@click.option("--follow", is_flag=True, help="Read on while the capture grows, until Ctrl-C.")
@click.pass_context
def verify_command(
    ctx: click.Context,
    captures: tuple[str, ...],
    read: tuple[str, ...],
    as_json: bool,
    as_json_lines: bool,
    as_csv: bool,
    listed: tuple[str, ...],
    by: str | None,
    plot: str | None,
    strict: bool,
    no_heuristics: bool,
    fixed: str | None,
    threads: int | None,
    engine: str | None,
    follow: bool,
) -> None:
    """The checksums in captured packets, pcap or pcapng, also compressed by gzip, zstd, lz4 or xz.

    CAPTURE may be -, the standard input; a directory, which is searched for captures; a pattern such as
    'a*.pcap' that the shell has left as it is.

    Each is good, bad, partial (only the pseudo-header's sum, left to the network card to finish), none (UDP
    without one) or unverifiable (not captured whole, fragments missing, headers that contradict themselves).
    What is not understood, and so not checked, is counted.

    Exit status 0 if none is bad, 1 if one is, also when it was made good, 2 if a capture, or a part of one,
    could not be read, or something not be written. With --strict, 1 also if a checksum is unverifiable or
    something was not checked.

    --fix changes bad and partial checksums, and no other byte. OUT may be -, the standard output; the report
    then goes to the standard error. OUT is written whole also where the report can't be, as behind head;
    the exit status is then 2.

    A directory of rotated captures may be read by many machines, as with --engine dask:tcp://10.0.0.1:8786;
    what is told is the same. CAPTURE may then be a URL, as s3://bucket/captures, which fsspec opens.

    --follow tells each finding as soon as it is written, and of all together at Ctrl-C; a second one ends at
    once.
    """
    if read and captures:
        raise click.UsageError("-r and arguments are two ways to name captures: use one of them", ctx)
    captures = read or captures
    if not captures:
        raise click.UsageError("Missing argument 'CAPTURE...'.", ctx)
    forms = {"--json": (as_json, Json), "--json-lines": (as_json_lines, JsonLines), "--csv": (as_csv, Csv)}
    asked = {option: form for option, (given, form) in forms.items() if given}
    if len(asked) > 1:
        raise click.UsageError(f"{' and '.join(asked)} are forms of one report: give one of them", ctx)
    if "-" in captures and sys.stdin.isatty():
        raise click.UsageError("- is the standard input, and that is the terminal: give it a capture", ctx)
    if captures.count("-") > 1:
        raise click.UsageError("- is the standard input, which can be read only once", ctx)
    captures, others = captures_in(captures)
    if follow and fixed is not None:
        raise click.UsageError("--follow has no end at which --fix could be done: give one of them", ctx)
    if follow and len(captures) > 1:
        raise click.UsageError(f"--follow takes one capture, not {len(captures)}", ctx)
    spread = _engine(ctx, engine, captures, fixed, follow, threads) if engine is not None else None
    to_stderr = fixed == "-"
    if asked:
        (form,) = asked.values()
        printer = form(sys.stderr if to_stderr else sys.stdout, listed, by)
    else:
        printer = Human(err if to_stderr else out, listed, by, follow)
    drawing = _drawing(ctx, plot) if plot is not None else None
    histogram = Histogram()
    # who asked for OUT has it, though no one takes the report
    tell = _Telling(beside=fixed is not None)
    status = 0
    with ExitStack() as stack:
        until = stack.enter_context(_interrupt()) if follow else None
        writer = stack.enter_context(_output(ctx, captures, fixed)) if fixed is not None else None
        # of what grows, no one knows how much there is
        bar = None if follow else stack.enter_context(Bar())
        total, before = 0 if follow else size_of(captures), 0
        tell(printer.begin)
        if follow:
            tell(printer.flush)
        shown = None
        how = {"heuristics": not no_heuristics, "by": by, "plot": drawing is not None}
        if spread:
            parts = spread(captures, listed, printer.limit, **how)
        else:
            parts = verify(captures, listed, printer.limit, writer, until=until, threads=threads, **how)
        for report, entries, finished in parts:
            if bar and bar.watch.report and total:
                if shown is not report:
                    bar.part(os.path.basename(report.name)[-12:])
                    shown = report
                bar.watch.report(min(before + report.place, total), total)
            tell(printer.tell, report, entries)
            if follow:
                tell(printer.flush)
            if not finished:
                continue
            before += report.place
            errors = errors_of(report)
            if errors:
                status = TROUBLE
            elif report.verdicts("bad") or (strict and (report.unknown or report.verdicts("unverifiable"))):
                status = max(status, NO)
            if (
                len(captures) == 1
                and report.format is None
                and report.error
                and not (as_json or as_json_lines)
            ):
                raise Failure(f"{report.name}: {report.error}")
            tell(printer.finish, report)
            # who waits for a capture has it when it is done, and before what was wrong with it
            tell(printer.flush)
            histogram.add(report.histogram.c[0])
            for error in errors:
                tell(_say, f"{report.name}: {error}")
            if writer and report.format is None:
                raise Failure(f"{fixed} was not written: there is nothing to fix")
        tell(printer.end)
        tell(printer.flush)
        if others:
            tell(_say, _others(others))
        if drawing:
            title = captures[0] if len(captures) == 1 else f"{len(captures):,} captures"
            tell(drawing.draw, histogram, title, plot)
        if until and until.is_set():
            status = INTERRUPTED
    tell.end()
    if status:
        raise click.exceptions.Exit(status)


class _Telling:
    """What is said, one step after the other. ``beside`` work that has a product of its own, the first that
    can't be written is the last, and is raised when that is done."""

    def __init__(self, beside: bool) -> None:
        self._beside = beside
        self._error: OSError | None = None

    def __call__(self, say: Callable[..., None], *arguments) -> None:
        if self._error:
            return
        try:
            say(*arguments)
        except OSError as error:
            if not self._beside:
                raise
            self._error = error

    def end(self) -> None:
        if self._error:
            raise self._error


def _engine(
    ctx: click.Context, engine: str, captures: list[str], fixed: str | None, follow: bool, threads: int | None
):
    """What verifies on a cluster, which needs what only this needs."""
    kind, _, address = engine.partition(":")
    if kind != "dask":
        raise click.UsageError(f"--engine is dask or dask:ADDRESS, which {engine!r} is not", ctx)
    for given, option in ((fixed is not None, "--fix"), (follow, "--follow"), (threads, "--threads")):
        if given:
            raise click.UsageError(f"--engine and {option} do not go together: give one of them", ctx)
    if "-" in captures:
        raise click.UsageError("- is the standard input, which a cluster can't read: name files", ctx)
    try:
        from carrychain.pcap.engine import EngineError, verify_on
    except ImportError as error:
        raise Failure(f"--engine dask needs {error.name}: pip install 'carrychain[dask]'") from None

    def spread(*arguments, **how):
        try:
            yield from verify_on(address or None, *arguments, **how)
        except EngineError as error:
            raise Failure(str(error)) from None

    return spread


def _drawing(ctx: click.Context, path: str):
    """The module that draws, which needs what only this needs."""
    if not path.lower().endswith((".svg", ".png")):
        raise click.UsageError(f"--plot writes .svg or .png, which {path!r} is not", ctx)
    try:
        from . import verify_plot
    except ImportError as error:
        raise Failure(f"--plot needs {error.name}: pip install 'carrychain[report]'") from None
    return verify_plot


def _say(text: str) -> None:
    line = Text(printable(f"carrychain: {text}"))
    err.print(line, soft_wrap=not err.is_terminal)


def _others(names: list[str]) -> str:
    what = "1 other file, no capture" if len(names) == 1 else f"{len(names):,} other files, no captures"
    more = len(names) - OTHERS_NAMED
    named = ", ".join(names[:OTHERS_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    return f"passed over {what}: {named}"


@contextmanager
def _interrupt() -> Iterator[Event]:
    """Set by the first Ctrl-C, or its like; the second is as everywhere."""
    event = Event()
    # who started us may have had it ignored
    before = {
        number: handler for number in SIGNALS if (handler := signal.getsignal(number)) != signal.SIG_IGN
    }

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def interrupt(*_) -> None:
        restore()
        event.set()

    for number in before:
        signal.signal(number, interrupt)
    try:
        yield event
    finally:
        restore()


def _output(ctx: click.Context, captures: list[str], fixed: str):
    """Where --fix writes: a file of its own, or the standard output."""
    if len(captures) > 1:
        raise click.UsageError(f"--fix takes one capture, not {len(captures)}", ctx)
    if fixed.endswith(COMPRESSED):
        raise click.UsageError(
            f"--fix writes an uncompressed capture, which {fixed!r} would not be: "
            "give another name, or - and a compressor behind it",
            ctx,
        )
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
        same = "://" not in captures[0] and os.path.samestat(
            os.stat(0 if captures[0] == "-" else captures[0]), old
        )
    except OSError as error:
        raise Failure(f"{captures[0]}: {error.strerror}") from None
    if same and stat.S_ISREG(old.st_mode):
        raise click.UsageError(f"--fix never overwrites its input, which {fixed!r} is: give a new name", ctx)
    return spooled(1, "standard output") if fixed == "-" else replacing(fixed)
