"""What made a capture's bad sums, as far as known mistakes explain them. The rules are in ``cause.h``."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from carrychain.bindings.capture import MOST, addresses
from carrychain.bindings.cause import BIT, CAUSES, Bad, Rank, flipped, named, ranked

from .by import OTHERS, address, interface
from .pipeline import Report


class Wrong(NamedTuple):
    """Bad sums of one sender that the same mistakes fit.

    ``difference`` is found - expected, and ``changed`` found ^ expected; None where they were not kept.
    """

    interface: str
    sender: str
    protocol: int
    fits: int
    difference: int | None
    changed: int | None


@dataclass(frozen=True)
class Cause:
    """``count`` of the bad sums, counted by (interface, sender), are explained by ``cause``, or by none: "".

    ``others`` explain the same ones, and can't be told from it. ``detail`` says which variant it is, if that
    is the same in all.
    """

    cause: str
    detail: str
    others: tuple[str, ...]
    senders: Counter[tuple[str, str]]

    @property
    def count(self) -> int:
        return self.senders.total()


def wrong_sums(report: Report) -> Counter[Wrong]:
    """The bad sums of a capture, with the mistakes that fit them."""
    table = report.causes
    found: Counter[Wrong] = Counter()
    for (count, fits), row in zip(table.settled(report.talks), table.keys(), strict=True):
        # 0 stands for what was not kept; an expected 0 may be 0xffff
        expected = (row.found + 0xFFFF - row.difference) % 0xFFFF
        found[
            Wrong(
                interface(report, row.interface),
                address(addresses(row)[0]),
                row.protocol,
                fits,
                row.difference or None,
                row.found ^ expected if row.found and row.difference and expected else None,
            )
        ] += count
    if table.lost:
        found[Wrong("", OTHERS, 0, 0, None, None)] += table.lost
    return found


def bounded(some: Counter[Wrong], more: Counter[Wrong]) -> None:
    """Adds ``more`` to ``some``, with at most as many rows as a tally."""
    for each, count in more.items():
        kept = (
            each
            if each in some or len(some) < MOST
            else Wrong("", OTHERS, each.protocol, each.fits, None, None)
        )
        some[kept] += count


def explanations(some: Counter[Wrong]) -> list[Cause]:
    """What explains each sum best: that of most sums first, and last, what nothing explains."""
    rows = list(some.items())
    found: dict[tuple[str, str, tuple[str, ...]], Counter[tuple[str, str]]] = {}
    left = set(range(len(rows)))
    for rank in ranked([Bad(count, each.fits, each.difference or 0, each.protocol) for each, count in rows]):
        senders = found.setdefault((rank.cause, _which(rank), rank.ties), Counter())
        senders.update(_senders(rows, rank.sums))
        left -= set(rank.sums)
    result = [Cause(*what, senders) for what, senders in found.items()]
    result.sort(key=lambda each: (-each.count, CAUSES.index(each.cause)))
    if left:
        result.append(Cause("", "", (), _senders(rows, sorted(left))))
    return result


def fitting(some: Counter[Wrong]) -> list[dict[str, str | int]]:
    """How many sums each mistake fits; several may fit one."""
    found = Counter()
    for each, count in some.items():
        for cause in named(each.fits):
            found[cause] += count
    return [{"cause": cause, "fits": count} for cause, count in found.most_common()]


def differences(some: Counter[Wrong]) -> Counter[tuple[int, int | None, tuple[str, ...]]]:
    """How often each expected - found and found ^ expected occurs, and which mistakes fit it."""
    found = Counter()
    for each, count in some.items():
        if each.difference is not None:
            found[(0xFFFF - each.difference) % 0xFFFF, each.changed, named(each.fits)] += count
    return found


def _which(rank: Rank) -> str:
    """Which bit flipped, if it is always the same."""
    return bit_text(rank.difference) if rank.cause == BIT and rank.difference else ""


def bit_text(difference: int) -> str:
    """bit 6 set; "" if no single bit makes this difference."""
    bit = flipped(difference)
    return f"bit {bit[0]} {'set' if bit[1] else 'cleared'}" if bit else ""


def _senders(rows: list[tuple[Wrong, int]], numbers: Iterable[int]) -> Counter[tuple[str, str]]:
    senders = Counter()
    for number in numbers:
        each, count = rows[number]
        senders[each.interface, each.sender] += count
    return senders
