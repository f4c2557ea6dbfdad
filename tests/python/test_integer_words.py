"""carrychain.Integer near the lengths that its short ways change at: words, and ints' digits of 30 bits."""

import operator
import subprocess
import sys
from functools import partial

import pytest
from carrychain import Integer
from hypothesis import given
from hypothesis import strategies as st
from numbers_to_try import integers
from test_integer import BINARY, DIVIDE, agree, compared, outcome, same

EDGES = [
    0,
    *(
        sign * (2**bits + offset)
        for bits in (
            0,
            1,
            15,
            30,
            31,
            32,
            60,
            62,
            63,
            64,
            65,
            90,
            120,
            127,
            128,
            129,
            191,
            192,
            240,
            256,
            257,
        )
        for offset in (-1, 0, 1)
        for sign in (1, -1)
    ),
]


class Whole(int):
    """An int of another class, with methods that must not be called."""

    def bit_length(self):
        raise AssertionError

    to_bytes = __neg__ = __index__ = bit_length


def test_every_pair_of_edges():
    for x in EDGES:
        for y in EDGES:
            for operation in (*BINARY, *DIVIDE):
                agree(operation, x, y)
            assert compared(Integer(x), Integer(y)) == compared(Integer(x), y) == compared(x, y)


@pytest.mark.parametrize("operation", [operator.lshift, operator.rshift], ids=lambda each: each.__name__)
def test_shifts_of_edges(operation):
    for x in EDGES:
        for count in (0, 1, 2, 7, 29, 30, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 192, 256, 300, 1000):
            agree(operation, x, count)
            same(operation(Integer(x), Whole(count)), operation(x, count))
            with pytest.raises(ValueError, match="negative shift count"):
                operation(Integer(x), -count - 1)


def test_shifts_by_what_is_no_count():
    for x in EDGES:
        for count in (2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**128):
            same(Integer(x) >> count, x >> count)
            same(Integer(x) >> Integer(count), x >> count)
            with pytest.raises(ValueError, match="negative shift count"):
                Integer(x) >> -count
    same(Integer(6) << True, 12)
    same(Integer(6) >> True, 3)
    for count in (1.0, "1", None):
        with pytest.raises(TypeError):
            Integer(6) << count
        with pytest.raises(TypeError):
            Integer(6) >> count


def test_complements_of_edges():
    for x in EDGES:
        same(~Integer(x), ~x)
        same(-Integer(x), -x)
        same(abs(Integer(x)), abs(x))


def test_bools():
    for x in EDGES:
        for y in (False, True):
            for operation in (*BINARY, *DIVIDE):
                agree(operation, x, y)
    assert [type(Integer(y)) for y in (False, True)] == [Integer, Integer]
    assert [int(Integer(y)) for y in (False, True)] == [0, 1]


def test_ints_of_another_class():
    for x in EDGES:
        same(Integer(Whole(x)), x)
        same(Integer(3) * Whole(x), 3 * x)
        same(Whole(x) - Integer(1), x - 1)


def checked(x: int) -> None:
    """There and back, to an int like any other: as long, and as good an operand."""
    there = Integer(x)
    back = int(there)
    assert type(back) is int
    assert str(there) == str(back) == str(x)
    same(Integer(str(x)), x)
    assert (back, hash(back), back.bit_length()) == (x, hash(x), x.bit_length())
    assert sys.getsizeof(back) == sys.getsizeof(x * 1)
    assert (back - x, back ^ x, back + 1, back * back) == (0, 0, x + 1, x * x)
    assert (there + x, x - there, there == x) == (2 * x, 0, True)


def test_edges_there_and_back():
    for x in EDGES:
        checked(x)
    for digits in (1, 2, 9, 10, 11, 18, 19, 20, 38):
        for x in (10**digits - 1, 10**digits):
            checked(x)
            checked(-x)


@given(integers(1000))
def test_there_and_back(x):
    checked(x)


