"""What is made of arrays is shown to be what they were, or refused: scalars, lengths beside them, words."""

import re
from pathlib import Path

import pytest
from carrychain.ring.facts.ranges import analyse
from carrychain.ring.ir.errors import CheckError
from carrychain.ring.ir.form import Function, Position
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.snapshot import snapshot
from carrychain.ring.rewrite.lengths import asked_again, lengths
from carrychain.ring.rewrite.scalars import scalars
from carrychain.ring.trust.array_lengths import ArrayLengths
from carrychain.ring.trust.narrow_elements import check_elements
from carrychain.ring.trust.rewrites import SHOWN, check_rewritten
from carrychain.ring.trust.scalar_arrays import ScalarArrays
from ring_rewritten import changed, check, refused, rewritten

CASES = Path(__file__).parents[1] / "ring"
PASSES = {
    "scalars": (scalars, ScalarArrays),
    "lengths": (lengths, ArrayLengths),
    "asked": (asked_again, ArrayLengths),
}


def written(file: str) -> list[str]:
    return [
        case.partition("\n")[2].partition("; becomes\n")[0]
        for case in (CASES / file).read_text().split("; case ")[1:]
    ]


@pytest.mark.parametrize("name", PASSES)
def test_what_the_pass_makes_of_its_cases_is_shown(name):
    run, shown = PASSES[name]
    for text in written(f"{name}.ir"):
        for function in parse_module(text).functions.values():
            before = snapshot(function)
            run(function)
            shown(before, function, {}, {}).check()


# Scalars ---------------------------------------------------------------------------------------

ARRAY = """function @f -> (int, int) {
entry(%x: s64, %y: s64, %c: bool):
  %0: int = const 0
  %1: int = const 1
  %2: int = const 2
  %3: int = const 3
  jump home(%x)
home(%k: int):
  %a: array(u8) = new array(u8) %2, %1
  %old: int = load %a, %1
  store %a, %0, %k
  %now: int = load %a, %0
  %z: int = fdiv %now, %y
  store %a, %1, %y
  branch %c, home(%z), out()
out():
  %p: int = load %a, %0
  %q: int = load %a, %1
  %n: int = len %a
  %r: int = add %p, %q
  %s: int = add %r, %n
  %t: int = add %s, %old
  return %t, %now
}"""
SCALARS = """function @f -> (int, int) {
entry(%x: s64, %y: s64, %c: bool):
  %0: int = const 0
  %1: int = const 1
  %2: int = const 2
  %3: int = const 3
  jump home(%x)
home(%k: int):
  %1e: int = narrow u8 %1
  %ke: int = narrow u8 %k
  %z: int = fdiv %ke, %y
  %ye: int = narrow u8 %y
  branch %c, home(%z), out()
out():
  %n: int = const 2
  %r: int = add %ke, %ye
  %s: int = add %r, %n
  %t: int = add %s, %1e
  return %t, %ke
}"""


def test_what_an_array_held_takes_its_place():
    check(ScalarArrays, ARRAY, SCALARS)


DIV = "  %z: int = fdiv %ke, %y\n"
KE = "  %ke: int = narrow u8 %k\n"
YE = "  %ye: int = narrow u8 %y\n"
WRONG = {
    "the element before": ("add %ke, %ye", "add %1e, %ye"),
    "another element": ("add %ke, %ye", "add %ke, %ke"),
    "what was there before the store": ("return %t, %ke", "return %t, %1e"),
    "what is there after the next store": ("add %s, %1e", "add %s, %ye"),
    "the next round's value": ("add %ke, %ye", "add %z, %ye"),
    "a longer array": ("%n: int = const 2", "%n: int = const 3"),
    "a shorter array": ("%n: int = const 2", "%n: int = const 1"),
    "what was stored is not held against the type": (KE, "  %ke: int = add %k, %0\n"),
    "nor is what the array was filled with": (
        "%1e: int = narrow u8 %1",
        "%1e: int = const 1",
    ),
    "a wider type": (KE, KE.replace("u8", "u16")),
    "a narrower type": (KE, KE.replace("u8", "int[0,254]")),
    "a type with a sign": (KE, KE.replace("u8", "s8")),
    "another value is held against it": (KE, KE.replace("u8 %k", "u8 %y")),
    "it is held against it twice": (KE, KE + KE.replace("ke", "ke2")),
    "it is held against it after what may fail otherwise": (
        KE + DIV,
        DIV.replace("ke", "k") + KE,
    ),
    "it is held against it before what may fail otherwise": (DIV + YE, YE + DIV),
    "it is held against it in the next block": (
        YE + "  branch %c, home(%z), out()\nout():\n",
        "  branch %c, home(%z), out()\nout():\n" + YE,
    ),
    "two checks change places": (KE + DIV + YE, YE + DIV.replace("ke", "k") + KE),
}


