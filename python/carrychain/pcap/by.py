"""Counts by interface, host or conversation, as rows for people and for programs."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import ip_address

from carrychain.bindings.capture import JUDGED

from .pipeline import Report
from .tally import Row

# What tells one row from another.
COLUMNS = {
    "interface": ("interface",),
    "host": ("interface", "from"),
    "conversation": ("protocol", "from", "to"),
    "sender": ("from",),
    "vlan": ("vlan",),
    "length4": ("length mod 4",),
    "length64": ("length mod 64",),
    "offset": ("offset",),
}
# Columns that are numbers, and what stands for none.
NUMBERS = {"vlan": "none", "length mod 4": "?", "length mod 64": "?", "offset": "?"}
OTHERS = "all others"


@lru_cache(4096)
def address(data: bytes | None) -> str:
    return str(ip_address(data)) if data else "?"


def interface(report: Report, number: int) -> str:
    """The interface's name, or its number if it has none."""
    return report.interfaces.get(number, str(number))


def end(data: bytes | None, port: int | None) -> str:
    """An address, with its port if it has one."""
    if port is None:
        return address(data)
    return f"[{address(data)}]:{port}" if data and len(data) == 16 else f"{address(data)}:{port}"


def _columns(report: Report, row: Row, by: str) -> tuple[str, ...]:
    source, destination = row.ports or (None, None)
    (*_, last) = COLUMNS[by]
    if last in NUMBERS:
        return (str(row.interface - 1) if row.interface else NUMBERS[last],)
    every = {
        "interface": interface(report, row.interface),
        "protocol": row.protocol,
        "from": end(row.source, source),
        "to": end(row.destination, destination),
    }
    return tuple(every[name] for name in COLUMNS[by])


def rows_by(report: Report, by: str, verdicts: Sequence[str] = JUDGED) -> list[dict[str, str | int]]:
    """The columns, and a row of counts of these verdicts per direction of a conversation.

    Rows are sorted by the number of bad checksums, then unfinished, deferred, unverifiable, and all. The last
    row counts what has no row of its own.
    """
    found: dict[tuple[str, ...], Counter[str]] = {}
    for row in report.tally:
        # an interface may be described again, in another section of the file
        found.setdefault(_columns(report, row, by), Counter()).update(row.counts)
    rows = [
        dict(zip(COLUMNS[by], names, strict=True)) | {verdict: counts[verdict] for verdict in verdicts}
        for names, counts in found.items()
    ]
    rows.sort(
        key=lambda row: (
            *(-row.get(verdict, 0) for verdict in ("bad", "unfinished", "deferred", "unverifiable")),
            -sum(row[verdict] for verdict in verdicts),
            *(row[name] for name in COLUMNS[by]),
        )
    )
    others = report.tally.others
    if any(others.values()):
        rows.append(dict.fromkeys(COLUMNS[by], OTHERS) | {verdict: others[verdict] for verdict in verdicts})
    return rows
