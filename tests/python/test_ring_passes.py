"""Each pass on cases in plain files, and on random programs: what it must keep, it keeps.

A file of tests/ring is named for its pass: `; case NAME`, a module, `; becomes`, what the pass makes
of it. For `cut` what it finds is written instead, a value a line: range, demand, container.
"""

import random
from copy import deepcopy
from pathlib import Path

import pytest
import ring_programs
from carrychain.ring.facts.demand import demands
from carrychain.ring.facts.order import decide
from carrychain.ring.facts.plan import EVERYTHING, Plan, Range
from carrychain.ring.facts.ranges import analyse, ranges
from carrychain.ring.ir.callgraph import callees_first
from carrychain.ring.ir.errors import CheckError, Trap
from carrychain.ring.ir.form import Int, Module, print_module
from carrychain.ring.ir.inline import inline
from carrychain.ring.ir.interpret import Interpreter, Long
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.verify import verify_module
from carrychain.ring.machine.form import BIG
from carrychain.ring.prove.__main__ import STAGES
from carrychain.ring.rewrite import cut, passes
from carrychain.ring.rewrite.checked import checked
from carrychain.ring.rewrite.counters import ends, exits_by_order, in_step
from carrychain.ring.rewrite.elements import narrowed
from carrychain.ring.rewrite.idiom import idioms
from carrychain.ring.rewrite.lengths import asked_again, lengths
from carrychain.ring.rewrite.parts import in_parts
from carrychain.ring.rewrite.peel import peel
from carrychain.ring.rewrite.scalars import scalars
from carrychain.ring.rewrite.simplify import simplify
from carrychain.ring.trust.check import _Ranges, check
from carrychain.ring.trust.rewrites import SHOWN
from draws import LONG
from hypothesis import given, settings
from hypothesis import strategies as st

CASES = Path(__file__).parents[1] / "ring"


def simplify_each(module: Module) -> None:
    for function in module.functions.values():
        simplify(function)


def fold_each(module: Module) -> None:
    for function in module.functions.values():
        simplify(function, ranges(function))


def idiom_each(module: Module) -> None:
    for function in module.functions.values():
        known = ranges(function)
        idioms(function, known, demands(function, known).masks)


def elements_each(module: Module) -> None:
    for function in module.functions.values():
        narrowed(function, {})


def order_each(module: Module) -> None:
    for function in module.functions.values():
        exits_by_order(function, analyse(function))


def step_each(module: Module) -> None:
    for function in module.functions.values():
        in_step(function, analyse(function))


def decided_each(module: Module) -> None:
    for function in module.functions.values():
        decide(function, analyse(function))


def peel_each(module: Module) -> None:
    for function in module.functions.values():
        peel(cut.plan(function))


def ends_each(module: Module) -> None:
    for function in module.functions.values():
        ends(cut.plan(function), set())


def words_each(module: Module) -> None:
    for function in module.functions.values():
        checked(cut.plan(function))


def parts_each(module: Module) -> None:
    for function in module.functions.values():
        in_parts(function, ranges(function))


def scalars_each(module: Module) -> None:
    for function in module.functions.values():
        scalars(function)


def lengths_each(module: Module) -> None:
    for function in module.functions.values():
        lengths(function)


def asked_each(module: Module) -> None:
    for function in module.functions.values():
        asked_again(function)


PASSES = {
    "inline": inline,
    "elements": elements_each,
    "simplify": simplify_each,
    "fold": fold_each,
    "idiom": idiom_each,
    "lengths": lengths_each,
    "asked": asked_each,
    "order": order_each,
    "step": step_each,
    "decided": decided_each,
    "peel": peel_each,
    "ends": ends_each,
    "parts": parts_each,
    "scalars": scalars_each,
    "words": words_each,
}


# Cases in files ------------------------------------------------------------------------------


def cases():
    for path in sorted(CASES.glob("*.ir")):
        for case in path.read_text().split("; case ")[1:]:
            name, _, rest = case.partition("\n")
            before, divider, after = rest.partition("; becomes\n")
            assert divider, f"{path.name}: {name}: nothing that it becomes"
            yield pytest.param(path.stem, before, after, id=f"{path.stem}: {name}")


def shown(plan: Plan) -> str:
    lines = []
    for value, container in plan.containers.items():
        known, demand = plan.ranges.get(value), plan.demands[value]
        low, high = ("*" if end is None else end for end in (known.low, known.high)) if known else ("-", "-")
        asked = "all" if demand == EVERYTHING else hex(demand)
        lines.append(f"{value} {low}..{high} {asked} {'big' if container is BIG else container}")
    return "\n".join(lines)


@pytest.mark.parametrize("name, before, after", list(cases()))
def test_case(name, before, after):
    module = parse_module(before)
    verify_module(module)
    if name == "cut":
        (function,) = module.functions.values()
        assert shown(cut.plan(function)) == after.strip()
        return
    PASSES[name](module)
    verify_module(module)
    assert print_module(module) == print_module(parse_module(after))


# Random programs -----------------------------------------------------------------------------


class Watching(Interpreter):
    """Remembers each integer that a value ever was, but what is too long to be made."""

    def __init__(self, module: Module):
        super().__init__(module)
        self.seen: dict = {}

    def _step(self, instruction, args):
        results = super()._step(instruction, args)
        for value, result in zip([*instruction.args, *instruction.results], [*args, *results], strict=True):
            if isinstance(value.type, Int) and not isinstance(result, Long):
                self.seen.setdefault(value, set()).add(result)
        return results


