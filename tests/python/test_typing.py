"""A user's script under the strictest of type checkers: nothing in it is Any."""

import ast
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import carrychain
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("typed_user.py")
REVEALS = Path(__file__).with_name("typed_reveals.py")
WRONG = """
import carrychain

carrychain.fib("3")
carrychain.Integer(3) + "4"
carrychain.vectorize(3)
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What one mypy says of the three files: of each, its lines without its name."""
    if not find_spec("mypy"):
        pytest.skip("mypy is not here")
    directory = tmp_path_factory.mktemp("typing")
    # as if it were installed: it is the user's lines that are looked at
    (directory / "mypy.ini").write_text(
        "[mypy]\n[mypy-carrychain.*]\nfollow_imports = silent\n"
        f"[mypy-{SCRIPT.stem}]\ndisallow_any_expr = true\n"
    )
    files = [directory / path.name for path in (SCRIPT, REVEALS)]
    for path, copy in zip((SCRIPT, REVEALS), files, strict=True):
        copy.write_text(path.read_text())
    files.append(directory / "wrong.py")
    files[-1].write_text(WRONG)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", os.devnull, *files],
        cwd=directory,
        env={"MYPYPATH": str(ROOT / "python"), "PATH": ""},
        capture_output=True,
        text=True,
    )
    # for what is wrong in wrong.py
    assert (done.returncode, done.stderr) == (1, "")
    of = {path.name: [] for path in files}
    for line in done.stdout.splitlines():
        name, _, rest = line.partition(":")
        of[name].append(rest)
    return of


def test_every_public_name_is_in_it():
    tree = ast.parse(SCRIPT.read_text())
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert set(carrychain.__all__) <= used


def test_it_runs():
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(" 42\n")


def test_mypy_finds_no_any(said):
    assert said[SCRIPT.name] == []


def test_mypy_reveals(said):
    """Where nothing is annotated, and so nothing tells the checker what is wanted."""
    expected = [
        f"{number}: {found[1]}"
        for number, line in enumerate(REVEALS.read_text().splitlines(), 1)
        if (found := re.search(r"reveal_type\(.*  # (.*)$", line))
    ]
    revealed = [re.fullmatch(r'(\d+): note: Revealed type is "(.*)"', line) for line in said[REVEALS.name]]
    assert all(revealed), said[REVEALS.name]
    # without the modules that names come from
    names = [(found[1], re.sub(r"[a-z_0-9]+[.](?=[A-Za-z_])", "", found[2])) for found in revealed]
    assert [f"{number}: {name}" for number, name in names] == expected


def test_mypy_finds_what_is_wrong(said):
    assert [line.split(":")[0] for line in said["wrong.py"] if ": error:" in line] == ["4", "5", "6"]
