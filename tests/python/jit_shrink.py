"""Of a program's text that fails, the smallest that still does."""

import ast
import copy
import re
from collections.abc import Callable, Iterator

TRIALS = 400


def smallest(text: str, fails: Callable[[str], bool]) -> str:
    """By steps, each a text that is smaller; what a loop ends by stays."""
    trials = 0
    # without what writing it anew changes, if that is not what fails
    if fails(again := ast.unparse(ast.parse(text))):
        text = again
    while trials < TRIALS:
        for trial in smaller(text):
            trials += 1
            if trials == TRIALS:
                return text
            if len(trial) < len(text) and fails(trial):
                text = trial
                break
        else:
            return text
    return text


def smaller(text: str) -> Iterator[str]:
    """Texts a step smaller; the large steps first."""
    yield from fewer_calls(text)
    tree = ast.parse(text)
    for edit in edits(tree):
        yield edited(text, edit)
    yield from smaller_arguments(text)


def edited(text: str, edit: tuple[int, str, object]) -> str:
    """With a field of a node, that of this number, replaced."""
    tree = ast.parse(text)
    number, name, value = edit
    setattr(list(ast.walk(tree))[number], name, value)
    return ast.unparse(ast.fix_missing_locations(tree))


def edits(tree: ast.Module) -> Iterator[tuple[int, str, object]]:
    *body, _ = tree.body
    inside = {id(node) for each in body for node in ast.walk(each)}
    numbered = [
        (number, node) for number, node in enumerate(ast.walk(tree)) if id(node) in inside or node is tree
    ]
    for number, node in numbered:
        for name in ("body", "orelse"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                yield from ((number, name, less) for less in fewer(statements, name == "orelse"))
    for number, node in numbered:
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(getattr(value, "ctx", None), ast.Store):
                yield from ((number, name, less) for less in simpler(value))
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr) and name != "targets":
                for at, each in enumerate(value):
                    yield from (
                        (number, name, [*value[:at], less, *value[at + 1 :]]) for less in simpler(each)
                    )


def fewer(statements: list, may_be_none: bool) -> Iterator[list]:
    for at, statement in enumerate(statements):
        if ends_a_loop(statement):
            continue
        rest = [*statements[:at], *statements[at + 1 :]]
        if rest or may_be_none:
            yield rest
        elif not isinstance(statement, ast.Pass):
            yield [ast.Pass()]
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner and not isinstance(statement, ast.FunctionDef):
                yield [*statements[:at], *inner, *statements[at + 1 :]]


def ends_a_loop(statement: ast.stmt) -> bool:
    """Whether it counts a loop's rounds, or leaves it when there have been enough."""
    if isinstance(statement, ast.FunctionDef):
        return statement.name in ("entry", "state", "closed")
    text = ast.unparse(statement)
    return bool(
        re.match(r"n[0-9]? [-+]= 1$|n[0-9]? = |if n[0-9]? |CALLS = |.*state.* = closed|\w+ (>>|//)= ", text)
    ) or (isinstance(statement, ast.Return) and "state" in text)


def simpler(node: ast.expr) -> Iterator[ast.expr]:
    """Its parts, or a number."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, int) and not isinstance(node.value, bool) and abs(node.value) > 1:
            yield from (ast.Constant(value) for value in (0, 1))
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield copy.deepcopy(child)
    if not isinstance(node, ast.Name):
        yield ast.Constant(0)
        yield ast.Constant(1)


def fewer_calls(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    calls = tree.body[-1].value.elts
    for count in (len(calls) // 2, 1) if len(calls) > 1 else ():
        for at in range(0, len(calls), count):
            tree.body[-1].value.elts = calls[:at] + calls[at + count :]
            yield ast.unparse(tree)


def smaller_arguments(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    for node in ast.walk(tree.body[-1]):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            old = node.value
            for less in ("", *smaller_argument(old)):
                node.value = less
                yield ast.unparse(tree)
            node.value = old


def smaller_argument(text: str) -> Iterator[str]:
    """An argument's expression with a number, or a sequence of bytes or numbers, that is smaller."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, bytes) and node.value:
            old = node.value
            for less in (old[: len(old) // 2], old[1:], old[:-1], bytes(len(old))):
                if less != old:
                    node.value = less
                    yield ast.unparse(tree)
            node.value = old
        elif isinstance(node, ast.List) and node.elts:
            old = node.elts
            for less in (old[: len(old) // 2], old[1:], old[:-1]):
                node.elts = less
                yield ast.unparse(tree)
            node.elts = old
        elif isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) > 1:
            old = node.value
            for less in (0, 1, old // 2):
                node.value = less
                yield ast.unparse(tree)
            node.value = old
