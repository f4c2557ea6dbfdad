"""ChaCha20 (RFC 8439): chacha20_block(key, counter, nonce) and chacha20(key, counter, nonce, data)."""

CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)


def rotate_left(x, count):
    return (x << count | x >> (32 - count)) & 0xFFFFFFFF


def quarter_round(s, a, b, c, d):
    s[a] = (s[a] + s[b]) & 0xFFFFFFFF
    s[d] = rotate_left(s[d] ^ s[a], 16)
    s[c] = (s[c] + s[d]) & 0xFFFFFFFF
    s[b] = rotate_left(s[b] ^ s[c], 12)
    s[a] = (s[a] + s[b]) & 0xFFFFFFFF
    s[d] = rotate_left(s[d] ^ s[a], 8)
    s[c] = (s[c] + s[d]) & 0xFFFFFFFF
    s[b] = rotate_left(s[b] ^ s[c], 7)


def words(data):
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def chacha20_block(key: bytes, counter: int, nonce: bytes) -> bytes:
    initial = [*CONSTANTS, *words(key), counter & 0xFFFFFFFF, *words(nonce)]
    state = initial.copy()
    for _ in range(10):
        quarter_round(state, 0, 4, 8, 12)
        quarter_round(state, 1, 5, 9, 13)
        quarter_round(state, 2, 6, 10, 14)
        quarter_round(state, 3, 7, 11, 15)
        quarter_round(state, 0, 5, 10, 15)
        quarter_round(state, 1, 6, 11, 12)
        quarter_round(state, 2, 7, 8, 13)
        quarter_round(state, 3, 4, 9, 14)
    stream = b""
    for x, y in zip(state, initial, strict=True):
        stream += (x + y & 0xFFFFFFFF).to_bytes(4, "little")
    return stream


def chacha20(key: bytes, counter: int, nonce: bytes, data: bytes) -> bytes:
    result = bytearray(data)
    for start in range(0, len(data), 64):
        stream = chacha20_block(key, counter, nonce)
        counter += 1
        for k in range(min(64, len(data) - start)):
            result[start + k] ^= stream[k]
    return bytes(result)
