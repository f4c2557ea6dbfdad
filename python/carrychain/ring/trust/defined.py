"""Shows that each word of machine IR is defined once, and on every path to each of its uses.

LLVM is called without its own verifier, and would give an undefined word any value. Each block but the first
has an earlier predecessor. So a dominator comes before the blocks that it dominates, and in the function's
order each use comes after the definition that it needs.
"""

from __future__ import annotations

from ..ir.dominance import DominatorTree
from ..ir.errors import CheckError
from ..machine.form import MachineBlock, MachineFunction, Word


def check_defined(function: MachineFunction) -> None:
    """Raises CheckError if a word may be used before it is defined."""
    entered = {function.blocks[0]}
    for block in function.blocks:
        if block not in entered:
            raise CheckError(f"@{function.name}: {block} comes before all of its predecessors")
        entered.update(block.end.blocks)
    _Defined(function).check()


class _Defined:
    def __init__(self, function: MachineFunction):
        self.function = function
        self.block = function.blocks[0]
        self.home: dict[Word, MachineBlock] = {}
        self.tree: DominatorTree[MachineBlock] | None = None
        self.above: set[MachineBlock] = set()  # some of this block's dominators

    def check(self) -> None:
        home = self.home
        self._define(self.function.params)
        for block in self.function.blocks:
            self.block = block
            above = self.above = {block, self.function.blocks[0]}
            self._define(block.params)
            for op in block.ops:
                for arg in op.args:
                    if arg.__class__ is Word and home.get(arg) not in above:
                        self._find(arg)
                self._define(op.results)
            for arg in block.end.args:
                if arg.__class__ is Word and home.get(arg) not in above:
                    self._find(arg)

    def _define(self, words: list[Word]) -> None:
        for word in words:
            if word in self.home:
                raise self.refused(f"{word} is defined twice")
            self.home[word] = self.block

    def _find(self, word: Word) -> None:
        """The block that defines the word must dominate this one."""
        if self.tree is None:
            self.tree = DominatorTree(self.function.blocks, lambda block: block.end.blocks)
        home = self.home.get(word)
        if home is None or not self.tree.above(home, self.block):
            raise self.refused(f"{word} is not defined on every path here")
        self.above.add(home)

    def refused(self, what: str) -> CheckError:
        return CheckError(f"@{self.function.name}: {self.block}: {what}")
