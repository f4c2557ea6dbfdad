"""One look for every figure, on white and on black paper."""

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


def axes(title: str, x: str, y: str) -> Axes:
    """Of a logarithmic y: what is compared here are ratios."""
    with matplotlib.rc_context(PARAMETERS):
        result = Figure(figsize=(8, 4.4), layout="constrained").subplots()
        result.set_title(title)
        result.set_xlabel(x)
        result.set_ylabel(y)
        result.set_yscale("log")
        result.xaxis.set_major_formatter("{x:,g}")
        result.yaxis.set_major_formatter("{x:,g}")
    return result


def rows(labels: list[str], x: str) -> Axes:
    """A row for each label from the top, and a logarithmic x with a line at 1."""
    with matplotlib.rc_context(PARAMETERS):
        result = Figure(figsize=(8, 1.2 + 0.3 * len(labels)), layout="constrained").subplots()
        result.set_xlabel(x)
        result.set_xscale("log")
        result.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        result.xaxis.set_major_formatter("{x:,g}")
        result.xaxis.set_minor_formatter(NullFormatter())
        result.set_yticks(range(len(labels)), labels)
        result.set_ylim(len(labels) - 0.5, -0.5)
        result.tick_params(axis="y", length=0)
        result.axvline(1, color=INK, linewidth=1.2)
    return result


def save(drawn: Axes, path: Path) -> None:
    """Write an SVG, its legend below: the same drawing gives the same bytes."""
    svg = io.StringIO()
    with matplotlib.rc_context(PARAMETERS):
        drawn.figure.legend(loc="outside lower center", ncols=4)
        drawn.figure.savefig(svg, format="svg", metadata={"Date": None})
    write_text(path, svg.getvalue())
