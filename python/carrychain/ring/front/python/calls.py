"""Calls: which function is called, and with which arguments for its parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from inspect import CO_VARARGS
from types import FunctionType

from ..ssa import Tagged, Unreachable
from .build import Exit, PythonBuilder
from .scopes import NameScope
from .source import own_names, source_of
from .values import NONE, UNBOUND, Constant, NestedFunction, PythonValue, TupleOf

Args = list[PythonValue]
Keys = dict[str, PythonValue]

Handler = Callable[[PythonBuilder, Args, Keys, ast.Call], PythonValue]
# By function; and by the receiver's type and the method's name, with the receiver as the first argument.
FUNCTIONS: dict[object, Handler] = {}
METHODS: dict[tuple[str, str], Handler] = {}


def known(*functions: object, takes: int | tuple[int, int] | None = None) -> Callable:
    """Enters a function's handler; one that `takes` a number of arguments gets the node, and these."""

    def enter(handler):
        FUNCTIONS.update(dict.fromkeys(functions, handler if takes is None else _counted(handler, takes)))
        return handler

    return enter


def method(name: str, *types: str, takes: int | tuple[int, int] | None = None) -> Callable:
    """Enters a method's handler; the number that it takes excludes the receiver."""

    def enter(handler):
        entered = handler if takes is None else _counted(handler, takes, 1)
        METHODS.update({(type_, name): entered for type_ in types})
        return handler

    return enter


def _counted(
    handler: Callable[..., PythonValue], takes: int | tuple[int, int], receivers: int = 0
) -> Handler:
    least, most = takes if isinstance(takes, tuple) else (takes, takes)

    def counted(f: PythonBuilder, args: Args, keys: Keys, node: ast.Call) -> PythonValue:
        only(f, node, args, keys, least + receivers, most + receivers)
        return handler(f, node, *args)

    return counted


def call(
    f: PythonBuilder, function: PythonValue | tuple[PythonValue, str], args: Args, keys: Keys, node: ast.Call
) -> PythonValue:
    if isinstance(function, tuple):
        receiver, name = function
        handler = METHODS.get((f.describe(receiver), name))
        if handler is None:
            raise f.error(f"{f.describe(receiver)}.{name}: not compiled")
        return handler(f, [receiver, *args], keys, node)
    if isinstance(function, NestedFunction):
        args, keys = [f.kept(each) for each in args], {name: f.kept(each) for name, each in keys.items()}
        return call_local(f, function, args, keys)
    if isinstance(function, Tagged):
        return f.cases(function, lambda each: call(f, each, args, keys, node))
    if not isinstance(function, Constant):
        raise f.error(f"{f.describe(function)} is called: only known functions can be")
    of = function.value
    plain = getattr(of, "__carrychain__", of)
    if isinstance(plain, FunctionType):
        source_of(plain)
        return f.program.call(f, plain, [f.kept(each) for each in bound(f, plain, args, keys)])
    if isinstance(of, str) and args:
        # int.to_bytes(x, 4, "little")
        type_, _, name = of.partition(".")
        given = "int" if f.describe(args[0]) == "bool" else f.describe(args[0])
        if given == type_ and (type_, name) in METHODS:
            return METHODS[type_, name](f, args, keys, node)
    try:
        handler = FUNCTIONS.get(of)
    except TypeError:
        handler = None
    if handler is None:
        name = getattr(of, "__qualname__", None) or str(of)
        raise f.error(f"{name}: not compiled, and not a function written in Python")
    return handler(f, args, keys, node)


def bound(f: PythonBuilder, function: FunctionType, args: Args, keys: Keys) -> Args:
    """A function's arguments by position."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    more = args[code.co_argcount :] if code.co_flags & CO_VARARGS else []
    args = args[: len(args) - len(more)]
    defaults = function.__defaults__ or ()
    spare = dict(zip(names[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True))
    spare |= function.__kwdefaults__ or {}
    given = _named(f, function.__qualname__, names, code.co_argcount, args, keys, spare)
    lifted = {name: f.program.lifted(f, value) for name, value in spare.items() if name not in given}
    found = [given[name] if name in given else lifted[name] for name in names]
    return [*found, TupleOf(more)] if code.co_flags & CO_VARARGS else found


def _named(
    f: PythonBuilder, called: str, names, positional: int, args: Args, keys: Keys, spare
) -> dict[str, PythonValue]:
    """A function's arguments by name; omitted ones must be in `spare`."""
    if len(args) > positional:
        message = f"{called}() takes {positional} positional arguments but {len(args)} were given"
        raise f.raise_(TypeError, message)
    given = dict(zip(names, args, strict=False))
    for name, value in keys.items():
        if name not in names:
            raise f.raise_(TypeError, f"{called}() got an unexpected keyword argument '{name}'")
        if name in given:
            raise f.raise_(TypeError, f"{called}() got multiple values for argument '{name}'")
        given[name] = value
    for name in names:
        if name not in given and name not in spare:
            raise f.raise_(TypeError, f"{called}() missing 1 required positional argument: '{name}'")
    return given


