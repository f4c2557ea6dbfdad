"""Where compiled code has no answer a call begins anew in CPython; and what CPython alone once answered."""

import itertools
import pickle

import pytest
from carrychain import jit
from carrychain.ring.ir.errors import SourceError


def outcome(function, *args):
    try:
        found = function(*args)
    except Exception as error:
        return type(error), error.args
    return type(found), repr(found), args


def power(x, e):
    return x**e


def power_of_three(x, e):
    return pow(3, e) + x


def halves(x, e):
    return 2 ** (x & 1) * 2 ** -max(e, -9)


def counted(items, e):
    items[0] += 1
    for at in range(len(items)):
        items[at] = items[at] ** (e + at) & 255
    return items[0]


EXPONENTS = (0, 1, 2, 5, 20, -1, -2, -7, -(10**30), True, False)


@pytest.mark.parametrize("function", [power, power_of_three, halves])
def test_powers(function):
    """To a negative exponent they are floats, or errors that CPython has."""
    compiled = jit(function)
    for x, e in itertools.product((0, 1, 2, -3, 10**20, True), EXPONENTS):
        assert outcome(compiled, x, e) == outcome(function, x, e), (x, e)


@pytest.mark.parametrize("maker", [list, bytearray])
def test_what_was_stored_before_is_stored_once(maker):
    compiled = jit(counted)
    for e in (3, 0, -1, -2):
        assert outcome(compiled, maker((4, 5, 6)), e) == outcome(counted, maker((4, 5, 6)), e)


def test_one_within_another():
    inner = jit(power)

    @jit
    def outer(x, e):
        return inner(x, e) * 2

    assert [outer(2, 3), outer(2, -1)] == [16, 1.0]


def shifted(x, n):
    return x << n


def masked(x, n):
    return (x & 7) << n & 0xFFFF


def back(x, n):
    return x >> n


COUNTS = (0, 1, 63, 64, 200, -1, -(10**30), 1 << 66, 10**30)


@pytest.mark.parametrize("function", [shifted, masked, back])
def test_shifts_by_any_count(function):
    """The types of what is raised; what there is no memory for is not tried."""
    compiled = jit(function)
    for x, n in itertools.product((0, 1, -1, 5 << 70), COUNTS):
        assert outcome(compiled, x, n) == outcome(function, x, n), (x, n)


def in_a_condition(a, b):
    if (n := a - b) > 3 and (m := n * n) < 100:
        return n, m
    return n


def in_a_loop(a, b):
    found = 0
    while (a := a - 1) > 0:
        found += a if (k := a & b) else (k := -1)
        if k == 5:
            break
    return found, a


def in_order(a, b):
    return a + (a := b) * (b := a + 1) + a - b, [c := a, c + 1, (d := c)], d


def in_a_chain(a, b):
    return 0 < (c := a) < (c := b) or c


def in_a_call(a, b):
    def sum_of(x, y=(z := 3)):
        return (w := x + y) * w

    return max(x := a, b) + x + sum_of(b) + (lambda v: (u := v + 1) * u)(a) + z


@pytest.mark.parametrize("function", [in_a_condition, in_a_loop, in_order, in_a_chain, in_a_call])
def test_assignments_within_expressions(function):
    compiled = jit(function)
    for a, b in itertools.product((0, 1, 5, 13, -4, 1 << 70), (0, 3, 5, -2, 12)):
        if abs(a) < 100 or function is not in_a_loop:
            assert outcome(compiled, a, b) == outcome(function, a, b), (a, b)


def test_one_that_is_not_bound():
    @jit
    def f(a):
        (a > 3 and (b := a)) or None
        return b

    assert f(5) == 5
    with pytest.raises(UnboundLocalError):
        f(1)


def sieve(n):
    prime = [True] * n
    for at in range(2, n):
        if prime[at]:
            for each in range(at * at, n, at):
                prime[each] = False
    return prime


