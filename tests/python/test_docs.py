"""What the pages show is what comes out."""

import ctypes
import doctest
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from command import COMMAND, ENVIRONMENT

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "docs/tutorial.md",
    "docs/explanation/comba.md",
    "docs/explanation/cutting.md",
    "docs/explanation/deferred.md",
    "docs/explanation/radix-52.md",
    "docs/explanation/transforms.md",
    "docs/how-to/big-numbers.md",
    "docs/how-to/fib.md",
    "docs/how-to/gmp.md",
    "docs/how-to/lisp.md",
    "docs/how-to/powmod.md",
    "docs/how-to/python.md",
    "docs/how-to/verify.md",
    "docs/how-to/verify-audit.md",
    "docs/how-to/verify-cause.md",
    "docs/how-to/verify-offload.md",
    "docs/how-to/verify-python.md",
    "docs/how-to/verify-repair.md",
    "docs/reference/integer.md",
)


def blocks(page: str, language: str) -> list[str]:
    fenced = re.findall(r"^```(.*)\n((?s:.*?))^```$", (ROOT / page).read_text(), re.MULTILINE)
    return [text for found, text in fenced if found == language]


def shown() -> list[tuple[str, str]]:
    """The commands of ours, each with the output that a page shows below it."""
    parts = [part for page in PAGES for block in blocks(page, "") for part in block.split("$ ")[1:]]
    pairs = [part.split("\n", 1) for part in parts]
    # not -lcarrychain: programs in C are run below
    ours = re.compile(r"(?<!-l)carrychain ")
    return [(command, output) for command, output in pairs if ours.search(command) and output.strip()]


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def test_there_is_something_to_check():
    assert len(shown()) >= 4


@pytest.mark.parametrize(("command", "output"), shown(), ids=[command for command, _ in shown()])
def test_commands(command, output):
    function = f'carrychain() {{ {shlex.join(COMMAND)} "$@"; }}\n'
    result = subprocess.run(
        ["sh", "-c", function + command],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    printed, expected = lines(result.stdout), lines(output)
    if expected[-1] == "...":
        expected.pop()
        printed = printed[: len(expected)]
    assert printed == expected
    assert not result.stderr


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_python(page):
    # one after the other: they share their names
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "python")), {}, page, page, 0)
    assert test.examples
    told = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert not told, "".join(told)


LIBRARIES = {"docs/how-to/library.md": 12, "docs/how-to/library-languages.md": 10}
WHOLE = re.compile(r"^```c\n((?:(?!^```).*\n)*?int main(?s:.*?))^```\n\n```\n((?s:.*?))^```$", re.MULTILINE)


def programs() -> list[tuple[str, str, str]]:
    """(page, program, output) of the whole programs in C, each with what it prints below it."""
    pages = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
    # whose programs need a library that is built first
    pages.remove("docs/how-to/library.md")
    return [(page, *found) for page in pages for found in WHOLE.findall((ROOT / page).read_text())]


def test_there_is_a_program_to_check():
    assert "docs/how-to/checksum.md" in [page for page, _, _ in programs()]


@pytest.mark.parametrize(("page", "program", "output"), programs(), ids=[page for page, _, _ in programs()])
def test_programs(page, program, output, tmp_path):
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    (tmp_path / "program.c").write_text(program)
    compile_ = ["cc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", "-o", "program"]
    subprocess.run([*compile_, "program.c", f"{build}/libcarrychain.a"], cwd=tmp_path, check=True)
    result = subprocess.run([tmp_path / "program"], capture_output=True, text=True)
    # a page may show how it is built
    assert (result.returncode, lines(result.stdout)) == (0, lines(re.sub(r"^\$ .*\n", "", output)))


FIRST = "docs/tutorial-python.md"
# what differs each time
MEASURED_NOW = re.compile(r"\d[\d.]*(?= (?:ms|times)\b)")


def test_the_tutorial_of_python(tmp_path):
    """Its files are run by its commands, beside a program of examples/python, and print what it shows."""
    for text in blocks(FIRST, "python"):
        (name,) = re.findall(r"\A# (\w+\.py)$", text, re.MULTILINE)
        (tmp_path / name).write_text(text)
    (tmp_path / "sha256.py").write_bytes((ROOT / "examples/python/sha256.py").read_bytes())
    functions = f'carrychain() {{ {shlex.join(COMMAND)} "$@"; }}\npython() {{ {COMMAND[0]} "$@"; }}\n'
    parts = [part for block in blocks(FIRST, "") for part in block.split("$ ")[1:]]
    assert len(parts) == 5
    for part in parts:
        command, expected = part.split("\n", 1)
        result = subprocess.run(
            ["sh", "-c", functions + command],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
        )
        printed, expected = (MEASURED_NOW.sub("N", "\n".join(lines(t))) for t in (result.stdout, expected))
        assert printed.replace(f"{tmp_path}/", "") == expected, result.stderr
        assert not result.stderr


# the pages' commands are those of this environment
OURS = f'carrychain() {{ {shlex.join(COMMAND)} "$@"; }}\npython3() {{ {shlex.quote(sys.executable)} "$@"; }}'


