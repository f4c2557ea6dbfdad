"""What annotated widths mean, to the walker (python_walker) and compiled; and that wrong ones are noticed."""

import ast
import sys
from itertools import count, islice
from pathlib import Path
from unittest.mock import patch

import pytest
import python_walker
import python_widths
from carrychain.ring.emit import llvm
from draws import LONG, seed
from exact import jit
from jit_differential import Loaded, compared, described
from jit_programs import features, program
from quick import mostly_quick, quickly
from ring_damages import CHANGE, Damage

pytestmark = pytest.mark.usefixtures("nothing_kept")

SEED = seed("python_walker") % 2**32
SEVENTEEN = f"p: tuple[{16 * 'u8, '}i8]"
# What `entry` takes and does, its arguments, and what they come to.
CASES = [
    ("p: u8", "return p + 1", ["255"], 256),
    ("p: u8", "return p + 1", ["256"], OverflowError("entry: p is 256, not of type u8")),
    ("p: i8", "return p - 1", ["-128"], -129),
    ("p: i8", "return p - 1", ["-129"], OverflowError("entry: p is -129, not of type i8")),
    ("p: 'u64'", "return p", ["1 << 64"], OverflowError(f"entry: p is {1 << 64}, not of type u64")),
    ("p: u64", "return p", ["1 << 300"],
     OverflowError("entry: p is an integer of 301 bits, not of type u64")),
    ("p: u8", "return p", ["True"], TypeError("entry: p is a bool, not as it is annotated")),
    ("p: u8", "return p", ["None"], TypeError("entry: p is None, not as it is annotated")),
    ("p: u8 | None", "return p", ["None"], None),
    ("p: None | u8", "return p", ["256"], OverflowError("entry: p is 256, not of type u8")),
    # whether it is read or not
    ("p, q: u8", "return p", ["1", "256"], OverflowError("entry: q is 256, not of type u8")),
    ("p: i8, q: u8", "return 1", ["-129", "True"], OverflowError("entry: p is -129, not of type i8")),
    # a variable of its own may be any int
    ("p: u8", "q: u8 = p * 2; p = q * 2; return p", ["255"], 1020),
    ("p: list[u8]", "return sum(p)", ["[255, 255]"], 510),
    ("p: list[u8]", "return sum(p)", ["[1, 256]"], OverflowError("entry: p[1] is 256, not of type u8")),
    ("p: list[u8]", "return p", ["(1, 2)"], TypeError("entry: p is a tuple, not as it is annotated")),
    # a list stays as it is annotated, by whatever name; what is made of it does not
    ("p: list[u8], q", "p[0] = 1; p[1] = q", ["[7, 7]", "256"],
     OverflowError("an item of type u8 is wanted")),
    ("p: list[i8]", "q = p; q[0] -= 1", ["[-128]"], OverflowError("an item of type i8 is wanted")),
    ("p: list[u8], q", "p[2] = q", ["[7, 7]", "256"], IndexError("list assignment index out of range")),
    ("p: list[u8], q", "p = p[:]; p[0] = q; return p + [q]", ["[7]", "256"], [256, 256]),
    ("p: tuple[u8, i8]", "return p", ["(255, -128)"], (255, -128)),
    ("p: tuple[u8, i8]", "return p", ["(255, 128)"], OverflowError("entry: p[1] is 128, not of type i8")),
    ("p: tuple[u8, i8]", "return p", ["(255,)"], TypeError("entry: p is a tuple, not as it is annotated")),
    ("p: tuple[u8, ...]", "return p[0]", ["(256, True)"],
     TypeError("entry: p is a tuple, not as it is annotated")),
    ("p: tuple[u8, ...]", "return p[-1]", ["(7,) * 20 + (256,)"],
     OverflowError("entry: p[20] is 256, not of type u8")),
    # a part of it has items as wide
    ("p: tuple[u8, ...]", "return p[1:]", ["(*range(20),)"], tuple(range(1, 20))),
    ("p: tuple[i16, ...], q", "return p[q:] if q else p", ["(*range(-20, 0),)", "18"], (-2, -1)),
    # each item is named, however many there are
    (SEVENTEEN, "return sum(p), p[16], p[1:3]", ["(*range(17),)"], (136, 16, (1, 2))),
    (SEVENTEEN, "return p[0]", ["(7,) * 16 + (128,)"], OverflowError("entry: p[16] is 128, not of type i8")),
    (SEVENTEEN, "return p[0]", ["(7,) * 18"], TypeError("entry: p is a tuple, not as it is annotated")),
    (SEVENTEEN, "return p[0]", ["(7,) * 16"], TypeError("entry: p is a tuple, not as it is annotated")),
    # as each of the arguments, or all of them, is annotated
    ("*p: u8", "return sum(p), len(p)", ["1", "255"], (256, 2)),
    ("*p: u8", "return p", [], ()),
    ("*p: u8", "return p[0]", ["1", "256"], OverflowError("entry: p[1] is 256, not of type u8")),
    ("*p: u8", "return len(p)", ["7"] * 20 + ["256"], OverflowError("entry: p[20] is 256, not of type u8")),
    ("*p: u8", "return 1", ["1", "True"], TypeError("entry: p is a tuple, not as it is annotated")),
    ("q, *p: u8 | None", "return q, len(p)", ["1 << 64", "None", "7"], (1 << 64, 2)),
    ("*p: list[u8]", "return sum(p[0])", ["[1, 2]", "[3, 256]"],
     OverflowError("entry: p[1][1] is 256, not of type u8")),
    ("*p: tuple[u8, ...]", "return p[0]", ["(1, 2)", "7"],
     TypeError("entry: p is a tuple, not as it is annotated")),
    ("*p: *tuple[u8, i8]", "return p", ["255", "128"],
     OverflowError("entry: p[1] is 128, not of type i8")),
    ("*p: *tuple[u8, ...]", "return p", ["255", "7"], (255, 7)),
    ("*p, q: u8 = 256", "return q", ["1"], OverflowError("entry: q is 256, not of type u8")),
    ("p: u8 = 7, /", "return p", [], 7),
    ("p: tuple[list[u8], ...]", "return 1", ["(7,) * 20"],
     TypeError("entry: p is a tuple, not as it is annotated")),
    # what says no width says nothing
    ("p: bytes, q: 'list[int]'", "return p, q", ["1", "2"], (1, 2)),
]  # fmt: skip
MODULE = "@jit\ndef entry({}) -> u8:\n    {}\n\ndef state():\n    return ()\n"


