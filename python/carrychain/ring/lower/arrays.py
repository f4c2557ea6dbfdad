"""Arrays: creation, bounds and elements."""

from __future__ import annotations

from ..facts.demand import below
from ..facts.plan import Range
from ..facts.transfer import of_type
from ..ir.form import Instruction
from ..machine.abi import storage
from ..machine.form import ARRAY, BIG, OUT_OF_MEMORY, SMALL_MAX, Const, Operand
from .checks import check, compare_constant, refuse, refuse_value
from .values import ValueMap, width_for

OUT_OF_BOUNDS = "index {operand} is out of bounds for an array of {length}"


def global_array(v: ValueMap, i: Instruction) -> None:
    v.words[i.result] = v.let("global", ARRAY, attribute=i.attribute)


def new(v: ValueMap, i: Instruction) -> None:
    count, fill = i.args
    element = i.attribute.element
    known = v.known(count)
    if known.negative:
        refuse_value(v, compare_constant(v, "lt", count, 0), "an array of {operand} elements", count)
    check(v, fill, element)
    bits = width_for(known)
    if bits is not None:
        if bits > 64:
            refuse(v, compare_constant(v, "gt", count, SMALL_MAX), OUT_OF_MEMORY)
        length = v.word(count, 64)
    else:
        value = v.big(count)
        refuse(v, v.let("xor", 1, v.let("is_small", 1, value), Const(1, -1)), OUT_OF_MEMORY)
        length = v.let("of_small", 64, value)
    bits = storage(element)
    if i in v.in_frame:
        v.words[i.result] = v.let("frame", ARRAY, length, attribute=(bits, v.in_frame[i]))
        return
    if bits is BIG:
        halves = [v.big(fill), Const(64, 0)]
    elif bits <= 64:
        halves = [v.word(fill, 64), Const(64, 0)]
    else:
        word = v.word(fill, 128)
        high = v.let("lshr", 128, word, Const(128, 64))
        halves = [v.let("trunc", 64, word), v.let("trunc", 64, high)]
    v.words[i.result] = v.builder.owned("new", length, *halves, attribute=bits, type_=ARRAY)


def length(v: ValueMap, i: Instruction) -> None:
    v.define(i.result, v.let("length", 64, v.words[i.args[0]]), Range(0, (1 << 56) - 1))


def _within(v: ValueMap, i: Instruction, count: int) -> bool:
    """Whether the index is known to be within bounds: by its range and the length's, or by comparisons on the
    path."""
    array, index = i.args[:2]
    known = v.known(index)
    if known.negative:
        return False
    made, least = v.made_by.get(array), 0
    if made is not None and made.op == "global":
        least = v.lengths[made.attribute]
    elif made is not None and made.op == "new":
        least = v.known(made.args[0]).low or 0
    if known.high is not None and known.high <= least - count:
        return True
    return v.order.ends_within(index, count, array, v.block)


def _index(v: ValueMap, i: Instruction, count: int = 1) -> Operand:
    """The index of `count` elements as a 64-bit word, after the check that they are within bounds."""
    array, index = v.words[i.args[0]], i.args[1]
    if _within(v, i, count):
        return v.word(index, 64)
    known = v.known(index)
    bits = width_for(known)
    if bits is None:
        site = v.builder.site(OUT_OF_BOUNDS, "value")
        return v.let("bounds_big", 64, array, v.big(index), attribute=count, site=site)
    bits = max(bits, 64)
    word = v.word(index, bits)
    site = v.builder.site(OUT_OF_BOUNDS, f"{'s' if known.negative else 'u'}{bits}")
    v.builder.do("bounds", array, word, attribute=count, site=site)
    # within bounds, it is as small as a length is
    return word if bits == 64 else v.word(index, 64)


def load_bytes(v: ValueMap, i: Instruction) -> None:
    """Loads bytes as one word, and reverses them if they are big-endian."""
    bits = i.attribute
    word = v.let("bytes", bits, v.words[i.args[0]], _index(v, i, bits // 8))
    if i.op == "load_be":
        word = v.let("bswap", bits, word)
    v.define(i.result, word, Range(0, below(bits)))


def load(v: ValueMap, i: Instruction) -> None:
    element = i.args[0].type.element
    word = v.let("load", storage(element), v.words[i.args[0]], _index(v, i))
    if word.type is BIG:
        # a store may release the array's reference while the element is in use
        v.builder.do("keep", word, slot=v.builder.slot())
    v.define(i.result, word, of_type(element))


def store(v: ValueMap, i: Instruction) -> None:
    array, _, value = i.args
    element = array.type.element
    check(v, value, element)
    index, bits = _index(v, i), storage(element)
    word = v.given(value) if bits is BIG else v.word(value, bits)
    v.builder.do("store", v.words[array], index, word)
