"""Where compiled code polls for a stop request, so that a signal ends it soon, and nothing is slower.

A poll is one load and one branch (`poll` in machine IR). Every cycle that is not provably short has a poll,
and so does every function that may call itself, or that does much without one. The cost between two polls is
estimated in instructions on words:

- A loop whose iterations the ranges bound, and which does little in all of them, has none.
- A loop that counts to a bound by constant steps and does little per iteration runs in strips. It tests
  against the end of the strip or the bound, whichever comes first. Only if that test leaves is the bound
  tested, and a poll made. So the iterations do not change, for LLVM either, which can unroll or vectorize
  them.
- Any other loop polls in every iteration.

Operations on integers of any size count as much; in long ones the runtime polls itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..facts.demand import below, exact_width
from ..facts.plan import EVERYTHING, Plan, Range
from ..ir.form import Block, Branch, Edge, Instruction, Int, Jump, Value
from ..machine.form import BIG
from .loops import Loop, loops

# Instructions of words without a poll, at most: less than a millisecond.
MOST = 1 << 20
# What is done from the last poll within something that polls by itself.
POLLED = MOST // 8
# A round of more instructions may as well ask.
ROUND = 512
# Instructions of a block that is lowered twice.
TWICE = 16

NEGATED = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
ASK = 256  # the runtime for memory
# What the runtime may take long for even though all is words.
MUCH = {"new": POLLED, "expt": 256, "isqrt": 256, "gcd": 256}
# A counter that is no further from 0 is in a word after a strip, too.
FAR = 1 << 62


@dataclass(eq=False)
class Strip:
    """A loop that goes on while `counter` is below `bound` + `slack` (above, if `step` is below 0)."""

    head: Block
    latch: Block
    test: Block  # the head, the latch, or what alone leads to the latch
    inside: int  # which of the test's edges stays in the loop
    position: int  # of the counter among the head's parameters
    counter: Value  # as it is tested: the parameter, or what is passed for it next
    bound: Value
    slack: int
    step: int
    signed: bool
    guarded: bool  # whether it is entered only where the counter is on this side of the bound
    rounds: int = 0  # at most, until it is asked again


@dataclass
class Polls:
    entry: bool = False
    edges: set[tuple[Block, Block]] = field(default_factory=set)  # jumps back, with a poll
    strips: dict[Block, Strip] = field(default_factory=dict)  # by the block with the test


def polls(plans: dict[str, Plan], recursive: set[str]) -> dict[str, Polls]:
    """Each function's; callees come first."""
    made: dict[str, Polls] = {}
    costs: dict[str, int] = {}
    for name, plan in plans.items():
        made[name], cost = _polls(plan, costs)
        made[name].entry = name in recursive or cost > MOST
        costs[name] = POLLED if made[name].entry else cost
    return made


def _polls(plan: Plan, costs: dict[str, int]) -> tuple[Polls, int]:
    """A function's polls, and what it may cost without one."""
    function, found = plan.function, Polls()
    cost = {block: sum(_cost(i, plan, costs) for i in block.instructions) for block in function.blocks}
    made_by = {r: i for i in function.instructions() for r in i.results}
    into: dict[Block, list[tuple[Block, Edge]]] = {block: [] for block in function.blocks}
    for block in function.blocks:
        for edge in block.terminator.edges:
            into[edge.block].append((block, edge))
    all_loops = loops(function)
    with_head = Counter(loop.head for loop in all_loops)
    # what lies within comes first, and counts at its own head for all its rounds
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
        # a function that is not compiled yet is recursive
        return 4 + costs.get(i.attribute, POLLED)
    if i.op == "new":
        known = plan.ranges.get(i.args[0])
        return MUCH["new"] if known is None or known.high is None else min(ASK + known.high, MUCH["new"])
    if i.op in MUCH:
        return MUCH[i.op]
    values = [v for v in (*i.args, *i.results) if isinstance(v.type, Int)]
    if i.op != "const" and any(plan.containers[v] is BIG for v in values):
        return POLLED
    return 1


def _counted(loop: Loop, plan: Plan, made_by: dict, into: dict) -> Strip | None:
    """How the loop counts, by a test right before it jumps back, or at its head."""
    latch = loop.latch
    back = [edge for edge in latch.terminator.edges if edge.block is loop.head]
    # the entry is in a loop that has more ways in than its head
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
    """Whether the block is reached only where the start was found to be before the bound."""
    while len(into[block]) == 1:
        block, inside = into[block][0][0], block
        found = _compared(block, start, made_by) if isinstance(block.terminator, Branch) else None
        if found and found[0] is bound:
            op = found[1] if block.terminator.then.block is inside else NEGATED[found[1]]
            return op == ("lt" if step > 0 else "gt")
    return False


def _compared(block: Block, value: Value, made_by: dict) -> tuple[Value, str] | None:
    """What the value is compared with where the block branches, and how it is if the condition holds."""
    condition = made_by.get(block.terminator.condition)
    if condition is None or condition.op not in NEGATED or value not in condition.args:
        return None
    a, b = condition.args
    return (b, condition.op) if a is value else (a, MIRRORED[condition.op])


def _tested(
    loop: Loop, test: Block, counter: Value, step: int, made_by: dict
) -> tuple[Value, int, int] | None:
    """What the counter must be below to stay in the loop, a value and a constant (above, if it counts down);
    and by which of the block's edges it does."""
    if not isinstance(test.terminator, Branch):
        return None
    stay = [at for at, edge in enumerate(test.terminator.edges) if edge.block in loop.blocks]
    condition = made_by.get(test.terminator.condition)
    more = 0
    found = _compared(test, counter, made_by)
    if found is None and condition is not None and condition.op in NEGATED:
        # a constant may have been added before
        for sum_ in condition.args:
            more = _step(counter, sum_, made_by)
            if more:
                found = _compared(test, sum_, made_by)
                break
    if len(stay) != 1 or found is None:
        return None
    # the head runs again where a strip ends
    if counter in test.params and any(i.op in ("store", "call", "new") for i in test.instructions):
        return None
    bound, op = found
    op = NEGATED[op] if stay[0] else op
    if op[0] != ("l" if step > 0 else "g"):
        return None
    return bound, {"lt": 0, "le": 1, "gt": 0, "ge": -1}[op] - more, stay[0]


def _unchecked(value: Value, made_by: dict) -> Value:
    """What a check let by, which is the same number."""
    while (made := made_by.get(value)) is not None and made.op in ("narrow", "assume"):
        (value,) = made.args
    return value


def _step(param: Value, passed: Value, made_by: dict) -> int:
    """What is added to the parameter, if that is a constant and not large; else 0."""
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
    """The value's range, if it is a word, right in all its bits."""
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
    """How many at most."""
    way = end.high + strip.slack - start.low if strip.step > 0 else start.high - end.low - strip.slack
    return max(way, 0) // abs(strip.step) + 1
