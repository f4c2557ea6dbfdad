"""Plantykw, Olech, Lobakin: Generic 128-bit Math API.

The adjustment of a PTP clock's frequency by the algorithms of Linux 5.19 and 6.0 and by the API, in the
paper's tables, and in addition what the paper lacks: each algorithm's error.
"""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import mean

from carrychain.bench import stored
from carrychain.bench.timing import Timing

from . import page
from .chapter import Chapter, Mark, Marks, mark, span, times_as_fast
from .measured import Absent, Measured, suite

DEVICE = "E810"
# of the arguments
ORDERS = ("random", "swept")


@dataclass(frozen=True)
class Published:
    """A table: its title, the times of its columns in ns, and the averages as printed."""

    title: str
    calls: int
    columns: tuple[str, str]
    # the names of the measured algorithms that answer to the columns
    measured: tuple[str, str]
    times: tuple[tuple[int, ...], tuple[int, ...]]
    averages: tuple[float, float]
    # what the paper has no column of: the heading, and the measured algorithm
    third: tuple[str, str] | None = None


# Tables 1 and 3, and 2 and 4, print the same times of the API.
API_100 = (30986, 30567, 39572, 30501, 29645, 30579, 30662, 30874, 31076, 30917)
API_10000 = (
    2910762, 2889556, 2898945, 2885530, 2885966, 2884493, 2888336, 2904135, 2886087, 2884718,
)  # fmt: skip
# The average that is printed below them is that of another third.
MISPRINTED = {39572: 29572}
ERRATUM = (
    "Tables 1 and 3 print 39,572 ns for the third of the API's times; the average that they print, "
    "30,537.9 ns, is that of 29,572 ns. The averages that Tables 1 and 2 print for Linux 5.19 are 1 and "
    "80 ns less than those of the times printed above them."
)
WITH = ("with the API", "without")
NATIVE = ("native", "fallbacks")
# the fallbacks' column beside the paper's is that by 64-bit words, which 64-bit machines choose
NARROW = ("fallbacks, 32 bits", "fallback32")

TABLES = (
    Published(
        "Table 1: algorithm 1 (Linux 5.19), 100 calls", 100, WITH, ("native", "5.19"),
        (API_100, (36288, 37174, 35983, 35531, 37225, 36753, 36917, 35918, 36818, 36694)),
        (30537.9, 36529.1),
    ),
    Published(
        "Table 2: algorithm 1 (Linux 5.19), 10 000 calls", 10000, WITH, ("native", "5.19"),
        (API_10000, (
            3479241, 3458588, 3456600, 3464868, 3456716, 3466790, 3468363, 3493585, 3457316, 3462869,
        )),
        (2891852.8, 3466413.6),
    ),
    Published(
        "Table 3: algorithm 2 (Linux 6.0), 100 calls", 100, WITH, ("native", "6.0"),
        (API_100, (30558, 29817, 29763, 30862, 30766, 30920, 31740, 31549, 31715, 30536)),
        (30537.9, 30822.6),
    ),
    Published(
        "Table 4: algorithm 2 (Linux 6.0), 10 000 calls", 10000, WITH, ("native", "6.0"),
        (API_10000, (
            2884022, 2886298, 2905804, 2884171, 2900811, 2905661, 2897499, 2887431, 2910105, 2885615,
        )),
        (2891852.8, 2894741.7),
    ),
    Published(
        "Table 5: algorithm 3 (the API), 100 calls", 100, NATIVE, ("native", "fallback64"),
        (
            (30899, 30532, 30868, 29578, 30977, 30681, 29598, 29701, 31078, 29634),
            (31509, 29725, 31896, 31614, 30931, 31835, 30471, 31797, 29881, 31805),
        ),
        (30354.6, 31146.4), NARROW,
    ),
    Published(
        "Table 6: algorithm 3 (the API), 10 000 calls", 10000, NATIVE, ("native", "fallback64"),
        (
            (2893146, 2894902, 2903383, 2891043, 2890052, 2885330, 2888230, 2884972, 2905913, 2888076),
            (2910706, 2882109, 2906288, 2899066, 2908561, 2900073, 2886179, 2887796, 2887784, 2891369),
        ),
        (2892504.7, 2895993.1), NARROW,
    ),
)  # fmt: skip

