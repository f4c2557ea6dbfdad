"""The witness of the pass `checked words`: where each block after it is in the function before."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.form import Block, Value


@dataclass
class CheckedWords:
    # by block: a block of the function before the pass, and how many of its instructions are done there
    places: dict[Block, tuple[Block, int]] = field(default_factory=dict)
    # blocks that test whether integers are words, and do nothing of what the function before did
    tests: set[Block] = field(default_factory=set)
    # blocks of the general form
    general: set[Block] = field(default_factory=set)
    # by parameter of a block: the value that it stands for, if there is one
    meant: dict[Value, Value] = field(default_factory=dict)