@pytest.mark.parametrize("name", WRONG)
def test_other_values_are_refused(name):
    old, new = WRONG[name]
    assert SCALARS.count(old) == 1
    with pytest.raises(CheckError):
        check(ScalarArrays, ARRAY, SCALARS.replace(old, new))


# what the array was made or used for, so that no values stand for it
ESCAPES = {
    "it is filled in a later block": ("out():\n", "out():\n  store %a, %1, %x\n"),
    "an element outside is read": ("%q: int = load %a, %1", "%q: int = load %a, %2"),
    "an element below is read": ("%q: int = load %a, %1", "%m: int = const -1\n  %q: int = load %a, %m"),
    "an element outside is stored": ("store %a, %1, %y", "store %a, %2, %y"),
    "it is read at an index that is not known": ("%q: int = load %a, %1", "%q: int = load %a, %x"),
    "it is filled at an index that is not known": ("store %a, %0, %k", "store %a, %x, %k"),
    "it has as many elements as an argument says": ("new array(u8) %2, %1", "new array(u8) %x, %1"),
    "it may not be made": ("new array(u8) %2, %1", "new array(u8) %less, %1"),
    "it is chosen": ("out():\n", "out():\n  %b: array(u8) = select %c, %a, %a\n  store %b, %0, %x\n"),
    "it is passed to a function": ("out():\n", "out():\n  call @g %a\n"),
    "it is passed to a block": ("branch %c, home(%z), out()", "branch %c, home(%z), other(%a)"),
}


@pytest.mark.parametrize("name", ESCAPES)
def test_an_array_that_others_see_does_not_go(name):
    old, new = ESCAPES[name]
    assert ARRAY.count(old) == 1
    rest = "\nother(%b: array(u8)):\n  store %b, %0, %x\n  jump out()\n}" if "other" in new else "\n}"
    before = ARRAY.replace("%3: int = const 3", "%3: int = const 3\n  %less: int = const -1").replace(
        old, new
    )
    before = before.rstrip("}\n") + rest
    with pytest.raises(CheckError):
        check(ScalarArrays, before, SCALARS)


def positioned(function: Function, of: dict[str, int]) -> None:
    for i in function.instructions():
        line = next((line for start, line in of.items() if str(i).startswith(start)), None)
        i.position = Position("f.lisp", line, 1) if line else None


@pytest.mark.parametrize("line", [2, 3])
def test_a_check_fails_where_the_store_did(line):
    was, after = rewritten(ARRAY, SCALARS)
    positioned(was.function, {"store %a, %0": 2})
    positioned(after, {"%ke": line})
    shown = ScalarArrays(was, after, *analyse(was.function))
    if line == 2:
        shown.check()
    else:
        with pytest.raises(CheckError):
            shown.check()


# Lengths ---------------------------------------------------------------------------------------

LIST = """function @f -> (int, int) {
entry(%n: s64, %m: s64, %given: array(u8)):
  %0: int = const 0
  %1: int = const 1
  %a: array(u8) = new array(u8) %n, %0
  %b: array(u8) = new array(u8) %m, %0
  jump loop(%0, %a, %b)
loop(%i: int, %now: array(u8), %other: array(u8)):
  %room: int = len %now
  %more: bool = lt %i, %room
  branch %more, body(), done()
body():
  %i1: int = add %i, %1
  %odd: int = low 1 %i
  %is: bool = eq %odd, %1
  branch %is, larger(), on(%now)
larger():
  %twice: int = add %room, %room
  %c: array(u8) = new array(u8) %twice, %1
  branch %is, on(%c), on(%given)
on(%next: array(u8)):
  jump loop(%i1, %next, %now)
done():
  %long: int = len %a
  %rest: int = len %other
  %sum: int = add %long, %rest
  return %sum, %room
}"""
PASSED = """function @f -> (int, int) {
entry(%n: s64, %m: s64, %given: array(u8)):
  %0: int = const 0
  %1: int = const 1
  %a: array(u8) = new array(u8) %n, %0
  %al: int = assume int[0,72057594037927935] %n
  %b: array(u8) = new array(u8) %m, %0
  %bl: int = assume int[0,72057594037927935] %m
  jump loop(%0, %a, %b, %al, %bl)
loop(%i: int, %now: array(u8), %other: array(u8), %nowl: int, %otherl: int):
  %more: bool = lt %i, %nowl
  branch %more, body(), done()
body():
  %i1: int = add %i, %1
  %odd: int = low 1 %i
  %is: bool = eq %odd, %1
  branch %is, larger(), on(%now, %nowl)
larger():
  %twice: int = add %nowl, %nowl
  %c: array(u8) = new array(u8) %twice, %1
  %cl: int = assume int[0,72057594037927935] %twice
  %gl: int = len %given
  branch %is, on(%c, %cl), on(%given, %gl)
on(%next: array(u8), %nextl: int):
  jump loop(%i1, %next, %now, %nextl, %nowl)
done():
  %sum: int = add %al, %otherl
  return %sum, %nowl
}"""


