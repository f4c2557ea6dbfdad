"""A copy for words: it leaves words where they end, and comes back; whatever is wrong with it is refused."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from carrychain.ring import compile as compiler
from carrychain.ring.compile import plans
from carrychain.ring.facts.checked import CheckedWords
from carrychain.ring.ir.errors import CheckError
from carrychain.ring.ir.form import Block, Branch, Edge, Function, Instruction, Int, Jump, Module
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.snapshot import Snapshot
from carrychain.ring.trust.checked import Checked
from draws import random_for
from exact import jit
from ring_cases import module_of

PROGRAMS = {
    "steps": """def f(n, most):
    steps = 0
    while n > 1 and steps < most:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps * 1000 + n % 1000
""",
    "powers": """def f(n, most):
    a, total = 1, 0
    for i in range(n & 255):
        a = a * (most | 1) - i
        total += a % 1009
        if a.bit_length() > 200:
            a = i
    return total ^ a
""",
    "straight": """def f(n, most):
    return (n * most - n) * (n + most) // (n * n + 1)
""",
    "shifts": """def f(n, most):
    total = 0
    for i in range(n & 127):
        total += (most + 1 << i) - (most << i) & 0xFFFF
        total = total * 3 // (i - 60 or 1)
    return total
""",
    "calls": """def f(n, most):
    if n <= 0:
        return most
    less = f((n & 7) - 1, most * 5)
    return less * most - n if n & 1 else less + most
""",
    "two loops": """def f(n, most):
    out = 0
    for i in range(n & 15):
        x = most
        for j in range(i):
            x = x * x - j
            out += x & 0xFFFF if x & 1 else -x
    return out
