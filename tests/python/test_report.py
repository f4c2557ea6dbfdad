import importlib.util
import io
import json
import re
import shutil
from html import escape
from itertools import takewhile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browser import evaluated, needs_browser
from carrychain.bench.machine import processor
from carrychain.cli import report as report_module
from carrychain.cli.report import report as report_command
from click.testing import CliRunner
from command import complaint, run
from draws import LONG
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]


def at_any_size(suite: str, peers: tuple[str, ...] = ("gmp", "flint 3.6.0")) -> list[dict]:
    """Rows of a suite that times numbers of any size, with one peer that is absent."""
    cases = {"fib": ["fib"], "decimal": ["format", "parse"], "natural": ["mul", "mul 1:2", "gcd"]}
    impl = "squaring" if suite == "fib" else "generic"
    row = {"suite": suite, "impl": impl, "spread": 0.1, "disturbed": False}
    rows = [
        row | {"case": case, "size": 10**i, "peer": peer, "ratio": 1 / (i + 1)}
        for case in cases[suite]
        for i in range(4)
        for peer in peers
    ]
    absent = row | {"case": cases[suite][0], "size": 1, "peer": "other: absent", "ratio": None}
    return [
        each | {"ns_median": 1.1e3 * each["size"], "ns_min": 1e3 * each["size"]} for each in [*rows, absent]
    ]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The directory of a report, beside another's measurements."""
    pytest.importorskip("matplotlib")
    from carrychain import report
    from carrychain.bench import c_suites
    from carrychain.report import fib, measured, ring, scale

    suite = c_suites.suite
    directory = tmp_path_factory.mktemp("report") / "new" / "directory"
    phases = {name: phase for chapter in report.CHAPTERS for name, phase in chapter.phases.items()}
    kept = json.loads((ROOT / "bench/results/report-zen4.json").read_text())["fixed"]

    def rows(name: str, quick: bool) -> list[dict]:
        if name in scale.SUITES:
            return at_any_size(name)
        if name != "fixed" or LONG:
            return suite(name, quick=True)
        # powers of wider numbers take half a minute: the rows from there on are stored ones
        with c_suites.program() as program:
            timed = c_suites.rows(program, [name], quick=True)
            found = list(takewhile(lambda row: "mod" not in row["case"] or row["size"] <= 2048, timed))
            timed.close()
        assert len(found) > 10
        return found + kept[len(found) :]

    # how it looks is what is tested, not how fast it is
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fib, "SAMPLES", 1)
        patch.setattr(fib, "CALLS", 1)
        patch.setattr(ring, "SIZE", 6400)
        patch.setattr(ring, "ROUNDS", 1)
        patch.setattr(ring, "ROUNDS_QUICK", 1)
        patch.setattr(c_suites, "suite", rows)
        directory.mkdir(parents=True)
        measured.measure(directory / measured.FILE, phases, lambda what: None)
        other = directory / "other.json"
        content = json.loads((directory / measured.FILE).read_text())
        # as if it had been interrupted: it is not measured again
        (directory / measured.FILE).write_text(json.dumps(content | {"finished": False}))
        content["machine"] |= {"processor": "the <other> machine", "date": "2001-02-03"}
        other.write_text(json.dumps(content))
        report.write(str(directory), lambda what: None, compare=[str(other)])
    return directory


def whole(directory: Path) -> str:
    return "".join(page.read_text() for page in sorted(directory.glob("*.html")))


def page_of(directory: Path, module: str) -> str:
    return (directory / f"{module}.html").read_text()


MODULES = ("u128", "fixed", "checksum", "fib", "ring")


@pytest.fixture
def all_measured(written):
    """The same, if the bench program is here."""
    if "the bench program was not built" in page_of(written, "u128"):
        pytest.skip("the bench program is not built: GMP's headers are missing")
    return written