def call_local(f: PythonBuilder, function: NestedFunction, args: Args, keys: Keys) -> PythonValue:
    """Lowers an inner function at its call, so that it sees the names' current values."""
    node = function.node
    if node in f.open:
        raise f.error("a recursive function inside a function: define it outside")
    parameters = [*node.args.posonlyargs, *node.args.args]
    names = [each.arg for each in (*parameters, *node.args.kwonlyargs)]
    called = getattr(node, "name", "<lambda>")
    star = node.args.vararg
    more = {star.arg: TupleOf(args[len(parameters) :])} if star else {}
    args = args[: len(parameters)] if star else args
    given = _named(f, called, names, len(parameters), args, keys, function.spare) | more
    outer = function.scope
    if function.brought:
        outer = NameScope(outer.function, frozenset(function.brought), outer, values=function.brought)
    scope = f.new_scope(own_names(node), outer)
    f.env.update({scope.key(name): value for name, value in (function.spare | given).items()})
    ends: list[Exit] = []
    with f.within(node, ends, scope), suppress(Unreachable):
        if isinstance(node, ast.Lambda):
            f.return_(f.evaluate(node.body))
        f.body(node.body)
        f.return_(NONE)
    scope.ended = True
    ends = [end._replace(value=_brought(f, end.value, end.env, outer)) for end in ends]
    for end in ends:
        f.leave(scope, end.env)
    return f.join(ends)


def apart(f: PythonBuilder, value: PythonValue) -> PythonValue:
    """A value that is passed to another function of the module: its inner functions bring all that they see.

    Until that function returns, nothing assigns to their names.
    """
    return _brought(f, value, f.env, None)


def _brought(f: PythonBuilder, value: PythonValue, env: dict, kept: NameScope | None) -> PythonValue:
    """The value, its inner functions with the values of the names that they see, except those of the kept
    scope and of what is around it."""
    match value:
        case TupleOf(items, maker):
            return TupleOf([_brought(f, each, env, kept) for each in items], maker)
        case Tagged(parts=parts) if any(_is_made_of_functions(each) for each in parts):
            raise f.error("an inner function that may be one of several: call it here")
        case NestedFunction(node, spare, scope, brought):
            around = kept.around() if kept else set()
            if scope in around:
                return value
            if node in f.open:
                raise f.error("a recursive function inside a function: define it outside")
            f.open.append(node)
            spare = {name: _brought(f, each, env, kept) for name, each in spare.items()}
            brought = {name: _brought(f, each, env, kept) for name, each in brought.items()}
            for name in sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)}):
                holder, _ = scope.find(name)
                if holder and holder not in around and name not in brought:
                    values, key = (env, holder.key(name)) if holder.values is None else (holder.values, name)
                    brought[name] = _brought(f, values.get(key, UNBOUND), env, kept)
            f.open.pop()
            return NestedFunction(node, spare, kept or NameScope(scope.function), brought)
    return value


def _is_made_of_functions(value: PythonValue) -> bool:
    if isinstance(value, TupleOf):
        return any(map(_is_made_of_functions, value.items))
    return isinstance(value, NestedFunction)


def only(f: PythonBuilder, node: ast.Call, args: Args, keys: Keys, least: int, most: int) -> None:
    if keys or not least <= len(args) <= most:
        raise f.error(f"{ast.unparse(node.func)} with these arguments is not compiled")


def flag(f: PythonBuilder, value: PythonValue) -> bool:
    known = f.constant(value)
    if not isinstance(known, bool):
        raise f.error("this argument must be a literal True or False")
    return known
