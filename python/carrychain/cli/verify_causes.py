"""What made bad sums, as sentences and as rows."""

from collections import Counter
from collections.abc import Iterator

from carrychain.pcap.causes import Cause, Wrong, differences, explanations, fitting

from .verify_evidence import sent_from

# Differences in a table; JSON has more.
DIFFERENCES = 10
DIFFERENCES_IN_DATA = 1000


def _whole(each: Cause) -> str:
    return f"{each.cause} ({each.detail})" if each.detail else each.cause


def sentences(wrong: Counter[Wrong], every: bool) -> Iterator[str]:
    """One for the best explanation; with ``every``, also the best of the rest, and what nothing explains."""
    found = explanations(wrong)
    total = sum(each.count for each in found)
    for each in found if every else found[:1]:
        part = f"{each.count:,} of {total:,} bad" if total > 1 else "1 bad"
        if each.cause:
            # of one packet, something always fits
            perhaps = "perhaps " if each.count == 1 else ""
            others = "".join(f" or {other}" for other in each.others)
            yield f"{part}, {sent_from(each.senders)}: {perhaps}{_whole(each)}{others}"
        elif every:
            yield f"{part}, {sent_from(each.senders)}: no known mistake explains them"


def tables(wrong: Counter[Wrong]) -> Iterator[list[dict[str, str | int]]]:
    """All mistakes that explain something, and the most frequent differences."""
    yield fitting(wrong)
    yield [
        {
            "expected - found": f"{difference:#06x}",
            "found ^ expected": "" if changed is None else f"{changed:#06x}",
            "count": count,
            "fits": ", ".join(fits),
        }
        for (difference, changed, fits), count in differences(wrong).most_common(DIFFERENCES)
    ]


def data(wrong: Counter[Wrong]) -> dict:
    """For JSON: numbers are numbers."""
    return {
        "explanations": [
            {
                "cause": each.cause,
                "which": each.detail,
                "or": list(each.others),
                "count": each.count,
                "from": [
                    {"interface": interface, "from": sender, "count": count}
                    for (interface, sender), count in each.senders.most_common()
                ],
            }
            for each in explanations(wrong)
        ],
        "causes": fitting(wrong),
        "differences": [
            {"expected_minus_found": difference, "found_xor_expected": changed, "count": count, "fits": fits}
            for (difference, changed, fits), count in differences(wrong).most_common(DIFFERENCES_IN_DATA)
        ],
    }
