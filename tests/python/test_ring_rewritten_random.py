"""What passes make of random programs is changed at random: if it is still shown, it does the same."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import islice

import pytest
import ring_lists
import ring_programs
from carrychain.ring import compile as compiling
from carrychain.ring.facts.ranges import analyse
from carrychain.ring.ir.errors import CheckError, Trap
from carrychain.ring.ir.form import Function, Module, Position, print_function
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.snapshot import snapshot
from carrychain.ring.ir.verify import verify_function
from carrychain.ring.trust.check import check_ranges
from carrychain.ring.trust.inlined import check_inlined
from carrychain.ring.trust.rewrites import SHOWN, check_rewritten
from carrychain.ring.trust.validate import arguments
from draws import LONG
from ring_forgeries import forged
from ring_graphs import random_graph
from ring_rewritten import CLAIMED
from test_ring_limbs import Written

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
LONGEST = 4000  # steps of a run
LONG_NUMBER = 1 << 13  # bits
# what reads several bytes at once may name another of their indices
READ_AT_ONCE = ("idioms", "idioms of bits", "parts")


class _Endless(Exception):
    """The run has no end, or what was promised is not so."""


class _Run(Interpreter):
    def __init__(self, module: Module, left: int):
        super().__init__(module)
        self.left = left

    def _made(self, values, found):
        # of a block, or of an instruction
        self.left -= 1
        if self.left < 0:
            raise _Endless
        if any(isinstance(each, int) and each.bit_length() > LONG_NUMBER for each in found):
            raise MemoryError
        return found

    def _step(self, instruction, args):
        if instruction.op == "assume" and args[0] not in instruction.attribute:
            raise _Endless
        return super()._step(instruction, args)


def outcome(module: Module, function: Function, args: list, longest: int, name: str) -> object:
    run = _Run(Module({**module.functions, function.name: function}, module.arrays), longest)
    arrays = [list(arg) if isinstance(arg, list) else arg for arg in args]
    try:
        return run.call(function.name, *arrays), arrays, run.arrays
    except _Endless:
        return None
    except Trap as error:
        place = error.position and (str(error.position), [*map(str, error.position.callers)])
        if name == "inline":
            # the calls are named only where they are inlined
            place = place and place[0]
        if name in READ_AT_ONCE and "is out of bounds" in str(error):
            return "out of bounds", arrays, run.arrays
        return str(error), place, arrays, run.arrays
    except MemoryError:
        return MemoryError


class Forger:
    """Tries changes of whatever a pass has made, as its checker is asked."""

    def __init__(self, check: Callable, rng, tries: int):
        self.check, self.rng, self.tries = check, rng, tries
        self.module = Module()
        self.count: Counter[str] = Counter()

    def __call__(self, name, before, after, *known) -> object:
        shown = self.check(name, before, after, *known)
        calls = list(islice(arguments(before.function), 8))
        were = [outcome(self.module, before.function, args, LONGEST, name) for args in calls]
        for _ in range(self.tries):
            with forged(after, self.rng, name) as change:
                if not self._shown(name, before, after, *known):
                    continue
                self.count[name] += 1
                verify_function(after, self.module)
                for args, was in zip(calls, were, strict=True):
                    if was in (None, MemoryError):
                        continue
                    now = outcome(self.module, after, args, 20 * LONGEST, name)
                    # a sum may be made of longer terms
                    if now not in (was, MemoryError):
                        texts = print_function(before.function), print_function(after)
                        pytest.fail("\n\n".join(map(str, (name, change, args, was, now, *texts))))
        return shown

    def _shown(self, name, before, after, *known) -> bool:
        try:
            self.check(name, before, after, *known)
        except CheckError:
            return False
        return True


def place(module: Module) -> None:
    """Each instruction stands somewhere else."""
    every = (i for function in module.functions.values() for i in function.instructions())
    for line, i in enumerate(every, 1):
        i.position = Position("f", line, 1)


MADE = {
    "programs": lambda draw: ring_programs.to_ir(ring_programs.program(draw)).copy(),
    "lists": lambda draw: parse_module(ring_lists.program(draw)),
}


@pytest.mark.parametrize("kind", MADE)
def test_no_forgery_that_is_shown_does_something_else(draw, monkeypatch, kind):
    forger = Forger(check_rewritten, draw, 30)
    monkeypatch.setattr(compiling, "check_rewritten", forger)
    for _ in range(600 if LONG else 30):
        module = MADE[kind](draw)
        place(module)
        forger.module = module
        compiling.plans(module, True)
    assert sum(forger.count.values()) > 10
    assert set(forger.count) <= set(SHOWN)


def test_no_forgery_of_a_graph_that_is_shown_does_something_else(draw):
    forger = Forger(check_rewritten, draw, 12)
    for _ in range(3000 if LONG else 25):
        function = random_graph(draw)
        forger.module = Module({"f": function})
        known = analyse(function)
        check_ranges(function, *known, forger.module, {})
        for name in sorted(SHOWN.keys() - CLAIMED):
            # nothing has been rewritten
            forger(name, snapshot(function), function, *known)
    assert min(forger.count[name] for name in SHOWN.keys() - CLAIMED) > 0


def test_no_forgery_in_limbs_that_is_shown_does_something_else(draw, monkeypatch):
    forger = Forger(check_rewritten, draw, 30 if LONG else 8)
    monkeypatch.setattr(compiling, "check_rewritten", forger)
    for _ in range(600 if LONG else 25):
        forger.module = parse_module(Written(draw).text())
        compiling.plans(forger.module.copy(), True)
    assert forger.count["limbs"] > 5


def test_no_forgery_of_copies_that_is_shown_does_something_else(draw, monkeypatch):
    forger = Forger(lambda name, *args: check_inlined(*args), draw, 40 if LONG else 20)
    monkeypatch.setattr(compiling, "check_inlined", partial(forger, "inline"))
    for _ in range(600 if LONG else 60):
        forger.module = ring_programs.to_ir(ring_programs.program(draw)).copy()
        place(forger.module)
        compiling.inlined(forger.module)
    assert forger.count["inline"] > 5


def _compared(draw) -> str:
    """A comparison of two numbers of few bits each, where branches have told of their ends."""
    mask = sum(draw.sample((1, 2, 4, 32, 64, -128), draw.choice((1, 2, 2, 3))))
    base = draw.choice((0, 0, 1, 8, 64, -256))
    near = [(draw.randrange(-300, 300) & mask | base) + draw.choice((0, 0, 0, 1, -1)) for _ in range(8)]
    lines = ["function @f -> (int) {", "entry(%x: int[-300,300], %y: int[-300,300]):"]
    lines += [f"  %n{at}: int = const {number}" for at, number in enumerate((mask, base, *near))]
    for name in "xy":
        lines += [f"  %k{name}: int = and %{name}, %n0", f"  %b{name}: int = ior %k{name}, %n1"]
    lines.append("  jump in0()")
    for at in range(3):
        sides = draw.sample(("%bx", draw.choice(("%by", f"%n{2 + at}"))), 2)
        ways = draw.sample((f"in{at + 1}()", f"out{at}()"), 2)
        lines += [f"in{at}():", f"  %t{at}: bool = {draw.choice(COMPARISONS)} {', '.join(sides)}"]
        lines += [f"  branch %t{at}, {', '.join(ways)}", f"out{at}():", f"  return %n{at}"]
    return "\n".join([*lines, "in3():", "  return %bx", "}"])


def test_what_ends_and_bits_decide_is_shown(draw):
    """No pass is refused (a warning, and so an error), though what it knows is just enough."""
    left = tried = 0
    for _ in range(20000 if LONG else 1000):
        module = parse_module(_compared(draw))
        compiling.plans(module, True)
        left += sum(i.op in COMPARISONS for i in module.functions["f"].instructions())
        tried += 3
    assert tried / 10 < left < tried * 9 / 10
