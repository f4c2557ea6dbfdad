"""What stayed big in a compiled function, and which use asked for all of it: whatever it is written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .cost import Cost
from .ir import COMPARE, DIVISION, LOGIC, Instruction, Position, Return, Value
from .plan import BIG, Plan, Range

# Operations through which a mask around their result reaches what they are made of.
THROUGH = {"add", "sub", "mul", "neg", "shift", "select", "low", "field", *LOGIC}


@dataclass(frozen=True)
class Advice:
    kind: str  # declare or mask
    write: tuple[tuple[str, Position], ...]  # what, and where
    insertions: tuple[tuple[str, Position], ...]  # the same as they were made in the text when it was tried
    container: int | None  # the word that it is in then; None if nothing of it is left


@dataclass
class Finding:
    kind: str  # expression, variable or parameter
    text: str
    position: Position
    known: Range
    use: str  # which asks for more of it than a word has
    use_text: str | None  # None if it is the function's end
    use_position: Position
    cost: Cost
    advice: list[Advice] = field(default_factory=list)


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

    def use(self, use, value: Value | None) -> tuple[str, Position]:
        """What the use does with the value, or with what is made of it, and where that stands."""
        position = getattr(use, "position", None) or self.plan.function.position
        reached = [] if value is None else self.reached([value], self.to)
        which = next((n for n, arg in enumerate(getattr(use, "args", ())) if arg in reached), None)
        made = "" if which is not None and use.args[which] is value else "what is made of it "
        if isinstance(use, Return) or use is None:
            return f"{made or 'it '}is what {self.name} returns", position
        if isinstance(use, Instruction):
            words = "is compared" if use.op in COMPARE else USES.get("div" if use.op in DIVISION else use.op)
            if isinstance(words, tuple):
                words = words[-1 if which is None else which]
            if words:
                return f"{made or 'it '}{words}{f' {use.attribute}' if use.op == 'call' else ''}", position
        return f"{made or 'it '}needs more than 128 bits", position


# What an operation does with its arguments, with each where that differs.
USES = {
    "div": ("is divided", "divides"), "call": "is passed to", "store": ("", "is an index", "is stored"),
    "load": "is an index", "load_le": "is an index", "load_be": "is an index",
    "new": ("is a length", "fills an array"), "narrow": "is checked to be of a type",
    "shift": ("is shifted", "is what is shifted by"), "rotl": ("is rotated", "is what is rotated by"),
    "bitlen": "is measured", "popcount": "has its bits counted", "isqrt": "has its root taken",
    "gcd": "has its divisors looked for", "expt": ("is raised to a power", "is an exponent"),
}  # fmt: skip
