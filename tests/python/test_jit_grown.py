"""Lists that grow, where some path gives their name an argument: that one would grow, which is refused."""

import copy

import pytest
from carrychain.ring.front.python.module import lower_function
from carrychain.ring.ir.errors import SourceError
from exact import jit
from test_jit_front import interpreted, kind, outcome, plain


def in_one_step(given, some):
    if some:
        given = [*given, 4, *given[1:2]]
    given += given[-2:]
    return some


def by_a_method(given, some):
    if some:
        given = given[:]
    given.append(3)
    return len(given)


def shrinks(given, some):
    held = [] if some > 2 else given
    if some:
        held = [1, 2]
    held.pop()
    return len(held)


def a_slice_grows(given, some):
    held = [1]
    held.append(2)
    if some:
        held = given
    held[0:1] = [5, 6]
    return len(held)


def by_a_round_before(given, some):
    held = [1]
    held.append(some)
    for at in range(3):
        if at == 2:
            held.append(3)
        else:
            held = given
    return len(held)


def one_of_both(given, some):
    held = []
    held.append(1)
    if some:
        held = given
    return held


def either(given, some):
    return given if some else [1, 2]


def either_at_the_end(given, some):
    if some > 3:
        return [1]
    if some > 0:
        found = either_at_the_end(given, some - 1)
        found.append(4)
        return found
    return given


def of_a_call(given, some):
    held = one_of_both(given, some)
    held.append(3)
    return len(held)


def of_another_call(given, some):
    held = either(given, some)
    held.append(3)
    return len(held)


def of_its_own_call(given, some):
    return len(either_at_the_end(given, some))


def passed_to_a_call(given, some):
    held = [1]
    found = either(held, some)
    if some == 5:
        held = [3]
        held.append(4)
    held.append(3)
    return len(found)


def passed_in_each_round(given, some):
    held = [1]
    for _ in range(3):
        found = either(held, some)
        held.append(3)
    return len(found)


GROWS = [
    in_one_step, by_a_method, shrinks, a_slice_grows, by_a_round_before, of_a_call, of_another_call,
    of_its_own_call, passed_to_a_call, passed_in_each_round,
]  # fmt: skip


@pytest.mark.parametrize("function", GROWS)
def test_what_may_be_an_argument_does_not_grow(function):
    with pytest.raises(SourceError, match="an argument that grows"):
        lower_function(function, (kind([1]), kind(1)))


def test_bytearrays_neither():
    with pytest.raises(SourceError, match="an argument that grows"):
        lower_function(by_a_method, (kind(bytearray(1)), kind(1)))


def grown_before(given, some):
    held = []
    for at in range(3):
        held.append(at)
    if some:
        held = given
    held[0] = 7
    return held


def grown_on_its_path(given, some):
    if some:
        held = []
        held.append(some)
    else:
        held = given
    return sum(held), len(held), held[-1]


def copied_first(given, some):
    held = either(given, some).copy()
    held.append(3)
    return held


def swapped(given, some):
    held, other = [], given
    held.append(1)
    for _ in range(some):
        held, other = other, held
    return held[0], other[0]


GROWN = [grown_before, grown_on_its_path, copied_first, swapped, one_of_both, either]


@pytest.mark.parametrize("function", GROWN)
def test_one_that_has_grown_before(function):
    for given in ([1, 2, 3], [5]):
        for some in (0, 1, 2):
            theirs = outcome(plain, function, copy.deepcopy((given, some)))
            assert outcome(interpreted, function, copy.deepcopy((given, some))) == theirs
            ours = copy.deepcopy(given)
            result = jit(function)(ours, some)
            wanted = copy.deepcopy(given)
            assert (result is ours) == (function(wanted, some) is wanted)
            assert outcome(plain, jit(function), copy.deepcopy((given, some))) == theirs
