"""Represents an array's length by the value that it was made with.

Growing a list may reallocate it; if it has enough room, it never does. Lengths decide that, but about the
`len` of an array that is passed around a loop, ranges know only that it is some length. So if a block
receives an array, it also receives the array's length as an integer. The length of an array that was just
made is the number of its elements. Then facts about integers decide, and if the array is never reallocated,
it is no longer passed around (simplify).
"""

from __future__ import annotations

from ..facts.escape import roots
from ..ir.form import INT, Array, Function, Instruction, Int, Value

# The greatest length: no memory holds more elements.
LENGTH = Int(0, (1 << 56) - 1)


def lengths(function: Function) -> bool:
    """Rewrites in place; whether anything changed."""
    of = roots(function)
    asked = {
        i.args[0]
        for i in function.instructions()
        if i.op == "len" and any(isinstance(root, Instruction) and root.op == "new" for root in of[i.args[0]])
    }
    if not asked:
        return False
    block_of = {param: block for block in function.blocks[1:] for param in block.params}
    new = {i.result for i in function.instructions() if i.op == "new"}
    into = function.predecessors()
    names = {value.name for value in function.values()}
    found: dict[Value, Value] = {}
    todo = list(asked)
    while todo:
        array = todo.pop()
        if array in found or (array not in new and array not in block_of):
            continue
        found[array] = Value(_fresh(f"{array.name}.length", names), INT, array.position)
        if array in block_of:
            at = block_of[array].params.index(array)
            todo += [edge.args[at] for edge in into[block_of[array]]]
    _pass(function, found, names)
    _say(function, found)
    return True


def _fresh(name: str, names: set[str]) -> str:
    fresh, at = name, 0
    while fresh in names:
        at += 1
        fresh = f"{name}.{at}"
    names.add(fresh)
    return fresh


def _pass(function: Function, found: dict[Value, Value], names: set[str]) -> None:
    """Passes each array's length beside it; if no value has the length yet, `len` computes it."""
    for block in function.blocks:
        for edge in block.terminator.edges:
            for param, array in zip(edge.block.params, list(edge.args), strict=True):
                if param not in found:
                    continue
                length = found.get(array)
                if length is None:
                    length = Value(_fresh(f"{array.name}.length", names), INT, array.position)
                    block.instructions.append(Instruction("len", [array], [length]))
                edge.args.append(length)
    for block in function.blocks:
        block.params += [found[param] for param in block.params if param in found]


def _say(function: Function, found: dict[Value, Value]) -> None:
    """Records the length of each new array, and replaces `len` by it."""
    told: dict[Value, Value] = {}
    for block in function.blocks:
        kept: list[Instruction] = []
        for i in block.instructions:
            if i.op == "len" and i.args[0] in found:
                told[i.result] = found[i.args[0]]
                continue
            kept.append(i)
            if i.op == "new" and i.result in found:
                kept.append(Instruction("assume", [i.args[0]], [found[i.result]], LENGTH, i.position))
        block.instructions = kept
    function.replace_uses(told)


def asked_again(function: Function) -> bool:
    """If an array and its length are both still passed, replaces the length by the array's `len`; whether
    there was one.

    Analyses of bounds use the array's `len`. They would not see that a parameter beside the array equals it.
    """
    pairs = _pairs(function)
    into = function.predecessors()
    for length, array in pairs.items():
        block = next(block for block in function.blocks if length in block.params)
        at = block.params.index(length)
        del block.params[at]
        for edge in into[block]:
            del edge.args[at]
        block.instructions.insert(0, Instruction("len", [array], [length], None, length.position))
    return bool(pairs)


def _pairs(function: Function) -> dict[Value, Value]:
    """For each parameter that is always the length of another, that other one."""
    made_by = {r: i for i in function.instructions() for r in i.results}
    into = function.predecessors()
    pairs = {
        (array, length): [
            (edge.args[block.params.index(array)], edge.args[block.params.index(length)])
            for edge in into[block]
        ]
        for block in function.blocks[1:]
        for array in block.params
        for length in block.params
        if isinstance(array.type, Array) and isinstance(length.type, Int)
    }

    def number(value: Value) -> Value | int:
        while (made := made_by.get(value)) is not None and made.op in ("narrow", "assume"):
            (value,) = made.args
        return made.attribute if made is not None and made.op == "const" else value

    def is_length(array: Value, length: Value) -> bool:
        made = made_by.get(array)
        if made is not None and made.op == "new" and number(made.args[0]) == number(length):
            return True
        asks = made_by.get(length)
        return (array, length) in pairs or (asks is not None and asks.op == "len" and asks.args[0] is array)

    # the largest set without a contradiction: by induction over the entries of blocks, these pairs hold
    while wrong := [pair for pair, passed in pairs.items() if not all(is_length(*each) for each in passed)]:
        for pair in wrong:
            del pairs[pair]
    return {length: array for array, length in pairs}
