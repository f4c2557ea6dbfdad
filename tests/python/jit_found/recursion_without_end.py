# A builtin's name hides that a function calls itself: what never returns was a loop; and the exception was
# from the line that the function begins in.
B0 = b""


@jit
def len(p):
    v1 = B0[3 % len(B0)]
    return v1


@jit
def divmod(n, p):
    if n > 5:
        n = 5
    v2, v3 = divmod(n, 0)


@jit
def entry(p):
    if p:
        return len(p)
    divmod(0, None)


def state():
    return ()


CALLS = [
    ("", ("0",)),
    ("", ("1",)),
]
