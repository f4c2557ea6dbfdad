"""Random programs agree, interpreted, compiled, uncut and by SBCL; those that once did not, too."""

import shutil
from pathlib import Path

import pytest
import ring_differential
from carrychain.ring.compile import compile_module
from carrychain.ring.interpret import Interpreter
from carrychain.ring.parse import parse_module
from ring_differential import BATCH, FOUND, WAYS, batch, outcome

# The first programs of the long run (`python tests/python/ring_differential.py`).
SHARE = range(0, 100, BATCH)


@pytest.fixture(autouse=True, scope="module")
def no_cache_of_what_is_tested(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.parametrize("first", SHARE)
@pytest.mark.parametrize("way", WAYS)
def test_programs_agree(way, first):
    if way == "SBCL" and not shutil.which("sbcl"):
        pytest.skip("sbcl is not installed")
    assert batch(range(first, first + BATCH), [way]) == []


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
        args = list(map(int, words[:at]))
        wanted = words[at + 1] if words[at + 1] == "trap" else tuple(map(int, words[at + 1 :]))
        assert outcome(lambda n=name, a=args: Interpreter(module).call(n, *a)) == wanted
        assert outcome(lambda n=name, a=args: program.call(n, *a)) == wanted


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
    assert batch(range(3), ["wrong"]) != []
    seed, way = batch(range(3), ["wrong"])[0]
    assert ring_differential.shrunk(seed, way).count(" = ") < 12
