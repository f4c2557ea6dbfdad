# SPDX-License-Identifier: MIT
"""Checksums that Linux has too, from the least significant bit on, or from the most, continuing one."""

CRC32 = 0xEDB88320
CRC32C = 0x82F63B78


def divided(byte: int, polynomial: int) -> int:
    for _ in range(8):
        if byte & 1:
            byte = byte >> 1 ^ polynomial
        else:
            byte >>= 1
    return byte


CRC32_TABLE = [divided(byte, CRC32) for byte in range(256)]
CRC32C_TABLE = [divided(byte, CRC32C) for byte in range(256)]


def crc32(crc: int, data: bytes) -> int:
    for byte in data:
        crc = CRC32_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc


def crc32c(crc: int, data: bytes) -> int:
    for byte in data:
        crc = CRC32C_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc


def crc32_be(crc: int, data: bytes) -> int:
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc <<= 1
            if crc >> 32:
                crc ^= 0x104C11DB7
    return crc
