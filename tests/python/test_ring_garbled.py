"""A plan says which bits of each word are right: all others may be anything, and nothing shows.

Random programs run with every bit that their plan does not ask for replaced by a random one. What
the checker accepts must come to the same, be it what `cut` found or that with some bits less.
"""

import random
from copy import deepcopy

import ring_programs
from carrychain.ring.facts.plan import Plan
from carrychain.ring.ir.errors import CheckError, Trap
from carrychain.ring.ir.form import Int, Module, Return, TrapTerminator
from carrychain.ring.ir.interpret import Interpreter, Long
from carrychain.ring.machine.form import WIDTHS
from carrychain.ring.rewrite import cut
from carrychain.ring.rewrite.simplify import simplify
from carrychain.ring.trust.check import check
from hypothesis import given
from hypothesis import strategies as st

# So many blocks no program runs that does not go wrong.
LONGEST = 100_000


class Garbled(Interpreter):
    def __init__(self, module: Module, plan: Plan, rng: random.Random):
        super().__init__(module)
        self.plan = plan
        self.rng = rng

    def kept(self, value, x):
        """x as it is found in the value's word: by the bits that are right, if they say it whole."""
        if not isinstance(value.type, Int):
            return x
        demand, known = self.plan.demands[value], self.plan.ranges.get(value)
        if demand < 0:
            return x
        if isinstance(x, Long):
            x = x.low(demand.bit_length())
        bits = next((w for w in WIDTHS if known is not None and known.fits(w)), None)
        if bits is not None and demand & ((1 << bits) - 1) == (1 << bits) - 1:
            x &= (1 << bits) - 1
            return x - (1 << bits) if known.negative and x >> (bits - 1) else x
        noise = self.rng.getrandbits(140) - (1 << 139)
        return x & demand | noise & ~demand

    def run(self, args: list[int]) -> tuple:
        values = {}
        block = self.plan.function.blocks[0]
        for _ in range(LONGEST):
            values |= {p: self.kept(p, x) for p, x in zip(block.params, args, strict=True)}
            for instruction in block.instructions:
                inputs = [values[arg] for arg in instruction.args]
                # a check that is proven is not made
                known = self.plan.ranges.get(instruction.args[0]) if instruction.op == "narrow" else None
                proven = known is not None and all(
                    end in instruction.attribute for end in (known.low, known.high) if end is not None
                )
                unbounded = known is not None and (
                    (known.low is None and instruction.attribute.low is not None)
                    or (known.high is None and instruction.attribute.high is not None)
                )
                if instruction.op in ("shift", "rotl") and not self.plan.demands[instruction.result]:
                    # nobody looks at it: the count may be anything, too
                    results = [0]
                elif proven and not unbounded:
                    results = inputs
                else:
                    results = self._step(instruction, inputs)
                values |= {r: self.kept(r, x) for r, x in zip(instruction.results, results, strict=True)}
            end = block.terminator
            if isinstance(end, Return):
                return tuple(values[arg] for arg in end.args)
            if isinstance(end, TrapTerminator):
                raise Trap(end.message)
            edge = end.edges[0] if not end.args or values[end.args[0]] else end.edges[1]
            args, block = [values[arg] for arg in edge.args], edge.block
        raise Trap("a counter that missed its end")


def outcome(call, args):
    """Of a call with arguments of its own: programs write to their arrays."""
    try:
        return call(*deepcopy(args))
    except Trap:
        return "trap"


random_programs = st.integers(0, 1 << 32).map(random.Random)


def function_of(rng):
    functions = ring_programs.program(rng)[:1]
    module = ring_programs.to_ir(functions)
    function = module.functions[functions[0][0]]
    simplify(function)
    calls = []
    for _ in range(4):
        args = ring_programs.inputs(rng, functions)
        calls.append((args, outcome(lambda *a: Interpreter(module).call(function.name, *a), args)))
    return module, cut.plan(function), calls


def agrees(module: Module, plan: Plan, calls, rng) -> bool:
    return all(
        outcome(lambda *a: Garbled(module, plan, rng).run(list(a)), args) == result for args, result in calls
    )


@given(random_programs)
def test_what_is_not_demanded_does_not_show(rng):
    module, plan, calls = function_of(rng)
    check(plan, module)
    assert agrees(module, plan, calls, rng)


@given(random_programs)
def test_what_is_accepted_with_less_does_not_show_either(rng):
    module, plan, calls = function_of(rng)
    for value in rng.sample(list(plan.demands), min(12, len(plan.demands))):
        demand = plan.demands[value]
        if demand <= 0:
            continue
        plan.demands[value] = rng.choice(
            (demand >> 1, demand & ~(1 << rng.randrange(demand.bit_length())), 0)
        )
        try:
            check(plan, module)
        except CheckError:
            plan.demands[value] = demand
    assert agrees(module, plan, calls, rng)


def test_what_is_missing_would_show():
    """The control: with a bit less for each value, the checker not asked, programs go wrong."""
    wrong = 0
    for seed in range(40):
        rng = random.Random(seed)
        module, plan, calls = function_of(rng)
        plan.demands = {v: d >> 1 if d > 0 else d for v, d in plan.demands.items()}
        try:
            wrong += not agrees(module, plan, calls, rng)
        except (IndexError, MemoryError, AssertionError, ValueError):
            wrong += 1
    assert wrong > 10
