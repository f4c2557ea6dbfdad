"""Shows that an array may be replaced by the values that it held.

The removed array was made with a constant number of elements in one block, its home. It was used only by
`len`, and by loads and stores at constant indices in range; all stores were in its home. So no other code saw
it, and only the checks against its element type could fail: in `new`, and in each store. Each is replaced by
a `narrow` to that type, of the same value and position, which fails in the same cases with the same error.

In its home, instructions are executed in order: a load yielded what the last store to its index had stored,
or the initial value. In any other block, a load yielded what the array held at the end of its home. Home
dominates all uses of the array; when it is entered again, they use the array that is made then. The same
holds for a stored value: it is defined in the home or above, so it is computed again only before a new array
is made.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.form import INT, Block, Instruction, Int, Value
from ..ir.snapshot import same_position
from .rewritten import Rewritten


class ScalarArrays(Rewritten):
    def __init__(self, *args):
        super().__init__(*args)
        self._homes: dict[Value, tuple[Block, int]] = {}
        for block in self.before.blocks:
            for i in block.instructions:
                if i.op == "new" and i.result not in self.home_after:
                    count = self._constant(i.args[0])
                    if count is not None and count >= 0:
                        self._homes[i.result] = block, count
        self._loaded: dict[Value, Value] = {}
        if self._homes:
            self._keep_what_stays_within()
            self._follow()

    def _constant(self, value: Value) -> int | None:
        made = self.made.get(value)
        return made.attribute if made is not None and made.op == "const" else None

    def _keep_what_stays_within(self) -> None:
        for block in self.before.blocks:
            for i in block.instructions:
                for at, arg in enumerate(i.args):
                    if arg in self._homes and not (at == 0 and self._within(i, block)):
                        del self._homes[arg]
            end = block.terminator
            for arg in (*end.args, *(arg for edge in end.edges for arg in edge.args)):
                self._homes.pop(arg, None)

    def _within(self, i: Instruction, block: Block) -> bool:
        if i.op == "len":
            return True
        if i.op not in ("load", "store"):
            return False
        home, count = self._homes[i.args[0]]
        at = self._constant(i.args[1])
        return at is not None and 0 <= at < count and (i.op == "load" or block is home)

    def _follow(self) -> None:
        """Finds the value that each load yielded: first in the arrays' homes, then in other blocks."""
        held: dict[Value, list[Value]] = {}
        for at_home in (True, False):
            for block in self.before.blocks:
                for i in block.instructions:
                    array = self._array(i)
                    if array is None or (self._homes[array][0] is block) != at_home:
                        continue
                    if i.op == "new":
                        held[array] = [i.args[1]] * self._homes[array][1]
                    elif i.op == "store":
                        held[array][self._constant(i.args[1])] = i.args[2]
                    elif i.op == "load":
                        self._loaded[i.result] = held[array][self._constant(i.args[1])]

    def _array(self, i: Instruction) -> Value | None:
        """The removed array that the instruction makes, stores to, or reads."""
        array = i.result if i.op == "new" else i.args[0] if i.args else None
        return array if array in self._homes else None

    def passed_on(self, made: Instruction) -> Value | None:
        if made.op == "load":
            return self._loaded.get(made.result)
        return super().passed_on(made)

    def _number(self, value: Value) -> int | bool | None:
        made = self.made.get(value)
        if made is not None and made.op == "len" and self._array(made) is not None:
            return self._homes[made.args[0]][1]
        return super()._number(value)

    def harmless(self, i: Instruction) -> bool:
        array = self._array(i)
        if array is None:
            return super().harmless(i)
        return i.op in ("load", "len") or array.type.element == INT

    def stands_for(self, i: Instruction, was: Instruction) -> bool:
        return (was.op != "store" or self._array(was) is None) and super().stands_for(i, was)

    def _instruction(self, i: Instruction, steps: Iterator[Instruction | Block], block: Block) -> None:
        if i.op != "narrow" or i.result in self.home:
            super()._instruction(i, steps, block)
            return
        for was in steps:
            if isinstance(was, Block):
                break
            if self._holds(was, i.attribute) and same_position(was.position, i.position):
                self.equal(was.args[-1], i.args[0])
                return
            self.dropped(was)
        raise self.refused(i, "replaces no check of an element against this type")

    def _holds(self, was: Instruction, type_: Int) -> bool:
        """Whether the instruction checked what it put into a removed array against this type."""
        array = self._array(was) if was.op in ("new", "store") else None
        return array is not None and array.type.element == type_
