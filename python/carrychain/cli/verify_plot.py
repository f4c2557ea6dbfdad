"""Plots the verdicts in captures over time and over frame length."""

import io
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from carrychain.files import replacing
from carrychain.pcap.histogram import Histogram
from carrychain.report.style import PARAMETERS

# The verdicts to draw, in the colours of Okabe and Ito.
DRAWN = {"bad": "#d55e00", "unfinished": "#cc79a7", "deferred": "#e69f00", "unverifiable": "#0072b2"}
# The least upper end of an axis of shares, in percent.
LOWEST = 1.0
# More bars of time could not be told apart.
BARS = 128
UNITS = {"d": 86400, "h": 3600, "min": 60, "s": 1, "ms": 1e-3, "µs": 1e-6}


def _duration(nanoseconds: int) -> str:
    seconds = nanoseconds / 1e9
    name = next(name for name, unit in UNITS.items() if seconds >= unit)
    return f"{seconds / UNITS[name]:.3g} {name}"


def _bars(axes: Axes, places: list, width: float, bins: list[Counter[str]]) -> None:
    """Stacked bars, in percent of all checksums of a bin."""
    tops = [0.0] * len(bins)
    for verdict, colour in DRAWN.items():
        shares = [100 * counts[verdict] / (counts.total() or 1) for counts in bins]
        if any(shares):
            # the edge keeps the narrowest bars visible
            axes.bar(places, shares, width, tops, color=colour, edgecolor=colour, linewidth=0.8)
        tops = [top + share for top, share in zip(tops, shares, strict=True)]
    axes.set_ylabel("share of checksums")
    axes.set_ylim(0, max(LOWEST, 1.08 * max(tops, default=0)))
    axes.yaxis.set_major_formatter("{x:g} %")
    axes.grid(visible=False, axis="x")
    if not any(tops):
        axes.text(
            0.5, 0.5, f"none is {', '.join(DRAWN)}", color="#888888", ha="center", transform=axes.transAxes
        )


def _draw_times(axes: Axes, found: Histogram) -> None:
    width = found.width
    times = found.times()
    if times:
        while max(times) // width - min(times) // width >= BARS:
            width *= 2
    bins: dict[int, Counter[str]] = {}
    for time, counts in times.items():
        bins.setdefault(time // width * width, Counter()).update(counts)
    middles = [datetime.fromtimestamp((time + width / 2) / 1e9, UTC) for time in bins]
    _bars(axes, middles, width / 86400e9, list(bins.values()))
    label = "no packet has a time"
    if bins:
        ends = (min(bins), max(bins) + width)
        axes.set_xlim(*(datetime.fromtimestamp(end / 1e9, UTC) for end in ends))
        locator = AutoDateLocator(tz=UTC)
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(ConciseDateFormatter(locator, tz=UTC))
        label = f"time (UTC), one bar per {_duration(width)}"
        if found.timeless:
            label += f"; {found.timeless:,} checksums have no time"
        if found.unset:
            label += f"; {found.unset:,} are from a clock that was not set"
    axes.set_title("Over time")
    axes.set_xlabel(label)


def _draw_lengths(axes: Axes, found: Histogram) -> None:
    bins = {length: Counter(counts) for length, counts in found.lengths().items()}
    _bars(axes, list(range(len(bins))), 0.6, list(bins.values()))
    names = [f"{length:,} to\n{2 * length - 1:,}" for length in bins]
    axes.set_xticks(range(len(bins)), names, fontsize=8)
    axes.set_xlim(-0.75, len(bins) - 0.25)
    for place, counts in enumerate(bins.values()):
        axes.annotate(
            f"{counts.total():,}",
            (place, 1.02),
            xycoords=("data", "axes fraction"),
            color="#888888",
            fontsize=8,
            ha="center",
        )
    axes.set_title("Over length", pad=14)
    axes.set_xlabel("frame length in bytes; above, the number of checksums")


def draw(found: Histogram, title: str, path: str) -> None:
    """Writes the figure to ``path``, as SVG or PNG by its suffix."""
    totals = sum(map(Counter, found.lengths().values()), Counter())
    image = io.BytesIO()
    with matplotlib.rc_context(PARAMETERS):
        figure = Figure(figsize=(9, 7.5), layout="constrained")
        times, lengths = figure.subplots(2)
        _draw_times(times, found)
        _draw_lengths(lengths, found)
        figure.suptitle(f"{title}: {totals.total():,} checksums", x=0.01, ha="left")
        handles = [
            Patch(color=colour, label=f"{verdict}: {totals[verdict]:,}") for verdict, colour in DRAWN.items()
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(DRAWN))
        suffix = Path(path).suffix[1:].lower()
        # the same drawing gives the same bytes
        metadata = {"Date": None} if suffix == "svg" else None
        figure.savefig(image, format=suffix, dpi=150, metadata=metadata)
    with replacing(path) as file:
        file.write(image.getvalue())
