"""The checker refuses what does not follow, claim by claim."""

import pytest
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.facts.plan import EVERYTHING, Plan, Range
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.verify import verify_module
from carrychain.ring.machine.form import BIG
from carrychain.ring.rewrite import cut
from carrychain.ring.trust.check import check

LOOP = """
function @f -> (int) {
entry(%x: u32, %n: u32):
  %zero: int = const 0
  jump head(%zero, %x)
head(%i: int, %a: int):
  %c: bool = lt %i, %n
  branch %c, body(), done()
body():
  %s: int = mul %a, %a
  %one: int = const 1
  %j: int = add %i, %one
  jump head(%j, %s)
done():
  %h: int = const -3
  %q: int = shift %a, %h
  %r: int = low 16 %q
  return %r
}
"""


def planned(text: str, name: str = "f"):
    module = parse_module(text)
    verify_module(module)
    plan = cut.plan(module.functions[name])
    check(plan, module)
    return (
        plan,
        module,
        {v.name: v for v in plan.function.values()},
        {b.name: b for b in plan.function.blocks},
    )


def refused(plan: Plan, module, message: str, results=None) -> None:
    with pytest.raises(CheckError, match=message):
        check(plan, module, results)


def test_what_cut_finds_is_what_is_needed():
    plan, *_ = planned(LOOP)
    values = {v.name: v for v in plan.function.values()}
    # 16 bits after a shift by 3: 19 before; multiplied around the loop
    assert plan.demands[values["a"]] & 0x7FFFF == 0x7FFFF
    assert plan.containers[values["a"]] == 32


def test_a_bit_less_is_refused():
    plan, module, values, _ = planned(LOOP)
    for name in ("a", "s"):
        plan.demands[values[name]] = 0x7FFFF
    check(plan, module)
    plan.demands[values["s"]] = 0x3FFFF
    refused(plan, module, "not all bits demanded of %a are correct in %s")
    plan.demands[values["a"]] = 0x3FFFF
    refused(plan, module, "not all bits demanded of %q are correct")


def test_a_range_must_hold_around_the_loop():
    plan, module, values, _ = planned(LOOP)
    plan.ranges[values["i"]] = Range(0, 1000)
    refused(plan, module, "%i may lie outside")
    # what goes around agrees with itself, but not with the entry
    plan.ranges[values["i"]] = Range(1, 1 << 32)
    plan.ranges[values["j"]] = Range(2, 1 << 32)
    refused(plan, module, "%i may lie outside")


def test_a_bit_that_is_said_to_be_known_must_be():
    plan, module, values, _ = planned(LOOP)
    plan.ranges[values["i"]] = Range(0, 1 << 32, zeros=1)
    refused(plan, module, "%i may lie outside")


def test_facts_must_follow_on_every_edge():
    plan, module, values, blocks = planned(LOOP)
    assert plan.facts[blocks["body"]][values["i"]].high == (1 << 32) - 2
    plan.facts[blocks["body"]][values["i"]] = Range(0, (1 << 32) - 3)
    refused(plan, module, "%i may lie outside")


def test_the_branch_not_taken_tells_the_opposite():
    plan, module, values, blocks = planned(LOOP)
    plan.facts[blocks["done"]] = {values["n"]: Range(1, (1 << 32) - 1)}
    refused(plan, module, "%n may lie outside")


INDEXED = """
function @f -> (int) {
entry(%a: array(u8), %i: int, %n: int):
  %x: int = load %a, %i
  %v: array(u8) = new array(u8) %n, %x
  %two: int = const 2
  %j: int = mul %i, %two
  %m: int = sub %n, %i
  jump next()
next():
  %k: int = mul %i, %n
  return %k
}
"""


def test_an_index_and_a_length_are_such_numbers_afterwards():
    plan, module, values, blocks = planned(INDEXED)
    most = (1 << 56) - 1
    assert plan.ranges[values["i"]].high is None
    assert (plan.ranges[values["j"]].low, plan.ranges[values["j"]].high) == (0, 2 * (most - 1))
    assert (plan.ranges[values["m"]].low, plan.ranges[values["m"]].high) == (1 - most, most)
    assert plan.facts[blocks["next"]][values["i"]].high == most - 1
    assert plan.ranges[values["k"]].high == most * (most - 1)
    plan.ranges[values["j"]] = Range(0, most)
    refused(plan, module, "%j may lie outside")
    plan.ranges[values["j"]] = Range(0, 2 * (most - 1))
    plan.facts[blocks["next"]][values["n"]] = Range(0, most - 1)
    refused(plan, module, "%n may lie outside")


@pytest.mark.parametrize("use", ("%x: int = load %a, %i", "store %a, %i, %i", "%x: int = load_be 16 %a, %i"))
def test_an_index_is_none_before_its_use(use):
    text = INDEXED.replace("  %two", f"  {use}\n  %two").replace("  %x: int = load %a, %i\n", "", 1)
    plan, module, values, blocks = planned(text.replace("%n, %x", "%n, %n"))
    assert plan.facts[blocks["next"]][values["i"]].low == 0
    before = f"%j: int = mul %i, %two\n  {use}"
    text = text.replace(f"  {use}\n", "").replace("%j: int = mul %i, %two", before)
    plan, module, values, blocks = planned(text.replace("%n, %x", "%n, %n"))
    assert plan.facts[blocks["next"]][values["i"]].low == 0
    assert plan.ranges[values["j"]].low is None
    plan.ranges[values["j"]] = Range(1, 1 << 56)
    refused(plan, module, "%j may lie outside")


