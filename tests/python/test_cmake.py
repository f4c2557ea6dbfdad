"""A program of another project uses the library by CMake, installed or fetched, in either form."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# the folders of tiers, by Meson's names for the processors
FOLDERS = {"aarch64": "aarch64", "ppc64": "powerpc", "x86_64": "x86_64"}

PROJECT = """
cmake_minimum_required(VERSION 3.13)
project(consumer C)
%s
foreach(library carrychain carrychain_static)
  add_executable(with_${library} main.c)
  target_link_libraries(with_${library} PRIVATE Carrychain::${library})
endforeach()
"""
FOUND = "find_package(Carrychain ${WANTED} REQUIRED)"
FETCHED = """
include(FetchContent)
FetchContent_Declare(carrychain SOURCE_DIR ${SOURCE})
FetchContent_MakeAvailable(carrychain)
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


def configure(folder: Path, find: str, **variables: str | Path) -> subprocess.CompletedProcess:
    (folder / "CMakeLists.txt").write_text(PROJECT % find)
    (folder / "main.c").write_text(PROGRAM)
    cmake = ["cmake", "-S", folder, "-B", folder / "build"]
    defined = [f"-D{name}={value}" for name, value in variables.items()]
    return subprocess.run([*cmake, *defined], capture_output=True, text=True)


def build(folder: Path) -> None:
    subprocess.run(["cmake", "--build", folder / "build"], capture_output=True, check=True)


@pytest.fixture(scope="module")
def fetched(tmp_path_factory) -> Path:
    """The folder of a project that builds the library as a part of itself."""
    if not shutil.which("cmake"):
        pytest.skip("no cmake")
    folder = tmp_path_factory.mktemp("fetched")
    said = configure(folder, FETCHED, SOURCE=ROOT, CARRYCHAIN_INSTALL="ON", CMAKE_BUILD_TYPE="Debug",
                     CMAKE_C_FLAGS_DEBUG="-O0")  # fmt: skip
    assert said.returncode == 0, said.stderr
    build(folder)
    return folder


def installed_by_cmake(fetched: Path, folder: Path) -> None:
    command = ["cmake", "--install", fetched / "build"]
    subprocess.run(command, env=os.environ | {"DESTDIR": str(folder)}, capture_output=True, check=True)


def installed_by_meson(folder: Path) -> None:
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
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


@pytest.fixture(scope="module", params=["cmake", "meson"])
def installed(request, fetched, tmp_path_factory) -> Path:
    # not where it was configured for: as a package that was moved
    folder = tmp_path_factory.mktemp("installed")
    if request.param == "cmake":
        installed_by_cmake(fetched, folder)
    else:
        installed_by_meson(folder)
    assert list(folder.rglob("fibdrv.h"))
    (config,) = folder.rglob("CarrychainConfig.cmake")
    return config.parent


def needed(program: Path) -> str:
    return subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout


def check_programs(build: Path) -> None:
    shared, static = (build / f"with_carrychain{form}" for form in ("", "_static"))
    subprocess.run([shared], check=True)
    subprocess.run([static], check=True)
    assert "[libcarrychain.so.0]" in needed(shared)
    assert "libcarrychain" not in needed(static)


def test_both_libraries_are_linked_and_run(installed, tmp_path):
    said = configure(tmp_path, FOUND, WANTED="0.1", Carrychain_DIR=installed)
    assert said.returncode == 0, said.stderr
    build(tmp_path)
    check_programs(tmp_path / "build")


@pytest.mark.parametrize("wanted", ["0.2", "1.0"])
def test_another_version_is_refused(installed, tmp_path, wanted):
    said = configure(tmp_path, FOUND, WANTED=wanted, Carrychain_DIR=installed)
    assert said.returncode != 0
    assert f'compatible with requested version "{wanted}"' in " ".join(said.stderr.split()), said.stderr


def test_a_project_that_fetches_it_has_the_same(fetched):
    check_programs(fetched / "build")


def test_cmake_compiles_what_meson_does():
    cmake, meson, gmp = (
        (ROOT / name).read_text() for name in ("CMakeLists.txt", "src/meson.build", "gmp/numbers/meson.build")
    )
    every, tiers = re.findall(r"file\(GLOB \w+ CONFIGURE_DEPENDS (src/.*)\)", cmake)
    plain, *numbers = every.split()
    (architectures,) = re.findall(r"foreach\(architecture (.*)\)", cmake)
    everywhere, *others = re.split(r"host_machine\.cpu_family\(\) == '(\w+)'", meson)
    families = dict(zip(others[::2], others[1::2], strict=True))
    assert sorted(FOLDERS[family] for family in families) == architectures.split()
    lists = {tiers.replace("${architecture}", FOLDERS[family]): text for family, text in families.items()}
    for pattern, text in ({plain: everywhere} | lists).items():
        found = [str(path.relative_to(ROOT)) for path in ROOT.glob(pattern)]
        assert sorted(found) == sorted(f"src/{name}" for name in re.findall(r"'(\S+\.[cS])'", text))
    found = {path for pattern in numbers for path in ROOT.glob(pattern)}
    assert found == {(ROOT / "gmp/numbers" / name).resolve() for name in re.findall(r"'(\S+\.c)'", gmp)}
