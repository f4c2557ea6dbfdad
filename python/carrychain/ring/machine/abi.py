"""How arguments and results of compiled functions are passed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..ir.form import Array, Bool, Int, Type
from . import form
from .form import BIG, word_of


@dataclass(frozen=True)
class Passed:
    """How a parameter or result is passed: its type, and for an integer its container and sign."""

    type: Type
    container: int | None = None
    negative: bool = True

    @property
    def word(self) -> form.MachineType:
        match self.type:
            case Bool():
                return 1
            case Array():
                return form.ARRAY
        return self.container

    @property
    def owned(self) -> bool:
        """Whether it may be an object of the runtime; the caller then owns such a result."""
        return self.word in (form.ARRAY, BIG)


@dataclass
class MachineSignature:
    params: list[Passed]
    results: list[Passed]


@cache
def storage(element: Int) -> int | None:
    """The width of an array's element in bits; BIG for integers of any size."""
    return word_of(element.low, element.high)
