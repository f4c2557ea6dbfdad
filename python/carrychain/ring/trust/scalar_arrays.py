"""Shows that values which take an array's place are what the array held.

The array that is gone was made of a constant number of elements in one block, its home. It was used for
`len`, loads and stores alone, at constant indices within it; all stores were at home. So nobody else saw it,
and only the checks of its elements' type could fail: where it was filled, and at each store. In place of each
there is a narrow to that type, of the same value and position. It fails when that did, and says the same.

At home, instructions run in their order: a load yielded what the last store to its index put there, or what
the array was filled with. Elsewhere a load yielded what was there when home ended. Home is above all uses of
the array, and if it is entered again, they use another array. The same holds for the value that was stored:
it was made at home or above, so it is made anew only before the array is.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.form import INT, Block, Instruction, Int, Value
from .rewritten import Rewritten


class ScalarArrays(Rewritten):
    def __init__(self, *args):
        super().__init__(*args)
        self._homes: dict[Value, tuple[Block, int]] = {}
        for block in self.before.blocks:
            for i in block.instructions:
                if i.op == "new" and i.result not in self.values_after:
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
        """What each load yielded: first at home, then elsewhere."""
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
        """The array that is gone which the instruction makes, fills or asks."""
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
        return i.op == "load" or array.type.element == INT

    def _effect(self, i: Instruction, effects: Iterator[Instruction | Block], block: Block) -> None:
        if i.op != "narrow" or i.result in self.home:
            super()._effect(i, effects, block)
            return
        for was in effects:
            if isinstance(was, Block):
                break
            if self._holds(was, i.attribute) and was.position == i.position:
                self.equal(was.args[-1], i.args[0])
                return
            self.dropped(was)
        raise self.refused(i, "no element was held against a type here")

    def _holds(self, was: Instruction, type_: Int) -> bool:
        """Whether it was held against the type what the instruction puts into an array that is gone."""
        array = self._array(was) if was.op in ("new", "store") else None
        return array is not None and array.type.element == type_
