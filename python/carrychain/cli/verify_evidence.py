"""Sentences about sums that a sender may have left to its network card."""

from collections import Counter
from collections.abc import Iterator

from carrychain.pcap import Conclusion

NAMED = 3
MEANING = {"deferred": "no corruption", "unfinished": "the sender's offload is broken"}


def sent_from(senders: Counter[tuple[str, str]]) -> str:
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


def _evidence(some: list[Conclusion]) -> str:
    """received: packet type; with counts if there is more than one kind"""
    if len(some) == 1:
        return some[0].evidence or ""
    return "; ".join(f"{each.senders.total():,} {each.evidence or 'by themselves'}" for each in some)


def sentences(found: list[Conclusion]) -> Iterator[str]:
    """One for each verdict; none if no sum may have been left to a network card."""
    if not any(each.evidence for each in found):
        return
    for verdict in ("deferred", "unfinished", "bad"):
        some = [each for each in found if each.verdict == verdict]
        senders: Counter[tuple[str, str]] = Counter()
        for each in some:
            for (interface, sender, _), count in each.senders.items():
                senders[interface, sender] += count
        if not senders:
            continue
        if verdict == "bad":
            why = f" ({_evidence(some)})" if any(each.evidence for each in some) else ""
            yield f"{senders.total():,} bad not explained by offload, {sent_from(senders)}{why}"
        else:
            why = f"({_evidence(some)}): {MEANING[verdict]}"
            yield f"{senders.total():,} {verdict}, {sent_from(senders)} {why}"


def rows(found: list[Conclusion]) -> list[dict[str, str | int]]:
    """All that the verdicts rest on, a row for each sender."""
    return [
        {
            "verdict": each.verdict,
            "protocol": protocol,
            "interface": interface,
            "from": sender,
            "count": count,
            "evidence": each.evidence or "",
        }
        for each in found
        for (interface, sender, protocol), count in each.senders.most_common()
    ]
