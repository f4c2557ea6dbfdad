"""The checker: a compiled function is exact, or it is not compiled.

It takes the plan as claims and derives each again, by its own reasoning (bounds.py). It shares no code with
the passes that made the plan, and where they reason backward, it reasons forward. Three claims are made about
each integer value:

  its range      contains every integer that it can be on any run;
  its demand     these bits of the word that holds it are the value's (a demand of -1: all of it);
  its container  is the width of that word.

Ranges. The claim is an invariant of the steps of a run. The parameters' ranges contain the declared types.
Each instruction yields, for arguments in the claimed ranges, a result in its claimed range. What an edge
passes is in the range of the parameter that receives it. In addition there are the plan's facts: narrower
ranges claimed for single values from the entry of a block on. They must follow on each edge into the block
from those of the block that it leaves, from its checks, and from the branch. A fact is about the last integer
that a value was; it ends where the value is defined again. A block without facts is claimed never to be
entered: then no edge into it can be taken. By induction over the steps, because each step is checked for
everything that the claims allow, no run leaves them.

Bits. Let R(v) be the right bits of v's word: those of its demand; or all, if those determine the integer: if
its range fits a word of e bits and the lowest e are right, the value is that word, read as signed or unsigned
as the range says. For each operation, the right bits of the arguments make certain bits of the result right,
whatever the others are: for a sum those below the first wrong bit of an argument, because carries only go
upward; for a logical operator those whose arguments' bits are right, or do not matter because of a constant.
The demand must be among them. By the same induction, R holds on every run.

Uses. What is observed must be known as an integer: what is returned, passed to a function, stored, compared,
divided, used as an index, a length or a count, or tested against a type that does not contain its range.
Control then follows the integers, so both inductions are about the same run.
"""

from __future__ import annotations

from ..facts.plan import Plan, Range
from ..ir.errors import CheckError
from ..ir.form import LOGIC, Block, Branch, Edge, Function, Instruction, Int, Module, Return, Value
from ..machine.form import BIG
from . import bounds
from .bounds import Set

WORDS = (8, 16, 32, 64, 128)
ALL = -1
LONGEST = 1 << 56  # no array has so many elements: they would not fit any machine's memory

NEGATED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
KnownSets = dict[Value, Set]
# of each block that may be entered, how many steps are taken at most: instructions, then the terminator
Reached = dict[Block, int]


def check(plan: Plan, module: Module, results: dict[str, list[Range]] | None = None) -> list[Range]:
    """CheckError, if anything that a run of the plan's function can show may not be exact.

    The IR is well formed (verify). `results` has what this function returned for callees that are
    checked already: the ranges of their results.
    """
    _containers(plan)
    if plan.facts is None:
        # nothing is claimed but that every integer is whole
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
    """CheckError if a range may not hold. Called before a rewrite that no plan would show."""
    _Ranges(Plan(function, ranges, facts=facts), module, results).check()


def _refuse(function: Function, where, what: str) -> CheckError:
    return CheckError(f"@{function.name}: {where}: {what}", getattr(where, "position", None))


def _containers(plan: Plan) -> None:
    for value in plan.function.values():
        if not isinstance(value.type, Int):
            continue
        demand, container = plan.demands.get(value), plan.containers.get(value, 0)
        if demand is None:
            raise _refuse(plan.function, value, "has no demand")
        if container is BIG:
            continue
        if container not in WORDS:
            raise _refuse(plan.function, value, f"{container} bits are no container")
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


class _DeadCode(Exception):
    """What follows is not reached."""


