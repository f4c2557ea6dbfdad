"""The HTML around the chapters: one page each, and one with the pictures of all."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from carrychain.bench import stored
from carrychain.bench.machine import ORIGIN
from carrychain.bench.timing import DISTURBED
from carrychain.files import write_text

from .chapter import Chapter
from .measured import Measured

INDEX = "index.html"

STYLE = """
:root { color-scheme: light dark; --ink: #222; --quiet: #666; --line: #ddd; --paper: #fff; --link: #0b57a4;
  --here: #cfe8d5; --stored: #f3dfb8 }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --quiet: #9a9a9a; --line: #3a3a3a;
  --paper: #161616; --link: #8ab8ee; --here: #1d4a2b; --stored: #57420f } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 54rem;
  margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word }
a { color: var(--link) } h1 { margin: .5rem 0 0; line-height: 1.2 } h2 { margin-top: 2.5rem }
h2, h3 { line-height: 1.25 } nav { font-size: .9rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem }
nav a[aria-current] { color: inherit; text-decoration: none; font-weight: bold }
.means { font-size: 1.1rem } .quiet, figcaption, caption, .badge { color: var(--quiet); font-size: .9rem }
.wide { overflow-x: auto } table { border-collapse: collapse; margin: .3rem 0 1rem }
td, th { padding: .3rem 1.2rem .3rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums }
img { width: 42rem; max-width: 100%; height: auto } figure { margin: 1rem 0 }
figcaption { margin-top: .3rem }
details { margin: .4rem 0 } summary { cursor: pointer }
.badge summary { color: var(--ink); padding: .05rem .5rem; border-radius: .3rem; display: inline-block;
  list-style: none }
.here summary { background: var(--here) } .stored summary { background: var(--stored) }
.badge summary::before { content: "\\25b8\\a0" } .badge[open] summary::before { content: "\\25be\\a0" }
"""


def badge(measured: Measured, disturbed: int = 0, of: int = 0, seed: str = "") -> str:
    """Where figures come from, and how many of the measurements stayed disturbed."""
    facts = [measured.machine.get(name, f"{name} not recorded") for name in ORIGIN]
    if seed:
        facts.append(seed)
    if disturbed:
        facts.append(f"{disturbed} of {of} measurements disturbed")
    return (
        _badge("here", "measured now", facts)
        if measured.here
        else _badge("stored", f"stored, {measured.name}", facts)
    )


def before(results: dict) -> str:
    """The badge of stored measurements."""
    facts = stored.origin(results)
    short = ", ".join(("stored", facts["processor"], facts["date"]))
    return _badge("stored", short, facts.values())


def _badge(kind: str, text: str, facts: Iterable[str]) -> str:
    """A badge with a short text, and more when it is opened."""
    more = escape(" · ".join(facts))
    return f'<details class="badge {kind}"><summary>{escape(text)}</summary>{more}</details>'


def table(badge: str, heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table. ``badge`` says where its figures come from, except those under a heading "published"."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    top = f"<tr>{head}</tr>\n" if head else ""
    return f'{badge}<div class="wide"><table>\n{top}{body}</table></div>\n'


def folded(what: str, html: str) -> str:
    """Optional details: raw runs, repetitions."""
    return f"<details><summary>{escape(what)}</summary>{html}</details>\n"


def figure(badge: str, file: str, caption: str) -> str:
    text = escape(caption)
    return f'<figure>{badge}<img src="{escape(file)}" alt="{text}"><figcaption>{text}</figcaption></figure>\n'


def absent(why: object) -> str:
    return f'<p class="quiet">Not measured: {escape(str(why))}.</p>\n'


def picture(chapter: Chapter) -> str:
    return f"{chapter.module}.svg"


def name(chapter: Chapter) -> str:
    return f"{chapter.module}.html"


def _title(chapter: Chapter) -> str:
    return f"The carry is {chapter.carry}: {chapter.module}"


def _links(chapters: Iterable[Chapter], here: Chapter | None) -> str:
    def link(file: str, text: str, current: bool) -> str:
        return f'<a href="{file}"{" aria-current=page" if current else ""}>{escape(text)}</a>'

    pages = [link(name(each), f"{each.carry}: {each.module}", each is here) for each in chapters]
    return f"<nav>{link(INDEX, 'Five papers', here is None)}{''.join(pages)}</nav>\n"


HOW = (
    "times as fast is the first as the second, more being better; a line is as long as the repeats lie apart."
)


def _first(chapter: Chapter, means: str) -> str:
    """The top of a page: the picture, and what it means."""
    text = f"Published, measured here, and elsewhere: {chapter.what}"
    return (
        f'<figure><img src="{picture(chapter)}" alt="{escape(text)}"></figure>\n'
        f'<p class="means">{escape(means)}</p>\n'
    )


def chapter_page(
    directory: Path, chapters: Iterable[Chapter], chapter: Chapter, means: str, body: str
) -> None:
    what = chapter.what[0].upper() + chapter.what[1:]
    content = (
        f"{_links(chapters, chapter)}<h1>{escape(_title(chapter))}</h1>\n"
        f'<p class="quiet">{escape(what)}. After {escape(chapter.paper)}.</p>\n'
        f'{_first(chapter, means)}<p class="quiet">In the picture: how many {HOW}</p>\n{body}'
    )
    _write(directory / name(chapter), f"{_title(chapter)} - carrychain", content)


def index_page(
    directory: Path, shown: Iterable[tuple[Chapter, str]], measured: Measured, machines: Iterable[Measured]
) -> Path:
    shown = list(shown)
    chapters = [chapter for chapter, _ in shown]
    content = (
        f"{_links(chapters, None)}<h1>Five papers, measured</h1>\n"
        "<p>What each published, beside what was measured here and now, and on the machines whose results "
        f"are kept. In the pictures: how many {HOW} A badge at each table and figure says which: open it for "
        f"processor, date and command. {escape(DISTURBED[0].upper() + DISTURBED[1:])}.</p>\n"
    )
    for chapter, means in shown:
        content += f'<h2><a href="{name(chapter)}">{escape(_title(chapter))}</a></h2>\n'
        content += _first(chapter, means)
    content += "<h2>Machines</h2>\n"
    for each in (measured, *machines):
        content += table(badge(each), (), each.machine.items())
    _write(directory / INDEX, "carrychain: five papers, measured", content)
    return directory / INDEX


def _write(path: Path, title: str, content: str) -> None:
    write_text(
        path,
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n{content}</html>\n",
    )
