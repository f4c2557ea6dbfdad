"""FNV (Fowler, Noll, Vo; RFC 9923): fnv1a_32, fnv1a_64, and fnv1a_64_late, which masks once at the end."""


def fnv1a_32(data: bytes) -> int:
    h = 0x811C9DC5
    for byte in data:
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    return h


def fnv1a_64(data: bytes) -> int:
    h = 0xCBF29CE484222325
    for byte in data:
        h ^= byte
        h *= 0x100000001B3
        h %= 2**64
    return h


def fnv1a_64_late(data: bytes) -> int:
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3
    return h & 0xFFFFFFFFFFFFFFFF
