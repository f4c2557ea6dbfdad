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
from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from ..ir.cycles import cycles
from ..ir.dominance import reverse_postorder
from ..ir.form import LOGIC, Block, Branch, Edge, Function, Instruction, Int, Return, Value
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

RangeFacts = dict[Value, Range]
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


class _Way(NamedTuple):
    """An edge into a block."""

    before: Block
    edge: Edge
    # each integer parameter of the block, and what is passed to it
    passed: list[tuple[Value, Value]]
    # what a branch says on this edge: its condition, and the outcome
    condition: Value | None
    truth: bool


class _Source(NamedTuple):
    """What a value was computed from by shifts, masks and sums with constants."""

    x: Value
    # for each bit i in the mask, bit i of the value is bit i + by of x; without a mask, the value is x + by
    by: int
    mask: int | None = None

    def learnt(self, known: Range) -> Range:
        """What the value's range says of x."""
        by, mask = self.by, self.mask
        if mask is None:
            return transfer.make(
                None if known.low is None else known.low - by, None if known.high is None else known.high - by
            )
        zeros, ones = known.zeros & mask, known.ones & mask
        moved = (zeros << by, ones << by) if by >= 0 else (zeros >> -by, ones >> -by)
        return transfer.make(None, None, *moved)


class _RangeAnalysis:
    def __init__(self, function: Function, summaries: Summaries, start: FoundRanges):
        self.function = function
        self.summaries = summaries
        self.map = dict(start[0])
        self.made_by = {r: i for i in function.instructions() for r in i.results}
        self.order = reverse_postorder(function)
        # at each reachable block's entry, what is known beyond the map
        self.facts = {block: start[1][block] for block in self.order if block in start[1]}
        self.after = {block: [edge.block for edge in block.terminator.edges] for block in self.order}
        self.ways = self._ways()
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
        # instructions, and blocks' entries, for which more is recorded than what they depend on implies
        self.loose: set[tuple[Block, int]] = set()
        self.loose_entries: set[Block] = set()
        # by value: the blocks that use it, each with its instructions that do
        self.users: dict[Value, dict[Block, list[int]]] = {}
        # by value: the blocks whose entry depends on it
        self.entering: dict[Value, dict[Block, None]] = {}
        self.moved = False
        self.sources: dict[Value, _Source | None] = {}
        self.asked = self._asked()
        # each parameter's block and position; and the cycles in which parameters are passed unchanged
        self.place = {
            p: (b, at) for b in self.order for at, p in enumerate(b.params) if isinstance(p.type, Int)
        }
        self.passed_around = cycles(
            {
                p: [self._shrunk(way.edge.args[at])[-1] for way in self.ways[b]]
                for p, (b, at) in self.place.items()
            }
        )
        self.counters = {p: way for p in self.place if (way := self._counts(p))}

    def _ways(self) -> dict[Block, list[_Way]]:
        """The edges into each block from blocks that are reachable."""
        found: dict[Block, list[_Way]] = {block: [] for block in self.order}
        integers = {
            block: [(at, param) for at, param in enumerate(block.params) if isinstance(param.type, Int)]
            for block in self.order
        }
        for block in self.order:
            end = block.terminator
            says = isinstance(end, Branch) and end.then.block is not end.otherwise.block
            for edge in end.edges:
                passed = [(param, edge.args[at]) for at, param in integers[edge.block]]
                way = _Way(block, edge, passed, end.condition if says else None, says and edge is end.then)
                found[edge.block].append(way)
        return found

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
        for block in self.loose_entries:
            self._enter_again(block)
        for block, at in self.loose:
            heappush(self.pending[block], at)
            self._again(block)
        for _ in range(NARROWING):
            if not (self._regain() | self._bounded() | self._round(widen=False, narrow=True)):
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
            joined = {}
            passed = {p: transfer.of_type(p.type) for p in block.params if isinstance(p.type, Int)}
        else:
            entered = self._entered(block)
            if entered is None:
                return
            joined, passed = entered
        old = self.facts.get(block)
        loose = False
        if old is None:
            self.moved = True
            self.pending[block] = list(range(len(block.instructions)))
            self.facts[block] = joined
            self._left(block)
        elif joined != old:
            if not narrow:
                # facts may only weaken while the map grows, so that the iteration ends
                implied, joined = joined, _joined(joined, old)
                if widen:
                    joined = {v: r for v, r in joined.items() if r == old[v] or self._may_grow(block, v)}
                loose = joined != implied
            self.facts[block] = joined
            if joined != old:
                self.moved = True
                self._left(block)
                for value, known in old.items():
                    now = joined.get(value)
                    if now is not known and now != known:
                        self._changed(value, block)
                for value in joined.keys() - old.keys():
                    self._changed(value, block)
        for param, new in passed.items():
            self._set(param, new, widen, narrow)
            loose = loose or self.map[param] != new
        if loose:
            self.loose_entries.add(block)
        else:
            self.loose_entries.discard(block)

    def _entered(self, block: Block) -> tuple[RangeFacts, dict[Value, Range]] | None:
        """What the edges into the block that may be taken know, and pass to its parameters; None if there is
        no such edge."""
        joined, passed = None, {}
        for way in self.ways[block]:
            if way.before not in self.facts or way.before in self.stuck:
                continue
            try:
                facts = self._along(way)
                more = {param: self._known(arg, facts) for param, arg in way.passed}
            except Empty:
                continue
            if joined is None:
                asked = self.asked[block]
                joined, passed = {v: r for v, r in facts.items() if v in asked}, more
            else:
                joined = _joined(joined, facts)
                for param, known in more.items():
                    passed[param] = transfer.union(passed[param], known)
        return None if joined is None else (joined, passed)

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
                for way in self.ways[block]:
                    arg = way.edge.args[at]
                    *quotients, x = self._shrunk(arg)
                    if x in inside:
                        divided += reversed(quotients)
                        continue
                    if way.before not in self.facts or way.before in self.stuck:
                        continue
                    try:
                        entering.append(self._known(arg, self._along(way)))
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
                        self._enter_again(self.place[param][0])
                for value in divided:
                    made = self.made_by[value]
                    known = [self.map.get(arg) for arg in made.args]
                    if value in self.map and None not in known:
                        self._set(value, _transferred(made.op, None, *known), widen=False, narrow=True)
        return self.moved

    def _stepped(self, param: Value, passed: Value) -> tuple[int, list[Value]]:
        """The constant that is added to the parameter before it is passed back, or 0; and the sums."""
        found, step = [passed], 0
        while (made := self.made_by.get(found[-1])) is not None:
            if made.op in ("add", "sub") and not step:
                by = self.made_by.get(made.args[1])
                if by is None or by.op != "const":
                    break
                step = by.attribute if made.op == "add" else -by.attribute
            elif made.op not in ("narrow", "assume"):
                break
            found.append(made.args[0])
        return (step, found[:-1]) if found[-1] is param else (0, [])

    def _counts(self, param: Value) -> int:
        """The sign of the constants that are added to the parameter, if all have the same; else 0."""
        block, at = self.place[param]
        steps = {self._stepped(param, way.edge.args[at])[0] for way in self.ways[block]} - {0}
        return (min(steps) > 0) - (max(steps) < 0) if steps else 0

    def _bounded(self) -> bool:
        """Narrows what only counts down to at most what enters its loop, and what counts up to at least that.
        The bound would move by one step in each round of narrowing. Returns whether anything changed."""
        self.moved = False
        for param, way in self.counters.items():
            (block, at), entering, counted = self.place[param], [], [param]
            for each in self.ways[block]:
                arg = each.edge.args[at]
                step, values = self._stepped(param, arg)
                counted += values
                if step or arg is param or each.before not in self.facts or each.before in self.stuck:
                    continue
                try:
                    entering.append(self._known(arg, self._along(each)))
                except Empty:
                    continue
            if not entering or any(value not in self.map for value in counted):
                continue
            whole = _union_all(entering)
            bound = transfer.make(whole.low, None) if way > 0 else transfer.make(None, whole.high)
            for value in counted:
                try:
                    new = transfer.intersection(self.map[value], bound)
                except Empty:
                    continue
                if new != self.map[value]:
                    self._set(value, new, widen=False, narrow=True)
                    self._enter_again(block)
        return self.moved

    def _may_grow(self, block: Block, value: Value) -> bool:
        count = self.grown[block, value] = self.grown.get((block, value), 0) + 1
        return count <= GROWTH

    def _left(self, block: Block) -> None:
        """What is known at the block's end has changed."""
        for after in self.after[block]:
            self._enter_again(after)

    def _enter_again(self, block: Block) -> None:
        self.stale.add(block)
        self._again(block)

    def _changed(self, value: Value, block: Block | None = None) -> None:
        """Schedules the users of the value, everywhere or in one block."""
        if not self.users:
            self._find_users()
        users = self.users.get(value, {})
        for user in users if block is None else (block,) if block in users else ():
            pending = self.pending.get(user)
            if pending is not None:
                for at in users[user]:
                    heappush(pending, at)
                self._again(user)
        if block is None:
            for user in self.entering.get(value, ()):
                self._enter_again(user)

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
            for way in self.ways[block]:
                if not new <= asked[way.before]:
                    asked[way.before] |= new
                    todo[way.before] = None
        return {block: values - made[block] for block, values in asked.items()}

    def _find_users(self) -> None:
        for block in self.order:
            for at, instruction in enumerate(block.instructions):
                for value in self.seen[block][at]:
                    self.users.setdefault(value, {}).setdefault(block, []).append(at)
                for value in self._compared(instruction.args[0]) if instruction.op == "select" else ():
                    self.users.setdefault(value, {}).setdefault(block, []).append(at)
            end = block.terminator
            for edge in end.edges:
                for arg in edge.args:
                    self.entering.setdefault(arg, {})[edge.block] = None
            values = {by if isinstance(by, Value) else value for value, by in self.checks[block].items()}
            if isinstance(end, Branch):
                values.update(self._compared(end.condition))
            for value in values:
                self.entering.setdefault(value, {}).update(dict.fromkeys(self.after[block]))

    def _compared(self, condition: Value) -> Iterator[Value]:
        """The values whose ranges a condition narrows."""
        made_by = self.made_by.get(condition)
        while made_by is not None and made_by.op == "not":
            made_by = self.made_by.get(made_by.args[0])
        for value in () if made_by is None else made_by.args:
            # a cycle would mean that the function is not well-formed
            found = {value: None}
            while (source := self._source(value)) is not None and source.x not in found:
                value = source.x
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
        found, known = self.map[value], local.get(value)
        return found if known is None else transfer.intersection(found, known)

    def _evaluate(self, block: Block, narrow: bool) -> None:
        """Recomputes the block's pending instructions, in order."""
        todo, seen, facts, found = self.pending[block], self.seen[block], self.facts[block], self.map
        taught, instructions = self.taught[block], block.instructions
        last = None
        while todo:
            at = heappop(todo)
            if at == last:
                continue
            last = at
            instruction, args = instructions[at], [found.get(arg) for arg in seen[at]]
            try:
                if facts:
                    for which, arg in enumerate(seen[at]):
                        if arg in facts:
                            args[which] = transfer.intersection(args[which], facts[arg])
                if at in taught:
                    for which, known in taught[at]:
                        args[which] = transfer.intersection(args[which], known)
                if instruction.op in PURE:
                    yields = (_transferred(instruction.op, instruction.attribute, *args),)
                else:
                    yields = self._yields(instruction, args, facts)
            except Empty:
                # the instruction always traps: nothing after it is reachable
                heappush(todo, at)
                if block not in self.stuck:
                    self.stuck.add(block)
                    self._left(block)
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
            learnt = dict(facts)
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

    def _along(self, way: _Way) -> RangeFacts:
        """What is known on this edge, not to be changed; raises Empty if it is never taken."""
        facts, checks = self.facts[way.before], self.checks[way.before]
        if way.condition is None and not checks:
            return facts
        facts = dict(facts)
        for value, by in checks.items():
            known = self._known(by if isinstance(by, Value) else value, facts)
            facts[value] = known if isinstance(by, Value) else transfer.intersection(known, by)
        if way.condition is not None:
            self._learn(way.condition, way.truth, facts)
        return facts

    def _learn(self, condition: Value, truth: bool, facts: RangeFacts) -> None:
        made_by = self.made_by.get(condition)
        if made_by is None:
            return
        op = made_by.op
        if op == "const" and made_by.attribute != truth:
            raise Empty
        if op == "not":
            self._learn(made_by.args[0], not truth, facts)
        if op not in INVERSE or not isinstance(made_by.args[0].type, Int):
            return
        relation = op if truth else INVERSE[op]
        a, b = made_by.args
        known_a, known_b = self._known(a, facts), self._known(b, facts)
        facts[a] = related(relation, known_a, known_b)
        facts[b] = related(MIRRORED[relation], known_b, known_a)
        for value in (a, b):
            # narrow the values that this one was computed from, too
            while (source := self._source(value)) is not None:
                learnt = source.learnt(facts[value])
                value = source.x
                facts[value] = transfer.intersection(self._known(value, facts), learnt)

    def _source(self, value: Value) -> _Source | None:
        if value not in self.sources:
            self.sources[value] = self._found_source(value)
        return self.sources[value]

    def _found_source(self, value: Value) -> _Source | None:
        made = self.made_by.get(value)
        if made is None:
            return None
        op = made.op
        if op == "low":
            return _Source(made.args[0], 0, (1 << made.attribute) - 1)
        if op not in ("shift", "and", "add", "sub"):
            return None
        x, y = made.args
        if op in ("and", "add") and x in self.made_by and self.made_by[x].op == "const":
            x, y = y, x
        by = self.made_by.get(y)
        if by is None or by.op != "const" or (op == "shift" and abs(by.attribute) > transfer.END_BITS):
            return None
        match op:
            case "and":
                return _Source(x, 0, by.attribute)
            case "shift":
                return _Source(x, -by.attribute, -1)
        return _Source(x, by.attribute if op == "add" else -by.attribute)


# cached: programs compare the same ranges again and again
@lru_cache(maxsize=1 << 12)
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
