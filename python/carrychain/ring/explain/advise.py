"""What stayed big in a function, by its source's expressions, and what would cut it.

A value of the IR comes from an expression of the source, whose position it has, or it is a variable's: a
parameter, or a block's parameter. All big values of one position are one finding.

Changes are found by trial: the program's text is changed as its author would change it, compiled, and
examined. So a change is suggested only if it was seen to help.

- Declarations: of all big variables, and of the elements and calls that big values come from (`the`), first
  with 64 bits, then with fewer; then as many as possible are left out again, parameters last. A declaration
  does not change an answer: it is checked, and a call that violates it fails.
- Masks: `(ldb (byte 64 0) ...)` around the expression, or around what is computed from it, the farthest
  first. A mask changes the answer, unless only the low bits are needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from ..compile import plans
from ..facts.plan import ANY, Plan
from ..facts.transfer import union
from ..front.lisp.module import module_of
from ..front.lisp.source import Binding, Change, Insertion, LispSource
from ..front.ssa import basic
from ..ir.callgraph import calls
from ..ir.errors import Refused, SourceError
from ..ir.form import Int, Module, Position, Return, Value
from ..machine.form import BIG
from .cost import Costs
from .findings import Advice, Finding, Flow, Found, Member, Trial, Use, by_cause, widest

# The widths that are tried, for parameters and for other declarations.
DECLARED = ((64, 64), (32, 64), (32, 32), (16, 32), (16, 16), (8, 8))
MASKED = (64, 32)
# The most changes of the text that are tried for a function.
TRIALS = 120
NOTHING: Change = frozenset()

# A finding's place: its kind, and its offset in the original text.
LispKey = tuple[str, int]


@dataclass
class FunctionReport:
    function: str
    plan: Plan
    source: LispSource
    findings: list[Finding]
    places: dict[LispKey, list[Value]]
    trials: int
    all_tried: bool  # whether the limit was not reached
    declaration = "declaration"
    # every integer is explained as it is held
    beyond = ()

    def wide(self) -> Iterator[tuple[str, Position, int | None]]:
        """The places in the text, each with its widest container."""
        for (kind, offset), values in sorted(self.places.items(), key=lambda item: item[0][1]):
            yield kind, self.source.position(offset), widest(self.plan, values)

    @property
    def position(self) -> Position:
        return self.plan.function.position

    @property
    def refused(self) -> bool:
        """Whether the checker refused the plan: then everything is big."""
        return self.plan.facts is None


def planned(text: str, file: str, name: str) -> Plan | None:
    """The plan of the function with this name in the text; None if it cannot be compiled."""
    try:
        module = module_of(text, file)
    except SourceError:
        return None
    if name not in module.functions:
        return None
    wanted, todo = {}, [name]
    while todo:
        at = todo.pop()
        if at not in wanted:
            wanted[at] = module.functions[at]
            todo += calls(wanted[at])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Refused)
        return plans(Module(wanted, module.arrays), True, words=False)[name]


def report(text: str, file: str, name: str, plan: Plan) -> FunctionReport:
    """What stayed big in a compiled function of the text, and what would cut it."""
    return _Advisor(LispSource(text, file), name, plan).report()


def places(source: LispSource, plan: Plan, change: Change = NOTHING) -> dict[LispKey, list[Value]]:
    """The integers that the function computes, by their places in the text before the change."""
    found: dict[LispKey, list[Value]] = {}

    def put(value: Value, position: Position | None, passed: bool) -> None:
        offset = source.offset(position or plan.function.position)
        name = basic(value.name)
        binding = None if name.isdigit() else source.binding(name, offset)
        # what a form does implicitly to its own variable is not an expression
        if binding and (passed or binding.form == offset):
            key = "variable", LispSource.before(binding.at, change)
        else:
            key = "expression", LispSource.before(offset, change)
        found.setdefault(key, []).append(value)

    for block in plan.function.blocks:
        if plan.facts is not None and block not in plan.facts:
            continue
        for param in block.params:
            if isinstance(param.type, Int) and param in plan.ranges:
                put(param, param.position, True)
        for i in block.instructions:
            # constants, and results of declarations, are not explained themselves
            if i.op in ("const", "narrow", "assume"):
                continue
            for result in i.results:
                if isinstance(result.type, Int) and result in plan.ranges:
                    put(result, i.position, False)
    return found


def stuck(plan: Plan) -> int:
    """The number of blocks with an operation that always fails.

    A declaration that makes more of them is one that the program violates.
    """
    return sum(
        any(isinstance(r.type, Int) and r not in plan.ranges for i in block.instructions for r in i.results)
        for block in plan.function.blocks
        if block in (plan.facts or {})
    )


class _Advisor:
    def __init__(self, source: LispSource, name: str, plan: Plan):
        self.source = source
        self.name = name
        self.plan = plan
        self.places = places(source, plan)
        self.key_of = {value: key for key, values in self.places.items() for value in values}
        self.big = {key: values for key, values in self.places.items() if widest(plan, values) is BIG}
        self.flow = Flow(plan, name)
        self.stuck = stuck(plan)
        self.params = {self.key_of.get(param) for param in plan.function.params}
        # for each change that was tried, the findings' containers
        self.tried: dict[Change, dict[LispKey, int | None] | None] = {}

    def report(self) -> FunctionReport:
        costs = Costs(self.plan)
        found = []
        if self.plan.facts is not None:
            for key in sorted(self.big, key=lambda key: key[1]):
                found.append(self._found(key, costs))
        all_tried = len(self.tried) < TRIALS
        return FunctionReport(
            self.name, self.plan, self.source, [*by_cause(found)], self.places, len(self.tried), all_tried
        )

    def _found(self, key: LispKey, costs: Costs) -> Found:
        kind, offset = key
        values = [value for value in self.big[key] if self.plan.containers[value] is BIG]
        if kind == "variable" and key in self.params:
            kind = "parameter"
        known = self.plan.ranges.get(values[0], ANY)
        for value in values[1:]:
            known = union(known, self.plan.ranges.get(value, ANY))
        blamed = next((value for value in values if value in self.plan.blame), None)
        use = self.plan.blame.get(blamed)
        what, direct, use_position = self.flow.use(use, blamed)
        use_at = self.source.offset(use_position)
        ways = [self._declaration(key, values), self._mask(key, values)]
        return Found(
            key,
            Member(kind, self.source.form(offset), self.source.position(offset), known),
            Use(
                what,
                direct,
                None if isinstance(use, Return) or use is None else self.source.form(use_at),
                self.source.position(use_at),
            ),
            costs.of([self.flow.made_by[v] for v in values if v in self.flow.made_by]),
            {way.advice.kind: way for way in ways if way is not None},
        )

    # Trials

    def _cut(self, key: LispKey, change: Change) -> bool:
        found = self._try(change)
        return found is not None and found.get(key, 0) is not BIG

    def _try(self, change: Change) -> dict[LispKey, int | None] | None:
        """The container of each place after the change; None if the text no longer compiles."""
        if change not in self.tried:
            if len(self.tried) >= TRIALS:
                return None
            text = self.source.changed(change)
            plan = planned(text, self.source.file, self.name)
            found = None
            if plan is not None and plan.facts is not None and stuck(plan) <= self.stuck:
                found = {
                    key: widest(plan, values)
                    for key, values in places(LispSource(text, self.source.file), plan, change).items()
                }
            self.tried[change] = found
        return self.tried[change]

    # Declarations

    def _declaration(self, key: LispKey, values: list[Value]) -> Trial | None:
        made_of = self.flow.reached(values, self.flow.from_)
        near = {self.key_of.get(value) for value in made_of} | self.params
        leaves = {self.key_of[v] for v in made_of if self._comes_from_elsewhere(v) and v in self.key_of}
        wanted = [
            each
            for each in self.big
            if each[0] == "variable" or (each in leaves - {key} and self._readable(each[1]))
        ]
        # in the order in which they are left out
        wanted.sort(key=lambda each: (each in near, each in self.params, -each[1]))
        for param_bits, other_bits in DECLARED:
            declared = {
                each: self._declared(each, param_bits if each in self.params else other_bits)
                for each in wanted
            }
            if not self._cut(key, self._together(declared)):
                continue
            near_only = {each: words for each, words in declared.items() if each in near | leaves}
            if self._cut(key, self._together(near_only)):
                declared = near_only
            for each in list(declared):
                fewer = {other: words for other, words in declared.items() if other != each}
                if fewer and self._cut(key, self._together(fewer)):
                    declared = fewer
            return self._told(key, "declare", self._declared_as(declared), self._together(declared))
        return None

    def _readable(self, offset: int) -> bool:
        try:
            return self.source.end(offset) > offset
        except SourceError:
            return False

    def _comes_from_elsewhere(self, value: Value) -> bool:
        made_by = self.flow.made_by.get(value)
        return made_by is not None and made_by.op in ("load", "call")

    def _declared(self, key: LispKey, width: int) -> tuple[Binding | None, str]:
        """The variable, if the finding is one, and the type to declare."""
        low = [self.plan.ranges.get(value, ANY).low for value in self.big[key]]
        sign = "unsigned" if all(end is not None and end >= 0 for end in low) else "signed"
        binding = None
        if key[0] == "variable":
            value = self.big[key][0]
            position = value.position or self.plan.function.position
            made_by = self.flow.made_by.get(value)
            position = made_by.position if made_by is not None and made_by.position else position
            binding = self.source.binding(basic(value.name), self.source.offset(position))
        return binding, f"({sign}-byte {width})"

    def _together(self, declared: dict[LispKey, tuple[Binding | None, str]]) -> Change:
        """The insertions that declare all of these."""
        insertions: set[Insertion] = set()
        types: dict[int, dict[str, list[str]]] = {}
        for key, (binding, type_) in declared.items():
            if binding is None:
                insertions |= self.source.around(key[1], f"(the {type_} ", ")")
            elif binding.in_loop:
                insertions.add(Insertion(binding.declared_at, f" of-type {type_}"))
            else:
                types.setdefault(binding.declared_at, {}).setdefault(type_, []).append(binding.name)
        for at, names in types.items():
            each = (f"(type {type_} {' '.join(sorted(set(of)))})" for type_, of in sorted(names.items()))
            insertions.add(Insertion(at, f" (declare {' '.join(each)})"))
        return frozenset(insertions)

    # Masks

    def _mask(self, key: LispKey, values: list[Value]) -> Trial | None:
        around = dict.fromkeys(self.key_of.get(value) for value in self.flow.reached(values, self.flow.to))
        candidates = [each for each in around if each is not None and each[0] == "expression"]
        for each in candidates[::-1]:
            for width in MASKED:
                try:
                    change = self.source.around(each[1], f"(ldb (byte {width} 0) ", ")")
                except SourceError:
                    break
                if self._cut(key, change):
                    text = f"(ldb (byte {width} 0) {self.source.form(each[1])})"
                    return self._told(key, "mask", [(text, each[1])], change)
        return None

    # Advice

    def _declared_as(self, declared: dict[LispKey, tuple[Binding | None, str]]) -> list[tuple[str, int]]:
        """What to write, and where."""
        found = []
        loops = {b.declared_at: b for b, _ in declared.values() if b and b.in_loop}
        for each in sorted(self._together(declared), key=lambda each: each.at):
            text = each.text.strip()
            if each.at in loops:
                found.append((f"{loops[each.at].name} {text}", loops[each.at].at))
            elif text.startswith("(the"):
                found.append((f"{text} {self.source.form(each.at)})", each.at))
            elif text != ")":
                found.append((text, each.at))
        return found

    def _told(self, key: LispKey, kind: str, write: list[tuple[str, int]], change: Change) -> Trial:
        made = [(each.text, each.at) for each in sorted(change, key=lambda each: each.at)]
        placed = (tuple((text, self.source.position(at)) for text, at in each) for each in (write, made))
        containers = self._try(change) or {}
        return Trial(Advice(kind, *placed, containers.get(key)), containers)
