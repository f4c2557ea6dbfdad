"""SHA-1 (FIPS 180-4): sha1(data), the twenty bytes of the digest."""


def rotate_left(x, count):
    return (x << count | x >> (32 - count)) & 0xFFFFFFFF


def choose(x, y, z):
    return (x & y) ^ (~x & z)


def parity(x, y, z):
    return x ^ y ^ z


def majority(x, y, z):
    return (x & y) ^ (x & z) ^ (y & z)


def step(mixed, constant, word, a, b, c, d, e):
    return (rotate_left(a, 5) + mixed + e + constant + word) & 0xFFFFFFFF, a, rotate_left(b, 30), c, d


def sha1(data: bytes) -> bytes:
    h0, h1, h2, h3, h4 = 0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0
    message = data + b"\x80" + bytes((55 - len(data)) % 64) + (8 * len(data)).to_bytes(8, "big")
    for start in range(0, len(message), 64):
        w = [0] * 80
        for t in range(16):
            w[t] = int.from_bytes(message[start + 4 * t : start + 4 * t + 4], "big")
        for t in range(16, 80):
            w[t] = rotate_left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1)
        a, b, c, d, e = h0, h1, h2, h3, h4
        for t in range(20):
            a, b, c, d, e = step(choose(b, c, d), 0x5A827999, w[t], a, b, c, d, e)
        for t in range(20, 40):
            a, b, c, d, e = step(parity(b, c, d), 0x6ED9EBA1, w[t], a, b, c, d, e)
        for t in range(40, 60):
            a, b, c, d, e = step(majority(b, c, d), 0x8F1BBCDC, w[t], a, b, c, d, e)
        for t in range(60, 80):
            a, b, c, d, e = step(parity(b, c, d), 0xCA62C1D6, w[t], a, b, c, d, e)
        h0 = (h0 + a) & 0xFFFFFFFF
        h1 = (h1 + b) & 0xFFFFFFFF
        h2 = (h2 + c) & 0xFFFFFFFF
        h3 = (h3 + d) & 0xFFFFFFFF
        h4 = (h4 + e) & 0xFFFFFFFF
    return (h0 << 128 | h1 << 96 | h2 << 64 | h3 << 32 | h4).to_bytes(20, "big")
