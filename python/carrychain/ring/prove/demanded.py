"""Demands: runs that agree in the demanded bits of an operation's arguments agree in those of its result.

demand.py itself says what is demanded of the arguments, for demands of single bits, of all bits below one, of
some in between and of all. z3 then looks for two pairs of arguments that agree in those bits, but whose
results differ in a demanded one. An unbounded integer is a word here, with room for the demanded bits and for
those that right shifts move there.

For +, - and x all widths are one claim over the integers, proven with witnesses: if x = x' + p K and y = y' +
q K, then x op y and x' op y' differ by a multiple of K, which is named. K = 2^k covers every k.
"""

from __future__ import annotations

import z3

from ..facts import transfer
from ..facts.demand import _DemandAnalysis, exact_width
from ..facts.plan import Range
from ..ir.form import INT, LOGIC, Block, Function, Instruction, Return, Value
from ..ir.interpret import logic
from . import WIDTHS_ALL, WIDTHS_WORDS, Unproven

SPARE = 4  # bits above the demanded ones, which must not matter

THEOREM = """demand: of two runs that agree in the bits that demand.py asks of an operation's arguments,
  the results agree in the bits that are asked of it; a value whose range fits a word is that
  many of its low bits (by z3 at each width; sums and products over the integers, which is
  every width)"""
STATED = {
    **dict.fromkeys(("add", "sub", "neg"), r"\+, -, neg at"),
    "mul": r"\+, -, x and neg for every k",
    **dict.fromkeys(LOGIC, "operators at"),
    **dict.fromkeys(("low", "field", "select"), "fields at"),
    **dict.fromkeys(("shift", "rotl"), "shifts at"),
}


def widths(bounded: bool) -> tuple[int, ...]:
    return ((1, 2, 3, 5, 8, 12) if bounded else WIDTHS_ALL) + ((32, 65) if bounded else WIDTHS_WORDS)


def wanted_bits(width: int, bounded: bool) -> list[int]:
    if width <= 4 and not bounded:
        return [*range(1, 1 << width)]
    full = (1 << width) - 1
    return sorted(
        {1, 1 << (width - 1), full, full >> 1, 0x55555555555555555555555555555555 & full, full & ~1}
    )


def asked(
    op: str, wanted: int, attribute=None, constants=(None, None), count: Range | None = None
) -> list[int]:
    """What demand.py demands of an operation's arguments if these bits of its result are wanted."""
    arity = 1 if op in ("neg", "low", "field") else 3 if op == "select" else 2
    args = [Value(f"x{at}", INT) for at in range(arity)]
    result = Value("result", INT)
    instruction = Instruction(op, args, [result], attribute)
    made = [Instruction("const", [], [a], k) for a, k in zip(args, constants, strict=False) if k is not None]
    function = Function("f", [INT], [Block("entry", [], [*made, instruction], Return([result]))])
    analysis = _DemandAnalysis(function, {args[1]: count} if count is not None else {})
    analysis.masks[result] = wanted
    return analysis.asked(instruction)


def _agree(claim: str, width: int, masks: list[int], wanted: int, meaning, assume=()) -> int:
    """z3 finds no two lists of words that agree in the masks, but not in the wanted bits of `meaning`."""
    xs = [z3.BitVec(f"x{at}", width) for at in range(len(masks))]
    ys = [z3.BitVec(f"y{at}", width) for at in range(len(masks))]
    solver = z3.Solver()
    solver.set("timeout", 20000)
    solver.add(*(condition(v) for v in (xs, ys) for condition in assume))
    solver.add(*(x & mask == y & mask for x, y, mask in zip(xs, ys, masks, strict=True)))
    solver.add(meaning(*xs) & wanted != meaning(*ys) & wanted)
    answer = solver.check()
    if answer != z3.unsat:
        found = solver.model() if answer == z3.sat else "no answer"
        raise Unproven(f"{claim} at {width} bits, {wanted:#x} wanted, {masks}: {found}")
    return 1


def word_low(k: int, x):
    return x & ((1 << k) - 1) if k < x.size() else x


def word_field(k: int, x):
    return z3.SignExt(x.size() - k, z3.Extract(k - 1, 0, x)) if k < x.size() else x


def word_shift(x, n):
    """x 2^n, rounded down; n a word of the same width."""
    return z3.If(n >= 0, x << n, x >> -n)


def word_rotl(k: int, x, n):
    x, by = word_low(k, x), z3.URem(n, z3.BitVecVal(k, n.size()))
    return word_low(k, x << by) | z3.LShR(x, z3.BitVecVal(k, n.size()) - by)


def _linear(width: int, bounded: bool) -> int:
    count = 0
    for op, meaning in (("add", lambda x, y: x + y), ("sub", lambda x, y: x - y), ("neg", lambda x: -x),
                        ("mul", lambda x, y: x * y)):  # fmt: skip
        if op == "mul" and width > (5 if bounded else 8):
            # for multiplication of large words see below: over the integers
            continue
        for wanted in wanted_bits(width, bounded):
            count += _agree(op, width + SPARE, asked(op, wanted), wanted, meaning)
    return count


