# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('int', 0), ('int', 0), ('list', []), ('NoneType', None))), ('tuple', (('int', 0), ('int', 0)))))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0), ('int', 0), ('list', []), ('NoneType', None))), ('tuple', (('int', 0), ('int', 0)))))
G0 = 0
L0 = 0

@jit
def entry(p, q, r, s):
    pass

def state():
    return (G0, L0)
CALLS = [('', ('state()[1]', '0', '[]', 'None'))]
