"""Reorders sums so that the term that becomes available last is added last.

LLVM moves a constant to the end of a sum, which adds one more addition after the last term. In a hash that is
the critical path. So in a sum of four or more terms, one of them a constant, with one term that becomes
available after all others, the others are added first, and `hide` conceals that from LLVM. Modulo 2^w, the
order changes no bit.

Some terms become constants when LLVM unrolls a loop: counters, and elements of a table at such indices.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from .form import LANEWISE, Const, MachineBlock, MachineFunction, MachineJump, Op, Operand, Word, const

# How many operations later than all others a term must be available to be added last; 2 are enough if the
# others are available when the block begins.
APART = 6
# Operations that take no time.
FREE = frozenset(("zext", "sext", "trunc"))
# The depth of constants, and of words that LLVM may know: available long before the block begins.
EARLY = -2 * APART


def regroup(function: MachineFunction) -> None:
    uses: Counter[Operand] | None = None
    steady: set[Operand] = set()
    for block in function.blocks:
        if sum(op.op == "add" for op in block.ops) < 3:
            continue
        if uses is None:
            uses = _uses(function)
            steady = _steady(function)
        _regroup(block, uses, steady, function)


def _uses(function: MachineFunction) -> Counter[Word]:
    found: Counter[Word] = Counter()
    for block in function.blocks:
        for args in chain((op.args for op in block.ops), (block.end.args,)):
            found.update(arg for arg in args if isinstance(arg, Word))
    return found


def _steady(function: MachineFunction) -> set[Operand]:
    """The words that depend only on counters, constants and constant tables: LLVM may know them."""
    comes: dict[Word, list[Operand]] = {}
    for block in function.blocks:
        if isinstance(block.end, MachineJump):
            for param, arg in zip(block.end.to.params, block.end.args, strict=True):
                comes.setdefault(param, []).append(arg)
        for op in block.ops:
            if op.op in LANEWISE or op.op in ("global", "load"):
                comes.update(dict.fromkeys(op.results, op.args))
    tables = {op.result for op in function.ops() if op.op == "global"}
    moving = {
        word
        for op in function.ops()
        for word in op.results
        if word not in comes or (op.op == "load" and op.args[0] not in tables)
    }
    moving.update(function.params)
    further: dict[Operand, list[Word]] = {}
    for word, args in comes.items():
        for arg in args:
            further.setdefault(arg, []).append(word)
    todo = list(moving)
    while todo:
        more = {*further.get(todo.pop(), ())} - moving
        moving |= more
        todo += more
    return comes.keys() - moving


def _regroup(
    block: MachineBlock, uses: Counter[Word], steady: set[Operand], function: MachineFunction
) -> None:
    depths = _depths(block, steady)
    tables = {op.results[0] for op in block.ops if op.op == "load"} & steady
    made = {op.results[0]: op for op in block.ops if op.op == "add"}
    instead: dict[Op, list[Op]] = {}
    parts: set[Op] = set()
    for op in reversed(block.ops):
        if op.op != "add" or op in parts or op.result.type > 64:
            continue
        terms, inner = _terms(op, made, uses)
        words = sorted((t for t in terms if isinstance(t, Word)), key=lambda word: depths.get(word, 0))
        if len(terms) < 4 or len(words) < 2 or (len(words) == len(terms) and tables.isdisjoint(words)):
            continue
        last, other = depths.get(words[-1], 0), depths.get(words[-2], 0)
        if last >= other + APART or (other <= 0 and last >= 2):
            constant = sum(t.value for t in terms if isinstance(t, Const))
            instead[op] = _sum(op, words, constant, function)
            parts.update(inner)
    if instead:
        block.ops = [new for op in block.ops if op not in parts for new in instead.get(op, (op,))]


def _terms(op: Op, made: dict[Word, Op], uses: Counter[Word]) -> tuple[list[Operand], list[Op]]:
    """The terms of a sum, and the intermediate sums that nothing else uses."""
    terms: list[Operand] = []
    inner: list[Op] = []
    todo = list(op.args)
    while todo:
        operand = todo.pop()
        add = made.get(operand) if isinstance(operand, Word) else None
        if add is not None and uses[operand] == 1:
            inner.append(add)
            todo += add.args
        else:
            terms.append(operand)
    return terms, inner


def _sum(op: Op, words: list[Word], constant: int, function: MachineFunction) -> list[Op]:
    bits = op.result.type
    first, *others = [const(constant, bits), *words[:-1]] if constant else words[:-1]
    early: Operand = first
    ops: list[Op] = []
    for name, args in [*(("add", [word]) for word in others), ("hide", [])]:
        ops.append(Op(name, [*args, early], [function.word(bits)]))
        early = ops[-1].result
    return [*ops, Op("add", [words[-1], early], op.results)]


def _depths(block: MachineBlock, steady: set[Operand]) -> dict[Word, int]:
    """The length of the longest chain of operations in the block that leads to each word."""
    depths: dict[Word, int] = {}

    def depth(arg: Operand) -> int:
        return EARLY if isinstance(arg, Const) or arg in steady else depths.get(arg, 0)

    for op in block.ops:
        before = [depth(arg) for arg in op.args]
        if op.op in ("load", "bytes"):
            # the array is available as early as the index
            before = before[1:]
        late = max(before, default=-1) + (op.op not in FREE)
        depths.update((word, EARLY if word in steady else late) for word in op.results)
    return depths
