"""Chooses a container for each integer value: 8 to 128 bits, or big.

The demand decides. If only bits up to w - 1 of a value matter, the low w bits of a word suffice, and so does
any wider word. If all of a value matters and its range fits w bits, demand.py already expressed the demand as
w bits, and a word of w bits is the value. What remains, all of a value that no word holds, is big.

A value that is used both modulo a word and whole is computed once, whole: a second copy would save its
modular users only a truncation. Block parameters that are passed to one another share the widest of their
words, so that a loop converts nothing on its back edge. (A big parameter may be passed to one that is a word.
That one is not passed back to it, or all of its bits would be demanded: it stays a word.)
"""

from __future__ import annotations

from ..facts.demand import Demands, demands, width
from ..facts.plan import Plan, Range
from ..facts.ranges import RangeFacts, Summaries, analyse
from ..ir.form import Block, Function, Int, Value
from ..machine.form import BIG, word


def container(demand: int) -> int | None:
    bits = width(demand)
    return BIG if bits is None else word(bits)


def plan(function: Function, summaries: Summaries | None = None) -> Plan:
    """Ranges, demands and containers for the function as it stands."""
    known, facts = analyse(function, summaries)
    return choose(function, known, facts, demands(function, known))


def choose(
    function: Function, known: dict[Value, Range], facts: dict[Block, RangeFacts], found: Demands
) -> Plan:
    """The plan, for ranges and demands that are already known."""
    masks = {value: found.masks.get(value, 0) for value in function.values() if isinstance(value.type, Int)}
    containers = {value: container(mask) for value, mask in masks.items()}
    for group in _passed_around(function):
        words = [value for value in group if containers[value] is not BIG]
        if words:
            containers.update(dict.fromkeys(words, max(containers[value] for value in words)))
    blame = {v: found.reasons[v] for v, bits in containers.items() if bits is BIG and v in found.reasons}
    return Plan(function, known, masks, containers, blame, facts)


def plan_big(function: Function) -> Plan:
    """A plan without facts, in which nothing is cut: generic arithmetic everywhere."""
    values = [value for value in function.values() if isinstance(value.type, Int)]
    return Plan(function, {}, dict.fromkeys(values, -1), dict.fromkeys(values, BIG))


def _passed_around(function: Function) -> list[list[Value]]:
    """Groups of block parameters: two are in the same group if one is passed to the other."""
    params = {p for block in function.blocks for p in block.params if isinstance(p.type, Int)}
    group = {param: [param] for param in params}
    for block in function.blocks:
        for edge in block.terminator.edges:
            for param, arg in zip(edge.block.params, edge.args, strict=True):
                if param in group and arg in group and group[param] is not group[arg]:
                    fewer, more = sorted((group[param], group[arg]), key=len)
                    more.extend(fewer)
                    group.update(dict.fromkeys(fewer, more))
    return list({id(members): members for members in group.values()}.values())
