"""SipHash-2-4 (Aumasson, Bernstein 2012): siphash(key, data) of a key of sixteen bytes."""

MASK = 0xFFFFFFFFFFFFFFFF


def rotate_left(x, count):
    return ((x << count) | (x >> (64 - count))) & MASK


def rounds(count, v0, v1, v2, v3):
    for _ in range(count):
        v0 = (v0 + v1) & MASK
        v2 = (v2 + v3) & MASK
        v1 = rotate_left(v1, 13) ^ v0
        v3 = rotate_left(v3, 16) ^ v2
        v0 = rotate_left(v0, 32)
        v2 = (v2 + v1) & MASK
        v0 = (v0 + v3) & MASK
        v1 = rotate_left(v1, 17) ^ v2
        v3 = rotate_left(v3, 21) ^ v0
        v2 = rotate_left(v2, 32)
    return v0, v1, v2, v3


def siphash(key: bytes, data: bytes) -> int:
    if len(key) != 16:
        raise ValueError("a key has 16 bytes")
    k0 = int.from_bytes(key[:8], "little")
    k1 = int.from_bytes(key[8:], "little")
    v0 = k0 ^ 0x736F6D6570736575
    v1 = k1 ^ 0x646F72616E646F6D
    v2 = k0 ^ 0x6C7967656E657261
    v3 = k1 ^ 0x7465646279746573
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 0xFF])
    for at in range(0, len(padded), 8):
        m = int.from_bytes(padded[at : at + 8], "little")
        v3 ^= m
        v0, v1, v2, v3 = rounds(2, v0, v1, v2, v3)
        v0 ^= m
    v2 ^= 0xFF
    v0, v1, v2, v3 = rounds(4, v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3
