"""Bit maps: each bit of a value as a function of the bits of other values.

An integer is taken as its bits in two's complement, infinitely many: two integers are equal if all their bits
are. A bit map lists pieces from the lowest bit on, each with a width and a source, and then one source for
all higher bits. A source is

    (CONSTANT, b)               each bit is b
    (BITS, v, n, inverted)      the bits of v from n on, one after the other
    (BIT, v, n, inverted)       each bit is bit n of v
    (BOTH, table, a, b, depth)  the operator of ir.LOGIC on the bits of two sources

where v numbers a value that is not taken apart further. The map of each operation follows from what it does
to single bits. Three operations may carry, and are mapped only if:

    a + b     in each piece, one of a and b is 0: then nothing carries, and the sum is the union
    a - 2^m   0 <= a < 2^(m+1). The bits below m stay. If bit m of a is 1, it and all above become 0. If it is
              0, the difference lies between -2^m and -1, so all bits from m on are 1.
    -a        a is a single bit: the result is 0, or -1, whose bits are all 1
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ..facts.plan import Range
from ..ir.form import LOGIC, Instruction, Value

CONSTANT, BITS, BIT, BOTH = range(4)
# bounds, beyond which a value is not taken apart
MOST = 64  # pieces of a map
DEEPEST = 8  # nested operators of a source
CHAIN = 100  # definitions that a map is made from
FAR = 1 << 14  # bits of a constant

Source = tuple
# the pieces, and the source of all bits above them
Map = tuple[tuple[tuple[int, Source], ...], Source]

ZERO, ONE = (CONSTANT, 0), (CONSTANT, 1)


class _TooManyPieces(Exception):
    """A map has too many pieces or operators: the value is not taken apart."""


class BitMaps:
    """`made` yields the instruction that defines a value, or None for one that is not to be taken apart."""

    def __init__(self, made: Callable[[Value], Instruction | None], ranges: dict[Value, Range]):
        self.made = made
        self.ranges = ranges
        self._maps: dict[Value, Map] = {}
        self.numbers: dict[Value, int] = {}

    def of(self, value: Value, chain: int = 0) -> Map:
        found = self._maps.get(value)
        if found is None:
            i = self.made(value) if chain < CHAIN else None
            found = self._maps[value] = (i and self.yields(i, chain + 1)) or self._opaque(value)
        return found

    def yields(self, i: Instruction, chain: int = 0) -> Map | None:
        """The map of the instruction's result, from those of its operands; None if no rule applies."""
        try:
            return self._yields(i, chain)
        except _TooManyPieces:
            return None

    def _yields(self, i: Instruction, chain: int) -> Map | None:
        op, attribute = i.op, i.attribute
        if op == "const" and not isinstance(attribute, bool):
            return _number(attribute)
        if op in LOGIC:
            return _both(LOGIC[op], *(self.of(arg, chain) for arg in i.args))
        match op:
            case "narrow" | "assume":
                return self.of(i.args[0], chain)
            case "low":
                return _low(self.of(i.args[0], chain), attribute)
            case "field":
                return _field(self.of(i.args[0], chain), attribute)
            case "fmod":
                modulus = _constant(self.of(i.args[1], chain))
                if modulus is not None and modulus > 0 and not modulus & (modulus - 1):
                    return _low(self.of(i.args[0], chain), modulus.bit_length() - 1)
            case "shift":
                by = _constant(self.of(i.args[1], chain))
                if by is not None:
                    return _shifted(self.of(i.args[0], chain), by)
            case "add":
                a, b = (self.of(arg, chain) for arg in i.args)
                return _union(a, b)
            case "sub":
                a, b = (self.of(arg, chain) for arg in i.args)
                return _less_a_power(a, _constant(b))
            case "neg":
                return _negated(self.of(i.args[0], chain))
        return None

    def _opaque(self, value: Value) -> Map:
        number = self.numbers.setdefault(value, len(self.numbers))
        known = self.ranges.get(value)
        if known is not None and known.low is not None and known.high is not None:
            width = max(known.high.bit_length(), (~known.low).bit_length() if known.low < 0 else 0)
            if known.low == known.high:
                with suppress(_TooManyPieces):
                    return _number(known.low)
            top = ZERO if known.low >= 0 else (BIT, number, width, False)
            return _joined([(width, (BITS, number, 0, False))], top)
        return (), (BITS, number, 0, False)


def same(a: Map | None, b: Map | None) -> bool:
    """Whether both maps are shown to describe the same bits."""
    if a is None or b is None:
        return False
    for _ in range(4 * MOST):
        if not a[0] and not b[0] and a[1] == b[1]:
            return True
        width = min(parts[0][0] for parts, _ in (a, b) if parts) if a[0] or b[0] else 1
        ((_, x), *_), ((_, y), *_) = _cut(a, width), _cut(b, width)
        if x != y:
            # a piece of BITS and one of a repeated BIT may still agree in their first bit
            width = 1
            if _first(x) != _first(y):
                return False
        a, b = _above(a, width), _above(b, width)
    return False


def _each(source: Source, of: Callable[[Source], Source]) -> Source:
    """The source with each one in it that is no operator replaced."""
    if source[0] == BOTH:
        _, table, a, b, _ = source
        return _operated(table, _each(a, of), _each(b, of))
    return of(source)


def _advanced(source: Source, by: int) -> Source:
    """The source without its first bits."""
    return _each(source, lambda s: (BITS, s[1], s[2] + by, s[3]) if s[0] == BITS else s)


def _single(source: Source) -> Source:
    """The first bit of the source, repeated."""
    return _each(source, lambda s: s if s[0] == CONSTANT else (BIT, *s[1:]))


