"""Python by walking its tree: what a module means to who reads the language reference, and what the widths of
docs/how-to/python.md mean under `jit`. It is slow, and shares nothing with the compiler.

`execute` runs a module's text. Its functions are `Function`s. Those under `jit` are `Checked`: a call from
outside looks at the arguments first, as each is annotated, and until it ends a list that is annotated holds
nothing else. An exception's `walked` are the lines that led to it, one for each call, the outermost first;
it is `declared` if there were none without annotations.
"""

from __future__ import annotations

import ast
import builtins
import operator
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from python_widths import check_item, checked, of_all

DEEPEST = 100  # calls within calls: CPython goes deeper, and so do compiled functions
STACK = 20_000  # frames of CPython's that it takes to go so deep here
# Whether a list's comprehension is a line of its own on the way to an exception.
FRAMED = sys.version_info < (3, 12)

# Scopes and frames -------------------------------------------------------------------------------


class Scope(NamedTuple):
    """A function's own names, and those that it says are the module's."""

    own: frozenset[str]
    shared: frozenset[str] = frozenset()


@cache
def scope_of(node: ast.AST) -> Scope:
    """A name that is bound anywhere in a block is local to it, unless the block says otherwise (4.2.2)."""
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        targets = [each.target for each in node.generators]
        return Scope(frozenset(n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)))
    a = node.args
    bound = {each.arg for each in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg) if each}
    elsewhere: set[str] = set()
    shared: set[str] = set()
    todo = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
    while todo:
        match each := todo.pop():
            case ast.FunctionDef(name=name, args=a, decorator_list=decorators):
                bound.add(name)
                todo += [*decorators, *a.defaults, *(d for d in a.kw_defaults if d)]
                continue
            case ast.Lambda(args=a):
                todo += [*a.defaults, *(d for d in a.kw_defaults if d)]
                continue
            case ast.ListComp() | ast.GeneratorExp():
                # its targets are its own; what := names in it is the function's
                bound.update(n.target.id for n in ast.walk(each) if isinstance(n, ast.NamedExpr))
                todo.append(each.generators[0].iter)
                continue
            case ast.Global(names=names):
                shared.update(names)
            case ast.Nonlocal(names=names):
                elsewhere.update(names)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case ast.Import(names=names):
                bound.update(each.asname or each.name for each in names)
        todo += ast.iter_child_nodes(each)
    return Scope(frozenset(bound - shared - elsewhere), frozenset(shared))


class Frame:
    """Of a call; `scope` is None in the module's, whose names are `globals`."""

    __slots__ = ("framed", "globals", "line", "names", "outer", "scope")

    def __init__(
        self, globals_: dict, scope: Scope | None, names: dict, outer: Frame | None, framed: bool = True
    ):
        self.globals, self.scope, self.names, self.outer = globals_, scope, names, outer
        self.framed = framed  # or it is a list's comprehension, a part of the function around it
        self.line = 0  # of what is done

    def holder(self, name: str) -> Frame | None:
        """The frame whose own the name is; None: it is the module's, or a builtin's."""
        frame = self
        while frame.scope is not None and name not in frame.scope.own:
            if name in frame.scope.shared:
                return None
            frame = frame.outer
        return frame if frame.scope else None

    def space(self, name: str) -> dict:
        holder = self.holder(name)
        return holder.names if holder else self.globals

    def get(self, name: str) -> object:
        holder = self.holder(name)
        space = holder.names if holder else self.globals
        if name in space:
            return space[name]
        if holder:
            frame = self
            while frame is not holder and not frame.framed:
                frame = frame.outer
            raise (UnboundLocalError if holder is frame else NameError)(f"'{name}' has no value")
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise NameError(f"name '{name}' is not defined")

    def bind(self, name: str, value: object) -> None:
        self.space(name)[name] = value

    def unbind(self, name: str) -> None:
        self.get(name)
        del self.space(name)[name]

    def passes(self, exception: Exception) -> None:
        """It has this frame's line on its way."""
        vars(exception).setdefault("walked", []).insert(0, self.line)


# Functions ---------------------------------------------------------------------------------------


