"""The source of compiled functions: the expression at a position, and a copy with a mask."""

from __future__ import annotations

import ast
import copy
import linecache
from functools import cached_property

from ...front.python.source import PythonSource
from ...front.ssa import basic, printable
from ...ir.form import Position

Span = tuple[str, int, int, tuple[int, int] | None]


def span(position: Position) -> Span:
    return position.file, position.line, position.column, position.end


class File:
    def __init__(self, name: str):
        self.name = name
        # columns are in bytes, as the parser's are
        self.lines = [line.encode() for line in linecache.getlines(name)]

    @cached_property
    def tree(self) -> ast.AST:
        try:
            return ast.parse(b"".join(self.lines))
        except SyntaxError:
            # a notebook's cell with a magic, or a file that has changed since
            return ast.Module([], [])

    def text(self, position: Position) -> str:
        """The source text there; of a compound statement, its first line."""
        line, column, (last, end) = position.line, position.column, position.end or (position.line + 1, 1)
        lines = self.lines[line - 1 : last]
        if not lines:
            return ""
        if last == line:
            lines[0] = lines[0][: end - 1]
        elif last - line < len(lines):
            lines[-1] = lines[-1][: end - 1]
        lines[0] = lines[0][column - 1 :]
        text = b"".join(lines).decode(errors="replace").strip()
        first = text.partition("\n")[0]
        return first if first.endswith(":") else text

    def alone(self, position: Position) -> bool:
        """Whether a statement or a call contains the expression there directly."""
        where = position.line, position.column - 1
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                if (
                    isinstance(child, ast.expr)
                    and (child.lineno, child.col_offset) == where
                    and (child.end_lineno, child.end_col_offset + 1) == position.end
                ):
                    return isinstance(node, ast.stmt | ast.Call)
        return False

    def within(self, position: Position) -> list[ast.FunctionDef | ast.Lambda]:
        """The functions that contain the position, from the outermost inwards."""
        at = position.line, position.column - 1
        return [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef | ast.Lambda)
            and (node.lineno, node.col_offset) <= at < (node.end_lineno, node.end_col_offset)
        ]

    def variable(self, name: str, position: Position) -> tuple[str, Position] | None:
        """The variable whose values have this name in the IR there: its text and position."""
        for function in reversed(self.within(position)):
            for node in _in_order(function):
                written = node.arg if isinstance(node, ast.arg) else None
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    written = node.id
                if written is not None and basic(printable(written)) == name:
                    end = node.lineno, node.col_offset + 1 + len(written.encode())
                    return written, Position(self.name, node.lineno, node.col_offset + 1, end)
        return None


def _in_order(node: ast.AST):
    for child in ast.iter_child_nodes(node):
        yield child
        yield from _in_order(child)


class _Masking(ast.NodeTransformer):
    def __init__(self, source: PythonSource, where: Span, bits: int):
        self.source = source
        self.where = where
        self.mask = ast.Constant((1 << bits) - 1)
        self.done = False

    def visit(self, node: ast.AST) -> ast.AST:
        found = super().visit(node)
        if self.done or not _maskable(node) or span(self.source.position(node)) != self.where:
            return found
        self.done = True
        if isinstance(node, ast.AugAssign):
            name = ast.Name(node.target.id, ast.Load())
            value = ast.BinOp(ast.BinOp(name, node.op, node.value), ast.BitAnd(), self.mask)
            made: ast.AST = ast.Assign([node.target], value)
        else:
            made = ast.BinOp(node, ast.BitAnd(), self.mask)
        # the new nodes get the position of the old expression
        for each in ast.walk(made):
            if "lineno" not in each.__dict__ and isinstance(each, ast.expr | ast.stmt):
                ast.copy_location(each, node)
        return made


def _maskable(node: ast.AST) -> bool:
    if isinstance(node, ast.AugAssign):
        return isinstance(node.target, ast.Name)
    return isinstance(node, ast.BinOp | ast.UnaryOp | ast.Call | ast.IfExp | ast.Subscript)


def masked(source: PythonSource, where: Span, bits: int) -> PythonSource | None:
    """The function with a mask around the expression there; None if there is none that takes a mask."""
    masking = _Masking(source, where, bits)
    if where[0] != source.file:
        return None
    tree = masking.visit(copy.deepcopy(source.tree))
    return PythonSource(tree, source.file) if masking.done else None


def masked_text(file: File, where: Position, bits: int) -> str:
    """The mask as it is written."""
    mask = f"0x{(1 << bits) - 1:X}"
    text = file.text(where)
    try:
        statement = ast.parse(text).body[0]
    except SyntaxError:
        return f"(({text}) & {mask})"
    if isinstance(statement, ast.AugAssign):
        operator = ast.unparse(ast.BinOp(ast.Name("a"), statement.op, ast.Name("b")))[2:-2]
        value = ast.unparse(statement.value)
        if not isinstance(statement.value, ast.Name | ast.Constant | ast.Call | ast.Subscript):
            value = f"({value})"
        name = ast.unparse(statement.target)
        return f"{name} = ({name} {operator} {value}) & {mask}"
    made = (
        f"{text} & {mask}" if isinstance(statement.value, ast.Call | ast.Subscript) else f"({text}) & {mask}"
    )
    return made if file.alone(where) else f"({made})"
