"""What simplify, decide, idioms and parts make of a function is shown; what they must not make is refused."""

from dataclasses import replace

import pytest
from carrychain.ring.facts.ranges import analyse
from carrychain.ring.ir.errors import CheckError
from carrychain.ring.ir.form import INT, Function, Position, print_function, unsigned
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.snapshot import snapshot
from carrychain.ring.trust.idiomatic import Idiomatic
from carrychain.ring.trust.inlined import Callees, check_inlined
from carrychain.ring.trust.rewrites import SHOWN, check_rewritten
from carrychain.ring.trust.rewritten import Rewritten
from ring_rewritten import CLAIMED, changed, check, refused, rewritten

# Simplified -----------------------------------------------------------------------------------

FUNCTION = """function @f -> (int) {
entry(%n: int[1,900], %m: int, %a: array(u8), %u: u8):
  %zero: int = const 0
  %one: int = const 1
  %five: int = const 5
  %ok: int = narrow int[0,1000] %n
  %bad: int = narrow u8 %m
  %big: int = add %u, %five
  %less: bool = lt %u, %n
  %sure: bool = lt %zero, %big
  %chosen: int = select %sure, %u, %m
  %quotient: int = fdiv %m, %n
  %other: int = fdiv %m, %u
  jump next(%ok, %m)
next(%p: int, %q: int):
  %unused: int = mul %p, %q
  branch %sure, head(%q, %p), dead()
dead():
  trap "not so"
head(%k: int, %same: int):
  %kept: int = add %k, %same
  store %a, %zero, %u
  %again: bool = lt %kept, %m
  branch %again, round(), out(%k)
round():
  %more: int = add %k, %one
  jump head(%more, %same)
out(%r: int):
  %sum: int = add %r, %chosen
  return %sum
}"""

