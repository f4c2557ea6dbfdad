"""The passes over a module of IR, in their order; what they make of it as words, LLVM's text and assembly.

What a pass is told of ranges and demands is checked before the function is rewritten by it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from .emit import llvm
from .emit.module import ModuleText
from .emit.names import function_label
from .facts.demand import demands
from .facts.order import decide
from .facts.plan import Plan, Range
from .facts.ranges import Found, Summaries, analyse, summary
from .facts.transfer import of_type
from .ir.callgraph import callees_first, calls
from .ir.errors import CheckError, Refused
from .ir.form import INT, Function, Instruction, Int, Module, print_function
from .ir.inline import inline
from .lower.module import lower
from .machine.text import print_function as print_words
from .rewrite.counters import ends, exits_by_order, in_step
from .rewrite.cut import choose, plan_big
from .rewrite.elements import narrowed, proven, retype
from .rewrite.idiom import idioms
from .rewrite.lengths import asked_again, lengths
from .rewrite.limbs import as_limbs, limbs
from .rewrite.parts import in_parts
from .rewrite.peel import peel
from .rewrite.scalars import scalars
from .rewrite.simplify import simplify
from .trust.check import check, check_ranges

if TYPE_CHECKING:
    from .trust.validate import Validator

# What a pass left of a function: the pass's name and the function.
Watch = Callable[[str, Function], None]


def plans(module: Module, cut: bool, watch: Watch = lambda name, function: None) -> dict[str, Plan]:
    """Runs the passes on the module, in place; how each function is compiled, callees first."""
    for function in module.functions.values():
        watch("front", function)
    inline(module)
    made: dict[str, Plan] = {}
    summaries: Summaries = {}
    for function in callees_first(module):
        watch("inline", function)
        simplify(function)
        if scalars(function):
            simplify(function)
        if cut:
            lengths(function)
        given = cut and _given(function, module, summaries)
        if given:
            summaries[function.name] = given
        try:
            if cut:
                chosen, returned = _cut(function, module, summaries, watch)
                watch("idiom", function)
            else:
                watch("simplify", function)
                chosen = plan_big(function)
                returned = check(chosen, module, summaries)
        except CheckError as error:
            if not cut:
                raise
            # exact all the same, but slow: whoever reads this should hear of it
            warnings.warn(f"{function.name} runs on big integers: {error}", Refused, stacklevel=2)
            chosen = plan_big(function)
            returned = check(chosen, module, summaries)
        summaries[function.name] = returned
        made[function.name] = chosen
    return made


def _given(function: Function, module: Module, summaries: Summaries) -> list[Range] | None:
    """What a function that calls itself gives, if its results' types say it.

    By induction over the calls within a call that returns: if all that it returns is of these types where
    what its own calls return is, then it is.
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


def _counted(function: Function, found: Found, module: Module, summaries: Summaries) -> Found:
    """The ranges, after what counts has been written so that they say the most.

    CheckError, if one by which the function is to be rewritten may not hold.
    """
    check_ranges(function, *found, module, summaries)
    for rewrite in (exits_by_order, in_step):
        if rewrite(function, found):
            found = analyse(function, summaries)
            check_ranges(function, *found, module, summaries)
    return found


def _cut(function: Function, module: Module, summaries: Summaries, watch: Watch) -> tuple[Plan, list[Range]]:
    """The plan, and the ranges of what is returned. CheckError, if a range or a demand may not hold.

    Each is checked before the function is rewritten by it: afterwards no plan shows it any more.
    """
    arrays, found = narrowed(function, summaries)
    try:
        found = _counted(function, found, module, summaries)
        proven(function, arrays, found[0])
    except CheckError:
        retype(function, arrays, INT)
        raise
    decide(function, found)
    simplify(function, found[0])
    asked_again(function)
    watch("simplify", function)
    # of the function as it is now the ranges are still true, but may not be all; of demands nothing is known
    if idioms(function, found[0], {}):
        simplify(function)
    found = analyse(function, summaries, found)
    if long := as_limbs(function, found[0]):
        check_ranges(function, *found, module, summaries)
        limbs(function, found[0], long)
        simplify(function)
        found = analyse(function, summaries)
    checked: set[Instruction] = set()
    while True:
        asked = demands(function, found[0])
        chosen = choose(function, *found, asked)
        returned = check(chosen, module, summaries)
        if idioms(function, found[0], asked.masks):
            simplify(function)
            found = analyse(function, summaries, found)
        elif peel(chosen):
            # before what is too long for a word in the first round alone is taken apart in all of them
            simplify(function)
            found = analyse(function, summaries)
        elif in_parts(function, found[0]):
            simplify(function)
            found = analyse(function, summaries, found)
        elif ends(chosen, checked):
            # what was found before had no end
            found = analyse(function, summaries)
        else:
            return chosen, returned


def validated(module: Module, cut: bool) -> tuple[dict[str, Plan], Validator]:
    """plans, each pass and each plan compared with what it was made from; Different, if it is not."""
    # for who asks: z3 alone takes longer to load than most programs to compile
    from .trust.validate import Validator

    validator = Validator(module)
    made = plans(module, cut, validator.watch)
    for plan in made.values():
        validator.plan(plan)
    words, signatures = lower(module, made, calls=not cut)
    for name in words.functions:
        validator.words(words, signatures, name)
    if cut:
        words = lower(module, made, frame=False)[0]
        for name, function in words.functions.items():
            if function.params:
                validator.lanes(words, name)
    return made, validator


def dump(module: Module, name: str, what: str, cut: bool = True) -> str:
    """A function after a pass ("ir:PASS"; "ir": the last), as "words", as LLVM leaves it, or as "asm"."""
    stages: dict[str, str] = {}

    def watch(stage: str, function: Function) -> None:
        if function.name == name:
            stages[stage] = print_function(function)

    work = module.copy()
    words, _ = lower(work, plans(work, cut, watch), calls=not cut)
    kind, _, stage = what.partition(":")
    if kind == "ir":
        if stage and stage not in stages:
            raise ValueError(f"no pass {stage}: there are {', '.join(stages)}")
        return stages[stage or list(stages)[-1]]
    if kind == "words":
        return print_words(words.functions[name])
    if kind not in ("llvm", "asm"):
        raise ValueError(f"no form {what}: there are ir, ir:PASS, words, llvm, asm")
    return llvm.function_texts(ModuleText(words).emit(), [function_label(name)], kind)[0]


def assembly(module: Module) -> dict[str, str]:
    """Each function's."""
    work = module.copy()
    text = ModuleText(lower(work, plans(work, True))[0]).emit()
    found = llvm.function_texts(text, [function_label(name) for name in work.functions], "asm")
    return dict(zip(work.functions, found, strict=True))
