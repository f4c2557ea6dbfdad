"""Which functions are worth LLVM's optimizing pipeline.

Unrolling, vectorization and hoisting, nearly everything that O3 does beyond one round of simplification,
apply to loops with short bodies. O3 also spends its time on straight code, which it processes again and
again: an unrolled MD5 takes six times as long to compile, and is no faster. So a function without a short
loop gets one round. (Unless it is short and called: then it may be inlined into a loop.)
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.callgraph import calls
from ..ir.dominance import reverse_postorder
from ..ir.form import Block, Function, Module

SHORT = 256  # instructions


def straight(module: Module) -> set[str]:
    """The names of the functions for which one round is enough."""
    called = set().union(*map(calls, module.functions.values()))
    return {
        name
        for name, function in module.functions.items()
        if (name not in called or _size(function.blocks) > SHORT)
        and all(_size(loop.blocks) > SHORT for loop in loops(function))
    }


def _size(blocks: list[Block]) -> int:
    return sum(len(block.instructions) for block in blocks)


@dataclass(eq=False)
class Loop:
    head: Block
    latch: Block  # the block that jumps back
    blocks: list[Block]  # those from which that jump is reached without passing the head


def loops(function: Function) -> list[Loop]:
    """One loop for each jump back: every cycle takes one. Inner loops come after outer ones."""
    order = reverse_postorder(function)
    number = {block: at for at, block in enumerate(order)}
    before: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for edge in block.terminator.edges:
            before[edge.block].append(block)
    found = []
    for head in order:
        for latch in dict.fromkeys(before[head]):
            if number[latch] >= number[head]:
                inside, todo = {head: None, latch: None}, [latch]
                while todo:
                    at = todo.pop()
                    new = [b for b in before[at] if b not in inside] if at is not head else []
                    inside.update(dict.fromkeys(new))
                    todo += new
                found.append(Loop(head, latch, list(inside)))
    return found
