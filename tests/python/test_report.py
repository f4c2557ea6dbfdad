import importlib.util
from xml.etree import ElementTree

import pytest
from carrychain.cli.report import report as report_command
from click.testing import CliRunner
from command import complaint, run


@pytest.fixture
def written(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from carrychain import report
    from carrychain.report import fib

    # how it looks is what is tested, not how fast it is
    monkeypatch.setattr(fib, "SAMPLES", 1)
    monkeypatch.setattr(fib, "CALLS", 1)
    return report.write(str(tmp_path / "new" / "directory"), lambda what: None)


def test_a_section_for_each_paper(written):
    page = written.read_text()
    for module in ("u128", "fixed", "checksum", "fib", "ring"):
        assert page.count(f'<section id="{module}">') == 1
    assert page.count("Not measured yet") == 3


def test_every_figure_is_there(written):
    page = written.read_text()
    figures = sorted(written.parent.glob("*.svg"))
    assert [figure.name for figure in figures] == [
        "fib-1000.svg",
        "fib-10000.svg",
        "fibdrv-1000.svg",
        "fibdrv-10000.svg",
        "fibdrv-read.svg",
    ]
    for figure in figures:
        assert f'src="{figure.name}"' in page
        assert ElementTree.parse(figure).getroot().tag == "{http://www.w3.org/2000/svg}svg"


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
