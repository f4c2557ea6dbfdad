"""Keccak (FIPS 202): keccak_f(state) of 25 lanes, in place; sha3_256(data) and shake128(data, length)."""

MASK = (1 << 64) - 1


def round_constants():
    """Of 24 rounds, by a register that shifts (FIPS 202, algorithm 5)."""
    constants = []
    register = 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            if register & 1:
                constant |= 1 << ((1 << j) - 1)
            register <<= 1
            if register & 0x100:
                register ^= 0x171
        constants.append(constant)
    return constants


CONSTANTS = round_constants()


def rotate_left(x, count):
    return (x << count | x >> (64 - count)) & MASK


def keccak_f(a):
    for constant in CONSTANTS:
        # theta
        c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        for x in range(5):
            d = c[(x + 4) % 5] ^ rotate_left(c[(x + 1) % 5], 1)
            for y in range(0, 25, 5):
                a[x + y] ^= d
        # rho and pi
        x, y = 1, 0
        lane = a[1]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            a[x + 5 * y], lane = rotate_left(lane, (t + 1) * (t + 2) // 2 % 64), a[x + 5 * y]
        # chi
        for y in range(0, 25, 5):
            row = a[y : y + 5]
            for x in range(5):
                a[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
        # iota
        a[0] ^= constant


def sponge(rate, data, suffix, length):
    """So many bytes of what absorbs the data, rate bytes at a time."""
    padded = bytearray(data)
    padded.append(suffix)
    padded.extend(bytes(-len(padded) % rate))
    padded[-1] ^= 0x80
    state = [0] * 25
    for start in range(0, len(padded), rate):
        for lane in range(rate // 8):
            at = start + 8 * lane
            state[lane] ^= int.from_bytes(padded[at : at + 8], "little")
        keccak_f(state)
    result = bytearray()
    while True:
        for lane in range(rate // 8):
            result += state[lane].to_bytes(8, "little")
        if len(result) >= length:
            return bytes(result[:length])
        keccak_f(state)


def sha3_256(data: bytes) -> bytes:
    return sponge(136, data, 0x06, 32)


def sha3_512(data: bytes) -> bytes:
    return sponge(72, data, 0x06, 64)


def shake128(data: bytes, length: int) -> bytes:
    return sponge(168, data, 0x1F, length)
