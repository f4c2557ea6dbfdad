"""Unrolled x86_64 Assembly Squaring for Ch. 12 FFA."""

from html import escape
from operator import itemgetter
from pathlib import Path

from carrychain import benchmark
from carrychain.timing import MARK, duration

from . import page
from .chapter import Chapter

# Fewer repeats, for who looks at the page and not at the numbers.
QUICK = False

SIZES = (2048, 4096, 8192)
# The article's seconds, for so many squarings as it does not say: what can be compared is ratios.
PUBLISHED = {
    "portable": (0.476, 1.458, 4.498),
    "asm-8": (0.167, 0.558, 1.783),
    "asm-16": (0.120, 0.415, 1.345),
    "asm-32": (0.101, 0.362, 1.195),
}

Rows = dict[tuple[str, str, int], dict]


def by_operation(rows: list[dict]) -> Rows:
    """By variant or tier, operation and bits."""
    return {(row["impl"], row["case"], row["size"]): row for row in rows}


def mark(*rows: dict) -> str:
    return MARK if any(row["disturbed"] for row in rows) else ""


def paper_table(found: Rows) -> str:
    """Squaring: seconds published, nanoseconds measured, and how much faster than portable each is."""
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
    return page.table(page.here(), heading, rows)


def squaring_gain(found: Rows) -> str:
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
    heading = ("squaring over multiplication", "published", *(f"measured, {n}" for n in SIZES))
    return page.table(page.here(), heading, rows)


def against(rows: list[dict], operations: dict[str, tuple[str, int]]) -> str:
    """Ours, and its ratio to each peer's; of several at once the time of one."""
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
        page.here(),
        ("", "bits", "ours", *(f"over {peer}" for peer in peers)),
        [
            (
                name,
                str(bits),
                ours(beside),
                *(
                    f"{beside[peer]['ratio']:.2f}{mark(beside[peer])}" if peer in beside else ""
                    for peer in peers
                ),
            )
            for (name, bits), beside in table.items()
        ],
    )


def measure(directory: Path) -> str:
    del directory  # all tables, no figure
    try:
        rows = benchmark.suite("fixed", quick=QUICK)
    except benchmark.NoProgram as error:
        return (
            f'<p class="quiet">Not measured: {escape(str(error))}; its peers are GMP and OpenSSL '
            "(Debian: libgmp-dev, libssl-dev).</p>\n"
        )
    html = ""
    try:
        found = by_operation(benchmark.suite("fixed_ffa", quick=QUICK))
        html += (
            "<h3>The article's table</h3>\n" + paper_table(found) + squaring_gain(found)
            + '<p class="quiet">In brackets: how many times faster than portable. The article compares with '
            "Ada by GNAT, we with C.</p>\n"
        )  # fmt: skip
    except benchmark.NoProgram:
        html += '<p class="quiet">The article\'s table is one of x86-64, which this machine is not.</p>\n'
    tier = rows[0]["impl"]
    return html + (
        f"<h3>The best tier here ({escape(tier)})</h3>\n"
        "<p>A ratio is our time over the peer's: below 1 we are faster.</p>\n"
        + against(rows, {"sqr": ("square", 1), "mul": ("multiply", 1)})
        + against(rows, {"powmod": ("b^e mod m", 1), "powmod_many 8": ("b^e mod m, each of 8 at once", 8)})
        + '<p class="quiet">Both peers of b^e mod m are constant-time functions, as ours is.</p>\n'
    )


chapter = Chapter(
    carry="collected",
    module="fixed",
    paper="Unrolled x86_64 Assembly Squaring for Ch. 12 FFA, 2019",
    what="constant-time integers of a fixed width, multiplied column by column",
    measure=measure,
)
