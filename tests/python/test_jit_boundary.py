"""Calls of jitted functions: what goes in, what comes back, and what is refused."""

import array
import itertools
import random
import subprocess
import sys
import warnings

import numpy as np
import pytest
from carrychain import Integer, i8, u8, u32
from carrychain.ring.front.python.kinds import Buffer, List, Tuple
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.form import BOOL, INT, signed, unsigned
from carrychain.ring.ir.interface import NULL, Union
from exact import jit
from jit_front import ir, made, of_kind
from numbers_to_try import WORD_EDGES

LOW = ir("%a: int, %b: int", "%p: int = mul %a, %b", "%r: int = low 32 %p")
WHOLE = ir("%a: int, %b: int", "%p: int = mul %a, %b", "%r: int = add %p, %a")


def first_add(d, x):
    old = d[0]
    d[0] = old + x
    return old


def bump(kind, x):
    return ir(
        f"%d: array({kind.element}), %x: int", "%z: int = const 0", "%old: int = load %d, %z",
        "%new: int = add %old, %x", "store %d, %z, %new", returns="%old",
    )  # fmt: skip


def two(a, b):
    return ir(
        f"%a: array({a.element}), %b: array({b.element})", "%z: int = const 0", "%one: int = const 1",
        "%old: int = load %a, %z", "%new: int = add %old, %one", "store %a, %z, %new",
        "%r: int = load %b, %z",
    )  # fmt: skip


def add_first(a, b):
    a[0] += 1
    return b[0]


def same(x):
    return x


def identity():
    """Of an argument of any kind, the same."""
    return made(same, of_kind, lambda kind: kind)


# Ints ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [32, 128])
def test_only_the_low_bits_enter_without_a_guard(bits):
    f = made(lambda a, b: (a, b), LOW.replace("low 32", f"low {bits}"))
    for a, b in itertools.product(WORD_EDGES, repeat=2):
        assert f(a, b) == a * b & (1 << bits) - 1
    # one version does for all
    assert len(f._natives) == 1
    assert f._front.asked == [(INT, INT)]


def test_whole_ints_take_words_if_they_fit_and_big_integers_else():
    f = made(lambda a, b: (a, b), WHOLE)
    for a, b in itertools.product(WORD_EDGES, repeat=2):
        assert f(a, b) == a * b + a
    assert len(f._natives) == 2
    assert f._front.asked == [(INT, INT)]


# around the digits of ints, the words of integers, and what a call has room for
LENGTHS = (29, 30, 59, 60, 61, 62, 89, 90, 119, 120, 191, 192, 959, 960, 1023, 1024, 1025, 1088, 1089, 5000)


def test_ints_come_back_as_they_went():
    f = identity()
    longer = [sign * (2**k + d) for k in LENGTHS for sign in (1, -1) for d in (-1, 0, 1)]
    for x in (*WORD_EDGES, *longer, 3**999, -(7**1234)):
        assert f(x) == x
        assert type(f(x)) is int


PROGRAM = """
import sys, types
sys.int_info = types.SimpleNamespace(bits_per_digit=15)
sys.path.insert(0, sys.argv[1])
import test_jit_boundary
test_jit_boundary.test_ints_come_back_as_they_went()
for bits in (64, 128):
    test_jit_boundary.test_results_in_words(bits, test_jit_boundary.signed)
print("done")
"""


