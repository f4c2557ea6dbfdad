"""The IR's verifier: every pass may rely on well-formed IR, and must preserve that."""

from __future__ import annotations

from .dominance import Dominance
from .form import (
    ARITHMETIC,
    BINARY,
    COMPARE,
    DIVISION,
    LOGIC,
    UNARY,
    Array,
    Block,
    Bool,
    Function,
    Instruction,
    Int,
    IRError,
    Module,
    Return,
    Type,
    Value,
    unsigned,
)

INTEGER, BOOLEAN, ARRAY = Int, Bool, Array

# Arguments' and results' kinds; and the attribute's type where there is one.
SIGNATURES: dict[str, tuple[tuple, tuple]] = {
    **{op: ((INTEGER, INTEGER), (INTEGER,)) for op in (*LOGIC, *ARITHMETIC, *DIVISION, *BINARY)},
    **{op: ((INTEGER, INTEGER), (BOOLEAN,)) for op in COMPARE},
    **{op: ((INTEGER,), (INTEGER,)) for op in UNARY},
    "shift": ((INTEGER, INTEGER), (INTEGER,)),
    "low": ((INTEGER,), (INTEGER,)),
    "field": ((INTEGER,), (INTEGER,)),
    "narrow": ((INTEGER,), (INTEGER,)),
    "assume": ((INTEGER,), (INTEGER,)),
    "not": ((BOOLEAN,), (BOOLEAN,)),
    "new": ((INTEGER, INTEGER), (ARRAY,)),
    "len": ((ARRAY,), (INTEGER,)),
    "rotl": ((INTEGER, INTEGER), (INTEGER,)),
    "load": ((ARRAY, INTEGER), (INTEGER,)),
    "load_le": ((ARRAY, INTEGER), (INTEGER,)),
    "load_be": ((ARRAY, INTEGER), (INTEGER,)),
    "store": ((ARRAY, INTEGER, INTEGER), ()),
    "global": ((), (ARRAY,)),
}
ATTRIBUTES = {
    **dict.fromkeys(("low", "field", "rotl", "load_le", "load_be"), int),
    "narrow": Int,
    "assume": Int,
    "new": Array,
    "global": str,
}


def verify_module(module: Module) -> None:
    """Raises IRError if anything violates the rules of form.py."""
    for function in module.functions.values():
        verify_function(function, module)


def verify_function(function: Function, module: Module) -> None:
    def wrong(where, what: str) -> IRError:
        return IRError(f"@{function.name}: {where}: {what}")

    defined: dict[Value, tuple[Block, int]] = {}
    for block in function.blocks:
        if block.terminator is None:
            raise wrong(block.name, "has no terminator")
        definitions = [(param, -1) for param in block.params]
        for at, instruction in enumerate(block.instructions):
            definitions += [(result, at) for result in instruction.results]
        for value, at in definitions:
            if value in defined:
                raise wrong(value, "defined twice")
            defined[value] = (block, at)

    dominance = Dominance(function)

    def check_use(value: Value, block: Block, at: int, where) -> None:
        if value not in defined:
            raise wrong(where, f"{value} is not defined")
        home, when = defined[value]
        if home is block:
            if when >= at:
                raise wrong(where, f"{value} is used before it is defined")
        elif block in dominance.number and not (home in dominance.number and dominance.above(home, block)):
            raise wrong(where, f"{value} is not defined on every path here")

    for block in function.blocks:
        for at, instruction in enumerate(block.instructions):
            for value in instruction.args:
                check_use(value, block, at, instruction)
            problem = mistyped(instruction, module)
            if problem:
                raise wrong(instruction, problem)
        end = block.terminator
        for value in (*end.args, *(arg for edge in end.edges for arg in edge.args)):
            check_use(value, block, len(block.instructions), end)
        for edge in end.edges:
            if edge.block not in function.blocks:
                raise wrong(end, f"{edge.block.name} is not a block of this function")
            if edge.block is function.blocks[0]:
                raise wrong(end, "the entry cannot be entered again")
            if not same_types([arg.type for arg in edge.args], [param.type for param in edge.block.params]):
                raise wrong(end, f"{edge.block.name} takes arguments of other types")
        if isinstance(end, Return):
            if not same_types([arg.type for arg in end.args], function.results):
                raise wrong(end, "the function's results have other types")
        elif end.args and not isinstance(end.args[0].type, Bool):
            raise wrong(end, "the condition is not a bool")


def same_types(given: list[Type], wanted: list[Type]) -> bool:
    """Whether the kinds agree. An integer's declared range is ignored; an array's element type is not."""
    return len(given) == len(wanted) and all(
        a == b if isinstance(a, Array) else type(a) is type(b) for a, b in zip(given, wanted, strict=True)
    )


def mistyped(instruction: Instruction, module: Module) -> str | None:
    """What is wrong with the types of the operands, the results or the attribute, if anything is."""
    op, attribute = instruction.op, instruction.attribute
    args = [value.type for value in instruction.args]
    results = [value.type for value in instruction.results]
    match op:
        case "const":
            good = not args and same_types(results, [Bool() if isinstance(attribute, bool) else Int()])
            return None if good and isinstance(attribute, int) else "a constant's type is its value's"
        case "select":
            good = len(args) == 3 and isinstance(args[0], Bool) and same_types([args[1]], [args[2]])
            good = good and same_types(results, args[1:2])
            return None if good else "select takes a bool and two of a kind"
        case "call":
            callee = module.functions.get(attribute)
            if callee is None:
                return f"@{attribute} is not defined"
            good = same_types(args, [p.type for p in callee.params]) and same_types(results, callee.results)
            return None if good else f"@{attribute} takes or returns other types"
    wanted_args, wanted_results = SIGNATURES[op]
    if [type(t) for t in args] != list(wanted_args) or [type(t) for t in results] != list(wanted_results):
        return "wrong arguments or results"
    if op in ATTRIBUTES:
        if not isinstance(attribute, ATTRIBUTES[op]):
            return "wrong attribute"
        if op in ("low", "field", "rotl") and attribute < 1:
            return "a field has at least one bit"
        of_bytes = op in ("load_le", "load_be")
        if of_bytes and (attribute < 8 or attribute % 8 or args[0].element != unsigned(8)):
            return "whole bytes are loaded, from an array of u8"
        if op == "new" and results != [attribute]:
            return "the array is of another type"
        if op == "global" and (attribute not in module.arrays or module.arrays[attribute][0] != results[0]):
            return f"@{attribute} is no array of this type"
    elif attribute is not None:
        return "takes no attribute"
    return None
