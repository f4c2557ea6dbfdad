"""Expressions to IR."""

from __future__ import annotations

import ast
from contextlib import suppress

from ...ir.form import INT
from ...ir.interface import Union
from ..ssa import Tagged, Unreachable
from .arithmetic import ROUNDINGS, binary, compare, quotient, unary
from .assign import assign, slice_of
from .build import FREE, LOCAL, SPARE, Exit, PythonBuilder, lowers
from .calls import call
from .comprehend import collected, condition, generator, grown, truth
from .concat import is_bytes, seen, total
from .kinds import Unbound
from .methods import extend
from .sequences import copied, gathered, load_item, made_of, slice_items
from .source import is_quotient
from .values import UNBOUND, Constant, Growing, Items, NestedFunction, PythonValue, TupleOf

# Names and constants


@lowers(ast.Constant)
def _constant(f: PythonBuilder, node: ast.Constant) -> PythonValue:
    return f.program.lifted(f, node.value)


@lowers(ast.Name)
def _name(f: PythonBuilder, node: ast.Name) -> PythonValue:
    scope, free = f.scope.find(node.id)
    if scope is None:
        return f.program.outside(f, node.id)
    if scope.ended:
        raise f.error("a function that a comprehension makes, and that outlives it: write a loop")
    space, key = (f.env, scope.key(node.id)) if scope.values is None else (scope.values, node.id)
    found = space.get(key, UNBOUND)
    missing = (NameError, FREE) if free else (UnboundLocalError, LOCAL)
    if found is UNBOUND:
        raise f.raise_(missing[0], missing[1].format(node.id))
    if isinstance(found, Tagged) and isinstance(found.type.members[0], Unbound):
        f.check(f.is_member(found, 0), missing[0], missing[1].format(node.id))
        found = without_first(f, found)
        if scope.values is None:
            # what was seen here holds for this path
            f.env[key] = found
    return seen(f, found)


def without_first(f: PythonBuilder, value: Tagged) -> PythonValue:
    """The value without its first kind, which it does not have."""
    if len(value.parts) == 2:
        return value.parts[1]
    return Tagged(Union(value.type.members[1:]), value.flags[1:], value.parts[1:])


@lowers(ast.Tuple)
def _tuple(f: PythonBuilder, node: ast.Tuple) -> PythonValue:
    if any(isinstance(each, ast.Starred) for each in node.elts):
        return _with_stars(f, "tuple", node)
    return TupleOf([f.evaluate(each) for each in node.elts])


@lowers(ast.List)
def _list(f: PythonBuilder, node: ast.List) -> PythonValue:
    if any(isinstance(each, ast.Starred) for each in node.elts):
        return _with_stars(f, "list", node)
    values = [f.evaluate(each) for each in node.elts]
    return made_of(f, "list", values, node)


def _with_stars(f: PythonBuilder, maker: str, node: ast.Tuple | ast.List) -> PythonValue:
    """A list or tuple of items, and of the items of starred ones."""
    parts: list[PythonValue] = []
    for at, each in enumerate(node.elts, 1):
        if isinstance(each, ast.Starred):
            parts.append(_settled(f, f.evaluate(each.value), each.value, node.elts[at:]))
        else:
            parts.append(TupleOf([f.evaluate(each)]))
    if all(isinstance(part, TupleOf) for part in parts):
        items = [item for part in parts for item in part.items]
        return TupleOf(items) if maker == "tuple" else made_of(f, "list", items, node)
    if all(isinstance(part, TupleOf | Items | Growing) for part in parts):
        return gathered(f, maker, parts, node)
    growing = Growing(maker, INT)
    f.env[growing] = Items(maker, f.new(INT, f.const(SPARE)), None, f.const(0))
    for part in parts:
        extend(f, growing, part, node)
    return grown(f, growing, node)


def _settled(f: PythonBuilder, value: PythonValue, node: ast.expr, rest: list[ast.expr]) -> PythonValue:
    """The value as it is now: copied if calls in the rest may change it, unless it was made for this."""
    calls = any(isinstance(each, ast.Call) for other in rest for each in ast.walk(other))
    changes = isinstance(value, Growing) or (isinstance(value, Items) and value.site is not node)
    if calls and changes and value.maker not in ("bytes", "tuple"):
        return copied(f, f.items(value), "tuple")
    return value


# Paths


