"""The longer sequences of machine operations that one instruction is lowered to, as data.

A pattern is a tree: (operation, argument, ...), an integer for a constant, or a name, which matches any
operand, the same at each occurrence. ("as", n) matches a 64-bit count n at any width: truncated, or extended
with zeros. Each pattern has its meaning and its conditions beside it; ring/prove/words.py proves them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..machine.form import Const, Op, Operand, Word

Tree = tuple | str | int
Matched = dict[str, Operand]

COUNT = 64  # bits in the word of a shift's count


def match(tree: Tree, operand: Operand, ops: dict[Word, Op]) -> Matched | None:
    """What each name matched, if the operand is computed as the tree says; an Attribute matches its value."""
    env: Matched = {}
    return env if _match(tree, operand, ops, env) else None


def _match(tree: Tree, operand: Operand, ops: dict[Word, Op], env: Matched) -> bool:
    if isinstance(tree, str):
        return env.setdefault(tree, operand) == operand
    if isinstance(tree, int):
        return isinstance(operand, Const) and operand.value == tree
    if tree[0] == "as":
        if operand.type != COUNT:
            op = ops.get(operand)
            if op is None or op.op not in ("trunc", "zext"):
                return False
            (operand,) = op.args
        return operand.type == COUNT and _match(tree[1], operand, ops, env)
    op = ops.get(operand)
    if op is None or op.op != tree[0]:
        return False
    args = tree[1:]
    if args and isinstance(args[-1], Attribute):
        if env.setdefault(args[-1].name, op.attribute) != op.attribute:
            return False
        args = args[:-1]
    elif op.attribute is not None:
        return False  # the attribute promises that the sum does not overflow
    return len(args) == len(op.args) and all(
        _match(t, a, ops, env) for t, a in zip(args, op.args, strict=True)
    )


@dataclass(frozen=True)
class Attribute:
    name: str


# Divisions of a by b, both read as unsigned ("u") or signed ("s"), where b is not 0 and the quotient does not
# overflow: the result, read the same way, is the integer's.
_REST_U, _REST = ("urem", "a", "b"), ("srem", "a", "b")
_SIGNS_DIFFER = ("and", ("ne", _REST, 0), ("slt", ("xor", _REST, "b"), 0))
_SIGNS_AGREE = ("and", ("ne", _REST, 0), ("sge", ("xor", _REST, "b"), 0))
_QUOTIENT = ("sdiv", "a", "b")
DIVISION: dict[tuple[str, str], tuple[Tree, ...]] = {
    ("tdiv", "u"): (("udiv", "a", "b"),),
    ("fdiv", "u"): (("udiv", "a", "b"),),
    ("trem", "u"): (_REST_U,),
    ("fmod", "u"): (_REST_U,),
    ("cdiv", "u"): (("select", ("ne", _REST_U, 0), ("add", ("udiv", "a", "b"), 1), ("udiv", "a", "b")),),
    ("crem", "u"): (),
    ("tdiv", "s"): (_QUOTIENT,),
    ("trem", "s"): (_REST,),
    ("fdiv", "s"): (("select", _SIGNS_DIFFER, ("sub", _QUOTIENT, 1), _QUOTIENT),),
    ("fmod", "s"): (("select", _SIGNS_DIFFER, ("add", _REST, "b"), _REST),),
    ("cdiv", "s"): (("select", _SIGNS_AGREE, ("add", _QUOTIENT, 1), _QUOTIENT),),
    ("crem", "s"): (("select", _SIGNS_AGREE, ("sub", _REST, "b"), _REST),),
}

# The k low bits of x as two's complement, for up = width - k.
FIELD: Tree = ("ashr", ("shl", "x", "up"), "up")

# The k low bits of x rotated left by n, for n < k < width, m = 2^k - 1.
_FIELD = ("and", "x", "m")
ROTATED: Tree = ("and", ("or", ("shl", _FIELD, "n"), ("lshr", _FIELD, ("sub", "k", "n"))), "m")
_FIELD_BIG = ("big_low", "x", Attribute("and"))
ROTATED_BIG: Tree = (
    "big_logic",
    ("big_low", ("big_shift", _FIELD_BIG, "n"), Attribute("left")),
    ("big_shift", _FIELD_BIG, ("sub", "n", "k")),
    Attribute("ior"),
)

# The numbers of bits of x, read as unsigned ("u") or signed ("s"): those of ~x for a negative x. w is the
# width, and t = w - 1.
_SIZE = ("xor", "x", ("ashr", "x", "t"))
COUNTS: dict[tuple[str, str], Tree] = {
    ("bitlen", "u"): ("sub", "w", ("ctlz", "x")),
    ("bitlen", "s"): ("sub", "w", ("ctlz", _SIZE)),
    ("popcount", "u"): ("ctpop", "x"),
    ("popcount", "s"): ("ctpop", _SIZE),
}

# The lesser of a count and a constant.
CUT: Tree = ("select", ("slt", "n", "k"), "n", "k")


@dataclass(frozen=True)
class Shift:
    """x 2^n for a signed 64-bit count n: a left shift, a right shift, or a select of the two.

    The left shift is of x in a word of the result's width lw, with lm = lw - 1; if `left_tested`, n may
    exceed lm. The right shift is of y, which is x in a word of width rw, read as signed if `signed`, with rm
    = rl = rw - 1; if `right_tested`, -n may exceed rm. Its result is truncated to the result's width, or
    extended as y is read.
    """

    left: bool
    right: bool
    signed: bool
    left_tested: bool
    right_tested: bool
    tree: Tree


def _shifts() -> list[Shift]:
    plain: Tree = ("shl", "x", ("and", ("as", "n"), "lm"))
    lefts = {False: plain, True: ("select", ("ult", "n", "lw"), plain, 0)}
    back = ("sub", 0, "n")
    inside = ("ult", back, "rw")
    rights: dict[tuple[bool, bool], Tree] = {}
    for signed in (False, True):
        shift = "ashr" if signed else "lshr"
        rights[signed, False] = (shift, "y", ("and", ("as", back), "rm"))
        tested: Tree = (shift, "y", ("and", ("as", ("select", inside, back, "rl")), "rm"))
        rights[signed, True] = tested if signed else ("select", inside, tested, 0)
    made = [Shift(True, False, False, tested, False, tree) for tested, tree in lefts.items()]
    for (signed, right_tested), right in rights.items():
        for wider in ((), ("trunc",), ("sext" if signed else "zext",)):
            tree: Tree = (*wider, right) if wider else right
            made.append(Shift(False, True, signed, False, right_tested, tree))
            made += [
                Shift(True, True, signed, tested, right_tested, ("select", ("slt", "n", 0), tree, left))
                for tested, left in lefts.items()
            ]
    return made


SHIFTS = _shifts()