def test_lengths_beside_arrays_are_shown():
    check(ArrayLengths, LIST, PASSED)


WRONG_LENGTHS = {
    "another array's, at first": ("%b, %al, %bl)", "%b, %bl, %bl)"),
    "another array's, in a later round": ("%now, %nextl, %nowl)", "%now, %nextl, %nextl)"),
    "what it was before": ("on(%now, %nowl)", "on(%now, %i)"),
    "another's that is as long at first": ("on(%now, %nowl)", "on(%now, %al)"),
    "that of a new array, of another one": ("on(%given, %gl)", "on(%given, %cl)"),
    "that of one that was given, of another one": ("%gl: int = len %given", "%gl: int = len %now"),
    "what a new array is filled with": (
        "%cl: int = assume int[0,72057594037927935] %twice",
        "%cl: int = assume int[0,72057594037927935] %1",
    ),
    "that of an array before it grew": ("new array(u8) %twice, %1", "new array(u8) %nowl, %1"),
    "another array's, behind the loop": ("return %sum, %nowl", "return %sum, %otherl"),
    "one of which only the loop knows": ("add %al, %otherl", "add %al, %nowl"),
    "a length for the first array of another round": ("add %al, %otherl", "add %nowl, %otherl"),
    "a promise that is not kept": (
        "%al: int = assume int[0,72057594037927935] %n",
        "%al: int = assume int[0,255] %n",
    ),
    "a promise that the number is not 0": (
        "%al: int = assume int[0,72057594037927935] %n",
        "%al: int = assume int[1,72057594037927935] %n",
    ),
    "a promise about another number": (
        "%i1: int = add %i, %1",
        "%u: int = assume int[0,72057594037927935] %i\n  %i1: int = add %i, %1",
    ),
    "a promise before the array is made": (
        "  %a: array(u8) = new array(u8) %n, %0\n  %al: int = assume int[0,72057594037927935] %n\n",
        "  %al: int = assume int[0,72057594037927935] %n\n  %a: array(u8) = new array(u8) %n, %0\n",
    ),
    "none": ("on(%now, %nowl)", "on(%now)"),
    "none at the end": ("return %sum, %nowl", "return %sum"),
    "a value of no use": ("%sum: int", "%v: int = mul %n, %n\n  %sum: int"),
}


@pytest.mark.parametrize("name", WRONG_LENGTHS)
def test_other_lengths_are_refused(name):
    old, new = WRONG_LENGTHS[name]
    assert PASSED.count(old) == 1
    with pytest.raises(CheckError):
        check(ArrayLengths, LIST, PASSED.replace(old, new))


BESIDE = """function @f -> (int) {
entry(%n: s64, %m: s64, %given: array(u8)):
  %0: int = const 0
  %1: int = const 1
  %g: int = len %given
  %a: array(u8) = new array(u8) %n, %0
  jump loop(%0, %a, %n)
loop(%i: int, %now: array(u8), %long: int):
  %more: bool = lt %i, %long
  branch %more, body(), done()
body():
  %i1: int = add %i, %1
  %is: bool = lt %i, %m
  branch %is, larger(), on(%now, %long)
larger():
  %twice: int = add %long, %long
  %b: array(u8) = new array(u8) %twice, %1
  branch %is, on(%b, %twice), on(%given, %g)
on(%next: array(u8), %nlong: int):
  jump loop(%i1, %next, %nlong)
done():
  return %long
}"""
ASKED = """function @f -> (int) {
entry(%n: s64, %m: s64, %given: array(u8)):
  %0: int = const 0
  %1: int = const 1
  %g: int = len %given
  %a: array(u8) = new array(u8) %n, %0
  jump loop(%0, %a)
loop(%i: int, %now: array(u8)):
  %long: int = len %now
  %more: bool = lt %i, %long
  branch %more, body(), done()
body():
  %i1: int = add %i, %1
  %is: bool = lt %i, %m
  branch %is, larger(), on(%now)
larger():
  %twice: int = add %long, %long
  %b: array(u8) = new array(u8) %twice, %1
  branch %is, on(%b), on(%given)
on(%next: array(u8)):
  %nlong: int = len %next
  jump loop(%i1, %next)
done():
  return %long
}"""


