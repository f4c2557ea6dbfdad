"""Unrolled x86_64 Assembly Squaring for Ch. 12 FFA."""

from html import escape
from operator import itemgetter
from pathlib import Path

from carrychain.bench.timing import duration

from . import page
from .chapter import Chapter, Mark, Marks, mark, span, times_as_fast
from .measured import Absent, Measured, suite

SIZES = (2048, 4096, 8192)
# The article's seconds, for so many squarings as it does not say: what can be compared is ratios.
PUBLISHED = {
    "portable": (0.476, 1.458, 4.498),
    "asm-8": (0.167, 0.558, 1.783),
    "asm-16": (0.120, 0.415, 1.345),
    "asm-32": (0.101, 0.362, 1.195),
}
UNROLLED = "a square of {bits} bits: unrolled by 32 / portable"
# what is compared with today's peers
CASES = {"powmod": "b^e mod m", "sqr": "a square", "mul": "a product"}
BITS = (2048, 4096)

Rows = dict[tuple[str, str, int], dict]


def by_operation(rows: list[dict]) -> Rows:
    """Rows by variant or tier, operation and bits."""
    return {(row["impl"], row["case"], row["size"]): row for row in rows}


def ratios(measured: Measured) -> Marks:
    marks = {}
    if found := by_operation(measured.get("fixed_ffa", [])):
        for bits in SIZES:
            fast, slow = found["asm-32", "sqr", bits], found["portable", "sqr", bits]
            marks[UNROLLED.format(bits=bits)] = Mark.spread(
                slow["ns_median"] / fast["ns_median"], max(slow["spread"], fast["spread"])
            )
    for row in measured.get("fixed", []):
        if row["case"] in CASES and row["size"] in BITS:
            marks[f"{CASES[row['case']]}, {row['size']} bits: ours / {row['peer']}"] = Mark.of(row)
    return marks


def means(marks: Marks, kept: Marks) -> str:
    del kept
    unrolled = [marks[what] for bits in SIZES if (what := UNROLLED.format(bits=bits)) in marks]
    peers = [mark for what, mark in marks.items() if what.startswith("b^e")]
    said = []
    if unrolled:
        published = [Mark.published(*chapter.published[UNROLLED.format(bits=bits)]) for bits in SIZES]
        said.append(
            f"Unrolling Comba's columns makes squares {span(unrolled)} times as fast as the portable code; "
            f"published: {span(published)}."
        )
    if peers:
        said.append(
            f"Modular exponentiation in constant time is {span(peers)} times as fast as today's peers' at "
            f"{BITS[0]} and {BITS[-1]} bits."
        )
    return " ".join(said)


def paper_table(badge: str, found: Rows) -> str:
    """Squaring: published seconds, measured nanoseconds, and how many times as fast as portable code."""
    rows = []
    for variant, seconds in PUBLISHED.items():
        ours = [(found[variant, "sqr", bits], found["portable", "sqr", bits]) for bits in SIZES]
        rows.append(
            (
                variant,
                *(
                    f"{s:.3f} s ({base / s:.1f}x)"
                    for s, base in zip(seconds, PUBLISHED["portable"], strict=True)
                ),
                *(
                    f"{ns['ns_median']:,.0f} ns ({base['ns_median'] / ns['ns_median']:.1f}x){mark(ns, base)}"
                    for ns, base in ours
                ),
            )
        )
    heading = ("a square", *(f"published, {n}" for n in SIZES), *(f"measured, {n}" for n in SIZES))
    return page.table(badge, heading, rows)


def squaring_gain(badge: str, found: Rows) -> str:
    """How much less time a square takes than a product."""

    def gain(sqr: dict, mul: dict) -> str:
        return f"{1 - sqr['ns_median'] / mul['ns_median']:.0%}{mark(sqr, mul)}"

    rows = [
        (
            variant,
            "around 20 %",
            *(gain(found[variant, "sqr", bits], found[variant, "mul", bits]) for bits in SIZES),
        )
        for variant in PUBLISHED
    ]
    heading = ("time that squaring saves over multiplying", "published", *(f"measured, {n}" for n in SIZES))
    return page.table(badge, heading, rows)


def against(badge: str, rows: list[dict], operations: dict[str, tuple[str, int]]) -> str:
    """Our time, and how many times as fast as each peer it is; for batches, the time of one."""
    table: dict[tuple[str, int], dict[str, dict]] = {}
    for row in rows:
        if row["case"] in operations:
            name, _ = operations[row["case"]]
            table.setdefault((name, row["size"]), {})[row["peer"]] = row
    peers = list(dict.fromkeys(peer for beside in table.values() for peer in beside))

    def ours(beside: dict[str, dict]) -> str:
        row = min(beside.values(), key=itemgetter("spread"))
        return duration(row["ns_median"] / operations[row["case"]][1]) + mark(row)

    return page.table(
        badge,
        ("", "bits", "ours", *(f"times as fast as {peer}" for peer in peers)),
        [
            (
                name,
                str(bits),
                ours(beside),
                *(times_as_fast(beside[peer]) if peer in beside else "" for peer in peers),
            )
            for (name, bits), beside in table.items()
        ],
    )


def show(measured: Measured, directory: Path) -> str:
    del directory  # all tables, but for the picture
    badge, html = page.badge(measured, seed=chapter.seed), ""
    try:
        found = by_operation(measured["fixed_ffa"])
        html += (
            "<h2>The article's table</h2>\n" + paper_table(badge, found) + squaring_gain(badge, found)
            + '<p class="quiet">In brackets: how many times as fast as portable. The article compares with '
            "Ada by GNAT, we with C.</p>\n"
        )  # fmt: skip
    except Absent as why:
        html += page.absent(why)
    try:
        rows = measured["fixed"]
    except Absent as why:
        return html + page.absent(why)
    return html + (
        f"<h2>The best tier here ({escape(rows[0]['impl'])})</h2>\n"
        + against(badge, rows, {"sqr": ("square", 1), "mul": ("multiply", 1)})
        + against(
            badge, rows, {"powmod": ("b^e mod m", 1), "powmod_many 8": ("b^e mod m, each of 8 at once", 8)}
        )
        + '<p class="quiet">Both peers of b^e mod m are constant-time functions, as ours is.</p>\n'
    )


chapter = Chapter(
    carry="collected",
    module="fixed",
    paper="Unrolled x86_64 Assembly Squaring for Ch. 12 FFA, 2019",
    what="constant-time integers of a fixed width, multiplied column by column",
    published={
        UNROLLED.format(bits=bits): (portable / unrolled,) * 2
        for bits, portable, unrolled in zip(SIZES, PUBLISHED["portable"], PUBLISHED["asm-32"], strict=True)
    },
    ratios=ratios,
    means=means,
    show=show,
    phases={name: suite(name) for name in ("fixed_ffa", "fixed")},
    seed="numbers by splitmix64 from 1",
)
