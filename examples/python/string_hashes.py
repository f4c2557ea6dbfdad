"""Hashes of strings, of a line each: djb2 (Bernstein), sdbm (Yigit), and CPython 2's.

djb2(data), djb2_exact(data), sdbm(data), sdbm_exact(data), python2_hash(data). The exact ones have no mask
and grow by some bits a byte.
"""


def djb2(data: bytes) -> int:
    h = 5381
    for c in data:
        h = (h << 5) + h + c & 0xFFFFFFFF
    return h


def djb2_exact(data: bytes) -> int:
    h = 5381
    for c in data:
        h = 33 * h + c
    return h


def sdbm(data: bytes) -> int:
    h = 0
    for c in data:
        h = c + (h << 6) + (h << 16) - h & 0xFFFFFFFF
    return h


def sdbm_exact(data: bytes) -> int:
    h = 0
    for c in data:
        h = c + (h << 6) + (h << 16) - h
    return h


def python2_hash(data: bytes) -> int:
    """As of 64 bits, unsigned."""
    if not data:
        return 0
    h = data[0] << 7
    for c in data:
        h = (1000003 * h) ^ c
    return (h ^ len(data)) & 0xFFFFFFFFFFFFFFFF
