"""What the tests of constant-time integers share: numbers, outcomes, arrays.

CC_TEST_SCALE says how many numbers of the kinds are tried.
"""

import os

from carrychain.bindings.fixed import WORD_BYTES

SCALE = float(os.environ.get("CC_TEST_SCALE", 1))


def of_density(draw, bits):
    """Each bit is 1 with probability density / 64, as dense_word() in tests/c/random.c has it."""
    density = draw.randrange(65)
    if density == 64:
        return (1 << bits) - 1
    value = 0
    for digit in range(6):
        if density >> digit & 1:
            value |= draw.getrandbits(bits)
        else:
            value &= draw.getrandbits(bits)
    return value


def all_ones(draw, bits):
    return (1 << bits) - 1


def one_bit(draw, bits):
    return 1 << draw.randrange(bits)


def few_bits(draw, bits):
    return sum({one_bit(draw, bits) for _ in range(draw.randrange(2, 20))})


OTHERS = (all_ones, one_bit, few_bits, of_density)


def operands(draw, bits, cases, each):
    """``each`` numbers a case: ``cases`` times of random density, and a quarter as often of any kind."""
    for _ in range(cases):
        yield [of_density(draw, bits) for _ in range(each)]
    for _ in range(-(-cases // 4)):
        yield [draw.choice(OTHERS)(draw, bits) for _ in range(each)]


def outcome(function, *operands):
    try:
        return function(*operands)
    except ValueError as error:
        return str(error)


def rows(numpy, values, n):
    data = b"".join(value.to_bytes(n * WORD_BYTES, "little") for value in values)
    return numpy.frombuffer(data, f"<u{WORD_BYTES}").astype(f"u{WORD_BYTES}").reshape(len(values), n)
