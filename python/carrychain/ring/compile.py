"""A module of IR to a program: the order of the passes, LLVM, and the cache of machine code.

Compiling changes neither the module nor what it means: the passes work on a copy. What LLVM made
of it is kept on disk by what it was made from: the IR's text with its positions, how it was cut,
this package's own sources, LLVM's version and the processor.
"""

from __future__ import annotations

import functools
import hashlib
import os
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..bindings import ring as runtime
from . import cache, llvm
from .check import check
from .cut import choose, plan_big
from .demand import demands
from .emit.lent import escaping
from .emit.module import ModuleEmitter
from .emit.passed import ENTRY, function_label, storage
from .errors import CheckError, Refused
from .idiom import idioms
from .inline import callees_first, inline
from .interface import interface_of
from .ir import (
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Jump,
    Module,
    Return,
    Trap,
    Value,
    print_function,
    print_module,
)
from .plan import BIG, Plan
from .program import Code, Entry, Parameter, Program
from .ranges import Found, Summaries, analyse
from .simplify import simplify

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
        if cut:
            found = analyse(function, summaries)
            simplify(function, found[0])
            watch("simplify", function)
            chosen = _cut(function, summaries, found)
            watch("idiom", function)
        else:
            watch("simplify", function)
            chosen = plan_big(function)
        try:
            summaries[function.name] = check(chosen, module, summaries)
        except CheckError as error:
            if not cut:
                raise
            # exact all the same, but slow: whoever reads this should hear of it
            warnings.warn(f"{function.name} runs on big integers: {error}", Refused, stacklevel=2)
            chosen = plan_big(function)
            summaries[function.name] = check(chosen, module, summaries)
        made[function.name] = chosen
    return made


def _cut(function: Function, summaries: Summaries, found: Found) -> Plan:
    """`found` holds for the function as it was; of it as it is, that is still true, but may not be all."""
    if idioms(function, found[0], demands(function, found[0]).masks):
        simplify(function)
    while True:
        found = analyse(function, summaries, found)
        asked = demands(function, found[0])
        if not idioms(function, found[0], asked.masks):
            return choose(function, *found, asked)
        simplify(function)


def compile_module(module: Module, cut: bool = True, key: str | None = None) -> Program:
    """Compiles a module, which stays as it is. `key` says what it was made from, if shorter than it is."""
    return compile_cached(key if key is not None else _identity(module), lambda: copy(module), cut)


def compile_cached(key: str, make: Callable[[], Module], cut: bool = True) -> Program:
    """The program that was made from `key` before; else of the module that `make` makes, for this alone."""
    name = _name(key, cut)
    found = cache.load(name)
    if found is None:
        module = make()
        emitter = ModuleEmitter(module, plans(module, cut), generic=not cut)
        found = _code(emitter), llvm.machine_code(emitter.emit())
        cache.save(name, *found)
    code, machine_code = found
    engine = llvm.load(machine_code, ENTRY)
    return Program(code, engine, lambda function, what: dump(make(), function, what, cut))


def dump(module: Module, name: str, what: str, cut: bool = True) -> str:
    """A function after a pass ("ir:PASS"; "ir": the last), as LLVM leaves it ("llvm"), or as "asm"."""
    stages: dict[str, str] = {}

    def watch(stage: str, function: Function) -> None:
        if function.name == name:
            stages[stage] = print_function(function)

    work = copy(module)
    emitter = ModuleEmitter(work, plans(work, cut, watch), generic=not cut)
    kind, _, stage = what.partition(":")
    if kind == "ir":
        if stage and stage not in stages:
            raise ValueError(f"no pass {stage}: there are {', '.join(stages)}")
        return stages[stage or list(stages)[-1]]
    if kind not in ("llvm", "asm"):
        raise ValueError(f"no form {what}: there are ir, ir:PASS, llvm, asm")
    return llvm.function_texts(emitter.emit(), [function_label(name)], kind)[0]


def assembly(module: Module) -> dict[str, str]:
    """Each function's."""
    work = copy(module)
    text = ModuleEmitter(work, plans(work, True)).emit()
    found = llvm.function_texts(text, [function_label(name) for name in work.functions], "asm")
    return dict(zip(work.functions, found, strict=True))


def copy(module: Module) -> Module:
    return Module(
        {name: _copy_function(function) for name, function in module.functions.items()}, dict(module.arrays)
    )


def _copy_function(function: Function) -> Function:
    values = {v: Value(v.name, v.type, v.position) for v in function.values()}
    blocks = {block: Block(block.name, [values[p] for p in block.params]) for block in function.blocks}

    def edge(old: Edge) -> Edge:
        return Edge(blocks[old.block], [values[arg] for arg in old.args])

    for old, new in blocks.items():
        new.instructions = [
            Instruction(
                i.op, [values[a] for a in i.args], [values[r] for r in i.results], i.attribute, i.position
            )
            for i in old.instructions
        ]
        match old.terminator:
            case Jump(to):
                new.terminator = Jump(edge(to))
            case Branch(condition, then, otherwise):
                new.terminator = Branch(values[condition], edge(then), edge(otherwise))
            case Return(args):
                new.terminator = Return([values[arg] for arg in args])
            case Trap(message, position):
                new.terminator = Trap(message, position)
    return replace(function, results=list(function.results), blocks=list(blocks.values()))


def _code(emitter: ModuleEmitter) -> Code:
    module = emitter.module
    written = escaping(module)[0]
    entries = {}
    for number, (name, signature) in enumerate(emitter.signatures.items()):
        interface = interface_of(module.functions[name])
        params = [
            Parameter(called, passed, at in written[name])
            for at, (called, passed) in enumerate(zip(interface.names(), signature.params, strict=True))
        ]
        entries[name] = Entry(name, number, params, signature.results, interface)
    shared = any(storage(type_.element) is BIG for type_, _ in module.arrays.values())
    return Code(entries, emitter.sites, shared)


# What compiled code is made from ------------------------------------------------------------------


def _identity(module: Module) -> str:
    places = [str(i.position) for f in module.functions.values() for i in f.instructions()]
    places += [str(f.position) for f in module.functions.values()]
    places += [
        str(b.terminator.position)
        for f in module.functions.values()
        for b in f.blocks
        if isinstance(b.terminator, Trap)
    ]
    return "\n".join([print_module(module), *places])


def sources(*directories: Path) -> bytes:
    """What tells these directories' modules from others."""
    digest = hashlib.sha256()
    for directory in directories:
        for name in sorted(os.listdir(directory)):
            if name.endswith(".py"):
                digest.update((directory / name).read_bytes())
    return digest.digest()


@functools.cache
def _origin() -> bytes:
    """What compiled code depends on besides what it is compiled from."""
    here = Path(__file__).parent
    return sources(here, here / "emit") + f"{runtime.build()} {llvm.version()}".encode()


def _name(key: str, cut: bool) -> str:
    return hashlib.sha256(b"%d" % cut + _origin() + key.encode()).hexdigest()
