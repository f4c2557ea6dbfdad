"""Random Python programs come to the same compiled as in CPython; those that once did not, too; and a wrong
compiler is noticed."""

import sys
import warnings
from functools import cache
from pathlib import Path
from unittest.mock import patch

import draws
import jit_words
import pytest
from carrychain.ring.emit import llvm
from carrychain.ring.ir.errors import Refused
from exact import jit
from jit_damages import DAMAGES
from jit_differential import FOUND, Difference, Loaded, batch, compared, shrunk, uncompiled
from jit_expressions import BUDGET
from jit_programs import program
from quick import quickly

pytestmark = pytest.mark.usefixtures("nothing_kept")

SEED = draws.seed("jit_differential") % 2**32
# of the long run (`python tests/python/jit_differential.py --first SEED`)
PROGRAMS = 40 if draws.LONG else 16
FAST = PROGRAMS if draws.LONG else PROGRAMS // 4  # of them; of the others LLVM makes code quickly
ENOUGH = 600  # in so many a wrong compiler is found
MANY_LINES = 40 * BUDGET  # that a call runs through, at most


@pytest.fixture(autouse=True)
def only_refusals_are_said():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        # NumPy's, and the compiler's, of which one is an error
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("error", Refused)
        yield


def compiler(seed: int):
    return jit


def test_programs_agree(tmp_path):
    print(f"seeds from {SEED} on")
    differing, told = batch(range(SEED, SEED + FAST), tmp_path, compiler)
    with patch.object(llvm, "machine_code", quickly):
        more, told_more = batch(range(SEED + FAST, SEED + PROGRAMS), tmp_path, compiler)
    differing += more
    told += told_more
    assert [(seed, each.how) for seed, each in differing] == []
    assert told.calls > 20 * PROGRAMS and told.refused.total() < PROGRAMS / 3


def test_programs_agree_in_words(tmp_path):
    """Others than those, by all of the compiler but LLVM."""
    first = SEED + PROGRAMS
    differing, told = batch(range(first, first + PROGRAMS), tmp_path, lambda seed: jit_words)
    assert [(seed, each.how) for seed, each in differing] == []
    assert told.calls > 20 * PROGRAMS


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(FOUND.glob("*.py"))])
@pytest.mark.parametrize("way", [jit, jit_words], ids=["compiled", "words"])
def test_what_once_differed(path: Path, way):
    differing, told = compared(path, way)
    assert [each.how for each in differing] == []
    assert told.calls and not told.refused


# What programs are about: each in so many of 100 at least.
ABOUT = {
    "if": 60, "for": 50, "while": 30, "nested loops": 25, "a loop's else": 10, "break": 15, "continue": 5,
    "//": 40, "%": 50, "**": 30, "<<": 50, ">>": 50, "&": 90, "|": 50, "^": 50, "~": 20, "unary -": 30,
    "and": 25, "or": 25, "not": 25, "chained comparison": 30, "if else": 40, "comprehension": 20,
    "comprehension with a condition": 8, "nested comprehension": 2, "a call of its own function": 15,
    "recursion": 3, "recursion that may have no end": 1, "a closure": 4, "a global": 20,
    "augmented assignment": 50, "item assignment": 25,
    "augmented item assignment": 8, "slice": 25, "slice with a step": 6, "slice assignment": 8,
    "unpacking": 25, "nested unpacking": 5, "None": 20, "a builtin hidden": 4, "assert": 4, "raise": 4,
    "divmod()": 10, "pow() of 3": 3, "abs()": 4, "min()": 3, "max()": 2, "sum()": 10, "len()": 40,
    "range()": 40, "enumerate()": 8, "zip()": 6, "reversed()": 6, ".bit_length()": 3, ".bit_count()": 2,
    ".from_bytes()": 8, ".to_bytes()": 8, "an argument bytearray": 12, "an argument memoryview": 5,
    "an argument array": 25, "an argument np.array": 5, "an argument None": 6, "an argument True": 6,
    "an argument []": 20, "an argument b''": 15, "an argument twice": 5,
    "an argument that is a part of another": 3, "something shared changed between calls": 12, "a width": 8,
    "a list in a tuple that is shared, too": 2,
    "an inner function": 5, "a call of an inner function": 8, "lambda": 8, "a generator": 5,
    "del of a name": 3,
}  # fmt: skip


def test_programs_are_of_all_that_matters(tmp_path):
    """CPython agrees with itself, and with the walker; what programs do, how much of it raises, and how
    much is the same again."""
    programs = 300 if draws.LONG else 100
    differing, told = batch(range(programs), tmp_path, lambda seed: uncompiled)
    assert differing == []
    # of a hundred half is enough, by chance
    found = {each: told.features[each] / programs * (100 if draws.LONG else 200) for each in ABOUT}
    rare = {each: count for each, count in found.items() if count < ABOUT[each]}
    assert rare == {}
    # a program's calls mostly raise together
    assert 0.05 < told.raised / told.calls < 0.25 + (0.05 if draws.LONG else 0.1)
    assert told.outcomes > 0.9 * told.calls


def test_programs_end(tmp_path):
    """By construction: the lines that a call runs through are counted."""
    for seed in range(150):
        path = tmp_path / f"program{seed}.py"
        path.write_text(program(seed))
        loaded = Loaded(path, uncompiled)
        lines = 0

        def trace(frame, event, _, path=str(path)):
            nonlocal lines
            lines += 1
            assert lines < MANY_LINES, path
            return trace if frame.f_code.co_filename == path else None

        for change, args in loaded.names["CALLS"][:6]:
            lines = 0
            sys.settrace(trace)
            try:
                loaded.call(change, args)
            finally:
                sys.settrace(None)


text_of = cache(program)


def first_difference(wrong, folder: Path) -> tuple[str, Difference]:
    """A program that is noticed, of the first, and in what."""
    for seed in range(ENOUGH):
        path = folder / f"program{seed}.py"
        path.write_text(text_of(seed))
        differing, _ = compared(path, wrong, only_differences=True)
        path.unlink()
        if differing:
            return text_of(seed), differing[0]
    pytest.fail(f"{ENOUGH} programs come to the same")


@pytest.mark.parametrize("name", draws.share("jit_differential", DAMAGES, 3))
def test_a_wrong_compiler_is_noticed(name, tmp_path):
    assert first_difference(DAMAGES[name], tmp_path)


def test_what_differs_becomes_small(tmp_path):
    wrong = DAMAGES["// rounds to 0"]
    text, found = first_difference(wrong, tmp_path)
    text = shrunk(text, found, tmp_path, wrong)
    path = tmp_path / "small.py"
    path.write_text(text)
    (again,), _ = compared(path, wrong)
    assert again.how == found.how
    assert "//" in text and len(text.splitlines()) < 40
