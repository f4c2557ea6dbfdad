"""What Debian's packages, the kernel modules and the wheel say of the library is the same, and is true."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = {
    "meson.build": r"^  version: '(.+)',$",
    "python/carrychain/__init__.py": r'^__version__ = "(.+)"$',
    "include/carrychain/word.h": r'^#define CC_VERSION\s+"(.+)"$',
    "debian/changelog": r"\A\S+ \((.+)-\d+\)",
    "kernel/dkms.conf": r'^PACKAGE_VERSION="(.+)"$',
}


def found(name: str, pattern: str) -> list[str]:
    return re.findall(pattern, (ROOT / name).read_text(), re.MULTILINE)


def test_versions_agree():
    said = {name: found(name, pattern) for name, pattern in VERSIONS.items()}
    assert all(len(versions) == 1 for versions in said.values()), said
    (version,) = {version for (version,) in said.values()}
    major, minor, patch = map(int, version.split("."))
    number = found("include/carrychain/word.h", r"^#define CC_VERSION_NUMBER\s+(\d+)$")
    assert number == [str(10000 * major + 100 * minor + patch)]


def test_dkms_installs_each_module_that_is_built():
    """Outside a tree, Kbuild makes modules of what it sets to m, and of nothing else."""
    modules = found("kernel/Kbuild", r"^(CONFIG_\w+) := m$")
    objects = dict(found("kernel/Kbuild", r"^obj-\$\((\w+)\) \+= (\w+)\.o$"))
    built = [objects[name] for name in modules]
    assert built
    numbered = dict(found("kernel/dkms.conf", r'^BUILT_MODULE_NAME\[(\d)\]="(\w+)"$'))
    assert sorted(numbered.values()) == sorted(built)
    places = dict(found("kernel/dkms.conf", r'^DEST_MODULE_LOCATION\[(\d)\]="(.+)"$'))
    assert places == dict.fromkeys(numbered, "/updates/dkms")


def test_what_dkms_compiles_is_in_its_package():
    (line,) = found("debian/carrychain-dkms.install", r"^(.+) usr/src/\S+$")
    packaged = {path for name in line.split() for path in ROOT.glob(name)}
    needed = {ROOT / name for name in ("include", "src", "kernel/shim", "kernel/Kbuild", "kernel/Kconfig")}
    assert needed | set((ROOT / "kernel").glob("*.[ch]")) == packaged


def test_each_public_function_is_exported_with_its_version():
    """tools/check symbols has the other direction: what is exported is public."""
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    nm = ["nm", "-D", "--defined-only", "--with-symbol-versions", f"{build}/libcarrychain.so"]
    said = subprocess.run(nm, capture_output=True, text=True, check=True).stdout
    symbols = [line.split() for line in said.splitlines()]
    # the version's own name is absolute; a function without a version stays in, and differs below
    exported = {name.replace("@@", "@") for _, kind, name in symbols if kind != "A"}
    headers = "\n".join(path.read_text() for path in (ROOT / "include/carrychain").glob("*.h"))
    function = r"^(?!typedef|static)[a-z][^(){};#]*?\b(cc_\w+)\([^{;]*\);$"
    declared = set(re.findall(function, headers, re.MULTILINE))
    declared |= set(re.findall(r"^extern [^(\n]*?\b(cc_\w+);$", headers, re.MULTILINE))
    assert len(declared) > 150
    assert exported == {f"{name}@CARRYCHAIN_0" for name in declared}
    listed = found("debian/libcarrychain0.symbols", r"^ (cc_\S+) \S+$")
    assert sorted(exported) == listed


def test_the_repository_has_what_people_wrote():
    """Text of less than a megabyte, and captures; not what a program left beside it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip(f"git lists no files: {listed.stderr.strip()}")
    paths = [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]
    assert len(paths) > 1000
    wrong = [path for path in paths if path.stat().st_size > 1 << 20]
    for path in set(paths) - set(wrong):
        if path.parent != ROOT / "tests/vectors/captures" and b"\0" in path.read_bytes():
            wrong.append(path)
    assert not wrong
