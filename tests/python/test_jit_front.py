"""Python's front end: functions as IR, run by its interpreter beside CPython; what is refused."""

import copy
import math

import pytest
from carrychain.ring.front.python.kinds import Buffer, List, Tuple
from carrychain.ring.front.python.module import lower_function
from carrychain.ring.front.python.source import check
from carrychain.ring.ir.errors import SourceError, Trap
from carrychain.ring.ir.form import BOOL, INT, Bool, Int
from carrychain.ring.ir.interface import NULL
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.verify import verify_module

M32 = 0xFFFFFFFF
TABLE = [7, 12, 17, 22]
ROWS = ((1, 2, 3), (40, 50, 60))

rotl = lambda x, n: (x << n | x >> (32 - n)) & M32  # noqa: E731


def kind(value):
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    if value is None:
        return NULL
    if isinstance(value, bytes | bytearray):
        return Buffer(type(value).__name__, readonly=isinstance(value, bytes))
    return List() if isinstance(value, list) else Tuple(tuple(map(kind, value)))


def leaves(value):
    if value is None:
        return []
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in leaves(item)]
    return [list(value) if isinstance(value, bytes) else value]


def rebuilt(of, words):
    match of:
        case Int() | Bool():
            return next(words)
        case Tuple(items):
            return tuple(rebuilt(item, words) for item in items)
        case List(maker=maker):
            return {"list": list, "tuple": tuple}[maker](next(words))
        case Buffer(maker=maker):
            return {"bytes": bytes, "bytearray": bytearray}[maker](next(words))
    if of == NULL:
        return None
    flags = [next(words) for _ in of.members[1:]]
    values = [rebuilt(member, words) for member in of.members]
    return next((value for flag, value in zip(flags, values[1:], strict=True) if flag), values[0])


def interpreted(function, *args):
    lowered = lower_function(function, tuple(map(kind, args)))
    verify_module(lowered.module)
    try:
        results = Interpreter(lowered.module).call(lowered.entry, *(x for arg in args for x in leaves(arg)))
    except Trap as trap:
        if trap.message.startswith("raise "):
            raised = lowered.raised[int(trap.message.removeprefix("raise "))]
            raise raised.type(*raised.args) from None
        raise IndexError(trap.message) from None
    return rebuilt(lowered.gives, iter(results))


def outcome(run, function, args):
    try:
        value = run(function, *args)
    except Exception as error:
        return type(error)
    return repr(value), args


def plain(function, *args):
    return function(*args)


# What is compiled --------------------------------------------------------------------------------


def operators(a, b):
    return a + b, a - b, a * b, a & b, a | b, a ^ b, ~a, -a, a**3, a == b, a < b <= 10, not a


def divided(a, b):
    return a // b, a % b, divmod(a, b)


def shifted(a, n):
    return a << n, a >> n


def bits(a):
    return a.bit_length(), a.bit_count(), abs(a), min(a, 3, -4), max(a, 0), pow(a, 5, 7), math.gcd(a, 12)


def chosen(a, b):
    return a or b, a and b, a if a else None, a is None, b in (1, 2, 3), b not in range(0, 10, 3)


def greatest(a, b):
    while b:
        a, b = b, a % b
    return a


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if steps > 1000:
            break
    else:
        return steps
    return None


def nested(n):
    total = 0
    for i in range(n):
        for j in range(i, n, 2):
            if i * j % 7 == 3:
                continue
            if j > 12:
                break
            total += i * j
        else:
            total += 1000
    return total, i


def perhaps(n):
    if n > 3:
        found = n
    return found


def grown(n):
    one = [1, 2]
    other = one
    for i in range(n):
        if i % 3:
            one.append(i * i)
    one[0] = 9
    other.insert(1, 5)
    one += [7]
    del other[2]
    return len(one), other, one.pop(), sum(x for x in one if x & 1)


def cut_out(data):
    return data[1:-1], data[::-1], data[-3:], data[:2] + data[2:], data * 2, data == data[:], data[5:2]


def spread(a):
    return a.to_bytes(4, "big") + a.to_bytes(9, "little", signed=True) + bytes([1, 2]) + bytes(3)


def changed(data):
    data[0], data[1] = data[1], data[0]
    data[-1] += 1
    return data


def folded(data):
    return max(data), min(data, default=None), any(x == 3 for x in data), all(x > 0 for x in data)


def paired(a, b):
    total = 0
    for i, (x, y) in enumerate(zip(a, b, strict=False), 1):
        total += i * x * y
    for x in reversed(a):
        total = total * 3 + x
    return total


def looked_up(i, j):
    return TABLE[i], ROWS[i % 2][j], rotl(TABLE[j], i), [row[0] for row in ROWS]


def within(a, b):
    twice = a * 2

    def inner(x, y=b):
        if x > 5:
            return x + twice
        return rotl(x, y)

    square = lambda t: t * t + a  # noqa: E731
    return inner(a), inner(twice, 7), square(b)


def refusing(n):
    if n < 0:
        raise ValueError("a natural number is wanted")
    assert n != 3, "not three"
    return n


def joined(data):
    return b"".join(x.to_bytes(2, "little") for x in data), tuple(data), bytearray(b"ab") + bytes(2)


def stepped(data):
    return data[0:-1:2], data[::-3], data[5:0:-2], data[1:2:5], data[4:3]


def by_width(data, n):
    return [int.from_bytes(data[at : at + n], "little") for at in range(-3, len(data) + 2)]


def wide(data):
    return int.from_bytes(data[:9223372036854775808], signed=True), int.from_bytes(data[:17], "little")


