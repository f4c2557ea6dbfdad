"""Fibonacci numbers by each strategy against n, timed as the paper times them.

Every sample sweeps over all n and all strategies before the next sample begins, so that whatever slows the
machine for a while falls on one sample of many n and not on all samples of one; what is drawn is the median
of the samples of each n.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from carrychain.bindings.fibonacci import STRATEGIES, fib_sweep

from . import page, style
from .chapter import Chapter

SAMPLES = 21
SMALL = range(1001)
LARGE = range(0, 10_001, 50)
# its "less than 1000 in 10 microseconds"
PUBLISHED_NS = 10_000

PROCESSOR = "i7-7700HQ, in the kernel, 32-bit blocks"


def medians(indices: Sequence[int]) -> dict[str, list[float]]:
    """The median time of F(n) in ns, by strategy, for each n of ``indices``."""
    samples: dict[str, list[list[int]]] = {strategy: [] for strategy in STRATEGIES}
    for _ in range(SAMPLES):
        for strategy in STRATEGIES:
            samples[strategy].append(fib_sweep(indices, strategy))
    return {
        strategy: [median(times) for times in zip(*sweeps, strict=True)]
        for strategy, sweeps in samples.items()
    }


def draw_small(times: dict[str, list[float]], path: Path) -> None:
    axes = style.axes("F(n) for n to 1000", "n", "microseconds")
    for strategy, ns in times.items():
        axes.plot(SMALL, [t / 1000 for t in ns], label=strategy)
    axes.axhline(PUBLISHED_NS / 1000, color="#888888", linestyle="--", label="published: all below 10 µs")
    axes.set_xlim(SMALL[0], SMALL[-1])
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")
    style.save(axes, path)


def draw_large(times: dict[str, list[float]], path: Path) -> None:
    axes = style.axes("F(n) for n to 10 000", "n", "microseconds")
    for strategy, ns in times.items():
        axes.plot(LARGE, [t / 1000 for t in ns], label=strategy)
    axes.set_yscale("log")
    axes.set_xlim(LARGE[0], LARGE[-1])
    axes.legend(loc="upper left")
    style.save(axes, path)


def measure(directory: Path) -> str:
    small, large = medians(SMALL), medians(LARGE)
    draw_small(small, directory / "fib-1000.svg")
    draw_large(large, directory / "fib-10000.svg")
    return (
        page.figure(
            "fib-1000.svg",
            f"The time of F(n) by strategy, the median of {SAMPLES} samples, each a sweep over every n. "
            f"Each time has a reading of the clock in it: F(0) alone takes {small[STRATEGIES[0]][0]:.0f} ns.",
        )
        + page.figure("fib-10000.svg", f"The same to n = 10 000, every {LARGE.step}, on a logarithmic scale.")
        + page.table(("", f"published ({PROCESSOR})", "measured (user space)"), comparison(small, large))
    )


def comparison(small: dict[str, list[float]], large: dict[str, list[float]]) -> list[tuple[str, str, str]]:
    default = small[STRATEGIES[0]]
    slowest = max(default[:1000])
    faster = next(
        (n for n in SMALL if all(small["iterative"][m] > small["doubling"][m] for m in range(n, len(SMALL)))),
        None,
    )
    last = large["iterative"][-1] / large["doubling"][-1]
    return [
        (
            "the slowest F(n), n < 1000",
            "10 µs",
            f"{slowest / 1000:.2f} µs, {PUBLISHED_NS / slowest:.0f} times less",
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