class Function:
    # what functools.wraps adds goes to a __dict__ of its own
    __slots__ = ("__dict__", "defaults", "frame", "node")
    depth = 0  # of calls that are going on

    def __init__(self, node: ast.FunctionDef | ast.Lambda, frame: Frame):
        self.node, self.frame = node, frame
        self.__name__ = self.__qualname__ = getattr(node, "name", "<lambda>")
        positional = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        spare = node.args.defaults
        pairs = [*zip(positional[len(positional) - len(spare) :], spare, strict=True)]
        pairs += zip([each.arg for each in node.args.kwonlyargs], node.args.kw_defaults, strict=True)
        self.defaults = {name: value(each, frame) for name, each in pairs if each}

    def bound(self, given: tuple, named: dict) -> dict:
        """The arguments by their parameters (6.3.4)."""
        a = self.node.args
        positional = [each.arg for each in (*a.posonlyargs, *a.args)]
        names = [*positional, *(each.arg for each in a.kwonlyargs)]
        found = dict(zip(positional, given, strict=False))
        if len(given) > len(positional) and not a.vararg:
            raise TypeError(f"{self.__name__}() takes {len(positional)} positional arguments")
        for name, x in named.items():
            if name in found or name not in names:
                raise TypeError(f"{self.__name__}() got an unexpected argument '{name}'")
            found[name] = x
        missing = [name for name in names if name not in found and name not in self.defaults]
        if missing:
            raise TypeError(f"{self.__name__}() missing {missing}")
        rest = {a.vararg.arg: tuple(given[len(positional) :])} if a.vararg else {}
        return {**self.defaults, **found, **rest}

    def __call__(self, *given, **named):
        names = self.bound(given, named)
        if Function.depth > DEEPEST:
            raise RecursionError("maximum recursion depth exceeded")
        frame = Frame(self.frame.globals, scope_of(self.node), names, self.frame)
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, STACK))
        Function.depth += 1
        try:
            if isinstance(self.node, ast.Lambda):
                return value(self.node.body, frame)
            end = block(self.node.body, frame)
            return end.value if isinstance(end, Returned) else None
        except Exception as exception:
            frame.passes(exception)
            raise
        finally:
            Function.depth -= 1
            sys.setrecursionlimit(limit)


class Checked:
    """A function under `jit`; `function` is what calls within calls reach."""

    def __init__(self, function: Function):
        self.function = function

    def __call__(self, *given, **named):
        function, a = self.function, self.function.node.args
        # what wraps another takes what the other takes, by names of its own
        wraps = hasattr(function, "__wrapped__")
        looked_at = [] if wraps else [*a.posonlyargs, *a.args, *a.kwonlyargs]
        parameters = {each.arg: each.annotation for each in looked_at}
        if a.vararg and not wraps:
            parameters[a.vararg.arg] = of_all(a.vararg.annotation)
        with checked(function.__name__, parameters, function.bound(given, named)):
            return function(*given, **named)


def jit(function: Function | Checked) -> Checked:
    return function if isinstance(function, Checked) else Checked(function)


# Statements --------------------------------------------------------------------------------------

BREAK, CONTINUE = object(), object()


class Returned(NamedTuple):
    value: object


def block(statements: list[ast.stmt], frame: Frame):
    """How it ends: None at its end, or how it leaves what is around it."""
    for each in statements:
        end = STATEMENTS[type(each)](each, frame)
        if end is not None:
            return end
    return None


def _expression(node: ast.Expr, frame: Frame) -> None:
    value(node.value, frame)


def _assign(node: ast.Assign, frame: Frame) -> None:
    """The value once, then the targets from left to right (7.2)."""
    found = value(node.value, frame)
    for target in node.targets:
        store(target, found, frame)


def _augmented(node: ast.AugAssign, frame: Frame) -> None:
    """The target is looked at once, before the value is computed (7.2.1)."""
    change = IN_PLACE[type(node.op)]
    match node.target:
        case ast.Name(id=name):
            frame.line = node.lineno
            old = frame.get(name)
            more = value(node.value, frame)
            frame.line = node.lineno
            frame.bind(name, change(old, more))
        case ast.Subscript(value=of, slice=index):
            container, at = value(of, frame), value(index, frame)
            frame.line = node.target.lineno
            old = container[at]
            more = value(node.value, frame)
            frame.line = node.lineno
            store_item(container, at, change(old, more))


