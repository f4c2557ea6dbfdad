"""What stayed big in a compiled Python function, and what would cut it: `carrychain.explain`.

If the function has a copy for 64-bit ints (narrowed.py), that copy is explained. Values that are big only in
the function for longer ints are just listed. Changes are found by trial, as in advise.py: the function is
compiled again with a mask in its tree, or with an annotated parameter.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from types import FunctionType, MethodType

from ..call.jit.annotations import narrowed
from ..call.jit.arguments import Unfit
from ..call.jit.files import File, Span, masked, masked_text, span
from ..call.jit.function import Jitted, jit
from ..call.jit.narrowed import joined, narrowed_name, strict_name, with_narrowed
from ..call.jit.short import long_name, short_name
from ..call.marshal import kind_name
from ..compile import plans
from ..facts.plan import ANY, Plan
from ..facts.transfer import union
from ..front.python import prelude
from ..front.python.kinds import BOOL, BYTE, INT, MISSING, Buffer, List, Lowered, PythonKind
from ..front.python.module import Compilation, Unit
from ..front.python.source import source_of
from ..front.ssa import basic
from ..ir.errors import Refused, SourceError
from ..ir.form import Int, Module, Position, Return, Value, unsigned
from ..ir.interface import NULL
from ..machine.form import BIG
from .cost import Costs
from .findings import Advice, Finding, Flow, Found, Member, Trial, Use, by_cause, widest
from .page import Line, Listing, part
from .telling import told

ANNOTATED = (64, 32, 16, 8)
MASKED = (64, 32)
# The most times that a function is compiled.
TRIALS = 60
# A place: an expression, or a variable.
PythonKey = tuple[str, Span]
KINDS: dict[object, PythonKind] = {
    int: INT, bool: BOOL, None: NULL, bytes: Buffer("bytes"), bytearray: Buffer("bytearray"), list: List(),
    memoryview: Buffer("memoryview", BYTE),
}  # fmt: skip


def explain(function, /, *args, **named) -> Explanation:
    """How a function is compiled for such arguments: what stays arbitrary-precision, and why.

    The function is not called. Without arguments, the types are those of its last compilation, otherwise
    those of its annotations; TypeError if neither exists. SourceError if it cannot be compiled. The result
    prints at the prompt and in Jupyter.
    """
    if isinstance(function, MethodType):
        function, args = function.__func__, (function.__self__, *args)
    function = getattr(function, "function", function)  # a vectorized function's jitted one
    if not isinstance(function, Jitted):
        if not isinstance(function, FunctionType):
            raise TypeError(f"explain takes a function written in Python, not {kind_name(function)}")
        function = jit(function)
    return Explanation(function, kinds_for(function, args, named))


def kinds_for(function: Jitted, args: tuple, named: dict) -> tuple[PythonKind, ...]:
    if args or named:
        try:
            return function._kinds_of(function._bound(args, named))
        except Unfit as unfit:
            raise unfit.error from None
    if function.kinds:
        return function.kinds[0]
    return tuple(
        NULL if unused else _annotated(function, name)
        for name, unused in zip(function._names, function._unused, strict=True)
    )


def _annotated(function: Jitted, name: str) -> PythonKind:
    """The kind that a parameter is annotated with."""
    said = function.__wrapped__.__annotations__.get(name, MISSING)
    if isinstance(said, str):
        said = {getattr(kind, "__name__", "None"): kind for kind in KINDS}.get(said, said)
    width = function._annotations[function._names.index(name)]
    for kind in KINDS.values() if width is not None else ():
        narrow = narrowed(kind, width)
        if narrow is not None and narrow != NULL:
            return narrow
    if width is None and said.__hash__ is not None and said in KINDS:
        return KINDS[said]
    if getattr(said, "__origin__", None) is list and said.__args__ == (int,):
        return List()
    raise TypeError(
        f"{function.__name__} has not been compiled, and {name} has no annotation: "
        "give arguments, as in explain(f, 1, b'a')"
    )


class _Edited(Compilation):
    """Compiles functions to IR with a mask in one of them."""

    def __init__(self, where: Span, bits: int):
        super().__init__()
        self.where, self.bits = where, bits
        self.masked = False

    def unit(self, function: FunctionType, kinds: tuple[PythonKind, ...]) -> Unit:
        known = (function, kinds) in self.units
        found = super().unit(function, kinds)
        source = None if known else masked(found.source, self.where, self.bits)
        if source is not None:
            found.source, self.masked = source, True
        return found


class FunctionPlans:
    """A function's plans: `main` is that of the copy for short ints and arrays."""

    def __init__(self, lowered: Lowered):
        self.module: Module = with_narrowed(lowered.module, lowered.entry)
        self.entry = lowered.entry
        copies = narrowed_name(self.entry), self.entry
        names = [
            strict_name(self.entry),
            *(of(name) for name in copies for of in (short_name, str, long_name)),
        ]
        self.main = next(name for name in names if name in self.module.functions)
        # except the function that only chooses between two copies
        asks = [name for name in copies if short_name(name) in self.module.functions]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Refused)
            self.plans = plans(self.module.copy(), True, words=False)
        self.short = [plan for name, plan in self.plans.items() if self.main == name or name not in names]
        self.long = [
            plan
            for name, plan in self.plans.items()
            if name != self.main and name in names and name not in asks
        ]


