"""A capture with a comment on each checksum that is not right, for Wireshark."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from carrychain.bindings.cause import named

from . import pcapng
from .causes import Cause, explanations, wrong_sums
from .entries import Entry
from .packets import batches
from .pipeline import settings_of
from .settled import verify

COMMENTED = ("bad", "unfinished", "deferred", "unverifiable")


def commented(name: str, vantage: str) -> Iterator[bytes]:
    """The packets of a capture in pcapng, in pieces. A file is read twice, so that verdicts are final.

    CaptureError, after what could be read, if that is not all.
    """
    *_, (report, _, _) = verify([name], (), vantage=vantage)
    causes = explanations(wrong_sums(report))
    settings = settings_of(COMMENTED, True, None, False, vantage) | {"settled": report.wrong.c}
    written = pcapng.Packets()
    yield pcapng.begin()
    for batch, packets in batches(name, settings):
        comments = defaultdict(list)
        for entry in batch.entries():
            comments[entry.frame].append(_comment(entry, causes))
        for packet in packets:
            yield written.block(packet, comments.get(packet.number, ()))


def _comment(entry: Entry, causes: Sequence[Cause]) -> str:
    head = f"{entry.protocol} checksum {entry.verdict}"
    if entry.reason:
        return f"{head}: {entry.reason}"
    digits = 2 * entry.width
    values = f"0x{entry.found:0{digits}x} found, 0x{entry.expected:0{digits}x} expected"
    why = entry.evidence or _cause(entry, causes)
    return f"{head}: {values}{f' ({why})' if why else ''}"


def _cause(entry: Entry, causes: Sequence[Cause]) -> str:
    """Of the mistakes that fit, the one that explains most of the capture."""
    fits = named(entry.causes)
    for each in causes:
        if each.cause in fits:
            perhaps = "perhaps " if each.count == 1 else ""
            return " or ".join((perhaps + each.cause, *(other for other in each.others if other in fits)))
    return ""
