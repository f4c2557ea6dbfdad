"""Checks that rounds bound: left out only where no run fails them, and there they are."""

import pytest
from carrychain.ring.facts.rounds import Rounds
from carrychain.ring.ir.errors import Trap
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.rewrite import cut

# a loop with x, which is checked, and i; its parts, and where x lies in it for n up to 100 and y up to 255
LOOP = """
function @f -> (int) {{
entry(%n: int[0,100], %y: u8):
  %0: int = const 0
  %1: int = const 1
  %2: int = const 2
  %5: int = const 5
  %200: int = const 200
  %1000: int = const 1000
  jump loop({start})
loop(%i: int, %x: int):
  %more: bool = {test}
  branch %more, body(), done()
body():
  %odd.i: int = low 1 %i
  %odd: bool = eq %odd.i, %1
  %c: int = narrow {type} %x
{body}
done():
  return %x
}}
"""
UP = "  %i1: int = add %i, %1\n"
PLAIN = f"{UP}  %x1: int = add %c, %y\n  jump loop(%i1, %x1)"
CASES = {
    "up": ("%0, %5", "lt %i, %n", PLAIN, "int[*,{}]", 5 + 255 * 100),
    "down": (
        "%n, %5", "gt %i, %0", PLAIN.replace("add %i", "sub %i"), "int[*,{}]", 5 + 255 * 100,
    ),
    "by two": ("%0, %5", "lt %i, %n", PLAIN.replace("add %i, %1", "add %i, %2"), "int[*,{}]", 5 + 255 * 50),
    "from below": ("%0, %5", "lt %i, %n", PLAIN.replace("add %c", "sub %c"), "int[{},*]", 5 - 255 * 100),
    "added to what": (
        "%0, %5", "lt %i, %n", PLAIN.replace("add %c, %y", "add %y, %c"), "int[*,{}]", 5 + 255 * 100,
    ),
    "on some rounds": (
        "%0, %5", "lt %i, %n",
        f"{UP}  branch %odd, add(), on(%c)\nadd():\n  %x1: int = add %c, %y\n  jump on(%x1)\n"
        "on(%x2: int):\n  jump loop(%i1, %x2)",
        "int[*,{}]", 5 + 255 * 100,
    ),
    "one of two": (
        "%0, %5", "lt %i, %n",
        f"{UP}  %x1: int = add %c, %y\n  %x2: int = add %c, %200\n  %x3: int = select %odd, %x1, %x2\n"
        "  jump loop(%i1, %x3)",
        "int[*,{}]", 5 + 255 * 100,
    ),
    "begun anew": (
        "%0, %5", "lt %i, %n",
        f"{UP}  %x1: int = add %c, %y\n  branch %odd, new(), old()\nnew():\n  jump loop(%i1, %1000)\n"
        "old():\n  jump loop(%i1, %x1)",
        "int[*,{}]", 1000 + 255 * 100,
    ),
    # what no rounds bound
    "rounds that do not count": (
        "%0, %5", "lt %i, %n",
        f"{UP}  %x1: int = add %c, %y\n  %far: bool = lt %x1, %1000\n  branch %far, stay(), on()\n"
        "stay():\n  jump loop(%i, %x1)\non():\n  jump loop(%i1, %x1)",
        "int[*,{}]", None,
    ),
    "twice as much": (
        "%0, %5", "lt %i, %n", PLAIN.replace("add %c, %y", "add %c, %c"), "int[*,{}]", None,
    ),
    "a loop within": (
        "%0, %5", "lt %i, %n",
        f"{UP}  jump again(%0, %c)\nagain(%j: int, %x1: int):\n  %x2: int = add %x1, %y\n"
        "  %j1: int = add %j, %1\n  %inner: bool = lt %j1, %5\n  branch %inner, again(%j1, %x2), out()\n"
        "out():\n  jump loop(%i1, %x2)",
        "int[*,{}]", None,
    ),
    "the other way": ("%0, %5", "lt %i, %n", PLAIN.replace("add %c", "sub %c"), "int[*,{}]", 5),
    "up and down": (
        "%0, %5", "lt %i, %n",
        f"{UP}  %i2: int = sub %i, %1\n  %x1: int = add %c, %y\n  branch %odd, back(), on()\n"
        "back():\n  jump loop(%i2, %x1)\non():\n  jump loop(%i1, %x1)",
        "int[*,{}]", None,
    ),
}  # fmt: skip


def module_of(name: str, bound: int):
    start, test, body, type_, _ = CASES[name]
    return parse_module(LOOP.format(start=start, test=test, body=body, type=type_.format(bound)))


def left_out(name: str, bound: int) -> bool:
    (function,) = module_of(name, bound).functions.values()
    (check,) = (i for i in function.instructions() if i.op == "narrow")
    return Rounds(cut.plan(function)).hold(check)


@pytest.mark.parametrize("name", CASES)
def test_checks_are_left_out_up_to_where_they_hold(name):
    bound = CASES[name][-1]
    if bound is None:
        assert not left_out(name, 1 << 20)
        return
    way = -1 if CASES[name][3].endswith(",*]") else 1
    assert left_out(name, bound)
    assert not left_out(name, bound - way)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[-1] is not None])
def test_what_is_left_out_never_fails(name):
    interpreter = Interpreter(module_of(name, CASES[name][-1]))
    for n in (0, 1, 2, 50, 99, 100):
        for y in (0, 1, 254, 255):
            interpreter.call("f", n, y)


def test_a_check_that_fails_does():
    with pytest.raises(Trap):
        Interpreter(module_of("up", 5 + 255 * 98)).call("f", 100, 255)
