"""The longer sequences of operations on words that stand for one instruction, as data.

A pattern is a tree: (operation, argument, ...), an integer for a constant, or a name for any operand, the
same wherever the name occurs. ("as", n) is a 64-bit count n at any width: cut, or extended with zeros. The
meaning and the conditions of each are written next to it; ring/prove/words.py proves it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..machine.form import Const, Op, Operand, Word

Tree = tuple | str | int
Matched = dict[str, Operand]

COUNT = 64  # bits of a shift's count


def match(tree: Tree, operand: Operand, ops: dict[Word, Op]) -> Matched | None:
    """What the names stand for, if the operand is made so. An attribute's value stands for its name, too."""
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
        return False  # it promises something
    return len(args) == len(op.args) and all(
        _match(t, a, ops, env) for t, a in zip(args, op.args, strict=True)
    )


@dataclass(frozen=True)
class Attribute:
    name: str


# Divisions of a by b, both read as unsigned ("u") or signed ("s") and b not 0, nor a quotient too large: the
# result read likewise is the integer's.
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

# How many bits: of a word read as unsigned; of one read as signed, of ~x where it is below 0. w is the width,
# t = w - 1.
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
    """x 2^n for n in any direction, of a count n of 64 bits.

    To the left x is a word of the result's width, lw, and lm = lw - 1; if `left_tested`, n may be more.
    To the right y is x as a word of width rw, rm = rl = rw - 1, read by its sign if `signed`; if
    `right_tested`, -n may be more. The last is cut, or extended by that sign, to the result's width.
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
