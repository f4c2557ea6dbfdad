"""vectorize: jitted functions of many inputs give what they give one at a time."""

import array
import hashlib
import pickle
import random
import threading
from itertools import product

import pytest
from carrychain import jit, u8, u32, u64, vectorize
from carrychain.ring.call.many import work
from carrychain.ring.emit import llvm
from draws import LONG, random_for
from events import interrupted
from test_examples_python import example


@jit
def fnv(data: bytes) -> int:
    h = 0x811C9DC5
    for byte in data:
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    return h


@jit
def padded(data: bytes) -> bytes:
    return data + b"\x80" + bytes((7 - len(data)) % 8)


@jit
def joined(data: bytes) -> bytes:
    found = b""
    for at in range(0, len(data), 3):
        found += data[at : at + 2]
    return found


@jit
def mixed(x: u32, k: u32):
    if x & 1:
        return (x ^ x >> 15) * (2 * k + 1) & 0xFFFFFFFF
    return x // k


@jit
def pair(x: u64):
    return x & 0xFF, x > 1000


@jit
def squared(x):
    return x * x


@jit
def halved(x: u8, data: bytearray):
    data[0] = x // 2
    return data[0]


@jit
def slow(n: u32, x: u32):
    for _ in range(n):
        x = (x * 1664525 + 1013904223) & 0xFFFFFFFF
    return x


def test_buffers():
    many = vectorize(fnv)
    rng = random.Random(1)
    data = [rng.randbytes(rng.choice((0, 5, 5, 5, 64))) for _ in range(100)]
    found = many(data)
    assert isinstance(found, array.array) and found.itemsize == 4
    assert list(found) == [fnv(each) for each in data]
    assert many.why(data) is None
    # made of a constant, or of what was made before
    assert vectorize(joined).why(data) is None
    assert vectorize(joined)(data) == [joined(each) for each in data]
    assert many(b"one") == fnv(b"one")
    assert list(many([])) == []
    assert vectorize(padded)(data) == [padded(each) for each in data]
    assert list(many([data[0], bytearray(b"x")])) == [fnv(data[0]), fnv(bytearray(b"x"))]


HASHES, REGISTERS = ("md5", "sha1", "sha256"), (128, 256, 512)
# each register and each hash once; all of both where tests are long
DRAWN = list(zip(random_for("hashes in lanes").sample(HASHES, 3), REGISTERS, strict=True))


@pytest.mark.parametrize(("name", "register"), product(HASHES, REGISTERS) if LONG else DRAWN)
def test_hashes_in_lanes(name, register, nothing_kept, monkeypatch):
    """Copies of whole registers, of less, and of single bytes; one group and more."""
    monkeypatch.setattr(llvm, "register", lambda: register)
    many = vectorize(jit(getattr(example(name), name)))
    rng = random.Random(register)
    for count in (2, 16, 37):
        for size in (0, 1, 55, 64, 119, 300, 1000):
            data = [rng.randbytes(size) for _ in range(count)]
            assert many.why(data) is None
            assert many(data) == [hashlib.new(name, each).digest() for each in data]


def test_a_world_that_changed(monkeypatch):
    module = example("crc32")
    many, data = vectorize(jit(module.crc32)), [b"abc", b"def", b"ghi"]
    before = list(many(data))
    assert list(many(data)) == before == [module.crc32(each) for each in data]
    monkeypatch.setattr(module, "TABLE", [0] * 256)
    assert list(many(data)) == [module.crc32(each) for each in data] != before


def test_ints():
    many = vectorize(mixed)
    xs = array.array("I", range(5, 300))
    found = many(xs, 7)
    assert list(found) == [mixed(x, 7) for x in xs]
    assert list(many(list(xs), k=7)) == list(found)
    first, second = vectorize(pair)(list(range(900, 1100)))
    assert list(first) == [x & 255 for x in range(900, 1100)]
    assert second == [x > 1000 for x in range(900, 1100)]
    assert vectorize(squared)([1, 2**40, -(2**70)]) == [1, 2**80, 2**140]
    assert many(10, 5) == 2


def test_what_is_raised_is_the_first_ones():
    many = vectorize(mixed)
    with pytest.raises(ZeroDivisionError):
        many([1, 3, 4, 2**32], [1, 2, 0, 1])
    with pytest.raises(OverflowError, match="x is 4294967296"):
        many([1, 3, 2**32, 4], [1, 2, 1, 0])
    with pytest.raises(TypeError):
        many([1, "2"], 3)
    with pytest.raises(ValueError, match="2 and 3 inputs"):
        many([1, 2], [1, 2, 3])
    with pytest.raises(TypeError, match="function written in Python, not a builtin"):
        vectorize(len)


