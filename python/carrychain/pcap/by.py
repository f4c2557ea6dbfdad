"""Counts by interface, host or conversation, as rows for people and for programs."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import ip_address

from carrychain.bindings.capture import JUDGED, MOST

from .pipeline import Report
from .tally import Row

# What tells one row from another.
COLUMNS = {
    "link": ("link",),
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
# By their names among the LINKTYPE_ of tcpdump.org; those that are not here are numbers.
LINKS = {
    0: "NULL",
    1: "ETHERNET",
    6: "IEEE802_5",
    9: "PPP",
    10: "FDDI",
    12: "RAW",
    14: "RAW",
    50: "PPP_HDLC",
    51: "PPP_ETHER",
    101: "RAW",
    104: "C_HDLC",
    105: "IEEE802_11",
    107: "FRELAY",
    108: "LOOP",
    113: "LINUX_SLL",
    119: "IEEE802_11_PRISM",
    127: "IEEE802_11_RADIOTAP",
    129: "ARCNET_LINUX",
    163: "IEEE802_11_AVS",
    192: "PPI",
    228: "IPV4",
    229: "IPV6",
    239: "NFLOG",
    242: "IPOIB",
    258: "PKTAP",
    276: "LINUX_SLL2",
    281: "DSA_TAG_BRCM",
    282: "DSA_TAG_BRCM_PREPEND",
    284: "DSA_TAG_DSA",
    285: "DSA_TAG_EDSA",
}


Counts = dict[tuple[str, ...], Counter[str]]


@lru_cache(4096)
def address(data: bytes | None) -> str:
    return str(ip_address(data)) if data else "?"


def interface(report: Report, number: int) -> str:
    """The interface's name, or its number if it has none."""
    return report.interfaces.get(number, str(number))


def _link(report: Report, number: int) -> str:
    """The link type of an interface, or "?" if it is not known."""
    link = report.links.get(number)
    return "?" if link is None else LINKS.get(link, str(link))


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
        "link": _link(report, row.interface),
        "interface": interface(report, row.interface),
        "protocol": row.protocol,
        "from": end(row.source, source),
        "to": end(row.destination, destination),
    }
    return tuple(every[name] for name in COLUMNS[by])


def counts_by(report: Report, by: str) -> Counts:
    """The counts of each group, under its columns' names."""
    found: Counts = {}
    for row in report.tally:
        # an interface may be described again, in another section of the file
        found.setdefault(_columns(report, row, by), Counter()).update(row.counts)
    others = report.tally.others
    if any(others.values()):
        found[(OTHERS,) * len(COLUMNS[by])] = Counter(others)
    return found


def add_counts(to: Counts, more: Counts) -> None:
    """Adds ``more``, with at most as many groups as a report has."""
    for names, counts in more.items():
        kept = names if names in to or len(to) < MOST else (OTHERS,) * len(names)
        to.setdefault(kept, Counter()).update(counts)


def rows_of(found: Counts, by: str, verdicts: Sequence[str] = JUDGED) -> list[dict[str, str | int]]:
    """The columns, and a row of counts of these verdicts per direction of a conversation.

    Rows are sorted by the number of bad checksums, then unfinished, deferred, unverifiable, and all. The last
    row counts what has no row of its own.
    """
    others = (OTHERS,) * len(COLUMNS[by])

    def rank(row: dict) -> tuple:
        return (
            tuple(row[name] for name in COLUMNS[by]) == others,
            *(-row.get(verdict, 0) for verdict in ("bad", "unfinished", "deferred", "unverifiable")),
            -sum(row[verdict] for verdict in verdicts),
            *(row[name] for name in COLUMNS[by]),
        )

    rows = [
        dict(zip(COLUMNS[by], names, strict=True)) | {verdict: counts[verdict] for verdict in verdicts}
        for names, counts in found.items()
    ]
    return sorted(rows, key=rank)


def rows_by(report: Report, by: str, verdicts: Sequence[str] = JUDGED) -> list[dict[str, str | int]]:
    """The rows of one capture."""
    return rows_of(counts_by(report, by), by, verdicts)
