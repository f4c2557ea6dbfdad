"""Forward: which integers each value can be.

The result is a map from values to ranges with this property: on every run in which no check has trapped yet,
each value's integer is in its range. It is an invariant of each step. A parameter's range contains its
declared type (a call checks it). An instruction's range is the transfer (transfer.py) of its arguments'
ranges. A block parameter's range contains the ranges of everything that is passed to it. If the map satisfies
these inclusions, then by induction over the steps of a run no value leaves its range, however the map was
found.

It is found by iteration from empty ranges, in rounds through the blocks in order. A round recomputes only
what may have changed: an instruction, if a range that it uses has; a block's entry, if something known on an
edge to it has. So straight code is processed once. A loop could grow forever, so after a few rounds widening
begins: a block parameter's moving bound jumps to the next of a finite list of stops, so each bound moves
finitely often. Then the map is narrowed: it is recomputed from itself, first for parameters that are passed
around in a cycle (`_regain`). A recomputed map lies within the first, and satisfies the inclusions as well if
transfers are monotonic. A transfer that treats bounds and bits separately may not quite be, so at the end the
users of what changed last are recomputed, growing, until the inclusions hold. The iteration may also begin
with a map found before the function was simplified: from any start it grows until the inclusions hold.

A branch implies more: after `branch c, ...` with c = lt(a, b), a is less than b. This holds only in blocks
that this edge dominates, so such facts are kept separately, per block, for the values concerned. At a join, a
fact survives only if every edge into it has one about the value: the union of these. In an inner loop a fact
does not grow by itself: what the back edge knows about the same value is no more than what the loop's head
knew, so it grows only when the ranges that it came from do, by their jumps. (This fails if a cycle has
several entries; a fact that keeps growing is dropped in the end.) Within a block, code after a check (narrow,
assume) sees the check's result in place of its argument. An index after its load or store, and a length after
its array is made, are known to be such numbers, because the instruction would have trapped.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import ChainMap
from collections.abc import Iterator, MutableMapping
from functools import lru_cache
from heapq import heappop, heappush

from ..ir.cycles import cycles
from ..ir.dominance import reverse_postorder
from ..ir.form import LOGIC, Block, Branch, Function, Instruction, Int, Return, Value
from ..machine.form import WIDTHS
from . import transfer
from .plan import ANY, Range
from .transfer import Empty

ROUNDS = 3  # before bounds are widened
JUMPS = 4  # jumps of a bound to the next stop, before it skips some
GROWTH = 64  # times that a fact may grow during widening, before it is dropped
NARROWING = 6  # recomputations after the map is stable, at most

# An array's length: no machine addresses more bytes.
LENGTH = transfer.make(0, (1 << 56) - 1)
INDEX = transfer.make(0, LENGTH.high - 1)
# instructions that trap unless an argument is in a range: which argument
TAUGHT = {
    "new": (0, LENGTH),
    **dict.fromkeys(("load", "store", "load_le", "load_be"), (1, INDEX)),
}

INVERSE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}

RangeFacts = MutableMapping[Value, Range]
FoundRanges = tuple[dict[Value, Range], dict[Block, RangeFacts]]
Summaries = dict[str, list[Range]]


def ranges(function: Function, summaries: Summaries | None = None) -> dict[Value, Range]:
    """A range for every integer value; unreachable values have none.

    `summaries` has the ranges of other functions' results, by name (see `summary`).
    """
    return analyse(function, summaries)[0]


def analyse(
    function: Function, summaries: Summaries | None = None, start: FoundRanges | None = None
) -> FoundRanges:
    """The ranges, and for each reachable block the narrower ranges known at its entry.

    The iteration may start from what was found before the function was simplified.
    """
    analysis = _RangeAnalysis(function, summaries or {}, start or ({}, {}))
    return analysis.run(), analysis.facts


def summary(function: Function, found: dict[Value, Range]) -> list[Range]:
    """The ranges of the function's results, over all its returns."""
    known: list[Range | None] = [None] * len(function.results)
    for block in function.blocks:
        if not isinstance(block.terminator, Return):
            continue
        for at, value in enumerate(block.terminator.args):
            if value in found:
                known[at] = found[value] if known[at] is None else transfer.union(known[at], found[value])
    # if all runs trap, there is no return: any range would do
    return [ANY if r is None else r for r in known]


