# No length is beyond a constant index of 65 to 128 bits: what follows its check never runs.
INDEX = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF


@jit
def entry(p: list[int], q: "bytes", r):
    if len(p) > 2:
        return p[INDEX]
    if len(p) > 1:
        p[0x10000000000000000] = r
    return q[0xFFFFFFFFFFFFFFFF0] + p[-INDEX]


def state():
    return (INDEX,)


CALLS = [
    ("", ("[1, 2, 3]", "b'abc'", "5")),
    ("", ("[1, 2]", "b'abc'", "5")),
    ("", ("[1]", "b'abc'", "5")),
    ("", ("[1]", "b'abc'", "-1")),
]
