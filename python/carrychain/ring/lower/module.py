"""A module as machine IR: its arrays and its functions."""

from __future__ import annotations

from typing import NamedTuple

from ..facts.demand import exact_width
from ..facts.escape import escaping
from ..facts.plan import ANY, Plan
from ..facts.ranges import summary
from ..ir.callgraph import recursive
from ..ir.errors import step
from ..ir.form import Int, Module
from ..machine import form
from ..machine.abi import MachineSignature, Passed, storage
from ..machine.witness import Witness
from .function import FunctionLowering
from .loops import straight
from .polls import Polls, polls


class LoweredModule(NamedTuple):
    """Machine IR, with the functions' signatures and witnesses."""

    module: form.MachineModule
    signatures: dict[str, MachineSignature]
    witnesses: dict[str, Witness]


def lower(
    module: Module, plans: dict[str, Plan], calls: bool = False, frame: bool = True, polled: bool = True
) -> LoweredModule:
    """Lowers all functions.

    `calls`: operations on BIG words are calls. `frame`: short arrays may be in the frame (not in lanes).
    `polled`: a call can be interrupted.
    """
    made = form.MachineModule()
    changed = escaping(module)[1]
    for name, (type_, contents) in module.arrays.items():
        made.arrays[name] = form.Global(storage(type_.element), contents, name in changed)
    lengths = {name: len(contents) for name, (_, contents) in module.arrays.items()}
    signatures = {name: signature(plan) for name, plan in plans.items()}
    deep, once = recursive(module), straight(module)
    asked = polls(plans, deep) if polled else {name: Polls() for name in plans}
    witnesses: dict[str, Witness] = {}
    for name, plan in plans.items():
        short = frame and name not in deep
        with step("lower", name):
            lowering = FunctionLowering(plan, signatures, plans, asked[name], lengths, short, deep)
            function = lowering.lower()
        witnesses[name] = lowering.witness
        function.straight = name in once
        # inline code for operations that run once would cost more than the calls that it saves
        function.calls = calls or function.straight
        made.functions[name] = function
    return LoweredModule(made, signatures, witnesses)


def signature(plan: Plan) -> MachineSignature:
    """How the function's arguments and results are passed."""
    function = plan.function
    params = [
        Passed(p.type, plan.containers[p], plan.ranges.get(p, ANY).negative)
        if isinstance(p.type, Int)
        else Passed(p.type)
        for p in function.params
    ]
    results = [
        Passed(t, exact_width(known), known.negative) if isinstance(t, Int) else Passed(t)
        for t, known in zip(function.results, summary(function, plan.ranges), strict=True)
    ]
    return MachineSignature(params, results)
