"""Shows that a function which a pass has rewritten in place does what it did before.

The functions before and after the pass are walked together, block by block. A block of the function after
corresponds to one block before, and to the blocks that were merged into it. Three things must agree:

- the instructions with an effect (traps, stores, loads, allocations, calls): same order, same operands;
- the terminators: the same condition, the same successors, the same values returned;
- the values: a value that both functions have is the same number in both. Its definition is unchanged, or
  `changed` shows that the new one yields that number. It is computed in the block in which it was, and in
  the same order, so what the ranges say of it still holds where it is computed.

By induction over the steps, both runs take the same path and have the same effects and results. Blocks that
are entered only over edges that are shown never to be taken are not compared: they must be well-formed.

A block that has not changed is not walked: its instructions and their order are those before, and it leads to
the blocks that it led to, with the same arguments. In it, each definition comes before its uses as it did
before. What it uses from other blocks must still be defined above it. Where an edge leads, it may find other
parameters; so edges are always compared.

A pass that does more has a subclass of its own. This module shares no code with the passes. The ranges are
those of the function before, as `check` has established them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from ..ir.cycles import depth_first
from ..ir.dominance import DominatorTree
from ..ir.form import (
    DIVISION,
    Block,
    Bool,
    Branch,
    Edge,
    Function,
    Instruction,
    Jump,
    Module,
    Return,
    TrapTerminator,
    Type,
    Value,
)
from ..ir.snapshot import Snapshot, same_attribute, same_position, same_trap
from ..ir.verify import mistyped, same_types
from .equal_values import EFFECTS, BlockRanges, EqualValues, Ranges, same_constant

NO_MODULE = Module()  # no instruction with a global array is new
COMMUTATIVE = frozenset(("add", "mul", "and", "ior", "xor", "eqv", "nand", "nor", "gcd", "eq", "ne"))


class Rewritten(EqualValues):
    """The walk, as most passes need it; the methods below it say what a pass may do."""

    def __init__(self, before: Snapshot, after: Function, ranges: Ranges, facts: BlockRanges):
        super().__init__(before, after, ranges, facts)
        self.snapshot = before
        self.kept = {self.of[block]: block for block in after.blocks if block in self.of}
        # whether each branch that both functions have is decided, so that what no run enters need not agree
        self.decides = True
        # blocks of the function after with a definition, and with a use of it
        self._uses: dict[tuple[Block, Block], Value] = {}
        # blocks of the function after that a run may enter, and those of them that are to be compared
        self._entered: set[Block] = set()
        self._todo: list[Block] = []
        # removed instructions that are not shown yet to be without effect
        self._removed: list[Instruction] = []

    # The walk --------------------------------------------------------------------------------

    def check(self) -> None:
        """Raises CheckError, unless the function is shown to do what it did before."""
        entry = self.after.blocks[0]
        if self.of.get(entry) is not self.before.blocks[0] or entry.params != self.before.blocks[0].params:
            raise self.refused(entry.name, "the entry is another block, or has other parameters")
        there = set(self.after.blocks)
        made = sum(len(b.params) for b in there) + sum(len(i.results) for b in there for i in b.instructions)
        if made != len(self.home_after) or len(there) != len(self.after.blocks):
            raise self.refused(entry.name, "a value or a block is there twice")
        alike = self.snapshot.leads_alike(self.after, self.still)
        tree = self.snapshot.tree if alike else None
        order = depth_first(entry, _after) if tree is None else tree.order
        for block in order:
            if block not in there:
                raise self.refused(block.name, "the block is reachable, but not in the function")
        if len(order) != len(there):
            # nothing is shown of what it holds, and the next pass may look at it
            raise self.refused(entry.name, "a block is unreachable")
        self._enter(entry)
        while self._todo:
            self._block(self._todo.pop())
        for block in order:
            if block not in self._entered:
                self._idle(block)
        if self._uses:
            if tree is None:
                tree = DominatorTree(order, _after)
                if alike:
                    self.snapshot.tree = tree
            for (home, block), value in self._uses.items():
                if not tree.above(home, block):
                    raise self.refused(block.name, f"{value} is not defined on every path here")
        if self.decides:
            self.walked()
        for was in self._removed:
            if not self.harmless(was):
                raise self.refused(was, "removed, but not shown to be without effect")
        self.derive()

    def _enter(self, block: Block) -> None:
        if block not in self._entered:
            self._entered.add(block)
            self._todo.append(block)

    def _idle(self, block: Block) -> None:
        """Compares nothing of a block that no run enters, but the passes that follow need it well-formed."""
        there = set(block.params)
        for i in block.instructions:
            self._there(i.args, there, block, i)
            there.update(i.results)
            was = self.made.get(i.results[0]) if i.results else None
            if was is not None and was.op == i.op and same_attribute(was, i) and was.results == i.results:
                good = same_types(_types(was.args), _types(i.args))
            else:
                good = not mistyped(i, NO_MODULE)
            if not good:
                raise self.refused(i, "takes or yields other types")
        end = block.terminator
        self._there(chain(end.args, *(edge.args for edge in end.edges)), there, block, block.name)
        match end:
            case Branch(condition) if not isinstance(condition.type, Bool):
                raise self.refused(block.name, "branches on a number")
            case Return(args) if not same_types(_types(args), self.after.results):
                raise self.refused(block.name, "returns other types")
        for edge in end.edges:
            self._idle_edge(edge, block)

    def _idle_edge(self, edge: Edge, block: Block) -> None:
        if edge.block is self.after.blocks[0] or not same_types(_types(edge.args), _types(edge.block.params)):
            raise self.refused(block.name, f"passes other types to {edge.block.name}")

    def _block(self, after: Block) -> None:
        before = self.of.get(after)
        if before is None:
            raise self.refused(after.name, "no block before the pass corresponds to this one")
        if after in self.still:
            self._there(self.snapshot.taken_by(after), set(), after, after.name)
            self._end(after, before)
            return
        for param in after.params:
            if self.params.get(param, (None,))[0] is not before:
                self.new_param(param, after, before)
        steps = self._steps(before)
        there = set(after.params)
        for i in after.instructions:
            if not there.issuperset(i.args):
                self._there(i.args, there, after, i)
            self._instruction(i, steps, after)
            there.update(i.results)
        end = after.terminator
        self._there(chain(end.args, *(edge.args for edge in end.edges)), there, after, after.name)
        for was in steps:
            if isinstance(was, Block):
                self._end(after, was)
            else:
                self.dropped(was)

    def _steps(self, block: Block) -> Iterator[Instruction | Block]:
        """The instructions from the block's entry on, then the block that ends them.

        Blocks that were merged into this one are included.
        """
        passed = {block}
        while True:
            yield from block.instructions
            gone = any(edge.block not in self.kept for edge in block.terminator.edges)
            way = self._only_way(block) if gone else None
            if way is None or way.block in self.kept:
                yield block
                return
            if way.block in passed:
                raise self.refused(block.name, "an endless loop was removed")
            passed.add(way.block)
            self.take(block, way)
            block = way.block

    def _only_way(self, block: Block) -> Edge | None:
        """The one edge that leaves the block, if a single one may be taken."""
        end = block.terminator
        if isinstance(end, Jump):
            return end.to
        if isinstance(end, Branch):
            truth = self.number(end.condition)
            if truth is not None:
                return end.then if truth else end.otherwise
        return None

    def _instruction(self, i: Instruction, steps: Iterator[Instruction | Block], block: Block) -> None:
        """Compares an instruction with the next of the function before that it may stand for."""
        result = i.results[0] if i.results else None
        effect = i.op in EFFECTS
        if effect:
            if self.inserted(i, block):
                return
        elif result not in self.made:
            if result in self.home:
                self._changed(result, i, block)
            elif not self.added(i, block) or mistyped(i, NO_MODULE):
                raise self.refused(i, "an instruction that the pass may not add")
            return
        for was in steps:
            if isinstance(was, Block):
                break
            if self.stands_for(i, was):
                if effect:
                    self.same_effect(was, i)
                elif was.op != i.op or was.args != i.args or not same_attribute(was, i):
                    self._pure(was, i, block)
                return
            self.dropped(was)
        raise self.refused(i, "no instruction before the pass has this effect here")

    def stands_for(self, i: Instruction, was: Instruction) -> bool:
        """Whether the instruction is to do what this one did; if not, this one was removed."""
        return was.results == i.results and (was.op == i.op or bool(i.results))

    def _pure(self, was: Instruction, i: Instruction, block: Block) -> None:
        if was.op == i.op and same_attribute(was, i) and len(was.args) == len(i.args):
            if i.op in COMMUTATIVE and was.args == i.args[::-1]:
                return
            if self.unchanged(was, i):
                self._wanted += zip(was.args, i.args, strict=True)
                return
        if was.op in EFFECTS:
            self.dropped(was)
        self._changed(i.results[0], i, block)

    def _changed(self, result: Value, i: Instruction, block: Block) -> None:
        # an `assume` of something else may not hold
        if (
            i.op == "assume"
            or not self.changed(result, i, self.home[result], block)
            or mistyped(i, NO_MODULE)
        ):
            raise self.refused(i, f"not shown to yield what {self.made.get(result, 'the parameter')} did")

    def _there(self, used: Iterable[Value], there: set[Value], block: Block, where: object) -> None:
        """Each value is defined before its use: in this block, where it is `there`, or in a dominator."""
        for value in used:
            if value not in there:
                home = self.home_after.get(value)
                if home is None:
                    raise self.refused(where, f"uses {value}, which is not defined any more")
                if home is block:
                    raise self.refused(where, f"uses {value} before its definition")
                if home is not self.after.blocks[0]:
                    self._uses[home, block] = value
                there.add(value)

    def _end(self, after: Block, before: Block) -> None:
        end, was = after.terminator, before.terminator
        way = self._only_way(before) if self.decides or isinstance(end, Jump) else None
        if isinstance(end, Jump) and way is not None:
            return self._edge(end.to, way, after, before)
        match end, was:
            case Branch(condition, then, otherwise), Branch(condition_was, then_was, otherwise_was):
                self.equal(condition_was, condition)
                for edge, edge_was in ((then, then_was), (otherwise, otherwise_was)):
                    if way is None or way is edge_was:
                        self._edge(edge, edge_was, after, before)
                    else:
                        self._idle_edge(edge, after)
            case Return(args), Return(args_were):
                self._equal_all(args_were, args, after.name)
            case TrapTerminator(), TrapTerminator() if same_trap(was, end):
                pass
            case _:
                raise self.refused(after.name, f"ends with {end} instead of {was}")

    def _edge(self, edge: Edge, was: Edge, block: Block, before: Block) -> None:
        self.take(before, was)
        self._enter(edge.block)
        if self.of.get(edge.block) is not was.block:
            raise self.refused(block.name, f"leads to {edge.block.name} instead of {was.block.name}")
        if len(edge.args) != len(edge.block.params):
            raise self.refused(
                block.name,
                f"passes {len(edge.args)} arguments instead of {len(edge.block.params)} to {edge.block.name}",
            )
        if edge.args == was.args and edge.block.params == was.block.params:
            return
        passed = dict(zip(was.block.params, was.args, strict=True))
        for param, arg in zip(edge.block.params, edge.args, strict=True):
            if param in passed:
                self.equal(passed[param], arg)
            else:
                self.passed(param, arg, passed, block)

    def _equal_all(self, were: list[Value], args: list[Value], where: object) -> None:
        if were == args:
            return
        if len(were) != len(args):
            raise self.refused(where, f"has {len(args)} operands instead of {len(were)}")
        for y, x in zip(were, args, strict=True):
            self.equal(y, x)

    # What a pass may do ----------------------------------------------------------------------

    def same_effect(self, was: Instruction, i: Instruction) -> None:
        """Compares an instruction that has an effect with the one whose place it takes."""
        if was.op != i.op or not same_attribute(was, i) or not same_position(was.position, i.position):
            raise self.refused(i, f"replaces {was}")
        self._equal_all(was.args, i.args, i)

    def dropped(self, was: Instruction) -> None:
        """Requires the removed instruction to be shown to have had no effect when the walk has ended."""
        if not self.harmless(was):
            self._removed.append(was)

    def harmless(self, i: Instruction) -> bool:
        """Whether the instruction of the function before is shown to have no effect."""
        if i.op not in EFFECTS:
            return True
        if i.op in DIVISION:
            return self.is_nonzero(i.args[1])
        if i.op == "narrow":
            return self._is_fitting(i.args[0], i.attribute)
        return False

    def unchanged(self, was: Instruction, i: Instruction) -> bool:
        """Whether the same operation may be shown operand by operand."""
        return True

    def changed(self, result: Value, i: Instruction, home: Block, block: Block) -> bool:
        """Whether the new definition yields the value that the old one did. Here: a known constant."""
        return i.op == "const" and same_constant(self.number(result), i.attribute)

    def inserted(self, i: Instruction, block: Block) -> bool:
        """Whether the instruction is new, and is shown to have no effect at this place."""
        return False

    def added(self, i: Instruction, block: Block) -> bool:
        """Whether the pass may add this instruction, which has no effect."""
        return False

    def new_param(self, param: Value, after: Block, before: Block) -> None:
        """Accounts for a parameter that the pass has added."""
        raise self.refused(after.name, f"{param} is a parameter that the pass may not add")

    def passed(self, param: Value, arg: Value, were: dict[Value, Value], block: Block) -> None:
        """Accounts for the argument of an added parameter; `were` has those of the old ones."""
        raise self.refused(block.name, f"{param} is a parameter that the pass may not add")


def _after(block: Block) -> list[Block]:
    return [edge.block for edge in block.terminator.edges]


def _types(values: Iterable[Value]) -> list[Type]:
    return [value.type for value in values]