def _first(source: Source) -> Source:
    """The source written as BITS, so that first bits compare equal."""
    return _each(source, lambda s: s if s[0] == CONSTANT else (BITS, *s[1:]))


def _inverted(source: Source) -> Source:
    if source[0] == CONSTANT:
        return CONSTANT, 1 - source[1]
    if source[0] == BOTH:
        _, table, a, b, _ = source
        return _operated(15 - table, a, b)
    return *source[:3], not source[3]


def _operated(table: int, a: Source, b: Source) -> Source:
    """The operator applied to two sources; bit 2 x + y of the table is its result for bits x and y."""
    if a[0] == CONSTANT:
        if_0, if_1 = table >> 2 * a[1] & 1, table >> 2 * a[1] + 1 & 1
        return _chosen(b, if_0, if_1)
    if b[0] == CONSTANT:
        return _chosen(a, table >> b[1] & 1, table >> 2 + b[1] & 1)
    of_0, of_1 = table & 3, table >> 2
    if of_0 == of_1:
        return _chosen(b, of_0 & 1, of_0 >> 1)
    if of_0 in (0, 3) and of_1 in (0, 3):
        return _chosen(a, of_0 & 1, of_1 & 1)
    if a == b:
        return _chosen(a, table & 1, table >> 3 & 1)
    if a == _inverted(b):
        return _chosen(a, table >> 1 & 1, table >> 2 & 1)
    if table >> 1 & 1 == table >> 2 & 1 and b < a:
        a, b = b, a
    depth = 1 + max(source[4] if source[0] == BOTH else 0 for source in (a, b))
    if depth > DEEPEST:
        raise _TooManyPieces
    return BOTH, table, a, b, depth


def _chosen(source: Source, if_0: int, if_1: int) -> Source:
    if if_0 == if_1:
        return CONSTANT, if_0
    return source if if_1 else _inverted(source)


def _joined(pieces: list[tuple[int, Source]], top: Source) -> Map:
    """The map, with pieces that continue each other merged."""
    found: list[tuple[int, Source]] = []
    for width, source in pieces:
        if found and _advanced(found[-1][1], found[-1][0]) == source:
            found[-1] = found[-1][0] + width, found[-1][1]
        elif width:
            found.append((width, source))
    while found and _advanced(found[-1][1], found[-1][0]) == top:
        top = found.pop()[1]
    if len(found) > MOST:
        raise _TooManyPieces
    return tuple(found), top


def _number(number: int) -> Map:
    pieces, rest, sign = [], number, -1 if number < 0 else 0
    while rest != sign:
        bit = rest & 1
        run = ((rest ^ -bit) & -(rest ^ -bit)).bit_length() - 1
        pieces.append((run, (CONSTANT, bit)))
        rest >>= run
        if len(pieces) > MOST:
            raise _TooManyPieces
    # neighbours differ
    return tuple(pieces), (CONSTANT, -sign)


def _constant(a: Map) -> int | None:
    """The number, if all its bits are known."""
    if a[1][0] != CONSTANT or any(source[0] != CONSTANT for _, source in a[0]):
        return None
    number, at = 0, 0
    for width, source in a[0]:
        if at + width > FAR:
            return None
        number |= source[1] * ((1 << width) - 1) << at
        at += width
    return number - (a[1][1] << at)


def _cut(a: Map, bits: int) -> list[tuple[int, Source]]:
    """The pieces of the lowest bits."""
    found, left = [], bits
    for width, source in a[0]:
        found.append((min(width, left), source))
        left -= found[-1][0]
        if not left:
            return found
    return [*found, (left, a[1])]


def _above(a: Map, bits: int) -> Map:
    """The map of the bits from that index on."""
    left = bits
    for at, (width, source) in enumerate(a[0]):
        if left < width:
            return _joined([(width - left, _advanced(source, left)), *a[0][at + 1 :]], a[1])
        left -= width
    return (), _advanced(a[1], left)


def _low(a: Map, bits: int) -> Map:
    return _joined(_cut(a, bits), ZERO)


def _field(a: Map, bits: int) -> Map:
    (_, sign), *_ = _cut(_above(a, bits - 1), 1)
    return _joined(_cut(a, bits), _single(sign))


def _shifted(a: Map, by: int) -> Map:
    return _above(a, -by) if by < 0 else _joined([(by, ZERO), *a[0]], a[1])


def _both(table: int, a: Map, b: Map) -> Map:
    pieces = []
    while a[0] or b[0]:
        width = min(part[0][0][0] for part in (a, b) if part[0])
        (_, x), (_, y) = _cut(a, width)[0], _cut(b, width)[0]
        pieces.append((width, _operated(table, x, y)))
        a, b = _above(a, width), _above(b, width)
        if len(pieces) > 2 * MOST:
            raise _TooManyPieces
    return _joined(pieces, _operated(table, a[1], b[1]))


def _union(a: Map, b: Map) -> Map | None:
    if _both(LOGIC["and"], a, b) != ((), ZERO):
        return None
    return _both(LOGIC["ior"], a, b)


def _less_a_power(a: Map, power: int | None) -> Map | None:
    if power is None or power <= 0 or power & (power - 1):
        return None
    m = power.bit_length() - 1
    if _above(a, m + 1) != ((), ZERO):
        return None
    (_, bit), *_ = _cut(_above(a, m), 1)
    return _joined(_cut(a, m), _inverted(_single(bit)))


def _negated(a: Map) -> Map | None:
    if _above(a, 1) != ((), ZERO):
        return None
    (_, bit), *_ = _cut(a, 1)
    return (), _single(bit)
