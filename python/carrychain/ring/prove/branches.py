"""Branches: what a comparison's outcome implies about its operands holds for all numbers that compare so.

Checked for all small intervals, including half-open ones, and all pairs of their members: pairs that take an
edge are in what the passes (ranges.py) and the checker (check.py) know after it, and an edge that some pair
takes is not called unreachable. The two operands may be the same value.
"""

from __future__ import annotations

from ..facts.plan import Plan, Range
from ..facts.ranges import _RangeAnalysis
from ..facts.transfer import Empty
from ..ir import interpret
from ..ir.form import BOOL, COMPARE, INT, Block, Function, Instruction, Module, Return, Value
from ..trust import bounds
from ..trust.check import _DeadCode, _Ranges
from . import Unproven
from .transfers import members, sets

THEOREM = """branches: beyond a branch on a comparison, each side is in the range that ranges.py keeps of
  it there, and in the set that check.py does; a way that is said to be never taken is never
  taken (all small sets are tried)"""
TAKE = ("passes take", "checker takes")
STATED = {claim: claim for op in COMPARE for claim in (f"{op}, as the {who} it" for who in TAKE)}


def widths(bounded: bool) -> tuple[int, ...]:
    return ()


def _by_ranges(comparison: Instruction, function: Function, truth: bool, a: Range, b: Range):
    x, y = comparison.args
    analysis = _RangeAnalysis(function, {}, ({x: a, y: b}, {}))
    facts: dict = {}
    try:
        analysis._learn(comparison.result, truth, facts)
    except Empty:
        return None
    return facts[x], facts[y]


def _by_check(comparison: Instruction, function: Function, truth: bool, a: Range, b: Range):
    x, y = comparison.args
    checker = _Ranges(Plan(function, {x: a, y: b}, facts={}), Module(), {})
    known: dict = {}
    try:
        checker._learn(comparison.result, truth, known)
    except _DeadCode:
        return None
    tight = [bounds.tight(known[v]) for v in (x, y)]
    return None if None in tight else tuple(Range(*each) for each in tight)


def _comparison(op: str, same: bool) -> tuple[Instruction, Function]:
    x = Value("x", INT)
    y = x if same else Value("y", INT)
    comparison = Instruction(op, [x, y], [Value("c", BOOL)])
    return comparison, Function("f", [], [Block("entry", [], [comparison], Return([]))])


def _told(op: str, who, every: list[Range], step: int) -> int:
    count = 0
    for same in (True, False):
        comparison, function = _comparison(op, same)
        pairs = [(a, a) for a in every] if same else [(a, b) for a in every for b in every][::step]
        for a, b in pairs:
            inside = [(x, x) for x in members(a)] if same else None
            inside = inside or [(x, y) for x in members(a) for y in members(b)]
            for truth in (True, False):
                found = who(comparison, function, truth, a, b)
                for x, y in inside:
                    if interpret.INTEGER[op](x, y) != truth:
                        continue
                    if found is None or x not in found[0] or y not in found[1]:
                        raise Unproven(f"{x} {op} {y} is {truth}, of {a} and {b}: {found}")
                count += 1
    return count


def proofs(bounded: bool):
    every = sets()[:: 7 if bounded else 3]
    for op in COMPARE:
        for name, who in zip(TAKE, (_by_ranges, _by_check), strict=True):
            claim = f"{op}, as the {name} it"
            yield claim, lambda op=op, who=who: _told(op, who, every, 5 if bounded else 1)
