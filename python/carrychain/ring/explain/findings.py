"""What stayed big in a compiled function, and which use needed all its bits, for both languages.

Values that the same use needs, and that the same change of the text cuts, have one cause. They are one
finding, with their positions listed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from ..facts.plan import Plan, Range
from ..ir.form import COMPARE, DIVISION, LOGIC, Instruction, Position, Return, Value
from ..machine.form import BIG
from .cost import Cost

# Operations for which a mask around the result also cuts the arguments.
THROUGH = {"add", "sub", "mul", "neg", "shift", "select", "low", "field", *LOGIC}


@dataclass(frozen=True)
class Advice:
    kind: str  # declare or mask
    write: tuple[tuple[str, Position], ...]  # what to write, and where
    insertions: tuple[tuple[str, Position], ...]  # the same, as they were inserted in the trial
    container: int | None  # the container after the change; None if the value is gone


@dataclass(frozen=True)
class Member:
    """A place in the text whose values stayed big."""

    kind: str  # expression, variable or parameter
    text: str
    position: Position
    known: Range


@dataclass(frozen=True)
class Use:
    """A use that needs more bits than a word has."""

    what: str  # what the use does
    direct: bool  # whether it uses the value itself, not a value computed from it
    text: str | None  # the source's text; None at the function's end
    position: Position


@dataclass(frozen=True)
class Finding:
    members: tuple[Member, ...]
    use: Use
    of: Member | None  # the member that the use takes; None if it takes a value computed from them
    cost: Cost
    advice: tuple[Advice, ...]  # each cuts all members


@dataclass(frozen=True)
class Trial:
    """An advice, and the container of each place in its trial."""

    advice: Advice
    containers: Mapping[Hashable, int | None]

    def cuts(self, key: Hashable) -> bool:
        return self.containers.get(key, 0) is not BIG


@dataclass(frozen=True)
class Found:
    """A member by itself: `ways` has the trials that cut it, by the kind of advice."""

    key: Hashable
    member: Member
    use: Use
    cost: Cost
    ways: dict[str, Trial]

    @property
    def wanted(self) -> tuple[str | None, Position]:
        return self.use.text, self.use.position


def by_cause(found: Iterable[Found]) -> Iterator[Finding]:
    """One finding for all members that one use needs, if the same changes of the text cut all of them."""
    left = list(found)
    while left:
        same = [each for each in left if each.wanted == left[0].wanted]
        ways = ({id(way): way for each in same for way in each.ways.values()}).values()
        kinds = dict.fromkeys(way.advice.kind for way in ways)
        choices = product(*([None, *(way for way in ways if way.advice.kind == kind)] for kind in kinds))
        groups = [(chosen, [each for each in same if _all_of(chosen, each)]) for chosen in choices]
        # greedily: the first member in the text gets the largest finding
        chosen, group = max((each for each in groups if left[0] in each[1]), key=lambda each: len(each[1]))
        yield _joined(group, [way for way in chosen if way])
        left = [each for each in left if each not in group]


def _all_of(chosen: Iterable[Trial | None], found: Found) -> bool:
    """Whether each of these trials cuts the member, and no kind of advice is lost."""
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
    """The widest container of these values: BIG, if one of them is."""
    found = [plan.containers[value] for value in values]
    return BIG if BIG in found else max(found)


class Flow:
    """The data flow of a function; `name` is its name in the source."""

    def __init__(self, plan: Plan, name: str):
        self.plan = plan
        self.name = name
        self.made_by = {r: i for i in plan.function.instructions() for r in i.results}
        # the values that each is computed from; and those computed from it by which a mask would cut it
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
        """These values and all that are reached from them, by distance."""
        found = dict.fromkeys(values)
        todo = list(values)
        for value in todo:
            new = [v for v in by.get(value, ()) if v not in found and self.plan.containers.get(v, 0) is BIG]
            new.sort(key=lambda v: v.name)
            found.update(dict.fromkeys(new))
            todo += new
        return list(found)

    def use(self, use, value: Value | None) -> tuple[str, bool, Position]:
        """What the use does, whether with the value itself or with one computed from it, and where."""
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


# What an operation does with its arguments; one text per argument if they differ.
USES = {
    "div": ("is divided", "is a divisor"), "call": "is passed to", "store": ("", "is an index", "is stored"),
    "load": "is an index", "load_le": "is an index", "load_be": "is an index",
    "new": ("is a length", "fills an array"), "narrow": "is checked against a type",
    "shift": ("is shifted", "is a shift count"), "rotl": ("is rotated", "is a rotation count"),
    "bitlen": "has its bit length taken", "popcount": "has its bits counted",
    "isqrt": "has its square root taken", "gcd": "is an operand of gcd",
    "expt": ("is raised to a power", "is an exponent"),
}  # fmt: skip
