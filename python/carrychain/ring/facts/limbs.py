"""What `limbs` says of the function that it has written, for the checker to verify."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..ir.form import Value

# from the least: values and constants
Limbs = list[Value | int]


class Fold(NamedTuple):
    """y is folded once by 2^k - c: to the sum of its k low bits and c times what stands above."""

    high: Limbs
    low: Limbs
    product: Limbs
    sum: Limbs


class Rest(NamedTuple):
    """How x modulo 2^k - c is computed: after the folds y is x or the last sum, and t = y + c."""

    folds: list[Fold]
    t: Limbs
    over: Limbs  # t shifted to the right by k
    test: Value  # whether that is not 0
    chosen: Limbs  # then t, else y


@dataclass
class InLimbs:
    # of each number that is held in limbs
    limbs: dict[Value, Limbs] = field(default_factory=dict)
    # of each word that was computed of such: what is used for it, which may itself be such a word
    words: dict[Value, Value] = field(default_factory=dict)
    # of each number or word that is a rest
    rests: dict[Value, Rest] = field(default_factory=dict)
