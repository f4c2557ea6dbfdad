"""Shows that the passes over machine IR preserve its meaning: they reorder sums and combine bounds checks.

The operations of each block are compared before and after. Operations in both are unchanged. In addition:

- A word that is computed differently is a sum modulo 2^width of the same terms, each equally often. (`hide`
  yields its argument.)
- Observable and failing operations keep their order, except bounds checks. The checks between two such
  operations are the same checks in the same order, where a `bounds_run` counts as one check per row. The
  index of row k is shown to be r + o(k) as an integer, for the run's root r. The run tests the index with the
  greatest r + o(k) + count, and the one with the least r + o(k): if these are within bounds, all are. If not,
  the rows are tested one by one.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ..ir.errors import CheckError
from ..machine import form
from ..machine.form import Const, MachineBlock, MachineFunction, Op, Operand, Word
from ..machine.witness import Witness
from .steps import PARTIAL

# EFFECTS keep their order. No check moves across EVENTS: they are observable, or the run may end there.
EFFECTS = (form.EFFECTS | {"bounds_big"}) - {"bounds", "bounds_run"}
EVENTS = frozenset(("store", "new", "refuse", "bounds_big", "deep", "poll", "call"))
CHECKS = ("bounds", "bounds_run")
READS = frozenset(("load", "bytes", "transposed")) | PARTIAL


class _Changed(Exception):
    pass


def check_regrouped(function: MachineFunction, witness: Witness) -> None:
    """Raises CheckError if a block is not shown to do what it did when it was lowered."""
    changed = [block for block in function.blocks if block.ops is not witness.ops[block]]
    if not changed and len(function.blocks) == len(witness.ops):
        return
    before = {word: op for ops in witness.ops.values() for op in ops for word in op.results}
    after = {word: op for op in function.ops() for word in op.results}
    try:
        for block in changed:
            _sums(witness.ops[block], block.ops, before, after)
            _events(witness.ops[block], block.ops, before)
            _in_order(block, before, after)
    except _Changed as what:
        raise CheckError(f"@{function.name}: {block}: regrouped words: {what}") from None


# Sums ------------------------------------------------------------------------------------------------


def _sums(old: list[Op], new: list[Op], before: dict[Word, Op], after: dict[Word, Op]) -> None:
    kept = set(new)
    terms_before: dict[Operand, Counter] = {}
    terms_after: dict[Operand, Counter] = {}
    for op in old:
        if op in kept or op.op in CHECKS:
            continue
        if op.op != "add":
            raise _Changed(f"{op.op} was removed")
        # a removed sum is not used: _in_order would find the use
        (word,) = op.results
        if word in after and _terms(word, before, terms_before) != _terms(word, after, terms_after):
            raise _Changed(f"{word} is the sum of other terms")
    there = set(old)
    for op in new:
        if op not in there and op.op not in ("add", "hide", "bounds_run"):
            raise _Changed(f"{op.op} was added")
        if op not in there and op.op == "add" and op.attribute is not None:
            raise _Changed("a new sum promises not to overflow")


def _terms(word: Operand, made: dict[Word, Op], known: dict[Operand, Counter]) -> Counter:
    """How often each term occurs in the sum, modulo 2^width; the term None is 1."""
    found = known.get(word)
    if found is None:
        op = made.get(word)
        found = Counter()
        if isinstance(word, Const):
            found[None] = word.value
        elif op is not None and op.op in ("add", "hide"):
            for arg in op.args:
                for term, times in _terms(arg, made, known).items():
                    found[term] += times
        else:
            found[word] = 1
        full = (1 << word.type) - 1
        found = known[word] = Counter({term: times & full for term, times in found.items() if times & full})
    return found


# Checks ----------------------------------------------------------------------------------------------


class _Stretch(NamedTuple):
    """What follows an event: its bounds checks, and for each operation in READS how many precede it."""

    event: Op | None
    checks: list[Op]
    reads: dict[Op, int]


def _events(old: list[Op], new: list[Op], made: dict[Word, Op]) -> None:
    was, now = _stretches(old), _stretches(new)
    if [op for op in old if op.op in EFFECTS] != [op for op in new if op.op in EFFECTS]:
        raise _Changed("the order of the effects has changed")
    for before, after in zip(was, now, strict=True):
        checks = iter(before.checks)
        for op in after.checks:
            if op.op == "bounds":
                if next(checks, None) is not op:
                    raise _Changed("a bounds check was added, or changed its place")
            else:
                _run(op, [check for _, check in zip(op.attribute[2], checks, strict=False)], made)
        if next(checks, None) is not None:
            raise _Changed("a bounds check was removed")
        for op, count in before.reads.items():
            if after.reads.get(op, -1) < count:
                raise _Changed(f"{op.op} comes before a bounds check that it may rely on")


def _stretches(ops: list[Op]) -> list[_Stretch]:
    found, count = [_Stretch(None, [], {})], 0
    for op in ops:
        if op.op in CHECKS:
            found[-1].checks.append(op)
            count += len(op.attribute[2]) if op.op == "bounds_run" else 1
        elif op.op in READS:
            found[-1].reads[op] = count
        elif op.op in EVENTS:
            found.append(_Stretch(op, [], {}))
    return found


def _run(op: Op, checks: list[Op], made: dict[Word, Op]) -> None:
    """Shows that the run tests what these checks do."""
    array, root, most, *least = op.args
    reading, count, rows = op.attribute
    if len(checks) != len(rows):
        raise _Changed("a bounds_run has more rows than there are checks")
    base = _index(root, reading, made)
    for check, (offset, each, site) in zip(checks, rows, strict=True):
        own = _index(check.args[1], "", made)
        # a root that is itself an index may be read either way: if negative, it is out of bounds as unsigned
        either = own.reading in ("", base.reading)
        if check.args[1].type != 64:
            raise _Changed("a row of a bounds_run is of an index of more than 64 bits")
        if check.args[0] is not array or (each, site) != (check.attribute, check.site):
            raise _Changed("a row of a bounds_run has another array, count or site than its check")
        if own.root is not base.root or own.offset != base.offset + offset or not either:
            raise _Changed("a row of a bounds_run has another index than its check")
    last = max(range(len(rows)), key=lambda at: rows[at][0] + rows[at][1])
    first = min(range(len(rows)), key=lambda at: rows[at][0])
    ends = [check.args[1] for check in checks]
    if (most, count) != (ends[last], rows[last][1]):
        raise _Changed("a bounds_run does not test its greatest index")
    # the least index needs no test if it is not negative: the root, or the index itself, is read as unsigned
    if base.offset + rows[first][0] >= 0:
        natural = base.root is None or base.reading == "u"
    else:
        natural = base.root is not None and _index(ends[first], "u", made)[:2] == base[:2]
    if least != [ends[first]] and (least or not natural):
        raise _Changed("a bounds_run does not test its least index")


class _Index(NamedTuple):
    """The integer root + offset; the root is read as `reading` says: "u", "s", or "" for either."""

    root: Word | None
    reading: str
    offset: int


def _index(word: Operand, reading: str, made: dict[Word, Op]) -> _Index:
    """The word, read so, as the sum of a root and a constant."""
    if isinstance(word, Const):
        return _Index(None, reading, word.value & (1 << word.type) - 1 if reading == "u" else word.value)
    op = made.get(word)
    if op is not None and op.op == "zext":
        return _index(op.args[0], "u", made)
    if op is not None and op.op == "sext" and reading != "u":
        return _index(op.args[0], "s", made)
    if op is not None and op.op in ("add", "sub") and op.attribute and reading in ("", op.attribute):
        a, b = op.args
        if op.op == "add" and isinstance(a, Const):
            a, b = b, a
        if isinstance(b, Const):
            inner = _index(a, op.attribute, made)
            by = b.value & (1 << b.type) - 1 if op.attribute == "u" else b.value
            return inner._replace(offset=inner.offset + (by if op.op == "add" else -by))
    return _Index(word, reading, 0)


def _in_order(block: MachineBlock, before: dict[Word, Op], after: dict[Word, Op]) -> None:
    """Shows that each word is defined before it is used, where both are in the block."""
    here = {word for op in block.ops for word in op.results}
    for op in block.ops:
        for arg in op.args:
            if arg in here or (arg in before and arg not in after):
                raise _Changed(f"{arg} is used before it is defined")
        here.difference_update(op.results)
    for arg in block.end.args:
        if arg in before and arg not in after:
            raise _Changed(f"{arg} is used but never defined")
