"""The house's floors: each file stands only on its own floor and those below."""

import ast
import graphlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "carrychain"

# word.h stands on nothing, platform.h on what is outside.
FLOORS = {
    "platform": 0,
    "word": 0,
    "cpu": 1,
    "threads": 1,
    "u128": 1,
    "limbs": 2,
    "fixed": 3,
    "checksum": 3,
    "transform": 3,
    "natural": 4,
    "packet": 4,
    "vantage": 5,
    "cause": 5,
    "capture": 5,
    "bigint": 5,
    "verify": 6,
    "fib": 6,
    "theory": 6,
    "gmp": 7,
    "ccverify": 7,
}
# headers of theirs beside that of the module's name
HEADERS = {"montgomery": "fixed", "prime": "fixed", "rsa": "fixed"}
FREESTANDING = {"stdbool.h", "stddef.h", "stdint.h"}
# what stands in GMP's place knows libc, the threads' memory and the dynamic linker
GMP_OUTSIDE = {
    *(
        "ctype.h",
        "dlfcn.h",
        "float.h",
        "limits.h",
        "pthread.h",
        "signal.h",
        "stdarg.h",
        "stdio.h",
        "stdlib.h",
    ),
    *("string.h", "sys/mman.h"),
}
# the compiler's own, for what lies in an architecture's directory
INTRINSICS = {"aarch64": {"arm_neon.h"}, "powerpc": {"altivec.h"}, "x86_64": {"immintrin.h"}}

# a command
COMMAND_OUTSIDE = {
    *(
        "errno.h",
        "fcntl.h",
        "getopt.h",
        "signal.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "sys/stat.h",
        "time.h",
        "unistd.h",
    )
}

C_FILES = sorted(
    path for top in ("src", "include", "gmp", "ccverify") for path in (ROOT / top).rglob("*.[chS]")
)
PYTHON_FILES = sorted(PACKAGE.rglob("*.py"))
# the C under python/, by folder: it stands on the library's public headers, and the bindings on all of it
# and on what commands on captures share
PACKAGE_FLOORS = {
    "ring/call/runtime": 0,
    "bindings": 1,
    "bindings/integer": 2,
    "bindings/call": 2,
    "gmpy2": 3,
}
PACKAGE_C_FILES = sorted(PACKAGE.rglob("*.[ch]"))
ALL_C_FILES = sorted(
    path
    for top in (
        "src",
        "include",
        "gmp",
        "ccverify",
        "python",
        "kernel",
        "tests",
        "bench",
        "examples",
        "proofs",
    )
    for path in (ROOT / top).rglob("*.[chS]")
)
# where what is quoted lies, if not beside the file
SEARCHED = [ROOT / top for top in ("src", "include", "tests/c")]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def module(path: Path) -> str:
    """limbs for src/limbs/x86_64/asm.h and include/carrychain/limbs.h; gmp for all of gmp/, and ccverify."""
    parts = path.relative_to(ROOT).parts
    part = {"src": parts[1], "gmp": "gmp", "ccverify": "ccverify"}.get(parts[0]) or parts[2]
    return HEADERS.get(part.split(".")[0], part.split(".")[0])


def includes(path: Path) -> list[str]:
    """What it includes, with the brackets or quotes."""
    return re.findall(r'^\s*#\s*include\s*(<[^>]+>|"[^"]+")', path.read_text(), re.MULTILINE)


def included_file(path: Path, include: str) -> Path | None:
    """The file of ours that it names; None if it is not ours."""
    if include.startswith('"'):
        return (path.parent / include.strip('"')).resolve()
    if include.startswith("<carrychain/"):
        return ROOT / "include" / include.strip("<>")
    return None


def test_there_is_something_to_check():
    assert len(C_FILES) > 10
    assert len(PYTHON_FILES) > 10


@pytest.mark.parametrize("path", C_FILES, ids=name)
def test_every_file_belongs_to_a_floor(path):
    assert module(path) in FLOORS


@pytest.mark.parametrize("path", C_FILES, ids=name)
def test_includes_go_down(path):
    for include in includes(path):
        below = included_file(path, include)
        if below is None:
            continue
        assert below.is_file(), f"{include} is not there"
        if module(below) != module(path):
            assert FLOORS[module(below)] < FLOORS[module(path)], include


@pytest.mark.parametrize("path", C_FILES, ids=name)
def test_only_platform_names_what_is_outside(path):
    outside = {include.strip("<>") for include in includes(path) if included_file(path, include) is None}
    if path == ROOT / "src" / "threads" / "threads.c":
        assert outside <= {"pthread.h", "sched.h", "signal.h", "stdlib.h"}
    elif module(path) == "gmp":
        assert outside <= FREESTANDING | GMP_OUTSIDE
    elif module(path) == "ccverify":
        assert outside <= FREESTANDING | COMMAND_OUTSIDE
    elif path != ROOT / "src" / "platform.h":
        assert outside <= FREESTANDING | INTRINSICS.get(path.parent.name, set())


