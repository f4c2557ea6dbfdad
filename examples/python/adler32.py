"""Adler-32 (RFC 1950): adler32(data, value=1), continuing a sum."""


def adler32(data: bytes, value: int = 1) -> int:
    a = value & 0xFFFF
    b = value >> 16 & 0xFFFF
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def adler32_late(data: bytes) -> int:
    """The same: the sums are exact, and the remainders can wait."""
    a = 1
    b = 0
    for byte in data:
        a += byte
        b += a
    return b % 65521 << 16 | a % 65521
