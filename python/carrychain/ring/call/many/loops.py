"""Machine code that runs a function over columns, in lanes or one input at a time."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from ...call.compiled import code_of, name_of
from ...compile import lowered, plans
from ...emit import llvm
from ...emit.driver import Driven
from ...emit.module import ModuleText
from ...emit.names import ENTRY
from ...ir.form import Array, Module
from ...lower.loops import SHORT
from ...machine import form
from ...machine.abi import Passed, storage
from ...machine.form import BIG, LANEWISE, Lanes
from ...machine.lanes import Refusal, called, lanes
from ...machine.stores import stores
from .. import cache
from ..marshal import EntryPoint
from ..program import Code

# The most inputs at once: each load looks up all their addresses.
MOST = 64
ONE, NARROW, WIDE = range(3)  # one input at a time; few or many vector registers for each word


@dataclass
class VectorLoop:
    """The code, and the number of inputs that it takes at once."""

    count: int
    address: int
    engine: object  # owns the machine code


class Loops:
    """A function's loops, made on demand."""

    def __init__(self, key: str, make: Callable[[], Module], names: tuple[str, ...]):
        """`make` makes the module, which `key` identifies; the function's name is the first of the names that
        is in the module."""
        self._names = names
        self._key = key
        self._make = make
        self._made: dict[tuple[tuple[bool, ...], int], VectorLoop | Refusal] = {}
        self._lock = threading.RLock()

    @cached_property
    def _lowered(self) -> tuple[form.MachineModule, Code]:
        module = self._make()
        words, signatures, _ = lowered(module, plans(module, True), frame=False)
        return words, code_of(module, signatures, [])

    @cached_property
    def entry(self) -> EntryPoint:
        entries = self._lowered[1].entries
        return next(entries[name] for name in self._names if name in entries)

    def why(self, differ: tuple[bool, ...]) -> str | None:
        """Why lanes are impossible, for these varying parameters."""
        try:
            self.loop(differ, NARROW)
        except Refusal as refusal:
            return str(refusal)
        return None

    @cached_property
    def pure(self) -> bool:
        """Whether the function stores only to arrays that it makes."""
        return not stores(self._lowered[0], self.entry.name)

    @cached_property
    def columnar(self) -> bool:
        """Whether all arguments and results can be in columns."""
        passed = [*(param.passed for param in self.entry.params), *self.entry.results]
        return self.pure and bool(self.entry.results) and all(map(_columnar, passed))

    def loop(self, differ: tuple[bool, ...], registers: int) -> VectorLoop:
        """The loop for these varying parameters. Refusal if lanes are impossible."""
        with self._lock:
            key = differ, registers
            if key not in self._made:
                try:
                    self._made[key] = self._loop(differ, registers)
                except Refusal as refusal:
                    self._made[key] = refusal
            found = self._made[key]
        if isinstance(found, Refusal):
            raise found.with_traceback(None)
        return found

    def _loop(self, differ: tuple[bool, ...], registers: int) -> VectorLoop:
        name = name_of(f"many {self.entry.name} {differ} {registers}\n{self._key}", True)
        found = cache.load(name)
        if found is None:
            words, driven = driven_words(self._lowered[0], self.entry.name, differ, registers)
            text = ModuleText(words, driven)
            machine_code = llvm.machine_code(text.emit())
            found = replace(self._lowered[1], lanes=driven.count), machine_code
            cache.save(name, *found)
        code, machine_code = found
        engine = llvm.load(machine_code, ENTRY)
        return VectorLoop(code.lanes, engine[ENTRY], engine)


def _columnar(passed: Passed) -> bool:
    if isinstance(passed.type, Array):
        return storage(passed.type.element) is not BIG
    return passed.word is not BIG


def driven_words(
    words: form.MachineModule, name: str, differ: tuple[bool, ...], registers: int
) -> tuple[form.MachineModule, Driven]:
    """The module with the functions that the loop needs, and the one that it calls."""
    if registers == ONE:
        made, count = called(words, name), 1
    else:
        register = llvm.register()
        # the width of most operations
        made, _ = lanes(words, name, differ, 2, register)
        widths = Counter(
            op.result.type.of
            for function in made.functions.values()
            for op in function.ops()
            if op.op in LANEWISE
            and isinstance(op.result.type, Lanes)
            and op.result.type.of in (8, 16, 32, 64)
        )
        width = widths.most_common(1)[0][0] if widths else 64
        count = min(registers * register // width, MOST)
        made, name = lanes(words, name, differ, count, register)
    # a short function is worth LLVM's whole pipeline here, because a loop calls it
    functions = {
        name: replace(f, straight=f.straight and sum(len(block.ops) for block in f.blocks) > SHORT)
        for name, f in made.functions.items()
    }
    return form.MachineModule(functions, made.arrays), Driven(name, count, differ)