def test_an_array_is_asked_for_what_was_passed():
    check(ArrayLengths, BESIDE, ASKED)


# what was passed instead, so that no array says it
NO_LENGTHS = {
    "another number at first": ("jump loop(%0, %a, %n)", "jump loop(%0, %a, %m)"),
    "a constant": ("jump loop(%0, %a, %n)", "jump loop(%0, %a, %1)"),
    "another array's": ("on(%given, %g)", "on(%given, %twice)"),
    "a new array's, of one that was given": ("on(%b, %twice)", "on(%b, %g)"),
    "that of the round before": ("jump loop(%i1, %next, %nlong)", "jump loop(%i1, %next, %long)"),
    "what counts the rounds": ("on(%now, %long)", "on(%now, %i)"),
    "one more": ("on(%now, %long)", "on(%now, %i1)"),
    "the array of the round before": ("jump loop(%i1, %next, %nlong)", "jump loop(%i1, %now, %nlong)"),
    "what the array is filled with": ("new array(u8) %n, %0", "new array(u8) %m, %n"),
    "an array that is twice as long": ("new array(u8) %twice, %1", "new array(u8) %long, %1"),
}


@pytest.mark.parametrize("name", NO_LENGTHS)
def test_an_array_is_not_asked_for_another_number(name):
    old, new = NO_LENGTHS[name]
    assert BESIDE.count(old) == 1
    passes = {old.replace(", %long)", ")").replace(", %nlong)", ")"): new.rpartition(",")[0] + ")"}
    after = ASKED.replace(old, new) if "new array" in old else ASKED
    for was, now in passes.items():
        after = after.replace(was, now) if "%now, %nlong" in new else after
    with pytest.raises(CheckError):
        check(ArrayLengths, BESIDE.replace(old, new), after)


def test_the_entry_is_given_no_length():
    before = """function @f -> (int) {
entry(%a: array(u8), %n: s64):
  jump on(%n)
on(%m: int):
  return %m
}"""
    after = before.replace("on(%n)", "on()").replace("on(%m: int):", "on():\n  %m: int = len %a")
    with pytest.raises(CheckError):
        check(ArrayLengths, before, after)


# Narrow elements ---------------------------------------------------------------------------------

WIDE = """array @t: array(int) = 1 2
function @f -> (int, array(int)) {
entry(%x: u8, %c: bool, %given: array(int), %small: array(u8)):
  %0: int = const 0
  %4: int = const 4
  %a: array(int) = new array(int) %4, %0
  %b: array(int) = new array(int) %4, %4
  %e: array(int) = new array(int) %4, %0
  %g: array(int) = global @t
  %h: array(int) = call @h %given, %e
  store %a, %0, %x
  store %given, %0, %x
  branch %c, on(%a, %given), other()
other():
  store %b, %0, %4
  %s: array(int) = select %c, %a, %b
  jump on(%s, %h)
on(%p: array(int), %q: array(int)):
  %y: int = load %p, %0
  %z: int = load %q, %0
  %n: int = len %p
  %r: int = add %y, %z
  return %r, %e
}
function @h -> (array(int)) {
entry(%given: array(int), %e: array(int)):
  return %given
}"""
WIDTHS = dict.fromkeys(("a", "b", "s", "p"), "array(u8)")


def with_types(types: dict[str, str]) -> str:
    text = WIDE
    for name, type_ in types.items():
        text = re.sub(rf"%{name}: (array\(\w+\)|\w+)", f"%{name}: {type_}", text, count=1)
        text = re.sub(rf"(%{name}: .* new) array\(int\)", rf"\1 {type_}", text, count=1)
    return text


def test_arrays_that_stay_within_have_words_for_elements():
    was, after = rewritten(WIDE, with_types(WIDTHS))
    check_rewritten("narrow elements", was, after, {}, {})
    assert {value.name for value in was.retyped()} == {*WIDTHS}
    assert not was.is_still(after)


