"""Dominators of blocks (Cooper, Harvey and Kennedy 2001), and the loops found with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic

from .cycles import Node, depth_first
from .form import Block, Function


def reverse_postorder(function: Function) -> list[Block]:
    """Every reachable block, each before its successors, except in loops."""
    return depth_first(function.blocks[0], _successors)


def _successors(block: Block) -> list[Block]:
    return [edge.block for edge in block.terminator.edges]


class DominatorTree(Generic[Node]):
    """The dominators of the nodes in `order`: the entry, then each after one of its predecessors.

    `before` has the predecessors of each.
    """

    def __init__(self, order: list[Node], after: Callable[[Node], Iterable[Node]]):
        self.order = order
        self.number = {block: at for at, block in enumerate(self.order)}
        self.before: dict[Node, list[Node]] = {block: [] for block in self.order}
        for block in self.order:
            for to in after(block):
                self.before[to].append(block)
        # the number of each one's immediate dominator; the entry's is itself
        self.last = [0] * len(self.order)
        # how many dominators each one has, and one of them, by which `_near` takes logarithmically many steps
        # (Myers 1983); both are true until a number in `last` is found to have been wrong
        self.depth = [0] * len(self.order)
        self.jump = [0] * len(self.order)
        ways = [[self.number[b] for b in self.before[block]] for block in self.order]
        for at in range(1, len(ways)):
            first, *more = (way for way in ways[at] if way < at)
            for way in more:
                first = self._near(first, way)
            self._hang(at, first)
        common = self._near
        # with no edge backwards, all predecessors were known
        changed = any(way >= at for at, back in enumerate(ways) for way in back)
        while changed:
            changed = False
            for at in range(1, len(ways)):
                new, *more = ways[at]
                for way in more:
                    new = common(new, way)
                if new != self.last[at]:
                    self.last[at] = new
                    common = self._common
                    changed = True
        # how many blocks each one dominates, itself included; and its place, which those blocks follow
        self.size = dict.fromkeys(self.order, 1)
        for at in range(len(self.order) - 1, 0, -1):
            self.size[self.order[self.last[at]]] += self.size[self.order[at]]
        self.place = {self.order[0]: 0}
        free = [1] * len(self.order)
        for at, block in enumerate(self.order[1:], 1):
            last = self.last[at]
            self.place[block] = free[last]
            free[last] += self.size[block]
            free[at] = self.place[block] + 1

    def _hang(self, at: int, last: int) -> None:
        self.last[at] = last
        depth, jump = self.depth, self.jump
        depth[at] = depth[last] + 1
        far = jump[last]
        jump[at] = jump[far] if depth[last] - depth[far] == depth[far] - depth[jump[far]] else last

    def _near(self, a: int, b: int) -> int:
        """The nearest node above both, as `_common`."""
        last, depth, jump = self.last, self.depth, self.jump
        if depth[a] < depth[b]:
            a, b = b, a
        while depth[a] > depth[b]:
            a = jump[a] if depth[jump[a]] >= depth[b] else last[a]
        while a != b:
            if jump[a] != jump[b]:
                a, b = jump[a], jump[b]
            else:
                a, b = last[a], last[b]
        return a

    def _common(self, a: int, b: int) -> int:
        while a != b:
            if a > b:
                a = self.last[a]
            else:
                b = self.last[b]
        return a

    def above(self, a: Node, b: Node) -> bool:
        """Whether a dominates b; each node dominates itself."""
        return 0 <= self.place[b] - self.place[a] < self.size[a]

    def downwards(self) -> list[Node]:
        """The blocks by their places: each right before the blocks that it dominates."""
        return sorted(self.order, key=self.place.__getitem__)


class Dominance(DominatorTree[Block]):
    """The dominators of a function's reachable blocks."""

    def __init__(self, function: Function):
        super().__init__(reverse_postorder(function), _successors)

    def loops(self) -> dict[Block, set[Block]] | None:
        """Each loop's blocks, by its head; None if a loop has an entry beside its head."""
        found: dict[Block, set[Block]] = {}
        for block in self.order:
            for head in dict.fromkeys(edge.block for edge in block.terminator.edges):
                if self.number[head] > self.number[block]:
                    continue
                if not self.above(head, block):
                    return None
                inside, todo = found.setdefault(head, {head}), [block]
                while todo:
                    at = todo.pop()
                    if at not in inside:
                        inside.add(at)
                        todo += self.before[at]
        return found