def test_a_page_for_each_paper(all_measured):
    written = all_measured
    assert {page.name for page in written.glob("*.html")} == {"index.html", *(f"{m}.html" for m in MODULES)}
    index = page_of(written, "index")
    for module in MODULES:
        assert f'<a href="{module}.html">' in index
        for page in (index, page_of(written, module)):
            # the picture, and then what it means
            assert re.search(rf'<img src="{module}.svg" alt="[^"]+"></figure>\n<p class="means">\w', page)
        assert page_of(written, module).index("<img") < page_of(written, module).index("<table")
    assert "the &lt;other&gt; machine" in index
    for link in re.findall(r'(?:href|src)="([^"]+)"', whole(written)):
        assert (written / link).is_file()


def test_a_picture_has_the_published_the_measured_and_the_other(all_measured):
    written = all_measured
    for module in MODULES:
        drawn = (written / f"{module}.svg").read_text()
        # text is drawn as glyphs, with what it says in a comment
        said = set(re.findall(r"<!-- (.*?) -->", drawn))
        assert {"times as fast (logarithmic)", "measured now"} <= said
        assert any("other" in each and "2001-02-03" in each for each in said), said
        assert ("published" in said) == (module != "fib")
        assert ("stored" in said) == (module in ("u128", "checksum", "fib"))


KINDS = {
    "fib": ("fib",),
    "products": ("mul", "sqr"),
    "quotients": ("divrem", "isqrt", "gcd"),
    "decimal": ("digits", "format", "parse"),
}


def stored_at_any_size() -> set[str]:
    """The figures of what is stored: those that there are rows for."""
    from carrychain.bench import stored

    names = set()
    for name in stored.names("scale-"):
        timed = [row for row in stored.load(name)["rows"] if row["ratio"]]
        assert timed
        for row in timed:
            peer = "flint" if row["peer"].startswith("flint") else "gmp"
            (kind,) = (kind for kind, cases in KINDS.items() if row["case"].split()[0] in cases)
            figure = kind if kind == "fib" else f"{kind}-{peer}"
            names.add(f"{name.removesuffix('.json')}-{figure}.svg")
    return names


def test_lines_at_any_size():
    pytest.importorskip("matplotlib")
    from carrychain.report import scale

    rows = [*at_any_size("fib"), *at_any_size("natural"), at_any_size("fib")[0] | {"impl": "iterative"}]
    assert scale.times(rows) == {
        "carrychain": {1: 1, 10: 10, 100: 100, 1000: 1000},
        "gmp": {1: 1, 10: 20, 100: 300, 1000: 4000},
        "flint 3.6.0": {1: 1, 10: 20, 100: 300, 1000: 4000},
    }
    line = {1: 1, 10: 2, 100: 3, 1000: 4}
    for flint in (False, True):
        assert scale.ratios(rows, ("mul", "sqr"), flint=flint) == {"mul": line, "mul 1:2": line}
        assert scale.ratios(rows, ("gcd",), flint=flint) == {"gcd": line}
    assert not scale.ratios(at_any_size("natural", ("mpn_mul",)), ("mul",), flint=True)


def test_every_figure_is_there(written):
    page = whole(written)
    figures = sorted(written.glob("*.svg"))
    emulated = [f"checksum-{machine}" for machine in ("ppc64", "ppc64le")]
    here = [] if "the bench program was not built" in page else ["checksum"]
    assert {figure.name for figure in figures} == {
        *(f"{each}-{n}.svg" for each in here + emulated for n in ("1", "4-16", "4-256", "4-1024", "5")),
        *(f"{module}.svg" for module in MODULES),
        "fib-1000.svg",
        "fib-10000.svg",
        "fibdrv-1000.svg",
        "fibdrv-10000.svg",
        "fibdrv-read.svg",
        "scale-fib.svg",
        *(f"scale-{kind}-{peer}.svg" for kind in KINDS if kind != "fib" for peer in ("gmp", "flint")),
        *stored_at_any_size(),
    }
    for figure in figures:
        assert f'src="{figure.name}"' in page
        assert ElementTree.parse(figure).getroot().tag == "{http://www.w3.org/2000/svg}svg"