@dataclass
class SourcePlace:
    text: str
    position: Position
    values: list[tuple[Plan, Value]] = field(default_factory=list)

    @property
    def container(self) -> int | None:
        found = [widest(plan, [value]) for plan, value in self.values]
        return BIG if BIG in found else max(found)


class Files(dict[str, File]):
    def __missing__(self, name: str) -> File:
        self[name] = File(name)
        return self[name]


def places(of: list[Plan], files: Files) -> dict[PythonKey, SourcePlace]:
    """The integers that the functions compute, by their places."""
    found: dict[PythonKey, SourcePlace] = {}

    def put(plan: Plan, value: Value, position: Position | None, passed: bool) -> None:
        position = position or plan.function.position
        # the prelude's operations on items are not the program's expressions
        if position is None or position.file == prelude.__file__:
            return
        file = files[position.file]
        name = basic(value.name)
        variable = file.variable(name, position) if passed and not name.isdigit() else None
        if variable:
            text, position = variable
            key = "variable", span(position)
        else:
            text, key = file.text(position), ("expression", span(position))
        found.setdefault(key, SourcePlace(text, position)).values.append((plan, value))

    for plan in of:
        for block in plan.function.blocks:
            if plan.facts is not None and block not in plan.facts:
                continue
            for param in block.params:
                if isinstance(param.type, Int) and param in plan.ranges:
                    put(plan, param, param.position, True)
            for i in block.instructions:
                # constants, and results of checks, are not explained themselves
                if i.op in ("const", "narrow", "assume"):
                    continue
                for result in i.results:
                    if isinstance(result.type, Int) and result in plan.ranges:
                        put(plan, result, i.position, False)
    return dict(sorted(found.items(), key=lambda item: item[0][1][:3]))


