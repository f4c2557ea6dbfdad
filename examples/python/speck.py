"""Speck (Beaulieu et al. 2013), of 128-bit blocks and keys, and of 64-bit blocks with 128-bit keys.

encrypt(bits, key, block) and decrypt(bits, key, block), of words of 64 or 32 bits: a block is two words, the
key two or four, the higher first. xor_of_counters(key, count) encrypts 0, 1, 2 and so on.
"""

ROUNDS_128 = 32
ROUNDS_64 = 27


def rotate_left(x, count, bits):
    return (x << count | x >> (bits - count)) & ((1 << bits) - 1)


def round_forward(bits, x, y, k):
    x = (rotate_left(x, bits - 8, bits) + y) % (1 << bits) ^ k
    return x, rotate_left(y, 3, bits) ^ x


def round_backward(bits, x, y, k):
    y = rotate_left(x ^ y, bits - 3, bits)
    return rotate_left(((x ^ k) - y) % (1 << bits), 8, bits), y


def split(bits, data):
    size = bits // 8
    return [int.from_bytes(data[at : at + size], "big") for at in range(0, len(data), size)]


def schedule(bits, key):
    """The rounds' keys; the last word of a key is the first that is used."""
    words = split(bits, key)
    words.reverse()
    rounds = ROUNDS_128 if bits == 64 else ROUNDS_64
    keys = [words[0]]
    for i in range(rounds - 1):
        new, k = round_forward(bits, words[i + 1], keys[i], i)
        words.append(new)
        keys.append(k)
    return keys


def encrypt(bits: int, key: bytes, block: bytes) -> bytes:
    x, y = split(bits, block)
    for k in schedule(bits, key):
        x, y = round_forward(bits, x, y, k)
    return (x << bits | y).to_bytes(bits // 4, "big")


def decrypt(bits: int, key: bytes, block: bytes) -> bytes:
    x, y = split(bits, block)
    for k in reversed(schedule(bits, key)):
        x, y = round_backward(bits, x, y, k)
    return (x << bits | y).to_bytes(bits // 4, "big")


def xor_of_counters(key: bytes, count: int) -> int:
    keys = schedule(64, key)
    total = 0
    for n in range(count):
        x, y = 0, n
        for k in keys:
            x, y = round_forward(64, x, y, k)
        total ^= x << 64 | y
    return total
