"""What carrychain explain writes as a page: the source beside its widths, and what stayed big."""

from __future__ import annotations

from html import escape
from itertools import pairwise

from .console import printable
from .explain_report import (
    NOTHING_CUTS,
    STOPPED,
    advice_text,
    brief,
    container_text,
    cost_text,
    range_text,
)

STYLE = """
:root { color-scheme: light dark; --line: #8884;
  --big: #c03a2b; --word: #2a7d4f; --dim: #777; --mark: #c03a2b22; }
@media (prefers-color-scheme: dark) {
  :root { --big: #ff8a7a; --word: #7fd6a4; --dim: #999; --mark: #ff8a7a2e; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.source { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font: 13px/1.55 ui-monospace, monospace; }
td { padding: 0 .75rem; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }
td.number { width: 1%; white-space: nowrap; color: var(--dim); text-align: right; user-select: none; }
td.widths { border-left: 1px solid var(--line); white-space: normal; width: 36%; }
tr.gap td { border-top: 1px dashed var(--line); height: .6rem; }
mark { background: var(--mark); color: inherit; border-bottom: 2px solid var(--big); }
.widths span { margin-right: 1rem; white-space: nowrap; } .widths b { color: var(--word); font-weight: 600; }
.widths .big b, .big > h3 code { color: var(--big); }
section.big { border-left: 3px solid var(--big); padding: .1rem 1rem; margin: 1rem 0; }
section.big h3 { font-size: 1rem; margin: .3rem 0; } section.big p { margin: .25rem 0; }
.cost, .where { color: var(--dim); } .where { font-weight: normal; font-size: .9rem; }
.advice { color: var(--word); }
code { font-family: ui-monospace, monospace; font-size: .93em; }
"""


def page(report) -> str:
    """One document, which needs nothing else."""
    plan = report.plan
    name, position = escape(plan.function.name), escape(str(plan.function.position))
    count = len(report.findings)
    said = f"{count} expression{'s' * (count != 1)} stayed big" if count else "nothing stayed big"
    if report.refused:
        said = "all of it is big, as the verifier did not find it exact"
    parts = [
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>",
        '<meta name=viewport content="width=device-width, initial-scale=1">',
        f"<title>{name}: {said}</title>\n<style>{STYLE}</style>",
        f'<h1><code>{name}</code> <span class="where">{position}</span></h1>',
        f"<p>{said[0].upper() + said[1:]}.</p>",
        "<h2>The source beside its widths</h2>",
        '<div class="source"><table>',
        *_lines(report),
        "</table></div>",
    ]
    if report.findings:
        parts.append("<h2>What stayed big</h2>")
        parts += [_section(report, finding) for finding in report.findings]
    return "\n".join(parts) + "\n</html>\n"


def _lines(report) -> list[str]:
    """The top-level forms that the function comes from, line by line."""
    from carrychain.ring.advise import widest

    source, plan = report.source, report.plan
    own = source.offset(plan.function.position)
    tops = sorted({source.top(offset) for offset in (own, *(at for _, at in report.places))})
    widths: dict[int, list[str]] = {}
    for (_, offset), values in sorted(report.places.items(), key=lambda item: item[0][1]):
        container = widest(plan, values)
        kind = ' class="big"' if container is None else ""
        text = f"<span{kind}>{escape(_head(source, offset))} <b>{container_text(container)}</b></span>"
        widths.setdefault(source.position(offset).line, []).append(text)
    marks = [(source.offset(f.position), source.offset(f.position) + len(f.text)) for f in report.findings]
    rows = []
    for begin, end in tops:
        if rows:
            rows.append('<tr class="gap"><td></td><td></td><td></td></tr>')
        for line in range(source.position(begin).line, source.position(end).line + 1):
            first = source.lines[line - 1]
            last = min([end, *source.lines[line : line + 1]])
            text = _marked(source.text, max(first, begin), last, marks)
            rows.append(
                f'<tr><td class="number">{line}</td><td>{text}</td>'
                f'<td class="widths">{"".join(widths.get(line, ()))}</td></tr>'
            )
    return rows


def _head(source, offset: int) -> str:
    """What an expression is called beside its line: its operator, or the variable."""
    words = printable(source.form(offset)).lstrip("('`,@#").split()
    return words[0].rstrip(")") if words else ""


def _marked(text: str, begin: int, end: int, marks: list[tuple[int, int]]) -> str:
    """A line, with what stayed big of it marked."""
    cuts = sorted({begin, end, *(at for mark in marks for at in mark if begin < at < end)})
    pieces = []
    for start, stop in pairwise(cuts):
        piece = escape(text[start:stop].rstrip("\n"))
        inside = any(first <= start and stop <= last for first, last in marks)
        word = piece.lstrip()
        pieces.append(f"{piece[: -len(word)]}<mark>{word}</mark>" if inside and word else piece)
    return "".join(pieces)


def _section(report, finding) -> str:
    use = f": <code>{escape(brief(finding.use_text))}</code>" if finding.use_text else ""
    advice = [_sentence("advice", advice_text(each)) for each in finding.advice]
    if not advice:
        advice = [_sentence("none", NOTHING_CUTS if report.all_tried else STOPPED)]
    if finding.cost.operations:
        advice.append(_sentence("cost", cost_text(finding.cost)))
    return (
        f'<section class="big"><h3><code>{escape(brief(finding.text))}</code> '
        f'<span class="where">{finding.position.line}:{finding.position.column}, '
        f"{escape(range_text(finding.known))}</span></h3>\n"
        f"<p>All of it is wanted, as {escape(finding.use)}{use} "
        f'<span class="where">{finding.use_position.line}:{finding.use_position.column}</span>.</p>\n'
        + "\n".join(advice)
        + "</section>"
    )


def _sentence(kind: str, text: str) -> str:
    return f'<p class="{kind}">{escape(text[0].upper() + text[1:])}.</p>'
