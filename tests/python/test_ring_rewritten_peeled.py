"""A loop whose first round is a copy is shown to do what it did; other copies are refused."""

import pytest
from carrychain.ring.trust.peeled import Peeled
from ring_rewritten import changed, check, refused

LOOP = """function @f -> (int) {
entry(%seed: int, %n: int[0,9], %a: array(u8)):
  %0: int = const 0
  %1: int = const 1
  jump outer(%0, %seed)
outer(%o: int, %g: int):
  %last: bool = eq %o, %n
  branch %last, end(), head(%0, %g)
head(%i: int, %h: int):
  %more: bool = lt %i, %n
  branch %more, body(), out(%h)
body():
  %low: int = low 32 %h
  %e: int = load %a, %i
  %mixed: int = add %low, %e
  store %a, %i, %1
  %next: int = add %i, %1
  branch %more, head(%next, %mixed), bad()
bad():
  trap "bad"
out(%was: int):
  %sum: int = add %h, %i
  %total: int = add %sum, %was
  %p: int = add %o, %1
  jump outer(%p, %total)
end():
  return %g
}"""
COPY = """head.p(%i.p: int, %h.p: int):
  %more.p: bool = lt %i.p, %n
  branch %more.p, body.p(), meet(%h.p, %i.p)
body.p():
  %low.p: int = low 32 %h.p
  %e.p: int = load %a, %i.p
  %mixed.p: int = add %low.p, %e.p
  store %a, %i.p, %1
  %next.p: int = add %i.p, %1
  branch %more.p, head(%next.p, %mixed.p), bad()
meet(%hm: int, %im: int):
  jump out(%hm)
}"""
PEELED = changed(
    LOOP[:-1] + COPY,
    ("head(%0, %g)", "head.p(%0, %g)"),
    ("out(%h)", "meet(%h, %i)"),
    ("%sum: int = add %h, %i", "%sum: int = add %hm, %im"),
)


def test_a_first_round_is_copied():
    check(Peeled, LOOP, PEELED)


def test_a_copy_need_not_be_used():
    check(Peeled, LOOP, changed(PEELED, ("head.p(%0, %g)", "head(%0, %g)")))


def test_two_rounds_may_take_turns():
    turns = changed(PEELED, ("branch %more, head(%next, %mixed)", "branch %more, head.p(%next, %mixed)"))
    check(Peeled, LOOP, turns)


WRONG_COPY = {
    "another round begins with what this one did": ("head(%next.p, %mixed.p)", "head(%i.p, %mixed.p)"),
    "the arguments change places": ("head(%next.p, %mixed.p)", "head(%mixed.p, %next.p)"),
    "what the loop computes is passed to it": ("head(%next.p, %mixed.p)", "head(%next, %mixed.p)"),
    "it leads elsewhere": ("head(%next.p, %mixed.p)", "out(%mixed.p)"),
    "its ways change places": (
        "branch %more.p, body.p(), meet(%h.p, %i.p)",
        "branch %more.p, meet(%h.p, %i.p), body.p()",
    ),
    "it goes on by the loop's condition": ("branch %more.p, head(", "branch %more, head("),
    "it leads into the loop": ("branch %more.p, body.p()", "branch %more.p, body()"),
    "behind it are the arguments in another order": ("meet(%h.p, %i.p)", "meet(%i.p, %h.p)"),
    "behind the loop they are": ("meet(%h, %i)", "meet(%i, %h)"),
    "behind both they are": ("meet(%hm: int, %im: int)", "meet(%im: int, %hm: int)"),
    "behind it is what the loop had": ("meet(%h.p, %i.p)", "meet(%h.p, %i)"),
    "behind the loop is what the copy had": ("meet(%h, %i)", "meet(%h, %i.p)"),
    "behind both is what the copy had": ("%sum: int = add %hm, %im", "%sum: int = add %hm, %i.p"),
    "behind both is what the loop had": ("%sum: int = add %hm, %im", "%sum: int = add %h, %im"),
    "another is passed on": ("jump out(%hm)", "jump out(%im)"),
    "what the loop had is passed on": ("jump out(%hm)", "jump out(%h)"),
    "something is done where both meet": (
        "meet(%hm: int, %im: int):\n",
        "meet(%hm: int, %im: int):\n  store %a, %0, %0\n",
    ),
    "a store is gone": ("  store %a, %i.p, %1\n", ""),
    "a store is done twice": ("  store %a, %i.p, %1\n", "  store %a, %i.p, %1\n  store %a, %i.p, %1\n"),
    "another is stored": ("store %a, %i.p, %1", "store %a, %i.p, %0"),
    "it is stored elsewhere": ("store %a, %i.p, %1", "store %a, %1, %i.p"),
    "a load comes later": (
        "  %e.p: int = load %a, %i.p\n  %mixed.p: int = add %low.p, %e.p\n  store %a, %i.p, %1\n",
        "  store %a, %i.p, %1\n  %e.p: int = load %a, %i.p\n  %mixed.p: int = add %low.p, %e.p\n",
    ),
    "it loads what the loop does": ("load %a, %i.p", "load %a, %i"),
    "less is kept": ("low 32 %h.p", "low 31 %h.p"),
    "another operation": ("%next.p: int = add", "%next.p: int = sub"),
    "the loop is another": ("%next: int = add %i, %1", "%next: int = add %i, %n"),
    "what follows is another": ("%p: int = add %o, %1", "%p: int = add %o, %n"),
    "another is returned": ("return %g", "return %o"),
    "another end": ('trap "bad"', 'trap "worse"'),
    "a number of another type": ("%low.p: int =", "%low.p: u8 ="),
}


@pytest.mark.parametrize("name", WRONG_COPY)
def test_another_copy_is_refused(name):
    refused(Peeled, LOOP, changed(PEELED, WRONG_COPY[name]))


def test_a_copy_is_stale_once_the_loop_went_on():
    # behind an inner block that only the copy defines something for, the loop may have run
    before = changed(LOOP, ("%sum: int = add %h, %i", "%sum: int = add %g, %i"))
    after = changed(PEELED, ("%sum: int = add %hm, %im", "%sum: int = add %g, %im"))
    check(Peeled, before, after)
    refused(Peeled, before, changed(after, ("add %g, %im", "add %g, %i.p")))
