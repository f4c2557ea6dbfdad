"""What the checkers of rewriting must not take for granted: promises, order, places, lists of others."""

from dataclasses import replace

import pytest
from carrychain.ring.facts.limbs import InLimbs
from carrychain.ring.facts.ranges import analyse
from carrychain.ring.ir.errors import CheckError, Trap
from carrychain.ring.ir.form import (
    INT,
    Block,
    Edge,
    Function,
    Instruction,
    IRError,
    Jump,
    Module,
    Position,
    Return,
    Value,
)
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.snapshot import Snapshot, snapshot
from carrychain.ring.ir.verify import verify_function
from carrychain.ring.trust.array_lengths import ArrayLengths
from carrychain.ring.trust.idiomatic import Idiomatic
from carrychain.ring.trust.in_limbs import WrittenInLimbs
from carrychain.ring.trust.peeled import Peeled
from carrychain.ring.trust.rewritten import Rewritten
from ring_rewritten import changed, rewritten


def outcome(function: Function, args: list) -> object:
    arrays = [list(arg) if isinstance(arg, list) else arg for arg in args]
    try:
        return Interpreter(Module({function.name: function})).call(function.name, *arrays), arrays
    except Trap as error:
        return str(error), error.position, error.position and error.position.callers, arrays


def refuse(shown: type, was: Snapshot, function: Function, args: list, *said: InLimbs) -> None:
    """The class does not show it; and the functions differ for these arguments, or one is none."""
    try:
        verify_function(function, Module())
    except IRError:
        pass
    else:
        assert outcome(function, args) != outcome(was.function, args)
    with pytest.raises(CheckError):
        shown(was, function, *analyse(was.function), *said).check()


# Promises, and where things stand -------------------------------------------------------------

PROMISED = """function @f -> (int) {
entry(%x: int, %n: u64, %c: bool, %a: array(u8)):
  %0: int = const 0
  %seven: int = const 7
  %one: int = add %x, %0
  branch %c, in(), out(%x)
in():
  %small: int = narrow u16 %x
  %p: int = assume u32 %x
  %s: int = and %p, %seven
  store %a, %0, %s
  jump out(%s)
out(%r: int):
  %t: int = add %r, %one
  return %t
}"""
SMALL, P, ONE = "  %small: int = narrow u16 %x\n", "  %p: int = assume u32 %x\n", "  %one: int = add %x, %0\n"
S = "  %s: int = and %p, %seven\n"
LONG = [1 << 40, 1, False, [0]]
# changes, and arguments for which they show
PROMISES = {
    "in a branch, now before it": ([(P, ""), (ONE, ONE + P)], LONG),
    "before what checks it": ([(SMALL + P, P + SMALL)], [1 << 40, 1, True, [0]]),
    "more than was promised": ([("assume u32 %x", "assume u8 %x")], [300, 1, True, [0]]),
    "what was computed": ([("add %x, %0", "assume u8 %x")], LONG),
    "something new": ([(ONE, ONE + "  %new: int = assume u8 %x\n")], LONG),
}
ORDER = {
    "an operand that is not computed yet": [(P, ""), (S, S + P)],
    "what a branch computes, behind it": [("add %r, %one", "add %r, %s")],
    "itself": [("add %x, %0", "add %one, %0")],
    "each other": [(ONE, "  %one: int = add %again, %0\n  %again: int = add %one, %0\n")],
    "in a block above": [(S, ""), (ONE, S + ONE)],
}


@pytest.mark.parametrize("shown", [Rewritten, Idiomatic, ArrayLengths])
@pytest.mark.parametrize(("changes", "args"), PROMISES.values(), ids=PROMISES)
def test_nothing_is_promised_that_was_not(shown, changes, args):
    refuse(shown, *rewritten(PROMISED, changed(PROMISED, *changes)), args)


def test_nothing_is_promised_where_limbs_are_written():
    after = changed(PROMISED, *PROMISES["something new"][0])
    refuse(WrittenInLimbs, *rewritten(PROMISED, after), LONG, InLimbs())