class Explanation:
    """How a function is compiled for arguments of these kinds; it prints at the prompt and in Jupyter."""

    declaration = "annotation"

    def __init__(self, function: Jitted, kinds: tuple[PythonKind, ...]):
        self._function = function.__wrapped__
        self.kinds = kinds
        lower = function._front.lower_function
        self._lower = lambda kinds: joined(lower(self._function, kinds))
        lowered = self._lower(kinds)
        self.compiled = FunctionPlans(lowered)
        self.plan = self.compiled.plans[self.compiled.main]
        self.function = function.__qualname__
        self.position = source_of(self._function).position(source_of(self._function).tree)
        shown = ", ".join(map(str, kinds)), str(lowered.gives)
        self._head = "{}({}) -> {}, {}".format(
            self.function, *(text.replace(str(NULL), "None") for text in shown), self.position
        )
        self._files = Files()
        self.places = places(self.compiled.short, self._files)
        self._long = places(self.compiled.long, self._files)
        self._tried: dict[object, dict[PythonKey, int | None] | None] = {}
        self._masks: dict[PythonKey, None] = {}

    @property
    def refused(self) -> bool:
        return any(plan.facts is None for plan in self.compiled.plans.values())

    @property
    def beyond(self) -> list[str]:
        """The places that are big only in the function for longer ints."""
        long = [key for key, place in self._long.items() if place.container is BIG]
        return list(
            dict.fromkeys(
                self._long[key].text
                for key in long
                if key in self.places and self.places[key].container is not BIG
            )
        )

    @property
    def trials(self) -> int:
        return len(self._tried)

    @property
    def all_tried(self) -> bool:
        return self.trials < TRIALS

    def wide(self) -> Iterator[tuple[str, Position, int | None]]:
        for (kind, _), place in self.places.items():
            yield kind, place.position, place.container

    def __repr__(self) -> str:
        return "\n".join([self._head, *(text for text, _ in told(self))])

    def _repr_html_(self) -> str:
        return part(self, self.listing())

    @cached_property
    def findings(self) -> list[Finding]:
        if self.refused:
            return []
        flows = {plan.function.name: self._flow(plan) for plan in self.compiled.short}
        costs = {plan.function.name: Costs(plan) for plan in self.compiled.short}
        return [
            *by_cause(
                self._found(key, place, flows, costs)
                for key, place in self.places.items()
                if place.container is BIG
            )
        ]

    def _flow(self, plan: Plan) -> Flow:
        name = plan.function.name
        return Flow(plan, self._function.__name__ if name == self.compiled.main else name)

    def _found(self, key: PythonKey, place: SourcePlace, flows: dict, costs: dict) -> Found:
        big = [(plan, value) for plan, value in place.values if widest(plan, [value]) is BIG]
        known = None
        for plan, value in big:
            range_ = plan.ranges.get(value, ANY)
            known = range_ if known is None else union(known, range_)
        plan, blamed = next(((p, v) for p, v in big if v in p.blame), big[0])
        flow = flows[plan.function.name]
        use = plan.blame.get(blamed)
        what, direct, position = flow.use(use, blamed)
        made = [flow.made_by[value] for p, value in big if p is plan and value in flow.made_by]
        ends = isinstance(use, Return) or use is None or position.file == prelude.__file__
        masks = flow.reached([value for p, value in big if p is plan], flow.to)
        ways = [self._annotation(key), self._mask(key, masks)]
        return Found(
            key,
            Member(
                "parameter" if any(v in p.function.params for p, v in big) else key[0],
                place.text,
                place.position,
                known,
            ),
            Use(
                what,
                direct,
                None if ends else self._files[position.file].text(position),
                place.position if position.file == prelude.__file__ else position,
            ),
            costs[plan.function.name].of(made),
            {way.advice.kind: way for way in ways if way is not None},
        )

    # Trials

    def _cut(self, key: PythonKey, change: object, lower) -> bool:
        found = self._try(change, lower)
        return found is not None and found.get(key, 0) is not BIG

    def _try(self, change: object, lower) -> dict[PythonKey, int | None] | None:
        """The container of each place after the change; None if it no longer compiles."""
        if change not in self._tried:
            if len(self._tried) >= TRIALS:
                return None
            try:
                compiled = FunctionPlans(lower())
            except SourceError:
                self._tried[change] = None
            else:
                found = places(compiled.short, self._files)
                self._tried[change] = {key: place.container for key, place in found.items()}
        return self._tried[change]

    def _annotation(self, key: PythonKey) -> Trial | None:
        wide = [at for at, kind in enumerate(self.kinds) if kind in (INT, List(), List(maker="tuple"))]

        def kinds(narrow: list[int], bits: int) -> tuple[PythonKind, ...]:
            found = list(self.kinds)
            for at in narrow:
                kind = found[at]
                found[at] = List(unsigned(bits), kind.maker) if isinstance(kind, List) else unsigned(bits)
            return tuple(found)

        def cuts(narrow: list[int], bits: int) -> bool:
            tried = kinds(narrow, bits)
            return self._cut(key, tried, lambda: self._lower(tried))

        for bits in ANNOTATED if wide else ():
            if not cuts(wide, bits):
                continue
            narrow = wide
            for at in wide:
                fewer = [each for each in narrow if each != at]
                if fewer and cuts(fewer, bits):
                    narrow = fewer
            write = tuple(self._written(at, bits) for at in narrow)
            return self._way(key, "declare", write, kinds(narrow, bits))
        return None

    def _written(self, at: int, bits: int) -> tuple[str, Position]:
        kind, code = self.kinds[at], self._function.__code__
        type_ = f"u{bits}"
        if isinstance(kind, List):
            type_ = f"list[{type_}]" if kind.maker == "list" else f"tuple[{type_}, ...]"
        name = code.co_varnames[at]
        found = self._files[self.position.file].variable(basic(name), self.position)
        return f"{name}: {type_}", found[1] if found else self.position

    def _mask(self, key: PythonKey, values: list[Value]) -> Trial | None:
        of = {value: each for each, place in self.places.items() for _, value in place.values}
        around = dict.fromkeys(of[value] for value in values if value in of)
        # first those that cut others, too
        for each in dict.fromkeys([*(known for known in self._masks if known in around), *reversed(around)]):
            kind, where = each
            for bits in MASKED:
                if kind == "expression" and self._cut(
                    key, (where, bits), lambda w=where, b=bits: self._edited(w, b)
                ):
                    position = self.places[each].position
                    text = masked_text(self._files[position.file], position, bits)
                    self._masks[each] = None
                    return self._way(key, "mask", ((text, position),), (where, bits))
        return None

    def _way(
        self, key: PythonKey, kind: str, write: tuple[tuple[str, Position], ...], change: object
    ) -> Trial:
        containers = self._tried[change] or {}
        return Trial(Advice(kind, write, write, containers.get(key)), containers)

    def _edited(self, where: Span, bits: int) -> Lowered:
        program = _Edited(where, bits)
        lowered = program.lowered(self._function, self.kinds)
        if not program.masked:
            raise SourceError("there is nothing to be masked")
        return joined(lowered)

    # The listing

    def listing(self) -> Listing:
        """The lines of the functions that values come from."""
        by_file: dict[str, set[int]] = {}
        for position in (self.position, *(place.position for place in self.places.values())):
            for function in self._files[position.file].within(position)[:1]:
                by_file.setdefault(position.file, set()).update(
                    range(function.lineno, function.end_lineno + 1)
                )
        for n, (name, lines) in enumerate(by_file.items()):
            if n:
                yield None
            last = None
            for line in sorted(lines):
                if last is not None and line > last + 1:
                    yield None
                last = line
                yield Line(line, self._pieces(name, line), self._widths(name, line))

    def _pieces(self, file: str, line: int) -> list[tuple[str, bool]]:
        text = self._files[file].lines[line - 1].rstrip(b"\n")
        big = [False] * len(text)
        for place in self.places.values():
            at = place.position
            if place.container is BIG and at.file == file and at.end and at.line <= line <= at.end[0]:
                if "\n" not in place.text and at.end[0] > line:
                    continue
                begin = at.column - 1 if at.line == line else 0
                end = at.end[1] - 1 if at.end[0] == line else len(text)
                big[begin:end] = [True] * (end - begin)
        cuts = [0, *(n for n in range(1, len(text)) if big[n] != big[n - 1]), len(text)]
        return [
            (text[a:b].decode(errors="replace"), big[a] if a < len(text) else False)
            for a, b in pairwise(cuts)
        ]

    def _widths(self, file: str, line: int) -> list[tuple[str, int | None]]:
        return [
            (place.text if len(place.text) <= 24 else place.text[:21] + "...", place.container)
            for place in self.places.values()
            if (place.position.file, place.position.line) == (file, line)
        ]
