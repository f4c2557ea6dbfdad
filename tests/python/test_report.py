import importlib.util
from xml.etree import ElementTree

import pytest
from carrychain.cli.report import report as report_command
from click.testing import CliRunner
from command import complaint, run


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    pytest.importorskip("matplotlib")
    from carrychain import report
    from carrychain.report import checksum, fib, fixed, ring

    # how it looks is what is tested, not how fast it is
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fib, "SAMPLES", 1)
        patch.setattr(fib, "CALLS", 1)
        patch.setattr(checksum, "QUICK", True)
        patch.setattr(fixed, "QUICK", True)
        patch.setattr(ring, "SIZE", 6400)
        patch.setattr(ring, "ROUNDS", 1)
        return report.write(str(tmp_path_factory.mktemp("report") / "new" / "directory"), lambda what: None)


def test_a_section_for_each_paper(written):
    page = written.read_text()
    for module in ("u128", "fixed", "checksum", "fib", "ring"):
        assert page.count(f'<section id="{module}">') == 1
    assert "Not measured yet" not in page


def test_every_figure_is_there(written):
    page = written.read_text()
    figures = sorted(written.parent.glob("*.svg"))
    emulated = [f"checksum-{machine}" for machine in ("ppc64", "ppc64le")]
    here = [] if "the bench program was not built" in page else ["checksum"]
    assert {figure.name for figure in figures} == {
        *(f"{each}-{n}.svg" for each in here + emulated for n in ("1", "4-16", "4-256", "4-1024", "5")),
        "fib-1000.svg",
        "fib-10000.svg",
        "fibdrv-1000.svg",
        "fibdrv-10000.svg",
        "fibdrv-read.svg",
    }
    for figure in figures:
        assert f'src="{figure.name}"' in page
        assert ElementTree.parse(figure).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_without_the_bench_program(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from carrychain import benchmark
    from carrychain.report import checksum, fixed

    def program():
        raise benchmark.NoProgram("the bench program was not built: <why>")

    monkeypatch.setattr(benchmark, "program", program)
    said = "Not measured: the bench program was not built: &lt;why&gt;"
    assert said in fixed.measure(tmp_path)
    counted = checksum.measure(tmp_path)
    assert said in counted and "ppc64, big-endian" in counted and "this machine" not in counted


def test_a_speedup_is_over_the_best_scalar():
    pytest.importorskip("matplotlib")
    from carrychain.report import checksum

    costs = {("generic", scheme): {16: 8.0, 32: 8.0} for scheme in checksum.SCALAR}
    costs["generic", "checksum32"] = {16: 9.0, 32: 6.0}
    machine = checksum.Machine("a", "time", costs)
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
    assert result.exit_code == 1
    assert result.output == "Error: the plots need matplotlib: pip install 'carrychain[report]'\n"


def test_nowhere_to_write(tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "file").write_text("")
    said = complaint(run("report", "-o", str(tmp_path / "file" / "report")), 1)
    assert "Not a directory" in said


@pytest.mark.parametrize("directory", ["", "{}/file"], ids=["no name", "a file"])
def test_where_it_cannot_be_written(tmp_path, directory):
    (tmp_path / "file").touch()
    assert "irectory" in complaint(run("report", "-o", directory.format(tmp_path)), 2)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
