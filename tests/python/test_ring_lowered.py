"""Each word program is checked against its IR before it is emitted; what is damaged on the way is refused."""

import ast
from collections import Counter
from pathlib import Path

import pytest
from carrychain.ring import lower, trust
from carrychain.ring.compile import lowered, plans
from carrychain.ring.ir.errors import Refused
from carrychain.ring.ir.form import print_module
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.lower.module import lower as lower_module
from carrychain.ring.machine.interpret import MachineInterpreter
from draws import random_for
from ring_damages import DAMAGES
from ring_mutants import MISSED, REFUSED, TOLD, judged, known_programs, mutants, random_programs

# What checks the lowering, and what it may know of the rest of the compiler: forms, and the plan as data.
CHECKER = (
    "lowered", "steps", "yields", "words", "patterns", "ordered", "induction", "regrouped", "defined",
    "owned", "tables",
)  # fmt: skip
COMMON = {"facts.plan", "machine.form", "machine.abi", "machine.witness"}
LOWERING = (
    "lower.arithmetic", "lower.arrays", "lower.checks", "lower.function", "lower.functions", "lower.polls",
    "lower.shifts", "lower.values", "machine.gather", "machine.regroup",
)  # fmt: skip
MUTANTS, PROGRAMS = 40, 12


def imported(path: Path) -> set[str]:
    """The modules of ring that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 2:
            module = node.module or ""
            found |= {f"{module}.{each.name}" for each in node.names} if "." not in module else {module}
    return found


def test_the_checker_shares_nothing_with_lowering():
    of = {name: imported(Path(trust.__file__).with_name(f"{name}.py")) for name in CHECKER}
    common = {module for found in of.values() for module in found if not module.startswith("ir.")}
    assert common <= COMMON
    # and the other way round
    theirs = set().union(*map(imported, Path(lower.__file__).parent.glob("*.py")))
    assert not any(module.startswith("trust") for module in theirs)


def test_lowering_changes_neither_the_ir_nor_the_plan():
    """With what it would change, the checker would compare."""
    for program in known_programs():
        module = program.module.copy()
        made = plans(module, True)

        def stated(module=module, made=made):
            facts = [(plan.ranges, plan.demands, plan.containers, plan.facts) for plan in made.values()]
            return print_module(module), [[repr(each) for each in found] for found in facts]

        before = stated()
        lower_module(module, made)
        assert stated() == before


def test_what_cannot_be_shown_is_lowered_whole_and_said():
    """A sign that is not extended: the function runs on big integers, and is right."""
    module = parse_module("""function @f -> (int) {
entry(%x: s8):
  %k: int = const 300
  %r: int = mul %x, %k
  return %r
}
""")
    (damage,) = (each for each in DAMAGES if each.name == "a sign is not extended")
    made = plans(module, True)
    with damage.done(), pytest.warns(Refused, match=r"f runs on big integers: .*lowered to words"):
        words, signatures, _ = lowered(module, made)
    assert MachineInterpreter(words, signatures).call("f", -3) == (-900,)


def test_mutants_of_the_lowering_are_refused():
    """Of those that make an answer wrong none is emitted."""
    rng = random_for("mutants of the lowering")
    programs = known_programs() + random_programs(rng, PROGRAMS)
    rng.shuffle(programs)
    # what no mutant is asked of must be shown
    for program in programs:
        work = program.module.copy()
        lowered(work, plans(work, True))
    counts: Counter[str] = Counter()
    for mutant in rng.sample([each for module in LOWERING for each in mutants(module)], MUTANTS):
        became, program = judged(mutant, programs)
        assert became not in (TOLD, MISSED), f"{mutant}, by {program}"
        counts[became] += 1
    print(dict(counts))
    assert counts[REFUSED]
