"""Shows that a function in which blocks were copied does what it did before.

Both are walked together, from their entries on. Each block of the function after stands for one of the
function before, and has the same instructions and the same terminator; edges lead from what stands for a
block to what stands for the next. So each value of the function after stands for one of the function before.
A new block that only passes on what it is given is a part of the edges that lead there, and its parameters
stand for what these pass.

Several values may stand for v. Let it be defined in B, and let the blocks A1, A2, ... stand for B. A value w
of Ai, or of a block behind it that was passed v, may be used at P for v if P is not reached from another Aj
without passing the block that defines w. Then on any way to P that block was passed after the last Aj: w is
what v was made last. (The run before has passed B on its way to where v is used, so some Aj was passed.) By
induction over the steps both runs are at blocks that stand for each other, and what is used is the same. This
needs nothing known of the numbers, nor that the function after is well formed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.errors import CheckError
from ..ir.form import Block, Branch, Edge, Function, Jump, Return, TrapTerminator, Value
from ..ir.snapshot import Snapshot
from .rewritten import BlockRanges, Ranges


class Peeled:
    def __init__(self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges):
        self.before, self.old, _ = before
        self.after = after
        # by the block or value of the function after, what it stands for, and where it is defined
        self.of: dict[Block, Block] = {}
        self.was: dict[Value, Value] = {}
        self.home: dict[Value, Block] = {}
        self.copies: dict[Block, list[Block]] = {}
        self._defined = {
            v: b
            for b in self.before.blocks
            for v in (*b.params, *(r for i in b.instructions for r in i.results))
        }
        # of uses, each once: where, what, and what was used there
        self._uses: dict[tuple[Block, Value, Value], None] = {}
        self._stale: dict[tuple[Block, Block], set[Block]] = {}

    def refused(self, where: Block, what: str) -> CheckError:
        return CheckError(f"@{self.after.name}: {where.name}: {what}", self.after.position)

    def check(self) -> None:
        """CheckError, if the function is not shown to do what it did."""
        entry = self.after.blocks[0]
        if entry.params != self.before.blocks[0].params:
            raise self.refused(entry, "the function takes other parameters")
        todo: list[Block] = []
        self._reach(entry, self.before.blocks[0], todo)
        there = set(self.after.blocks)
        while todo:
            block = todo.pop()
            if block not in there:
                raise self.refused(block, "the block is gone, and a run may still enter it")
            self._block(block, self.of[block], todo)
        for block, value, was in self._uses:
            if was is None or self.was.get(value) is not was:
                raise self.refused(block, f"{value} is not {was}")
            if block in self._stale_in(self._defined[was], self.home[value]):
                raise self.refused(block, f"{value} may not be what {was} was last")

    def _reach(self, block: Block, before: Block, todo: list[Block]) -> None:
        if self.of.setdefault(block, before) is not before:
            raise self.refused(block, f"it stands for two blocks, {self.of[block].name} and {before.name}")
        elif block not in self.copies.setdefault(before, []):
            self.copies[before].append(block)
            todo.append(block)

    def _block(self, block: Block, before: Block, todo: list[Block]) -> None:
        self._define(block.params, before.params, block)
        if len(block.instructions) != len(before.instructions):
            raise self.refused(block, f"it is longer or shorter than {before.name}")
        for i, was in zip(block.instructions, before.instructions, strict=True):
            if (i.op, i.attribute, i.position) != (was.op, was.attribute, was.position):
                raise self.refused(block, f"{i} was {was}")
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
                if (end.message, end.position) != (was.message, was.position):
                    raise self.refused(block, f"{end} was {was}")
            case end, was:
                raise self.refused(block, f"it ends with {end} instead of {was}")
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
            # what it passes on is what it is passed
            were = [self.was.get(arg) for arg in edge.args]
            if edge.block.params and edge.block.params[0] not in self.was:
                self._define(edge.block.params, were, edge.block)
            self._use(edge.args, [self.was.get(param) for param in edge.block.params], block)
            block, edge = edge.block, end.to
        self._use(edge.args, was.args, block)
        self._reach(edge.block, was.block, todo)

    def _define(self, values: list[Value], were: Sequence[Value | None], block: Block) -> None:
        if len(values) != len(were):
            raise self.refused(block, "more or less is defined")
        for value, was in zip(values, were, strict=True):
            if was is None or value in self.was or value.type != was.type:
                raise self.refused(block, f"{value} is defined twice, or stands for none that was there")
            self.was[value], self.home[value] = was, block

    def _use(self, values: list[Value], were: Sequence[Value | None], block: Block) -> None:
        if len(values) != len(were):
            raise self.refused(block, "more or less is used")
        self._uses.update(((block, value, was), None) for value, was in zip(values, were, strict=True))

    def _stale_in(self, defined: Block, home: Block) -> set[Block]:
        """Where what `home` defines may not be the last: what stands for `defined` was passed after it."""
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
