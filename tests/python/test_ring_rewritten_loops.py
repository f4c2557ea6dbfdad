"""What counters make of loops is shown to do what the loops did; what is not is refused."""

import pytest
from carrychain.ring.ir.errors import CheckError
from carrychain.ring.trust.bounded import Bounded
from carrychain.ring.trust.counted import ByOrder, InStep
from ring_rewritten import changed, check, refused, rewritten

# Exits by order --------------------------------------------------------------------------------

EXIT = """function @f -> (int) {
entry(%n: int[1,900], %m: int, %a: array(s64), %c: bool):
  %0: int = const 0
  %1: int = const 1
  %2: int = const 2
  %4: int = const 4
  %n4: int = mul %n, %4
  %below: int = sub %0, %n
  jump head(%0)
head(%i: int):
  %t: bool = eq %i, %n
  %last: int = sub %n, %1
  branch %t, out(), body()
body():
  %j: int = add %i, %1
  %back: int = sub %i, %1
  %far: int = add %i, %4
  %round: int = low 4 %i
  branch %c, again(), other()
again():
  jump head(%j)
other():
  jump head(%i)
out():
  return %i
}"""


def begins(compares: str, ways: str) -> str:
    """In place of a jump to the head: a branch to it, by what is compared."""
    return f"jump more()\nmore():\n  {compares}\n  branch %le, {ways}\nnone():\n  return %m"


TEST = "%t: bool = eq %i, %n"
FOUR = ("  jump head(%j)", "  jump head(%far)")
DOWN = ("  jump head(%j)", "  jump head(%back)")
# changes of EXIT, the test then, and the test that it becomes
EXITS = {
    "upwards": ([], TEST, "ge %i, %n"),
    "upwards, the sides changed": ([(TEST, "%t: bool = eq %n, %i")], "%t: bool = eq %n, %i", "ge %i, %n"),
    "while it is not there": (
        [(TEST, "%t: bool = ne %i, %n"), ("out(), body()", "body(), out()")],
        "%t: bool = ne %i, %n",
        "lt %i, %n",
    ),
    "downwards": ([(TEST, "%t: bool = eq %i, %below"), DOWN], "%t: bool = eq %i, %below", "le %i, %below"),
    "steps that end there": ([(TEST, "%t: bool = eq %i, %n4"), FOUR], "%t: bool = eq %i, %n4", "ge %i, %n4"),
    "what it goes on to": (
        [
            (TEST, "%t: bool = eq %s, %n"),
            ("head(%i: int):\n", "head(%i: int):\n  %s: int = add %i, %1\n"),
            ("head(%j)", "head(%s)"),
        ],
        "%t: bool = eq %s, %n",
        "ge %s, %n",
    ),
    "an end that is computed again": (
        [
            (
                "  %t: bool = eq %i, %n\n  %last: int = sub %n, %1\n",
                "  %last: int = sub %n, %1\n  %t: bool = eq %i, %last\n",
            )
        ],
        "%t: bool = eq %i, %last",
        "ge %i, %last",
    ),
    "a start that a branch compares": (
        [
            (
                "jump head(%0)",
                begins("%le: bool = le %m, %n", "head(%m), none()"),
            )
        ],
        TEST,
        "ge %i, %n",
    ),
}


@pytest.mark.parametrize("name", EXITS)
def test_an_exit_is_shown_by_order(name):
    changes, test, order = EXITS[name]
    before = changed(EXIT, *changes)
    check(ByOrder, before, changed(before, (test, "%t: bool = " + order)))


OTHER = {
    "le %i, %n": "the other way",
    "gt %i, %n": "beyond",
    "lt %i, %n": "the other outcome",
    "ge %n, %i": "the sides changed",
    "ge %i, %last": "another end",
    "ge %i, %m": "an end that is as far",
    "ne %i, %n": "the opposite",
}


@pytest.mark.parametrize("order", OTHER)
def test_another_order_is_refused(order):
    before = changed(
        EXIT,
        (
            "  %t: bool = eq %i, %n\n  %last: int = sub %n, %1\n",
            "  %last: int = sub %n, %1\n  %t: bool = eq %i, %n\n",
        ),
    )
    check(ByOrder, before, changed(before, (TEST, "%t: bool = ge %i, %n")))
    refused(ByOrder, before, changed(before, (TEST, f"%t: bool = {order}")))


