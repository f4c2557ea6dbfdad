"""The number of checksums of each verdict, over time and over length."""

from carrychain.bindings.capture import HISTOGRAM_LENGTHS, VERDICTS, HistogramBins


class Histogram(HistogramBins):
    @property
    def _times(self):
        return self.c.set if self.c.set.shift else self.c.unset

    @property
    def width(self) -> int:
        """The width of a time bin in nanoseconds."""
        return 1 << self._times.shift

    @property
    def timeless(self) -> int:
        """The number of checksums in no time bin because their packets have no time."""
        return self.c.timeless

    @property
    def unset(self) -> int:
        """The number in no time bin because their packets' clock was never set, though others were."""
        return sum(map(sum, self.c.unset.count)) if self.c.set.shift else 0

    def times(self) -> dict[int, dict[str, int]]:
        """Time bins by their first nanosecond since 1970, from the first nonempty one to the last."""
        c = self._times
        if not c.shift:
            return {}
        first, last = c.low >> c.shift, c.high >> c.shift
        return {each << c.shift: _counts(c.count[each - c.first]) for each in range(first, last + 1)}

    def lengths(self) -> dict[int, dict[str, int]]:
        """The length bins by their shortest length.

        The longest in a bin is one less than twice its shortest.
        """
        found = {1 << n: _counts(self.c.length[n]) for n in range(HISTOGRAM_LENGTHS)}
        return {length: counts for length, counts in found.items() if any(counts.values())}


def _counts(bin) -> dict[str, int]:
    return dict(zip(VERDICTS.values(), bin, strict=True))
