"""Bit maps: the bits that trust/bitmap.py says a value has are those that the operation yields.

bitmap.py makes the map; z3 then looks for numbers for which a bit of it differs from the result's. An
unbounded integer is a word here, with room above for what a shift moves there. What trust/idiomatic.py knows
beside maps is proven in the same way: the carry between the two parts of a sum, and which bits of a result
may differ if these bits of an operand may. (That a rotation is one is proven with its rules.)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import z3

from ..facts.plan import Range
from ..ir.form import INT, LOGIC, Instruction, Value
from ..ir.interpret import logic
from ..trust.bitmap import BIT, BITS, CONSTANT, BitMaps, Map, Source
from ..trust.idiomatic import CARRYING, Idiomatic
from . import WIDTHS_ALL, WIDTHS_WORDS, Unproven
from .demanded import SPARE, _agree, _all_widths, word_field, word_low, word_rotl, word_shift

THEOREM = """bitmaps: each bit that a value is said to be made of is the bit that its operation yields; a sum
  moved down is the sum of its parts moved down, and their carry; and where some bits of an operand
  may differ, only those bits of the result may that idiomatic.py says (by z3 at each width)"""
STATED = {
    **{f"{op} of bits": rf"{op} of \d+ bits and others" for op in LOGIC},
    "the low bits": r"the \d+ bits that are low",
    "a field": "a field",
    "modulo a power": "modulo",
    "a shift up": "a shift up",
    "a shift down": "a shift down",
    "a sum without carries": "a sum without carries",
    "less the sign": "less the sign",
    "a bit negated": "a bit negated",
    "an unsigned number": "unsigned numbers",
    "a signed number": "signed numbers",
    "a sum in two parts": "add in two parts",
    "a difference in two parts": "sub in two parts",
    **{
        f"{op} of a loose number": rf"{op}\b.* where "
        for op in (*CARRYING, *LOGIC, "low", "field", "shift", "rotl")
    },
}


def widths(bounded: bool) -> tuple[int, ...]:
    return (1, 2, 3, 8, 33) if bounded else (*WIDTHS_ALL, *WIDTHS_WORDS)


class _Steps:
    """Instructions over two numbers, with what they are as words of so many bits."""

    def __init__(self, width: int, ranges: tuple[Range, Range] = (Range(), Range())):
        self.width = width
        self.params = Value("x", INT), Value("y", INT)
        self.ranges = dict(zip(self.params, ranges, strict=True))
        self.words = {p: z3.BitVec(p.name, width) for p in self.params}
        self.made: dict[Value, Instruction] = {}

    def __call__(self, op: str, *args: Value, attribute=None) -> Value:
        result = Value(f"t{len(self.made)}", INT)
        self.made[result] = Instruction(op, list(args), [result], attribute)
        self.words[result] = self._word(op, [self.words[arg] for arg in args], attribute)
        return result

    def _word(self, op: str, xs: list, attribute):
        if op in LOGIC:
            return z3.BitVecVal(0, self.width) | logic(LOGIC[op], *xs)
        match op:
            case "const":
                return z3.BitVecVal(attribute, self.width)
            case "low":
                return word_low(attribute, xs[0])
            case "field":
                return word_field(attribute, xs[0])
            case "shift":
                return word_shift(*xs)
            case "fmod":
                # by a power of two
                return xs[0] & (xs[1] - 1)
            case "add":
                return xs[0] + xs[1]
            case "sub":
                return xs[0] - xs[1]
            case "neg":
                return -xs[0]
        raise AssertionError(op)

    def prove(self, value: Value, bits: int) -> int:
        """The map of the value is the value, in its low bits."""
        maps = BitMaps(self.made.get, self.ranges)
        map_ = maps.of(value)
        if map_[1][0] in (BITS, BIT) and map_[1][1] == maps.numbers.get(value):
            raise Unproven("nothing is said of it")
        of = {number: self.words[each] for each, number in maps.numbers.items()}
        solver = z3.Solver()
        solver.set("timeout", 20000)
        for param, known in self.ranges.items():
            solver.add(*(self.words[param] >= end for end in (known.low,) if end is not None))
            solver.add(*(self.words[param] <= end for end in (known.high,) if end is not None))
        found = (
            z3.Concat(*reversed([_bit(map_, at, of) for at in range(bits)]))
            if bits > 1
            else _bit(map_, 0, of)
        )
        solver.add(found != z3.Extract(bits - 1, 0, self.words[value]))
        answer = solver.check()
        if answer != z3.unsat:
            raise Unproven(str(solver.model()) if answer == z3.sat else "no answer")
        return 1


def _bit(map_: Map, at: int, of: dict[int, z3.BitVecRef]):
    for width, source in map_[0]:
        if at < width:
            return _source(source, at, of)
        at -= width
    return _source(map_[1], at, of)


def _source(source: Source, at: int, of: dict[int, z3.BitVecRef]):
    if source[0] == CONSTANT:
        return z3.BitVecVal(source[1], 1)
    if source[0] in (BITS, BIT):
        _, value, first, inverted = source
        word = of[value]
        # above the word an integer has its sign
        place = min(first + at if source[0] == BITS else first, word.size() - 1)
        bit = z3.Extract(place, place, word)
        return ~bit if inverted else bit
    _, table, a, b, _ = source
    return z3.BitVecVal(0, 1) | logic(table, _source(a, at, of), _source(b, at, of))


def _maps(k: int) -> Iterator:
    """Each operation at k bits: a claim and its proof."""
    room = 2 * k + SPARE

    def step(claim: str, bits: int, build, *ranges: Range):
        steps = _Steps(room, (*ranges, Range(), Range())[:2])
        return claim, lambda: steps.prove(build(steps, *steps.params), bits)

    for op in LOGIC:
        yield step(
            f"{op} of {k} bits and others",
            room,
            lambda s, x, y, op=op: s(op, s("low", x, attribute=k), y),
        )
    yield step(f"the {k} bits that are low", room, lambda s, x, y: s("low", x, attribute=k))
    yield step(f"a field of {k} bits", room, lambda s, x, y: s("field", x, attribute=k))
    yield step(f"modulo 2^{k}", room, lambda s, x, y: s("fmod", x, s("const", attribute=1 << k)))
    yield step(f"a shift up by {k} bits", room, lambda s, x, y: s("shift", x, s("const", attribute=k)))
    # what a word moves in from above is not there
    yield step(f"a shift down by {k} bits", room - k, lambda s, x, y: s("shift", x, s("const", attribute=-k)))
    yield step(
        f"a sum without carries at {k} bits",
        room,
        lambda s, x, y: s("add", s("low", x, attribute=k), s("shift", y, s("const", attribute=k))),
    )
    yield step(
        f"less the sign of {k} bits",
        room,
        lambda s, x, y: s("sub", s("low", x, attribute=k), s("const", attribute=1 << (k - 1))),
    )
    yield step(f"a bit negated beside {k} bits", room, lambda s, x, y: s("neg", s("low", x, attribute=1)))
    for name, known in (
        ("unsigned", Range(0, (1 << k) - 1)),
        ("signed", Range(-(1 << (k - 1)), (1 << (k - 1)) - 1)),
    ):
        yield step(f"{name} numbers of {k} bits, and others", room,
                   lambda s, x, y: s("xor", x, s("low", y, attribute=k)), known)  # fmt: skip


def _parts(k: int, op: str) -> int:
    """A sum or difference moved down by k is that of its parts, and what these carry."""
    x, y = (z3.SignExt(2, z3.BitVec(name, k + SPARE)) for name in "xy")
    apply = (lambda a, b: a + b) if op == "add" else (lambda a, b: a - b)
    low = (1 << k) - 1
    solver = z3.Solver()
    solver.set("timeout", 20000)
    solver.add(apply(x, y) >> k != apply(x >> k, y >> k) + (apply(x & low, y & low) >> k))
    if (answer := solver.check()) != z3.unsat:
        raise Unproven(str(solver.model()) if answer == z3.sat else "no answer")
    return 1


def _differ(op: str, bits: int, attribute=None, known: Range | None = None, at: int = 0) -> int:
    """The bits of a result that may differ by idiomatic.py, if these bits of an operand may.

    The other operand is in the range that is known.
    """
    x, y, result = (Value(name, INT) for name in ("x", "y", "result"))
    shown = object.__new__(Idiomatic)
    shown.loose = {}
    shown.ranges = {} if known is None else {y: known}
    args = [x, y] if op in LOGIC or op in ("add", "sub", "mul", "shift", "rotl") else [x]
    args = args[::-1] if at else args
    return shown._may_differ(Instruction(op, args, [result], attribute), {x: bits})


def _loose(k: int) -> Iterator:
    """Of one operand all bits from k on may differ, or only that one."""
    for which, bits in ((f"{k} bits are right", -1 << k), (f"all but the one above {k} bits are", 1 << k)):
        for claim, prove in _loose_in(k, bits):
            yield f"{claim} where {which}", prove


def _loose_in(k: int, bits: int) -> Iterator:
    width = k + SPARE
    meanings = {
        "add": lambda x, y: x + y,
        "sub": lambda x, y: x - y,
        "mul": lambda x, y: x * y,
        "neg": lambda x, y: -x,
        **{op: lambda x, y, table=table: logic(table, x, y) | x ^ x for op, table in LOGIC.items()},
    }

    def same(claim: str, op: str, meaning, attribute=None, known=None, at=0):
        wanted = ~_differ(op, bits, attribute, known, at) & (1 << width) - 1
        if known is None:
            assume = ()
        elif known.zeros or known.ones:
            assume = (lambda v: v[1] & (known.zeros | known.ones) == known.ones,)
        else:
            assume = (lambda v: z3.And(v[1] >= known.low, v[1] <= known.high),)
        apply = (lambda x, y: meaning(y, x)) if at else meaning

        def prove() -> int:
            return _agree(claim, width, [~bits, -1], wanted, apply, assume)

        return claim, prove

    for op, meaning in meanings.items():
        assert op in (*CARRYING, *LOGIC)
        if op == "mul" and k > 5:
            continue
        yield same(op, op, meaning)
        for known in (Range(zeros=3 << k), Range(ones=3 << k)) if op in LOGIC else ():
            for at in (0, 1):
                yield same(f"{op} beside known bits", op, meaning, None, known, at)
    for n in sorted({1, max(k - 1, 1), k, k + 1}):
        yield same(f"low {n}", "low", lambda x, y, n=n: word_low(n, x), n)
        yield same(f"field {n}", "field", lambda x, y, n=n: word_field(n, x), n)
    for low, high in ((-1, -1), (1, 1), (-1, 1)):
        yield same(f"shift by {low} to {high}", "shift", word_shift, None, Range(low, high))
    for n in (max(k - 1, 1), k + 1, k + 2):
        for counts in (None, Range(1, 1), Range(0, 2), Range(n, n)):
            yield same(f"rotl {n}", "rotl", partial(word_rotl, n), n, counts)


def proofs(bounded: bool) -> Iterator:
    yield "mul, and sums, where any number of low bits are right, over the integers", _all_widths
    for k in widths(bounded):
        yield from _maps(k)
        for op in ("add", "sub"):
            yield f"{op} in two parts at {k} bits", lambda k=k, op=op: _parts(k, op)
        yield from _loose(k)
