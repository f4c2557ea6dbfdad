"""The values that a for statement, a comprehension, or a function such as sum iterates over."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress

from ...ir.form import Value
from ..ssa import Tagged, Unreachable
from .build import Exit, LoopContext, PythonBuilder
from .calls import call
from .sequences import load, pick
from .steps import Steps, range_steps
from .values import Growing, Items, PythonValue, RangeValue, TupleOf, Wrapped

# A loop over a tuple of up to this many items has one copy of its body per item.
UNROLLED = 64
# A loop with a known number of iterations is unrolled if that makes at most this many nodes of the source.
WRITTEN_OUT = 160


def steps_of(f: PythonBuilder, value: PythonValue) -> Steps:
    """The steps of an iterable; raises TypeError if the value is not iterable."""
    match value:
        case RangeValue():
            return range_steps(f, value)
        case Items() | Growing():
            fixed = isinstance(value, Items)
            return Steps(lambda: f.length(value), lambda at: load(f, f.items(value), at), fixed=fixed)
        case TupleOf(items):
            return _tuple(f, items)
        case Wrapped("enumerate", [inner]):
            of = steps_of(f, inner)
            return Steps(
                of.count, lambda at: TupleOf([f.one("add", value.start, at), of.item(at)]), of.known,
                fixed=of.fixed, lazy=of.lazy,
            )  # fmt: skip
        case Wrapped("reversed", [inner]):
            of = steps_of(f, inner)
            last = f.one("sub", of.count(), f.const(1))
            return Steps(of.count, lambda at: of.item(f.one("sub", last, at)), of.known, fixed=of.fixed)
        case Wrapped("zip" | "zip strict" as how, inner):
            steps = _zipped(f, [steps_of(f, one) for one in inner])
            if how == "zip strict":
                steps.finish = lambda: _same_lengths(f, inner, steps.count())
            return steps
        case Wrapped("map", [function, inner, node]):
            steps = _zipped(f, [steps_of(f, one) for one in inner])
            together = steps.item
            steps.item = lambda at: call(f, function, together(at).items, {}, node)
            steps.lazy = True
            return steps
        case Tagged():
            raise f.error("iterating over a value of several kinds: tell them apart first")
    raise f.type_error(f"'{f.describe(value)}' object is not iterable", value)


def _same_lengths(f: PythonBuilder, iterables: list[PythonValue], count: Value) -> None:
    for at, other in enumerate(iterables[1:], 2):
        longer = f.test("ne", steps_of(f, other).count(), steps_of(f, iterables[0]).count())
        f.check(longer, ValueError, f"zip() argument {at} has a different length than the ones before it")


def _tuple(f: PythonBuilder, items: list[PythonValue]) -> Steps:
    def item(at: Value) -> PythonValue:
        place = f.constant(at)
        if place is None:
            return pick(f, TupleOf(items), at)
        return items[place]

    return Steps(lambda: f.const(len(items)), item, len(items))


def _zipped(f: PythonBuilder, each: list[Steps]) -> Steps:
    def count() -> Value:
        if not each:
            return f.const(0)
        least = each[0].count()
        for other in each[1:]:
            least = f.least(least, other.count())
        return least

    if any(one.lazy for one in each[:-1]):
        # of which one more would be asked for where another ends
        raise f.error("a map() among others: make it the last, or make a list() of it")
    known = [one.known for one in each]
    return Steps(
        count, lambda at: TupleOf([one.item(at) for one in each]),
        min(known) if None not in known else None,
        fixed=all(one.fixed for one in each), lazy=any(one.lazy for one in each),
    )  # fmt: skip


def iterate(
    f: PythonBuilder,
    node: ast.AST,
    steps: Steps,
    names: set[str],
    once: Callable[[PythonValue, LoopContext], None],
    after: Callable[[], None] = lambda: None,
) -> None:
    """Runs `once` for each item, which ends the iteration; and `after` all, unless the loop was left."""

    def then() -> None:
        steps.finish()
        after()

    if steps.known is not None and steps.known <= UNROLLED:
        _unrolled(f, node, steps, once, then)
    elif steps.range is not None:
        _counted(f, node, steps.range, names, once, after)
    else:
        _indexed(f, node, steps, names, once, then)


def _unrolled(f: PythonBuilder, node: ast.AST, steps: Steps, once, after) -> None:
    loop = LoopContext(node, f.b.block, {})
    f.loops.append(loop)
    ends: list[Exit] = []
    with f.way(ends):
        for at in range(steps.known):
            loop.continues = []
            once(steps.item(f.const(at)), loop)
    f.loops.pop()
    if ends:
        ends.clear()
        with f.way(ends):
            after()
    f.join(ends + loop.breaks)


def _counted(f: PythonBuilder, node: ast.AST, over: RangeValue, names: set[str], once, after) -> None:
    step = f.constant(over.step)
    if step is None:
        _indexed(f, node, range_steps(f, over), names, once, after)
        return
    start, stop = f.constant(over.start), f.constant(over.stop)
    if start is not None and stop is not None:
        # as many as -(distance // -step), which len() may not count
        count = max(0, -((stop - start) // -step))
        if count * sum(1 for _ in ast.walk(node)) <= WRITTEN_OUT:
            rounds = range(start, stop, step)
            # so each iteration's values are known separately
            steps = Steps(
                lambda: f.const(len(rounds)), lambda at: f.const(rounds[f.constant(at)]), len(rounds)
            )
            _unrolled(f, node, steps, once, after)
            return
    _walk(
        f, node, names, over.start, lambda at: f.test("lt" if step > 0 else "gt", at, over.stop),
        lambda at: at, lambda at: f.one("add", at, over.step), once, after,
    )  # fmt: skip


def _indexed(f: PythonBuilder, node: ast.AST, steps: Steps, names: set[str], once, after) -> None:
    count = steps.count() if steps.fixed else None
    _walk(
        f, node, names, f.const(0), lambda at: f.test("lt", at, count or steps.count()),
        steps.item, lambda at: f.one("add", at, f.const(1)), once, after,
    )  # fmt: skip


def _walk(
    f: PythonBuilder, node: ast.AST, names: set[str], start: Value, goes_on, item, following, once, after
) -> None:
    """A loop with a counter of its own, which only the loop changes."""
    counter = f"{node.lineno}.{node.col_offset} counter"
    outer = f.env.get(counter)
    f.env[counter] = start
    loop = f.loop(node, names | {counter})
    at = f.env[counter]
    on, over = f.parted(goes_on(at), "round", "end")
    with suppress(Unreachable):
        f.join(on)
        once(item(at), loop)
        f.env[counter] = following(at)
        f.back(loop)
    f.loops.pop()
    ends: list[Exit] = []

    with f.way(ends):
        f.join(over)
        f.env.pop(counter)
        if outer is not None:
            f.env[counter] = outer
        after()
    for end in loop.breaks:
        end.env.pop(counter, None)
    f.join(ends + loop.breaks)