BEFORE_HEAD = "  jump head(%0)\nhead(%i: int):\n"
# changes of EXIT, after which its test is none of order
UNORDERED = {
    "it may begin beyond": [("jump head(%0)", "jump head(%m)")],
    "it may begin one beyond": [("entry(%n: int[1,900]", "entry(%n: int[-1,900]")],
    "the end may be any": [(TEST, "%t: bool = eq %i, %m")],
    "it may step across": [FOUR],
    "a step ends elsewhere": [
        FOUR,
        ("%n4: int = mul %n, %4", "%n4: int = const 402"),
        (TEST, "%t: bool = eq %i, %n4"),
    ],
    "some steps are longer": [("jump head(%i)", "jump head(%far)")],
    "some steps go back": [("jump head(%i)", "jump head(%back)")],
    "a round begins anew, beyond": [("jump head(%i)", "jump head(%m)")],
    "what is passed is no step": [("jump head(%i)", "jump head(%round)"), ("int[1,900]", "int[1,9]")],
    "it goes on where it is there": [("out(), body()", "body(), out()"), ("int[1,900]", "int[0,900]")],
    "it goes on without the test": [
        ("  branch %t, out(), body()", "  branch %c, body(), ask()\nask():\n  branch %t, out(), body()"),
    ],
    "both ways lead on": [
        ("  branch %t, out(), body()", "  branch %t, body(), body()"),
        ("branch %c, again(), other()", "branch %c, again(), out()"),
        ("other():\n  jump head(%i)\n", ""),
    ],
    "the end is loaded in each round": [
        ("  %t: bool = eq %i, %n\n", "  %e: int = load %a, %0\n  %t: bool = eq %i, %e\n"),
        ("%a: array(s64)", "%a: array(int[1,900])"),
    ],
    "the end changes": [
        ("jump head(%0)", "jump head(%0, %n)"),
        ("head(%i: int)", "head(%i: int, %e: int)"),
        (TEST, "%t: bool = eq %i, %e"),
        ("jump head(%j)", "jump head(%j, %1)"),
        ("jump head(%i)", "jump head(%i, %e)"),
    ],
    "the end is computed from the counter": [
        ("  %t: bool = eq %i, %n\n", "  %e: int = sub %n, %i\n  %t: bool = eq %i, %e\n")
    ],
    "what it goes on to is tested, and it may begin there": [
        (TEST, "%t: bool = eq %s, %n"),
        ("head(%i: int):\n", "head(%i: int):\n  %s: int = add %i, %1\n"),
        ("head(%j)", "head(%s)"),
        ("int[1,900]", "int[0,900]"),
    ],
    "what lies two ahead is tested, and it may begin one before": [
        (TEST, "%t: bool = eq %s, %n"),
        ("head(%i: int):\n", "head(%i: int):\n  %s: int = add %i, %2\n"),
    ],
    "a branch compares a start with another": [
        (
            "jump head(%0)",
            begins("%le: bool = le %m, %n4", "head(%m), none()"),
        )
    ],
    "a branch says that the start is beyond": [
        (
            "jump head(%0)",
            begins("%le: bool = le %m, %n", "none(), head(%m)"),
        )
    ],
    "a branch says that the start is one beyond at most": [
        (
            "jump head(%0)",
            begins("%e: int = add %n, %1\n  %le: bool = le %m, %e", "head(%m), none()"),
        )
    ],
}


@pytest.mark.parametrize("name", UNORDERED)
def test_a_test_that_is_none_of_order_stays(name):
    before = changed(EXIT, *UNORDERED[name])
    (test,) = (line for line in before.splitlines() if line.startswith("  %t: bool = "))
    tested, end = test.split(" = eq ")[1].split(", ")
    for order in ("ge", "le"):
        refused(ByOrder, before, changed(before, (test, f"  %t: bool = {order} {tested}, {end}")))


# an inner loop goes on by a test of the outer one's counter, which it does not go on to
STALE = """function @f -> (int) {
entry(%n: int[1,900], %c: bool):
  %0: int = const 0
  %1: int = const 1
  jump head(%0)
head(%i: int):
  %t: bool = eq %i, %n
  branch %t, out(), enter()
enter():
  jump inner(%i)
inner(%k: int):
  %u: bool = eq %k, %n
  branch %c, step(), on()
step():
  %next: int = add %k, %1
  branch %t, out(), inner(%next)
on():
  %j: int = add %i, %1
  jump head(%j)
out():
  return %i
}"""


def test_a_test_of_another_counter_does_not_end_this_one():
    check(ByOrder, STALE, changed(STALE, ("%t: bool = eq", "%t: bool = ge")))
    refused(ByOrder, STALE, changed(STALE, ("%u: bool = eq", "%u: bool = ge")))


# In step ---------------------------------------------------------------------------------------

