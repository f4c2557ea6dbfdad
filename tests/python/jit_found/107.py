# returned, not raised
# CPython: (('returned', ('list', [])), (('tuple', (('bytes', b''), ('bytearray', b''))), ('NoneType', None)))
# ours: (('raised', 'AttributeError', ('lower.py', 548), ("'Unit' object has no attribute 'escapes'",), [131, 296, 118, 71, 89, 24, 139, 512, 548]), (('tuple', (('bytes', b''), ('bytearray', b''))), ('NoneType', None)))
@jit
def entry(p, q):
    v2 = bytearray(0)
    return [v4 for x in v2 for x1 in range if 0]

def state():
    pass
CALLS = [('', ("b''", "bytearray(b'')"))]
