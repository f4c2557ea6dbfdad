# A range that len() cannot count.
@jit
def entry(p):
    n0 = 0
    for i in range(33, 33 + 1180591620717411303424):
        n0 += i
        if n0 > p:
            break
    return n0


def state():
    return ()


CALLS = [("", ("0",)), ("", ("1000",))]
