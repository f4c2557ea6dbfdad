"""Estimates what an operation on integers of any size costs over one on words.

An operation runs at most as often as the loops around it iterate. A counter bounds a loop's iterations: a
parameter of the loop's head to which each iteration adds the same constant takes a different value of its
range each time. So there are at most as many iterations as such values. If the range is unbounded, there is
no bound.

The cost per operation is measured on this machine when it is requested: by a loop that does nothing else,
compiled once for integers of any size and once for words. It is measured for small integers of less than 63
bits, and for long ones of 100 bits, which no word could hold.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ..call.compiled import compile_module
from ..facts.plan import Plan
from ..ir.form import ARITHMETIC, DIVISION, LOGIC, UNARY, Block, Function, Instruction, Value
from ..ir.parse import parse_module
from ..lower.loops import loops

# More iterations than any program runs count as unbounded.
MOST = 1 << 40
ROUNDS, TIMES = 10_000, 5
SMALL, LONG = 12345, (1 << 100) - 12345

MEASURED = {*ARITHMETIC, *DIVISION, *LOGIC, *UNARY, "gcd", "expt", "shift"}
FIELDS = {"low", "field"}
WIDE = 200  # a width in bits that no word has

LOOP = """
function @f -> (int) {{
entry(%x: {type}, %y: {type}, %n: u32):
  %0: int = const 0
  jump top(%0, %x)
top(%i: int, %r: int):
  %c: bool = lt %i, %n
  branch %c, turn(), done()
turn():
  {operation}
  %1: int = const 1
  %j: int = add %i, %1
  jump top(%j, %s)
done():
  return %r
}}
"""


@dataclass(frozen=True)
class Cost:
    """The cost of the operations of one place in the text."""

    operations: int  # on integers of any size, per execution
    rounds: int | None  # the most executions in a call, None if unbounded
    nanoseconds: float  # how much longer than on words an execution takes, while the integers are small
    nanoseconds_long: float  # the same for integers of 100 bits


class Costs:
    def __init__(self, plan: Plan):
        self.block_of = {i: block for block in plan.function.blocks for i in block.instructions}
        self.rounds = _rounds(plan.function, plan)

    def of(self, instructions: Iterable[Instruction]) -> Cost:
        made = [i for i in instructions if i.op in MEASURED or i.op in FIELDS]
        often = [self.rounds.get(self.block_of[i]) for i in made]
        small, long = (sum(_longer(i.op, size) for i in made) for size in (SMALL, LONG))
        return Cost(len(made), None if None in often else max(often, default=1), small, long)


def _rounds(function: Function, plan: Plan) -> dict[Block, int | None]:
    """The most times that each block is entered in a call."""
    found: dict[Block, int | None] = dict.fromkeys(function.blocks, 1)
    made_by = {r: i for i in function.instructions() for r in i.results}
    # several jumps back to one head are one loop, whose counters all of them advance
    heads: dict[Block, tuple[set[Block], list[Block]]] = {}
    for loop in loops(function):
        blocks, latches = heads.setdefault(loop.head, (set(), []))
        blocks.update(loop.blocks)
        latches.append(loop.latch)
    for head, (blocks, latches) in heads.items():
        bounds = [
            bound
            for at, param in enumerate(head.params)
            if (bound := _values(param, [_passed(latch, head, at) for latch in latches], plan, made_by))
        ]
        most = min(bounds, default=None)
        for block in blocks:
            times = found[block]
            found[block] = None if most is None or times is None or times * most > MOST else times * most
    return found


def _passed(latch: Block, head: Block, at: int) -> Value | None:
    edges = [edge for edge in latch.terminator.edges if edge.block is head]
    return edges[0].args[at] if len(edges) == 1 else None


def _values(param: Value, passed: list[Value | None], plan: Plan, made_by: dict) -> int | None:
    """The number of values that a counter can take, if each iteration adds the same constant."""
    steps = {_step(param, each, made_by) for each in passed}
    known = plan.ranges.get(param)
    if len(steps) != 1 or not (step := abs(steps.pop())) or known is None or None in known[:2]:
        return None
    return (known.high - known.low) // step + 1


def _step(param: Value, passed: Value | None, made_by: dict) -> int:
    made = made_by.get(passed)
    while made is not None and made.op in ("narrow", "assume"):
        made = made_by.get(made.args[0])
    if made is None or made.op not in ("add", "sub"):
        return 0
    a, b = made.args
    if made.op == "add" and b is param:
        a, b = b, a
    constant = made_by.get(b)
    if a is not param or constant is None or constant.op != "const":
        return 0
    return constant.attribute if made.op == "add" else -constant.attribute


@cache
def _longer(op: str, x: int) -> float:
    """How much longer the operation takes on such integers than on words, in nanoseconds."""
    # it is done to what it was done to last, so that it is not done only once: small ones are in line
    args = f"{WIDE} %r" if op in FIELDS else "%r" if op in UNARY else "%r, %y"
    word = LOOP.format(type="u32", operation=f"%t: int = {op} {args}\n  %s: int = low 32 %t")
    # what changes nothing: what comes out stays as long, and its root can be taken
    by = 0 if op == "shift" else 1
    if x == LONG:
        args = args.replace("%r", "%x")
        by = 3 if op in ("shift", "expt") else LONG >> 10
    big = LOOP.format(type="int", operation=f"%s: int = {op} {args}")
    return max(_nanoseconds(big, x, by) - _nanoseconds(word, SMALL, 1), 0.0)


@cache
def _nanoseconds(text: str, x: int, by: int) -> float:
    call = compile_module(parse_module(text)).call
    least = None
    for _ in range(TIMES):
        began = time.perf_counter_ns()
        call("f", x, by, ROUNDS)
        taken = time.perf_counter_ns() - began
        least = taken if least is None else min(least, taken)
    return least / ROUNDS
