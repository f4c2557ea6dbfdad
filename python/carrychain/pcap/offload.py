"""Tells partial sums from corruption, by their senders.

With TX offload the network card computes the checksum. The system passes it packets whose field holds only
the pseudo-header's sum, and a capture on that machine sees them so. All of them have the machine's own
addresses as senders. Corruption on the way comes from other senders.
"""

from collections import Counter
from dataclasses import dataclass

from .by import address, interface
from .pipeline import Report


@dataclass(frozen=True)
class Offload:
    """Counts by sender, where a sender is (interface, address).

    ``partial`` counts the checksums that each sender left partial; ``within``, those of them sent to another
    such sender; ``zero``, its bad checksums whose field is 0, as IPv4 headers and SCTP have when left to a
    card; ``bad``, its other bad checksums.
    """

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
