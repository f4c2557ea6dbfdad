"""Shows that a loaded word equals the loaded bytes that it replaces.

A tree of `add`, `ior` and `xor` over shifted loads of bytes becomes one `load_le` or `load_be`. The bytes
come from one array, at consecutive indices. Each is shifted by 8 bits more than the one before it
(`load_le`), or 8 bits less (`load_be`). No two bytes overlap, so all three operations combine them alike.

Between the first byte's load and the word there are only loads, so nothing is stored meanwhile: the word
reads what the bytes' loads read. It covers the same indices. If one of them is outside the array, both runs
trap before any other effect; the error may name another of the indices. A byte that is part of no word must
still be loaded. A byte whose load was removed has no other use: that would be a use without a definition.
"""

from __future__ import annotations

from ..ir.form import Array, Block, Instruction, Value, unsigned
from ..ir.snapshot import same_position
from .rewritten import Rewritten

JOINS = ("add", "ior", "xor")
LOADS = ("load", "load_le", "load_be")
BYTES = Array(unsigned(8))
MOST = 8  # bytes of a word


class GatheredLoads(Rewritten):
    """Shows gathered loads; `Idiomatic` shows what the pass does besides."""

    def __init__(self, *args):
        super().__init__(*args)
        # removed loads that are not part of a word yet
        self._owed: set[Instruction] = set()

    def dropped(self, was: Instruction) -> None:
        if was.op == "load" and was.result not in self.made_after:
            self._owed.add(was)
        else:
            super().dropped(was)

    def same_effect(self, was: Instruction, i: Instruction) -> None:
        if i.op in LOADS and was.op in JOINS:
            self._gathered(was, i)
            return
        if was.op not in LOADS and not self.harmless(was):
            self._nothing_owed(i)
        super().same_effect(was, i)

    def _end(self, after: Block, before: Block) -> None:
        self._nothing_owed(after.name)
        super()._end(after, before)

    def _nothing_owed(self, where: object) -> None:
        for load in self._owed:
            raise self.refused(where, f"{load} was removed, and is part of no word")

    def _gathered(self, was: Instruction, word: Instruction) -> None:
        leaves = self._leaves(was)
        if leaves is None or not self._owed.issuperset(load for load, _ in leaves):
            raise self.refused(word, f"{was} does not combine bytes that were loaded just before")
        self._owed.difference_update(load for load, _ in leaves)
        array = leaves[0][0].args[0]
        placed = sorted(
            ((self._place(load.args[1]), load, by) for load, by in leaves), key=lambda each: each[0][2]
        )
        (base, sign, start), first, _ = placed[0]
        by = range(0, 8 * len(placed), 8)
        for at, (place, load, moved) in enumerate(placed):
            if load.args[0] is not array or place != (base, sign, start + at):
                raise self.refused(word, "the bytes that it replaces are not consecutive")
            if moved != by[at if word.op == "load_le" else -1 - at]:
                raise self.refused(word, "the bytes that it replaces have another order")
        if word.attribute != 8 * len(placed) or not same_position(was.position, word.position):
            raise self.refused(word, f"replaces {len(placed)} bytes, combined at {was.position}")
        self.equal(array, word.args[0])
        self.equal(first.args[1], word.args[1])

    def _leaves(self, root: Instruction) -> list[tuple[Instruction, int]] | None:
        """The loads that are combined, each with the number of bits that it is shifted by."""
        found: list[tuple[Instruction, int]] = []
        todo = [(root, 0)]
        joins = 0
        while todo:
            i, by = todo.pop()
            if i is None:
                return None
            if i.op == "load" and i.args[0].type == BYTES:
                found.append((i, by))
            elif i.op in JOINS and joins < MOST - 1:
                joins += 1
                todo += [(self.made.get(arg), by) for arg in i.args]
            elif i.op == "shift" and (more := self._constant(i.args[1])) is not None and more >= 0:
                todo.append((self.made.get(i.args[0]), by + more))
            else:
                return None
        return found

    def _constant(self, value: Value) -> int | None:
        made = self.made.get(value)
        return made.attribute if made is not None and made.op == "const" else None

    def _place(self, value: Value) -> tuple[Value | None, int, int]:
        """The index as sign * base + constant: the base, or None, the sign and the constant."""
        made = self.made.get(value)
        if made is None or made.op not in ("const", "neg", "add", "sub"):
            return value, 1, 0
        if made.op == "const":
            return None, 0, made.attribute
        base, sign, more = self._place(made.args[0])
        if made.op == "neg":
            return base, -sign, -more
        turn = 1 if made.op == "add" else -1
        other, other_sign, number = self._place(made.args[1])
        if other is None:
            return base, sign, more + turn * number
        return (other, turn * other_sign, more + turn * number) if base is None else (value, 1, 0)
