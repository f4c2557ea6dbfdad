"""A copy of a function for short arrays.

The sums in a loop over an array are bounded by the array's length, which is only bounded by memory; for sums
of sums that exceeds a word. Nearly all arrays are far shorter. So if a loop's sums do not fit 64 bits, but
would if no array had more than MOST elements, the function exists twice, and each call tests

    if no array is longer: call the copy
    else: call the function

The copy begins by narrowing the lengths, which never fails. So the program is equivalent. The ranges of the
lengths then bound the iterations, and these the sums (counters.py). If no sum becomes a word by this, there
is no copy.
"""

from __future__ import annotations

from ...compile import plans
from ...facts.escape import roots
from ...facts.plan import Plan
from ...facts.rounds import Rounds
from ...ir.callgraph import calls
from ...ir.form import (
    BOOL,
    INT,
    Array,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Module,
    Return,
    Value,
)
from ...machine.form import BIG
from .inner import Rewriting

# Sums of sums of bytes are below 2^63.
MOST = 1 << 27


def short_name(name: str) -> str:
    return f"{name} of short arrays"


def long_name(name: str) -> str:
    return f"{name} of long arrays"


def with_short(module: Module, inlined: Function, plan: Plan) -> dict[str, int]:
    """Adds the copy of a function to its module, in place, if it helps; `inlined` is the function with its
    callees inlined, and `plan` its plan.

    Returns the copy's name, and of how many elements its arrays are at most.
    """
    name = inlined.name
    wide = _wide(plan)
    if not wide or name in calls(inlined):
        return {}
    short = inlined.copy()
    short.name = short_name(name)
    if not _narrow(short):
        return {}
    function, alone = module.functions[name], _alone(short, module)
    made = plans(alone, True, tried=True)[short.name]
    function.fault = function.fault or alone.functions[short.name].fault
    if _wide(made) >= wide:
        return {}
    module.functions[name] = _choose(function)
    function.name = long_name(name)
    module.functions[function.name] = function
    module.functions[short.name] = short
    return {short.name: MOST}


def _alone(function: Function, module: Module) -> Module:
    """A copy of the function, and of the functions that it calls."""
    found: dict[str, Function] = {}
    todo = [function]
    while todo:
        each = todo.pop()
        if each.name not in found:
            found[each.name] = each.copy()
            todo += [module.functions[name] for name in calls(each)]
    return Module(found, dict(module.arrays))


def _wide(plan: Plan) -> int:
    """The number of sums that no 64-bit word holds."""
    rounds = Rounds(plan)
    params = (p for block in plan.function.blocks[1:] for p in block.params if isinstance(p.type, Int))
    wide = (p for p in params if plan.containers[p] is BIG or plan.containers[p] > 64)
    return sum(plan.facts is not None and rounds.adds_up(p) for p in wide)


def _narrow(function: Function) -> bool:
    """Narrows the lengths of array parameters to those of short arrays; whether there are any."""
    of = roots(function)
    asked = {
        i: param
        for i in function.instructions()
        if i.op == "len"
        for param in of[i.args[0]]
        if of[i.args[0]] == {param} and isinstance(param, Value)
    }
    if not asked:
        return False
    r, begin = Rewriting(function), Block("")
    short = {}
    for param in dict.fromkeys(asked.values()):
        length = r.put(begin, "len", INT, [param])
        short[param] = r.put(begin, "narrow", INT, [length], Int(0, MOST))
    function.replace_uses({i.result: short[param] for i, param in asked.items()})
    for block in function.blocks:
        block.instructions = [i for i in block.instructions if i not in asked]
    function.blocks[0].instructions[:0] = begin.instructions
    return True


def _choose(function: Function) -> Function:
    """Makes the function that tests which of the two to call, and calls it."""
    params = [Value(p.name, p.type, p.position) for p in function.params]
    entry = Block("entry", params)
    made = Function(function.name, function.results, [entry], function.position, False, function.interface)
    r = Rewriting(made)
    most, all_short = r.put(entry, "const", INT, [], MOST), None
    for param in params:
        if isinstance(param.type, Array):
            length = r.put(entry, "len", INT, [param])
            is_short = r.put(entry, "le", BOOL, [length, most])
            args = [all_short, is_short, all_short]
            all_short = is_short if all_short is None else r.put(entry, "select", BOOL, args)
    ways = []
    for name in (short_name(function.name), long_name(function.name)):
        way = Block(r.fresh("way"))
        results = [Value(r.fresh("result"), type_, function.position) for type_ in function.results]
        # without a position: this call has no frame in tracebacks
        way.instructions.append(Instruction("call", list(params), results, name))
        way.terminator = Return(list(results))
        ways.append(way)
    made.blocks += ways
    entry.terminator = Branch(all_short, Edge(ways[0]), Edge(ways[1]))
    return made
