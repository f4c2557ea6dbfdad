# Of a function called often, CPython 3.11 says the line before that of the name, with a branch between.
@jit
def entry(p, q):
    if 1:
        q = abs(p)
    else:
        q = 1
        p = q + 1
        q = p + 1
        p = q + 1
        q = p + 1
        p = q + 1
        q = p + 1
        v6 = q
    b = v6
    return b


def state():
    return ()


CALLS = [
    ("", ("0", "2")),
    ("", ("1", "2")),
    ("", ("2", "2")),
    ("", ("3", "2")),
    ("", ("4", "2")),
    ("", ("5", "2")),
    ("", ("6", "2")),
    ("", ("7", "2")),
    ("", ("8", "2")),
    ("", ("9", "2")),
]
