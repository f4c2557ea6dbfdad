"""carrychain.explain: what stayed big in a Python function, which use wanted it, and what cuts it."""

import re
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getsource
from pathlib import Path

import carrychain
import pytest
from browser import evaluated, marked, needs_browser
from carrychain import explain, jit, u32, u64
from carrychain.ring.ir.errors import SourceError


def sdbm(data):
    h = 0
    for c in data:
        h = c + (h << 6) + (h << 16) - h
    return h


def masked_at_the_end(data):
    h = 0
    for c in data:
        h = c + (h << 6) + (h << 16) - h
    return h & 0xFFFFFFFF


def step_by_step(data):
    h = 0
    for c in data:
        h *= 31
        h += c
    return h


def square(x):
    return x * x


def quotient(x, y, m):
    return square(x) * square(y) // m


def product(x: u32, y: u64):
    return x * y


def of_list(items):
    p = 1
    for item in items:
        p = p * item
    return p


def total(x, y):
    return x + y


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


class Counter:
    def step(self, x):
        return x * x * x * x

    @staticmethod
    def bare(x):
        return x * x * x * x


def imported(path: Path):
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def members(found) -> list[str]:
    return [each.text for finding in found.findings for each in finding.members]


def line_of(function, text: str) -> int:
    start = function.__code__.co_firstlineno
    return start + next(n for n, line in enumerate(getsource(function).splitlines()) if text in line)


def test_what_stayed_big_and_which_use_wanted_it():
    (found,) = explain(sdbm, b"abc").findings
    assert [(each.kind, each.text) for each in found.members] == [
        ("variable", "h"),
        ("expression", "c + (h << 6)"),
        ("expression", "c + (h << 6) + (h << 16)"),
        ("expression", "c + (h << 6) + (h << 16) - h"),
        ("expression", "h << 6"),
        ("expression", "h << 16"),
    ]
    variable = found.members[0]
    assert (found.of, found.use.what) == (variable, "is returned by sdbm")
    assert variable.position.line == line_of(sdbm, "h = 0")
    assert variable.position.column == 5 and found.use.position.line == line_of(sdbm, "def")
    text = str(explain(sdbm, b"abc"))
    assert text.startswith(f"sdbm(bytes) -> int, {__file__}:")
    assert text.count("stayed big") == 1 and f"\nh stayed big ({variable.position}), and with it:\n" in text
    assert re.search(
        r"\n    h << 16 \(\d+:\d+\)\n  all bits of each are needed because h is returned by sdbm ", text
    )
    advice = "write (c + (h << 6) + (h << 16) - h) & 0xFFFFFFFFFFFFFFFF at "
    assert text.count("if only the low bits") == text.count(advice) == 1
    assert "then each is a word of at most 64 bits" in text
    assert "once per loop iteration" in text


