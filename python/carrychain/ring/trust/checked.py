"""Shows that a function and its copy for words (rewrite/checked.py) together do what the function did before.

Each block after the pass is at a place: before an instruction of a block before the pass, or at its end. The
block is either a copy or a test. A copy does what comes next there: the same instructions on what stands for
the same values, then the same terminator, or a jump to a block that is at the place which it has reached. A
test computes what cannot fail and has no effect, and leads to blocks that are at its own place. If it
computes what comes next there, which is a sum or a product, it may also lead to blocks behind that. Blocks
that lead to each other at one place form no cycle, so the run goes on. Constants do not count as
instructions.

Each block uses only its own parameters and what it defines itself. A parameter stands for a value of the
function before, or for none. What an edge passes must stand for the same value; or, where the edge leads to
the beginning of a block, for what the edge before passed to that parameter. An integer of which a branch has
shown that it equals another stands for the same value as that one.

A value before may be defined again and again. Whatever stands for it stands for its latest definition: it is
passed from block to block, and where an instruction or an edge defines the value again, only what is defined
there stands for it from then on. In the function before, each use comes after the definition on every path,
so no use is of an older one. By induction over the steps, both runs are at corresponding places, and what
stands for a value is that value. Constants are the same everywhere.

Which place a block is at, and what a parameter stands for, is what the pass says (facts/checked.py). None of
it is trusted. The argument needs no ranges, and does not assume that the function after is well formed.
"""

from __future__ import annotations

from ..facts.checked import CheckedWords
from ..ir.errors import CheckError
from ..ir.form import (
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Module,
    Return,
    TrapTerminator,
    Value,
)
from ..ir.snapshot import Snapshot, same_attribute, same_position, same_trap
from ..ir.verify import mistyped
from .equal_values import BlockRanges, Ranges

# What a test may compute: none of it fails, whatever the integers are.
AGAIN = frozenset(("add", "sub", "mul", "neg"))
TOTAL = AGAIN | {"const", "field", "eq", "gt"}
NO_MODULE = Module()  # a test has no instruction that names a function or an array


class Checked:
    def __init__(
        self,
        before: Snapshot,
        after: Function,
        ranges: Ranges,
        facts: BlockRanges,
        witness: CheckedWords | None = None,
    ):
        self.before, self.of, self.after = before.function, before.of, after
        self.made = before.made
        witness = witness or CheckedWords()
        self.meant, self.tests = witness.meant, witness.tests
        self.places = {
            block: (self.of[was], _past_constants(self.of[was], at))
            for block, (was, at) in witness.places.items()
            if was in self.of
        }
        # by block: the blocks that it leads to at its own place
        self.stays: dict[Block, list[Block]] = {}

    def refused(self, where: object, what: str) -> CheckError:
        return CheckError(f"@{self.after.name}: {where}: {what}", self.after.position)

    def check(self) -> None:
        """Raises CheckError, unless the function is shown to do what it did before."""
        entry, was = self.after.blocks[0], self.before.blocks[0]
        if entry.params != was.params or self.places.get(entry) != _begin(was):
            raise self.refused(entry.name, "the function begins elsewhere, or has other parameters")
        if any(self.meant.get(param) is not param for param in entry.params):
            raise self.refused(entry.name, "a parameter of the function stands for another")
        there, values = set(self.after.blocks), list(self.after.values())
        if len(there) != len(self.after.blocks) or len(set(values)) != len(values):
            raise self.refused(entry.name, "a value or a block is there twice")
        for block in self.after.blocks:
            if block not in self.places:
                raise self.refused(block.name, "the block is at no place of the function")
            for edge in block.terminator.edges:
                if edge.block not in there or edge.block is entry:
                    raise self.refused(block.name, f"leads to {edge.block.name}, which it may not enter")
            walk = _BlockWalk(self, block)
            walk.test() if block in self.tests else walk.copy()
            self.stays[block] = walk.stays
        self._no_cycle()

    def _no_cycle(self) -> None:
        """A run leaves the blocks at one place."""
        leads = self.stays
        done: set[Block] = set()
        for first in leads:
            path = [(first, iter(leads[first]))] if first not in done else []
            active = {first}
            while path:
                block, rest = path[-1]
                after = next(rest, None)
                if after is None:
                    path.pop()
                    active.discard(block)
                    done.add(block)
                elif after in active:
                    raise self.refused(after.name, "the run may stay at one place for ever")
                elif after not in done:
                    active.add(after)
                    path.append((after, iter(leads[after])))