def outcome(module: Module, name: str, args: list, interpreter=Interpreter):
    """What a call comes to; the arguments' arrays stay as they are for the next."""
    try:
        return interpreter(module).call(name, *deepcopy(args))
    except Trap:
        return "trap"


random_programs = st.integers(0, 1 << 32).map(random.Random)


@settings(max_examples=150 if LONG else 60)
@given(random_programs)
def test_passes_keep_what_a_program_means(rng):
    functions = ring_programs.program(rng)
    module, name = ring_programs.to_ir(functions), functions[-1][0]
    calls = [ring_programs.inputs(rng, functions) for _ in range(4)]
    verify_module(module)
    wanted = [outcome(module, name, args) for args in calls]
    order = (
        "inline",
        "simplify",
        "scalars",
        "lengths",
        "elements",
        "order",
        "step",
        "decided",
        "asked",
        "fold",
        "idiom",
        "parts",
        "peel",
        "ends",
        "words",
        "simplify",
        "fold",
    )
    for each in order:
        PASSES[each](module)
        verify_module(module)
        assert [outcome(module, name, args) for args in calls] == wanted, each
    text = print_module(module)
    assert print_module(parse_module(text)) == text


@given(random_programs)
def test_ranges_hold_every_value_and_the_plan_is_accepted(rng):
    functions = ring_programs.program(rng)
    module, name = ring_programs.to_ir(functions), functions[-1][0]
    summaries: dict[str, list[Range]] = {}
    plans = []
    for function in callees_first(module):
        plans.append(cut.plan(function, summaries))
        summaries[function.name] = check(plans[-1], module, summaries)
    known = {value: range_ for plan in plans for value, range_ in plan.ranges.items()}
    interpreter = Watching(module)
    for _ in range(4):
        args = ring_programs.inputs(rng, functions)
        result = outcome(module, name, args, lambda _: interpreter)
        if result != "trap":
            assert all(x in r for x, r in zip(result, summaries[name], strict=True))
    for value, seen in interpreter.seen.items():
        for x in seen:
            assert value in known and x in known[value], value


def made_plan(rng):
    """A plan of a random function that calls nothing, and its module."""
    functions = ring_programs.program(rng)[:1]
    module = ring_programs.to_ir(functions)
    simplify_each(module)
    plan = cut.plan(module.functions[functions[0][0]])
    check(plan, module)
    return plan, module, functions


@given(random_programs)
def test_a_range_that_does_not_hold_what_occurs_is_refused(rng):
    plan, module, functions = made_plan(rng)
    interpreter = Watching(module)
    for _ in range(3):
        args = ring_programs.inputs(rng, functions)
        outcome(module, functions[0][0], args, lambda _: interpreter)
    for value in rng.sample(list(interpreter.seen), min(8, len(interpreter.seen))):
        right = plan.ranges[value]
        x = rng.choice(list(interpreter.seen[value]))
        for wrong in (
            Range(x + 1, None if right.high is None else max(right.high, x + 1)),
            Range(None if right.low is None else min(right.low, x - 1), x - 1),
            Range(right.low, right.high, ones=1 << rng.randrange(40) & ~x) if ~x & ((1 << 40) - 1) else None,
            Range(right.low, right.high, zeros=x & -x) if x else None,
        ):
            if wrong is None or x in wrong:
                continue
            plan.ranges[value] = wrong
            with pytest.raises(CheckError):
                check(plan, module)
        plan.ranges[value] = right
    check(plan, module)


@given(random_programs)
def test_a_container_too_narrow_is_refused(rng):
    plan, module, _ = made_plan(rng)
    for value, container in plan.containers.items():
        demand = plan.demands[value]
        narrower = next((w for w in (64, 32, 16, 8) if container is BIG or w < container), None)
        if narrower is None or 0 <= demand < 1 << narrower:
            continue
        # with the demand as it is, and cut to what the container holds
        plan.containers[value] = narrower
        with pytest.raises(CheckError):
            check(plan, module)
        plan.containers[value] = container


@given(random_programs)
def test_a_demand_that_something_needs_is_missed(rng):
    plan, module, _ = made_plan(rng)
    made_by = {r: i for i in plan.function.instructions() for r in i.results}
    # what stands behind an instruction that always traps is never needed
    reached = [
        block for block, steps in _Ranges(plan, module, {}).check().items() if steps > len(block.instructions)
    ]
    used = {arg for block in reached for arg in block.terminator.args}
    for value in used & set(plan.containers):
        # what is returned must be whole
        if value in made_by and made_by[value].op == "const":
            continue
        demand, container = plan.demands[value], plan.containers[value]
        known = plan.ranges.get(value)
        if known is None:
            continue
        plan.demands[value] = 0 if demand < 0 else demand >> 1
        plan.containers[value] = 8 if container is BIG else container
        with pytest.raises(CheckError):
            check(plan, module)
        plan.demands[value], plan.containers[value] = demand, container
    check(plan, module)


def test_what_shows_a_pass_right_is_there():
    """Each row has its checker, which rests on stages of the proofs that there are."""
    assert [row.name for row in passes.PASSES] == list(SHOWN)
    for name, shown in SHOWN.items():
        assert {*shown.proofs} <= {*STAGES}, name
