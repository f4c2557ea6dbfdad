"""The programs of examples/python as one writes them for Numba: each word's width said by hand.

A constant that is not made uint64 turns a sum with a uint64 into a float, and one that is not made uint32
widens it. Bytes come as arrays of uint8. Poly1305 is not here: 130 bits are no type of Numba's.
"""

from math import isqrt, sin

import numpy as np
from numba import njit

u32, u64 = np.uint32, np.uint64


@njit
def rotated32(x, n):
    return u32(u32(x << u32(n)) | x >> u32(32 - n))


@njit
def rotated64(x, n):
    return x << u64(n) | x >> u64(64 - n)


@njit
def little32(data, at):
    return u32(data[at]) | u32(data[at + 1]) << 8 | u32(data[at + 2]) << 16 | u32(data[at + 3]) << 24


@njit
def big32(data, at):
    return u32(data[at]) << 24 | u32(data[at + 1]) << 16 | u32(data[at + 2]) << 8 | u32(data[at + 3])


@njit
def little64(data, at):
    x = u64(0)
    for k in range(8):
        x |= u64(data[at + k]) << u64(8 * k)
    return x


@njit
def big64(data, at):
    x = u64(0)
    for k in range(8):
        x = x << u64(8) | u64(data[at + k])
    return x


@njit
def padded(data, block, length, big):
    """With the bit and the length of Merkle and Damgard's."""
    size = len(data)
    whole = (size + 1 + length + block - 1) // block * block
    message = np.zeros(whole, np.uint8)
    message[:size] = data
    message[size] = 0x80
    for k in range(8):
        at = whole - 1 - k if big else whole - 8 + k
        message[at] = np.uint8(u64(8 * size) >> u64(8 * k))
    return message


SINES = np.array([int(abs(sin(k)) * 2**32) for k in range(1, 65)], np.uint32)
SHIFTS = np.array(
    [*(7, 12, 17, 22) * 4, *(5, 9, 14, 20) * 4, *(4, 11, 16, 23) * 4, *(6, 10, 15, 21) * 4], np.uint32
)


@njit
def md5(data):
    message = padded(data, 64, 8, False)
    a0, b0, c0, d0 = u32(0x67452301), u32(0xEFCDAB89), u32(0x98BADCFE), u32(0x10325476)
    words = np.zeros(16, np.uint32)
    for start in range(0, len(message), 64):
        for k in range(16):
            words[k] = little32(message, start + 4 * k)
        a, b, c, d = a0, b0, c0, d0
        for step in range(64):
            if step < 16:
                mixed = b & c | ~b & d
                k = step
            elif step < 32:
                mixed = b & d | c & ~d
                k = (5 * step + 1) % 16
            elif step < 48:
                mixed = b ^ c ^ d
                k = (3 * step + 5) % 16
            else:
                mixed = c ^ (b | ~d)
                k = 7 * step % 16
            turned = rotated32(u32(a + u32(mixed) + words[k] + SINES[step]), SHIFTS[step])
            a, b, c, d = d, u32(b + turned), b, c
        a0, b0, c0, d0 = u32(a0 + a), u32(b0 + b), u32(c0 + c), u32(d0 + d)
    return np.array([a0, b0, c0, d0], np.uint32)


@njit
def sha1(data):
    message = padded(data, 64, 8, True)
    h = np.array([0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0], np.uint32)
    w = np.zeros(80, np.uint32)
    for start in range(0, len(message), 64):
        for t in range(16):
            w[t] = big32(message, start + 4 * t)
        for t in range(16, 80):
            w[t] = rotated32(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1)
        a, b, c, d, e = h[0], h[1], h[2], h[3], h[4]
        for t in range(80):
            if t < 20:
                f, k = u32(b & c | ~b & d), u32(0x5A827999)
            elif t < 40:
                f, k = u32(b ^ c ^ d), u32(0x6ED9EBA1)
            elif t < 60:
                f, k = u32(b & c | b & d | c & d), u32(0x8F1BBCDC)
            else:
                f, k = u32(b ^ c ^ d), u32(0xCA62C1D6)
            a, b, c, d, e = u32(rotated32(a, 5) + f + e + k + w[t]), a, rotated32(b, 30), c, d
        h[0] += a
        h[1] += b
        h[2] += c
        h[3] += d
        h[4] += e
    return h


