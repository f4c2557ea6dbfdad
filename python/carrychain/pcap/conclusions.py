"""What a capture's bad, unfinished and deferred sums show, by their senders, and on which evidence.

With TX offload the network card computes the checksum. The system passes it packets whose field holds only
the pseudo-header's sum, or 0, and a capture on that machine sees them so. Where such a packet was received,
its sender never finished it. The rules are in ``vantage.h``.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from carrychain.bindings.capture import UNSETTLED

from .by import OTHERS, address, interface
from .pipeline import Report


@dataclass(frozen=True)
class Conclusion:
    """Sums with the same verdict on the same evidence, counted by (interface, sender, protocol).

    ``evidence`` is None for those that are bad by themselves; their protocol is "".
    """

    verdict: str
    evidence: str | None
    senders: Counter[tuple[str, str, str]]


def conclusions(report: Report) -> list[Conclusion]:
    """Those on corruption first; the more sums the earlier."""
    found: dict[tuple[str, str | None], Counter[tuple[str, str, str]]] = {}
    for row in report.wrong:
        sender = interface(report, row.interface), address(row.source), row.protocol if row.verdict else ""
        group = found.setdefault((row.verdict or "bad", row.evidence), Counter())
        group[sender] += sum(row.counts.values())
    # those of senders that have no row
    for verdict, count in report.wrong.others.items():
        if count:
            on = verdict, None if verdict == "bad" else UNSETTLED
            found.setdefault(on, Counter())["", OTHERS, ""] += count
    return ordered(Conclusion(*on, senders) for on, senders in found.items())


def ordered(some: Iterable[Conclusion]) -> list[Conclusion]:
    order = ("bad", "unfinished", "deferred")
    return sorted(
        some, key=lambda each: (order.index(each.verdict), -each.senders.total(), each.evidence or "")
    )
