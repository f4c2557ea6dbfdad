"""Names mean what they mean where they are written: in inner functions, in comprehensions, and without a
value, as in CPython."""

import traceback

import pytest
from carrychain.ring.ir.errors import SourceError
from exact import jit

CASES = []


def case(function):
    CASES.append(function)
    return function


def outcome(function, *args):
    """What it gives; or what it raises, with what message and where."""
    try:
        return function(*args)
    except Exception as error:
        return type(error), error.args, traceback.extract_tb(error.__traceback__)[-1].lineno


# Names without a value ---------------------------------------------------------------------------


@case
def in_a_list(p):
    if p > 5:
        x = 3
    return [x for i in range(p)]


@case
def in_a_generator(p):
    if p > 5:
        x = 3
    return sum(x for i in range(p))


@case
def in_a_list_in_a_generator(p):
    if p > 5:
        x = 3
    return sum(sum([x + i for i in range(k)]) for k in range(p))


@case
def what_is_gone_through_first(p):
    if p > 5:
        x = [1, 2]
    return [i for i in x]


@case
def what_is_gone_through_within(p):
    if p > 5:
        x = [1, 2]
    return [1 for i in (1, 2) for j in x]


@case
def in_a_lambda(p):
    if p > 5:
        x = 3
    g = lambda: x  # noqa: E731
    return g()


@case
def given_as_a_default(p):
    if p > 5:
        x = 3

    def g(x=x):
        return x

    return g()


@case
def deleted(p):
    x = 3

    def g():
        return x + p

    if p < 5:
        del x
    return g()


@case
def deleted_twice(p):
    x = 3
    if p > 5:
        del x
    del x
    return p


@case
def of_the_inner_function(p):
    x = 3

    def g():
        if p > 5:
            x = 4
        return x

    return g(), x


@case
def of_a_function_in_a_function(p):
    def g():
        if p > 5:
            x = 4
        h = lambda: x  # noqa: E731
        return h()

    return g()


@case
def of_the_comprehension(p):
    x = (1, 2)
    return [x for i in x for x in x]


@case
def from_the_round_before(p):
    x = 1
    return [y + x for i in (0, 1) if i < 1 or x for x in (3, 4) for y in (5, p)]


@case
def of_another_function(p):
    def g():
        return x

    def h():
        x = 4
        return g() + x

    if p > 5:
        x = 1
    return h()


def empty_cell():
    @case
    def in_the_function_around(p):
        return p + later

    if CASES is None:
        later = 1


empty_cell()

# Names that hide others --------------------------------------------------------------------------


@case
def called_in_a_comprehension(p):
    x = 5

    def g():
        return x

    return [g() + x for x in range(p)]


@case
def called_in_a_generator(p):
    x = 10
    g = lambda: x  # noqa: E731
    x = 11
    return sum(g() for x in range(p)) + x


@case
def called_by_another(p):
    x = 5

    def g():
        return x

    def h(x):
        return g() - x

    return h(p)


@case
def returned(p):
    def g(n):
        y = n

        def h():
            return y

        return h

    k = g(p)
    y = 100
    return k() + y


@case
def returned_twice(p):
    def add(n):
        return lambda v: v + n

    a, b = add(1), add(10)
    return a(p) * 100 + b(p)


@case
def returned_by_one_returned(p):
    add = lambda n: lambda v, k=n: lambda w: v + n * w - k  # noqa: E731
    return add(p)(2)(3), add(p)(2)(p)


@case
def hidden_in_comprehensions(p):
    x = p
    return sum([sum([x for x in range(x)]) * x for x in range(x)]), x


@case
def with_a_default_of_its_own(p):
    x = 2
    return sum([(lambda y=x: x + y + p)() for x in range(x)])


# Functions, ranges and tables that are values ----------------------------------------------------


@case
def function_of_one_branch(p):
    if p > 5:
        g = lambda v, k=p * 3: v + k  # noqa: E731
    return g(1)


@case
def one_of_two_functions(p):
    g = (lambda a: a + p) if p > 5 else (lambda a, b=p * 2: a * b)
    return g(p)


@case
def range_of_one_branch(p):
    if p > 5:
        r = range(p * 3)
    return sum(r)


@case
def ranges_of_two_steps(p):
    r = range(p) if p > 5 else range(10, p, -2)
    return list(r), len(r)


@case
def table_of_one_branch(p):
    if p > 5:
        r = [[p * 3, 4], [5, p]]
    return r[0][0] + r[1][1]


@case
def function_of_each_round(p):
    t = 0
    for i in range(p):
        g = lambda v: v + i  # noqa: B023, E731
        t += g(1)
    return t


@case
def function_of_the_round_before(p):
    t = 1
    g = lambda v: v + 1  # noqa: E731
    for i in range(p):
        t += g(t)
        g = lambda v, k=i: v + k  # noqa: E731
    return t


@case
def range_of_each_round(p):
    t = 0
    for i in range(p):
        r = range(i * 2)
        t += sum(r)
    return t


@case
def range_of_the_round_before(p):
    t, r = 0, range(p)
    for i in range(p):
        t += sum(r)
        r = range(i, i * 3, 2)
    return t


def applied(function, x):
    p = 1000
    return function(x) + p


def summed(items):
    return sum(items)


def first_of(table):
    return table[0][0]


@case
def passed_on(p):
    k = p * 2
    return (
        applied(lambda v: v * p + k, 3),
        applied(lambda v: v, p),
        summed(range(p)),
        first_of([[p, 1], [2, 3]]),
    )


def test_what_is_passed_on_brings_what_it_calls():
    @jit
    def f(p):
        q = p + 1
        g = lambda v: v * q  # noqa: E731
        return applied(lambda v: g(v) + applied(g, v), p)

    assert f(7) == 7 * 8 + 7 * 8 + 1000 + 1000


def test_what_comprehensions_make_does_not_outlive_them():
    with pytest.raises(SourceError, match="outlives it: write a loop"):
        jit(lambda p: [lambda: x for x in (p, 2)][0]())(3)  # noqa: B023, RUF015


# What is gone through first, once ----------------------------------------------------------------


@case
def evaluated_once(p):
    a = [p, 2, 5, 6]
    b = [i for i in range(a.pop())] + a
    return b + list(i for i in range(a.pop())) + a


@case
def evaluated_before_what_follows(p):
    x = p
    return sum((i * x for i in range(x)), (x := 3)) + x


@pytest.mark.parametrize("function", [pytest.param(each, id=each.__name__) for each in CASES])
@pytest.mark.parametrize("p", [0, 3, 7])
def test_as_in_cpython(function, p):
    assert outcome(jit(function), p) == outcome(function, p)
