"""Zaks, Naishlos, Citron: TCP/IP checksum vectorization using AltiVec.

The article's Figures 1, 4 and 5, by time on this machine, and by instructions on the article's kind of
machine, which is only emulated. Unless stated otherwise, a speedup is over the scalar scheme that is the best
at that size.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from statistics import mean, median

from matplotlib.axes import Axes

from carrychain.bench import stored

from . import page, style
from .chapter import Chapter, Mark, Marks, span
from .measured import Absent, Measured, suite

SCALAR = (
    "checksum16",
    "checksum16_unrolled",
    "checksum32",
    "checksum32_unrolled",
    "checksum_word",
    "checksum_word_unrolled",
)
# Figure 4 and 5: all versions are unrolled; ours is so by nature
VECTOR = ("mot_unrolled", "ibm_unrolled", "deferred")
# a scheme has its colour in every figure
COLOURS = dict(
    zip(
        ("mot_unrolled", "ibm_unrolled", "deferred", "checksum16", "checksum32", "checksum_word"),
        style.COLOURS,
        strict=True,
    )
)
DASHES = {"avx2": "--", "avx512": "-", "avx512vnni": ":"}
# The article's steps, each with its last size
STEPS = ((16, 512), (256, 8192), (1024, 65536))
MACHINES = {
    "powerpc64-linux-gnu": "ppc64, big-endian",
    "powerpc64le-linux-gnu": "ppc64le, little-endian",
}

SEED = "data by splitmix64 from 1"
BEST = "vectors ({tier}) / the best scalar, 1 to 64 KB"
# today's peers, each at these lengths
PEERS = {"loop": "gcc's loop", "adc": "add-with-carry"}
LENGTHS = (64, 1500, 32768)
# a speedup that the article names, by both schemes
STEPWISE = {
    "32-bit / 16-bit words": ("checksum16", "checksum32"),
    "16-bit words: unrolled / not": ("checksum16", "checksum16_unrolled"),
    "32-bit words: unrolled / not": ("checksum32", "checksum32_unrolled"),
}

Costs = dict[int, float]


@dataclass(frozen=True)
class Machine:
    """The cost of each scheme by size, in nanoseconds or in instructions."""

    name: str
    unit: str
    costs: dict[tuple[str, str], Costs]  # by tier and scheme
    badge: str
    disturbed: frozenset[tuple[str, str, int]] = frozenset()  # tier, scheme and size

    def steady(self) -> "Machine":
        """The undisturbed values, for figures in text and tables, where no mark would show a disturbance."""
        costs = {
            key: {size: cost for size, cost in of.items() if (*key, size) not in self.disturbed}
            for key, of in self.costs.items()
        }
        return replace(self, costs=costs)

    def scalar(self, scheme: str) -> Costs:
        return self.costs["generic", scheme]

    def best_scalar(self) -> Costs:
        """The best scalar scheme at the sizes that all schemes have; a missing one might be the best."""
        sizes = set.intersection(*(set(self.scalar(s)) for s in SCALAR))
        return {size: min(self.scalar(s)[size] for s in SCALAR) for size in sorted(sizes)}

    def vectors(self) -> list[tuple[str, str]]:
        """The tier and scheme of Figures 4 and 5."""
        return [(tier, scheme) for tier, scheme in self.costs if scheme in VECTOR and tier != "generic"]


def speedups(slow: Costs, fast: Costs, sizes: range) -> Costs:
    return {size: slow[size] / fast[size] for size in sizes if size in slow and size in fast}


def grid(step: int, last: int) -> range:
    return range(step, last + 1, step)


def timed(measured: Measured) -> Machine:
    """Absent"""
    costs: dict[tuple[str, str], Costs] = {}
    rows = measured["checksum_schemes"]
    for row in rows:
        costs.setdefault((row["impl"], row["case"]), {})[row["size"]] = row["ns_median"]
    badge = page.badge(measured, sum(row["disturbed"] for row in rows), len(rows), seed=SEED)
    disturbed = frozenset((row["impl"], row["case"], row["size"]) for row in rows if row["disturbed"])
    return Machine("this machine", "time", costs, badge, disturbed)


def counted(results: dict) -> list[Machine]:
    machines = []
    for triple, name in MACHINES.items():
        costs = {
            (row["impl"], row["case"]): dict(zip(results["sizes"], row["instructions"], strict=True))
            for row in results["counts"]
            if row["machine"] == triple
        }
        machines.append(Machine(name, "instructions", costs, page.before(results)))
    return machines


def axes(title: str, machine: Machine) -> Axes:
    """Axes that begin at 0, so that a speedup of 6 looks six times as high as 1."""
    result = style.axes(f"{title}, {machine.name}", "bytes", f"times as fast, by {machine.unit}", log=False)
    result.axhline(1, color="#888888", linewidth=1)
    return result


def save(drawn: Axes, path: Path) -> None:
    drawn.set_ylim(bottom=0)
    style.save(drawn, path)


def draw_scalar(machine: Machine, path: Path) -> None:
    """Figure 1, and the unrolled schemes."""
    drawn = axes("Scalar schemes over checksum16", machine)
    for scheme in SCALAR[1:]:
        line = speedups(machine.scalar("checksum16"), machine.scalar(scheme), grid(256, 8192))
        plain = scheme.removesuffix("_unrolled")
        drawn.plot(
            list(line),
            list(line.values()),
            "-" if plain == scheme else "--",
            color=COLOURS[plain],
            label=scheme.removeprefix("checksum").replace("_", " ").strip(),
        )
    save(drawn, path)


def draw_vector(machine: Machine, sizes: list[int], title: str, path: Path) -> None:
    """Figures 4 and 5."""
    drawn = axes(title, machine)
    best = machine.best_scalar()
    for tier, scheme in machine.vectors():
        line = speedups(best, machine.costs[tier, scheme], sizes)
        drawn.plot(
            list(line),
            list(line.values()),
            DASHES.get(tier, "-"),
            color=COLOURS[scheme],
            label=f"{scheme.removesuffix('_unrolled')}, {tier}",
        )
    save(drawn, path)


def figures(machine: Machine, directory: Path, prefix: str) -> str:
    """Figures 1, 4 and 5 of one machine."""
    draw_scalar(machine, directory / f"{prefix}-1.svg")
    html = page.figure(
        machine.badge, f"{prefix}-1.svg", f"Figure 1, {machine.name}: scalar schemes over checksum16."
    )
    for step, last in STEPS:
        file = f"{prefix}-4-{step}.svg"
        title = f"Vectors over the best scalar, steps of {step:,} bytes"
        draw_vector(machine, list(grid(step, last)), title, directory / file)
        caption = f"Figure 4, {machine.name}: in steps of {step:,} bytes; all unrolled."
        html += page.figure(machine.badge, file, caption)
    file = f"{prefix}-5.svg"
    sizes = sorted({*grid(*STEPS[1]), *grid(*STEPS[2])})
    draw_vector(machine, sizes, "Vectors over the best scalar, to 64 KB", directory / file)
    return html + page.figure(
        machine.badge,
        file,
        f"Figure 5, {machine.name}: steps of 256 bytes to 8 KB and of 1 KB from there; all unrolled.",
    )


def _said(ratio: float, digits: int) -> str:
    return f"{ratio:.{digits}f}" if ratio else "disturbed"


def scalar_table(badge: str, machines: list[Machine]) -> str:
    sizes = grid(256, 8192)

    def row(what: str, published: str, slow: str, fast: str) -> tuple[str, ...]:
        ratios = [
            speedups(m.scalar(slow), m.scalar(fast), sizes).values() for m in map(Machine.steady, machines)
        ]
        return (what, published, *(_said(median(each) if each else 0, 2) for each in ratios))

    return page.table(
        badge,
        ("speedup, median to 8 KB", "published: G4, G5", *(f"{m.name}, {m.unit}" for m in machines)),
        [
            row("32-bit over 16-bit words", "none, 1.5", "checksum16", "checksum32"),
            row("16-bit words, unrolled", "1.5, 2", "checksum16", "checksum16_unrolled"),
            row("32-bit words, unrolled", "1.1, 2", "checksum32", "checksum32_unrolled"),
        ],
    )


def average(slow: Costs, fast: Costs) -> float:
    """0, if all of them are disturbed"""
    found = speedups(slow, fast, grid(*STEPS[2])).values()
    return mean(found) if found else 0


def overtakes(slow: Costs, fast: Costs) -> str:
    """The size from which it costs no more, up to 64 KB."""
    sizes = sorted(slow.keys() & fast.keys())
    if not sizes:
        return "disturbed"
    behind = [size for size in sizes if fast[size] > slow[size]]
    if not behind:
        return f"from {sizes[0]}"
    later = [size for size in sizes if size > behind[-1]]
    return f"from {later[0]:,}" if later else "not to the end"


def vector_table(badge: str, machines: list[Machine]) -> str:
    rows = [
        ("", "ibm: bytes", "mot: bytes", "mot over ibm: bytes", "mean speedup, 1 to 64 KB"),
        ("published, G4", "from 32", "after 64", "from about 1,000 to 32,000", "around 4.0"),
    ]
    for machine in map(Machine.steady, machines):
        best = machine.best_scalar()
        for tier in dict.fromkeys(tier for tier, _ in machine.vectors()):
            mot, ibm = (machine.costs.get((tier, scheme)) for scheme in VECTOR[:2])
            means = [
                f"{scheme.removesuffix('_unrolled')} {_said(average(best, costs), 1)}"
                for scheme in VECTOR
                if (costs := machine.costs.get((tier, scheme)))
            ]
            rows.append(
                (
                    f"{machine.name}, {tier}, {machine.unit}",
                    overtakes(best, ibm) if ibm else "",
                    overtakes(best, mot) if mot else "",
                    overtakes(ibm, mot) if mot and ibm else "",
                    ", ".join(means),
                )
            )
    return (
        "<p>From which size on each costs no more than the best scalar, and by how much less:</p>\n"
        + page.table(badge, rows[0], rows[1:])
    )


def counted_by(results: dict) -> str:
    machine = results["machine"]
    return (
        "Instructions, not times: AltiVec is only emulated here, and an emulator says nothing of caches, "
        f"latencies, or how many instructions start in a cycle. Counted under {machine['emulator']}, "
        f"compiled by {', '.join(machine['compilers'])}."
    )


def _range(values: Iterable[float]) -> Mark | None:
    """The median, minimum and maximum of a scheme at each size; None if there are none."""
    values = sorted(values)
    return Mark(median(values), values[0], values[-1]) if values else None


def _marks(machine: Machine) -> Marks:
    machine = machine.steady()
    marks = {
        what: _range(speedups(machine.scalar(slow), machine.scalar(fast), grid(256, 8192)).values())
        for what, (slow, fast) in STEPWISE.items()
    }
    best = machine.best_scalar()
    for tier in dict.fromkeys(tier for tier, _ in machine.vectors()):
        found = (machine.costs[each] for each in machine.vectors() if each[0] == tier)
        costs = max(found, key=lambda costs: average(best, costs))
        marks[BEST.format(tier=tier)] = _range(speedups(best, costs, grid(*STEPS[2])).values())
    return {what: mark for what, mark in marks.items() if mark}


def ratios(measured: Measured) -> Marks:
    marks = {}
    if measured.get("checksum_schemes"):
        marks |= _marks(timed(measured))
    for row in measured.get("checksum", []):
        if row["case"] == "checksum" and row["size"] in LENGTHS and row["peer"] in PEERS:
            marks[f"{row['size']:,} bytes: ours / {PEERS[row['peer']]}"] = Mark.of(row)
    return marks


def counted_marks() -> Marks:
    """Marks by instructions under an emulator, big-endian."""
    return _marks(counted(stored.load("checksum-altivec.json"))[0])


def means(marks: Marks, kept: Marks) -> str:
    here, emulated = (
        [mark for what, mark in of.items() if what.startswith("vectors")] for of in (marks, kept)
    )
    said = []
    if here:
        said.append(
            f"Between 1 and 64 KB vectors are {span(here)} times as fast as the best scalar scheme; AltiVec "
            "in 2004 was around 4 times as fast."
        )
    if emulated:
        said.append(
            f"By instructions, counted under an emulator, AltiVec is {emulated[0].said(0)} times as fast."
        )
    return " ".join(said)


def show(measured: Measured, directory: Path) -> str:
    results = stored.load("checksum-altivec.json")
    emulated = counted(results)
    try:
        here = timed(measured)
        html = scalar_table(here.badge, [here]) + vector_table(here.badge, [here])
        html += figures(here, directory, "checksum")
    except Absent as why:
        html = page.absent(why)
    html += f'<h2>AltiVec, emulated</h2>\n<p class="quiet">{escape(counted_by(results))}</p>\n'
    html += scalar_table(page.before(results), emulated) + vector_table(page.before(results), emulated)
    for machine, prefix in zip(emulated, ("checksum-ppc64", "checksum-ppc64le"), strict=True):
        html += page.folded(f"The figures, {machine.name}", figures(machine, directory, prefix))
    return html


chapter = Chapter(
    carry="deferred",
    module="checksum",
    paper="A. Zaks, D. Naishlos, D. Citron: TCP/IP checksum vectorization using AltiVec, 2004",
    what="the Internet checksum, summed in wide lanes and folded at the end",
    published=dict(
        zip(STEPWISE, ((1, 1.5), (1.5, 2), (1.1, 2)), strict=True), **{BEST.format(tier="altivec"): (4, 4)}
    ),
    ratios=ratios,
    means=means,
    show=show,
    phases={name: suite(name) for name in ("checksum", "checksum_schemes")},
    stored=counted_marks,
    seed=SEED,
)