@needs_browser
@pytest.mark.parametrize("width", [320, 390, 1200])
def test_it_fits_the_window(written, tmp_path, width):
    """Pictures whole, letters of a size to be read; a wide table scrolls, and the page does not."""
    wide = "document.documentElement.scrollWidth"
    pictures = "[...document.images].map(each => [each.getBoundingClientRect().width, each.naturalWidth])"
    # beside the pictures
    shutil.copytree(written, tmp_path / "report")
    # one page after the other
    html = whole(written).replace("<details", "<details open")
    page, images = evaluated(html, f"[{wide}, {pictures}]", tmp_path / "report", width)
    assert page <= width and len(images) > 20
    for shown, natural in images:
        assert 0 < shown <= width
        # of the pictures' letters of 10 points, in pixels
        assert 10 * (96 / 72) * shown / natural > (8 if width > 320 else 6)


def test_a_logarithmic_axis_says_so(monkeypatch, tmp_path):
    """Every axis that is drawn, of every figure; and none that is not."""
    pytest.importorskip("matplotlib")
    from carrychain import report
    from carrychain.report import measured
    from matplotlib.figure import Figure

    drawn = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: drawn.extend(figure.axes))
    content = json.loads((ROOT / "bench/results/report-zen4.json").read_text())
    for phase in ("fib_1000", "fib_10000"):
        content[phase][1] = {strategy: [] for strategy in content[phase][0]}
    monkeypatch.setattr(report, "measure", lambda *_, **__: measured.Measured(content, here=True))
    report.write(str(tmp_path), lambda what: None)
    for axis in (axis for axes in drawn for axis in (axes.xaxis, axes.yaxis)):
        assert (axis.get_scale() == "log") == ("(logarithmic)" in axis.get_label_text())
    # lower is better of a time alone, and there it is said; more is of all else
    for axes in drawn:
        said = axes.get_xlabel(), axes.get_ylabel()
        assert any("times as fast" in each or "lower is faster" in each for each in said), said
    assert len(drawn) == len(list(tmp_path.glob("*.svg"))) > 20


def test_without_the_program_it_says_what_serves(monkeypatch, tmp_path):
    """From a wheel no header helps; from the sources it does."""
    from carrychain.bench import c_suites

    class Installed:
        def __init__(self, origin: str | None):
            self.read_text = {"direct_url.json": origin}.get

    def said(origin: str | None) -> str:
        monkeypatch.setattr(c_suites, "distribution", lambda name: Installed(origin), raising=False)
        with pytest.raises(c_suites.NoProgram) as refused, c_suites.program():
            pass
        return str(refused.value)

    monkeypatch.setattr(c_suites, "files", lambda package: tmp_path)
    for origin in (None, '{"url": "https://example.org/carrychain.whl", "archive_info": {}}'):
        assert "libgmp-dev" not in said(origin) and "in Carrychain's source tree" in said(origin)
    assert "libgmp-dev" in said('{"url": "file:///carrychain", "dir_info": {"editable": true}}')


def nothing_measured(directory, monkeypatch, say=lambda what: None):
    """A report without the bench program, a compiler, or patience."""
    from carrychain import report
    from carrychain.bench import c_suites
    from carrychain.report import fib, ring

    def program():
        raise c_suites.NoProgram("the bench program was not built: <why>")

    monkeypatch.setattr(c_suites, "program", program)
    monkeypatch.setattr(ring.shutil, "which", lambda name: None)
    monkeypatch.setattr(fib, "SAMPLES_QUICK", 1)
    monkeypatch.setattr(fib, "CALLS", 1)
    report.write(str(directory), say, quick=True)


