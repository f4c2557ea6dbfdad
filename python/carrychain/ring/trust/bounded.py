"""Shows that range checks which a pass has inserted before additions never fail.

Let G be a set of values, each of which is one of

- a start, with a bounded range;
- passed on from another value in G, by an edge that may be taken, a select or a check;
- the sum of another value in G and a term that is at most u, by its range.

Let S be the greatest start, u' = max(u, 0), and n(j) the number of times that addition j was executed so far.
Then no value in G exceeds S plus the sum of u'(j) n(j) over all additions j. The proof is by induction over
the steps: each value is made from an earlier one, and n only grows. So a check whose bound is at least that
sum never fails. The sum is bounded in one of two ways.

- By loops: j is executed at most as often as its block, R(j) times. If the check precedes j in its block,
  then n(j) < R(j) when the check is executed. A block outside of loops is executed at most once. If each
  loop is entered by its head alone, two loops are disjoint or nested, and a block is executed at most once
  per execution of the head of its innermost loop. Suppose that a parameter of that head lies between low and
  high, and each back edge changes it by at least step, always in the same direction. Then each time the loop
  is entered, the head is executed at most (high - low) / step + 1 times. R is the product of these numbers
  over the loops around the block.
- By time: S + u' (2^60 - 1), for the greatest u', is within the check's bound, and each addition with u' > 0
  has its own check. Then no check fails before 2^60 checked additions. It is *assumed* that no run gets so
  far, as that takes years (rewrite/counters.py). If one did, it would trap: no result would be wrong.

The same holds downwards, with all signs changed.
"""

from __future__ import annotations

from functools import cached_property

from ..ir.cycles import cycles
from ..ir.dominance import Dominance
from ..ir.form import Block, Instruction, Int, Value
from .counted import Counted
from .equal_values import PASSED_ON

LIFE = 60  # log2 of a number of checked additions that no run is assumed to reach


class Bounded(Counted):
    def inserted(self, i: Instruction, block: Block) -> bool:
        if i.op != "narrow" or i.result in self.home or i.args[0] not in self.home:
            return False
        return all(
            end is None or self._never_beyond(i, block, end * way, way)
            for end, way in ((i.attribute.low, -1), (i.attribute.high, 1))
        )

    def _never_beyond(self, check: Instruction, block: Block, end: int, way: int) -> bool:
        """Whether the checked value, times `way`, is at most the bound."""
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
            if rounds is None or self.of.get(self.home_after.get(sum_)) is not self.home[sum_]:
                return False
            most += by * (rounds - (sum_ in follows))
        return most <= end

    def _end_by_life(self, more: dict[Instruction, int], most: int, end: int, way: int) -> bool:
        if most + max(more.values()) * ((1 << LIFE) - 1) > end:
            return False
        return all(self._checked(addition.result, way) for addition, by in more.items() if by)

    def _checked(self, sum_: Value, way: int) -> bool:
        """Whether the addition's operand is checked in the same block against a bound in this direction."""
        made = self.made_after.get(sum_)
        for arg in made.args if made is not None else ():
            check = self.made_after.get(arg)
            if check is None or check.op != "narrow" or arg in self.home:
                continue
            if self.home_after[arg] is self.home_after[sum_]:
                return (check.attribute.high if way > 0 else check.attribute.low) is not None
        return False

    def _begins(self, param: Value, group: frozenset[Value], way: int) -> list[int | None]:
        block, at = self.params[param]
        if block is self.before.blocks[0]:
            return [None]
        passed = [(edge.args[at], before) for before, edge in self.edges[block]]
        return [self._most(value, way, before) for value, before in passed if value not in group]

    def _by(self, made: Instruction, group: frozenset[Value], way: int) -> int | None:
        """The most that the addition adds to its operand in the group; None if unbounded."""
        a, b = made.args
        if (a in group) == (b in group) or (made.op == "sub" and b in group):
            return None
        by = b if a in group else a
        return self._most(by, -way if made.op == "sub" else way, self.home[made.result])

    def _most(self, value: Value, way: int, block: Block) -> int | None:
        """The maximum of the value times `way`, where the block uses it; None if unbounded."""
        known = self._set(value, block)
        if known is None:
            return None
        low, high = known[:2]
        return high if way > 0 else None if low is None else -low

    @cached_property
    def _groups(self) -> dict[Value, frozenset[Value]]:
        """By integer: the cycle of values, passed on or added to, that it belongs to."""
        graph = {
            param: [edge.args[at] for _, edge in self.edges[block]]
            for param, (block, at) in self.params.items()
            if isinstance(param.type, Int)
        }
        graph |= {i.result: _sources(i) for i in self.made.values() if _sources(i)}
        return {value: group for each in cycles(graph) for group in [frozenset(each)] for value in group}

    def _rounds(self, block: Block) -> int | None:
        """A bound for how often the block is executed; None if there is none."""
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
        """A bound for how often the head is executed per entry of the loop, by its parameter's range."""
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
    """The operands that the number is passed on or added up from."""
    if i.op in ("add", "sub", *PASSED_ON):
        return i.args
    return i.args[1:] if i.op == "select" and isinstance(i.result.type, Int) else []
