"""The passes over one function, in their order: the rows of PASSES.

Before a pass runs, the facts that it needs are computed, and those that it relies on are checked; the facts
that it keeps are used after it. `compile` has the loop. In each function, the pass's result is shown right by
its checker in trust/rewrites.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import NamedTuple

from ..facts.checked import CheckedWords
from ..facts.demand import Demands
from ..facts.limbs import InLimbs
from ..facts.order import decide
from ..facts.plan import Plan, Range
from ..facts.ranges import FoundRanges, Summaries
from ..ir.form import INT, Block, Function, Instruction, Value
from ..ir.snapshot import Snapshot
from .checked import checked
from .counters import ends, exits_by_order, in_step
from .elements import narrowed, retype
from .idiom import idioms
from .lengths import asked_again, lengths
from .limbs import as_limbs, limbs
from .parts import in_parts
from .peel import peel
from .scalars import scalars
from .simplify import simplify


class Facts(IntEnum):
    """What is known about a function; each level includes those before it."""

    NOTHING = 0
    # the ranges of its calls' results, recursive ones included
    CALLS = 1
    # ranges that hold, but from before it was simplified: an analysis may find narrower ones
    HELD = 2
    # the ranges of the function as it stands
    RANGES = 3
    # the same, followed by trust.check
    CHECKED = 4
    # demands, and the containers chosen by them, followed by trust.check
    PLAN = 5


class Schedule(Enum):
    # once, with and without cutting
    ALWAYS = 0
    # once, if integers are cut
    ONCE = 1
    # if integers are cut, and again after each change by a pass of this kind
    AGAIN = 2
    # once, if integers are cut, when no pass of that kind changes anything; those then run again
    LAST = 3


@dataclass
class State:
    """A function on its way through the passes, and what is known about it."""

    function: Function
    summaries: Summaries
    # a snapshot of the function as it was last shown right
    before: Snapshot
    # whether nothing is emitted, so that nothing is shown
    tried: bool = False
    facts: Facts = Facts.NOTHING
    found: FoundRanges = ({}, {})
    demands: Demands | None = None
    plan: Plan | None = None
    returned: list[Range] = field(default_factory=list)
    # arrays with narrowed elements, until it is shown that everything stored in them fits
    narrow: set[Value] = field(default_factory=set)
    # additions that `ends` has added a check to
    ended: set[Instruction] = field(default_factory=set)
    # what the last pass claims about its rewriting, for the checker to verify
    witness: InLimbs | CheckedWords | None = None
    # whether it has been copied for words, or is not to be; and the blocks of the general form
    checked: bool = False
    general: set[Block] = field(default_factory=set)
    # passes whose result was not shown right: they are not run again
    refused: set[str] = field(default_factory=set)


class Pass(NamedTuple):
    name: str
    # the name, for `explain --ir` and the validator, of the function after the last pass of this stage
    stage: str
    needs: Facts
    # the most that is still known after a change
    keeps: Facts
    # rewrites the function in place; whether it changed
    run: Callable[[State], bool]
    turn: Schedule = Schedule.ONCE
    # whether the pass may have anything to do, by the unchecked ranges alone
    wanted: Callable[[State], bool] = lambda state: True
    # whether the function is simplified after a change, as a step of its own
    simplified: bool = False


def _always(run: Callable[[State], object]) -> Callable[[State], bool]:
    """For a pass that does not report whether it changed anything."""

    def changed(state: State) -> bool:
        run(state)
        return True

    return changed


def _simplified(run: Callable[[State], bool]) -> Callable[[State], bool]:
    def changed(state: State) -> bool:
        if not run(state):
            return False
        simplify(state.function)
        return True

    return changed


def _simplify(state: State) -> None:
    simplify(state.function)


def _scalars(state: State) -> bool:
    return scalars(state.function)


def _lengths(state: State) -> bool:
    return lengths(state.function)


def _narrow(state: State) -> bool:
    arrays, state.found = narrowed(state.function, state.summaries)
    state.facts = Facts.RANGES
    return bool(arrays)


def widen(state: State) -> None:
    """Undoes the narrowing of elements that are not proven to fit."""
    retype(state.function, state.narrow, INT)
    state.narrow = set()


def _exits_by_order(state: State) -> bool:
    return exits_by_order(state.function, state.found)


def _in_step(state: State) -> bool:
    return in_step(state.function, state.found)


def _decide(state: State) -> None:
    decide(state.function, state.found)
    simplify(state.function, state.found[0])


def _ask_lengths(state: State) -> bool:
    return asked_again(state.function)


def _idioms(state: State) -> bool:
    masks = state.demands.masks if state.facts is Facts.PLAN else {}
    return idioms(state.function, state.found[0], masks)


def _wide(state: State) -> bool:
    return bool(as_limbs(state.function, state.found[0]))


def _limbs(state: State) -> bool:
    state.witness = limbs(state.function, state.found[0], as_limbs(state.function, state.found[0]))
    return True


def _peel(state: State) -> bool:
    return peel(state.plan)


def _parts(state: State) -> bool:
    return in_parts(state.function, state.found[0])


def _ends(state: State) -> bool:
    return ends(state.plan, state.ended)


def _checked(state: State) -> bool:
    if state.checked:
        return False
    state.checked, state.witness = True, checked(state.plan)
    if state.witness is None:
        return False
    state.general = state.witness.general
    return True


_NOTHING, _CALLS, _HELD, _RANGES, _CHECKED, _PLAN = Facts
_ALWAYS, _ONCE, _AGAIN, _LAST = Schedule

# fmt: off
PASSES = (
    #    name               stage       needs     keeps     does
    Pass("simplify",        "simplify", _NOTHING, _NOTHING, _always(_simplify), _ALWAYS),
    Pass("scalars",         "simplify", _NOTHING, _NOTHING, _simplified(_scalars), _ALWAYS),
    Pass("lengths",         "simplify", _NOTHING, _NOTHING, _lengths),
    Pass("narrow elements", "simplify", _CALLS,   _PLAN,    _narrow),
    Pass("exits by order",  "simplify", _CHECKED, _CALLS,   _exits_by_order),
    Pass("in step",         "simplify", _CHECKED, _CALLS,   _in_step),
    Pass("decide",          "simplify", _CHECKED, _HELD,    _always(_decide)),
    Pass("ask lengths",     "simplify", _HELD,    _HELD,    _ask_lengths),
    Pass("idioms",          "idiom",    _HELD,    _HELD,    _simplified(_idioms)),
    Pass("limbs",           "idiom",    _CHECKED, _CALLS,   _limbs, _ONCE, _wide, True),
    Pass("idioms of bits",  "idiom",    _PLAN,    _HELD,    _simplified(_idioms), _AGAIN),
    # before `parts`, which would split in every iteration what exceeds a word in the first one only
    Pass("peel",            "idiom",    _PLAN,    _CALLS,   _peel, _AGAIN, simplified=True),
    Pass("parts",           "idiom",    _PLAN,    _HELD,    _simplified(_parts), _AGAIN),
    # it does not keep _HELD, because the ranges before it were unbounded
    Pass("ends",            "idiom",    _PLAN,    _CALLS,   _ends, _AGAIN),
    Pass("checked words",   "words",    _PLAN,    _CALLS,   _checked, _LAST, simplified=True),
)
# fmt: on
