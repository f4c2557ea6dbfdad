"""Compiles a module of IR to a program, and caches the machine code.

Compiling does not change the module: the passes work on a copy. LLVM's output is kept on disk under a key of
everything that it depends on: the IR's text with its positions, the cut, this package's sources, LLVM's
version and the processor. What a warning was about is not kept: it is compiled, and warned of, each time.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from ...bindings import ring as runtime
from ..compile import dump, lowered, plans, validated
from ..emit import llvm
from ..emit.module import ModuleText
from ..emit.names import ENTRY
from ..facts.escape import escaping
from ..ir.form import Module, TrapTerminator, print_module
from ..ir.interface import interface_of
from ..machine.abi import MachineSignature, storage
from ..machine.form import BIG, Site
from . import cache
from .marshal import EntryParameter, EntryPoint
from .program import Code, Compiled, Program

# the directories whose sources decide what is compiled, and how it is called
FOLDERS = ("ir", "machine", "facts", "rewrite", "lower", "emit", "trust", "call")


def compile_module(module: Module, cut: bool = True, key: str | None = None) -> Program:
    """Compiles a module, which is not changed. `key` identifies it, if it is shorter than the text."""
    return compile_cached(key if key is not None else identity(module), module.copy, cut)


def compile_cached(key: str, make: Callable[[], Module], cut: bool = True, validate: bool = False) -> Program:
    """The cached program for `key`; if there is none, `make` makes the module, which is compiled.

    With `validate` it is always compiled, and each pass is compared with its input: Different reports a
    difference.
    """
    return Program(compiled(key, make, cut, validate))


def compiled(key: str, make: Callable[[], Module], cut: bool = True, validate: bool = False) -> Compiled:
    """The machine code of compile_cached's program."""
    name = name_of(key, cut)
    found = None if validate else cache.load(name)
    if found is None:
        module = make()
        made = validated(module, cut)[0] if validate else plans(module, cut)
        words, signatures, _ = lowered(module, made, calls=not cut)
        text = ModuleText(words)
        machine_code = llvm.machine_code(text.emit())
        found = code_of(module, signatures, list(text.sites)), machine_code
        if not any(function.fault for function in module.functions.values()):
            cache.save(name, *found)
    code, machine_code = found
    engine = llvm.load(machine_code, ENTRY)
    return Compiled(code, engine, lambda function, what: dump(make(), function, what, cut))


def identity(module: Module) -> str:
    """A text that identifies the module, positions included."""
    places = [str(i.position) for f in module.functions.values() for i in f.instructions()]
    places += [str(f.position) for f in module.functions.values()]
    places += [
        str(b.terminator.position)
        for f in module.functions.values()
        for b in f.blocks
        if isinstance(b.terminator, TrapTerminator)
    ]
    return "\n".join([print_module(module), *places])


def sources(*directories: Path) -> bytes:
    """A digest of these directories' sources."""
    digest = hashlib.sha256()
    for directory in directories:
        for name in sorted(os.listdir(directory)):
            if name.endswith(".py"):
                digest.update((directory / name).read_bytes())
    return digest.digest()


@functools.cache
def _origin() -> bytes:
    """What compiled code depends on besides its module."""
    here = Path(__file__).parents[1]
    return (
        sources(here, *(here / folder for folder in FOLDERS)) + f"{runtime.build()} {llvm.version()}".encode()
    )


def name_of(key: str, cut: bool) -> str:
    """The name in the cache of what is compiled from `key`."""
    return hashlib.sha256(b"%d" % cut + _origin() + key.encode()).hexdigest()


def code_of(module: Module, signatures: dict[str, MachineSignature], sites: list[Site]) -> Code:
    """How the module's functions are called, and the messages of their checks."""
    written = escaping(module)[0]
    entries = {}
    for number, (name, signature) in enumerate(signatures.items()):
        interface = interface_of(module.functions[name])
        params = [
            EntryParameter(called, passed, at in written[name])
            for at, (called, passed) in enumerate(zip(interface.names(), signature.params, strict=True))
        ]
        entries[name] = EntryPoint(name, number, params, signature.results, interface)
    shared = any(storage(type_.element) is BIG for type_, _ in module.arrays.values())
    return Code(entries, sites, shared)
