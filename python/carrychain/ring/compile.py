"""The passes over a module of IR in their order, and their output as machine IR, LLVM's text and assembly.

The ranges and demands that a pass uses are checked before it rewrites the function. A step fails if its
result is not shown, or if it stops with an exception. If a pass fails, the function is compiled without it.
If an analysis or lowering fails, the function is lowered on big integers, without any facts. If that fails,
too, it is refused.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from .emit import llvm
from .emit.module import ModuleText
from .emit.names import function_label
from .facts.demand import demands
from .facts.plan import Plan, Range
from .facts.ranges import FoundRanges, Summaries, analyse, summary
from .facts.transfer import of_type
from .ir.callgraph import callees_first, calls, recursive
from .ir.errors import CheckError, Refused, step
from .ir.form import INT, Function, Int, Module, print_function
from .ir.inline import inline
from .ir.snapshot import Snapshot, snapshot
from .lower.module import LoweredModule, lower
from .machine.form import MachineFunction
from .machine.gather import gather
from .machine.regroup import regroup
from .machine.text import print_function as print_words
from .machine.verify import verify_operations
from .machine.witness import Witness
from .rewrite.cut import choose, plan_big
from .rewrite.passes import PASSES, Facts, Pass, Schedule, State, widen
from .rewrite.simplify import simplify
from .trust.check import check, check_ranges
from .trust.defined import check_defined
from .trust.inlined import Callees, check_inlined
from .trust.lowered import check_lowered
from .trust.narrow_elements import check_elements
from .trust.owned import check_owned
from .trust.regrouped import check_regrouped
from .trust.rewrites import check_rewritten
from .trust.tables import check_tables

if TYPE_CHECKING:
    from .trust.validate import Validator

ON_BIG = "runs on big integers"
REPORT = "please report this fault of the compiler"
# The passes over each function's machine IR, in their order.
WORD_PASSES = (gather, regroup)
# Called after each pass, with the pass's name and the function.
Observer = Callable[[str, Function], None]


def warn(name: str, how: str, functions: list[Function], error: CheckError) -> None:
    """Says that the functions are slower, though exact: at the caller of the function that calls this."""
    why = {_why(function, error): None for function in functions}
    said = f"{name} {how}: exact, but slower; {REPORT}: {'; '.join(why)}"
    warnings.warn(said, Refused, stacklevel=3)


def _refusal(function: Function, error: CheckError) -> CheckError:
    said = f"{function.name} cannot be shown to be exact, and is not run; {REPORT}: {_why(function, error)}"
    return CheckError(said, error.position)


def _why(function: Function, error: CheckError) -> str:
    """Why the step failed on the function, after why the first one did: this one may follow from that."""
    said = str(error)
    function.fault = function.fault or said
    return said if said == function.fault else f"{function.fault}; then {said}"


def plans(
    module: Module,
    cut: bool,
    watch: Observer = lambda name, function: None,
    words: bool = True,
    tried: bool = False,
) -> dict[str, Plan]:
    """Runs the passes on the module, in place; returns the plan of each function, callees first.

    Functions are copied for integers that are words in fact, if `words`. If the plan is only tried, and
    nothing is emitted, what passes make is not shown right.
    """
    for function in module.functions.values():
        watch("front", function)
    before = inlined(module)
    made: dict[str, Plan] = {}
    summaries: Summaries = {}
    for function in _callees_first(module):
        watch("inline", function)
        state = State(function, summaries, before.get(function.name) or snapshot(function), tried=tried)
        state.checked = function.has_words or not words
        try:
            try:
                _run(state, module, cut, watch)
            except CheckError as error:
                if not cut:
                    raise
                warn(function.name, ON_BIG, [function], error)
                _hold_whole(state, module)
        except CheckError as error:
            raise _refusal(function, error) from error
        summaries[function.name] = state.plan.returned = state.returned
        made[function.name] = state.plan
    return made


def inlined(module: Module) -> dict[str, Snapshot]:
    """Inlines calls, in place; restores each function that is not shown to do what it did before.

    Returns a snapshot of each function that has not changed.
    """
    order = _callees_first(module)
    before = {function.name: snapshot(function) for function in order}
    try:
        with step("inline"):
            shown = Callees()
            inline(module)
    except CheckError as error:
        for function in order:
            before[function.name].restore(function)
        warn("the program", "is compiled without inline", order, error)
        return {}
    kept: dict[str, Snapshot] = {}
    for function in order:
        was = before[function.name]
        try:
            with step("inline"):
                if was.is_still(function):
                    kept[function.name] = was
                else:
                    check_inlined(was, function, shown)
        except CheckError as error:
            was.restore(function)
            warn(function.name, "is compiled without inline", [function], error)
        with step("inline"):
            shown.add(function)
    return kept


def _callees_first(module: Module) -> list[Function]:
    with step("the order of functions"):
        return callees_first(module)


def _run(state: State, module: Module, cut: bool, watch: Observer) -> None:
    """Runs the passes on a function, and makes its plan; CheckError if a range or demand is not shown."""
    rows = [row for row in PASSES if cut or row.turn is Schedule.ALWAYS]
    again = sum(row.turn in (Schedule.ALWAYS, Schedule.ONCE) for row in rows)
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        _find(state, module, min(row.needs, Facts.RANGES))
        if row.name not in state.refused and _wanted(state, row):
            _find(state, module, row.needs)
            if _rewritten(state, row):
                state.facts = min(state.facts, row.keeps)
                at = again if row.turn in (Schedule.AGAIN, Schedule.LAST) else at
        if at == len(rows) or rows[at].stage != row.stage:
            watch(row.stage, state.function)
    if cut:
        _find(state, module, Facts.PLAN)
    else:
        _hold_whole(state, module)


def _hold_whole(state: State, module: Module) -> None:
    """Plans the function as it stands, on big integers, without facts; CheckError if that is not shown."""
    with step("cut"):
        widen(state)
        state.plan = plan_big(state.function)
    with step("check"):
        state.returned = check(state.plan, module, state.summaries)


def _wanted(state: State, row: Pass) -> bool:
    try:
        with step(row.name):
            return row.wanted(state)
    except CheckError as error:
        _leave_out(state, row.name, error)
        return False


def _rewritten(state: State, row: Pass) -> bool:
    """Runs the pass, and returns whether the function changed. A change that is not shown right is undone."""
    known = state.found if state.facts >= Facts.HELD else ({}, {})
    if not _step(state, row.name, row.run, known):
        return False
    if row.simplified:
        _step(state, "simplify", lambda state: simplify(state.function) or True, ({}, {}))
    return True


def _step(state: State, name: str, run: Callable[[State], bool], known: FoundRanges) -> bool:
    """Runs one step of a pass, and has it shown right, whether or not the pass reports a change."""
    function, before = state.function, state.before
    state.witness = None
    try:
        with step(name):
            changed = run(state)
            if state.tried or before.is_still(function):
                return changed
            still = check_rewritten(name, before, function, *known, state.witness)
    except CheckError as error:
        _leave_out(state, name, error)
        return False
    state.narrow |= before.retyped()
    before.follow(function, still)
    return changed


def _leave_out(state: State, name: str, error: CheckError) -> None:
    """Goes on without the pass: the function is put back as it was before it."""
    state.refused.add(name)
    state.facts = Facts.NOTHING
    state.before.restore(state.function)
    warn(state.function.name, f"is compiled without {name}", [state.function], error)
    state.before = snapshot(state.function)


def _find(state: State, module: Module, needed: Facts) -> None:
    """Computes the facts that are needed about the function as it stands; CheckError if one is not shown.

    They are checked before a pass relies on them: after its rewrite they can no longer be checked.
    """
    function, summaries = state.function, state.summaries
    if state.facts < Facts.CALLS <= needed:
        with step("ranges"):
            if given := _given(function, module, summaries):
                summaries[function.name] = given
    if state.facts < Facts.RANGES <= needed:
        with step("ranges"):
            state.found = analyse(function, summaries, state.found if state.facts is Facts.HELD else None)
    if needed is Facts.CHECKED and state.facts < needed:
        with step("check"):
            check_ranges(function, *state.found, module, summaries)
    if state.facts < Facts.PLAN <= needed:
        with step("demand"):
            state.demands = demands(function, state.found[0])
        with step("cut"):
            state.plan = choose(function, *state.found, state.demands)
            state.plan.general = state.general
        with step("check"):
            state.returned = check(state.plan, module, summaries)
    if needed >= Facts.CHECKED:
        with step("check"):
            check_elements(function, state.narrow, state.found[0])
        state.narrow = set()
    state.facts = max(state.facts, needed)


def _given(function: Function, module: Module, summaries: Summaries) -> list[Range] | None:
    """The ranges of a recursive function's results, if they follow from its result types.

    They do, by induction over the calls within a call that returns, if every result is of its type wherever
    the results of the function's own calls are.
    """
    if function.name not in calls(function) or function.results.count(INT) == len(function.results):
        return None
    types = [type_ if isinstance(type_, Int) else INT for type_ in function.results]
    given = [of_type(type_) for type_ in types]
    found = analyse(function, {**summaries, function.name: given})
    try:
        check_ranges(function, *found, module, {**summaries, function.name: given})
    except CheckError:
        return None
    held = zip(summary(function, found[0]), types, strict=True)
    return given if all(known.within(type_) for known, type_ in held) else None


def lowered(
    module: Module, made: dict[str, Plan], calls: bool = False, frame: bool = True, polled: bool = True
) -> LoweredModule:
    """The machine IR, in which each function has been shown to compute what its IR computes.

    A function for which that fails is lowered again with every integer whole; CheckError if that fails, too.
    `calls`, `frame` and `polled` are lower's.
    """
    params = {name: function.params for name, function in module.functions.items()}
    while True:
        failed: dict[str, CheckError] = {}
        try:
            with step("lower"):
                found, deep = lower(module, made, calls, frame, polled), recursive(module)
        except CheckError as error:
            cut = [name for name, plan in made.items() if plan.facts is not None]
            failed = dict.fromkeys((error.function,) if error.function else cut or made, error)
        else:
            with step("check"):
                check_tables(module, found.module)
            for name, function in found.module.functions.items():
                witness = found.witnesses[name]
                _regroup(module.functions[name], function, witness)
                try:
                    with step("check"):
                        verify_operations(function, found.module)
                        check_lowered(made[name], module, found.signatures, params, function, witness, deep)
                        check_defined(function)
                        check_owned(function, witness)
                except CheckError as error:
                    failed[name] = error
        if not failed:
            return found
        for name, error in failed.items():
            if made[name].facts is None:
                raise _refusal(module.functions[name], error) from error
            warn(name, ON_BIG, [module.functions[name]], error)
            made[name] = plan_big(module.functions[name])


def _regroup(function: Function, words: MachineFunction, witness: Witness) -> None:
    """Runs the passes over the function's machine IR; puts it back, if they are not shown to preserve it."""
    try:
        with step("regroup"):
            for change in WORD_PASSES:
                change(words)
            check_regrouped(words, witness)
    except CheckError as error:
        warn(function.name, "is compiled without gather and regroup", [function], error)
        for block in words.blocks:
            block.ops = witness.ops[block]


