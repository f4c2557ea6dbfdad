"""Loads consecutive words from each input's own array: one vector per input, and the vectors transposed."""

from __future__ import annotations

from .form import ROWS, Lanes, MachineBlock, MachineFunction, Op
from .gather import SEEN, index_of

# The least number of loads that is worth transposing.
FEW = 4


def transpose(function: MachineFunction, block: MachineBlock, count: int, register: int) -> None:
    """Replaces loads of consecutive words, from each input's own array, by transposed vectors."""
    made = {word: op for op in function.ops() for word in op.results}
    run: dict[int, Op] = {}  # the loads, by offset
    key, instead, gone = None, {}, set()

    def end() -> None:
        while run:
            first = next(iter(run.values()))
            (offset,) = (at for at, op in run.items() if op is first)
            bits = first.result.type.of
            many = min(register // bits, count)
            while many >= FEW and not all(offset + at * bits // 8 in run for at in range(many)):
                many //= 2
            ops = [run.pop(offset + at * bits // 8) for at in range(many if many >= FEW else 1)]
            if len(ops) > 1:
                instead[first] = Op("transposed", first.args, [op.result for op in ops])
                gone.update(ops)

    for op in block.ops:
        if op.op in SEEN or op.op.startswith("bounds"):
            end()
        if (
            op.op == "bytes"
            and len(op.args) == 2
            and op.args[0].type == Lanes(ROWS, count)
            and op.args[1].type == 64
            and op.result.type.of >= 32
        ):
            index = index_of(op.args[1], made)
            this = op.args[0], index.root, index.reading, op.result.type
            if this != key or index.offset in run:
                end()
                key = this
            run[index.offset] = op
    end()
    block.ops = [instead.get(op, op) for op in block.ops if op in instead or op not in gone]
