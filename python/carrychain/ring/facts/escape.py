"""Which arrays a function may modify or return, and which it may modify."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..ir.form import Array, Function, Module, Return, Value


def roots(function: Function) -> dict[Value, set]:
    """What each array value may be: parameters (Value), globals (name), or results of other instructions."""
    roots: dict[Value, set] = {v: set() for v in function.values() if isinstance(v.type, Array)}
    for param in function.params:
        if param in roots:
            roots[param].add(param)
    for i in function.instructions():
        for result in i.results:
            if result in roots and i.op != "select":
                roots[result].add(i.attribute if i.op == "global" else i)
    changed = True
    while changed:
        changed = False

        def flow(to: Value, values: Iterable[Value]) -> None:
            nonlocal changed
            new = roots[to].union(*(roots[v] for v in values))
            if new != roots[to]:
                roots[to] = new
                changed = True

        for i in function.instructions():
            if i.op == "select" and i.result in roots:
                flow(i.result, i.args[1:])
        for block in function.blocks:
            for edge in block.terminator.edges:
                for param, arg in zip(edge.block.params, edge.args, strict=True):
                    if param in roots:
                        flow(param, [arg])
    return roots


def _reached(
    module: Module, more: Callable[[Function, dict[Value, set], set], set]
) -> tuple[dict[str, set[int]], set[str]]:
    """For each function, the array parameters that are stored to, by it or by what it calls; and all globals.

    ``more`` are those roots that a function reaches otherwise, by what it is known to store to.
    """
    reached: dict[str, set[int]] = {name: set() for name in module.functions}
    globals_: set[str] = set()
    found = {name: roots(function) for name, function in module.functions.items()}
    changed = True
    while changed:
        changed = False
        for name, function in module.functions.items():
            touched: set = set()
            for i in function.instructions():
                if i.op == "store":
                    touched |= found[name][i.args[0]]
                if i.op == "call":
                    for at in reached[i.attribute]:
                        touched |= found[name][i.args[at]]
            touched |= more(function, found[name], touched)
            params = {at for at, p in enumerate(function.params) if p in touched}
            names = {root for root in touched if isinstance(root, str)}
            if params != reached[name] or not names <= globals_:
                reached[name] |= params
                globals_ |= names
                changed = True
    return reached, globals_


def escaping(module: Module) -> tuple[dict[str, set[int]], set[str]]:
    """For each function, the array parameters that it may modify or return; and all modified globals."""

    def returned(function: Function, found: dict[Value, set], touched: set) -> set:
        returns = (b.terminator for b in function.blocks if isinstance(b.terminator, Return))
        return {root for each in returns for value in each.args for root in found.get(value, ())}

    return _reached(module, returned)


def stored(module: Module) -> dict[str, set[int]]:
    """For each function, the array parameters that it may store to: one that it only returns is none."""
    returned = escaping(module)[0]

    def given(function: Function, found: dict[Value, set], touched: set) -> set:
        """What a call returns may be what it was given."""
        seen: set = set()
        calls = list(touched)
        while calls:
            call = calls.pop()
            if getattr(call, "op", "") == "call":
                for at in returned[call.attribute]:
                    calls += found[call.args[at]] - seen
                    seen |= found[call.args[at]]
        return seen

    return _reached(module, given)[0]
