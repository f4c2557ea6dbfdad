# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('bytes', b''), ('int', 5), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('bytes', b''), ('int', 5), ('int', 0))), ('NoneType', None)))
@jit
def entry(p, q, r):
    pass

def state():
    pass
CALLS = [('', ("b''", '5', '0'))]
