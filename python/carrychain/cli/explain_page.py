"""The page that carrychain explain writes: the lines of a Lisp function, and what stayed big in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from carrychain.ring.explain.page import Line
from carrychain.texts import printable


def listing(report) -> Iterator[Line | None]:
    """The lines of the top-level forms that the function comes from."""
    from carrychain.ring.explain.findings import widest

    source, plan = report.source, report.plan
    own = source.offset(plan.function.position)
    tops = sorted({source.top(offset) for offset in (own, *(at for _, at in report.places))})
    widths: dict[int, list[tuple[str, int | None]]] = {}
    for (_, offset), values in sorted(report.places.items(), key=lambda item: item[0][1]):
        found = _head(source, offset), widest(plan, values)
        widths.setdefault(source.position(offset).line, []).append(found)
    members = (member for finding in report.findings for member in finding.members)
    marks = [(at := source.offset(member.position), at + len(member.text)) for member in members]
    for n, (begin, end) in enumerate(tops):
        if n:
            yield None
        for line in range(source.position(begin).line, source.position(end).line + 1):
            first = source.lines[line - 1]
            last = min([end, *source.lines[line : line + 1]])
            yield Line(line, _marked(source.text, max(first, begin), last, marks), widths.get(line, []))


def _head(source, offset: int) -> str:
    """The short name of an expression beside its line: its operator, or the variable."""
    words = printable(source.form(offset)).lstrip("('`,@#").split()
    return words[0].rstrip(")") if words else ""


def _marked(text: str, begin: int, end: int, marks: list[tuple[int, int]]) -> list[tuple[str, bool]]:
    """A line in pieces, each with whether it stayed big."""
    cuts = sorted({begin, end, *(at for mark in marks for at in mark if begin < at < end)})
    return [
        (text[start:stop], any(first <= start and stop <= last for first, last in marks))
        for start, stop in pairwise(cuts)
    ]
