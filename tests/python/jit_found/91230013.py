# the compiler failed
# CPython: (('raised', 'IndexError', ('/tmp/jit-differential-_265y1p8/smaller3766.py', 6), ('index out of range',), [6]), (('tuple', (('int', 0), ('int', 0), ('int', 0), ('int', 2))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0), ('int', 0), ('int', 0), ('int', 2))), ('NoneType', None)))
def closed():

    @jit
    def entry(p, q, r, s):
        v1 = 0 .to_bytes()
        s = v1[1]

    def state():
        pass

    def set_G0(value):
        pass
    return (entry, state, set_G0)
entry, state, set_G0 = closed()
CALLS = [('', ('0', '0', '0', '2'))]
