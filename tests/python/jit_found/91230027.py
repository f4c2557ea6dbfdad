# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('ndarray', '<i8', []), ('NoneType', None), ('ndarray', '<i8', []), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('ndarray', '<i8', []), ('NoneType', None), ('ndarray', '<i8', []), ('int', 0))), ('NoneType', None)))
@jit
def entry(p, q, r, s):
    n0 = 0

def state():
    pass
CALLS = [('', ("np.array([], dtype='int64')", 'None', "np.array([], dtype='int64')", '0'))]