def unbound_in_a_chain(p):
    for each in range(p):
        last = each
    return 0 < p >= last


def starred(data):
    made = [*TABLE, 5, *data]
    made.append(6)
    return made, (*data, 1), tuple(made)[2:]


def of_nothing(i):
    return ()[i]


def replaced(data):
    made = list(data)
    made[1:3] = [9] * 5
    made[:2] = []
    return made


def sdbm(data):
    h = 0
    for c in data:
        h = c + (h << 6) + (h << 16) - h
    return h


def looks_like_32_bits(data):
    h = 5381
    for c in data:
        h = (h * 33 ^ c) & M32
    return h * 33


NUMBERS = [0, 1, -1, 3, 5, 12, -7, 2**31, 2**63 - 1, -(2**63), 2**64, 2**130 + 1]
PAIRS = [(a, b) for a in NUMBERS for b in NUMBERS]
DATA = [b"", b"a", b"abcde", bytes(range(250, 256)) * 2, bytearray(b"xyz"), [1, 2, 3], [5], (1, 2, 3, 1)]
CASES = [
    *[(operators, (a, b)) for a, b in PAIRS],
    *[(divided, (a, b)) for a, b in PAIRS],
    *[(shifted, (a, n)) for a in NUMBERS for n in (0, 1, 63, 64, 200, -1)],
    *[(bits, (a,)) for a in NUMBERS],
    *[(chosen, pair) for pair in [(0, 5), (None, 3), (True, 9), (4, 2), (False, -3)]],
    *[(greatest, (a, b)) for a, b in PAIRS],
    *[(fibonacci, (n,)) for n in range(12)],
    *[(collatz, (n,)) for n in (1, 7, 27, 2**70 + 1)],
    *[(nested, (n,)) for n in (0, 1, 9, 20)],
    *[(perhaps, (n,)) for n in (2, 4)],
    *[(grown, (n,)) for n in (0, 1, 10, 40)],
    *[(cut_out, (data,)) for data in DATA],
    *[(spread, (a,)) for a in NUMBERS],
    *[(changed, (data,)) for data in (bytearray(b"ab"), bytearray(b"a\xff"), [3, 4], [1], b"ab")],
    *[(folded, (data,)) for data in DATA],
    *[(paired, pair) for pair in [([1, 2], [3]), (b"abc", [1, 2, 3]), ([], [])]],
    *[(looked_up, (i, j)) for i in (0, 3, 4, -1, -5) for j in (0, 2, 3)],
    *[(within, pair) for pair in [(1, 2), (4, 3), (9, 1)]],
    *[(refusing, (n,)) for n in (-1, 0, 3)],
    *[(joined, (data,)) for data in ([1, 2, 300], [70000], [-1])],
    *[(stepped, (data,)) for data in DATA],
    *[(by_width, (bytes(range(200, 212)), n)) for n in (-2, 0, 1, 3, 4, 8, 9, 20)],
    *[(wide, (data,)) for data in (b"", b"\xff\x01", bytes(range(40)))],
    *[(unbound_in_a_chain, (p,)) for p in (-1, 0, 3)],
    *[(starred, (data,)) for data in DATA],
    *[(of_nothing, (i,)) for i in (0, 1)],
    *[(replaced, (data,)) for data in DATA],
    *[(sdbm, (data,)) for data in (b"", b"carry", bytes(40))],
    *[(looks_like_32_bits, (data,)) for data in (b"", b"carry")],
]


@pytest.mark.parametrize(
    ("function", "args"), CASES, ids=lambda x: getattr(x, "__name__", None) or repr(x)[:40]
)
def test_as_cpython(function, args):
    theirs = outcome(plain, function, copy.deepcopy(args))
    assert outcome(interpreted, function, copy.deepcopy(args)) == theirs


def test_what_is_not_cut_may_be_of_any_size():
    assert interpreted(sdbm, b"a long text of many letters").bit_length() > 128


# What is refused ---------------------------------------------------------------------------------


def a_float(x):
    return x * 1.5


def a_quotient(x):
    return x / 2


def a_dict(x):
    return {1: x}


def a_generator(x):
    yield x


def a_try(x):
    try:
        return x
    except ValueError:
        return 0


def many(**args):
    return args


def an_import(x):
    import os

    return os.getpid() + x


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (a_float, "1.5 is a float"),
        (a_quotient, "use //"),
        (a_dict, "a dict"),
        (a_generator, "a generator"),
        (a_try, "try"),
        (many, "name each parameter"),
        (an_import, "import outside"),
    ],
)
def test_refused_at_sight(function, said):
    with pytest.raises(SourceError, match=said) as caught:
        check(function)
    first = function.__code__.co_firstlineno
    assert caught.value.position.file == __file__
    assert first <= caught.value.position.line <= first + 5


def test_without_source():
    space: dict = {}
    exec("def made(x):\n    return x", space)
    with pytest.raises(SourceError, match="made has no source"):
        check(space["made"])


def an_attribute(x):
    return x.real


def printing(x):
    print(x)


def grows_an_argument(x):
    x.append(1)


def two_lists(c):
    a = [1]
    b = [2]
    kept = a
    x = a if c else b
    x.append(3)
    return kept


@pytest.mark.parametrize(
    ("function", "args", "said"),
    [
        (an_attribute, (1,), "no attributes"),
        (printing, (1,), "print: not compiled"),
        (grows_an_argument, ([1],), "that grows"),
        (two_lists, (1,), "list"),
    ],
)
def test_refused_by_kinds(function, args, said):
    with pytest.raises(SourceError, match=said):
        lower_function(function, tuple(map(kind, args)))
