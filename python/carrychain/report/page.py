"""The HTML around the chapters."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from carrychain import stored
from carrychain.files import write_text
from carrychain.machine import facts, origin
from carrychain.timing import DISTURBED

from .chapter import Chapter

NOT_MEASURED = '<p class="quiet">Not measured yet.</p>'

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 52rem; margin: 2rem auto;
  padding: 0 1rem }
h1 { margin-bottom: 0 } h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem }
table { border-collapse: collapse; margin: 1rem 0 } td, th { padding: .3rem 1.2rem .3rem 0; text-align: left;
  vertical-align: top; border-bottom: 1px solid #e4e4e4 }
caption { text-align: left; color: #666; font-size: .9rem; padding-bottom: .3rem }
.here, .stored { color: #222; padding: .1rem .5rem; border-radius: .3rem; margin-right: .4rem;
  white-space: nowrap }
.here { background: #cfe8d5 } .stored { background: #f3dfb8 }
img { width: 100% } figure { margin: 1.5rem 0 } figcaption, .quiet { color: #666; font-size: .9rem }
"""


def here(disturbed: int = 0, of: int = 0) -> str:
    """The badge of what this command measures; ``disturbed`` of so many measurements stayed so."""
    facts = [*origin("carrychain report").values()]
    if disturbed:
        facts.append(f"{disturbed} of {of} measurements disturbed")
    return _badge("here", "measured here and now", facts)


def before(results: dict) -> str:
    """The badge of what was measured before and elsewhere."""
    return _badge("stored", "stored, not measured now", stored.origin(results).values())


def _badge(kind: str, text: str, facts: Iterable[str]) -> str:
    return f'<span class="{kind}">{text}</span> {escape(" · ".join(facts))}'


def table(badge: str, heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """``badge`` says where the figures come from: but for those that a heading calls published."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    top = f"<tr>{head}</tr>\n" if head else ""
    return f"<table>\n<caption>{badge}</caption>\n{top}{body}</table>\n"


def figure(badge: str, file: str, caption: str) -> str:
    text = escape(caption)
    return (
        f'<figure><img src="{escape(file)}" alt="{text}">'
        f"<figcaption>{badge}<br>{text}</figcaption></figure>\n"
    )


def section(chapter: Chapter, content: str) -> str:
    what = chapter.what[0].upper() + chapter.what[1:]
    return (
        f'<section id="{chapter.module}">\n'
        f"<h2>The carry is {escape(chapter.carry)}: {escape(chapter.module)}</h2>\n"
        f"<p>{escape(what)}.</p>\n"
        f'<p class="quiet">{escape(chapter.paper)}</p>\n{content}\n</section>\n'
    )


def write(path: Path, sections: Iterable[str]) -> None:
    write_text(
        path,
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>carrychain: five papers, measured</title>\n<style>{STYLE}</style>\n"
        "<h1>Five papers, measured</h1>\n"
        "<p>What each published, beside what was measured: some of it here and now, by "
        "<code>carrychain report</code>; some of it before and elsewhere, and stored. Each table and figure "
        f"says which. {escape(DISTURBED[0].upper() + DISTURBED[1:])}.</p>\n"
        f"{table('This machine', (), facts().items())}{''.join(sections)}</html>\n",
    )
