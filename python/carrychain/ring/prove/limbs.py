"""Limbs: what trust/in_limbs.py concludes from polynomials, and how trust/polynomials.py writes floors.

The numbers are unbounded integers. A power of two is named where the claim is linear in it; elsewhere it is
a constant, tried at several widths.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import z3

from ..trust import bounds
from ..trust.polynomials import Atoms, Polynomial, constant, plus, times
from .counters import Claim, caught, prove

X, Y, R, S, E, D, H, L = z3.Ints("x y r s e d h l")
M, C, P, T = z3.Ints("m c p t")  # a modulus p - c, for a power of two p

WIDTHS = (1, 2, 63, 64, 65, 128, 256)
COEFFICIENTS = (0, 1, -1, 3, 4, -16)
SHIFTS = (1, 2, 5)


def claims() -> dict[str, Claim]:
    found: dict[str, Claim] = {
        "a fold": (
            {"low and high bits": Y == L + P * H, "the modulus": M == P - C},
            L + C * H == Y - M * H,
        ),
        "the last choice": (
            {
                "the modulus": M == P - C,
                "it is no more than the power": C >= 0,
                "natural": Y >= 0,
                "folded": Y < 2 * M,
                "c is added": T == Y + C,
                "the choice": z3.If(T >= P, T - P, Y) == R,
            },
            z3.And(R >= 0, R < M, R < P, T < 2 * P, z3.Or(R == Y, R == Y - M)),
        ),
    }
    for k in WIDTHS:
        power = 1 << k
        from_0 = {"the result": z3.And(R >= 0, power > R), "the limbs": z3.And(S >= 0, power > S)}
        found[f"equal modulo 2^{k}"] = ({**from_0, "a multiple": power * E == R - S}, R == S)
        found[f"the low {k} bits"] = (
            {"the limbs": from_0["the limbs"], "a multiple": power * E == X - S},
            X % power == S,
        )
        for n in (1, 64):
            found[f"shifted by {n}, modulo 2^{k}"] = (
                {
                    **from_0,
                    "what is left": z3.And(D >= 0, 1 << n > D),
                    "a multiple": X - (1 << n) * S == D + (1 << n) * power * E,
                    "shifted": X / (1 << n) == R,
                },
                R == S,
            )
    return found


class Numbers:
    """Polynomials in two integers, as terms."""

    def __init__(self):
        self.atoms = Atoms()
        self.terms: dict[tuple[int, ...], z3.ArithRef] = {}
        self.x, self.y = (self.atoms.atom(name, bounds.ANYTHING) for name in "xy")
        for p, term in ((self.x, X), (self.y, Y)):
            (monomial,) = p
            self.terms[monomial] = term

    def term(self, p: Polynomial) -> z3.ArithRef:
        total = z3.IntVal(0)
        for atoms, coefficient in p.items():
            factor = z3.IntVal(coefficient)
            for atom in atoms:
                factor = factor * self._atom(atom)
            total = total + factor
        return total

    def _atom(self, atom: int) -> z3.ArithRef:
        if (atom,) not in self.terms:
            of, bits = self.atoms.floor_of(atom)
            self.terms[atom,] = self.term(of) / (1 << bits)
        return self.terms[atom,]


def floor_of_a_sum(a: int, b: int, bits: int) -> int:
    """Of a x + b y + 5, and the floor of that floor and of y."""
    n = Numbers()
    p = plus(plus(times(n.x, constant(a)), n.y, b), constant(5))
    once = n.atoms.floor(p, bits)
    twice = n.atoms.floor(plus(once, n.y, b), 3)
    term = a * X + b * Y + 5
    prove(({}, n.term(once) == term / (1 << bits)))
    prove(({}, n.term(twice) == (term / (1 << bits) + b * Y) / 8))
    return prove(({}, n.term(n.atoms.low(p, bits)) == term % (1 << bits))) + 2


THEOREM = """limbs: numbers that are equal modulo 2^m are equal between 0 and 2^m; a fold and the last choice
  yield a rest; floors of sums are written as what they are; each of the conditions is needed"""
STATED = {
    "a fold": "a fold$",
    "the last choice": "the last choice$",
    "equal modulo a power": r"equal modulo 2\^\d+$",
    "the low bits": r"the low \d+ bits$",
    "shifted, modulo a power": r"shifted by \d+, modulo 2\^\d+$",
    "the floor of a sum": "the floor of",
}


def widths(bounded: bool) -> tuple[int, ...]:
    return WIDTHS


def proofs(bounded: bool) -> Iterator:
    for name, claim in claims().items():
        yield name, lambda claim=claim: prove(claim)
        for without in claim[0]:
            yield f"{name}, damaged: not that {without}", lambda claim=claim, w=without: caught(claim, w)
    for a, b, bits in product(COEFFICIENTS, COEFFICIENTS, SHIFTS):
        yield (
            f"the floor of {a} x + {b} y + 5 by {bits} bits",
            lambda a=a, b=b, bits=bits: floor_of_a_sum(a, b, bits),
        )
