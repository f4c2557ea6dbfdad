# the compiler failed
# CPython: (('raised', 'TypeError', ('/tmp/jit-differential-_265y1p8/smaller3192.py', 3), ("unsupported operand type(s) for %: 'NoneType' and 'list'",), [3]), (('tuple', (('list', []), ('NoneType', None))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('list', []), ('NoneType', None))), ('NoneType', None)))
@jit
def entry(p, q):
    return q % p

def state():
    pass
CALLS = [('', ('[]', 'None'))]