AS_STRINGS = "from __future__ import annotations\n"


def outcomes(case: tuple, folder: Path, before: str = "") -> tuple:
    """By the walker, and compiled."""
    takes, does, args, _ = case
    path = folder / f"case{CASES.index(case)}{bool(before)}.py"
    path.write_text(before + MODULE.format(takes, does))
    walked = Loaded(path, python_walker.jit, python_walker.execute).call("", args)
    return walked, Loaded(path, jit).call("", args)


@pytest.mark.parametrize("before", ["", AS_STRINGS], ids=["", "as strings"])
def test_widths(before, tmp_path, request):
    with mostly_quick(request.node.name):
        for case in CASES:
            walked, compiled = outcomes(case, tmp_path, before)
            assert compiled == walked, case
            (way, *came), _ = walked
            if way == "raised":
                type_, _, said, _ = came
                assert (type_, said) == (type(case[-1]).__name__, case[-1].args), case
            else:
                assert came == [described(case[-1], {})], case


WRONG = {
    "no int is looked at": "call.jit.arguments.check: value not in kind => False",
    "one int more": "call.jit.arguments.check: value not in kind => value - 1 not in kind",
    "a * says nothing": "call.jit.annotations._of_all: else tuple[annotation, ...] => else annotation",
    "a list is of any ints": "call.jit.annotations.narrowed: return List(item) => return List()",
    "None is not allowed": "call.jit.annotations.narrowed: return NULL => return None",
    "what is not read is not looked at": "call.jit.function.Jitted._kinds_of: if unused: => if name == 'q':",
    "a string in a string says nothing": "call.jit.annotations.annotations: while => if",
    "an item is looked at first": "front.python.sequences.store_item: (annotated or => (",
    "a sign is s": 'front.python.kinds.named: replace("s", "i") => replace("i", "s")',
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_widths_are_noticed(name, tmp_path):
    change = CHANGE.fullmatch(WRONG[name])
    with patch.object(llvm, "machine_code", quickly), Damage("front", name, [change.groups()]).done():
        assert any(
            walked != compiled
            for case in CASES
            for walked, compiled in [outcomes(case, tmp_path, AS_STRINGS)]
        )


def test_random_programs_with_widths(tmp_path):
    declared = 0
    with patch.object(llvm, "machine_code", quickly):
        drawn = (seed for seed in count(SEED) if "a width" in features(program(seed)))
        for seed in islice(drawn, 40 if LONG else 3):
            path = tmp_path / f"program{seed}.py"
            path.write_text(program(seed))
            differing, told = compared(path, jit)
            assert [each.how for each in differing] == [], seed
            declared += told.declared
    assert declared


def test_it_shares_nothing_with_the_compiler():
    for path in (Path(python_walker.__file__), Path(python_widths.__file__)):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module]
            assert {name.partition(".")[0] for name in names} <= {*sys.stdlib_module_names, "python_widths"}
