# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('bytearray', b''), ('the same', 0), ('array', 'i', []), ('ndarray', '<i8', []))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('bytearray', b''), ('the same', 0), ('array', 'i', []), ('ndarray', '<i8', []))), ('NoneType', None)))
@jit
def entry(p, q, r, s):
    v1 = 0
    v1 >>= v1

def state():
    pass
CALLS = [('', ("bytearray(b'')", 'a0', "array('i', [])", "np.array([], dtype='int64')"))]