def store(target: ast.expr, found: object, frame: Frame) -> None:
    match target:
        case ast.Name(id=name):
            frame.bind(name, found)
        case ast.Subscript(value=of, slice=index):
            container, at = value(of, frame), value(index, frame)
            frame.line = target.lineno
            store_item(container, at, found)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            frame.line = target.lineno
            items = []
            for each in found:
                # one more is asked for, to see that there is none
                items.append(each)
                if len(items) > len(targets):
                    raise ValueError(f"too many values to unpack (expected {len(targets)})")
            if len(items) < len(targets):
                raise ValueError(f"not enough values to unpack (expected {len(targets)}, got {len(items)})")
            for each, item in zip(targets, items, strict=True):
                store(each, item, frame)
        case _:
            raise NotImplementedError(ast.dump(target))


def store_item(container: object, at: object, found: object) -> None:
    check_item(container, at, found)
    container[at] = found


def _while(node: ast.While, frame: Frame):
    while value(node.test, frame):
        end = block(node.body, frame)
        if end is BREAK:
            return None
        if isinstance(end, Returned):
            return end
    return block(node.orelse, frame)


def _for(node: ast.For, frame: Frame):
    iterable = value(node.iter, frame)
    frame.line = node.lineno
    for item in iterable:
        store(node.target, item, frame)
        end = block(node.body, frame)
        if end is BREAK:
            return None
        if isinstance(end, Returned):
            return end
        frame.line = node.lineno
    return block(node.orelse, frame)


def _raise(node: ast.Raise, frame: Frame) -> None:
    exception = value(node.exc, frame)
    frame.line = node.lineno
    raise exception


def _assert(node: ast.Assert, frame: Frame) -> None:
    if not value(node.test, frame):
        args = [value(node.msg, frame)] if node.msg else []
        frame.line = node.lineno
        raise AssertionError(*args)


def _delete(node: ast.Delete, frame: Frame) -> None:
    for target in node.targets:
        frame.line = target.lineno
        match target:
            case ast.Name(id=name):
                frame.unbind(name)
            case ast.Subscript(value=of, slice=index):
                del value(of, frame)[value(index, frame)]


def _try(node: ast.Try, frame: Frame):
    try:
        end = block(node.body, frame)
    except Exception as exception:
        for handler in node.handlers:
            if handler.type is None or isinstance(exception, value(handler.type, frame)):
                return block(handler.body, frame)
        raise
    return block(node.orelse, frame) if end is None else end


def _function(node: ast.FunctionDef, frame: Frame) -> None:
    decorators = [value(each, frame) for each in node.decorator_list]
    made: object = Function(node, frame)
    for each in reversed(decorators):
        made = each(made)
    frame.bind(node.name, made)


STATEMENTS: dict[type, Callable] = {
    ast.Expr: _expression, ast.Assign: _assign, ast.AugAssign: _augmented, ast.While: _while, ast.For: _for,
    ast.Raise: _raise,
    ast.AnnAssign: lambda node, frame: node.value and store(node.target, value(node.value, frame), frame),
    ast.If: lambda node, frame: block(node.body if value(node.test, frame) else node.orelse, frame),
    ast.Return: lambda node, frame: Returned(value(node.value, frame) if node.value else None),
    ast.Assert: _assert, ast.Delete: _delete, ast.Try: _try, ast.FunctionDef: _function,
    ast.Break: lambda node, frame: BREAK, ast.Continue: lambda node, frame: CONTINUE,
    ast.Import: lambda node, frame: frame.bind(node.names[0].name, __import__(node.names[0].name)),
    # of __future__
    ast.ImportFrom: lambda node, frame: None, ast.Pass: lambda node, frame: None,
    ast.Global: lambda node, frame: None, ast.Nonlocal: lambda node, frame: None,
}  # fmt: skip

# Expressions -------------------------------------------------------------------------------------

BINARY: dict[type, Callable] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}  # fmt: skip
IN_PLACE = {op: getattr(operator, f"i{plain.__name__.strip('_')}") for op, plain in BINARY.items()}
UNARY: dict[type, Callable] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Not: operator.not_,
}  # fmt: skip
COMPARE: dict[type, Callable] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip


def value(node: ast.expr, frame: Frame) -> object:
    return EXPRESSIONS[type(node)](node, frame)


def _name(node: ast.Name, frame: Frame) -> object:
    frame.line = node.lineno
    return frame.get(node.id)


def _binary(node: ast.BinOp, frame: Frame) -> object:
    left, right = value(node.left, frame), value(node.right, frame)
    frame.line = node.lineno
    return BINARY[type(node.op)](left, right)


def _unary(node: ast.UnaryOp, frame: Frame) -> object:
    operand = value(node.operand, frame)
    frame.line = node.lineno
    return UNARY[type(node.op)](operand)


