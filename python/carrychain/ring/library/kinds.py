"""The kinds of a function's arguments as text: ``f(bytes, u32, list[u16]) -> u64``."""

from __future__ import annotations

import ast

from ..explain.python import KINDS
from ..front.python.kinds import Buffer, List, PythonKind, Tuple
from ..ir.form import signed, unsigned

WORDS = {
    f"{sign}{bits}": of(bits)
    for sign, of in (("u", unsigned), ("i", signed))
    for bits in (8, 16, 32, 64, 128)
}
NAMED = {getattr(kind, "__name__", "None"): found for kind, found in KINDS.items()} | WORDS
SEQUENCES = ("list", "array", "memoryview")


def read_kinds(text: str) -> tuple[str, tuple[PythonKind, ...], PythonKind | None]:
    """A function's name, the kinds of its arguments, and that of its result if one is given; ValueError."""
    call, arrow, result = text.partition("->")
    try:
        tree = ast.parse(call.strip(), mode="eval").body
        gives = ast.parse(result.strip(), mode="eval").body if arrow else None
    except SyntaxError:
        raise ValueError(f"{text!r} is not written as f(bytes, u32) -> u32") from None
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
        raise ValueError(f"{text!r} is not written as f(bytes, u32) -> u32")
    return tree.func.id, tuple(map(_kind, tree.args)), _kind(gives) if gives is not None else None


def _kind(node: ast.expr) -> PythonKind:
    match node:
        case ast.Name(name) if name in NAMED:
            return NAMED[name]
        case ast.Constant(None):
            return NAMED["None"]
        case ast.Subscript(ast.Name("tuple"), ast.Tuple(items)):
            return Tuple(tuple(map(_kind, items)))
        case ast.Subscript(ast.Name(maker), ast.Name(item)) if maker in SEQUENCES and item in WORDS:
            element = WORDS[item]
            return List(element) if maker == "list" else Buffer(maker, element)
    raise ValueError(
        f"{ast.unparse(node)} is no kind: write bytes, bytearray, bool, None, u8 to u128, i8 to i128, int, "
        "list[u32], array[u32], memoryview[u32] or tuple[u32, bytes]"
    )
