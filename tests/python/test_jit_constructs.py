"""What other people's Python is made of: quotients that become ints, map and reduce, any number of arguments,
texts that are compared; and what can be gone through once."""

import copy
import math
import random
from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from carrychain.ring.front.python.module import lower_function
from carrychain.ring.ir.errors import SourceError
from exact import jit
from test_jit_front import interpreted, kind, outcome, plain

# Quotients ----------------------------------------------------------------------------------------


def truncated(a, b):
    return int(a / b)


def below(a, b):
    return math.floor(a / b)


def above(a, b):
    return math.ceil(a / b)


def to_even(a, b):
    return round(a / b)


def cut(a, b):
    return math.trunc(a / b)


QUOTIENTS = [truncated, below, above, to_even, cut]


def dividends(rng):
    """Pairs whose quotients are next to integers, to halves, to what doubles there are, and to their ends."""

    def number():
        bits = rng.choice((3, 10, 51, 52, 53, 54, 55, 60, 64, 100, 200, 1023, 1024, 1025, 1100, 2200))
        found = rng.choice(
            (rng.getrandbits(bits), (1 << bits) + rng.randrange(-2, 3), rng.getrandbits(bits) | 1)
        )
        return rng.choice((1, -1)) * found

    b = number()
    match rng.randrange(6):
        case 0:
            return b * number() + rng.randrange(-2, 3), b
        case 1:
            return b * rng.randrange(1000) + b // 2 + rng.randrange(-1, 2), b
        case 2:
            return (2 * rng.getrandbits(rng.choice((5, 53, 54, 55))) + 1) * b // 2, b
        case 3:
            # next to half of the least double
            return b, (b << rng.randrange(1070, 1080)) + rng.randrange(-1, 2)
        case 4:
            return rng.choice((True, False)), rng.choice((b, 0, True))
    return number(), b


@pytest.mark.parametrize("function", QUOTIENTS)
def test_quotients(function):
    rng = random.Random(24)
    compiled = jit(function)
    for _ in range(3000):
        a, b = dividends(rng)
        theirs, ours = (outcome(plain, each, (a, b)) for each in (function, compiled))
        assert ours == theirs, (a, b)


@pytest.mark.parametrize("function", QUOTIENTS)
@pytest.mark.parametrize(
    ("args", "said"),
    [((5, 0), "division by zero"), ((10**400, 3), "integer division result too large for a float")],
)
def test_what_quotients_raise(function, args, said):
    for each in (function, jit(function)):
        with pytest.raises(ArithmeticError) as caught:
            each(*args)
        assert caught.value.args == (said,)


def of_bytes(data):
    return int(data / 2)


def blocks(data):
    total = 0
    for at in range(0, int(len(data) / 4) * 4, 4):
        total += data[at]
    return total, round(len(data) / 3), math.ceil(True), math.floor(len(data))


# Functions as values --------------------------------------------------------------------------------


xored = lambda a, b: list(map(lambda x, y: x ^ y, a, b))  # noqa: E731
one_of_two, other_of_two = (lambda x: x + 1), (lambda x: x * 2)


def mapped(x):
    tripled = map(lambda y: 3 * y, [x, 2]) if x is None else None
    assert tripled is None
    total = sum(map(lambda y: y * x, range(x)))
    for y in map(abs, (x, -4)):
        total = total * 10 + y
    return (
        total,
        tuple(map(sum, [(1, x), (3, 4)])),
        bytes(map(lambda y: y & 127, [x, 2])),
        any(map(bool, [0, x])),
    )