def roots(bits, count):
    """The fractions of the cube roots of primes, and of their square roots."""
    primes = [n for n in range(2, 410) if all(n % k for k in range(2, isqrt(n) + 1))]
    cubes = []
    for p in primes[:count]:
        root = 1 << bits + 3
        while root**3 > p << 3 * bits:
            root = (2 * root + (p << 3 * bits) // root**2) // 3
        cubes.append(root % (1 << bits))
    return cubes, [isqrt(p << 2 * bits) % (1 << bits) for p in primes[:8]]


K256, INITIAL256 = (np.array(each, np.uint32) for each in roots(32, 64))
K512, INITIAL512 = (np.array(each, np.uint64) for each in roots(64, 80))


@njit
def sha256(data):
    message = padded(data, 64, 8, True)
    state = INITIAL256.copy()
    w = np.zeros(64, np.uint32)
    for start in range(0, len(message), 64):
        for t in range(16):
            w[t] = big32(message, start + 4 * t)
        for t in range(16, 64):
            x, y = w[t - 15], w[t - 2]
            s0 = rotated32(x, 25) ^ rotated32(x, 14) ^ x >> u32(3)
            s1 = rotated32(y, 15) ^ rotated32(y, 13) ^ y >> u32(10)
            w[t] = u32(w[t - 16] + u32(s0) + w[t - 7] + u32(s1))
        a, b, c, d = state[0], state[1], state[2], state[3]
        e, f, g, h = state[4], state[5], state[6], state[7]
        for t in range(64):
            s1 = u32(rotated32(e, 26) ^ rotated32(e, 21) ^ rotated32(e, 7))
            t1 = u32(h + s1 + u32(e & f ^ ~e & g) + K256[t] + w[t])
            s0 = u32(rotated32(a, 30) ^ rotated32(a, 19) ^ rotated32(a, 10))
            t2 = u32(s0 + u32(a & b ^ a & c ^ b & c))
            a, b, c, d, e, f, g, h = u32(t1 + t2), a, b, c, u32(d + t1), e, f, g
        state[0] += a
        state[1] += b
        state[2] += c
        state[3] += d
        state[4] += e
        state[5] += f
        state[6] += g
        state[7] += h
    return state


@njit
def sha512(data):
    message = padded(data, 128, 16, True)
    state = INITIAL512.copy()
    w = np.zeros(80, np.uint64)
    for start in range(0, len(message), 128):
        for t in range(16):
            w[t] = big64(message, start + 8 * t)
        for t in range(16, 80):
            x, y = w[t - 15], w[t - 2]
            s0 = rotated64(x, 63) ^ rotated64(x, 56) ^ x >> u64(7)
            s1 = rotated64(y, 45) ^ rotated64(y, 3) ^ y >> u64(6)
            w[t] = w[t - 16] + s0 + w[t - 7] + s1
        a, b, c, d = state[0], state[1], state[2], state[3]
        e, f, g, h = state[4], state[5], state[6], state[7]
        for t in range(80):
            s1 = rotated64(e, 50) ^ rotated64(e, 46) ^ rotated64(e, 23)
            t1 = h + s1 + (e & f ^ ~e & g) + K512[t] + w[t]
            s0 = rotated64(a, 36) ^ rotated64(a, 30) ^ rotated64(a, 25)
            t2 = s0 + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = t1 + t2, a, b, c, d + t1, e, f, g
        state[0] += a
        state[1] += b
        state[2] += c
        state[3] += d
        state[4] += e
        state[5] += f
        state[6] += g
        state[7] += h
    return state


def round_constants():
    found = []
    register = 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            if register & 1:
                constant |= 1 << ((1 << j) - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        found.append(constant)
    return np.array(found, np.uint64)


CONSTANTS = round_constants()


@njit
def keccak_f(a):
    c = np.zeros(5, np.uint64)
    for turn in range(24):
        for x in range(5):
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]
        for x in range(5):
            d = c[(x + 4) % 5] ^ rotated64(c[(x + 1) % 5], 1)
            for y in range(0, 25, 5):
                a[x + y] ^= d
        x, y = 1, 0
        lane = a[1]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            count = (t + 1) * (t + 2) // 2 % 64
            a[x + 5 * y], lane = rotated64(lane, count) if count else lane, a[x + 5 * y]
        for y in range(0, 25, 5):
            c[:] = a[y : y + 5]
            for x in range(5):
                a[x + y] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5])
        a[0] ^= CONSTANTS[turn]


