# the compiler failed
# CPython: (('raised', 'IndexError', ('/tmp/jit-differential-_265y1p8/smaller3371.py', 6), ('array assignment index out of range',), [6]), (('tuple', (('int', 0), ('array', 'I', []))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0), ('array', 'I', []))), ('NoneType', None)))
@jit
def entry(n, p):
    n0 = 0
    for i in range(0, 1, 1):
        n0 += 1
        p[i] = 0

def state():
    pass
CALLS = [('', ('0', "array('I', [])"))]
