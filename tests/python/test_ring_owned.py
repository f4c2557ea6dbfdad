"""Who owns what in machine IR: as lowering makes it it is shown, damaged it is refused."""

import re
import warnings

import carrychain
import pytest
from carrychain.ring.compile import plans
from carrychain.ring.ir import inline
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.lower.module import LoweredModule, lower
from carrychain.ring.machine.text import parse_module
from carrychain.ring.machine.verify import Malformed, verify_module
from carrychain.ring.machine.witness import Witness
from carrychain.ring.trust.owned import check_owned
from ring_cases import module_of
from ring_damages import damages

DAMAGES = damages("ring_owned_damages.txt")


@pytest.fixture(autouse=True)
def calls_stay(monkeypatch):
    monkeypatch.setattr(inline, "SMALL", -1)


def words_of(program: str, cut: bool) -> LoweredModule:
    module = module_of(program).copy()
    return lower(module, plans(module, cut), calls=not cut)


def refusals(found: LoweredModule) -> list[str]:
    messages = []
    for name, function in found.module.functions.items():
        try:
            check_owned(function, found.witnesses[name])
        except CheckError as error:
            messages.append(str(error))
    return messages


@pytest.mark.parametrize("program", dict.fromkeys(damage.program for damage in DAMAGES))
def test_what_lowering_makes_is_shown(program):
    assert [refusals(words_of(program, cut)) for cut in (True, False)] == [[], []]


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_a_damage_is_refused(damage):
    with damage.done():
        assert any(refusals(words_of(damage.program, cut)) for cut in (True, False))


# By hand -------------------------------------------------------------------------------------------

MEMORY = "at ('out of memory', None, '')"
LOOP = f"""
function @f(%1: big, %2: i1, %3: array) -> (big) slots 4 {{
b0():
  %4: big = big_add %1, %1 slot 0 {MEMORY}
  branch %2, b1, b2
b1():
  jump b3(%4)
b2():
  jump b3(%1)
b3(%5: big):
  jump b4(%5, big 7)
b4(%6: big, %7: big):
  %8: big = select %2, %6, %7
  %9: big = load %3, i64 0
  keep %9 slot 3
  branch %2, b5, b6
b5():
  give %8, %9 with (1, 2)
  jump b4(%8, %9)
b6():
  retain %8
  return %8
}}
"""
SLOTS = {6: 1, 7: 2}


def check_by_hand(text: str, slots: dict[int, int], doors: tuple[int, ...] = ()) -> None:
    module = parse_module(text)
    verify_module(module)
    (function,) = module.functions.values()
    params = {param.number: param for block in function.blocks for param in block.params}
    witness = Witness(slots={params[number]: slot for number, slot in slots.items()})
    witness.strips = {block: None for block in function.blocks if block.number in doors}
    check_owned(function, witness)


def test_forward_a_parameter_borrows():
    check_by_hand(LOOP, SLOTS)
    # where it may have a slot, too
    check_by_hand(LOOP.replace("slots 4", "slots 5"), SLOTS | {5: 4})
    given = LOOP.replace("  jump b3(%4)", "  give %4 with (4)\n  jump b3(%4)").replace("slots 4", "slots 5")
    check_by_hand(given.replace("(4)\n", "(4,)\n"), SLOTS | {5: 4})


@pytest.mark.parametrize(
    "old, new, what",
    [
        ("  give %8, %9 with (1, 2)\n", "", "no slot of %6 owns %8"),
        ("give %8, %9 with (1, 2)", "give %8 with (1,)", "no slot of %7 owns %9"),
        ("give %8, %9", "give %9, %8", "the slot of %6 is not given"),
        ("  jump b4(%5,", "  give %5 with (0,)\n  jump b4(%5,", "slot 0 is given an object"),
        ("  retain %8\n", "", "not every result is retained once"),
        ("  retain %8\n", "  retain %8\n  retain %8\n", "retain is misplaced"),
        ("  retain %8\n", "  retain %9\n", "not every result is retained once"),
        ("  retain %8\n", "  retain %8 with (1, 2)\n", None),
        ("  keep %9 slot 3\n", "", "no slot owns %9"),
        ("  keep %9 slot 3\n", "  store %3, i64 0, %1\n  keep %9 slot 3\n", "no slot owns %9"),
        ("keep %9 slot 3", "keep %9 slot 1", "slot 1 is already taken"),
        ("keep %9 slot 3", "own %9 slot 3", "no slot owns %9"),
        ("%1 slot 0", "%1 slot 2", "slot 2 is already taken"),
        ("  branch %2, b5, b6\n", "  keep %1 slot 3\n  branch %2, b5, b6\n", "keep is misplaced"),
        ("big 7)", "big 7)".replace("7", str(1 << 70)), None),
    ],
)
def test_by_hand(old, new, what):
    assert LOOP.count(old) == 1
    text = LOOP.replace(old, new)
    if what is None:
        check_by_hand(text, SLOTS)
        return
    with pytest.raises(CheckError, match=re.escape(what)):
        check_by_hand(text, SLOTS)


