"""The callable function, and how it is compiled."""

from __future__ import annotations

import functools
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from dis import get_instructions
from inspect import CO_VARARGS, CO_VARKEYWORDS, signature
from types import CodeType, FunctionType
from typing import NamedTuple

from ....bindings.call import Dispatcher
from ...front.python.kinds import Lowered, PythonKind
from ...ir.errors import RingError, SourceError
from ...ir.interface import NULL
from ..marshal import kind_name
from .annotations import annotations, named_items, narrowed
from .arguments import UNPACKED, Unfit, check, kind_of
from .narrowed import joined
from .version import Version, holds

# The most versions of a function for the same kinds in other states of its module.
KEPT = 8

RESULT, ERROR, INSTEAD = range(3)

# The front end and LLVM are not thread-safe.
_compiling = threading.RLock()


def jit(function=None, /, *, fallback: bool = False, exact_items: bool = False):
    """Compiles a function at its first call for each combination of argument types.

    Results are those of CPython. An argument is an int, a bool, None, a bytes, bytearray, memoryview or
    array.array, a one-dimensional NumPy array of integers, a list of ints, or a tuple of these; anything else
    is a TypeError. A function that cannot be compiled raises SourceError: at once if that can be seen,
    otherwise at a call. With ``fallback``, CPython runs such functions and calls instead, and a warning says
    so once. Even without ``fallback``, CPython runs a call with an integer of another type, such as NumPy's,
    because its results would have that type. OverflowError if an int is outside the range of its annotation
    (u8 ... i64).

    NumPy's integers wrap around; compiled code's do not. An array of NumPy integers is therefore a TypeError
    that names alternatives, unless ``exact_items`` declares that its items are to be computed as exact ints.

    Two things differ from CPython. A list is copied when a call begins and written back when it ends, which
    other threads can observe. Recursion goes as deep as the stack allows, and then raises RecursionError.
    """
    if function is None:
        return functools.partial(jit, fallback=fallback, exact_items=exact_items)
    if isinstance(function, Jitted):
        return function
    if isinstance(function, staticmethod | classmethod):
        return type(function)(jit(function.__func__, fallback=fallback, exact_items=exact_items))
    if not isinstance(function, FunctionType):
        raise TypeError(f"jit takes a function written in Python, not {kind_name(function)}")
    return Jitted(function, fallback, exact_items, _front())


class Front(NamedTuple):
    """The interface of a front end. Both functions raise SourceError."""

    check: Callable[[FunctionType], None]
    lower_function: Callable[[FunctionType, tuple[PythonKind, ...]], Lowered]


def _front() -> Front:
    from ...front.python import module, source

    return Front(source.check, module.lower_function)


