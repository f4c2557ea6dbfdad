# returned, not raised
# CPython: (('returned', ('list', [])), (('tuple', (('int', 0), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'AttributeError', ('lower.py', 548), ("'Unit' object has no attribute 'escapes'",), [131, 296, 118, 71, 89, 24, 139, 512, 548]), (('tuple', (('int', 0), ('int', 0))), ('NoneType', None)))
T1 = (0, 0, 0, 0, 0, 0, 0, 0)

@jit
def entry(p, q):
    n0 = p
    return [n0 for x in T1 if p]

def state():
    pass
CALLS = [('', ('0', '0'))]
