"""Which parts of machine IR stand for which parts of the IR: stated by lowering, and checked by `trust`."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.form import Block, Value
from .form import MachineBlock, Op, Operand, Word


@dataclass(eq=False, slots=True)
class Witness:
    """Of one function.

    An IR block may be lowered twice; and what begins the strips of a loop stands for its head as well, with
    parameters of its own.
    """

    begins: dict[MachineBlock, Block] = field(default_factory=dict)
    strips: dict[MachineBlock, Block] = field(default_factory=dict)
    # where an IR block's instructions are lowered, and what holds their results
    lowered: dict[MachineBlock, tuple[Block, dict[Value, Operand]]] = field(default_factory=dict)
    # the slot that owns what a block's parameter is, of those that have one
    slots: dict[Word, int] = field(default_factory=dict)
    # what the blocks do before any pass over the machine IR
    ops: dict[MachineBlock, list[Op]] = field(default_factory=dict)