STEP = """function @f -> (int, int) {
entry(%n: int[0,99], %m: int, %c: bool):
  %0: int = const 0
  %1: int = const 1
  %3: int = const 3
  %5: int = const 5
  %7: int = const 7
  jump head(%7, %5, %7, %0)
head(%i: int, %y: int, %z: int, %w: int):
  %more: bool = lt %i, %n
  branch %more, body(), out()
body():
  %j: int = add %i, %1
  %y3: int = add %y, %3
  %z1: int = add %z, %1
  branch %c, again(), skip()
again():
  jump head(%j, %y3, %z1, %z1)
skip():
  jump head(%i, %y, %z, %w)
out():
  return %y, %z
}"""
SCALED = """  %y.x: int = const 3
  %y.y: int = mul %i, %y.x
  %y.z: int = const -16
  %y: int = add %y.y, %y.z
"""
PASSED = [
    ("head(%7, %5, %7, %0)", "head(%7, %7, %0)"),
    ("head(%j, %y3, %z1, %z1)", "head(%j, %z1, %z1)"),
    ("head(%i, %y, %z, %w)", "head(%i, %z, %w)"),
    ("head(%i: int, %y: int, %z: int, %w: int):\n", "head(%i: int, %z: int, %w: int):\n" + SCALED),
]
FOLLOWS = changed(STEP, *PASSED)
LEADER = [
    ("head(%7, %5, %7, %0)", "head(%7, %5, %0)"),
    ("head(%j, %y3, %z1, %z1)", "head(%j, %y3, %z1)"),
    ("head(%i, %y, %z, %w)", "head(%i, %y, %w)"),
    ("head(%i: int, %y: int, %z: int, %w: int)", "head(%i: int, %y: int, %w: int)"),
    ("%z1: int = add %z, %1", "%z1: int = add %i, %1"),
    ("return %y, %z", "return %y, %i"),
]


def test_a_counter_in_step_follows():
    check(InStep, STEP, FOLLOWS)
    check(InStep, STEP, changed(STEP, *LEADER))


def test_where_nothing_is_known_every_edge_may_be_taken():
    was, after = rewritten(STEP, FOLLOWS)
    InStep(was, after, {}, {}).check()
    was, after = rewritten(STEP, changed(FOLLOWS, ("const -16", "const -15")))
    with pytest.raises(CheckError):
        InStep(was, after, {}, {}).check()


NOT_IN_STEP = {
    "another factor": ("%y.x: int = const 3", "%y.x: int = const 2"),
    "the factor negated": ("%y.x: int = const 3", "%y.x: int = const -3"),
    "one more": ("%y.z: int = const -16", "%y.z: int = const -15"),
    "its start": ("%y.z: int = const -16", "%y.z: int = const 5"),
    "a number that is a truth": ("%y.z: int = const -16", "%y.z: int = const 1"),
    "what is no parameter": ("mul %i, %y.x", "mul %n, %y.x"),
    "another parameter": ("mul %i, %y.x", "mul %w, %y.x"),
    "a difference": ("%y: int = add %y.y, %y.z", "%y: int = sub %y.y, %y.z"),
    "a sum": ("%y.y: int = mul", "%y.y: int = add"),
    "the number alone": ("%y: int = add %y.y, %y.z", "%y: int = add %y.z, %y.z"),
    "another value": ("return %y, %z", "return %y.y, %z"),
    "a later value": ("return %y, %z", "return %z, %z"),
    "after a use": (
        SCALED + "  %more: bool = lt %i, %n\n",
        "  %more: bool = lt %i, %n\n  %early: int = const 1\n" + SCALED,
    ),
    "in the next block": ("body():\n", "body():\n" + SCALED),
}


@pytest.mark.parametrize("name", NOT_IN_STEP)
def test_a_wrong_follower_is_refused(name):
    old, new = NOT_IN_STEP[name]
    if name == "in the next block":
        after = changed(FOLLOWS, (SCALED, ""))
        refused(InStep, STEP, changed(after, (old, new)))
    elif name == "after a use":
        before = changed(
            STEP, ("%more: bool = lt %i, %n", "%early: int = add %y, %1\n  %more: bool = lt %i, %n")
        )
        good = changed(
            FOLLOWS, ("%more: bool = lt %i, %n", "%early: int = add %y, %1\n  %more: bool = lt %i, %n")
        )
        check(InStep, before, good)
        refused(
            InStep,
            before,
            changed(
                STEP,
                *PASSED[:3],
                (PASSED[3][0], "head(%i: int, %z: int, %w: int):\n  %early: int = add %y, %1\n" + SCALED),
            ),
        )
    else:
        refused(InStep, STEP, changed(FOLLOWS, (old, new)))


