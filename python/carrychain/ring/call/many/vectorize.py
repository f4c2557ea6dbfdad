"""`carrychain.vectorize`: a jitted function of many inputs."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import prod
from types import FunctionType

from ...call.compiled import identity
from ...front.python.kinds import BOOL, Buffer, List, PythonKind, Tuple
from ...ir.errors import RingError
from ...ir.form import Int
from ...ir.interface import NULL
from ..jit import spec
from ..jit.arguments import Unfit
from ..jit.function import Jitted, jit
from ..jit.narrowed import narrowed_name, with_narrowed
from ..jit.version import Version
from ..marshal import TUPLE, kind_name
from .columns import Given, Uniform, given, is_ndarray, numpy, together
from .loops import Loops
from .work import Work, cores

# The types of memory that a parameter may be annotated with.
MEMORY = {"bytes": bytes, "bytearray": bytearray, "memoryview": memoryview}
# Types whose values are all of one kind.
ONE_KIND = {bytes, bytearray}
# The types of an argument for many inputs, besides NumPy's arrays.
MANY = list, tuple, range, array


def vectorize(function: Jitted | FunctionType, /, *, threads: int | None = None) -> Vectorized:
    """The function applied to many inputs, in SIMD lanes and in threads where possible.

    A function that is not jitted yet is jitted first. Each argument is either one value for all inputs, as
    the function takes it, or many: a NumPy array, an array.array, a list, a tuple or a range. For a parameter
    annotated as bytes, bytearray or memoryview, a one-dimensional NumPy array of bytes is one value, and an
    array of more dimensions is many: its rows. Shapes broadcast by NumPy's rules.

    There is one result per input. Ints form an array of the function's own width; ints that may exceed 64
    bits, and everything that is not an int, form a list. If any argument is a NumPy array, so is the result,
    with the same shape: an object array for long ints; with one more dimension for bytes of equal length. If
    the function returns a tuple, there is one of these per item. With ``out``, results are stored there
    instead.

    An exception is the one that the function raises for the first input that fails. A function that stores to
    its arguments has then stored for the inputs before it. ``threads`` defaults to the number of processors.
    """
    return Vectorized(jit(function) if isinstance(function, FunctionType) else function, threads)


class Many:
    """An argument with one item per input."""

    def __init__(self, arg, maker: type | None):
        self.arg = arg
        self.shape: tuple[int, ...] = (len(arg),)
        self.places: Sequence[int] | None = None
        self.items = arg
        self.is_ndarray = is_ndarray(arg)
        if self.is_ndarray:
            self.shape = arg.shape if maker is None or arg.dtype == object else arg.shape[:-1]
            self.items = (
                arg.ravel() if self.shape == arg.shape else arg.reshape(prod(self.shape), arg.shape[-1])
            )
        self.maker = maker if self.shape != getattr(arg, "shape", self.shape) else None

    def of(self, at: int):
        item = self.items[at if self.places is None else self.places[at]]
        if self.maker:
            return self.maker(item.tobytes())
        return item.item() if hasattr(item, "dtype") and not is_ndarray(item) else item


class Vectorized:
    """Its state can all be made again from its function, so it pickles by that, or by its name."""

    def __init__(self, function: Jitted, threads: int | None = None):
        if not isinstance(function, Jitted):
            raise TypeError(f"vectorize takes a function written in Python, not {kind_name(function)}")
        self.function = function
        self.threads = threads
        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            setattr(self, name, getattr(function, name))
        self._loops: dict[Version, Loops] = {}
        self._known: dict[tuple[type, ...], Version] = {}

    def __repr__(self) -> str:
        return f"<vectorize {self.function!r}>"

    def __reduce__(self):
        if self.function._named() is self:
            # it replaced the function under its name
            return self.__qualname__
        return Vectorized, (self.function, self.threads)

    def __call__(self, *args, out=None, threads: int | None = None, **named):
        arguments = self._arguments(args, named)
        many = [each for each in arguments if isinstance(each, Many)]
        if not many:
            return self.function(*args, **named)
        shape = together(arguments, self.__name__)
        arrays = any([each.is_ndarray for each in many])
        found = self._found(arguments, shape, arrays, threads or self.threads or cores())
        if out is None:
            return found
        for to, result in zip(
            *((out, found) if isinstance(found, tuple) else ((out,), (found,))), strict=True
        ):
            to[... if is_ndarray(to) else slice(None)] = result
        return out

    def why(self, *args, **named) -> str | None:
        """Why such inputs do not run in lanes; None if they do."""
        arguments = self._arguments(args, named)
        version = self._version(arguments)
        if version is None:
            return f"{self.__name__} is not compiled"
        loops = self._loops_of(version)
        if not loops.columnar:
            return f"{self.__name__} takes or gives an integer of any size, or stores to an argument"
        if version.goes_beyond:
            return f"{self.__name__} may give what compiled code has not, as a negative power is"
        return loops.why(tuple(isinstance(each, Many) for each in self._held(version, arguments)))

    def _arguments(self, args: tuple, named: dict) -> list[Uniform | Many]:
        function, found = self.function, []
        for name, arg in zip(function._names, function._bound(args, named), strict=True):
            annotation = function.__wrapped__.__annotations__.get(name)
            maker = MEMORY.get(getattr(annotation, "__name__", annotation))
            if isinstance(arg, MANY):
                found.append(Many(arg, maker))
            elif not is_ndarray(arg):
                found.append(Uniform(arg))
            elif arg.ndim <= (maker is not None) and arg.dtype != object:
                found.append(Uniform(maker(arg.tobytes()) if arg.ndim else arg.item()))
            else:
                found.append(Many(arg, maker))
        return found

    def _version(self, arguments: list[Uniform | Many]) -> Version | None:
        """The version for the first input; None if the function is not compiled for it."""
        function = self.function
        try:
            if function._plain:
                return None
            firsts = tuple(each.of(0) for each in arguments)
            types = tuple(map(type, firsts))
            known = self._known.get(types)
            if known is not None and known.holds():
                return known
            version = function.version(function._kinds_of(firsts))
        except (Unfit, RingError, IndexError):
            # a call of the function reports why
            return None
        if ONE_KIND.issuperset(types):
            self._known[types] = version
        return version

    def _loops_of(self, version: Version) -> Loops:
        if version not in self._loops:
            module, entry = version.lowered.module, version.lowered.entry
            self._loops = {known: loops for known, loops in self._loops.items() if known.holds()}
            self._loops[version] = Loops(
                f"jit {entry}\n{identity(module)}",
                lambda: with_narrowed(module, entry, short=False),
                (narrowed_name(entry), entry),
            )
        return self._loops[version]

    @staticmethod
    def _held(version: Version, arguments: list[Uniform | Many]) -> list[Uniform | Many]:
        """The compiled function's arguments: a Many for each of the IR's values."""
        found: list[Uniform | Many] = []
        for each, kind, unused in zip(arguments, version.kinds, version.unused, strict=True):
            if isinstance(each, Many):
                found += [] if unused else [each]
            elif not unused:
                found += map(Uniform, _parts(each.value, kind))
        return found

    def _found(self, arguments: list[Uniform | Many], shape: tuple[int, ...], arrays: bool, threads: int):
        count = prod(shape)

        def one(at: int):
            return self.function.__call__(*[each.of(at) for each in arguments])

        version = self._version(arguments) if count else None
        if version is not None and not version.goes_beyond and _simple(version, arguments):
            loops = self._loops_of(version)
            columns = self._columns(version, loops, arguments) if loops.columnar else None
            if columns:
                kind = version.lowered.gives
                gives = [node for node in spec.gives(kind, iter(loops.entry.results)) if node[0] != TUPLE]
                work = Work(loops, lambda at: _parts(one(at), kind), columns, count, threads, tuple(gives))
                return _finished(kind, iter(work.run()), shape, arrays)
        values = [one(at) for at in range(count)]
        if values and all(isinstance(value, tuple) and len(value) == len(values[0]) for value in values):
            return tuple(_shaped(list(column), shape, arrays) for column in zip(*values, strict=True))
        return _shaped(values, shape, arrays)

    def _columns(self, version: Version, loops: Loops, arguments: list[Uniform | Many]) -> list[Given] | None:
        """The arguments as columns; None if one does not fit the compiled function, which reports it."""
        held = self._held(version, arguments)
        found: list[Given] = []
        for param, each in zip(loops.entry.params, held, strict=True):
            try:
                new = given(param, each.arg if isinstance(each, Many) else each.value, param.name)
            except (TypeError, OverflowError, ValueError):
                return None
            if isinstance(new, Uniform) and isinstance(each, Many):
                return None
            if isinstance(each, Many):
                new.places = each.places
            found.append(new)
        return found


def _simple(version: Version, arguments: list[Uniform | Many]) -> bool:
    """Whether each of many is held in one IR value, and all have the kind of the first."""
    for each, kind, unused in zip(arguments, version.kinds, version.unused, strict=True):
        if isinstance(each, Many) and not unused:
            if not isinstance(kind, Int | Buffer) and kind != BOOL:
                return False
            listed = isinstance(kind, Buffer) and not each.is_ndarray
            if listed and set(map(type, each.items)) != {bytes} and len(set(map(_made, each.items))) > 1:
                return False
    return _plain(version.lowered.gives)


def _made(item) -> tuple:
    return (
        type(item),
        getattr(item, "typecode", None),
        getattr(item, "format", None),
        getattr(item, "dtype", None),
    )


def _parts(value, kind: PythonKind) -> list:
    """The IR values that hold the value."""
    if isinstance(kind, Tuple):
        return [part for item, each in zip(value, kind.items, strict=True) for part in _parts(item, each)]
    return [] if kind == NULL else [value]


def _plain(kind: PythonKind) -> bool:
    """Whether a result of the kind is held in the same number of IR values on all paths."""
    if isinstance(kind, Tuple):
        return bool(kind.items) and all(map(_plain, kind.items))
    return isinstance(kind, Int | Buffer | List) or kind == BOOL


def _finished(kind: PythonKind, columns: Iterator[Sequence], shape: tuple[int, ...], arrays: bool):
    if isinstance(kind, Tuple):
        return tuple([_finished(item, columns, shape, arrays) for item in kind.items])
    return _shaped(next(columns), shape, arrays)


def _shaped(column: Sequence, shape: tuple[int, ...], arrays: bool):
    """A column in the caller's representation."""
    if not arrays:
        return column
    np = numpy()
    if isinstance(column, array):
        return np.frombuffer(column, f"{'u' if column.typecode.isupper() else 'i'}{column.itemsize}").reshape(
            shape
        )
    if column and all(isinstance(value, bool) for value in column):
        return np.array(column, bool).reshape(shape)
    if column and all(isinstance(value, bytes) and len(value) == len(column[0]) for value in column):
        return np.frombuffer(bytearray().join(column), np.uint8).reshape(*shape, len(column[0]))
    found = np.empty(len(column), object)
    for at, value in enumerate(column):
        found[at] = value
    return found.reshape(shape)
