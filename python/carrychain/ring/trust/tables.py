"""Shows that a machine module's arrays are the IR module's, and that none marked constant is ever written.

A word is written through if it is stored to, returned, or passed to a parameter that is written through. So
is each word that it was selected from, and each argument that was passed for it as a block's parameter.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.errors import CheckError
from ..ir.form import Module
from ..machine.abi import storage
from ..machine.form import MachineFunction, MachineJump, MachineModule, MachineReturn, Operand, Word


def check_tables(module: Module, made: MachineModule) -> None:
    """Raises CheckError if an array has other elements, or is marked constant and may be written."""
    wanted = {name: (storage(type_.element), contents) for name, (type_, contents) in module.arrays.items()}
    if {name: (array.type, array.contents) for name, array in made.arrays.items()} != wanted:
        raise CheckError("the machine module's arrays are not the module's")
    steady = {name for name, array in made.arrays.items() if not array.changed}
    if steady and (changed := steady & _changed(made)):
        raise CheckError(f"@{min(changed)} is marked constant and may be written")


def _changed(made: MachineModule) -> set[str]:
    found: set[str] = set()
    params: set[tuple[str, int]] = set()
    before = -1
    while before != len(params):
        before = len(params)
        for name, function in made.functions.items():
            words = _sources(function, _written(function, params))
            params.update((name, at) for at, param in enumerate(function.params) if param in words)
            found.update(op.attribute for op in function.ops() if op.op == "global" and op.result in words)
    return found


def _written(function: MachineFunction, params: set[tuple[str, int]]) -> Iterable[Operand]:
    for block in function.blocks:
        for op in block.ops:
            if op.op == "store":
                yield op.args[0]
            elif op.op == "call":
                yield from (arg for at, arg in enumerate(op.args) if (op.attribute, at) in params)
        if isinstance(block.end, MachineReturn):
            yield from block.end.args


def _sources(function: MachineFunction, words: Iterable[Operand]) -> set[Operand]:
    """These words, and all words that they may be copies of."""
    of: dict[Word, list[Operand]] = {}
    for block in function.blocks:
        for op in block.ops:
            if op.op == "select":
                of.setdefault(op.result, []).extend(op.args[1:])
        if isinstance(block.end, MachineJump):
            for param, arg in zip(block.end.to.params, block.end.args, strict=True):
                of.setdefault(param, []).append(arg)
    found: set[Operand] = set()
    todo = [*words]
    while todo:
        word = todo.pop()
        if word not in found:
            found.add(word)
            todo += of.get(word, ())
    return found
