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
from .chapter import Chapter

SAMPLES = 21
# between two readings of the clock
CALLS = 16
SMALL = range(1001)
LARGE = range(0, 10_001, 50)
# its "less than 1000 in 10 microseconds"
PUBLISHED_NS = 10_000
PUBLISHED_ON = "i7-7700HQ, in the kernel, 32-bit blocks"

Times = dict[str, list[float]]


def sweeps(indices: range) -> list[list[Timing]]:
    """Of F(n) in ns: for each strategy, for each n of ``indices``."""
    samples: dict[str, list[list[float]]] = {strategy: [] for strategy in STRATEGIES}
    for _ in range(SAMPLES):
        for strategy in STRATEGIES:
            samples[strategy].append(fib_sweep(indices, CALLS, strategy))
    return [[Timing.of(of_n) for of_n in zip(*swept, strict=True)] for swept in samples.values()]


def medians(indices: range) -> tuple[Times, int]:
    """The median time of F(n) in ns, by strategy, for each n of ``indices``; how many are disturbed."""
    best = sweeps(indices)
    for _ in range(ATTEMPTS - 1):
        if not any(timing.disturbed for curve in best for timing in curve):
            break
        best = [
            [min(pair, key=attrgetter("spread")) for pair in zip(*curves, strict=True)]
            for curves in zip(best, sweeps(indices), strict=True)
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


def measure(directory: Path) -> str:
    (small, small_disturbed), (large, large_disturbed) = medians(SMALL), medians(LARGE)
    small_badge = page.here(small_disturbed, len(SMALL) * len(STRATEGIES))
    large_badge = page.here(large_disturbed, len(LARGE) * len(STRATEGIES))
    axes = plot(SMALL, small)
    axes.axhline(PUBLISHED_NS / 1000, color="#888888", linestyle="--", label="published: all below this")
    style.save(axes, directory / "fib-1000.svg")
    style.save(plot(LARGE, large), directory / "fib-10000.svg")
    return (
        page.figure(
            small_badge,
            "fib-1000.svg",
            f"The time of F(n) by strategy: the median of {SAMPLES} samples, each a sweep over every n, "
            f"of each the mean of {CALLS} calls.",
        )
        + page.figure(large_badge, "fib-10000.svg", f"The same for every {LARGE.step}th n.")
        + page.table(
            page.here(small_disturbed + large_disturbed, (len(SMALL) + len(LARGE)) * len(STRATEGIES)),
            ("", f"published ({PUBLISHED_ON})", "measured (user space)"),
            comparison(small, large),
        )
        + scale.measured(directory)
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
    measure=measure,
)
