"""Finds the definition from which a function's code was compiled, in its file.

When the file is read, it may have changed since it was loaded, or the order of functions in it may have. So
the file is compiled here, too, and a function's definition is the one whose code equals the function's. If
there is none, the file does not contain what CPython runs.
"""

from __future__ import annotations
import __future__

import ast
import linecache
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType

from ...ir.errors import SourceError
from ...ir.form import Position

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# The flags of a code object for imports from __future__.
FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})
# A notebook's cell may use await.
COMPILED = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
# The attributes that determine what a code object does, besides its constants.
MEANING = (
    "co_name", "co_firstlineno", "co_flags", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount",
    "co_varnames", "co_cellvars", "co_freevars", "co_names", "co_code", "co_exceptiontable",
)  # fmt: skip


@dataclass(frozen=True)
class ParsedFunction:
    tree: ast.AST
    in_class: bool


@dataclass(frozen=True, eq=False)
class ParsedFile:
    """The definitions in a text, and the code objects that it compiles to, by first line."""

    functions: dict[int, list[ParsedFunction]]
    codes: dict[int, list[CodeType]]


def definition_of(function: FunctionType) -> ParsedFunction:
    """The definition of this function; SourceError if the file has none with the same code."""
    code = function.__code__
    file, name = code.co_filename, function.__name__
    at = Position(file, code.co_firstlineno, 1)
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    if not lines:
        message = f"{name} has no source to be compiled from: define it in a file, not by exec"
        raise SourceError(message, at)
    text, future = "".join(lines), code.co_flags & FUTURE
    try:
        read = _read(text, file, future)
        compiled = _like(code, read.codes) or _like(code, _as_by_pytest(function, text, future))
    except (SyntaxError, ValueError):
        # the text is not Python, or contains a null character
        compiled = None
    if compiled is None:
        raise SourceError(f"{name} has changed in its file: import it again", at)
    there = [each for each in read.functions.get(code.co_firstlineno, []) if _named(each) == code.co_name]
    found = _that_holds(compiled, there) if len(there) > 1 else there[0]
    if found is None:
        raise SourceError("several lambdas on one line: put each on its own line", at)
    return found


def _named(definition: ParsedFunction) -> str:
    return getattr(definition.tree, "name", "<lambda>")


# The text, compiled --------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _read(text: str, file: str, future: int) -> ParsedFile:
    """Parses and compiles the text; SyntaxError or ValueError if that fails."""
    functions: dict[int, list[ParsedFunction]] = {}
    tree = _compiled(text, file, future | ast.PyCF_ONLY_AST)
    for each in _definitions(tree):
        functions.setdefault(_first_line(each.tree), []).append(each)
    return ParsedFile(functions, _by_line(_compiled(text, file, future)))


def _compiled(source: str | ast.AST, file: str, flags: int):
    with warnings.catch_warnings():
        # warnings were shown when it was loaded
        warnings.simplefilter("ignore")
        try:
            return compile(source, file, "exec", flags | COMPILED, True)
        except SystemError:
            # before 3.11.5, CPython miscounts its depth if garbage collection parses another text meanwhile
            return compile(source, file, "exec", flags | COMPILED, True)


def _by_line(module: CodeType) -> dict[int, list[CodeType]]:
    found: dict[int, list[CodeType]] = {}
    todo = [module]
    while todo:
        inner = [constant for constant in todo.pop().co_consts if isinstance(constant, CodeType)]
        todo += inner
        for code in inner:
            found.setdefault(code.co_firstlineno, []).append(code)
    return found


def _definitions(tree: ast.AST) -> Iterator[ParsedFunction]:
    todo = [(tree, False)]
    while todo:
        node, in_class = todo.pop()
        if isinstance(node, FUNCTIONS):
            yield ParsedFunction(node, in_class)
        in_class |= isinstance(node, ast.ClassDef)
        todo += [(child, in_class) for child in ast.iter_child_nodes(node)]


def _first_line(node: ast.AST) -> int:
    """The first line, as a code object has it."""
    return min(each.lineno for each in (node, *getattr(node, "decorator_list", ())))


def _as_by_pytest(function: FunctionType, text: str, future: int) -> dict[int, list[CodeType]]:
    """The code objects of a test module whose asserts pytest has rewritten: their meaning is the same."""
    pytest = sys.modules.get("_pytest.assertion.rewrite")
    loader = function.__globals__.get("__loader__")
    if pytest is None or not isinstance(loader, pytest.AssertionRewritingHook):
        return {}
    return _rewritten(pytest.rewrite_asserts, text, function.__code__.co_filename, future, loader.config)


@lru_cache(maxsize=16)
def _rewritten(rewrite_asserts, text: str, file: str, future: int, config) -> dict[int, list[CodeType]]:
    tree = _compiled(text, file, future | ast.PyCF_ONLY_AST)
    rewrite_asserts(tree, text.encode(), file, config)
    return _by_line(_compiled(tree, file, future))


# Code objects --------------------------------------------------------------------------------------


def _like(code: CodeType, codes: dict[int, list[CodeType]]) -> CodeType | None:
    """The code object among these that does the same."""
    return next((each for each in codes.get(code.co_firstlineno, ()) if _alike(each, code)), None)


def _alike(a: object, b: object) -> bool:
    """Whether two constants are the same; for code objects, whether they do the same in the same lines."""
    if type(a) is not type(b):
        return False
    if isinstance(a, CodeType):
        same = all(getattr(a, name) == getattr(b, name) for name in MEANING)
        return same and _alike(a.co_consts, b.co_consts) and _lines(a) == _lines(b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, frozenset):
        # in whatever order; 1 is equal to True
        return {*map(repr, a)} == {*map(repr, b)}
    # 0.0 is equal to -0.0, and nothing to nan
    return repr(a) == repr(b) if isinstance(a, float | complex) else a == b


def _lines(code: CodeType) -> set[int | None]:
    return {line for line, *_ in code.co_positions()}


def _that_holds(code: CodeType, definitions: list[ParsedFunction]) -> ParsedFunction | None:
    """The lambda of this code: the smallest one that contains all its instructions."""
    spans = []
    for line, last, start, end in code.co_positions():
        # a function's first and last instructions have empty positions
        if None not in (line, last, start, end) and (line, start) != (last, end):
            spans.append(((line, start), (last, end)))

    def holds(body: ast.expr) -> bool:
        first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
        return all(first <= start and end <= last for start, end in spans)

    def alike(tree: ast.expr) -> bool:
        alone = ast.Module([ast.copy_location(ast.Expr(tree), tree)], [])
        compiled = _compiled(alone, code.co_filename, code.co_flags & FUTURE)
        return _like(code, _by_line(compiled)) is not None

    # in Python 3.12, a function that returns a constant has no positions; any with the same code will do
    fitting = [each for each in definitions if (holds(each.tree.body) if spans else alike(each.tree))]
    return max(fitting, key=lambda each: (each.tree.lineno, each.tree.col_offset), default=None)
