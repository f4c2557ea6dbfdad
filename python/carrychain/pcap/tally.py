"""The number of checksums of each verdict, grouped by a common property."""

from collections.abc import Iterator
from typing import NamedTuple

from carrychain.bindings.capture import EVIDENCE, PROTOCOLS, VERDICTS, TallyTable, addresses


class Row(NamedTuple):
    """The addresses are bytes, or None if they could not be read or are not part of the grouping.

    ``verdict`` and ``evidence`` are those of sums that may be deferred, once the capture has been read.
    """

    interface: int
    protocol: str
    source: bytes | None
    destination: bytes | None
    ports: tuple[int, int] | None
    counts: dict[str, int]
    verdict: str | None
    evidence: str | None


class Tally(TallyTable):
    """Rows, one per group.

    ``others`` counts the checksums that arrived when there were already MOST groups.
    """

    def __len__(self) -> int:
        return self.c.count

    def __iter__(self) -> Iterator[Row]:
        return (_row(self.c.row[i]) for i in range(self.c.count))

    @property
    def others(self) -> dict[str, int]:
        return _counts(self.c.others)


def _counts(row) -> dict[str, int]:
    return dict(zip(VERDICTS.values(), row.count, strict=True))


def _row(row) -> Row:
    key = row.key
    return Row(
        key.interface,
        PROTOCOLS[key.protocol],
        *addresses(key),
        (key.source_port, key.destination_port) if key.has_ports else None,
        _counts(row),
        VERDICTS[row.verdict] if key.sum else None,
        EVIDENCE[row.evidence] if key.sum else None,
    )