def test_a_check_is_no_promise():
    for wrong in (PROMISED.replace("narrow", "assume"), PROMISED.replace(SMALL, "").replace("u32", "u16")):
        for shown in (Rewritten, Idiomatic):
            was, function = rewritten(PROMISED, wrong)
            with pytest.raises(CheckError):
                shown(was, function, *analyse(was.function)).check()


@pytest.mark.parametrize("shown", [Rewritten, Idiomatic])
@pytest.mark.parametrize("changes", ORDER.values(), ids=ORDER)
def test_a_value_is_computed_before_it_is_used(shown, changes):
    refuse(shown, *rewritten(PROMISED, changed(PROMISED, *changes)), LONG)


GUARDED = """function @f -> (int) {
entry(%x: int, %y: int, %a: array(u8)):
  %early: int = sub %x, %y
  %c: bool = lt %y, %x
  branch %c, in(), out(%early)
in():
  %0: int = const 0
  %more: int = sub %x, %y
  %checked: int = narrow u8 %early
  store %a, %0, %checked
  jump out(%more)
out(%r: int):
  return %r
}"""


def test_what_is_known_of_a_value_behind_a_branch_is_not_used_above_it():
    # right by itself; but %more is known to be above 0, and the next pass would believe it of %early's users
    more, early = "  %more: int = sub %x, %y\n", "  %early: int = sub %x, %y\n"
    after = changed(
        GUARDED, (more, ""), (early, more), ("out(%early)", "out(%more)"), ("u8 %early", "u8 %more")
    )
    was, function = rewritten(GUARDED, after)
    assert analyse(was.function)[0][was.function.blocks[1].instructions[1].result].low is None
    with pytest.raises(CheckError):
        Rewritten(was, function, *analyse(was.function)).check()


# Places, truths, lists -------------------------------------------------------------------------

TRAPS = """function @f -> (int) {
entry(%x: int, %c: bool):
  %1: int = const 1
  %true: bool = const true
  %y: int = narrow u8 %x
  %z: int = fdiv %1, %y
  %w: int = select %true, %z, %1
  branch %c, out(), wrong()
wrong():
  trap "wrong"
out():
  return %w
}"""
HERE = Position("f", 1, 2)
CALLED = replace(HERE, callers=(Position("f", 8, 9),))
CALLED_TWICE = replace(HERE, callers=(Position("f", 9, 9), Position("f", 8, 9)))
RAN = {"narrow": [-1, True], "fdiv": [0, True], "trap": [1, False]}


def placed() -> tuple[Function, dict[str, object]]:
    (function,) = parse_module(TRAPS).functions.values()
    there = {i.op: i for i in function.instructions()} | {"trap": function.blocks[1].terminator}
    for op in RAN:
        there[op].position = CALLED
    return function, there


@pytest.mark.parametrize("shown", [Rewritten, Idiomatic, Peeled])
@pytest.mark.parametrize("position", [None, HERE, CALLED_TWICE, Position("f", 1, 3), Position("g", 1, 2)])
@pytest.mark.parametrize("op", RAN)
def test_a_trap_tells_the_same_place_and_calls(shown, op, position):
    function, there = placed()
    was = snapshot(function)
    there[op].position = position
    assert not was.is_still(function)
    refuse(shown, was, function, RAN[op])


@pytest.mark.parametrize("shown", [Rewritten, Idiomatic, Peeled])
def test_a_truth_is_no_number(shown):
    function, there = placed()
    was = snapshot(function)
    one, true = there["fdiv"].args[0], there["select"].args[0]
    there["select"].args[2] = true
    refuse(shown, was, function, [1, True])
    there["select"].args[2] = one
    assert was.is_still(function)
    (made,) = (i for i in function.instructions() if i.results == [true])
    made.attribute = 1
    refuse(shown, was, function, [1, True])


