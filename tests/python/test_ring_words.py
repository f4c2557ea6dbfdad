"""Machine IR does what the IR does, printed and read back as well; and what is damaged is noticed."""

import hashlib
from pathlib import Path

import pytest
import ring_words
from carrychain.ring.compile import lowered, plans
from carrychain.ring.emit import lanes
from carrychain.ring.emit.function import EMITTED
from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.form import INT, Array, unsigned
from carrychain.ring.lower import polls
from carrychain.ring.machine import verify
from carrychain.ring.machine.abi import MachineSignature, Passed
from carrychain.ring.machine.form import SHAPES, MachineModule
from carrychain.ring.machine.gather import gather
from carrychain.ring.machine.interpret import Fault, MachineInterpreter
from carrychain.ring.machine.regroup import regroup
from carrychain.ring.machine.text import Unreadable, parse_module, print_module
from draws import share
from ring_damages import damages

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "lisp").glob("*.lisp"))
DECISIONS = ROOT / "docs" / "decisions" / "ring-words.md"
DAMAGES = damages("ring_words_damages.txt")
# Emit is compared by running the machine code, so no damage to it may make it read what is not there, or go
# on for ever.
TO_WORDS, TO_TEXT = ([each for each in DAMAGES if (each.stage == "emit") is text] for text in (False, True))


@pytest.fixture
def short_strips(monkeypatch):
    """Loops that count go in strips of a few rounds."""
    monkeypatch.setattr(polls, "MOST", 64)
    monkeypatch.setattr(polls, "ROUND", 32)


def test_word_programs_do_what_the_ir_does(short_strips):
    ring_words.cases.cache_clear()
    cases = ring_words.cases()
    assert ring_words.difference(cases) is None
    used = {op for case in cases for cut in (True, False) for op in ring_words.ops(case.words(cut)[0])}
    # those are in functions for many inputs (test_ring_lanes.py)
    assert set(SHAPES) - used == set(verify.OF_LANES)
    # the passes have something to do
    assert {"bounds_run", "hide"} <= used


@pytest.mark.parametrize("damage", share("ring_words", TO_WORDS, 6), ids=str)
def test_damage_is_noticed(damage, short_strips):
    cases = ring_words.cases()
    with damage.done():
        assert ring_words.difference(cases) is not None


def test_machine_code_does_what_the_ir_does(nothing_kept):
    assert ring_words.difference(ring_words.machine_cases(), ring_words.of_machine_code) is None


@pytest.mark.parametrize("damage", share("ring_words, text", TO_TEXT, 6), ids=str)
def test_damaged_text_is_noticed(damage, nothing_kept):
    cases = ring_words.machine_cases()
    with damage.done():
        assert ring_words.difference(cases, ring_words.of_machine_code) is not None


def test_every_damage_is_in_the_docs():
    text = DECISIONS.read_text()
    assert [each for each in DAMAGES if f"| {each.stage} | {each.name} |" not in text] == []


def words_of(path: Path, cut: bool):
    module = lisp.module_of(lisp.text_of(str(path)), str(path))
    return lowered(module, plans(module, cut), calls=not cut)[:2]


@pytest.mark.parametrize("path", share("ring_words, read back", EXAMPLES, 3), ids=lambda path: path.stem)
def test_what_is_printed_is_read_back(path):
    for cut in (True, False):
        words, _ = words_of(path, cut)
        verify.verify_module(words)
        text = print_module(words)
        again = parse_module(text)
        verify.verify_module(again)
        assert print_module(again) == text


@pytest.mark.parametrize("name", ["md5", "sha1", "sha256"])
def test_digests(name):
    words, signatures = words_of(ROOT / "examples" / "lisp" / f"{name}.lisp", True)
    (entry,) = {"md5": ["md5"], "sha1": ["sha1"], "sha256": ["sha256"]}[name]
    for size in (0, 55, 56, 64, 119, 130):
        data = list(range(size))
        ((digest),) = MachineInterpreter(words, signatures).call(entry, data)
        assert bytes(digest) == hashlib.new(name, bytes(data)).digest()