ALGORITHMS = {
    "5.19": "algorithm 1: Linux 5.19",
    "6.0": "algorithm 2: Linux 6.0, in C",
    "6.0 asm": "algorithm 2 where the machine divides 128 bits by 64",
    "native": "the API, by the compiler's 128-bit type",
    "fallback64": "the API, by 64-bit words",
    "fallback32": "the API, by 32-bit words",
}


def times(results: dict, by: str, order: str, calls: int) -> list[int]:
    for row in results["times"]:
        if (row["device"], row["by"], row["order"], row["calls"]) == (DEVICE, by, order, calls):
            return row["ns"]
    raise KeyError(f"{by}, {order}, {calls} calls")


def _printed(ns: int) -> str:
    return f"{ns:,} (for {MISPRINTED[ns]:,})" if ns in MISPRINTED else f"{ns:,}"


def paper_table(published: Published, results: dict) -> str:
    """The paper's columns, then ours, for each order of the arguments: medians and their ratios.

    The repeats are folded below, with the averages.
    """
    columns, measured_by = list(published.columns), list(published.measured)
    if published.third:
        columns.append(published.third[0])
        measured_by.append(published.third[1])
    ours = [times(results, by, order, published.calls) for order in ORDERS for by in measured_by]
    theirs = published.times
    averages = (*published.averages, *map(mean, ours))
    width = len(columns)
    rows = []
    for at, kind in enumerate(("published", *ORDERS)):
        group = theirs if not at else ours[width * (at - 1) : width * at]
        first, *others = timings = [Timing.of(column) for column in group]
        absent = ("",) * (width - len(timings))
        rows.append(
            (
                kind,
                *(f"{timing.median:,.1f}{timing.mark}" for timing in timings),
                *absent,
                *(f"{each.median / first.median:.2f}{first.mark or each.mark}" for each in others),
                *absent,
            )
        )
    printed = [[_printed(ns) for ns in column] for column in theirs]
    measured = [[f"{ns:,}" for ns in column] for column in ours]
    repeats = [("", *row) for row in zip(*printed, *measured, strict=True)]
    repeats.append(("average", *(f"{ns:,.1f}" for ns in averages)))
    heading = (
        "ns",
        *(f"published, {c}" for c in published.columns),
        *(f"{order}, {c}" for order in ORDERS for c in columns),
    )
    as_fast = f"{columns[0]}: times as fast"
    against = [f"{as_fast} as {c}" for c in columns[1:]] if width > 2 else [as_fast]
    badge = page.before(results)
    return (
        f"<h2>{escape(published.title)}</h2>\n"
        + page.table(badge, ("median, ns", *columns, *against), rows)
        + page.folded("The ten repeats", page.table(badge, heading, repeats))
    )


def errors(results: dict) -> list[tuple[str, ...]]:
    """Over all devices: how often, on average, and at most, in units of the increment and in ppb."""
    rows = []
    for by, name in ALGORITHMS.items():
        mine = [row for row in results["errors"] if row["by"] == by]
        tried, inexact = (sum(row[key] for row in mine) for key in ("tried", "inexact"))
        worst = max(row["max"] for row in mine)
        ppb = max(row["max"] / results["devices"][row["device"]] * 1e9 for row in mine)
        timings = [Timing.of(times(results, by, order, 10000)) for order in ORDERS]
        rows.append(
            (
                name,
                *(f"{timing.median / 10000:.2f}{timing.mark}" for timing in timings),
                f"{100 * inexact / tried:.2f} %",
                f"{sum(row['sum'] for row in mine) / tried:.4f}",
                f"{worst} ({ppb:.2f} ppb)" if worst else "0",
            )
        )
    return rows


ADJUSTMENT = "a PTP clock's adjustment, {calls:,} calls: the API / Linux {of}"
# of the suite, each beside what the compiler calls for it
COMPARED = {"div_u128_u128": "a quotient of {size} bits: ours / libgcc's __udivti3"}


def _adjustments() -> dict[str, Published]:
    """The tables that compare the API with an earlier algorithm, by what is compared."""
    return {
        ADJUSTMENT.format(calls=table.calls, of=table.measured[1]): table
        for table in TABLES
        if table.columns == WITH
    }