# changes of STEP, after which neither y follows i, nor z is i
OUT_OF_STEP = {
    "they begin otherwise": [("head(%7, %5, %7, %0)", "head(%n, %5, %7, %0)")],
    "it begins with what is not known": [("head(%7, %5, %7, %0)", "head(%7, %m, %m, %0)")],
    "one goes on alone": [("head(%i, %y, %z, %w)", "head(%j, %y, %z, %w)")],
    "others go on alone": [("head(%i, %y, %z, %w)", "head(%i, %y3, %z1, %w)")],
    "one begins anew": [("head(%i, %y, %z, %w)", "head(%7, %y, %z, %w)")],
    "others begin anew": [("head(%i, %y, %z, %w)", "head(%i, %7, %0, %w)")],
    "by what is not known": [
        ("%y3: int = add %y, %3", "%y3: int = add %y, %m"),
        ("%z1: int = add %z, %1", "%z1: int = add %z, %m"),
    ],
    "by another's": [
        ("%y3: int = add %y, %3", "%y3: int = add %w, %3"),
        ("%z1: int = add %z, %1", "%z1: int = add %w, %1"),
    ],
    "the other way": [("%j: int = add %i, %1", "%j: int = sub %i, %1")],
    "twice as far": [("%j: int = add %i, %1", "%j: int = add %i, %3")],
}


@pytest.mark.parametrize("name", OUT_OF_STEP)
def test_what_is_not_in_step_does_not_follow(name):
    before = changed(STEP, *OUT_OF_STEP[name])
    calls = {old: line for old, _ in PASSED[:3] for line in [old]}
    calls |= {old: new for old, new in OUT_OF_STEP[name] if old in calls}

    def without(at: int) -> list[tuple[str, str]]:
        found = []
        for call in calls.values():
            args = call[5:-1].split(", ")
            del args[at]
            found.append((call, f"head({', '.join(args)})"))
        return found

    refused(InStep, before, changed(before, *without(1), PASSED[3]))
    led = changed(before, *without(2), LEADER[3], LEADER[5]).replace("add %z,", "add %i,")
    refused(InStep, before, led)


# Bounds ----------------------------------------------------------------------------------------

SUM = """function @f -> (int) {
entry(%n: int[0,99], %x: int[-5,5], %u: int[0,9], %c: bool, %far: int[-100,9223372036854775807]):
  %0: int = const 0
  %1: int = const 1
  jump head(%0, %x)
head(%i: int, %s: int):
  %more: bool = lt %i, %n
  branch %more, body(), out()
body():
  %j: int = add %i, %1
  %t: int = add %s, %u
  jump head(%j, %t)
out():
  return %s
}"""
ADDED = "  %t: int = add %s, %u\n"


def checked(type_: str, source: str = "%s") -> str:
    return f"  %t.c: int = narrow {type_} {source}\n  %t: int = add %t.c, %u\n"


def test_a_check_ends_where_the_rounds_do():
    # the counter is between 0 and 99, so there are 100 rounds at most; this is one of them
    check(Bounded, SUM, changed(SUM, (ADDED, checked("int[*,896]"))))
    refused(Bounded, SUM, changed(SUM, (ADDED, checked("int[*,895]"))))
    # nothing is ever subtracted
    check(Bounded, SUM, changed(SUM, (ADDED, checked("int[-5,896]"))))
    refused(Bounded, SUM, changed(SUM, (ADDED, checked("int[-4,896]"))))
    # behind the addition it was made as often as there are rounds
    late = ADDED + "  %late: int = narrow int[*,{}] %t\n"
    check(Bounded, SUM, changed(SUM, (ADDED, late.format(905))))
    refused(Bounded, SUM, changed(SUM, (ADDED, late.format(904))))


WITHOUT_END = [("%j: int = add %i, %1", "%j: int = add %i, %x"), ("%u: int[0,9]", "%u: int[0,7]")]
NEAR = (1 << 63) - 1 - 7


def test_a_check_ends_where_no_life_gets():
    before = changed(SUM, *WITHOUT_END)
    check(Bounded, before, changed(before, (ADDED, checked(f"int[*,{NEAR}]"))))
    least = 5 + 7 * ((1 << 60) - 1)
    for end, good in ((least, True), (least - 1, False)):
        after = changed(before, (ADDED, checked(f"int[*,{end}]")))
        check(Bounded, before, after) if good else refused(Bounded, before, after)


