"""Comprehensions and other loops over items; and conditions, which they share with statements."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress

from ...ir.form import Bool, Value
from ..ssa import Tagged, Unreachable
from . import sequences
from .assign import assign
from .build import Exit, PythonBuilder
from .iterate import UNROLLED, iterate, steps_of
from .sequences import item_for, made_of, store
from .values import Constant, Growing, Items, Nothing, PythonValue, RangeValue, TupleOf, Wrapped

# Whether a list's comprehension has a frame of its own.
FRAMED = sys.version_info < (3, 12)

# Truth


def truth(f: PythonBuilder, value: PythonValue) -> Value:
    match value:
        case Value(type=Bool()):
            return value
        case Value():
            return f.test("ne", value, f.const(0))
        case Nothing():
            return f.const(False)
        case Items(maker="ndarray"):
            raise f.error("the truth of a NumPy array: test its length, or its items")
        case Items() | Growing():
            return f.test("ne", f.length(value), f.const(0))
        case TupleOf(items):
            return f.const(bool(items))
        case RangeValue():
            return f.test("ne", steps_of(f, value).count(), f.const(0))
        case Tagged():
            return f.cases(value, lambda each: truth(f, each))
        case Constant(str() as text):
            return f.const(bool(text))
        case Constant(known) if hasattr(type(known), "__bool__") or hasattr(type(known), "__len__"):
            raise f.error(f"the truth of a {f.describe(value)} is not compiled")
    return f.const(True)


def condition(f: PythonBuilder, node: ast.expr) -> tuple[list[Exit], list[Exit]]:
    """The ends of the paths on which the expression is true, and of those on which it is false."""
    with f.at(node):
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yes, no = condition(f, operand)
                return no, yes
            case ast.BoolOp(op=op, values=values):
                return _conditions(f, isinstance(op, ast.And), values)
        return f.parted(truth(f, f.evaluate(node)), "then", "else")


def _conditions(f: PythonBuilder, all_of: bool, values: list[ast.expr]) -> tuple[list[Exit], list[Exit]]:
    """The same for `and` or `or`: each operand is evaluated if those before it do not decide."""
    decided: list[Exit] = []
    on: list[Exit] = [Exit(f.b.block, f.env)]
    for value in values:
        with suppress(Unreachable):
            f.join(on)
            yes, no = condition(f, value)
            on, done = (yes, no) if all_of else (no, yes)
            decided += done
            continue
        on = []
        break
    return (on, decided) if all_of else (decided, on)


def generator(f: PythonBuilder, node: ast.GeneratorExp | ast.ListComp) -> Wrapped:
    """A comprehension, with what it goes through first, which is evaluated at once."""
    return Wrapped("generator", [node, f.evaluate(node.generators[0].iter)])


def each_of(f: PythonBuilder, over: Wrapped, then: Callable[[PythonValue], None]) -> None:
    """Runs `then` for each value of a comprehension, whose names are its own."""
    node, first = over.of
    own = {n.id for c in node.generators for n in ast.walk(c.target) if isinstance(n, ast.Name)}
    # a list is made at once; a generator runs when its items are requested
    made = isinstance(node, ast.ListComp)
    scope = f.new_scope(own, f.scope, framed=not made or FRAMED)

    @contextmanager
    def within() -> Iterator[None]:
        with f.at(node) if made else nullcontext(), f.called() if scope.framed else nullcontext():
            yield

    def generate(at: int) -> None:
        if at == len(node.generators):
            then(f.evaluate(node.elt))
            return
        part = node.generators[at]
        with f.scoped(scope):
            steps = steps_of(f, f.evaluate(part.iter) if at else first)

        def once(value: PythonValue, loop) -> None:
            with f.scoped(scope), nullcontext() if at else within():
                assign(f, part.target, value)
                ends: list[Exit] = []
                with f.way(ends):
                    for test in part.ifs:
                        yes, no = condition(f, test)
                        ends += no
                        f.join(yes)
                    generate(at + 1)
                f.join(ends)

        iterate(f, part.iter, steps, set(map(scope.key, own)), once)

    generate(0)
    scope.ended = True
    f.leave(scope, f.env)


# Iterating over values


def accumulated(
    f: PythonBuilder,
    node: ast.AST,
    over: PythonValue,
    start: PythonValue,
    then: Callable[[PythonValue, PythonValue], PythonValue],
) -> PythonValue:
    """A fold: begins with `start`, and applies `then` to the result so far and each value."""
    name = f"{node.lineno}.{node.col_offset} total"
    with f.accumulating(name, start):

        def further(value: PythonValue) -> None:
            made = then(f.env[name], value)
            # joins may have made another environment
            f.env[name] = made

        through(f, node, over, further)
        found = f.env[name]
    return found


def through(f: PythonBuilder, node: ast.AST, over: PythonValue, then: Callable[[PythonValue], None]) -> None:
    if isinstance(over, Wrapped) and over.what == "generator":
        each_of(f, over, then)
    else:
        iterate(f, node, steps_of(f, over), set(), lambda value, loop: then(value))


def collected(f: PythonBuilder, maker: str, over: PythonValue, site: ast.AST) -> PythonValue:
    """A list, tuple, bytes or bytearray of the values."""
    count, unrolled = _count(f, over)
    if unrolled:
        values: list[PythonValue] = []
        through(f, site, over, values.append)
        if maker == "tuple":
            return TupleOf(values)
        return made_of(f, maker, values, site if maker in ("list", "bytearray") else None)
    element = sequences.made_at(f, maker, site)
    if count is not None:
        array = f.new(element, f.room(count, site))
        made = Items(maker, array, size=count)

        def put(at: PythonValue, value: PythonValue) -> PythonValue:
            store(f, made, at, item_for(f, made, value, site))
            return f.one("add", at, f.const(1))

        accumulated(f, site, over, f.const(0), put)
        return f.fresh(maker, array, count, site)
    growing = Growing(maker, element)
    f.env[growing] = Items(maker, f.new(element, f.const(8)), None, f.const(0))
    through(f, site, over, lambda value: sequences.append(f, growing, value, site))
    return grown(f, growing, site)


def grown(f: PythonBuilder, growing: Growing, site: ast.AST) -> PythonValue:
    """The grown object; unless it may grow further, without spare room."""
    if site in f.unit.grown:
        return growing
    items = f.env.pop(growing)
    readonly = items.maker in ("bytes", "tuple")
    return Items(items.maker, items.array, None, items.length, readonly, site=None if readonly else site)


def _count(f: PythonBuilder, over: PythonValue) -> tuple[Value | None, bool]:
    """The number of values, if it is known in advance; and whether the loop is unrolled."""
    if not isinstance(over, Wrapped) or over.what != "generator":
        steps = steps_of(f, over)
        return (None, False) if isinstance(over, Growing) else (steps.count(), steps.known is not None)
    node, source = over.of
    if len(node.generators) > 1 or node.generators[0].ifs:
        return None, False
    if isinstance(source, Growing | Tagged):
        return None, False
    steps = steps_of(f, source)
    count = steps.count()
    many = f.constant(count)
    tables = isinstance(node.elt, ast.List | ast.ListComp | ast.Tuple)
    return count, steps.known is not None or (tables and many is not None and many <= UNROLLED)
