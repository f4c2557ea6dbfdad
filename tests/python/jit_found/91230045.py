# the compiler failed
# CPython: (('raised', 'ValueError', ('/tmp/jit-differential-_265y1p8/smaller3940.py', 4), ('pow() 3rd argument cannot be 0',), [4]), (('tuple', (('bytearray', b''), ('bytearray', b''), ('bytes', b''))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('bytearray', b''), ('bytearray', b''), ('bytes', b''))), ('NoneType', None)))
@jit
def entry(p, q, r):
    r = 0
    r = pow(r, r, r)

def state():
    pass
CALLS = [('', ("bytearray(b'')", "bytearray(b'')", "b''"))]
