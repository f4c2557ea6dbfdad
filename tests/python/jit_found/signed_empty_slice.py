# The sign of no bytes.
@jit
def entry(p):
    return int.from_bytes(p[4:3], "big", signed=True) + int.from_bytes(p[8:2], signed=True)


def state():
    return ()


CALLS = [("", ("b'abcdefghij'",)), ("", ("b''",))]