class _BlockWalk:
    """The walk through one block."""

    def __init__(self, of: Checked, block: Block):
        self.of, self.block = of, block
        self.was, self.at = of.places[block]
        self.begun = self.at
        # where it leads without doing anything of the function
        self.stays: list[Block] = []
        self.defined: set[Value] = set()
        # what stands for which value before
        self.stands: dict[Value, Value] = {}
        self.constants: dict[Value, Instruction] = {}
        for param in block.params:
            meant = of.meant.get(param)
            self._define(param, meant)
            if meant is not None:
                self.stands[param] = meant

    def refused(self, what: str, where: object = None) -> CheckError:
        return self.of.refused(where or self.block.name, what)

    def _define(self, value: Value, was: Value | None) -> None:
        if value in self.defined:
            raise self.refused(f"{value} is defined twice")
        if was is not None and value.type != was.type and not both_integers(value, was):
            raise self.refused(f"{value} is of another type than {was}")
        self.defined.add(value)

    def _is(self, value: Value, was: Value) -> bool:
        """Whether the value is there, and is what this one was."""
        if value in self.constants:
            made, i = self.of.made.get(was), self.constants[value]
            return made is not None and made.op == "const" and same_attribute(made, i)
        return self.stands.get(value) is was

    def _all(self, values: list[Value], were: list[Value], where: object) -> None:
        if len(values) != len(were) or not all(map(self._is, values, were)):
            raise self.refused(f"not shown to be what {', '.join(map(str, were))} were", where)

    # Tests ---------------------------------------------------------------------------------------

    def test(self) -> None:
        equal: dict[Value, tuple[Value, Value]] = {}
        next_, done = self._next(), None
        if next_ is not None and next_.op not in AGAIN:
            next_ = None
        for i in self.block.instructions:
            if i.op not in TOTAL or mistyped(i, NO_MODULE) or not self.defined.issuperset(i.args):
                raise self.refused("a test does something that may fail, or uses what is not there", i)
            self._define(i.result, None)
            if next_ is not None and i.op == next_.op and all(map(self._is, i.args, next_.args)):
                done = i.result
            if i.op == "const":
                self.constants[i.result] = i
            elif i.op == "eq":
                equal[i.result] = i.args[0], i.args[1]
        end = self.block.terminator
        match end:
            case Jump(to):
                self._stay(to, self.stands)
            case Branch(condition, then, otherwise) if condition in self.defined:
                stands, same = dict(self.stands), equal.get(condition, ())
                if done is not None and self.of.places.get(then.block) == self._behind():
                    stands = {value: v for value, v in stands.items() if v is not next_.result}
                    stands.update((value, next_.result) for value in (done, *(same if done in same else ())))
                    self._pass(then, {}, stands)
                else:
                    for x, y in (same, same[::-1]) if same else ():
                        if x in self.stands and y not in self.constants:
                            stands.setdefault(y, self.stands[x])
                    self._stay(then, stands)
                self._stay(otherwise, self.stands)
            case _:
                raise self.refused(f"a test ends with {end}")

    def _stay(self, edge: Edge, stands: dict[Value, Value]) -> None:
        """An edge to a block that is at the same place."""
        if self.of.places.get(edge.block) != (self.was, self.at):
            raise self.refused(f"leads to {edge.block.name}, which is at another place")
        self.stays.append(edge.block)
        self._pass(edge, {}, stands)

    def _pass(self, edge: Edge, passed: dict[Value, Value], stands: dict[Value, Value]) -> None:
        """What the edge passes stands for what the parameters are said to stand for.

        `passed` has what the edge before passed to the parameters of its block.
        """
        if len(edge.args) != len(edge.block.params):
            raise self.refused(f"passes another number of values to {edge.block.name}")
        for arg, param in zip(edge.args, edge.block.params, strict=True):
            if arg not in self.defined or (arg.type != param.type and not both_integers(arg, param)):
                raise self.refused(f"passes {arg}, which is not there or of another type")
            meant = self.of.meant.get(param)
            if meant is None:
                continue
            was = passed.get(meant, meant)
            if stands.get(arg) is not was and not (arg in self.constants and self._is(arg, was)):
                raise self.refused(f"passes {arg} for {meant}, but it is not shown to be that")

    # Copies --------------------------------------------------------------------------------------

    def copy(self) -> None:
        for i in self.block.instructions:
            if not self.defined.issuperset(i.args):
                raise self.refused("uses what is not there", i)
            if i.op == "const":
                self._define(i.result, None)
                if mistyped(i, NO_MODULE):
                    raise self.refused("no constant", i)
                self.constants[i.result] = i
                continue
            self._instruction(i)
        end, ended = self.block.terminator, self.was.terminator
        here = self.was, self.at
        if isinstance(end, Jump) and self.of.places.get(end.to.block) == here:
            # a block before that does nothing may lead to itself
            around = isinstance(ended, Jump) and _begin(ended.to.block) == here
            if self._next() is not None or not around:
                if self.at > self.begun:
                    # it has done something
                    self._pass(end.to, {}, self.stands)
                else:
                    self._stay(end.to, self.stands)
                return
        if self.at < len(self.was.instructions) or type(end) is not type(ended):
            raise self.refused(f"ends with {end} before {self.was.name} does")
        match end:
            case Branch(condition):
                self._all([condition], [ended.condition], end)
            case Return(args):
                self._all(args, ended.args, end)
            case TrapTerminator() if not same_trap(ended, end):
                raise self.refused("traps with another message")
        if not self.defined.issuperset(end.args):
            raise self.refused("uses what is not there", end)
        for edge, led in zip(end.edges, ended.edges, strict=True):
            if self.of.places.get(edge.block) != _begin(led.block):
                raise self.refused(f"leads to {edge.block.name}, which is not {led.block.name}")
            self._pass(edge, dict(zip(led.block.params, led.args, strict=True)), self.stands)

    def _next(self) -> Instruction | None:
        """The instruction that comes next."""
        return self.was.instructions[self.at] if self.at < len(self.was.instructions) else None

    def _behind(self) -> tuple[Block, int]:
        """The place behind that."""
        return self.was, _past_constants(self.was, self.at + 1)

    def _instruction(self, i: Instruction) -> None:
        was = self._next()
        if was is None:
            raise self.refused(f"{self.was.name} has no more instructions", i)
        if i.op != was.op or not same_attribute(was, i) or not same_position(was.position, i.position):
            raise self.refused(f"replaces {was}", i)
        self._all(i.args, was.args, i)
        if len(i.results) != len(was.results):
            raise self.refused(f"yields other results than {was}", i)
        _, self.at = self._behind()
        again = set(was.results)
        self.stands = {value: v for value, v in self.stands.items() if v not in again}
        for result, v in zip(i.results, was.results, strict=True):
            self._define(result, v)
            self.stands[result] = v


def _past_constants(block: Block, at: int) -> int:
    """The place of the next instruction that is no constant."""
    while at < len(block.instructions) and block.instructions[at].op == "const":
        at += 1
    return at


def _begin(block: Block) -> tuple[Block, int]:
    """The place where the block begins."""
    return block, _past_constants(block, 0)


def both_integers(x: Value, y: Value) -> bool:
    return isinstance(x.type, Int) and isinstance(y.type, Int)
