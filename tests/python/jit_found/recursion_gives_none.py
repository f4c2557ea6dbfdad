# What it gives widened while its own calls were lowered.
@jit
def entry(n, p):
    if n:
        return n
    if p > 3:
        v1 = entry(n, 2)


def state():
    return ()


CALLS = [("", ("3", "8")), ("", ("0", "8")), ("", ("0", "1"))]
