"""What promises to touch no vector register has none in it, however far the compiler optimizes."""

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# the newest that are here: they turn more loops into vectors
COMPILERS = ("gcc", "gcc-13", "gcc-14", "gcc-15", "clang")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="registers of x86-64 are looked for")
@pytest.mark.parametrize("level", ["-O2", "-O3", "-Ofast"])
@pytest.mark.parametrize("compiler", filter(shutil.which, COMPILERS))
def test_the_generic_checksum_has_no_vectors(compiler, level):
    def assembly(source: Path) -> str:
        command = [compiler, "-std=c17", level, "-I", ROOT / "include", "-S", "-o", "-", source]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    for name in ("scalar.c", "checksum.c"):
        assert not re.findall(r".*%[xyz]mm.*", assembly(ROOT / "src/checksum" / name))
    # and what looks for them finds them
    assert re.search("%ymm", assembly(next((ROOT / "src/checksum/x86_64").glob("*avx2*.c"))))