def _bool(node: ast.BoolOp, frame: Frame) -> object:
    """The operand that decides; those after it are not evaluated (6.11)."""
    decides = isinstance(node.op, ast.Or)
    for each in node.values[:-1]:
        found = value(each, frame)
        if bool(found) is decides:
            return found
    return value(node.values[-1], frame)


def _compare(node: ast.Compare, frame: Frame) -> object:
    """Each operand at most once, and none behind a comparison that is false (6.10)."""
    left: object = value(node.left, frame)
    for op, operand in zip(node.ops, node.comparators, strict=True):
        right = value(operand, frame)
        frame.line = node.lineno
        found = COMPARE[type(op)](left, right)
        if operand is node.comparators[-1] or not found:
            return found
        left = right
    raise AssertionError


def _named(node: ast.NamedExpr, frame: Frame) -> object:
    store(node.target, found := value(node.value, frame), frame)
    return found


def _items(nodes: list[ast.expr], frame: Frame) -> list:
    found: list = []
    for each in nodes:
        found += value(each.value, frame) if isinstance(each, ast.Starred) else [value(each, frame)]
    return found


def _subscript(node: ast.Subscript, frame: Frame) -> object:
    container, at = value(node.value, frame), value(node.slice, frame)
    frame.line = node.lineno
    return container[at]


def _attribute(node: ast.Attribute, frame: Frame) -> object:
    of = value(node.value, frame)
    # where the method's name is, if that is another line
    frame.line = node.end_lineno if node.lineno != node.end_lineno else node.lineno
    return getattr(of, node.attr)


def _call(node: ast.Call, frame: Frame) -> object:
    """The function, then the arguments from left to right (6.3.4)."""
    function = value(node.func, frame)
    given = _items(node.args, frame)
    named = {each.arg: value(each.value, frame) for each in node.keywords}
    apart = isinstance(node.func, ast.Attribute) and node.func.lineno != node.func.end_lineno
    frame.line = node.func.end_lineno if apart else node.lineno
    if isinstance(function, Checked):
        function = function.function
    return function(*given, **named)


def _comprehension(node: ast.ListComp | ast.GeneratorExp, frame: Frame) -> Iterator:
    """Its values, in a scope of its own, but for what it goes through first (6.2.4)."""
    first = value(node.generators[0].iter, frame)
    frame.line = node.lineno
    first = iter(first)
    framed = FRAMED or not isinstance(node, ast.ListComp)
    inner = Frame(frame.globals, scope_of(node), {}, frame, framed)
    inner.line = node.lineno

    def values(at: int) -> Iterator:
        if at == len(node.generators):
            yield value(node.elt, inner)
            return
        part = node.generators[at]
        for item in value(part.iter, inner) if at else first:
            store(part.target, item, inner)
            if all(value(each, inner) for each in part.ifs):
                yield from values(at + 1)

    def noted() -> Iterator:
        try:
            yield from values(0)
        except Exception as exception:
            if framed:
                inner.passes(exception)
            else:
                frame.line = inner.line
            raise

    return noted()


def _joined(node: ast.JoinedStr, frame: Frame) -> str:
    constant = ast.Constant
    return "".join(x.value if isinstance(x, constant) else format(value(x.value, frame)) for x in node.values)


EXPRESSIONS: dict[type, Callable] = {
    ast.Constant: lambda node, frame: node.value, ast.Name: _name, ast.BinOp: _binary, ast.UnaryOp: _unary,
    ast.BoolOp: _bool, ast.Compare: _compare, ast.NamedExpr: _named, ast.Subscript: _subscript,
    ast.IfExp: lambda node, frame: value(node.body if value(node.test, frame) else node.orelse, frame),
    ast.Tuple: lambda node, frame: tuple(_items(node.elts, frame)),
    ast.List: lambda node, frame: _items(node.elts, frame),
    ast.Slice: lambda n, frame: slice(*(x and value(x, frame) for x in (n.lower, n.upper, n.step))),
    ast.Attribute: _attribute, ast.Call: _call, ast.JoinedStr: _joined, ast.Lambda: Function,
    ast.ListComp: lambda node, frame: [*_comprehension(node, frame)], ast.GeneratorExp: _comprehension,
}  # fmt: skip


def execute(text: str, names: dict) -> None:
    """A module's text, its globals being `names`."""
    block(ast.parse(text).body, Frame(names, None, names, None))
