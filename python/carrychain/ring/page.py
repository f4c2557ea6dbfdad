"""A function's source beside its widths, and what stayed big, in HTML: a page, or a part of one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from .telling import REFUSED, advice_text, brief, container_text, cost_text, range_text, without_advice

STYLE = """
.carrychain { color-scheme: light dark; --line: #8884; font: 15px/1.5 system-ui, sans-serif;
  --big: #c03a2b; --word: #2a7d4f; --dim: #777; --mark: #c03a2b22;
  @media (prefers-color-scheme: dark) { --big: #ff8a7a; --word: #7fd6a4; --dim: #999; --mark: #ff8a7a2e; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  .source { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
  table { border-collapse: collapse; width: 100%; font: 13px/1.55 ui-monospace, monospace; }
  td { padding: 0 .75rem; vertical-align: top; text-align: left; white-space: pre-wrap;
    overflow-wrap: anywhere; }
  td.number { width: 1%; white-space: nowrap; color: var(--dim); text-align: right; user-select: none; }
  td.widths { border-left: 1px solid var(--line); white-space: normal; width: 36%; }
  tr.gap td { border-top: 1px dashed var(--line); height: .6rem; }
  mark { background: var(--mark); color: inherit; border-bottom: 2px solid var(--big); }
  .widths span { margin-right: 1rem; white-space: nowrap; }
  .widths b { color: var(--word); font-weight: 600; }
  .widths .big b, .big > h3 code { color: var(--big); }
  section.big { border-left: 3px solid var(--big); padding: .1rem 1rem; margin: 1rem 0; }
  section.big h3 { font-size: 1rem; margin: .3rem 0; } section.big p { margin: .25rem 0; }
  .cost, .where { color: var(--dim); } .where { font-weight: normal; font-size: .9rem; }
  .advice { color: var(--word); }
  code { font-family: ui-monospace, monospace; font-size: .93em; }
}
"""
BIG_CLASS = ' class="big"'
ALONE = "body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }"


@dataclass
class Line:
    """Of the source: its text in pieces, each with whether it stayed big; and what is computed there."""

    number: int
    pieces: list[tuple[str, bool]]
    widths: list[tuple[str, int | None]]


# Between two lines None stands for what is left out.
Listing = Iterable[Line | None]


def page(report, listing: Listing) -> str:
    """One document, which needs nothing else."""
    return (
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.function)}: {_said(report)}</title>\n<style>{ALONE}</style>"
        f"{part(report, listing)}\n</html>\n"
    )


def part(report, listing: Listing) -> str:
    """One element, with its style."""
    said, position = _said(report), escape(str(report.position))
    parts = [
        f'<div class="carrychain"><style>{STYLE}</style>',
        f'<h1><code>{escape(report.function)}</code> <span class="where">{position}</span></h1>',
        f"<p>{said[0].upper() + said[1:]}.</p>",
        "<h2>The source beside its widths</h2>",
        '<div class="source"><table>',
        *map(_row, listing),
        "</table></div>",
    ]
    if report.findings:
        parts.append("<h2>What stayed big</h2>")
        parts += [_section(report, finding) for finding in report.findings]
    return "\n".join([*parts, "</div>"])


def _said(report) -> str:
    if report.refused:
        return REFUSED
    count = len(report.findings)
    return f"{count} expression{'s' * (count != 1)} stayed big" if count else "nothing stayed big"


def _row(line: Line | None) -> str:
    if line is None:
        return '<tr class="gap"><td></td><td></td><td></td></tr>'
    widths = "".join(
        f"<span{BIG_CLASS * (bits is None)}>{escape(head)} <b>{container_text(bits)}</b></span>"
        for head, bits in line.widths
    )
    text = "".join(_piece(*each) for each in line.pieces)
    return f'<tr><td class="number">{line.number}</td><td>{text}</td><td class="widths">{widths}</td></tr>'


def _piece(text: str, big: bool) -> str:
    piece = escape(text.rstrip("\n"))
    word = piece.lstrip()
    return f"{piece[: -len(word)]}<mark>{word}</mark>" if big and word else piece


def _section(report, finding) -> str:
    use = f": <code>{escape(brief(finding.use_text))}</code>" if finding.use_text else ""
    advice = [_sentence("advice", advice_text(each)) for each in finding.advice]
    if not advice:
        advice = [_sentence("none", without_advice(report))]
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
