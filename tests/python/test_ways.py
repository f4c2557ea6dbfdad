"""A Python call and a packet run through the files that ARCHITECTURE.md names, and no others."""

import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from command import ENVIRONMENT

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "carrychain"
CAPTURE = ROOT / "tests" / "vectors" / "captures" / "framed.pcap"
MOST_LINES = 8

# Which files' functions run, in the order of first use, imports excluded: each way is gone once before.
FOLLOWED = """
import json, os, sys, threading

import carrychain

PACKAGE = os.path.dirname(carrychain.__file__) + os.sep


def followed(way):
    seen = {}

    def note(frame, event, argument):
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE):
            seen.setdefault(file.removeprefix(PACKAGE).replace(os.sep, "/"))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        way()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(seen)


def tell(*found):
    with open(sys.argv[1], "w") as file:
        json.dump(found, file)

"""

CALL = """
def before(x):
    return 2 * x


def f(x):
    return x + 1


carrychain.jit(before)(3)
f = carrychain.jit(f)
first = followed(lambda: f(3))
tell(first, followed(lambda: f(3)))
"""

PACKET = """
from carrychain.cli import main


def way():
    try:
        main()
    except SystemExit:
        pass


found, sys.argv[1:] = sys.argv[1], ["verify", sys.argv[2]]
way()
seen = followed(way)
sys.argv[1] = found
tell(seen)
"""


def run(tmp_path: Path, script: str, *arguments: object) -> list[list[str]]:
    """What the script tells: it is a process of its own, in which nothing is compiled yet."""
    (tmp_path / "way.py").write_text(FOLLOWED + script)
    found = tmp_path / "found"
    environment = ENVIRONMENT | {"XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, tmp_path / "way.py", found, *arguments]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return json.loads(found.read_text())


def way(title: str) -> list[str]:
    """The lines of a way."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    section = text.partition("\n## Two paths through the code\n")[2].partition("\n## ")[0]
    return section.partition(f"**{title}**")[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()


def named(title: str) -> list[str]:
    """The files and folders that a way names, in order, each once."""
    found = []
    for text in re.findall(r"`([^`]+(?:\.py|\.c|/))`", "\n".join(way(title))):
        parts = [part.split(",") for part in re.split(r"[{}]", text)]
        found += ["".join(each) for each in product(*parts)]
    return list(dict.fromkeys(found))


def assert_named(title: str, seen: list[str]) -> None:
    """The way names what was seen: each file, in this order, or its folder."""
    python = [name for name in named(title) if name.endswith(".py")]
    folders = [name for name in named(title) if name.endswith("/")]
    assert [name for name in seen if not name.startswith(tuple(folders))] == python
    assert all(any(name.startswith(folder) for name in seen) for folder in folders)


def test_the_first_call_and_those_after_it(tmp_path):
    first, later = run(tmp_path, CALL)
    assert_named("One Python call", first)
    assert later == []


def test_a_packet(tmp_path):
    (seen,) = run(tmp_path, PACKET, CAPTURE)
    assert_named("One packet", seen)


@pytest.mark.parametrize("title", ["One Python call", "One packet"])
def test_a_way_is_short_and_its_c_is_built(title):
    assert 4 < len(way(title)) <= MOST_LINES
    built = {
        folder: set(re.findall(r"'([^']+\.c)'", (folder / "meson.build").read_text()))
        for folder in (PACKAGE, ROOT / "src")
    }
    c = [name for name in named(title) if name.endswith(".c")]
    assert c
    for name in c:
        assert any(name in files for files in built.values()), name
