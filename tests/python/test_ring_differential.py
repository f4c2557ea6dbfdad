"""Random programs agree, interpreted, compiled, uncut and by SBCL; those that once did not, too."""

import json
import os
import shutil
from pathlib import Path

import pytest
import ring_differential
from carrychain.ring.compile import compile_module
from carrychain.ring.interpret import Interpreter
from carrychain.ring.parse import parse_module
from ring_differential import BATCH, FOUND, WAYS, batch, outcome, written


@pytest.fixture(autouse=True)
def no_cache_of_what_is_tested(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)


@pytest.mark.parametrize("way", WAYS)
def test_programs_agree(way):
    """The first batch of the long run (`python tests/python/ring_differential.py`)."""
    if way.startswith("SBCL") and not shutil.which("sbcl"):
        pytest.skip("sbcl is not installed")
    wrong, told = batch(range(BATCH), [way])
    assert wrong == []
    assert told["near"] > told["inputs"] / 2
    assert all(told[feature] for feature in ("branches", "loops", "arrays", "inlined calls"))


def found():
    return [pytest.param(path, id=path.stem) for path in sorted(FOUND.glob("*.ir"))]


@pytest.mark.parametrize("path", found())
@pytest.mark.parametrize("cut", (True, False), ids=("cut", "uncut"))
def test_what_once_differed(path: Path, cut):
    text = path.read_text()
    module = parse_module(text)
    program = compile_module(module, cut=cut)
    calls = [line.split()[2:] for line in text.splitlines() if line.startswith("; call ")]
    assert calls
    for name, *words in calls:
        at = words.index("=")
        args = list(map(json.loads, words[:at]))
        wanted = words[at + 1] if words[at + 1] == "trap" else tuple(map(int, words[at + 1 :]))
        assert outcome(lambda *a, n=name: Interpreter(module).call(n, *a), args) == wanted
        assert outcome(lambda *a, n=name: program.call(n, *a), args) == wanted


def test_what_is_written_is_read_back():
    args = [-5, [1, -2, 3], []]
    assert list(map(json.loads, " ".join(map(written, args)).split())) == args


def test_a_wrong_way_is_noticed(monkeypatch):
    """A compiler whose results are one too high is found out, and the program shrinks to next to nothing."""

    def wrong(programs):
        return [
            [
                r if isinstance(r, str) else tuple(x + 1 for x in r)
                for r in ring_differential.interpreted(*program)
            ]
            for program in programs
        ]

    monkeypatch.setitem(ring_differential.WAYS, "wrong", wrong)
    (seed, way), *_ = batch(range(3), ["wrong"])[0]
    assert ring_differential.shrunk(seed, way).count(" = ") < 12
