# the compiler failed
# CPython: (('returned', ('NoneType', None)), (('tuple', (('bytearray', b''), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('bytearray', b''), ('int', 0))), ('NoneType', None)))
def closed():

    @jit
    def entry(p, q):
        pass

    def state():
        pass

    def set_G1(value):
        pass
    return (entry, state, set_G1)
entry, state, set_G1 = closed()
CALLS = [('', ("bytearray(b'')", '-0'))]
