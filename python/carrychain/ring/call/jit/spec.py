"""Kinds of jitted functions' arguments and results, in the form that bindings/call/ uses (see marshal.py)."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator
from functools import partial

from ...front.python.kinds import MISSING, TRUTH, Buffer, Guard, List, PythonKind, Tuple
from ...ir.form import Int, signed, unsigned
from ...ir.interface import NULL, Union
from ...machine.abi import Passed, storage
from .. import marshal
from ..marshal import ANY, BOOLEAN, BUFFER, BYTES, INTEGER, LIST, NONE, ONE_OF, TUPLE, EntryParameter, Nodes
from ..marshal import is_signed as _is_signed
from ..marshal import node as _node

IN_DICT, IN_CELL, IN_LIST, ATTRIBUTE = range(4)

UNUSED = (_node(ANY),)


def _type(maker: str) -> type:
    if maker == "ndarray":
        return sys.modules["numpy"].ndarray
    return {"bytearray": bytearray, "memoryview": memoryview, "array": array}[maker]


def takes(kind: PythonKind, params: Iterator[EntryParameter]) -> Nodes:
    """The kind of an argument, which accepts no other; it is held in the next of these parameters."""
    return _taken(kind, params, _exactly)


def copies(kind: PythonKind, params: Iterator[EntryParameter]) -> Nodes:
    """The same, but arrays in another layout than compiled code's are accepted, and copied."""
    return _taken(kind, params, lambda _, param: marshal.takes(param))


def _taken(
    kind: PythonKind, params: Iterator[EntryParameter], one: Callable[[PythonKind, EntryParameter], tuple]
) -> Nodes:
    if kind == NULL:
        return (_node(NONE),)
    if isinstance(kind, Tuple):
        items = [node for item in kind.items for node in _taken(item, params, one)]
        return _node(TUPLE, count=len(kind.items)), *items
    return (one(kind, next(params)),)


def _exactly(kind: PythonKind, param: EntryParameter) -> tuple:
    match kind:
        case Int():
            return _node(INTEGER, param.passed.container or 0, bounds=param.passed.type)
        case List(maker=maker):
            # in the copy for words, the type is narrower than the kind's
            element = param.passed.type.element
            bits, fixed = storage(element) or 0, maker == "tuple"
            return _node(LIST, bits, _is_signed(element), param.written and not fixed, fixed, bounds=element)
        case Buffer("bytes"):
            return _node(BYTES, 8)
        case Buffer(maker, element, readonly):
            bits = element_bits(element)
            return _node(BUFFER, bits, _is_signed(element), param.written, readonly, type_=_type(maker))
    return _node(BOOLEAN)


def is_written_buffer(node: tuple) -> bool:
    return node[0] == BUFFER and bool(node[3])


def element_bits(element: Int) -> int:
    for bits in (8, 16, 32, 64):
        if element in (unsigned(bits), signed(bits)):
            return bits
    raise ValueError(f"no buffer has items of {element}")


def gives(kind: PythonKind, results: Iterator[Passed]) -> Nodes:
    """The kind of a result, which is held in the next of these results."""
    match kind:
        case Tuple(items):
            return _node(TUPLE, count=len(items)), *(node for item in items for node in gives(item, results))
        case Union(members):
            for _ in members[1:]:
                next(results)
            nodes = [node for member in members for node in gives(member, results)]
            return _node(ONE_OF, count=len(members)), *nodes
    if kind == NULL:
        return (_node(NONE),)
    return (_given(kind, next(results)),)


def _given(kind: PythonKind, passed: Passed) -> tuple:
    match kind:
        case List(element, maker):
            bits, type_ = storage(element) or 0, bool if element == TRUTH else None
            return _node(LIST, bits, _is_signed(element), readonly=maker == "tuple", type_=type_)
        case Buffer(maker, element) if maker != "bytes":
            return _node(BUFFER, element_bits(element), _is_signed(element), type_=maker_of(maker, element))
    return marshal.gives(passed)


def maker_of(maker: str, element: Int) -> Callable[[bytes], object]:
    """The constructor of such memory from its bytes."""
    code = {8: "B", 16: "H", 32: "I", 64: "Q"}[element_bits(element)]
    code = code.lower() if _is_signed(element) else code
    match maker:
        case "array":
            return partial(array, code)
        case "memoryview":
            return lambda data: memoryview(bytearray(data)).cast(code)
        case "ndarray":
            return lambda data: sys.modules["numpy"].frombuffer(bytearray(data), dtype=code)
    return bytearray


def guards(found: list[Guard]) -> tuple[tuple, ...]:
    def one(guard: Guard) -> tuple:
        where = guard.where
        if isinstance(where, dict):
            how = IN_DICT
        elif isinstance(where, list):
            how = IN_LIST
        else:
            how = IN_CELL if guard.name is None else ATTRIBUTE
        value = () if guard.value is MISSING else (guard.value,)
        return how, where, guard.name, *value

    return tuple(map(one, found))