class Jitted(Dispatcher):
    """A compiled function. `__wrapped__` is the original one.

    It has the original's attributes, pickles by its name, and is a method where the original would be one.
    """

    def __init__(self, function: FunctionType, fallback: bool, exact_items: bool, front: Front):
        functools.update_wrapper(self, function)
        self._fallback = fallback
        self._exact_items = exact_items
        self._front = front
        self._warned = False
        # newest first
        self.compiled: list[Version] = []
        # the kinds that could not be compiled, and why
        self._refused: dict[tuple[PythonKind, ...], RingError] = {}
        self._plain = False
        self._names = _parameters(function.__code__)
        code = function.__code__
        starred = len(self._names) > code.co_argcount + code.co_kwonlyargcount
        self._takes(function, () if starred else self._names, code.co_argcount, code.co_posonlyargcount)
        try:
            self._front.check(function)
        except SourceError as error:
            if not fallback:
                raise
            self._plain = True
            self._warn(error)

    @property
    def __carrychain__(self) -> FunctionType:
        """The function that the front end compiles where another function calls this one."""
        return self.__wrapped__

    def __repr__(self) -> str:
        how = "; ".join(f"({', '.join(map(str, kinds))})" for kinds in self.kinds).replace(str(NULL), "None")
        how = f"compiled for {how}" if how else "runs in CPython" if self._plain else "not called yet"
        return f"<jit {self.__qualname__}{signature(self.__wrapped__)}: {how}>"

    def __reduce__(self):
        """By its name, as functions do; if the name refers to the original function, by that."""
        if self._named() is self.__wrapped__:
            return _again, (self.__wrapped__, self._fallback, self._exact_items)
        return self.__qualname__

    def _named(self):
        """The object that has its name."""
        found = sys.modules.get(self.__module__)
        for name in self.__qualname__.split("."):
            found = getattr(found, name, None)
        return found

    @property
    def kinds(self) -> list[tuple[PythonKind, ...]]:
        """The kinds of arguments that it has been compiled for, the latest first."""
        return list(dict.fromkeys(version.kinds for version in self.compiled))

    def inspect_ir(self, kinds: tuple[PythonKind, ...] | None = None) -> str:
        """The IR after all passes, for arguments of the given one of its `kinds`, or of the latest."""
        return self._text("ir", kinds)

    def inspect_llvm(self, kinds: tuple[PythonKind, ...] | None = None) -> str:
        """LLVM's IR after optimization."""
        return self._text("llvm", kinds)

    def inspect_asm(self, kinds: tuple[PythonKind, ...] | None = None) -> str:
        """The assembly."""
        return self._text("asm", kinds)

    def _text(self, what: str, kinds: tuple[PythonKind, ...] | None) -> str:
        found = (version for version in self.compiled if kinds in (None, version.kinds))
        version = next(found, None)
        if version is None:
            raise ValueError(f"{self.__qualname__} has not been compiled{' for these' * (kinds is not None)}")
        return version.text(what)

    # A call that no version takes ------------------------------------------------------------------

    def _unusual(self, args: tuple, named: dict | None) -> tuple[int, object]:
        """Called by bindings/call/dispatcher.c, which documents the answers."""
        if self._plain:
            return INSTEAD, self.__wrapped__
        try:
            arguments = self._bound(args, named or {})
        except TypeError as error:
            return ERROR, error.with_traceback(None)
        try:
            version = self.version(self._kinds_of(arguments))
        except (Unfit, RingError) as error:
            return self._refuse(error)
        try:
            found = self._try(arguments)
        except BaseException as error:
            return ERROR, error.with_traceback(error.__traceback__.tb_next)
        if found:
            return RESULT, found[0]
        return (INSTEAD, self.__wrapped__) if version.undoes else self._odd(version, arguments)

    def _odd(self, version: Version, arguments: tuple) -> tuple[int, object]:
        """A call with a buffer that does not have the layout of compiled code's arrays."""
        try:
            return RESULT, version.call(arguments)
        except Unfit as error:
            return self._refuse(error)
        except Exception as error:
            return ERROR, error.with_traceback(_from_source(error.__traceback__))

    def _refuse(self, error: Exception) -> tuple[int, object]:
        known = isinstance(error, Unfit) and error.integer
        error = error.error if isinstance(error, Unfit) else error
        if not (self._fallback or known) or isinstance(error, OverflowError):
            return ERROR, error.with_traceback(None)
        self._warn(error)
        return INSTEAD, self.__wrapped__

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            # for the line that calls or decorates: two frames of ours are in between
            warnings.warn(f"{self.__qualname__} runs in CPython: {error}", RuntimeWarning, stacklevel=4)

    @functools.cached_property
    def _binder(self) -> FunctionType:
        """A function with the same parameters and an empty body: CPython binds arguments to them."""
        function = self.__wrapped__
        code, names = function.__code__, self._names
        at, named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
        star, stars = code.co_flags & CO_VARARGS, code.co_flags & CO_VARKEYWORDS
        # a wrapped function may have other parameters
        texts = [
            *names[: code.co_posonlyargcount],
            *["/"] * bool(code.co_posonlyargcount),
            *names[code.co_posonlyargcount : at],
            *([f"*{names[named]}"] if star else ["*"] * bool(code.co_kwonlyargcount)),
            *names[at:named],
            *([f"**{names[-1]}"] if stars else []),
        ]
        space: dict = {}
        exec(f"def binder({', '.join(texts)}): return ({''.join(f'{name},' for name in names)})", space)
        made = space["binder"]
        made.__name__, made.__qualname__ = function.__name__, function.__qualname__
        return made

    def _bound(self, args: tuple, named: dict) -> tuple:
        """The arguments in the order of the function's variables; TypeError as Python has it."""
        binder, function = self._binder, self.__wrapped__
        # the defaults may have been set since
        binder.__defaults__, binder.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        return binder(*args, **named)

    @functools.cached_property
    def _annotations(self) -> list:
        found = annotations(self.__wrapped__)
        return [found.get(name) for name in self._names]

    @functools.cached_property
    def _unused(self) -> list[bool]:
        """Which arguments the function never looks at; those with a width are looked at all the same."""
        read = _read(self.__wrapped__.__code__)
        return [
            name not in read and width is None
            for name, width in zip(self._names, self._annotations, strict=True)
        ]

    def _kinds_of(self, arguments: Sequence) -> tuple[PythonKind, ...]:
        kinds = []
        for name, value, annotation, unused in zip(
            self._names, arguments, self._annotations, self._unused, strict=True
        ):
            if unused:
                kinds.append(NULL)
                continue
            where = f"{self.__name__}: {name}"
            unpacked = max(UNPACKED, named_items(annotation))
            kind = kind_of(value, where, self._exact_items, unpacked)
            if annotation is not None:
                narrow = narrowed(kind, annotation)
                if narrow is None:
                    raise Unfit(TypeError(f"{where} is {kind_name(value)}, not as it is annotated"))
                kind = narrow
                check(value, kind, where)
            kinds.append(kind)
        return tuple(kinds)

    def version(self, kinds: tuple[PythonKind, ...]) -> Version:
        """The function compiled for arguments of these kinds and its module's current state; SourceError."""
        with _compiling:
            same = [version for version in self.compiled if version.kinds == kinds]
            found = next((version for version in same if version.holds()), None)
            if found is None:
                refused = self._refused.get(kinds)
                if refused is not None and all(map(holds, refused.guards)):
                    raise type(refused)(refused.message, refused.position)
                try:
                    found = self._compiled(kinds)
                except RingError as error:
                    self._refused[kinds] = error.with_traceback(None)
                    raise
                dropped = same[KEPT - 1 :]
                self.compiled = [found, *(each for each in self.compiled if each not in dropped)]
                self._natives = tuple(native for each in self.compiled for native in each.natives)
            return found

    def _compiled(self, kinds: tuple[PythonKind, ...]) -> Version:
        lowered = self._front.lower_function(self.__wrapped__, kinds)
        try:
            return Version(self.__wrapped__, joined(lowered), self._unused)
        except RingError as error:
            error.guards = tuple(lowered.guards)
            raise


def _again(function: FunctionType, fallback: bool, exact_items: bool) -> Jitted:
    return jit(function, fallback=fallback, exact_items=exact_items)


def _from_source(traceback):
    """The traceback without this package's frames, if more follow."""
    at = traceback
    while at is not None and at.tb_frame.f_globals.get("__name__", "").startswith("carrychain."):
        at = at.tb_next
    return at


def _parameters(code: CodeType) -> tuple[str, ...]:
    """In the order of the code's variables: positional, keyword-only, *, **."""
    stars = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def _read(code: CodeType) -> set[str]:
    """The variables that the code names."""
    found: set[str] = set()
    for instruction in get_instructions(code):
        named = instruction.argval
        found.update(named if isinstance(named, tuple) else (named,) if isinstance(named, str) else ())
    return found
