# Decided one way by order and the other by ranges, in a block that never runs.
G0 = 65537


@jit
def f0(p, q=36):
    v1 = (((-0x201) & p) - (G0 | q)) & 0xFF
    if not (v1 & 15 == 15):
        h1 = p & (-115792089237316195423570985008687907853269984665640564039457584007913129639937)
    h1t = 0
    for h1gi in (p, G0):
        h1g = lambda u: u ^ h1gi ^ h1
        h1t += h1g(2)
    q ^= (h1t + h1g(2)) & 255
    q ^= 16
    if not (q != 7):
        v2 = None
        if (q <= p) or (v1 >= 23 != p):
            v2 = 5
        p -= (q ^ G0) + ~q
    elif (p + q) == 1461501637330902918203684832716283019655932542977:
        p = 5
    p = q
    q >>= -p & 15
    if q <= p:
        p += 1
    return q + p


@jit
def entry(p):
    v1 = f0(~((G0 & 7) ** (G0 & 1)))
    return 7


def state():
    return (G0,)


CALLS = [
    ("", ("b'\\xff\\xff\\xfe\\xb2\\xf0\\x81_\\x07'",)),
]
