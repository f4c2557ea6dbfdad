"""What may have made checksums wrong: src/cause, and pcap/causes.c."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ._carrychain import ffi, lib
from .capture import TallyTable
from .status import check

CAUSES = tuple(ffi.string(lib.cc_cause_text(number)).decode() for number in range(lib.CC_CAUSES))
BIT = CAUSES[lib.CC_CAUSE_BIT]


class Rank(NamedTuple):
    """A mistake: how many sums it explains, and which mistakes explain the same ones about as well.

    ``difference`` is found - expected if that is the same in all; ``sums`` are their numbers.
    """

    cause: str
    count: int
    difference: int | None
    ties: tuple[str, ...]
    sums: list[int]


def named(fits: int) -> tuple[str, ...]:
    """The mistakes whose bits are set, the shortest explanation first."""
    return tuple(cause for number, cause in enumerate(CAUSES) if fits >> number & 1)


def flipped(difference: int) -> tuple[int, bool] | None:
    """The bit, and whether it was set, that makes this difference of a word."""
    bit = lib.cc_cause_bit(difference)
    return None if bit < 0 else (bit, bool(lib.cc_cause_bit_rose(difference)))


class CauseTable(TallyTable):
    """Bad sums by flow, mistakes that fit, difference, and what was found."""

    def add(self, other) -> None:
        check(lib.causes_add(self.c, ffi.addressof(other)), "counting")

    @property
    def lost(self) -> int:
        """Sums for which there was no row."""
        return sum(self.c.others.count)

    def keys(self) -> Iterator:
        return (self.c.row[i].key for i in range(self.c.count))

    def settled(self, talks: TallyTable) -> Iterator[tuple[int, int]]:
        """For each row its count and the mistakes that fit it, by other rows and who talks to whom, too."""
        some = ffi.new("struct cc_cause_count[]", self.c.count)
        check(lib.causes_settle(some, self.c, talks.c), "explaining")
        return ((each.count, each.fits) for each in some)


class Bad(NamedTuple):
    """Sums of a protocol, with the mistakes that fit them, and what was found minus what was expected."""

    count: int
    fits: int
    difference: int
    protocol: int


def ranked(sums: Sequence[Bad]) -> list[Rank]:
    """The mistakes that explain these sums of each protocol, the best first.

    What a mistake explains, no other does.
    """
    some = ffi.new("struct cc_cause_count[]", [(*each, 0) for each in sums])
    return [
        Rank(CAUSES[best.cause], best.count, best.difference if best.same else None, named(best.ties), taken)
        for protocol in sorted({each.protocol for each in sums})
        for best, taken in _best(some, protocol)
    ]


def _best(some, protocol: int) -> Iterator[tuple]:
    """The best for a protocol, and the numbers of its sums; then the best of the rest, and so on."""
    ranks = ffi.new("struct cc_cause_ranked[]", lib.CC_CAUSES)
    while lib.cc_cause_rank(ranks, some, len(some), protocol):
        best = ranks[0]
        before = [i for i, each in enumerate(some) if not each.explained]
        lib.cc_cause_take(some, len(some), protocol, best.cause)
        yield best, [i for i in before if some[i].explained]