@pytest.mark.parametrize("path", PACKAGE_C_FILES, ids=name)
def test_the_packages_includes_go_down(path):
    here = str(path.parent.relative_to(PACKAGE))
    for include in includes(path):
        below = included_file(path, include)
        if below is None or below.is_relative_to(ROOT / "include"):
            continue
        if below.is_relative_to(ROOT / "src" / "verify") and here == "bindings":
            assert below.is_file(), f"{include} is not there"
            continue
        assert below.is_file(), f"{include} is not there"
        there = str(below.parent.relative_to(PACKAGE))
        if there != here:
            assert PACKAGE_FLOORS[there] < PACKAGE_FLOORS[here], include


def test_no_includes_go_round():
    graph = {}
    for path in ALL_C_FILES:
        named = [include.strip('<>"') for include in includes(path)]
        candidates = [(top / each).resolve() for each in named for top in (path.parent, *SEARCHED)]
        graph[path] = {found for found in candidates if found.is_file()}
    assert sum(map(len, graph.values())) > len(graph)
    graphlib.TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("path", sorted((ROOT / "include").rglob("*.h")), ids=name)
def test_public_headers_stand_on_public_headers(path):
    assert not [include for include in includes(path) if include.startswith('"')]


def imports(path: Path, annotations: bool = True) -> set[str]:
    """What a file imports of this package, modules and names of theirs alike, as dotted names.

    With or without what it imports for annotations alone, which no run does.
    """
    tree = ast.parse(path.read_text())
    if not annotations:
        tree.body = [
            node
            for node in tree.body
            if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        ]
    package = ["carrychain", *path.relative_to(PACKAGE).parent.parts]
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{origin}.{alias.name}" for alias in node.names}
    return {each for each in found if each.split(".")[0] == "carrychain"}


def floor(dotted: str) -> int:
    """Bindings, then the package's own modules, then what measures them, then the commands and the report."""
    part = dotted.split(".")[1:2]
    return {"bindings": 0, "bench": 2, "cli": 3, "report": 3, "__main__": 4}.get(part[0] if part else "", 1)


@pytest.mark.parametrize("path", PYTHON_FILES, ids=name)
def test_imports_go_down(path):
    here = floor(".".join(["carrychain", *path.relative_to(PACKAGE).with_suffix("").parts]))
    for imported in imports(path):
        assert floor(imported) <= here, imported


@pytest.mark.parametrize("path", PYTHON_FILES, ids=name)
def test_only_the_bindings_know_cffi(path):
    if path.parent.name != "bindings":
        assert not any("_carrychain" in imported for imported in imports(path))
        assert "cffi" not in path.read_text()


def test_no_two_classes_share_a_name():
    found: dict[str, list[str]] = {}
    for path in PYTHON_FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(f"{name(path)}:{node.lineno}")
    assert len(found) > 200
    assert not {each: places for each, places in found.items() if len(places) > 1}


RING = PACKAGE / "ring"
# from the ground up, as the map in ring/__init__.py has them
RING_FLOORS = re.findall(
    r"^    (\w+) ", ast.get_docstring(ast.parse((RING / "__init__.py").read_text()), False), re.MULTILINE
)
RING_FILES = sorted(RING.rglob("*.py"))


def ring_floor(dotted: str) -> int:
    return RING_FLOORS.index(dotted.split(".")[2])


def test_no_two_types_of_the_compiler_share_a_name():
    """Aliases, too."""
    found: dict[str, list[str]] = {}
    for path in RING_FILES:
        for node in ast.parse(path.read_text()).body:
            names = [node.name] if isinstance(node, ast.ClassDef) else []
            if isinstance(node, ast.Assign):
                names = [each.id for each in node.targets if isinstance(each, ast.Name)]
            for each in names:
                if each[0].isupper() and not each.isupper():
                    found.setdefault(each, []).append(f"{name(path)}:{node.lineno}")
    assert not {each: places for each, places in found.items() if len(places) > 1}


def test_the_compilers_map_is_what_is_there():
    there = {path.stem for path in RING.iterdir() if path.stem not in ("__init__", "__pycache__")}
    assert sorted(RING_FLOORS) == sorted(there)


@pytest.mark.parametrize("path", RING_FILES, ids=name)
def test_the_compilers_imports_go_down(path):
    dotted = ".".join(["carrychain", *path.relative_to(PACKAGE).with_suffix("").parts])
    if path.parent == RING and path.stem == "__init__":
        return
    for imported in imports(path):
        if imported.startswith("carrychain.ring."):
            assert ring_floor(imported) <= ring_floor(dotted), imported


def test_no_imports_go_round():
    modules = {
        ".".join(["carrychain", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(
            ".__init__"
        ): path
        for path in PYTHON_FILES
    }
    graph = {
        each: {
            found if found in modules else found.rpartition(".")[0]
            for found in imports(path, annotations=False)
        }
        - {each}
        for each, path in modules.items()
    }
    graphlib.TopologicalSorter(graph).prepare()
