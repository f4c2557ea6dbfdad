"""Ranges: for all small sets, every result of every member is in the range; for operators, by z3.

The sets are everything that a Range can express about small integers: every interval in [-4, 3], including
half-open ones, with every choice of known low bits. If a set is unbounded, its members up to a few beyond are
tried. All is repeated with bounds of more than five bits dropped (END_BITS), so that the code for large
numbers is tested on small ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, product

import z3

from ..facts import transfer
from ..facts.plan import Range
from ..ir import interpret
from ..ir.form import LOGIC
from ..trust import bounds
from . import WIDTHS_ALL, WIDTHS_WORDS, Unproven

THEOREM = """ranges: whatever an operation yields, of any members of the ranges of its arguments, is in the
  range that transfer.py gives it, and in the set that bounds.py, which is the checker's,
  does (all small sets are tried, large ones at random; operators on known bits are proven by
  z3 at each width)"""

SMALL = range(-4, 4)
KNOWN = (
    (0, 0),
    (1, 0),
    (0, 1),
    (2, 0),
    (0, 2),
    (3, 0),
    (1, 2),
    (2, 1),
    (0, 3),
    (-8, 0),
    (4, 0),
)  # zeros, ones
TRIED = range(-11, 12)  # the members of unbounded sets that are tried


def sets() -> list[Range]:
    found = {}
    ends = [None, *SMALL]
    for low in ends:
        for high in ends:
            for zeros, ones in KNOWN:
                try:
                    made = transfer.make(low, high, zeros, ones)
                except transfer.Empty:
                    continue
                found[made] = None
    return list(found)


@cache
def members(r: Range) -> list[int]:
    return [x for x in TRIED if x in r]


def _refute(name: str, transfer_function, meaning, ranges: tuple[Range, ...], refused) -> None:
    results = set()
    for args in _product([members(r) for r in ranges]):
        if refused is None or not refused(*args):
            results.add(meaning(*args))
    try:
        found = transfer_function(*ranges)
    except transfer.Empty:
        if results:
            raise Unproven(f"{name} of {ranges} is not empty: {sorted(results)[:4]}") from None
        return
    for result in results:
        if result not in found:
            raise Unproven(f"{name} of {ranges} can be {result}, which is not in {found}")


def _product(lists: list[list[int]]) -> Iterator[tuple[int, ...]]:
    if len(lists) == 1:
        return ((x,) for x in lists[0])
    return ((x, y) for x in lists[0] for y in lists[1])


def operations() -> Iterator[tuple[str, Callable, Callable, int]]:
    """Each operation's name, transfer, meaning, number of arguments."""
    for name, function in transfer.BINARY.items():
        yield name, function, interpret.INTEGER[name], 2
    for name, table in LOGIC.items():
        yield name, lambda a, b, t=table: transfer.logic(t, a, b), interpret.INTEGER[name], 2
    for name, function in transfer.UNARY.items():
        yield name, function, interpret.INTEGER[name], 1
    for k in (1, 2, 3, 5):
        yield f"low {k}", lambda a, k=k: transfer.low(k, a), lambda x, k=k: interpret.low(k, x), 1
        yield f"field {k}", lambda a, k=k: transfer.field(k, a), lambda x, k=k: interpret.field(k, x), 1


def _exhaust(name, function, meaning, arity, end_bits: int, step: int) -> int:
    refused = interpret.TRAPS.get(name, (None,))[0]
    kept, transfer.END_BITS = transfer.END_BITS, end_bits
    try:
        tried = _every(arity, step)
        for ranges in tried:
            _refute(name, function, meaning, ranges, refused)
    finally:
        transfer.END_BITS = kept
    return len(tried)


@cache
def _every(arity: int, step: int) -> list[tuple[Range, ...]]:
    """All sets, or every `step`-th pair of them."""
    return list(islice(product(sets(), repeat=arity), 0, None, step if arity == 2 else 1))