@njit
def keccak(data):
    size = len(data) // 136 * 136 + 136
    message = np.zeros(size, np.uint8)
    message[: len(data)] = data
    message[len(data)] = 0x06
    message[size - 1] ^= 0x80
    a = np.zeros(25, np.uint64)
    for start in range(0, size, 136):
        for lane in range(17):
            a[lane] ^= little64(message, start + 8 * lane)
        keccak_f(a)
    return a[:4].copy()


@njit
def mix(boxes, x):
    a, b, c, d = x >> u32(24), x >> u32(16) & u32(255), x >> u32(8) & u32(255), x & u32(255)
    return u32(u32(boxes[a] + boxes[u32(256) + b] ^ boxes[u32(512) + c]) + boxes[u32(768) + d])


@njit
def blowfish_block(subkeys, boxes, left, right):
    for k in range(16):
        left = u32(left ^ subkeys[k])
        right = u32(right ^ mix(boxes, left))
        left, right = right, left
    return u32(right ^ subkeys[17]), u32(left ^ subkeys[16])


@njit
def blowfish(fraction, key, data):
    subkeys, boxes = fraction[:18].copy(), fraction[18:].copy()
    for k in range(18):
        word = u32(0)
        for n in range(4):
            word = u32(word << u32(8)) | u32(key[(4 * k + n) % len(key)])
        subkeys[k] ^= word
    left = right = u32(0)
    for k in range(0, 18, 2):
        left, right = blowfish_block(subkeys, boxes, left, right)
        subkeys[k], subkeys[k + 1] = left, right
    for k in range(0, 1024, 2):
        left, right = blowfish_block(subkeys, boxes, left, right)
        boxes[k], boxes[k + 1] = left, right
    result = np.zeros(len(data), np.uint8)
    for at in range(0, len(data), 8):
        left, right = u32(big32(data, at)), u32(big32(data, at + 4))
        left, right = blowfish_block(subkeys, boxes, left, right)
        for k in range(4):
            result[at + k] = np.uint8(left >> u32(24 - 8 * k))
            result[at + 4 + k] = np.uint8(right >> u32(24 - 8 * k))
    return result


@njit
def shifted(crc):
    for _ in range(8):
        crc = u32(crc >> u32(1) ^ u32(0xEDB88320)) if crc & u32(1) else u32(crc >> u32(1))
    return crc


@njit
def crc_table():
    table = np.zeros(256, np.uint32)
    for byte in range(256):
        table[byte] = shifted(u32(byte))
    return table


CRC32 = crc_table()


@njit
def crc32(data):
    crc = u32(0xFFFFFFFF)
    for byte in data:
        crc = u32(CRC32[(crc ^ byte) & u32(0xFF)] ^ crc >> u32(8))
    return u32(~crc)


@njit
def crc32_bitwise(data):
    crc = u32(0xFFFFFFFF)
    for byte in data:
        crc = shifted(u32(crc ^ byte))
    return u32(~crc)


@njit
def crc64_table():
    table = np.zeros(256, np.uint64)
    for byte in range(256):
        crc = u64(byte)
        for _ in range(8):
            crc = crc >> u64(1) ^ u64(0xC96C5795D7870F42) if crc & u64(1) else crc >> u64(1)
        table[byte] = crc
    return table


CRC64 = crc64_table()


