"""Shell completion beyond what click provides: files, and the functions of a program."""

import ast
import re

import click

# A name; a shell offers files for it, and the command says itself what it can't read.
FILE = click.Path(readable=False)


def functions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The functions of the program named earlier on the command line."""
    name = ctx.params.get("file") or ""
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read()
        if name.endswith(".py"):
            found = [each.name for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)]
        else:
            found = re.findall(r"^\(def\S*\s+([^\s()|]+)\s*\(", text, re.MULTILINE | re.IGNORECASE)
    except (OSError, ValueError, SyntaxError):
        return []
    return [each for each in dict.fromkeys(found) if each.startswith(incomplete)]
