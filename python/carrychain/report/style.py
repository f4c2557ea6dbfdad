"""One look for every figure."""

import io
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from carrychain.files import write_text

# Okabe and Ito's, told apart by every kind of eye
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

PARAMETERS = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#888888",
    "axes.grid": True,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "svg.hashsalt": "carrychain",
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


def save(drawn: Axes, path: Path) -> None:
    """Write an SVG, its legend below: the same drawing gives the same bytes."""
    svg = io.StringIO()
    with matplotlib.rc_context(PARAMETERS):
        drawn.figure.legend(loc="outside lower center", ncols=4)
        drawn.figure.savefig(svg, format="svg", metadata={"Date": None})
    write_text(path, svg.getvalue())