class _Ranges:
    def __init__(self, plan: Plan, module: Module, results: dict[str, list[Range]]):
        self.plan = plan
        self.module = module
        self.results = results
        self.claims = plan.ranges
        self.facts = plan.facts
        self.made_by = {r: i for i in plan.function.instructions() for r in i.results}

    def check(self) -> Reached:
        """What may be reached; CheckError if a claim does not follow."""
        function = self.plan.function
        entry = function.blocks[0]
        if self.facts.get(entry) != {}:
            raise _refuse(function, entry.name, "the entry is entered with nothing known")
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
            raise _refuse(self.plan.function, where, f"{value} is claimed never to be made")
        if not bounds.inside(derived, claim):
            raise _refuse(self.plan.function, where, f"{value} may lie outside of {claim}")

    def _known(self, value: Value, local: KnownSets) -> Set:
        """Where the value lies at this place: within its claim, or closer."""
        if value in local:
            return local[value]
        claim = self.claims.get(value)
        if claim is None:
            # its definition came by here before, and has been found never to yield anything
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
        """How many steps may be taken in it."""
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
            # who comes by has the argument in the type
            local[instruction.args[0]] = derived[0]

    def _yields(self, instruction: Instruction, local: KnownSets) -> list[Set | None]:
        op, attribute = instruction.op, instruction.attribute
        args = instruction.args
        if op in bounds.BINARY:
            return [bounds.BINARY[op](self._known(args[0], local), self._known(args[1], local))]
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
        """What a select's argument can be where it is chosen; None if it never is."""
        known = dict(local)
        try:
            self._learn(args[0], truth, known)
            return self._known(args[1 if truth else 2], known)
        except _DeadCode:
            return None

    def _contents(self, instruction: Instruction) -> None:
        """Loads rely on an array's elements being of its type; stores are checked as they are made."""
        type_, contents = self.module.arrays[instruction.attribute]
        if contents and not (min(contents) in type_.element and max(contents) in type_.element):
            raise _refuse(self.plan.function, instruction, "the array has contents of another type")

    def _edge(self, block: Block, edge: Edge, known: KnownSets) -> None:
        end = block.terminator
        if isinstance(end, Branch) and end.then.block is not end.otherwise.block:
            self._learn(end.condition, edge is end.then, known)
        passed = {p: a for p, a in zip(edge.block.params, edge.args, strict=True) if isinstance(p.type, Int)}
        for arg in passed.values():
            # what is passed has been made, or this edge is not taken
            self._known(arg, known)
        if edge.block not in self.facts:
            raise _refuse(self.plan.function, end, f"{edge.block.name} is claimed never to be entered")
        for param, arg in passed.items():
            self._claimed(self._known(arg, known), param, end)
        for value, fact in self.facts[edge.block].items():
            # a parameter is made anew on this edge
            if not bounds.inside(self._known(passed.get(value, value), known), fact):
                raise _refuse(self.plan.function, end, f"{value} may lie outside of {fact}")

    def _learn(self, condition: Value, truth: bool, known: KnownSets) -> None:
        """What the outcome of a branch says of the numbers that were compared."""
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
        """Of what the value was cut out of, its bits are known as they are of the value; of what a constant
        was added to, its ends."""
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
    """a's members but for the one number that b is, if it is one and at an end of a."""
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
        """The bits of the value's word that are claimed to be its own; ALL if they say it whole."""
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
                        raise _refuse(function, instruction, f"not all bits demanded of {result} are right")
            if self.reached[block] <= len(block.instructions):
                continue
            end = block.terminator
            for arg in end.args:
                self._whole(arg, end)
            for edge in end.edges:
                for param, arg in zip(edge.block.params, edge.args, strict=True):
                    if param in right and edge.block in self.reached and demands[param] & ~right[arg]:
                        raise _refuse(function, end, f"not all bits demanded of {param} are right in {arg}")

    def _whole(self, value: Value, where) -> None:
        if self.right.get(value, ALL) != ALL:
            raise _refuse(self.plan.function, where, f"{value} is used, but not all of it is right")

    def _derived(self, instruction: Instruction) -> int:
        """The bits of the result that are right for what is right of the arguments."""
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
        """A count matters if any of the result does."""
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
        # bit i comes from one of those at i - low or below
        return (1 << min(max(_up_to_the_first_gap(right).bit_length() + claim.low, 0), bounds.FAR)) - 1

    def _logic(self, table: int, a: Value, b: Value) -> int:
        right_a, right_b = self.right[a], self.right[b]
        # a bit may be wrong where the operator listens to it
        # (only beside a constant that is right itself: of two constants, each might lean on the other)
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
        """The columns in which the other argument makes no difference beside this constant."""
        bits = self.constants[constant]
        return (~bits if at_0 else 0) | (bits if at_1 else 0)


def _up_to_the_first_gap(bits: int) -> int:
    gap = ~bits & (bits + 1)
    return gap - 1 if gap else ALL