@lowers(ast.BoolOp)
def _bool(f: PythonBuilder, node: ast.BoolOp) -> PythonValue:
    """`and` and `or` yield the operand that decides."""
    all_of = isinstance(node.op, ast.And)
    ends: list[Exit] = []
    *others, last = node.values
    with suppress(Unreachable):
        for each in others:
            value = f.evaluate(each)
            decided, on = f.parted(truth(f, value), "decided", "open", not all_of)
            ends += [end._replace(value=value) for end in decided]
            f.join(on)
        value = f.evaluate(last)
        ends.append(Exit(f.b.block, f.env, value))
    return f.join(ends)


@lowers(ast.IfExp)
def _conditional(f: PythonBuilder, node: ast.IfExp) -> PythonValue:
    ends: list[Exit] = []
    yes, no = condition(f, node.test)
    for ways, each in ((yes, node.body), (no, node.orelse)):
        with suppress(Unreachable):
            f.join(ways)
            value = f.evaluate(each)
            ends.append(Exit(f.b.block, f.env, value))
    return f.join(ends)


# Operators


@lowers(ast.BinOp)
def _binary(f: PythonBuilder, node: ast.BinOp) -> PythonValue:
    if isinstance(node.op, ast.Add):
        return _sum(f, node)
    left = f.evaluate(node.left)
    right = f.evaluate(node.right)
    return binary(f, node.op, left, right)


def _sum(f: PythonBuilder, node: ast.BinOp) -> PythonValue:
    """A sum of two or more operands; bytes are concatenated in one step."""
    sums = [node]
    while isinstance(sums[-1].left, ast.BinOp) and isinstance(sums[-1].left.op, ast.Add):
        sums.append(sums[-1].left)
    parts = [f.evaluate(sums[-1].left)]
    for each in reversed(sums):
        with f.at(each):
            more = f.evaluate(each.right)
            if not (is_bytes(parts[0]) and is_bytes(more)):
                more = binary(f, each.op, total(f, parts), more)
                parts = []
            parts.append(more)
    return total(f, parts)


@lowers(ast.NamedExpr)
def _named(f: PythonBuilder, node: ast.NamedExpr) -> PythonValue:
    assign(f, node.target, f.evaluate(node.value))
    return f.evaluate(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))


@lowers(ast.UnaryOp)
def _unary(f: PythonBuilder, node: ast.UnaryOp) -> PythonValue:
    value = f.evaluate(node.operand)
    if isinstance(node.op, ast.Not):
        return f.not_(truth(f, value))
    return unary(f, node.op, value)


@lowers(ast.Compare)
def _compare(f: PythonBuilder, node: ast.Compare) -> PythonValue:
    """A chain ends at the first false comparison; each operand is computed once, in turn."""
    ends: list[Exit] = []
    with suppress(Unreachable):
        ends.append(_chained(f, node, ends))
    return f.join(ends)


def _chained(f: PythonBuilder, node: ast.Compare, ends: list[Exit]) -> Exit:
    """The end of the last comparison; those at which one before it is false are added to `ends`."""
    left = f.evaluate(node.left)
    for at, (op, operand) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = f.evaluate(operand)
        found = compare(f, op, left, right)
        if at == len(node.ops) - 1:
            break
        on, decided = f.parted(found, "next", "false")
        for end in decided:
            f.join([end])
            ends.append(end._replace(value=f.const(False)))
        f.join(on)
        left = right
    return Exit(f.b.block, f.env, found)


# Items


@lowers(ast.Subscript)
def _subscript(f: PythonBuilder, node: ast.Subscript, read: bool = False) -> PythonValue:
    container = f.evaluate(node.value)
    if isinstance(node.slice, ast.Slice):
        cut = slice_of(f, node.slice)
        return f.cases(container, lambda each: slice_items(f, each, cut, read))
    index = f.evaluate(node.slice)
    return f.cases(container, lambda each: load_item(f, each, index))


@lowers(ast.Attribute)
def _attribute(f: PythonBuilder, node: ast.Attribute) -> PythonValue:
    value = f.evaluate(node.value)
    if isinstance(value, Constant):
        return f.program.attribute(f, value.value, node.attr)
    if isinstance(value, Items):
        found = _of_buffer(f, value, node.attr)
        if found is not None:
            return found
    raise f.error(f".{node.attr}: compiled code has methods only in calls, and no attributes")


def _of_buffer(f: PythonBuilder, items: Items, name: str) -> PythonValue | None:
    """An attribute of a one-dimensional buffer, such as its shape."""
    match items.maker, name:
        case "memoryview" | "ndarray", "ndim":
            return f.const(1)
        case "memoryview", "readonly":
            return f.const(items.readonly)
        case "memoryview" | "ndarray", "nbytes" if items.element == f.program.BYTE:
            return f.length(items)
    return None


# Calls and comprehensions


