"""The checker: a compiled function is exact, or it is not compiled.

It treats the plan as claims and derives each of them again, by its own reasoning (bounds.py). It shares no
code with the passes that made the plan; where they reason backward, it reasons forward. A plan makes three
claims about each integer value:

  its range      contains every integer that the value can be on any run;
  its demand     says which bits of the word that holds the value are the value's (-1: all);
  its container  is the width of that word.

Ranges. The claims are an invariant of the steps of a run. Each parameter's range contains its declared type.
Each instruction yields a result in its claimed range, for all arguments in theirs. An instruction that has
not trapped says what its arguments were: after a check its argument is in the type, and after a load or store
the index is a place in an array. What an edge passes is in the range of the parameter that receives it. The
plan's facts are narrower ranges, claimed for single values from the entry of a block on. They must follow on
each edge into that block: from the facts of the block that the edge leaves, from its instructions, and from
its branch. A fact is about the value's latest definition, and ends where the value is defined again. A block
without facts is claimed to be unreachable: then no edge into it may be taken. Each step is checked for every
state that the claims allow, so by induction no run leaves them.

Bits. Let R(v) be the correct bits of v's word: those of its demand; or all bits, if those determine the
integer. They do if the range fits a word of e bits and the lowest e bits are correct: the value is that word,
read as signed or unsigned as the range says. For each operation, the correct bits of the arguments make
certain bits of the result correct, whatever the other bits are. For a sum these are the bits below the first
wrong bit of either argument, because carries only go upward. For a logical operator they are the bits in
whose column both arguments are correct, or do not matter because of a constant. The demand must be among
them. By the same induction, R holds on every run.

Uses. A value that is observed must be known as an integer: if it is returned, passed to a function, stored,
compared, divided, used as an index, a length or a count, or tested against a type that does not contain its
range. So control follows the integers, and both inductions are about the same run.
"""

from __future__ import annotations

from functools import lru_cache

from ..facts.plan import Plan, Range
from ..ir.errors import CheckError
from ..ir.form import LOGIC, Block, Branch, Edge, Function, Instruction, Int, Module, Return, Value
from ..machine.form import BIG
from . import bounds
from .bounds import Set

WORDS = (8, 16, 32, 64, 128)
ALL = -1
LONGEST = 1 << 56  # more elements than any array has: they would not fit into any machine's memory
# by operation, which argument is a length or an index, and the greatest that does not trap
PLACES = {
    "new": (0, LONGEST - 1),
    "load": (1, LONGEST - 2),
    "store": (1, LONGEST - 2),
    "load_le": (1, LONGEST - 2),
    "load_be": (1, LONGEST - 2),
}

NEGATED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
KnownSets = dict[Value, Set]
# the greatest number of steps taken in each reachable block: its instructions, then the terminator
Reached = dict[Block, int]


def check(plan: Plan, module: Module, results: dict[str, list[Range]] | None = None) -> list[Range]:
    """Raises CheckError unless every run of the plan's function is shown to be exact.

    The IR must be well-formed (verify). Returns the ranges of the function's results; `results` has those of
    callees that were checked before.
    """
    _containers(plan)
    if plan.facts is None:
        # the only claim is that every integer is held whole
        if plan.ranges or any(demand != ALL for demand in plan.demands.values()):
            raise CheckError("the plan claims ranges without facts")
        reached = {block: len(block.instructions) + 1 for block in plan.function.blocks}
    else:
        reached = _Ranges(plan, module, results or {}).check()
    _Bits(plan, reached).check()
    return _returned(plan, reached)


def check_ranges(
    function: Function,
    ranges: dict[Value, Range],
    facts: dict[Block, dict[Value, Range]],
    module: Module,
    results: dict[str, list[Range]],
) -> None:
    """Raises CheckError if a range may not hold: for a rewrite that uses ranges before there is a plan."""
    _Ranges(Plan(function, ranges, facts=facts), module, results).check()


def _refuse(function: Function, where, what: str) -> CheckError:
    return CheckError(f"@{function.name}: {where}: {what}", getattr(where, "position", None))


