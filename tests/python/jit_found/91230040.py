# the compiler failed
# CPython: (('raised', 'ValueError', ('/tmp/jit-differential-_265y1p8/smaller3921.py', 5), ('negative shift count',), [5]), (('tuple', (('int', 0), ('memoryview', 'H', False, []), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0), ('memoryview', 'H', False, []), ('int', 0))), ('NoneType', None)))
def closed():

    @jit
    def entry(n, p, q):
        q = 0 >> 0 - 5

    def state():
        pass
    return (entry, state)
entry, state = closed()
CALLS = [('', ('0', "memoryview(array('H', []))", '0'))]
