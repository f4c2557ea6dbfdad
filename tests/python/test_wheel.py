"""A regular install: the wheel has every module, the extension and the bench program, and works alone."""

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# what only the build needs
NOT_INSTALLED = {"carrychain/bindings/build.py"}
# programs that are run and timed, Python among them
DATA = ("carrychain/examples/", "carrychain/peers/")
# which of bench/results the package reads
READ = re.compile(r'(?:(?<=stored\.)load|(?<=stored\.)names)\("([^"]+)"\)')

ALONE = """
import sys
sys.path[:0] = sys.argv[1:]
import carrychain
assert carrychain.fib(100) == 354224848179261915075 == carrychain.Integer("354224848179261915075")
from carrychain.cli import main
sys.argv = ["carrychain", "selftest"]
main()
"""


BENCH = """
import sys
sys.path[:0] = sys.argv[1:]
from carrychain.bench import c_suites
try:
    c_suites.suite("fib")
except c_suites.NoProgram as error:
    print(error)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    for needed in ("mesonpy", "cffi"):
        if not find_spec(needed):
            pytest.skip(f"{needed} is not installed")
    directory = tmp_path_factory.mktemp("wheel")
    # meson is beside this Python, active or not
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps"]
    build = [
        f"--config-settings=build-dir={directory / 'build'}",
        "--config-settings=compile-args=-j2",
        # what is in it is tested; build/ is what is optimised
        "--config-settings=setup-args=-Doptimization=0",
        "-w",
        directory,
        ROOT,
    ]
    result = subprocess.run([*pip, *build], env=os.environ | {"PATH": path}, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    (wheel,) = directory.glob("*.whl")
    return zipfile.ZipFile(wheel)


def test_every_module_is_in_it(wheel):
    package = ROOT / "python"
    modules = {str(path.relative_to(package)) for path in (package / "carrychain").rglob("*.py")}
    found = {name for name in wheel.namelist() if name.endswith(".py") and not name.startswith(DATA)}
    assert found == modules - NOT_INSTALLED


def test_nothing_else_is_in_it(wheel):
    others = {
        name
        for name in wheel.namelist()
        if (name.startswith(DATA) or not name.endswith(".py")) and ".dist-info/" not in name
    }
    # what is read there, and nothing of the pages' own
    sources = "".join(path.read_text() for path in (ROOT / "python/carrychain").rglob("*.py"))
    read = [found[1] + "*" * (found[0][0] == "n") for found in READ.finditer(sources)]
    stored = [path for pattern in read for path in (ROOT / "bench/results").glob(pattern)]
    results = {f"carrychain/results/{path.name}" for path in stored}
    assert len(results) > 4
    timed = {f"carrychain/peers/{path.name}" for path in (ROOT / "bench" / "ring").glob("*.*")}
    timed |= {f"carrychain/examples/{path.name}" for path in (ROOT / "examples" / "python").glob("*.py")}
    timed |= {f"carrychain/examples/{name}.lisp" for name in ("blowfish", "md5", "sha1", "sha256")}
    # for any later Python, too
    extensions = {
        "carrychain/bindings/_carrychain.abi3.so",
        "carrychain/bindings/_peers.abi3.so",
        "carrychain/bindings/integer/_integer.abi3.so",
        "carrychain/bindings/call/_call.abi3.so",
        "carrychain/gmpy2/_gmpy2.abi3.so",
    }
    typed = {
        "carrychain/__init__.pyi",
        "carrychain/bindings/integer/_integer.pyi",
        "carrychain/gmpy2/__init__.pyi",
        "carrychain/py.typed",
    }
    programs = {"carrychain/carrychain-bench", "carrychain/libcarrychain-gmp.so"}
    assert others - programs - {"carrychain/cli/wireshark.lua"} == {
        *extensions,
        *results,
        *timed,
        *typed,
    }


def test_the_bench_program_may_run(wheel):
    if not (files("carrychain") / "carrychain-bench").is_file():
        pytest.skip("the bench program is not built: GMP's headers are missing")
    assert wheel.getinfo("carrychain/carrychain-bench").external_attr >> 16 & 0o111 == 0o111


def run_alone(script: str, directory: Path) -> str:
    """What the script prints, of the wheel that was unpacked there."""
    # -S: without the editable install
    result = subprocess.run(
        [sys.executable, "-S", "-c", script, directory, sysconfig.get_path("platlib")],
        cwd=directory,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_it_works_alone(wheel, tmp_path):
    wheel.extractall(tmp_path)
    assert " 0 failed" in run_alone(ALONE, tmp_path)


def test_without_the_bench_program(wheel, tmp_path):
    """It says what gives one: to a wheel that is installed, GMP's headers do not."""
    wheel.extractall(tmp_path)
    (tmp_path / "carrychain/carrychain-bench").unlink(missing_ok=True)
    printed = run_alone(BENCH, tmp_path)
    assert "make report" in printed and "libgmp-dev" not in printed
