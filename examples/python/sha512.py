"""SHA-512 (FIPS 180-4): sha512(data), the 64 bytes of the digest."""

from math import isqrt

MASK = (1 << 64) - 1


def cube_root(n):
    """floor(cbrt(n)), by Newton's method from above."""
    x = 1 << -(-n.bit_length() // 3)
    while True:
        y = (2 * x + n // (x * x)) // 3
        if y >= x:
            return x
        x = y


PRIMES = [n for n in range(2, 410) if all(n % k for k in range(2, isqrt(n) + 1))]
# the first 64 bits of the fractions of roots
K = tuple(cube_root(p << 192) & MASK for p in PRIMES)
INITIAL = tuple(isqrt(p << 128) & MASK for p in PRIMES[:8])


def rotate_right(x, count):
    return (x >> count | x << (64 - count)) & MASK


def choose(x, y, z):
    return (x & y) ^ (~x & z)


def majority(x, y, z):
    return (x & y) ^ (x & z) ^ (y & z)


def schedule(block):
    """The eighty words that a block of 128 bytes is spread to."""
    w = [int.from_bytes(block[8 * t : 8 * t + 8], "big") for t in range(16)]
    for t in range(16, 80):
        x, y = w[t - 15], w[t - 2]
        s0 = rotate_right(x, 1) ^ rotate_right(x, 8) ^ (x >> 7)
        s1 = rotate_right(y, 19) ^ rotate_right(y, 61) ^ (y >> 6)
        w.append((s1 + w[t - 7] + s0 + w[t - 16]) & MASK)
    return w


def sha512_block(state, block):
    a, b, c, d, e, f, g, h = state
    for k, w in zip(K, schedule(block), strict=True):
        s1 = rotate_right(e, 14) ^ rotate_right(e, 18) ^ rotate_right(e, 41)
        t1 = (h + s1 + choose(e, f, g) + k + w) & MASK
        s0 = rotate_right(a, 28) ^ rotate_right(a, 34) ^ rotate_right(a, 39)
        t2 = (s0 + majority(a, b, c)) & MASK
        h = g
        g = f
        f = e
        e = (d + t1) & MASK
        d = c
        c = b
        b = a
        a = (t1 + t2) & MASK
    return [(old + new) & MASK for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True)]


def sha512(data: bytes) -> bytes:
    padded = bytearray(data)
    padded.append(0x80)
    while len(padded) % 128 != 112:
        padded.append(0)
    padded += (8 * len(data)).to_bytes(16, "big")
    state = list(INITIAL)
    for start in range(0, len(padded), 128):
        state = sha512_block(state, padded[start : start + 128])
    digest = 0
    for word in state:
        digest = digest << 64 | word
    return digest.to_bytes(64, "big")
