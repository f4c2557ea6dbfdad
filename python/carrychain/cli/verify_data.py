"""The output of carrychain verify for programs: CSV, JSON, JSON lines. C writes its rows."""

import csv
import io
import json
import os
from collections import Counter
from typing import TextIO

from carrychain.bindings.capture import COLUMNS, JUDGED, PROTOCOLS, RowWords
from carrychain.pcap import Conclusion, Report, by_count, conclusions, rows_by
from carrychain.pcap.by import COLUMNS as BY_COLUMNS
from carrychain.pcap.causes import Wrong, wrong_sums
from carrychain.pcap.entries import Entries

from . import verify_causes, verify_evidence
from .verify_report import WRONG, errors_of
from .verify_total import Total


class _Data:
    """Writes bytes after what was already written to ``file``."""

    limit: int | None = None

    def __init__(self, file: TextIO, verdicts: tuple[str, ...], by: str | None) -> None:
        file.flush()
        self._file = file.buffer
        self._verdicts = verdicts
        self._by = by

    def _write(self, text: str) -> None:
        self._file.write(os.fsencode(text))

    def flush(self) -> None:
        self._file.flush()

    def begin(self) -> None:
        pass

    def end(self) -> None:
        pass


class Csv(_Data):
    """One line per listed checksum, and one line with a count per kind of unchecked contents.

    With --by, one line with counts per group in their place.
    """

    def begin(self) -> None:
        if self._by:
            self._write(",".join(("file", *BY_COLUMNS[self._by], *JUDGED)) + "\n")
            return
        self._write(",".join(("file", *COLUMNS, "count")) + "\n")

    @staticmethod
    def _line(*fields: str | int) -> str:
        line = io.StringIO()
        # what may end a line is what it quotes
        csv.writer(line, lineterminator="\r\n").writerow(fields)
        return line.getvalue().removesuffix("\r\n")

    def _name(self, capture: str) -> str:
        return self._line(capture, "")

    def tell(self, report: Report, entries: Entries) -> None:
        if self._by:
            return
        # nothing in a row needs quotes
        words = RowWords((self._name(entries.name), *[","] * (len(COLUMNS) - 1)), ",1\n")
        for rows in entries.rows(words):
            self._file.write(rows)

    def finish(self, report: Report) -> None:
        if self._by:
            for row in rows_by(report, self._by):
                self._write(self._line(report.name, *row.values()) + "\n")
            return
        name = self._name(report.name)
        for unknown, count in by_count(report.unknown):
            self._write(f"{name},,{unknown},,,,,not checked,,{count}\n")

    def total(self, total: Total) -> None:
        """Nothing: its lines are rows."""


def _words(first: str, last: str) -> RowWords:
    """A row as a JSON object that begins with ``first``. Nothing in a row needs escapes."""
    names = (f'{after}, "{name}": "' for after, name in zip(("", *['"'] * 7), COLUMNS[1:], strict=True))
    return RowWords((f'{first}"frame": ', *names), f'"}}{last}')


def _summary(report: Report, by: str | None) -> dict:
    """Everything known about a capture except the listed checksums."""
    return {
        "format": report.format,
        **_found(
            report,
            conclusions(report),
            wrong_sums(report),
            {f"by_{by}": rows_by(report, by)} if by else {},
        ),
        "errors": errors_of(report),
    }


def _found(found: Report | Total, on: list[Conclusion], wrong: Counter[Wrong], more: dict) -> dict:
    """What a capture and the total both have."""
    return {
        "frames": found.frames,
        "without_checksum": found.without,
        "dropped": found.dropped,
        "counts": _counts(found.counts),
        "quoted": _counts(found.quoted),
        **more,
        "evidence": verify_evidence.rows(on),
        "wrong": verify_causes.data(wrong),
        "unverifiable": dict(found.reasons),
        "not_checked": {str(unknown): count for unknown, count in by_count(found.unknown)},
        "fixed": found.fixed,
    }


def _total(total: Total) -> dict:
    return {
        "captures": total.captures,
        "unreadable": total.unreadable,
        "bytes": total.bytes,
        **_found(
            total,
            total.conclusions(),
            total.wrong_sums,
            {f"by_{total.by}": total.rows_by()} if total.by else {},
        ),
        "worst": total.worst(),
    }


def _counts(counts: Counter) -> dict[str, dict[str, int]]:
    return {
        protocol: {verdict: counts[protocol, verdict] for verdict in JUDGED}
        for protocol in PROTOCOLS.values()
        if any(counts[protocol, verdict] for verdict in JUDGED)
    }


class JsonLines(_Data):
    """One object per line: each listed checksum, and after those of a capture an object with its summary."""

    def __init__(self, file: TextIO, verdicts: tuple[str, ...], by: str | None) -> None:
        super().__init__(file, verdicts, by)
        self._name: str | None = None
        self._words: RowWords | None = None

    def tell(self, report: Report, entries: Entries) -> None:
        if self._name != entries.name:
            self._name = entries.name
            self._words = _words(f'{{"type": "finding", "file": {json.dumps(entries.name)}, ', "\n")
        for rows in entries.rows(self._words):
            self._file.write(rows)

    def finish(self, report: Report, now: str = "") -> None:
        """With the time, if the capture goes on."""
        until = {"until": now} if now else {}
        summary = {"type": "capture", "file": report.name} | until | _summary(report, self._by)
        self._write(json.dumps(summary) + "\n")

    def total(self, total: Total) -> None:
        self._write(json.dumps({"type": "total"} | _total(total)) + "\n")


class Json(_Data):
    """One document, written incrementally, because it may not fit in memory."""

    _BETWEEN = ",\n   "
    _WORDS = _words(_BETWEEN + "{", "")

    def __init__(self, file: TextIO, verdicts: tuple[str, ...], by: str | None) -> None:
        super().__init__(file, verdicts, by)
        self._key = "bad" if set(verdicts) <= set(WRONG) else "listed"
        self._report: Report | None = None
        self._total: Total | None = None
        self._between = 0

    def begin(self) -> None:
        self._write('{"captures": [')

    def _open(self, report: Report) -> None:
        if self._report is report:
            return
        comma = "," if self._report else ""
        self._write(f'{comma}\n {{"file": {json.dumps(report.name)},\n  "{self._key}": [')
        self._report = report
        # none before the first
        self._between = 1

    def tell(self, report: Report, entries: Entries) -> None:
        self._open(report)
        words = self._WORDS
        if entries.name != report.name:
            words = _words(f'{self._BETWEEN}{{"file": {json.dumps(entries.name)}, ', "")
        for rows in entries.rows(words):
            self._file.write(rows[self._between :])
            self._between = 0

    def finish(self, report: Report) -> None:
        self._open(report)
        self._write(f"],\n  {json.dumps(_summary(report, self._by))[1:-1]}}}")

    def total(self, total: Total) -> None:
        self._total = total

    def end(self) -> None:
        total = f',\n "total": {json.dumps(_total(self._total))}' if self._total else ""
        self._write(f"]{total}}}\n")
