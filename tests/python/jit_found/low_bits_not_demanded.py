# Of a big integer that several jumps pass, the bits below the 32nd are not demanded.
from __future__ import annotations


@jit
def f0(p):
    v1 = (((p & 0x7FFFFFFF) >> 24) * int(p / 7)) & 0xFFFFFFFF
    v1: u8 = (p & 0xFFFFFFFFFFFF) & 0xFFFFFFFF
    if 18:
        p = (((v1 & p) | (p % 11)) & 0x1F) & 0x1FFF
        if (p if (p != (-0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF) <= 25) else p) or (
            (-3) & 0xFFFFFF
        ):
            if ((v1 & 1) ** 5) <= (p >> 2) == (0xFFFFFFFFFFFFFFFFFFFFFFFFF and v1):
                v2 = p << ((p & 127) - 5)
                v1 = ((p - v1) % 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF43) & 0xFF
                v3 = list(map(lambda u, v: (p + v2) + -u, range(3), range(-v2 & 7)))
            elif int(v1 / (-0x8000000000000000)):
                v4 = ((v1 > 38) * (p & 255)) & 0x3FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
            else:
                v1 = (
                    ((9 << (36893488147419103231 & 63)) | (p * 8))
                    - ((p & 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF) + (p ^ p))
                ) & (-281474976710656)
            for k in range(+v1 & 7):
                k = p & 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
                p += p // (k | 1)
                k = ((pow(5, (14 & 65535), (-2)) >> 4) + ((p * 65599) % (v1 | 1))) & 0x7FFFFFFFFFFFFFFF
        else:
            p **= 2
            for j in range(64, 64, -2):
                v1 = ~p % 18446744073709551616
                v1 %= 8
        for i in reversed(range((v1 + v1) & 7)):
            for j1 in reversed(range((p & 0xFFFFFFFF) & 7)):
                p = ((i % 4294967296) * 31) & 0xFFFFFFFFFFFFFFFF
            for k1 in reversed(range(i, i + 10)):
                v1 = v1 + 31
                i = (
                    (p & 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF)
                    if (i <= k1)
                    else (v1 ^ k1)
                ) & (-4294967296)
            p = ((~(7) & 0xFF) | ((140737488355328 or v1) * 33)) & 0xFF
    return ((((v1 & 0xFF) >> (8 - (p & 3))) | ((v1 & 0xFF) << (p & 3))) & 0xFF) & (
        -115792089237316195423570985008687907853269984665640564039457584007913129639936
    )


@jit
def entry(p: list[u8], q: int) -> u64:
    v1 = f0(0x20000000000000)
    v2 = v1
    if len(q) > 8:
        q[2:3] = q[0:1]
    v1 = int(q[(v2 if (v1 <= 11) else v1) % len(q)]) & 0x1F
    v3 = (
        (((0x7FFFFFFFFFFF & 0xFFFFFFFFFFFFFFFF) ^ 0x8000000000000000) - 0x8000000000000000) | (v1 ^ v1)
    ) - ~((0x800000000000 & 7) ** 5)
    v2 = ((v2 & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000
    return (
        ((-2147483648) if (v3 < (-0x100000000000000000000000000000000)) else v3) & 0xFFFFFFFFFFFFFFFF
    ).to_bytes(8, "little")


def state():
    return ()


CALLS = [
    (
        "",
        (
            "[]",
            'np.array([65535, 31434, 1012, 5, 0, 65535, 0, 255], dtype="uint16")',
        ),
    ),
]