CHECK = "  %ok: int = narrow int[0,1000] %n\n"
NARROW = "  %bad: int = narrow u8 %m\n"
NEXT = """  jump next(%ok, %m)
next(%p: int, %q: int):
  %unused: int = mul %p, %q
"""
BRANCH = '  branch %sure, head(%q, %p), dead()\ndead():\n  trap "not so"\n'
JUMP = "  jump head(%q, %p)\n"
# each by the changes that make it
SIMPLER = {
    "nothing": [],
    "a check that cannot fail": [(CHECK, ""), ("next(%ok, %m)", "next(%n, %m)")],
    "what no one uses": [("  %unused: int = mul %p, %q\n", "")],
    "a quotient that no one uses": [("  %quotient: int = fdiv %m, %n\n", "")],
    "a decided branch": [(BRANCH, JUMP)],
    "a decided select": [("add %r, %chosen", "add %r, %u")],
    "a constant": [("%sure: bool = lt %zero, %big", "%sure: bool = const true")],
    "a block that is merged": [
        (NEXT, ""),
        ("head(%q, %p), dead()", "head(%m, %ok), dead()"),
    ],
    "a parameter that is always the same": [
        ("head(%k: int, %same: int)", "head(%k: int)"),
        ("branch %sure, head(%q, %p), dead()", "branch %sure, head(%q), dead()"),
        ("jump head(%more, %same)", "jump head(%more)"),
        ("add %k, %same", "add %k, %p"),
    ],
    "the sides of a sum": [("add %k, %same", "add %same, %k")],
    "what is never done": [('trap "not so"', 'trap "so"')],
    "what is never done, and led to in a loop": [('trap "not so"', "jump dead()")],
    "what is never computed": [('trap "not so"', "%e: int = const 5\n  jump head(%e, %m)")],
}
# what must not be made of it
WRONG = {
    "a check that may fail": [(NARROW, "")],
    "a check of another type": [(NARROW, "  %bad: int = narrow u32 %m\n")],
    "a check of another value": [(NARROW, "  %bad: int = narrow u8 %n\n")],
    "a quotient that may trap": [("  %other: int = fdiv %m, %u\n", "")],
    "quotients in the other order": [
        ("  %quotient: int = fdiv %m, %n\n  %other: int = fdiv %m, %u\n",
         "  %other: int = fdiv %m, %u\n  %quotient: int = fdiv %m, %n\n"),
        (NARROW, ""),
    ],
    "a check behind a division": [
        (NARROW, ""),
        ("  %other: int = fdiv %m, %u\n", "  %other: int = fdiv %m, %u\n" + NARROW),
    ],
    "a store": [("  store %a, %zero, %u\n", "")],
    "a store of something else": [("store %a, %zero, %u", "store %a, %zero, %one")],
    "a store elsewhere": [("store %a, %zero, %u", "store %a, %one, %u")],
    "a branch that is not decided": [("branch %again, round(), out(%k)", "jump out(%k)")],
    "a decided branch the other way": [(BRANCH, "  jump dead()\ndead():\n  trap \"not so\"\n")],
    "another constant": [("%sure: bool = lt %zero, %big", "%sure: bool = const false")],
    "a number for a truth": [("%one: int = const 1", "%one: int = const 2")],
    "a decided select's other side": [("add %r, %chosen", "add %r, %m")],
    "a comparison that is not decided": [("%less: bool = lt %u, %n", "%less: bool = const true"),
                                         ("branch %again", "branch %less")],
    "the ways of a branch": [("branch %again, round(), out(%k)", "branch %again, out(%k), round()")],
    "another condition": [("branch %again,", "branch %less,")],
    "a parameter that is not always the same": [
        ("head(%k: int, %same: int)", "head(%same: int)"),
        ("branch %sure, head(%q, %p), dead()", "branch %sure, head(%p), dead()"),
        ("jump head(%more, %same)", "jump head(%same)"),
        ("add %k, %same", "add %q, %same"),
        ("out(%k)", "out(%q)"),
        ("add %k, %one", "add %q, %one"),
    ],
    "parameters that change places": [("head(%q, %p)", "head(%p, %q)")],
    "another operation": [("%kept: int = add %k, %same", "%kept: int = sub %k, %same")],
    "another operand": [("%kept: int = add %k, %same", "%kept: int = add %k, %k")],
    "the sides of a difference": [("%more: int = add %k, %one", "%more: int = sub %one, %k")],
    "another result": [("return %sum", "return %r")],
    "a loop that is left at once": [("jump head(%more, %same)", "jump out(%more)")],
    "a value that is not there": [
        ("%unused: int = mul %p, %q", "%unused: int = mul %p, %q ; gone"),
        ("add %k, %same", "add %k, %unused"),
    ],
    "what is new": [("  %kept:", "  %new: int = add %k, %k\n  %kept:")],
    "a truth for a number where nothing comes": [
        ('trap "not so"', "%e: bool = const true\n  jump head(%e, %m)"),
    ],
    "too few numbers where nothing comes": [('trap "not so"', "jump head(%m)")],
    "a result of another type where nothing comes": [('trap "not so"', "return %sure")],
    "a number to branch on where nothing comes": [('trap "not so"', "branch %m, dead(), dead()")],
    "a truth to add where nothing comes": [
        ('trap "not so"', "%e: int = add %sure, %m\n  return %e"),
    ],
    "what is not there where nothing comes": [
        ('trap "not so"', "%e: int = const 5 ; gone\n  return %e"),
    ],
    "what is computed elsewhere where nothing comes": [('trap "not so"', "return %more")],
    "what is never passed": [("head(%q, %p), dead()", "head(%q, %p), round()"),
                             ('dead():\n  trap "not so"\n', "")],
    "a new check": [("  %kept:", "  %new: int = narrow u8 %k\n  %kept:")],
}  # fmt: skip


@pytest.mark.parametrize("changes", SIMPLER.values(), ids=SIMPLER)
def test_simplified(changes):
    check(Rewritten, FUNCTION, changed(FUNCTION, *changes))
    was, function = rewritten(FUNCTION, changed(FUNCTION, *changes))
    ranges, facts = analyse(was.function)
    own = {copy: block for block, copy in was.of.items()}
    check_rewritten("decide", was, function, ranges, {own[block]: known for block, known in facts.items()})


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG)
def test_not_simplified(changes):
    wrong = FUNCTION
    for old, new in changes:
        assert old in wrong
        wrong = wrong.replace(old, new, 1)
    refused(Rewritten, FUNCTION, wrong)


# Parameters to which only one of two edges is ever taken.
JOINED = """function @f -> (int) {
entry(%m: int, %u: u8):
  %zero: int = const 0
  %one: int = const 1
  %yes: bool = le %m, %m
  %some: bool = lt %m, %u
  branch %yes, then(), else()
then():
  jump join(%one, %yes, %u)
else():
  %no: bool = const false
  jump join(%zero, %no, %m)
join(%d: int, %c: bool, %n: int):
  %rest: int = fmod %m, %d
  %chosen: int = select %c, %m, %u
  %byte: int = narrow u8 %n
  %sum: int = add %chosen, %byte
  return %sum
}"""
ALONE = [("else():\n  %no: bool = const false\n  jump join(%zero, %no, %m)\n", ""),
         ("branch %yes, then(), else()", "jump then()")]  # fmt: skip