def lists_of_bools(n):
    a = [True] * n
    a[0:2] = [False] * 2
    b = [*a[1:3], n > 3]
    b = b + a[:1]
    b.append(n == 4)
    b.extend(a)
    b[0] = not b[1]
    last = b.pop()
    b.insert(1, True)
    b.reverse()
    counts = sum(b), b.count(True), b.index(False), len(b), max(b), ~b[0]
    is_so = True in b, all(b), any(b), b == [1] * len(b), b[0] is True
    return b, last, counts, is_so, [x for x in b if x], [int(x) for x in b]


def made_of_conditions(n):
    data = bytes(range(n))
    a = [x > 3 for x in data]
    b = [x > 3 for x in data if x & 1]
    c = tuple(x > 5 for x in data)
    d = list(a)
    d[0] = True
    for x in a:
        if x:
            d.append(x)
    return a, b, c, d, bytes(a), list(map(bool, data)), a * 2, a[::-1], (b or [False])[0]


def chosen(n):
    a = [True] * n if n > 6 else [0] * n
    return a, [False] * 2 if n > 5 else None


def grown_from_nothing(n):
    a, b, c = [], list(), []
    for i in range(n):
        a.append(i > 4)
        if i & 1:
            b.insert(0, i > 5)
        c += [i == 6]
    b.extend(x for x in a if x)
    c.extend([True, n > 5])
    return a, b, c, a == c, sum(a), b.pop()


def grown_by_sums(n):
    a, b, empty = [], [], []
    for i in range(n):
        a = a + [i > 4]  # noqa: RUF005
        b = [*b, not a[i]]
    return a, b, empty + a, empty + [n], [*empty, n], empty  # noqa: RUF005


def joined_to_bools(n):
    a = [n > i for i in range(5)] if n > 5 else []
    b = []
    if n > 6:
        b = [n > 8]
    b.append(len(a) > 3)
    a[1:1] = b
    return a, b


def of_ints_and_of_bools(n):
    # the empty list is of ints on the way to where it meets one of bools
    a = []
    if n > 5:
        a.append(n)
    else:
        a = [n > 4]
    return a


@pytest.mark.parametrize(
    "function",
    [
        sieve,
        lists_of_bools,
        made_of_conditions,
        chosen,
        grown_from_nothing,
        grown_by_sums,
        joined_to_bools,
        of_ints_and_of_bools,
    ],
)
def test_lists_of_bools(function):
    compiled = jit(function)
    for n in (4, 5, 6, 7, 100):
        assert outcome(compiled, n) == outcome(function, n), n


def an_int_among_bools(n):
    a = [True] * n
    a[0] = n
    return a


def bools_among_ints(n):
    a = [n, n]
    a[0:1] = [True] * n
    return a


def ints_behind_bools(n):
    return [True] * n + [1]


def ints_and_bools_in_turn(n):
    a = []
    for i in range(n):
        a.append(i if i & 1 else i > 3)
    return a


@pytest.mark.parametrize(
    "function", [an_int_among_bools, bools_among_ints, ints_behind_bools, ints_and_bools_in_turn]
)
def test_bools_are_no_ints(function):
    with pytest.raises(SourceError):
        jit(function)(3)


def total(items):
    return items[0] + items[1]


@pytest.mark.parametrize("dtype", ["u1", "i8"])
def test_items_that_wrap(dtype):
    """An array of NumPy's is refused where it is given: its items wrap in CPython, and here they do not."""
    numpy = pytest.importorskip("numpy")
    items = numpy.array([100, 100], dtype) + 100
    with pytest.raises(TypeError, match=r"total: items is .* wrap around: pass memoryview.*exact_items=True"):
        jit(total)(items)
    with pytest.raises(TypeError, match=r"<lambda>: x\[1\] is a NumPy array"):
        jit(lambda x: x[1][0])((1, items))
    view = memoryview(items)
    assert outcome(jit(total), view) == outcome(total, view)
    assert jit(exact_items=True)(total)(items) == jit(total, exact_items=True)(items) == 400
    assert pickle.loads(pickle.dumps(taken))(items) == 400
    with pytest.warns(RuntimeWarning):
        assert jit(total, fallback=True)(items) == total(items)


taken = jit(lambda items: items[0] + items[1], exact_items=True)
taken.__qualname__ = taken.__name__ = "taken"
