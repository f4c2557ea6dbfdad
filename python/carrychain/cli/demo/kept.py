"""Kept in a wider type: a clock's time is scaled exactly, where 64 bits or a double lose precision."""

import random
from array import array

from carrychain.bench import stored
from carrychain.bench.timing import Timing, duration, in_turn
from carrychain.bindings import u128

from .chapter import Demo

# A frequency correction as a network clock driver computes it; the product needs 95 bits.
A, B, C = 175136586720000, 135989749728000, 175138003500000
COUNT = 100_000
ROUNDS = 41


def in_64_bits(a: int, b: int, c: int) -> int:
    """The best that is possible without a wider type: drop low bits until the product fits."""
    drop = max(a.bit_length() + b.bit_length() - 64, 0)
    return a * (b >> drop) // (c >> drop)


def operands() -> tuple[array, array, array]:
    """Triples of every size whose quotient fits 64 bits (a < c)."""
    draw = random.Random(0)
    a, b, c = array("Q"), array("Q"), array("Q")
    for _ in range(COUNT):
        divisor = draw.getrandbits(draw.randint(1, 64)) | 1
        a.append(draw.randrange(divisor))
        b.append(draw.getrandbits(draw.randint(1, 64)))
        c.append(divisor)
    return a, b, c


def in_the_kernel() -> list[tuple[str, str]]:
    """What a clock driver gains, and where that was measured."""
    results = stored.load("kernel-adjfine.json")
    told = ", ".join(
        f"{took(results, 'native', order)} by this API and {took(results, '5.19', order)} in Linux 5.19 for "
        f"arguments {named}"
        for order, named in (("random", "in random order"), ("swept", "in ascending order"))
    )
    wrong = [f"{inexact(results, by):.0%}" for by in ("native", "5.19")]
    return [
        ("in the kernel", f"a clock driver takes {told}; {wrong[0]} and {wrong[1]} of results are inexact"),
        ("", f"[yellow]stored, not measured now[/yellow]: {', '.join(stored.origin(results).values())}"),
    ]


def took(results: dict, by: str, order: str) -> str:
    """The median time of a call."""
    (ns,) = (
        row["ns"]
        for row in results["times"]
        if (row["device"], row["by"], row["order"], row["calls"]) == ("E810", by, order, 10000)
    )
    timing = Timing.of(ns)
    return f"{duration(timing.median / 10000)}{timing.mark}"


def inexact(results: dict, by: str) -> float:
    errors = [row for row in results["errors"] if row["by"] == by]
    return sum(row["inexact"] for row in errors) / sum(row["tried"] for row in errors)


def chapter() -> Demo:
    example = u128.mul_div_each(*(array("Q", [x]) for x in (A, B, C)))[0]
    a, b, c = operands()
    exact = [x * y // z for x, y, z in zip(a, b, c, strict=True)]
    right = example == A * B // C and u128.mul_div_each(a, b, c).tolist() == exact
    lost = sum(int(x * float(y) / z) != q for x, y, z, q in zip(a, b, c, exact, strict=True))
    rough = in_64_bits(A, B, C)
    result = Demo(
        carry="kept",
        module="u128",
        did=[
            ("scaled", f"{A} · {B} / {C} = [bold]{example}[/bold]"),
            (
                "in 64 bits",
                f"with the low bits dropped until the product fits: {rough}, off by {abs(rough - example)}",
            ),
            ("in a double", f"wrong in {lost:,} of {COUNT:,} random cases"),
            *in_the_kernel(),
        ],
        check=f"the example and {COUNT:,} random cases equal Python's integers",
        right=right,
        each=COUNT,
        unit=f"a · b / c, in batches of {COUNT:,}",
        peer="",
    )

    def ours() -> None:
        u128.mul_div_each(a, b, c)

    try:
        from carrychain.bindings import peers
    except ImportError:
        result.timings = in_turn([ours], ROUNDS)
        result.peer = "this compiler has no __int128"
        return result

    def peer() -> None:
        peers.mul_div_each(a, b, c)

    result.timings = in_turn([ours, peer], ROUNDS)
    result.peer = "the compiler's __int128 and libgcc"
    return result