@njit
def crc64_xz(data):
    crc = ~u64(0)
    for byte in data:
        crc = CRC64[(crc ^ byte) & u64(0xFF)] ^ crc >> u64(8)
    return ~crc


@njit
def adler32(data):
    a, b = u32(1), u32(0)
    for byte in data:
        a = u32(u32(a + byte) % u32(65521))
        b = u32(u32(b + a) % u32(65521))
    return b << u32(16) | a


@njit
def adler32_late(data):
    a, b = u64(1), u64(0)
    for byte in data:
        a += u64(byte)
        b += a
    return b % u64(65521) << u64(16) | a % u64(65521)


@njit
def fnv1a_32(data):
    h = u32(0x811C9DC5)
    for byte in data:
        h = u32(u32(h ^ byte) * u32(0x01000193))
    return h


@njit
def fnv1a_64(data):
    h = u64(0xCBF29CE484222325)
    for byte in data:
        h = (h ^ u64(byte)) * u64(0x100000001B3)
    return h


@njit
def djb2(data):
    h = u32(5381)
    for c in data:
        h = u32(u32(h << u32(5)) + h + c)
    return h


@njit
def sdbm(data):
    h = u32(0)
    for c in data:
        h = u32(c + u32(h << u32(6)) + u32(h << u32(16)) - h)
    return h


@njit
def python2_hash(data):
    h = u64(data[0]) << u64(7)
    for c in data:
        h = (u64(1000003) * h) ^ u64(c)
    return h ^ u64(len(data))


C1, C2 = u64(0x87C37B91114253D5), u64(0x4CF5AD432745937F)


@njit
def mixed(k):
    k ^= k >> u64(33)
    k *= u64(0xFF51AFD7ED558CCD)
    k ^= k >> u64(33)
    k *= u64(0xC4CEB9FE1A85EC53)
    return k ^ k >> u64(33)


@njit
def murmur3_128(data):
    h1 = h2 = u64(0)
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        h1 ^= rotated64(little64(data, at) * C1, 31) * C2
        h1 = (rotated64(h1, 27) + h2) * u64(5) + u64(0x52DCE729)
        h2 ^= rotated64(little64(data, at + 8) * C2, 33) * C1
        h2 = (rotated64(h2, 31) + h1) * u64(5) + u64(0x38495AB5)
    tail = np.zeros(16, np.uint8)
    tail[: len(data) - whole] = data[whole:]
    h1 ^= rotated64(little64(tail, 0) * C1, 31) * C2
    h2 ^= rotated64(little64(tail, 8) * C2, 33) * C1
    h1 ^= u64(len(data))
    h2 ^= u64(len(data))
    h1 += h2
    h2 += h1
    h1, h2 = mixed(h1), mixed(h2)
    h1 += h2
    h2 += h1
    return np.array([h1, h2])


P1, P2, P3 = u64(0x9E3779B185EBCA87), u64(0xC2B2AE3D27D4EB4F), u64(0x165667B19E3779F9)
P4, P5 = u64(0x85EBCA77C2B2AE63), u64(0x27D4EB2F165667C5)


@njit
def accumulated(lane, value):
    return rotated64(lane + value * P2, 31) * P1


@njit
def xxh64(data):
    length = len(data)
    at = 0
    h = P5
    if length >= 32:
        a, b, c, d = P1 + P2, P2, u64(0), u64(0) - P1
        while at + 32 <= length:
            a = accumulated(a, little64(data, at))
            b = accumulated(b, little64(data, at + 8))
            c = accumulated(c, little64(data, at + 16))
            d = accumulated(d, little64(data, at + 24))
            at += 32
        h = rotated64(a, 1) + rotated64(b, 7) + rotated64(c, 12) + rotated64(d, 18)
        for lane in (a, b, c, d):
            h = (h ^ accumulated(u64(0), lane)) * P1 + P4
    h += u64(length)
    while at + 8 <= length:
        h = rotated64(h ^ accumulated(u64(0), little64(data, at)), 27) * P1 + P4
        at += 8
    if at + 4 <= length:
        h = rotated64(h ^ u64(little32(data, at)) * P1, 23) * P2 + P3
        at += 4
    for byte in data[at:]:
        h = rotated64(h ^ u64(byte) * P5, 11) * P1
    h = (h ^ h >> u64(33)) * P2
    h = (h ^ h >> u64(29)) * P3
    return h ^ h >> u64(32)


