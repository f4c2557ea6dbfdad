# the compiler failed
# CPython: (('raised', 'ValueError', ('/tmp/jit-differential-_265y1p8/smaller3288.py', 6), ('max() arg is an empty sequence',), [6]), (('tuple', (('int', 0), ('int', 0))), ('NoneType', None)))
# ours: (('raised', 'TypeError', ('/work/main/python/carrychain/ring/compile.py', 119), ('Value after * must be an iterable, not Value',), [156, 248, 45, 178, 45, 54, 78, 134, 119]), (('tuple', (('int', 0), ('int', 0))), ('NoneType', None)))
def closed():

    @jit
    def entry(p, q):
        v3 = [b for b in range(0)]
        max(v3)
        for w in v3:
            v3[4] = [w, 0]

    def state():
        pass
    return (entry, state)
entry, state = closed()
CALLS = [('', ('-0', '0'))]