def test_each_operation_is_emitted():
    assert set(EMITTED) | set(lanes.EMITTED) == set(SHAPES)


# Passes, by hand -------------------------------------------------------------------------------------

WHERE = "at ('index {operand} is out of bounds for an array of {length}', None, 'u64')"
LOADS = f"""
function @f(%1: array, %2: i32) -> (i8, i8) slots 0 {{
b0():
  %3: i64 = zext %2
  bounds %1, %3 with 1 {WHERE}
  %4: i8 = load %1, %3
  %5: i64 = add %3, i64 2 with 'u'
  bounds %1, %5 with 1 {WHERE}
  %6: i8 = load %1, %5
  return %4, %6
}}
"""
GATHERED = """
function @f(%1: array, %2: i32) -> (i8, i8) slots 0 {
b0():
  %3: i64 = zext %2
  %5: i64 = add %3, i64 2 with 'u'
  bounds_run %1, %2, %5 with ('u', 1, ((0, 1, SITE), (2, 1, SITE)))
  %4: i8 = load %1, %3
  %6: i8 = load %1, %5
  return %4, %6
}
""".replace("SITE", WHERE.removeprefix("at "))


def changed(text: str, *passes) -> str:
    module = parse_module(text)
    for function in module.functions.values():
        for each in passes:
            each(function)
    verify.verify_module(module)
    return print_module(module)


def test_checks_of_two_loads_are_one():
    assert changed(LOADS, gather).strip() == GATHERED.strip()


def test_a_root_may_be_a_constant():
    text = changed(LOADS.replace("zext %2", "zext i32 7"), gather)
    assert "bounds_run %1, i32 7, %5" in text
    assert "  bounds %1" not in text


@pytest.mark.parametrize(
    "old, new",
    [
        (" with 'u'", ""),
        (
            "add %3, i64 2",
            "add %3, i64 2 with 'u'\n  poll at ('interrupted', None, '')\n  %7: i64 = and %3, i64 1",
        ),
        ("zext %2", "zext %2\n  %8: array = new i64 9, i64 0, i64 0 with 8 slot 0 at ('', None, '')"),
    ],
    ids=["a sum that is not exact", "something seen between", "two arrays"],
)
def test_other_checks_stay_apart(old, new):
    text = LOADS.replace(old, new, 1).replace("with 'u' with 'u'", "with 'u'").replace("slots 0", "slots 1")
    if "%8" in new:
        text = text.replace("bounds %1, %5", "bounds %8, %5")
    assert changed(text, gather).strip() == text.strip()


SUM = """
function @f(%1: i32, %2: i32, %3: i32) -> (i32) slots 0 {
b0():
  %4: i32 = mul %1, %1
  %5: i32 = mul %4, %4
  %6: i32 = mul %5, %5
  %7: i32 = mul %6, %6
  %8: i32 = mul %7, %7
  %9: i32 = mul %8, %8
  %10: i32 = add %9, %2
  %11: i32 = add %10, i32 5
  %12: i32 = add %11, %3
  return %12
}
"""
REGROUPED = """
  %13: i32 = add %3, i32 5
  %14: i32 = add %2, %13
  %15: i32 = hide %14
  %12: i32 = add %9, %15
"""


def test_what_comes_last_is_added_last():
    first = SUM.index("  %10")
    assert (
        changed(SUM, regroup).strip()
        == (SUM[:first] + REGROUPED.lstrip("\n") + SUM[SUM.index("  return") :]).strip()
    )
    # what is known at once, what is used again
    for text in (SUM.replace("mul %8, %8", "add %2, %3"), SUM.replace("return %12", "return %11")):
        assert "hide" not in changed(text, regroup)


