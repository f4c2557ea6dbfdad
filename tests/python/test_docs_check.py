"""tools/docs-check: the pages agree with what is stored, and what doesn't is found."""

import json
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[2]
MACHINE = {"processor": "AMD EPYC (Zen 5)", "date": "2026-11-23", "command": "carrychain bench sum"}
ROWS = [
    {"suite": "sum", "case": "sum", "size": size, "ns_median": 1000.0 * size, "peer": peer, "ratio": ratio}
    for size, peer, ratio in ((1, "a", 0.5), (1, "b", 0.874), (2, "a", 0.8), (2, "b", 1.2))
]
PAGE = """# Sums

On a Zen 5 a sum takes 0.87 of b's time <!-- figure: one.json size=1 peer=b: ratio -->, and never more than b
but of 2 words; 1 µs <!-- figure: one.json size=1 peer=a: ns_median / 1e3 -->. <!-- claim:
*.json peer=b: ratio <= 1 but size=2 -->

On a Zen 5 within 20 % of all. <!-- claim: one.json: ratio <= 1 + #/100 --> A sum of 1 word is 1.14 times <!--
figure: one.json size=1 peer=b: 1 / ratio --> as fast as b's there, on the Zen 5, and one of 2 is slower. <!--
claim: one.json size=2 peer=b: ratio > 1 -->

On that Zen 5:

| words | µs | a, times | b, times |
| ---: | ---: | ---: | ---: |
| 1 | 1 | 2.0 | |
| 2 | 2 | 1.25 | 0.833 |

<!-- table: one.json: size; ns_median / 1e3 peer=a; 1 / ratio peer=a; 1 / ratio peer=b -->

The Zen 5 says:

```
$ sum
took 1.000 µs: 2.0 times as fast as a
```
<!-- figure: one.json size=1 peer=a: ns_median / 1e3, 1 / ratio -->

It ends within 100 ms. <!-- shown: docs/page.md -->

1 234 sums <!-- figure: one.json/told: sums_made --> on a Zen 5.
"""


UNSAID = "measured on Zen 5, which is not said beside it"
# without the processor's name; and what is not faster by as much as repeats, or runs, lie apart
WORDS = [
    ("docs/page.md", "On a Zen 5 a sum", "A sum", UNSAID),
    ("docs/page.md", "On a Zen 5 within", "Just within", UNSAID),
    ("docs/page.md", "there, on the Zen 5, and", "there, and", UNSAID),
    ("docs/page.md", "On that Zen 5:", "Here:", UNSAID),
    ("docs/page.md", "The Zen 5 says", "It says", UNSAID),
    ("docs/page.md", "--> on a Zen 5.", "--> in all.", UNSAID),
    ("bench/results/one.json", "0.874", '0.874, "spread": 0.15', "fast is said, and it takes 0.760 to 1.005"),
    ("bench/results/one.json", "0.874", '0.874, "by": {"spread": 0.15}', "takes 0.760 to 1.005"),
    ("bench/results/one.json", "1.2}", "1.04}", "slower is said, and it takes 0.990 to 1.092"),
    ("docs/page.md", "of 2 is slower", "of 2 is faster", "faster is said, and it takes 1.143 to 1.26"),
    ("docs/page.md", "1.14 times", "1.2 times", "1.2 is quoted"),
    (
        "docs/page.md",
        "It ends",
        "1 µs, faster than b: a Zen 5. <!-- figure: one.json size=1 peer=b: ns_median / 1e3 -->\n\nIt ends",
        "'faster than b: a Zen 5.' names no row",
    ),
    ("docs/page.md", "words; 1 µs", "words; faster, 1 µs", "faster is said, and it takes 1.143 to 1.26"),
]


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "docs/decisions").mkdir(parents=True)
    (tmp_path / "bench/results").mkdir(parents=True)
    stored = {"machine": MACHINE, "rows": ROWS, "told": ["sums made: 1234 (of words)"]}
    (tmp_path / "bench/results/one.json").write_text(json.dumps(stored))
    (tmp_path / "docs/page.md").write_text(PAGE)
    (tmp_path / "docs/decisions/sums.md").write_text("# Why\n\nRecorded 2026-11-23.\n\nIt took 5 ns.\n")
    return tmp_path