@njit
def sip_rounds(count, v0, v1, v2, v3):
    for _ in range(count):
        v0 += v1
        v2 += v3
        v1 = rotated64(v1, 13) ^ v0
        v3 = rotated64(v3, 16) ^ v2
        v0 = rotated64(v0, 32)
        v2 += v1
        v0 += v3
        v1 = rotated64(v1, 17) ^ v2
        v3 = rotated64(v3, 21) ^ v0
        v2 = rotated64(v2, 32)
    return v0, v1, v2, v3


@njit
def siphash(key, data):
    k0, k1 = little64(key, 0), little64(key, 8)
    v0, v1 = k0 ^ u64(0x736F6D6570736575), k1 ^ u64(0x646F72616E646F6D)
    v2, v3 = k0 ^ u64(0x6C7967656E657261), k1 ^ u64(0x7465646279746573)
    whole = len(data) // 8 * 8
    last = np.zeros(8, np.uint8)
    last[: len(data) - whole] = data[whole:]
    last[7] = np.uint8(len(data) & 255)
    for at in range(0, whole + 8, 8):
        m = little64(data, at) if at < whole else little64(last, 0)
        v3 ^= m
        v0, v1, v2, v3 = sip_rounds(2, v0, v1, v2, v3)
        v0 ^= m
    v0, v1, v2, v3 = sip_rounds(4, v0, v1, v2 ^ u64(0xFF), v3)
    return v0 ^ v1 ^ v2 ^ v3


@njit
def product(a, b):
    """The two words of it."""
    m = u64(0xFFFFFFFF)
    al, ah, bl, bh = a & m, a >> u64(32), b & m, b >> u64(32)
    low = al * bl
    middle = ah * bl + (low >> u64(32))
    other = al * bh + (middle & m)
    return ah * bh + (middle >> u64(32)) + (other >> u64(32)), a * b


@njit
def pcg64(high, low, step_high, step_low, count):
    mh, ml = u64(0x2360ED051FC65DA4), u64(0x4385DF649FCCF645)
    number = u64(0)
    for _ in range(count):
        top, bottom = product(low, ml)
        top += high * ml + low * mh
        low = bottom + step_low
        high = top + step_high + u64(low < bottom)
        folded, turn = high ^ low, high >> u64(58)
        number = folded >> turn | folded << (u64(0) - turn & u64(63))
    return number


@njit
def xoshiro256(seed, count):
    s = np.zeros(4, np.uint64)
    x = u64(seed)
    for k in range(4):
        x += u64(0x9E3779B97F4A7C15)
        z = (x ^ x >> u64(30)) * u64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> u64(27)) * u64(0x94D049BB133111EB)
        s[k] = z ^ z >> u64(31)
    s0, s1, s2, s3 = s[0], s[1], s[2], s[3]
    number = u64(0)
    for _ in range(count):
        number = rotated64(s1 * u64(5), 7) * u64(9)
        t = s1 << u64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = rotated64(s3, 45)
    return number


