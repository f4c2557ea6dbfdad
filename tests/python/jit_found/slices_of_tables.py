# A slice of a table was filled with a 0 that the table's items exclude.
L0 = [24995, 61548]
T0 = (24995, 61548)


@jit
def entry(p):
    return L0[p:], sum(T0[14:p:3]), [x for x in L0[:-1]]


def state():
    return ()


CALLS = [("", ("0",)), ("", ("1",)), ("", ("7",)), ("", ("-1",))]