def _large(name, function, meaning, arity) -> int:
    """Random sets around powers of two, tried at their bounds and inside."""
    rng = random.Random(name)
    refused = interpret.TRAPS.get(name, (None,))[0]

    def end() -> int:
        return rng.choice((1, -1)) * (1 << rng.choice((0, 3, 7, 8, 31, 32, 63, 64))) + rng.randrange(-1, 2)

    for _ in range(300):
        ranges, tried = [], []
        for at in range(arity):
            a, b = sorted((end(), end()) if at == 0 or name not in ("shift", "expt") else
                          (rng.randrange(-40, 40), rng.randrange(0, 40)))  # fmt: skip
            inside = [a, b, a + (b - a) // 2, a + (b - a) // 3, 0 if a <= 0 <= b else a]
            known = rng.randrange(1 << 8) if rng.random() < 0.5 else 0
            inside = [x for x in inside if not (x ^ inside[2]) & known]
            ranges.append(
                transfer.make(a, b, ~inside[0] & known, inside[0] & known) if inside else transfer.make(a, b)
            )
            tried.append([x for x in inside if x in ranges[-1]])
        for args in _product(tried):
            if refused is None or not refused(*args):
                found = function(*ranges)
                if meaning(*args) not in found:
                    raise Unproven(f"{name} of {args} is not in {found}, of {ranges}")
    return 300


def _operator_bits(table: int, width: int) -> int:
    """For all sets of known bits at once: transfer.logic itself, run on z3's bit vectors."""
    names = ("zeros a", "ones a", "zeros b", "ones b", "x", "y")
    zeros_a, ones_a, zeros_b, ones_b, x, y = (z3.BitVec(name, width) for name in names)
    make, transfer.make = transfer.make, lambda low, high, zeros, ones: (zeros, ones)
    try:
        zeros, ones = transfer.logic(
            table, Range(None, None, zeros_a, ones_a), Range(None, None, zeros_b, ones_b)
        )
    finally:
        transfer.make = make
    result = interpret.logic(table, x, y)
    solver = z3.Solver()
    solver.add(x & zeros_a == 0, ~x & ones_a == 0, y & zeros_b == 0, ~y & ones_b == 0)
    solver.add(z3.Or(result & zeros != 0, ~result & ones != 0))
    if solver.check() != z3.unsat:
        raise Unproven(f"width {width}: {solver.model()}")
    return 1


def _operator_boxes(table: int, step: int) -> int:
    """All intervals of four bits: the operator's results lie within transfer's bounds, and reach the
    checker's."""
    smallest, size = -8, 16
    results = [[interpret.logic(table, smallest + x, smallest + y) for y in range(size)] for x in range(size)]
    every = [(low, high) for low in range(size) for high in range(low, size)]
    count = 0
    for a in every[::step]:
        rows = results[a[0] : a[1] + 1]
        columns = list(zip(*rows, strict=True))
        least, greatest = [*map(min, columns)], [*map(max, columns)]
        for b in every:
            ends = min(least[b[0] : b[1] + 1]), max(greatest[b[0] : b[1] + 1])
            box = [smallest + end for end in (*a, *b)]
            found = transfer.logic(table, transfer.make(*box[:2]), transfer.make(*box[2:]))
            if not (found.low <= ends[0] and ends[1] <= found.high):
                raise Unproven(f"{box} makes {ends}, which are not in {found}")
            if bounds._logic_ends(table, *box) != ends:
                raise Unproven(f"{box} makes {ends}, not {bounds._logic_ends(table, *box)}")
            count += 1
    return count


def _operator_ends(table: int, width: int, boxes: int) -> int:
    """Intervals around powers of two, of either sign: z3 finds no result beyond transfer's bounds or the
    checker's, and one at each of the checker's."""
    rng = random.Random(f"{table} {width}")
    x, y = z3.BitVec("x", width + 1), z3.BitVec("y", width + 1)
    result = interpret.logic(table, x, y)

    def end() -> int:
        most = 1 << (width - 1)
        near = rng.choice((1, -1)) * (1 << rng.randrange(width)) + rng.randrange(-2, 3)
        return max(-most, min(most - 1, rng.choice((near, near // 3, rng.randrange(-most, most)))))

    for _ in range(boxes):
        box = [*sorted((end(), end())), *sorted((end(), end()))]
        known = transfer.logic(table, transfer.make(*box[:2]), transfer.make(*box[2:]))
        least, greatest = bounds._logic_ends(table, *box)
        solver = z3.Solver()
        solver.add(x >= box[0], x <= box[1], y >= box[2], y <= box[3])
        for claim in (result < known.low, result > known.high, result < least, result > greatest):
            if solver.check(claim) != z3.unsat:
                raise Unproven(f"{box}, {known}, {(least, greatest)}: {solver.model()}")
        for claim in (result == least, result == greatest):
            if solver.check(claim) != z3.sat:
                raise Unproven(f"{box}: {claim} is not reached")
    return 6 * boxes


def _operator_identities(width: int) -> int:
    """The identities behind transfer's bounds for two nonnegative numbers."""
    x, y = (z3.ZeroExt(2, z3.BitVec(name, width)) for name in "xy")
    full = (1 << width) - 1
    solver = z3.Solver()
    solver.set("timeout", 60000)
    claims = (
        z3.And(x & y <= x, x & y <= y, x & y >= x + y - full),
        z3.And(x ^ y <= x + y, x | y <= x + y, x | y >= x, x | y >= y),
        z3.And(x - y <= x ^ y, y - x <= x ^ y, x - y <= x & ~y, x & ~y <= x),
    )
    for claim in claims:
        if solver.check(z3.Not(claim)) != z3.unsat:
            raise Unproven(f"{claim} at {width} bits: {solver.model()}")
    return len(claims)


def _checker(name, meaning, arity, step: int) -> int:
    """The checker's own computation (bounds.py), tried in the same way."""
    if name.startswith(("low", "field")):
        by = bounds.low if name.startswith("low") else bounds.field
        k = int(name.split()[1])
        own = lambda a: by(k, a)  # noqa: E731
    else:
        own = bounds.BINARY.get(name) or bounds.UNARY[name]
    refused = interpret.TRAPS.get(name, (None,))[0]

    def as_range(*ranges: Range) -> Range:
        found = own(*map(bounds.of, ranges))
        found = None if found is None else bounds.tight(found)
        if found is None:
            raise transfer.Empty
        return Range(*found)

    tried = _every(arity, step)
    for ranges in tried:
        _refute(name, as_range, meaning, ranges, refused)
    return len(tried)


def _tight() -> int:
    """The checker's sets lose no member when they are narrowed, and end at members."""
    ends, bits = (None, *SMALL), range(-8, 8)
    count = 0
    for low, high, zeros, ones in product(ends, ends, bits, bits):
        inside = [x for x in range(-24, 24) if x in Range(low, high, zeros, ones)]
        found = bounds.tight((low, high, zeros, ones))
        if found is None:
            kept = []
        else:
            kept = [x for x in range(-24, 24) if x in Range(*found)]
            if not all(end is None or end in inside for end in found[:2]):
                raise Unproven(f"{found} does not end at members of {low, high, zeros, ones}")
        if kept != inside:
            raise Unproven(f"{low, high, zeros, ones} is not {found}")
        count += 1
    return count


def widths(bounded: bool) -> tuple[int, ...]:
    return (1, 2, 3, 5, 8, 12, 32, 65) if bounded else (*WIDTHS_ALL, *WIDTHS_WORDS)


STATED = {"how the checker's sets are narrowed": "how the checker's sets are narrowed"}
for _op in dict.fromkeys(name.split()[0] for name, *_ in operations()):
    STATED[_op] = rf"{_op}\b(?!.*the checker's)"
    STATED[f"{_op} by the checker"] = rf"{_op}\b.*the checker's"


def proofs(bounded: bool):
    step = 61 if bounded else 1
    yield "how the checker's sets are narrowed", _tight
    for name, function, meaning, arity in operations():
        yield name, lambda o=(name, function, meaning, arity): _exhaust(*o, transfer.END_BITS, step)
        yield f"{name}, short ends", lambda o=(name, function, meaning, arity): _exhaust(*o, 5, 2 * step)
        yield f"{name}, large", lambda o=(name, function, meaning, arity): _large(*o)
        yield f"{name}, the checker's", lambda o=(name, meaning, arity): _checker(*o, step)
    for width in widths(bounded):
        yield f"operators' inequalities at {width} bits", lambda w=width: _operator_identities(w)
    for name, table in LOGIC.items():
        yield f"{name} of intervals", lambda t=table: _operator_boxes(t, 9 if bounded else 1)
        for width in (9, 64) if bounded else (9, 17, 33, 64, 128):
            boxes = 4 if bounded else 40
            yield f"{name}'s ends at {width} bits", lambda t=table, w=width, n=boxes: _operator_ends(t, w, n)
        for width in widths(bounded):
            yield f"{name} at {width} bits", lambda t=table, w=width: _operator_bits(t, w)
