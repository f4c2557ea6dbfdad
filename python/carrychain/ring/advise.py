"""What stayed big in a function, by its source's expressions, and what would cut it.

A value of the IR comes from an expression of the source, which knows where it stands, or it is what a
variable holds between them: a parameter, or a block's. All big values of one place are one finding.

What would cut it is found by trying: the program's text is changed as its author would change it, compiled
anew, and looked at. So nothing is advised that was not seen to cut.

- Declarations: of all big variables, and of the elements and calls that big values come from (`the`), first
  of 64 bits, then of fewer; then what of that can be left out again, parameters last. A declaration changes
  no answer: it is checked, so a call that does not keep to it fails.
- Masks: `(ldb (byte 64 0) ...)` around the expression, or around what is made of it, the farthest first. A
  mask is another answer, unless the low bits are all that is wanted.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field

from .compile import plans
from .cost import Cost, Costs
from .errors import Refused, SourceError
from .front.lisp.module import module_of
from .front.lisp.source import Binding, Change, Insertion, Source
from .front.ssa import basic
from .inline import calls
from .ir import COMPARE, DIVISION, LOGIC, Instruction, Int, Module, Position, Return, Value
from .plan import ANY, BIG, Plan, Range
from .transfer import union

# Widths that are tried, of parameters and of what else is declared.
DECLARED = ((64, 64), (32, 64), (32, 32), (16, 32), (16, 16), (8, 8))
MASKED = (64, 32)
# A function takes so many changes of the text at most.
TRIALS = 120
# Operations through which a mask around their result reaches what they are made of.
THROUGH = {"add", "sub", "mul", "neg", "shift", "select", "low", "field", *LOGIC}
NOTHING: Change = frozenset()

# Where a finding stands: what kind it is, and its offset in the text as it was.
Key = tuple[str, int]


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


@dataclass
class Report:
    function: str
    plan: Plan
    source: Source
    findings: list[Finding]
    places: dict[Key, list[Value]]
    trials: int
    all_tried: bool  # there was no need to stop before

    @property
    def refused(self) -> bool:
        """Whether the verifier did not find the function exact: then all of it is big."""
        return self.plan.facts is None


def planned(text: str, file: str, name: str) -> Plan | None:
    """How the function is compiled that has this name in the text; None if there is none that can be."""
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
        return plans(Module(wanted, module.arrays), True)[name]


def report(text: str, file: str, name: str, plan: Plan) -> Report:
    """What stayed big in a compiled function of the text, and what would cut it."""
    return _Advisor(Source(text, file), name, plan).report()


def widest(plan: Plan, values: Iterable[Value]) -> int | None:
    """The container of all these: BIG, if one of them is."""
    found = [plan.containers[value] for value in values]
    return BIG if BIG in found else max(found)


def places(source: Source, plan: Plan, change: Change = NOTHING) -> dict[Key, list[Value]]:
    """The integers that the function computes, by where they come from in the text before the change."""
    found: dict[Key, list[Value]] = {}

    def put(value: Value, position: Position | None, passed: bool) -> None:
        offset = source.offset(position or plan.function.position)
        name = basic(value.name)
        binding = None if name.isdigit() else source.binding(name, offset)
        # what a form does by itself to a variable that it binds is no expression
        if binding and (passed or binding.form == offset):
            key = "variable", Source.before(binding.at, change)
        else:
            key = "expression", Source.before(offset, change)
        found.setdefault(key, []).append(value)

    for block in plan.function.blocks:
        if plan.facts is not None and block not in plan.facts:
            continue
        for param in block.params:
            if isinstance(param.type, Int) and param in plan.ranges:
                put(param, param.position, True)
        for i in block.instructions:
            # a constant is what it is; what a declaration yields is what it was given
            if i.op in ("const", "narrow", "assume"):
                continue
            for result in i.results:
                if isinstance(result.type, Int) and result in plan.ranges:
                    put(result, i.position, False)
    return found


def stuck(plan: Plan) -> int:
    """In how many blocks there is an operation that fails whenever it is come to.

    A declaration that makes more of them is none that the program keeps to.
    """
    return sum(
        any(isinstance(r.type, Int) and r not in plan.ranges for i in block.instructions for r in i.results)
        for block in plan.function.blocks
        if block in (plan.facts or {})
    )


class _Advisor:
    def __init__(self, source: Source, name: str, plan: Plan):
        self.source = source
        self.name = name
        self.plan = plan
        self.places = places(source, plan)
        self.key_of = {value: key for key, values in self.places.items() for value in values}
        self.big = {key: values for key, values in self.places.items() if widest(plan, values) is BIG}
        self.made_by = {r: i for i in plan.function.instructions() for r in i.results}
        self.stuck = stuck(plan)
        self.params = {self.key_of.get(param) for param in plan.function.params}
        self.from_, self.to = self._flow()
        # what each change that was tried left of the findings: the word each is in, BIG if it is none
        self.tried: dict[Change, dict[Key, int | None] | None] = {}

    def report(self) -> Report:
        costs = Costs(self.plan)
        findings = []
        if self.plan.facts is not None:
            for key in sorted(self.big, key=lambda key: key[1]):
                findings.append(self._finding(key, costs))
        all_tried = len(self.tried) < TRIALS
        return Report(self.name, self.plan, self.source, findings, self.places, len(self.tried), all_tried)

    def _flow(self) -> tuple[dict[Value, set[Value]], dict[Value, set[Value]]]:
        """Which values each is made of, and which are made of it, so that a mask on them reaches it."""
        made_of: dict[Value, set[Value]] = {}
        for i in self.plan.function.instructions():
            if i.op in THROUGH or i.op in ("narrow", "assume"):
                for result in i.results:
                    made_of.setdefault(result, set()).update(i.args)
        for block in self.plan.function.blocks:
            for edge in block.terminator.edges:
                for param, arg in zip(edge.block.params, edge.args, strict=True):
                    made_of.setdefault(param, set()).add(arg)
        into: dict[Value, set[Value]] = {}
        for value, parts in made_of.items():
            for part in parts:
                into.setdefault(part, set()).add(value)
        return made_of, into

    def _reached(self, values: list[Value], by: dict[Value, set[Value]]) -> list[Value]:
        """These and all that they lead to, in order of the distance."""
        found = dict.fromkeys(values)
        todo = list(values)
        for value in todo:
            new = [v for v in by.get(value, ()) if v not in found and self.plan.containers.get(v, 0) is BIG]
            new.sort(key=lambda v: v.name)
            found.update(dict.fromkeys(new))
            todo += new
        return list(found)

    def _finding(self, key: Key, costs: Costs) -> Finding:
        kind, offset = key
        values = [value for value in self.big[key] if self.plan.containers[value] is BIG]
        if kind == "variable" and key in self.params:
            kind = "parameter"
        known = self.plan.ranges.get(values[0], ANY)
        for value in values[1:]:
            known = union(known, self.plan.ranges.get(value, ANY))
        blamed = next((value for value in values if value in self.plan.blame), None)
        use = self.plan.blame.get(blamed)
        words, use_at = self._use(use, blamed)
        found = Finding(
            kind,
            self.source.form(offset),
            self.source.position(offset),
            known,
            words,
            None if isinstance(use, Return) or use is None else self.source.form(use_at),
            self.source.position(use_at),
            costs.of([self.made_by[v] for v in values if v in self.made_by]),
        )
        found.advice = [
            each for each in (self._declaration(key, values), self._mask(key, values)) if each is not None
        ]
        return found

    def _use(self, use, value: Value | None) -> tuple[str, int]:
        """What the use does with the value, or with what is made of it, and where that stands."""
        position = getattr(use, "position", None) or self.plan.function.position
        at = self.source.offset(position)
        reached = [] if value is None else self._reached([value], self.to)
        which = next((n for n, arg in enumerate(getattr(use, "args", ())) if arg in reached), None)
        made = "" if which is not None and use.args[which] is value else "what is made of it "
        if isinstance(use, Return) or use is None:
            return f"{made or 'it '}is what {self.name} returns", at
        if isinstance(use, Instruction):
            words = "is compared" if use.op in COMPARE else USES.get("div" if use.op in DIVISION else use.op)
            if isinstance(words, tuple):
                words = words[-1 if which is None else which]
            if words:
                return f"{made or 'it '}{words}{f' {use.attribute}' if use.op == 'call' else ''}", at
        return f"{made or 'it '}needs more than 128 bits", at

    # Trying

    def _cut(self, key: Key, change: Change) -> bool:
        found = self._try(change)
        return found is not None and found.get(key, 0) is not BIG

    def _try(self, change: Change) -> dict[Key, int | None] | None:
        """The word of each place after the change; None if the text is no program then."""
        if change not in self.tried:
            if len(self.tried) >= TRIALS:
                return None
            text = self.source.changed(change)
            plan = planned(text, self.source.file, self.name)
            found = None
            if plan is not None and plan.facts is not None and stuck(plan) <= self.stuck:
                found = {
                    key: widest(plan, values)
                    for key, values in places(Source(text, self.source.file), plan, change).items()
                }
            self.tried[change] = found
        return self.tried[change]

    # Declarations

    def _declaration(self, key: Key, values: list[Value]) -> Advice | None:
        made_of = self._reached(values, self.from_)
        near = {self.key_of.get(value) for value in made_of} | self.params
        leaves = {self.key_of[v] for v in made_of if self._comes_from_elsewhere(v) and v in self.key_of}
        wanted = [
            each
            for each in self.big
            if each[0] == "variable" or (each in leaves - {key} and self._readable(each[1]))
        ]
        # what is left out first comes first
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
        made_by = self.made_by.get(value)
        return made_by is not None and made_by.op in ("load", "call")

    def _declared(self, key: Key, width: int) -> tuple[Binding | None, str]:
        """The variable, if it is one, and the type to declare."""
        low = [self.plan.ranges.get(value, ANY).low for value in self.big[key]]
        sign = "unsigned" if all(end is not None and end >= 0 for end in low) else "signed"
        binding = None
        if key[0] == "variable":
            value = self.big[key][0]
            position = value.position or self.plan.function.position
            made_by = self.made_by.get(value)
            position = made_by.position if made_by is not None and made_by.position else position
            binding = self.source.binding(basic(value.name), self.source.offset(position))
        return binding, f"({sign}-byte {width})"

    def _together(self, declared: dict[Key, tuple[Binding | None, str]]) -> Change:
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

    def _mask(self, key: Key, values: list[Value]) -> Advice | None:
        around = dict.fromkeys(self.key_of.get(value) for value in self._reached(values, self.to))
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

    # Telling

    def _declared_as(self, declared: dict[Key, tuple[Binding | None, str]]) -> list[tuple[str, int]]:
        """What is to be written, and where."""
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

    def _told(self, key: Key, kind: str, write: list[tuple[str, int]], change: Change) -> Advice:
        made = [(each.text, each.at) for each in sorted(change, key=lambda each: each.at)]
        placed = (tuple((text, self.source.position(at)) for text, at in each) for each in (write, made))
        return Advice(kind, *placed, (self._try(change) or {}).get(key))


# What an operation does with its arguments, with each where that differs.
USES = {
    "div": ("is divided", "divides"), "call": "is passed to", "store": ("", "is an index", "is stored"),
    "load": "is an index", "load_le": "is an index", "load_be": "is an index",
    "new": ("is a length", "fills an array"), "narrow": "is checked to be of a type",
    "shift": ("is shifted", "is what is shifted by"), "rotl": ("is rotated", "is what is rotated by"),
    "bitlen": "is measured", "popcount": "has its bits counted", "isqrt": "has its root taken",
    "gcd": "has its divisors looked for", "expt": ("is raised to a power", "is an exponent"),
}  # fmt: skip
