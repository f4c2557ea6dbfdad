"""A program of another project finds the installed library by CMake, in either form, wherever it is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = """
cmake_minimum_required(VERSION 3.13)
project(consumer C)
find_package(Carrychain ${WANTED} REQUIRED)
foreach(library carrychain carrychain_static)
  add_executable(with_${library} main.c)
  target_link_libraries(with_${library} PRIVATE Carrychain::${library})
endforeach()
"""
# RFC 1071, section 3: the sum of these octets is ddf2
PROGRAM = """
#include <carrychain/checksum.h>

int main(void)
{
	static const unsigned char octets[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
	const uint16_t sum = cc_checksum(octets, sizeof octets);
	const unsigned char *bytes = (const unsigned char *)&sum;

	return !(bytes[0] == 0x22 && bytes[1] == 0x0d);
}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    if not shutil.which("cmake"):
        pytest.skip("no cmake")
    # not where it was configured for: as a package that was moved
    folder = tmp_path_factory.mktemp("installed")
    meson = [
        Path(sys.executable).with_name("meson"),
        "install",
        "-C",
        build,
        "--no-rebuild",
        "--tags",
        "devel,runtime",
        "--destdir",
        str(folder),
    ]
    subprocess.run(meson, capture_output=True, check=True)
    (config,) = folder.rglob("CarrychainConfig.cmake")
    return config.parent


def configure(installed: Path, folder: Path, wanted: str) -> subprocess.CompletedProcess:
    (folder / "CMakeLists.txt").write_text(PROJECT)
    (folder / "main.c").write_text(PROGRAM)
    cmake = [
        "cmake",
        "-S",
        folder,
        "-B",
        folder / "build",
        f"-DWANTED={wanted}",
        f"-DCarrychain_DIR={installed}",
    ]
    return subprocess.run(cmake, capture_output=True, text=True)


def needed(program: Path) -> str:
    return subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout


def test_both_libraries_are_linked_and_run(installed, tmp_path):
    said = configure(installed, tmp_path, "0.1")
    assert said.returncode == 0, said.stderr
    subprocess.run(["cmake", "--build", tmp_path / "build"], capture_output=True, check=True)
    shared, static = (tmp_path / "build" / f"with_carrychain{form}" for form in ("", "_static"))
    subprocess.run([shared], check=True)
    subprocess.run([static], check=True)
    assert "[libcarrychain.so.0]" in needed(shared)
    assert "libcarrychain" not in needed(static)


@pytest.mark.parametrize("wanted", ["0.2", "1.0"])
def test_another_version_is_refused(installed, tmp_path, wanted):
    said = configure(installed, tmp_path, wanted)
    assert said.returncode != 0
    assert f'compatible with requested version "{wanted}"' in " ".join(said.stderr.split()), said.stderr