def test_results_are_taken_from_slots_that_exist():
    text = LOOP.replace("retain %8", "retain %8 with (4,)")
    with pytest.raises(Malformed, match="a slot that does not exist"):
        check_by_hand(text, SLOTS)
    (function,) = parse_module(text).functions.values()
    witness = Witness(slots={p: SLOTS[p.number] for b in function.blocks for p in b.params if p.number > 5})
    with pytest.raises(CheckError, match="a slot that does not exist"):
        check_owned(function, witness)


def test_slots_of_parameters_are_not_believed():
    for slots in ({6: 1}, {7: 2}, {6: 1, 7: 1}, {6: 0, 7: 2}, {6: 4, 7: 2}, {6: 2, 7: 1}):
        with pytest.raises(CheckError):
            check_by_hand(LOOP, slots)


def test_what_is_borrowed_is_not_passed_back():
    """%5 is what %9 was in the round before."""
    text = """
function @f(%1: i1, %3: array) -> (big) slots 1 {
b0():
  jump b1(big 7)
b1(%5: big):
  %9: big = load %3, i64 0
  keep %9 slot 0
  branch %1, b2, b3
b2():
  jump b4(%9)
b4(%6: big):
  jump b1(%6)
b3():
  retain %5
  return %5
}
"""
    with pytest.raises(CheckError, match="no slot of %5 owns %6"):
        check_by_hand(text, {})


@pytest.mark.parametrize(
    "given, what",
    [
        ("(1, 2)", None),
        ("((1, 0), 2)", None),
        ("((1, 0), (2, 1))", None),
        ("((1, 0, 2), (2, 1))", None),
        ("((1, 3), 2)", "slot 3, which is exchanged, is not filled again in the loop"),
        ("((1, 4), 2)", "slot 4, which is exchanged, is not filled again in the loop"),
        ("((1, 5), 2)", "slot 5, which is exchanged, belongs to a parameter that stays"),
    ],
)
def test_exchanges(given, what):
    """What is exchanged belongs to the loop, and to no parameter that stays as it is."""
    text = f"""
function @f(%1: big, %2: i1) -> (big) slots 7 {{
b0():
  %3: big = big_add %1, %1 slot 3 {MEMORY}
  jump b1(%3, %1, %1)
b1(%4: big, %5: big, %6: big):
  %7: big = big_add %4, %5 slot 0 {MEMORY}
  branch %2, b2, b3
b2():
  give %7, %4 with {given}
  jump b1(%7, %4, %6)
b3():
  %8: big = big_add %4, %6 slot 4 {MEMORY}
  retain %8
  return %8
}}
"""
    slots = {4: 1, 5: 2, 6: 5}
    if what is None:
        check_by_hand(text, slots)
        return
    with pytest.raises(CheckError, match=re.escape(what)):
        check_by_hand(text, slots)


# %5 is made where the late slots are open; %7 waits for the branch on whether it is small
LATE = f"""
function @f(%1: big, %2: i1, %3: array) -> (big) slots 5 late 3 {{
b0():
  branch %2, b1, b2
b1():
  jump b3(%1)
b2():
  open
  jump b4(%1)
b3(%4: big):
  %7: big = load %3, i64 0
  %8: i1 = is_small %7
  branch %8, b6, b7
b4(%6: big):
  %5: big = big_add %6, %6 slot 3 {MEMORY}
  branch %2, b5, b8
b5():
  give %5 with (0,)
  close
  jump b3(%5)
b6():
  branch %2, b9, b10
b7():
  open
  keep %7 slot 2
  give %7 with (4,)
  jump b4(%7)
b8():
  give %5 with (4,)
  jump b4(%5)
b9():
  retain %4 with (0,)
  return %4
b10():
  %9: big = big_add %4, %7 slot 1 {MEMORY}
  retain %9 with (1,)
  return %9
}}
"""
LATE_SLOTS = {4: 0, 6: 4}


