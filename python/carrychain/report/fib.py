"""Fibonacci numbers by each strategy against n, timed as the paper times them.

Every sample sweeps over all n and all strategies before the next sample begins, so that whatever slows the
machine for a while falls on one sample of many n and not on all samples of one; what is drawn is the median
of the samples of each n. Where they are disturbed for some n, all are taken again, and the steadiest count.
"""

from operator import attrgetter, gt
from pathlib import Path

from matplotlib.axes import Axes

from carrychain.bindings.fibonacci import STRATEGIES, fib_sweep
from carrychain.timing import ATTEMPTS, Timing

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


def sweeps(indices: range, count: int) -> list[list[Timing]]:
    """Of F(n) in ns: for each strategy, for each n of ``indices``, of so many samples."""
    samples: dict[str, list[list[float]]] = {strategy: [] for strategy in STRATEGIES}
    for _ in range(count):
        for strategy in STRATEGIES:
            samples[strategy].append(fib_sweep(indices, CALLS, strategy))
    return [[Timing.of(of_n) for of_n in zip(*swept, strict=True)] for swept in samples.values()]


def medians(indices: range, count: int = SAMPLES) -> tuple[Times, int]:
    """The median time of F(n) in ns, by strategy, for each n of ``indices``; how many are disturbed."""
    best = sweeps(indices, count)
    for _ in range(ATTEMPTS - 1):
        if not any(timing.disturbed for curve in best for timing in curve):
            break
        best = [
            [min(pair, key=attrgetter("spread")) for pair in zip(*curves, strict=True)]
            for curves in zip(best, sweeps(indices, count), strict=True)
        ]
    disturbed = sum(timing.disturbed for curve in best for timing in curve)
    medians = ([timing.median for timing in curve] for curve in best)
    return dict(zip(STRATEGIES, medians, strict=True)), disturbed


def plot(indices: range, times: Times) -> Axes:
    axes = style.axes(f"F(n) for n to {indices[-1]:,}", "n", "microseconds")
    for strategy, ns in times.items():
        axes.plot(indices, [t / 1000 for t in ns], label=strategy)
    axes.set_xlim(0, indices[-1])
    return axes


def phase(indices: range):
    return lambda quick: medians(indices, SAMPLES_QUICK if quick else SAMPLES)


def ratios(measured: Measured) -> Marks:
    return scale.marks(scale.rows_of(measured))


def means(marks: Marks) -> str:
    def said(peer: str) -> str:
        found = [mark.ratio for what, mark in marks.items() if what.endswith(f"ours / {peer}")]
        return f"{span(found, 2)} times as long as ours with {peer}" if found else ""

    found = " and ".join(filter(None, map(said, ("GMP", "FLINT"))))
    return (
        f"Fibonacci numbers, products and quotients take {found}." if found else "Nothing of it was measured."
    )


def show(measured: Measured, directory: Path) -> str:
    (small, small_disturbed), (large, large_disturbed) = measured["fib_1000"], measured["fib_10000"]
    small_badge = page.badge(measured, small_disturbed, len(SMALL) * len(STRATEGIES))
    large_badge = page.badge(measured, large_disturbed, len(LARGE) * len(STRATEGIES))
    axes = plot(SMALL, small)
    axes.axhline(PUBLISHED_NS / 1000, color=style.INK, linestyle="--", label="published: all below this")
    style.save(axes, directory / "fib-1000.svg")
    style.save(plot(LARGE, large), directory / "fib-10000.svg")
    return (
        page.table(
            page.badge(
                measured, small_disturbed + large_disturbed, (len(SMALL) + len(LARGE)) * len(STRATEGIES)
            ),
            ("", f"published ({PUBLISHED_ON})", "measured (user space)"),
            comparison(small, large),
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


def comparison(small: Times, large: Times) -> list[tuple[str, str, str]]:
    default = small[STRATEGIES[0]]
    slowest = max(default[:1000])
    faster = next(
        (n for n in SMALL if all(map(gt, small["iterative"][n:], small["doubling"][n:]))),
        None,
    )
    last = large["iterative"][-1] / large["doubling"][-1]
    return [
        (
            "the slowest F(n), n < 1000",
            f"within {PUBLISHED_NS / 1000:.0f} µs",
            f"{slowest:.0f} ns",
        ),
        (
            "where one block more is needed",
            "jumps at F(48) and F(94)",
            "; ".join(
                ", ".join(f"F({n}) {default[n]:.0f} ns" for n in pair) for pair in ((47, 48), (93, 94))
            ),
        ),
        (
            "doubling beats iterating",
            "once products are formed block by block",
            "at no n to 1000"
            if faster is None
            else f"at every n from {faster}; {last:.0f} times faster at n = 10 000",
        ),
    ]


chapter = Chapter(
    carry="grown into",
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