def _containers(plan: Plan) -> None:
    for value in plan.function.values():
        if not isinstance(value.type, Int):
            continue
        demand, container = plan.demands.get(value), plan.containers.get(value, 0)
        if demand is None:
            raise _refuse(plan.function, value, "the plan has no demand for it")
        if container is BIG:
            continue
        if container not in WORDS:
            raise _refuse(plan.function, value, f"a container cannot have {container} bits")
        if demand < 0 or demand >> container:
            raise _refuse(plan.function, value, f"more than {container} bits are demanded of it")


def _returned(plan: Plan, reached: Reached) -> list[Range]:
    """The range of each result over all returns."""
    found: list[Set | None] = [None] * len(plan.function.results)
    for block, steps in reached.items():
        if isinstance(block.terminator, Return) and steps > len(block.instructions):
            for at, value in enumerate(block.terminator.args):
                claim = plan.ranges.get(value)
                found[at] = bounds.either(found[at], bounds.of(claim) if claim else bounds.ANYTHING)
    return [Range(*(bounds.ANYTHING if s is None else s)) for s in found]


# cached: a function is checked between passes, which leave most of it as it is
@lru_cache(maxsize=1 << 12)
def _computed(op: str, a: Set, b: Set) -> Set | None:
    return bounds.BINARY[op](a, b)


class _DeadCode(Exception):
    """What follows is unreachable."""


