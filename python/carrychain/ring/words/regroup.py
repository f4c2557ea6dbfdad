"""Sums end with what comes last.

LLVM moves a constant to the end of a sum, and the sum then waits for one addition more after its last
term: in a hash that is the whole time. So of a sum of four terms or more, with a constant among them
and one term that comes later than all others, the others are added first, and `hide` keeps that from
LLVM. In words of one width the order changes no bit.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from .form import Block, Const, Function, Op, Operand, Word, const

# Operations by which one term of a sum must be later than the others to be kept for last.
APART = 6
# What takes no time.
FREE = frozenset(("zext", "sext", "trunc"))


def regroup(function: Function) -> None:
    uses: Counter[Operand] | None = None
    for block in function.blocks:
        if sum(op.op == "add" for op in block.ops) < 3:
            continue
        if uses is None:
            uses = _uses(function)
        _regroup(block, uses, function)


def _uses(function: Function) -> Counter[Word]:
    found: Counter[Word] = Counter()
    for block in function.blocks:
        for args in chain((op.args for op in block.ops), (block.end.args,)):
            found.update(arg for arg in args if isinstance(arg, Word))
    return found


def _regroup(block: Block, uses: Counter[Word], function: Function) -> None:
    depths = _depths(block)
    made = {op.results[0]: op for op in block.ops if op.op == "add"}
    instead: dict[Op, list[Op]] = {}
    parts: set[Op] = set()
    for op in reversed(block.ops):
        if op.op != "add" or op in parts or op.result.type > 64:
            continue
        terms, inner = _terms(op, made, uses)
        words = sorted((t for t in terms if isinstance(t, Word)), key=lambda word: depths.get(word, 0))
        if len(terms) < 4 or len(words) == len(terms) or len(words) < 2:
            continue
        if depths.get(words[-1], 0) >= depths.get(words[-2], 0) + APART:
            constant = sum(t.value for t in terms if isinstance(t, Const))
            instead[op] = _sum(op, words, constant, function)
            parts.update(inner)
    if instead:
        block.ops = [new for op in block.ops if op not in parts for new in instead.get(op, (op,))]


def _terms(op: Op, made: dict[Word, Op], uses: Counter[Word]) -> tuple[list[Operand], list[Op]]:
    """What is added, and the sums on the way that nothing else uses."""
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


def _sum(op: Op, words: list[Word], constant: int, function: Function) -> list[Op]:
    bits = op.result.type
    early: Operand = const(constant, bits)
    ops: list[Op] = []
    for name, args in [*(("add", [word]) for word in words[:-1]), ("hide", [])]:
        ops.append(Op(name, [*args, early], [function.word(bits)]))
        early = ops[-1].result
    return [*ops, Op("add", [words[-1], early], op.results)]


def _depths(block: Block) -> dict[Word, int]:
    """How long a chain of operations in the block leads to each word."""
    depths: dict[Word, int] = {}
    for op in block.ops:
        before = [depths.get(arg, 0) if isinstance(arg, Word) else 0 for arg in op.args]
        depth = max(before, default=-1) + (op.op not in FREE)
        depths.update(dict.fromkeys(op.results, depth))
    return depths
