"""Small programs of integer arithmetic agree with SBCL, and with the walker of Lisp's forms.

Of the grid that is made, so many that any two of its traits are seen together, half of them in SBCL, drawn by
the commit. All of it: make arithmetic.
"""

import shutil
from unittest.mock import patch

import draws
import pytest
from arithmetic_grid import Program, grid, pairs, share
from carrychain.ring.emit import llvm
from carrychain.ring.ir.errors import Trap
from carrychain.ring.ir.interpret import Interpreter
from quick import mostly_quick
from ring_arithmetic import BY_HAND, Loaded, by_hand, check, listed, load
from sbcl import needs_sbcl

pytestmark = pytest.mark.usefixtures("nothing_kept")


@pytest.fixture(scope="module")
def loaded():
    found = load(share())
    hand = load(by_hand(), f"tests/ring/{BY_HAND.name}")
    assert not found.programs.keys() & hand.programs.keys()
    for part in ("programs", "modules", "refused"):
        getattr(found, part).update(getattr(hand, part))
    return found


def test_all_that_compile_agree(loaded):
    """Compiled, interpreted and walked; and what SBCL says of half of them, if it is there."""
    there = bool(shutil.which("sbcl"))
    half = {*draws.share("arithmetic in SBCL", loaded.programs, 2)}
    for names in filter(None, (half, loaded.programs.keys() - half)):
        programs = {name: each for name, each in loaded.programs.items() if name in names}
        part = Loaded(programs, {name: loaded.modules[name] for name in programs})
        with mostly_quick(f"arithmetic {names is half}"):
            assert check(part, sbcl=there and names is half) == []
    if not shutil.which("sbcl"):
        pytest.skip("sbcl is not installed: SBCL judged none of the compiled programs")


def test_what_is_refused_is_listed(loaded):
    """Each with its reason. Who makes the front end take one takes it off the list: --list writes it anew."""
    assert loaded.refused == listed()
    assert len(loaded.programs) > 1000
    assert len(loaded.refused) < len(loaded.programs) / 9
    # of those by hand alone, too
    assert len(loaded.refused) < len(list(by_hand())) / 10


def test_the_share_shows_each_two_traits_together():
    every = list(grid())
    assert len({each.name for each in every}) == len(every) > 10_000
    assert {pair for each in share() for pair in pairs(each)} == {
        pair for each in every for pair in pairs(each)
    }


@pytest.mark.parametrize("type_", ["(or (integer 0 5) (integer 50 70))", "(member 0 2 70)"])
def test_a_type_with_gaps(type_):
    """Whoever passes what is between breaks a promise, which SBCL notices; only the ends are checked here."""
    declared = load([Program("gap", f"(defun gap (x) (declare (type {type_} x)) (* x x))")])
    run = Interpreter(declared.modules["gap"]).call
    assert run("gap", 9) == (81,)
    with pytest.raises(Trap):
        run("gap", 71)
    # where it is asked for, it is told
    asked = load([Program("gap", f"(defun gap (x) (declare (type integer x)) (typep x '{type_}))")])
    run = Interpreter(asked.modules["gap"]).call
    assert [run("gap", x) for x in (0, 9, 70)] == [(True,), (False,), (True,)]


@needs_sbcl
@pytest.mark.parametrize("type_", ["(or (integer 0 5) (integer 6 70))", "(member 3 2 4)"])
def test_a_type_in_parts_without_gaps(type_):
    assert check(load([Program("whole", f"(defun whole (x) (declare (type {type_} x)) (* x x))")])) == []


@pytest.mark.parametrize(("right", "wrong"), [(" add i32 ", " sub i32 "), (" ashr i32 ", " lshr i32 ")])
def test_wrong_code_is_noticed(right, wrong):
    """A back end that takes one instruction for another is found out by some of the grid."""
    machine_code = llvm.machine_code
    chosen = [each for each in grid() if ("width", 32) in each.traits and ("signs", "s") in each.traits]
    chosen = [each for each in chosen if dict(each.traits)["operator"] in ("add", "right")]
    with patch.object(llvm, "machine_code", lambda text: machine_code(text.replace(right, wrong))):
        assert check(load(chosen), sbcl=False)
    assert not check(load(chosen), sbcl=False)