@pytest.mark.parametrize("page", LIBRARIES)
def test_the_pages_of_libraries(page, tmp_path):
    """Their programs are compiled and run by their commands, which print what they show."""
    for name in ("examples", "kernel"):
        (tmp_path / name).symlink_to(ROOT / name)
    for text in (text for language in ("c", "lisp", "rust") for text in blocks(page, language)):
        for name in re.findall(r"\A(?:/\*|;;;|//) (\w+\.\w+)", text):
            (tmp_path / name).write_text(text)
    parts = [part for block in blocks(page, "") for part in block.split("$ ")[1:]]
    assert len(parts) == LIBRARIES[page]
    missing = set()
    for part in parts:
        command, expected = part.split("\n", 1)
        # other languages' compilers, which not each machine has
        if without := {
            each for each in ("cargo", "sbcl") if each in command.split() and not shutil.which(each)
        }:
            missing |= without
            continue
        result = subprocess.run(
            ["sh", "-c", f"{OURS}\n{command}"],
            cwd=tmp_path,
            env=ENVIRONMENT | {"XDG_CACHE_HOME": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
        )
        assert lines(result.stdout + result.stderr) == lines(expected.replace("x86_64", platform.machine()))
    if missing:
        pytest.skip(f"not installed: {', '.join(sorted(missing))}; what else the page shows is as it says")


BESIDE = "docs/reference/fixed.md"
INCLUDE = ROOT / "include/carrychain"


def named_beside() -> list[str]:
    return re.findall(r"`(\w[\w*]+)`", (ROOT / BESIDE).read_text())


def test_each_function_of_fixed_has_a_row():
    headers = [path.read_text() for path in INCLUDE.glob("*.h")]
    ours = {name for name in named_beside() if name.startswith("cc_")}
    declared = set(
        re.findall(r"^(?!typedef)[a-z].*?\b(cc_\w+)\([^{;]*\);$", "\n".join(headers), re.MULTILINE)
    )
    assert ours <= declared
    fixed = {name for name in declared if name.startswith("cc_fz_")}
    assert len(fixed) > 50
    assert fixed <= ours


@pytest.mark.parametrize(
    ("header", "functions"),
    [("gmp.h", r"\bmpn_(?:sec|cnd)_\w+"), ("openssl/bn.h", r"\bBN_\w+(?=\()")],
)
def test_each_function_of_theirs_has_a_row(header, functions):
    found = [path for path in Path("/usr/include").glob(f"**/{header}") if path.is_file()]
    if not found:
        pytest.skip(f"{header} is not here")
    theirs = set(re.findall(functions, found[0].read_text()))
    assert len(theirs) > 15
    patterns = named_beside()
    assert [name for name in sorted(theirs) if not any(fnmatchcase(name, p) for p in patterns)] == []


CHECKSUM = ROOT / "docs/reference/checksum.md"


def test_the_table_of_checksums_is_of_the_header():
    header = (INCLUDE / "checksum.h").read_text()
    declared = set(re.findall(r"^(?:static inline |const )?\w+ \*?(cc_\w+)\(", header, re.MULTILINE))
    assert len(declared) > 20
    assert declared == set(re.findall(r"`(cc_\w+)`", CHECKSUM.read_text()))


def test_each_checksum_of_linux_has_a_row():
    found = [path for path in Path("/usr/src").glob("linux-headers-*/include/net/checksum.h")]
    if not found:
        pytest.skip("the kernel's headers are not here")
    theirs = set(re.findall(r"\b(\w*(?:csum|wsum)\w*)\([^;{]*\)\n?[;{]", found[0].read_text()))
    assert len(theirs) > 15
    named = set(re.findall(r"`(\w+)`", CHECKSUM.read_text()))
    assert [name for name in sorted(theirs) if name not in named] == []


# a time, a rate, or what is faster than what
FIGURE = re.compile(
    r"\d+ (?:ns|µs|[GM]B/s|cycles)\b|\d× (?:as|faster)\b|\b(?:faster|slower) (?:on|than)\b|\d\.\d+ of\b"
)
PROCESSOR = re.compile(r"\bZen \d|\bEPYC\b|\bXeon\b|\bPowerPC\b")
MEASURED = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def unattributed(text: str) -> list[str]:
    """The figures in sections that name no processor, on a page that names none before its first section."""
    head, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    parts = [head] if PROCESSOR.search(head) else [head, *sections]
    return [found[0] for part in parts if not PROCESSOR.search(part) for found in FIGURE.finditer(part)]


@pytest.mark.parametrize("page", MEASURED, ids=lambda path: path.name)
def test_each_figure_names_its_processor(page):
    assert not unattributed(page.read_text())


def test_what_a_figure_is():
    assert unattributed("a call takes 25 µs\n## a\n0.9 of the rate\n## b\non a Zen 5: 3 ns\n") == [
        "25 µs",
        "0.9 of",
    ]
    assert not unattributed("AMD EPYC, gcc 12\n## a\n25 µs, three times faster than before\n")


def test_the_library_in_one_line(tmp_path):
    page = ROOT / "docs/how-to/install.md"
    (line,) = re.findall(r"^\$ (cc .*)$", page.read_text(), re.MULTILINE)
    library = tmp_path / "libcarrychain.so"
    # with nothing left out; the last -O counts, and with it what is inlined is looked up, too
    line = line.replace(library.name, f"{library} -Wl,-z,defs -O0")
    subprocess.run(line, shell=True, cwd=ROOT, check=True)
    headers = "".join(path.read_text() for path in (ROOT / "include/carrychain").glob("*.h"))
    declared = re.findall(r"^(?!typedef)[a-z].*?\b(cc_\w+)\([^{;]*\);$", headers, re.MULTILINE)
    assert len(declared) > 80
    loaded = ctypes.CDLL(library)
    assert [name for name in declared if not hasattr(loaded, name)] == []


def test_the_picture_is_what_is_stored():
    loader = SourceFileLoader("picture", str(ROOT / "tools/picture"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    assert module.PICTURE.read_text() == module.drawn()
    assert module.PRODUCTS.read_text() == module.products_drawn()


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120
