"""A compiled program: its functions, called with Python's values (marshal.py)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from ...bindings.call import Native
from ..emit.names import ENTRY
from ..ir.errors import Trap
from ..ir.form import Position
from ..ir.interface import Interface
from ..ir.names import name_among
from ..machine.form import OUT_OF_MEMORY, Site
from .marshal import TUPLE, ArgumentErrors, EntryPoint, Nodes, gives, node, shown_int, takes


@dataclass
class Code:
    """A compiled module without its machine code: what the cache keeps beside that."""

    entries: dict[str, EntryPoint]
    sites: list[Site] = field(default_factory=list)
    shared_values: bool = False  # a global array holds integers of any size
    lanes: int = 0  # inputs at once, if it is one function's loop over many


class Compiled:
    """A module's machine code, and how its functions are called."""

    def __init__(self, code: Code, engine, dump: Callable[[str, str], str]):
        self.code = code
        self.engine = engine  # owns the machine code
        self.address = engine[ENTRY]
        self.dump = dump

    def function(
        self, entry: EntryPoint, takes: list[Nodes], gives: Nodes, failed: Callable[[Site, str], Exception]
    ) -> Native:
        """The function for arguments of these kinds; others are refused.

        `failed` makes the exception of a failed check.
        """

        def raised(*told) -> Exception:
            return failed(*self.failure(*told))

        return Native(
            self.address,
            entry.number,
            len(takes),
            tuple(chain.from_iterable(takes)),
            gives,
            (),
            False,
            0,
            False,
            raised,
            self,
            ArgumentErrors(
                f"{entry.name}: ",
                [param.name for param in entry.params],
                [param.passed.type for param in entry.params],
            ),
        )

    def failure(
        self, status: int, low: int, high: int, length: int, callers: tuple[int, ...], value: int | None
    ) -> tuple[Site, str]:
        """The failed check with this status, and its message; the operand is two words or a BIG."""
        site, *calls = (self.code.sites[at - 1] for at in (status, *callers))
        told = (each for call in calls if call.position for each in (call.position, *call.callers))
        site = site._replace(callers=(*site.callers, *told))
        if site.operand and site.operand != "value":
            bits = int(site.operand[1:])
            value = low | high << 64 if bits == 128 else low
            value = _signed(value, bits) if site.operand[0] == "s" else value
        shown = None if value is None else shown_int(value)
        return site, site.message.format(operand=shown, length=length)


class Program:
    """Compiled functions. Global arrays belong to the program and persist between calls.

    ``program.sum_of_range(1, 2)`` is ``program.call("sum-of-range", 1, 2)``. In the main thread, a call runs
    signal handlers while it works, and ends with an exception that one raises, such as KeyboardInterrupt;
    what it stored until then stays stored. Other threads get no signals: their calls run to the end.
    """

    def __init__(self, compiled: Compiled):
        self._compiled = compiled
        self._natives: dict[str, Native] = {}
        # reference counts are atomic, but elements of arrays are not; a signal handler may call again
        self._lock = threading.RLock() if compiled.code.shared_values else nullcontext()

    def __getattr__(self, name: str) -> Callable[..., object]:
        if not name.startswith("_"):
            for each in (name, name.replace("_", "-")):
                if each in self._compiled.code.entries:
                    return partial(self.call, each)
        raise AttributeError(f"this program has no function {name}: it has {', '.join(self.functions)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name.replace("-", "_") for name in self.functions)]

    def __repr__(self) -> str:
        return f"<a compiled program of {', '.join(self.functions)}>"

    @property
    def functions(self) -> list[str]:
        return list(self._compiled.code.entries)

    def interface(self, name: str) -> Interface:
        """What a function takes and returns."""
        return self._entry(name).interface

    def dump(self, name: str, what: str) -> str:
        """A function as text: "ir" or "ir:PASS", "llvm", "asm"."""
        self._entry(name)
        return self._compiled.dump(name, what)

    def call(self, name: str, /, *args: object, **keys: object) -> object:
        """The value of the function, named as in Lisp; a tuple if it returns several values or none.

        T is True; nil is False if the value is true or nil on all paths, otherwise None. An &optional
        argument may be omitted, a &key argument is passed by name, and either may be None for nil.

        TypeError, OverflowError or ValueError for an argument that is not of its parameter's type; Trap if a
        check of the program fails; MemoryError.
        """
        entry = self._entry(name)
        parts = tuple(entry.interface.arguments(name, args, keys))
        native = self._natives.get(entry.name) or self._native(entry)
        with self._lock:
            results = native.call(parts)
        return entry.interface.values(results)

    def _native(self, entry: EntryPoint) -> Native:
        results = node(TUPLE, count=len(entry.results)), *map(gives, entry.results)
        arguments = [(takes(param),) for param in entry.params]
        made = self._natives[entry.name] = self._compiled.function(entry, arguments, results, _trap)
        return made

    def _entry(self, name: str) -> EntryPoint:
        entries = self._compiled.code.entries
        found = name_among(name, entries)
        if found is None:
            raise ValueError(f"no function {name}")
        return entries[found]


def _trap(site: Site, message: str) -> Exception:
    if site.message == OUT_OF_MEMORY:
        return MemoryError(f"{site.position}: {message}" if site.position else message)
    return Trap(message, position_of(site))


def position_of(site: Site) -> Position | None:
    return Position.read(site.position) if site.position else None


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
