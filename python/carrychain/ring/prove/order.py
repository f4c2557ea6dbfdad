"""Order: what order.py concludes about two unbounded integers, and that each condition is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import z3

from ..facts.order import LESS, ORDERED
from ..ir.interpret import INTEGER
from .counters import Claim, caught, prove

X, Y, Z, J, K, N, C, Q, M, R = z3.Ints("x y z j k n c q m r")


def claims() -> dict[str, Claim]:
    found: dict[str, Claim] = {
        "facts chain": ({"the one": X + J <= Y, "the other": Y + K <= Z}, X + J + K <= Z),
        "a quotient's product is no more": (
            {"rounded down": Q == N / C, "the divisor is positive": C > 0},
            Q * C <= N,
        ),
        "the next number that is congruent": (
            {
                "no more": X + K <= Y,
                "so far from congruent": (Y - X - K - R) % M == 0,
                "and no farther": R < M,
            },
            X + K + R <= Y,
        ),
    }
    for op, (as_, turned) in ORDERED.items():
        a, b = (Y, X) if turned else (X, Y)
        found[f"{op} is a fact"] = ({}, INTEGER[op](a, b) == (X + LESS[as_] <= Y))
        found[f"{op} is false beside a fact"] = (
            {"the other way": Y + 1 - LESS[as_] <= X},
            z3.Not(INTEGER[op](a, b)),
        )
        found[f"the lesser by {op} is no more"] = (
            {"it is": z3.If(INTEGER[op](a, b), X, Y) == M},
            z3.And(M <= X, M <= Y),
        )
    return found


THEOREM = (
    """order: a comparison that is decided by others comes out so, and each of the conditions is needed"""
)
STATED = {name: f"{re.escape(name)}$" for name in claims()}


def widths(bounded: bool) -> tuple[int, ...]:
    """None: the integers are unbounded."""
    return ()


def proofs(bounded: bool) -> Iterator:
    for name, claim in claims().items():
        yield name, lambda name=name: prove(claims()[name])
        for without in claim[0]:
            yield (
                f"{name}, damaged: not that {without}",
                lambda name=name, w=without: caught(claims()[name], w),
            )
