# the compiler failed
# CPython: (('raised', 'ZeroDivisionError', ('/tmp/jit-differential-_265y1p8/smaller3992.py', 3), ('integer modulo by zero',), [3]), (('tuple', (('int', 0),)), ('NoneType', None)))
# ours: (('raised', 'ValueError', ('/work/main/python/carrychain/ring/compile.py', 132), ('not enough values to unpack (expected 2, got 0)',), [156, 248, 45, 178, 45, 54, 78, 132]), (('tuple', (('int', 0),)), ('NoneType', None)))
@jit
def entry(p):
    k = p % 0

def state():
    pass
CALLS = [('', ('-0',))]
