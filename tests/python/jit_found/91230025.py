# the compiler failed
# CPython: (('raised', 'UnboundLocalError', ('/tmp/jit-differential-_265y1p8/smaller3841.py', 5), ("cannot access local variable 'v1' where it is not associated with a value",), [5]), (('tuple', (('int', 0), ('bytes', b''))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0), ('bytes', b''))), ('NoneType', None)))
@jit
def entry(p, q):
    n0 = 0
    n0 += 1
    v1 //= 2

def state():
    pass
CALLS = [('', ('0', "b''"))]