def test_of_a_table_a_constant_comes():
    """LLVM may know what is loaded; what comes before all else is no later for its index."""
    table = "array @t: i32 = 7 8 9 constant\n"
    loaded = "  %13: array = global with 't'\n  %14: i32 = load %13, i64 2\n  %11: i32 = add %10, %14\n"
    text = table + SUM.replace("  %11: i32 = add %10, i32 5\n", loaded)
    found = changed(text, regroup)
    assert "add %3, %14" in found or "add %14, %3" in found
    assert found.index("hide") < found.index("add %9, ")
    # of words alone nothing is moved
    assert "hide" not in changed(text.replace("load %13, i64 2", "mul %2, %3"), regroup)


# What no machine IR may ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, what",
    [
        ("%3: i32 = add %1, i64 1", "takes w w"),
        ("%3: i32 = zext %1", "not wider"),
        ("%3: i64 = trunc %1", "not narrower"),
        ("%3: i32 = add %1, %9", "%9 is not defined"),
        ("%3: i32 = frob %1", "no such operation"),
        ("%3: i32 = add %1, i32 4294967295", "too large"),
        ("%3: big = big_add %2, %2 at ('out of memory', None, '')", "no slot"),
        ("%3: big = big_add %2, %2 slot 0", "says that it fails"),
        ("refuse i1 0", "says that it fails"),
        ("keep %2 slot 7", "no slot"),
        ("%1: i32 = add %1, %1", "defined twice"),
        ("give %2, %2 with (0, 0)", "its own slot"),
        ("%3: i32 = call with 'g' at ('called',)", "no such function"),
        ("%3: array = global with 'g'", "no such array"),
    ],
)
def test_malformed(line, what):
    text = f"function @f(%1: i32, %2: big) -> () slots 1 {{\nb0():\n  {line}\n  return\n}}"
    with pytest.raises(verify.Malformed, match=what):
        verify.verify_module(parse_module(text))


@pytest.mark.parametrize(
    "lines, what",
    [
        ("%3: i32 = shl %1, i32 32", "the word's width or more"),
        ("%3: i32 = udiv %1, i32 0", "division by 0"),
        ("%3: i32 = sdiv i32 -2147483648, i32 -1", "overflows"),
        ("%3: i32 = add %1, i32 -1 with 'u'", "not exact"),
        ("%3: i1 = ult %1, %1\n  assume %3", "promise"),
        ("%3: i64 = of_small %2", "not"),
        ("%3: big = small i64 -9223372036854775808", "not"),
        ("%3: i8 = load %4, i64 3", "out of bounds"),
        ("%3: i64 = load %4, i64 0", "another type"),
        ("%3: big = big_add %2, %2 slot 0 at ('out of memory', None, '')\n"
         "  %5: big = big_add %2, %3 slot 0 at ('out of memory', None, '')\n"
         "  %6: i64 = low_word %3", "was freed"),
    ],
)  # fmt: skip
def test_faults(lines, what):
    passed = [Passed(unsigned(32), 32, False), Passed(INT), Passed(Array(unsigned(8)))]
    text = f"function @f(%1: i32, %2: big, %4: array) -> () slots 1 {{\nb0():\n  {lines}\n  return\n}}"
    module = parse_module(text)
    verify.verify_module(module)
    with pytest.raises(Fault, match=what):
        MachineInterpreter(module, {"f": MachineSignature(passed, [])}).call("f", 5, 1 << 70, [1, 2, 3])


def test_unreadable():
    for line in (
        "%1: i32",
        "%1: word = add i32 1, i32 1",
        "jump",
        "%1: i32 = add i32 1, i32 1 with (",
        "b(:",
    ):
        with pytest.raises(Unreadable, match="line 3"):
            parse_module(f"function @f() -> () slots 0 {{\nb0():\n{line}\n}}")


def test_an_empty_module():
    assert parse_module("").functions == MachineModule().functions