@pytest.mark.parametrize(
    "old, new, what",
    [
        ("  open\n  jump b4(%1)", "  jump b4(%1)", "slot 4 is late, and used where it is closed"),
        ("  open\n  keep", "  keep", "slot 2 is late, and used where it is closed"),
        ("  close\n", "", "b3 is entered with late slots open and closed"),
        ("  open\n  keep", "  open\n  open\n  keep", "no slot owns %7"),
        ("  jump b4(%1)", "  open\n  jump b4(%1)", "late slots are opened twice"),
        ("  jump b3(%1)", "  close\n  jump b3(%1)", "late slots are closed twice"),
        ("  give %5 with (0,)\n", "", "%5 leans on a late slot, and is passed when that is closed"),
        ("  give %5 with (0,)\n  close\n", "  close\n  give %5 with (0,)\n", "close is misplaced"),
        ("  keep %7 slot 2\n", "", "no slot owns %7"),
        ("keep %7", "keep %1", "no slot owns %7"),
        ("keep %7", "own %7", "no slot owns %7"),
        ("branch %8, b6, b7", "branch %8, b7, b6", "no slot owns %7"),
        ("branch %8,", "branch %2,", "no slot owns %7"),
        ("is_small %7", "is_small %1", "no slot owns %7"),
        ("  %8: i1", "  store %3, i64 0, %1\n  %8: i1", "no slot owns %7"),
        ("  %8: i1", "  poll at ('interrupted', None, '')\n  %8: i1", "no slot owns %7"),
        ("branch %2, b9, b10", "branch %2, b9, b7", "no slot owns %7"),
        ("  keep %7", "  poll at ('interrupted', None, '')\n  keep %7", "no slot owns %7"),
        ("  give %7", "  poll at ('interrupted', None, '')\n  give %7", None),
        ("%7 slot 1", "%7 slot 2", "slot 2 is already taken"),
        ("retain %4 with (0,)", "retain %4 with (2,)", "slot 2 is late, and used where it is closed"),
        ("retain %9 with (1,)", "retain %9 with (4,)", "slot 4 is late, and used where it is closed"),
        ("slots 5 late 3", "slots 5 late 4", "slot 1 is late, and used where it is closed"),
        ("slots 5 late 3", "slots 5 late 2", None),
        ("%7 slot 1", "%7 slot 1".replace("%7", "%1"), None),
    ],
)
def test_late_slots(old, new, what):
    check_by_hand(LATE, LATE_SLOTS)
    assert LATE.count(old) == 1
    text = LATE.replace(old, new)
    if what is None:
        check_by_hand(text, LATE_SLOTS)
        return
    with pytest.raises(CheckError, match=re.escape(what)):
        check_by_hand(text, LATE_SLOTS)


def test_nothing_leans_on_a_slot_that_was_closed():
    text = f"""
function @f(%1: big, %2: i1) -> (big) slots 2 late 1 {{
b0():
  open
  jump b1()
b1():
  %3: big = big_add %1, %1 slot 1 {MEMORY}
  close
  jump b2()
b2():
  %4: big = big_add %1, %1 slot 0 {MEMORY}
  retain %4
  return %4
}}
"""
    check_by_hand(text, {})
    # nor once the slots have been opened again
    again = text.replace("b2():\n", "b2():\n  open\n  jump b3()\nb3():\n")
    check_by_hand(again, {})
    for each in (text, again):
        for by in ("%3, %1", "%1, %3"):
            with pytest.raises(CheckError, match="%3 is used after its slot is closed"):
                check_by_hand(each.replace("%1, %1 slot 0", f"{by} slot 0"), {})
    # a parameter that borrows it, and what is selected from it
    borrowed = text.replace("b1():\n", "b1():\n  jump b4(%1)\nb4(%9: big):\n")
    check_by_hand(borrowed, {})
    chosen = f"  %3: big = big_add %1, %1 slot 1 {MEMORY}\n"
    for after in ("  %5: big = select %2, %1, %3\n", "  jump b5(%3)\nb5(%5: big):\n"):
        made = text.replace(chosen, chosen + after)
        check_by_hand(made, {})
        with pytest.raises(CheckError, match="%5 is used after its slot is closed"):
            check_by_hand(made.replace("%1, %1 slot 0", "%1, %5 slot 0"), {})


def test_what_waits_has_an_owner_before_a_poll():
    def f(n: int, key: bytes) -> int:
        w = [x for x in key]
        w.reverse()
        t = [w[0]]
        for i in range(8):
            x, y = w[i + 1], t[i]
            x = ((x << n - 8 | x >> 8) & (1 << n) - 1) + y
            x = x % (1 << n) ^ i
            w.append(x)
            t.append((y << 3 | y >> n - 3) & (1 << n) - 1 ^ x)
        return t[-1]

    compiled = carrychain.jit(f)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Refused)
        assert compiled(64, bytes(range(96))) == f(64, bytes(range(96)))


STRIP = """
function @f(%1: big, %2: i1) -> (big) slots 1 {
b0():
  jump b1(%1)
b1(%3: big):
  jump b2(%3)
b2(%4: big):
  %5: big = select %2, %4, big 5
  branch %2, b3, b4
b3():
  give %5 with (0,)
  jump b2(%5)
b4():
  branch %2, b5, b6
b5():
  jump b1(%4)
b6():
  retain %5
  return %5
}
"""


def test_where_strips_begin():
    check_by_hand(STRIP, {3: 0, 4: 0}, doors=(1,))
    for old, new in (
        ("select %2, %4", "select %2, %3"),
        ("give %5", "give %4"),
        ("jump b2(%3)", "jump b2(%1)"),
    ):
        with pytest.raises(CheckError):
            check_by_hand(STRIP.replace(old, new), {3: 0, 4: 0}, doors=(1,))
    for slots, doors in (({3: 0, 4: 0}, ()), ({4: 0}, (1,)), ({3: 0}, (1,)), ({4: 0}, ())):
        with pytest.raises(CheckError):
            check_by_hand(STRIP, slots, doors)
