"""Shows that the checks of what is added to, which a pass has inserted, never fail.

Let G be a set of values such that each is one of: a start, whose range ends; passed on from another in G, by
an edge that may be taken, a select or a check; the sum of another in G and what is at most u, by its range.
Let S be the greatest start, u' = max(u, 0), and n(j) how often the addition j was executed so far. Then no
number in G is more than S plus the sum of u'(j) n(j) over all additions: by induction over the steps, as each
makes its number from an earlier one, and n only grows. So a check with at least that end never fails.

- Either the loops end it: j is executed as often as its block at most, R(j) times. If the check comes before
  j in its block, n(j) < R(j) while it is executed. A block outside of loops is executed once at most. Where
  no loop is entered but by its head, two loops have no block in common or one is in the other, and a block
  is executed at most once each time that the head of the innermost loop is. That happens, once this loop is
  entered, at most (high - low) / step + 1 times, if a parameter of the head is between low and high, and each
  edge back changes it by that step at least, in the same direction. So R is the product of these over the
  loops.
- Or life does: S + u' (2^60 - 1), for the greatest u', is within the check's end, and each addition with
  u' > 0 has its own check. Then a check fails after 2^60 checked additions at the earliest. It is *assumed*
  that no run gets so far, as it would take years (rewrite/counters.py). If one did, it would trap: no number
  would be wrong.

Downwards it is the same with all signs changed.
"""

from __future__ import annotations

from functools import cached_property

from ..ir.cycles import cycles
from ..ir.dominance import Dominance
from ..ir.form import Block, Instruction, Int, Value
from .counted import Counted
from .rewritten import PASSED_ON

LIFE = 60  # log2 of how many checked additions no run makes


class Bounded(Counted):
    def inserted(self, i: Instruction, block: Block) -> bool:
        if i.op != "narrow" or i.result in self.home or i.args[0] not in self.home:
            return False
        return all(
            end is None or self._never_beyond(i, block, end * way, way)
            for end, way in ((i.attribute.low, -1), (i.attribute.high, 1))
        )

    def _never_beyond(self, check: Instruction, block: Block, end: int, way: int) -> bool:
        """Whether what is checked, times `way`, is at most the end."""
        group = self._groups.get(check.args[0], frozenset())
        starts: list[int | None] = []
        more: dict[Instruction, int] = {}
        for value in group:
            made = self.made.get(value)
            if made is None:
                starts += self._begins(value, group, way)
            elif made.op in ("add", "sub"):
                by = self._by(made, group, way)
                if by is None:
                    return False
                more[made] = max(by, 0)
            else:
                starts += [
                    self._most(arg, way, self.home[value]) for arg in _sources(made) if arg not in group
                ]
        if None in starts or not starts or not more:
            return False
        most = max(starts)
        return self._end_by_life(more, most, end, way) or self._end_by_rounds(more, most, end, check, block)

    def _end_by_rounds(
        self, more: dict[Instruction, int], most: int, end: int, check: Instruction, block: Block
    ) -> bool:
        later = block.instructions[block.instructions.index(check) :]
        follows = {i.result for i in later if i.op in ("add", "sub")}
        for addition, by in more.items():
            sum_ = addition.result
            rounds = self._rounds(self.home[sum_]) if by else 0
            if rounds is None or self.of.get(self._home_after.get(sum_)) is not self.home[sum_]:
                return False
            most += by * (rounds - (sum_ in follows))
        return most <= end

    def _end_by_life(self, more: dict[Instruction, int], most: int, end: int, way: int) -> bool:
        if most + max(more.values()) * ((1 << LIFE) - 1) > end:
            return False
        return all(self._checked(addition.result, way) for addition, by in more.items() if by)

    def _checked(self, sum_: Value, way: int) -> bool:
        """Whether what is added to is checked against an end, this way, before each addition."""
        made = self.made_after.get(sum_)
        for arg in made.args if made is not None else ():
            check = self.made_after.get(arg)
            if check is None or check.op != "narrow" or arg in self.home:
                continue
            if self._home_after[arg] is self._home_after[sum_]:
                return (check.attribute.high if way > 0 else check.attribute.low) is not None
        return False

    @cached_property
    def _home_after(self) -> dict[Value, Block]:
        return {r: block for block in self.after.blocks for i in block.instructions for r in i.results}

    def _begins(self, param: Value, group: frozenset[Value], way: int) -> list[int | None]:
        block, at = self.params[param]
        if block is self.before.blocks[0]:
            return [None]
        passed = [(edge.args[at], before) for before, edge in self.edges[block]]
        return [self._most(value, way, before) for value, before in passed if value not in group]

    def _by(self, made: Instruction, group: frozenset[Value], way: int) -> int | None:
        """By how much the sum is above what is in the group, at most."""
        a, b = made.args
        if (a in group) == (b in group) or (made.op == "sub" and b in group):
            return None
        by = b if a in group else a
        return self._most(by, -way if made.op == "sub" else way, self.home[made.result])

    def _most(self, value: Value, way: int, block: Block) -> int | None:
        """The most that the value, times `way`, is, where it is used in the block."""
        known = self._set(value, block)
        if known is None:
            return None
        low, high = known[:2]
        return high if way > 0 else None if low is None else -low

    @cached_property
    def _groups(self) -> dict[Value, frozenset[Value]]:
        """The integers that are made of each other by passing on and adding."""
        graph = {
            param: [edge.args[at] for _, edge in self.edges[block]]
            for param, (block, at) in self.params.items()
            if isinstance(param.type, Int)
        }
        graph |= {i.result: _sources(i) for i in self.made.values() if _sources(i)}
        return {value: group for each in cycles(graph) for group in [frozenset(each)] for value in group}

    def _rounds(self, block: Block) -> int | None:
        """How often the block is executed at most; None where that is not known."""
        if self._loops is None:
            return None
        product = 1
        for head, inside in self._loops.items():
            if block in inside:
                rounds = [n for param in head.params if (n := self._rounds_by(param, inside)) is not None]
                if not rounds:
                    return None
                product *= min(rounds)
        return product

    @cached_property
    def _loops(self) -> dict[Block, set[Block]] | None:
        return Dominance(self.before).loops()

    def _rounds_by(self, param: Value, inside: set[Block]) -> int | None:
        """How often the head is executed, once the loop is entered, as its parameter's range ends."""
        head, at = self.params[param]
        known = self.ranges.get(param)
        if known is None or known.low is None or known.high is None:
            return None
        steps = []
        for before, edge in self.edges[head]:
            if before in inside:
                by = self.grown(edge.args[at], param)
                if by is None:
                    return None
                steps.append(by)
        if not steps or min(steps) <= 0 <= max(steps):
            return None
        return (known.high - known.low) // min(map(abs, steps)) + 1


def _sources(i: Instruction) -> list[Value]:
    """What the number is passed on or added up from."""
    if i.op in ("add", "sub", *PASSED_ON):
        return i.args
    return i.args[1:] if i.op == "select" and isinstance(i.result.type, Int) else []
