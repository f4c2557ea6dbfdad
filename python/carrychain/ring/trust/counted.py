"""Shows two rewritings of loop counters: equality tests that become orders, and counters in step.

Let H dominate D, and D dominate P, and let a value be defined in D. Whenever P is executed, D was executed
since H was last entered: otherwise some path from the entry would reach P without D. So a value that is
computed from a parameter of H, and used at P, is computed from the parameter's present value. Where only
constants were added, it is the parameter plus a constant.

Exits by order. Let a test compare p + k with n, where p is a parameter of H. Let n be fixed: defined above H,
a constant, or computed without effect from fixed values. Let each edge into H that may be taken

- pass p;
- or pass p + c, with the same c > 0 on all such edges, and be taken only if the test found p + k unequal n;
- or pass a start s, with s + k <= n and n - s - k a multiple of c.

Then whenever H is entered, p + k <= n, and n - p - k is a multiple of c. For a start, that is required. An
edge of the second kind follows a test since H was last entered, with the same p and n. So n - p - k > 0; as a
multiple of c it is at least c, so p + c + k <= n. Meanwhile n does not change: a value defined above H is not
computed again before H is entered by a start. The test, too, is executed after H was entered. So p + k = n if
and only if p + k >= n. The same holds downwards, with all signs changed.

In step. A parameter y of H is replaced by f x + c, for another parameter x of H. The two are equal whenever H
is entered, if each edge that may be taken either adds f times as much to y as to x, or passes two
constants with y = f x + c. The replacement is computed before the first use of y in the block.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ..ir.form import Block, Branch, Edge, Instruction, Int, Value
from . import bounds
from .equal_values import EFFECTS, PASSED_ON
from .rewritten import Rewritten

# by order: the equality test that it may replace, and the direction in which the tested value counts
WAYS = {"ge": ("eq", 1), "lt": ("ne", 1), "le": ("eq", -1), "gt": ("ne", -1)}


class Counted(Rewritten):
    """Values that loops pass around: what the two checkers below share."""

    @cached_property
    def edges(self) -> dict[Block, list[tuple[Block, Edge]]]:
        """By block: the edges into it that may be taken, each with the block that it leaves."""
        found: dict[Block, list[tuple[Block, Edge]]] = {block: [] for block in self.before.blocks}
        # a block without facts is never entered, if any are known
        for block in self.facts or self.before.blocks:
            for edge in block.terminator.edges:
                found[edge.block].append((block, edge))
        return found

    def grown(self, value: Value, param: Value) -> int | None:
        """The constant that was added to the parameter to make the value; None if it is not so made."""
        todo, seen = [(value, 0)], {value}
        while todo:
            value, more = todo.pop()
            if value is param:
                return more
            made = self.made.get(value)
            if made is None:
                continue
            if made.op in PASSED_ON:
                bases = [(made.args[0], more)]
            else:
                bases = [(base, more + by) for base, by in self.sums(made)]
            todo += [each for each in bases if each[0] not in seen]
            seen.update(base for base, _ in bases)
        return None

    def sums(self, made: Instruction) -> list[tuple[Value, int]]:
        """The sum as operand plus constant: each such pair."""
        if made.op not in ("add", "sub"):
            return []
        a, b = made.args
        first, second = self.number(a), self.number(b)
        found = [] if second is None else [(a, second if made.op == "add" else -second)]
        return found if made.op == "sub" or first is None else [*found, (b, first)]


class ByOrder(Counted):
    def changed(self, result: Value, i: Instruction, home: Block, block: Block) -> bool:
        test = self.made.get(result)
        if test is None or test.op not in ("eq", "ne") or i.op not in WAYS:
            return super().changed(result, i, home, block)
        tested, end = i.args
        op, way = WAYS[i.op]
        return (
            test.op == op
            and i.attribute is None
            and isinstance(tested.type, Int)
            and test.args in ([tested, end], [end, tested])
            and self._not_beyond(test, tested, end, way)
        )

    def _not_beyond(self, test: Instruction, tested: Value, end: Value, way: int) -> bool:
        lesser, greater = (tested, end) if way > 0 else (end, tested)
        return self.order.at_most(lesser, greater, self.home[test.result], 0) or any(
            self._counts_to(test, param, ahead, end, way) for param, ahead in self._counters(tested)
        )

    def _counters(self, tested: Value) -> Iterator[tuple[Value, int]]:
        """The parameters that the value is the sum of with a constant, and those constants."""
        ahead = 0
        while tested not in self.params:
            made = self.made[tested]
            if made.op in PASSED_ON:
                tested = made.args[0]
                continue
            bases = self.sums(made)
            if not bases:
                return
            for base, by in bases[1:]:
                if base in self.params:
                    yield base, ahead + by
            tested, by = bases[0]
            ahead += by
        yield tested, ahead

    def _counts_to(self, test: Instruction, param: Value, ahead: int, end: Value, way: int) -> bool:
        """Whether param + ahead is never beyond the end when it is tested."""
        head, at = self.params[param]
        if head is self.before.blocks[0] or not self._fixed(end, head, {}):
            return False
        steps, starts = set(), []
        for block, edge in self.edges[head]:
            by = self.grown(edge.args[at], param)
            if by is None:
                starts.append((block, edge))
            elif by:
                steps.add(by * way)
                if not self._differed(test, block, edge, head):
                    return False
        if len(steps) != 1 or (step := steps.pop()) < 0:
            return False
        return all(
            self._starts(edge.args[at], ahead, end, way, block, edge)
            and self._in_steps(edge.args[at], ahead, end, step, block)
            for block, edge in starts
        )

    def _fixed(self, value: Value, head: Block, known: dict[Value, bool]) -> bool:
        """Whether the value does not change until the head is entered by a start."""
        if value not in known:
            known[value] = self.number(value) is not None or self._over(value, head)
            made = self.made.get(value)
            if not known[value] and made is not None and (made.op not in EFFECTS or made.op == "narrow"):
                known[value] = all(self._fixed(arg, head, known) for arg in made.args)
        return known[value]

    def _over(self, value: Value, block: Block) -> bool:
        """Whether the value's definition strictly dominates the block."""
        home = self.home[value]
        return home is not block and self.order.dominance.above(home, block)

    def _differed(self, test: Instruction, block: Block, edge: Edge, head: Block) -> bool:
        """Whether every path from the head to the edge takes the test's outcome that the two differ."""
        tree = self.order.dominance
        while True:
            end = block.terminator
            if (
                isinstance(end, Branch)
                and end.then.block is not end.otherwise.block
                and self._says(end.condition, edge is end.then, test)
            ):
                return True
            # up to a block that is entered by one edge alone
            while block is not head and len(tree.before[block]) != 1:
                block = tree.order[tree.last[tree.number[block]]]
            if block is head or not tree.number[block]:
                return False
            (above,) = tree.before[block]
            (edge,) = (e for e in above.terminator.edges if e.block is block)
            block = above

    def _says(self, condition: Value, truth: bool, test: Instruction) -> bool:
        made = self.made.get(condition)
        while made is not None and made.op == "not":
            made, truth = self.made.get(made.args[0]), not truth
        return made is test and truth == (test.op == "ne")

    def _starts(self, start: Value, ahead: int, end: Value, way: int, block: Block, edge: Edge) -> bool:
        """Whether start + ahead is not beyond the end when the edge is taken."""
        first, last = self._set(start, block), self._at(end, block)
        if way < 0:
            first, last = last, first
        if first is not None and last is not None:
            most, least = first[1], last[0]
            if most is not None and least is not None and most + ahead * way <= least:
                return True
        if way > 0:
            return self.order.at_most(start, end, block, ahead, edge)
        return self.order.at_most(end, start, block, -ahead, edge)

    def _at(self, end: Value, block: Block) -> bounds.Set | None:
        # a fixed value that is not defined yet may differ from what is known of it in this block
        return self._set(end, block if self._over(end, block) else self.home[end])

    def _in_steps(self, start: Value, ahead: int, end: Value, step: int, block: Block) -> bool:
        """Whether end - start - ahead is a multiple of the step."""
        if step == 1:
            return True
        first, last = self._residue(self._set(start, block), step), self._residue(self._at(end, block), step)
        return first is not None and last is not None and (last - first - ahead) % step == 0

    def _residue(self, known: bounds.Set | None, step: int) -> int | None:
        if known is None:
            return None
        low, high, zeros, ones = known
        if low is not None and low == high:
            return low
        below = step - 1
        return ones & below if not step & below and not ~(zeros | ones) & below else None


