"""Combines bounds checks of several loads.

Loading the sixteen words of a hash's block takes sixteen checks. Consider checks of one array, at indices
that are one integer plus constants, with nothing between them that is observable or may fail. All hold if
those of the least and the greatest index do. So these two are tested at the first check, and the others only
if one of them fails.

The words alone show how an index is computed. Let r be an integer, and o(k) the constants. An `add` or `sub`
with an attribute is exact: its result is its argument plus a constant, all read as the attribute says. `zext`
preserves the unsigned reading (and the result's signed reading is the same integer); `sext` preserves the
signed reading. So if all checks have the same root, and r is the root read the same way in each, index k is
r + o(k) without wrapping in between. Check k holds if 0 <= r + o(k) and r + o(k) + count(k) <= length. All
hold if the first does for the least o(k), and the second for the greatest o(k) + count(k).
"""

from __future__ import annotations

from typing import NamedTuple

from .form import Const, MachineBlock, MachineFunction, Op, Operand, Word, literal

# Operations that end a run of checks. (Making a BIG may fail, too, for lack of memory: that may fail after
# the combined check.)
SEEN = frozenset(("store", "new", "refuse", "bounds_big", "deep", "poll", "call"))
EXTENSIONS = {"zext": "u", "sext": "s"}
EITHER = ""


class Index(NamedTuple):
    """The integer root + offset; the root is read as `reading` says: "u", "s", or EITHER for 64 bits."""

    root: Word | None
    reading: str
    offset: int
    natural: bool  # whether the sum cannot be negative
    made: list[Op]  # the operations that compute it from the root


class BoundsCheck(NamedTuple):
    at: int
    op: Op
    index: Index


def gather(function: MachineFunction) -> None:
    if sum(op.op == "bounds" for op in function.ops()) < 2:
        return
    made = {word: op for op in function.ops() for word in op.results}
    for block in function.blocks:
        runs = _runs(block, made)
        if runs:
            _merge(block, runs)


def _runs(block: MachineBlock, made: dict[Word, Op]) -> list[list[BoundsCheck]]:
    runs: list[list[BoundsCheck]] = []
    run: list[BoundsCheck] = []
    for at, op in enumerate(block.ops):
        if op.op == "bounds" and op.args[1].type == 64:
            index = index_of(op.args[1], made)
            same = run and run[0].op.args[0] is op.args[0] and run[0].index.root is index.root
            if not same or len({check.index.reading for check in run} | {index.reading, EITHER}) > 2:
                run = []
                runs.append(run)
            run.append(BoundsCheck(at, op, index))
        elif op.op in SEEN or op.op == "bounds":
            run = []
    return [run for run in runs if len(run) > 1]


def index_of(word: Operand, made: dict[Word, Op]) -> Index:
    if isinstance(word, Const):
        return Index(None, "s", word.value, word.value >= 0, [])
    chain: list[Op] = []
    op, reading = made.get(word), EITHER
    if op is not None and op.op in EXTENSIONS:
        chain.append(op)
        reading, word = EXTENSIONS[op.op], op.args[0]
        op = made.get(word)
    offset = _offset(op) if op is not None and reading in (EITHER, op.attribute) else None
    if offset is None:
        return Index(word, reading, 0, reading == "u", chain)
    chain.append(op)
    reading, word = op.attribute, op.args[0] if isinstance(op.args[0], Word) else op.args[1]
    natural = reading == "u"
    base = made.get(word)
    if base is not None and (base.op == "zext" or (base.op == "sext" and reading == "s")):
        chain.append(base)
        reading, word = EXTENSIONS[base.op], base.args[0]
    return Index(word, reading, offset, natural, chain)


def _offset(op: Op) -> int | None:
    """The constant that an exact sum adds to a word; negative for an exact difference."""
    constants = [arg for arg in op.args if isinstance(arg, Const)]
    if op.op not in ("add", "sub") or op.attribute is None or len(constants) != 1:
        return None
    (constant,) = constants
    if op.op == "sub" and constant is op.args[0]:
        return None
    offset = constant.value if op.attribute == "s" else constant.value & (1 << constant.type) - 1
    return offset if op.op == "add" else -offset


def _merge(block: MachineBlock, runs: list[list[BoundsCheck]]) -> None:
    """Replaces each run by one check in place of the first, after the operations that its indices need."""
    instead: dict[int, list[Op]] = {}
    gone: set[int] = set()
    place = {op: at for at, op in enumerate(block.ops)}
    for run in runs:
        first = run[0].at
        least = min(run, key=lambda check: check.index.offset)
        most = max(run, key=lambda check: check.index.offset + check.op.attribute)
        early = {place[op] for end in (least, most) for op in end.index.made if place.get(op, -1) > first}
        instead[first] = [*(block.ops[at] for at in sorted(early - gone)), _together(run, least, most)]
        gone |= early
        gone.update(check.at for check in run)
    ops: list[Op] = []
    for at, op in enumerate(block.ops):
        if at in instead:
            ops += instead[at]
        elif at not in gone:
            ops.append(op)
    block.ops = ops


def _together(run: list[BoundsCheck], least: BoundsCheck, most: BoundsCheck) -> Op:
    root = run[0].index.root
    reading = next((check.index.reading for check in run if check.index.reading), "u")
    args = [run[0].op.args[0], root if root is not None else Const(64, 0), most.op.args[1]]
    # a root that may be read either way is read as in the other checks
    if not least.index.natural and not (least.index.reading == EITHER and reading == "u"):
        args.append(least.op.args[1])
    rows = tuple((literal(check.index.offset, 64), check.op.attribute, check.op.site) for check in run)
    return Op("bounds_run", args, [], (reading, most.op.attribute, rows))
