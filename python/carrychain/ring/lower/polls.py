"""Where compiled code polls for a stop request, so that a signal ends it soon, at no cost in speed.

A poll is one load and one branch (`poll` in machine IR). Every cycle that is not provably short has a poll,
and so does every function that is recursive, or that does much work without one. The cost between two polls
is estimated in instructions on words:

- A loop has no poll if the ranges bound its iterations and it does little work in all of them.
- A loop that counts to a bound by constant steps, with little work per iteration, is strip-mined. It tests
  its counter against the end of the strip or the bound, whichever comes first. Only when that test fails is
  the bound itself tested, and a poll made. So the iterations stay the same, and LLVM can still unroll or
  vectorize them.
- Any other loop polls in every iteration.

An operation on integers of any size counts as many instructions; if it takes long, the runtime polls itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..facts.demand import below, exact_width
from ..facts.plan import EVERYTHING, Plan, Range
from ..ir.form import COMPARE, Block, Branch, Edge, Instruction, Int, Jump, Value
from ..machine.form import BIG
from .loops import Loop, loops

# The most instructions on words without a poll: less than a millisecond.
MOST = 1 << 20
# The cost of something that polls by itself: what it does before its first poll and after its last.
POLLED = MOST // 8
# A loop of more instructions per iteration polls in each: the poll costs little beside them.
ROUND = 512
# The most instructions of a block that is lowered twice.
TWICE = 16

NEGATED = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
MOVED = 16  # the cost of a short operation on an integer of any size
ASK = 256  # the cost of allocating memory
# Operations on words for which the runtime may take long.
MUCH = {"new": POLLED, "expt": 256, "isqrt": 256, "gcd": 256}
# If a counter is at most this far from 0, adding a strip's length does not overflow.
FAR = 1 << 62


@dataclass(eq=False)
class Strip:
    """A loop that continues while `counter` is below `bound` + `slack` (above, if `step` is negative)."""

    head: Block
    latch: Block
    test: Block  # the block that ends in the test: the head, the latch, or the latch's only predecessor
    inside: int  # which of the test's edges stays in the loop
    position: int  # the counter's among the head's parameters
    counter: Value  # the tested value: the parameter, or what the latch passes for it
    bound: Value
    slack: int
    step: int
    signed: bool
    guarded: bool  # whether the loop is entered only if the counter is before the bound
    rounds: int = 0  # the most iterations between two polls


@dataclass
class Polls:
    entry: bool = False
    edges: set[tuple[Block, Block]] = field(default_factory=set)  # the jumps back that poll
    strips: dict[Block, Strip] = field(default_factory=dict)  # by the block that ends in the test


def polls(plans: dict[str, Plan], recursive: set[str]) -> dict[str, Polls]:
    """Each function's polls; in `plans`, callees come first."""
    made: dict[str, Polls] = {}
    costs: dict[str, int] = {}
    for name, plan in plans.items():
        made[name], cost = _polls(plan, costs)
        made[name].entry = name in recursive or cost > MOST
        costs[name] = POLLED if made[name].entry else cost
    return made


def _polls(plan: Plan, costs: dict[str, int]) -> tuple[Polls, int]:
    """A function's polls, and its cost without any."""
    function, found = plan.function, Polls()
    cost = {block: sum(_cost(i, plan, costs) for i in block.instructions) for block in function.blocks}
    made_by = {r: i for i in function.instructions() for r in i.results}
    into: dict[Block, list[tuple[Block, Edge]]] = {block: [] for block in function.blocks}
    for block in function.blocks:
        for edge in block.terminator.edges:
            into[edge.block].append((block, edge))
    all_loops = loops(function)
    with_head = Counter(loop.head for loop in all_loops)
    # inner loops first; the cost of all iterations of one is added to its head
    for loop in reversed(all_loops):
        round_ = sum(cost[block] for block in loop.blocks)
        strip = _counted(loop, plan, made_by, into) if with_head[loop.head] == 1 else None
        if strip and strip.rounds * round_ <= MOST:
            cost[loop.head] += strip.rounds * round_
            continue
        cost[loop.head] += POLLED
        if strip and round_ <= ROUND:
            strip.rounds = MOST // 2 // max(round_, 1)
            found.strips[strip.test] = strip
        else:
            found.edges.add((loop.latch, loop.head))
    return found, sum(cost.values())


def _cost(i: Instruction, plan: Plan, costs: dict[str, int]) -> int:
    if i.op == "call":
        # a callee without a cost yet is recursive
        return 4 + costs.get(i.attribute, POLLED)
    if i.op == "new":
        known = plan.ranges.get(i.args[0])
        return MUCH["new"] if known is None or known.high is None else min(ASK + known.high, MUCH["new"])
    if i.op in MUCH:
        return MUCH[i.op]
    values = [v for v in (*i.args, *i.results) if isinstance(v.type, Int)]
    big = sum(plan.containers[v] is BIG for v in values)
    if i.op == "const" or not big:
        return 1
    # a large integer is only moved, compared with a word, or cut to one
    moved = i.op in ("load", "store", "select")
    beside_word = i.op in COMPARE and big == 1
    cut = i.op in ("low", "field") and plan.containers[i.result] is not BIG
    return MOVED if moved or beside_word or cut else POLLED