def test_without_the_bench_program(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    # what is said is looked at, not what is drawn
    monkeypatch.setattr(Figure, "savefig", lambda *_, **__: None)
    tmp_path = tmp_path / "new" / "directory"
    nothing_measured(tmp_path, monkeypatch)
    said = "Not measured: the bench program was not built: &lt;why&gt;"
    assert said in page_of(tmp_path, "fixed") and said in page_of(tmp_path, "u128")
    assert "Nothing of it" not in whole(tmp_path)
    for module in ("fixed", "checksum", "fib"):
        # what is stored is said as well, and whose it is
        why = "None of its comparisons was measured here: the bench program was not built: &lt;why&gt;"
        assert why in page_of(tmp_path, module)
    counted = page_of(tmp_path, "checksum")
    assert said in counted and "ppc64, big-endian" in counted and "this machine" not in counted
    fib = page_of(tmp_path, "fib")
    assert "Not measured: fib: the bench program" in fib
    assert "Not measured: natural: it takes a minute: --quick leaves it out" in fib
    assert "Not measured: the C peers need gcc" in page_of(tmp_path, "ring")


def test_interrupted_it_goes_on(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from carrychain.report import measured

    path = tmp_path / measured.FILE
    ran, interrupts = [], [KeyboardInterrupt]

    def phase(name):
        def run(quick):
            ran.append((name, quick))
            if name == "b" and interrupts:
                raise interrupts.pop()
            return [name]

        return run

    phases = {name: phase(name) for name in "abc"}
    said = []
    with pytest.raises(KeyboardInterrupt):
        measured.measure(path, phases, said.append)
    assert said == ["1 of 3: a: measuring", "2 of 3: b: measuring"]
    assert json.loads(path.read_text())["a"] == ["a"]

    found = measured.measure(path, phases, said.append)
    assert said[2:] == ["1 of 3: a: measured before", "2 of 3: b: measuring", "3 of 3: c: measuring"]
    assert [found[name] for name in "abc"] == [["a"], ["b"], ["c"]]

    # finished, it is begun anew; and so is what is another command's or machine's
    ran.clear()
    measured.measure(path, phases, said.append)
    assert [name for name, _ in ran] == ["a", "b", "c"]
    left = json.loads(path.read_text())
    for change in ({"command": "carrychain report --quick"}, {"processor": "another"}, {"tier": "generic"}):
        del (content := left | {"machine": left["machine"] | change})["finished"]
        path.write_text(json.dumps(content))
        ran.clear()
        measured.measure(path, phases, said.append)
        assert [name for name, _ in ran] == ["a", "b", "c"]
    del left["finished"], left["b"]
    path.write_text(json.dumps(left))
    ran.clear()
    measured.measure(path, phases, said.append)
    assert ran == [("b", False)]


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"machine": 1}', "\xff", '{"machine": {}, "algorithms": 1}']
)
def test_what_is_no_other_report(tmp_path, content):
    pytest.importorskip("matplotlib")
    other = tmp_path / "other.json"
    other.write_bytes(content.encode("latin-1"))
    result = CliRunner().invoke(report_command, ["-o", str(tmp_path / "report"), "--compare", str(other)])
    assert result.exit_code == 2
    assert re.fullmatch(r"Error: .*(not what a report measured|another version).*\n", result.output)
    assert not (tmp_path / "report").exists()


def test_each_table_and_figure_says_where_it_comes_from(all_measured):
    written = all_measured
    for module in MODULES:
        page = page_of(written, module)
        # but for the picture, whose legend says it
        tables, figures = page.count("<table>"), page.count("<figure>") - 1
        assert len(badges_of(page)) == tables + figures > 1
    for module in ("fixed", "ring"):
        assert set(badges_of(page_of(written, module))) == {"here"}
    before, now = page_of(written, "u128").split("<h2>Beside the compiler")
    assert (set(badges_of(before)), set(badges_of(now))) == ({"stored"}, {"here"})
    for module, stored in (("checksum", "<h2>AltiVec, emulated</h2>"), ("fib", "<h2>/dev/fibonacci</h2>")):
        now, before = page_of(written, module).split(stored)
        assert set(badges_of(now)) <= {"here"}
        assert set(badges_of(before)) == {"stored"}
    page = whole(written)
    assert page.count(f"<summary>measured now</summary>{processor()}") == badges_of(page).count("here")


