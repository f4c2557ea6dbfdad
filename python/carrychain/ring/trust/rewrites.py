"""What shows each pass's rewriting right, in each function: see rewrite/passes.py for the rows."""

from __future__ import annotations

from typing import NamedTuple

from ..facts.limbs import InLimbs
from ..ir.errors import CheckError
from ..ir.form import Function
from ..ir.snapshot import Snapshot
from .array_lengths import ArrayLengths
from .bounded import Bounded
from .counted import ByOrder, InStep
from .idiomatic import Idiomatic
from .in_limbs import WrittenInLimbs
from .narrow_elements import NarrowElements
from .peeled import Peeled
from .rewritten import BlockRanges, Ranges, Rewritten
from .scalar_arrays import ScalarArrays


class Shown(NamedTuple):
    """What shows a pass's rewriting, and the stages of `prove` whose claims it rests on.

    Where none is named, it rests on the induction over the steps in its own docstring.
    """

    by: type[Rewritten]
    proofs: tuple[str, ...] = ()


_RANGES = ("transfers", "branches")

# by the row's name
SHOWN: dict[str, Shown] = {
    "simplify": Shown(Rewritten),
    "scalars": Shown(ScalarArrays),
    "lengths": Shown(ArrayLengths),
    "narrow elements": Shown(NarrowElements, _RANGES),
    "exits by order": Shown(ByOrder, (*_RANGES, "counters", "order")),
    "in step": Shown(InStep, (*_RANGES, "counters")),
    "decide": Shown(Rewritten, (*_RANGES, "order")),
    "ask lengths": Shown(ArrayLengths),
    "idioms": Shown(Idiomatic, (*_RANGES, "bitmaps", "rewrites")),
    "limbs": Shown(WrittenInLimbs, (*_RANGES, "rewrites")),
    "idioms of bits": Shown(Idiomatic, (*_RANGES, "bitmaps", "rewrites")),
    "peel": Shown(Peeled),
    "parts": Shown(Idiomatic, (*_RANGES, "bitmaps")),
    "ends": Shown(Bounded, (*_RANGES, "counters")),
}


def check_rewritten(
    name: str,
    before: Snapshot,
    after: Function,
    ranges: Ranges,
    facts: BlockRanges,
    witness: InLimbs | None = None,
) -> None:
    """CheckError, if what the pass has made of the function is not shown to do what it did.

    The ranges and facts are those of the function before; by its own blocks. The witness is what the pass
    says of its rewriting, if it says anything; it is not believed. Of arrays whose elements have another type
    it is left to `check_elements` that what they hold fits.
    """
    if SHOWN[name].by is not NarrowElements:
        for value in before.retyped():
            raise CheckError(f"@{after.name}: {value} is of {value.type} now", after.position)
    facts = {before.of[block]: known for block, known in facts.items() if block in before.of}
    said = () if witness is None else (witness,)
    SHOWN[name].by(before, after, ranges, facts, *said).check()
