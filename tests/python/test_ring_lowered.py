"""Each word program is checked against its IR before it is emitted; what is damaged on the way is refused."""

import ast
import random
import warnings
from collections import Counter
from pathlib import Path

import pytest
from carrychain.ring import lower, trust
from carrychain.ring.compile import lowered, plans
from carrychain.ring.ir.errors import Refused, Trap
from carrychain.ring.ir.form import DIVISION, print_module
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.lower.module import lower as lower_module
from carrychain.ring.machine.interpret import MachineInterpreter
from carrychain.ring.rewrite.cut import plan_big
from draws import LONG, random_for, share
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
MUTANTS, PROGRAMS = (40 if LONG else 6), 12
WALKS = 240 if LONG else 60


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
    for program in share("lowering changes nothing", known_programs(), 2):
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


@pytest.mark.parametrize("op", DIVISION)
@pytest.mark.parametrize(("a", "b"), [(31, 0), (-31, 0), (31, 7), (-31, 7), (31, -7), (-31, -1), (0, 0)])
def test_divisions_of_constants_are_shown_whole(op, a, b):
    """Even by 0, which is refused before anything is divided."""
    module = parse_module(f"""function @f -> (int) {{
entry():
  %a: int = const {a}
  %b: int = const {b}
  %r: int = {op} %a, %b
  return %r
}}
""")
    with warnings.catch_warnings():
        warnings.simplefilter("error", Refused)
        words, signatures, _ = lowered(module, {"f": plan_big(module.functions["f"])})
    assert run(MachineInterpreter(words, signatures), []) == run(Interpreter(module), [])


WALK = """function @f -> (int) {{
entry(%m: {m}, %n: {n}):
  %start: int = const {start}
  %zero: int = const 0
  %one: int = const 1
  %count: int = {op} %m, %n
  %a: array({element}) = new array({element}) %count, %zero
  jump loop(%start, %zero)
loop(%k: int, %s: int):
  %more: bool = lt %k, %count
  branch %more, body(), end()
body():
{index}
  %x: int = low 7 %k
  store %a, %i, %x
  %y: int = load %a, %j
  %t: int = add %s, %y
  %next: int = add %k, %one
  jump loop(%next, %t)
end():
  return %s
}}
"""
OFFSETS = (0, 1, 5, 1 << 31, (1 << 63) - 1, 1 << 64, 1 << 100, -1, -(1 << 63), -(1 << 70))


def walk(rng: random.Random) -> str:
    """A loop over an array whose length may be longer than a word, by sums of its counter and constants, or
    by a constant."""
    lines = []

    def index(name: str) -> None:
        """The counter, by way of others, and perhaps one beside it; or a constant of any width."""
        if not rng.randrange(6):
            constant = rng.choice((1, 1, -1)) * ((1 << rng.randrange(140)) + rng.choice((-1, 0, 0, 5)))
            lines.append(f"  %{name}: int = const {constant}")
            return
        at, beside = "%k", rng.choice((0, 0, 0, 0, 1, -1))
        for part, k in enumerate(
            [*(each for o in rng.sample(OFFSETS, rng.randrange(2)) for each in (o, -o)), beside]
        ):
            op, k = rng.choice((("add", k), ("sub", -k)))
            lines.append(f"  %{name}{part}: int = const {k}")
            lines.append(f"  %{name}.{part}: int = {op} {at}, %{name}{part}")
            at = f"%{name}.{part}"
        lines[-1] = f"  %{name}: int{lines[-1].partition(': int')[2]}"

    index("i")
    index("j")
    types = [rng.choice(("u8", "u32", "u63", "u64", "s64", "u100", "int")) for _ in range(2)]
    return WALK.format(
        m=types[0], n=types[1], op=rng.choice(("add", "mul", "ior")), start=rng.choice((0, 0, 0, 2, -1)),
        element=rng.choice(("u8", "s64", "u128", "int")), index="\n".join(lines),
    )  # fmt: skip


def test_indices_of_all_widths_are_shown():
    """None is lowered whole, or on big integers, for want of what shows that it is within its array."""
    rng = random_for("indices of all widths")
    for _ in range(WALKS):
        text = walk(rng)
        module = parse_module(text)
        with warnings.catch_warnings():
            warnings.simplefilter("error", Refused)
            words, signatures, _ = lowered(module, plans(module, True))
        for args in ((0, 0), (1, 1), (2, 3), (3, 2)):
            assert run(MachineInterpreter(words, signatures), args) == run(Interpreter(module), args), (
                text,
                args,
            )


def run(interpreter: Interpreter | MachineInterpreter, args: tuple[int, ...]) -> tuple | str:
    try:
        return tuple(interpreter.call("f", *args))
    except Trap as trap:
        return trap.message


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
