"""Counters: what each rewrite of counters.py claims about an iteration follows from the one before.

The numbers are unbounded integers, so each claim covers all widths. If one number is a multiple of another,
the factor is named. Each claim is damaged by omitting one of its conditions, and must then be refuted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import z3

from ..ir.interpret import INTEGER
from ..rewrite.counters import LIFE, ORDER
from . import Unproven

AT, N, C, K = z3.Ints("i n c k")  # a counter, its end, its step, the steps left
A, B, J, D, BY = z3.Ints("a b j d by")
X, UP, DOWN, LOW, HIGH, ADDED = z3.Ints("x up down low high added")

# name -> (named conditions, the claim)
Claim = tuple[dict[str, z3.BoolRef], z3.BoolRef]


def claims() -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for up in (True, False):
        way = "up" if up else "down"
        left = {"the way left is so many steps": (N - AT if up else AT - N) == K * C}
        before = {"not beyond the end": AT <= N if up else AT >= N}
        next_ = AT + C if up else AT - C
        not_beyond = next_ <= N if up else next_ >= N
        found[f"a counter does not pass its end, {way}"] = (
            {**left, **before, "it is not there": AT != N},
            z3.And(not_beyond, (N - next_ if up else next_ - N) == (K - 1) * C),
        )
        strictly = {"before the end": AT < N if up else AT > N}
        found[f"nor does what it goes on to, {way}"] = ({**left, **strictly}, not_beyond)
        for op in ("eq", "ne"):
            new = ORDER[op, up]
            found[f"{op} is {new}, {way}"] = (before, INTEGER[op](AT, N) == INTEGER[new](AT, N))
    found["counters in step stay so"] = (
        {"they were": J == D * BY * AT + B - D * BY * A, "the one goes by 1": BY * BY == 1},
        J + D == D * BY * (AT + BY) + B - D * BY * A,
    )
    found["what was checked can be added to"] = (
        {"checked": z3.And(LOW - DOWN <= X, X <= HIGH - UP), "little": z3.And(DOWN <= ADDED, ADDED <= UP)},
        z3.And(LOW <= X + ADDED, X + ADDED <= HIGH),
    )
    rounds = z3.Int("rounds")
    room = z3.And(UP * (1 << LIFE) <= HIGH - A, UP >= 0)
    found["no run gets where the check fails"] = (
        {
            "there is room": room,
            "from the start, so many rounds of at most so much": z3.And(X <= A + J, J <= K),
            "all of them": rounds * UP == K,
            "in a life": rounds <= (1 << LIFE) - 1,
        },
        X <= HIGH - UP,
    )
    return found


def _refuted(conditions: Iterator[z3.BoolRef], follows: z3.BoolRef) -> z3.ModelRef | None:
    solver = z3.Solver()
    solver.set("timeout", 20000)
    solver.add(*conditions, z3.Not(follows))
    answer = solver.check()
    if answer == z3.unknown:
        raise Unproven("no answer")
    return solver.model() if answer == z3.sat else None


def prove(claim: Claim) -> int:
    conditions, follows = claim
    found = _refuted(iter(conditions.values()), follows)
    if found is not None:
        raise Unproven(str(found))
    return 1


def caught(claim: Claim, without: str) -> int:
    conditions, follows = claim
    if _refuted((c for name, c in conditions.items() if name != without), follows) is None:
        raise Unproven("it was not caught")
    return 1


THEOREM = """counters: where an exit or a counter is written anew, what holds of it in a round follows from
  what held in the round before, and each of the conditions is needed"""
STATED = {name: f"{re.escape(name)}$" for name in claims()}


def widths(bounded: bool) -> tuple[int, ...]:
    """None: the integers are unbounded."""
    return ()


def proofs(bounded: bool):
    for name, claim in claims().items():
        yield name, lambda claim=claim: prove(claim)
        for without in claim[0]:
            yield f"{name}, damaged: not that {without}", lambda claim=claim, w=without: caught(claim, w)
