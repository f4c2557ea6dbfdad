"""Sentences that explain partial sums."""

from collections import Counter
from collections.abc import Iterator

from carrychain.pcap import Report, offload

NAMED = 3


def _from(senders: Counter[tuple[str, str]]) -> str:
    """all from 192.0.2.1; from 192.0.2.1 (5) and 192.0.2.2 (3)"""
    interfaces = len({interface for interface, _ in senders}) > 1
    named = [
        (f"{sender} at {interface}" if interfaces else sender, count)
        for (interface, sender), count in senders.most_common(NAMED)
    ]
    if len(senders) == 1:
        return f"all from {named[0][0]}"
    words = [f"{name} ({count:,})" for name, count in named]
    if more := len(senders) - len(named):
        words.append(f"{more:,} more")
    return f"from {', '.join(words[:-1])} and {words[-1]}"


def sentences(report: Report) -> Iterator[str]:
    """No sentence if nothing is partial."""
    found = offload(report)
    if not found.partial:
        return
    count = report.verdicts("partial")
    if found.within == found.partial.total():
        where = "to each other, on one machine: no card needs to finish them, and nothing is corrupt"
    else:
        where = "captured on the sender, whose network card finishes them (TX offload): no corruption"
    yield f"{count:,} partial, {_from(found.partial)}, {where}"
    if found.zero:
        yield (
            f"{found.zero:,} bad with 0 in the field, from the same senders: IPv4 headers and SCTP left to "
            "a card look like this"
        )
    if found.bad:
        yield f"{found.bad.total():,} bad not explained by offload, {_from(found.bad)}"
