"""Bytes that grow in a loop, sums of bytes, and displays with stars: beside CPython.

What is added to is in memory with room behind it, and all that shows less of it must stay as it was.
"""

import copy
import random
from functools import cache
from time import thread_time

import pytest
from carrychain import jit
from quick import mostly_quick

RANDOM = random.Random(5)


def prefixes(n: int) -> tuple:
    x, kept = b"a", b""
    for i in range(n):
        before = x
        x += bytes([i & 255])
        other = before + b"!"
        before += b"?"
        kept = kept + other + before + x[-2:]
    return x, kept


def itself(n: int):
    x = b"ab"
    for _i in range(n):
        x += x
        x = x + b"-" + x[:3]
        if len(x) > 500:
            x = x[:7]
    return x


def resets(data: bytes):
    out = whole = b""
    for byte in data:
        if byte < 40:
            whole += out
            out = b""
        elif byte < 60:
            out = data[: byte & 7]
        out += bytes((byte,))
        if byte > 250:
            break
        if byte > 240:
            continue
        out = out + b"."
    else:
        whole += b"end"
    return whole + out, out


def maybe(data: bytes):
    found = None
    for byte in data:
        if byte & 1:
            if found is None:
                found = b""
            found += bytes((byte,))
        elif byte & 6 == 0:
            found = None
    return found


def inner(n: int):
    out = b""

    def word(i):
        made = b""
        for k in range(i % 4):
            made += bytes((i & 255, k))
        return made + out[-2:]

    for i in range(n):
        out += word(i)
        out += word(i + 1)
    return out


def doubled(n: int, x: bytes) -> bytes:
    if n == 0:
        return x
    for i in range(n):
        x += bytes((i & 255, n & 255))
    return doubled(n - 1, x)[1:]


def helper(x, n):
    for _i in range(n):
        x += b"h"
    return x[1:]


def given(n: int):
    out = b"g"
    total = 0
    for i in range(n):
        more = helper(out, i)
        out += more[:3]
        total += len(more) + sum(out[-3:])
        last = out
    return (out, last, total) if n else out


def nested(n: int):
    rows = b""
    for i in range(n):
        row = b""
        for k in range(i):
            row += bytes((i ^ k,))
            if k == 5:
                row += b"/"
        rows += row + b"\n"
        first = row[:2]
        rows += first
    return rows


def mixed(n: int, more: bytearray):
    out, more = b"", bytearray(more)
    for i in range(n):
        out += more
        more += out[:2]
        out += memoryview(out)[:1]
        more.append(i & 255)
    return out, bytes(more)


def unbound(n: int):
    for i in range(n):
        if i == 0:
            x = b""
        x += bytes((i & 255,))
    return x


def swapped(n: int):
    a, b = b"a", b"b"
    for _i in range(n):
        a, b = b, a
        a += b"1"
        b += b"22"
    return a, b


def wrong(n: int):
    x = b""
    for _i in range(n):
        x += b"1"
        x += 5
    return x


def from_a_slice(data: bytes):
    x = data[1:3]
    while len(x) < 50:
        x += data[:2] + data
        if not data:
            return x
    return x, x == x + b"", x[3], 97 in x


def sums(a: bytes, b: bytearray, c: bytes):
    return a + c + a + b + c, b + a + c, a + c + c, (a + (c + a)) + a


def display(a: list, n: int):
    a = list(a)
    b = [*a, n, *range(n), *[x + 1 for x in a], *a]
    c = [*a, a.pop(), *a, n]
    t = (*a, n, *c)
    b.append(1)
    c += b
    return b, c, list(t), t[-1]


CALLS = [
    *((prefixes, n) for n in (0, 1, 2, 5, 40, 300)),
    *((itself, n) for n in (0, 1, 2, 5, 20)),
    *((resets, RANDOM.randbytes(n)) for n in (0, 1, 2, 5, 10, 100, 1000)),
    (resets, b"FFFFF"),
    *((maybe, RANDOM.randbytes(n)) for n in (0, 1, 2, 10, 100, 1000)),
    *((inner, n) for n in (0, 1, 30)),
    *((doubled, n, x) for n, x in ((0, b"x"), (1, b"x"), (5, b"abc"))),
    *((given, n) for n in (0, 1, 30)),
    *((nested, n) for n in (0, 1, 30)),
    *((mixed, n, bytearray(b"xyz"[:n])) for n in (0, 1, 5)),
    *((unbound, n) for n in (0, 1, 100)),
    *((swapped, n) for n in (0, 1, 9)),
    *((wrong, n) for n in (0, 1)),
    *((from_a_slice, data) for data in (b"abcd", b"", b"a")),
    *((sums, a, b, c) for a, b, c in ((b"1", bytearray(b"2"), b"33"), (b"", bytearray(), b""))),
    *((display, a, n) for a, n in (([1, 2, 3], 4), ([5], 0), ([], 3))),
]


def outcome(function, args):
    args = copy.deepcopy(args)
    try:
        return function(*args), args
    except Exception as error:
        return type(error), str(error)


# each is compiled once for all of its calls
compiled = cache(jit)


@pytest.mark.parametrize("function, args", [(function, args) for function, *args in CALLS])
def test_as_cpython(function, args):
    with mostly_quick(function.__name__):
        assert outcome(compiled(function), args) == outcome(function, args)


def words(count: int) -> bytes:
    out = b""
    for i in range(count):
        out += i.to_bytes(4, "little")
    return out


def test_growing_takes_as_long_as_what_is_made():
    made_fast = jit(words)
    assert made_fast(1 << 10) == words(1 << 10)
    start = thread_time()
    made = made_fast(1 << 19)
    # all copied for each word would be half a terabyte
    assert thread_time() - start < 10
    assert made[-4:] == ((1 << 19) - 1).to_bytes(4, "little")


def test_a_view_keeps_what_it_shows():
    """Of two that began as one, each has its own."""

    @jit
    def split(n: int) -> tuple:
        x = b"common"
        for i in range(n):
            x += b"1"
            if i == 3:
                y = x
                for _ in range(n):
                    y += b"y"
                x += y[-1:]
        return x, y

    assert split(5) == (b"common1111y1", b"common1111yyyyy")
