"""Comprehensions, and conditions, which they share with statements."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress

from ...ir import Bool, Value
from .assign import assign
from .iterate import iterate, steps_of
from .lower import End, Lower, Never
from .values import Either, Growing, Items, Nothing, Range, Some, TupleOf

# Truth


def truth(f: Lower, value: Some) -> Value:
    match value:
        case Value(type=Bool()):
            return value
        case Value():
            return f.test("ne", value, f.const(0))
        case Nothing():
            return f.const(False)
        case Items() | Growing():
            return f.test("ne", f.length(value), f.const(0))
        case TupleOf(items):
            return f.const(bool(items))
        case Range():
            return f.test("ne", steps_of(f, value).count(), f.const(0))
        case Either():
            return f.cases(value, lambda each: truth(f, each))
    return f.const(True)


def condition(f: Lower, node: ast.expr) -> tuple[list[End], list[End]]:
    """The ways on which the expression is true, and those on which it is false."""
    with f.at(node):
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yes, no = condition(f, operand)
                return no, yes
            case ast.BoolOp(op=op, values=values):
                return _conditions(f, isinstance(op, ast.And), values)
        value = truth(f, f.evaluate(node))
        yes, no = f.b.new_block("then"), f.b.new_block("else")
        env = f.env
        f.b.branch(value, yes, no)
        return tuple([End(way, dict(env))] if f.b.reached(way) else [] for way in (yes, no))


def _conditions(f: Lower, all_of: bool, values: list[ast.expr]) -> tuple[list[End], list[End]]:
    """Of `and`, or of `or`: each is looked at where those before it leave it open."""
    decided: list[End] = []
    on: list[End] = [End(f.b.block, f.env)]
    for value in values:
        with suppress(Never):
            f.join(on)
            yes, no = condition(f, value)
            on, done = (yes, no) if all_of else (no, yes)
            decided += done
            continue
        on = []
        break
    return (on, decided) if all_of else (decided, on)


def each_of(f: Lower, node: ast.GeneratorExp | ast.ListComp, then: Callable[[Some], None]) -> None:
    """Runs `then` for each value of a comprehension, whose names are its own."""
    hidden = {n.id for c in node.generators for n in ast.walk(c.target) if isinstance(n, ast.Name)}
    kept = {name: f.env[name] for name in hidden if name in f.env}

    def generate(at: int) -> None:
        if at == len(node.generators):
            then(f.evaluate(node.elt))
            return
        part = node.generators[at]
        with f.naming(hidden if at else set()):
            steps = steps_of(f, f.evaluate(part.iter))

        def once(value: Some, loop) -> None:
            with f.naming(hidden):
                assign(f, part.target, value)
                ends: list[End] = []
                with suppress(Never):
                    for test in part.ifs:
                        yes, no = condition(f, test)
                        ends += no
                        f.join(yes)
                    generate(at + 1)
                    ends.append(End(f.b.block, f.env))
                f.join(ends)

        iterate(f, part.iter, steps, hidden, once)

    generate(0)
    for name in hidden:
        f.env.pop(name, None)
    f.env.update(kept)
