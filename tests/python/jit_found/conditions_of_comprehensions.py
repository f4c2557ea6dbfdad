# A condition that is an int was no condition.
@jit
def entry(p):
    return [p for x in range(3) if p], [x for y in range(p & 3) for x in range(2)]


def state():
    return ()


CALLS = [("", ("0",)), ("", ("5",)), ("", ("-1",))]
