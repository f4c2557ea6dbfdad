# SPDX-License-Identifier: MIT
"""The package's public names as a reStructuredText page, with the stubs' signatures and the docstrings."""

import ast
import inspect
import re
from collections.abc import Iterable
from pathlib import Path

import carrychain

PACKAGE = Path(__file__).resolve().parent.parent / "python/carrychain"
HEAD = """``carrychain``
==============

.. py:module:: carrychain

.. code-block:: pycon

   >>> import carrychain

The signatures are those that type checkers see. :doc:`/docs/reference/integer` says how ``Integer`` and
``int`` differ; :doc:`/docs/how-to/powmod`, :doc:`/docs/how-to/python` and :doc:`/docs/how-to/verify-python`
show how powers, compiled functions and captures are used.
"""


def prose(text: str) -> str:
    """A docstring: literals as they are, all else as plain words, what is indented as a program."""
    shown = []
    for part in re.split(r"\n\s*\n", text):
        if part.startswith("    "):
            shown.append(
                ".. code-block:: python\n\n" + part.replace("    ", "   ", 1).replace("\n    ", "\n   ")
            )
            continue
        words = re.split(r"(``.*?``)", re.sub(r"(?<!`)`(\w+)`(?!`)", r"``\1``", " ".join(part.split())))
        shown.append(
            "".join(each if i % 2 else re.sub(r"([\\*`|_])", r"\\\1", each) for i, each in enumerate(words))
        )
    return "\n\n".join(shown)


def home(module: str, base: Path) -> Path:
    """The file that says what a module's names are, to one who imports it relatively from that in base."""
    path = base / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def definitions(path: Path, name: str) -> list[ast.stmt]:
    """All that a file, or whence it imports it, says of a name; of an overloaded one the overloads."""
    body = ast.parse(
        (path.with_suffix(".pyi") if path.with_suffix(".pyi").exists() else path).read_text()
    ).body
    for each in body:
        if isinstance(each, ast.ImportFrom) and each.level and name in [alias.name for alias in each.names]:
            return definitions(home(each.module, path.parent), name)
    return named(body, name)


def named(body: Iterable[ast.stmt], name: str) -> list[ast.stmt]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    found = [each for each in body if isinstance(each, kinds) and each.name == name]
    overloads = [each for each in found if "overload" in decorators(each)]
    assigned = [
        each for each in body if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == name
    ]
    return overloads or found or assigned


def decorators(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    return [ast.unparse(each) for each in node.decorator_list]


def signature(node: ast.FunctionDef, name: str, method: bool) -> str:
    for each in ast.walk(node.args):
        # what is defined later stands in quotes
        if isinstance(each, ast.arg) and isinstance(each.annotation, ast.Constant):
            each.annotation = ast.parse(each.annotation.value, mode="eval").body
    arguments = ast.unparse(node.args)
    if method:
        arguments = re.sub(r"^(?:self|cls)(?:, /)?(?:, )?", "", arguments)
    result = f" -> {ast.unparse(node.returns)}" if node.returns and name[0].islower() else ""
    # a private name is the stubs' own
    return re.sub(r"\b_(?=[A-Z])", "", f"{name}({arguments}){result}")


def directive(kind: str, heads: list[str], body: str) -> str:
    first, *more = heads
    lines = [f".. py:{kind}:: {first}", *(" " * len(f".. py:{kind}:: ") + each for each in more), ""]
    return "\n".join([*lines, *(f"   {line}".rstrip() for line in body.split("\n")), ""])


def members(node: ast.ClassDef, type_: type) -> str:
    shown = []
    for name in dict.fromkeys(each.name for each in node.body if isinstance(each, ast.FunctionDef)):
        if name.startswith("_"):
            continue
        found = named(node.body, name)
        said = prose(inspect.cleandoc(getattr(type_, name).__doc__ or ""))
        if "property" in decorators(found[0]):
            shown.append(directive("property", [f"{name}\n   :type: {ast.unparse(found[0].returns)}"], said))
        else:
            kind = "classmethod" if "classmethod" in decorators(found[0]) else "method"
            shown.append(directive(kind, [signature(each, name, True) for each in found], said))
    return "\n".join(shown)


def entry(name: str) -> str:
    found = definitions(PACKAGE / "__init__.py", name)
    if not found:
        return directive("data", [name], "The version.")
    if isinstance(found[0], ast.Assign):
        said = found[0].value.slice.elts[1].value
        return directive("data", [name], prose(f"In an annotation: an int {said}."))
    said = prose(inspect.getdoc(getattr(carrychain, name)))
    if isinstance(found[0], ast.FunctionDef):
        return directive("function", [signature(each, name, False) for each in found], said)
    makers = named(found[0].body, "__init__") or named(found[0].body, "__new__")
    return directive(
        "class",
        [signature(each, name, True) for each in makers],
        said + "\n\n" + members(found[0], getattr(carrychain, name)),
    )


def page() -> str:
    # u8 before u16
    names = sorted(carrychain.__all__, key=lambda name: (re.sub(r"\d", "", name.lower()), len(name)))
    return HEAD + "\n" + "\n".join(map(entry, names))
