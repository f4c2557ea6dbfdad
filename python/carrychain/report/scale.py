"""Numbers of any size compared with GMP and FLINT: F(n), its decimal digits, products and quotients."""

from collections.abc import Iterable
from html import escape
from math import inf
from pathlib import Path

from matplotlib.ticker import LogLocator, NullFormatter

from carrychain.bench import stored
from carrychain.bindings.fibonacci import STRATEGIES

from . import page, style
from .chapter import Mark, Marks
from .measured import Absent, Measured, suite

SUITES = ("fib", "decimal", "natural")
OURS = "carrychain"
# a figure's name, what its cases begin with, what it shows, against what
RATIOS = (
    ("products", ("mul", "sqr"), "Products", "words of the longer factor"),
    (
        "quotients",
        ("divrem", "isqrt", "gcd"),
        "Quotients, roots and common divisors",
        "words of the divisor, of the square, of either number",
    ),
    ("decimal", ("digits", "format", "parse"), "F(n) in decimal: from n, from words, and back", "n"),
)

Row = dict
# the points of a line
Points = dict[int, float]


def times(rows: Iterable[Row]) -> dict[str, Points]:
    """Minimum F(n) time per implementation, in µs. A peer's is ours times the ratio of the pairs."""
    lines: dict[str, Points] = {OURS: {}}
    for row in rows:
        if (row["suite"], row["impl"]) == ("fib", STRATEGIES[0]):
            # once beside each peer
            lines[OURS][row["size"]] = min(row["ns_min"] / 1000, lines[OURS].get(row["size"], inf))
            if row["ratio"]:
                lines.setdefault(row["peer"], {})[row["size"]] = row["ns_min"] / row["ratio"] / 1000
    return lines


def ratios(rows: Iterable[Row], kinds: tuple[str, ...], *, flint: bool) -> dict[str, Points]:
    """How many times as fast as FLINT, or as GMP, by case, for cases that begin so."""
    lines: dict[str, Points] = {}
    for row in rows:
        of_this = row["case"].startswith(kinds) and row["peer"] and row["peer"].startswith("flint") == flint
        if of_this and row["ratio"]:
            lines.setdefault(row["case"], {})[row["size"]] = 1 / row["ratio"]
    return lines


def draw(title: str, x: str, y: str, lines: dict[str, Points], path: Path, *, even: bool = False) -> None:
    """``even`` adds a line where both take the same time."""
    axes = style.axes(title, x, y)
    # in powers of ten, which 10^9 needs
    axes.set_xscale("log")
    axes.set_xlabel(f"{x} ({style.LOG})")
    axes.yaxis.set_major_formatter("{x:,.10g}")
    if even:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.axhline(1, color="#444444", linewidth=1.2)
    for name, points in lines.items():
        axes.plot(list(points), list(points.values()), label=name)
    style.save(axes, path)


def figures(badge: str, rows: list[Row], directory: Path, prefix: str) -> str:
    """The figures for which there are rows."""
    html = ""
    if any((lines := times(rows)).values()):
        file = f"{prefix}-fib.svg"
        draw("F(n)", "n", style.TIME, lines, directory / file)
        html += page.figure(badge, file, f"The time of F(n), {', '.join(lines)}: lower is faster.")
    for name, kinds, what, x in RATIOS:
        for peer, flint in (("GMP", False), ("FLINT", True)):
            if lines := ratios(rows, kinds, flint=flint):
                file = f"{prefix}-{name}-{peer.lower()}.svg"
                draw(f"{what}, beside {peer}", x, "times as fast", lines, directory / file, even=True)
                html += page.figure(
                    badge, file, f"{what}: how many times as fast as {peer}; above 1 we are faster."
                )
    return html


def phase(name: str):
    """Every size takes hours, so there are always few repeats; a quick report has only F(n)."""

    def run(quick: bool) -> list[Row]:
        if quick and name != "fib":
            raise Absent("it takes a minute: --quick leaves it out")
        return suite(name)(True)

    return run


def rows_of(measured: Measured) -> list[Row]:
    """The rows of all measured suites."""
    return [row for name in SUITES for row in measured.get(name, [])]


# what is compared with today's peers: suite, case, sizes, and all of these in a word or two
COMPARED = (
    ("fib", "fib", (1000, 1_000_000, 100_000_000), "F({size:,})", "Fibonacci numbers"),
    ("natural", "mul", (256, 65_536, 1_048_576), "a product of {size:,} words", "products"),
    ("natural", "divrem", (65_536, 1_048_576), "a quotient by {size:,} words", "quotients"),
    ("decimal", "format", (1_000_000, 100_000_000), "F({size:,}) in decimal", "their decimal digits"),
)


def marks(rows: Iterable[Row]) -> Marks:
    found = {}
    for row in rows:
        for suite_, case, sizes, what, _ in COMPARED:
            of_this = (row["suite"], row["case"]) == (suite_, case) and row["size"] in sizes and row["ratio"]
            if of_this and (suite_ != "fib" or row["impl"] == STRATEGIES[0]):
                peer = "FLINT" if row["peer"].startswith("flint") else "GMP"
                found[_label(what, row["size"], peer)] = Mark.of(row)
    return found


def _label(what: str, size: int, peer: str) -> str:
    return f"{what.format(size=size)}: ours / {peer}"


def beside(peer: str, marks: Marks) -> dict[str, list[Mark]]:
    """By what all of them are; those that there are none of are left out."""
    found = {
        kind: [marks[label] for size in sizes if (label := _label(what, size, peer)) in marks]
        for _, _, sizes, what, kind in COMPARED
    }
    return {kind: marks for kind, marks in found.items() if marks}


def stored_marks() -> Marks:
    return marks(row for name in stored.names("scale-") for row in stored.load(name)["rows"])


def stored_on() -> list[str]:
    """The processors of those."""
    return list(dict.fromkeys(stored.load(name)["machine"]["processor"] for name in stored.names("scale-")))


def here(measured: Measured, directory: Path) -> str:
    html = "<h2>At any size</h2>\n"
    for name in SUITES:
        try:
            measured[name]
        except Absent as why:
            html += page.absent(f"{name}: {why}")
    rows = rows_of(measured)
    disturbed = sum(row["disturbed"] for row in rows)
    html += figures(page.badge(measured, disturbed, len(rows)), rows, directory, "scale")
    for peer in dict.fromkeys(row["peer"] for row in rows if row["peer"] and not row["ratio"]):
        html += f'<p class="quiet">{escape(peer)}.</p>\n'
    return html


def before(directory: Path) -> str:
    """What was measured on other processors, and to the largest sizes."""
    html = ""
    for name in stored.names("scale-"):
        results = stored.load(name)
        disturbed = sum(row["disturbed"] for row in results["rows"])
        html += f"<h2>At any size, on {escape(results['machine']['processor'])}</h2>\n"
        html += figures(page.before(results), results["rows"], directory, name.removesuffix(".json"))
        html += f'<p class="quiet">{disturbed} of {len(results["rows"])} measurements disturbed.</p>\n'
    return html
