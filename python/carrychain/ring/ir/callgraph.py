"""The call graph."""

from __future__ import annotations

from .cycles import cycles
from .form import Function, Module


def calls(function: Function) -> set[str]:
    return {i.attribute for i in function.instructions() if i.op == "call"}


def callees_first(module: Module) -> list[Function]:
    """The module's functions, each after all that it calls, except in recursion."""
    order: list[Function] = []
    state: dict[str, bool] = {}

    def visit(name: str) -> None:
        if name in state:
            return
        state[name] = True
        for callee in sorted(calls(module.functions[name])):
            visit(callee)
        order.append(module.functions[name])

    for name in module.functions:
        visit(name)
    return order


def recursive(module: Module) -> set[str]:
    """The functions that may call themselves, directly or through others."""
    return set().union(*cycles({name: calls(function) for name, function in module.functions.items()}))
