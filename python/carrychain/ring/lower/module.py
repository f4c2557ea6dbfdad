"""A module as a word program: its arrays and its functions."""

from __future__ import annotations

from ..inline import recursive
from ..ir import Module
from ..plan import Plan
from ..words import form
from ..words.gather import gather
from ..words.regroup import regroup
from .function import FunctionLowering
from .lent import escaping
from .loops import straight
from .passed import Signature, signature, storage
from .polls import polls

# In their order: what runs on each function's word program.
PASSES = (gather, regroup)


def lower(
    module: Module, plans: dict[str, Plan], calls: bool = False, frame: bool = True
) -> tuple[form.Module, dict[str, Signature]]:
    """The word program, and how its functions are called; with `calls`, operations on values are calls.

    Short arrays may be in the `frame`; one input's cannot be, where there are many.
    """
    made = form.Module()
    changed = escaping(module)[1]
    for name, (type_, contents) in module.arrays.items():
        made.arrays[name] = form.Global(storage(type_.element), contents, name in changed)
    lengths = {name: len(contents) for name, (_, contents) in module.arrays.items()}
    signatures = {name: signature(plan) for name, plan in plans.items()}
    deep, once = recursive(module), straight(module)
    asked = polls(plans, deep)
    for name, plan in plans.items():
        short = frame and name not in deep
        function = FunctionLowering(plan, signatures, plans, asked[name], lengths, short, deep).lower()
        function.straight = name in once
        # what is done once is not worth the code that saves a call
        function.calls = calls or function.straight
        for change in PASSES:
            change(function)
        made.functions[name] = function
    return made, signatures