@lowers(ast.Call)
def _call(f: PythonBuilder, node: ast.Call) -> PythonValue:
    for keyword in node.keywords:
        if keyword.arg is None:
            raise f.error("**: name each argument", keyword.value)
    match node.func:
        case ast.Attribute(value=of, attr=name):
            receiver = f.evaluate(of)
            if not isinstance(receiver, Constant):
                args = _arguments(f, node.args, name == "join")
                keys = {k.arg: f.evaluate(k.value) for k in node.keywords}
                return f.cases(receiver, lambda each: call(f, (each, name), args, keys, node))
            function = f.program.attribute(f, receiver.value, name)
        case _:
            function = f.evaluate(node.func)
    if len(node.args) == 1 and not node.keywords and is_quotient(node.args[0]):
        how = _rounding(function)
        if how is not None:
            with f.at(node.args[0]):
                a, b = f.evaluate(node.args[0].left), f.evaluate(node.args[0].right)
                return quotient(f, a, b, how)
    if isinstance(function, Constant) and _reads(function.value, node):
        args = [read(f, node.args[0]), *_arguments(f, node.args[1:])]
    else:
        args = _arguments(f, node.args, isinstance(function, Constant) and function.value is map)
    keys = {k.arg: f.evaluate(k.value) for k in node.keywords}
    return call(f, function, args, keys, node)


def _rounding(function: PythonValue) -> str | None:
    """How this function rounds a quotient, if it is one that does."""
    found = function.value if isinstance(function, Constant) else None
    return next((how for each, how in ROUNDINGS.items() if each is found), None)


@lowers(ast.Lambda)
def local(f: PythonBuilder, node: ast.Lambda | ast.FunctionDef) -> NestedFunction:
    """An inner function: lowered at its calls, so that it sees the names' current values."""
    positional = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    defaults = map(f.evaluate, node.args.defaults)
    spare = dict(zip(positional[len(positional) - len(node.args.defaults) :], defaults, strict=True))
    for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default is not None:
            spare[each.arg] = f.evaluate(default)
    return NestedFunction(node, spare, f.scope, {})


# What may be in an argument whose evaluation changes nothing, and of these, what cannot raise either.
CHANGING_NOTHING = (ast.Constant, ast.UnaryOp, ast.unaryop, ast.Tuple, ast.Name, ast.Attribute, ast.Load)
INERT = (*CHANGING_NOTHING[:4], ast.Load)


def _reads(function: object, node: ast.Call) -> bool:
    """Whether the function only reads its first argument, before anything else happens."""
    if not node.args:
        return False
    first, *others = node.args
    if function != "int.from_bytes" and (
        others or not any(function is each for each in (bytes, bytearray, list, tuple, len, sum, min, max))
    ):
        return False
    # of a slice only the items are read later
    allowed = CHANGING_NOTHING if isinstance(first, ast.Subscript) else INERT
    rest = (*others, *(each.value for each in node.keywords))
    return all(isinstance(part, allowed) for each in rest for part in ast.walk(each))


def read(f: PythonBuilder, node: ast.expr) -> PythonValue:
    """A value that is read at once: a slice need not be copied."""
    if isinstance(node, ast.Subscript):
        with f.at(node):
            return _subscript(f, node, True)
    return _argument(f, node, True)


def _arguments(f: PythonBuilder, nodes: list[ast.expr], whole: bool = False) -> list[PythonValue]:
    found: list[PythonValue] = []
    for node in nodes:
        if not isinstance(node, ast.Starred):
            found.append(_argument(f, node, whole))
            continue
        items = f.evaluate(node.value)
        if not isinstance(items, TupleOf):
            raise f.error("*: only of a tuple of known length; otherwise write the arguments out", node)
        found += items.items
    return found


def _argument(f: PythonBuilder, node: ast.expr, whole: bool = False) -> PythonValue:
    """An argument; a list that is only iterated over as a `whole` need not be made."""
    if whole and isinstance(node, ast.List) and not any(isinstance(e, ast.Starred) for e in node.elts):
        return TupleOf([f.evaluate(each) for each in node.elts], "list")
    if isinstance(node, ast.GeneratorExp) or (whole and isinstance(node, ast.ListComp)):
        return generator(f, node)
    return f.evaluate(node)


@lowers(ast.ListComp)
def _comprehension(f: PythonBuilder, node: ast.ListComp) -> PythonValue:
    return collected(f, "list", generator(f, node), node)


@lowers(ast.JoinedStr)
def _joined(f: PythonBuilder, node: ast.JoinedStr) -> PythonValue:
    raise f.error("an f-string: compiled code has strings only in what it raises")
