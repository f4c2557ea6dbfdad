"""A function compiled for arguments of given kinds, in the current state of its module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from types import FunctionType

from ....bindings.call import Native
from ...call.compiled import compiled, identity, sources
from ...front.python.kinds import MISSING, Bailout, Beyond, Guard, Lowered, PythonKind, held
from ...ir.errors import CheckError, SourceError
from ...ir.form import Function
from ...lower.loops import loops
from ...machine.form import Site
from ..marshal import EntryParameter, EntryPoint, Nodes
from . import spec
from .inner import GIVEN_UP
from .narrowed import narrowed_name, strict_name, with_narrowed
from .raising import error_of

LONG = ("call", "expt", "new", "isqrt", "gcd")


class Version:
    """`entries` are the compiled functions, the faster ones first; `natives` are the same for C."""

    def __init__(self, function: FunctionType, lowered: Lowered, unused: list[bool]):
        self.kinds = lowered.takes
        self.unused = unused
        self._world = function.__globals__
        self.lowered = lowered
        module, entry = lowered.module, lowered.entry
        taken = zip(lowered.takes, unused, strict=True)
        wanted = [type_ for kind, unused in taken if not unused for type_ in held(kind)]
        if [param.type for param in module.functions[entry].params] != wanted:
            raise CheckError(f"{entry} does not take what its kinds are held in")
        files = [code.co_filename for code in lowered.codes]
        key = "\n".join([_here(), entry, *files, identity(module)])
        self.compiled = compiled(key, lambda: with_narrowed(module, entry))
        found = self.compiled.code.entries
        names = strict_name(entry), narrowed_name(entry), entry
        self.entries = [found[name] for name in names if name in found]
        sites = enumerate(self.compiled.code.sites, 1)
        self._given_up = next((at for at, site in sites if site.message == GIVEN_UP), 0)
        self.guards = spec.guards(lowered.guards)
        said = {site.message for site in self.compiled.code.sites}
        kept = [raised.type for at, raised in enumerate(lowered.raised) if f"raise {at}" in said]
        self.undoes = any(issubclass(type_, Bailout) for type_ in kept)
        # a result may be of another kind than `lowered` says
        self.goes_beyond = Beyond in kept
        # NumPy raises its own error for an index, if no written array had to be copied
        self._asks_numpy = False
        self.natives = self._natives()

    def _natives(self) -> list[Native]:
        takes = [self._takes(entry, spec.takes) for entry in self.entries]
        written = any(spec.is_written_buffer(node) for nodes in chain(*takes) for node in nodes)
        if not written and any(getattr(kind, "maker", None) == "ndarray" for kind in self.kinds):
            self.undoes = self._asks_numpy = True
        return [self._native(entry, nodes) for entry, nodes in zip(self.entries, takes, strict=True)]

    def _takes(
        self, entry: EntryPoint, taken: Callable[[PythonKind, Iterator[EntryParameter]], Nodes]
    ) -> list[Nodes]:
        params = iter(entry.params)
        return [
            spec.UNUSED if unused else taken(kind, params)
            for kind, unused in zip(self.kinds, self.unused, strict=True)
        ]

    def _native(self, entry: EntryPoint, takes: list[Nodes]) -> Native:
        return Native(
            self.compiled.address,
            entry.number,
            len(takes),
            tuple(chain.from_iterable(takes)),
            spec.gives(self.lowered.gives, iter(entry.results)),
            self.guards,
            _is_brief(self.lowered.module.functions[self.lowered.entry]),
            self._given_up,
            self.undoes,
            self._failed,
            self.compiled,
        )

    def holds(self) -> bool:
        """Whether the module's state is unchanged."""
        return self.natives[0].holds()

    @cached_property
    def _copying(self) -> Native:
        """The functions that copy buffers which cannot be lent."""
        entry = self.compiled.code.entries[self.lowered.entry]
        gives = spec.gives(self.lowered.gives, iter(entry.results))
        return self.compiled.function(entry, self._takes(entry, spec.copies), gives, self._error)

    def call(self, arguments: tuple):
        """A call with arguments that the natives do not handle."""
        if self.lowered.has_read(arguments):
            raise SourceError(
                "an argument is a list that the function also reads from its module: pass a copy"
            )
        return self._copying.call(arguments)

    def _failed(
        self, status: int, low: int, high: int, length: int, callers: tuple[int, ...], value: int | None
    ) -> BaseException | None:
        """The exception of a failed check; None if the call is undone, and another entry is tried."""
        error = self._error(*self.compiled.failure(status, low, high, length, callers, value))
        asks = self._asks_numpy and isinstance(error, IndexError) and str(error).startswith("ndarray")
        return None if asks or isinstance(error, Bailout) else error

    def _error(self, site: Site, message: str) -> BaseException:
        return error_of(site, message, self.lowered, self._world)

    def text(self, what: str) -> str:
        """The "ir", "llvm" or "asm" of each compiled function, the faster ones first."""
        return "\n\n".join(self.compiled.dump(entry.name, what) for entry in self.entries)


def _is_brief(function: Function) -> bool:
    """Whether a call is short: no loop, no call, and nothing whose time depends on a value's size."""
    return not loops(function) and all(i.op not in LONG for i in function.instructions())


@cache
def _here() -> str:
    """What machine code depends on besides the function's source."""
    return sources(Path(__file__).parent).hex()


def holds(guard: Guard) -> bool:
    where, name, value = guard
    if isinstance(where, dict):
        return where.get(name, MISSING) is value
    if isinstance(where, list):
        return len(where) == len(value) and all(a is b for a, b in zip(where, value, strict=True))
    try:
        return getattr(where, "cell_contents" if name is None else name) is value
    except (AttributeError, ValueError):
        return value is MISSING
