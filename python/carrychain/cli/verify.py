"""carrychain verify: the checksums in captured packets."""

import csv
import ipaddress
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import lru_cache

import click
from rich.table import Table
from rich.text import Text

from carrychain.bindings.capture import PROTOCOLS, VERDICTS, Entry
from carrychain.files import replacing
from carrychain.pcap import Report, size_of, verify

from .console import err, out, printable
from .fib import Bar

# Who wants more of them asks for JSON or CSV.
LISTED = 100
STYLES = {"good": "green", "bad": "bold red", "partial": "yellow", "none": "dim", "unverifiable": "yellow"}
STATUS_BAD, STATUS_UNREADABLE = 1, 2


class Unreadable(click.ClickException):
    """One line, exit status 2."""

    exit_code = STATUS_UNREADABLE


@click.command("verify", short_help="The checksums in captured packets: which are wrong.")
@click.argument("captures", metavar="CAPTURE...", nargs=-1, required=True)
@click.option("--json", "form", flag_value="json", help="Print one JSON document, with every bad checksum.")
@click.option("--csv", "form", flag_value="csv", help="Print every bad checksum as a line of CSV.")
@click.option("--fix", "fixed", metavar="OUT", help="Write the capture to OUT, its checksums made good.")
@click.pass_context
def verify_command(
    ctx: click.Context, captures: tuple[str, ...], form: str | None, fixed: str | None
) -> None:
    """The checksums in captured packets, pcap or pcapng; - is the standard input.

    Each is good, bad, partial (only the pseudo-header's sum, left to the network card to finish), none (UDP
    without one) or unverifiable (not captured whole, fragments missing). Exit status 0 if none is bad, 1 if
    one is, 2 if a capture, or a part of one, could not be read.

    --fix changes bad and partial checksums, and no other byte.
    """
    if "-" in captures and sys.stdin.isatty():
        raise click.UsageError("- is the standard input, and that is the terminal: give it a capture", ctx)
    if captures.count("-") > 1:
        raise click.UsageError("- is the standard input, which can be read only once", ctx)
    printer = {None: Human, "json": Json, "csv": Csv}[form]()
    status = 0
    with ExitStack() as stack:
        writer = stack.enter_context(_output(ctx, captures, fixed)) if fixed is not None else None
        bar = stack.enter_context(Bar())
        total, before = size_of(captures), 0
        printer.begin()
        for report, entries, finished in verify(captures, ("bad",), printer.limit, writer):
            if bar.watch.report and total:
                bar.description = os.path.basename(report.name)[-12:]
                bar.watch.report(min(before + report.bytes, total), total)
            printer.bad(report, entries)
            if not finished:
                continue
            before += report.bytes
            errors = list(_errors(report))
            if errors:
                status = STATUS_UNREADABLE
            elif report.verdicts("bad"):
                status = max(status, STATUS_BAD)
            if len(captures) == 1 and report.format is None and form != "json":
                raise Unreadable(f"{report.name}: {report.error}")
            printer.finish(report)
            for error in errors:
                # what was printed of a capture comes before what was wrong with it
                sys.stdout.flush()
                err.print(Text(printable(f"carrychain: {report.name}: {error}")), soft_wrap=True)
            if writer and report.format is None:
                raise Unreadable(f"{fixed} was not written: there is nothing to fix")
        printer.end()
    if status:
        raise click.exceptions.Exit(status)


def _output(ctx: click.Context, captures: tuple[str, ...], fixed: str):
    """Where --fix writes: a file of its own."""
    if len(captures) > 1:
        raise click.UsageError(f"--fix takes one capture, not {len(captures)}", ctx)
    try:
        old = os.stat(fixed)
    except OSError:
        return replacing(fixed)
    if not stat.S_ISREG(old.st_mode):
        raise click.UsageError(f"--fix writes to a file, which {fixed!r} is not", ctx)
    try:
        same = os.path.samestat(os.stat(0 if captures[0] == "-" else captures[0]), old)
    except OSError as error:
        raise Unreadable(f"{captures[0]}: {error.strerror}") from None
    if same:
        raise click.UsageError(f"--fix never overwrites its input, which {fixed!r} is: give a new name", ctx)
    return replacing(fixed)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _errors(report: Report) -> Iterator[str]:
    if report.error:
        yield report.error
    if report.foreign:
        yield (
            f"{report.foreign:,} of {_count(report.frames, 'frame')} have link type {report.foreign_link}, "
            "which is not known: known are Ethernet, Linux cooked, raw IP and loopback"
        )


@lru_cache(4096)
def _address(raw: bytes | None, port: int | None) -> str:
    if raw is None:
        return "?"
    address = str(ipaddress.ip_address(raw))
    if port is None:
        return address
    return f"[{address}]:{port}" if len(raw) == 16 else f"{address}:{port}"


