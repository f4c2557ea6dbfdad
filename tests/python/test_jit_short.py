"""Copies of functions for arrays that are not long: the same answers, on both sides of how long that is."""

import pytest
from carrychain import explain, jit
from carrychain.ring.call.jit import short
from carrychain.ring.call.jit.short import long_name, short_name
from carrychain.ring.machine.form import BIG


def sums(data: bytes) -> int:
    a = b = 0
    for byte in data:
        a += byte
        b += a
    return b


def of_three(data: bytes) -> int:
    a = b = c = 0
    for byte in data:
        a += byte
        b += a
        c += b
    return c


def of_two(data: bytes, other: bytearray) -> tuple:
    a = b = 0
    for byte in data:
        a += byte
        b += a
    for byte in other:
        other[0] = 7
        a += byte
        b += a
    return a, b


def weighted(items, by: int) -> int:
    total = 0
    for at in range(len(items)):
        items[at] = at & 255
        for k in range(at, len(items)):
            total += k * at & 0xFFFF
    return total * by


def one_sum(data: bytes) -> int:
    total = 0
    for byte in data:
        total += byte
    return total


def product(data: bytes) -> int:
    total = 1
    for byte in data:
        total = total * 31 + byte
    return total


@pytest.fixture
def nearly(nothing_kept, monkeypatch):
    """Arrays are long from 17 elements on; and what is compiled for that is not kept."""
    monkeypatch.setattr(short, "MOST", 16)


def functions(function) -> set[str]:
    return set(explain(function).compiled.module.functions)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 40])
@pytest.mark.parametrize("function", [sums, of_three, one_sum, product])
def test_of_either_length(nearly, function, length):
    compiled = jit(function)
    for data in (bytes(length), bytes([255]) * length, bytes(range(length))):
        assert compiled(data) == function(data)


@pytest.mark.parametrize("lengths", [(3, 4), (16, 16), (17, 16), (16, 17), (30, 40), (0, 1)])
def test_of_two_arrays(nearly, lengths):
    compiled = jit(of_two)
    a, b = bytes([255]) * lengths[0], bytearray([254]) * lengths[1]
    c = bytearray(b)
    assert compiled(a, b) == of_two(a, c)
    assert b == c


@pytest.mark.parametrize("length", [0, 16, 17, 30])
def test_what_is_stored_is_there(nearly, length):
    compiled = jit(weighted)
    for by in (3, 1 << 80):
        found, wanted = [1 << 70] * length, [1 << 70] * length
        assert compiled(found, by) == weighted(wanted, by)
        assert found == wanted


def test_a_copy_is_there_where_it_serves():
    for function, name in ((sums, "sums"), (of_two, "of_two")):
        compiled = jit(function)
        compiled(*(kind(5) for kind in function.__annotations__.values() if kind in (bytes, bytearray)))
        assert {name, short_name(name), long_name(name)} <= functions(compiled)
    for function in (one_sum, product):
        compiled = jit(function)
        compiled(bytes(5))
        assert functions(compiled) == {function.__name__}


def test_what_is_explained_is_the_copy():
    explained = explain(sums)
    assert explained.compiled.main == short_name("sums")
    assert all(place.container is not BIG and place.container <= 64 for place in explained.places.values())
    assert "sums(" in str(explained)