class InStep(Counted):
    def added(self, i: Instruction, block: Block) -> bool:
        return i.op in ("const", "mul")

    def changed(self, result: Value, i: Instruction, home: Block, block: Block) -> bool:
        if result in self.params and i.op == "add" and home is self.of[block]:
            scaled = self.made_after.get(i.args[0])
            constant = self._number_after(i.args[1])
            before = block.instructions[: block.instructions.index(i)]
            if (
                scaled is not None
                and scaled.op == "mul"
                and scaled.args[0] in block.params
                and isinstance(factor := self._number_after(scaled.args[1]), int)
                and isinstance(constant, int)
                and all(result not in each.args for each in before)
            ):
                return self._in_step(result, scaled.args[0], factor, constant)
        return super().changed(result, i, home, block)

    def _param_is(self, y: Value, x: Value) -> bool:
        return self._in_step(y, x, 1, 0) or super()._param_is(y, x)

    def _in_step(self, y: Value, x: Value, factor: int, constant: int) -> bool:
        """Whether y = factor * x + constant, for parameters of one block, whenever it is entered."""
        head, at_y = self.params[y]
        if x not in self.params or self.params[x][0] is not head or head is self.before.blocks[0]:
            return False
        at_x = self.params[x][1]
        for _, edge in self.edges[head]:
            start, begin = edge.args[at_y], edge.args[at_x]
            more, step = self.grown(start, y), self.grown(begin, x)
            if more is not None and step is not None:
                good = more == factor * step
            else:
                known, led = self.number(start), self.number(begin)
                good = known is not None and led is not None and known == factor * led + constant
            if not good:
                return False
        return True