def test_ints_of_an_unknown_layout():
    """They are read and written by int's own methods."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, __file__.rpartition("/")[0]], capture_output=True, text=True
    )
    assert (run.stdout, run.stderr) == ("done\n", "")


@pytest.mark.parametrize("bits", [8, 16, 32, 64, 128])
@pytest.mark.parametrize("sign", [unsigned, signed])
def test_results_in_words(bits, sign):
    op = "low" if sign is unsigned else "field"
    f = made(same, ir("%a: int", f"%r: int = {op} {bits} %a"))
    for x in WORD_EDGES:
        low = x & (1 << bits) - 1
        assert f(x) == (low - (1 << bits) if sign is signed and low >> (bits - 1) else low)


RECURSIVE = """
function @f -> (int) {
entry(%n: int, %m: int):
  %zero: int = const 0
  %done: bool = le %n, %zero
  branch %done, base(), more()
base():
  return %m
more():
  %one: int = const 1
  %less: int = sub %n, %one
  %shifted: int = shift %m, %one
  %next: int = sub %shifted, %n
  %r: int = call @f %less, %next
  %s: int = add %r, %one
  return %s
}"""


def test_recursion_moves_between_words_and_big_integers():
    def meaning(n, m):
        return m if n <= 0 else meaning(n - 1, 2 * m - n) + 1

    f = made(meaning, RECURSIVE)
    for n, m in itertools.product((0, 1, 5, 70), (0, 1, -3, 1 << 60, 1 << 62, -(1 << 63), 1 << 80)):
        assert f(n, m) == meaning(n, m)
    big = 1 << 64
    huge = made(
        meaning, RECURSIVE.replace("const 1\n", f"const {big}\n", 1).replace("shift %m, %one", "add %m, %m")
    )
    # from a big argument down to small ones
    assert huge(3 * big, 1) == (((2 - 3 * big) * 2 - 2 * big) * 2 - big) + 3 * big


COUNTED = """
function @f -> (int) {{
entry(%n: int, %d: array({0})):
  %z: int = const 0
  %one: int = const 1
  %c: int = load %d, %z
  %c.1: int = add %c, %one
  {1}
  %last: bool = le %n, %one
  branch %last, base(), more()
base():
  return %one
more():
  %less: int = sub %n, %one
  %r: int = call @f %less, %d
  %p: int = mul %r, %n
  return %p
}}"""


def test_what_is_given_up_has_done_nothing():
    def factorial(n, d):
        d[0] += 1
        return 1 if n <= 1 else factorial(n - 1, d) * n

    f = made(factorial, lambda n, d: COUNTED.format(d.element, ""))
    # its results are words; one that stores is never given up
    assert next(entry.name for entry in f.version((INT, Buffer("bytes"))).entries) == "f to words"
    g = made(factorial, lambda n, d: COUNTED.format(d.element, "store %d, %z, %c.1"))
    assert next(entry.name for entry in g.version((INT, Buffer("bytearray"))).entries) == "f of words"
    product, counts = 1, bytearray(1)
    for n in range(1, 40):
        product *= n
        assert f(n, b"a") == product
        counts[0] = 0
        assert g(n, counts) == product
        assert counts[0] == n


def test_a_bool_and_none_are_no_ints():
    f = identity()
    assert f(True) is True
    assert f(False) is False
    assert f(None) is None
    assert f(1) == 1 and type(f(1)) is int
    assert f._front.asked == [(BOOL,), (NULL,), (INT,)]


def test_tuples():
    f = identity()
    for x in ((), (1, True, None), (1 << 80, (2, (3, False))), ((),)):
        assert f(x) == x
    assert f._front.asked[1] == (Tuple((INT, BOOL, NULL)),)
    data = bytearray(b"abc")
    assert f((data, 1))[0] is data


# Buffers and lists -------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "BHILQbhilq")
def test_arrays_are_written_in_place(code):
    data = array.array(code, [100, 2, 3])
    f = made(first_add, bump)
    assert f(data, 5) == 100
    assert data.tolist() == [105, 2, 3]
    view = memoryview(data)
    assert f(view, 1) == 105
    assert data[0] == 106
    wanted = (unsigned if code.isupper() else signed)(8 * data.itemsize)
    assert f._front.asked == [
        (Buffer("array", wanted), INT),
        (Buffer("memoryview", wanted), INT),
    ]
    with pytest.raises(OverflowError):
        f(data, 1 << 70)
    assert data[0] == 106


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"])
def test_ndarrays_are_written_in_place(dtype):
    data = np.arange(10, dtype=dtype)
    f = made(first_add, bump)
    assert f(data[3:], 5) == 3
    assert data.tolist() == [0, 1, 2, 8, 4, 5, 6, 7, 8, 9]


def odd_ndarrays(dtype):
    yield np.arange(10, dtype=dtype)[::2]
    yield np.arange(10, dtype=dtype)[::-1]
    yield np.arange(10, dtype=dtype).astype(np.dtype(dtype).newbyteorder(">"))
    yield np.frombuffer(bytearray(81), dtype="u1")[1:].view(dtype)
    yield np.arange(12, dtype=dtype).reshape(3, 4)[:, 1]


@pytest.mark.parametrize("dtype", ["u1", "u4", "i8"])
def test_odd_ndarrays(dtype):
    f = made(first_add, bump)
    plain = list(odd_ndarrays(dtype))
    for data, other in zip(odd_ndarrays(dtype), plain, strict=True):
        assert f(data, 7) == int(other[0])
        other[0] += 7
        assert np.array_equal(data, other)
    assert len(f._front.asked) == 1


def test_odd_views():
    data = bytearray(range(10))
    f = made(first_add, bump)
    assert f(memoryview(data)[::-3], 5) == 9
    assert data == bytearray([0, 1, 2, 3, 4, 5, 6, 7, 8, 14])
    assert f(memoryview(data), 5) == 0
    assert f(memoryview(data)[1:2], 5) == 1
    with pytest.raises(IndexError, match="index out of range"):
        f(memoryview(data)[3:3], 5)
    released = memoryview(data)
    released.release()
    with pytest.raises(ValueError, match="released"):
        f(released, 5)
    # nothing holds it
    data.clear()


def test_what_is_readonly_is_of_another_kind():
    f = identity()
    data = memoryview(b"abc")
    assert f(data) is data
    fixed = np.arange(3)
    fixed.flags.writeable = False
    assert f(fixed) is fixed
    assert f._front.asked == [
        (Buffer("memoryview", readonly=True),),
        (Buffer("ndarray", signed(64), readonly=True),),
    ]
    writable = np.arange(3)
    assert f(writable) is writable
    assert f._front.asked[2] == (Buffer("ndarray", signed(64)),)


def test_bytes_and_bytearrays():
    f = identity()
    for x in (b"", b"abc", bytearray(), bytearray(b"abc")):
        assert f(x) is x
    assert f._front.asked == [(Buffer("bytes"),), (Buffer("bytearray"),)]


LIST = """
function @f -> (int) {{
entry(%d: array({0})):
  %z: int = const 0
  %one: int = const 1
  %n: int = len %d
  jump head(%z, %z)
head(%i: int, %s: int):
  %more: bool = lt %i, %n
  branch %more, body(), done()
body():
  %x: int = load %d, %i
  %t: int = add %s, %x
  store %d, %i, %t
  %j: int = add %i, %one
  jump head(%j, %t)
done():
  return %s
}}"""


def running(d):
    for at, total in enumerate(itertools.accumulate(d)):
        d[at] = total
    return d[-1] if d else 0


def test_lists_of_ints():
    rng = random.Random(1)
    f = made(running, lambda kind: LIST.format(kind.element))
    for count in (0, 1, 2, 5, 200):
        for bits in (5, 62, 63, 64, 200):
            data = [rng.randrange(-1 << bits, 1 << bits) for _ in range(count)]
            wanted, items = list(data), list(data)
            total = running(wanted)
            assert f(data) == total
            assert data == wanted
            # what has not changed is the same
            assert all(a is b for a, b, c in zip(data, items, wanted, strict=True) if b == c and b == 0)
    assert f._front.asked == [(List(),)]


def read(d, e, *narrow):
    return ir(
        f"%d: array({d.element}), %e: array({e.element})", "%z: int = const 0", "%x: int = load %d, %z",
        "%y: int = load %e, %z", "%m: int = xor %x, %y", *narrow, "store %d, %z, %n", "%p: int = mul %x, %y",
        returns="%p",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("narrow", "stored", "items"),
    [
        ("%n: int = select %t, %m, %m", lambda m: m, signed(64)),
        ("%n: int = low 64 %m", lambda m: m & (1 << 64) - 1, unsigned(64)),
        ("%n: int = low 65 %m", lambda m: m & (1 << 65) - 1, INT),
        ("%n: int = low 63 %m", lambda m: m & (1 << 63) - 1, signed(64)),
    ],
)
def test_lists_are_of_words_if_all_that_is_stored_fits(narrow, stored, items):
    f = made(lambda d, e: (d, e), lambda d, e: read(d, e, "%t: bool = const true", narrow))
    for x, y in itertools.product(WORD_EDGES, repeat=2):
        d, e = [x, 5], [y]
        assert f(d, e) == x * y
        assert (d, e) == ([stored(x ^ y), 5], [y])
    words = f.compiled[0].entries[0].params[0].passed.type.element
    assert words == items


def test_the_same_list_twice_as_words():
    f = made(lambda d, e: (d, e), lambda d, e: read(d, e, "%n: int = low 64 %m"))
    for x in WORD_EDGES:
        d = [x]
        assert f(d, d) == x * x
        assert d == [0]


def test_what_is_not_stored_stays_the_same_object():
    data = [10**30, 10**40]
    before = list(data)
    f = made(first_add, bump)
    assert f(data, 1) == 10**30
    assert data == [10**30 + 1, 10**40]
    assert data[1] is before[1]


def test_a_list_comes_back_as_itself():
    f = identity()
    for data in ([], [1], [10**40, -1]):
        assert f(data) is data


def test_the_same_list_twice_is_one():
    f = made(add_first, two)
    data = [10**30]
    assert f(data, data) == 10**30 + 1
    assert f([1], [5]) == 5
    h = made(lambda a, b: (a, b), lambda a, b: of_kind(Tuple((a, b))), lambda a, b: Tuple((a, b)))
    left, right = h(data, data)
    assert left is data and right is data


def test_arrays_that_share_memory():
    f = made(add_first, two)
    data = bytearray(b"abc")
    assert f(data, data) == ord("b")
    assert f(data, memoryview(data)[1:]) == ord("b")
    words = np.arange(4, dtype="u4")
    assert f(words, words[::-1][3:]) == 1
    # of different widths stores are not seen in the other: refused
    with pytest.raises(ValueError, match="shares memory"):
        f(words, words.view("u1"))
    assert words.tolist() == [1, 1, 2, 3]
    # strided ones are copied, and would not be seen either
    with pytest.raises(ValueError, match="shares memory"):
        f(words[::2], words)


def test_new_arrays():
    new = ir(
        "%n: int", "%seven: int = const 7", "%a: array(u8) = new array(u8) %n, %seven",
        "%b: array(int) = new array(int) %n, %n",
        gives="array(u8), array(u8), array(u8), array(int)", returns="%a, %a, %a, %b",
    )  # fmt: skip
    f = made(same, new, Tuple((*[Buffer("bytearray")] * 3, List())))
    a, b, c, d = f(3)
    assert (a, d) == (bytearray(b"\7\7\7"), [3, 3, 3])
    assert a is b is c
    a.append(1)
    assert f(0) == (b"", b"", b"", [])


@pytest.mark.parametrize(
    ("maker", "type_"), [("array", array.array), ("memoryview", memoryview), ("ndarray", np.ndarray)]
)
@pytest.mark.parametrize("element", [unsigned(8), signed(16), unsigned(64)])
def test_new_arrays_of_others(maker, type_, element):
    kind = f"array({element})"
    new = ir("%n: int", "%two: int = const 2", f"%r: {kind} = new {kind} %two, %n", gives=kind)
    f = made(same, new, Buffer(maker, element))
    found = f(7)
    assert type(found) is type_
    assert found.tolist() == [7, 7]
    assert found.itemsize * 8 == element.high.bit_length() + (element.low < 0)


ONE_OF = """
function @f -> (bool, bool, int, array(u8)) {
entry(%n: int):
  %z: int = const 0
  %t: bool = const true
  %f: bool = const false
  %e: array(u8) = new array(u8) %z, %z
  %below: bool = lt %n, %z
  branch %below, none(), rest()
none():
  return %f, %f, %z, %e
rest():
  %zero: bool = eq %n, %z
  branch %zero, memory(), int()
int():
  return %t, %f, %n, %e
memory():
  return %f, %t, %z, %e
}"""


def test_one_of_several_kinds():
    f = made(same, ONE_OF, Union((NULL, INT, Buffer("bytes"))))
    assert [f(n) for n in (-1, 0, 1, 1 << 80)] == [None, b"", 1, 1 << 80]


# How they are passed -------------------------------------------------------------------------------


def test_keywords_and_defaults():
    def f(a, /, b=3, *, c=7):
        return a * b & 0xFFFFFFFF

    g = made(f, LOW)
    assert (g(2), g(2, 5), g(2, b=5), g(2, c=1), g(2, 5, c=1)) == (6, 10, 10, 6, 10)
    for call in (lambda h: h(), lambda h: h(a=1), lambda h: h(1, 2, 3), lambda h: h(1, d=2)):
        with pytest.raises(TypeError) as wanted:
            call(f)
        with pytest.raises(TypeError) as found:
            call(g)
        assert str(found.value) == str(wanted.value)
        assert len(found.traceback) == 2
    f.__defaults__ = (4,)
    assert g(2) == 8


def test_stars():
    def f(*args):
        return args

    g = made(f, of_kind, lambda kind: kind)
    assert g(1, True) == (1, True)
    assert g() == ()


def test_what_is_not_read_may_be_anything():
    def f(self, x):
        return x

    g = made(f, lambda _, x: of_kind(x), lambda _, x: x)
    assert g(object(), 5) == 5
    assert g("", 5) == 5
    assert g._front.asked == [(NULL, INT)]


class Whole(int):
    pass


class Octets(bytes):
    pass


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1.5, "same: x is a float: pass an int, bool, None, bytes, bytearray, memoryview, array or list"),
        ("a", r"same: x is a str: pass bytes, such as x.encode\(\)"),
        (np.bool_(True), "same: x is a bool"),
        (Octets(b"a"), r"same: x is an Octets: pass bytes, such as bytes\(x\)"),
        ({}, "same: x is a dict: pass an int,"),
        ([1, True], r"same: x\[1\] is a bool: pass a list of ints"),
        ([1, [2]], r"same: x\[1\] is a list: pass a list of ints"),
        ((1, (2, 3.0)), r"same: x\[1\]\[1\] is a float: pass an int"),
        (array.array("d"), "same: x is an array of 'd': pass one of integers"),
        (
            array.array("w" if "w" in array.typecodes else "u"),
            "same: x is an array of '[uw]': pass one of integers",
        ),
        (memoryview(b"ab").cast("c"), "same: x is a memoryview of 'c': pass one of integers"),
        (memoryview(b"ab").cast("?"), "same: x is a memoryview of '\\?': pass one of integers"),
        (
            memoryview(b"abcd").cast("B", [2, 2]),
            "same: x has 2 dimensions: pass a one-dimensional memoryview",
        ),
        (np.zeros((2, 2), int), "same: x has 2 dimensions: pass a one-dimensional array"),
        (np.zeros(2), "same: x is an array of float64: pass one of integers"),
        (np.zeros(2, bool), "same: x is an array of bool: pass one of integers"),
        (np.zeros((), int), "same: x has 0 dimensions"),
        (np.matrix([1]), "same: x is a matrix"),
    ],
)
def test_other_arguments_are_refused(value, message):
    f = identity()
    with pytest.raises(TypeError, match=f"^{message}") as found:
        f(value)
    assert "\n" not in str(found.value)
    # no frame of ours
    assert len(found.traceback) == 1
    assert f._front.asked == []


@pytest.mark.parametrize(
    ("value", "is_a"),
    [
        (Whole(1), "x is a Whole"),
        (np.int64(1), "x is an int64"),
        (Integer(1 << 70), "x is an Integer"),
        ((1, np.uint8(255)), r"x\[1\] is an uint8"),
        ([2, Integer(3)], r"x\[1\] is an Integer"),
    ],
)
def test_integers_of_other_types_are_cpythons(value, is_a):
    """A result is of their type, and wraps as theirs does."""
    f = identity()
    with pytest.warns(RuntimeWarning, match=f"same runs in CPython: same: {is_a}: pass an? ") as caught:
        assert f(value) is value
    # at the call
    assert [each.filename for each in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(x=value) is value
    assert f._front.asked == []


def test_fallback_for_other_arguments_warns_once():
    f = made(same, of_kind, lambda kind: kind, fallback=True)
    with pytest.warns(RuntimeWarning, match="same runs in CPython: same: x is a float"):
        assert f(1.5) == 1.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f("a") == "a"
        assert f(x=2.5) == 2.5
        assert f(5) == 5
    assert f._front.asked == [(INT,)]


def test_what_cannot_be_compiled():
    with pytest.raises(SourceError, match=r"test_jit_boundary\.py:[0-9]+:1: a float"):
        made(same, of_kind, refuses="a float")
    f = made(same, lambda kind: None)
    for _ in range(2):
        with pytest.raises(SourceError, match=r"boundary\.py:[0-9]+:5: a refused construct") as found:
            f(1)
        assert len(found.traceback) == 1
    # what was refused is not tried again
    assert f._front.asked == [(INT,)]


def test_what_was_refused_is_tried_in_another_world(monkeypatch):
    f = jit(scaled)
    for _ in range(2):
        with pytest.raises(SourceError, match="a dict: outside a function, compiled code reads only ints"):
            f(3)
    monkeypatch.setitem(globals(), "SCALE", 7)
    assert f(3) == 21
    monkeypatch.setitem(globals(), "SCALE", {})
    with pytest.raises(SourceError, match="a dict: outside a function, compiled code reads only ints"):
        f(3)
    g = jit(scaled, fallback=True)
    monkeypatch.setitem(globals(), "SCALE", 1.5)
    with pytest.warns(RuntimeWarning, match="scaled runs in CPython: .*1.5"):
        assert g(3) == 4.5
    monkeypatch.setitem(globals(), "SCALE", 5)
    assert g(3) == 15
    assert len(g.compiled) == 1


SCALE: object = {}


def scaled(x):
    return x * SCALE


def test_fallback_for_what_cannot_be_compiled():
    with pytest.warns(RuntimeWarning, match="same runs in CPython: .*: a float"):
        f = made(same, of_kind, refuses="a float", fallback=True)
    g = made(same, lambda kind: of_kind(kind) if kind == INT else None, lambda kind: kind, fallback=True)
    assert g(1) == 1
    with pytest.warns(RuntimeWarning, match="same runs in CPython: .*: a refused construct"):
        assert g(b"a") == b"a"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(object) is object
        assert g(b"b") == b"b"
        assert g(2) == 2
    # what was refused is not tried again
    assert g._front.asked == [(INT,), (Buffer("bytes"),)]


# Annotations -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (u8, unsigned(8)), ("u16", unsigned(16)), (u32, unsigned(32)), ("u64", unsigned(64)),
        (i8, signed(8)), ("i64", signed(64)), (int, INT), ("nowhere.there", INT), (u8 | None, unsigned(8)),
    ],
)  # fmt: skip
def test_annotations_of_ints(annotation, kind):
    def f(n):
        return n

    f.__annotations__ = {"n": annotation, "return": u8}
    g = made(f, of_kind, lambda kind: kind)
    ends = [kind.low, kind.high, kind.low + 1, kind.high - 1] if kind != INT else WORD_EDGES
    for x in (0, 1, *ends):
        assert g(x) == x
    assert g._front.asked == [(kind,)]
    if kind != INT:
        for x in (kind.low - 1, kind.high + 1, 1 << 80, -1 << 80):
            with pytest.raises(OverflowError, match=f"^f: n is {x}, not of type [ui][0-9]+$") as found:
                g(x)
            assert len(found.traceback) == 1
        for other in (b"a", True, [1]):
            with pytest.raises(TypeError, match=r"f: n is .*, not as it is annotated"):
                g(other)
    assert len(g._natives) <= 2


def test_annotations_within():
    def f(n: "list[u32]"):
        return n

    g = made(f, of_kind, lambda kind: kind)
    data = [0, 2**32 - 1]
    assert g(data) is data
    assert g._front.asked == [(List(unsigned(32)),)]
    with pytest.raises(OverflowError, match=r"f: n\[1\] is -1, not of type u32"):
        g([0, -1])
    with pytest.raises(TypeError, match="f: n is a bytes, not as it is annotated"):
        g(b"a")
    f.__annotations__ = {"n": tuple[u8, int]}
    h = made(f, of_kind, lambda kind: kind)
    assert h((255, 1 << 80)) == (255, 1 << 80)
    with pytest.raises(OverflowError, match=r"f: n\[0\] is 256, not of type u8"):
        h((256, 1))
    f.__annotations__ = {"n": tuple[u8, ...]}
    h = made(f, of_kind, lambda kind: kind)
    assert h((1, 2, 3)) == (1, 2, 3)
    assert h._front.asked == [(Tuple((unsigned(8),) * 3),)]


def test_a_list_of_words_is_written():
    def f(d: list[u8], x):
        return first_add(d, x)

    g = made(f, bump)
    data = [5, 6]
    assert g(data, 250) == 5
    assert data == [255, 6]
    with pytest.raises(OverflowError):
        g(data, 1)
    assert data == [255, 6]


def test_overflow_is_no_matter_of_fallback():
    def f(n: u8):
        return n

    g = made(f, of_kind, lambda kind: kind, fallback=True)
    with pytest.raises(OverflowError):
        g(256)


def test_words_are_divided_by_words():
    def divided(a: int, b: int) -> tuple[int, int]:
        return a // b, a % b

    compiled, rng = jit(divided), random.Random(8)
    edges = [each for each in WORD_EDGES if each.bit_length() < 66]
    edges += [rng.getrandbits(rng.randrange(1, 66)) * rng.choice((1, -1)) for _ in range(20)]
    for a, b in itertools.product(edges, edges):
        if b:
            assert compiled(a, b) == divided(a, b), (a, b)
        else:
            with pytest.raises(ZeroDivisionError):
                compiled(a, b)
    # 128 bits would be divided by a call
    assert "__divti3" not in compiled.inspect_asm() and "__modti3" not in compiled.inspect_asm()
