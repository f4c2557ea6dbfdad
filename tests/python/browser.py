"""Pages: what scripts see of them in a browser without a window, where Chromium is here; what is marked."""

import json
import shutil
import subprocess
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(not CHROMIUM, reason="chromium is not here")

MADE = '<pre id="evaluated">'


def evaluated(page: str, expression: str, directory: Path, width: int = 1280) -> object:
    """What an expression of JavaScript is in the page, in a window so wide; the page's files are there."""
    path = directory / "evaluated.html"
    script = f"""<script>addEventListener("load", () => {{
      const found = JSON.stringify({expression}), pre = document.createElement("pre");
      pre.id = "evaluated"; pre.textContent = found; document.body.append(pre); }})</script>"""
    # below 500 pixels a window is not made, but a frame is
    inside = directory / "evaluated-inside.html"
    inside.write_text(page + script)
    path.write_text(
        f'<!doctype html><iframe src="{inside.name}" style="width: {width}px; height: 900px; border: 0">'
        '</iframe><script>addEventListener("load", () => { const inside = document.querySelector("iframe");'
        ' document.body.append(inside.contentDocument.querySelector("#evaluated")); })</script>'
    )
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    options += [f"--user-data-dir={directory / 'browser'}", f"--window-size={max(width, 600)},1000"]
    command = [CHROMIUM, *options, "--virtual-time-budget=20000", "--dump-dom", path.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True)
    assert MADE in result.stdout, result.stdout + result.stderr
    return json.loads(unescape(result.stdout.split(MADE)[1].split("</pre>")[0]))


class _Tags(HTMLParser):
    """What is open where the text ends, and the text that is marked."""

    def __init__(self):
        super().__init__()
        self.open: list[str] = []
        self.marked: list[str] = []

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "mark" in self.open:
            self.marked.append(data)


def marked(html: str) -> list[str]:
    """What is marked in a page whose tags are all closed."""
    tags = _Tags()
    tags.feed(html)
    tags.close()
    assert tags.open == []
    return tags.marked
