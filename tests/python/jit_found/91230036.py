# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('array', 'q', []),)), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('array', 'q', []),)), ('NoneType', None)))
@jit
def entry(p):
    pass

def state():
    pass
CALLS = [('', ("array('q', [])",))]