def badges_of(html: str) -> list[str]:
    return re.findall(r'<details class="badge (\w+)">', html)


@given(st.dictionaries(st.sampled_from(("processor", "kernel", "date", "command", "cores")), st.text()))
def test_what_a_stored_result_lacks_is_said(machine):
    pytest.importorskip("matplotlib")
    from carrychain.report import page

    facts = [machine.get(name, f"{name} not recorded") for name in ("processor", "kernel", "date", "command")]
    assert page.before({"machine": machine}).endswith(f"</summary>{escape(' · '.join(facts))}</details>")


@pytest.mark.parametrize("path", sorted((ROOT / "bench/results").glob("*.json")), ids=lambda path: path.name)
def test_stored_results_say_where_they_come_from(path):
    # of those counted under emulators, the first did not yet say on what
    old = {"checksum-altivec.json": {"processor", "kernel"}}
    machine = json.loads(path.read_text())["machine"]
    assert {name for name in ("processor", "kernel", "date", "command") if not machine.get(name)} == old.get(
        path.name, set()
    )


@pytest.mark.parametrize("order", ["random", "swept"])
def test_both_orders_of_adjfine(written, order):
    from carrychain.bench import stored
    from carrychain.report import u128

    html = page_of(written, "u128")
    results = stored.load("kernel-adjfine.json")
    for table in u128.TABLES:
        assert html.count(f"<th>{order}, {table.columns[0]}</th>") >= 1
        for by in (*table.measured, *(table.third or ())[1:]):
            for ns in u128.times(results, by, order, table.calls):
                assert f"<td>{ns:,}</td>" in html
    # the fallbacks are two, by words of 64 bits and of 32
    assert [table.title[:7] for table in u128.TABLES if table.third] == ["Table 5", "Table 6"]
    assert html.count(f"<th>{order}, {u128.NARROW[0]}</th>") == 2
    assert html.count(f"<th>{order}, ") == 2 * len(u128.TABLES) + 2
    assert f"<th>ns a call, {order}</th>" in html


def test_the_fallbacks_by_32_bits_have_a_ratio_of_their_own():
    from carrychain.bench import stored
    from carrychain.report import u128

    results = stored.load("kernel-adjfine.json")
    for row in results["times"]:
        row["ns"] = [{"native": 10, "fallback64": 20, "fallback32": 50}.get(row["by"], 1)] * 10
    for table in (table for table in u128.TABLES if table.third):
        shown = re.sub(r"\n", "", u128.paper_table(table, results))
        first, second, third = *table.columns, table.third[0]
        heads = "".join(f"<th>{escape(f'{first}: times as fast as {each}')}</th>" for each in (second, third))
        assert heads in shown
        for order in ("random", "swept"):
            cells = f"<td>{order}</td><td>10.0</td><td>20.0</td><td>50.0</td><td>2.00</td><td>5.00</td>"
            assert cells in shown


def test_published_averages_are_those_of_the_times_but_for_the_errata(written):
    from carrychain.report import u128

    errata = {}
    for table in u128.TABLES:
        for times, average in zip(table.times, table.averages, strict=True):
            difference = round(sum(times) / len(times) - average, 1)
            if difference:
                errata[table.title.split(":")[0], table.times.index(times)] = difference
    # 39572 for 29572
    assert errata == {("Table 1", 0): 1000, ("Table 3", 0): 1000, ("Table 1", 1): 1, ("Table 2", 1): 80}
    html = page_of(written, "u128")
    assert escape(u128.ERRATUM) in html
    # beside the figure itself, in both tables
    assert html.count("<td>39,572 (for 29,572)</td>") == 2
    assert "<td>39,572</td>" not in html


