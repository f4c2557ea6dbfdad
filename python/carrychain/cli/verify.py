"""carrychain verify: the checksums in captured packets."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Event

import click
from rich.text import Text

from carrychain.bindings.capture import BY, JUDGED, VANTAGES
from carrychain.pcap import Report, captures_in, size_of, verify
from carrychain.pcap.histogram import Histogram
from carrychain.pcap.pipeline import Wanted
from carrychain.texts import printable

from .completion import FILE
from .console import err, out
from .failures import NO, TROUBLE, UNJUDGED, Failure
from .interrupts import INTERRUPTED, first_signal
from .progress import Bar
from .verify_data import Csv, Json, JsonLines
from .verify_fix import output
from .verify_report import WRONG, VerifyPrinter, errors_of
from .verify_total import Total

OTHERS_NAMED = 3
# Verdicts of which --strict wants none.
UNSURE = ("deferred", "unverifiable")
# Exit statuses; each hides those before it.
RANKS = (0, UNJUDGED, NO, TROUBLE)
# What --captured-at replaces.
FOUND = "found"
# The most frames that --ring keeps, and how long a summary that is due waits for frames.
RING_MOST, BEAT_S = 1_000_000, 0.25


@click.command("verify", short_help="Verify the checksums in captured packets.")
@click.argument("captures", type=FILE, metavar="CAPTURE...", nargs=-1)
@click.option(
    "-r", "read", type=FILE, metavar="CAPTURE", multiple=True, help="The same as CAPTURE, as in tcpdump."
)
@click.option(
    "-i", "interface", metavar="IFACE", help="Capture from this interface, until Ctrl-C.  Needs libpcap."
)
@click.option(
    "-p", "--no-promiscuous", is_flag=True, help="With -i: only see frames that the interface is to see."
)
@click.option(
    "-f",
    "expression",
    metavar="EXPRESSION",
    help="Only look at packets that this expression of tcpdump's takes.  Needs libpcap.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document with all listed checksums.")
@click.option("--json-lines", "as_json_lines", is_flag=True, help="Print one JSON object per line.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a line of CSV for each listed checksum.")
@click.option(
    "--list",
    "listed",
    type=click.Choice(JUDGED),
    multiple=True,
    default=WRONG,
    help="List checksums with this verdict.  May be repeated.  Default: bad, unfinished.",
)
@click.option(
    "--captured-at",
    "vantage",
    type=click.Choice(list(VANTAGES)),
    help="Where all packets were captured.  Default: what the capture shows.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Also print what verdicts on offloaded checksums rest on, and all that may have made bad ones.",
)
@click.option(
    "--by",
    type=click.Choice(list(BY)),
    help="Also count each of these separately.  With --csv: only count them.",
)
@click.option(
    "--plot",
    type=FILE,
    metavar="FILE",
    help="Plot the verdicts over time and length to FILE.svg or FILE.png.",
)
@click.option(
    "--prometheus",
    type=FILE,
    metavar="FILE",
    help="Write the total to FILE as metrics, for the node exporter's textfile collector.",
)
@click.option(
    "--junit", type=FILE, metavar="FILE", help="Write a JUnit report to FILE, with a test case per capture."
)
@click.option(
    "--ring",
    nargs=2,
    type=(click.IntRange(1, RING_MOST), FILE),
    metavar="N FILE",
    help="Write the last N frames with a bad or unfinished checksum to FILE, a pcapng.",
)
@click.option(
    "--every",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="With -i or --follow: summarize so often, and write the files of --ring and --prometheus.",
)
@click.option("--quiet", is_flag=True, help="Print only the total of all captures.")
@click.option("--strict", is_flag=True, help="Exit status 3 if anything could not be judged.")
@click.option(
    "--no-heuristics",
    is_flag=True,
    help="Do not enter tunnels guessed from a UDP port, or what merely looks like Ethernet.",
)
@click.option(
    "--fix", "-w", "fixed", metavar="OUT", help="Write the capture to OUT with its checksums repaired."
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    metavar="N",
    help="Walk packets in N threads.  Default: as many as make it faster.",
)
@click.option(
    "--engine",
    metavar="dask[:ADDRESS]",
    help="Spread captures over the Dask cluster at ADDRESS, or over this machine's cores.",
)
@click.option(
    "--show",
    type=click.IntRange(1),
    metavar="N",
    help="Only print what the checksums of frame N are made of.",
)
@click.option("--follow", is_flag=True, help="Keep reading while the capture grows, until Ctrl-C.")
@click.pass_context
def verify_command(
    ctx: click.Context,
    captures: tuple[str, ...],
    read: tuple[str, ...],
    interface: str | None,
    no_promiscuous: bool,
    expression: str | None,
    as_json: bool,
    as_json_lines: bool,
    as_csv: bool,
    listed: tuple[str, ...],
    vantage: str | None,
    explain: bool,
    by: str | None,
    plot: str | None,
    prometheus: str | None,
    junit: str | None,
    ring: tuple[int, str] | None,
    every: float | None,
    quiet: bool,
    strict: bool,
    no_heuristics: bool,
    fixed: str | None,
    threads: int | None,
    engine: str | None,
    show: int | None,
    follow: bool,
) -> None:
    """Verify the checksums in captured packets: pcap or pcapng, also compressed by gzip, zstd, lz4 or xz.

    CAPTURE may be - (the standard input), a directory, which is searched for captures, or a pattern such as
    'a*.pcap' that the shell did not expand.

    Each checksum is good, bad, deferred (left to the sender's network card, and captured before that had
    finished it), unfinished (left so, but received: the sender's offload is broken), none (UDP without a
    checksum) or unverifiable (not captured whole, missing fragments, contradictory headers). Contents that
    are not understood, and so not checked, are counted.

    Exit status 0 if no corruption was seen, 1 if a checksum is bad or unfinished, even if --fix repaired it,
    2 if a capture or a part of it could not be read, or output could not be written. With --strict, 3 if no
    corruption was seen, but a checksum is deferred or unverifiable, or something was not checked.

    Where each packet was captured is found in the capture, or stated by --captured-at: on the sender, on the
    receiver, or on the wire between them. --explain prints what the capture shows of it.

    Several captures end with a total, which names the worst of them; --quiet prints only that. --prometheus
    and --junit also write it to files, which are replaced when they are complete.

    --fix changes bad, unfinished and deferred checksums, and no other byte. OUT may be -, the standard
    output; the report then goes to the standard error. OUT is written completely even if the report cannot
    be, as when piped to head; the exit status is then 2.

    With --engine, many machines can read a directory of rotated captures, for instance --engine
    dask:tcp://10.0.0.1:8786; the output is the same. CAPTURE may then be a URL that fsspec can open, such as
    s3://bucket/captures.

    If a known mistake explains bad checksums, it is named: a flipped bit, a part of the pseudo-header left
    out, an address rewritten without the sum, and so on. --explain prints all that fit.

    --show N prints frame N alone: the words that each of its checksums covers, how they add up, what is
    expected and what stands there.

    --follow reports each finding as soon as it is written to the capture, and the totals at Ctrl-C. A second
    Ctrl-C ends at once.

    -i reports so what comes to an interface, which takes root or CAP_NET_RAW. Ctrl-C is then its end: the
    exit status is by what was found. Frames that came too fast to be read are counted as dropped; with
    --strict, the status is then 3.
    """
    if read and captures:
        raise click.UsageError("-r and arguments both name captures: use only one of them", ctx)
    captures = read or captures
    if interface is not None:
        for given, option in (
            (captures, "CAPTURE"),
            (fixed is not None, "--fix"),
            (show is not None, "--show"),
            (follow, "--follow"),
        ):
            if given:
                raise click.UsageError(f"-i and {option} exclude each other: give only one of them", ctx)
    elif not captures:
        raise click.UsageError("Missing argument 'CAPTURE...'.", ctx)
    elif no_promiscuous:
        raise click.UsageError("-p goes with -i, which captures from an interface", ctx)
    forms = {"--json": (as_json, Json), "--json-lines": (as_json_lines, JsonLines), "--csv": (as_csv, Csv)}
    asked = {option: form for option, (given, form) in forms.items() if given}
    if len(asked) > 1:
        raise click.UsageError(f"{' and '.join(asked)} exclude each other: give only one of them", ctx)
    if "-" in captures and sys.stdin.isatty():
        raise click.UsageError("- is the standard input, which is a terminal: redirect a capture to it", ctx)
    if captures.count("-") > 1:
        raise click.UsageError("- is the standard input, which can be read only once", ctx)
    if quiet and as_csv:
        raise click.UsageError("--quiet and --csv exclude each other: a total has no rows", ctx)
    if quiet:
        listed = ()
    if every is not None and not (follow or interface is not None):
        raise click.UsageError("--every goes with -i or --follow: a file has one summary, its end's", ctx)
    if every is not None and (as_csv or as_json):
        raise click.UsageError(
            f"--every and {'--csv' if as_csv else '--json'} exclude each other: give --json-lines", ctx
        )
    captures, others = captures_in(captures) if interface is None else ([interface], [])
    if show is not None:
        _show(ctx, captures, show, not no_heuristics)
        return
    if follow and fixed is not None:
        raise click.UsageError("--follow and --fix exclude each other: give only one of them", ctx)
    if follow and len(captures) > 1:
        raise click.UsageError(f"--follow takes one capture, not {len(captures)}", ctx)
    used = {
        "--fix": fixed is not None,
        "--follow": follow,
        "--threads": threads,
        "-i": interface is not None,
        "-f": expression is not None,
        "--ring": ring,
    }
    spread = _engine(ctx, engine, captures, used) if engine is not None else None
    # rows are told at once, and the end is Ctrl-C
    endless = follow or interface is not None
    to_stderr = fixed == "-"
    if asked:
        (form,) = asked.values()
        printer = form(sys.stderr if to_stderr else sys.stdout, listed, by)
    else:
        printer = VerifyPrinter(err if to_stderr else out, listed, by, endless, explain)
    drawing = _drawing(ctx, plot) if plot is not None else None
    histogram = Histogram()
    # OUT and the ring are written even if no one reads the report
    tell = _Telling(beside=fixed is not None or ring is not None)
    status = 0
    files = list(_files(prometheus, junit))
    compiled, last_bad, clock = _live(ctx, expression if interface is None else None, ring, every, captures)
    with ExitStack() as stack:
        until = stack.enter_context(first_signal()) if endless else None
        live = _opened(interface, until, not no_promiscuous, expression) if interface is not None else None
        writer = stack.enter_context(output(ctx, captures, fixed)) if fixed is not None else None
        # the size of a growing file is unknown
        bar = None if endless else stack.enter_context(Bar())
        size, before = 0 if endless else size_of(captures), 0
        total = Total(by)
        tell(printer.begin)
        if endless:
            tell(printer.flush)
        shown = None
        how = {
            "heuristics": not no_heuristics,
            "by": by,
            "plot": drawing is not None,
            "vantage": vantage or FOUND,
        }
        wanted = Wanted(live, compiled, every and min(every, BEAT_S), last_bad and last_bad.frames)
        if spread:
            parts = spread(captures, listed, printer.limit, **how)
        else:
            parts = verify(
                captures, listed, printer.limit, writer, until=until, threads=threads, wanted=wanted, **how
            )
        for report, entries, finished in parts:
            if bar and bar.watch.report and size:
                if shown is not report:
                    bar.part(os.path.basename(report.name)[-12:])
                    shown = report
                bar.watch.report(min(before + report.place, size), size)
            if not quiet:
                tell(printer.tell, report, entries)
            if endless:
                tell(printer.flush)
            if clock and not finished and clock.due():
                here = report.so_far()
                so_far, errors = total.so_far(), errors_of(here)
                so_far.add(here, errors)
                alone = _status(here, errors, strict)
                tell(*((printer.total, so_far) if quiet else (printer.finish, here, clock.now())))
                tell(printer.flush)
                for file in _files(prometheus, None):
                    file.write(so_far, alone)
                if last_bad:
                    last_bad.write()
            if not finished:
                continue
            before += report.place
            errors = errors_of(report)
            alone = _status(report, errors, strict)
            status = max(status, alone, key=RANKS.index)
            total.add(report, errors)
            for file in files:
                file.add(report, errors, alone)
            if (
                len(captures) == 1
                and report.format is None
                and report.error
                and not (as_json or as_json_lines)
            ):
                for file in files:
                    file.write(total, status)
                raise Failure(f"{report.name}: {report.error}")
            if not quiet:
                tell(printer.finish, report)
            # a capture's results appear when it is done, and before its errors
            tell(printer.flush)
            histogram.add(report.histogram.c[0])
            for error in errors:
                tell(_say, f"{report.name}: {error}")
            if writer and report.format is None:
                raise Failure(f"{fixed} was not written: there is nothing to fix")
        if quiet or len(captures) > 1:
            tell(printer.total, total)
        tell(printer.end)
        tell(printer.flush)
        if others:
            tell(_say, _others(others))
        if drawing:
            title = captures[0] if len(captures) == 1 else f"{len(captures):,} captures"
            tell(drawing.draw, histogram, title, plot)
        # which is the only end of a live capture
        if until and until.is_set() and not live:
            status = INTERRUPTED
    if last_bad:
        last_bad.write()
    for file in files:
        file.write(total, status)
    tell.end()
    if status:
        raise click.exceptions.Exit(status)


def _status(report: Report, errors: list[str], strict: bool) -> int:
    """That of one capture."""
    if errors:
        return TROUBLE
    if any(map(report.verdicts, WRONG)):
        return NO
    unjudged = report.unknown or report.dropped or any(map(report.verdicts, UNSURE))
    return UNJUDGED if strict and unjudged else 0


def _files(prometheus: str | None, junit: str | None) -> Iterator:
    """What writes the files that were asked for; the modules are imported for that alone."""
    if prometheus is not None:
        from .verify_prometheus import Prometheus

        yield Prometheus(prometheus)
    if junit is not None:
        from .verify_junit import JUnit

        yield JUnit(junit)


class _Telling:
    """Reports one step after the other.

    With ``beside``, the work has a product of its own: the first output that cannot be written is the last
    one, and its error is raised after the work is done.
    """

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


def _live(
    ctx: click.Context,
    expression: str | None,
    ring: tuple[int, str] | None,
    every: float | None,
    captures: list[str],
) -> tuple:
    """The expression compiled for files, the ring, and the clock, and imports what only these need."""
    if expression is None and not ring and every is None:
        return None, None, None
    from .verify_live import Clock, Ring, expression_of

    return (
        None if expression is None else expression_of(expression),
        Ring(ctx, *ring, captures) if ring else None,
        None if every is None else Clock(every),
    )


def _opened(name: str, until: Event, promiscuous: bool, expression: str | None):
    from .verify_live import live_from

    return live_from(name, until, promiscuous, expression)


def _engine(ctx: click.Context, engine: str, captures: list[str], used: dict[str, object]):
    """A function that verifies on a cluster, and imports what only that needs."""
    kind, _, address = engine.partition(":")
    if kind != "dask":
        raise click.UsageError(f"--engine is dask or dask:ADDRESS, not {engine!r}", ctx)
    for option, given in used.items():
        if given:
            raise click.UsageError(f"--engine and {option} exclude each other: give only one of them", ctx)
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
    """The module that draws, and imports what only that needs."""
    if not path.lower().endswith((".svg", ".png")):
        raise click.UsageError(f"--plot writes .svg or .png, not {path!r}", ctx)
    try:
        from . import verify_plot
    except ImportError as error:
        raise Failure(f"--plot needs {error.name}: pip install 'carrychain[report]'") from None
    return verify_plot


def _show(ctx: click.Context, captures: list[str], number: int, heuristics: bool) -> None:
    """Prints a frame's picture, and imports what only that needs."""
    if len(captures) != 1:
        raise click.UsageError(f"--show takes one capture, not {len(captures)}", ctx)
    from carrychain.pcap.frames import captured

    from .verify_show import picture

    (name,) = captures
    try:
        frame = captured(name, number)
    except OSError as error:
        raise Failure(f"{name}: {error.strerror or error}") from None
    if not frame:
        raise Failure(f"{name} has no frame {number:,}")
    for line in picture(frame, heuristics):
        out.print(Text(line), soft_wrap=True)


def _say(text: str) -> None:
    line = Text(printable(f"carrychain: {text}"))
    err.print(line, soft_wrap=not err.is_terminal)


def _others(names: list[str]) -> str:
    what = (
        "1 file that is not a capture" if len(names) == 1 else f"{len(names):,} files that are not captures"
    )
    more = len(names) - OTHERS_NAMED
    named = ", ".join(names[:OTHERS_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    return f"skipped {what}: {named}"
