# The index is looked at first, then whether the value fits.
@jit
def entry(p, q, r):
    p[q] = r


def state():
    return ()


CALLS = [
    ("", ('array("I", [1, 2])', "9", "-1")),
    ("", ('array("I", [1, 2])', "1", "-1")),
    ("", ('array("I", [1, 2])', "-2", "4294967295")),
]
