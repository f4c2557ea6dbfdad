"""Words read from slices: whole, cut short, or of nothing, beside CPython; and what is asked for each."""

import random
import re

import pytest
from carrychain import jit

RANDOM = random.Random(6)
DATA = RANDOM.randbytes(40)


def in_step(data: bytes) -> list:
    found = []
    for at in range(0, len(data) // 8 * 8, 8):
        found.append(int.from_bytes(data[at : at + 8], "little"))
    return found


def some_at_once(data: bytes) -> int:
    at, total = 0, 1
    while at + 16 <= len(data):
        total = total * 31 + int.from_bytes(data[at : at + 8], "big") & 0xFFFFFFFFFFFFFFFF
        total ^= int.from_bytes(data[at + 8 : at + 12], "little")
        total += int.from_bytes(data[at + 12 : at + 16], "big", signed=True)
        at += 16
    return total


def beyond(data: bytes) -> list:
    """By one more than the loop asked for."""
    found, at = [], 0
    while at + 8 <= len(data):
        found.append(int.from_bytes(data[at + 1 : at + 9], "big"))
        found.append(int.from_bytes(data[at - 3 : at + 5], "little"))
        at += 5
    return found


def anywhere(data: bytes, at: int, size: int) -> list:
    return [
        int.from_bytes(data[at : at + 8], "little"),
        int.from_bytes(data[at : at + 4], "big", signed=True),
        int.from_bytes(data[at : at + 3], "big"),
        int.from_bytes(data[at : at + 20], "little"),
        int.from_bytes(data[:4], "big"),
        int.from_bytes(data[at : at + size], "big"),
        int.from_bytes(data[at : at + size], "little", signed=True),
        int.from_bytes(data[at:], "little"),
    ]


@pytest.mark.parametrize("function", [in_step, some_at_once, beyond], ids=lambda f: f.__name__)
def test_words_of_data_of_any_length(function):
    compiled = jit(function)
    for length in range(len(DATA) + 1):
        assert compiled(DATA[:length]) == function(DATA[:length])


def test_words_anywhere():
    compiled = jit(anywhere)
    for length in (0, 1, 4, 7, 8, 9, 20, 40):
        for at in (-41, -9, -8, -1, 0, 1, 4, length - 8, length, 1 << 70):
            for size in (-1, 0, 1, 2, 4, 7, 8, 16, 19, 1 << 80):
                data = DATA[:length]
                assert compiled(data, at, size) == anywhere(data, at, size), (length, at, size)


@pytest.mark.parametrize("function", [in_step, some_at_once], ids=lambda f: f.__name__)
def test_what_a_loop_has_asked_is_not_asked_again(function):
    compiled = jit(function)
    compiled(DATA)
    ir = compiled.inspect_ir()
    assert "load_le 64" in ir or "load_be 64" in ir
    # no slice is cut short
    assert "little.loop" not in ir
    (version,) = compiled.compiled
    assert not re.search(r"bounds\w* %1\b", version.text("words"))


def seeded(data: bytes, seed: int = 0) -> int:
    h = seed
    for byte in data:
        h = (h * 31 ^ h >> 7 ^ byte) & 0xFFFFFFFF
    return h


def test_a_seed_of_any_size_begins_a_loop_of_words():
    compiled = jit(seeded)
    for seed in (0, 5, -1, 1 << 32, 3**200, -(3**200)):
        for length in (0, 1, 2, 40):
            assert compiled(DATA[:length], seed) == seeded(DATA[:length], seed)
    # all but the first round is of words, or this would take as long as CPython's integers do
    assert ".p1" in compiled.inspect_ir()


def test_a_list_that_grew_is_given_back_with_and_without_room_behind_it():
    def squares(n: int) -> list:
        found = [0]
        for k in range(1, n):
            found.append(k * k)
        return found

    compiled = jit(squares)
    for n in (0, 1, 2, 64, 65, 66, 67, 130, 138, 139, 300):
        assert compiled(n) == squares(n)


def test_a_list_that_grows_while_it_is_gone_through_is_gone_through_to_its_end():
    def more(n: int) -> list:
        found = [n]
        for at, each in enumerate(found):
            if each > 0:
                found.append(each - 1)
                found.append(at)
            if len(found) > 60:
                break
        return found

    assert jit(more)(4) == more(4)
