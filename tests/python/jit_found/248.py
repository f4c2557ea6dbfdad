# exception
# CPython: (('raised', 'NameError', ('smaller625_79.py', 3), ("name 'j' is not defined",), [3, 3]), (('tuple', (('int', -1),)), ('NoneType', None)))
# ours: (('raised', 'AttributeError', ('lower.py', 548), ("'Unit' object has no attribute 'escapes'",), [131, 296, 118, 71, 89, 24, 139, 512, 548]), (('tuple', (('int', -1),)), ('NoneType', None)))
@jit
def entry(p):
    return [p for b in range(1) if j]

def state():
    pass
CALLS = [('', ('-1',))]
