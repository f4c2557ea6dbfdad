# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('int', 0), ('int', 5), ('int', 0), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0), ('int', 5), ('int', 0), ('int', 0))), ('NoneType', None)))
def closed():

    @jit
    def entry(p, q, r, s):
        v1 = v2 = s
        v2 >>= 8

    def state():
        pass

    def set_G0(value):
        pass
    return (entry, state, set_G0)
entry, state, set_G0 = closed()
CALLS = [('', ('0', '5', '0', '0'))]
