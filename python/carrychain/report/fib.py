"""Fibonacci numbers by each strategy against n, timed as in the paper.

Every sample sweeps over all n and all strategies before the next one begins. So whatever slows the machine
for a while affects one sample of many n, and not all samples of one. The plot shows the median of the samples
of each n. If samples are disturbed for some n, all are repeated, and the steadiest attempt is used.
"""

from itertools import chain
from operator import attrgetter
from pathlib import Path

from matplotlib.axes import Axes

from carrychain.bench.timing import ATTEMPTS, MARK, Timing
from carrychain.bindings.fibonacci import STRATEGIES, fib_sweep

from . import fibdrv, page, scale, style
from .chapter import Chapter, Marks, span
from .measured import Measured

SAMPLES, SAMPLES_QUICK = 21, 3
# between two readings of the clock
CALLS = 16
SMALL = range(1001)
LARGE = range(0, 10_001, 50)
# its "less than 1000 in 10 microseconds"
PUBLISHED_NS = 10_000
PUBLISHED_ON = "i7-7700HQ, in the kernel, 32-bit blocks"

Times = dict[str, list[float]]
# by strategy, the n whose measurement stayed so
Disturbed = dict[str, list[int]]


def sweeps(indices: range, count: int) -> list[list[Timing]]:
    """The times of F(n) in ns, by strategy, by n of ``indices``, by sample."""
    samples: dict[str, list[list[float]]] = {strategy: [] for strategy in STRATEGIES}
    for _ in range(count):
        for strategy in STRATEGIES:
            samples[strategy].append(fib_sweep(indices, CALLS, strategy))
    return [[Timing.of(of_n) for of_n in zip(*swept, strict=True)] for swept in samples.values()]


def medians(indices: range, count: int = SAMPLES) -> tuple[Times, Disturbed]:
    """The median time of F(n) in ns, by strategy, for each n of ``indices``; and which n are disturbed."""
    best = sweeps(indices, count)
    for _ in range(ATTEMPTS - 1):
        if not any(timing.disturbed for curve in best for timing in curve):
            break
        best = [
            [min(pair, key=attrgetter("spread")) for pair in zip(*curves, strict=True)]
            for curves in zip(best, sweeps(indices, count), strict=True)
        ]
    by = dict(zip(STRATEGIES, best, strict=True))
    return (
        {strategy: [timing.median for timing in curve] for strategy, curve in by.items()},
        {
            strategy: [n for n, timing in zip(indices, curve, strict=True) if timing.disturbed]
            for strategy, curve in by.items()
        },
    )


def plot(indices: range, times: Times) -> Axes:
    axes = style.axes(f"F(n) for n to {indices[-1]:,}", "n", style.TIME)
    for strategy, ns in times.items():
        axes.plot(indices, [t / 1000 for t in ns], label=strategy)
    axes.set_xlim(0, indices[-1])
    return axes


def phase(indices: range):
    return lambda quick: medians(indices, SAMPLES_QUICK if quick else SAMPLES)


def ratios(measured: Measured) -> Marks:
    return scale.marks(scale.rows_of(measured))


def means(marks: Marks, kept: Marks) -> str:
    on, said = "" if marks else f" ({', '.join(scale.stored_on())})", []
    for peer in ("GMP", "FLINT"):
        if found := scale.beside(peer, marks or kept):
            *most, last = found
            what = f"{', '.join(most)} and {last}" if most else last
            fast = span(chain(*found.values()), 2)
            said.append(f"{what[0].upper()}{what[1:]} come {fast} times as fast as {peer}'s{on}.")
    return " ".join(said)


def show(measured: Measured, directory: Path) -> str:
    (small, small_disturbed), (large, large_disturbed) = measured["fib_1000"], measured["fib_10000"]
    counts = [sum(map(len, each.values())) for each in (small_disturbed, large_disturbed)]
    small_badge = page.badge(measured, counts[0], len(SMALL) * len(STRATEGIES))
    large_badge = page.badge(measured, counts[1], len(LARGE) * len(STRATEGIES))
    axes = plot(SMALL, small)
    axes.axhline(PUBLISHED_NS / 1000, color=style.INK, linestyle="--", label="published: all below this")
    style.save(axes, directory / "fib-1000.svg")
    style.save(plot(LARGE, large), directory / "fib-10000.svg")
    return (
        page.table(
            page.badge(measured, sum(counts), (len(SMALL) + len(LARGE)) * len(STRATEGIES)),
            ("", f"published ({PUBLISHED_ON})", "measured (user space)"),
            comparison(small, large, small_disturbed, large_disturbed),
        )
        + page.figure(
            small_badge,
            "fib-1000.svg",
            "The time of F(n) by strategy: the median of some samples, each a sweep over every n, "
            f"of each the mean of {CALLS} calls.",
        )
        + page.figure(large_badge, "fib-10000.svg", f"The same for every {LARGE.step}th n.")
        + scale.here(measured, directory)
        + fibdrv.section(directory)
        + scale.before(directory)
    )


def comparison(
    small: Times, large: Times, small_disturbed: Disturbed, large_disturbed: Disturbed
) -> list[tuple[str, str, str]]:
    default = small[STRATEGIES[0]]
    disturbed = set(small_disturbed[STRATEGIES[0]])

    def time(n: int) -> str:
        return f"{default[n]:.0f} ns{MARK if n in disturbed else ''}"

    # what is disturbed is none of these, but where all is
    slowest = max(range(1000), key=lambda n: (n not in disturbed, default[n]))
    unsure = {*small_disturbed["iterative"], *small_disturbed["doubling"]}
    slower = [n for n in SMALL if n not in unsure and small["iterative"][n] <= small["doubling"][n]]
    faster = slower[-1] + 1 if slower else 0
    last = LARGE[-1]
    unsure = any(last in large_disturbed[strategy] for strategy in ("iterative", "doubling"))
    more = f"{large['iterative'][-1] / large['doubling'][-1]:.0f}{MARK if unsure else ''} times as fast"
    return [
        ("the slowest F(n), n < 1000", f"within {PUBLISHED_NS / 1000:.0f} µs", time(slowest)),
        (
            "where one block more is needed",
            "jumps at F(48) and F(94)",
            "; ".join(", ".join(f"F({n}) {time(n)}" for n in pair) for pair in ((47, 48), (93, 94))),
        ),
        (
            "doubling beats iterating",
            "once products are formed block by block",
            "at no n to 1000" if faster > SMALL[-1] else f"at every n from {faster}; {more} at n = {last:,}",
        ),
    ]


chapter = Chapter(
    carry="given room",
    module="fib",
    paper="yaohwang99: 2022q1 Homework3 (fibdrv), 2022",
    what="integers that grow, and Fibonacci numbers by three strategies",
    published={},
    ratios=ratios,
    means=means,
    show=show,
    phases={"fib_1000": phase(SMALL), "fib_10000": phase(LARGE)}
    | {name: scale.phase(name) for name in scale.SUITES},
    stored=scale.stored_marks,
)
