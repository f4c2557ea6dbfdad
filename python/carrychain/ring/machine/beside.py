"""Runs a function in lanes, and on one input at a time, in the interpreter: for comparison.

Arguments are a row per input: integers, and lists of them for arrays. `bits` is the width of each argument's
word, or of an array's elements.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..ir.errors import Trap
from .form import ARRAY, Lanes, MachineModule, MachineType
from .interpret import HeapObject, MachineInterpreter, require


def one_by_one(
    words: MachineModule, name: str, rows: Sequence[Sequence], bits: Sequence[int], blocks: float = math.inf
) -> list | None:
    """The results for each input; None if a check fails. `blocks` is the interpreter's limit."""
    function, found, code = words.functions[name], [], {}
    for row in rows:
        args = [
            _held(arg, size) if param.type == ARRAY else arg & (1 << size) - 1
            for arg, size, param in zip(row, bits, function.params, strict=True)
        ]
        try:
            results = MachineInterpreter(words, {}, blocks, code=code).run(function, args)
        except Trap:
            return None
        found.append([_plain(*each) for each in zip(results, function.results, strict=True)])
    return found


def at_once(
    made: MachineModule, name: str, rows: Sequence[Sequence], bits: Sequence[int], blocks: float = math.inf
) -> list | None:
    """The same for the function in lanes."""
    interpreter, function, args = MachineInterpreter(made, {}, blocks), made.functions[name], []
    for column, size, param in zip(zip(*rows, strict=True), bits, function.params, strict=True):
        if param.type == ARRAY:
            args.append(_held(column[0], size))
        elif not isinstance(param.type, Lanes):
            args.append(column[0] & (1 << size) - 1)
        elif isinstance(column[0], int):
            args.append(tuple(x & (1 << size) - 1 for x in column))
        else:
            args.append(HeapObject([[x & (1 << size) - 1 for x in each] for each in column], size, -1))
    try:
        results = interpreter.run(function, args)
    except Trap:
        return None
    columns = []
    for result in results:
        if isinstance(result, HeapObject):
            columns.append([list(each) for each in result.held])
            interpreter.owned.release(result)
        else:
            columns.append(list(result) if isinstance(result, tuple) else [result] * len(rows))
    require(interpreter.left() == 0, "an object is not freed")
    return [[column[at] for column in columns] for at in range(len(rows))]


def _held(given: Sequence[int], bits: int) -> HeapObject:
    return HeapObject([x & (1 << bits) - 1 for x in given], bits, -1)


def _plain(result, type_: MachineType):
    return list(result.held) if type_ == ARRAY else result
