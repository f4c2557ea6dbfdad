# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('list', []), ('the same', 0), ('int', 3))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('list', []), ('the same', 0), ('int', 3))), ('NoneType', None)))
@jit
def entry(p, q, r):
    n0 = 1
    n0 += 1
    n1 = 0

def state():
    pass
CALLS = [('', ('[]', 'a0', '3'))]
