# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('bool', False), ('int', 0), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('bool', False), ('int', 0), ('int', 0))), ('NoneType', None)))
@jit
def entry(p, q, r=0):
    pass

def state():
    pass
CALLS = [('', ('False', '-0', '0'))]
