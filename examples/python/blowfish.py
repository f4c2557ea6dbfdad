"""Blowfish (Schneier 1993), block by block of eight bytes: encrypt(key, data) and decrypt(key, data)."""


def pi_bits(bits):
    """floor(2**bits * pi), by Machin's formula."""
    one = 1 << (bits + 64)

    def arctangent(x):
        """Of 1 / x."""
        power = total = one // x
        n = 3
        while power:
            power //= -x * x
            total += power // n
            n += 2
        return total

    return 4 * (4 * arctangent(5) - arctangent(239)) >> 64


def fraction_of_pi(count):
    digits = pi_bits(32 * count)
    return tuple(digits >> 32 * k & 0xFFFFFFFF for k in reversed(range(count)))


# 18 subkeys, then four boxes of 256 words, before a key is mixed in
FRACTION = fraction_of_pi(18 + 4 * 256)


def mix(boxes, x):
    a, b, c, d = x >> 24, x >> 16 & 255, x >> 8 & 255, x & 255
    return ((boxes[a] + boxes[256 + b] ^ boxes[512 + c]) + boxes[768 + d]) & 0xFFFFFFFF


def encrypt_block(subkeys, boxes, left, right):
    for subkey in subkeys[:16]:
        left ^= subkey
        right ^= mix(boxes, left)
        left, right = right, left
    return right ^ subkeys[17], left ^ subkeys[16]


def decrypt_block(subkeys, boxes, left, right):
    for k in range(17, 1, -1):
        left ^= subkeys[k]
        right ^= mix(boxes, left)
        left, right = right, left
    return right ^ subkeys[0], left ^ subkeys[1]


def schedule(key):
    """The subkeys and the boxes for a key of 4 to 56 bytes."""
    if not 4 <= len(key) <= 56:
        raise ValueError("a key has 4 to 56 bytes")
    subkeys = list(FRACTION[:18])
    boxes = list(FRACTION[18:])
    at = 0
    for k in range(18):
        word = 0
        for _ in range(4):
            word = word << 8 | key[at]
            at = (at + 1) % len(key)
        subkeys[k] ^= word
    left = right = 0
    for k in range(0, 18, 2):
        left, right = encrypt_block(subkeys, boxes, left, right)
        subkeys[k], subkeys[k + 1] = left, right
    for k in range(0, 1024, 2):
        left, right = encrypt_block(subkeys, boxes, left, right)
        boxes[k], boxes[k + 1] = left, right
    return subkeys, boxes


def encrypt(key: bytes, data: bytes) -> bytes:
    subkeys, boxes = schedule(key)
    result = bytearray()
    for at in range(0, len(data), 8):
        left = int.from_bytes(data[at : at + 4], "big")
        right = int.from_bytes(data[at + 4 : at + 8], "big")
        left, right = encrypt_block(subkeys, boxes, left, right)
        result += left.to_bytes(4, "big")
        result += right.to_bytes(4, "big")
    return bytes(result)


def decrypt(key: bytes, data: bytes) -> bytes:
    subkeys, boxes = schedule(key)
    result = bytearray(len(data))
    for at in range(0, len(data), 8):
        block = int.from_bytes(data[at : at + 8], "big")
        left, right = decrypt_block(subkeys, boxes, block >> 32, block & 0xFFFFFFFF)
        result[at : at + 8] = (left << 32 | right).to_bytes(8, "big")
    return bytes(result)
