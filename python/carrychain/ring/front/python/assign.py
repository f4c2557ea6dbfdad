"""Assignment to names, items and slices."""

from __future__ import annotations

import ast

from ...ir.form import Value
from ..ssa import Tagged
from .build import PythonBuilder
from .iterate import steps_of
from .sequences import Slice, store_item, store_slice
from .values import NONE, PythonValue, TupleOf


def assign(f: PythonBuilder, target: ast.expr, value: PythonValue) -> None:
    with f.at(target):
        match target:
            case ast.Name(id=name):
                f.env[f.scope.key(name)] = f.kept(value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for each, part in zip(targets, unpacked(f, value, len(targets)), strict=True):
                    assign(f, each, part)
            case ast.Subscript(value=container, slice=ast.Slice() as cut):
                store_slice(f, f.evaluate(container), slice_of(f, cut), value)
            case ast.Subscript(value=container, slice=index):
                store_item(f, f.evaluate(container), f.evaluate(index), value)
            case ast.Starred():
                raise f.error("*: give each item a name")
            case _:
                raise f.error("the target of an assignment must be a name, an item or a slice")


def unpacked(f: PythonBuilder, value: PythonValue, count: int) -> list[PythonValue]:
    if isinstance(value, Tagged):
        return f.cases(value, lambda each: TupleOf(unpacked(f, each, count))).items
    if isinstance(value, TupleOf):
        known, item = len(value.items), value.items.__getitem__
    else:
        steps = steps_of(f, value)
        known, item = steps.known, lambda at: steps.item(f.const(at))
        if known is None:
            if steps.lazy:
                raise f.error("unpacking a map() of unknown length: make a list() of it")
            length = steps.count()
            many = f.test("gt", length, f.const(count))
            f.check(many, ValueError, f"too many values to unpack (expected {count})")
            for got in range(count):
                few = f.test("eq", length, f.const(got))
                f.check(few, ValueError, f"not enough values to unpack (expected {count}, got {got})")
            return [item(at) for at in range(count)]
    # one more item is requested, to see that there is none
    found = [item(at) for at in range(min(known, count + 1))]
    if known < count:
        raise f.raise_(ValueError, f"not enough values to unpack (expected {count}, got {known})")
    if known > count:
        raise f.raise_(ValueError, f"too many values to unpack (expected {count})")
    return found


def slice_of(f: PythonBuilder, node: ast.Slice) -> Slice:
    """The slice's bounds as ints; None for an omitted one."""

    def bound(part: ast.expr | None) -> Value | None:
        value = NONE if part is None else f.evaluate(part)
        return None if value == NONE else f.as_int(value)

    lower, upper, step = bound(node.lower), bound(node.upper), bound(node.step)
    width = _width(node)
    span = None if width is None else f.const(width)
    match node.lower, node.upper:
        case ast.Name(id=at), ast.BinOp(ast.Name(id=name), ast.Add(), ast.Name() as more) if at == name:
            # reading a name has no effect, so it may be repeated
            span = f.as_int(f.evaluate(more))
    return Slice(lower, upper, step, width, span)


def _width(node: ast.Slice) -> int | None:
    """n, for a slice [i : i + n]: the number of its items, unless it is cut short."""
    if node.upper is None or node.step is not None:
        return None
    base, first = ("", 0) if node.lower is None else _offset(node.lower)
    other, last = _offset(node.upper)
    return last - first if base == other and last > first else None


def _offset(node: ast.expr) -> tuple[str, int]:
    """An expression as the sum of another one and a constant."""
    match node:
        case ast.Constant(value=int(n)):
            return "", n
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int(n))):
            base, more = _offset(left)
            return base, more + n
    return ast.dump(node), 0