FOLLOWS = {
    "a quotient by one": [("  %rest: int = fmod %m, %d\n", "")],
    "what a select chooses": [("add %chosen, %byte", "add %m, %byte")],
    "a check of a byte": [("  %byte: int = narrow u8 %n\n", ""), ("add %chosen, %byte", "add %chosen, %u")],
}


@pytest.mark.parametrize("changes", FOLLOWS.values(), ids=FOLLOWS)
def test_what_follows_from_the_only_edge_that_is_taken(changes):
    check(Rewritten, JOINED, changed(JOINED, *ALONE, *changes))
    either = JOINED.replace("branch %yes", "branch %some")
    refused(Rewritten, either, changed(either, *changes))


AROUND = """function @f -> (int) {
entry(%m: int, %u: u8):
  %one: int = const 1
  jump head(%one)
head(%d: int):
  %rest: int = fmod %m, %d
  %more: bool = lt %m, %u
  branch %more, head(%d), out()
out():
  return %u
}"""


def test_a_value_that_a_loop_passes_around_unchanged():
    check(Rewritten, AROUND, changed(AROUND, ("  %rest: int = fmod %m, %d\n", "")))
    other = AROUND.replace("head(%d), out()", "head(%u), out()")
    refused(Rewritten, other, changed(other, ("  %rest: int = fmod %m, %d\n", "")))


ENDED = """function @f -> (int) {
entry(%n: int):
  %zero: int = const 0
  %c: bool = lt %n, %zero
  branch %c, wrong(), right()
wrong():
  trap "not so"
right():
  return %n
}"""


def test_a_message_is_the_same():
    check(Rewritten, ENDED, ENDED)
    refused(Rewritten, ENDED, changed(ENDED, ("not so", "so")))


# What callers see ------------------------------------------------------------------------------

CALLED = """function @f -> (int, u8) takes (%x: int, %y: nil or int optional) gives (int, u8) {
entry(%x: int, %given: bool, %none: bool, %y: int, %a: u8):
  return %y, %a
}"""


def exchanged(function: Function, name: str) -> None:
    x, _, _, y, _ = function.params
    was, of = getattr(x, name), getattr(y, name)
    setattr(x, name, of)
    setattr(y, name, was)


def in_two_places(function: Function) -> None:
    exchanged(function, "name")
    exchanged(function, "position")


OTHER_HEADS = {
    "a result's type": lambda f: f.results.__setitem__(0, unsigned(8)),
    "a result's type, in another list": lambda f: setattr(f, "results", [INT, INT]),
    "how many results": lambda f: f.results.append(INT),
    "the interface": lambda f: setattr(f, "interface", replace(f.interface, counted=True)),
    "no interface": lambda f: setattr(f, "interface", None),
    "the name": lambda f: setattr(f, "name", "g"),
    "whether it is inlined": lambda f: setattr(f, "inline", True),
    "the place": lambda f: setattr(f, "position", Position("f", 2, 1)),
    "a parameter's type": lambda f: setattr(f.params[0], "type", unsigned(8)),
    "parameters' names": lambda f: exchanged(f, "name"),
    "parameters' places": lambda f: exchanged(f, "position"),
    "parameters' names and places": in_two_places,
    "a parameter's end": lambda f: setattr(
        f.params[0], "position", replace(f.params[0].position, end=(1, 9))
    ),
}


def headed() -> Function:
    (function,) = parse_module(CALLED).functions.values()
    for column, param in enumerate(function.params, 1):
        param.position = Position("f", 1, column)
    return function


def head(function: Function) -> list:
    params = [(p, p.name, p.type, p.position, p.position and p.position.end) for p in function.params]
    return [print_function(function), function.position, function.name, params]


@pytest.mark.parametrize("change", OTHER_HEADS.values(), ids=OTHER_HEADS)
def test_callers_see_the_same_function(change):
    function = headed()
    was, seen = snapshot(function), head(function)
    assert was.is_still(function)
    known = analyse(was.function)
    change(function)
    assert not was.is_still(function)
    for name in sorted(SHOWN.keys() - CLAIMED):
        with pytest.raises(CheckError):
            check_rewritten(name, was, function, *known)
    with pytest.raises(CheckError):
        check_inlined(was, function, Callees())
    was.restore(function)
    assert head(function) == seen


