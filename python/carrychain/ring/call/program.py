"""A compiled program: its functions, called with Python's values.

Arguments are checked here against the declared types, as compiled code relies on them. An array is
lent where its bytes are laid out as the compiled code has them (bytes, bytearray, array.array,
NumPy's arrays: contiguous, of the element's width, sign and alignment); from a list, a string or
anything else of integers it is copied, and what the function stored is copied back.

Arrays may share memory: the same one given twice, or views of one buffer. What is stored in one is then
seen in the other, as in Lisp's displaced arrays: of lent ones since they are the same memory, of copied
ones since there is one copy of them. Where neither can be (compiled code takes it that elements of
different widths are apart; two copies would not see each other's stores), and one of them is written,
the call is refused.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from ...bindings import ring as runtime
from ..emit.names import ENTRY
from ..ir.errors import Trap
from ..ir.form import Array, Bool, Int, Position, unsigned
from ..ir.interface import Interface
from ..ir.names import name_among
from ..machine.form import OUT_OF_MEMORY, Site
from ..machine.passed import Passed, storage

# memoryview's formats, by width and sign
FORMATS = {(8, "u"): "Bc", (8, "s"): "b", (16, "u"): "H", (16, "s"): "h", (32, "u"): "IL", (32, "s"): "il",
           (64, "u"): "LQN", (64, "s"): "lqn"}  # fmt: skip


@dataclass
class EntryParameter:
    name: str
    passed: Passed
    written: bool = False  # an array whose elements the function may store to, or that it may return


@dataclass
class EntryPoint:
    """A compiled function as it is called from here."""

    name: str
    number: int  # of the module's functions
    params: list[EntryParameter]
    results: list[Passed]
    interface: Interface


@dataclass
class Code:
    """What a compiled module is, apart from its machine code: what the cache keeps beside that."""

    entries: dict[str, EntryPoint]
    sites: list[Site] = field(default_factory=list)
    shared_values: bool = False  # a global array holds integers of any size
    lanes: int = 0  # inputs at once, where it is one function's loop over many


class Compiled:
    """A module's machine code, and how its functions are called: with the IR's values."""

    def __init__(self, code: Code, engine, dump: Callable[[str, str], str]):
        self.code = code
        self.engine = engine  # owns the machine code
        self.address = engine[ENTRY]
        self.dump = dump
        # counts of references are atomic, what an array holds is not; a handler of a signal may call again
        self._lock = threading.RLock() if code.shared_values else None

    def run(self, entry: EntryPoint, parts: list, failed: Callable[[Site, str], Exception]) -> list:
        """The function's results for its arguments; `failed` makes what a check that fails raises.

        TypeError, OverflowError or ValueError for an argument that is not of its parameter's type.
        """
        call = _Call(entry)
        try:
            call.fill(parts)
            with self._lock or nullcontext():
                called = runtime.call(self.address, call.arguments, call.results)
            # what was stored before a check failed was stored
            call.copy_back()
            if called.raised:
                raise called.raised
            if called.status:
                value = runtime.integer(call.results[0]) if call.results[0] else None
                raise failed(*self.failure(*called[1:], value))
            return call.values()
        finally:
            call.close()

    def failure(
        self, status: int, low: int, high: int, length: int, callers: tuple[int, ...], value: int | None
    ) -> tuple[Site, str]:
        """The check of this status, and its message; the operand is two words or a value."""
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
    """Compiled functions. Global arrays belong to the program and stay from call to call.

    ``program.sum_of_range(1, 2)`` is ``program.call("sum-of-range", 1, 2)``. In the main thread a call
    runs the handlers of signals while it works, and ends with what one raises, as KeyboardInterrupt;
    what it stored until then is stored. Other threads get no signals: their calls run to the end.
    """

    def __init__(self, compiled: Compiled):
        self._compiled = compiled

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
        """What a function takes and gives."""
        return self._entry(name).interface

    def dump(self, name: str, what: str) -> str:
        """A function as text: "ir" or "ir:PASS", "llvm", "asm"."""
        self._entry(name)
        return self._compiled.dump(name, what)

    def call(self, name: str, /, *args: object, **keys: object) -> object:
        """The value of the function, named as in Lisp; a tuple if it gives several or none.

        T is True; nil is False where the value is true or nil on all ways, else None. An &optional
        argument may be left out, a &key argument is given by its name, and either may be None for nil.

        TypeError, OverflowError or ValueError for an argument that is not of its parameter's
        type; Trap if a check of the program's fails; MemoryError.
        """
        entry = self._entry(name)
        parts = entry.interface.arguments(name, args, keys)
        return entry.interface.values(self._compiled.run(entry, parts, _trap))

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


class _Place(NamedTuple):
    """Where an array's elements are in memory: `count` of `size` bytes, each `step` after the one before."""

    first: int
    count: int
    step: int
    size: int
    format: str

    @classmethod
    def of(cls, view: memoryview) -> _Place:
        count = len(view)
        # no view that is not contiguous tells its address, but one of its elements does
        first = runtime.address(view[:1]) if count else 0
        return cls(first, count, view.strides[0] if count > 1 else 0, view.itemsize, view.format)

    def meets(self, other: _Place) -> bool:
        """Whether they may have a byte in common; False is certain."""
        if not (self.count and other.count):
            return False
        (low, high), (other_low, other_high) = self._ends(), other._ends()
        if high <= other_low or other_high <= low:
            return False
        # from an element of one to an element of the other it is as far as between the first ones,
        # but for a multiple of this
        multiple = math.gcd(self.step, other.step)
        apart = (other.first - self.first) % multiple if multiple else 0
        return apart < self.size or multiple - apart < other.size

    def _ends(self) -> tuple[int, int]:
        last = self.first + (self.count - 1) * self.step
        return min(self.first, last), max(self.first, last) + self.size


