# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('list', []), ('int', -2), ('int', -1))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('list', []), ('int', -2), ('int', -1))), ('NoneType', None)))
@jit
def entry(p, q, r):
    pass

def state():
    pass
CALLS = [('', ('[]', '-2', '-1'))]
