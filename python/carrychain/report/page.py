"""The HTML around the chapters."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from carrychain.files import write_text
from carrychain.machine import facts

from .chapter import Chapter

NOT_MEASURED = '<p class="quiet">Not measured yet.</p>'

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 52rem; margin: 2rem auto;
  padding: 0 1rem }
h1 { margin-bottom: 0 } h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem }
table { border-collapse: collapse; margin: 1rem 0 } td, th { padding: .3rem 1.2rem .3rem 0; text-align: left;
  vertical-align: top; border-bottom: 1px solid #e4e4e4 }
img { width: 100% } figure { margin: 1.5rem 0 } figcaption, .quiet { color: #666; font-size: .9rem }
"""


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<table>\n<tr>{head}</tr>\n{body}</table>\n" if head else f"<table>\n{body}</table>\n"


def figure(file: str, caption: str) -> str:
    text = escape(caption)
    return f'<figure><img src="{escape(file)}" alt="{text}"><figcaption>{text}</figcaption></figure>\n'


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
        "<p>What each published, beside what <code>carrychain report</code> measured on this machine:</p>\n"
        f"{table((), facts().items())}{''.join(sections)}</html>\n",
    )
