"""carrychain selftest: known answers through every tier that this machine supports."""

import hashlib
import random
from array import array
from collections.abc import Iterator

import click

from carrychain import Modulus, checksum, fib, next_prime, powmod, powmod_many, sqrtmod
from carrychain.bindings import cpu, limbs, u128
from carrychain.bindings.bigint import BigInt
from carrychain.bindings.fibonacci import STRATEGIES, fib_digits

from .console import out
from .failures import NO

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
# RFC 1071's example; an IPv4 header with a good checksum; all bytes 255, longer than every flush interval
CHECKSUMS = (
    ("RFC 1071's example", bytes.fromhex("0001f203f4f5f6f7"), 0x220D),
    ("a packet's header", bytes.fromhex("4500003c1c4640004006b1e6ac100a63ac100a0c"), 0),
    ("16 MB of ones", b"\xff" * (16 << 20), 0),
)
# below and above every size at which the algorithm changes
LENGTHS = (0, 1, 2, 7, 20, 63, 64, 65, 500, 576, 577, 1023, 1500, 9000, 65535, 300_000)
# below and above every threshold between two algorithms
WORDS = (1, 2, 3, 7, 16, 33, 64, 150, 300)
# of moduli
BITS = (64, 200, 512, 1024, 2048)

Check = tuple[str, bool]


def known_answers() -> Iterator[Check]:
    for strategy in STRATEGIES:
        for n, f in FIBONACCI.items():
            yield f"F({n}) by {strategy}", fib(n, strategy) == f
        for n, digest in DECIMAL_SHA256.items():
            digits = fib_digits(n, strategy)
            yield f"the digits of F({n}) by {strategy}", hashlib.sha256(digits).hexdigest() == digest
    a, b, c = (array("Q", [x]) for x in (175136586720000, 135989749728000, 175138003500000))
    for what, data, value in CHECKSUMS:
        yield f"the checksum of {what}", checksum(data) == value
    # Mersenne's prime: by Fermat, and by Euler, whose symbol of 3 is -1
    p = 2**521 - 1
    yield "3^(p - 1) modulo a prime p", powmod(3, p - 1, p) == 1
    yield "3^((p - 1) / 2) modulo a prime p", powmod(3, p >> 1, p) == p - 1
    yield "a square root modulo a prime p", sqrtmod(9, p) == p - 3
    yield "the next prime", next_prime(p - 1) == p
    yield "a * b / c in 128 bits", u128.mul_div_each(a, b, c)[0] == 135988649638049


def against_python() -> Iterator[Check]:
    """Products, quotients and digits, compared with Python's own integers."""
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


def by_division(data: bytes) -> int:
    """The checksum by division: 2^16 is 1 modulo 65535, so a number equals the sum of its 16-bit digits."""
    number = int.from_bytes(data + bytes(len(data) % 2), "big")
    return 0xFFFF - (number % 0xFFFF or (0xFFFF if number else 0))


def checksums_and_powers() -> Iterator[Check]:
    """Checksums and powers, also compared with Python's own integers."""
    draw = random.Random(1)
    for length in LENGTHS:
        # ones more often than not, so that words carry; at an odd address the second time
        data = bytes(draw.getrandbits(8) | draw.getrandbits(8) for _ in range(length + 1))
        for part in (data[:length], memoryview(data)[1:]):
            yield f"the checksum of {length} bytes", checksum(part) == by_division(bytes(part))
    for bits in BITS:
        # of both kinds, and the even ones with few and with many zeros at the end
        for shift in (0, 1, bits // 2):
            b, e, m = (draw.getrandbits(bits) | 1 for _ in range(3))
            m = (m | 1 << (bits - 1)) >> shift << shift
            e %= 2**256
            expected = pow(b, e, m)
            yield f"a power of {bits} bits, shift {shift}", powmod(b, e, m) == expected
            M = Modulus(m)
            yield (
                f"powers modulo one number of {bits} bits, shift {shift}",
                [M.pow_public(b, e), *M.pow_many([b] * 9, e)] == [expected] * 10,
            )
            many = [(b + i, e - i, m) for i in range(9)]
            yield (
                f"nine powers of {bits} bits, shift {shift}",
                powmod_many(*zip(*many, strict=True)) == [expected, *(pow(*each) for each in many[1:])],
            )


def checks(tier: cpu.Tier) -> Iterator[Check]:
    needs = {each.name: each.needs for each in cpu.tiers()}
    for module in cpu.MODULES:
        # a module that has nothing for this tier runs one below it
        chosen = cpu.chosen(module)
        yield f"{module} runs {chosen}, which needs more than {tier.name}", not needs[chosen] & ~tier.needs
    yield from known_answers()
    yield from against_python()
    yield from checksums_and_powers()


@click.command(short_help="Check known answers through each tier.")
def selftest() -> None:
    """Check known answers through each tier; exit status 1 if any is wrong."""
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
            used = ", ".join(f"{module} {cpu.chosen(module)}" for module in cpu.MODULES)
            out.print(f"{tier.name}: {right} right, {wrong} wrong: {used}")
            passed += right
            failed += wrong
    finally:
        cpu.set_mask(cpu.ALL)
    out.print(f"{passed} passed, {failed} failed, {skipped} skipped")
    if failed:
        raise click.exceptions.Exit(NO)