def unpacked(x):
    a, b, c = map(lambda y: 100 // y, [x, 5, 4])
    return a, b, c


def unpacked_in_vain(x):
    a, b = map(lambda y: 100 // y, [1, 2, x, 0])
    return a + b


def beside(x):
    return [p * q for p, q in zip([1, 2, 3], map(lambda y: y + x, [1, 2]), strict=False)]


def numbered(x):
    return [p * q for p, q in enumerate(map(lambda y: y + x, [1, 2]), 1)]


def reduced(x):
    digits = reduce(lambda p, q: p * 10 + q, [1, x, 3])
    pair = reduce(lambda p, q: (p[0] + q, p[1] * q), [1, x], (0, 1))
    return digits, pair, reduce(max, [1, x], 2), reduce(math.gcd, (x * 6, 4), 0)


def reduced_to_nothing(x):
    return reduce(lambda p, q: p + q, x)


# Views ----------------------------------------------------------------------------------------------


def seen(data):
    return memoryview(data)


def from_there(view, at):
    return view[at:]


def written_through(data):
    rest = from_there(seen(data), 1)
    rest[0] = 7
    from_there(rest, 1)[0] = 8
    return bytes(rest), data[1], len(rest), sum(seen(data))


# Any number of arguments ----------------------------------------------------------------------------


def many(*numbers):
    total = 0
    for at, each in enumerate(numbers):
        total += at * each
    return len(numbers), total


def some(first, *rest, times=3):
    return first * times + sum(rest)


def calls_many(x):
    def inner(*q, w=2):
        return sum(q) * w

    pair = x, 5
    return many(1, x), many(), many(*pair, 2), some(x), some(x, 1, 2, times=4), inner(*pair, w=x), inner()


def calls_too_few():
    return some()


# Texts ----------------------------------------------------------------------------------------------

ORDER = "big-endian, as it is written"


def of_texts(x, mode="big-endian, as it is written"):
    if mode == ORDER and ORDER != "little":
        x += 1
    if "":
        x += 2
    if "endian" in ORDER and not "":
        x += len(ORDER)
    text = ""
    return x + (text or 4)


def asks_otherwise(x):
    return of_texts(x, "little"), of_texts(x, mode="big-endian, as it is written")


def least_of_all(x):
    return min((1, 2), (0, x)), max(b"a", b"b"), min([2, x], [1])


def by_their_type(x, y):
    return int.to_bytes(x, 2, "little"), int.bit_length(y), int.bit_count(y), list.copy([1, y])


def unbound_in_it(x):
    if x > 3:
        y = x
    return max([x - y for _ in (1, 2)], default=y)


def stored_to_after(data, x):
    def change():
        data[0] += x
        return 1

    return max(data[0:2], default=change()), min([each for each in data], default=change()), data


def by_the_order_of_a_call(data):
    def change():
        data[0] = 9
        return "big"

    return int.from_bytes(data[:2], change()), int.from_bytes(data[:2], byteorder=change(), signed=False)


HALF = Fraction(7)
CASES = [
    *[(blocks, (bytes(range(n)),)) for n in (0, 3, 4, 17)],
    (of_bytes, (b"ab",)),
    (xored, ([1, 2, 3], [5, 7])),
    *[(each, (x,)) for each in (one_of_two, other_of_two) for x in (3, -4)],
    *[
        (each, (x,))
        for each in (mapped, unpacked, unpacked_in_vain, beside, numbered, reduced, calls_many)
        for x in (0, 3, 7)
    ],
    *[(written_through, (bytearray(data),)) for data in (b"", b"ab", b"abcde")],
    *[(reduced_to_nothing, (data,)) for data in ([], [4], [1, 2, 3], b"abc")],
    *[(many, args) for args in ((), (1,), (1, 2, 3))],
    *[(some, args) for args in ((1,), (1, 2), (1, 2, 3, 4))],
    (calls_too_few, ()),
    *[(by_their_type, (x, y)) for x in (0, True, 300, 1 << 16, -1) for y in (-77, 1 << 70)],
    *[(each, (x,)) for each in (asks_otherwise, least_of_all) for x in (0, 3)],
    *[(unbound_in_it, (x,)) for x in (3, 4)],
    *[(stored_to_after, (data, 50)) for data in ([], [3], [3, 4, 1])],
    (by_the_order_of_a_call, (bytearray(b"abc"),)),
]


@pytest.mark.parametrize(
    ("function", "args"), CASES, ids=lambda x: getattr(x, "__name__", None) or repr(x)[:40]
)
def test_as_cpython(function, args):
    theirs = outcome(plain, function, copy.deepcopy(args))
    if function not in (many, some):
        assert outcome(interpreted, function, copy.deepcopy(args)) == theirs
    assert outcome(plain, jit(function), copy.deepcopy(args)) == theirs


def test_arguments_by_name():
    compiled = jit(some)
    assert compiled(1, 2, times=5) == 7
    assert compiled(first=4) == 12
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'first'"):
        compiled(times=4)


# What is raised, if it must be computed --------------------------------------------------------------


class OwnError(Exception):
    def __init__(self, said, code=3):
        super().__init__(said)
        self.code = code


MESSAGE = "a text of the module's"


def raises(data, x):
    data[0] = x
    match_ = x % 11
    if match_ == 1:
        raise ValueError(f"bad {x:#x} of {data}")
    if match_ == 2:
        raise OwnError("bad %d" % (x + len(data)))  # noqa: UP031
    if match_ == 3:
        raise OwnError(5, code=x)
    if match_ == 4:
        raise KeyError((1, -2), "xy")
    if match_ == 5:
        raise OSError(x, MESSAGE)
    assert match_ != 6, x * 2
    assert match_ != 7, f"{x // (x - 7)}"
    if match_ == 8:
        raise (ValueError, "no exception's type")
    if match_ == 9:
        raise ValueError("because") from ZeroDivisionError("of this")
    raise LookupError


def told(function, *args):
    with pytest.raises(Exception) as found:
        function(*args)
    error = found.value
    lines = [entry.lineno + 1 for entry in found.traceback[1:]]
    return type(error), error.args, vars(error), type(error.__cause__), lines


@pytest.mark.parametrize("made", [lambda: bytearray(b"abc"), lambda: [1, 2, 3]])
def test_what_is_raised(made):
    compiled = jit(raises)
    for x in range(11):
        ours, theirs = made(), made()
        assert told(compiled, ours, x) == told(raises, theirs, x)
        assert ours == theirs


def read_there(array, at):
    total = 0
    for k in range(2):
        total += int(array[at + k])
    return total


def test_what_numpy_says_of_an_index():
    compiled = jit(read_there)
    for dtype in ("uint8", "int64"):
        array = np.arange(3, dtype=dtype)
        assert compiled(array, 1) == 3
        for at in (2, 5, -4, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 2**100):
            assert told(compiled, array, at)[:2] == told(read_there, array, at)[:2]


def written_there(array, at):
    array[0] = 7
    array[at] = at & 1


def test_what_numpy_raises_for_an_index_of_what_is_written():
    compiled = jit(written_there)
    for at in (5, -4, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63) - 1, 2**100):
        ours, theirs = np.arange(3), np.arange(3)
        assert told(compiled, ours, at)[0] is told(written_there, theirs, at)[0], at
        assert ours.tolist() == theirs.tolist()


# What is refused ------------------------------------------------------------------------------------


def gone_through_twice(a, b):
    pairs = zip(a, b, strict=False)
    return sum(x * y for x, y in pairs) + sum(x for x, y in pairs)


def gone_through_elsewhere(a, b):
    return both(enumerate(a))


def both(pairs):
    return sum(x for x, _ in pairs) + sum(y for _, y in pairs)


def within_a_tuple(a, b):
    held = (reversed(a), 1)
    return sum(held[0]) + sum(held[0])


def a_pair_is_one(a, b):
    return (1, 2) in zip(a, b, strict=False)


def backwards(a, b):
    return list(reversed(zip(a, b, strict=False)))


def a_float_that_stays(a, b):
    half = len(a) / 2
    return half


def of_another_world(a, b):
    return len(a) == HALF


def true_or_not(a, b):
    return 1 if HALF else 0


def made_negative(a, b):
    return int(-HALF)


def digits(a, b):
    return int("12") + int(b"12")


def a_map_first(a, b):
    return [x * y for x, y in zip(map(lambda x: x + 1, a), b, strict=False)]


def a_map_of_some(a, b):
    x, y = map(lambda x: x + 1, a)
    return x + y


def a_view(a, b):
    return memoryview(b"abc")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (a_view, "a view of another's memory"),
        (gone_through_twice, "a name for an iterator"),
        (gone_through_elsewhere, "a name for an iterator"),
        (within_a_tuple, "a name for an iterator"),
        (a_pair_is_one, "an iterator"),
        (backwards, "an iterator"),
        (a_float_that_stays, "makes a float"),
        (of_another_world, "comparing a Fraction"),
        (true_or_not, "the truth of a Fraction"),
        (made_negative, "Fraction"),
        (digits, "str"),
        (a_map_first, "a map\\(\\) among others"),
        (a_map_of_some, "of unknown length"),
    ],
)
def test_refused(function, said):
    with pytest.raises(SourceError, match=said):
        lower_function(function, (kind([1]), kind([1])))
