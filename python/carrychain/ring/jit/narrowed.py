"""A copy of a function for ints of 64 bits, beside the function for ints of any size.

An int whose every bit matters is a value of the runtime's, which is slower than a word, whatever it
is. Nearly all that are passed would fit one. So a function with such parameters is there twice: the copy
is the same, but for its parameters' types, which callers see to. Within the module each call asks by
itself whether the copy will do: a call of the function becomes

    if each of these arguments is in s64: the copy, of the arguments narrowed to it
    else: the function

The copy does for such arguments what the function does, and the narrowing never fails where it stands. So
the program is the same, whatever is known of the arguments; where their ranges are known the passes
that follow drop the questions.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from ..compile import copy, copy_function, plans
from ..ir import (
    BOOL,
    INT,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Jump,
    Module,
    Type,
    Value,
    signed,
)
from ..plan import BIG

WORD = signed(64)


def narrowed_name(name: str) -> str:
    """The copy's; no function of Python's has such a name."""
    return f"{name} of words"


def with_narrowed(module: Module, entry: str) -> Module:
    """A copy of the module, with the entry's copy in it, if that is another."""
    module = copy(module)
    containers = plans(copy(module), True)[entry]
    function = module.functions[entry]
    of_plan = containers.function.params
    wide = [
        at
        for at, (param, planned) in enumerate(zip(function.params, of_plan, strict=True))
        if param.type == INT and containers.containers[planned] is BIG
    ]
    if not wide:
        return module
    twin = copy_function(function)
    twin.name = narrowed_name(entry)
    for at in wide:
        twin.params[at].type = WORD
    module.functions[twin.name] = twin
    for each in module.functions.values():
        _choose(each, function, twin.name, wide)
    return module


def _choose(function: Function, callee: Function, twin: str, wide: list[int]) -> None:
    """Puts the question before each call of `callee` in the function."""
    numbers = count()
    names = {value.name for value in function.values()} | {block.name for block in function.blocks}

    def fresh(name: str) -> str:
        return next(new for at in numbers if (new := f"{name}.{at}") not in names)

    at = 0
    while at < len(function.blocks):
        block = function.blocks[at]
        at += 1
        for index, call in enumerate(block.instructions):
            if call.op == "call" and call.attribute == callee.name:
                function.blocks[at:at] = _chosen(block, index, call, twin, wide, fresh)
                # the last of these is what followed the call
                at += 2
                break


def _chosen(
    block: Block, index: int, call: Instruction, twin: str, wide: list[int], fresh: Callable[[str], str]
) -> list[Block]:
    position = call.position

    def put(into: Block, op: str, type_: Type, args: list[Value], attribute=None) -> Value:
        made = Value(fresh(op), type_, position)
        into.instructions.append(Instruction(op, args, [made], attribute, position))
        return made

    after = Block(fresh("after"), call.results, block.instructions[index + 1 :], block.terminator)
    block.instructions = block.instructions[:index]
    fits = put(block, "const", BOOL, [], True)
    never = put(block, "const", BOOL, [], False)
    for at in wide:
        for op, bound in (("ge", WORD.low), ("le", WORD.high)):
            end = put(block, "const", INT, [], bound)
            within = put(block, op, BOOL, [call.args[at], end])
            fits = put(block, "select", BOOL, [fits, within, never])
    small, large = Block(fresh("small")), Block(fresh("large"))
    block.terminator = Branch(fits, Edge(small), Edge(large))
    for into, name in ((small, twin), (large, call.attribute)):
        args = list(call.args)
        if name == twin:
            for at in wide:
                args[at] = put(into, "narrow", WORD, [args[at]], WORD)
        results = [Value(fresh(value.name), value.type, value.position) for value in call.results]
        into.instructions.append(Instruction("call", args, results, name, position))
        into.terminator = Jump(Edge(after, results))
    return [small, large, after]


def is_brief(module: Module, entry: str) -> bool:
    """Whether a call ends at once: no loop, no call, nothing whose time depends on how large a value is."""
    function = module.functions[entry]
    seen: set[Block] = set()

    def ends(block: Block, above: tuple[Block, ...] = ()) -> bool:
        if block in above:
            return False
        if block in seen:
            return True
        seen.add(block)
        return all(ends(edge.block, (*above, block)) for edge in block.terminator.edges)

    return all(i.op not in LONG for i in function.instructions()) and ends(function.blocks[0])


LONG = ("call", "expt", "new", "isqrt", "gcd")