def test_what_is_stored_before_one_fails_is_stored():
    targets = [bytearray(1), bytearray(1), bytearray(), bytearray(1)]
    with pytest.raises(IndexError):
        vectorize(halved)([10, 20, 30, 40], targets)
    assert targets == [bytearray([5]), bytearray([10]), bytearray(), bytearray(1)]
    assert "stores to an argument" in vectorize(halved).why([1], [bytearray(1)])


def test_it_pickles():
    many = pickle.loads(pickle.dumps(vectorize(fnv, threads=3)))
    assert many.threads == 3
    assert list(many([b"abc"] * 3)) == [fnv(b"abc")] * 3


@vectorize
def squares(x):
    return x * x % 1000


def test_a_plain_function_is_jitted():
    assert list(squares(range(40))) == [x * x % 1000 for x in range(40)]
    assert squares.why(range(40)) is None or squares.function.compiled
    assert pickle.loads(pickle.dumps(squares)) is squares
    assert list(vectorize(lambda x: x + 1)([1, 2])) == [2, 3]


def test_where_compiled_code_has_no_answer_cpython_gives_it():
    def powers(x, e):
        return (x & 3) ** e & 255 if e >= 0 else 2**e

    many = vectorize(powers)
    exponents = [*range(20), -1, *range(20)]
    assert list(many([3] * 41, exponents)) == [powers(3, e) for e in exponents]
    assert "what compiled code has not" in many.why([3], [1])


def test_threads(monkeypatch):
    monkeypatch.setattr(work, "LONG", 0)
    used = set()
    drive = work.VectorBatch.drive
    monkeypatch.setattr(
        work.VectorBatch, "drive", lambda *args: (used.add(threading.get_ident()), drive(*args))[1]
    )
    rng = random.Random(2)
    data = [rng.randbytes(50) for _ in range(2000)]
    assert list(vectorize(fnv, threads=4)(data)) == [fnv(each) for each in data]
    assert len(used) > 1


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_it(threads, monkeypatch):
    monkeypatch.setattr(work, "LONG", 0)
    many = vectorize(slow)
    many([1] * 200, 5, threads=threads)
    with interrupted():
        # it would take days
        many(array.array("I", [2**32 - 1] * 4_000_000), 5, threads=threads)


@pytest.mark.parametrize("threads", [2, 5])
def test_an_interrupt_ends_what_other_threads_do(threads, monkeypatch):
    """The first of the inputs, which are done before it is known how long it takes, take no time."""
    monkeypatch.setattr(work, "LONG", 0)
    many = vectorize(slow)
    with interrupted():
        many(array.array("I", [1] * 1000 + [2**32 - 1] * 1000), 5, threads=threads)


# NumPy ----------------------------------------------------------------------------------------------------


def test_arrays_of_numpy(numpy):
    many = vectorize(mixed)
    xs = numpy.arange(1, 121, dtype=numpy.uint16).reshape(2, 60)
    ks = numpy.array([[3], [5]])
    found = many(xs, ks)
    assert found.dtype == numpy.uint32 and found.shape == (2, 60)
    assert found.tolist() == [[mixed(x, k) for x in row] for row, k in zip(xs.tolist(), (3, 5), strict=True)]
    out = numpy.zeros((2, 60), numpy.int64)
    assert many(xs, ks, out=out) is out and (out == found).all()
    low, large = vectorize(pair)(numpy.array([5, 2000], ">u8"))
    assert large.dtype == bool and large.tolist() == [False, True] and low.tolist() == [5, 2000 & 255]
    assert vectorize(squared)(numpy.array([2**62])).tolist() == [2**124]
    assert many(numpy.array([], numpy.uint32), 5).shape == (0,)
    with pytest.raises(ValueError, match="inputs"):
        many(xs, numpy.arange(7))
    with pytest.raises(OverflowError):
        many(numpy.array([3, -1]), 5)


def test_rows_of_numpy(numpy):
    rows = numpy.random.default_rng(3).integers(0, 256, (40, 30), numpy.uint8)
    assert vectorize(fnv)(rows).tolist() == [fnv(row.tobytes()) for row in rows]
    found = vectorize(padded)(rows[:, ::2])
    assert found.dtype == numpy.uint8 and found.shape == (40, 16)
    assert [bytes(row) for row in found] == [padded(row.tobytes()) for row in rows[:, ::2]]
    assert vectorize(fnv)(rows.reshape(4, 10, 30)).shape == (4, 10)
    objects = numpy.empty(2, object)
    objects[:] = [b"a", b"bc"]
    assert vectorize(fnv)(objects).tolist() == [fnv(b"a"), fnv(b"bc")]
