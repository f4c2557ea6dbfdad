# the compiler failed
# CPython: (('raised', 'IndexError', ('/tmp/jit-differential-_265y1p8/smaller3772.py', 8), ('index out of bounds on dimension 1',), [8]), (('tuple', (('bytearray', b'\xe1v\x00G'), ('memoryview', 'B', False, [71]))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('bytearray', b'\xe1v\x00G'), ('memoryview', 'B', False, [71]))), ('NoneType', None)))
G0 = 0

@jit
def entry(p, q):
    v1 = G0
    v1 >>= 0
    for x in q:
        v3 = [v3 for y in q[x]]

def state():
    pass
CALLS = [('', ("bytearray(b'\\xe1v\\x00G')", 'memoryview(a0)[3:]'))]
