"""Counters: rewrites what ranges alone cannot bound, so that they can.

An interval does not express how a counter and its bound are related, nor how often a loop runs. Three
rewrites express it by operations from which a range follows. trust/counted.py and trust/bounded.py derive
each of them again, in each function; prove/counters.py proves what they conclude about the next iteration.

Exits by order. Let a parameter i of a block increase by c > 0 on every back edge, and let it enter with at
most n, with n - i a multiple of c, where n is the same number each time. If it increases only if i is not n,
then i <= n each time: when it increases, n - i > 0, so n - i >= c. So i = n if and only if i >= n, and the
test becomes i >= n, from which a range follows. The same holds if i + c is compared, and i enters below n;
and downwards.

Counters in step. If parameters i and j of a block enter as known numbers a and b, and on every back edge i
changes by 1 or -1 and j by a constant d, then j is b + d (i - a) or b - d (i - a). It is computed from i,
whose range is bounded.

Bounds. The remaining values have no known bound, but their loops add only small numbers to them. Each such
addition first checks that its operand is within a word (`narrow`). That check does not fail in any possible
run. Either the iterations of the loops are bounded by their own counters' ranges, and the word holds the
start and everything that the iterations can add. Or the word is so wide that it takes 2^60 additions to leave
it, each of which is executed and checked, because several cannot be combined if each may trap: at ten
thousand million per second that is more than three years. Larger steps get there sooner, so they get a wider
word: 128 bits, for steps below 2^64. What may add more than that stays big.
"""

from __future__ import annotations

from ..facts.demand import exact_width
from ..facts.plan import ANY, Plan, Range
from ..facts.ranges import INVERSE, MIRRORED, FoundRanges
from ..facts.transfer import intersection
from ..ir.cycles import cycles
from ..ir.dominance import Dominance, reverse_postorder
from ..ir.form import INT, Block, Branch, Edge, Function, Instruction, Int, Value
from ..machine.form import BIG

LIFE = 60  # log2 of a number of additions that no run executes
CHECKED = ("narrow", "assume")
# operations whose result depends on their arguments alone
FIXED = {"add", "sub", "mul", "neg", "shift", "low", "field", "len", "and", "ior", "xor", "narrow", "assume"}
ORDER = {("eq", True): "ge", ("eq", False): "le", ("ne", True): "lt", ("ne", False): "gt"}  # op, upwards


