"""How arguments and results of compiled functions are passed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..demand import exact_width
from ..ir import Array, Bool, Int, Type
from ..plan import ANY, BIG, Plan
from ..ranges import summary
from ..transfer import of_type
from ..words import form


@dataclass(frozen=True)
class Passed:
    """How a parameter or result is passed: its type, and for an integer its container and sign."""

    type: Type
    container: int | None = None
    negative: bool = True

    @property
    def word(self) -> form.Type:
        match self.type:
            case Bool():
                return 1
            case Array():
                return form.ARRAY
        return self.container

    @property
    def owned(self) -> bool:
        """Whether it may be of the runtime's objects, and a result is its taker's."""
        return self.word in (form.ARRAY, BIG)


@dataclass
class Signature:
    params: list[Passed]
    results: list[Passed]


@cache
def storage(element: Int) -> int | None:
    """The bits an array's element takes; BIG for values."""
    return exact_width(of_type(element))


def signature(plan: Plan) -> Signature:
    function = plan.function
    params = [
        Passed(p.type, plan.containers[p], plan.ranges.get(p, ANY).negative)
        if isinstance(p.type, Int)
        else Passed(p.type)
        for p in function.params
    ]
    results = [
        Passed(t, exact_width(known), known.negative) if isinstance(t, Int) else Passed(t)
        for t, known in zip(function.results, summary(function, plan.ranges), strict=True)
    ]
    return Signature(params, results)