class _RangeAnalysis:
    def __init__(self, function: Function, summaries: Summaries, start: FoundRanges):
        self.function = function
        self.summaries = summaries
        self.map = dict(start[0])
        self.made_by = {r: i for i in function.instructions() for r in i.results}
        self.order = reverse_postorder(function)
        # at each reachable block's entry, what is known beyond the map
        self.facts = {block: start[1][block] for block in self.order if block in start[1]}
        self.edges = {block: [] for block in self.order}
        for block in self.order:
            for edge in block.terminator.edges:
                self.edges[edge.block].append((block, edge))
        self.stops = self._stops()
        self.jumps: dict[Value, int] = {}
        self.grown: dict[tuple[Block, Value], int] = {}
        # by block, each instruction's arguments: after a check, its result in place of its argument
        self.seen = {block: _seen(block) for block in self.order}
        # by block, what instructions teach of values that are used after it, or on an edge: by a check's
        # result, or a range
        self.checks = self._checks()
        # by block and instruction, arguments that earlier instructions of the block teach something of
        constants = {r for b in self.order for i in b.instructions if i.op == "const" for r in i.results}
        self.taught = {block: _taught(block, constants) for block in self.order}
        # work to do again: block entries here; instructions in `pending`, by number, as heaps
        self.stale = set(self.order)
        self.number = {block: at for at, block in enumerate(self.order)}
        # the numbers of the blocks with such work: in this round, as a heap; the current one; in the next
        # round
        self.due: list[int] = []
        self.at = len(self.order)
        self.next = set(range(self.at))
        self.pending = {block: list(range(len(block.instructions))) for block in self.facts}
        # blocks whose end is unreachable, because an instruction always traps
        self.stuck = {block for block in self.facts if not self._made(block)}
        # instructions whose recorded range is wider than their arguments' ranges imply
        self.loose: set[tuple[Block, int]] = set()
        self.users: dict[Value, list[tuple[Block, int]]] = {}
        self.leaving: dict[Value, list[Block]] = {}
        self.moved = False
        self.asked = self._asked()
        # each parameter's block and position; and the cycles in which parameters are passed unchanged
        self.place = {
            p: (b, at) for b in self.order for at, p in enumerate(b.params) if isinstance(p.type, Int)
        }
        self.passed_around = cycles(
            {
                p: [self._shrunk(edge.args[at])[-1] for _, edge in self.edges[b]]
                for p, (b, at) in self.place.items()
            }
        )

    def _made(self, block: Block) -> bool:
        results = (result for i in block.instructions for result in i.results)
        return all(result in self.map for result in results if isinstance(result.type, Int))

    def _checks(self) -> dict[Block, dict[Value, Value | Range]]:
        found = {block: _teaches(block) for block in self.order}
        if not any(found.values()):
            return found
        blocks: dict[Value, Block | None] = {}
        for block in self.order:
            end = block.terminator
            used = {arg for i in block.instructions for arg in i.args}
            passed = {*end.args, *(arg for edge in end.edges for arg in edge.args)}
            for value in used | passed:
                blocks[value] = block if value not in blocks and value not in passed else None
        return {
            block: {value: by for value, by in taught.items() if blocks[value] is None}
            for block, taught in found.items()
        }

    def _stops(self) -> list[int]:
        """The bounds that widening may choose: near powers of two, and near constants in comparisons."""
        stops = {0, -1, 1}
        for bits in WIDTHS:
            for power in (1 << bits, 1 << (bits - 1)):
                stops |= {power - 1, power, -power, -power - 1}
        for instruction in self.function.instructions():
            for arg in instruction.args if instruction.op in INVERSE else ():
                made_by = self.made_by.get(arg)
                if made_by is not None and made_by.op == "const":
                    constant = made_by.attribute
                    stops |= {constant - 1, constant, constant + 1}
        return sorted(stops)

    def run(self) -> dict[Value, Range]:
        rounds = 0
        while self._round(widen=rounds >= ROUNDS):
            rounds += 1
        for block in self.facts:
            self._again(block)
        self.stale |= self.facts.keys()
        for block, at in self.loose:
            heappush(self.pending[block], at)
        for _ in range(NARROWING):
            if not (self._regain() | self._round(widen=False, narrow=True)):
                break
        while self._round(widen=True):
            pass
        return self.map

    def _round(self, widen: bool, narrow: bool = False) -> bool:
        """Does the work of this round; returns whether anything changed."""
        self.moved = False
        self.due, self.next, self.at = sorted(self.next), set(), -1
        while self.due:
            at = heappop(self.due)
            if at == self.at:
                continue
            self.at, block = at, self.order[at]
            if block in self.stale:
                self.stale.discard(block)
                self._enter(block, widen, narrow)
            if self.pending.get(block):
                self._evaluate(block, narrow)
        self.at = len(self.order)
        return self.moved

    def _again(self, block: Block) -> None:
        """Schedules the block: in this round if its turn is still to come, else in the next."""
        at = self.number[block]
        if at > self.at:
            heappush(self.due, at)
        else:
            self.next.add(at)

    def _enter(self, block: Block, widen: bool, narrow: bool) -> None:
        if block is self.order[0]:
            ways = [({}, {p: transfer.of_type(p.type) for p in block.params if isinstance(p.type, Int)})]
        else:
            ways = []
            for before, edge in self.edges[block]:
                if before not in self.facts or before in self.stuck:
                    continue
                try:
                    facts = self._along(before, edge)
                    passed = {
                        param: self._known(arg, facts)
                        for param, arg in zip(block.params, edge.args, strict=True)
                        if isinstance(param.type, Int)
                    }
                except Empty:
                    continue
                ways.append((facts, passed))
        if not ways:
            return
        asked = self.asked[block]
        joined = {v: r for v, r in ways[0][0].items() if v in asked}
        for facts, _ in ways[1:]:
            joined = _joined(joined, facts)
        old = self.facts.get(block)
        if old is None:
            self.moved = True
            self.pending[block] = list(range(len(block.instructions)))
            self._left(block)
        elif not narrow:
            # facts may only weaken while the map grows, so that the iteration ends
            joined = _joined(joined, old)
            if widen:
                joined = {v: r for v, r in joined.items() if r == old[v] or self._may_grow(block, v)}
        self.facts[block] = joined
        if old is not None and joined != old:
            self.moved = True
            self._left(block)
            for value, known in old.items():
                now = joined.get(value)
                if now is not known and now != known:
                    self._changed(value, block)
            for value in joined.keys() - old.keys():
                self._changed(value, block)
        for param in block.params:
            if isinstance(param.type, Int):
                new = _union_all(passed[param] for _, passed in ways)
                self._set(param, new, widen, narrow)

    def _shrunk(self, value: Value) -> list[Value]:
        """The value, and what it is divided from by positive constants: it lies between that and 0, or -1."""
        found = [value]
        while (made := self.made_by.get(found[-1])) is not None and made.op in ("fdiv", "tdiv", "shift"):
            x, by = made.args[0], self.made_by.get(made.args[1])
            if (
                by is None
                or by.op != "const"
                or (by.attribute > 0) is (made.op == "shift")
                or not by.attribute
            ):
                break
            found.append(x)
        return found

    def _regain(self) -> bool:
        """Narrows the parameters of a cycle together, to the union of what enters it. None of them could be
        narrowed alone, because the others still have the widened bound. Returns whether anything changed."""
        self.moved = False
        for group in self.passed_around:
            inside = set(group)
            entering, divided = [], []
            for param in group:
                block, at = self.place[param]
                for before, edge in self.edges[block]:
                    *quotients, x = self._shrunk(edge.args[at])
                    if x in inside:
                        divided += reversed(quotients)
                        continue
                    if before not in self.facts or before in self.stuck:
                        continue
                    try:
                        entering.append(self._known(edge.args[at], self._along(before, edge)))
                    except Empty:
                        continue
            if entering:
                new = _union_all(entering)
                if divided:
                    new = transfer.union(new, transfer.make(-1 if new.negative else 0, 0))
                for param in group:
                    if param in self.map and self.map[param] != new:
                        self._set(param, new, widen=False, narrow=True)
                        # what the edges pass may not be in it
                        self.stale.add(self.place[param][0])
                        self._again(self.place[param][0])
                for value in divided:
                    made = self.made_by[value]
                    known = [self.map.get(arg) for arg in made.args]
                    if value in self.map and None not in known:
                        self._set(value, _transferred(made.op, None, *known), widen=False, narrow=True)
        return self.moved

    def _may_grow(self, block: Block, value: Value) -> bool:
        count = self.grown[block, value] = self.grown.get((block, value), 0) + 1
        return count <= GROWTH

    def _left(self, block: Block) -> None:
        """What is known at the block's end has changed."""
        for edge in block.terminator.edges:
            self.stale.add(edge.block)
            self._again(edge.block)

    def _changed(self, value: Value, block: Block | None = None) -> None:
        """Schedules the users of the value, everywhere or in one block."""
        if not self.users:
            self._find_users()
        for user, at in self.users.get(value, ()):
            if user in self.pending and (block is None or user is block):
                heappush(self.pending[user], at)
                self._again(user)
        if block is None:
            for user in self.leaving.get(value, ()):
                self._left(user)

    def _asked(self) -> dict[Block, set[Value]]:
        """For each block, the values with facts that the block or its successors may use."""
        looked: dict[Block, set[Value]] = {}
        known = {value for checks in self.checks.values() for value in checks}
        for block in self.order:
            end = block.terminator
            used = looked[block] = {arg for args in self.seen[block] for arg in args}
            used.update(*(edge.args for edge in end.edges))
            conditions = [i.args[0] for i in block.instructions if i.op == "select"]
            for condition in conditions:
                used.update(self._compared(condition))
            if isinstance(end, Branch):
                compared = [*self._compared(end.condition)]
                known.update(compared)
                used.update(compared)
        asked = {block: used & known for block, used in looked.items()}
        made = {
            block: known.intersection((*block.params, *(r for i in block.instructions for r in i.results)))
            for block in self.order
        }
        todo = dict.fromkeys(self.order)
        while todo:
            block, _ = todo.popitem()
            # facts about a value that is defined here are not used
            new = asked[block] - made[block]
            for before, _ in self.edges[block]:
                if not new <= asked[before]:
                    asked[before] |= new
                    todo[before] = None
        return {block: values - made[block] for block, values in asked.items()}

    def _find_users(self) -> None:
        for block in self.order:
            for at, args in enumerate(self.seen[block]):
                for arg in args:
                    self.users.setdefault(arg, []).append((block, at))
            for at, instruction in enumerate(block.instructions):
                for value in self._compared(instruction.args[0]) if instruction.op == "select" else ():
                    self.users.setdefault(value, []).append((block, at))
            end = block.terminator
            values = {arg for edge in end.edges for arg in edge.args}
            values.update(by if isinstance(by, Value) else value for value, by in self.checks[block].items())
            if isinstance(end, Branch):
                values.update(self._compared(end.condition))
            for value in values:
                self.leaving.setdefault(value, []).append(block)

    def _compared(self, condition: Value) -> Iterator[Value]:
        """The values whose ranges a condition narrows."""
        made_by = self.made_by.get(condition)
        while made_by is not None and made_by.op == "not":
            made_by = self.made_by.get(made_by.args[0])
        for value in () if made_by is None else made_by.args:
            # a cycle would mean that the function is not well-formed
            found = {value: None}
            while (inside := self._inside(value) or self._term(value)) and inside[0] not in found:
                value = inside[0]
                found[value] = None
            yield from found

    def _set(self, param: Value, new: Range, widen: bool, narrow: bool) -> None:
        old = self.map.get(param)
        if old is not None and not narrow:
            new = transfer.union(old, new)
            if widen and new != old:
                new = self._widened(param, old, new)
        if new != old:
            self.map[param] = new
            self.moved = True
            if old is not None:
                self._changed(param)

    def _widened(self, value: Value, old: Range, new: Range) -> Range:
        low, high = new.low, new.high
        # skip more and more stops: a nest of loops would halt at every one
        count = self.jumps[value] = self.jumps.get(value, 0) + 1
        skipped = (1 << max(0, count - JUMPS)) - 1
        if low is not None and (old.low is None or low < old.low):
            at = bisect_right(self.stops, low) - 1 - skipped
            low = self.stops[at] if at >= 0 else None
        if high is not None and (old.high is None or high > old.high):
            at = bisect_left(self.stops, high) + skipped
            high = self.stops[at] if at < len(self.stops) else None
        # widen the bits, too: the remaining ones would keep the bounds from moving
        lost = (old.zeros & ~new.zeros) | (old.ones & ~new.ones)
        kept = (lost & -lost) - 1 if lost else -1
        return transfer.make(low, high, new.zeros & kept, new.ones & kept)

    def _known(self, value: Value, local: RangeFacts) -> Range:
        found = self.map[value]
        return transfer.intersection(found, local[value]) if value in local else found

    def _evaluate(self, block: Block, narrow: bool) -> None:
        """Recomputes the block's pending instructions, in order."""
        todo, seen, facts, found = self.pending[block], self.seen[block], self.facts[block], self.map
        taught = self.taught[block]
        last = None
        while todo:
            at = heappop(todo)
            if at == last:
                continue
            last = at
            instruction, args = block.instructions[at], [found.get(arg) for arg in seen[at]]
            try:
                if facts:
                    for which, arg in enumerate(seen[at]):
                        if arg in facts:
                            args[which] = transfer.intersection(args[which], facts[arg])
                for which, known in taught.get(at, ()):
                    args[which] = transfer.intersection(args[which], known)
                if instruction.op in PURE:
                    yields = [_transferred(instruction.op, instruction.attribute, *args)]
                else:
                    yields = self._yields(instruction, args, facts)
            except Empty:
                # the instruction always traps: nothing after it is reachable
                heappush(todo, at)
                self.stuck.add(block)
                return
            for result, new in zip(instruction.results, yields, strict=True):
                old = found.get(result)
                if old == new or not isinstance(result.type, Int):
                    continue
                if old is None or narrow:
                    found[result] = new
                else:
                    found[result] = joined = transfer.union(old, new)
                    if joined != new:
                        self.loose.add((block, at))
                    if joined == old:
                        continue
                self.moved = True
                if old is not None:
                    self._changed(result)
        if block in self.stuck:
            self.stuck.discard(block)
            self._left(block)

    def _selected(self, instruction: Instruction, args: list[Range | None], facts: RangeFacts) -> Range:
        """The union of both sides, each narrowed by the condition under which it is selected."""
        condition, *sides = instruction.args
        parts = []
        for truth, side, known in zip((True, False), sides, args[1:], strict=True):
            learnt = ChainMap({}, facts)
            try:
                self._learn(condition, truth, learnt)
                parts.append(transfer.intersection(known, learnt[side]) if side in learnt else known)
            except Empty:
                continue
        if not parts:
            raise Empty
        return _union_all(parts)

    def _yields(self, instruction: Instruction, args: list[Range | None], facts: RangeFacts) -> list[Range]:
        results = [ANY] * len(instruction.results)
        op, attribute = instruction.op, instruction.attribute
        match op:
            case "const":
                return [transfer.exactly(attribute)]
            case "select" if isinstance(instruction.result.type, Int):
                return [self._selected(instruction, args, facts)]
            case "rotl" | "load_le" | "load_be":
                return [transfer.make(0, (1 << attribute) - 1)]
            case "len":
                return [LENGTH]
            case "load":
                return [transfer.of_type(instruction.args[0].type.element)]
            case "call":
                return self.summaries.get(attribute) or results
        return results

    def _along(self, before: Block, edge) -> RangeFacts:
        """What is known on this edge; raises Empty if it is never taken."""
        facts = dict(self.facts[before])
        for value, by in self.checks[before].items():
            known = self._known(by if isinstance(by, Value) else value, facts)
            facts[value] = known if isinstance(by, Value) else transfer.intersection(known, by)
        end = before.terminator
        if isinstance(end, Branch) and end.then.block is not end.otherwise.block:
            self._learn(end.condition, edge is end.then, facts)
        return facts

    def _learn(self, condition: Value, truth: bool, facts: RangeFacts) -> None:
        made_by = self.made_by.get(condition)
        if made_by is None:
            return
        if made_by.op == "const" and made_by.attribute != truth:
            raise Empty
        if made_by.op == "not":
            self._learn(made_by.args[0], not truth, facts)
        if made_by.op not in INVERSE or not isinstance(made_by.args[0].type, Int):
            return
        relation = made_by.op if truth else INVERSE[made_by.op]
        a, b = made_by.args
        known_a, known_b = self._known(a, facts), self._known(b, facts)
        facts[a] = related(relation, known_a, known_b)
        facts[b] = related(MIRRORED[relation], known_b, known_a)
        for value in (a, b):
            self._learn_inside(value, facts)

    def _learn_inside(self, value: Value, facts: RangeFacts) -> None:
        """Narrows the values that this one was computed from: known bits of a shifted or masked value are
        bits of its argument, and bounds of a sum with a constant are bounds of the other term."""
        while True:
            known = facts[value]
            if (inside := self._inside(value)) is not None:
                x, by, mask = inside
                zeros, ones = known.zeros & mask, known.ones & mask
                moved = (zeros << by, ones << by) if by >= 0 else (zeros >> -by, ones >> -by)
                learnt = transfer.make(None, None, *moved)
            elif (term := self._term(value)) is not None:
                x, more = term
                learnt = transfer.make(
                    None if known.low is None else known.low - more,
                    None if known.high is None else known.high - more,
                )
            else:
                return
            facts[x] = transfer.intersection(self._known(x, facts), learnt)
            value = x

    def _term(self, value: Value) -> tuple[Value, int] | None:
        """(x, c): the value is x + c."""
        made = self.made_by.get(value)
        if made is None or made.op not in ("add", "sub"):
            return None
        x, y = made.args
        if made.op == "add" and x in self.made_by and self.made_by[x].op == "const":
            x, y = y, x
        by = self.made_by.get(y)
        if by is None or by.op != "const":
            return None
        return x, by.attribute if made.op == "add" else -by.attribute

    def _inside(self, value: Value) -> tuple[Value, int, int] | None:
        """(x, n, mask): for each bit i in the mask, bit i of the value is bit i + n of x."""
        made = self.made_by.get(value)
        if made is None:
            return None
        if made.op == "low":
            return made.args[0], 0, (1 << made.attribute) - 1
        if made.op in ("shift", "and"):
            x, y = made.args
            if made.op == "and" and x in self.made_by and self.made_by[x].op == "const":
                x, y = y, x
            by = self.made_by.get(y)
            if (
                by is not None
                and by.op == "const"
                and (made.op == "and" or abs(by.attribute) <= transfer.END_BITS)
            ):
                return (x, 0, by.attribute) if made.op == "and" else (x, -by.attribute, -1)
        return None


