# the compiler failed
# CPython: (('raised', 'ValueError', ('/tmp/jit-differential-_265y1p8/smaller3967.py', 4), ('negative shift count',), [9, 4]), (('tuple', (('memoryview', 'B', False, []), ('NoneType', None))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('memoryview', 'B', False, []), ('NoneType', None))), ('NoneType', None)))
@jit
def f0(p):
    v1 = 3
    if v1 << v1 - 5:
        pass

@jit
def entry(p, q):
    f0(p)

def state():
    pass
CALLS = [('', ("memoryview(bytearray(b''))", 'None'))]