OTHER_TYPES = {
    "an array that is given": {"given": "array(u8)", "q": "array(u8)", "h": "array(u8)"},
    "an array that is given, alone": {"given": "array(u8)"},
    "an array that is passed to a function, and returned": {"e": "array(u8)"},
    "an array that a function returns": {"h": "array(u8)", "q": "array(u8)"},
    "a global array": {"g": "array(u8)"},
    "an array that is passed on": {"a": "array(u8)", "b": "array(u8)", "s": "array(u8)"},
    "an array that others are passed for": {"p": "array(u8)"},
    "one of two that are chosen from": {"a": "array(u8)", "s": "array(u8)", "p": "array(u8)"},
    "what is chosen": {"s": "array(u8)", "p": "array(u8)"},
    "each with another type": {**WIDTHS, "b": "array(u16)"},
    "with a type without an end": dict.fromkeys(WIDTHS, "array(int[0,*])"),
    "as characters": dict.fromkeys(WIDTHS, "text(u8)"),
    "an array that had a type": {"small": "array(u16)"},
    "a number that is given": {"x": "int[0,3]"},
}


@pytest.mark.parametrize("name", OTHER_TYPES)
def test_other_types_are_refused(name):
    was, after = rewritten(WIDE, with_types(OTHER_TYPES[name]))
    with pytest.raises(CheckError):
        check_rewritten("narrow elements", was, after, {}, {})


@pytest.mark.parametrize("what", ["%0, %0", "%4, %4"])
def test_another_array_is_refused(what):
    text = with_types(WIDTHS)
    made = "%a: array(u8) = new array(u8) %4, %0"
    assert text.count(made) == 1
    was, after = rewritten(WIDE, text.replace(made, f"%a: array(u8) = new array(u8) {what}"))
    with pytest.raises(CheckError):
        check_rewritten("narrow elements", was, after, {}, {})


def test_what_is_made_is_of_the_type_that_it_has():
    was, after = rewritten(WIDE, with_types(WIDTHS))
    (made,) = [i for i in after.instructions() if i.op == "new" and i.result.name == "a"]
    made.attribute = next(value.type for value in after.values() if value.name == "e")
    with pytest.raises(CheckError):
        check_rewritten("narrow elements", was, after, {}, {})


@pytest.mark.parametrize("name", [name for name in SHOWN if name != "narrow elements"])
def test_only_one_pass_changes_types(name):
    was, after = rewritten(WIDE, with_types(WIDTHS))
    with pytest.raises(CheckError):
        check_rewritten(name, was, after, {}, {})


@pytest.mark.parametrize(
    ("type_", "fits"),
    [
        ("u8", True),
        ("int[0,255]", True),
        ("int[0,254]", False),
        ("int[1,255]", False),
        ("s8", False),
        ("u16", True),
    ],
)
def test_what_is_stored_fits_or_is_refused(type_, fits):
    was, after = rewritten(WIDE, with_types(dict.fromkeys(WIDTHS, f"array({type_})")))
    ranges, _ = analyse(after)
    if fits:
        check_elements(after, was.retyped(), ranges)
    else:
        with pytest.raises(CheckError):
            check_elements(after, was.retyped(), ranges)


def test_what_may_be_any_number_does_not_fit():
    text = WIDE.replace("%x: u8", "%x: int")
    was, after = rewritten(text, with_types(WIDTHS).replace("%x: u8", "%x: int"))
    with pytest.raises(CheckError):
        check_elements(after, was.retyped(), analyse(after)[0])


def test_a_store_behind_one_to_an_array_that_is_gone():
    before = """function @f -> (int) {
entry(%a: array(int), %x: int):
  %0: int = const 0
  %1: int = const 1
  %two: array(int) = new array(int) %1, %0
  store %two, %0, %x
  store %a, %0, %x
  %y: int = load %two, %0
  return %y
}"""
    gone = [
        ("  %two: array(int) = new array(int) %1, %0\n", ""),
        ("  store %two, %0, %x\n", ""),
        ("  %y: int = load %two, %0\n", ""),
        ("return %y", "return %x"),
    ]
    check(ScalarArrays, before, changed(before, *gone))
    refused(ScalarArrays, before, changed(before, *gone, ("  store %a, %0, %x\n", "")))
    refused(ScalarArrays, before, changed(before, *gone, ("store %a, %0, %x", "store %a, %1, %x")))
