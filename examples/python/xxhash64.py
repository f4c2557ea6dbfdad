"""xxHash (Collet), XXH64: xxh64(data, seed=0)."""

MASK = (1 << 64) - 1
PRIME_1 = 0x9E3779B185EBCA87
PRIME_2 = 0xC2B2AE3D27D4EB4F
PRIME_3 = 0x165667B19E3779F9
PRIME_4 = 0x85EBCA77C2B2AE63
PRIME_5 = 0x27D4EB2F165667C5


def rotate_left(x, count):
    x &= MASK
    return (x << count | x >> (64 - count)) & MASK


def word(data, at, size):
    return int.from_bytes(data[at : at + size], "little")


def accumulated(lane, value):
    return rotate_left(lane + value * PRIME_2, 31) * PRIME_1 & MASK


def merged(h, lane):
    return (h ^ accumulated(0, lane)) * PRIME_1 + PRIME_4 & MASK


def xxh64(data: bytes, seed: int = 0) -> int:
    length = len(data)
    at = 0
    if length >= 32:
        a, b, c, d = seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1
        while at + 32 <= length:
            a = accumulated(a, word(data, at, 8))
            b = accumulated(b, word(data, at + 8, 8))
            c = accumulated(c, word(data, at + 16, 8))
            d = accumulated(d, word(data, at + 24, 8))
            at += 32
        h = rotate_left(a, 1) + rotate_left(b, 7) + rotate_left(c, 12) + rotate_left(d, 18)
        for lane in (a, b, c, d):
            h = merged(h, lane)
    else:
        h = seed + PRIME_5
    h += length
    while at + 8 <= length:
        h = rotate_left(h ^ accumulated(0, word(data, at, 8)), 27) * PRIME_1 + PRIME_4
        at += 8
    if at + 4 <= length:
        h = rotate_left(h ^ word(data, at, 4) * PRIME_1, 23) * PRIME_2 + PRIME_3
        at += 4
    for byte in data[at:]:
        h = rotate_left(h ^ byte * PRIME_5, 11) * PRIME_1
    h &= MASK
    h = (h ^ h >> 33) * PRIME_2 & MASK
    h = (h ^ h >> 29) * PRIME_3 & MASK
    return h ^ h >> 32
