# the compiler failed
# CPython: (('raised', 'IndexError', ('/tmp/jit-differential-_265y1p8/smaller4004.py', 6), ('tuple index out of range',), [6]), (('tuple', (('list', []), ('int', 0), ('the same', 0), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('list', []), ('int', 0), ('the same', 0), ('int', 0))), ('NoneType', None)))
T1 = (1,)

@jit
def entry(p, q, r, s):
    for x in T1:
        v1 = T1[x]

def state():
    pass
CALLS = [('', ('[]', '0', 'a0', '0'))]
