"""Arguments that are the same, or share memory: what jitted functions do with them is what CPython does."""

import array
import copy

import numpy as np
import pytest
from draws import LONG
from exact import jit
from numbers_to_try import WORD_EDGES
from quick import mostly_quick


@pytest.fixture(autouse=True)
def some_made_fast(request):
    with mostly_quick(f"jit_alias {request.node.name}"):
        yield


@jit
def exchange(a, b, i, j, x):
    before = a[i]
    a[i] = b[j] ^ x
    b[j] = before + 1
    tripled = a[i] * 3
    a[j] = tripled & 0x7F
    return tripled, b[i], a[-1]


@jit
def mix(a, b, i, j, x):
    total = x
    for k in range(len(a)):
        total += a[k]
        a[k] = (a[k] ^ total) & 0x7F
        if total % 7 == 3:
            b[j] = k
    return a, total, b[i] // (total % 3)


@jit
def choose(a, b, i, j, x):
    if i > 2:
        return a
    if j > 2:
        return None
    return (b, a) if i == j else x


def some_array(rng):
    count = rng.randrange(5)
    small = [rng.randrange(120) for _ in range(count)]
    makers = [
        lambda: [rng.choice(WORD_EDGES) for _ in range(count)],
        lambda: small,
        lambda: bytearray(small),
        lambda: array.array(rng.choice("BHILQbhilq"), small),
        lambda: memoryview(bytearray(small)),
        lambda: memoryview(array.array(rng.choice("IqH"), small)),
        lambda: memoryview(bytearray(2 * small))[::2],
    ]
    return rng.choice(makers)()


def some_pair(rng):
    a = some_array(rng)
    how = rng.randrange(4)
    if how == 0:
        return a, a
    if how == 1 and isinstance(a, bytearray | array.array):
        return a, memoryview(a)
    return a, some_array(rng)


def copied(a):
    if not isinstance(a, memoryview):
        return copy.copy(a)
    view = memoryview(copy.copy(a.obj))
    return view if len(view) == len(a) else view[::2]


def copied_pair(a, b):
    """Copies that share what these share."""
    again = copied(a)
    if b is a:
        return again, again
    if isinstance(b, memoryview) and b.obj is a:
        return again, memoryview(again)
    return again, copied(b)


def outcome(f, a, b, *others):
    def named(value):
        if isinstance(value, tuple):
            return tuple(map(named, value))
        return "a" if value is a else "b" if value is b else value

    try:
        found = named(f(a, b, *others))
    except Exception as error:
        found = type(error), error.__traceback__.tb_next.tb_lineno
    return found, list(a), list(b)


@pytest.mark.parametrize("f", [exchange, mix, choose])
def test_as_in_cpython(f, draw):
    rng = draw
    seen = set()
    # each new pair of types is compiled anew
    for _ in range(500 if LONG else 60):
        a, b = some_pair(rng)
        others = rng.randrange(-3, 5), rng.randrange(-3, 5), rng.choice(WORD_EDGES)
        c, d = copied_pair(a, b)
        given = list(a), list(b), type(a), type(b), others
        wanted = outcome(f.__wrapped__, c, d, *others)
        assert outcome(f, a, b, *others) == wanted, given
        seen.add(wanted[0][0] if isinstance(wanted[0], tuple) and wanted[0] else None)
    if f is not choose:
        assert seen > {IndexError}


# Another length ------------------------------------------------------------------------------------


def lengthened(a, b, at, x):
    """What is stored before is stored once."""
    b[0] += x
    a[at : at + 2] = bytes([x % 5]) * x
    b[-1] += 1
    return len(a), sum(b)


def lengthened_by_itself(a, b, at, x):
    b[at] = x
    a[at : at + x] = a
    return b[0]


LENGTHS = [
    lambda: (bytearray(b"abcd"),) * 2,
    lambda: ([1, 2, 3],) * 2,
    lambda: (bytearray(b"abcd"), [7, 9]),
    lambda: (bytearray(b"abcd"), array.array("I", [7, 9])),
    lambda: ([1, 2, 3], np.array([5, 6], dtype=np.uint16)),
    lambda: ([1, 2, 3], memoryview(bytearray(b"xy"))),
    lambda: (bytearray(b"ab"), bytearray(b"")),
]


@pytest.mark.parametrize("function", [lengthened, lengthened_by_itself])
@pytest.mark.parametrize("made", LENGTHS)
def test_a_slice_of_another_length(function, made):
    compiled = jit(function)
    for at in range(3):
        for x in (2, 0, 1, 3, 40):
            found = []
            for each in (function, compiled):
                a, b = made()
                try:
                    result = each(a, b, at, x)
                except Exception as error:
                    result = type(error)
                found.append((result, list(a), list(b)))
            assert found[0] == found[1], (at, x)


def test_what_is_lent_meanwhile_keeps_its_length():
    compiled = jit(lengthened)
    data, other = bytearray(b"abcd"), [0]
    assert compiled(data, other, 0, 2) == (4, 3)
    with memoryview(data), pytest.raises(BufferError, match="object cannot be re-sized"):
        compiled(data, other, 0, 3)
    assert (data, other) == (bytearray(b"\2\2cd"), [6])


@jit
def put(a, b, i, j):
    a[i:j] = b
    return len(a)


@jit
def shifted(a, i, j, k):
    a[i:j] = a[k : k + j - i]
    return len(a)


def came_to(f, *args):
    args = copy.deepcopy(args)
    try:
        return f(*args), repr(args)
    except (TypeError, ValueError) as error:
        return type(error), str(error), repr(args)


SAME = [
    *(lambda *items, code=code: array.array(code, items) for code in "bBhHiI"),
    *(lambda *items, name=name: np.array(items, name) for name in ("u1", "i2", "u4", "u8", "i8")),
]


@pytest.mark.parametrize("made", SAME)
def test_a_slice_of_an_array_is_assigned_one_of_its_type(made):
    """Of its own items, too; of another length CPython and NumPy do what they do."""
    for i, j, k in ((1, 3, 0), (0, 4, 2), (2, 2, 0), (-3, -1, 1), (3, 1, 0), (0, 99, 3)):
        args = made(1, 2, 3, 4, 5, 6), i, j, k
        assert came_to(shifted, *args) == came_to(shifted.__wrapped__, *args)
        for items in ((), (7,), (7, 8), (7, 8, 9, 10)):
            args = made(1, 2, 3, 4, 5, 6), made(*items), i, j
            assert came_to(put, *args) == came_to(put.__wrapped__, *args)


def test_a_slice_of_an_array_is_assigned_no_other():
    for other in (b"ab", [7, 8], (7, 8), 5):
        args = array.array("B", [1, 2, 3, 4]), other, 1, 3
        assert came_to(put, *args) == came_to(put.__wrapped__, *args)