def _counted(loop: Loop, plan: Plan, made_by: dict, into: dict) -> Strip | None:
    """How the loop counts, if it does: by a test right before the jump back, or at its head."""
    latch = loop.latch
    back = [edge for edge in latch.terminator.edges if edge.block is loop.head]
    # a loop with the function's entry in it has other entries than its head
    if plan.function.blocks[0] in loop.blocks or len(back) > 1:
        return None
    last = latch
    if isinstance(latch.terminator, Jump) and len(latch.instructions) <= TWICE and len(into[latch]) == 1:
        ((last, _),) = into[latch]
    defined = {v for block in loop.blocks for i in block.instructions if i.op != "const" for v in i.results}
    defined.update(v for block in loop.blocks for v in block.params)
    for position, (param, passed) in enumerate(zip(loop.head.params, back[0].args, strict=True)):
        passed = _unchecked(passed, made_by)
        step, start = _step(param, passed, made_by), _known(param, plan, made_by)
        if not step or start is None:
            continue
        for test, counter in ((last, passed), (loop.head, param)):
            found = _tested(loop, test, counter, step, made_by)
            if found is None or found[0] in defined:
                continue
            bound, slack, inside = found
            known = [start, _known(counter, plan, made_by), _known(bound, plan, made_by)]
            if None in known:
                continue
            low = min(k.low for k in known) + min(slack, 0)
            high = max(k.high for k in known) + max(slack, 0)
            signed = step < 0 or low < 0
            if low >= -1 << 63 and high <= below(63 if signed else 64):
                guarded = all(
                    source in loop.blocks or _guarded(source, edge.args[position], bound, step, into, made_by)
                    for source, edge in into[loop.head]
                )
                strip = Strip(
                    loop.head, latch, test, inside, position, counter, bound, slack, step, signed, guarded
                )
                strip.rounds = _rounds(strip, start, known[2])
                return strip
    return None


def _guarded(block: Block, start: Value, bound: Value, step: int, into: dict, made_by: dict) -> bool:
    """Whether the block is reached only if the start was found to be before the bound."""
    while len(into[block]) == 1:
        block, inside = into[block][0][0], block
        found = _compared(block, start, made_by) if isinstance(block.terminator, Branch) else None
        if found and found[0] is bound:
            op = found[1] if block.terminator.then.block is inside else NEGATED[found[1]]
            return op == ("lt" if step > 0 else "gt")
    return False


def _compared(block: Block, value: Value, made_by: dict) -> tuple[Value, str] | None:
    """What the block's branch compares the value with, and their relation if the condition holds."""
    condition = made_by.get(block.terminator.condition)
    if condition is None or condition.op not in NEGATED or value not in condition.args:
        return None
    a, b = condition.args
    return (b, condition.op) if a is value else (a, MIRRORED[condition.op])


def _tested(
    loop: Loop, test: Block, counter: Value, step: int, made_by: dict
) -> tuple[Value, int, int] | None:
    """The bound and the slack that the counter must stay below (above, if it counts down), and which of the
    block's edges stays in the loop."""
    if not isinstance(test.terminator, Branch):
        return None
    stay = [at for at, edge in enumerate(test.terminator.edges) if edge.block in loop.blocks]
    condition = made_by.get(test.terminator.condition)
    more = 0
    found = _compared(test, counter, made_by)
    if found is None and condition is not None and condition.op in NEGATED:
        # the tested value may be the counter plus a constant
        for sum_ in condition.args:
            more = _step(counter, sum_, made_by)
            if more:
                found = _compared(test, sum_, made_by)
                break
    if len(stay) != 1 or found is None:
        return None
    # the head runs again after a strip: it must have no effects
    if counter in test.params and any(i.op in ("store", "call", "new") for i in test.instructions):
        return None
    bound, op = found
    op = NEGATED[op] if stay[0] else op
    if op[0] != ("l" if step > 0 else "g"):
        return None
    return bound, {"lt": 0, "le": 1, "gt": 0, "ge": -1}[op] - more, stay[0]


def _unchecked(value: Value, made_by: dict) -> Value:
    """The argument of a check, or of a chain of checks: the same integer."""
    while (made := made_by.get(value)) is not None and made.op in ("narrow", "assume"):
        (value,) = made.args
    return value


def _step(param: Value, passed: Value, made_by: dict) -> int:
    """The constant that is added to the parameter, if it is not large; else 0."""
    sum_ = made_by.get(passed)
    if sum_ is None or sum_.op not in ("add", "sub"):
        return 0
    a, b = (_unchecked(arg, made_by) for arg in sum_.args)
    if sum_.op == "add" and b is param:
        a, b = b, a
    constant = made_by.get(b)
    if a is not param or constant is None or constant.op != "const" or abs(constant.attribute) > FAR // MOST:
        return 0
    return constant.attribute if sum_.op == "add" else -constant.attribute


def _known(value: Value, plan: Plan, made_by: dict) -> Range | None:
    """The value's range, if its word is correct in all bits."""
    made = made_by.get(value)
    if made is not None and made.op == "const":
        known = Range(made.attribute, made.attribute)
    else:
        known = plan.ranges.get(value)
        if known is None or plan.containers[value] is BIG:
            return None
        bits = exact_width(known)
        if bits is None or plan.demands[value] not in (EVERYTHING, below(bits)):
            return None
    return known


def _rounds(strip: Strip, start: Range, end: Range) -> int:
    """The greatest number of iterations."""
    way = end.high + strip.slack - start.low if strip.step > 0 else start.high - end.low - strip.slack
    return max(way, 0) // abs(strip.step) + 1