# changes of SUM before and after, and what the check is
UNBOUNDED = {
    "it begins anywhere": (
        [("head(%0, %x)", "head(%0, %m)"), ("%x: int[-5,5]", "%x: int[-5,5], %m: int")],
        checked("s64"),
    ),
    "anything is added": ([("%u: int[0,9]", "%u: int")], checked("s64")),
    "too much is added": ([WITHOUT_END[0], ("%u: int[0,9]", "%u: u8")], checked("s64")),
    "it is doubled": (
        [("add %s, %u", "add %s, %s")],
        "  %t.c: int = narrow s64 %s\n  %t: int = add %t.c, %t.c\n",
    ),
    "it is subtracted": (
        [("add %s, %u", "sub %u, %s")],
        "  %t.c: int = narrow s64 %s\n  %t: int = sub %u, %t.c\n",
    ),
    "it begins near the end": ([*WITHOUT_END, ("head(%0, %x)", "head(%0, %far)")], checked("s64")),
    "what is checked is another": ([], checked("int[*,896]", "%far")),
    "another is added to": ([], checked("int[*,896]", "%i")),
    "what is checked is the sum": ([], "  %t: int = add %s, %u\n  %t.c: int = narrow int[*,896] %t\n"),
    "the counter stands still at times": (
        [
            ("head(%j, %t)", "head(%k, %t)"),
            ("%j: int = add %i, %1", "%j: int = add %i, %1\n  %k: int = select %c, %i, %j"),
        ],
        checked("int[*,896]"),
    ),
    "the counter turns back at times": (
        [("jump head(%j, %t)", "branch %c, head(%j, %t), head(%0, %t)")],
        checked("int[*,896]"),
    ),
    "the counter goes both ways": (
        [
            (
                "jump head(%j, %t)",
                "branch %c, head(%j, %t), back()\nback():\n  %k: int = sub %i, %1\n  jump head(%k, %t)",
            )
        ],
        checked("int[*,896]"),
    ),
    "more is added elsewhere": (
        [
            (
                "jump head(%j, %t)",
                "branch %c, head(%j, %t), and()\nand():\n  %k: int = add %t, %1\n  jump head(%j, %k)",
            )
        ],
        checked("int[*,896]"),
    ),
    "it is multiplied elsewhere": (
        [
            (
                "jump head(%j, %t)",
                "branch %c, head(%j, %t), and()\nand():\n  %k: int = mul %t, %t\n  jump head(%j, %k)",
            )
        ],
        checked("int[*,896]"),
    ),
    "there is an inner loop": (
        [
            (
                "jump head(%j, %t)",
                "branch %c, head(%j, %t), inner(%t)\ninner(%r: int):\n"
                "  %q: int = add %r, %u\n  branch %c, inner(%q), head(%j, %q)",
            )
        ],
        checked("int[*,896]"),
    ),
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_a_check_that_may_fail_is_refused(name):
    changes, after = UNBOUNDED[name]
    before = changed(SUM, *changes)
    (added,) = (line + "\n" for line in before.splitlines() if line.startswith("  %t: int"))
    refused(Bounded, before, changed(before, (added, after)))


def test_each_addition_of_a_life_is_checked():
    before = changed(
        SUM,
        *WITHOUT_END,
        (
            "jump head(%j, %t)",
            "branch %c, head(%j, %t), and()\nand():\n  %k: int = add %t, %1\n  jump head(%j, %k)",
        ),
    )
    once = changed(before, (ADDED, checked(f"int[*,{NEAR}]")))
    twice = changed(
        once, ("%k: int = add %t, %1", f"%k.c: int = narrow int[*,{NEAR}] %t\n  %k: int = add %k.c, %1")
    )
    check(Bounded, before, twice)
    refused(Bounded, before, once)
    refused(
        Bounded, before, changed(twice, (f"%k.c: int = narrow int[*,{NEAR}]", "%k.c: int = narrow int[-9,*]"))
    )


NESTED = """function @f -> (int) {
entry(%n: int[0,9], %c: bool):
  %0: int = const 0
  %1: int = const 1
  jump head(%0, %0)
head(%i: int, %s: int):
  %more: bool = lt %i, %n
  branch %more, inner(%0, %s), out()
inner(%k: int, %r: int):
  %on: bool = lt %k, %n
  branch %on, body(), next()
body():
  %l: int = add %k, %1
  %q: int = add %r, %1
  jump inner(%l, %q)
next():
  %j: int = add %i, %1
  jump head(%j, %r)
out():
  return %s
}"""


def test_the_rounds_of_nested_loops_are_multiplied():
    for end, good in ((99, True), (98, False)):
        added = f"  %q.c: int = narrow int[*,{end}] %r\n  %q: int = add %q.c, %1\n"
        after = changed(NESTED, ("  %q: int = add %r, %1\n", added))
        check(Bounded, NESTED, after) if good else refused(Bounded, NESTED, after)
