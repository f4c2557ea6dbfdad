# SPDX-License-Identifier: MIT
"""The slow reference of tests/c/test_u128 against Python's ints: who checks the checker."""

import os
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

W32, W64, W128 = 2**32, 2**64, 2**128
CC_ERANGE = -34 % W64

Words = tuple[int, int, int, int]


def pair(x: int) -> tuple[int, int]:
    return divmod(x % W128, W64)


def value(x: int) -> Words:
    return (*pair(x), 0, 0)


def quotient_and_remainder(a: int, b: int) -> Words:
    q, r = divmod(a, b)
    return (*pair(q), *pair(r))


def saturated(x: int) -> Words:
    return (0, min(x, W64 - 1), 0, 0)


def text(s: str) -> Words:
    h = 0xCBF29CE484222325
    for byte in s.encode() + b"\0":
        h = (h ^ byte) * 0x100000001B3 % W64
    return (len(s), h, 0, 0)


def parsed(a: int, b0: int, s: int, radix: int) -> Words:
    """The digits of a, then s % 4 digits of b0, least significant first."""
    x = a
    for _ in range(s % 4):
        b0, digit = divmod(b0, radix)
        x = x * radix + digit
    return value(x) if x < W128 else (0, 0, CC_ERANGE, 0)


# a and b of 128 bits, the shift count s; narrower arguments are the low bits of a and b
OPS: dict[str, Callable[[int, int, int], Words]] = {
    "u128_store": lambda a, b, s: value(a),
    "u128_load": lambda a, b, s: (a % W64, a // W64, 0, 0),
    "u128_views": lambda a, b, s: (*pair(a), *pair(a)),
    "u128_et": lambda a, b, s: (0, int(a == b), 0, 0),
    "u128_gt": lambda a, b, s: (0, int(a > b), 0, 0),
    "u128_get": lambda a, b, s: (0, int(a >= b), 0, 0),
    "u128_lt": lambda a, b, s: (0, int(a < b), 0, 0),
    "u128_let": lambda a, b, s: (0, int(a <= b), 0, 0),
    "add_u128_u64": lambda a, b, s: value(a + b % W64),
    "add_u128_u128": lambda a, b, s: value(a + b),
    "sub_u128_u64": lambda a, b, s: value(a - b % W64),
    "sub_u128_u128": lambda a, b, s: value(a - b),
    "u128_shl": lambda a, b, s: value(a << min(s, 128)),
    "u128_shr": lambda a, b, s: value(a >> s),
    "mul_half_u128_u64": lambda a, b, s: value(a % W64 * (b % W64)),
    "mul_u128_u32": lambda a, b, s: value(a * (b % W32)),
    "mul_u128_u64": lambda a, b, s: value(a * (b % W64)),
    "mul_u128_u128": lambda a, b, s: value(a * b),
    "mul_u128_u32_shr": lambda a, b, s: value(a * (b % W32) >> s),
    "mul_u128_u32_shr_fb": lambda a, b, s: value(a * (b % W32) >> s),
    "mul_u128_u64_shr": lambda a, b, s: value(a * (b % W64) >> s),
    "mul_u128_u64_shr_fb": lambda a, b, s: value(a * (b % W64) >> s),
    "mul_u128_u128_shr": lambda a, b, s: value(a * b >> s),
    "div_u128_u32_rem": lambda a, b, s: quotient_and_remainder(a, b % W32),
    "div_u128_u32": lambda a, b, s: value(a // (b % W32)),
    "div_u128_u64_rem": lambda a, b, s: quotient_and_remainder(a, b % W64),
    "div_u128_u64": lambda a, b, s: value(a // (b % W64)),
    "div_u128_u128": lambda a, b, s: value(a // b),
    "div_u96_u96": lambda a, b, s: value(a // b),
    "div_u128_u96": lambda a, b, s: value(a // b),
    "div_u128_rem": lambda a, b, s: quotient_and_remainder(a, b),
    "div_u128": lambda a, b, s: value(a // b),
    "mul_u64_u64_div_u64": lambda a, b, s: saturated(a // W64 * (a % W64) // (b % W64)),
    "mul_u64_add_u64_div_u64": lambda a, b, s: saturated((a // W64 * (a % W64) + b // W64) // (b % W64)),
    "mul_u64_u64_div_u64_roundup": lambda a, b, s: saturated(-(-(a // W64) * (a % W64) // (b % W64))),
    "u128_to_dec": lambda a, b, s: text(str(a)),
    "u128_to_hex": lambda a, b, s: text(f"{a:x}"),
    "u128_from_dec": lambda a, b, s: parsed(a, b % W64, s, 10),
    "u128_from_hex": lambda a, b, s: parsed(a, b % W64, s, 16),
}


def test_reference_agrees_with_python() -> None:
    build = os.environ.get("CARRYCHAIN_BUILD")
    if not build:
        pytest.skip("CARRYCHAIN_BUILD does not name a build directory")
    program = Path(build) / "tests" / "c" / "test_u128"
    lines = subprocess.run([program, "--reference"], check=True, capture_output=True, text=True).stdout
    seen: Counter[str] = Counter()
    for line in lines.splitlines():
        name, *words = line.split()
        a1, a0, b1, b0 = (int(w, 16) for w in words[:4])
        result = tuple(int(w, 16) for w in words[5:])
        assert result == OPS[name](a1 * W64 + a0, b1 * W64 + b0, int(words[4])), line
        seen[name] += 1
    assert seen.keys() == OPS.keys()
    assert min(seen.values()) >= 2000, seen