# Decided by order ------------------------------------------------------------------------------

ORDERED = """function @f -> (int) {
entry(%i: int, %n: int, %m: int):
  %one: int = const 1
  %first: bool = lt %i, %n
  branch %first, in(), out()
in():
  %j: int = add %i, %one
  %second: bool = OP
  branch %second, then(), else()
then():
  return %i
else():
  return %j
out():
  return %n
}"""


@pytest.mark.parametrize(
    ("op", "outcome"),
    [
        ("le %j, %n", True),
        ("gt %j, %n", False),
        ("eq %i, %n", False),
        ("ne %n, %i", True),
        ("ge %i, %n", False),
    ],
)
def test_decided_by_order(op, outcome):
    before = ORDERED.replace("OP", op)
    check(Rewritten, before, ORDERED.replace("OP", f"const {str(outcome).lower()}"))
    refused(Rewritten, before, ORDERED.replace("OP", f"const {str(not outcome).lower()}"))


@pytest.mark.parametrize("op", ["lt %j, %n", "le %j, %m", "eq %j, %n", "ge %j, %n", "lt %n, %m"])
def test_not_decided_by_order(op):
    for outcome in ("true", "false"):
        refused(Rewritten, ORDERED.replace("OP", op), ORDERED.replace("OP", f"const {outcome}"))


# Idioms ----------------------------------------------------------------------------------------


def of(definitions: str, result: str = "r", params: str = "%x: u32, %y: int, %n: int[0,32], %z: u64") -> str:
    lines = "\n".join(f"  {line.strip()}" for line in definitions.strip().splitlines())
    return f"function @f -> (int) {{\nentry({params}):\n{lines}\n  return %{result}\n}}"


