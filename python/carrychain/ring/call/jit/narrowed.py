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

All this is shown for each program (trust/copied.py). If it is not, the function has no copies.
"""

from __future__ import annotations

from ...compile import inlined, plans, warn
from ...facts.escape import escaping, roots
from ...facts.plan import Plan, Range
from ...facts.ranges import Summaries, analyse
from ...front.python.kinds import Lowered
from ...ir.callgraph import calls
from ...ir.errors import CheckError, step
from ...ir.form import INT, Array, Function, Module, Value, unsigned
from ...lower.loops import loops
from ...machine.form import BIG
from ...trust.copied import Copies, check_copies
from .inner import GIVEN_UP, WORD, choose, strict
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
    whole = module.copy()
    inlined(whole)
    try:
        with step("copies"):
            copies = _copies(module, whole, entry, short)
            check_copies(module, whole, copies)
    except CheckError as error:
        module = module.copy()
        warn(entry, "is compiled without copies for narrower arguments", [module.functions[entry]], error)
        return module
    return copies.module


def _copies(before: Module, whole: Module, entry: str, short: bool) -> Copies:
    module = before.copy()
    twin = whole.functions[entry].copy()
    # what is shown of lists rests on the ranges of results
    made = _planned(module, tried=not _lists(twin))
    summaries = {name: plan.returned for name, plan in made.items()}
    copies = Copies(module, entry, returned=summaries)
    function, planned = module.functions[entry], made[entry]
    wide = [
        at
        for at, (param, of_plan) in enumerate(zip(function.params, planned.function.params, strict=True))
        if param.type == INT and planned.containers[of_plan] is BIG
    ]
    twin.name = narrowed_name(entry)
    for at in wide:
        twin.params[at].type = WORD
    lists = _narrow_items(twin, summaries)
    if wide or lists:
        module.functions[twin.name] = twin
        function.has_words = True
        if short and _takes_arrays(twin) and entry not in calls(twin):
            of_words = _planned(module, tried=True)[twin.name]
            copies.short = with_short(module, twin.copy(), of_words)
        if wide and not lists and entry in calls(twin):
            if INT in twin.results and _is_pure(whole, entry):
                name = strict_name(entry)
                module.functions[name] = strict(twin, entry, wide, name)
                copies.strict[name] = GIVEN_UP
            for each in (function, twin):
                choose(each, entry, twin.name, wide)
    elif short:
        copies.short = with_short(module, whole.functions[entry], planned)
    if lists:
        new = module.functions.keys() - before.functions.keys()
        copies.ranges = {name: analyse(module.functions[name], summaries) for name in new}
    return copies


def _planned(module: Module, tried: bool) -> dict[str, Plan]:
    """The plans of a copy, whose faults are the module's, too."""
    copy = module.copy()
    # what is asked here is what callers pass and receive
    made = plans(copy, True, words=False, tried=tried)
    for name, function in module.functions.items():
        function.fault = copy.functions[name].fault
    return made


def _takes_arrays(function: Function) -> bool:
    return any(isinstance(param.type, Array) for param in function.params) and bool(loops(function))


def _is_pure(module: Module, entry: str) -> bool:
    """Whether abandoning a call of it leaves no effects."""
    written, globals_ = escaping(module)
    return not written[entry] and not globals_


def _narrow_items(function: Function, summaries: Summaries) -> bool:
    """Turns lists' items into words where possible, in place; returns whether there are any."""
    lists = _lists(function)
    tried = dict.fromkeys(lists, 0)
    while lists:
        for param, members in lists.items():
            for value in members:
                value.type = Array(ITEMS[tried[param]])
        ranges = analyse(function, summaries)[0]
        wrong = [param for param in lists if not _fit(function, lists[param], ranges)]
        if not wrong:
            break
        for param in wrong:
            tried[param] += 1
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
