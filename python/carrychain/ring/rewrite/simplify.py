"""Removes what has no effect: unused values, checks that cannot fail, branches that cannot be taken,
forwarding blocks.

Each step replaces a function by one that is observably the same on every run. A value whose range is one
number is that number, if computing it cannot trap. A narrow or assume whose argument is in its type is its
argument. A branch with an unreachable side is a jump to the other. An instruction without effect and without
users can be removed. A block whose only predecessor jumps to it is merged with that. A parameter that always
receives the same value is that value.
"""

from __future__ import annotations

from ..facts.plan import Range
from ..facts.ranges import outcome
from ..ir.form import BOOL, DIVISION, Block, Bool, Branch, Function, Instruction, Jump, Value

# Operations that can trap, or that do something besides their result.
TRAPPING = {*DIVISION, "isqrt", "expt", "narrow", "new", "load", "load_le", "load_be", "store", "call"}


def has_effect(instruction: Instruction, ranges: dict[Value, Range]) -> bool:
    """Whether the instruction may have an effect beside its result."""
    if instruction.op in DIVISION:
        known = ranges.get(instruction.args[1])
        return known is None or 0 in known
    if instruction.op == "narrow":
        known = ranges.get(instruction.args[0])
        return known is None or not known.within(instruction.attribute)
    # a shift may run out of memory: removing that is fine
    return instruction.op in TRAPPING


def simplify(function: Function, ranges: dict[Value, Range] | None = None) -> None:
    """Simplifies the function in place; `ranges`, if given, must be those of the function as it stands."""
    if ranges is not None:
        _fold(function, ranges)
    _drop_unreachable(function)
    while _merge(function) | _drop_same_params(function):
        pass
    _drop_dead(function, ranges or {})


def _fold(function: Function, ranges: dict[Value, Range]) -> None:
    new: dict[Value, Value] = {}
    for block in function.blocks:
        kept = []
        for instruction in block.instructions:
            if instruction.op in ("narrow", "assume") and not has_effect(instruction, ranges):
                known = ranges.get(instruction.args[0])
                if known is not None and known.within(instruction.attribute):
                    new[instruction.result] = instruction.args[0]
                    continue
            constant = _constant(instruction, ranges)
            if constant is not None:
                instruction.op, instruction.args, instruction.attribute = "const", [], constant
            kept.append(instruction)
        block.instructions = kept
    function.replace_uses(new)
    decided = {
        i.result: i.attribute for i in function.instructions() if i.op == "const" and i.result.type == BOOL
    }
    chosen: dict[Value, Value] = {}
    for block in function.blocks:
        for i in block.instructions:
            if i.op == "select" and i.args[0] in decided:
                chosen[i.result] = i.args[1 if decided[i.args[0]] else 2]
    function.replace_uses(chosen)
    for block in function.blocks:
        end = block.terminator
        if isinstance(end, Branch) and end.condition in decided:
            block.terminator = Jump(end.then if decided[end.condition] else end.otherwise)


def _constant(instruction: Instruction, ranges: dict[Value, Range]) -> int | bool | None:
    if instruction.op == "const" or len(instruction.results) != 1:
        return None
    result = instruction.result
    if isinstance(result.type, Bool):
        return outcome(instruction, ranges)
    known = ranges.get(result)
    if known is None or known.low is None or known.low != known.high or has_effect(instruction, ranges):
        return None
    return known.low


def _drop_unreachable(function: Function) -> None:
    seen = {function.blocks[0]}
    todo = [function.blocks[0]]
    while todo:
        for edge in todo.pop().terminator.edges:
            if edge.block not in seen:
                seen.add(edge.block)
                todo.append(edge.block)
    function.blocks = [block for block in function.blocks if block in seen]


def _merge(function: Function) -> bool:
    """Merges each block whose only predecessor jumps to it with that block."""
    into = function.predecessors()
    new: dict[Value, Value] = {}
    gone: set[Block] = set()
    for block in function.blocks:
        if block in gone:
            continue
        while isinstance(block.terminator, Jump):
            edge = block.terminator.to
            after = edge.block
            if len(into[after]) != 1 or after is block or after is function.blocks[0]:
                break
            new.update(zip(after.params, edge.args, strict=True))
            block.instructions += after.instructions
            block.terminator = after.terminator
            gone.add(after)
    function.blocks = [block for block in function.blocks if block not in gone]
    function.replace_uses(new)
    return bool(gone)


def _drop_same_params(function: Function) -> bool:
    """Replaces each parameter for which all edges pass the same value, or itself, by that value."""
    into = function.predecessors()
    new: dict[Value, Value] = {}
    # by value: the blocks that it is passed to
    to: dict[Value, list[Block]] = {}
    for block in function.blocks[1:]:
        for edge in into[block]:
            for arg in edge.args:
                to.setdefault(arg, []).append(block)

    def final(value: Value) -> Value:
        while value in new:
            value = new[value]
        return value

    todo = dict.fromkeys(function.blocks[:0:-1])
    while todo:
        block, _ = todo.popitem()
        for at in reversed(range(len(block.params))):
            param = block.params[at]
            passed = {final(edge.args[at]) for edge in into[block]} - {param}
            if len(passed) != 1:
                continue
            (value,) = passed
            new[param] = value
            del block.params[at]
            for edge in into[block]:
                del edge.args[at]
            # where it is passed, its value is passed now
            again = to.pop(param, [])
            to.setdefault(value, []).extend(again)
            todo.update(dict.fromkeys(again))
    function.replace_uses(new)
    return bool(new)


def _drop_dead(function: Function, ranges: dict[Value, Range]) -> None:
    """Removes instructions and parameters that nothing observable depends on."""
    into = function.predecessors()
    made_by = {r: i for i in function.instructions() for r in i.results}
    passed: dict[Value, list[Value]] = {}
    for block in function.blocks[1:]:
        for at, param in enumerate(block.params):
            passed[param] = [edge.args[at] for edge in into[block]]
    todo: list[Value] = []
    live: set[Value] = set()
    kept: set[Instruction] = set()
    for block in function.blocks:
        todo += block.terminator.args
        for instruction in block.instructions:
            if instruction.op in TRAPPING and has_effect(instruction, ranges):
                kept.add(instruction)
                todo += instruction.args
    while todo:
        value = todo.pop()
        if value in live:
            continue
        live.add(value)
        if value in made_by:
            kept.add(made_by[value])
            todo += made_by[value].args
        todo += passed.get(value, ())
    for block in function.blocks:
        block.instructions = [i for i in block.instructions if i in kept]
        if block is function.blocks[0]:
            continue
        for at in reversed(range(len(block.params))):
            if block.params[at] not in live:
                del block.params[at]
                for edge in into[block]:
                    del edge.args[at]
