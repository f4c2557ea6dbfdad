"""Reference vectors of what programs in examples/lisp and in examples/python compute."""

from collections.abc import Iterator

MASK64 = (1 << 64) - 1
Rows = list[tuple[bytes, bytes, bytes]]


def rows(text: str) -> Rows:
    """Of hexadecimal digits: key, plain text and cipher."""
    return [tuple(map(bytes.fromhex, line.split())) for line in text.strip().splitlines()]


def both_ways(vectors: Rows) -> Iterator[tuple[str, bytes, bytes, bytes]]:
    """Way, key, what is given, and what it becomes."""
    for key, plain, cipher in vectors:
        yield "encrypt", key, plain, cipher
        yield "decrypt", key, cipher, plain


# Eric Young's and Schneier's
BLOWFISH = rows("""
0000000000000000 0000000000000000 4ef997456198dd78
ffffffffffffffff ffffffffffffffff 51866fd5b85ecb8a
0123456789abcdef 1111111111111111 61f9c3802281b096
fedcba9876543210 0123456789abcdef 0aceab0fc6a0a28d
""")
XTEA = rows("""
000102030405060708090a0b0c0d0e0f 4142434445464748 497df3d072612cb5
000102030405060708090a0b0c0d0e0f 4141414141414141 e78f2d13744341d8
000102030405060708090a0b0c0d0e0f 5a5b6e278948d77f 4141414141414141
00000000000000000000000000000000 4142434445464748 a0390589f8b8efa5
00000000000000000000000000000000 4141414141414141 ed23375a821a8c2d
""")
# the authors', by the bits of a word
SPECK = {
    64: rows("0f0e0d0c0b0a09080706050403020100 6c617669757165207469206564616d20"
             " a65d9851797832657860fedf5c570d18"),
    32: rows("1b1a1918131211100b0a090803020100 3b7265747475432d 8c6fa548454e028b"),
}  # fmt: skip
# the authors'
RC6 = rows(f"""
{"00" * 16} {"00" * 16} 8fc3a53656b1f778c129df4e9848a41e
0123456789abcdef0112233445566778 02132435465768798a9bacbdcedfe0f1 524e192f4715c6231f51f6367ea43f18
{"00" * 24} {"00" * 16} 6cd61bcb190b30384e8a3f168690ae82
{"00" * 32} {"00" * 16} 8f5fbd0510d15fa893fa3fda6e857ec2
""")
# Key, data and tag (RFC 8439, 2.5.2, A.3): r of all ones, sums at and about 2^130 - 5
POLY1305 = rows(
    f"""
85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b
 {b"Cryptographic Forum Research Group".hex()} a8061dc1305136c6c22b8baf0c0127a9
02{"00" * 31} {"ff" * 16} 03{"00" * 15}
02{"00" * 15}{"ff" * 16} 02{"00" * 15} 03{"00" * 15}
01{"00" * 31} {"ff" * 16}f0{"ff" * 15}11{"00" * 15} 05{"00" * 15}
01{"00" * 31} {"ff" * 16}fb{"fe" * 15}{"01" * 16} {"00" * 16}
02{"00" * 31} fd{"ff" * 15} fa{"ff" * 15}
""".replace("\n ", " ")
)
# the authors': key 0 to 15, message 0 to n - 1
SIPHASHES = {0: 0x726FDB47DD0E0E31, 1: 0x74F839C593DC67FD, 8: 0x93F5F5799A932462, 15: 0xA129CA6149BE45E5}


def xoshiro256() -> list[tuple[tuple, int, tuple]]:
    """A state, the number that Rust's rand_xoshiro puts out, and the next state; and again from there."""
    found, (s0, s1, s2, s3) = [], (1, 2, 3, 4)
    for number in (11520, 0, 1509978240, 1215971899390074240, 1216172134540287360):
        before = s0, s1, s2, s3
        s2, s3, shifted = s2 ^ s0, s3 ^ s1, s1 << 17 & MASK64
        s1, s0, s2, s3 = s1 ^ s2, s0 ^ s3, s2 ^ shifted, (s3 << 45 | s3 >> 19) & MASK64
        found.append((before, number, (s0, s1, s2, s3)))
    return found
