# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('int', 0), ('array', 'h', []))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0), ('array', 'h', []))), ('NoneType', None)))
@jit
def entry(p, q):
    pass

def state():
    pass
CALLS = [('', ('0', "array('h', [])"))]
