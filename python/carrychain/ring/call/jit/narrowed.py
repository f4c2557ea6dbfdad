"""A copy of a function for 64-bit ints, next to the function for ints of any size.

An int of which all bits matter is a runtime value, which is slower than a word even if it is small. Nearly
all arguments would fit a word. So a function with such parameters exists twice. The copy differs only in its
parameters' types, which callers ensure. Each call of itself tests whether the copy fits:

    if each of these arguments is in s64: call the copy, with the arguments narrowed to it
    else: call the function

For such arguments the copy does what the function does, and the narrowing never fails there. So the program
is equivalent, whatever is known about the arguments. If their ranges are known, later passes remove the
tests.

If the function has no visible side effects, there is a third copy that also returns words (inner.py). If one
of its calls returns something that is not a word, it is abandoned, and since nothing has happened, the others
are called instead.

The items of a list are words as well, if everything that the function stores in it fits one. This is tried,
and the ranges decide (elements.py says why this is sound; here the induction begins with the items that are
passed, which callers ensure). Such a list must not be visible elsewhere: not in a call, not in a result.
"""

from __future__ import annotations

from ...compile import inlined, plans
from ...facts.escape import escaping, roots
from ...facts.plan import Plan, Range
from ...facts.ranges import Summaries, analyse, summary
from ...front.python.kinds import Lowered
from ...ir.callgraph import calls
from ...ir.errors import CheckError
from ...ir.form import INT, Array, Function, Module, Value, unsigned
from ...lower.loops import loops
from ...machine.form import BIG
from ...trust.check import check_ranges
from .inner import WORD, choose, strict
from .short import with_short

# The types that are tried for a list's items; the operations on a list that do not make it visible elsewhere.
ITEMS = (WORD, unsigned(64), INT)
INSIDE = ("load", "store", "len", "select")


def narrowed_name(name: str) -> str:
    """The copy's name, which no Python function has."""
    return f"{name} of words"


def strict_name(name: str) -> str:
    return f"{name} to words"


def joined(lowered: Lowered) -> Lowered:
    """Inlines calls, in place; and without the functions that nobody calls any more."""
    functions = lowered.module.functions
    inlined(lowered.module)
    reached = {lowered.entry}
    todo = [lowered.entry]
    while todo:
        more = calls(functions[todo.pop()]) - reached
        reached |= more
        todo += more
    for name in functions.keys() - reached:
        del functions[name]
    return lowered


def with_narrowed(module: Module, entry: str, short: bool = True) -> Module:
    """A copy of the module with a copy of the entry for words, if that differs; and, if `short`, with one for
    short arrays (short.py), made from the copy for words if there is one."""
    module, whole = module.copy(), module.copy()
    inlined(whole)
    made = _planned(module)
    summaries = {name: summary(plan.function, plan.ranges) for name, plan in made.items()}
    function, planned = module.functions[entry], made[entry]
    wide = [
        at
        for at, (param, of_plan) in enumerate(zip(function.params, planned.function.params, strict=True))
        if param.type == INT and planned.containers[of_plan] is BIG
    ]
    twin = whole.functions[entry].copy()
    twin.name = narrowed_name(entry)
    for at in wide:
        twin.params[at].type = WORD
    lists = _narrow_items(twin, whole, summaries)
    if not wide and not lists:
        if short:
            with_short(module, whole.functions[entry], planned)
        return module
    module.functions[twin.name] = twin
    if short and _takes_arrays(twin) and entry not in calls(twin):
        with_short(module, twin.copy(), _planned(module)[twin.name])
    if wide and not lists and entry in calls(twin):
        if INT in twin.results and _is_pure(whole, entry):
            module.functions[strict_name(entry)] = strict(twin, entry, wide, strict_name(entry))
        for each in (function, twin):
            choose(each, entry, twin.name, wide)
    return module


def _planned(module: Module) -> dict[str, Plan]:
    """The plans of a copy, whose faults are the module's, too."""
    copy = module.copy()
    made = plans(copy, True)
    for name, function in module.functions.items():
        function.fault = copy.functions[name].fault
    return made


def _takes_arrays(function: Function) -> bool:
    return any(isinstance(param.type, Array) for param in function.params) and bool(loops(function))


def _is_pure(module: Module, entry: str) -> bool:
    """Whether abandoning a call of it leaves no effects."""
    written, globals_ = escaping(module)
    return not written[entry] and not globals_


def _narrow_items(function: Function, module: Module, summaries: Summaries) -> bool:
    """Turns lists' items into words where possible, in place; returns whether there are any."""
    lists = _lists(function)
    tried = dict.fromkeys(lists, 0)
    while True:
        for param, members in lists.items():
            for value in members:
                value.type = Array(ITEMS[tried[param]])
        found = analyse(function, summaries)
        wrong = [param for param in lists if not _fit(function, lists[param], found[0])]
        if not wrong:
            break
        for param in wrong:
            tried[param] += 1
    try:
        check_ranges(function, *found, module, summaries)
    except CheckError:
        for value in set().union(*lists.values()):
            value.type = Array(INT)
    return any(value.type != Array(INT) for value in lists)


def _lists(function: Function) -> dict[Value, set[Value]]:
    """The parameters that are lists of ints and not visible elsewhere; and all values that are the list."""
    of = roots(function)
    found = {}
    for param in function.params:
        members = {value for value, arrays in of.items() if param in arrays}
        seen = {arg for i in function.instructions() if i.op not in INSIDE for arg in i.args}
        seen.update(*(block.terminator.args for block in function.blocks if not block.terminator.edges))
        if param.type == Array(INT) and all(of[v] == {param} for v in members) and not seen & members:
            found[param] = members
    return found


def _fit(function: Function, members: set[Value], ranges: dict[Value, Range]) -> bool:
    """Whether everything stored in the list has its items' type."""
    stored = [i for i in function.instructions() if i.op == "store" and i.args[0] in members]
    # a value without a range is unreachable
    return all(ranges[i.args[2]].within(i.args[0].type.element) for i in stored if i.args[2] in ranges)
