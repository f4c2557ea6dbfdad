"""How machine IR corresponds to the IR: stated by lowering, and checked by `trust`."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.form import Block, Value
from .form import MachineBlock, Op, Operand, Word


@dataclass(eq=False, slots=True)
class Witness:
    """The correspondence for one function.

    An IR block may be lowered twice. The entry of a loop's strips corresponds to the loop's head as well,
    with parameters of its own.
    """

    begins: dict[MachineBlock, Block] = field(default_factory=dict)
    strips: dict[MachineBlock, Block] = field(default_factory=dict)
    # where an IR block's instructions are lowered, and the operands that hold their results
    lowered: dict[MachineBlock, tuple[Block, dict[Value, Operand]]] = field(default_factory=dict)
    # the slots of those blocks' parameters that have one
    slots: dict[Word, int] = field(default_factory=dict)
    # the blocks' operations before any pass over the machine IR
    ops: dict[MachineBlock, list[Op]] = field(default_factory=dict)
