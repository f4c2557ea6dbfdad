# What is known in a block that is never entered contradicts what is known of a value everywhere.
G2 = 11


@jit
def entry(p, q, r, s=-1):
    s = int(p[1]) & 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
    for k in range(2, -5, -7):
        q = q - math.ceil(s / 2)
    v1 = len(r) & 0xFFFFFFFFFFFFFFFF
    v1 += (0 if not G2 else G2) and (q or s)
    v1 = (0 << (q & 63)) & 0xFF
    v2 = G2 if G2 is not None else (64 | 255)
    return (s & 16777216) if ((s > (-4)) and (q < 18)) else None


def state():
    return (G2,)


CALLS = [
    (
        "",
        (
            'np.array([-127, 41, 5, 1, -92, -1, -62, -51, 27, -33, 0, -27, 0, 56, -114, 68], dtype="int8")',
            "-1",
            "a0",
            "255",
        ),
    ),
    (
        "",
        (
            'np.array([-1, -47, -33, 0, -104, -70, 0, 0, 123, 68, -120, 0, -1, -39, -41, -8], dtype="int8")',
            "1886",
            "a0",
            "-128",
        ),
    ),
    (
        "",
        (
            'np.array([1, 0, -2, 0, 1, 114, 86, 0, 1, 56, 0, -108], dtype="int8")',
            "566",
            "a0[1:-1]",
            "1593",
        ),
    ),
    (
        "",
        (
            'np.array([32, 126, 32, -47, -61, -58, -3, -64], dtype="int8")',
            "True",
            "a0",
            "-65536",
        ),
    ),
]
