"""A user's script under the strictest of type checkers: nothing in it is Any."""

import ast
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


def mypy(*arguments, cwd):
    # as if it were installed: it is the user's lines that are looked at
    (cwd / "mypy.ini").write_text("[mypy]\n[mypy-carrychain.*]\nfollow_imports = silent\n")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(cwd),
        *arguments,
    ]
    return subprocess.run(
        command,
        cwd=cwd,
        env={"MYPYPATH": str(ROOT / "python"), "PATH": ""},
        capture_output=True,
        text=True,
    )


def test_every_public_name_is_in_it():
    tree = ast.parse(SCRIPT.read_text())
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert set(carrychain.__all__) <= used


def test_it_runs():
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(" 42\n")


@pytest.mark.skipif(not find_spec("mypy"), reason="mypy is not here")
def test_mypy_finds_no_any(tmp_path):
    done = mypy("--disallow-any-expr", SCRIPT, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(not find_spec("mypy"), reason="mypy is not here")
def test_mypy_reveals(tmp_path):
    """Where nothing is annotated, and so nothing tells the checker what is wanted."""
    expected = [
        f"{number}: {found[1]}"
        for number, line in enumerate(REVEALS.read_text().splitlines(), 1)
        if (found := re.search(r"reveal_type\(.*  # (.*)$", line))
    ]
    done = mypy(REVEALS, cwd=tmp_path)
    said = re.findall(r'^[^:]*:(\d+): note: Revealed type is "(.*)"$', done.stdout, re.MULTILINE)
    # without the modules that names come from
    assert [f"{number}: {re.sub(r'[a-z_]+[.](?=[A-Za-z_])', '', name)}" for number, name in said] == expected
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not find_spec("mypy"), reason="mypy is not here")
def test_mypy_finds_what_is_wrong(tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG)
    done = mypy("wrong.py", cwd=tmp_path)
    assert done.returncode == 1
    assert [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line] == ["4", "5", "6"]
