"""The table of checkers: for each pass of rewrite/passes.py, what validates its result in each function."""

from __future__ import annotations

from typing import NamedTuple

from ..facts.checked import CheckedWords
from ..facts.limbs import InLimbs
from ..ir.errors import CheckError
from ..ir.form import Block, Function
from ..ir.snapshot import Snapshot
from .array_lengths import ArrayLengths
from .bounded import Bounded
from .checked import Checked
from .counted import ByOrder, InStep
from .equal_values import BlockRanges, Ranges
from .idiomatic import Idiomatic
from .in_limbs import WrittenInLimbs
from .narrow_elements import NarrowElements
from .peeled import Peeled
from .rewritten import Rewritten
from .scalar_arrays import ScalarArrays


class Shown(NamedTuple):
    """The checker of a pass, and the stages of `prove` that prove the claims it uses.

    A checker without any rests on the argument in its docstring alone.
    """

    by: type[Rewritten]
    proofs: tuple[str, ...] = ()


_RANGES = ("transfers", "branches")

# by the name of the pass
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
    "limbs": Shown(WrittenInLimbs, (*_RANGES, "limbs", "rewrites")),
    "idioms of bits": Shown(Idiomatic, (*_RANGES, "bitmaps", "rewrites")),
    "peel": Shown(Peeled),
    "parts": Shown(Idiomatic, (*_RANGES, "bitmaps")),
    "ends": Shown(Bounded, (*_RANGES, "counters")),
    "checked words": Shown(Checked),
}


def check_rewritten(
    name: str,
    before: Snapshot,
    after: Function,
    ranges: Ranges,
    facts: BlockRanges,
    witness: InLimbs | CheckedWords | None = None,
) -> set[Block]:
    """Raises CheckError, unless the function after the pass is shown to do what it did before.

    Returns the blocks that have not changed.

    The ranges and facts are those of the function before; `facts` is keyed by its own blocks. The witness is
    what the pass claims about its rewriting, if anything: the checker verifies it. That the elements of
    narrowed arrays fit their new type is left to `check_elements`.
    """
    if not before.is_called_alike(after):
        raise CheckError(f"@{after.name}: it has another name, other parameters or results", after.position)
    if SHOWN[name].by is not NarrowElements:
        for value in before.retyped():
            raise CheckError(f"@{after.name}: {value} has a new type, {value.type}", after.position)
    facts = {before.of[block]: known for block, known in facts.items() if block in before.of}
    said = () if witness is None else (witness,)
    shown = SHOWN[name].by
    if issubclass(shown, Rewritten):
        # most are shown without deciding branches, which takes a third of the time
        quick = shown(before, after, ranges, facts, *said)
        quick.decides = False
        try:
            quick.check()
            return quick.still
        except CheckError:
            pass
    shown(before, after, ranges, facts, *said).check()
    return before.still(after)