@dataclass
class _Given:
    """An array as it was given, and what was made of it."""

    param: EntryParameter
    arg: object
    place: _Place | None  # None if it is no buffer
    made: int
    lent: bool

    def shares(self, other: _Given) -> bool:
        if self.place and other.place:
            return self.place.meets(other.place)
        return self.arg is other.arg

    def sees(self, other: _Given) -> bool:
        """Whether what compiled code stores in one is in the other at once."""
        if self.lent and other.lent:
            return storage(self.param.passed.type.element) == storage(other.param.passed.type.element)
        return self.made == other.made


class _Call:
    """One call's arguments and results, and what must be given back after it."""

    def __init__(self, entry: EntryPoint):
        self.entry = entry
        self.arguments = runtime.WordArray(2 * len(entry.params) + 2)
        self.arguments[0] = entry.number
        # the operand of a check that fails is the first
        self.results = runtime.Slots(1 + len(entry.results), 2 * len(entry.results))
        self.values_owned = runtime.Slots(len(entry.params))
        self.kept: list = []
        self.views: list[memoryview] = []
        # the caller's arrays: by address; of these the copies; of these what is to be copied back
        self.lent: dict[int, object] = {}
        self.copied: dict[tuple, int] = {}
        self.stored: dict[int, tuple[object, Array]] = {}
        self.given: list[_Given] = []
        # by identity: the arguments that are given for an array that may be written; none if no other
        # array could show it
        self.written: set[int] = set()

    def close(self) -> None:
        for slots in (self.results, self.values_owned, *self.kept):
            if isinstance(slots, runtime.Slots):
                slots.close()
        for view in self.views:
            view.release()

    def fill(self, args: list) -> None:
        given = list(zip(self.entry.params, args, strict=True))
        arrays = [(param, arg) for param, arg in given if isinstance(param.passed.type, Array)]
        if len(arrays) > 1:
            self.written = {id(arg) for param, arg in arrays if param.written}
        for at, (param, arg) in enumerate(given):
            match param.passed.type:
                case Bool():
                    if not isinstance(arg, bool):
                        raise TypeError(f"{self._where(param)} must be a bool, not {kind_name(arg)}")
                    words = (int(arg), 0)
                case Array():
                    words = (self._array(param, arg), 0)
                case _:
                    words = self._int(at, param, arg)
            self.arguments[2 * at + 2], self.arguments[2 * at + 3] = words

    def _where(self, param: EntryParameter) -> str:
        return f"{self.entry.name}: {param.name}"

    def _check(self, param: EntryParameter, arg, type_: Int, what: str = "") -> int:
        if isinstance(arg, bool) or not hasattr(arg, "__index__"):
            raise TypeError(f"{self._where(param)}{what} must be an integer, not {kind_name(arg)}")
        value = arg.__index__()
        if value not in type_:
            raise OverflowError(f"{self._where(param)}{what} is {shown_int(value)}, not of type {type_}")
        return value

    def _int(self, at: int, param: EntryParameter, arg) -> tuple[int, int]:
        value = self._check(param, arg, param.passed.type)
        if param.passed.container is None:
            return self.values_owned.put(at, value), 0
        return value & runtime.WORD, value >> 64 & runtime.WORD

    def _array(self, param: EntryParameter, arg) -> int:
        element = param.passed.type.element
        bits = storage(element)
        if isinstance(arg, str):
            if not param.passed.type.text:
                raise TypeError(f"{self._where(param)} must be an array of integers, not a str")
            return self._copy(param, arg, [ord(c) for c in arg], bits)
        try:
            view = memoryview(arg)
        except TypeError:
            view = None
        place = None
        if view is not None:
            self.views.append(view)
            if view.ndim != 1:
                raise TypeError(f"{self._where(param)} must have one dimension, not {view.ndim}")
            place = _Place.of(view) if self.written else None
        elif isinstance(arg, dict | set) or not hasattr(arg, "__iter__"):
            raise TypeError(f"{self._where(param)} must be an array of integers, not {kind_name(arg)}")
        written = param.written or id(arg) in self.written
        lent = view is not None and self._lendable(view, element, bits, written)
        made = self._lend(arg, view) if lent else self._copy(param, arg, list(arg), bits, place)
        if self.written:
            self._give(_Given(param, arg, place, made, lent))
        return made

    def _give(self, new: _Given) -> None:
        for old in self.given:
            if (old.param.written or new.param.written) and new.shares(old) and not new.sees(old):
                raise ValueError(
                    f"{self._where(new.param)} shares memory with {old.param.name}, which cannot be seen "
                    "in both: pass arrays of one element type that can be read in place, or copies"
                )
        self.given.append(new)

    @staticmethod
    def _lendable(view: memoryview, element: Int, bits: int | None, written: bool) -> bool:
        sign = "s" if element.low is not None and element.low < 0 else "u"
        full = (
            element == unsigned(bits) if sign == "u" and bits else bits and element.low == -element.high - 1
        )
        return bool(
            bits
            and full
            and element.high.bit_length() == bits - (sign == "s")
            and view.ndim == 1
            and view.contiguous
            and view.itemsize * 8 == bits
            and view.format.lstrip("@=") in tuple(FORMATS.get((bits, sign), ""))
            and not (written and view.readonly)
            and (not view.nbytes or runtime.address(view) % (bits // 8) == 0)
        )

    def _lend(self, arg, view: memoryview) -> int:
        made = self._object(len(view), runtime.address(view), 1)
        self.lent[made] = arg
        return made

    def _object(self, length: int, address: int, kind: int) -> int:
        # references: not counted
        made = runtime.WordArray(4)
        for at, word in enumerate((runtime.WORD, kind, length, address)):
            made[at] = word
        self.kept.append(made)
        return made.address

    def _copy(
        self, param: EntryParameter, arg, elements: list, bits: int | None, place: _Place | None = None
    ) -> int:
        type_ = param.passed.type
        key = place if place and place.count else id(arg), type_
        made = self.copied.get(key)
        if made is None:
            made = self.copied[key] = self._filled(param, elements, bits)
            self.lent[made] = arg
        if param.written and hasattr(arg, "__setitem__"):
            self.stored[made] = (arg, type_)
        return made

    def _filled(self, param: EntryParameter, elements: list, bits: int | None) -> int:
        element = param.passed.type.element
        values = [self._check(param, x, element, f"[{at}]") for at, x in enumerate(elements)]
        if bits is None:
            return self._values(values)
        size, mask = bits // 8, (1 << bits) - 1
        data = b"".join((value & mask).to_bytes(size, "little") for value in values)
        space = runtime.WordArray(len(data) // 8 + 1)
        space.fill(data)
        self.kept.append(space)
        return self._object(len(values), space.address, 1)

    def _values(self, values: list[int]) -> int:
        made = runtime.Slots(len(values))
        self.kept.append(made)
        for at, value in enumerate(values):
            made.put(at, value)
        return self._object(len(values), made.address, 2)

    def copy_back(self) -> None:
        for made, (arg, type_) in self.stored.items():
            for at, value in enumerate(_elements(made, type_)):
                if arg[at] != value:
                    arg[at] = value

    def values(self) -> list:
        found = []
        for at, passed in enumerate(self.entry.results):
            owned, low, high = self.results[1 + at], *self.results.words[2 * at : 2 * at + 2]
            match passed.type:
                case Bool():
                    found.append(bool(low & 1))
                case Array():
                    found.append(self._result(owned, passed.type))
                case _ if passed.container is None:
                    found.append(runtime.integer(owned))
                case _:
                    value = (low | high << 64) & (1 << passed.container) - 1
                    found.append(_signed(value, passed.container) if passed.negative else value)
        return found

    def _result(self, made: int, type_: Array):
        if made in self.lent and not isinstance(self.lent[made], str):
            return self.lent[made]
        if type_.text:
            return "".join(map(chr, _elements(made, type_)))
        if type_.element == unsigned(8):
            length, address = runtime.array(made)
            return runtime.read(address, length)
        return _elements(made, type_)


def _elements(made: int, type_: Array) -> list[int]:
    bits = storage(type_.element)
    signed = type_.element.low is None or type_.element.low < 0
    length, address = runtime.array(made)
    data = runtime.read(address, length * (bits or 64) // 8)
    if bits is None:
        return list(map(runtime.integer, memoryview(data).cast("Q")))
    if bits == 128:
        return [int.from_bytes(data[at : at + 16], "little", signed=signed) for at in range(0, len(data), 16)]
    code = {8: "B", 16: "H", 32: "I", 64: "Q"}[bits]
    return memoryview(data).cast(code.lower() if signed else code).tolist()


def kind_name(arg) -> str:
    name = type(arg).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}" if arg is not None else "None"


def shown_int(value: int) -> str:
    """Python refuses to print the longest."""
    return str(value) if value.bit_length() <= 256 else f"an integer of {value.bit_length()} bits"
