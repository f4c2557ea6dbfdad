"""Partial sums told apart from corruption, by whose they are.

A network card that computes checksums (TX offload) gets packets whose field has the pseudo-header's sum only;
a capture on that machine sees them so. They all have the same senders then: the machine's own addresses.
Corruption on the way comes from elsewhere.
"""

from collections import Counter
from dataclasses import dataclass

from .by import address, interface
from .pipeline import Report


@dataclass(frozen=True)
class Offload:
    """``partial``: how many each sender left so, as (interface, address); ``within``: how many of them went
    to another such sender; ``zero``: how many of their bad have a 0 in the field, as IPv4 headers and SCTP
    left to a card have; ``bad``: how many of the bad each sender has, but for these."""

    partial: Counter[tuple[str, str]]
    within: int
    zero: int
    bad: Counter[tuple[str, str]]


def offload(report: Report) -> Offload:
    rows = list(report.wrong)
    senders = {(row.interface, row.source) for row in rows if row.counts["partial"]}
    partial, bad, within, zero = Counter(), Counter(), 0, 0
    for row in rows:
        name = interface(report, row.interface), address(row.source)
        own = (row.interface, row.source) in senders
        partial[name] += row.counts["partial"]
        bad[name] += row.counts["bad"] - row.zero * own
        zero += row.zero * own
        if (row.interface, row.destination) in senders:
            within += row.counts["partial"]
    return Offload(+partial, within, zero, +bad)
