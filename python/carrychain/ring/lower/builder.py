"""The machine IR of a function under construction."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.form import Position
from ..machine.form import (
    BIG,
    OUT_OF_MEMORY,
    MachineBlock,
    MachineFunction,
    MachineTerminator,
    MachineType,
    Op,
    Operand,
    Site,
    Word,
)


class MachineBuilder:
    def __init__(self, function: MachineFunction):
        self.function = function
        self.word = function.word
        self.block: MachineBlock | None = None
        self.made = 0  # the number of blocks so far
        self.taken: dict[int, int] = {}  # the number of blocks before the one that fills a slot
        self.leans: dict[Word, frozenset[int]] = {}  # the slots that may own a word's object
        self.position: Position | None = None  # of the instruction that is lowered

    def new_block(self) -> MachineBlock:
        self.made += 1
        return MachineBlock(self.made - 1)

    def begin(self, block: MachineBlock) -> None:
        self.function.blocks.append(block)
        self.block = block

    def end(self, end: MachineTerminator) -> None:
        self.block.end = end

    def slot(self) -> int:
        self.taken[self.function.slots] = len(self.function.blocks) - 1
        self.function.slots += 1
        return self.function.slots - 1

    def site(self, message: str, operand: str = "") -> Site:
        if self.position is None:
            return Site(message, None, operand)
        return Site(message, str(self.position), operand, tuple(map(str, self.position.callers)))

    def do(self, op: str, *args: Operand, attribute=None, slot=None, site=None) -> None:
        self.block.ops.append(Op(op, list(args), [], attribute, slot, site))
        if slot is not None:
            self.leans[args[0]] = frozenset((slot,))

    def let(self, op: str, type_: MachineType, *args: Operand, attribute=None, slot=None, site=None) -> Word:
        word = self.function.word(type_)
        self.block.ops.append(Op(op, list(args), [word], attribute, slot, site))
        if slot is not None:
            self.leans[word] = frozenset((slot,))
        elif op == "select":
            self.leans[word] = self.leaning(args)
        return word

    def leaning(self, operands: Iterable[Operand]) -> frozenset[int]:
        return frozenset().union(*(self.leans.get(operand, ()) for operand in operands))

    def owned(self, op: str, *args: Operand, attribute=None, type_: MachineType = BIG) -> Word:
        """An operation whose result a new slot owns; it fails if there is no memory."""
        return self.let(
            op, type_, *args, attribute=attribute, slot=self.slot(), site=self.site(OUT_OF_MEMORY)
        )