class _Ranges:
    def __init__(self, plan: Plan, module: Module, results: dict[str, list[Range]]):
        self.plan = plan
        self.module = module
        self.results = results
        self.claims = plan.ranges
        self.facts = plan.facts
        self.made_by = {r: i for i in plan.function.instructions() for r in i.results}

    def check(self) -> Reached:
        """Returns what is reachable; raises CheckError if a claim does not follow."""
        function = self.plan.function
        entry = function.blocks[0]
        if self.facts.get(entry) != {}:
            raise _refuse(function, entry.name, "the entry must have no facts, but is reachable")
        for param in entry.params:
            if isinstance(param.type, Int):
                self._claimed(bounds.of_type(param.type), param, entry.name)
        return {block: self._block(block) for block in function.blocks if block in self.facts}

    def _claimed(self, derived: Set | None, value: Value, where) -> None:
        if derived is None:
            raise _DeadCode
        claim = self.claims.get(value)
        if claim is None:
            if bounds.tight(derived) is None:
                raise _DeadCode
            raise _refuse(self.plan.function, where, f"{value} is claimed never to be defined")
        if not bounds.inside(derived, claim):
            raise _refuse(self.plan.function, where, f"{value} may lie outside of {claim}")

    def _known(self, value: Value, local: KnownSets) -> Set:
        """What is known of the value at this place: its claim, or less."""
        if value in local:
            return local[value]
        claim = self.claims.get(value)
        if claim is None:
            # its definition was checked before, and found never to yield a value
            raise _DeadCode
        return claim.low, claim.high, claim.zeros, claim.ones

    def _entered(self, block: Block) -> KnownSets:
        local = {}
        for value, fact in self.facts[block].items():
            known = bounds.of(fact)
            if value in self.claims:
                known = bounds.both(known, bounds.of(self.claims[value]))
            if known is None:
                raise _DeadCode
            local[value] = known
        return local

    def _block(self, block: Block) -> int:
        """Checks the block; returns how many of its steps are reachable."""
        steps = 0
        try:
            local = self._entered(block)
            for instruction in block.instructions:
                steps += 1
                self._step(instruction, local)
        except _DeadCode:
            return steps
        for edge in block.terminator.edges:
            try:
                self._edge(block, edge, dict(local))
            except _DeadCode:
                continue
        return steps + 1

    def _step(self, instruction: Instruction, local: KnownSets) -> None:
        derived = self._yields(instruction, local)
        for result, yielded in zip(instruction.results, derived, strict=True):
            if isinstance(result.type, Int):
                self._claimed(yielded, result, instruction)
                local.pop(result, None)
        if instruction.op in ("narrow", "assume"):
            # after it, the argument is in the type
            local[instruction.args[0]] = derived[0]
        elif instruction.op in PLACES:
            # it has not trapped
            which, most = PLACES[instruction.op]
            known = bounds.both(self._known(instruction.args[which], local), bounds.within(0, most))
            if known is None:
                raise _DeadCode
            local[instruction.args[which]] = known

    def _yields(self, instruction: Instruction, local: KnownSets) -> list[Set | None]:
        op, attribute = instruction.op, instruction.attribute
        args = instruction.args
        if op in bounds.BINARY:
            return [_computed(op, self._known(args[0], local), self._known(args[1], local))]
        match op:
            case "const":
                return [bounds.single(attribute)]
            case "low":
                return [bounds.low(attribute, self._known(args[0], local))]
            case "rotl" | "load_le" | "load_be":
                return [bounds.within(0, (1 << attribute) - 1)]
            case "neg" | "bitlen" | "popcount" | "isqrt":
                return [bounds.UNARY[op](self._known(args[0], local))]
            case "field":
                return [bounds.field(attribute, self._known(args[0], local))]
            case "narrow" | "assume":
                return [bounds.both(self._known(args[0], local), bounds.of_type(attribute))]
            case "select":
                if not isinstance(args[1].type, Int):
                    return [None]
                return [bounds.either(*(self._side(args, truth, local) for truth in (True, False)))]
            case "load":
                return [bounds.of_type(args[0].type.element)]
            case "len":
                return [bounds.within(0, LONGEST - 1)]
            case "global":
                self._contents(instruction)
            case "call":
                known = self.results.get(attribute)
                return (
                    [bounds.of(r) for r in known] if known else [bounds.ANYTHING] * len(instruction.results)
                )
        return [None] * len(instruction.results)

    def _side(self, args: list[Value], truth: bool, local: KnownSets) -> Set | None:
        """What a select's argument can be when it is selected; None if it never is."""
        known = dict(local)
        try:
            self._learn(args[0], truth, known)
            return self._known(args[1 if truth else 2], known)
        except _DeadCode:
            return None

    def _contents(self, instruction: Instruction) -> None:
        """An array's initial elements must be of its type: loads rely on that. Stores check their value."""
        type_, contents = self.module.arrays[instruction.attribute]
        if contents and not (min(contents) in type_.element and max(contents) in type_.element):
            raise _refuse(self.plan.function, instruction, "the array has elements outside of its type")

    def _edge(self, block: Block, edge: Edge, known: KnownSets) -> None:
        end = block.terminator
        if isinstance(end, Branch) and end.then.block is not end.otherwise.block:
            self._learn(end.condition, edge is end.then, known)
        passed = {p: a for p, a in zip(edge.block.params, edge.args, strict=True) if isinstance(p.type, Int)}
        for arg in passed.values():
            # an argument without a range is never defined: then this edge is not taken
            self._known(arg, known)
        if edge.block not in self.facts:
            raise _refuse(self.plan.function, end, f"{edge.block.name} is claimed to be unreachable")
        for param, arg in passed.items():
            self._claimed(self._known(arg, known), param, end)
        for value, fact in self.facts[edge.block].items():
            # a fact about a parameter is about what this edge passes
            if not bounds.inside(self._known(passed.get(value, value), known), fact):
                raise _refuse(self.plan.function, end, f"{value} may lie outside of {fact}")

    def _learn(self, condition: Value, truth: bool, known: KnownSets) -> None:
        """Narrows what is known of the compared values by the branch's outcome."""
        maker = self.made_by.get(condition)
        if maker is None:
            return
        if maker.op == "const" and maker.attribute != truth:
            raise _DeadCode
        if maker.op == "not":
            self._learn(maker.args[0], not truth, known)
        if maker.op not in NEGATED:
            return
        relation = maker.op if truth else NEGATED[maker.op]
        x, y = maker.args
        a, b = self._known(x, known), self._known(y, known)
        if relation in ("gt", "ge"):
            relation, x, y, a, b = ("lt" if relation == "gt" else "le"), y, x, b, a
        gap = 1 if relation == "lt" else 0
        match relation:
            case "lt" | "le":
                below = bounds.within(None, None if b[1] is None else b[1] - gap)
                above = bounds.within(None if a[0] is None else a[0] + gap, None)
                a, b = bounds.both(a, below), bounds.both(b, above)
            case "eq":
                a = b = bounds.both(a, b)
            case "ne":
                a, b = _without(a, b), _without(b, a)
        if x is y and a is not None and b is not None:
            a = b = bounds.both(a, b)
        if a is None or b is None:
            raise _DeadCode
        known[x], known[y] = a, b
        self._source(x, known)
        self._source(y, known)

    def _source(self, value: Value, known: KnownSets) -> None:
        """Narrows the value that this one was computed from: its bits if it was masked or shifted, its bounds
        if a constant was added."""
        maker = self.made_by.get(value)
        if maker is None or maker.op not in ("low", "and", "shift", "add", "sub"):
            return
        source, low, high, zeros, ones = maker.args[0], *known[value]
        if maker.op == "low":
            cut = (1 << maker.attribute) - 1
            low, high, zeros, ones = None, None, zeros & cut, ones & cut
        elif maker.op in ("add", "sub"):
            numbers = [
                m.attribute if (m := self.made_by.get(a)) and m.op == "const" else None for a in maker.args
            ]
            if numbers[1] is None and (numbers[0] is None or maker.op == "sub"):
                return
            if numbers[1] is None:
                source, numbers = maker.args[1], numbers[::-1]
            more = numbers[1] if maker.op == "add" else -numbers[1]
            low, high = (None if end is None else end - more for end in (low, high))
            zeros = ones = 0
        else:
            low = high = None
            constants = [
                at for at, arg in enumerate(maker.args) if (m := self.made_by.get(arg)) and m.op == "const"
            ]
            if not constants or (maker.op == "shift" and constants[-1] != 1):
                return
            constant = self.made_by[maker.args[constants[-1]]].attribute
            source = maker.args[1 - constants[-1]]
            if maker.op == "and":
                zeros, ones = zeros & constant, ones & constant
            elif abs(constant) > bounds.FAR:
                return
            elif constant < 0:
                zeros, ones = zeros << -constant, ones << -constant
            else:
                zeros, ones = zeros >> constant, ones >> constant
        closer = bounds.both(self._known(source, known), (low, high, zeros, ones))
        if closer is None:
            raise _DeadCode
        known[source] = closer
        self._source(source, known)