def docs_check():
    """The tool as a module."""
    loader = SourceFileLoader("docs_check", str(ROOT / "tools/docs-check"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def checked(*arguments):
    result = subprocess.run(
        [sys.executable, ROOT / "tools/docs-check", *arguments], capture_output=True, text=True
    )
    assert not result.stderr
    return result.returncode, result.stdout


def test_the_pages():
    status, said = checked()
    assert status == 0, said


def test_what_agrees(tree):
    assert checked(tree) == (0, "10 agree, 0 do not\n")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("docs/page.md", "0.87", "0.86", "0.86 is quoted, 0.874 was measured"),
        ("docs/page.md", "1.25", "1.35", "1.35 is quoted for 2"),
        ("docs/page.md", "2.0 times as", "2.1 times as", "2.1 is quoted"),
        ("docs/page.md", "1 234", "1 235", "1 235 is quoted, 1234"),
        ("docs/page.md", "within 20 %", "within 19 %", "is false"),
        ("docs/page.md", "size=1 peer=b", "size=3 peer=b", "one.json has no row size=3 peer=b"),
        ("docs/page.md", "size=1 peer=b", "size=1", "2 rows"),
        ("docs/page.md", "one.json size=1 peer=a: ns", "two.json size=1 peer=a: ns", "no file"),
        ("docs/page.md", "one.json size=1 peer=b", "*.json size=1 peer=b", "names 2 files"),
        ("docs/page.md", "peer=b: ratio -->", "peer=b ratio -->", "says its form"),
        ("docs/page.md", "ratio <= 1 but size=2", "ratio is 1", "says its form"),
        ("docs/page.md", "figure: one.json size=1", "figure: one.json size", "says its form"),
        ("docs/page.md", "peer=b: ratio -->", "peer=b: ratio ratio -->", "says its form"),
        ("docs/page.md", "ratio <= 1 but size=2", "ratio <= 1", "is false"),
        ("docs/page.md", "but of 2 words", "but of two words", "2 is excepted, and not said"),
        ("docs/page.md", "<!-- claim:\n", "\n<!-- claim: ", "ends the paragraph"),
        ("docs/page.md", "<!-- shown: docs/page.md -->", "", "'100 ms."),
        ("docs/page.md", "It ends", "`tools/sum*` ends", "no file tools/sum*"),
        ("docs/page.md", "shown: docs/page.md", "shown: docs/other.md", "no file docs/other.md"),
        ("docs/page.md", "# Sums", "# Sums\n\nNever is it never slower.", "'never slower.' names no row"),
        *WORDS,
        ("docs/page.md", "# Sums", "# Sums\n\nA sum is 3 ns.", "'3 ns.' names no row"),
        ("bench/results/one.json", '"ratio": 0.8}', '"ratio": 0.9}', "1.25 is quoted"),
        ("bench/results/one.json", '"ratio": 0.874', '"ratio": 1.01', "is false"),
        ("bench/results/one.json", '"processor"', '"machine"', "does not say its processor"),
        ("docs/decisions/sums.md", "Recorded", "On", "must be 'Recorded"),
    ],
)
def test_what_does_not(tree, file, old, new, said):
    path = tree / file
    text = path.read_text()
    if old in text:
        path.write_text(text.replace(old, new, 1))
    else:
        pytest.fail(f"{old} is not in {file}")
    if "files" in said:
        (tree / "bench/results/other.json").write_text((tree / "bench/results/one.json").read_text())
    status, told = checked(tree)
    assert (status, said in told) == (1, True), told


def test_figures_beside_a_page(tree):
    (tree / "docs/other.md").write_text("# More\n\nOn a Zen 5 one word is 2.0× faster than by a.\n")
    beside, said = tree / "docs/other.figures", "figure: one.json size=1 peer=a: 1 / ratio"
    beside.write_text(f"is 2.0× faster <!-- {said} -->\n")
    assert checked(tree) == (0, "11 agree, 0 do not\n")
    for wrong, why in (
        (f"is 2.1× faster <!-- {said} -->", "other.figures:1: other.md has these words 0 times"),
        (f"o <!-- {said} -->", "other.figures:1: other.md has these words 3 times"),
        (said, "other.figures:1: not WORDS <!-- ... -->"),
        ("", "other.figures:1: not WORDS"),
    ):
        beside.write_text(f"{wrong}\n")
        status, told = checked(tree)
        assert (status, why in told) == (1, True), told
    beside.unlink()
    status, told = checked(tree)
    assert (status, "'2.0× faster" in told) == (1, True), told


def test_a_claim_holds_on_every_processor(tree):
    slower = {"machine": MACHINE, "rows": [ROWS[1] | {"ratio": 1.5}]}
    (tree / "bench/results/two.json").write_text(json.dumps(slower))
    status, told = checked(tree)
    assert (status, "is false 1 times, first for 1.5 in two.json" in told) == (1, True), told


def test_nowhere(tmp_path):
    result = subprocess.run(
        [sys.executable, ROOT / "tools/docs-check", tmp_path], capture_output=True, text=True
    )
    assert result.returncode == 1 and "no page there" in result.stderr and result.stderr.count("\n") == 1


def test_runs_differ_by_no_more():
    """What is stored twice of one processor: how far two runs lie apart, in the median."""
    results = ROOT / "bench/results"
    twice = (
        json.loads((results / "report-zen4.json").read_text())["checksum"],
        json.loads((results / "checksum-zen4-lengths.json").read_text())["rows"],
    )
    one, other = (
        {
            tuple(row[key] for key in ("case", "size", "impl", "peer")): row["ratio"]
            for row in rows
            if row["ratio"]
        }
        for rows in twice
    )
    apart = [max(one[key] / other[key], other[key] / one[key]) - 1 for key in one.keys() & other.keys()]
    assert len(apart) > 20 and 0.75 * docs_check().RUNS < median(apart) <= docs_check().RUNS
