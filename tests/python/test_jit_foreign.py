"""Other people's modules under jit: some functions, on a few inputs.

All of them, on many: python tests/python/jit_foreign.py.
"""

from jit_foreign import U32, compared, listing, octets, word


def test_what_differs_is_told():
    def late(data, start):
        for byte in data:
            start = start * 31 ^ byte
        return start

    def wrapping(function):
        return lambda *args: function(*args) & 0xFFFFFFFF

    def truthful(function):
        return lambda *args: int(function(*args))

    def careless(function):
        return lambda values: function(values[:])

    def without_exceptions(function):
        return lambda values: values and function(values)

    given = octets(), U32
    assert not compared(late, lambda function: function, given, 100, 1).differing
    assert len(compared(late, wrapping, given, 100, 1).differing) > 90
    assert len(compared(lambda x: x > 5, truthful, (word(4),), 100, 1).differing) == 100
    assert len(compared(lambda values: values.reverse(), careless, (listing(9, U32),), 100, 1).differing) > 50
    empty = (lambda rng: [],)
    assert len(compared(lambda values: values[0], without_exceptions, empty, 5, 1).differing) == 5
