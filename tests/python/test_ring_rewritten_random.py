"""What passes make of random programs is changed at random: if it is still shown, it does the same."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import islice

import ring_programs
from carrychain.ring import compile as compiling
from carrychain.ring.ir.errors import CheckError
from carrychain.ring.ir.form import Function, IRError, Module, print_function
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.verify import verify_function
from carrychain.ring.trust.inlined import check_inlined
from carrychain.ring.trust.rewrites import SHOWN, check_rewritten
from carrychain.ring.trust.validate import arguments
from draws import LONG
from ring_forgeries import forged
from test_ring_limbs import Written

LONGEST = 2000  # instructions of a run


class _Endless(Exception):
    pass


class _Run(Interpreter):
    left = LONGEST

    def _step(self, instruction, args):
        self.left -= 1
        if self.left < 0:
            raise _Endless
        return super()._step(instruction, args)


def outcome(module: Module, function: Function, args: list) -> object:
    run = _Run(Module({**module.functions, function.name: function}, module.arrays))
    arrays = [list(arg) if isinstance(arg, list) else arg for arg in args]
    try:
        return run.call(function.name, *arrays), arrays
    except _Endless:
        return None
    except Exception as error:
        return type(error), arrays


class Forger:
    """Tries changes of whatever a pass has made, as its checker is asked."""

    def __init__(self, check: Callable, rng, tries: int):
        self.check, self.rng, self.tries = check, rng, tries
        self.module = Module()
        self.count: Counter[str] = Counter()

    def __call__(self, name, before, after, *known) -> None:
        self.check(name, before, after, *known)
        calls = list(islice(arguments(before.function), 8))
        were = [outcome(self.module, before.function, args) for args in calls]
        for _ in range(self.tries):
            with forged(after, self.rng):
                if not self._shown(name, before, after, *known):
                    continue
                self.count[name] += 1
                for args, was in zip(calls, were, strict=True):
                    if was is not None:
                        now = outcome(self.module, after, args)
                        texts = print_function(before.function), print_function(after)
                        assert now == was, (name, args, was, now, *texts)

    def _shown(self, name, before, after, *known) -> bool:
        try:
            verify_function(after, self.module)
            self.check(name, before, after, *known)
        except (IRError, CheckError):
            return False
        return True


def test_no_forgery_that_is_shown_does_something_else(draw, monkeypatch):
    forger = Forger(check_rewritten, draw, 30 if LONG else 8)
    monkeypatch.setattr(compiling, "check_rewritten", forger)
    for _ in range(300 if LONG else 12):
        module = ring_programs.to_ir(ring_programs.program(draw)).copy()
        forger.module = module
        compiling.plans(module, True)
    assert sum(forger.count.values()) > 10
    assert set(forger.count) <= set(SHOWN)


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
        compiling.inlined(forger.module)
    assert forger.count["inline"] > 5
