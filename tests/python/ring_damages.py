"""Damages to the compiler, made by hand and taken back: the format of ring_*damages.txt.

A paragraph is a damage. Its first line is the stage and the damage's name; then come its changes:

    rewrite.cut.container: OLD => NEW       OLD, which stands once in the function's text, is NEW
    rewrite.simplify.TRAPPING = VALUE       the name, or a table's entry, has another value, made of the
                                            module's names and of `was`, the value before
    rewrite.rules.RULES["x"].when = VALUE   the same for all rules whose names begin so

then `proof in MODULE: CLAIM`, where a proof in that module of prove fails. What follows is a program that
shows the damage, in Lisp or as IR; without one, the program of the damage before does.
"""

import ast
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, FunctionType

CHANGE = re.compile(r'([\w.]+)\.(\w+)(?:\["(.*)"\](?:\.(\w+))?)?(?:: (.*) =>| =) ?(.*)')
PROOF = re.compile(r"proof in (\w+): (.*)")


def forget() -> None:
    """What was found out by other code than there is now."""
    for name, module in list(sys.modules.items()):
        if name.startswith("carrychain.ring"):
            for each in list(vars(module).values()):
                if isinstance(each, _lru_cache_wrapper):
                    each.cache_clear()


def run_instead(stack: ExitStack, function: FunctionType, source, name: str) -> None:
    """The function runs as `source`, its text or a tree, defines it, until the stack is left.

    It stays in the tables in which its decorators entered it, and cached if it was.
    """
    function = inspect.unwrap(function)
    tree = ast.parse(source) if isinstance(source, str) else source
    tree.body[0].decorator_list = []
    made: dict = {}
    exec(compile(tree, f"damaged {name}", "exec"), function.__globals__, made)
    code: CodeType = made[function.__name__].__code__
    stack.callback(setattr, function, "__code__", function.__code__)
    function.__code__ = code


def put(stack: ExitStack, owner, name: str, value: str, around: dict, *, frozen: bool = False) -> None:
    """owner.name, or owner[name] of a table, is the value of an expression, until the stack is left."""
    if isinstance(owner, dict):
        was, change = owner[name], owner.__setitem__
    else:
        was, change = getattr(owner, name), partial(object.__setattr__ if frozen else setattr, owner)
    stack.callback(change, name, was)
    change(name, eval(value, {**around, "was": was}))


@dataclass
class Damage:
    stage: str
    name: str
    changes: list[tuple] = field(default_factory=list)  # what CHANGE finds
    proof: tuple[str, str] | None = None  # a module of prove, and some of a claim's name
    program: str = ""

    def __str__(self) -> str:
        return f"{self.stage}: {self.name}"

    @contextmanager
    def done(self) -> Iterator[None]:
        texts: dict[str, str] = {}
        with ExitStack() as stack:
            stack.callback(forget)
            for parent, name, key, of_rule, old, new in self.changes:
                where = f"{parent}.{name}"
                owner = pkgutil.resolve_name(f"carrychain.ring.{parent}")
                around = vars(inspect.getmodule(owner))
                if of_rule:
                    for rule in getattr(owner, name):
                        if rule.name.startswith(key):
                            put(stack, rule, of_rule, new, around, frozen=True)
                elif key:
                    put(stack, getattr(owner, name), key, new, around)
                elif old is None:
                    put(stack, owner, name, new, around)
                else:
                    function = getattr(owner, name)
                    text = texts.get(where) or textwrap.dedent(inspect.getsource(function))
                    if text.count(old) != 1:
                        raise LookupError(f"{where} has {text.count(old)} times: {old}")
                    texts[where] = text.replace(old, new)
                    run_instead(stack, function, texts[where], where)
            forget()
            yield


def damages(file: str) -> list[Damage]:
    found: list[Damage] = []
    for paragraph in Path(__file__).with_name(file).read_text().strip().split("\n\n"):
        first, *lines = paragraph.splitlines()
        damage = Damage(*first.split(": ", 1))
        while lines and (change := CHANGE.fullmatch(lines[0])):
            damage.changes.append(change.groups())
            lines.pop(0)
        if lines and (proof := PROOF.fullmatch(lines[0])):
            damage.proof = proof[1], proof[2]
            lines.pop(0)
        damage.program = "\n".join(lines) or (found[-1].program if found else "")
        found.append(damage)
    return found


DAMAGES = damages("ring_damages.txt")