@pytest.mark.parametrize("shown", [Rewritten, Idiomatic, Peeled])
def test_what_two_instructions_yield_is_not_exchanged(shown):
    (function,) = parse_module("""function @f -> (int) {
entry(%x: int, %y: int):
  %a: int = add %x, %y
  %b: int = sub %x, %y
  return %a
}""").functions.values()
    was = snapshot(function)
    i, j = function.blocks[0].instructions
    # in the lists themselves
    i.results[0], j.results[0] = j.results[0], i.results[0]
    assert not was.is_still(function)
    refuse(shown, was, function, [1, 1])


def reverse(i: Instruction) -> None:
    # in the list itself
    i.args.reverse()


def rename(i: Instruction) -> None:
    i.results[0] = Value("other", INT)


DAMAGES = {
    "arguments": reverse,
    "results": rename,
    "operator": lambda i: setattr(i, "op", "sub"),
    "attribute": lambda i: setattr(i, "attribute", 1),
    "position": lambda i: setattr(i, "position", HERE),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_snapshot_shares_no_changed_instruction_with_the_last(damage):
    (function,) = parse_module("""function @f -> (int) {
entry(%x: int, %y: int):
  %a: int = add %x, %y
  %b: int = mul %a, %y
  return %b
}""").functions.values()
    was = snapshot(function)
    a = next(function.instructions())
    last = list(was.function.instructions())
    was.follow(function, was.still(function))
    assert list(was.function.instructions()) == last
    DAMAGES[damage](a)
    assert not was.is_still(function)
    was.follow(function, was.still(function))
    assert was.is_still(function)
    now = list(was.function.instructions())
    assert now[0] not in (a, last[0]) and now[1] is last[1]


APART = """function @f -> (int) {
entry(%x: int, %c: bool):
  %one: int = const 1
  branch %c, left(), right()
left():
  %a: int = add %x, %one
  jump last()
right():
  %two: int = const 2
  %b: int = add %x, %two
  return %b
last():
  %d: int = mul %a, %one
  return %d
}"""


@pytest.mark.parametrize("shown", [Rewritten, Idiomatic])
@pytest.mark.parametrize("to", [None, 2])
def test_what_an_unchanged_block_uses_is_still_defined_above_it(shown, to):
    (function,) = parse_module(APART).functions.values()
    was = snapshot(function)
    entry = function.blocks[0]
    one = entry.instructions.pop()
    if to is not None:
        function.blocks[to].instructions.insert(0, one)
    assert function.blocks[3] in was.still(function)
    refuse(shown, was, function, [3, True])


@pytest.mark.parametrize("shown", [Rewritten, Idiomatic])
@pytest.mark.parametrize("followed", [False, True])
def test_what_is_no_longer_in_an_unchanged_block_defines_nothing(shown, followed):
    (function,) = parse_module(APART).functions.values()
    was = snapshot(function)
    entry, _, right, _ = function.blocks
    one = entry.instructions[0]
    entry.instructions[0] = Instruction("const", [], list(one.results), 1)
    one.attribute = 2
    if followed:
        was.follow(function, was.still(function))
    right.instructions[1].args[1] = one.results[0]
    assert entry in was.still(function) and right not in was.still(function)
    refuse(shown, was, function, [3, False])


def test_dominators_are_not_those_of_other_edges():
    (function,) = parse_module(APART).functions.values()
    was = snapshot(function)
    _, left, right, last = function.blocks
    last.instructions[0].args.reverse()
    Rewritten(was, function, {}, {}).check()
    was.follow(function, was.still(function))
    assert was.tree.above(left, last)
    right.terminator = Jump(Edge(last))
    assert not was.leads_alike(function, was.still(function))
    was.follow(function, was.still(function))
    assert was.tree is None


def test_what_no_run_enters_defines_nothing_again():
    function, there = placed()
    was = snapshot(function)
    again = Instruction("const", [], list(there["narrow"].results), 7)
    function.blocks.append(Block("nowhere", [], [again], function.blocks[2].terminator))
    for shown in (Rewritten, Idiomatic, Peeled):
        refuse(shown, was, function, [1, True])


@pytest.mark.parametrize("shown", [Rewritten, Idiomatic])
def test_every_block_is_entered(shown):
    function, _ = placed()
    was = snapshot(function)
    function.blocks.append(Block("nowhere", [], [], Return([Value("nothing", INT)])))
    refuse(shown, was, function, [1, True])


def test_what_passes_on_is_in_the_function():
    function, _ = placed()
    was = snapshot(function)
    edge = function.blocks[0].terminator.then
    edge.block = Block("between", [], [], Jump(Edge(edge.block)))
    refuse(Peeled, was, function, [1, True])


# What others see -------------------------------------------------------------------------------

PASSED = """function @f -> (int) {
entry(%a: array(u8), %b: array(u8), %c: bool):
  %0: int = const 0
  %1: int = const 1
  branch %c, one(%a), one(%b)
one(%p: array(u8)):
  %d: bool = not %c
  branch %d, two(), out()
two():
  store %p, %0, %1
  jump out()
out():
  return %1
}"""


def test_what_is_passed_elsewhere_is_no_new_parameter():
    # %p is a parameter of another block now, and passed what is not shown to be %p
    after = changed(
        PASSED,
        ("branch %c, one(%a), one(%b)", "branch %c, one(), one()"),
        ("one(%p: array(u8))", "one()"),
        ("two(), out()", "two(%a), out()"),
        ("two():", "two(%p: array(u8)):"),
    )
    refuse(ArrayLengths, *rewritten(PASSED, after), [[0], [0], False])


@pytest.mark.parametrize("type_", ["int", "bool"])
def test_a_new_parameter_is_a_number_and_passed_numbers(type_):
    after = changed(
        PASSED,
        ("branch %c, one(%a), one(%b)", "branch %c, one(%a, %c), one(%b, %0)"),
        ("one(%p: array(u8))", f"one(%p: array(u8), %q: {type_})"),
    )
    refuse(ArrayLengths, *rewritten(PASSED, after), [])


LOOSE = """function @f -> (int) {
entry(%x: int[2147483648,4294967295], %n: int[1,31]):
  %k: int = const 32
  %less: int = sub %n, %k
  %up: int = shift %x, %n
  %down: int = shift %x, %less
  %j: int = ior %up, %down
  %p: int = assume int[4294967296,*] %j
  %r: int = low 32 %j
  return %r
}"""


def test_what_is_right_in_its_low_bits_keeps_no_promise():
    after = changed(LOOSE, ("ior %up, %down", "rotl 32 %x, %n"))
    refuse(Idiomatic, *rewritten(LOOSE, after), [1 << 31, 1])


LIMBS = """function @f -> (int) {
entry(%x: u128):
  jump next(%x)
next(%y: int):
  %w: int = low 64 %y
  return %w
}"""


def test_limbs_of_a_parameter_are_parameters():
    # the block is merged, so that nothing is passed that could be looked at
    after = """function @f -> (int) {
entry(%x: u128):
  %low: int = const 7
  %high: int = const 0
  return %low
}"""
    was, function = rewritten(LIMBS, after)
    low, high = (i.result for i in function.instructions())
    of = {value.name: value for value in was.function.values()}
    refuse(WrittenInLimbs, was, function, [9], InLimbs({of["y"]: [low, high]}, {of["w"]: low}))


CHOSEN = """function @f -> (int) {
entry(%c: bool, %x: u128):
  %0: int = const 0
  %1: int = const 1
  %w: int = select %c, %1, %0
  return %w
}"""


def test_a_truth_is_no_limb():
    was, function = rewritten(CHOSEN, changed(CHOSEN, ("return %w", "return %c")))
    of = {value.name: value for value in was.function.values()}
    refuse(WrittenInLimbs, was, function, [True, 1], InLimbs({}, {of["w"]: of["c"]}))