@njit
def mt19937(seed, count):
    """Of a seed below 2^32."""
    mt = np.zeros(624, np.uint32)
    mt[0] = 19650218
    for i in range(1, 624):
        mt[i] = u32(u32(1812433253) * u32(mt[i - 1] ^ mt[i - 1] >> u32(30)) + u32(i))
    i = 1
    for _ in range(624):
        mt[i] = u32(u32(mt[i] ^ u32(u32(mt[i - 1] ^ mt[i - 1] >> u32(30)) * u32(1664525))) + u32(seed))
        i += 1
        if i >= 624:
            mt[0] = mt[623]
            i = 1
    for _ in range(623):
        mt[i] = u32(u32(mt[i] ^ u32(u32(mt[i - 1] ^ mt[i - 1] >> u32(30)) * u32(1566083941))) - u32(i))
        i += 1
        if i >= 624:
            mt[0] = mt[623]
            i = 1
    mt[0] = 0x80000000
    number = u32(0)
    for n in range(count):
        if n % 624 == 0:
            for i in range(624):
                y = u32(mt[i] & u32(0x80000000) | mt[(i + 1) % 624] & u32(0x7FFFFFFF))
                mt[i] = mt[(i + 397) % 624] ^ y >> u32(1) ^ (u32(0x9908B0DF) if y & u32(1) else u32(0))
        y = mt[n % 624]
        y ^= y >> u32(11)
        y ^= u32(y << u32(7)) & u32(0x9D2C5680)
        y ^= u32(y << u32(15)) & u32(0xEFC60000)
        number = u32(y ^ y >> u32(18))
    return number


@njit
def quarter_round(s, a, b, c, d):
    s[a] += s[b]
    s[d] = rotated32(s[d] ^ s[a], 16)
    s[c] += s[d]
    s[b] = rotated32(s[b] ^ s[c], 12)
    s[a] += s[b]
    s[d] = rotated32(s[d] ^ s[a], 8)
    s[c] += s[d]
    s[b] = rotated32(s[b] ^ s[c], 7)


@njit
def chacha20(key, counter, nonce, data):
    initial = np.zeros(16, np.uint32)
    initial[:4] = np.array([0x61707865, 0x3320646E, 0x79622D32, 0x6B206574], np.uint32)
    for k in range(8):
        initial[4 + k] = little32(key, 4 * k)
    for k in range(3):
        initial[13 + k] = little32(nonce, 4 * k)
    result = np.zeros(len(data), np.uint8)
    for start in range(0, len(data), 64):
        initial[12] = u32(counter)
        counter += 1
        s = initial.copy()
        for _ in range(10):
            quarter_round(s, 0, 4, 8, 12)
            quarter_round(s, 1, 5, 9, 13)
            quarter_round(s, 2, 6, 10, 14)
            quarter_round(s, 3, 7, 11, 15)
            quarter_round(s, 0, 5, 10, 15)
            quarter_round(s, 1, 6, 11, 12)
            quarter_round(s, 2, 7, 8, 13)
            quarter_round(s, 3, 4, 9, 14)
        s += initial
        for k in range(min(64, len(data) - start)):
            result[start + k] = data[start + k] ^ np.uint8(s[k // 4] >> u32(8 * (k % 4)))
    return result


@njit
def speck(key, count):
    high, low = big64(key, 0), big64(key, 8)
    keys = np.zeros(32, np.uint64)
    for i in range(32):
        keys[i] = low
        high = rotated64(high, 56) + low ^ u64(i)
        low = rotated64(low, 3) ^ high
    upper = lower = u64(0)
    for n in range(count):
        x, y = u64(0), u64(n)
        for k in keys:
            x = rotated64(x, 56) + y ^ k
            y = rotated64(y, 3) ^ x
        upper ^= x
        lower ^= y
    return np.array([lower, upper])


@njit
def xtea(key, data):
    k = np.zeros(4, np.uint32)
    for i in range(4):
        k[i] = big32(key, 4 * i)
    result = np.zeros(len(data), np.uint8)
    for at in range(0, len(data), 8):
        v0, v1 = u32(big32(data, at)), u32(big32(data, at + 4))
        total = u32(0)
        for _ in range(32):
            v0 = u32(v0 + u32(u32(u32(v1 << u32(4) ^ v1 >> u32(5)) + v1) ^ u32(total + k[total & u32(3)])))
            total = u32(total + u32(0x9E3779B9))
            turn = total >> u32(11) & u32(3)
            v1 = u32(v1 + u32(u32(u32(v0 << u32(4) ^ v0 >> u32(5)) + v0) ^ u32(total + k[turn])))
        for n in range(4):
            result[at + n] = np.uint8(v0 >> u32(24 - 8 * n))
            result[at + 4 + n] = np.uint8(v1 >> u32(24 - 8 * n))
    return result
