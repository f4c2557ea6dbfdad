# A bool on one path and an int on another, passed on: what comes back is still a bool.
@jit
def swapped(x, y):
    return y, x


@jit
def entry(p, q):
    v1 = q == 2
    if p:
        v1 = q & 3
    v2 = swapped(v1, 10)
    v3, v4 = swapped(*v2)
    return v2[-1], v3, v4


def state():
    return ()


CALLS = [
    ("", ("0", "1")),
    ("", ("0", "2")),
    ("", ("1", "1")),
    ("", ("1", "6")),
    ("", ("0", "True")),
    ("", ("1", "True")),
]
