"""Rewrite rules, as data: a pattern, its replacement, and conditions; `prove` proves all of them.

A pattern is a tuple: an operation, its attribute (or None), its arguments. An argument may be a variable (any
value), or Imm(name), a constant; an attribute may be a name. Names are bound to integers, and `when` and
`derive` use only those. `fits` lists variables that must be in [0, 2^k), for a name k or a number. `modulo`
says in how many low bits the two sides agree, if they do not agree completely: the rule then requires that no
other bit is demanded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Imm:
    name: str


@dataclass(frozen=True)
class Rule:
    name: str
    comment: str
    pattern: tuple
    result: tuple
    when: Callable[..., bool] = lambda **names: True
    # names that the result's attributes use, computed from those that the pattern binds
    derive: Callable[..., dict[str, int]] = lambda **names: {}
    fits: tuple[tuple[str, str], ...] = ()
    # variable -> bounds that its range must lie in, given the names
    bounds: Callable[..., dict[str, tuple[int, int]]] = lambda **names: {}
    modulo: str | None = None


def _power(c: int) -> bool:
    return c > 1 and not c & (c - 1)


def _mask(c: int) -> bool:
    return c > 0 and not c & (c + 1)


RULES = [
    Rule(
        "modulo a power of two",
        "x mod 2^k, rounded down, is x's k low bits, whatever its sign",
        ("fmod", None, "x", Imm("c")),
        ("low", "k", "x"),
        when=lambda c: _power(c),
        derive=lambda c: {"k": c.bit_length() - 1},
    ),
    Rule(
        "a mask of low bits",
        "x and 2^k - 1 are x's k low bits",
        ("and", None, "x", Imm("c")),
        ("low", "k", "x"),
        when=lambda c: _mask(c),
        derive=lambda c: {"k": c.bit_length()},
    ),
    Rule(
        "the low bits of low bits",
        "the fewer ask",
        ("low", "j", ("low", "i", "x")),
        ("low", "k", "x"),
        derive=lambda i, j: {"k": min(i, j)},
    ),
    Rule(
        "the low bits of a field",
        "below its sign a field is the number",
        ("low", "j", ("field", "i", "x")),
        ("low", "j", "x"),
        when=lambda i, j: j <= i,
    ),
    Rule(
        "a field of low bits",
        "the sign bit and those below it are there",
        ("field", "j", ("low", "i", "x")),
        ("field", "j", "x"),
        when=lambda i, j: j <= i,
    ),
    Rule(
        "a field of a field",
        "the narrower asks",
        ("field", "j", ("field", "i", "x")),
        ("field", "k", "x"),
        derive=lambda i, j: {"k": min(i, j)},
    ),
    Rule(
        "the sign, flipped and subtracted",
        "flipping bit k - 1 adds or subtracts its weight; less that weight, it weighs -2^(k-1)",
        ("sub", None, ("xor", None, ("low", "k", "x"), Imm("c")), Imm("d")),
        ("field", "k", "x"),
        when=lambda k, c, d: c == d == 1 << (k - 1),
    ),
    Rule(
        "the sign, deposited above",
        "the sign bit negated is 0 or -1: all the bits from k on (the paper's idiom, with dpb)",
        ("ior", None,
            ("and", None, ("neg", None, ("low", "one", ("shift", None, "x", Imm("s")))), Imm("c")),
            ("low", "k", "x")),
        ("field", "k", "x"),
        when=lambda k, one, s, c: one == 1 and s == 1 - k and c == -1 << k,
    ),
    *(
        Rule(
            f"a rotation joined by {join}",
            "0 <= n <= k and 0 <= x < 2^k: x 2^n has n zeros below, and x 2^(n-k) < 2^n fits there, so they"
            " share no bit: joined by whichever operator, their k low bits are x's, rotated",
            (join, None, ("shift", None, "x", "n"), ("shift", None, "x", ("sub", None, "n", Imm("k")))),
            ("rotl", "k", "x", "n"),
            when=lambda k: k > 0,
            fits=(("x", "k"),),
            bounds=lambda k: {"n": (0, k)},
            modulo="k",
        )
        for join in ("ior", "xor", "add")
    ),
    *(
        Rule(
            f"a rotation joined by {join}, what leaves the word cut off",
            "as above, and nothing is left above the k bits",
            (join, None,
                ("low", "j", ("shift", None, "x", "n")),
                ("shift", None, "x", ("sub", None, "n", Imm("k")))),
            ("rotl", "k", "x", "n"),
            when=lambda j, k: 0 < j == k,
            fits=(("x", "k"),),
            bounds=lambda j, k: {"n": (0, k)},
        )
        for join in ("ior", "xor", "add")
    ),
]  # fmt: skip
