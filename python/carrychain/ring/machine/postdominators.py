"""Immediate postdominators: where all paths from a block join. Returns lead to `exit_`."""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.cycles import depth_first
from .form import MachineBlock, MachineBranch, MachineFunction, MachineJump, MachineReturn, Operand


def edges(block: MachineBlock, exit_: MachineBlock) -> Iterator[tuple[MachineBlock, list[Operand]]]:
    match block.end:
        case MachineJump(to, args):
            yield to, args
        case MachineBranch(_, then, otherwise):
            yield then, []
            yield otherwise, []
        case MachineReturn(args):
            yield exit_, args


def reverse_postorder(function: MachineFunction, exit_: MachineBlock) -> list[MachineBlock]:
    return depth_first(function.blocks[0], lambda block: [to for to, _ in edges(block, exit_)])


def immediate_postdominators(
    order: list[MachineBlock], exit_: MachineBlock
) -> dict[MachineBlock, MachineBlock]:
    """For each block, the first block on all of its paths to the exit, if there is one."""
    then = {block: [to for to, _ in edges(block, exit_)] for block in order}
    lead = {exit_} & set(order)
    while True:
        more = {block for block in order if block not in lead and any(to in lead for to in then[block])}
        if not more:
            break
        lead |= more
    after: dict[MachineBlock, set[MachineBlock]] = {block: set(lead) for block in order if block in lead}
    if exit_ in after:
        after[exit_] = {exit_}
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            if block in after and block is not exit_:
                found = {block}.union(set.intersection(*(after[to] for to in then[block] if to in after)))
                if found != after[block]:
                    after[block], changed = found, True
    return {
        block: next(each for each in found if each is not block and len(after[each]) == len(found) - 1)
        for block, found in after.items()
        if block is not exit_
    }
