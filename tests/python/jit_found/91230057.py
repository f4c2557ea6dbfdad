# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('bytearray', b''), ('int', 0), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('bytearray', b''), ('int', 0), ('int', 0))), ('NoneType', None)))
@jit
def entry(p, q, r):
    pass

def state():
    pass
CALLS = [('', ("bytearray(b'')", '-0', '0'))]
