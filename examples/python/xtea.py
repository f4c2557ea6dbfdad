"""XTEA (Needham, Wheeler 1997), block by block of eight bytes: encrypt(key, data), decrypt(key, data)."""

DELTA = 0x9E3779B9
ROUNDS = 32


def encrypt_block(key, v0, v1):
    total = 0
    for _ in range(ROUNDS):
        v0 = (v0 + (((v1 << 4 ^ v1 >> 5) + v1) ^ (total + key[total & 3]))) & 0xFFFFFFFF
        total = (total + DELTA) & 0xFFFFFFFF
        v1 = (v1 + (((v0 << 4 ^ v0 >> 5) + v0) ^ (total + key[total >> 11 & 3]))) & 0xFFFFFFFF
    return v0, v1


def decrypt_block(key, v0, v1):
    total = DELTA * ROUNDS & 0xFFFFFFFF
    for _ in range(ROUNDS):
        v1 = (v1 - (((v0 << 4 ^ v0 >> 5) + v0) ^ (total + key[total >> 11 & 3]))) & 0xFFFFFFFF
        total = (total - DELTA) & 0xFFFFFFFF
        v0 = (v0 - (((v1 << 4 ^ v1 >> 5) + v1) ^ (total + key[total & 3]))) & 0xFFFFFFFF
    return v0, v1


def words(data):
    return [int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)]


def encrypt(key: bytes, data: bytes) -> bytes:
    k = words(key)
    result = bytearray()
    text = words(data)
    for at in range(0, len(text), 2):
        v0, v1 = encrypt_block(k, text[at], text[at + 1])
        result += (v0 << 32 | v1).to_bytes(8, "big")
    return bytes(result)


def decrypt(key: bytes, data: bytes) -> bytes:
    k = words(key)
    result = bytearray()
    text = words(data)
    for at in range(0, len(text), 2):
        v0, v1 = decrypt_block(k, text[at], text[at + 1])
        result += (v0 << 32 | v1).to_bytes(8, "big")
    return bytes(result)
