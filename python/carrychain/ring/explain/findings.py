"""What stayed big in a compiled function, and which use needed all its bits; the same for both languages.

Values that one use needs, and that the same change of the text cuts, have one cause. They are one finding,
with their positions listed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from ..facts.plan import Plan, Range
from ..ir.form import COMPARE, DIVISION, LOGIC, Instruction, Position, Return, Value
from ..machine.form import BIG
from .cost import Cost

# Operations through which a mask around their result reaches what they are made of.
THROUGH = {"add", "sub", "mul", "neg", "shift", "select", "low", "field", *LOGIC}


@dataclass(frozen=True)
class Advice:
    kind: str  # declare or mask
    write: tuple[tuple[str, Position], ...]  # what, and where
    insertions: tuple[tuple[str, Position], ...]  # the same as they were made in the text when it was tried
    container: int | None  # the word that it is in then; None if nothing of it is left


@dataclass(frozen=True)
class Member:
    """A place in the text whose values stayed big."""

    kind: str  # expression, variable or parameter
    text: str
    position: Position
    known: Range


@dataclass(frozen=True)
class Use:
    """Which asks for more than a word has."""

    what: str  # it does with the value
    direct: bool  # with the value itself, not with what is made of it
    text: str | None  # None if it is the function's end
    position: Position


@dataclass(frozen=True)
class Finding:
    members: tuple[Member, ...]
    use: Use
    of: Member | None  # what the use takes; None if it takes what is made of the members
    cost: Cost
    advice: tuple[Advice, ...]  # each cuts all members


@dataclass(frozen=True)
class Trial:
    """An advice, and what was seen with it: the container of each place."""

    advice: Advice
    containers: Mapping[Hashable, int | None]

    def cuts(self, key: Hashable) -> bool:
        return self.containers.get(key, 0) is not BIG


@dataclass(frozen=True)
class Found:
    """A member by itself: `ways` has what cuts it, by the kind of the advice."""

    key: Hashable
    member: Member
    use: Use
    cost: Cost
    ways: dict[str, Trial]

    @property
    def wanted(self) -> tuple[str | None, Position]:
        return self.use.text, self.use.position


def by_cause(found: Iterable[Found]) -> Iterator[Finding]:
    """One finding for all that one use wants, if the same changes of the text cut all of it."""
    left = list(found)
    while left:
        same = [each for each in left if each.wanted == left[0].wanted]
        ways = ({id(way): way for each in same for way in each.ways.values()}).values()
        kinds = dict.fromkeys(way.advice.kind for way in ways)
        choices = product(*([None, *(way for way in ways if way.advice.kind == kind)] for kind in kinds))
        groups = [(chosen, [each for each in same if _all_of(chosen, each)]) for chosen in choices]
        # what comes first in the text has a finding, of as many as there can be
        chosen, group = max((each for each in groups if left[0] in each[1]), key=lambda each: len(each[1]))
        yield _joined(group, [way for way in chosen if way])
        left = [each for each in left if each not in group]


def _all_of(chosen: Iterable[Trial | None], found: Found) -> bool:
    """Whether each of these cuts it, and no kind of advice is lost."""
    ways = {way.advice.kind: way for way in chosen if way}
    return found.ways.keys() <= ways.keys() and all(
        way is found.ways.get(kind) or way.cuts(found.key) for kind, way in ways.items()
    )


def _joined(group: list[Found], ways: list[Trial]) -> Finding:
    first = next((each for each in group if each.use.direct), group[0])
    costs = [each.cost for each in group]
    rounds = [cost.rounds for cost in costs if cost.operations]
    return Finding(
        tuple(each.member for each in group),
        first.use,
        first.member if first.use.direct else None,
        Cost(
            sum(cost.operations for cost in costs),
            None if None in rounds else max(rounds, default=1),
            sum(cost.nanoseconds for cost in costs),
            sum(cost.nanoseconds_long for cost in costs),
        ),
        tuple(
            replace(way.advice, container=max(way.containers.get(each.key) or 0 for each in group) or None)
            for way in ways
        ),
    )


def widest(plan: Plan, values: Iterable[Value]) -> int | None:
    """The container of all these: BIG, if one of them is."""
    found = [plan.containers[value] for value in values]
    return BIG if BIG in found else max(found)


class Flow:
    """What the values of a function are made of; `name` is what people call it."""

    def __init__(self, plan: Plan, name: str):
        self.plan = plan
        self.name = name
        self.made_by = {r: i for i in plan.function.instructions() for r in i.results}
        # which values each is made of, and which are made of it, so that a mask on them reaches it
        self.from_: dict[Value, set[Value]] = {}
        self.to: dict[Value, set[Value]] = {}
        for i in plan.function.instructions():
            if i.op in THROUGH or i.op in ("narrow", "assume"):
                for result in i.results:
                    self.from_.setdefault(result, set()).update(i.args)
        for block in plan.function.blocks:
            for edge in block.terminator.edges:
                for param, arg in zip(edge.block.params, edge.args, strict=True):
                    self.from_.setdefault(param, set()).add(arg)
        for value, parts in self.from_.items():
            for part in parts:
                self.to.setdefault(part, set()).add(value)

    def reached(self, values: list[Value], by: dict[Value, set[Value]]) -> list[Value]:
        """These and all that they lead to, in order of the distance."""
        found = dict.fromkeys(values)
        todo = list(values)
        for value in todo:
            new = [v for v in by.get(value, ()) if v not in found and self.plan.containers.get(v, 0) is BIG]
            new.sort(key=lambda v: v.name)
            found.update(dict.fromkeys(new))
            todo += new
        return list(found)

    def use(self, use, value: Value | None) -> tuple[str, bool, Position]:
        """What the use does, whether with the value itself or what is made of it, and where that stands."""
        position = getattr(use, "position", None) or self.plan.function.position
        reached = [] if value is None else self.reached([value], self.to)
        which = next((n for n, arg in enumerate(getattr(use, "args", ())) if arg in reached), None)
        direct = which is not None and use.args[which] is value
        if isinstance(use, Return) or use is None:
            return f"is returned by {self.name}", direct, position
        if isinstance(use, Instruction):
            words = "is compared" if use.op in COMPARE else USES.get("div" if use.op in DIVISION else use.op)
            if isinstance(words, tuple):
                words = words[-1 if which is None else which]
            if words:
                return f"{words}{f' {use.attribute}' if use.op == 'call' else ''}", direct, position
        return "needs more than 128 bits", direct, position


# What an operation does with its arguments, with each where that differs.
USES = {
    "div": ("is divided", "is a divisor"), "call": "is passed to", "store": ("", "is an index", "is stored"),
    "load": "is an index", "load_le": "is an index", "load_be": "is an index",
    "new": ("is a length", "fills an array"), "narrow": "is checked against a type",
    "shift": ("is shifted", "is a shift count"), "rotl": ("is rotated", "is a rotation count"),
    "bitlen": "has its bit length taken", "popcount": "has its bits counted",
    "isqrt": "has its square root taken", "gcd": "is an operand of gcd",
    "expt": ("is raised to a power", "is an exponent"),
}  # fmt: skip
