# the compiler failed
# CPython: (('raised', 'IndexError', ('/tmp/jit-differential-_265y1p8/smaller3976.py', 4), ('index 0 is out of bounds for axis 0 with size 0',), [4]), (('tuple', (('ndarray', '<i2', []), ('int', 0), ('bytes', b''))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('ndarray', '<i2', []), ('int', 0), ('bytes', b''))), ('NoneType', None)))
@jit
def entry(p, q, r):
    for j in range(0, 1):
        v3 = p[j]

def state():
    pass
CALLS = [('', ('np.array([], dtype="int16")', '0', "b''"))]
