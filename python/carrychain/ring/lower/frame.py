"""Which arrays can be in the frame of the function that makes them.

The slot of its `new` owns an array, until the `new` runs again or the function is left. Whatever needs it
longer holds a reference of its own: a parameter that it is passed back to, the receiver of a result, and
perhaps a called function. An array that reaches none of these lives as long as its slot says, and needs no
count. If it is short, and its elements are words, it can be in the frame, where making it costs nothing and
LLVM sees all accesses.
"""

from __future__ import annotations

from ..facts.escape import roots
from ..facts.plan import Plan
from ..ir.dominance import reverse_postorder
from ..ir.form import Block, Function, Instruction, Value
from ..machine.abi import storage
from ..machine.form import BIG
from .values import ValueMap

# Limits in bytes, for one array and for all of a function's. Recursive functions have no arrays in the frame,
# because these would limit the depth; to other functions, which do not check it, 64 times as much stack is
# left (runtime/call.c).
MOST, IN_ALL = 2048, 4096


def in_frame(plan: Plan, values: ValueMap) -> dict[Instruction, int]:
    """The arrays that can be in the frame, by their `new`, with their greatest lengths."""
    function, found, size = plan.function, {}, 0
    news = [i for i in function.instructions() if i.op == "new" and _zeros(values, i)]
    if not news:
        return found
    kept = _kept(function)
    for i in news:
        bits, known = storage(i.attribute.element), values.known(i.args[0])
        if i in kept or bits is BIG or known.high is None or known.negative:
            continue
        bytes_ = bits // 8 * known.high
        if bytes_ <= MOST and size + bytes_ <= IN_ALL:
            found[i] = known.high
            size += bytes_
    return found


def _zeros(values: ValueMap, i: Instruction) -> bool:
    return values.constants.get(i.args[1]) == 0


def _kept(function: Function) -> set[Value | Instruction | str]:
    """The arrays that may be needed longer than their slots keep them."""
    of = roots(function)
    number = {block: at for at, block in enumerate(reverse_postorder(function))}
    seen = [
        value
        for block in number
        for value in (*_given(block), *_returned(block), *_passed_back(block, number))
        if value in of
    ]
    return set().union(*(of[value] for value in seen))


def _given(block: Block) -> list[Value]:
    return [arg for i in block.instructions if i.op == "call" for arg in i.args]


def _returned(block: Block) -> list[Value]:
    return [] if block.terminator.edges else list(block.terminator.args)


def _passed_back(block: Block, number: dict[Block, int]) -> list[Value]:
    return [
        arg
        for edge in block.terminator.edges
        if number[edge.block] <= number[block]
        for param, arg in zip(edge.block.params, edge.args, strict=True)
        if arg is not param
    ]
