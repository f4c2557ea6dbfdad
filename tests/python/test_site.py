"""The pages as a site: nothing in it leads nowhere or elsewhere, and all that is declared is found."""

import json
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import headers  # noqa: E402

HEADERS = sorted((ROOT / "include/carrychain").glob("*.h"))
DECLARED = re.compile(
    r"^(?!typedef)[a-z].*?\b(cc_\w+)\([^{;]*\);$|^static inline [\w ]+?\*?(\w+)\(", re.MULTILINE
)

needs_sphinx = pytest.mark.skipif(
    not all(map(find_spec, ("sphinx", "myst_parser", "furo"))), reason="Sphinx, MyST or Furo is not here"
)


def declared(path: Path) -> set[str]:
    return {each or inline for each, inline in DECLARED.findall(path.read_text())}


def test_a_comment_and_what_shares_it():
    text = """/* SPDX-License-Identifier: MIT */
/*
 * few.h - a few.
 */
#ifndef CARRYCHAIN_FEW_H
#define CARRYCHAIN_FEW_H

/* of both */
int cc_one(void);
int cc_two(const char *name,
           int x);
/* of its own */
#define CC_FEW 3

/* of a section */

int cc_three(void);

/* of every width */
static inline cc_u32 cc_few_u32(cc_u32 x)
{
        return x;
}

static inline cc_u64 cc_few_u64(cc_u64 y)
{
        return y;
}

static inline int cc_other(cc_u64 y)
{
        return !y;
}

#endif /* CARRYCHAIN_FEW_H */
"""
    head, found = headers.entries(text)
    assert head == "few.h - a few."
    assert [(each.kind, each.comment, each.names) for each in found] == [
        ("function", "of both", ["cc_one", "cc_two"]),
        ("macro", "of its own", ["CC_FEW"]),
        ("", "of a section", []),
        ("function", "", ["cc_three"]),
        ("function", "of every width", ["cc_few_u32", "cc_few_u64"]),
        ("function", "", ["cc_other"]),
    ]


def test_what_is_no_declaration_is_refused():
    with pytest.raises(ValueError, match="no declaration"):
        headers.entries("/* SPDX-License-Identifier: MIT */\n/* few.h */\nwhatever\n")


@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.name)
def test_each_function_has_an_entry(header):
    _, found = headers.entries(header.read_text())
    assert declared(header)
    assert declared(header) <= {name for each in found if each.kind == "function" for name in each.names}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    directory = tmp_path_factory.mktemp("site") / "docs"
    done = subprocess.run([sys.executable, "tools/docs", directory], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"\d+ pages: {re.escape(str(directory))}/index.html\n", done.stdout)
    return directory


class Page(HTMLParser):
    """Where it leads, what it loads, and what in it can be led to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {"", "top"}
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors |= {given[each] for each in ("id", "name") if given.get(each)}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in ("script", "img", "iframe", "source") and "src" in given:
            self.loaded.append(given["src"])
        elif tag == "link":
            self.loaded.append(given["href"])


page = cache(Page)


@needs_sphinx
def test_each_link_leads_somewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 100
    astray = []
    for path in pages:
        for link in page(path).links + page(path).loaded:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not to.is_file() or (to.suffix == ".html" and unquote(parts.fragment) not in page(to).anchors):
                astray.append((str(path.relative_to(site)), link))
    assert not astray


@needs_sphinx
def test_nothing_is_loaded_from_elsewhere(site):
    loaded = {each for path in site.rglob("*.html") for each in page(path).loaded}
    assert any(each.endswith(".css") or ".css?" in each for each in loaded)
    assert not [each for each in loaded if urlsplit(each).scheme or each.startswith("//")]
    styles = [path.read_text() for path in site.rglob("*.css")]
    assert not re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", "".join(styles))


@needs_sphinx
def test_what_is_declared_is_found(site):
    text = (site / "searchindex.js").read_text()
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    assert "powmod" in index["terms"]
    # where, what, its weight, its anchor, its name
    found = {
        f"{prefix}.{name}".removeprefix("."): (index["docnames"][where], index["objtypes"][str(kind)])
        for prefix, those in index["objects"].items()
        for where, kind, _, _, name in those
    }
    assert found["carrychain.jit"] == ("docs/reference/python", "py:function")
    assert found["cc_fz_powmod"] == ("docs/reference/fixed.h", "c:function")
    assert found["u128_store"] == ("docs/reference/u128.h", "c:function")
    for path in HEADERS:
        wanted = {name: (f"docs/reference/{path.name}", "c:function") for name in declared(path)}
        assert wanted.items() <= found.items()


# each in a process of its own, which has Sphinx from the first
BUILT = """
import os, runpy, sys
from pathlib import Path
sys.path.insert(0, "tools")
build = runpy.run_path("tools/docs")["build"]
for source in sorted(Path(sys.argv[1]).iterdir()):
    if not os.fork():
        build(source, Path(sys.argv[2]) / source.name)
        sys.exit()
    status = os.waitstatus_to_exitcode(os.wait()[1])
    print(f"{source.name}: {status}", file=sys.stderr, flush=True)
"""


BROKEN = {
    "sound": ("", ""),
    "page": ("[a page](other.md)", "other.md"),
    "part": ("[a part](#nowhere)", "nowhere"),
    "function": ("{c:func}`cc_none`", "cc_none"),
}


@needs_sphinx
def test_what_is_broken_is_told(tmp_path):
    for name, (text, _) in BROKEN.items():
        (tmp_path / "pages" / name).mkdir(parents=True)
        (tmp_path / "pages" / name / "index.md").write_text(f"# A page\n\n{text}\n")
    done = subprocess.run(
        [sys.executable, "-c", BUILT, tmp_path / "pages", tmp_path / "site"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    # what each said before its status
    *said, last = re.split(rf"^({'|'.join(BROKEN)}): (\d+)\n", done.stderr, flags=re.MULTILINE)
    assert last == ""
    found = dict(zip(said[1::3], zip(said[::3], said[2::3], strict=True), strict=True))
    assert found.keys() == BROKEN.keys()
    for name, (_, warning) in BROKEN.items():
        told, status = found[name]
        assert (status != "0") == bool(told) == bool(warning) and warning in told, (name, told)