def test_a_block_that_is_entered_is_not_left_out():
    plan, module, _, blocks = planned(LOOP)
    for name in ("body", "done", "head"):
        facts = plan.facts.pop(blocks[name])
        refused(plan, module, f"{name} is claimed to be unreachable")
        plan.facts[blocks[name]] = facts
    del plan.facts[blocks["entry"]]
    refused(plan, module, "the entry")


def test_a_value_that_is_made_is_not_left_out():
    plan, module, values, _ = planned(LOOP)
    del plan.ranges[values["q"]]
    refused(plan, module, "%q is claimed never to be defined")


def test_ranges_need_facts():
    plan, module, *_ = planned(LOOP)
    plan.facts = None
    refused(plan, module, "ranges without facts")


def test_a_plan_of_big_values_claims_nothing():
    module = parse_module(LOOP)
    plan = cut.plan_big(module.functions["f"])
    check(plan, module)
    value = plan.function.params[0]
    plan.containers[value], plan.demands[value] = 32, (1 << 32) - 1
    refused(plan, module, "ranges without facts")


def test_a_parameter_holds_all_of_its_type():
    plan, module, values, _ = planned(LOOP)
    plan.ranges[values["x"]] = Range(0, 255)
    refused(plan, module, "%x may lie outside")


CALL = """
function @g -> (int) {
entry(%x: u8):
  return %x
}

function @f -> (int) {
entry(%x: u8):
  %r: int = call @g %x
  %s: int = add %r, %r
  return %s
}
"""


def test_what_a_call_returns_is_known_only_if_it_was_checked():
    module = parse_module(CALL)
    g = cut.plan(module.functions["g"])
    results = {"g": check(g, module)}
    assert results["g"] == [Range(0, 255, zeros=-256)]
    f = cut.plan(module.functions["f"], results)
    check(f, module, results)
    refused(f, module, "%r may lie outside")
    refused(f, module, "%r may lie outside", {"g": [Range(0, 256)]})


def test_what_is_passed_is_whole():
    plan, module, values, _ = planned(CALL)
    plan.demands[values["x"]] = 0x7F
    refused(plan, module, "%x is used as an integer, but not all of its bits are correct")


def test_a_table_holds_what_its_type_says():
    text = """
array @t: array(u8) = 1 2 300

function @f -> (int) {
entry(%i: u8):
  %t: array(u8) = global @t
  %r: int = load %t, %i
  return %r
}
"""
    plan = cut.plan(parse_module(text).functions["f"])
    refused(plan, parse_module(text.replace("300", "-1")), "elements outside of its type")
    check(plan, parse_module(text.replace("300", "30")))


@pytest.mark.parametrize("use", (
    "%b: bool = lt %s, %x\n  %r: int = select %b, %x, %x",
    "%d: int = const 3\n  %r: int = fdiv %s, %d",
    "%r: int = load %a, %s",
    "store %a, %x, %s\n  %r: int = const 0",
    "%r: int = shift %x, %s",
    "%n: int = narrow u8 %s\n  %r: int = low 8 %n",
    "%r: int = bitlen %s",
    "%r: int = rotl 32 %x, %s",
    "%one: int = const 1\n  %v: array(u8) = new array(u8) %s, %one\n  %r: int = len %v",
))  # fmt: skip
def test_each_use_needs_the_number(use):
    """A sum, kept whole; with only its low 8 bits right there is none of these that may use it."""
    head = "function @f -> (int) {\nentry(%x: s64, %a: array(s64)):\n  %s: int = add %x, %x\n  "
    text = f"{head}{use}\n  return %r\n}}"
    plan, module, values, _ = planned(text)
    assert plan.demands[values["s"]] & ~0xFF
    plan.demands[values["s"]], plan.containers[values["s"]] = 0xFF, 8
    refused(plan, module, "not all of its bits are correct")


def test_a_big_value_is_big():
    plan, module, values, _ = planned(
        "function @f -> (int) {\nentry(%x: int):\n  %s: int = mul %x, %x\n  return %s\n}"
    )
    assert plan.containers[values["s"]] is BIG and plan.demands[values["s"]] == EVERYTHING
    plan.containers[values["s"]] = 64
    refused(plan, module, "more than 64 bits")
    plan.demands[values["s"]] = (1 << 64) - 1
    refused(plan, module, "not all of its bits are correct")
    plan.containers[values["s"]] = 48
    refused(plan, module, "a container cannot have 48 bits")


def test_what_is_refused_runs_on_big_integers(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def refusing(plan, module, results=None):
        if any(bits is not BIG for bits in plan.containers.values()):
            raise CheckError("not shown to be exact")
        return check(plan, module, results)

    monkeypatch.setattr("carrychain.ring.compile.check", refusing)
    text = "function @f -> (int) {\nentry(%x: u32, %y: u32):\n  %s: int = add %x, %y\n  return %s\n}\n"
    with pytest.warns(Refused, match="f runs on big integers: exact, but slower; .*: not shown to be exact"):
        program = compile_module(parse_module(text))
    assert program.call("f", 2**32 - 1, 2) == 2**32 + 1
