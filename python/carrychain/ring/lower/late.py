"""Which slots a function needs only in its general form.

A function with a copy for words (rewrite/checked.py) nearly always stays in that copy, where most of its
slots are not used. To empty them all at each call, and to look at each when it returns, would take longer
than a short call. So the edges into the general form `open` its slots, and the edges back into words `close`
them. A slot is *late* if it is used between these alone, and if nothing that leans on it is used after a
`close`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..machine.form import MachineBlock, MachineFunction, MachineJump, Op, Word, given_slots
from ..machine.witness import Witness


def late_slots(function: MachineFunction, witness: Witness, leans: dict[Word, frozenset[int]]) -> None:
    """Numbers the function's slots anew, the late ones last; if there are none, nothing is opened."""
    if not any(op.op == "open" for op in function.ops()):
        _without(function)
        return
    early = set(_early(function, witness, leans))
    order = sorted(range(function.slots), key=lambda slot: slot not in early)
    function.late = function.slots - len(early)
    if not function.late:
        _without(function)
        return
    new = {slot: at for at, slot in enumerate(order)}

    def number(slot: int) -> int:
        return new.get(slot, slot)

    for op in function.ops():
        if op.slot is not None:
            op.slot = number(op.slot)
        if op.op == "give":
            given = (tuple(map(number, slots)) for slots in given_slots(op))
            op.attribute = tuple(slots if len(slots) > 1 else slots[0] for slots in given)
        elif op.op == "retain" and op.attribute:
            op.attribute = tuple(map(number, op.attribute))
    witness.slots = {word: number(slot) for word, slot in witness.slots.items()}


def _without(function: MachineFunction) -> None:
    for block in function.blocks:
        if any(op.op in ("open", "close") for op in block.ops):
            block.ops = [op for op in block.ops if op.op not in ("open", "close")]


def _early(function: MachineFunction, witness: Witness, leans: dict[Word, frozenset[int]]) -> Iterator[int]:
    """The slots that are used where late ones are closed, or that something leans on which lives longer."""
    states = {function.blocks[0]: False}
    closing = []
    for block in function.blocks:
        opened = states[block]
        if not opened:
            yield from (witness.slots[param] for param in block.params if param in witness.slots)
        for op in block.ops:
            if op.op in ("open", "close"):
                opened = op.op == "open"
                closing += [block] * (not opened)
            elif not opened:
                yield from _used(op)
        for to in block.end.blocks:
            states.setdefault(to, opened)
    live = _live(function, leans)
    for block in closing:
        end = block.end
        given = {arg for op in block.ops if op.op == "give" for arg in op.args}
        kept = live[end.to] - set(end.to.params) if isinstance(end, MachineJump) else set()
        for word in kept.union(arg for arg in end.args if isinstance(arg, Word) and arg not in given):
            yield from leans.get(word, ())


def _used(op: Op) -> Iterator[int]:
    if op.slot is not None:
        yield op.slot
    if op.op == "give":
        for slots in given_slots(op):
            yield from slots
    elif op.op == "retain":
        yield from op.attribute or ()


def _live(function: MachineFunction, leans: dict[Word, frozenset[int]]) -> dict[MachineBlock, set[Word]]:
    """The words that lean on a slot, and are used in each block or later."""
    found: dict[MachineBlock, set[Word]] = {block: set() for block in function.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(function.blocks):
            live = set().union(*(found[to].difference(to.params) for to in block.end.blocks))
            live.update(arg for arg in block.end.args if arg in leans)
            for op in reversed(block.ops):
                live.difference_update(op.results)
                live.update(arg for arg in op.args if arg in leans)
            if live != found[block]:
                found[block] = live
                changed = True
    return found
