"""A function's source: its tree, with the file's positions, and constructs that no function may contain."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType

from ...ir.errors import SourceError
from ...ir.form import Position
from .definition import definition_of

# Constructs that are refused everywhere, and what to use instead.
REFUSED: dict[type[ast.AST], str] = {
    ast.Yield: "a generator: return a list",
    ast.YieldFrom: "a generator: return a list",
    ast.Await: "await: compiled code does not wait",
    ast.AsyncFor: "async for: compiled code does not wait",
    ast.AsyncWith: "async with: compiled code does not wait",
    ast.AsyncFunctionDef: "async def: compiled code does not wait",
    ast.Try: "try: test first, or catch what the function raises",
    ast.TryStar: "try: test first, or catch what the function raises",
    ast.With: "with: use it around the call",
    ast.ClassDef: "a class: pass what is in it as arguments",
    ast.Import: "import: import outside the function",
    ast.ImportFrom: "import: import outside the function",
    ast.Dict: "a dict: use a list or bytes, with ints as keys",
    ast.DictComp: "a dict: use a list or bytes, with ints as keys",
    ast.Set: "a set: use a tuple, or a list of 0s and 1s",
    ast.SetComp: "a set: use a tuple, or a list of 0s and 1s",
    ast.Match: "match: use if and elif",
    ast.Nonlocal: "nonlocal: pass it and return it",
    ast.MatMult: "@: compiled code has only integers",
    ast.Div: "/ makes a float: use //, or convert it at once, as by int()",
}


@dataclass(frozen=True, eq=False)
class PythonSource:
    """A function's definition in its file."""

    tree: ast.FunctionDef | ast.Lambda
    file: str

    def position(self, node: ast.AST, callers: tuple[Position, ...] = ()) -> Position:
        end = node.end_lineno, node.end_col_offset + 1
        if isinstance(node, ast.Call) and _is_apart(node.func) and not _unpacks(node):
            # CPython gives the position of the method's name
            name = node.func
            column = name.end_col_offset - len(name.attr) + 1
            return Position(self.file, name.end_lineno, column, end, callers)
        return Position(self.file, node.lineno, node.col_offset + 1, end, callers)


def source_of(function: FunctionType) -> PythonSource:
    """The function's source; SourceError if there is none, or if it contains unsupported constructs."""
    code = function.__code__
    # code objects of other files, or with other annotations, may be equal
    place = _place_of(id(code), code)
    if not place:
        place.append(_source_of(function))
    return place[0]


@lru_cache(maxsize=512)
def _place_of(_: int, code: CodeType) -> list[PythonSource]:
    """A key for this code's source, which is read once, because the file may change later."""
    return []


def _source_of(function: FunctionType) -> PythonSource:
    found = definition_of(function)
    source = PythonSource(found.tree, function.__code__.co_filename)
    if not isinstance(source.tree, ast.FunctionDef | ast.Lambda):
        at = source.position(source.tree)
        raise SourceError(REFUSED.get(type(source.tree), f"{function.__name__} is not a function"), at)
    _check(source, found.in_class)
    return source


def _is_apart(function: ast.expr) -> bool:
    """Whether it is a method call whose name is on another line than the beginning of its object."""
    return isinstance(function, ast.Attribute) and function.lineno != function.end_lineno


def _unpacks(call: ast.Call) -> bool:
    return any(isinstance(each, ast.Starred) for each in call.args) or None in [k.arg for k in call.keywords]


def is_quotient(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def makes_empty(node: ast.AST | None) -> bool:
    """Whether the expression makes an empty list: of ints or bools, as what it grows by will show."""
    match node:
        case ast.List(elts=[]) | ast.Call(func=ast.Name(id="list"), args=[], keywords=[]):
            return True
    return False


def assigned(node: ast.AST) -> set[str]:
    """The names that are assigned to, except in comprehensions and inner functions."""
    names = set()
    todo = [node]
    while todo:
        each = todo.pop()
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            names.add(each.id)
        if isinstance(each, ast.FunctionDef | ast.Lambda):
            names.update([each.name] if isinstance(each, ast.FunctionDef) else [])
            todo += [default for default in (*each.args.defaults, *each.args.kw_defaults) if default]
        elif not isinstance(each, ast.ListComp | ast.GeneratorExp):
            todo += ast.iter_child_nodes(each)
    return names


def own_names(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The names of a function: its parameters, and those that it assigns to."""
    a = function.args
    names = {each.arg for each in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg) if each}
    return names.union(*map(assigned, [function.body] if isinstance(function, ast.Lambda) else function.body))


def check(function: FunctionType) -> None:
    """Checks a function's source alone; SourceError if it cannot be compiled."""
    source_of(function)


def _check(source: PythonSource, in_class: bool) -> None:
    rounded: set[ast.AST] = set()
    for node in (source.tree, *_inside(source.tree)):
        if isinstance(node, ast.Call) and len(node.args) == 1 and is_quotient(node.args[0]):
            # which function it is, is known at the call
            rounded.add(node.args[0])
        # an operator has no position of its own
        refused = None if isinstance(node, ast.operator) else REFUSED.get(type(node))
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            starred = node.args.kwarg
            if starred:
                raise SourceError(f"**{starred.arg}: name each parameter", source.position(starred))
        if isinstance(node, ast.BinOp | ast.AugAssign) and node not in rounded:
            refused = REFUSED.get(type(node.op))
        elif isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            refused = f"{node.value!r} is a {type(node.value).__name__}: compiled code has integers alone"
        elif isinstance(node, ast.comprehension) and node.is_async:
            refused = REFUSED[ast.AsyncFor]
        elif in_class and _is_mangled(node):
            refused = "two underscores, to which a class adds its name: one serves"
        elif isinstance(node, ast.ListComp | ast.GeneratorExp) and _names_in(node):
            refused = "an assignment within a comprehension, for what is around it: a loop"
        if refused:
            raise SourceError(refused, source.position(node))


def _names_in(node: ast.AST) -> bool:
    return any(isinstance(each, ast.NamedExpr) for each in ast.walk(node))


def _is_mangled(node: ast.AST) -> bool:
    """Whether it is a private name, which a class mangles."""
    names = (getattr(node, field, None) for field in ("id", "arg", "attr", "name"))
    return any(isinstance(name, str) and name.startswith("__") and not name.endswith("__") for name in names)


def _inside(function: ast.FunctionDef | ast.Lambda):
    """The nodes of the body, without annotations, decorators and defaults, which are already evaluated."""
    todo: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else function.body[::-1]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.FunctionDef):
            children = [*node.args.defaults, *(d for d in node.args.kw_defaults if d), *node.body]
        elif isinstance(node, ast.AnnAssign):
            children = [node.target, *([node.value] if node.value else [])]
        elif isinstance(node, ast.Raise):
            # its message is made when it is raised, if at all
            children = []
        elif isinstance(node, ast.Assert):
            children = [node.test]
        else:
            children = list(ast.iter_child_nodes(node))
        todo += reversed(children)
