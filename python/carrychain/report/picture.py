"""A chapter's picture: a row per comparison, with published values and those measured here and elsewhere."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from . import style
from .chapter import Mark, Marks

# Told apart without colours, too.
PUBLISHED = {"marker": "D", "color": style.COLOURS[1], "markerfacecolor": "none"}
HERE = {"marker": "o", "color": style.COLOURS[0]}
OTHERS = (
    {"marker": "s", "color": style.COLOURS[2], "markerfacecolor": "none"},
    {"marker": "^", "color": style.COLOURS[3], "markerfacecolor": "none"},
    {"marker": "v", "color": style.COLOURS[4], "markerfacecolor": "none"},
    {"marker": "P", "color": style.COLOURS[5]},
)
FADED = 0.35


def draw(
    published: Mapping[str, tuple[float, float]], machines: Sequence[tuple[str, Marks]], path: Path
) -> None:
    """``machines`` has the name and the marks of this machine, and of others."""
    rows = list(dict.fromkeys([*published, *(label for _, marks in machines for label in marks)]))
    axes = style.rows(rows, "times as fast")
    for place, label in enumerate(rows):
        # this machine on top
        for kind, found in reversed([*_marks(published, machines, label)]):
            faded = FADED if found.disturbed else 1
            ends = [found.low, found.high]
            axes.plot(ends, [place, place], "-", color=kind["color"], linewidth=2.4, alpha=0.6 * faded)
            axes.plot([found.ratio], [place], linestyle="none", markersize=7, alpha=faded, **kind)
    for name, kind in _legend(published, machines):
        axes.plot([], [], linestyle="none", label=name, **kind)
    if any(mark.disturbed for _, marks in machines for mark in marks.values()):
        axes.plot([], [], linestyle="none", label="faded: disturbed", alpha=FADED, **HERE)
    style.save(axes, path)


def _kinds(machines):
    return [HERE, *OTHERS * len(machines)][: len(machines)]


def _legend(published, machines):
    if published:
        yield "published", PUBLISHED
    for (name, marks), kind in zip(machines, _kinds(machines), strict=True):
        if marks:
            yield name, kind


def _marks(published, machines, label):
    if label in published:
        yield PUBLISHED, Mark.published(*published[label])
    for (_, marks), kind in zip(machines, _kinds(machines), strict=True):
        if label in marks:
            yield kind, marks[label]
