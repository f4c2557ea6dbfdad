"""Functions that other processes find by name."""

from math import sin

from carrychain import jit

SINES = tuple(int(abs(sin(k)) * 2**32) for k in range(1, 65))
TURNS = (7, 12, 17, 22) * 4 + (5, 9, 14, 20) * 4 + (4, 11, 16, 23) * 4 + (6, 10, 15, 21) * 4


def plain(data: bytes) -> int:
    """MurmurHash3's mixing of each word, with a seed of 1."""
    h = 1
    for at in range(0, len(data) - 3, 4):
        k = int.from_bytes(data[at : at + 4], "little") * 0xCC9E2D51 & 0xFFFFFFFF
        k = (k << 15 | k >> 17) * 0x1B873593 & 0xFFFFFFFF
        h ^= k
        h = 5 * (h << 13 | h >> 19) + 0xE6546B64 & 0xFFFFFFFF
    return h


hashed = jit(plain)


def turned(x, count):
    x &= 0xFFFFFFFF
    return (x << count | x >> (32 - count)) & 0xFFFFFFFF


@jit
def digest(data: bytes) -> bytes:
    """MD5."""
    length = 8 * len(data) & 0xFFFFFFFFFFFFFFFF
    data = data + b"\x80" + bytes((55 - len(data)) % 64) + length.to_bytes(8, "little")
    a0, b0, c0, d0 = 0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476
    for start in range(0, len(data), 64):
        words = [int.from_bytes(data[at : at + 4], "little") for at in range(start, start + 64, 4)]
        a, b, c, d = a0, b0, c0, d0
        for step in range(64):
            if step < 16:
                mixed, k = (b & c) | (~b & d), step
            elif step < 32:
                mixed, k = (b & d) | (c & ~d), (5 * step + 1) % 16
            elif step < 48:
                mixed, k = b ^ c ^ d, (3 * step + 5) % 16
            else:
                mixed, k = c ^ (b | ~d), 7 * step % 16
            a, b, c, d = d, b + turned(a + mixed + words[k] + SINES[step], TURNS[step]), b, c
        a0, b0 = (a0 + a) & 0xFFFFFFFF, (b0 + b) & 0xFFFFFFFF
        c0, d0 = (c0 + c) & 0xFFFFFFFF, (d0 + d) & 0xFFFFFFFF
    return (a0 | b0 << 32 | c0 << 64 | d0 << 96).to_bytes(16, "little")
