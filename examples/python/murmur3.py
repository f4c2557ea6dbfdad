"""MurmurHash3 (Appleby): murmur3_128(data, seed=0), of x64, as an int whose low half is the first word."""

MASK = 0xFFFFFFFFFFFFFFFF
C1 = 0x87C37B91114253D5
C2 = 0x4CF5AD432745937F


def rotate_left(x, count):
    return (x << count | x >> (64 - count)) & MASK


def mixed(k):
    k ^= k >> 33
    k = k * 0xFF51AFD7ED558CCD & MASK
    k ^= k >> 33
    k = k * 0xC4CEB9FE1A85EC53 & MASK
    return k ^ k >> 33


def first(k):
    return rotate_left(k * C1 & MASK, 31) * C2 & MASK


def second(k):
    return rotate_left(k * C2 & MASK, 33) * C1 & MASK


def murmur3_128(data: bytes, seed: int = 0) -> int:
    h1 = h2 = seed
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        h1 ^= first(int.from_bytes(data[at : at + 8], "little"))
        h1 = (rotate_left(h1, 27) + h2) * 5 + 0x52DCE729 & MASK
        h2 ^= second(int.from_bytes(data[at + 8 : at + 16], "little"))
        h2 = (rotate_left(h2, 31) + h1) * 5 + 0x38495AB5 & MASK
    tail = int.from_bytes(data[whole:], "little")
    h1 ^= first(tail & MASK)
    h2 ^= second(tail >> 64)
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = h1 + h2 & MASK
    h2 = h2 + h1 & MASK
    h1 = mixed(h1)
    h2 = mixed(h2)
    h1 = h1 + h2 & MASK
    h2 = h2 + h1 & MASK
    return h2 << 64 | h1
