"""MD5 (RFC 1321): md5(data), the sixteen bytes of the digest."""

from math import sin

SINES = tuple(int(abs(sin(k)) * 2**32) for k in range(1, 65))
SHIFTS = (7, 12, 17, 22) * 4 + (5, 9, 14, 20) * 4 + (4, 11, 16, 23) * 4 + (6, 10, 15, 21) * 4


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
    return (x << count | x >> (32 - count)) & 0xFFFFFFFF


def md5_block(state, block):
    """The state after a block of 64 bytes."""
    words = [int.from_bytes(block[at : at + 4], "little") for at in range(0, 64, 4)]
    a, b, c, d = state
    for step in range(64):
        if step < 16:
            mixed = f(b, c, d)
            k = step
        elif step < 32:
            mixed = g(b, c, d)
            k = (5 * step + 1) % 16
        elif step < 48:
            mixed = h(b, c, d)
            k = (3 * step + 5) % 16
        else:
            mixed = i(b, c, d)
            k = 7 * step % 16
        a, b, c, d = d, b + rotate_left(a + mixed + words[k] + SINES[step], SHIFTS[step]), b, c
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
