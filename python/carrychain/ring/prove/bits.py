"""The checker's bits: two runs that agree in the correct bits of the arguments agree in those that check.py
derives.

check.py itself says which bits of a result are correct, given which bits of the arguments are. z3 then looks
for two pairs of arguments that agree in those, but whose results differ in a bit that is called correct.
"""

from __future__ import annotations

from itertools import product

import z3

from ..facts import transfer
from ..facts.plan import Plan, Range
from ..ir.form import INT, LOGIC, Block, Function, Instruction, Return, Value
from ..ir.interpret import logic
from ..machine.form import BIG
from ..trust.check import _Bits
from . import WIDTHS_ALL, WIDTHS_WORDS
from .demanded import SPARE, _agree, word_field, word_low, word_rotl, word_shift

THEOREM = """check: if two runs agree in the right bits of an operation's arguments, they agree in all bits
  of its result that check.py derives to be right: a plan that it accepts keeps every bit that
  is observed (by z3 at each width)"""
STATED = {
    **dict.fromkeys(("add", "sub", "mul", "neg"), r"\+, -, x, neg at"),
    **dict.fromkeys(LOGIC, "operators at"),
    **dict.fromkeys(("low", "field", "shift", "rotl", "select"), "fields, shifts, rotations, select at"),
}
ALL = -1


def widths(bounded: bool) -> tuple[int, ...]:
    return (3, 33) if bounded else (*WIDTHS_ALL, *WIDTHS_WORDS)


def right_bits(op: str, masks: list[int], attribute=None, constants=(), count: Range | None = None) -> int:
    """The bits of an operation's result that check.py calls correct if these bits of its arguments are."""
    args = [Value(f"x{at}", INT) for at in range(len(masks))]
    result = Value("result", INT)
    made = [Instruction("const", [], [a], k) for a, k in zip(args, constants, strict=False) if k is not None]
    instruction = Instruction(op, args, [result], attribute)
    params = [arg for arg in args if all(arg not in i.results for i in made)]
    function = Function("f", [INT], [Block("entry", params, [*made, instruction], Return([result]))])
    demands = dict(zip((*args, result), (*masks, 1), strict=True))
    plan = Plan(function, {args[1]: count} if count else {}, demands, dict.fromkeys(demands, BIG))
    return _Bits(plan, {})._derived(instruction)


def _masks(width: int, bounded: bool) -> list[int]:
    full = (1 << width) - 1
    some = {full, full >> 1, 0x55555555555555555555555555555555 & full, ALL}
    return sorted(some if bounded else some | {1, full & ~1, 1 << (width - 1)})


def _claim(op: str, width: int, masks, meaning, shown: str = "", assume=(), **named) -> int:
    right = right_bits(op, list(masks), **named)
    return _agree(shown or op, width, list(masks), right & ((1 << width) - 1), meaning, assume)


def _linear(width: int, bounded: bool) -> int:
    count = 0
    for op, meaning in (("add", lambda x, y: x + y), ("sub", lambda x, y: x - y), ("neg", lambda x: -x),
                        ("mul", lambda x, y: x * y)):  # fmt: skip
        # carries of products: see demanded.py for every width, over the integers
        if op == "mul" and width > 5:
            continue
        for masks in product(_masks(width, bounded), repeat=1 if op == "neg" else 2):
            count += _claim(op, width + SPARE, masks, meaning)
    return count


def _logical(width: int, bounded: bool) -> int:
    count = 0
    odd = ((1 << width) - 1) & 0x5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A
    for op, table in LOGIC.items():
        for masks in product(_masks(width, True), repeat=2):
            for constant in (None, odd):

                def meaning(x, y, t=table, k=constant):
                    return logic(t, x, y if k is None else z3.BitVecVal(k, y.size()))

                def turned(x, y, t=table, k=constant):
                    return logic(t, z3.BitVecVal(k, x.size()), y)

                count += _claim(op, width + SPARE, masks, meaning, constants=(None, constant))
                if constant is not None:
                    count += _claim(op, width + SPARE, masks, turned, constants=(constant, None))
    return count


def _moved(width: int, bounded: bool) -> int:
    count = 0
    for mask in _masks(width, bounded):
        for k in sorted({1, 2, width // 2 or 1, width, width + 1}):
            for op, meaning in (("low", word_low), ("field", word_field)):
                by = lambda x, m=meaning, k=k: m(k, x)  # noqa: E731
                count += _claim(op, width + SPARE, [mask], by, f"{op} {k}", attribute=k)
        for least, most in ((0, 0), (1, 1), (-1, -1), (0, width), (1, 2), (-2, -1), (-width, width)):
            room = 2 * width + SPARE + 4
            if room > 80 and least != most:
                continue
            inside = [lambda v, lo=least, hi=most: z3.And(v[1] >= lo, v[1] <= hi)]
            count += _claim("shift", room, [mask, ALL], word_shift, f"shift by {least} to {most}", inside,
                            count=transfer.make(least, most))  # fmt: skip
        if width <= 12:
            by = lambda x, n: word_rotl(width, x, n)  # noqa: E731
            count += _claim("rotl", width + SPARE, [mask, ALL], by, attribute=width)
    for masks in product(_masks(width, bounded), repeat=2):
        for condition in (0, 1):
            # the condition is the same in both runs
            same = [lambda v, c=condition: v[0] == c]
            choose = lambda c, x, y: z3.If(c != 0, x, y)  # noqa: E731
            count += _claim("select", width + SPARE, [ALL, *masks], choose, "select", same)
    return count


def proofs(bounded: bool):
    for width in widths(bounded):
        yield f"+, -, x, neg at {width} bits", lambda w=width: _linear(w, bounded)
        yield f"operators at {width} bits", lambda w=width: _logical(w, bounded)
        yield f"fields, shifts, rotations, select at {width} bits", lambda w=width: _moved(w, bounded)
