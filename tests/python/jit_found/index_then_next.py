# After r[x] has not failed, x + 1 is a word. It was computed before, to test both indices at once, and wrapped.
@jit
def entry(r):
    for x in r:
        if r[x] | r[x + 1]:
            pass


def state():
    return ()


CALLS = [
    ("", ("array('Q', [18446744073709551615])",)),
    ("", ("array('Q', [18446744073709551614, 1])",)),
    ("", ("array('Q', [0, 0])",)),
    ("", ("array('Q', [1, 0, 1])",)),
    ("", ("array('q', [-1, 0])",)),
]
