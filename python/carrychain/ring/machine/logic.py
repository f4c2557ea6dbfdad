"""The sixteen logical operators, made from and, or and xor."""

from __future__ import annotations

from collections.abc import Callable

# For each operator: which arguments are inverted, the operation on them, and whether its result is inverted.
STEPS = {
    "and": ("", "and", False), "ior": ("", "or", False), "xor": ("", "xor", False),
    "nand": ("", "and", True), "nor": ("", "or", True), "eqv": ("", "xor", True),
    "andc1": ("a", "and", False), "andc2": ("b", "and", False),
    "orc1": ("a", "or", False), "orc2": ("b", "or", False),
}  # fmt: skip


def logic_of(op: str, a, b, zero, ones, made: Callable):
    """The operator on a and b; `made` makes one of the three operations on two operands."""
    alone = {"clr": zero, "set": ones, "arg1": a, "arg2": b}
    if op in alone:
        return alone[op]
    if op in ("c1", "c2"):
        return made("xor", a if op == "c1" else b, ones)
    inverted, name, after = STEPS[op]
    x = made("xor", a, ones) if inverted == "a" else a
    y = made("xor", b, ones) if inverted == "b" else b
    found = made(name, x, y)
    return made("xor", found, ones) if after else found