K = "%k: int = const 32\n%less: int = sub %n, %k\n%up: int = shift %x, %n\n%down: int = shift %x, %less\n"
CUT = K + "%cut: int = low 32 %up\n%r: int = JOIN %cut, %down"
UNCUT = K + "%j: int = JOIN %up, %down\n%r: int = USE"
C256 = "%k: int = const 256\n"
IDIOMS = {
    "low bits": (C256 + "%r: int = fmod %y, %k", C256 + "%r: int = low 8 %y"),
    "a mask": ("%k: int = const 255\n%r: int = and %k, %y", "%k: int = const 255\n%r: int = low 8 %y"),
    "a rotation": (
        CUT.replace("JOIN", "ior"),
        CUT.replace("JOIN %cut, %down", "rotl 32 %x, %n"),
    ),
}
NO_IDIOMS = {
    "one bit fewer": (C256 + "%r: int = fmod %y, %k", C256 + "%r: int = low 7 %y"),
    "one less": ("%k: int = const 255\n%r: int = fmod %y, %k", "%k: int = const 255\n%r: int = low 8 %y"),
    "of another": ("%k: int = const 255\n%r: int = and %k, %y", "%k: int = const 255\n%r: int = low 8 %z"),
    "signed": ("%k: int = const 255\n%r: int = and %k, %y", "%k: int = const 255\n%r: int = field 8 %y"),
    "the other way": (CUT.replace("JOIN", "ior"), CUT.replace("JOIN %cut, %down", "rotl 32 %x, %less")),
    "of more bits": (CUT.replace("JOIN", "ior"), CUT.replace("JOIN %cut, %down", "rotl 64 %x, %n")),
    "a difference": (CUT.replace("JOIN", "sub"), CUT.replace("JOIN %cut, %down", "rotl 32 %x, %n")),
    "too long a number": (
        CUT.replace("JOIN", "ior").replace("%x", "%z"),
        CUT.replace("JOIN %cut, %down", "rotl 32 %z, %n").replace("%x", "%z"),
    ),
    "of two numbers": (
        CUT.replace("JOIN", "ior").replace("shift %x, %less", "shift %z, %less"),
        CUT.replace("shift %x, %less", "shift %z, %less").replace("JOIN %cut, %down", "rotl 32 %x, %n"),
    ),
    "by another constant": (
        CUT.replace("JOIN", "ior").replace("const 32", "const 31"),
        CUT.replace("const 32", "const 31").replace("JOIN %cut, %down", "rotl 32 %x, %n"),
    ),
    "another count": (CUT.replace("JOIN", "ior"), CUT.replace("JOIN %cut, %down", "rotl 32 %x, %k")),
    "cut elsewhere": (
        CUT.replace("JOIN", "ior").replace("low 32", "low 31"),
        CUT.replace("low 32", "low 31").replace("JOIN %cut, %down", "rotl 32 %x, %n"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after"), IDIOMS.values(), ids=IDIOMS)
def test_idioms(before, after):
    check(Idiomatic, of(before), of(after))


@pytest.mark.parametrize(("before", "after"), NO_IDIOMS.values(), ids=NO_IDIOMS)
def test_no_idioms(before, after):
    refused(Idiomatic, of(before), of(after))


@pytest.mark.parametrize(
    ("cut", "shown"),
    [
        ("%m: int = const 4294967295\n%cut: int = and %m, %up", True),
        ("%m: int = const 4294967296\n%cut: int = fmod %up, %m", True),
        ("%m: int = low 40 %up\n%cut: int = low 32 %m", True),
        ("%m: int = const 4294967295\n%cut: int = fmod %up, %m", False),
        ("%m: int = const 8589934591\n%cut: int = and %m, %up", False),
        ("%m: int = const 2147483647\n%cut: int = and %up, %m", False),
        ("%cut: int = field 32 %up", False),
    ],
)
def test_what_leaves_the_word_is_cut_off_in_any_way(cut, shown):
    text = CUT.replace("%cut: int = low 32 %up", cut)
    before, after = (of(text.replace("JOIN %cut, %down", op)) for op in ("ior %cut, %down", "rotl 32 %x, %n"))
    (check if shown else refused)(Idiomatic, before, after)


@pytest.mark.parametrize("join", ["ior", "xor", "add"])
@pytest.mark.parametrize("count", ["%n: int[0,32]", "%n: int[0,33]", "%n: int[-1,32]"])
def test_a_rotation_by_as_much_as_is_allowed(join, count):
    params = f"%x: u32, %y: int, {count}, %z: u64"
    before, after = (
        of(text, params=params)
        for text in (CUT.replace("JOIN", join), CUT.replace("JOIN %cut, %down", "rotl 32 %x, %n"))
    )
    (check if count == "%n: int[0,32]" else refused)(Idiomatic, before, after)


@pytest.mark.parametrize(
    ("use", "shown"),
    [
        ("low 32 %j", True),
        ("low 31 %j", True),
        ("low 33 %j", False),
        ("field 32 %j", True),
        ("add %j, %x", False),
        ("arg1 %j, %x", False),
        ("and %j, %x", True),
        ("and %j, %z", False),
        ("rotl 32 %j, %n", True),
        ("rotl 64 %j, %n", False),
        ("rotl 32 %x, %j", False),
        ("fdiv %j, %k", False),
        ("narrow u32 %j", False),
    ],
)
def test_a_rotation_that_is_not_cut_is_right_in_its_bits_alone(use, shown):
    before = of(UNCUT.replace("JOIN %up, %down", "ior %up, %down").replace("USE", use))
    after = of(UNCUT.replace("JOIN %up, %down", "rotl 32 %x, %n").replace("USE", use))
    (check if shown else refused)(Idiomatic, before, after)


@pytest.mark.parametrize(
    ("steps", "shown"),
    [
        ("%s: int = add %j, %y\n%r: int = low 32 %s", True),
        ("%s: int = mul %j, %y\n%r: int = low 32 %s", True),
        ("%s: int = shift %j, %one\n%r: int = low 33 %s", True),
        ("%s: int = shift %j, %one\n%r: int = low 34 %s", False),
        ("%s: int = shift %j, %down1\n%r: int = low 31 %s", True),
        ("%s: int = shift %j, %down1\n%r: int = low 32 %s", False),
        ("%s: int = low 40 %j\n%r: int = low 32 %s", True),
        ("%s: int = low 40 %j\n%r: int = low 33 %s", False),
        ("%s: int = field 40 %j\n%r: int = low 33 %s", False),
        ("%s: int = rotl 40 %j, %one\n%t: int = shift %s, %down1\n%r: int = low 32 %t", True),
        ("%s: int = rotl 40 %j, %one\n%t: int = shift %s, %down1\n%r: int = low 33 %t", False),
        ("%s: int = rotl 40 %j, %one\n%r: int = low 32 %s", False),
        ("%s: int = rotl 40 %j, %y\n%r: int = low 32 %s", False),
        ("%ones: int = const -4294967296\n%r: int = ior %j, %ones", True),
        ("%ones: int = const -8589934592\n%r: int = ior %j, %ones", False),
        ("%ones: int = const -4294967296\n%r: int = and %j, %ones", False),
        ("%c: bool = lt %j, %z\n%r: int = select %c, %x, %y", False),
        ("%c: bool = lt %y, %z\n%s: int = select %c, %j, %y\n%r: int = low 32 %s", True),
        ("%c: bool = lt %y, %z\n%r: int = select %c, %j, %y", False),
    ],
)
def test_what_is_made_of_it(steps, shown):
    ones = "%one: int = const 1\n%down1: int = const -1\n"
    before, after = (
        of(ones + UNCUT.replace("%r: int = USE", steps).replace("JOIN %up, %down", op))
        for op in ("xor %up, %down", "rotl 32 %x, %n")
    )
    (check if shown else refused)(Idiomatic, before, after)


def test_what_a_loop_passes_on_is_right_in_as_many_bits():
    loop = """function @f -> (int) {
entry(%x: u32, %n: int[0,32], %y: int):
  %k: int = const 32
  %less: int = sub %n, %k
  %up: int = shift %x, %n
  %down: int = shift %x, %less
  %j: int = JOIN
  jump head(%j, %y)
head(%h: int, %i: int):
  %g: int = mul %h, %x
  %c: bool = lt %i, %k
  branch %c, round(), out()
round():
  %more: int = add %i, %x
  jump head(%g, %more)
out():
  %r: int = low 32 %USED
  return %r
}"""
    join, rotation = ("JOIN", "ior %up, %down"), ("JOIN", "rotl 32 %x, %n")
    used = ("low 32 %USED", "low 32 %g")
    check(Idiomatic, changed(loop, join, used), changed(loop, rotation, used))
    used = ("low 32 %USED", "low 33 %h")
    refused(Idiomatic, changed(loop, join, used), changed(loop, rotation, used))
    compared = [("low 32 %USED", "low 32 %h"), ("lt %i, %k", "lt %h, %k")]
    refused(Idiomatic, changed(loop, join, *compared), changed(loop, rotation, *compared))


# Parts -----------------------------------------------------------------------------------------

SUM = "%s: int = const -8\n%t: int = OP %y, %z\n"
PARTS = (
    SUM
    + """%a: int = shift %y, %s
%b: int = shift %z, %s
%above: int = OP %a, %b
%u: int = low 8 %y
%v: int = low 8 %z
%below: int = OP %u, %v
%carry: int = shift %below, %s
%r: int = add %above, %carry"""
)
WRONG_PARTS = {
    "no carry": ("add %above, %carry", "add %above, %above"),
    "too few bits": ("%v: int = low 8 %z", "%v: int = low 7 %z"),
    "too many bits": ("%u: int = low 8 %y", "%u: int = low 9 %y"),
    "the carry of another operation": ("%below: int = OP", "%below: int = ANOTHER"),
    "the sum of another operation": ("%above: int = OP", "%above: int = ANOTHER"),
    "the carry is taken away": ("add %above, %carry", "sub %above, %carry"),
    "the sides of the upper parts": ("OP %a, %b", "OP %a, %a"),
    "the carry of the sum": ("%carry: int = shift %below, %s", "%carry: int = shift %t, %s"),
}


@pytest.mark.parametrize(("op", "another"), [("add", "sub"), ("sub", "add")])
def test_a_sum_in_two_parts(op, another):
    before = of((SUM + "%r: int = shift %t, %s").replace("OP", op))
    check(Idiomatic, before, of(PARTS.replace("OP", op)))
    for old, new in WRONG_PARTS.values():
        wrong = changed(PARTS, (old, new)).replace("OP", op).replace("ANOTHER", another)
        refused(Idiomatic, before, of(wrong))


def test_a_word_in_the_parts_that_it_was_joined_from():
    counts = "%k: int = const 8\n%m: int = const -16\n%l: int = const -8\n"
    word = "%h: int = shift %x, %k\n%w: int = xor %h, %y\n%r: int = shift %w, %m"
    parts = "%a: int = shift %x, %l\n%b: int = shift %y, %m\n%r: int = xor %a, %b"
    check(Idiomatic, of(counts + word), of(counts + parts))
    for old, new in (
        ("xor %a", "ior %a"),
        ("shift %x, %l", "shift %x, %m"),
        ("shift %y, %m", "shift %y, %l"),
    ):
        refused(Idiomatic, of(counts + word), of(counts + changed(parts, (old, new))))
