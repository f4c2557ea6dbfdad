# returned, not raised
# CPython: (('returned', ('int', 0)), (('tuple', (('int', 1), ('array', 'B', []))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('ranges.py', 354), ('zip() argument 2 is longer than argument 1',), [154, 246, 44, 183, 73, 106, 74, 161, 181, 354]), (('tuple', (('int', 1), ('array', 'B', []))), ('NoneType', None)))
G0 = 0

@jit
def entry(n, p):
    if n:
        return G0
    v3 = entry(n, p)

def state():
    pass
CALLS = [('', ('1', "array('B', [])"))]