def validated(module: Module, cut: bool) -> tuple[dict[str, Plan], Validator]:
    """As `plans`, but each pass, plan and lowering is compared with its input; Different if one differs."""
    # imported on request: z3 alone takes longer to load than most programs to compile
    from .trust.validate import Validator

    validator = Validator(module)
    made = plans(module, cut, validator.watch)
    for plan in made.values():
        validator.plan(plan)
    words, signatures, _ = lowered(module, made, calls=not cut)
    for name in words.functions:
        validator.words(words, signatures, name)
    if cut:
        words = lowered(module, made, frame=False).module
        for name, function in words.functions.items():
            if function.params:
                validator.lanes(words, name)
    return made, validator


def dump(module: Module, name: str, what: str, cut: bool = True) -> str:
    """A function as text: "ir:PASS" after a pass, "ir" after the last, "words", LLVM's output, or "asm"."""
    stages: dict[str, str] = {}

    def watch(stage: str, function: Function) -> None:
        if function.name == name:
            stages[stage] = print_function(function)

    work = module.copy()
    words = lowered(work, plans(work, cut, watch), calls=not cut).module
    kind, _, stage = what.partition(":")
    if kind == "ir":
        if stage and stage not in stages:
            raise ValueError(f"there is no pass {stage}; the passes are {', '.join(stages)}")
        return stages[stage or list(stages)[-1]]
    if kind == "words":
        return print_words(words.functions[name])
    if kind not in ("llvm", "asm"):
        raise ValueError(f"there is no form {what}; the forms are ir, ir:PASS, words, llvm, asm")
    return llvm.function_texts(ModuleText(words).emit(), [function_label(name)], kind)[0]


def assembly(module: Module) -> dict[str, str]:
    """Each function's assembly, by name."""
    work = module.copy()
    text = ModuleText(lowered(work, plans(work, True)).module).emit()
    found = llvm.function_texts(text, [function_label(name) for name in work.functions], "asm")
    return dict(zip(work.functions, found, strict=True))