def related(relation: str, a: Range, b: Range) -> Range:
    """The members of a that are in this relation to some member of b."""
    low, high = None, None
    match relation:
        case "eq":
            return transfer.intersection(a, b)
        case "ne":
            low, high = a.low, a.high
            if b.low is not None and b.low == b.high:
                low = low + 1 if low == b.low else low
                high = high - 1 if high == b.low else high
        case "lt" | "le":
            high = b.high if b.high is None or relation == "le" else b.high - 1
        case "gt" | "ge":
            low = b.low if b.low is None or relation == "ge" else b.low + 1
    return transfer.intersection(a, transfer.make(low, high))


# operations whose range depends on their arguments' ranges alone
PURE = {*transfer.BINARY, *transfer.UNARY, *transfer.FIELDS, *LOGIC, "narrow", "assume"}


# cached: programs apply the same operations to the same ranges again and again
@lru_cache(maxsize=1 << 12)
def _transferred(op: str, attribute: int | Int | None, *args: Range) -> Range:
    if op in transfer.BINARY:
        return transfer.BINARY[op](*args)
    if op in LOGIC:
        return transfer.logic(LOGIC[op], *args)
    if op in transfer.UNARY:
        return transfer.UNARY[op](*args)
    if op in transfer.FIELDS:
        return transfer.FIELDS[op](attribute, *args)
    return transfer.intersection(args[0], transfer.of_type(attribute))