""",
}
ARGUMENTS = [
    0,
    1,
    3,
    27,
    97,
    255,
    (1 << 31) + 1,
    (1 << 62) - 1,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) + 7,
    1 << 130,
]
ARGUMENTS += [-x for x in ARGUMENTS]


def copied(text: str, look: Callable[[Snapshot, Function, CheckedWords], None]) -> None:
    """Compiles the program, and looks at each function when it has been copied."""
    shown = compiler.check_rewritten

    def watch(name, before, after, ranges, facts, witness=None):
        if name == "checked words" and witness is not None:
            look(before, after, witness)
        return shown(name, before, after, ranges, facts, witness)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "check_rewritten", watch)
        plans(module_of(text), True)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_the_copy_does_what_the_function_did(text):
    found = []
    copied(text, lambda before, after, witness: found.append((before.function, after.copy())))
    assert found
    rng = random_for(f"pairs: {text}")
    pairs = [(rng.choice(ARGUMENTS), rng.choice(ARGUMENTS)) for _ in range(60)]
    for before, after in found:
        module = module_of(text)
        for x, y in pairs:
            ran = []
            for function in (before, after):
                module.functions["f"] = function
                ran.append(Interpreter(module).call("f", min(x, 1 << 64), y & (1 << 9) - 1))
            assert ran[0] == ran[1], (x, y)


class Exits(Interpreter):
    """Counts what tests find: whether what they test is a word."""

    def __init__(self, module: Module, tests: dict[Instruction, str], found: Counter):
        super().__init__(module)
        self.tests, self.found = tests, found

    def _step(self, instruction: Instruction, args: list) -> tuple:
        results = super()._step(instruction, args)
        if instruction in self.tests:
            self.found[self.tests[instruction], *results] += 1
        return results


def kinds(after: Function, witness: CheckedWords) -> dict[Instruction, str]:
    """The tests of a copy, and what each tests."""
    found: dict[Instruction, str] = {}
    for block in after.blocks:
        place, steps = witness.places[block]
        made = {r for i in block.instructions for r in i.results}
        for i in block.instructions if block in witness.tests else ():
            if i.op == "eq":
                other = "an argument" if place.name == after.blocks[0].name else "a loop's integer"
                found[i] = "a sum" if i.args[1] in made else "a result" if steps else other
    return found


def test_each_kind_of_exit_is_taken():
    found: Counter[tuple[str, bool]] = Counter()

    def run(before: Snapshot, after: Function, witness: CheckedWords) -> None:
        module, tests = Module({"f": after}), kinds(after, witness)
        for _ in range(120):
            Exits(module, tests, found).call("f", min(rng.choice(ARGUMENTS), 1 << 64), rng.randrange(1 << 9))

    for text in PROGRAMS.values():
        rng = random_for(f"exits: {text}")
        copied(text, run)
    for kind in ("an argument", "a sum", "a result", "a loop's integer"):
        assert min(found[kind, False], found[kind, True]) > 5, found


def test_an_exit_after_a_million_rounds_does_nothing_twice():
    def counted(counts: list, marks: bytearray, rounds: int) -> int:
        x = 0
        for i in range(rounds):
            counts[i & 7] += 1
            marks[i & 15] = (marks[i & 15] + i) & 255
            x = 3 * x + 1 if i >= rounds - 50 else x ^ i
        return x

    ran = []
    for function in (counted, jit(counted)):
        counts, marks = [0] * 8, bytearray(16)
        ran.append((function(counts, marks, 1_000_000), counts, marks))
    assert ran[0] == ran[1]
    assert ran[1][0] > 1 << 64 and sum(ran[1][1]) == 1_000_000


def done(block: Block, witness: CheckedWords) -> tuple[Block, int]:
    """Where the block is, and how many instructions are done there, without constants."""
    place, at = witness.places[block]
    return place, sum(i.op != "const" for i in place.instructions[:at])


Undo = Callable[[], object]


def wrong(function: Function, witness: CheckedWords, rng: random.Random) -> Iterator[tuple[str, Undo]]:
    """Damages to one block, one after another, each with what undoes it."""
    block = rng.choice(function.blocks)
    end, made = block.terminator, {r: i for i in block.instructions for r in i.results}
    edges = [edge for edge in end.edges if edge.args]
    for edge in edges:
        at = rng.randrange(len(edge.args))
        was, param = edge.args[at], edge.block.params[at]
        meant = witness.meant.get(was)
        others = [v for v in edge.args if isinstance(v.type, Int) and witness.meant.get(v) is not meant]
        if meant is not None and param in witness.meant and isinstance(param.type, Int) and others:
            edge.args[at] = rng.choice(others)
            yield f"{block.name} passes {edge.args[at]} for {was}", partial(edge.args.__setitem__, at, was)
    if isinstance(end, Branch) and made.get(end.condition) is not None and made[end.condition].op != "gt":
        if [e.block for e in end.edges] != [e.block for e in end.edges][::-1]:
            block.terminator = Branch(end.condition, end.otherwise, end.then)
            yield f"{block.name} branches the other way", partial(setattr, block, "terminator", end)
        block.terminator = Jump(end.then)
        yield f"{block.name} does not test", partial(setattr, block, "terminator", end)
    for i in block.instructions:
        if block not in witness.tests and i.op != "const":
            at = block.instructions.index(i)
            del block.instructions[at]
            yield f"{block.name} does not do {i}", partial(block.instructions.insert, at, i)
        if i.op in ("add", "sub", "mul", "fdiv", "fmod"):
            op, i.op = i.op, "gcd"
            yield f"{block.name} does another thing than {op}", partial(setattr, i, "op", op)
        if i.op == "const" and i.results[0] not in witness.meant and block not in witness.tests:
            value, i.attribute = i.attribute, i.attribute + 5
            yield f"{block.name} has another constant than {value}", partial(setattr, i, "attribute", value)
    place, steps = witness.places[block]
    real = [at for at, i in enumerate(place.instructions) if i.op != "const" and at >= steps]
    if real:
        witness.places[block] = place, real[0] + 1
        yield f"{block.name} is further on", partial(witness.places.__setitem__, block, (place, steps))
    # another copy of what comes next would be as good
    reached = done(block, witness)[1] + sum(i.op != "const" for i in block.instructions)
    for other in rng.sample(function.blocks, min(4, len(function.blocks))):
        if block in witness.tests or not edges or done(other, witness) == (place, reached):
            continue
        if done(other, witness) != done(edges[0].block, witness):
            edge, to = edges[0], edges[0].block
            edge.block = other
            yield f"{block.name} leads to {other.name}", partial(setattr, edge, "block", to)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_a_damaged_copy_is_refused(text):
    rng, tried = random_for(f"damages: {text}"), 0

    def damage(before: Snapshot, after: Function, witness: CheckedWords) -> None:
        nonlocal tried
        Checked(before, after, {}, {}, witness).check()
        for _ in range(40):
            for what, undo in wrong(after, witness, rng):
                with pytest.raises(CheckError):
                    Checked(before, after, {}, {}, witness).check()
                    pytest.fail(f"nothing refuses that {what}")
                undo()
                tried += 1
        Checked(before, after, {}, {}, witness).check()

    copied(text, damage)
    assert tried > 100


def test_a_run_may_not_stay_at_one_place():
    def around(before: Snapshot, after: Function, witness: CheckedWords) -> None:
        test = next(b for b in after.blocks if b in witness.tests and b is not after.blocks[0])
        test.instructions, test.terminator = [], Jump(Edge(test, list(test.params)))
        with pytest.raises(CheckError, match="for ever"):
            Checked(before, after, {}, {}, witness).check()

    with pytest.warns(Warning):
        copied(PROGRAMS["steps"], around)