def _row(entry: Entry) -> dict[str, str | int]:
    seconds, ns = divmod(entry.time, 10**9)
    source, destination = entry.ports or (None, None)
    digits = 2 * entry.width
    return {
        "frame": entry.frame,
        "time": f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{ns:09}Z",
        "protocol": entry.protocol,
        "from": _address(entry.source, source),
        "to": _address(entry.destination, destination),
        "expected": f"0x{entry.expected:0{digits}x}",
        "found": f"0x{entry.found:0{digits}x}",
    }


class Human:
    """A table of counts a capture, and one of what is bad."""

    limit: int | None = LISTED

    def __init__(self) -> None:
        self._bad: list[Entry] = []

    def begin(self) -> None:
        pass

    def bad(self, report: Report, entries: list[Entry]) -> None:
        self._bad += entries

    def finish(self, report: Report) -> None:
        listed, self._bad = self._bad, []
        if report.format is None:
            return
        head = Text(printable(report.name), "bold")
        head.append(f": {report.format}, {_count(report.frames, 'frame')}", "none")
        if report.without:
            head.append(f", {report.without:,} of them without a checksum known here", "none")
        out.print(head, soft_wrap=True)
        if report.counts:
            out.print(self._counts(report))
        for reason, count in report.reasons.items():
            out.print(f"  {count:,} unverifiable: {reason}", soft_wrap=True)
        if listed:
            self._list(listed)
        if (more := report.verdicts("bad") - len(listed)) > 0:
            out.print(f"  … and {more:,} more bad ones: --json and --csv list them all", soft_wrap=True)
        if report.fixed or report.unfixed:
            line = f"  {_count(report.fixed, 'checksum')} made good"
            if report.unfixed:
                line += f"; {report.unfixed:,} left, in fragments that a tunnel's checksum covers"
            out.print(line, soft_wrap=True)

    @staticmethod
    def _counts(report: Report) -> Table:
        table = Table(box=None, padding=(0, 2), header_style="dim")
        table.add_column("")
        for verdict in VERDICTS.values():
            table.add_column(verdict, justify="right")
        for protocol in PROTOCOLS.values():
            counts = [report.counts[protocol, verdict] for verdict in VERDICTS.values()]
            if any(counts):
                cells = (
                    Text(f"{count:,}", STYLES[verdict]) if count else Text("·", "dim")
                    for verdict, count in zip(VERDICTS.values(), counts, strict=True)
                )
                table.add_row(protocol, *cells)
        return table

    @staticmethod
    def _list(entries: list[Entry]) -> None:
        rows = [_row(entry) for entry in entries]
        rows = [{name: str(value) for name, value in row.items()} for row in rows]
        widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]}
        lines = [{name: name for name in widths}, *rows]
        for line in lines:
            cells = [f"{line['frame']:>{widths['frame']}}"]
            cells += [f"{line[name]:{width}}" for name, width in widths.items() if name != "frame"]
            style = "dim" if line is lines[0] else "none"
            out.print(Text("  bad  " if line is not lines[0] else "       ", "bold red"), end="")
            out.print(Text("  ".join(cells).rstrip(), style), soft_wrap=True)

    def end(self) -> None:
        pass


class Csv:
    limit: int | None = None

    def begin(self) -> None:
        self._writer = csv.writer(sys.stdout, lineterminator="\n")
        self._headed = False

    def bad(self, report: Report, entries: list[Entry]) -> None:
        for entry in entries:
            row = _row(entry)
            self._head(row)
            self._writer.writerow((report.name, *row.values()))

    def _head(self, row) -> None:
        if not self._headed:
            self._writer.writerow(("file", *row))
            self._headed = True

    def finish(self, report: Report) -> None:
        pass

    def end(self) -> None:
        self._head(("frame", "time", "protocol", "from", "to", "expected", "found"))


class Json:
    """Written as it comes: there may be more of it than memory."""

    limit: int | None = None

    def begin(self) -> None:
        sys.stdout.write('{"captures": [')
        self._report: Report | None = None
        self._before = ""

    def _open(self, report: Report) -> None:
        if self._report is not report:
            sys.stdout.write(f'{self._before}\n {{"file": {json.dumps(report.name)},\n  "bad": [')
            self._report = report
            self._before = ""

    def bad(self, report: Report, entries: list[Entry]) -> None:
        self._open(report)
        for entry in entries:
            sys.stdout.write(f"{self._before}\n   {json.dumps(_row(entry))}")
            self._before = ","

    def finish(self, report: Report) -> None:
        self._open(report)
        counts = {
            protocol: {verdict: report.counts[protocol, verdict] for verdict in VERDICTS.values()}
            for protocol in PROTOCOLS.values()
            if any(report.counts[protocol, verdict] for verdict in VERDICTS.values())
        }
        rest = {
            "format": report.format,
            "frames": report.frames,
            "without_checksum": report.without,
            "counts": counts,
            "unverifiable": dict(report.reasons),
            "fixed": report.fixed,
            "errors": list(_errors(report)),
        }
        sys.stdout.write(f"],\n  {json.dumps(rest)[1:-1]}}}")
        self._before = ","

    def end(self) -> None:
        sys.stdout.write("]}\n")
