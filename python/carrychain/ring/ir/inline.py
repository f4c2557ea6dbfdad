"""Replaces calls of small functions by their bodies.

A call passes arguments of the parameters' types (the front end narrows them), runs the callee's blocks and
takes what it returns. A copy of those blocks does the same, with parameters renamed to the arguments and each
return replaced by a jump to the code after the call. The passes then analyze the callee for this one call.

Callees are processed first, so a body is inlined with its own calls inlined. A function on a cycle of calls
is not inlined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from .callgraph import callees_first, recursive
from .form import (
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Jump,
    Module,
    Position,
    Return,
    TrapTerminator,
    Value,
)

# Functions of up to this many instructions are inlined unasked: they cost about what passing arguments does.
SMALL = 24


def inline(module: Module) -> None:
    """Inlines every call of a non-recursive function that is small, or declared inline."""
    looping = recursive(module)
    for function in callees_first(module):

        def wanted(name: str) -> bool:
            callee = module.functions[name]
            return name not in looping and (callee.inline or sum(1 for _ in callee.instructions()) <= SMALL)

        _inline_into(function, module, wanted)


def _inline_into(function: Function, module: Module, wanted: Callable[[str], bool]) -> None:
    names = {value.name for value in function.values()}
    blocks = {block.name for block in function.blocks}

    # the last number tried for each name, so that the next free one is found at once
    counts: Counter[str] = Counter()

    def fresh(name: str, taken: set[str]) -> str:
        base = name
        while name in taken:
            counts[base] += 1
            name = f"{base}.{counts[base]}"
        taken.add(name)
        return name

    at = 0
    while at < len(function.blocks):
        block = function.blocks[at]
        at += 1
        for index, call in enumerate(block.instructions):
            if call.op != "call" or not wanted(call.attribute):
                continue
            callee = module.functions[call.attribute]
            after = Block(fresh(block.name, blocks), list(call.results))
            after.instructions = block.instructions[index + 1 :]
            after.terminator = block.terminator
            copies = _copy(callee, call, after, lambda n: fresh(n, names), lambda n: fresh(n, blocks))
            block.instructions = block.instructions[:index]
            block.terminator = Jump(Edge(copies[0]))
            # the copies contain no more calls to inline; the code after the call may
            function.blocks[at:at] = [*copies, after]
            at += len(copies)
            break


def _copy(
    callee: Function,
    call: Instruction,
    after: Block,
    value_name: Callable[[str], str],
    block_name: Callable[[str], str],
) -> list[Block]:
    """The callee's blocks: the call's arguments replace its parameters, and jumps to `after` its returns."""
    new = dict(zip(callee.params, call.args, strict=True))
    callers = (call.position, *call.position.callers) if call.position else ()

    # by the object: positions are equal wherever they were called from
    moved: dict[int, Position] = {}

    def called(position: Position | None) -> Position | None:
        if position is not None and id(position) not in moved:
            moved[id(position)] = replace(position, callers=position.callers + callers)
        return position and moved[id(position)]

    copies = {block: Block(block_name(f"{callee.name}.{block.name}")) for block in callee.blocks}
    for block, copy in copies.items():
        if block is not callee.blocks[0]:
            copy.params = [Value(value_name(p.name), p.type, called(p.position)) for p in block.params]
            new.update(zip(block.params, copy.params, strict=True))
        for i in block.instructions:
            new.update({r: Value(value_name(r.name), r.type, called(r.position)) for r in i.results})

    def edge(old: Edge) -> Edge:
        return Edge(copies[old.block], [new[arg] for arg in old.args])

    for block, copy in copies.items():
        copy.instructions = [
            Instruction(
                i.op, [new[a] for a in i.args], [new[r] for r in i.results], i.attribute, called(i.position)
            )
            for i in block.instructions
        ]
        match block.terminator:
            case Jump(to):
                copy.terminator = Jump(edge(to))
            case Branch(condition, then, otherwise):
                copy.terminator = Branch(new[condition], edge(then), edge(otherwise))
            case Return(results):
                copy.terminator = Jump(Edge(after, [new[r] for r in results]))
            case TrapTerminator(message, position):
                copy.terminator = TrapTerminator(message, called(position))
    return list(copies.values())
