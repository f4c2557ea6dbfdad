# returned, not raised
# CPython: (('returned', ('int', 1)), (('tuple', (('int', 1), ('int', 0), ('array', 'h', []), ('tuple', (('int', 0), ('int', 0))))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('ranges.py', 354), ('zip() argument 2 is longer than argument 1',), [154, 246, 44, 183, 73, 106, 74, 161, 181, 354]), (('tuple', (('int', 1), ('int', 0), ('array', 'h', []), ('tuple', (('int', 0), ('int', 0))))), ('NoneType', None)))
@jit
def entry(n, p, q, r):
    if n:
        return n
    max = entry(n, p, q, r)

def state():
    pass
CALLS = [('', ('1', '-0', "array('h', [])", '(0, -0)'))]
