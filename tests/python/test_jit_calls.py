"""Jitted functions of Python's own source, called: the front end and the boundary together."""

import array
import sys
import traceback
import warnings

import numpy as np
import pytest
from carrychain import u8, u32
from carrychain.ring.ir.errors import SourceError
from events import interrupted
from exact import jit

SCALE = 3
TABLE = [1, 2, 3]


@jit
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@jit
def checksum(data: bytes, start: u32 = 1):
    a, b = start & 0xFFFF, start >> 16
    for octet in data:
        a = (a + octet) % 65521
        b = (b + a) % 65521
    return b << 16 | a


@jit
def sort(items):
    for end in range(len(items) - 1, 0, -1):
        for at in range(end):
            if items[at] > items[at + 1]:
                items[at], items[at + 1] = items[at + 1], items[at]


@jit
def scaled(x):
    return x * SCALE + TABLE[1]


@jit
def inverse(data, at, by):
    data[0] = 1
    total = (
        data[at]  # a line of its own
        // by
    )
    return total


def test_recursion():
    assert [fib(n) for n in range(20)] == [fib.__wrapped__(n) for n in range(20)]
    a, b = 0, 1
    for _ in range(27):
        a, b = b, a + b
    assert fib(27) == a


@jit
def last(n):
    if n:
        last(n - 1)  # too deep


@jit
def never(n):
    return never(n ^ 1)  # too deep


@jit
def total(n):
    if n == 0:
        return 0
    n += (
        total(n - 1)  # too deep
        + 0
    )
    return n


@jit
def there(n):
    return back(n)  # too deep


@jit
def back(n):
    return there(n)  # too deep


@jit
def index(n):
    return TABLE[index(n)] + 1  # too deep


@jit
def rounds(n):
    for k in range(n & 7 | 1):
        n += k
        rounds(n)  # too deep


@pytest.mark.parametrize("f", [last, never, total, there, index, rounds])
def test_recursion_without_end(f):
    """As in CPython, though its last act be the call; in the line of a call."""
    for n in (-1, -1 << 80):
        with pytest.raises(RecursionError, match=r"^maximum recursion depth exceeded$") as found:
            f(n)
        assert traceback.extract_tb(found.value.__traceback__)[-1].line.endswith("# too deep")


def test_recursion_goes_deeper_than_cpythons():
    deep = 10 * sys.getrecursionlimit()
    assert total(deep) == deep * (deep + 1) // 2
    assert last(deep) is None


def test_buffers_of_all_makers():
    data = bytes(range(256))
    wanted = checksum.__wrapped__(data)
    for given in (data, bytearray(data), memoryview(data), array.array("B", data), np.frombuffer(data, "u1")):
        assert checksum(given) == wanted
    assert checksum(memoryview(data)[::3]) == checksum.__wrapped__(data[::3])
    assert checksum(list(data)) == wanted
    assert checksum(tuple(data)) == wanted
    with pytest.raises(OverflowError, match=r"^checksum: start is -1, not of type u32$"):
        checksum(b"", -1)
    assert checksum(b"a", start=2**32 - 1) == checksum.__wrapped__(b"a", 2**32 - 1)


def test_lists_and_arrays_are_sorted_in_place():
    for items in (
        [5, -3, 1 << 80, 0],
        [3, 2, 1],
        [],
        array.array("h", [3, -1, 2]),
        np.array([3, 1, 2])[::-1],
    ):
        wanted = sorted(int(item) for item in items)
        assert sort(items) is None
        assert [int(item) for item in items] == wanted


def test_the_world_outside(monkeypatch):
    assert scaled(5) == 17
    monkeypatch.setitem(globals(), "SCALE", 1 << 70)
    assert scaled(5) == (5 << 70) + 2
    TABLE[1] = 9
    assert scaled(5) == (5 << 70) + 9
    TABLE[1] = 2
    monkeypatch.setitem(globals(), "SCALE", 3)
    assert scaled(5) == 17


@pytest.mark.parametrize(
    ("args", "error"), [((1, 0), ZeroDivisionError), ((7, 1), IndexError), ((-9, 1), IndexError)]
)
@pytest.mark.parametrize("maker", [bytearray, lambda data: array.array("B", data), list])
def test_exceptions_are_pythons(maker, args, error):
    outcomes = []
    for f in (inverse, inverse.__wrapped__):
        data = maker(b"\5\6\7")
        with pytest.raises(error) as found:
            f(data, *args)
        frames = traceback.extract_tb(found.value.__traceback__)
        outcomes.append((bytes(data), [(frame.name, frame.lineno) for frame in frames]))
    assert outcomes[0] == outcomes[1]


def test_refused_at_decoration():
    line = sys._getframe().f_lineno
    with pytest.raises(SourceError, match=rf"test_jit_calls\.py:{line + 5}:24: "):

        @jit
        def f(x):
            return x * 0.5

    with pytest.warns(RuntimeWarning, match=rf"f runs in CPython: .*test_jit_calls\.py:{line + 11}:24: "):

        @jit(fallback=True)
        def f(x):
            return x * 0.5

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(3) == 1.5
    space = {}
    exec("def g(x): return x", space)
    with pytest.raises(SourceError, match="no source"):
        jit(space["g"])


class Counter:
    @jit
    @staticmethod
    def twice(x: u8):
        return 2 * x

    @staticmethod
    @jit
    def thrice(x):
        return 3 * x

    @jit
    def plus(self, x, y=1):
        return x + y


def test_methods():
    assert Counter.twice(255) == Counter().twice(255) == 510
    with pytest.raises(OverflowError, match="twice: x is 256"):
        Counter.twice(256)
    assert Counter().thrice(1 << 80) == 3 << 80
    assert Counter().plus(5) == 6
    assert Counter().plus(5, y=7) == 12


@jit
def spin(data, n):
    data[0] += 1
    i = 0
    while i < n:
        i += data[1]
    return i


def test_an_interrupt():
    # compiled before: while that is done nothing is stored yet
    assert spin(bytearray(b"\0\1"), 1) == 1
    data = bytearray(2)
    with interrupted():
        spin(data, 1)
    assert data == b"\1\0"
