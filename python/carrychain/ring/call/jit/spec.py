"""Kinds as bindings/jit/ has them: trees in prefix order, a node a tuple (jit.h says of what)."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator
from functools import partial

from ...front.python.kinds import BOOL, INT, MISSING, TRUTH, Buffer, Guard, Kind, List, OneOf, Tuple
from ...ir.form import Int, signed, unsigned
from ...ir.interface import NULL
from ...machine.passed import Passed, storage
from ..program import EntryParameter

ANY, NONE, BOOLEAN, INTEGER, BYTES, BUFFER, LIST, TUPLE, ONE_OF = range(9)
IN_DICT, IN_CELL, IN_LIST, ATTRIBUTE = range(4)


class Inexpressible(Exception):
    """C does not know this: the call goes through program.py."""


def _node(kind: int, bits: int = 0, is_signed: bool = False, written: bool = False, readonly: bool = False,
          bounds: Int = INT, count: int = 0, type_: object = None) -> tuple:  # fmt: skip
    low, high = 0, 0
    if bounds != INT:
        if bounds.low is None or bounds.high is None:
            raise Inexpressible
        low, high = bounds.low, bounds.high
        if not -(1 << 63) <= low <= 0 <= high < 1 << 64:
            raise Inexpressible
    return kind, bits, is_signed, written, readonly, bounds != INT, low, high, count, type_


UNUSED = _node(ANY)


def _is_signed(element: Int) -> bool:
    return element.low is None or element.low < 0


def _type(maker: str) -> type:
    if maker == "ndarray":
        return sys.modules["numpy"].ndarray
    return {"bytearray": bytearray, "memoryview": memoryview, "array": array}[maker]


def takes(kind: Kind, params: Iterator[EntryParameter]) -> list[tuple]:
    """Of an argument's kind, held in the next of these parameters."""
    if kind == NULL:
        return [_node(NONE)]
    if isinstance(kind, Tuple):
        items = [node for item in kind.items for node in takes(item, params)]
        return [_node(TUPLE, count=len(kind.items)), *items]
    param = next(params)
    match kind:
        case Int():
            type_ = param.passed.type
            return [_node(INTEGER, param.passed.container or 0, bounds=type_)]
        case List(maker=maker):
            # the copy's for words is another than the kind's
            element = param.passed.type.element
            bits, fixed = storage(element) or 0, maker == "tuple"
            return [_node(LIST, bits, _is_signed(element), param.written and not fixed, fixed, element)]
        case Buffer("bytes"):
            return [_node(BYTES, 8)]
        case Buffer(maker, element, readonly):
            bits = element_bits(element)
            return [_node(BUFFER, bits, _is_signed(element), param.written, readonly, type_=_type(maker))]
    if kind == BOOL:
        return [_node(BOOLEAN)]
    raise Inexpressible


def is_written_buffer(node: tuple) -> bool:
    return node[0] == BUFFER and bool(node[3])


def element_bits(element: Int) -> int:
    for bits in (8, 16, 32, 64):
        if element in (unsigned(bits), signed(bits)):
            return bits
    raise Inexpressible


def gives(kind: Kind, results: Iterator[Passed]) -> list[tuple]:
    """Of a result's kind, held in the next of these results."""
    match kind:
        case Tuple(items):
            return [
                _node(TUPLE, count=len(items)),
                *(node for item in items for node in gives(item, results)),
            ]
        case OneOf(members):
            for _ in members[1:]:
                next(results)
            nodes = [node for member in members for node in gives(member, results)]
            return [_node(ONE_OF, count=len(members)), *nodes]
    if kind == NULL:
        return [_node(NONE)]
    passed = next(results)
    match kind:
        case Int():
            return [_node(INTEGER, passed.container or 0, passed.negative)]
        case List(element, maker):
            type_ = bool if element == TRUTH else None
            return [
                _node(
                    LIST, storage(element) or 0, _is_signed(element), readonly=maker == "tuple", type_=type_
                )
            ]
        case Buffer("bytes"):
            return [_node(BYTES, 8)]
        case Buffer(maker, element):
            return [_node(BUFFER, element_bits(element), _is_signed(element), type_=maker_of(maker, element))]
    return [_node(BOOLEAN)]


def maker_of(maker: str, element: Int) -> Callable[[bytes], object]:
    """What makes such memory of its bytes."""
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
