"""Statements to IR."""

from __future__ import annotations

import ast
from contextlib import suppress

from ..ssa import Tagged, Unreachable
from .arithmetic import binary
from .assign import assign
from .build import Exit, LoopContext, PythonBuilder, states
from .comprehend import condition
from .concat import is_bytes, longer
from .expressions import local, read
from .iterate import iterate, steps_of
from .kinds import Bailout
from .methods import extend
from .sequences import Slice, delete_item, load_item, store_item, store_slice
from .source import assigned
from .values import NONE, UNBOUND, Constant, PythonValue, TupleOf


@states(ast.Assign)
def _assign(f: PythonBuilder, node: ast.Assign) -> None:
    match node:
        case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(other) as left, ast.Add(), right)) if (
            name == other
        ):
            with f.at(node.value):
                value = f.evaluate(left)
                f.env[f.scope.key(name)] = _added(f, name, value, f.evaluate(right))
            return
    value = f.evaluate(node.value)
    for target in node.targets:
        assign(f, target, value)


@states(ast.AnnAssign)
def _annotated(f: PythonBuilder, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(f, node.target, f.evaluate(node.value))


@states(ast.AugAssign)
def _augmented(f: PythonBuilder, node: ast.AugAssign) -> None:
    match node.target:
        case ast.Name() as name:
            value = f.evaluate(ast.copy_location(ast.Name(name.id, ast.Load()), name))
            if isinstance(node.op, ast.Add) and is_bytes(value):
                f.env[f.scope.key(name.id)] = _added(f, name.id, value, read(f, node.value))
            else:
                f.env[f.scope.key(name.id)] = _in_place(f, value, node)
        case ast.Subscript(value=container, slice=ast.Slice()):
            raise f.error("an augmented assignment to a slice: assign to the slice")
        case ast.Subscript(value=container, slice=index):
            where, at = f.evaluate(container), f.evaluate(index)
            store_item(f, where, at, _in_place(f, f.cases(where, lambda each: load_item(f, each, at)), node))
        case _:
            raise f.error("the target of an assignment must be a name or an item")


def _added(f: PythonBuilder, name: str, value: PythonValue, more: PythonValue) -> PythonValue:
    """The name's value plus more; bytes in a loop grow in the same memory if there is room."""
    if f.loops and is_bytes(value) and is_bytes(more):
        return longer(f, f.env[f.scope.key(name)], value, more)
    return binary(f, ast.Add(), value, more)


BUFFERS = ("bytes", "bytearray", "memoryview", "array", "ndarray")


def _in_place(f: PythonBuilder, value: PythonValue, node: ast.AugAssign) -> PythonValue:
    other = read(f, node.value) if isinstance(node.op, ast.Add) else f.evaluate(node.value)
    return _changed(f, value, other, node)


def _changed(f: PythonBuilder, value: PythonValue, other: PythonValue, node: ast.AugAssign) -> PythonValue:
    """An augmented assignment to a list or bytearray modifies the object, which others may hold."""
    if isinstance(value, Tagged):
        return f.cases(value, lambda each: _changed(f, each, other, node))
    kind = f.describe(value)
    if kind not in ("list", "bytearray") or not isinstance(node.op, ast.Add | ast.Mult):
        return binary(f, node.op, value, other)
    if isinstance(value, TupleOf):
        raise f.error("changing a list of anything but ints: make a new one, for example by +")
    if f.describe(other) == "ndarray":
        raise f.error("a NumPy array as a whole: compiled code works on its items")
    if isinstance(node.op, ast.Mult):
        store_slice(f, value, Slice(), binary(f, node.op, value, other))
        return value
    if kind == "bytearray" and not isinstance(other, Tagged) and f.describe(other) not in BUFFERS:
        raise f.type_error(f"can't concat {f.describe(other)} to bytearray", other)
    extend(f, value, other, node)
    return value


@states(ast.If)
def _if(f: PythonBuilder, node: ast.If) -> None:
    yes, no = condition(f, node.test)
    ends: list[Exit] = []
    for ways, statements in ((yes, node.body), (no, node.orelse)):
        with f.way(ends):
            f.join(ways)
            f.body(statements)
    f.join(ends)


@states(ast.While)
def _while(f: PythonBuilder, node: ast.While) -> None:
    loop = f.loop(node, f.keys(assigned(node)))
    yes, no = condition(f, node.test)
    ends: list[Exit] = []
    with suppress(Unreachable):
        f.join(yes)
        _round(f, loop, node.body)
        f.back(loop)
    f.loops.pop()
    with f.way(ends):
        f.join(no)
        f.body(node.orelse)
    f.join(ends + loop.breaks)


def _round(f: PythonBuilder, loop: LoopContext, statements: list[ast.stmt]) -> None:
    """Lowers the body once, up to where it ends or continues."""
    ends: list[Exit] = []
    with f.way(ends):
        f.body(statements)
    f.join(ends + loop.continues)


@states(ast.For)
def _for(f: PythonBuilder, node: ast.For) -> None:
    steps = steps_of(f, f.evaluate(node.iter))

    def once(value: PythonValue, loop: LoopContext) -> None:
        assign(f, node.target, value)
        _round(f, loop, node.body)

    iterate(f, node, steps, f.keys(assigned(node)), once, lambda: f.body(node.orelse))


@states(ast.Break)
def _break(f: PythonBuilder, node: ast.Break) -> None:
    f.loops[-1].breaks.append(Exit(f.b.block, f.env))
    raise Unreachable


@states(ast.Continue)
def _continue(f: PythonBuilder, node: ast.Continue) -> None:
    f.loops[-1].continues.append(Exit(f.b.block, f.env))
    raise Unreachable


@states(ast.Return)
def _return(f: PythonBuilder, node: ast.Return) -> None:
    f.return_(NONE if node.value is None else f.evaluate(node.value))


@states(ast.Expr)
def _expression(f: PythonBuilder, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        f.evaluate(node.value)


@states(ast.Raise)
def _raise(f: PythonBuilder, node: ast.Raise) -> None:
    raise f.raise_(*_raised(f, node))


def _raised(f: PythonBuilder, node: ast.Raise) -> tuple:
    """An exception's type and arguments; Undone if the arguments have to be computed."""
    found = node.exc
    if found is None:
        return RuntimeError, "No active exception to reraise"
    called, given = (found.func, found.args) if isinstance(found, ast.Call) else (found, [])
    if node.cause is not None or (isinstance(found, ast.Call) and found.keywords):
        return (Bailout,)
    if isinstance(called, ast.Name) and f.scope.find(called.id)[0] is None:
        type_ = f.evaluate(called)
        args = _constants(given)
        if args is not None and isinstance(type_, Constant) and _is_exception(type_.value):
            return type_.value, *args
    return (Bailout,)


def _is_exception(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _constants(nodes: list[ast.expr]) -> list | None:
    """The values of these nodes, if they are constants in the source."""
    try:
        return [ast.literal_eval(node) for node in nodes]
    except ValueError:
        return None


@states(ast.Assert)
def _assert(f: PythonBuilder, node: ast.Assert) -> None:
    if not __debug__:
        return
    yes, no = condition(f, node.test)
    with suppress(Unreachable):
        f.join(no)
        args = _constants([node.msg] if node.msg else [])
        f.raise_(*((Bailout,) if args is None else (AssertionError, *args)))
    f.join(yes)


@states(ast.Delete)
def _delete(f: PythonBuilder, node: ast.Delete) -> None:
    for target in node.targets:
        match target:
            case ast.Name(id=name):
                f.evaluate(ast.copy_location(ast.Name(name, ast.Load()), target))
                f.env[f.scope.key(name)] = UNBOUND
            case ast.Subscript(value=container, slice=index) if not isinstance(index, ast.Slice):
                delete_item(f, f.evaluate(container), f.evaluate(index))
            case _:
                raise f.error("del of a slice: make a list of the rest")


states(ast.Pass)(lambda f, node: None)


@states(ast.FunctionDef)
def _function(f: PythonBuilder, node: ast.FunctionDef) -> None:
    if node.decorator_list:
        raise f.error("a decorator inside a function", node.decorator_list[0])
    f.env[f.scope.key(node.name)] = local(f, node)


@states(ast.Global)
def _global(f: PythonBuilder, node: ast.Global) -> None:
    raise f.error(f"global {', '.join(node.names)}: pass it, and return it")
