"""CRC-64 by ECMA-182's polynomial: crc64_ecma(data), and with its bits reflected crc64_xz(data)."""

POLYNOMIAL = 0x42F0E1EBA9EA3693


def reflected(x, bits):
    """The bits in reverse."""
    result = 0
    for _ in range(bits):
        result = result << 1 | x & 1
        x >>= 1
    return result


def entry(byte):
    crc = byte << 56
    for _ in range(8):
        crc <<= 1
        if crc >> 64:
            crc ^= 1 << 64 | POLYNOMIAL
    return crc


TABLE = tuple(entry(byte) for byte in range(256))
REFLECTED = tuple(reflected(entry(reflected(byte, 8)), 64) for byte in range(256))


def crc64_xz(data: bytes) -> int:
    crc = ~0
    for byte in data:
        crc = REFLECTED[(crc ^ byte) & 0xFF] ^ (crc & 0xFFFFFFFFFFFFFFFF) >> 8
    return ~crc & 0xFFFFFFFFFFFFFFFF


def crc64_ecma(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc = (crc << 8) & 0xFFFFFFFFFFFFFFFF ^ TABLE[crc >> 56 ^ byte]
    return crc
