"""What shows each pass's rewriting right, in each function: see rewrite/passes.py for the rows."""

from __future__ import annotations

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

# by the row's name; a row that only states facts is shown by `check`
SHOWN: dict[str, type[Rewritten]] = {
    "simplify": Rewritten,
    "scalars": ScalarArrays,
    "lengths": ArrayLengths,
    "narrow elements": NarrowElements,
    "exits by order": ByOrder,
    "in step": InStep,
    "decide": Rewritten,
    "ask lengths": ArrayLengths,
    "idioms": Idiomatic,
    "limbs": WrittenInLimbs,
    "idioms of bits": Idiomatic,
    "peel": Peeled,
    "parts": Idiomatic,
    "ends": Bounded,
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
    if SHOWN[name] is not NarrowElements:
        for value in before.retyped():
            raise CheckError(f"@{after.name}: {value} is of {value.type} now", after.position)
    facts = {before.of[block]: known for block, known in facts.items() if block in before.of}
    said = () if witness is None else (witness,)
    SHOWN[name](before, after, ranges, facts, *said).check()
