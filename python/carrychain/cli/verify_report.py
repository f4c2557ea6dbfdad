"""The output of carrychain verify for people; verify_data is for programs."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from carrychain.bindings.capture import COLUMNS, JUDGED, PROTOCOLS, REASONS, UNKNOWN_LINK, RowWords
from carrychain.pcap import Conclusion, Report, by_count, conclusions, rows_by
from carrychain.pcap.by import COLUMNS as BY_COLUMNS
from carrychain.pcap.causes import Wrong, wrong_sums
from carrychain.pcap.entries import Entries
from carrychain.texts import printable

from . import verify_causes, verify_evidence

if TYPE_CHECKING:
    from .verify_total import Total

# JSON and CSV list all.
LISTED = 100
KINDS_LISTED = 10
ROWS_LISTED = 20
# The longest line of a table in a file.
LONGEST = 1000
STYLES = {
    "good": "green",
    "bad": "bold red",
    "unfinished": "bold red",
    "deferred": "yellow",
    "none": "dim",
    "unverifiable": "yellow",
}
# Corruption.
WRONG = ("bad", "unfinished")


def errors_of(report: Report) -> list[str]:
    """Why a capture could not be read completely."""
    errors = [report.error] if report.error else []
    links = {each.number: count for each, count in report.unknown.items() if each.what == UNKNOWN_LINK}
    if links:
        types = "link type" if len(links) == 1 else "link types"
        count = sum(links.values())
        errors.append(
            f"{count:,} of {_count(report.frames, 'frame')} {'has' if count == 1 else 'have'} {types} "
            f"{', '.join(map(str, sorted(links)))}, which {'is' if len(links) == 1 else 'are'} not supported"
        )
    return errors


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _dropped(found: "Report | Total") -> str:
    return (
        f"; {_count(found.dropped, 'more frame')} dropped before they could be read" if found.dropped else ""
    )


class VerifyPrinter:
    """A table of counts per capture, and one of listed checksums.

    With --follow, the latter first, row by row.
    """

    _WORDS = RowWords(("", *["\t"] * (len(COLUMNS) - 1)), "\n")

    def __init__(
        self, console: Console, verdicts: tuple[str, ...], by: str | None, follow: bool, explain: bool
    ) -> None:
        self.limit = None if follow else LISTED
        self._console = console
        self._verdicts = verdicts
        self._by = by
        self._follow = follow
        self._explain = explain
        self._first = True
        self._listed: list[str] = []
        # of the columns so far: a later row may make one wider
        self._widths: dict[str, int] = {}

    def begin(self) -> None:
        pass

    def flush(self) -> None:
        """Does nothing: the console flushes what it prints."""

    def tell(self, report: Report, entries: Entries) -> None:
        words = self._WORDS
        if entries.name != report.name:
            # name the file that contains the frame
            words = RowWords((f"{printable(entries.name)}: ", *["\t"] * (len(COLUMNS) - 1)), "\n")
        for rows in entries.rows(words):
            self._listed += bytes(rows).decode().splitlines()
        if self._follow and self._listed:
            self._list(self._listed)
            self._listed = []

    def _print(self, text: Text | str) -> None:
        # break lines between words on a terminal only
        self._console.print(text, soft_wrap=not self._console.is_terminal)

    def finish(self, report: Report, now: str = "") -> None:
        """With the time, if the capture goes on."""
        listed, self._listed, self._widths = self._listed, [], {}
        self._first = False
        if report.format is None:
            return
        head = Text(printable(report.name), "bold")
        head.append(f" until {now}" if now else "", "none")
        head.append(f": {report.format}, {_count(report.frames, 'frame')}", "none")
        if report.without:
            head.append(f", {report.without:,} of them without a known checksum", "none")
        head.append(_dropped(report), "none")
        self._print(head)
        by = rows_by(report, self._by) if self._by else []
        self._print_found(report, conclusions(report), wrong_sums(report), by)
        if listed:
            self._list(listed)
        more = sum(map(report.verdicts, set(self._verdicts))) - len(listed)
        if more > 0 and not self._follow:
            what = "bad ones" if set(self._verdicts) <= set(WRONG) else "of them"
            self._print(f"  … and {more:,} more {what}: --json and --csv list them all")
        self._print_fixed(report)

    def total(self, total: "Total") -> None:
        """That of all captures; between it and them is an empty line."""
        if not self._first:
            self._print("")
        head = Text("total", "bold")
        head.append(f": {_count(total.captures, 'capture')}", "none")
        if total.unreadable:
            head.append(f", {total.unreadable:,} of them not read completely", "none")
        head.append(
            f"; {_count(total.frames, 'frame')}, {_count(total.bytes, 'byte')}, {total.seconds:.1f} s", "none"
        )
        head.append(_dropped(total), "none")
        self._print(head)
        self._print_found(total, total.conclusions(), total.wrong_sums, total.rows_by())
        if worst := total.worst():
            self._print_table(_texts([{"most wrong": each.pop("file")} | each for each in worst]))
        self._print_fixed(total)

    def _print_found(
        self,
        found: "Report | Total",
        on: list[Conclusion],
        wrong: Counter[Wrong],
        by: list[dict[str, str | int]],
    ) -> None:
        """What a capture and the total both have."""
        if found.counts:
            self._print_counts(found, by)
        for sentence in verify_evidence.sentences(on):
            self._print(f"  {sentence}")
        if self._explain and (rows := verify_evidence.rows(on)):
            self._print_table(_texts(rows))
        for sentence in verify_causes.sentences(wrong, self._explain):
            self._print(f"  {sentence}")
        if self._explain:
            for rows in filter(None, verify_causes.tables(wrong)):
                self._print_table(_texts(rows))
        for reason in REASONS.values():
            if count := found.reasons[reason]:
                self._print(f"  {count:,} unverifiable: {reason}")
        kinds = by_count(found.unknown)
        for unknown, count in kinds[:KINDS_LISTED]:
            self._print(f"  {count:,} not checked: {unknown}")
        if rest := kinds[KINDS_LISTED:]:
            count = sum(count for _, count in rest)
            self._print(
                f"  {count:,} not checked, of {len(rest):,} more kinds: --json and --csv list them all"
            )

    def _print_fixed(self, found: "Report | Total") -> None:
        if found.fixed or found.unfixed:
            line = f"  {_count(found.fixed, 'checksum')} repaired"
            if found.unfixed:
                line += f"; {found.unfixed:,} left, in fragments covered by a tunnel's checksum"
            self._print(line)

    def _print_table(self, table: Table) -> None:
        if self._console.is_terminal:
            self._console.print(table)
            return
        # print takes a width, but at most the console's
        width, self._console.width = self._console.width, LONGEST
        self._console.print(table)
        self._console.width = width

    def _print_counts(self, found: "Report | Total", by: list[dict[str, str | int]]) -> None:
        rows = [
            {"protocol": f"{protocol}{behind}"} | {verdict: counts[protocol, verdict] for verdict in JUDGED}
            for counts, behind in ((found.counts, ""), (found.quoted, " (quoted)"))
            for protocol in PROTOCOLS.values()
        ]
        self._print_table(_counts([""], [row for row in rows if any(list(row.values())[1:])]))
        if not by:
            return
        self._print_table(_counts(BY_COLUMNS[self._by], by[:ROWS_LISTED]))
        if (more := len(by) - ROWS_LISTED) > 0:
            self._print(f"  … and {more:,} more: --json and --json-lines list them all")

    def _list(self, listed: list[str]) -> None:
        rows = [dict(zip(COLUMNS, row.split("\t"), strict=True)) for row in listed]
        label = max(len(row["verdict"]) for row in rows) + 4
        head = [] if self._widths else [{name: name for name in COLUMNS} | {"verdict": ""}]
        for name in COLUMNS:
            # a column that is still empty may be filled later
            if name != "verdict" and (self._follow or any(row[name] for row in rows)):
                widest = max(len(row[name]) for row in rows)
                self._widths[name] = max(widest, self._widths.get(name, len(name)))
        widths = self._widths
        if self._console.is_terminal and label + sum(widths.values()) + 2 * len(widths) > self._console.width:
            for row in rows:
                self._narrow(row, label)
            return
        for row in [*head, *rows]:
            cells = [
                f"{row[name]:>{width}}" if name == "frame" else f"{row[name]:{width}}"
                for name, width in widths.items()
            ]
            line = Text(f"  {row['verdict']}".ljust(label), STYLES.get(row["verdict"], ""))
            line.append("  ".join(cells).rstrip(), "none" if row["verdict"] else "dim")
            self._console.print(line, soft_wrap=True)

    def _narrow(self, row: dict[str, str], label: int) -> None:
        """A row on as many lines as it needs; the first has its verdict."""
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


def _texts(rows: list[dict[str, str | int]]) -> Table:
    """A table of texts and numbers, with the keys as its head."""
    table = Table(box=None, padding=(0, 2), header_style="dim")
    for name, value in rows[0].items():
        table.add_column(name, justify="right" if isinstance(value, int) else "left", overflow="fold")
    for row in rows:
        # as text: what is foreign is no markup, and no :1234: in an address an emoji
        table.add_row(
            *(Text(f"{each:,}" if isinstance(each, int) else printable(each)) for each in row.values())
        )
    return table


def _counts(columns: Iterable[str], rows: list[dict[str, str | int]]) -> Table:
    """A table with one row of verdict counts per value of the named columns."""
    table = Table(box=None, padding=(0, 2), header_style="dim")
    for name in columns:
        table.add_column(name, overflow="fold")
    for verdict in JUDGED:
        table.add_column(verdict, justify="right")
    for row in rows:
        cells = (
            Text(f"{row[name]:,}" if row[name] else "·", STYLES[name] if row[name] else "dim")
            if name in STYLES
            else Text(printable(row[name]))
            for name in row
        )
        table.add_row(*cells)
    return table
