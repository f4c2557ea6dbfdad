"""carrychain selftest: known answers through every tier this machine has."""

import hashlib
import random
from array import array
from collections.abc import Iterator

import click

from carrychain import fib
from carrychain.bindings import cpu, limbs, u128
from carrychain.bindings.bigint import BigInt
from carrychain.bindings.fibonacci import STRATEGIES, fib_digits

from .console import out

FIBONACCI = {
    0: 0,
    1: 1,
    2: 1,
    47: 2971215073,
    93: 12200160415121876738,
    94: 19740274219868223167,
    100: 354224848179261915075,
    186: 332825110087067562321196029789634457848,
}
DECIMAL_SHA256 = {
    1_000: "30ad6e2a0cbbd0a636a53ce8df4f703ece426736cf4777519f1c5cffbea2e220",
    10_000: "e9c83559a05641cfd86d6c192c53fdfda87b8e53470b63dc19d1d0d7526e987a",
    100_000: "9fe22f691a91170da9006226d479ad986b2f92021b7045ecfb0a5091b641b802",
}
# from below to above every threshold between two algorithms
WORDS = (1, 2, 3, 7, 16, 33, 64, 150, 300)

Check = tuple[str, bool]


def known_answers() -> Iterator[Check]:
    for strategy in STRATEGIES:
        for n, f in FIBONACCI.items():
            yield f"F({n}) by {strategy}", fib(n, strategy) == f
        for n, digest in DECIMAL_SHA256.items():
            digits = fib_digits(n, strategy)
            yield f"the digits of F({n}) by {strategy}", hashlib.sha256(digits).hexdigest() == digest
    a, b, c = (array("Q", [x]) for x in (175136586720000, 135989749728000, 175138003500000))
    yield "a * b / c in 128 bits", u128.mul_div_each(a, b, c)[0] == 135988649638049


def against_python() -> Iterator[Check]:
    """Products, quotients and digits, beside those of Python's own integers."""
    draw = random.Random(0)

    def words(n: int) -> int:
        top = n * limbs.WORD_BITS
        return draw.getrandbits(top) | 1 << (top - 1)

    for an in WORDS:
        a = words(an)
        yield f"the square of {an} words", limbs.sqr(a, an) == a * a
        for bn in WORDS:
            b = words(bn)
            yield f"the product of {an} by {bn} words", limbs.mul(a, an, b, bn) == a * b
            if an >= bn:
                yield f"the quotient of {an} by {bn} words", limbs.divrem(a, an, b, bn) == divmod(a, b)
            quotient, remainder = BigInt(-a).divmod_floor(BigInt(b))
            yield f"the floor of {an} by {bn} words", (int(quotient), int(remainder)) == divmod(-a, b)
        text = BigInt(a).to_string(36)
        yield f"the digits of {an} words", int(text, 36) == a and int(BigInt.from_string(text, 36)) == a


def checks(tier: cpu.Tier) -> Iterator[Check]:
    needs = {each.name: each.needs for each in cpu.tiers()}
    for module in cpu.MODULES:
        # a module that has nothing for this tier runs one below it
        chosen = cpu.chosen(module)
        yield f"{module} runs {chosen}, which needs more than {tier.name}", not needs[chosen] & ~tier.needs
    yield from known_answers()
    yield from against_python()


@click.command(short_help="Known answers through each tier.")
def selftest() -> None:
    """Known answers through each tier; exit status 1 if any is wrong."""
    passed = failed = skipped = 0
    try:
        for tier in cpu.tiers():
            if missing := tier.missing():
                out.print(f"{tier.name}: skipped, this machine lacks {', '.join(missing)}")
                skipped += 1
                continue
            cpu.set_mask(tier.needs)
            right = wrong = 0
            for name, holds in checks(tier):
                right += holds
                wrong += not holds
                if not holds:
                    out.print(f"{tier.name}: [red]WRONG[/red]: {name}")
            out.print(f"{tier.name}: {right} right, {wrong} wrong, by limbs {cpu.chosen('limbs')}")
            passed += right
            failed += wrong
    finally:
        cpu.set_mask(cpu.ALL)
    out.print(f"{passed} passed, {failed} failed, {skipped} skipped")
    if failed:
        raise click.exceptions.Exit(1)