def stored_marks() -> Marks:
    """Medians, over both orders of the arguments."""
    results, marks = stored.load("kernel-adjfine.json"), {}
    for what, table in _adjustments().items():
        found, disturbed = [], False
        for order in ORDERS:
            ours, theirs = (Timing.of(times(results, by, order, table.calls)) for by in table.measured)
            found.append(theirs.median / ours.median)
            disturbed |= ours.disturbed or theirs.disturbed
        marks[what] = Mark(found[0], min(found), max(found), disturbed)
    return marks


def ratios(measured: Measured) -> Marks:
    return {
        COMPARED[row["case"]].format(size=row["size"]): Mark.of(row)
        for row in measured.get("u128", [])
        if row["case"] in COMPARED and row["peer"] == "__udivti3"
    }


def means(marks: Marks, kept: Marks) -> str:
    adjustments = _adjustments()
    after = {table.measured[1]: kept[what] for what, table in adjustments.items() if table.calls == 10000}
    said = " and ".join(f"{mark.said(2)} times as fast as by Linux {of}" for of, mark in after.items())
    quotients = [mark for what, mark in marks.items() if what.startswith("a quotient")]
    on = stored.origin(stored.load("kernel-adjfine.json"))["processor"]
    text = (
        f"With the API a clock is adjusted, its arguments random, {said} ({on}); published: "
        + " and ".join(
            f"{Timing.of(table.times[1]).median / Timing.of(table.times[0]).median:.2f}"
            for table in adjustments.values()
            if table.calls == 10000
        )
    )
    text += ". It is exact; both before it, in C, are not."
    if quotients:
        text += f" Its quotients come {span(quotients)} times as fast as libgcc's."
    return text


def show(measured: Measured, directory: Path) -> str:
    del directory  # all tables, but for the picture
    results = stored.load("kernel-adjfine.json")
    devices = len(results["devices"])
    heading = (
        "",
        *(f"ns a call, {order}" for order in ORDERS),
        "inexact",
        "mean error",
        "largest error",
    )
    return (
        "<h2>Times and errors</h2>\n"
        + page.table(page.before(results), heading, errors(results))
        + '<p class="quiet">Errors against the exact value, in units of the increment\'s last place, over '
        f"{devices} increments of ice devices and the whole range.</p>\n"
        "<p>A measurement is so many calls one after the other, each waiting for the answer of the one "
        "before, with interrupts off. Random: the arguments are drawn from the whole range that "
        f"{DEVICE} takes, so that no branch can be predicted. Swept: they come in ascending order, which "
        "processors predict: algorithm 1 then costs no more than the API. The paper's times hold more than "
        "the calculation: about 300 ns a call.</p>\n"
        "<p>With the API is a form tuned by hand: the divisor 10<sup>6</sup> 2<sup>16</sup> is 15625 "
        "2<sup>22</sup>, so that the product of 128 bits is shifted by 22 and divided by the constant 15625. "
        "In the range that the device takes what is divided has 64 bits: no 128-bit division runs.</p>\n"
        + "".join(paper_table(published, results) for published in TABLES)
        + f'<p class="quiet">{escape(ERRATUM)}</p>\n'
        + today(measured)
    )


def today(measured: Measured) -> str:
    """Each operation of each implementation, next to the compiler's own."""
    try:
        rows = [row for row in measured["u128"] if row["ratio"]]
    except Absent as why:
        return page.absent(why)
    return "<h2>Beside the compiler's own</h2>\n" + page.table(
        page.badge(measured),
        ("", "bits", "implementation", "ns", "peer", "times as fast"),
        [
            (
                row["case"],
                str(row["size"]),
                f"{row['impl']} bits",
                f"{row['ns_median']:.2f}{mark(row)}",
                row["peer"],
                times_as_fast(row),
            )
            for row in rows
        ],
    )


chapter = Chapter(
    carry="kept",
    module="u128",
    paper="M. A. Plantykw, M. Olech, A. Lobakin: Generic 128-bit Math API",
    what="128-bit arithmetic for kernels, with or without the compiler's help",
    published={
        what: (Timing.of(table.times[1]).median / Timing.of(table.times[0]).median,) * 2
        for what, table in _adjustments().items()
    },
    ratios=ratios,
    means=means,
    show=show,
    phases={"u128": suite("u128")},
    stored=stored_marks,
)
