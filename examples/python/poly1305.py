"""Poly1305 (RFC 8439): poly1305(key, message), the tag of sixteen bytes under a key of 32."""

P = 2**130 - 5


def poly1305(key: bytes, message: bytes) -> bytes:
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    s = int.from_bytes(key[16:32], "little")
    accumulator = 0
    for start in range(0, len(message), 16):
        block = message[start : start + 16]
        n = int.from_bytes(block, "little") + (1 << 8 * len(block))
        accumulator = (accumulator + n) * r % P
    return ((accumulator + s) % 2**128).to_bytes(16, "little")