class _Counters:
    def __init__(self, function: Function, found: FoundRanges):
        self.function = function
        self.known, self.facts = found
        self.dominance = Dominance(function)
        self.loops = self.dominance.loops()
        self.made_by = {r: i for i in function.instructions() for r in i.results}
        self.home: dict[Value, Block] = {}
        self.place: dict[Value, tuple[Block, int]] = {}
        for block in self.dominance.order:
            for at, param in enumerate(block.params):
                self.home[param], self.place[param] = block, (block, at)
            for instruction in block.instructions:
                self.home.update(dict.fromkeys(instruction.results, block))

    def passed(self, param: Value) -> list[tuple[Block, Edge, Value]]:
        """What each edge that may be taken passes for the parameter."""
        block, at = self.place[param]
        return [
            (before, edge, edge.args[at])
            for before in dict.fromkeys(self.dominance.before[block])
            if before in self.facts
            for edge in before.terminator.edges
            if edge.block is block
        ]

    def range(self, value: Value, block: Block | None = None) -> Range:
        """The range of the value's latest definition, at the block's entry."""
        known = self.known.get(value, ANY)
        if (
            block is None
            or value not in self.facts[block]
            or not self.dominance.above(self.home[value], block)
        ):
            return known
        return intersection(known, self.facts[block][value])

    def number(self, value: Value) -> int | None:
        known = self.range(value)
        return known.low if known.low is not None and known.low == known.high else None

    def unchecked(self, value: Value) -> Value:
        """The argument of a check, or of a chain of checks: the same integer."""
        while value in self.made_by and self.made_by[value].op in CHECKED:
            value = self.made_by[value].args[0]
        return value

    def step(self, value: Value, param: Value) -> int:
        """c if the value is the parameter + c, not 0; else 0."""
        made = self.made_by.get(self.unchecked(value))
        if made is None or made.op not in ("add", "sub"):
            return 0
        a, b = (self.unchecked(arg) for arg in made.args)
        if made.op == "add" and b is param:
            a, b = b, a
        by = self.number(b) if a is param else None
        return 0 if by is None else by if made.op == "add" else -by

    def _new(self, beside: Value, part: str) -> Value:
        """A value with a new name."""
        names = {value.name for value in self.function.values()}
        name = f"{beside.name}.{part}"
        while name in names:
            name += part
        return Value(name, INT, beside.position)

    # Exits by order --------------------------------------------------------------------------

    def by_order(self) -> bool:
        changed = False
        for block in self.dominance.order:
            for i in block.instructions:
                if i.op in ("eq", "ne") and isinstance(i.args[0].type, Int):
                    changed |= self._ordered(i, *i.args) or self._ordered(i, *reversed(i.args))
        return changed

    def _ordered(self, test: Instruction, tested: Value, end: Value) -> bool:
        """Makes the test one of order, if `tested` cannot pass `end` without once being equal to it."""
        plain = self.unchecked(tested)
        if plain in self.place:
            params = [plain]
        else:
            made = self.made_by[plain]
            params = [self.unchecked(arg) for arg in made.args] if made.op in ("add", "sub") else []
        for param in params:
            if param not in self.place or self.place[param][0] is self.function.blocks[0]:
                continue
            step = self._counts_to(test, plain, param, end)
            if step:
                test.op, test.args = ORDER[test.op, step > 0], [tested, end]
                return True
        return False

    def _counts_to(self, test: Instruction, tested: Value, param: Value, end: Value) -> int:
        """The parameter's step, if it never enters beyond the end, and continues only if it differs."""
        block = self.place[param][0]
        ways = self.passed(param)
        steps = {self.step(value, param) for _, _, value in ways} - {0}
        if len(steps) != 1 or not self._fixed(end, block):
            return 0
        (step,) = steps
        ahead = tested is not param
        if ahead and self.step(tested, param) != step:
            return 0
        for before, edge, value in ways:
            if self.unchecked(value) is param:
                continue
            if self.step(value, param):
                if (ahead and self.unchecked(value) is not tested) or not self._unequal(test, before, edge):
                    return 0
            elif not self._starts_before(value, end, step, ahead, before, edge):
                return 0
        return step

    def _fixed(self, value: Value, block: Block) -> bool:
        """Whether the value does not change while the block's loop runs."""
        if self.number(value) is not None:
            return True
        home = self.home[value]
        if home is not block and self.dominance.above(home, block):
            return True
        made = self.made_by.get(value)
        return made is not None and made.op in FIXED and all(self._fixed(arg, block) for arg in made.args)

    def _unequal(self, test: Instruction, before: Block, edge: Edge) -> bool:
        """Whether the edge is taken only if the test has found its operands to differ."""
        return any(
            condition is test and (outcome == (test.op == "ne"))
            for condition, outcome in self._outcomes(before, edge)
        )

    def _outcomes(self, before: Block, edge: Edge):
        """The comparisons last passed on every path to the edge, with their outcomes."""
        while True:
            end = before.terminator
            if isinstance(end, Branch) and end.then.block is not end.otherwise.block:
                outcome = edge is end.then
                made = self.made_by.get(end.condition)
                while made is not None and made.op == "not":
                    outcome = not outcome
                    made = self.made_by.get(made.args[0])
                if made is not None:
                    yield made, outcome
            # as far back as there is one predecessor
            while len(self.dominance.before[before]) != 1:
                at = self.dominance.number[before]
                if not at:
                    return
                before = self.dominance.order[self.dominance.last[at]]
            (above,) = self.dominance.before[before]
            edge = next(e for e in above.terminator.edges if e.block is before)
            before = above

    def _starts_before(
        self, start: Value, end: Value, step: int, strictly: bool, before: Block, edge: Edge
    ) -> bool:
        first, last = self.range(start, before), self.range(end, before)
        if not _congruent(first, last, step):
            return False
        if step < 0:
            first, last = last, first
        if first.high is not None and last.low is not None and first.high <= last.low - strictly:
            return True
        wanted = (
            ("lt", "eq", "le")[: 1 if strictly else 3]
            if step > 0
            else ("gt", "eq", "ge")[: 1 if strictly else 3]
        )
        for condition, outcome in self._outcomes(before, edge):
            if condition.op not in INVERSE:
                continue
            relation = condition.op if outcome else INVERSE[condition.op]
            a, b = (self.unchecked(arg) for arg in condition.args)
            if (a, b) == (self.unchecked(end), self.unchecked(start)):
                a, b, relation = b, a, MIRRORED[relation]
            if (a, b) == (self.unchecked(start), self.unchecked(end)) and relation in wanted:
                return True
        return False

    # Counters in step ------------------------------------------------------------------------

    def in_step(self) -> bool:
        """Computes unbounded parameters from bounded ones of the same block."""
        changed = False
        for block in self.dominance.order[1:]:
            numbers = [p for p in block.params if isinstance(p.type, Int)]
            endless = [p for p in numbers if not _ended(self.range(p))]
            leaders = [p for p in numbers if _ended(self.range(p))] if endless else []
            for param in endless:
                for leader in leaders:
                    found = self._together(param, leader)
                    if found is not None:
                        self._follow(block, param, leader, *found)
                        changed = True
                        break
        return changed

    def _together(self, param: Value, leader: Value) -> tuple[int, int] | None:
        """(factor, constant) such that param = factor * leader + constant at every entry to their block."""
        starts, steps = set(), set()
        for (_, _, value), (_, _, led) in zip(self.passed(param), self.passed(leader), strict=True):
            step, by = self.step(value, param), self.step(led, leader)
            if self.unchecked(value) is param and self.unchecked(led) is leader:
                continue
            if step and by:
                steps.add((step, by))
            else:
                # other edges must start both from known numbers
                starts.add((self.number(value), self.number(led)))
        if len(starts) != 1 or len(steps) != 1:
            return None
        ((start, begin),) = starts
        ((step, by),) = steps
        if start is None or begin is None or abs(by) != 1:
            return None
        return step * by, start - step * by * begin

    def _follow(self, block: Block, param: Value, leader: Value, factor: int, constant: int) -> None:
        """Replaces the parameter by an instruction, or by the leader."""
        at = block.params.index(param)
        del block.params[at]
        for before in dict.fromkeys(self.dominance.before[block]):
            for edge in before.terminator.edges:
                if edge.block is block:
                    del edge.args[at]
        del self.place[param]
        self.place.update((p, (block, number)) for number, p in enumerate(block.params))
        if (factor, constant) == (1, 0):
            self.function.replace_uses({param: leader})
            return
        factors, scaled, constants = (self._new(param, part) for part in ("x", "y", "z"))
        block.instructions[:0] = [
            Instruction("const", [], [factors], factor, param.position),
            Instruction("mul", [leader, factors], [scaled], None, param.position),
            Instruction("const", [], [constants], constant, param.position),
            Instruction("add", [scaled, constants], [param], None, param.position),
        ]
        self.made_by[param] = block.instructions[3]

    # Bounds ----------------------------------------------------------------------------------

    def ends(self, plan: Plan, seen: set[Instruction]) -> bool:
        """Checks the operands of unbounded additions; whether there are any. `seen` has the checked ones."""
        checks: dict[Instruction, tuple[Value, Int]] = {}
        for group in cycles(self._sources()):
            if any(plan.containers[value] is BIG for value in group):
                checks |= self._checks({*group}, seen)
        seen.update(checks)
        for block in self.dominance.order:
            kept = []
            for i in block.instructions:
                if i in checks:
                    value, type_ = checks[i]
                    checked = self._new(i.result, "c")
                    kept.append(Instruction("narrow", [value], [checked], type_, i.position))
                    i.args = [checked if arg is value else arg for arg in i.args]
                kept.append(i)
            block.instructions = kept
        return bool(checks)

    def _sources(self) -> dict[Value, list[Value]]:
        """The values from which each value is passed on, or added up."""
        sources = {
            param: [value for _, _, value in self.passed(param)]
            for block in self.dominance.order[1:]
            for param in block.params
            if isinstance(param.type, Int)
        }
        for block in self.dominance.order:
            for i in block.instructions:
                if i.op in ("add", "sub", *CHECKED):
                    sources[i.result] = i.args
                elif i.op == "select" and isinstance(i.result.type, Int):
                    sources[i.result] = i.args[1:]
        return sources

    def _checks(self, group: set[Value], seen: set[Instruction]) -> dict[Instruction, tuple[Value, Int]]:
        """For each addition in the group, its operand and the range to check; none if no word is enough."""
        starts: list[Range] = []
        adds: list[tuple[Instruction, Value, int, int]] = []
        for value in group:
            i = self.made_by.get(value)
            if i is None:
                starts += [self.range(v, before) for before, _, v in self.passed(value) if v not in group]
            elif i.op == "select":
                starts += [self.range(v) for v in i.args[1:] if v not in group]
            elif i.op in ("add", "sub"):
                x, y = i.args if i.args[0] in group else reversed(i.args)
                by = self.range(y)
                if y in group or not _ended(by) or i in seen or (i.op == "sub" and x is not i.args[0]):
                    return {}
                adds.append((i, x, *((by.low, by.high) if i.op == "add" else (-by.high, -by.low))))
        if not all(map(_ended, starts)) or not starts or not adds:
            return {}
        low, high = min(r.low for r in starts), max(r.high for r in starts)
        rounds = [self._rounds(self.home[i.result]) for i, *_ in adds]
        least, most = -1, 0
        if None not in rounds:
            least = low + sum(min(down, 0) * n for (*_, down, _), n in zip(adds, rounds, strict=True))
            most = high + sum(max(up, 0) * n for (*_, up), n in zip(adds, rounds, strict=True))
        if None in rounds or exact_width(Range(least, most)) is None:
            step = max(max(-down, up) for *_, down, up in adds)
            for bits in (64, 128):
                least, most = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
                if min(low - least, most - high) >> LIFE >= step:
                    break
            else:
                return {}
        return {
            i: (x, Int(least - down if down < 0 else None, most - up if up > 0 else None))
            for i, x, down, up in adds
            if down < 0 or up > 0
        }

    def _rounds(self, block: Block) -> int | None:
        """The most times that the block is entered; None if unknown."""
        if self.loops is None:
            return None
        product = 1
        for head, inside in self.loops.items():
            if block in inside:
                rounds = [n for p in head.params if (n := self._rounds_by(p, inside)) is not None]
                if not rounds:
                    return None
                product *= min(rounds)
        return product

    def _rounds_by(self, param: Value, inside: set[Block]) -> int | None:
        """The most times that the parameter's block is entered once the loop is, by the parameter's range."""
        known = self.range(param)
        if not isinstance(param.type, Int) or not _ended(known):
            return None
        steps = {self.step(value, param) for before, _, value in self.passed(param) if before in inside}
        if not steps or 0 in steps or min(steps) < 0 < max(steps):
            return None
        return (known.high - known.low) // min(map(abs, steps)) + 1


