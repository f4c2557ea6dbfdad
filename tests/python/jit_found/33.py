# exception
# CPython: (('raised', 'IndexError', ('smaller31530_258.py', 6), ("cannot fit 'int' into an index-sized integer",), [6]), (('tuple', (('bytes', b''), ('int', -235913693461635916203209013918582853868))), ('NoneType', None)))
# ours: (('raised', 'BufferError', ('smaller31530_175.py', 4), ('Existing exports of data: object cannot be re-sized',), [136, 151, 4]), (('tuple', (('bytes', b''), ('int', -235913693461635916203209013918582853868))), ('NoneType', None)))
@jit
def entry(p, q):
    v1 = [q, q]
    v1[:q] = [q]
    j = q
    v1[j] = v1

def state():
    pass
CALLS = [('', ("b''", '-235913693461635916203209013918582853868'))]
