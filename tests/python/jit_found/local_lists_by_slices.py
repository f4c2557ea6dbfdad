# A list of the function's own did not change its length by a slice assignment.
@jit
def entry(p):
    v1 = [p, p]
    v1[:p] = [p] * 3
    return v1


def state():
    return ()


CALLS = [("", ("0",)), ("", ("1",)), ("", ("-1",)), ("", ("2",)), ("", ("1180591620717411303424",))]
