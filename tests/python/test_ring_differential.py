"""Random programs agree, interpreted, compiled, uncut, walked and by SBCL; those that once did not, too."""

import shutil
from functools import cache
from pathlib import Path

import pytest
import ring_differential
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.lower import module, polls
from draws import LONG, seed, share
from quick import mostly_quick
from ring_differential import (
    BATCH,
    FOUND,
    KINDS,
    WAYS,
    batch,
    interpreted_ir,
    lent,
    made,
    outcome,
    read_back,
    said,
    view,
    written,
)
from ring_programs import Part

pytestmark = pytest.mark.usefixtures("nothing_kept")


# What each kind's programs are about; test_ring_lisp_order.py looks at the last kind's.
ABOUT = [
    ("branches", "loops", "arrays", "arrays that alias", "inlined calls", "huge shifts"),
    ("nil or an integer", "a number of values that is not known", "arguments left out", "huge shifts"),
    ("lists changed in place", "places within lists", "circles", "lists destructured"),
]


def drawn(kind: int) -> range:
    """The seeds of a batch of this kind."""
    first = (seed("ring_differential") % 2**32 * len(KINDS) + kind) * BATCH
    print(f"seeds from {first} on")
    return range(first, first + BATCH)


SOME = BATCH if LONG else BATCH // 3
# As in the long run: the thorough ways of what is said more quickly as well are few programs'.
FEW = {"compiled without cutting": BATCH // 8, "SBCL": BATCH // 4}


# made, and interpreted, once for all ways
kept = cache(made)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", range(len(ABOUT)), ids=[kind.__name__ for kind in KINDS[: len(ABOUT)]])
def test_programs_agree(way, kind):
    """A batch of the long run (`python tests/python/ring_differential.py --first SEED`), or a part of one."""
    if way.startswith("SBCL") and not shutil.which("sbcl"):
        pytest.skip("sbcl is not installed")
    wrong, _ = batch(drawn(kind)[: FEW.get(way, SOME)], [way], kept)
    assert wrong == []


@pytest.mark.parametrize("kind", range(len(ABOUT)), ids=[kind.__name__ for kind in KINDS[: len(ABOUT)]])
def test_programs_are_of_all_that_matters(kind):
    _, told = batch(drawn(kind), [], kept)
    assert told["near"] > told["inputs"] / 2
    assert all(told[feature] for feature in ABOUT[kind])


@pytest.fixture
def short_strips(monkeypatch, request):
    """Loops that count go in strips of a few rounds; how many such loops there were."""
    made = []
    counted = polls.polls

    def noting(*args):
        found = counted(*args)
        made.extend(strip for each in found.values() for strip in each.strips.values())
        return found

    monkeypatch.setattr(polls, "MOST", 64)
    monkeypatch.setattr(polls, "ROUND", 32)
    monkeypatch.setattr(module, "polls", noting)
    with mostly_quick(request.node.name):
        yield made


def test_programs_agree_in_short_strips(short_strips):
    first = drawn(0).start
    # some batches have few loops that count
    for start in range(first, first + 9 * len(KINDS) * BATCH, len(KINDS) * BATCH):
        assert batch(range(start, start + SOME), ["compiled"], kept)[0] == []
        if len(short_strips) > 5:
            break
    assert len(short_strips) > 5
    assert batch(drawn(1)[:SOME], ["compiled"], kept)[0] == []


BOTTOM = """
function @f -> (int, int) {{
entry(%i.0: s8, %n: s8):
  %s.0: int = const 0
  jump top(%i.0, %s.0)
top(%i: int, %s: int):
  %d: int = const {step}
  %i.1: int = add %i, %d
  %t: int = const 31
  %u: int = mul %s, %t
  %v: int = add %u, %i
  %s.1: int = low 32 %v
  %more: int = const {more}
  %sum: int = add %i.1, %more
  %stay: bool = {op} {args}
  branch %stay, {ways}
again():
  jump top(%i.1, %s.1)
done():
  return %i.1, %s.1
}}
"""
TOP = """
function @f -> (int, int) {{
entry(%i.0: s8, %n: s8):
  %s.0: int = const 0
  jump top(%i.0, %s.0)
top(%i.1: int, %s: int):
  %more: int = const {more}
  %sum: int = add %i.1, %more
  %stay: bool = {op} {args}
  branch %stay, {ways}
again():
  %d: int = const {step}
  %i: int = add %i.1, %d
  %t: int = const 31
  %u: int = mul %s, %t
  %v: int = add %u, %i.1
  %s.1: int = low 32 %v
  jump top(%i, %s.1)
done():
  return %i.1, %s
}}
"""


# what is counted on is checked before
CHECKED = TOP.replace("add %i.1, %d", "add %c, %d").replace(
    "  %d:", "  %c: int = narrow int[-127,126] %i.1\n  %d:"
)


@pytest.mark.parametrize("step", [1, 2, 7, -1, -3])
def test_strips_of_every_shape(short_strips, step):
    """Tested first or last, either way round, on any side of a bound that is included or not, as it is or
    with something added."""
    starts = (-128, -127, -5, -1, 0, 1, 6, 100, 126, 127)
    inputs = share(f"strips by {step}", ([i, n] for i in starts for n in starts), 2)
    for text in (BOTTOM, TOP, CHECKED):
        for op in ("lt", "le") if step > 0 else ("gt", "ge"):
            for op_, args, ways, more in (
                (op, "%i.1, %n", "again(), done()", 0),
                (polls.NEGATED[op], "%i.1, %n", "done(), again()", 0),
                (polls.MIRRORED[op], "%n, %i.1", "again(), done()", 0),
                (op, "%sum, %n", "again(), done()", 5),
                (polls.MIRRORED[op], "%n, %sum", "again(), done()", -3),
            ):
                ir = parse_module(text.format(op=op_, args=args, ways=ways, step=step, more=more))
                program = compile_module(ir)
                got = [outcome(lambda *a, p=program: p.call("f", *a), each) for each in inputs]
                assert got == interpreted_ir(ir, "f", inputs)
    assert len(short_strips) == 30


@pytest.mark.parametrize(("type_", "step"), [("s64", 1), ("s64", -1), ("u64", 1)])
def test_strips_that_end_where_words_do(short_strips, type_, step):
    low, high = (-1 << 63, (1 << 63) - 1) if type_ == "s64" else (0, (1 << 64) - 1)
    ends = (low, low + 1, low + 5, low + 90, high - 90, high - 5, high - 1, high)
    inputs = [[i, n] for i in ends for n in ends if (n - i) * step < 1000]
    for text in (BOTTOM, TOP):
        for op in ("lt", "le") if step > 0 else ("gt", "ge"):
            for more in (0, 5, -3):
                args = "%sum, %n" if more else "%i.1, %n"
                shape = text.format(op=op, args=args, ways="again(), done()", step=step, more=more)
                ir = parse_module(shape.replace("s8", type_))
                program = compile_module(ir)
                got = [outcome(lambda *a, p=program: p.call("f", *a), each) for each in inputs]
                assert got == interpreted_ir(ir, "f", inputs)
    assert short_strips


def found():
    return [pytest.param(path, id=path.stem) for path in sorted(FOUND.glob("*.ir"))]


@pytest.mark.parametrize("path", found())
@pytest.mark.parametrize("cut", (True, False), ids=("cut", "uncut"))
def test_what_once_differed(path: Path, cut):
    text = path.read_text()
    ir = parse_module(text)
    program = compile_module(ir, cut=cut)
    calls = [line.split()[2:] for line in text.splitlines() if line.startswith("; call ")]
    assert calls
    for name, *words in calls:
        at = words.index("=")
        args = read_back(words[:at])
        wanted = words[at + 1] if words[at + 1 : at + 2] == ["trap"] else tuple(map(said, words[at + 1 :]))
        assert interpreted_ir(ir, name, [args]) == [wanted]
        if any(isinstance(arg, Part) for arg in args):
            args = lent([(param.name, param.type) for param in ir.functions[name].params], args)
        assert outcome(lambda *a, n=name: program.call(n, *map(view, a)), args) == wanted


def test_what_is_written_is_read_back():
    first = [1, -2, 3]
    args = [-5, first, [], None, True, first, Part(first, 1, 2)]
    found = read_back(" ".join(written(args)).split())
    assert found[:5] == args[:5] and found[5] is found[1]
    assert (found[6].whole is found[1]) and list(found[6]) == [-2, 3]


def test_a_wrong_way_is_noticed(monkeypatch):
    """A compiler whose results are one too high is found out, and the program shrinks to next to nothing."""

    def wrong(programs):
        return [
            [r if isinstance(r, str) else tuple(x + 1 for x in r) for r in program.wanted]
            for program in programs
        ]

    monkeypatch.setitem(ring_differential.WAYS, "wrong", wrong)
    (seed, way), *_ = batch(range(3), ["wrong"])[0]
    assert ring_differential.shrunk(seed, way).count(" = ") < 12
