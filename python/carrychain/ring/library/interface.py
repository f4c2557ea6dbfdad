"""Built functions as C sees them.

A function returns a status code. Results go through pointers, after the arguments; a pointer to a struct
cc_failure, which may be NULL, comes last.

An integer whose type fits a word is passed in the narrowest C type that holds it. The function checks it, if
the C type holds more. An integer of any size of which only some low bits matter is passed as those. One of
128 bits is two words, the low one first. An array is a pointer and a number of elements. A result that is an
array is copied into the caller's room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

from ..front.python import prelude
from ..front.python.kinds import Bailout, PythonKind, Raised
from ..ir.form import Array, Bool, Int, Position, Type
from ..ir.interface import NULL
from ..lower.arrays import OUT_OF_BOUNDS
from ..machine.abi import Passed, storage
from ..machine.form import OUT_OF_MEMORY, Site, word_of

# Status codes: those that carrychain/word.h has, too, have the same numbers.
CODES = {
    "CC_OK": (0, ""),
    "CC_ENOMEM": (-12, "no memory"),
    "CC_EINDEX": (-14, "an index is out of bounds"),
    "CC_EINVAL": (-22, "the program's own error: (error ...), raise, assert"),
    "CC_ENOSPC": (-28, "a result has more elements than the caller has room for"),
    "CC_EZERODIVIDE": (-33, "a division by zero"),
    "CC_ERANGE": (-34, "an argument or a value is not of its declared type"),
}
SHARED = ("CC_OK", "CC_ENOMEM", "CC_EINVAL", "CC_ERANGE")
EXCEPTIONS = (
    (IndexError, "CC_EINDEX"),
    (ZeroDivisionError, "CC_EZERODIVIDE"),
    (OverflowError, "CC_ERANGE"),
    (MemoryError, "CC_ENOMEM"),
)
NO_ROOM = "no room for the result"
# the operand of the site of an argument's check
ARGUMENT = "argument"
# Compiled code relies on it; no array in memory is as long.
LENGTH_MAX = (1 << 56) - 1

SIGNS = {"*": "star", "+": "plus", "/": "over", "=": "eq", "<": "lt", ">": "gt", "?": "p", "!": "x",
         "%": "percent", "&": "and"}  # fmt: skip
RESERVED = frozenset((
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case",
    "catch", "char", "class", "compl", "const", "constexpr", "const_cast", "continue", "decltype",
    "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern",
    "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace",
    "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected",
    "public", "register", "reinterpret_cast", "restrict", "return", "short", "signed", "sizeof",
    "static", "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
    "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "errno", "NULL", "main",
    "failure",
))  # fmt: skip


def c_name(name: str) -> str:
    """A C identifier for a name of Lisp or Python."""
    found = ""
    for each in name:
        if each.isascii() and (each.isalnum() or each == "_"):
            found += each
        elif each in SIGNS:
            found += f"_{SIGNS[each]}"
        elif each in "-.":
            found += "_"
        else:
            found += f"_{ord(each):x}"
    # names with an underscore in front are the compiler's
    found = found.lstrip("_")
    if not found or not found[0].isalpha():
        found = f"f_{found}"
    return found + "_" * (found in RESERVED)


def word_type(bits: int, signed: bool) -> str:
    return f"{'' if signed else 'u'}int{bits}_t"


@dataclass(frozen=True)
class CParameter:
    """`written`: an array that the function may store to."""

    name: str
    passed: Passed
    written: bool = False

    @property
    def type(self) -> Type:
        return self.passed.type

    @property
    def whole(self) -> bool:
        """Whether it is passed with all its bits."""
        return word_of(self.type.low, self.type.high) is not None

    @property
    def bits(self) -> int:
        """The width of an integer as C passes it."""
        return word_of(self.type.low, self.type.high) or self.passed.container

    @property
    def signed(self) -> bool:
        return self.whole and self.type.low < 0

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """What the integer is to be compared with: None where its C type has no room beyond."""
        return beyond(self.type, self.bits) if self.whole else (None, None)

    def site(self, position: Position | None) -> Site:
        """The check that an argument is of its type."""
        message = f"{self.name} is not of type {self.type}"
        return Site(message, str(position) if position else None, ARGUMENT)


def beyond(type_: Int, bits: int) -> tuple[int | None, int | None]:
    """The type's bounds, each None if no word of so many bits is beyond it."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if type_.low < 0 else (0, (1 << bits) - 1)
    return (type_.low if type_.low > low else None), (type_.high if type_.high < high else None)


def elements(type_: Array) -> tuple[int, bool, tuple[int | None, int | None]]:
    """An element's width and sign, and what it is to be compared with."""
    bits = storage(type_.element)
    return bits, type_.element.low < 0, beyond(type_.element, bits)


