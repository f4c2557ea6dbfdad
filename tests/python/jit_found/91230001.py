# the compiler failed
# CPython: (('raised', 'IndexError', ('/tmp/jit-differential-_265y1p8/smaller3217.py', 6), ('tuple index out of range',), [6]), (('tuple', (('int', 0), ('bytes', b''), ('list', []))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0), ('bytes', b''), ('list', []))), ('NoneType', None)))
G1 = 1
T1 = (0,)

@jit
def entry(p, q, r):
    v1 = T1[G1]

def state():
    pass
CALLS = [('', ('-0', "b''", '[]'))]
