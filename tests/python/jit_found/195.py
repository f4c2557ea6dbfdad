# returned, not raised
# CPython: (('returned', ('list', [])), (('tuple', (('int', 7), ('bytearray', b''), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'AttributeError', ('lower.py', 548), ("'Unit' object has no attribute 'escapes'",), [131, 296, 118, 71, 89, 24, 139, 512, 548]), (('tuple', (('int', 7), ('bytearray', b''), ('int', 0))), ('NoneType', None)))
@jit
def entry(p, q, r):
    n0 = 0
    return [q for b in range(0) for b1 in range]

def state():
    pass
CALLS = [('', ('7', "bytearray(b'')", '0'))]
