"""One style for every figure, on light and dark pages."""

import io
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from carrychain.files import write_text

# Okabe and Ito's, told apart by every kind of eye
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
# told apart in grey, too
DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 2)))
# between white and black: read on either
INK = "#7a7a7a"

PARAMETERS = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS, linestyle=DASHES),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "figure.facecolor": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.alpha": 0.3,
    "grid.color": INK,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "lines.linewidth": 1.4,
    "svg.hashsalt": "carrychain",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


# An axis says so of itself.
LOG = "logarithmic"
TIME = "microseconds: lower is faster"
# Inches: on a telephone's 400 pixels the letters are 9 pixels high, on a desk 15.
WIDTH = 5.6
# characters of a legend beside each other
LEGEND = 62


def axes(title: str, x: str, y: str, *, log: bool = True) -> Axes:
    """Axes with a logarithmic y if ratios are compared."""
    with matplotlib.rc_context(PARAMETERS):
        result = Figure(figsize=(WIDTH, 4), layout="constrained").subplots()
        result.set_title(title, wrap=True)
        result.set_xlabel(x)
        result.set_ylabel(f"{y} ({LOG})" if log else y)
        result.set_yscale("log" if log else "linear")
        result.xaxis.set_major_formatter("{x:,g}")
        result.yaxis.set_major_formatter("{x:,g}")
    return result


def rows(labels: list[str], x: str) -> Axes:
    """One row per label, from the top, with the label above it; logarithmic x, with a line at 1."""
    with matplotlib.rc_context(PARAMETERS):
        result = Figure(figsize=(WIDTH, 1.3 + 0.42 * len(labels)), layout="constrained").subplots()
        result.set_xlabel(f"{x} ({LOG})")
        result.set_xscale("log")
        result.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        result.xaxis.set_major_formatter("{x:,g}")
        result.xaxis.set_minor_formatter(NullFormatter())
        result.set_yticks([])
        result.set_ylim(len(labels) - 0.5, -0.8)
        result.spines.left.set_visible(False)
        for place, label in enumerate(labels):
            result.text(0, place - 0.3, label, transform=result.get_yaxis_transform(), va="center")
        result.axvline(1, color=INK, linewidth=1.2)
    return result


def save(drawn: Axes, path: Path) -> None:
    """Writes an SVG with its legend below. The same drawing gives the same bytes."""
    svg = io.StringIO()
    with matplotlib.rc_context(PARAMETERS):
        labels = drawn.get_legend_handles_labels()[1]
        beside = LEGEND // (6 + max(map(len, labels), default=0))
        drawn.figure.legend(loc="outside lower center", ncols=min(4, max(1, beside)))
        drawn.figure.savefig(svg, format="svg", metadata={"Date": None})
    write_text(path, svg.getvalue())
