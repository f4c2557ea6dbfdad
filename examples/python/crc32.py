"""CRC-32 (ISO 3309, as zlib's): crc32(data, crc=0), continuing a sum; crc32_bitwise, without a table."""

POLYNOMIAL = 0xEDB88320


def shifted(crc):
    """A byte's worth of shifts."""
    for _ in range(8):
        if crc & 1:
            crc = crc >> 1 ^ POLYNOMIAL
        else:
            crc >>= 1
    return crc


TABLE = [shifted(byte) for byte in range(256)]


def crc32(data: bytes, crc: int = 0) -> int:
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def crc32_bitwise(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = shifted(crc ^ byte)
    return crc ^ 0xFFFFFFFF
