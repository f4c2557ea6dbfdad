# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('int', 1), ('ndarray', '<u4', []), ('bytes', b''))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 1), ('ndarray', '<u4', []), ('bytes', b''))), ('NoneType', None)))
@jit
def entry(p, q, r):
    n0 = int
    n0 = 0

def state():
    pass
CALLS = [('', ('1', "np.array([], dtype='uint32')", "b''"))]
