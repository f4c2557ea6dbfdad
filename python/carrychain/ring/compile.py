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
from .check import check, check_ranges
from .counters import ends, exits_by_order, in_step
from .cut import choose, plan_big
from .demand import demands
from .elements import narrowed, proven, retype
from .emit.module import ModuleText
from .emit.names import ENTRY, function_label
from .errors import CheckError, Refused
from .idiom import idioms
from .inline import callees_first, calls, inline
from .interface import interface_of
from .ir import (
    INT,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Module,
    Return,
    Trap,
    Value,
    print_function,
    print_module,
)
from .lengths import asked_again, lengths
from .limbs import as_limbs, limbs
from .lower.lent import escaping
from .lower.module import lower
from .lower.passed import Signature, storage
from .order import decide
from .parts import in_parts
from .peel import peel
from .plan import BIG, Plan, Range
from .program import Code, Compiled, Entry, Parameter, Program
from .ranges import Found, Summaries, analyse, summary
from .scalars import scalars
from .simplify import simplify, within
from .transfer import of_type
from .words.form import Site
from .words.text import print_function as print_words

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
    return given if all(map(within, summary(function, found[0]), types)) else None


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


def compile_module(module: Module, cut: bool = True, key: str | None = None) -> Program:
    """Compiles a module, which stays as it is. `key` says what it was made from, if shorter than it is."""
    return compile_cached(key if key is not None else identity(module), lambda: copy(module), cut)


def compile_cached(key: str, make: Callable[[], Module], cut: bool = True, verify: bool = False) -> Program:
    """The program that was made from `key` before; else of the module that `make` makes, for this alone.

    To verify what the passes make it is made anew; Different says what they made wrong.
    """
    return Program(compiled(key, make, cut, verify))


def compiled(key: str, make: Callable[[], Module], cut: bool = True, verify: bool = False) -> Compiled:
    """What such a program calls."""
    name = name_of(key, cut)
    found = None if verify else cache.load(name)
    if found is None:
        module = make()
        words, signatures = lower(
            module, _verified(module, cut) if verify else plans(module, cut), calls=not cut
        )
        text = ModuleText(words)
        machine_code = llvm.machine_code(text.emit())
        found = code_of(module, signatures, list(text.sites)), machine_code
        cache.save(name, *found)
    code, machine_code = found
    engine = llvm.load(machine_code, ENTRY)
    return Compiled(code, engine, lambda function, what: dump(make(), function, what, cut))


def _verified(module: Module, cut: bool) -> dict[str, Plan]:
    # for who asks: z3 alone takes longer to load than most programs to compile
    from .validate import validated

    return validated(module, cut)[0]


def dump(module: Module, name: str, what: str, cut: bool = True) -> str:
    """A function after a pass ("ir:PASS"; "ir": the last), as "words", as LLVM leaves it, or as "asm"."""
    stages: dict[str, str] = {}

    def watch(stage: str, function: Function) -> None:
        if function.name == name:
            stages[stage] = print_function(function)

    work = copy(module)
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
    work = copy(module)
    text = ModuleText(lower(work, plans(work, True))[0]).emit()
    found = llvm.function_texts(text, [function_label(name) for name in work.functions], "asm")
    return dict(zip(work.functions, found, strict=True))


def copy(module: Module) -> Module:
    return Module(
        {name: copy_function(function) for name, function in module.functions.items()}, dict(module.arrays)
    )


def copy_function(function: Function) -> Function:
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


def code_of(module: Module, signatures: dict[str, Signature], sites: list[Site]) -> Code:
    """How the module's functions are called, and what their checks say."""
    written = escaping(module)[0]
    entries = {}
    for number, (name, signature) in enumerate(signatures.items()):
        interface = interface_of(module.functions[name])
        params = [
            Parameter(called, passed, at in written[name])
            for at, (called, passed) in enumerate(zip(interface.names(), signature.params, strict=True))
        ]
        entries[name] = Entry(name, number, params, signature.results, interface)
    shared = any(storage(type_.element) is BIG for type_, _ in module.arrays.values())
    return Code(entries, sites, shared)


# What compiled code is made from ------------------------------------------------------------------


def identity(module: Module) -> str:
    """What tells a module from any other, positions included."""
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
    return (
        sources(here, here / "lower", here / "words", here / "emit")
        + f"{runtime.build()} {llvm.version()}".encode()
    )


def name_of(key: str, cut: bool) -> str:
    """Of what is made from `key`, in the cache."""
    return hashlib.sha256(b"%d" % cut + _origin() + key.encode()).hexdigest()