def _ended(known: Range) -> bool:
    return known.low is not None and known.high is not None


def _congruent(a: Range, b: Range, step: int) -> bool:
    """Whether every member of a differs from every member of b by a multiple of the step."""
    if abs(step) == 1:
        return True
    if a.low is not None and a.low == a.high and b.low is not None and b.low == b.high:
        return (b.low - a.low) % step == 0
    below = abs(step) - 1
    return (
        not abs(step) & below
        and not ~(a.zeros | a.ones) & below
        and not ~(b.zeros | b.ones) & below
        and not (a.ones ^ b.ones) & below
    )


def exits_by_order(function: Function, found: FoundRanges) -> bool:
    """Rewrites in place; whether anything changed (then ranges must be recomputed)."""
    tests = (i for i in function.instructions() if i.op in ("eq", "ne"))
    return _loops(function) and any(tests) and _Counters(function, found).by_order()


def in_step(function: Function, found: FoundRanges) -> bool:
    """Rewrites in place; whether anything changed (then ranges must be recomputed)."""
    params = (p for block in function.blocks[1:] for p in block.params if isinstance(p.type, Int))
    endless = (p for p in params if p in found[0] and not _ended(found[0][p]))
    return any(endless) and _Counters(function, found).in_step()


def _loops(function: Function) -> bool:
    seen = set()
    for block in reverse_postorder(function):
        seen.add(block)
        if any(edge.block in seen for edge in block.terminator.edges):
            return True
    return False


def ends(plan: Plan, seen: set[Instruction]) -> bool:
    """Rewrites the plan's function; whether anything changed (then the plan must be made again)."""
    if all(container is not BIG for container in plan.containers.values()):
        return False
    return _Counters(plan.function, (plan.ranges, plan.facts)).ends(plan, seen)
