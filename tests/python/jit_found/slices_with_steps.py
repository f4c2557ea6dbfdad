# A slice with a step had as many items as one without.
B0 = b"\t$\xda"


@jit
def entry(p, q, r):
    return B0[0:-1:2], p[q:r:2], p[q:r:3], p[q:r:-1], p[q:r:-2], p[q::5], p[:r:-7]


def state():
    return ()


CALLS = [
    ("", ("b''", "0", "5")),
    ("", ("b'abcdefg'", "0", "5")),
    ("", ("b'abcdefg'", "-6", "-1")),
    ("", ("b'abcdefg'", "5", "-7")),
    ("", ("b'abcdefg'", "99", "-99")),
    ("", ("b'abcdefg'", "-99", "99")),
]
