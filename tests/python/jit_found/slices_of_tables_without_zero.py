# A part of a tuple whose items are no zeros began as zeros, which its type excludes.
T0 = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3767071270255497034)
T1 = (-3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)


@jit
def entry(p):
    return T0[:p], T1[p:], T0[1:p]


def state():
    return ()


CALLS = [("", ("0",)), ("", ("1",)), ("", ("3",)), ("", ("-1",)), ("", ("20",))]
