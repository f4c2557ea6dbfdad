"""What is disturbed reaches no page of a report unmarked: each chapter, of measurements that are disturbed.

Whatever a page says and does not mark rests on the others alone: it is the same, however far the disturbed
ones are off.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from draws import random_for

ROOT = Path(__file__).resolve().parents[2]
MEASURED = ROOT / "bench/results/report-zen4.json"
CHAPTERS = ("u128", "fixed", "checksum", "fib", "ring")
# the phases that are curves, and the n from one point to the next
CURVES = {"fib_1000": 1, "fib_10000": 50}
# far outside of all others, so that the least and the most are the same ones by either
FACTORS = (1e4, 3e4)

# whether a measurement is, of its name and itself
Drawn = Callable[[str, object], bool]


def disturb(found: object, by: float, drawn: Drawn, name: str = "") -> object:
    """A copy, in which each measurement that is drawn takes so many times less, and varies."""
    if isinstance(found, list):
        return [disturb(each, by, drawn, name) for each in found]
    if not isinstance(found, dict):
        return found
    if "disturbed" in found and drawn(name, found):
        ratio = found["ratio"] and found["ratio"] / by
        times = {name: found[name] / by for name in ("ns_median", "ns_min")}
        return found | times | {"ratio": ratio, "spread": 3.0, "disturbed": True}
    if found.keys() == {"least", "median", "spread"} and drawn(name, found):
        return {name: found[name] / by for name in ("least", "median")} | {"spread": 3.0}
    if found.keys() == {"device", "by", "order", "calls", "ns"} and drawn(name, found):
        return found | {"ns": [ns / by * (1 + i % 2) for i, ns in enumerate(found["ns"])]}
    return {name: disturb(each, by, drawn, name) for name, each in found.items()}


def curves(found: dict, by: float, drawn: Drawn) -> dict:
    """The same of the curves, each with the n that are disturbed."""
    result = {}
    for phase, step in CURVES.items():
        times, which = found[phase][0], {}
        for strategy, ns in times.items():
            at = {i for i in range(len(ns)) if drawn(strategy, ns)}
            times = times | {strategy: [each / by if i in at else each for i, each in enumerate(ns)]}
            which[strategy] = [i * step for i in sorted(at)]
        result[phase] = [times, which]
    return result


def cells(html: str) -> list[str]:
    """What a page says in words and in tables, but for the raw repeats."""
    html = re.sub(
        r"<style>.*?</style>|<details><summary>The ten repeats.*?</details>\n", "", html, flags=re.DOTALL
    )
    return [re.sub(r"<.*?>", "", each) for each in re.findall(r"<(?:p|td)\b.*?</(?:p|td)>", html)]


def unmarked(cell: str) -> str:
    """Without the figures that are marked."""
    return re.sub(r"[\d.,]+( [nµm]?s| MB/s|%)?( \([\d.]+x\))? \(disturbed\)", "", cell)


@pytest.fixture
def page(monkeypatch, tmp_path):
    """Of a chapter, those of its measurements disturbed that are drawn."""
    pytest.importorskip("matplotlib")
    from carrychain import report
    from carrychain.bench import stored
    from carrychain.report import measured
    from matplotlib.figure import Figure

    load, names, kept = stored.load, stored.names, json.loads(MEASURED.read_text())
    # what they look like is another test's
    monkeypatch.setattr(Figure, "savefig", lambda *_, **__: None)
    monkeypatch.setattr(stored, "names", lambda prefix: [] if prefix == "report-" else names(prefix))

    def made(module: str, by: float, drawn: Drawn) -> str:
        found = disturb(kept, by, drawn) | curves(kept, by, drawn)
        monkeypatch.setattr(report, "measure", lambda *_, **__: measured.Measured(found, here=True))
        monkeypatch.setattr(stored, "load", lambda name: disturb(load(name), by, drawn))
        monkeypatch.setattr(report, "CHAPTERS", [each for each in EVERY if each.module == module])
        report.write(str(tmp_path), lambda what: None)
        return (tmp_path / f"{module}.html").read_text()

    EVERY = report.CHAPTERS
    return made


@pytest.mark.parametrize("module", CHAPTERS)
@pytest.mark.parametrize("often", [0.05, 0.5, 1])
def test_what_is_unmarked_rests_on_what_is_steady(page, module, often):
    def made(by: float) -> list[str]:
        random = random_for(f"report {module} {often}")
        return cells(page(module, by, lambda *_: random.random() < often))

    one, other = map(made, FACTORS)
    assert len(one) == len(other)
    assert not [pair for pair in zip(one, other, strict=True) if unmarked(pair[0]) != unmarked(pair[1])]
    # but for the checksum's, which leave out what is disturbed
    assert often < 1 or module == "checksum" or any("(disturbed)" in cell for cell in one)


def test_what_is_marked():
    said = "so: 1,500 ns (2.5x) (disturbed), 9.5 (disturbed) to 12.1 times as fast, 3% (disturbed) of 4 ns"
    assert unmarked(said) == "so: ,  to 12.1 times as fast,  of 4 ns"


@pytest.mark.parametrize("module", CHAPTERS)
def test_more_is_better(page, module):
    """Where ours takes next to no time, a ratio is far above 1, in tables and in words."""

    def ours(name: str, found: object) -> bool:
        return "disturbed" in found or name in ("ours", "cut") or "native" in found.values()

    html = page(module, 1000, lambda name, found: isinstance(found, dict) and ours(name, found))
    # what is stored of the kernel has no spread: the next test's
    html, shown = html.split("<h2>/dev/fibonacci</h2>")[0], []
    for table in re.findall(r"<table>.*?</table>", html, re.DOTALL):
        heading = re.findall(r"<th>(.*?)</th>", table)
        for row in re.findall(r"<tr>(<td>.*?)</tr>", table):
            for head, cell in zip(heading, re.findall(r"<td>(.*?)</td>", row), strict=True):
                if "times as fast" in head and cell and "published" not in row:
                    shown.append((float(cell.removesuffix(" (disturbed)")), head, row))
                assert not re.search(r"ours / |over (?!16-bit|ibm|multiplying)|ratio", head)
    (said,) = re.findall(r'<p class="means">(.*?)</p>', html)
    compared = re.findall(
        r"(?:([\d.]+)(?: \(disturbed\))? to )?([\d.]+)(?: \(disturbed\))? times as fast", said
    )
    shown += [(float(each), said, "") for pair in compared for each in pair if each]
    assert shown and all(ratio > 1 for ratio, *_ in shown), shown
    assert max(shown)[0] > 100 or module == "checksum"


def test_more_is_better_in_the_kernel():
    pytest.importorskip("matplotlib")
    from carrychain.bench import stored
    from carrychain.report import fibdrv

    rows = fibdrv.decimals(stored.load("kernel-fib.json"))
    for _, ours, theirs, fast in rows:
        ours, theirs = (float(each.removesuffix(" ns").replace(",", "")) for each in (ours, theirs))
        assert float(fast) == pytest.approx(theirs / ours, abs=0.02)
    assert rows