def test_disturbed_figures_are_marked(monkeypatch):
    pytest.importorskip("matplotlib")
    from carrychain.report import checksum, fib, fixed, measured, u128

    cell = {"impl": "bmi2+adx", "ns_median": 71e6, "peer": "gmp", "ratio": 20.9, "spread": 20.0}
    row = cell | {"case": "powmod", "size": 2048, "disturbed": True}
    html = fixed.against("badge", [row], {"powmod": ("b^e mod m", 1)})
    assert "<td>71 ms (disturbed)</td><td>0.05 (disturbed)</td>" in html
    assert "disturbed" not in fixed.against(
        "badge", [row | {"disturbed": False}], {"powmod": ("b^e mod m", 1)}
    )

    machine = {"machine": {}, "checksum_schemes": [row, row | {"disturbed": False}]}
    assert " · 1 of 2 measurements disturbed<" in checksum.timed(measured.Measured(machine)).badge

    results = u128.stored.load("kernel-adjfine.json")
    for entry in results["times"]:
        if (entry["device"], entry["by"], entry["order"]) == ("E810", "native", "swept"):
            entry["ns"] = [ns * (1 + k % 2) for k, ns in enumerate(entry["ns"])]
    assert u128.paper_table(u128.TABLES[0], results).count(" (disturbed)") == 2  # and the ratio
    assert sum("(disturbed)" in cell for row in u128.errors(results) for cell in row) == 1

    # F(3) by doubling is disturbed in two sweeps, F(5) always
    swept = []

    def sweep(indices, calls, strategy):
        swept.append(strategy)
        late, odd = len(swept) > 2 * 3 * fib.SAMPLES, len(swept) // 3 % 2
        slow = {5} if late else {3, 5}
        return [2.0 if strategy == "doubling" and n in slow and odd else 1.0 for n in indices]

    monkeypatch.setattr(fib, "fib_sweep", sweep)
    times, disturbed = fib.medians(range(10))
    assert disturbed == {"squaring": [], "doubling": [5], "iterative": []}
    assert len(swept) == 3 * 3 * fib.SAMPLES
    assert times["doubling"][:5] == times["squaring"][:5] == [1.0] * 5


def test_a_speedup_is_over_the_best_scalar():
    pytest.importorskip("matplotlib")
    from carrychain.report import checksum

    costs = {("generic", scheme): {16: 8.0, 32: 8.0} for scheme in checksum.SCALAR}
    costs["generic", "checksum32"] = {16: 9.0, 32: 6.0}
    machine = checksum.Machine("a", "time", costs, "badge")
    assert machine.best_scalar() == {16: 8, 32: 6}
    assert checksum.speedups(machine.best_scalar(), {16: 2, 32: 3}, range(16, 33, 16)) == {16: 4, 32: 2}
    assert checksum.overtakes({16: 1, 32: 2, 48: 3}, {16: 2, 32: 2, 48: 2}) == "from 32"
    assert checksum.overtakes({16: 1, 32: 2}, {16: 1, 32: 3}) == "not to the end"


def test_without_matplotlib(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name)
    )
    result = CliRunner().invoke(report_command)
    assert result.exit_code == 2
    assert result.output == "Error: the plots need matplotlib: pip install 'carrychain[report]'\n"


def test_movement_on_a_terminal(monkeypatch):
    pytest.importorskip("matplotlib")
    from carrychain import report

    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    monkeypatch.setattr(report_module, "out", console)

    def write(directory, say, quick, compare):
        say("kept: measuring")
        return Path(directory) / "index.html"

    monkeypatch.setattr(report, "write", write)
    assert CliRunner().invoke(report_command).exit_code == 0
    after = console.file.getvalue().split("kept: measuring")[1]
    assert "at work" in after


def test_nowhere_to_write(tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "file").write_text("")
    said = complaint(run("report", "-o", str(tmp_path / "file" / "report")), 2)
    assert "Not a directory" in said


@pytest.mark.parametrize("directory", ["", "{}/file"], ids=["no name", "a file"])
def test_where_it_cannot_be_written(tmp_path, directory):
    (tmp_path / "file").touch()
    assert "irectory" in complaint(run("report", "-o", directory.format(tmp_path)), 2)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
