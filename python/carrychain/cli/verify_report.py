"""What carrychain verify prints: for people, as CSV, as JSON."""

import csv
import io
import json
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from carrychain.bindings.capture import PROTOCOLS, UNKNOWN_LINK, VERDICTS, Entries, Words
from carrychain.pcap import Report

from .console import printable

# Who wants more of them asks for JSON or CSV.
LISTED = 100
KINDS_LISTED = 10
STYLES = {"good": "green", "bad": "bold red", "partial": "yellow", "none": "dim", "unverifiable": "yellow"}
COLUMNS = ("frame", "time", "protocol", "from", "to", "expected", "found", "verdict", "reason")


def errors_of(report: Report) -> list[str]:
    """Why not all of a capture could be read."""
    errors = [report.error] if report.error else []
    links = {each.number: count for each, count in report.unknown.items() if each.what == UNKNOWN_LINK}
    if links:
        types = "link type" if len(links) == 1 else "link types"
        errors.append(
            f"{sum(links.values()):,} of {_count(report.frames, 'frame')} have {types} "
            f"{', '.join(map(str, sorted(links)))}, which is not known: "
            "known are Ethernet, Linux cooked, raw IP and loopback"
        )
    return errors


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


class Human:
    """A table of counts a capture, and one of what is listed."""

    limit: int | None = LISTED
    _WORDS = Words(("", *["\t"] * (len(COLUMNS) - 1)), "\n")

    def __init__(self, console: Console, verdicts: tuple[str, ...]) -> None:
        self._console = console
        self._verdicts = verdicts
        self._listed: list[str] = []

    def begin(self) -> None:
        pass

    def tell(self, report: Report, entries: Entries) -> None:
        self._listed += entries.rows(self._WORDS).splitlines()

    def _print(self, text: Text | str) -> None:
        # in a file, a line is a line; a terminal's are broken between words
        self._console.print(text, soft_wrap=not self._console.is_terminal)

    def finish(self, report: Report) -> None:
        listed, self._listed = self._listed, []
        if report.format is None:
            return
        head = Text(printable(report.name), "bold")
        head.append(f": {report.format}, {_count(report.frames, 'frame')}", "none")
        if report.without:
            head.append(f", {report.without:,} of them without a checksum known here", "none")
        self._print(head)
        if report.counts:
            self._console.print(self._counts(report))
        for reason, count in report.reasons.items():
            self._print(f"  {count:,} unverifiable: {reason}")
        kinds = report.unknown.most_common()
        for unknown, count in kinds[:KINDS_LISTED]:
            self._print(f"  {count:,} not checked: {unknown}")
        if rest := kinds[KINDS_LISTED:]:
            count = sum(count for _, count in rest)
            self._print(
                f"  {count:,} not checked, of {len(rest):,} more kinds: --json and --csv tell them all"
            )
        if listed:
            self._list(listed)
        if (more := sum(map(report.verdicts, set(self._verdicts))) - len(listed)) > 0:
            what = "bad ones" if set(self._verdicts) == {"bad"} else "of them"
            self._print(f"  … and {more:,} more {what}: --json and --csv list them all")
        if report.fixed or report.unfixed:
            line = f"  {_count(report.fixed, 'checksum')} made good"
            if report.unfixed:
                line += f"; {report.unfixed:,} left, in fragments that a tunnel's checksum covers"
            self._print(line)

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

    def _list(self, listed: list[str]) -> None:
        rows = [dict(zip(COLUMNS, row.split("\t"), strict=True)) for row in listed]
        label = max(len(row["verdict"]) for row in rows) + 4
        names = [name for name in COLUMNS if name != "verdict" and any(row[name] for row in rows)]
        widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in names}
        if self._console.is_terminal and label + sum(widths.values()) + 2 * len(widths) > self._console.width:
            for row in rows:
                self._narrow(row, label)
            return
        for row in [{name: name for name in COLUMNS} | {"verdict": ""}, *rows]:
            cells = [
                f"{row[name]:>{width}}" if name == "frame" else f"{row[name]:{width}}"
                for name, width in widths.items()
            ]
            line = Text(f"  {row['verdict']}".ljust(label), STYLES.get(row["verdict"], ""))
            line.append("  ".join(cells).rstrip(), "none" if row["verdict"] else "dim")
            self._console.print(line, soft_wrap=True)

    def _narrow(self, row: dict[str, str], label: int) -> None:
        """A row on as many lines as it takes, the first of them with its verdict."""
        pieces = [f"frame {row['frame']}", row["time"], row["protocol"], row["from"], f"→ {row['to']}"]
        pieces += [f"{name} {row[name]}" for name in ("expected", "found") if row[name]]
        pieces += [row["reason"]] if row["reason"] else []
        lines = [pieces[0]]
        for piece in pieces[1:]:
            if label + len(lines[-1]) + 2 + len(piece) <= self._console.width:
                lines[-1] += "  " + piece
            else:
                lines.append(piece)
        text = Text(f"  {row['verdict']}".ljust(label), STYLES[row["verdict"]])
        text.append(("\n" + " " * label).join(lines), "none")
        self._console.print(text, soft_wrap=True)

    def end(self) -> None:
        pass


class Csv:
    """A line for each checksum listed, and one for each kind of what was not checked, with how many."""

    limit: int | None = None

    def __init__(self, file: TextIO, verdicts: tuple[str, ...]) -> None:
        self._file = file

    def begin(self) -> None:
        self._file.write(",".join(("file", *COLUMNS, "count")) + "\n")

    @staticmethod
    def _name(report: Report) -> str:
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow((report.name, ""))
        return line.getvalue()

    def tell(self, report: Report, entries: Entries) -> None:
        # nothing in a row needs quotes
        words = Words((self._name(report), *[","] * (len(COLUMNS) - 1)), ",1\n")
        self._file.write(entries.rows(words))

    def finish(self, report: Report) -> None:
        name = self._name(report)
        for unknown, count in report.unknown.most_common():
            self._file.write(f"{name},,{unknown},,,,,not checked,,{count}\n")

    def end(self) -> None:
        pass


class Json:
    """Written as it comes: there may be more of it than memory."""

    limit: int | None = None
    # nothing in a row needs escapes
    _BETWEEN = ",\n   "
    _WORDS = Words(
        (
            '{"frame": ',
            *(f'{after}, "{name}": "' for after, name in zip(("", *['"'] * 7), COLUMNS[1:], strict=True)),
        ),
        '"}' + _BETWEEN,
    )

    def __init__(self, file: TextIO, verdicts: tuple[str, ...]) -> None:
        self._file = file
        self._key = "bad" if set(verdicts) == {"bad"} else "listed"
        self._report: Report | None = None
        self._before = ""

    def begin(self) -> None:
        self._file.write('{"captures": [')

    def _open(self, report: Report) -> None:
        if self._report is not report:
            self._file.write(f'{self._before}\n {{"file": {json.dumps(report.name)},\n  "{self._key}": [')
            self._report = report
            self._before = ""

    def tell(self, report: Report, entries: Entries) -> None:
        self._open(report)
        if len(entries):
            self._file.write(f"{self._before}\n   {entries.rows(self._WORDS)[: -len(self._BETWEEN)]}")
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
            "not_checked": {str(unknown): count for unknown, count in report.unknown.most_common()},
            "fixed": report.fixed,
            "errors": errors_of(report),
        }
        self._file.write(f"],\n  {json.dumps(rest)[1:-1]}}}")
        self._before = ","

    def end(self) -> None:
        self._file.write("]}\n")
