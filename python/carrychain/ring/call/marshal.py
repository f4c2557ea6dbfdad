"""What compiled functions take and return, in the form that bindings/call/ uses to convert to words.

A kind is a tree in prefix order, with a tuple per node (see call.h). A program's functions accept whatever
fits a parameter: for an integer anything with __index__, for an array bytes, buffers, lists and other
sequences of integers. Everything else is refused here. jit/spec.py has the kinds of jitted functions, which
accept nothing else.

An array is lent if its bytes have the layout of compiled code (bytes, bytearray, array.array, NumPy's arrays:
contiguous, with the element's width, sign and alignment). A list, a string or another sequence of integers is
copied, and the elements that the function stores are copied back.

Arrays may share memory: the same array given twice, or views of one buffer. A store to one is then visible in
the other, as with Lisp's displaced arrays: lent arrays are the same memory, and of copied arrays there is one
copy. The call is refused if neither is possible and one of them is written: compiled code assumes that
elements of different widths do not overlap, and two copies would not see each other's stores.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.form import INT, Array, Bool, Int, Type, unsigned
from ..ir.interface import Interface
from ..machine.abi import Passed, storage

ANY, NONE, BOOLEAN, INTEGER, TUPLE, ONE_OF, BYTES, BUFFER, LIST, ARRAY, TEXT = range(11)
# a kind's nodes
Nodes = tuple[tuple, ...]


@dataclass
class EntryParameter:
    name: str
    passed: Passed
    written: bool = False  # an array whose elements the function may store to, or that it may return


@dataclass
class EntryPoint:
    """How a compiled function is called."""

    name: str
    number: int  # its number in the module
    params: list[EntryParameter]
    results: list[Passed]
    interface: Interface


def node(
    kind: int, bits: int = 0, is_signed: bool = False, written: bool = False, readonly: bool = False,
    indexed: bool = False, bounds: Int = INT, count: int = 0, type_: object = None,
) -> tuple:  # fmt: skip
    return kind, bits, is_signed, written, readonly, indexed, bounds.low, bounds.high, count, type_


def is_signed(element: Int) -> bool:
    return element.low is None or element.low < 0


def takes(param: EntryParameter) -> tuple:
    """The kind of everything that a parameter accepts."""
    type_ = param.passed.type
    match type_:
        case Bool():
            return node(BOOLEAN)
        case Array():
            return array(type_, storage(type_.element) or 0, param.written)
    return node(INTEGER, param.passed.container or 0, indexed=True, bounds=type_)


def array(type_: Array, bits: int, written: bool = False) -> tuple:
    """The kind of everything that an array parameter accepts; its elements are held in `bits` bits."""
    return node(ARRAY, bits, is_signed(type_.element), written, type_.text, True, type_.element)


def gives(passed: Passed) -> tuple:
    """The kind of a result; an array becomes a str if it is text, bytes if it is of bytes, else a list."""
    type_ = passed.type
    match type_:
        case Bool():
            return node(BOOLEAN)
        case Array(element):
            kind = TEXT if type_.text else BYTES if element == unsigned(8) else LIST
            return node(kind, storage(element) or 0, is_signed(element))
    return node(INTEGER, passed.container or 0, passed.negative)


class ArgumentErrors:
    """The exceptions for arguments that are not accepted, by the parameter's number."""

    def __init__(self, prefix: str, names: list[str], types: list[Type]):
        self.prefix = prefix
        self.names = names
        self.types = types

    def argument(self, at: int, _: int, value) -> Exception:
        return refusal(self.types[at], self.prefix + self.names[at], value)

    def item(self, at: int, place: int, item) -> Exception:
        """An item of an array is not of its type."""
        return refusal(self.types[at].element, f"{self.prefix}{self.names[at]}[{place}]", item)

    def sharing(self, at: int, other: int, _) -> Exception:
        """An array shares memory with an earlier argument."""
        return ValueError(
            f"{self.prefix}{self.names[at]} shares memory with {self.names[other]}, but stores cannot be "
            "seen through both: pass arrays of one element type that can be read in place, or copies"
        )


def refusal(type_: Type, where: str, value) -> Exception:
    """The exception for a value that is not of the type."""
    match type_:
        case Bool():
            return TypeError(f"{where} must be a bool, not {kind_name(value)}")
        case Array():
            dimensions = _dimensions(value)
            if dimensions != 1:
                return TypeError(f"{where} must have one dimension, not {dimensions}")
            return TypeError(f"{where} must be an array of integers, not {kind_name(value)}")
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return TypeError(f"{where} must be an integer, not {kind_name(value)}")
    return OverflowError(f"{where} is {shown_int(value.__index__())}, not of type {type_}")


def _dimensions(value) -> int:
    try:
        return memoryview(value).ndim
    except TypeError:
        return 1


def kind_name(arg) -> str:
    name = type(arg).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}" if arg is not None else "None"


def shown_int(value: int) -> str:
    """The integer in decimal; Python itself refuses to print long ones."""
    return str(value) if value.bit_length() <= 256 else f"an integer of {value.bit_length()} bits"
