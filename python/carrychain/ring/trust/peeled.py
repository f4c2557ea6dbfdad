"""Shows that a function in which blocks were copied does what it did before.

The functions before and after are walked together, from their entries on. Each block after is a copy of one
block before: it has the same instructions and the same terminator, and its edges lead to copies of the same
successors. So each value after is a copy of one before. A new block that only passes its parameters on counts
as part of the edges to it. Its parameters are copies of the values that those edges pass.

One value v may have several copies. Let v be defined in B, and let A1, A2, ... be the copies of B. Let w be a
copy of v, defined in some Ai or as a parameter behind it. Then w may be used for v at P if no path leads from
another Aj to P without passing the block that defines w. For then that block was executed after the last Aj,
so w is the latest value of v. (The run before has executed B on its way to the use of v, so some Aj was
executed.) By induction over the steps, both runs are at corresponding blocks and use the same values. The
argument needs no ranges, and does not assume that the function after is well formed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.errors import CheckError
from ..ir.form import Block, Branch, Edge, Function, Jump, Return, TrapTerminator, Value
from ..ir.snapshot import Snapshot, same_attribute, same_position, same_trap
from .equal_values import BlockRanges, Ranges


class Peeled:
    def __init__(self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges):
        self.before, self.old = before.function, before.of
        self.after = after
        # by block or value after: the one before that it is a copy of; by value, the block that defines it
        self.of: dict[Block, Block] = {}
        self.was: dict[Value, Value] = {}
        self.home: dict[Value, Block] = {}
        self.copies: dict[Block, list[Block]] = {}
        self._defined = {
            v: b
            for b in self.before.blocks
            for v in (*b.params, *(r for i in b.instructions for r in i.results))
        }
        # the uses, without duplicates: the block, the value used, and the value used before
        self._uses: dict[tuple[Block, Value, Value], None] = {}
        self._stale: dict[tuple[Block, Block], set[Block]] = {}
        # new blocks that only pass on what they are passed
        self._between: set[Block] = set()

    def refused(self, where: Block, what: str) -> CheckError:
        return CheckError(f"@{self.after.name}: {where.name}: {what}", self.after.position)

    def check(self) -> None:
        """Raises CheckError, unless the function is shown to do what it did before."""
        entry = self.after.blocks[0]
        if entry.params != self.before.blocks[0].params:
            raise self.refused(entry, "the function has other parameters")
        todo: list[Block] = []
        self._reach(entry, self.before.blocks[0], todo)
        there = set(self.after.blocks)
        values = list(self.after.values())
        if len(there) != len(self.after.blocks) or len(set(values)) != len(values):
            raise self.refused(entry, "a value or a block is there twice")
        while todo:
            block = todo.pop()
            if block not in there:
                raise self.refused(block, "the block is reachable, but not in the function")
            self._block(block, self.of[block], todo)
        if not self._between <= there:
            raise self.refused(entry, "a block that passes on what it is passed is not in the function")
        for block, value, was in self._uses:
            if was is None or self.was.get(value) is not was:
                raise self.refused(block, f"{value} is not a copy of {was}")
            if block in self._stale_in(self._defined[was], self.home[value]):
                raise self.refused(block, f"{value} may not be the latest value of {was}")

    def _reach(self, block: Block, before: Block, todo: list[Block]) -> None:
        if self.of.setdefault(block, before) is not before:
            raise self.refused(block, f"a copy of two blocks, {self.of[block].name} and {before.name}")
        elif block not in self.copies.setdefault(before, []):
            self.copies[before].append(block)
            todo.append(block)

    def _block(self, block: Block, before: Block, todo: list[Block]) -> None:
        self._define(block.params, before.params, block)
        if len(block.instructions) != len(before.instructions):
            raise self.refused(
                block,
                f"has {len(block.instructions)} instructions instead of {len(before.instructions)}",
            )
        for i, was in zip(block.instructions, before.instructions, strict=True):
            if i.op != was.op or not same_attribute(was, i) or not same_position(was.position, i.position):
                raise self.refused(block, f"{i} replaces {was}")
            self._use(i.args, was.args, block)
            self._define(i.results, was.results, block)
        match block.terminator, before.terminator:
            case (Jump(), Jump()):
                pass
            case Branch(condition), Branch(condition_was):
                self._use([condition], [condition_was], block)
            case Return(args), Return(args_were):
                self._use(args, args_were, block)
            case TrapTerminator() as end, TrapTerminator() as was:
                if not same_trap(was, end):
                    raise self.refused(block, f"ends with {end} instead of {was}")
            case end, was:
                raise self.refused(block, f"ends with {end} instead of {was}")
        for edge, was in zip(block.terminator.edges, before.terminator.edges, strict=True):
            self._edge(block, edge, was, todo)

    def _edge(self, block: Block, edge: Edge, was: Edge, todo: list[Block]) -> None:
        end = edge.block.terminator
        if (
            edge.block not in self.old
            and not edge.block.instructions
            and isinstance(end, Jump)
            and self.old.get(end.to.block) is was.block
        ):
            self._between.add(edge.block)
            # the block only passes on its parameters
            were = [self.was.get(arg) for arg in edge.args]
            if edge.block.params and edge.block.params[0] not in self.was:
                self._define(edge.block.params, were, edge.block)
            self._use(edge.args, [self.was.get(param) for param in edge.block.params], block)
            block, edge = edge.block, end.to
        self._use(edge.args, was.args, block)
        self._reach(edge.block, was.block, todo)

    def _define(self, values: list[Value], were: Sequence[Value | None], block: Block) -> None:
        if len(values) != len(were):
            raise self.refused(block, f"defines {len(values)} values instead of {len(were)}")
        for value, was in zip(values, were, strict=True):
            if was is None or value in self.was or value.type != was.type:
                raise self.refused(block, f"{value} is defined twice, or is no copy of a value of its type")
            self.was[value], self.home[value] = was, block

    def _use(self, values: list[Value], were: Sequence[Value | None], block: Block) -> None:
        if len(values) != len(were):
            raise self.refused(block, f"uses {len(values)} values instead of {len(were)}")
        self._uses.update(((block, value, was), None) for value, was in zip(values, were, strict=True))

    def _stale_in(self, defined: Block, home: Block) -> set[Block]:
        """The blocks where what `home` defines may be out of date.

        They can be reached from another copy of `defined` without passing `home`.
        """
        if (defined, home) not in self._stale:
            todo = [copy for copy in self.copies[defined] if copy is not home]
            found = {*todo}
            while todo:
                for edge in todo.pop().terminator.edges:
                    if edge.block is not home and edge.block not in found:
                        found.add(edge.block)
                        todo.append(edge.block)
            self._stale[defined, home] = found
        return self._stale[defined, home]
