"""Peels loops whose numbers are large only at the beginning.

After `h = seed`, h may be any integer; after `h = h * c & mask`, it is a word. But a loop's parameter has one
container. So the first iteration of such a loop is copied before the loop, which is then entered only with
what an iteration has computed. In

    head(h): ...; branch c, round, end        from outside: head(seed)        at the end: head(h')

the edge from outside leads to the copy, whose end passes h' to the loop. Values that are used after the loop
come from the copy or from the loop: they are passed at the loop's only exit (beside traps).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from ..facts.plan import Plan
from ..ir.dominance import Dominance
from ..ir.form import Block, Branch, Edge, Function, Instruction, Jump, Return, TrapTerminator, Value
from ..machine.form import BIG

WORD = 64  # bits
MOST = 256  # instructions of a loop


def peel(plan: Plan) -> bool:
    """Peels the first iteration of a loop whose parameters are words in all others, in place; whether there
    is such a loop."""
    if all(container is not BIG and container <= WORD for container in plan.containers.values()):
        return False
    function = plan.function
    dominance = Dominance(function)
    for head, inside in (dominance.loops() or {}).items():
        if function.blocks[0] not in inside and _narrows(plan, dominance, head, inside):
            way = _way_out(inside)
            if way is not None and sum(len(block.instructions) for block in inside) <= MOST:
                _peel(function, head, inside, way)
                return True
    return False


def _narrows(plan: Plan, dominance: Dominance, head: Block, inside: set[Block]) -> bool:
    """Whether a parameter is a word in all iterations but the first."""
    for at, param in enumerate(head.params):
        container = plan.containers.get(param, 0)
        if (container is not BIG and container <= WORD) or param not in plan.ranges:
            # in a loop that is never entered no peeling would change that
            continue
        passed: dict[bool, list[Value]] = {True: [], False: []}
        for before in dict.fromkeys(dominance.before[head]):
            for edge in before.terminator.edges:
                if edge.block is head:
                    passed[before in inside].append(edge.args[at])
        known = {way: [plan.ranges.get(value) for value in values] for way, values in passed.items()}
        if all(r is None or r.fits(WORD) for r in known[True]) and not all(
            r is None or r.fits(WORD) for r in known[False]
        ):
            return True
    return False


def _way_out(inside: set[Block]) -> Edge | None:
    """The loop's exit, if it has only one beside traps."""
    ways = [
        edge
        for block in inside
        for edge in block.terminator.edges
        if edge.block not in inside
        and not (
            isinstance(edge.block.terminator, TrapTerminator)
            and not edge.args
            and not edge.block.instructions
        )
    ]
    return ways[0] if len(ways) == 1 else None


def _peel(function: Function, head: Block, inside: set[Block], way: Edge) -> None:
    names = {value.name for value in function.values()} | {block.name for block in function.blocks}

    def fresh(name: str) -> str:
        number = 1
        while f"{name}.p{number}" in names:
            number += 1
        names.add(f"{name}.p{number}")
        return f"{name}.p{number}"

    def another(value: Value) -> Value:
        return Value(fresh(value.name), value.type, value.position)

    loop = [block for block in function.blocks if block in inside]
    _meet(function, inside, way, Block(fresh(way.block.name)), another)
    blocks = {block: Block(fresh(block.name)) for block in loop}
    new: dict[Value, Value] = {}
    for block in loop:
        for value in chain(block.params, (r for i in block.instructions for r in i.results)):
            new[value] = another(value)

    def of(values: list[Value]) -> list[Value]:
        return [new.get(value, value) for value in values]

    def edge(old: Edge) -> Edge:
        # round again is into the loop
        return Edge(old.block if old.block is head else blocks.get(old.block, old.block), of(old.args))

    for block in function.blocks:
        for outer in block.terminator.edges if block not in inside else ():
            if outer.block is head:
                outer.block = blocks[head]
    for block, copy in blocks.items():
        copy.params = of(block.params)
        copy.instructions = [
            Instruction(i.op, of(i.args), of(i.results), i.attribute, i.position) for i in block.instructions
        ]
        match block.terminator:
            case Jump(to):
                copy.terminator = Jump(edge(to))
            case Branch(condition, then, otherwise):
                copy.terminator = Branch(new.get(condition, condition), edge(then), edge(otherwise))
            case Return(args):
                copy.terminator = Return(of(args))
            case TrapTerminator(message, position):
                copy.terminator = TrapTerminator(message, position)
    function.blocks += blocks.values()


def _meet(
    function: Function, inside: set[Block], way: Edge, meeting: Block, another: Callable[[Value], Value]
) -> None:
    """Makes a block at the loop's exit that receives all of its values that are used after it."""
    made = {v for b in inside for v in chain(b.params, (r for i in b.instructions for r in i.results))}
    outside = [block for block in function.blocks if block not in inside]
    behind: dict[Value, Value] = {}

    def of(values: list[Value]) -> list[Value]:
        return [behind.setdefault(v, another(v)) if v in made else v for v in values]

    meeting.terminator = Jump(Edge(way.block, of(way.args)))
    for block in outside:
        for i in block.instructions:
            i.args = of(i.args)
        match block.terminator:
            case Branch() as end:
                (end.condition,) = of([end.condition])
            case Return() as end:
                end.args = of(end.args)
        for edge in block.terminator.edges:
            edge.args = of(edge.args)
    meeting.params = list(behind.values())
    way.block, way.args = meeting, list(behind)
    function.blocks.append(meeting)
