"""MD5 (RFC 1321): md5(data), the sixteen bytes of the digest."""

from math import sin

SINES = [int(abs(sin(k)) * 2**32) for k in range(1, 65)]


def f(x, y, z):
    return (x & y) | (~x & z)


def g(x, y, z):
    return (x & z) | (y & ~z)


def h(x, y, z):
    return x ^ y ^ z


def i(x, y, z):
    return y ^ (x | ~z)


def rotate_left(x, count):
    x &= 0xFFFFFFFF
    return x << count | x >> (32 - count)


def step(a, b, mixed, word, sine, count):
    return (b + rotate_left(a + mixed + word + sine, count)) & 0xFFFFFFFF


def md5_block(state, block):
    """The state after a block of 64 bytes."""
    x = [int.from_bytes(block[at : at + 4], "little") for at in range(0, 64, 4)]
    a, b, c, d = state
    for n in range(0, 16, 4):
        a = step(a, b, f(b, c, d), x[n], SINES[n], 7)
        d = step(d, a, f(a, b, c), x[n + 1], SINES[n + 1], 12)
        c = step(c, d, f(d, a, b), x[n + 2], SINES[n + 2], 17)
        b = step(b, c, f(c, d, a), x[n + 3], SINES[n + 3], 22)
    for n in range(16, 32, 4):
        a = step(a, b, g(b, c, d), x[(5 * n + 1) % 16], SINES[n], 5)
        d = step(d, a, g(a, b, c), x[(5 * n + 6) % 16], SINES[n + 1], 9)
        c = step(c, d, g(d, a, b), x[(5 * n + 11) % 16], SINES[n + 2], 14)
        b = step(b, c, g(c, d, a), x[5 * n % 16], SINES[n + 3], 20)
    for n in range(32, 48, 4):
        a = step(a, b, h(b, c, d), x[(3 * n + 5) % 16], SINES[n], 4)
        d = step(d, a, h(a, b, c), x[(3 * n + 8) % 16], SINES[n + 1], 11)
        c = step(c, d, h(d, a, b), x[(3 * n + 11) % 16], SINES[n + 2], 16)
        b = step(b, c, h(c, d, a), x[(3 * n + 14) % 16], SINES[n + 3], 23)
    for n in range(48, 64, 4):
        a = step(a, b, i(b, c, d), x[7 * n % 16], SINES[n], 6)
        d = step(d, a, i(a, b, c), x[(7 * n + 7) % 16], SINES[n + 1], 10)
        c = step(c, d, i(d, a, b), x[(7 * n + 14) % 16], SINES[n + 2], 15)
        b = step(b, c, i(c, d, a), x[(7 * n + 5) % 16], SINES[n + 3], 21)
    return (
        (state[0] + a) & 0xFFFFFFFF,
        (state[1] + b) & 0xFFFFFFFF,
        (state[2] + c) & 0xFFFFFFFF,
        (state[3] + d) & 0xFFFFFFFF,
    )


def md5(data: bytes) -> bytes:
    state = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
    length = 8 * len(data) & 0xFFFFFFFFFFFFFFFF
    message = data + b"\x80" + bytes((55 - len(data)) % 64) + length.to_bytes(8, "little")
    for start in range(0, len(message), 64):
        state = md5_block(state, message[start : start + 64])
    a, b, c, d = state
    return (a | b << 32 | c << 64 | d << 96).to_bytes(16, "little")