@given(st.integers(1, 400), st.booleans())
def test_powers_of_two_there_and_back(digits, negative):
    for offset in (-1, 0, 1):
        x = 2 ** (30 * digits) + offset
        checked(-x if negative else x)


def test_small_ints_are_those_that_python_has_already():
    for x in range(-5, 257):
        assert int(Integer(x)) is int(str(x))


@pytest.mark.parametrize("length", [1, 19, 20, 8191, 8192, 8193, 9999, 10_000])
def test_text_of_a_length(length):
    """Its words follow the object's head, or are allocated: those of a long text, by work that is watched."""
    x = Integer(10) ** length // 7
    for text in (str(x), "0" * length + "5", " " * length + "5", "1" + "0" * length + "_1"):
        value = Integer(text)
        assert str(value) == text.strip(" ").replace("_", "").lstrip("0")
        assert Integer(format(int(value), "x"), 16) == value


@pytest.mark.parametrize("bits", [1, 64, 500, 3500, 3700])
def test_memory_of_the_dead_is_taken_once(bits):
    numbers = [Integer(1 << bits) + i for i in range(60)]
    del numbers[::2]
    numbers += [Integer(3 << bits) - i for i in range(60)]
    values = [(1 << bits) + i for i in range(1, 60, 2)] + [(3 << bits) - i for i in range(60)]
    assert list(map(int, numbers)) == values
    assert list(map(hash, numbers)) == list(map(hash, values))
    assert len(set(map(id, numbers))) == len(numbers)


BYTES = {
    "no argument": [(), {}],
    "a name": [(3,), {"signed": True}],
    "all names": [(), {"length": 4, "byteorder": "little", "signed": False}],
    "a wrong name": [(3,), {"order": "big"}],
    "a name too many": [(3,), {"length": 3}],
    "too many": [(3, "big", True), {}],
    "no order": [(3, None), {}],
    "another order": [(3, "middle"), {}],
    "no length": [("3",), {}],
    "a length of another class": [(Whole(3), "big"), {}],
    "a length below zero": [(-1,), {}],
    "a length beyond all": [(2**70,), {}],
}


@pytest.mark.parametrize("name", BYTES)
def test_arguments_of_to_bytes(name):
    arguments, named = BYTES[name]
    for x in (0, 1, -1, 200, -200):
        expected = outcome(lambda x: x.to_bytes(*arguments, **named), x)
        assert outcome(lambda x: x.to_bytes(*arguments, **named), Integer(x)) == expected


def test_arguments_of_from_bytes():
    for arguments, named in (
        [(), {}],
        [(b"ab",), {"byteorder": "little", "signed": True}],
        [(), {"bytes": b"\xff\xfe", "signed": 1}],
        [(b"ab", "big"), {"byteorder": "big"}],
        [(b"ab", "big", False), {}],
        [(b"ab",), {"base": 2}],
        [(b"ab", "middle"), {}],
        [(b"ab", b"big"), {}],
        [(5,), {}],
        [("ab",), {}],
        [([1, 2, 300],), {}],
    ):
        expected = outcome(partial(int.from_bytes, *arguments, **named))
        assert outcome(partial(Integer.from_bytes, *arguments, **named)) == expected


PROGRAM = """
import sys, types
sys.int_info = types.SimpleNamespace(bits_per_digit=15)
sys.path.insert(0, sys.argv[1])
from test_integer_words import EDGES, checked, test_every_pair_of_edges, test_ints_of_another_class
for x in (*EDGES, 3**999, -7**1234):
    checked(x)
test_ints_of_another_class()
test_every_pair_of_edges()
print("done")
"""


def test_ints_of_an_unknown_layout():
    """They are read and written by int's own methods."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, __file__.rpartition("/")[0]], capture_output=True, text=True
    )
    assert (run.stdout, run.stderr) == ("done\n", "")
