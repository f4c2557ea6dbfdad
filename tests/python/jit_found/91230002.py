# the compiler failed
# CPython: (('raised', 'ValueError', ('/tmp/jit-differential-_265y1p8/smaller3241.py', 3), ('negative shift count',), [3]), (('tuple', (('int', 4), ('list', []))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 4), ('list', []))), ('NoneType', None)))
@jit
def entry(p, q):
    v1 = p << p - 5

def state():
    pass
CALLS = [('', ('4', '[]'))]
