"""The witness of the pass `limbs`: what it claims about the function, for the checker to verify."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..ir.form import Value

# values and constants, least significant first
Limbs = list[Value | int]


class Fold(NamedTuple):
    """One fold of y modulo 2^k - c: `sum` is `low`, its k low bits, plus `product`, c times `high`."""

    high: Limbs
    low: Limbs
    product: Limbs
    sum: Limbs


class Rest(NamedTuple):
    """The steps of x modulo 2^k - c: after the folds y is x or the last sum, and t = y + c."""

    folds: list[Fold]
    t: Limbs
    over: Limbs  # t shifted to the right by k
    test: Value  # whether that is not 0
    chosen: Limbs  # then t, else y


@dataclass
class InLimbs:
    # by number that is held in limbs
    limbs: dict[Value, Limbs] = field(default_factory=dict)
    # by word that was computed from such: the value that replaces it, which may be replaced in turn
    words: dict[Value, Value] = field(default_factory=dict)
    # by number or word that is the result of fmod
    rests: dict[Value, Rest] = field(default_factory=dict)