@dataclass(frozen=True)
class CResult:
    """`length`: of an array, if it always has as many elements."""

    name: str
    passed: Passed
    length: int | None = None

    @property
    def type(self) -> Type:
        return self.passed.type

    @property
    def counted(self) -> bool:
        """Whether the caller says how much room there is, and is told the length."""
        return isinstance(self.type, Array) and self.length is None


@dataclass(frozen=True)
class SourceParameter:
    """A parameter in the source; its kind may be represented by several of C's, or by none.

    `default`: its value as Python writes it, if it is a constant.
    """

    name: str
    kind: PythonKind | Array
    default: str | None = None


@dataclass(frozen=True)
class CFunction:
    """`compiled` is the name in the module; `codes` are what it can return beside CC_OK.

    `params` and `value` are what the source takes and gives; several values of Lisp are a tuple. `raises` are
    the exceptions of a Python function by their names, each with that of Python's own exception that it is.
    """

    name: str
    compiled: str
    written: str  # its name in the source
    position: Position
    takes: tuple[CParameter, ...]
    gives: tuple[CResult, ...]
    codes: tuple[str, ...] = ()
    params: tuple[SourceParameter, ...] = ()
    value: PythonKind | Array = NULL
    raises: tuple[tuple[str, str], ...] = ()

    def prototype(self) -> list[str]:
        """The parameters, as C declares them."""
        found = []
        for each in self.takes:
            found += _declared(each)
        for each in self.gives:
            found += _received(each)
        return [*found, "struct cc_failure *failure"]


def own_exception(type_: type[BaseException]) -> str:
    """The name of the exception that Python itself has, and of which this one is."""
    return next(each.__name__ for each in type_.__mro__ if each.__module__ == "builtins")


def _declared(taken: CParameter) -> list[str]:
    match taken.type:
        case Bool():
            return [f"bool {taken.name}"]
        case Array():
            bits, signed, _ = elements(taken.type)
            const = "" if taken.written else "const "
            return [f"{const}{word_type(bits, signed)} *{taken.name}", f"size_t {taken.name}_length"]
    if taken.bits == 128:
        return [f"uint64_t {taken.name}_low", f"{word_type(64, taken.signed)} {taken.name}_high"]
    return [f"{word_type(taken.bits, taken.signed)} {taken.name}"]


def _received(given: CResult) -> list[str]:
    match given.type:
        case Bool():
            return [f"bool *{given.name}"]
        case Array():
            bits, signed, _ = elements(given.type)
            if given.length is not None:
                return [f"{word_type(bits, signed)} {given.name}[{given.length}]"]
            return [f"{word_type(bits, signed)} *{given.name}", f"size_t *{given.name}_length"]
    if given.passed.container == 128:
        return [f"uint64_t {given.name}[2]"]
    return [f"{word_type(given.passed.container, given.passed.negative)} *{given.name}"]


# Failures ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """What a failed check tells the caller."""

    code: str
    file: str
    line: int
    column: int
    message: str


def told(site: Site, raised: list[Raised]) -> Told:
    """What the failure of this check tells; `raised` are the exceptions of a Python function."""
    position = site_position(site)
    code, message = _code(site, raised)
    if position is None:
        return Told(code, "", 0, 0, message)
    return Told(code, PurePath(position.file).name, position.line, position.column, message)


def own_position(positions: Iterable[Position]) -> Position | None:
    """The first that is the program's own: the front end has functions, too."""
    return next((each for each in positions if each.file != prelude.__file__), None)


def _code(site: Site, raised: list[Raised]) -> tuple[str, str]:
    message = site.message
    if site.message.startswith("raise ") and raised:
        type_, args = raised[int(message.removeprefix("raise "))]
        said = ": ".join([type_.__name__, *map(str, args[:1])])
        if issubclass(type_, Bailout):
            return "CC_EINVAL", "only CPython has the answer"
        return next((code for base, code in EXCEPTIONS if issubclass(type_, base)), "CC_EINVAL"), said
    if message == OUT_OF_BOUNDS:
        return "CC_EINDEX", "index out of bounds"
    if message == OUT_OF_MEMORY:
        return "CC_ENOMEM", message
    if message == "division by zero":
        return "CC_EZERODIVIDE", message
    if message == "an array of {operand} elements":
        return "CC_ERANGE", "an array of fewer than 0 elements"
    if found := re.fullmatch(r"\{operand\} is not of type (.*)", message):
        return "CC_ERANGE", f"not of type {found[1]}"
    if message in ("isqrt of a negative integer", "expt with a negative exponent"):
        return "CC_ERANGE", message
    if message == NO_ROOM:
        return "CC_ENOSPC", message
    if site.operand == ARGUMENT:
        return "CC_ERANGE", message
    return "CC_EINVAL", message.replace("{{", "{").replace("}}", "}")


def site_position(site: Site) -> Position | None:
    return own_position(map(Position.read, (site.position, *site.callers))) if site.position else None
