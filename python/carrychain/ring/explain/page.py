"""A function's source with its widths, and what stayed big, as an HTML page or a part of one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from .telling import (
    REFUSED,
    advice_text,
    brief,
    container_text,
    cost_text,
    place,
    range_text,
    wanted_text,
    without_advice,
)

# Pages that embed it, Jupyter's above all, have rules of their own for tables, headings and code. Naming the
# class three times makes these selectors more specific, so that they revert those rules.
SCOPE = ".carrychain" * 3
STYLE = (
    f"{SCOPE} * {{ all: revert; }}\n{SCOPE}"
    + """ {
  color-scheme: light dark; --line: #8884; font: 15px/1.5 system-ui, sans-serif;
  --big: #c03a2b; --word: #2a7d4f; --dim: #777; --mark: #c03a2b22;
  @media (prefers-color-scheme: dark) { --big: #ff8a7a; --word: #7fd6a4; --dim: #999; --mark: #ff8a7a2e; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  .source { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
  table { border-collapse: collapse; width: 100%; font: 13px/1.55 ui-monospace, monospace; }
  td { padding: 0 .75rem; vertical-align: top; overflow-wrap: anywhere; }
  td.number { width: 1%; color: var(--dim); user-select: none; }
  td.widths { border-left: 1px solid var(--line); width: 36%; }
  tr.gap td { border-top: 1px dashed var(--line); height: .6rem; }
  mark { background: var(--mark); color: inherit; border-bottom: 2px solid var(--big); }
  .widths span { margin-right: 1rem; white-space: nowrap; }
  .widths b { color: var(--word); font-weight: 600; }
  .widths .big b, .members code { color: var(--big); }
  section.big { border-left: 3px solid var(--big); padding: .1rem 1rem; margin: 1rem 0; }
  .members { list-style: none; margin: .3rem 0; padding: 0; font-weight: bold; }
  section.big p { margin: .25rem 0; }
  .cost, .where { color: var(--dim); } .where { font-weight: normal; font-size: .9rem; }
  .advice { color: var(--word); }
  code { font-family: ui-monospace, monospace; font-size: .93em; }
}
"""
)
# In the element's own style: an untrusted notebook is shown without style sheets.
NUMBER = 'class="number" style="text-align: right; white-space: nowrap"'
TEXT = 'style="text-align: left; white-space: pre-wrap"'
WIDTHS = 'class="widths" style="text-align: left; white-space: normal"'
BIG_CLASS = ' class="big"'
ALONE = "body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }"


@dataclass
class Line:
    """A source line: its text in pieces, each with whether it stayed big; and what is computed there."""

    number: int
    pieces: list[tuple[str, bool]]
    widths: list[tuple[str, int | None]]


# None between two lines stands for omitted lines.
Listing = Iterable[Line | None]


def page(report, listing: Listing) -> str:
    """A self-contained document."""
    return (
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.function)}: {_said(report)}</title>\n<style>{ALONE}</style>"
        f"{part(report, listing)}\n</html>\n"
    )


def part(report, listing: Listing) -> str:
    """An element, with its style sheet."""
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
    causes, count = len(report.findings), sum(len(each.members) for each in report.findings)
    if not count:
        return "nothing stayed big"
    of = f", of {causes} cause{'s' * (causes != 1)}" if causes < count else ""
    return f"{count} expression{'s' * (count != 1)} stayed big{of}"


def _row(line: Line | None) -> str:
    if line is None:
        return f'<tr class="gap"><td {NUMBER}></td><td {TEXT}></td><td {WIDTHS}></td></tr>'
    widths = "".join(
        f"<span{BIG_CLASS * (bits is None)}>{escape(head)} <b>{container_text(bits)}</b></span>"
        for head, bits in line.widths
    )
    text = "".join(_piece(*each) for each in line.pieces)
    return f"<tr><td {NUMBER}>{line.number}</td><td {TEXT}>{text}</td><td {WIDTHS}>{widths}</td></tr>"


def _piece(text: str, big: bool) -> str:
    piece = escape(text.rstrip("\n"))
    word = piece.lstrip()
    return f"{piece[: -len(word)]}<mark>{word}</mark>" if big and word else piece


def _section(report, finding) -> str:
    members = "".join(
        f'<li><code>{escape(brief(member.text))}</code> <span class="where">{place(member.position)}, '
        f"{escape(range_text(member.known))}</span></li>\n"
        for member in finding.members
    )
    said = [_sentence("wanted", wanted_text(finding), f" ({place(finding.use.position)})")]
    said += [_sentence("advice", advice_text(finding, each)) for each in finding.advice]
    if not finding.advice:
        said.append(_sentence("none", without_advice(report, finding)))
    if finding.cost.operations:
        said.append(_sentence("cost", cost_text(finding.cost)))
    return f'<section class="big"><ul class="members">\n{members}</ul>\n' + "\n".join(said) + "</section>"


def _sentence(kind: str, text: str, where: str = "") -> str:
    more = f'<span class="where">{where}</span>' if where else ""
    return f'<p class="{kind}">{escape(text[0].upper() + text[1:])}{more}.</p>'