def test_what_has_other_uses_or_advice_is_apart():
    def two(x, y, m):
        return (x * x * x // m) + y * y * y

    groups = [[each.text for each in found.members] for found in explain(two, 1, 2, 3).findings]
    assert ["x * x * x"] in groups
    assert any(set(group) >= {"y * y * y"} and "x * x * x" not in group for group in groups)


def test_nothing_stays_big_where_low_bits_alone_are_wanted():
    found = explain(masked_at_the_end, b"")
    assert not found.findings
    assert str(found).endswith("\nnothing stayed big")
    assert {bits for _, _, bits in found.wide()} <= {8, 32, 64}


def test_a_use_is_an_expression():
    (big,) = [f for f in explain(quotient, 1, 2, 3).findings if f.members[0].text == "square(x) * square(y)"]
    assert (big.use.what, big.use.text) == ("is divided", "square(x) * square(y) // m")
    assert big.of == big.members[0] and big.use.position.line == line_of(quotient, "return")
    declare, mask = big.advice
    assert [text for text, _ in declare.write] == ["x: u32", "y: u32"]
    assert declare.write[0][1].line == line_of(quotient, "def") and declare.write[0][1].column == 14
    assert mask.write[0][0] == "((square(x) * square(y)) & 0xFFFFFFFFFFFFFFFF)"
    assert big.cost.operations == 1 and big.cost.rounds == 1


def test_assignments_that_compute():
    found = explain(step_by_step, b"")
    assert members(found) == ["h", "h *= 31", "h += c"]
    assert found.findings[0].advice[0].write[0][0] == "h = (h + c) & 0xFFFFFFFFFFFFFFFF"


@pytest.mark.parametrize(
    "function, args", [(sdbm, (b"ab",)), (step_by_step, (b"ab",)), (quotient, (1, 2, 3))]
)
def test_each_mask_cuts(function, args, tmp_path):
    """Written as it is said, it leaves what was big in a word."""
    start = function.__code__.co_firstlineno
    found = explain(function, *args)
    masks = [(f, each) for f in found.findings for each in f.advice if each.kind == "mask"]
    assert len(masks) >= max(1, len(found.findings) - 1)
    for number, (finding, advice) in enumerate(masks):
        ((text, at),) = advice.write
        lines = getsource(function).split("\n")
        line = lines[at.line - start]
        assert at.end[0] == at.line
        lines[at.line - start] = line[: at.column - 1] + text + line[at.end[1] - 1 :]
        path = tmp_path / f"changed_{function.__name__}_{number}.py"
        path.write_text("\n".join([getsource(square), "", *lines]))
        changed = getattr(imported(path), function.__name__)
        moved = changed.__code__.co_firstlineno - start
        big = {(m.text, m.position.line - moved) for f in explain(changed, *args).findings for m in f.members}
        assert not big & {(each.text, each.position.line) for each in finding.members}
        assert advice.container in (8, 16, 32, 64, 128)


def test_ints_that_are_long_alone_make_it_big():
    found = explain(total, 1, 2)
    assert not found.findings
    assert found.beyond == ["x", "y", "x + y"]
    assert "big only where ints do not fit 64 bits: x, y, x + y" in str(found)
    assert "nothing stayed big" in str(explain(fibonacci, 10))


def test_lists_of_ints():
    found = explain(of_list, [1, 2])
    assert members(found) == ["p", "p * item"]


def test_what_the_kinds_come_from():
    assert list(map(str, explain(product).kinds)) == ["u32", "u64"]
    function = jit(square)
    with pytest.raises(TypeError, match="has not been compiled, and x has no annotation: give arguments"):
        explain(function)
    function(3)
    assert list(map(str, explain(function).kinds)) == ["int"]
    assert list(map(str, explain(function, True).kinds)) == ["bool"]
    assert list(map(str, explain(quotient, 1, m=3, y=2).kinds)) == ["int"] * 3
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        explain(total, 1)
    with pytest.raises(TypeError, match="x is a float"):
        explain(square, 1.0)
    with pytest.raises(OverflowError, match="not of type u32"):
        explain(product, -1, 1)


def test_methods():
    cubes = ["x * x * x", "x * x * x * x"]
    assert members(explain(Counter().step, 3)) == cubes
    assert members(explain(Counter.bare, 3)) == cubes


def test_what_cannot_be_explained():
    def halves(x):
        return x / 2

    with pytest.raises(SourceError, match=r"test_jit_explain\.py:\d+:\d+: / makes a float: use //"):
        explain(halves, 1)
    with pytest.raises(TypeError, match="explain takes a function written in Python, not"):
        explain(len, b"")


def test_it_calls_nothing_and_compiles_nothing():
    called = []

    def changes(items):
        items[0] = 1

    items = bytearray(1)
    function = jit(changes)
    explain(function, items)
    assert items == b"\0" and not called and not function.kinds


def test_in_a_notebook():
    html = explain(sdbm, b"")._repr_html_()
    assert marked(html) == ["h", "c + (h << 6) + (h << 16) - h"]
    assert '<span class="big">h &lt;&lt; 6 <b>big</b></span>' in html
    assert "6 expressions stayed big, of 1 cause." in html and html.count('<section class="big">') == 1
    assert html.count("<li>") == 6
    # nothing of it is for the page around it
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style.count("{") == style.count("}")
    assert all(line.startswith((".carrychain", " ", "}")) for line in style.strip().split("\n"))


# What JupyterLab and nbconvert's classic template say of what is in an output.
JUPYTER = """
.jp-RenderedHTMLCommon h1, .jp-RenderedHTMLCommon h2 { line-height: 1; font-weight: 500; margin: 1em 0 }
.jp-ThemedContainer .jp-RenderedHTMLCommon pre, .jp-ThemedContainer .jp-RenderedHTMLCommon code { border: 0;
  background-color: white; color: #212121; font-size: inherit; line-height: 1.3; padding: 0;
  white-space: pre-wrap }
.jp-ThemedContainer .jp-RenderedHTMLCommon :not(pre) > code { background-color: #eee; padding: 1px 5px }
.jp-RenderedHTMLCommon table { border-collapse: collapse; border-spacing: 0; border: none; font-size: 12px;
  table-layout: fixed; margin-left: auto; margin-bottom: 1em; margin-right: auto }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr { vertical-align: middle;
  padding: .5em; line-height: normal; white-space: normal; max-width: none; border: none }
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td, :not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon tr {
  text-align: right }
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: white }
.jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: #f5f5f5 }
.jp-RenderedHTMLCommon ul:not(.list-inline) { padding-left: 2em }
.jp-RenderedHTMLCommon p { text-align: left; margin: 0; margin-bottom: 1em }
div.output_area .rendered_html table { margin-left: 0; margin-right: 0 }
.rendered_html tbody tr:nth-child(odd) { background: #f5f5f5 }
.rendered_html td, .rendered_html tr { text-align: right; vertical-align: middle; padding: .5em;
  white-space: normal; border: 1px solid black }
.rendered_html :not(pre) > code { color: #e01e5a; padding: 1px 3px; background-color: #eff0f1 }
.rendered_html * + ul { margin-top: 1em }
.rendered_html * + p { margin-top: 1em }
"""
AROUND = (
    '<body class="jp-ThemedContainer"><div class="output_area">'
    '<div class="jp-RenderedHTMLCommon rendered_html">'
)
COMPUTED = """[...document.querySelectorAll(".carrychain, .carrychain *")].map(each =>
  [each.tagName, ...[...getComputedStyle(each)].map(name => name + ": " + getComputedStyle(each)[name])])"""


@needs_browser
def test_a_notebook_changes_nothing_of_it(tmp_path):
    # a call's costs are measured: once for both
    part = explain(sdbm, b"")._repr_html_()
    alone = evaluated(f"<!doctype html>{AROUND}{part}", COMPUTED, tmp_path)
    within = evaluated(f"<!doctype html><style>{JUPYTER}</style>{AROUND}{part}", COMPUTED, tmp_path)
    for bare, styled in zip(alone, within, strict=True):
        changed = [pair for pair in zip(bare, styled, strict=True) if pair[0] != pair[1]]
        assert not changed, f"{bare[0]}: {changed[:3]}"
    found = evaluated(
        f"<!doctype html><style>{JUPYTER}</style>{AROUND}{part}",
        """[...document.querySelectorAll("td:nth-child(2)")].map(each =>
          [getComputedStyle(each).textAlign, getComputedStyle(each).whiteSpace, each.innerText])""",
        tmp_path,
    )
    assert ["left", "pre-wrap", "    for c in data:"] in found
    assert {each[0] for each in found} == {"left"}


class Cells(HTMLParser):
    def __init__(self):
        super().__init__()
        self.styles: list[str] = []

    def handle_starttag(self, tag, attributes):
        if tag == "td":
            self.styles.append(dict(attributes).get("style", ""))


def test_cells_are_aligned_without_a_style_sheet():
    """As a notebook that is not trusted is shown; and what a style sheet says of cells is overruled."""
    cells = Cells()
    cells.feed(explain(sdbm, b"")._repr_html_())
    assert len(cells.styles) == 15
    assert all(re.fullmatch("text-align: .*; white-space: .*", each) for each in cells.styles)
    assert cells.styles[1::3] == ["text-align: left; white-space: pre-wrap"] * 5
    assert "!important" not in JUPYTER


def test_at_the_prompt():
    found = explain(total, 1, 2)
    assert repr(found) == str(found) and repr(found).endswith(
        "\nbig only where ints do not fit 64 bits: x, y, x + y"
    )


def test_it_is_asked_for_by_its_name():
    assert "explain" in carrychain.__all__