def _without(a: Set, b: Set) -> Set | None:
    """a without b's member, if b has just one and it is a bound of a."""
    low, high, zeros, ones = a
    if b[0] is None or b[0] != b[1]:
        return a
    if low == b[0]:
        low += 1
    if high == b[0]:
        high -= 1
    return (
        None
        if low is not None and high is not None and low > high
        else bounds.tight((low, high, zeros, ones))
    )


class _Bits:
    def __init__(self, plan: Plan, reached: Reached):
        self.plan = plan
        self.reached = reached
        self.ranges = plan.ranges
        self.right = {v: self._right(v) for v in plan.function.values() if isinstance(v.type, Int)}
        self.constants = {i.result: i.attribute for i in plan.function.instructions() if i.op == "const"}

    def _right(self, value: Value) -> int:
        """The correct bits of the value's word by the plan's claims; ALL if they determine the value."""
        demand, claim = self.plan.demands[value], self.ranges.get(value)
        if self.plan.containers[value] is BIG or claim is None or claim.low is None or claim.high is None:
            return demand
        for bits in WORDS:
            most = 1 << bits
            if (claim.low >= 0 and claim.high < most) or (-most // 2 <= claim.low and claim.high < most // 2):
                return ALL if demand & (most - 1) == most - 1 else demand
        return demand

    def check(self) -> None:
        function, right, demands = self.plan.function, self.right, self.plan.demands
        for block in function.blocks:
            if block not in self.reached:
                continue
            for instruction in block.instructions[: self.reached[block]]:
                derived = self._derived(instruction)
                for result in instruction.results:
                    if result in right and demands[result] & ~derived:
                        raise _refuse(function, instruction, f"not all bits demanded of {result} are correct")
            if self.reached[block] <= len(block.instructions):
                continue
            end = block.terminator
            for arg in end.args:
                self._whole(arg, end)
            for edge in end.edges:
                for param, arg in zip(edge.block.params, edge.args, strict=True):
                    if param in right and edge.block in self.reached and demands[param] & ~right[arg]:
                        raise _refuse(function, end, f"not all bits demanded of {param} are correct in {arg}")

    def _whole(self, value: Value, where) -> None:
        if self.right.get(value, ALL) != ALL:
            raise _refuse(
                self.plan.function,
                where,
                f"{value} is used as an integer, but not all of its bits are correct",
            )

    def _derived(self, instruction: Instruction) -> int:
        """The bits of the result that are correct, given the arguments' correct bits."""
        op, attribute, args, right = instruction.op, instruction.attribute, instruction.args, self.right
        match op:
            case "const":
                return ALL
            case "add" | "sub" | "mul" | "neg":
                all_of_them = ALL
                for arg in args:
                    all_of_them &= right[arg]
                return _up_to_the_first_gap(all_of_them)
            case "low":
                return right[args[0]] | -1 << attribute
            case "field":
                sign = 1 << (attribute - 1)
                return right[args[0]] & (sign - 1) | (-sign if right[args[0]] & sign else 0)
            case "select":
                return right[args[1]] & right[args[2]] if args[1] in right else ALL
            case "assume":
                return right[args[0]]
            case "narrow":
                if not self._of_type(args[0], attribute):
                    self._whole(args[0], instruction)
                return right[args[0]]
            case "rotl":
                self._demanded_whole(instruction, args[1])
                return ALL if not ~right[args[0]] & ((1 << attribute) - 1) else 0
            case "shift":
                return self._shifted(instruction)
        if op in LOGIC:
            return self._logic(LOGIC[op], *args)
        for arg in args:
            self._whole(arg, instruction)
        return ALL

    def _of_type(self, value: Value, type_: Int) -> bool:
        claim = self.ranges.get(value)
        return claim is not None and (
            (type_.low is None or (claim.low is not None and type_.low <= claim.low))
            and (type_.high is None or (claim.high is not None and claim.high <= type_.high))
        )

    def _demanded_whole(self, instruction: Instruction, count: Value) -> None:
        """The count must be correct if any bit of the result is demanded."""
        if self.plan.demands[instruction.result]:
            self._whole(count, instruction)

    def _shifted(self, instruction: Instruction) -> int:
        x, count = instruction.args
        self._demanded_whole(instruction, count)
        right, claim = self.right[x], self.ranges.get(count)
        if right == ALL:
            return ALL
        if claim is None or claim.low is None:
            return 0
        if claim.low == claim.high:
            by = claim.low
            if by > bounds.FAR:
                return (1 << bounds.FAR) - 1
            return right >> -by if by < 0 else right << by | ((1 << by) - 1)
        # bit i comes from bit i - low of x, or from a lower one
        return (1 << min(max(_up_to_the_first_gap(right).bit_length() + claim.low, 0), bounds.FAR)) - 1

    def _logic(self, table: int, a: Value, b: Value) -> int:
        right_a, right_b = self.right[a], self.right[b]
        # a bit may be wrong where the operator ignores it (only beside a constant that is correct itself:
        # of two constants, each might be excused by the other)
        if b in self.constants and a not in self.constants:
            right_a |= self._deaf(table >> 0 & 1 == table >> 2 & 1, table >> 1 & 1 == table >> 3 & 1, b)
        elif table & 3 == table >> 2:
            right_a = ALL
        if a in self.constants and b not in self.constants:
            right_b |= self._deaf(table >> 0 & 1 == table >> 1 & 1, table >> 2 & 1 == table >> 3 & 1, a)
        elif table & 5 == table >> 1 & 5:
            right_b = ALL
        return right_a & right_b

    def _deaf(self, at_0: bool, at_1: bool, constant: Value) -> int:
        """The columns in which the other argument makes no difference, because of this constant."""
        bits = self.constants[constant]
        return (~bits if at_0 else 0) | (bits if at_1 else 0)


def _up_to_the_first_gap(bits: int) -> int:
    gap = ~bits & (bits + 1)
    return gap - 1 if gap else ALL