def _logical(width: int, bounded: bool) -> int:
    count = 0
    full = (1 << width) - 1
    for op, table in LOGIC.items():
        for wanted in wanted_bits(width, True):
            for constant in (None, 0, -1, full & 0x5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A):
                # a constant is the same in both runs; either argument may be one, or none
                def meaning(x, y, t=table, k=constant):
                    return logic(t, x, y if k is None else z3.BitVecVal(k, y.size()))

                def turned(x, y, t=table, k=constant):
                    return logic(t, x if k is None else z3.BitVecVal(k, x.size()), y)

                masks = asked(op, wanted, constants=(None, constant))
                count += _agree(op, width + SPARE, masks, wanted, meaning)
                if constant is not None:
                    masks = asked(op, wanted, constants=(constant, None))
                    count += _agree(op, width + SPARE, masks, wanted, turned)
    return count


def _fields(width: int, bounded: bool) -> int:
    count = 0
    for wanted in (*wanted_bits(width, True), -1):
        for k in sorted({1, 2, width // 2 or 1, width, width + 1}):
            for op, meaning in (("low", word_low), ("field", word_field)):
                count += _agree(
                    op, width + SPARE, asked(op, wanted, k), wanted, lambda x, m=meaning, k=k: m(k, x)
                )
        for condition in (0, 1):
            # the condition is the same in both runs
            same = [lambda v, c=condition: v[0] == c]
            masks = asked("select", wanted)
            count += _agree("select", width + SPARE, masks, wanted, lambda c, x, y: z3.If(c != 0, x, y), same)
    return count


def _shifts(width: int, bounded: bool) -> int:
    count = 0
    half = width // 2
    counts = {(0, 0), (1, 1), (-1, -1), (half, half), (-half, -half), (0, width), (1, 2), (-2, -1)}
    counts |= {(-width, width), (-width, 0), (width, width + 2)}
    for least, most in counts:
        known = transfer.make(least, most)
        room = 3 * width + SPARE + 4
        if room > 220 and least != most:
            continue
        for wanted in wanted_bits(width, True):
            masks = asked("shift", wanted, count=known)
            count += _agree(f"shift by {least} to {most}", room, masks, wanted, word_shift,
                            [lambda v, lo=least, hi=most: z3.And(v[1] >= lo, v[1] <= hi)])  # fmt: skip
    if width <= 12:
        for wanted in wanted_bits(width, True):
            masks = asked("rotl", wanted, width)
            count += _agree("rotl", width + SPARE, masks, wanted, lambda x, n: word_rotl(width, x, n))
    return count


def _exact(width: int) -> int:
    """If a range fits a word of w bits, w correct bits determine the number."""
    count = 0
    for least, most in (
        (0, (1 << width) - 1),
        (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        (0, 1),
        (-1, 0),
    ):
        bits = exact_width(transfer.make(least, most))
        if bits is None:
            if width <= 128:
                raise Unproven(f"{least} to {most} fits no word")
            continue
        x, y = z3.Ints("x y")
        solver = z3.Solver()
        solver.add(least <= x, x <= most, least <= y, y <= most, x != y)
        q = z3.Int("q")
        solver.add(x - y == q * (1 << bits))
        if solver.check() != z3.unsat:
            raise Unproven(f"{least} to {most} in {bits} bits: {solver.model()}")
        count += 1
    return count


def _all_widths() -> int:
    """For x = x' + p K and y = y' + q K, the results differ by a multiple of K, for every K."""
    x, y, p, q, K = z3.Ints("x y p q K")
    x_far, y_far = x + p * K, y + q * K
    for name, difference, witness in (
        ("add", (x_far + y_far) - (x + y), p + q),
        ("sub", (x_far - y_far) - (x - y), p - q),
        ("mul", x_far * y_far - x * y, p * y + q * x + p * q * K),
        ("neg", -x_far + x, -p),
    ):
        solver = z3.Solver()
        solver.add(z3.simplify(difference - witness * K, som=True) != 0)
        if solver.check() != z3.unsat:
            raise Unproven(name)
    return 4


def proofs(bounded: bool):
    yield "+, -, x and neg for every k, over the integers", _all_widths
    for width in widths(bounded):
        yield f"+, -, neg at {width} bits", lambda w=width: _linear(w, bounded)
        # the bits are independent: few widths suffice
        if not bounded or width in (1, 5, 65):
            yield f"operators at {width} bits", lambda w=width: _logical(w, bounded)
        yield f"fields at {width} bits", lambda w=width: _fields(w, bounded)
        yield f"shifts at {width} bits", lambda w=width: _shifts(w, bounded)
        yield f"exact at {width} bits", lambda w=width: _exact(w)