def _seen(block: Block) -> list[list[Value]]:
    if not any(i.op in ("narrow", "assume") for i in block.instructions):
        return [i.args for i in block.instructions]
    seen, checked = [], {}
    for i in block.instructions:
        seen.append([checked.get(arg, arg) for arg in i.args])
        if i.op in ("narrow", "assume"):
            # after it, the argument is in the type, too
            checked[i.args[0]] = i.result
    return seen


def _teaches(block: Block) -> dict[Value, Value | Range]:
    """What is known of values at the block's end, because an instruction would have trapped."""
    found: dict[Value, Value | Range] = {}
    for i in block.instructions:
        if i.op in ("narrow", "assume"):
            found[i.args[0]] = i.result
        elif i.op in TAUGHT:
            which, known = TAUGHT[i.op]
            found.setdefault(i.args[which], known)
    return found


def _taught(block: Block, constants: set[Value]) -> dict[int, list[tuple[int, Range]]]:
    """By instruction, which of its arguments are an index or a length of an instruction before it.

    Not of an index plus a constant: if that holds before the load, too, the checks of both are combined.
    """
    found: dict[int, list[tuple[int, Range]]] = {}
    taught: dict[Value, Range] = {}
    for at, i in enumerate(block.instructions):
        offset = i.op in ("add", "sub") and not constants.isdisjoint(i.args)
        if not offset and (known := [(n, taught[arg]) for n, arg in enumerate(i.args) if arg in taught]):
            found[at] = known
        if i.op in TAUGHT:
            which, known = TAUGHT[i.op]
            taught.setdefault(i.args[which], known)
    return found


def _joined(a: RangeFacts, b: RangeFacts) -> RangeFacts:
    """The facts that hold on both edges. Most came to both from one block, and are the same object."""
    return {v: r if r is (other := b[v]) else transfer.union(r, other) for v, r in a.items() if v in b}


def _union_all(parts) -> Range:
    result = None
    for part in parts:
        result = part if result is None else transfer.union(result, part)
    return result


def outcome(instruction: Instruction, ranges: dict[Value, Range]) -> bool | None:
    """A comparison's outcome, if the ranges leave only one."""
    if instruction.op not in INVERSE:
        return None
    a, b = (ranges.get(arg) for arg in instruction.args)
    if a is None or b is None:
        return None
    for relation, outcome in ((instruction.op, False), (INVERSE[instruction.op], True)):
        try:
            related(relation, a, b)
        except Empty:
            return outcome
    return None
